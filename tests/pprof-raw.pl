#!/usr/bin/perl
# SPDX-License-Identifier: ISC
# What `go tool pprof -raw` prints, without its numbers: the header, mappings, and a line
# for each stack, with addresses and the mappings they are in.  Equal stacks are added
# up.  What is in no mapping is in one of all addresses, or of none.
use strict;
use warnings;

my ($in, @sample, %loc, %map, @header) = ('header');
while (<>) {
	chomp;
	if (/^(Samples|Locations|Mappings)\b/) {
		$in = $1;
	} elsif ($in eq 'Samples' && /^\s*([-\d ]+): ([\d ]*)$/) {
		push @sample, [[split ' ', $1], [split ' ', $2], ''];
	} elsif ($in eq 'Samples' && /^\s+(\S+:\[.*\])/) {
		$sample[-1][2] .= " $1";
	} elsif ($in eq 'Locations' && /^\s*(\d+): (0x\w+)(?: M=(\d+))?/) {
		$loc{$1} = [$2, $3];
	} elsif ($in eq 'Mappings' && /^(\d+): (.*?)\s*$/) {
		$map{$1} = $2 =~ m{^0x0/0x(0|f{16})/} ? '' : $2;
	} else {
		push @header, $_;
	}
}
my %sum;
for my $s (@sample) {
	my ($values, $ids, $labels) = @$s;
	my $stack = join ' ', map { my ($addr, $m) = @{$loc{$_}}; "$addr(" . ($m && $map{$m} || '') . ')' } @$ids;
	$sum{$stack . $labels}[$_] += $values->[$_] for 0 .. $#$values;
}
print "$_\n" for grep { $_ ne '' } @header;
print "mapping: $map{$_}\n" for grep { $map{$_} } sort { $a <=> $b } keys %map;
print "@{$sum{$_}}: $_\n" for sort keys %sum;
