# SPDX-License-Identifier: ISC
# Calls whose number is known, one of them in code that is made by the program.
use strict;

package Count::Down;

sub new { my ($class, $n) = @_; return bless { n => $n }, $class }

sub total {
	my $s = shift;
	my $t = 0;
	$t += plus($_) for 1 .. $s->{n};
	return $t;
}

sub plus {
	return 1 + shift;
}

package main;

sub smaller { return $_[0] <=> $_[1] }

my @n = sort { smaller($a, $b) } map { Count::Down->new($_)->total } 1 .. 20;
eval 'sub made { return 1 } made() for 1 .. 3';
print "@n\n";
