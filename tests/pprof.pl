#!/usr/bin/perl
# SPDX-License-Identifier: ISC
# Protocol buffers from text: a field on each line, messages indented below theirs, by TABs or two
# blanks.
#
#	NUMBER varint N		also negative
#	NUMBER packed N...
#	NUMBER string TEXT	with \xHH
#	NUMBER message
#	NUMBER fixed64 N	NUMBER fixed32 N
use strict;
use warnings;

sub varint {
	my ($n) = @_;
	my $s = '';
	$n = $n < 0 ? unpack 'Q', pack 'q', $n : $n;
	while ($n >= 128) {
		$s .= chr($n & 127 | 128);
		$n >>= 7;
	}
	return $s . chr $n;
}

my @line;
while (<>) {
	chomp;
	next if /^\s*(?:#|$)/;
	my ($in, @field) = /^((?:\t|  )*)(\d+) (\w+) ?(.*)/ or die "$_\n";
	$in =~ s/\t/  /g;
	push @line, [length($in) / 2, @field];
}

sub message {
	my ($depth) = @_;
	my $s = '';
	while (@line && $line[0][0] >= $depth) {
		my ($d, $field, $type, $value) = @{shift @line};
		my $bytes = $type eq 'message' ? message($d + 1) :
		    $type eq 'packed' ? join '', map { varint $_ } split ' ', $value : $value;
		$bytes =~ s/\\x(..)/chr hex $1/ge if $type eq 'string';
		$s .= $type eq 'varint' ? varint($field << 3) . varint $value :
		    $type eq 'fixed64' ? varint($field << 3 | 1) . pack 'Q<', $value :
		    $type eq 'fixed32' ? varint($field << 3 | 5) . pack 'L<', $value :
		    varint($field << 3 | 2) . varint(length $bytes) . $bytes;
	}
	return $s;
}

binmode STDOUT;
print message(0);
