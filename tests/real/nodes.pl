#!/usr/bin/perl
# SPDX-License-Identifier: ISC
# The nodes of a stream's stacks in lines like those of ms_print.pl, of the first event:
# the leaf is the first frame, and what a sample costs is that of all that lead to it.
use strict;
use warnings;

my (@file, @object, @func, @ctx, %node, $n, %fact);

sub flush_part {
	return unless defined $n;
	print "snapshot $n @fact{qw(massif.time heap massif.mem_heap_extra_B massif.mem_stacks_B)}\n"
	    if defined $fact{'massif.time'};
	print "$n $node{$_} $_\n" for sort keys %node;
	%node = %fact = ();
}

sub text {
	return defined $_[0] && $_[0] ne '-' ? $_[0] : '';
}

while (<>) {
	chomp;
	my ($tag, @f) = split /\t/;
	if ($tag eq 'part') {
		flush_part();
		$n = 0;
		$fact{heap} = 0;
	} elsif ($tag eq 'meta') {
		$fact{$f[0]} = $f[1];
		$n = $f[1] if $f[0] eq 'massif.snapshot';
	} elsif ($tag eq 'total') {
		$fact{heap} = $f[1];
	} elsif ($tag eq 'file') {
		$file[$f[0]] = $f[1];
	} elsif ($tag eq 'object') {
		$object[$f[0]] = $f[1];
	} elsif ($tag eq 'func') {
		$func[$f[0]] = [ text($f[1]), $f[3] eq '-' ? '' : $object[$f[3]] ];
	} elsif ($tag eq 'ctx') {
		my ($id, $parent, $func, $file, $line) = @f;
		my ($name, $object) = $func eq '-' ? ('', '') : @{$func[$func]};
		my $place = $file eq '-' ? '' : "$file[$file]:$line";
		$ctx[$id] = [ $parent, "$name|$place|$object" ];
	} elsif ($tag eq 'sample') {
		my ($at, $value) = @f;
		$fact{heap} += $value;
		my $path = '';
		for (; $at ne '-'; $at = $ctx[$at][0]) {
			$path .= ($path eq '' ? '' : ';') . $ctx[$at][1];
			$node{$path} += $value;
		}
	}
}
flush_part();
