#!/usr/bin/perl
# SPDX-License-Identifier: ISC
# What becomes of profiles in other formats: what is lost is reported, and what is not
# reported comes back.
#
#	tests/conversions.pl PROFILES
#
# A line of PROFILES is a file, options, and the formats to write if not all, a TAB
# between two.  Prints a line for each, with the formats "=" that keep all, those "<" that
# lose something and those "no" that refuse it, or what is wrong; exits with 1 if anything
# is.
use strict;
use warnings;

my %from = map { $_ => 1 } formats('read');
my @to = formats('write');
my %drawn = map { $_ => 1 } grep { !$from{$_} && !/^(?:text|json)$/ } @to;	# for viewers
my %all = (svg => ['--min-width', 0]);	# with what is left out else
my %picture = map { $_ => 1 } qw(svg dot);	# they say what is lost if asked for
my $bad = 0;

# What each format supports, and those that hold stacks alone.
my (%no, %stacks);
for my $f (keys %from, @to) {
	my $help = `prof-to $f --help`;
	$help =~ s/\n {12}/ /g;
	$no{$f} = { map { $_ => 1 } split /, /, $1 } if $help =~ /^  no +(.*)/m;
	$stacks{$f} = 1 if $help =~ /^needs: +stacks$/m;
}

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

# ---- what a format holds ----

# With FORMAT, only conversions from that format and to it are of interest.
sub about {
	return !$ENV{FORMAT} || $_[0] eq $ENV{FORMAT};
}

# By kind of record a feature that it is of, or a column that is of one.
my %feature = (call => 'calls', jump => 'jumps', ctx => 'contexts', sample => 'samples',
	point => 'points', vprof => 'values at sites', file => 'files', object => 'objects');
my %column = (func => [[1, 'functions']], cost => [[2, 'cost by line'], [3, 'cost by address']]);

# Features that the file has, and that its format does not hold.  Keys, units and totals
# may follow from what it does hold.
sub unsupported {
	my ($format, $file) = @_;
	my %is;
	run('walk.prof', 'prof-cat', $file);
	open my $f, '<', 'walk.prof' or die;
	while (<$f>) {
		chomp;
		my ($kind, @f) = split /\t/;
		$is{$feature{$kind}} = 1 if $feature{$kind};
		for (@{$column{$kind} // []}) {
			my ($at, $is) = @$_;
			$is{$kind eq 'cost' && $f[$at] =~ /^#/ ? 'cost by counter' : $is} = 1
			    if $f[$at] ne '-';
		}
		$is{metadata} = 1 if $kind eq 'meta' && $f[0] !~ /^format$|\./;
		$is{'several parts'} = 1 if $kind eq 'part' && $is{part}++;
		$is{'several events'} = 1 if $kind eq 'event' && $f[0] =~ /[1-9]/;
	}
	return join ', ', grep { $no{$format}{$_} } sort keys %is;
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
	my ($kind, $file, $target, @opts) = @_;
	my $added = $stacks{$target} && $from{$target};
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

# What --losses prints, which writes nothing else and fails as the conversion does.
sub losses {
	my ($file, $target, @opts) = @_;
	my ($status, $err) = run('walk.losses', 'prof-to', $target, '--losses', @opts, $file);
	my @lost = split /\n/, slurp('walk.losses');
	return ($status, join(', ', @lost), $err);
}

# "=", "<", "no", or what is wrong.
sub convert {
	my ($kind, $file, $target, @opts) = @_;
	unshift @opts, @{$all{$target} // []};
	my ($status, $err) = run('walk.out', 'prof-to', $target, @opts, $file);
	my ($refused, $lost, $why) = losses($file, $target, @opts);
	return "status $status, and $refused with --losses" if $status != $refused;
	return $err eq $why && $err =~ /\A(?:prof-to: .*\n)+\z/ ? 'no' : "says '$err'" if $status == 2;
	return "status $status: $err" if $status;
	my ($note) = $err =~ /^prof-to: \Q$target\E cannot hold: (.*)\n/m;
	return "says '" . ($note // '') . "', and '$lost' with --losses"
	    if ($note // '') ne $lost && !$picture{$target};
	my ($strict, $said) = run('walk.same', 'prof-to', $target, '--strict', @opts, $file);
	return "--strict: status $strict" if $strict != ($lost ne '' ? 2 : 0);
	return "says '$said' with --strict" if $lost ne '' && $said !~ /: \Q$lost\E$/m;
	# A stream of it goes the same way.
	my $bytes = slurp('walk.out');
	if (!grep { /^--(?:exe|syms)/ } @opts) {
		run('walk.prof', 'prof-cat', $file);
		run('walk.same', 'prof-to', $target, @opts, 'walk.prof');
		return 'its stream goes otherwise' if $bytes ne slurp('walk.same');
	}
	return '<' if $lost ne '';
	# gprof takes names from the executable.
	return '=' if $target =~ /^gmon/ && $kind !~ /^gmon/;
	my $how = differs($kind, $file, $target, @opts);
	return $how eq '' ? '=' : "nothing is said, and $how";
}

sub walk {
	my ($list) = @_;
	open my $f, '<', $list or die "$list: $!\n";
	while (<$f>) {
		chomp;
		my ($file, $opts, $only) = split /\t/;
		my @opts = split ' ', $opts || '';
		my ($kind) = `prof-cat --probe $file` =~ /: ([^,\n]+)/;
		my %to;
		my $unknown = unsupported($kind, $file);
		wrong("$file: $kind does not hold $unknown, --help says") if $unknown;
		for my $target ($only ? split(' ', $only) : @to) {
			next unless about($kind) || about($target);
			my $is = convert($kind, $file, $target, @opts);
			push @{$to{$is}}, $target;
			wrong("$file @opts to $target: $is") unless $is =~ /^(?:=|<|no)$/;
		}
		print join("\t", $file, map { $to{$_} ? "$_ @{$to{$_}}" : () } '=', '<', 'no'), "\n";
	}
}

die "usage: conversions.pl PROFILES\n" unless @ARGV == 1;
walk(@ARGV);
exit $bad;
