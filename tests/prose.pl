#!/usr/bin/perl
# SPDX-License-Identifier: ISC
# Counts words and sentences that make the manual and messages hard to read.
#
#	tests/prose.pl WORDS FILE...	prints the places of words that are more than allowed
#	tests/prose.pl -c WORDS FILE...	prints the table with today's counts
#
# WORDS is a table with TABs: how often a pattern may occur in all files together, the
# pattern, what to write instead, and how often it may occur in the texts of C sources, 0
# unless given.  A row "FILE%" has the percentage of sentences in that file that may have
# more than 25 words.  Counts only fall: lower them when they do.
use strict;
use warnings;
use utf8;

my $count = @ARGV && $ARGV[0] eq '-c' ? shift : '';
my ($words, @files) = @ARGV;
my $LONG = 25;

# The text of a macro's line: its arguments without those that only format.
sub plain {
	my ($s) = @_;
	return "\n\n" if $s =~ /^\.(Sh|Ss|It|Pp|Bl|El|Dl|Nd|Op|Os|Dd|Dt|Rs|Re|%\w)\b/;
	return '' if $s =~ /^\.\\"/;
	$s =~ s/^\.(\w+)\s*//;
	my $xr = $1 eq 'Xr';
	$s =~ s/^(\S+) (\d)/$1($2)/ if $xr;
	$s =~ s/\b(Ns|No|Ql|Cm|Fl|Ar|Pa|Ic|Ev|Nm|Xr|Sx|Pq|Po|Pc|Dv|Ta|Xo|Xc|Fn|Sq|Dq|Pf)\b ?//g;
	$s =~ s/\\[&ecq(].?//g;
	$s =~ s/ ([.,;:)])/$1/g;
	return $s;
}

# The texts of a C source: strings of several words, those next to each other as one.
sub texts {
	my ($file) = @_;
	my @got;
	open my $f, '<:utf8', $file or die "$file: $!\n";
	local $/;
	my $s = <$f> =~ s{/\*.*?\*/}{ $& =~ tr/\n//cdr }gser =~ s/\\\n/\n/gr =~ s/^#include.*//gmr;
	my ($line, $end) = (1, 0);
	while ($s =~ /"((?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*)/g) {
		my ($at, $text) = ($-[0], $1);
		$text = $text =~ s/"\s*"|"//gr =~ s/\\[nt]/ /gr;
		$line += substr($s, $end, $at - $end) =~ tr/\n//;
		$end = $at;
		push @got, [$text, $line], ["\n\n", $line] if $text =~ /\w \w/;
	}
	return @got;
}

# [text, line] for each piece of prose of a file.
sub prose {
	my ($file) = @_;
	return texts($file) if $file =~ /\.[ch]$/;
	my $mdoc = $file =~ /\.[1-8]$/;
	my ($shown, @got);
	open my $f, '<:utf8', $file or die "$file: $!\n";
	while (<$f>) {
		chomp;
		if ($mdoc ? /^\.Bd\b/ : !$shown && /^\s*```/) {
			$shown = 1;
			push @got, ["\n\n", $.];
		} elsif ($mdoc ? /^\.Ed\b/ : $shown && /^\s*```/) {
			$shown = 0;
		} elsif (!$shown) {
			next if !$mdoc && /^(    |\t|\|)/;
			s/`[^`]*`/code/g if !$mdoc;
			push @got, ["\n\n", $.] if !$mdoc && /^\s*([-*#]|\d+\.) /;
			push @got, [$mdoc && /^\./ ? plain($_) : $_ eq '' ? "\n\n" : $_, $.];
		}
	}
	close $f;
	return @got;
}

my (@rules, %long);
open my $t, '<:utf8', $words or die "$words: $!\n";
while (<$t>) {
	chomp;
	my ($most, $pattern, $instead, $texts) = split /\t/;
	if ($pattern =~ /^(.*)%$/) {
		$long{$1} = $most;
	} else {
		push @rules, { most => [$most, $texts // 0], pattern => $pattern, re => qr/$pattern/,
		    instead => $instead, at => [[], []] };
	}
}
close $t;

my ($bad, %share) = (0);
binmode STDOUT, ':utf8';
for my $file (@files) {
	my ($text, @line) = ('');
	for (prose($file)) {
		my ($s, $at) = @$_;
		push @line, [length $text, $at];
		$text .= $s =~ /^\n/ ? $s : "$s ";
	}
	my $line_of = sub {
		my ($pos) = @_;
		my ($lo, $hi) = (0, $#line);
		while ($lo < $hi) {
			my $mid = int(($lo + $hi + 1) / 2);
			if ($line[$mid][0] <= $pos) { $lo = $mid } else { $hi = $mid - 1 }
		}
		return $line[$lo][1];
	};
	my $source = $file =~ /\.[ch]$/ ? 1 : 0;
	for my $r (@rules) {
		while ($text =~ /$r->{re}/g) {
			push @{$r->{at}[$source]}, "$file:" . $line_of->($-[0]) . ": '$&': $r->{instead}";
		}
	}
	next if $source;
	my ($n, @long) = (0);
	while ($text =~ /(\S.*?)(?:[.!?](?=\s|$)|\n\n|$)/gs) {
		my ($s, $at) = ($1, $-[1]);
		my $len = () = $s =~ /\S*\w\S*/g;
		next if $len < 3;
		$n++;
		push @long, "$file:" . $line_of->($at) . ": $len words" if $len > $LONG;
	}
	$share{$file} = $n ? 100 * @long / $n : 0;
	next if $count;
	if ($share{$file} > ($long{$file} // 5)) {
		printf "%s: %.1f %% of %d sentences have more than $LONG words, %s %% may:\n",
		    $file, $share{$file}, $n, $long{$file} // 5;
		print "$_\n" for @long;
		$bad = 1;
	}
}
for my $r (@rules) {
	my @n = map { scalar @$_ } @{$r->{at}};
	if ($count) {
		print join("\t", $n[0], $r->{pattern}, $r->{instead}, $n[1] || ()), "\n";
		next;
	}
	for (grep { $n[$_] > $r->{most}[$_] } 0, 1) {
		print "$n[$_] times, $r->{most}[$_] allowed:\n";
		print "$_\n" for @{$r->{at}[$_]};
		$bad = 1;
	}
}
if ($count) {
	printf "%d\t%s%%\t\n", $share{$_} > 5 ? int($share{$_}) + 1 : 5, $_ for sort keys %share;
}
exit $bad;
