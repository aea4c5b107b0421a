# SPDX-License-Identifier: ISC
# acyclic.pl [first] STREAM: "file TAB function" of those that are called, cannot reach
# themselves, and are told apart by these two names; with `first` of all that are called
# and are the first level of a function.
use strict;
use warnings;

my $first = @ARGV && $ARGV[0] eq 'first' && shift;
my (@file, @func, %to, %called, %count);
while (<>) {
	chomp;
	my @f = split /\t/;
	if ($f[0] eq 'file') { push @file, $f[2] }
	elsif ($f[0] eq 'func') {
		my $file = $f[3] eq '-' ? '???' : $file[$f[3]];
		push @func, "$file\t" . ($f[2] eq '-' ? '???' : $f[2]);
		$count{$func[-1]}++;
	}
	elsif ($f[0] eq 'call') {
		$to{$f[1]}{$f[5]} = 1;
		$called{$f[5]} = 1;
	}
}
for my $f (grep { $called{$_} && $count{$func[$_]} == 1 } 0 .. $#func) {
	my @todo = keys %{$to{$f}};
	my %seen;
	while (@todo) {
		my $g = pop @todo;
		push @todo, keys %{$to{$g}} if !$seen{$g}++;
	}
	print "$func[$f]\n" if $first ? $func[$f] !~ /'\d+$/ : !$seen{$f};
}
