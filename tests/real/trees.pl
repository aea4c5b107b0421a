#!/usr/bin/perl
# SPDX-License-Identifier: ISC
# trees.pl SEED N LEVELS PROFILE TRUTH: N random trees of calls, each a part, written as
# Callgrind writes them with --separate-recs=LEVELS; and of each function of each part
# what it cost with all that it called, recursion counted once: PART TAB NAME TAB COST.
use strict;
use warnings;

my ($seed, $n, $levels, $profile, $truth) = @ARGV;
srand $seed;

my (%self, %edge, %incl, $nodes, @names);

# An activation: its cost with all it called.  %$depth: of each function, how many are
# open; %$open: of each name.
sub activation {
	my ($caller, $f, $level, $depth, $open) = @_;
	my $at = ++$depth->{$f};
	my $name = $at > 1 && $levels > 1 ? "$f'" . ($at < $levels ? $at : $levels) : $f;
	my $cost = int rand 20;

	$self{$name} += $cost;
	$open->{$name}++;
	while ($nodes > 0 && $level < 12 && rand() < 0.7) {
		$nodes--;
		$cost += activation($name, $names[rand @names], $level + 1, $depth, $open);
	}
	$incl{$name} += $cost unless --$open->{$name};
	$depth->{$f}--;
	$edge{$caller}{$name}[0]++, $edge{$caller}{$name}[1] += $cost if defined $caller;
	return $cost;
}

open my $out, '>', $profile or die "$profile: $!";
open my $true, '>', $truth or die "$truth: $!";
print $out "# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\n";
for my $part (1 .. $n) {
	(%self, %edge, %incl) = ();
	$nodes = 5 + int rand 60;
	@names = map { chr(ord('a') + $_) } 0 .. 1 + int rand 6;
	my $total = activation(undef, 'main', 0, {}, {});
	print $out "\npart: $part\npositions: line\nevents: Ir\nsummary: $total\n\n";
	for my $f (sort keys %self) {
		print $out "fn=$f\n1 $self{$f}\n";
		for my $callee (sort keys %{ $edge{$f} || {} }) {
			my ($count, $cost) = @{ $edge{$f}{$callee} };
			print $out "cfn=$callee\ncalls=$count 1\n1 $cost\n";
		}
		print $true "$part\t$f\t$incl{$f}\n";
	}
	print $out "\ntotals: $total\n";
}
close $out or die "$profile: $!";
close $true or die "$truth: $!";
