# SPDX-License-Identifier: ISC
# annotate.pl [cachegrind]: callgrind_annotate's table of functions, or
# cg_annotate's, as lines: file, function, then a number for each event ("." is
# 0).  What it prints twice is summed.
use strict;
use warnings;

my ($on, $n, %sum) = (0, 0);
while (<STDIN>) {
	chomp;
	if (/ file:function$/) {
		$n = () = /\S+/g;
		$n--;
		$on = 1;
		next;
	}
	next if !$on || /^-+$/;
	last if /^$/ && %sum;
	next if /^$/;
	s/ \[[^\[\]]*\]$// if !@ARGV;	# the object, which Cachegrind has not
	my @v;
	for my $i (1 .. $n) {
		s/^ *(-?[\d,]+|\.)(?: *\( *(?:-?[\d.]+%|n\/a)\))? +// or die "no number in: $_";
		push @v, $1 eq '.' ? 0 : $1 =~ s/,//gr;
	}
	# A file's name has no colon here; a function's has.
	my ($file, $name) = /^ ?(.*?):(.*)$/ or die "no name in: $_";
	$sum{"$file\t$name"}[$_] += $v[$_] for 0 .. $#v;
}
print "$_\t", join("\t", @{$sum{$_}}), "\n" for sort keys %sum;
