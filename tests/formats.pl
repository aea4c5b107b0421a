#!/usr/bin/perl
# SPDX-License-Identifier: ISC
# What manual pages show of the formats, against what the programs say of them.
#
#	tests/formats.pl [-u] PAGE...		-u: writes it into PAGE
#
# It stands between the lines .\" made: NAME and .\" end: the tables of what each format
# holds (NAME is holds), the list of those that are written (written), and a line or two
# about a format, below its .Ss, which -u adds where a page has those of other formats.
use strict;
use warnings;

my $update = @ARGV && $ARGV[0] eq '-u' ? shift : '';
my $failed = 0;

my @formats = map {
	chomp;
	my ($name, $use, $summary, $patterns) = split /\t/;
	{ name => $name, use => $use, summary => $summary, patterns => $patterns }
} `prof-cat --list-formats`;
die "formats.pl: prof-cat lists no formats\n" unless @formats;

# The columns of each table, below its title.
my @tables = (
	['Names and positions', qw(functions files objects keys), 'cost by line', 'cost by address'],
	['Calls and stacks', 'calls', 'inclusive cost', qw(jumps contexts samples)],
	['Other measurements', 'cost by counter', 'points', 'values at sites'],
	['The whole', 'several parts', 'several events', qw(units metadata total), 'end marked'],
);

# By the format's --help: how it supports each feature.
sub support {
	my ($name) = @_;
	my ($help) = `prof-to $name --help` =~ /^holds:\n((?: .*\n)+)/m
	    or die "formats.pl: prof-to $name --help does not say what it holds\n";
	my %support;
	$help =~ s/\n {12}/ /g;
	for (split /\n/, $help) {
		my ($how, $features) = /^  (\S+) +(.+)/;
		$support{$_} = $how for split /, /, $features;
	}
	return \%support;
}

sub holds {
	my %support = map { $_->{name} => support($_->{name}) } @formats;
	my ($longest) = sort { length $b <=> length $a } map { $_->{name} } @formats;
	my (%shown, $text);

	for (@tables) {
		my ($title, @columns) = @$_;
		$text .= ($text ? ".Pp\n" : '') . "$title:\n" .
		    join(' ', '.Bl -column', map { "\"$_\"" } $longest, @columns) . "\n" .
		    join(' Ta ', '.It ""', map { s/ /\\ /gr =~ s/.*\\.*/"$&"/r } @columns) . "\n";
		for my $f (map { $_->{name} } @formats) {
			$text .= join(' Ta ', ".It $f", map { $support{$f}{$_} } @columns) . "\n";
		}
		$text .= ".El\n";
		$shown{$_} = 1 for @columns;
	}
	for (keys %{$support{$formats[0]{name}}}) {
		die "formats.pl: no table has the column '$_'\n" unless $shown{$_};
	}
	return $text;
}

sub sentence {
	my ($summary) = @_;
	return $summary =~ s/^([a-z]+)(?=[ ,])/\u$1/r;
}

sub written {
	return join '', ".Bl -tag -width $formats[0]{name}\n",
	    (map { ".It Cm $_->{name}\n" . sentence($_->{summary}) . ".\n" } grep { $_->{use} =~ /write/ } @formats),
	    ".El\n";
}

sub about {
	my ($f) = @_;
	my $use = { 'read,write' => 'read and written', read => 'read', write => 'written' }->{$f->{use}};
	return sentence($f->{summary}) . "; $use.\n" .
	    ($f->{patterns} ? "Its files are called\n.Pa " . join(' , ', split ' ', $f->{patterns}) . " .\n" : '');
}

my %made = (holds => \&holds, written => \&written);
for my $f (@formats) {
	$made{$f->{name}} = sub { about($f) };
}

# Adds the sections of formats that the page does not have, behind the one before.
sub complete {
	my ($text) = @_;
	my $before;

	for my $name (map { $_->{name} } @formats) {
		if ($text !~ /^\.\\" made: \Q$name\E$/m) {
			$text =~ s/^\.Ss \Q$before\E\n(?s:.*?)(?=^\.S[sh] )/$&.Ss $name\n.\\" made: $name\n.\\" end\n/m
			    if defined $before;
		}
		$before = $name;
	}
	return $text;
}

sub slurp {
	my ($file) = @_;
	open my $f, '<', $file or die "$file: $!\n";
	local $/;
	return scalar <$f>;
}

for my $page (@ARGV) {
	my $is = slurp($page);
	my $want = $is =~ /^\.\\" made: \Q$formats[0]{name}\E$/m ? complete($is) : $is;

	$want =~ s{^(\.\\" made: (\S+)\n).*?^(?=\.\\" end$)}{
		$1 . ($made{$2} ? $made{$2}->() : die "$page: nothing makes '$2'\n")}gems;
	next if $want eq $is;
	if ($update) {
		open my $f, '>', $page or die "$page: $!\n";
		print $f $want;
		close $f or die "$page: $!\n";
	} else {
		print "$page: not what the programs say of the formats: make manual\n";
		$failed = 1;
	}
}
exit $failed;
