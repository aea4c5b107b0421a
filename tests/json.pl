#!/usr/bin/perl
# SPDX-License-Identifier: ISC
# Texts of JSON for tests/json.c, and what it should say of them:
#
#	tests/json.pl good N	valid texts and, behind a TAB, how it spells them
#	tests/json.pl bad N	the same damaged, and "right" or "wrong", as JSON::PP finds
#
# Each run makes the same.
use strict;
use warnings;
use JSON::PP;

my @escape = (['\\"', '22'], ['\\\\', '5C'], ['\\/', '2F'], ['\\b', '08'], ['\\f', '0C'],
    ['\\n', '0A'], ['\\r', '0D'], ['\\t', '09'], ['\\u0000', '00'], ['\\u0041', '41'],
    ['\\u00e9', 'C3A9'], ['\\u00E9', 'C3A9'], ['\\u20ac', 'E282AC'], ['\\uffff', 'EFBFBF'],
    ['\\ud83d\\ude00', 'F09F9880'], ['\\uD800\\uDC00', 'F0908080'],
    ['\\udbff\\udfff', 'F48FBFBF'], ["\xc3\xa9", 'C3A9'], ["\x7f", '7F']);
# No surrogates of a pair: JSON::PP refuses them, they are bytes or U+FFFD here.
my @alone = (['\\udc80', '80'], ['\\udcff', 'FF'], ['\\ud800', 'EFBFBD'], ['\\udc00', 'EFBFBD'],
    ['\\ud800\\u0041', 'EFBFBD41'], ['\\ud800\\ud800\\udc00', 'EFBFBDF0908080']);
my @number = qw(0 -0 1 -1 12 1234567890123456789012345678901234567890 0.5 -0.25 1e5 1E+5
    2e-7 1.50e00 -9.99E-12 100.000);
my $alone = 0;

sub blank {
	my $n = rand(4) < 1 ? int rand 3 : 0;
	return join '', map { (' ', "\t", "\r")[rand 3] } 1 .. $n;
}

sub string {
	my ($text, $hex) = ('', '');
	for (1 .. rand 6) {
		my $e = rand(3) < 1 ? $escape[rand @escape] :
		    $alone && rand(4) < 1 ? $alone[rand @alone] : do {
			my $c = chr(97 + rand 26);
			[$c, sprintf '%02X', ord $c];
		};
		# Two halves of pairs that come to stand side by side are one.
		next if $text =~ /\\u[dD][89abAB]..$/ && $e->[0] =~ /^\\u[dD][c-fC-F]/;
		$text .= $e->[0];
		$hex .= $e->[1];
	}
	return ("\"$text\"", "s$hex");
}

sub value {
	my ($depth) = @_;
	my $kind = int rand($depth > 0 ? 7 : 5);
	if ($kind == 0) {
		return string();
	} elsif ($kind == 1) {
		my $n = $number[rand @number];
		return ($n, "n$n");
	} elsif ($kind < 5) {
		return (['true', 't'], ['false', 'f'], ['null', '0'])[$kind - 2]->@*;
	}
	my ($text, $spelt) = ('', '');
	for my $i (1 .. rand 5) {
		my ($t, $s) = value($depth - 1);
		if ($kind == 5) {
			my ($key, $k) = string();
			$t = $key . blank() . ':' . blank() . $t;
			$s = "$k:$s";
		}
		$text .= ($i > 1 ? ',' : '') . blank() . $t . blank();
		$spelt .= "$s,";
	}
	return $kind == 5 ? ("{$text}", "{$spelt}") : ("[$text]", "[$spelt]");
}

sub whole {
	my ($text, $spelt) = value(5);
	return (blank() . $text . blank(), $spelt);
}

# A cut, or a byte that is left out, doubled, or another one.
sub damage {
	my ($text) = @_;
	my $at = int rand length($text) + 1;
	my $kind = int rand 4;
	return substr $text, 0, $at if $kind == 0;
	my @bytes = split //, '{}[]:,"\\0123456789-+.eEtfnu ' . "\t\x01";
	substr $text, $at, $kind == 1 ? 1 : 0, $kind == 1 ? '' : $kind == 2 ?
	    $bytes[rand @bytes] : substr $text, $at, 1 if $at < length $text;
	return $text;
}

my ($what, $n) = @ARGV;
srand 11;
if ($what eq 'good') {
	$alone = 1;
	print join("\t", map { s/\t/ /gr } whole()), "\n" for 1 .. $n;
} else {
	my $json = JSON::PP->new->latin1->allow_nonref->max_depth(1000)->allow_bignum;
	for (1 .. $n) {
		my ($text) = whole();
		$text =~ s/\t/ /g;
		$text = damage($text);
		redo if $text =~ /[\n\t]/ || $text =~ /\\u[dD][89a-fA-F]/;
		my $right = eval { $json->decode($text); 1 };
		print "$text\t", $right ? 'right' : 'wrong', "\n";
	}
}
