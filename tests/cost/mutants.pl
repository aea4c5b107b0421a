# SPDX-License-Identifier: ISC
# Inputs that are made up: some lines of a small one again and again, numbers in them
# counting up or down, names with a number behind them, fields repeated.
use strict;
use warnings;

my $def = qr/^(object|file|func|ctx)\t/;
# Columns of the stream that refer to definitions.
my %refs = (cost => [[1, 'func'], [2, 'file']], sample => [[1, 'ctx']],
	call => [[1, 'func'], [2, 'file'], [5, 'func']], vprof => [[1, 'func']],
	jump => [[1, 'func'], [2, 'file'], [5, 'func'], [6, 'file']], raw => [[1, 'func']],
	point => [[1, 'func'], [2, 'ctx']], func => [[3, 'file'], [4, 'object']],
	ctx => [[2, 'ctx'], [3, 'func'], [4, 'file']]);

# Numbers of definitions as they have to be, and references to those that are there.
sub renumber {
	my (%n, $events);
	for (@_) {
		my @f = split /\t/, $_, -1;
		%n = (), next if $f[0] eq 'prof';
		$events = 0 if $f[0] eq 'part';
		$f[1] = $events++ if $f[0] eq 'event' && $f[1] ne '-';
		for my $ref (@{$refs{$f[0]} // []}) {
			my ($column, $kind) = @$ref;
			next if !defined $f[$column] || $f[$column] !~ /^\d+$/;
			$f[$column] = $n{$kind} ? $f[$column] % $n{$kind} : '-';
		}
		$f[1] = $n{$f[0]}++ || 0 if /$def/;
		$_ = join "\t", @f;
	}
	return @_;
}

# What becomes of a word: a function of the turn and of how many there are.
sub choose {
	my $word = shift // '';
	my $dice = rand;
	return sub { $word } if $dice < 0.6;
	if ($word =~ /^\d{1,9}$/) {
		my $by = (1, 1, 1, 2, 64, 65536, 1 << 32)[rand 7];
		return $dice < 0.9 ? sub { $word + $_[0] * $by } :
		    $dice < 0.95 ? sub { $word + $_[1] - $_[0] } :
		    sub { ($word + $_[0] * 7919) % $_[1] };
	}
	return $dice < 0.85 || $word !~ /^\w+$/ ? sub { $word } : sub { $word . $_[0] };
}

# A small text and what is made of it: a function of n.
sub mutant {
	my ($text) = @_;
	my @line = split /\n/, $text;
	my $is_stream = @line > 2 && $line[0] eq "prof\t1";	# but for its first and last line
	my $last = $#line - $is_stream;
	my $from = $is_stream + int rand $last - $is_stream + 1;
	my $to = $from + int rand 5;
	$to = $last if $to > $last;
	if (rand() < 0.15) {	# fields of a line
		my @word = split /([\t ;,])/, $line[$from];
		my $at = int rand @word;
		my $become = choose($word[$at]);
		my $between = ("\t", ' ', ';', ',', '')[rand 5];
		$between = $word[1] if @word > 1 && rand() < 0.7;
		return sub { my $n = shift;
			my @w = @word;
			$w[$at] = join $between, map { $become->($_, $n) } 1 .. $n;
			join "\n", @line[0 .. $from - 1], join('', @w), @line[$from + 1 .. $#line], '' };
	}
	my @block = map {
		my ($tag, @word) = split /(\W+)/;	# a line begins with what it is, mostly
		[rand() < 0.05 ? choose($tag) : sub { $tag }, map { choose($_) } @word]
	} grep { length } @line[$from .. $to];
	return sub { my $n = shift;
		my @made = map { my $i = $_; map { join '', map { $_->($i, $n) } @$_ } @block } 0 .. $n - 1;
		my @all = (@line[0 .. $from - 1], @made, @line[$to + 1 .. $#line]);
		join "\n", $is_stream ? renumber(@all) : @all, '' };
}

1;
