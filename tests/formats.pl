#!/usr/bin/perl
# SPDX-License-Identifier: ISC
# What manual pages show of the formats, against what the programs say of them.
#
#	tests/formats.pl [-u] PAGE...		-u: writes it into PAGE
#
# It stands between the lines .\" made: NAME and .\" end: the lists of formats that hold each
# feature (NAME is holds), the list of those that are written (written), and a line or two
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

# The lists of features, below their titles.
my @lists = (
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

# "yes, but some in A, B; no in C", the most common one first, in lines.
sub by_support {
	my (%formats) = @_;
	my ($common, @other) = sort { @{$formats{$b}} <=> @{$formats{$a}} || $a cmp $b } keys %formats;
	my (@lines, $line);

	for my $word (split / /, @other ? "$common, but " .
	    join('; ', map { "$_ in " . join(', ', @{$formats{$_}}) } @other) : $common) {
		if (defined $line && length "$line $word" <= 80) {
			$line .= " $word";
		} else {
			push @lines, $line if defined $line;
			$line = $word;
		}
	}
	return join "\n", @lines, "$line\n";
}

sub holds {
	my %support = map { $_->{name} => support($_->{name}) } @formats;
	my (%shown, $text);

	for (@lists) {
		my ($title, @features) = @$_;
		$text .= ($text ? ".Pp\n" : '') . "$title:\n" .
		    ".Bl -tag -width \"cost by address\" -compact\n";
		for my $feature (@features) {
			my %formats;
			push @{$formats{$support{$_}{$feature}}}, $_ for map { $_->{name} } @formats;
			$text .= ".It $feature\n" . by_support(%formats);
			$shown{$feature} = 1;
		}
		$text .= ".El\n";
	}
	for (keys %{$support{$formats[0]{name}}}) {
		die "formats.pl: no list has the feature '$_'\n" unless $shown{$_};
	}
	return $text;
}

sub sentence {
	my ($summary) = @_;
	return $summary =~ s/^([a-z]+)(?=[ ,])/\u$1/r;
}

sub written {
	return join(",\n", map { s/(.{1,75})(?: |$)/$1\n/gr =~ s/\n$//r } join ', ',
	    map { $_->{name} } grep { $_->{use} =~ /write/ } @formats) . ".\n";
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
