#!/usr/bin/perl
# SPDX-License-Identifier: ISC
# OpenTelemetry's message, as text for pprof.pl, of an event of a stream of stacks:
#
#	prof-cat FILE | tests/otlp.pl EVENT | tests/pprof.pl >FILE.otlp
use strict;
use warnings;

my ($event) = @ARGV;
my (@object, @file, @func, @ctx, @sample, $index, $unit, $creator);
while (<STDIN>) {
	chomp;
	my ($tag, @f) = split /\t/;
	$creator = $f[1] if $tag eq 'meta' && $f[0] eq 'format';
	($index, $unit) = @f[0, 2] if $tag eq 'event' && $f[1] eq $event;
	push @object, [@f] if $tag eq 'object';
	push @file, $f[1] if $tag eq 'file';
	push @func, [@f] if $tag eq 'func';
	push @ctx, [@f] if $tag eq 'ctx';
	push @sample, [@f] if $tag eq 'sample';
}
die "no event $event\n" unless defined $index;

# Tables, whose first entries say nothing.
my (%number, @table);
my @strings = ('');
my %string = ('' => 0);

sub string {
	my ($s) = @_;
	return 0 if !defined $s || $s eq '-';
	push @strings, $s unless exists $string{$s};
	return $string{$s} //= $#strings;
}

sub entry {
	my ($table, $text) = @_;
	push @{$table[$table]}, '' unless $table[$table];
	push @{$table[$table]}, $text unless $number{$table}{$text};
	return $number{$table}{$text} //= $#{$table[$table]};
}

sub fields {
	my (@pairs) = @_;
	my $s = '';
	while (my ($field, $n) = splice @pairs, 0, 2) {
		$s .= "$field varint $n\n" if $n;
	}
	return $s;
}

sub message {
	my ($field, $text) = @_;
	$text =~ s/^(?=.)/  /mg;
	return "$field message\n$text";
}

sub attribute {
	my ($key, $value) = @_;
	return entry(6, fields(1, string($key)) . message(2, "1 string $value\n"));
}

# A frame's line, and those of what it is inlined into.
sub lines {
	my ($c) = @_;
	my ($func, $line, $column) = ($func[$c->[2]], split /:/, $c->[4]);
	return message(3, fields(1, entry(3, fields(1, string($func->[1]), 2, string($func->[4]),
	    3, string($func->[2] eq '-' ? '-' : $file[$func->[2]]))), 2, $line eq '-' ? 0 : $line,
	    3, $column // 0));
}

sub location {
	my ($c) = @_;
	my $text = lines($c);
	for (; ($c->[6] // '') =~ /inlined/; $text .= lines($c)) {
		$c = $ctx[$c->[1]];
	}
	my $o = $func[$c->[2]][3];
	my $mapping = $o eq '-' ? 0 : entry(1, fields(4, string($object[$o][1])) .
	    ($object[$o][2] eq '-' ? '' : '5 packed ' .
	    attribute('process.executable.build_id.gnu', $object[$o][2]) . "\n"));
	return (entry(2, fields(1, $mapping, 2, $c->[5] eq '-' ? 0 : hex $c->[5]) . $text),
	    $c->[1]);
}

my $samples = '';
for my $s (@sample) {
	my ($ctx, @rest) = @$s;
	my @labels = map { my ($k, $v) = split /=/, $_, 2; attribute($k, $v) } grep { /=/ } @rest;
	my ($locations, $one) = '';
	while ($ctx ne '-') {
		($one, $ctx) = location($ctx[$ctx]);
		$locations .= " $one";
	}
	$samples .= message(2, fields(1, entry(7, "1 packed$locations\n")) .
	    (@labels ? "2 packed @labels\n" : '') . '4 packed ' . ($rest[$index] // 0) . "\n");
}
my %words = (ns => 'nanoseconds', B => 'bytes', '-' => 'count');
my $type = message(1, fields(1, string($event), 2, string($words{$unit})));
print message(1, message(1, message(1, "1 string service.name\n" . message(2, "1 string tasks\n"))) .
    message(2, message(1, "1 string $creator\n") . message(2, $type . $samples)));
print message(2, join('', map { my $t = $_; map { message($t, $_) } @{$table[$t] || ['']} } 1 .. 4) .
    join('', map { "5 string $_\n" } @strings) .
    join('', map { my $t = $_; map { message($t, $_) } @{$table[$t] || ['']} } 6, 7));
