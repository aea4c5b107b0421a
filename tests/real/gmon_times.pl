# SPDX-License-Identifier: ISC
# gmon_times.pl N <GMON: the same file with each bin N times as large, so that
# what gprof prints to a hundredth is N times as exact.
use strict;
use warnings;

my $n = shift;
binmode $_ for *STDIN, *STDOUT;
local $/;
my $s = <STDIN>;
for (my $at = 20; $at < length $s; ) {
	if (ord substr $s, $at, 1) {
		$at += 21;
		next;
	}
	my $bins = unpack 'L<', substr $s, $at + 17, 4;
	my @bin = map { $_ * $n } unpack "(S<)$bins", substr $s, $at + 41, 2 * $bins;
	die 'a bin gets too large' if grep { $_ > 65535 } @bin;
	substr $s, $at + 41, 2 * $bins, pack '(S<)*', @bin;
	$at += 41 + 2 * $bins;
}
print $s;
