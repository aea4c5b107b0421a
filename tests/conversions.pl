#!/usr/bin/perl
# SPDX-License-Identifier: ISC
# What becomes of profiles in other formats, against the tables of
# prof-formats(7).
#
#	tests/conversions.pl run PROFILES >RESULTS	all into all
#	tests/conversions.pl compare PAGE RESULTS
#
# A line of PROFILES is a row of the table, perhaps with " with ..." behind it,
# a file, options, and the formats to write if not all, a TAB between two.
#
# A line of RESULTS is the row, the target, "=", "<", "no" or what is wrong, and
# the words of the note or the error, TABs between.
use strict;
use warnings;

my %from = map { $_ => 1 } formats('read');
my @to = formats('write');
my %drawn = map { $_ => 1 } grep { !$from{$_} && !/^(?:text|json)$/ } @to;	# for viewers
my %all = (svg => ['--min-width', 0]);	# with what is left out else
my %picture = map { $_ => 1 } qw(svg dot);	# they say what is lost if asked for
my $bad = 0;

sub formats {
	my ($what) = @_;
	return map { /^(\S+)\t\S*\b$what\b/ ? $1 : () } `prof-cat --list-formats`;
}

sub wrong {
	print "@_\n";
	$bad = 1;
}

sub slurp {
	my ($file) = @_;
	open my $f, '<', $file or die "$file: $!\n";
	local $/;
	my $s = <$f>;
	return defined $s ? $s : '';
}

# A command's exit status; its output is in the file, errors are returned.
sub run {
	my ($out, @command) = @_;
	my $pid = fork;
	die "fork: $!\n" unless defined $pid;
	if (!$pid) {
		open STDOUT, '>', $out or die "$out: $!\n";
		open STDERR, '>', 'walk.err' or die "walk.err: $!\n";
		exec @command or die "$command[0]: $!\n";
	}
	waitpid $pid, 0;
	die "@command: signal ", $? & 127, "\n" if $? & 127;
	return ($? >> 8, slurp('walk.err'));
}

# ---- what is the same ----

# Records with names spelt out, sorted.  Left out is what a format has of its
# own: its name, facts and attributes that begin with a format's, and the sum of
# the lines, which Callgrind's has, where `sums` is false; which positions there
# are; and definitions, as their names stand in what uses them.
sub records {
	my ($file, $sums, @opts) = @_;
	my ($status, $err) = run('walk.json', 'prof-to', 'json', @opts, $file);
	return "cannot be read: $err" if $status;
	my $own = join '|', grep { !/-/ } keys %from;
	my @r;
	open my $f, '<', 'walk.json' or die;
	while (<$f>) {
		next if /^\{"record":"(?:func|object)"/ ||
		    /^\{"record":"meta","key":"(?:format|(?:$own)\.[^"]*)"/ ||
		    (!$sums && /^\{"record":"total",.*"of":"sum"/);
		s/"(?:$own)\.[^"]*":"[^"]*",?//g;
		s/"positions":"[^"]*",?//;
		s/,?"attrs":\{,?\}//;
		s/,\}/}/;
		push @r, $_;
	}
	return join '', sort @r;
}

# Text for people, or JSON for viewers: names and large numbers can be seen, perhaps with
# another unit, and facts
# but for the format.
sub is_shown {
	my ($file, $out, @opts) = @_;
	my $shown = slurp($out);
	$shown =~ s/(?<=\d),(?=\d)//g;
	(my $scaled = $shown) =~ s/(?<=\d)\.(?=\d)//g;
	run('walk.prof', 'prof-cat', @opts, $file);
	open my $f, '<', 'walk.prof' or die;
	my %word;
	while (<$f>) {
		chomp;
		my @f = split /\t/;
		next if $f[0] !~ /^(?:func|cost|call|jump|sample|point|vprof|total|meta|event)$/ ||
		    "@f[0, 1]" eq 'meta format';
		$word{$_}++ for $f[0] eq 'func' ? $f[2] :
		    $f[0] =~ /^(?:meta|event)$/ ? @f[2 .. $#f] : grep { /^\d{4,}$/ } @f;
	}
	for my $w (keys %word) {
		return "$w is not shown" if $w !~ /[\\=]|^-$/ &&
		    index($shown, $w) < 0 && index($scaled, $w) < 0;
	}
	return '';
}

sub count {
	my ($file, $pattern) = @_;
	my %n;
	open my $f, '<', $file or die;
	while (<$f>) {
		$n{$1}++ if /$pattern/;
	}
	delete @n{qw(prof file ctx tag)};
	return join ' ', map { "$_ $n{$_}" } sort keys %n;
}

# Is the result the whole of the profile?  What is not, else.  In formats of viewers, and
# folded stacks, samples of one stack are added up; viewers' leave zeros out.
sub differs {
	my ($row, $file, $target, @opts) = @_;
	(my $kind = $row) =~ s/ .*//;
	my $added = $target =~ /^(?:cpuprofile|speedscope|firefox|folded)$/ && $from{$target};
	if ($target eq 'text' || $drawn{$target}) {
		return is_shown($file, 'walk.out', @opts);
	} elsif ($target eq 'json') {
		run('walk.prof', 'prof-cat', @opts, $file);
		my @n = (count('walk.prof', qr/^(\w+)/), count('walk.out', qr/^\{"record":"(\w+)"/));
		return $n[0] eq $n[1] ? '' : "records: $n[0] are $n[1]";
	} elsif ($target eq $kind && $kind !~ /grind|pprof|pstats|cpuprofile|speedscope|firefox/ && slurp($file) ne slurp('walk.out')) {
		return 'another file';		# numbers of names, or layout, may be others
	}
	if ($added) {
		run('walk.sum', 'prof-merge', @opts, $file);
		run('walk.back', 'prof-merge', 'walk.out');
		rename 'walk.back', 'walk.out';
		($file, @opts) = ('walk.sum');
	}
	# A message has no totals: this one is that of its samples.
	my $was = records($file, $target ne 'pprof', @opts);
	my $sums = $was =~ /"of":"sum"/;
	rename 'walk.out', 'walk.back';
	my $is = records('walk.back', $sums, @opts);
	return '' if $is eq $was;
	my %was = map { $_ => 1 } split /\n/, $was;
	my ($first) = grep { !$was{$_} } split /\n/, $is;
	return 'comes back otherwise: ' . ($first || 'records are missing');
}

# ---- runs ----

# The words of a list "WORDS (1), WORDS (22)".
sub lost {
	my ($list) = @_;
	my @words;
	push @words, $1 while $list =~ /\G(.+?) \(\d+\)(?:, |$)/g;
	return @words;
}

sub convert {
	my ($row, $file, $target, @opts) = @_;
	my ($status, $err) = run('walk.out', 'prof-to', $target, @{$all{$target} // []}, @opts, $file);
	my @words;
	for my $line (split /\n/, $err) {
		next if $line =~ /^prof-to: (?:warning:|stacks are estimated|no symbols for|\S+: times of lines are shares )/;
		$line =~ s/^prof-to: // or return ("says '$line'");
		if ($status == 2) {
			push @words, $line;
			next;
		}
		$line =~ s/^\Q$target\E cannot hold: // or return ("says '$line'");
		push @words, lost($line);
	}
	return @words == 1 ? ('no', @words) : ("says nothing or too much") if $status == 2;
	return ("status $status: $err") if $status;
	# A stream of it goes the same way.
	my $bytes = slurp('walk.out');
	if (!grep { /^--(?:exe|syms)/ } @opts) {
		run('walk.prof', 'prof-cat', $file);
		run('walk.same', 'prof-to', $target, @{$all{$target} // []}, @opts, 'walk.prof');
		return ('its stream goes otherwise') if $bytes ne slurp('walk.same');
	}
	if (@words || $picture{$target}) {
		my ($strict, $said) = run('walk.same', 'prof-to', $target, '--strict', @{$all{$target} // []}, @opts, $file);
		return ("--strict: status $strict") if @words && $strict != 2;
		return ('<', @words) if @words;
		return ('<', lost($1)) if $said =~ /^prof-to: \Q$target\E cannot hold: (.*)$/m;
	}
	my $how = differs($row, $file, $target, @opts);
	return $how eq '' ? ('=') : ("nothing is said, and $how");
}

sub walk {
	my ($list) = @_;
	open my $f, '<', $list or die "$list: $!\n";
	while (<$f>) {
		chomp;
		my ($row, $file, $opts, $only) = split /\t/;
		my @opts = split ' ', $opts || '';
		for my $target ($only ? split(' ', $only) : @to) {
			print join("\t", $row, $target,
			    convert($row, $file, $target, @opts)), "\n";
		}
	}
}

# ---- the page ----

sub plain {
	my ($s) = @_;
	$s =~ s/\\&//g;
	$s =~ s/\\\(dq/"/g;
	$s =~ s/ ([.,:;])$/$1/;
	$s =~ s/[.,:;]$//;
	return $s;
}

# "Cm gmon , gmon-bsd No with Fl -exe": rows
sub rows {
	my ($s) = @_;
	my $with = $s =~ s/ No (with .*)// ? " $1" : '';
	$with =~ s/ Fl -/ --/;
	$s =~ s/^Cm //;
	return map { "$_$with" } split / , /, $s;
}

# Of each row and target the mark; of those that are explained the words of what
# is lost for certain, of what may be, and the errors, in which "..." is anything.
sub read_page {
	my ($page) = @_;
	my (%mark, %cell, @columns, @targets, @rows, $words, $here, $tables);
	open my $f, '<', $page or die "$page: $!\n";
	while (<$f>) {
		chomp;
		$here = /FROM ONE TO/ if /^\.Sh /;
		next unless $here;
		$words = '', @rows = () if /^\.(?:El|Ss)/;
		if (/^\.It from Ta (.*)/) {
			@columns = split / Ta /, $1;
			push @{$tables}, @columns;
		} elsif (/^\.It "?(\w[^"]*?)"? Ta (.*)/) {
			my ($row, @marks) = ($1, split / Ta /, $2);
			wrong("$page: $row: marks for @columns") if @marks != @columns;
			$mark{$row}{$columns[$_]} = $marks[$_] for 0 .. $#columns;
		} elsif (/^\.Ss To (?:Cm )?(.*)/) {
			@targets = split / , /, $1;
		} elsif (/^\.It From (.*)/) {
			@rows = rows($1);
			for my $row (@rows) {
				for my $t (@targets) {
					wrong("$page: two of $row to $t") if $cell{$row}{$t};
					$cell{$row}{$t} = { lost => {}, may => {}, no => {} };
				}
			}
		} elsif (/^(Lost|Perhaps|Refused):$/) {
			$words = { Lost => 'lost', Perhaps => 'may', Refused => 'no' }->{$1};
		} elsif (/^\.Ql (.*)/ && $words) {
			for my $row (@rows) {
				$cell{$row}{$_}{$words}{plain($1)} = 1 for @targets;
			}
			$words = '' if / \.$/;
		} elsif (!/^\./) {
			$words = '';
		}
	}
	return (\%mark, \%cell, $tables);
}

# What is wrong with a run, if the page is right; words are ticked off.
sub check {
	my ($mark, $cell, $got, @words) = @_;
	my $want = !$cell ? '=' : %{$cell->{no}} ? 'no' : %{$cell->{lost}} ? '<' : '=';

	return "the table says $mark, the words below it $want"
	    if defined $mark && $mark ne $want;
	return "'$got', not '$want': @words" if $got ne $want &&
	    !($want eq '=' && $got eq '<' && $cell && %{$cell->{may}});
	if ($got eq 'no') {
		$words[0] =~ s/^gmon-bsd(44)?\b/gmon/;	# the page has one for three
		for my $error (keys %{$cell->{no}}) {
			my $like = join '.*', map { quotemeta } split /\.\.\./, $error, -1;
			$cell->{seen}{$error} = 1, return '' if $words[0] =~ /^$like$/;
		}
		return "another error: $words[0]";
	}
	for my $w (@words) {
		return "not listed: $w" unless $cell->{lost}{$w} || $cell->{may}{$w};
	}
	my %is = map { $_ => 1 } @words;
	for my $w ($got eq '<' ? keys %{$cell->{lost}} : ()) {
		return "listed, and not lost: $w" unless $is{$w};
	}
	return '';
}

sub compare {
	my ($page, $results) = @_;
	my ($mark, $cell, $columns) = read_page($page);
	my (%ran, %plain);
	open my $f, '<', $results or die "$results: $!\n";
	while (<$f>) {
		chomp;
		my ($full, $to, $got, @words) = split /\t/;
		(my $row = $full) =~ s/ with .*//;
		my $c = $cell->{$full}{$to} ? $full : $row;
		my $is = check($c eq $full && $full ne $row ? undef : $mark->{$row}{$to} || 'nothing',
		    $cell->{$c}{$to}, $got, @words);
		wrong("$full to $to: $is") if $is ne '';
		$ran{$c}{$to} = $plain{$row}{$to} = 1;
	}
	# Each format is a row or the first word of one, and a column.
	my %row = map { /^(\S+)/ => 1 } keys %$mark;
	my %column = map { $_ => 1 } @$columns;
	for (sort keys %from) {
		wrong("no row is from $_") unless $row{$_};
	}
	for (@to) {
		wrong("no column is to $_") unless $column{$_};
	}
	for my $row (sort keys %$mark) {
		for my $to (sort keys %column) {
			wrong("$row to $to: not in the table") unless $mark->{$row}{$to};
			wrong("$row to $to: no run") unless $plain{$row}{$to};
		}
	}
	for my $row (sort keys %$cell) {
		for my $to (sort keys %{$cell->{$row}}) {
			my $c = $cell->{$row}{$to};
			wrong("$row to $to: no run") unless $ran{$row}{$to};
			for (sort keys %{$c->{no}}) {
				wrong("$row to $to: no run says: $_") unless $c->{seen}{$_};
			}
		}
	}
}

if (@ARGV == 2 && $ARGV[0] eq 'run') {
	walk($ARGV[1]);
} elsif (@ARGV == 3 && $ARGV[0] eq 'compare') {
	compare(@ARGV[1, 2]);
} else {
	die "usage: conversions.pl run PROFILES | compare PAGE RESULTS\n"
}
exit $bad;
