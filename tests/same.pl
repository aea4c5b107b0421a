#!/usr/bin/perl
# SPDX-License-Identifier: ISC
# same.pl N SEED FILE COMMAND...: whether lines are read together or one by one, with what
# instructions and in how many threads, a COMMAND (a word of the shell, to which the file is
# added) prints the same for FILE and for N changes of it: output, messages, status.  Prints
# the number of runs; keeps the first file that makes a difference as `differs`.
use strict;
use warnings;

my ($n, $seed, $file, @commands) = @ARGV;
srand $seed;

my @ways = (['', '-j 1'], ['', '-j 3'],
	['GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2', '-j 1']);

open my $in, '<', $file or die "$file: $!\n";
my @lines = <$in>;
close $in;

my @odd = ("calls=1 +3 4 \n", "+1 1 99999999999999999999\n", "fn=(1)\n", "fn=(1) other\n",
	"fi=(7777)\n", "jump=1 -9999 +1\n", "jcnd=1/x 1 1\n", "-99999 1 5\n", "* * \n", "* -5000 3\n",
	"+3 +4\n", "totals: 1\n", "events: Ir\n", "part: 2\n", "# note\n", "bb=(1)\n", "rec=1\n",
	"+1 +1 -5\n", "+1 +1 007\n", "+1 +1 0x7\n", "1  2 3\n", "+1 2 3 \n", "cfn=(2)\n", "cob=(1)\n",
	"ob=\n", "fl=x.c\n", "fe=(1)\n", "jfn=(1)\n", "jfi=(2)\n", "=\n", "\r\n", "calls=0 5\n",
	"+1 +1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n", "+1 +1 12345678\n", "+1 +1 123456789012345678\n",
	"0x" . 'f' x 17 . " 1 1\n", "0x7fffffffffffffff 1 1\n", "+1\n", "frfn=(1)\n", "\n",
	"0x0 0 1\n", "0xff 0 1 2\n", "0x100 99999 7\n", "* 0 18446744073709551616\n", "* * 0\n",
	"jump=0 +1 +1\n", "jump=1 +1 +1\n* +1 \n", "jump=01 +1 +1\n", "jcnd=1/2 +1 +1\n",
	"jcnd=1/02 +1 0\n", "jcnd=3 4 +1 *\n", "fn=(3)\n\nfn=(4)\n", "desc: x: y\n", "1\n",
	"version: 1\n",
	"+1 +1 1 2 3 4 5 6 7 8 9 10 11 12 13\n", "fn=(9) name'2\n", "+1 +1 1 -7 3\n");

# A file with one to three changes: of a byte, of a line.
sub change {
	my @l = @lines;
	for (0 .. int rand 3) {
		my $i = int rand @l;
		my $what = int rand 8;
		if ($what == 0) {
			my $at = int rand length $l[$i];
			substr $l[$i], $at, 1, chr(rand(8) < 1 ? rand 256 : ord substr
			    "0123456789+-* =()xafnc\n", rand 23, 1);
		} elsif ($what == 1) {
			splice @l, $i, 1;
		} elsif ($what == 2) {
			splice @l, $i, 0, $l[$i];
		} elsif ($what == 3) {
			splice @l, $i, 0, $l[rand @l];
		} elsif ($what == 4) {
			@l[$i, $i - 1] = @l[$i - 1, $i];
		} elsif ($what == 5) {
			$l[$i] =~ s/[0-9]+/int(rand 2) ? int(10 ** rand 20) : int rand 12/e;
		} elsif ($what == 6 && rand(9) < 1) {
			$#l = $i;
			$l[$i] = substr $l[$i], 0, rand length $l[$i];
		} else {
			splice @l, $i, 0, $odd[rand @odd];
		}
		@l or @l = ("\n");
	}
	return join '', @l;
}

sub run {
	my ($setting, $command) = @_;
	my $status = system "$setting $command >out 2>err";
	my $all = "status $status\n";
	for my $name ('out', 'err') {
		open my $f, '<', $name or die "$name: $!\n";
		local $/;
		$all .= <$f> // '';
	}
	return $all;
}

my $runs = 0;
for my $k (0 .. $n) {
	my $text = $k ? change() : join '', @lines;
	open my $f, '>', 'changed' or die "changed: $!\n";
	print $f $text;
	close $f;
	for my $command (@commands) {
		my $want = run('PROF_BY_LINES=1', "$command changed");
		for my $way (@ways) {
			my $jobs = $command =~ m{^prof-(top|cat|grep)\b} ? $way->[1] : '';
			$runs++;
			next if run($way->[0], "$command $jobs changed") eq $want;
			rename 'changed', 'differs';
			die "change $k of seed $seed: $way->[0] $command $jobs differs\n";
		}
	}
}
print "$runs\n";
