# SPDX-License-Identifier: ISC
# table.pl DIR COL...: of prof-top --tsv: file, function and the named columns,
# summed over what else the rows are told apart by.  Unknown names become "???"
# and DIR/ is taken off files, as callgrind_annotate has it.
use strict;
use warnings;

my ($dir, @want) = @ARGV;
@ARGV = ();
chomp(my $head = <STDIN>);
my @name = split /\t/, $head;
my %at = map { $name[$_] => $_ } 0 .. $#name;
my %sum;
while (<STDIN>) {
	chomp;
	my @f = split /\t/, $_, -1;
	my ($file, $func) = map { $_ eq '-' ? '???' : $_ } @f[@at{qw(file function)}];
	$file =~ s/^\Q$dir\E\///;
	for my $i (0 .. $#want) {
		die "no column $want[$i]" if !defined $at{$want[$i]};
		my $v = $f[$at{$want[$i]}];
		die "$func: $want[$i] is -" if $v eq '-';
		$sum{"$file\t$func"}[$i] += $v;
	}
}
print "$_\t", join("\t", @{$sum{$_}}), "\n" for sort keys %sum;
