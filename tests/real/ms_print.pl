#!/usr/bin/perl
# SPDX-License-Identifier: ISC
# What ms_print says of a massif.out, in lines to compare:
#
#	snapshot N TIME HEAP EXTRA STACKS
#	N BYTES FRAME;FRAME;...		a node, the allocating function first
#
# Frames are NAME|FILE:LINE|OBJECT; nodes that differ in their addresses are one.
# ms_print's own threshold must be 0.
use strict;
use warnings;

# "0x109583: fill(int) (heap.cc:9)"
sub frame {
	my ($s) = @_;
	return '(below threshold)||' if $s =~ /^in \d+ places?, (?:all )?below massif's/;
	$s =~ s/^0x[0-9A-F]+: // or die "no frame: $s\n";
	my ($place, $object) = ('', '');
	if ($s =~ s/ \(in (.*)\)$//) {
		$object = $1;
	} elsif ($s =~ s/ \(([^()]+:\d+)\)$//) {
		$place = $1;
	}
	$s = '' if $s eq '???';
	return "$s|$place|$object";
}

my ($n, @path, %node);
while (<>) {
	chomp;
	(my $plain = $_) =~ s/(?<=\d),(?=\d)//g;
	if ($plain =~ /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+)$/) {
		$n = $1;
		print "snapshot $n $2 $4 $5 $6\n";
	} elsif (/^((?:[| ] )*)->[\d.]+% \(([\d,]+)B\) (.*)/) {
		my ($depth, $bytes, $what) = (length($1) / 2, $2, $3);
		$bytes =~ s/,//g;
		splice @path, $depth;
		push @path, frame($what);
		$node{$n}{join ';', @path} += $bytes;
	}
}
for my $snapshot (keys %node) {
	print "$snapshot $node{$snapshot}{$_} $_\n" for keys %{$node{$snapshot}};
}
