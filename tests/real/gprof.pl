# SPDX-License-Identifier: ISC
# gprof.pl EXE GMON [OPTION...]: does prof-top say of it what gprof says?
# Calls are the same; ticks add up to those of the file.  Time may differ by
# what gprof loses: it counts in units of two bytes and rounds the addresses of
# bins to them, so that a bin's shares may be less or more than the bin; and of
# a bin that functions share, by a tick, as we share whole ones.
# Options are for prof-top and prof-cat.
use strict;
use warnings;
use POSIX 'ceil';

my ($exe, $gmon, @options) = @ARGV;
my @problems;

sub lines {
	open my $f, '-|', @_ or die "$_[0]: $!";
	chomp(my @l = <$f>);
	close $f or die "$_[0] has failed";
	return @l;
}

sub bytes {
	open my $f, '<:raw', $_[0] or die "$_[0]: $!";
	local $/;
	return scalar <$f>;
}

# ---- the file and what gprof loses of it ----

my $elf = bytes($exe);
my ($wide, $big) = (ord(substr $elf, 4, 1) == 2, ord(substr $elf, 5, 1) == 2);
my ($word, $word_bytes) = $wide ? ('Q', 8) : ('L', 4);
my $order = $big ? '>' : '<';
my $tool = $ENV{GPROF} // 'gprof';

my $data = bytes($gmon);
my ($rate, %bin, $bins, $low, $high) = (100);
my $total = 0;
for (my $at = 20; $at < length $data; ) {
	my $tag = ord substr $data, $at, 1;
	if ($tag == 1) {
		$at += 1 + 2 * $word_bytes + 4;
		next;
	}
	die "tag $tag" if $tag || $bins;
	($low, $high, $bins, $rate) = unpack "($word$word" . "LL)$order",
	    substr $data, $at + 1;
	$at += 1 + 2 * $word_bytes + 8 + 16;
	my @n = unpack "(S$bins)$order", substr $data, $at, 2 * $bins;
	$n[$_] and $bin{$_} = $n[$_] and $total += $n[$_] for 0 .. $#n;
	$at += 2 * $bins;
}
die "only $total ticks in $gmon" if $total < 5;

my (@addr, %names);
for (lines($ENV{NM} // 'nm', '-C', $exe)) {
	/^([0-9a-f]+) [tTW] (.*)/ or next;
	push @addr, hex $1;
	push @{$names{hex $1}}, $2;
}
{
	my %seen;
	@addr = sort { $a <=> $b } grep { !$seen{$_}++ } @addr, 2 ** 52;
}

my (%may, $may_all);
my $scale = int(($high - $low) / 2) / $bins;
for my $i (keys %bin) {
	my $ulow = int($low / 2) + int($scale * $i);
	my $uhigh = int($low / 2) + int($scale * ($i + 1));
	my ($from, $to) = map { $low + ceil(($high - $low) * $_ / $bins) } $i, $i + 1;
	my %off;
	my ($a, $b) = (0, $#addr);	# the last symbol that begins not behind the bin
	while ($a < $b) {
		my $m = int(($a + $b + 1) / 2);
		if ($addr[$m] <= 2 * $ulow) { $a = $m } else { $b = $m - 1 }
	}
	for (my $k = $a; $k < $#addr && $addr[$k] < $to; $k++) {
		my @u = (int($addr[$k] / 2), int($addr[$k + 1] / 2));
		$u[0] = $ulow if $u[0] < $ulow;
		$u[1] = $uhigh if $u[1] > $uhigh;
		my @e = @addr[$k, $k + 1];
		$e[0] = $from if $e[0] < $from;
		$e[1] = $to if $e[1] > $to;
		my $theirs = $u[1] > $u[0] ? ($u[1] - $u[0]) / $scale : 0;
		my $exact = $e[1] > $e[0] ? ($e[1] - $e[0]) / ($to - $from) : 0;
		$off{$addr[$k]} = $bin{$i} * abs($theirs - $exact)
		    if $theirs || $exact;
	}
	for my $addr (keys %off) {
		my $more = $off{$addr} + (keys %off > 1 ? 1 : 0);
		$may{$_} += $more for @{$names{$addr}};
		$may_all += $more;
	}
}
die "gprof loses too much of $gmon to be compared with: $may_all of $total"
    if $may_all > $total / 2;

# ---- what gprof says ----

my ($name, %theirs, %arc, %theirs_arc, %cycle, $own, @block);
sub name_of {
	my $s = shift;
	$s =~ s/ \[\d+\]$//;
	my $c = $s =~ s/ <cycle (\d+)>$// ? $1 : 0;
	return ($s, $c);
}
for (lines($tool, '-b', '-q', $exe, $gmon)) {
	if (/^-----/) {
		$own = undef;
	} elsif (/^\[\d+\]/) {
		/^\[\d+\]\s+[\d.]+\s+([\d.]+)\s+([\d.]+)\s+(?:(\d+)(?:\+(\d+))?\s+)?(\S.*)$/
		    or die "not understood: $_";
		my ($self, $children, $calls, $again) = ($1, $2, $3 // 0, $4 // 0);
		($own, my $c) = name_of($5);
		next if $own =~ /^<cycle \d+ as a whole>/ and $own = '';
		$own = '' if /<cycle \d+ as a whole> \[\d+\]$/;
		next if $own eq '';
		$cycle{$own} = $c if $c;
		push @{$theirs{$own}}, [ $calls, $self * $rate,
		    ($self + $children) * $rate ];
		$theirs_arc{"$own\t$own"}[0] += $again if $again;
		$theirs_arc{"$own\t$own"}[1] += 0 if $again;
	} elsif (defined $own && $own ne '' && /^\s/) {
		/^\s+(?:([\d.]+)\s+([\d.]+)\s+)?(\d+)(?:\/\d+)?\s+(\S.*)$/
		    or die "not understood: $_";
		my ($child) = name_of($4);
		next if $child eq $own && !defined $1;	# on its own line, too
		$theirs_arc{"$own\t$child"}[0] += $3;
		$theirs_arc{"$own\t$child"}[1] += (($1 // 0) + ($2 // 0)) * $rate;
	} elsif (/^Index by function name/) {
		last;
	}
}

# ---- what we say ----

my (%ours, %ours_arc, %at, $sum);
my ($head, @rows) = lines('prof-top', '--quiet', '--tsv', '-n', 0, @options, $exe, $gmon);
my @col = split /\t/, $head;
$at{$col[$_]} = $_ for 0 .. $#col;
for (@rows) {
	my @f = split /\t/, $_, -1;
	my ($func, $calls, $self, $incl) = @f[@at{qw(function calls time time.incl)}];
	$sum += $self;
	push @{$ours{$func}}, [ $calls, $self / 1e6, $incl / 1e6 ]
	    if $calls || $self || $incl;
}
push @problems, "$sum millionths of a tick, and the file has $total ticks"
    if $sum != $total * 1000000;

my (@func, $run);
for (lines('prof-cat', '--quiet', @options, $exe, $gmon)) {
	my @f = split /\t/;
	if ($f[0] eq 'func') { push @func, $f[2] }
	elsif ($f[0] eq 'total') { $run = $f[2] }
	elsif ($f[0] eq 'call' && $f[8]) {
		my $key = "$func[$f[1]]\t$func[$f[5]]";
		$ours_arc{$key}[0] += $f[8];
		$ours_arc{$key}[1] += ($f[9] // 0) / 1e6;
	}
}
push @problems, "the total is $run" if $run != $total * 1000000;

# ---- the two ----

# What counts the calls, gprof leaves out of its graph.
delete @{$_}{qw(mcount _mcount __mcount __mcount_internal _mcleanup __fentry__)}
    for \%ours, \%theirs;

my $print = 0.5 + 1e-6;		# of a tick: 0.005 s of 0.01 s, at a rate of 100
$print *= $rate / 100;
for my $f (sort keys %{{ %ours, %theirs }}) {
	my ($o, $t) = map { [ sort { $a->[0] <=> $b->[0] || $a->[1] <=> $b->[1] }
	    @{$_ // []} ] } $ours{$f}, $theirs{$f};
	if (@$o != @$t) {
		push @problems, "$f: " . @$o . ' functions, gprof has ' . @$t;
		next;
	}
	for my $i (0 .. $#$o) {
		my ($a, $b, $may) = ($o->[$i], $t->[$i], $may{$f} // 0);
		push @problems, "$f: $a->[0] calls, gprof has $b->[0]"
		    if $a->[0] != $b->[0];
		push @problems, "$f: $a->[1] ticks, gprof has $b->[1], may lose $may"
		    if abs($a->[1] - $b->[1]) > $may + $print;
		push @problems, "$f: inclusive $a->[2] ticks, gprof has $b->[2], "
		    . "may lose $may_all" if abs($a->[2] - $b->[2]) > $may_all + 2 * $print;
	}
}
for my $k (sort keys %{{ %ours_arc, %theirs_arc }}) {
	my ($a, $b) = ($ours_arc{$k} // [ 0, 0 ], $theirs_arc{$k} // [ 0, 0 ]);
	(my $text = $k) =~ s/\t/ to /;
	push @problems, "$text: $a->[0] calls, gprof has $b->[0]" if $a->[0] != $b->[0];
	# Two of one name are two lines of gprof's.
	push @problems, "$text: $a->[1] ticks, gprof has $b->[1], may lose $may_all"
	    if abs($a->[1] - $b->[1]) > $may_all + 4 * $print;
}
die map "$_\n", "$exe $gmon:", @problems if @problems;
printf "%d functions, %d arcs, %d ticks, %d in cycles\n", scalar keys %ours,
    scalar keys %ours_arc, $total, scalar keys %cycle;
