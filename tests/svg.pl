#!/usr/bin/perl
# SPDX-License-Identifier: ISC
# The frames of a static flame graph, read back: a line for each, "DEPTH X WIDTH CLASS
# NAME COST", TABs between, in the order of the file; X and WIDTH are millionths.  Checks
# that each frame lies within its caller and beside its brothers.
use strict;
use warnings;

sub units { sprintf "%.0f", $_[0] * 1e4 }

my ($flame, $height, @open, @frame) = (0);
local $/;
my $svg = <>;
my ($frames) = $svg =~ m{<svg id="frames"[^>]*>(.*?)</svg>}s or die "no frames\n";
while ($frames =~ m{<rect x="([\d.]+)%" y="(\d+)" width="([\d.]+)%" height="15" class="(\w+)" [^>]*><title>(.*?)\n(.*?)</title></rect>}sg) {
	push @frame, { x => units($1), y => $2, w => units($3), class => $4, name => $5, cost => $6 };
}
die "not all frames are read\n" if @frame != (() = $frames =~ /<rect/g);
my %end;	# by depth: where the last frame ends
for my $f (@frame) {
	my $depth = abs($f->{y} - $frame[0]{y}) / 16;
	my $caller = $depth ? $open[$depth - 1] : undef;
	die "$f->{name}: no caller\n" if $depth && !$caller;
	die "$f->{name}: outside of its caller\n" if $caller && ($f->{x} < $caller->{x} ||
	    $f->{x} + $f->{w} > $caller->{x} + $caller->{w});
	die "$f->{name}: on its brother\n" if $f->{x} < ($end{$depth} // 0);
	$end{$depth} = $f->{x} + $f->{w};
	@open = (@open[0 .. $depth - 1], $f);
	for ($f->{name}, $f->{cost}) {
		s/&lt;/</g;
		s/&gt;/>/g;
		s/&quot;/"/g;
		s/&amp;/&/g;
	}
	print join("\t", $depth, @$f{qw(x w class name cost)}), "\n";
}
