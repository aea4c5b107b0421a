# SPDX-License-Identifier: ISC
# cg_strict.pl FILE: is it a profile that the strictest reader of Cachegrind's
# format takes?  That is what Valgrind's programs want since 3.21, and more: each
# line has all counts, and no file is without its function.  Complains and
# exits with 1 if not.
use strict;
use warnings;

my ($at, $line, @line) = (0);

sub bad { die "$ARGV[0]:$at: $_[0]\n" }

# The next line, or undef.
sub next_line {
	return undef if $at >= @line;
	return $line = $line[$at++];
}

sub counts {
	my ($text, $n) = @_;
	my @v = split ' ', $text;
	@v == $n or bad("expected $n counts, found " . @v);
	for (@v) {
		/^-?[0-9]+$/ or bad("no integer: $_");
		length() <= 15 or bad("too large to be added up here: $_");
	}
	return @v;
}

open my $f, '<:raw', $ARGV[0] or die "$ARGV[0]: $!\n";
my $text = do { local $/; <$f> };
$text =~ /\n\z/ or die "$ARGV[0]: no newline at the end\n";
@line = split /\n/, $text;

# The header: its order is fixed, and a blank stands behind each key.
my $more;
while (defined($more = next_line()) && $more =~ /^desc:/) {
	$more =~ /^desc:\s/ or bad('no blank behind desc:');
}
defined $more && $more =~ /^cmd:\s/ or bad('cmd: was due');
next_line();
defined $line && $line =~ /^events:\s+(\S.*)$/ or bad('events: was due');
my $n = () = $1 =~ /\S+/g;

my ($file, $func, $told);
my @sum = (0) x $n;
while (defined next_line()) {
	bad('something behind the summary') if $told;
	next if $line eq '' || $line =~ /^#/;
	if ($line =~ /^fl=/) {
		$file = 1;
		next_line();
		defined $line && $line =~ /^fn=/ or bad('fn= was due');
		$func = 1;
	} elsif ($line =~ /^fn=/) {
		$file or bad('fn= without fl=');
	} elsif ($line =~ /^[0-9]+(\s.*)$/) {
		$func or bad('counts without fn=');
		my @v = counts($1, $n);
		$sum[$_] += $v[$_] for 0 .. $n - 1;
	} elsif ($line =~ /^summary:(\s.*)$/) {
		$told = 1;
		my @v = counts($1, $n);
		"@v" eq "@sum" or bad("the lines add up to @sum");
	} else {
		bad("unknown: $line");
	}
}
$told or bad('no summary');
