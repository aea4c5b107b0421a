#!/usr/bin/perl
# SPDX-License-Identifier: ISC
# Names that do harm where they are not taken for names, and what becomes of them in each
# format.
#
#	tests/hostile.pl make DIR	the files below
#	tests/hostile.pl names FORMAT	of streams, the names that the format holds
#	tests/hostile.pl raw		what a terminal should not have got from its input
#
# In DIR, name/WHICH is a name, prof/WHICH a stream of it, and FORMAT/WHICH a file as
# another program writes it, where the format is only read; want/FORMAT are the names that
# come of it, after a line "== WHICH" for each.  all.prof is a stream of all names but the
# long one.
use strict;
use warnings;

my @name = (
	[tag => '<script>alert(1)</script><img src=x onerror=alert(1)>'],
	[section => ']]></style></title></svg>--><!--'],
	[entity => '&lt;&#60;&quot;\'"&'],
	[csi => "a\e[31m\e[2Jb"],
	[osc => "a\e]52;c;Zm9v\ab"],
	[c1 => "a\x{9b}31mb\xc2\x9b2Jc"],
	[control => "a\b\b\x01\x7fb\fc"],
	[nul => "a\0b"],
	[return => "good\rbad"],
	[newline => "a\nb\n"],
	[tab => "a\tb\t"],
	[substitution => '$(touch X)`touch X`${X}(touch X)'],
	[command => "x'; touch X; \"; touch X; #"],
	[option => '--output=X'],
	[bidi => "a\xe2\x80\xaeb\xe2\x81\xa6c\xe2\x80\x8f"],
	[width => "a\xe2\x80\x8bb\xef\xbb\xbfc"],
	[bytes => "\xff\xfe\xc3.\xc0\xaf\xed\xa0\x80\xf5"],
	[record => "a\nend\nprof\t1\nfunc\t0\tb"],
	[lines => "a\nfn=b\n1 1\npart: 2"],
	[stack => 'a;b 7'],
	[count => ' 7'],
	[number => '(1) x'],
	[remark => '# a'],
	[empty => ''],
	[dash => '-'],
	[unknown => '???'],
	[format => '%s%n%99999$s%.99999d'],
	[backslash => 'a\nb\x1b\\u0000\\'],
	[long => 'x' x 100_000 . "\xe2"],
);

# ---- what becomes of them ----

sub same {
	return $_[0];
}

sub no_empty {
	return $_[0] eq '' ? undef : $_[0];
}

sub anonymous {
	return $_[0] eq '' ? '(anonymous)' : $_[0];
}

sub known {
	return $_[0] eq '???' ? undef : $_[0];
}

sub cachegrind {
	my ($s) = @_;
	$s =~ s/\n/\\n/g;
	return known($s);
}

# Without blanks before it.
sub leading {
	my ($s) = @_;
	$s =~ s/^[ \t]+//;
	return $s;
}

sub callgrind {
	return cachegrind(leading($_[0]));
}

sub folded {
	my ($s) = @_;
	$s =~ tr/;\r\n/:/;
	return $s;
}

# The first and the last frame: neither a comment nor a count.
sub folded_outer {
	my $s = folded($_[0]);
	$s =~ s/^#(?= )|[ \t](?=\d+$)/:/;
	return $s;
}

sub trimmed {
	my $s = leading($_[0]);
	$s =~ s/[ \t]+$//;
	return known($s);
}

# By format: the records whose names are compared, what becomes of functions, files and
# objects, and which names it cannot hold.
my %format = (
	callgrind => ['func file object', \&callgrind],
	cachegrind => ['func file', \&cachegrind],
	folded => ['func', \&folded],
	pprof => ['func file object event thread cmd label', \&no_empty],
	pstats => ['func file', \&same],
	tsv => ['func event thread', \&same, qr/^$/],
	speedscope => ['func file thread cmd label', \&anonymous],
	firefox => ['func file object thread cmd label', \&anonymous],
	cpuprofile => ['func file', \&anonymous],
	prof => ['func file object event thread cmd label', \&same],
	otlp => ['func file object', \&no_empty],
	perf => ['func', \&leading, qr/\n|^# |^$/],
	'macos-sample' => ['func', \&trimmed, qr/\n|^$/],
	stacks => ['func', \&leading, qr/\n|^$/],
	massif => ['func file object', \&same, qr/\n|^(?:\?{3})?$/],
	dhat => ['func file object', \&same, qr/^(?:\?{3})?$/],
	heaptrack => ['func file object cmd', \&same, qr/\n/],
	stackprof => ['func file', \&same, qr/^$/],
	heapprofile => ['func file', \&anonymous],
	trace => ['func file cmd', \&anonymous, qr/^$/],
	'pprof-legacy' => ['func', \&leading, qr/[\t\n]|^$/],
	xdebug => ['func file', \&callgrind, qr/\n|^$/],
);

# Of a format that is not listed here functions are, as they are.
for (grep { !/^(?:aprof|gmon.*|xprof)$/ } map { /^(\S+)\tread,write\t/ } `prof-cat --list-formats`) {
	$format{$_} //= ['func', \&same];
}

# ---- files ----

sub escape {
	my ($s) = @_;
	$s =~ s/\\/\\\\/g;
	$s =~ s/\t/\\t/g;
	$s =~ s/\n/\\n/g;
	$s =~ s/\r/\\r/g;
	$s =~ s/\0/\\x00/g;
	return $s;
}

sub field {
	my ($s) = @_;
	return !defined $s ? '-' : $s eq '-' ? '\\-' : escape($s);
}

# Each name is that of a function, its file and its object: alone, below main and above it;
# facts, the event and the labels are of the first.
sub stream {
	my @n = @_;
	my ($f, $e) = (field($n[0]), escape($n[0]));
	my $s = "prof\t1\npart\t1\tpositions=line\nmeta\tcmd\t$f\nmeta\tthread\t$f\n" .
	    "event\t0\t$f\t-\t-\t-\tcalls=absent\nfunc\t0\tmain\t-\t-\t-\nctx\t0\t-\t0\t-\t-\t-\n";
	for my $i (0 .. $#n) {
		my ($name, $func, $ctx) = (field($n[$i]), $i + 1, 3 * $i + 1);
		my ($below, $above) = ($ctx + 1, $ctx + 2);
		$s .= "object\t$i\t$name\t-\nfile\t$i\t$name\nfunc\t$func\t$name\t$i\t$i\t-\n" .
		    "ctx\t$ctx\t-\t$func\t$i\t7\t-\nctx\t$below\t0\t$func\t$i\t7\t-\n" .
		    "ctx\t$above\t$ctx\t0\t-\t-\t-\n" .
		    "sample\t$ctx\t5\tcomm=$e\nsample\t$below\t7\tcomm=$e\nsample\t$above\t9\tcomm=$e\n";
	}
	return "${s}end\n";
}

# In a string of JSON, with bytes that are not UTF-8 as Python's surrogateescape has them.
sub json {
	my ($s) = @_;
	my $next = qr/[\x80-\xbf]/;
	my $utf8 = qr/[\x20\x21\x23-\x5b\x5d-\x7e]|[\xc2-\xdf]$next|\xe0[\xa0-\xbf]$next|
	    [\xe1-\xec\xee\xef]$next{2}|\xed[\x80-\x9f]$next|\xf0[\x90-\xbf]$next{2}|
	    [\xf1-\xf3]$next{3}|\xf4[\x80-\x8f]$next{2}/x;
	$s =~ s{($utf8)|(.)}{$1 // sprintf '\\u%04x', ord $2 < 128 ? ord $2 : 0xdc00 + ord $2}gse;
	return $s;
}

# What other programs write.
my %written = (
	perf => <<'E',
NAME  12/13    [001]    7.000100:        250 cycles:u:
	             1031 NAME+0x11 (NAME)
	             1008 main+0x8 (main)

E
	'macos-sample' => <<'E',
Analysis of sampling prog (pid 7) every 10 milliseconds
Path:   NAME

Call graph:
    9 Thread_7: NAME
    + 9 main  (in main) + 41  [0x10384b549]  main:12
    +   5 NAME  (in NAME) + 41  [0x10384b549]  NAME:12

Total number in stack (recursive counted multiple, when >=5):
E
	stacks => <<'E',
@[
    NAME+16
    main+8
, NAME]: 3
@[
    main+8
    NAME+16
, prog]: 2
E
	massif => <<'E',
desc: --massif-out-file=massif
cmd: NAME
time_unit: i
#-----------
snapshot=0
#-----------
time=730
mem_heap_B=96
mem_heap_extra_B=16
mem_stacks_B=0
heap_tree=peak
n1: 96 (heap allocation functions) malloc/new/new[], --alloc-fns, etc.
 n1: 96 0x401011: NAME (NAME:7)
  n0: 96 0x402021: main (in NAME)
E
	dhat => <<'E',
{"dhatFileVersion":2
,"mode":"heap","verb":"Allocated"
,"bklt":true,"bkacc":false
,"tu":"instrs","Mtu":"Minstr","tuth":500
,"cmd":"JSON","pid":12,"te":730,"tg":700
,"pps":
 [{"tb":64,"tbk":2,"tl":90,"mb":64,"mbk":2,"gb":64,"gbk":2,"eb":0,"ebk":0,"fs":[1,2]}]
,"ftbl":["[root]","0x401011: JSON (JSON:7)","0x402021: main (in JSON)"]
}
E
	heaptrack => <<'E',
v 10000 2
X NAME
I 1000 40
s NAME
s main
i 401020 1 2 1 c
t 1 0
i 401080 1 1 1 7
t 2 1
a 20 2
+ 0
# strings: 2
# ips: 2
E
	stackprof => <<'E',
{"version":1.2,"mode":"cpu","interval":1000,"samples":3,"gc_samples":0,"missed_samples":0,
"frames":{"140":{"name":"main","file":"","total_samples":3,"samples":0,"edges":{"160":3}},
"160":{"name":"JSON","file":"JSON","line":7,"total_samples":3,"samples":3,"lines":{"8":[3,3]}}},
"raw":[2,140,160,3],"raw_lines":[2,0,8,3]}
E
	heapprofile => <<'E',
{"head":{"callFrame":{"functionName":"main","scriptId":"0","url":"","lineNumber":-1,
"columnNumber":-1},"selfSize":0,"id":1,"children":[{"callFrame":{"functionName":"JSON",
"scriptId":"9","url":"JSON","lineNumber":6,"columnNumber":13},"selfSize":64,"id":2,"children":[]}]}}
E
	trace => <<'E',
[{"ph":"M","name":"process_name","pid":7,"args":{"name":"JSON"}},
{"ph":"M","name":"thread_name","pid":7,"tid":8,"args":{"name":"JSON"}},
{"ph":"P","name":"Profile","pid":7,"tid":8,"id":"0x1","ts":1,"args":{"data":{"startTime":5}}},
{"ph":"P","name":"ProfileChunk","pid":7,"tid":9,"id":"0x1","ts":2,"args":{"data":{"endTime":90,
"cpuProfile":{"nodes":[{"id":1,"callFrame":{"functionName":"(root)","scriptId":0}},
{"id":2,"parent":1,"callFrame":{"functionName":"JSON","url":"JSON","lineNumber":6,"scriptId":1}}],
"samples":[2,2]},"timeDeltas":[5,30]}}}]
E
	'pprof-legacy' => <<'E',
goroutine profile: total 3
3 @ 0x401011 0x402021
#	0x401010	NAME+0x10	NAME:7
#	0x402020	main+0x20	main:12

E
	xdebug => <<'E',
version: 1
creator: xdebug 3.2.0 (PHP 8.2.0)
cmd: NAME
part: 1
positions: line

events: Time_(10ns) Memory_(bytes)

fl=(1) NAME
fn=(1) NAME
3 10 0

fl=(2) NAME
fn=(2) main
1 5 0
cfl=(1)
cfn=(1)
calls=1 0 0
3 10 0

summary: 15 0

E
);

sub put {
	my ($file, @text) = @_;
	open my $f, '>', $file or die "$file: $!\n";
	print $f @text;
	close $f or die "$file: $!\n";
}

# Can the format hold it?
sub holds {
	my ($format, $n) = @_;
	my $not = $format{$format}[2];
	return !$not || $n !~ $not;
}

# The lines of `names` for a name.
sub want {
	my ($format, $n) = @_;
	my ($records, $becomes) = @{$format{$format}};
	my %line;
	for my $r (split ' ', $records) {
		my $is = $r =~ /^(?:func|file|object)$/ ? $becomes->($n) : $n;
		# A viewer's word for no name is a function's only.
		undef $is if $r =~ /^(?:file|object)$/ && $n eq '' && $becomes == \&anonymous;
		$line{"$r " . field($is) . "\n"} = 1 if defined $is || $r eq 'func';
		$line{"$r " . field(folded_outer($n)) . "\n"} = 1 if $format eq 'folded';
	}
	return join '', sort keys %line;
}

sub make {
	my ($dir) = @_;
	mkdir "$dir/$_" for qw(name prof want), keys %written;
	put("$dir/all.prof", stream(map { $_->[0] eq 'long' ? () : $_->[1] } @name));
	for my $f (keys %format) {
		put("$dir/want/$f", map {; "== $_->[0]\n", want($f, $_->[1]) }
		    grep { holds($f, $_->[1]) } @name);
	}
	for (@name) {
		my ($which, $n) = @$_;
		my %is = (NAME => $n, JSON => json($n));
		put("$dir/name/$which", $n);
		put("$dir/prof/$which", stream($n));
		for my $f (grep { holds($_, $n) } keys %written) {
			put("$dir/$f/$which", $written{$f} =~ s/(NAME|JSON)/$is{$1}/gr);
		}
	}
}

# ---- what has become of them ----

my %column = (
	func => qr/^func\t\d+\t([^\t\n]*)/, object => qr/^object\t\d+\t([^\t\n]*)/,
	file => qr/^file\t\d+\t([^\t\n]*)/, event => qr/^event\t0\t([^\t\n]*)/,
	thread => qr/^meta\tthread\t([^\t\n]*)/, cmd => qr/^meta\tcmd\t([^\t\n]*)/,
	label => qr/^sample\t.*\tcomm=([^\t\n]*)/,
);

sub names {
	my ($format) = @_;
	my @records = split ' ', $format{$format}[0];
	my %line;
	while (<STDIN>) {
		if (/^== /) {
			print sort keys %line;
			%line = ();
			print;
			next;
		}
		for my $r (@records) {
			next if $_ !~ $column{$r} || $1 eq 'main' ||
			    ($1 eq '-' && $r =~ /^(?:file|object)$/);
			my $is = $r eq 'label' && $1 eq '-' ? '\\-' : $1;
			$line{"$r $is\n"} = 1;
		}
	}
	print sort keys %line;
}

# Anything but lines of text, be it UTF-8 or not, and colours as the programs have them.
sub raw {
	local $/;
	my $s = <STDIN>;
	$s =~ s/\e\[(?:0|1|0;1|2|3[2-6]|1;3[0-7]|38;5;(?:39|208))?m//g;
	my $next = qr/[\x80-\xbf]/;
	my $turns = qr/\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]|\xd8\x9c/;
	my $text = qr/[\t\x20-\x7e]|\r*\n|\xc2[\xa0-\xbf]|[\xc3-\xdf]$next|[\xe0-\xef]$next{2}|
	    [\xf0-\xf4]$next{3}|[\xa0-\xff]/x;
	while ($s =~ /((?:(?!$turns)$text){1,1000}+)|./gs) {
		next if defined $1;
		my $from = pos($s) < 40 ? 0 : pos($s) - 40;
		(my $around = substr $s, $from, 80) =~ s/([^ -~])/sprintf '\\x%02x', ord $1/ge;
		print "raw: $around\n";
		return;
	}
}

binmode $_ for *STDIN, *STDOUT;
my ($what, @args) = @ARGV;
my %do = (make => \&make, names => \&names, raw => \&raw);
die "usage: hostile.pl make DIR | names FORMAT | raw\n" unless $do{$what // ''};
$do{$what}->(@args);
