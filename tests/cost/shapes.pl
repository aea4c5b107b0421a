# SPDX-License-Identifier: ISC
# Inputs of which there is much of one thing: %shape has a function for each, which
# makes its text of n of them.  Names begin with the format that they are of.
use strict;
use warnings;

our %shape;

# A stream: fields stand between blanks, an empty line is none.
sub lines { join '', map { s/ /\t/gr . "\n" } grep { length } @_ }
sub stream { lines('prof 1', @_, 'end') }
sub part { stream('part 1', 'event 0 Ir - - -', @_) }
sub each_of(&$) { my ($make, $n) = @_; map { $make->($_) } 0 .. $n - 1 }
sub root { my $n = int sqrt $_[0]; $n > 2 ? $n : 2 }

# Functions f0, f1, ... with a cost of 1, and what else there is about them.
sub funcs {
	my ($n, @rest) = @_;
	part((each_of { ("func $_ f$_ - - -", "cost $_ - 1 - 1") } $n), @rest);
}
# Calls among as many functions: pairs of their numbers.
sub graph {
	my ($n, @pairs) = @_;
	funcs($n, map { "call $$_[0] - 1 - $$_[1] 1 - 1 1" } @pairs);
}
# Frames of contexts, "PARENT FUNC", and further lines; of $nf functions.
sub tree {
	my ($nf, $ctx, @rest) = @_;
	my $i = 0;
	part((each_of { "func $_ f$_ - - -" } $nf),
	    (map { 'ctx ' . $i++ . " $_ - - -" } @$ctx), @rest);
}
sub wide {
	my ($n, @rest) = @_;
	stream('part 1', (each_of { "event $_ e$_ - - -" } $n), 'func 0 f - - -',
	    'func 1 g - - -', @rest);
}
sub samples { each_of { "sample $_ 1" } shift }

# ---- the stream: its frame and its header ----

%shape = (
'prof:streams' => sub { join '', each_of { part() } shift },
'prof:parts' => sub { part(('part 1') x shift) },
'prof:runs' => sub { stream(each_of { "part $_" } shift) },
'prof:part-events' => sub { stream(each_of { ('part 1', "event 0 e$_ - - -") } shift) },
'prof:part-costs' => sub { my $n = shift; stream('func 0 f - - -',
	map { ('part 1', 'event 0 Ir - - -', "cost 0 - $_ - 1") } 1 .. $n) },
'prof:part-facts' => sub { my $n = shift; stream('func 0 f - - -',
	map { ('part 1', "meta thread $_", 'event 0 Ir - - -', 'cost 0 - 1 - 1') } 1 .. $n) },
'prof:part-calls' => sub { my $n = shift; stream('func 0 f - - -', 'func 1 g - - -',
	map { ('part 1', 'event 0 Ir - - -', 'call 0 - 1 - 1 1 - 1 1') } 1 .. $n) },
'prof:part-samples' => sub { my $n = shift; stream('func 0 f - - -', 'ctx 0 - 0 - - -',
	map { ('part 1', 'event 0 Ir - - -', 'sample 0 1') } 1 .. $n) },
'prof:part-points' => sub { my $n = shift; stream('func 0 f - - -',
	map { ('part 1', 'event 0 Ir - - -',
	"point 0 - $_ 1 5 5 5 25 5 5 5 5 25 5 - - - - - -") } 1 .. $n) },
'prof:part-attrs' => sub { my $n = shift;
	stream('part 1 ' . join ' ', each_of { "a$_=$_" } $n) },
'prof:part-sums' => sub { my $n = shift; stream(map { ('part 1', 'event 0 Ir - - -',
	'total run 1', 'total sum 1') } 1 .. $n) },
'prof:many-of-many' => sub { my $n = root(shift); stream((each_of { "func $_ f$_ - - -" } $n),
	map { ("part $_", 'event 0 Ir - - -', each_of { "cost $_ - 1 - 1" } $n) } 1 .. $n) },
'prof:events' => sub { my $n = shift; stream('part 1', each_of { "event $_ e$_ - - -" } $n) },
'prof:events-cost' => sub { my $n = shift; stream('part 1',
	(each_of { "event $_ e$_ - - -" } $n), 'func 0 f - - -', 'cost 0 - 1 - 1') },
'prof:events-alike' => sub { my $n = shift;
	stream('part 1', each_of { "event $_ Ir - - -" } $n) },
'prof:events-derived' => sub { my $n = shift;
	part((each_of { "event - d$_ - Ir -" } $n), 'func 0 f - - -', 'cost 0 - 1 - 1') },
'prof:events-chain' => sub { my $n = shift; stream('part 1', 'event 0 e0 - - -',
	(map { "event - e$_ - e" . ($_ - 1) . ' -' } 1 .. $n), 'func 0 f - - -',
	'cost 0 - 1 - 1') },
'prof:events-chain-back' => sub { my $n = shift; stream('part 1', 'event 0 Ir - - -',
	(map { "event - e$_ - e" . ($_ + 1) . ' -' } 0 .. $n - 1), "event - e$n - Ir -",
	'func 0 f - - -', 'cost 0 - 1 - 1') },
'prof:events-double' => sub { my $n = shift; lines('prof 1', 'part 1', 'event 0 e0 - - -') .
	join('', map { my $p = $_ - 1; "event\t-\te$_\t-\te$p + e$p\t-\n" } 1 .. $n) .
	lines('func 0 f - - -', 'cost 0 - 1 - 1', 'end') },
'prof:events-cycle' => sub { my $n = shift; stream('part 1',
	(map { "event - e$_ - e" . (($_ + 1) % $n) . ' -' } 0 .. $n - 1)) },
'prof:formula' => sub { my $n = shift; lines('prof 1', 'part 1', 'event 0 Ir - - -') .
	"event\t-\tsum\t-\t" . join(' + ', ('Ir') x $n) . "\t-\n" .
	lines('func 0 f - - -', 'cost 0 - 1 - 1', 'end') },
'prof:formula-terms' => sub { my $n = root(shift); lines('prof 1', 'part 1',
	each_of { "event $_ e$_ - - -" } $n) . join('', map { "event\t-\td$_\t-\t" .
	join(' + ', each_of { "e$_" } $n) . "\t-\n" } 1 .. $n) .
	lines('func 0 f - - -', 'cost 0 - 1 - 1', 'end') },
'prof:event-attrs' => sub { my $n = shift;
	stream('part 1', 'event 0 Ir - - - ' . join ' ', each_of { "a$_=$_" } $n) },
'prof:facts' => sub { my $n = shift; part(each_of { "meta k$_ v" } $n) },
'prof:facts-alike' => sub { my $n = shift; part(('meta k v') x $n) },
'prof:facts-values' => sub { my $n = shift; part(each_of { "meta k v$_" } $n) },
'prof:fact-list' => sub { my $n = shift; part('meta k ' . join ' ', each_of { "v$_" } $n) },
'prof:facts-late' => sub { my $n = shift;
	part('func 0 f - - -', 'cost 0 - 1 - 1', each_of { "meta k$_ v" } $n) },
'prof:facts-pid' => sub { my $n = shift; part(each_of { "meta pid $_" } $n) },
'prof:function-attrs' => sub { my $n = shift; part(each_of { ("func $_ f - - - a$_=1", "cost $_ - 1 - 1") } $n) },
'prof:facts-thread' => sub { my $n = shift; part(each_of { "meta thread $_" } $n) },
'prof:facts-filter' => sub { my $n = shift; part(each_of { "meta filter $_" } $n) },
'prof:facts-cmd' => sub { my $n = shift; part(each_of { "meta cmd c$_" } $n) },
'prof:tags' => sub { stream(each_of { "tag t$_ may" } shift) },
'prof:tags-used' => sub { part('func 0 f - - -',
	each_of { ("tag t$_ may f:func:key n:int:sum", "t$_ 0 1") } shift) },
'prof:tags-alike' => sub { stream(('tag t may') x shift) },
'prof:declared' => sub { part('func 0 f - - -', 'tag t may f:func:key n:int:sum',
	each_of { "t 0 $_" } shift) },
'prof:declared-kinds' => sub { my $n = root(shift); part('func 0 f - - -',
	(each_of { "tag t$_ may f:func:key n:int:sum" } $n),
	map { each_of { "t$_ 0 1" } $n } 1 .. $n) },
'prof:totals' => sub { part(('total run 1') x shift) },
'prof:totals-of' => sub { part(each_of { "total t$_ 1" } shift) },
'prof:values' => sub { my $n = shift; part('func 0 f - - -',
	'cost 0 - 1 -' . ' 1' x $n) },
'prof:digits' => sub { my $n = shift; part('func 0 f - - -', 'cost 0 - 1 - ' . '9' x $n) },
'prof:columns' => sub { my $n = root(shift); stream('part 1', (each_of { "event $_ e$_ - - -" } $n),
	'func 0 f - - -', map { "cost 0 - $_ -" . ' 1' x $n } 1 .. $n) },
'prof:columns-calls' => sub { my $n = root(shift); stream('part 1',
	(each_of { "event $_ e$_ - - -" } $n), 'func 0 f - - -', 'func 1 g - - -',
	map { "call 0 - $_ - 1 1 - 1" . ' 1' x $n } 1 .. $n) },
# As many events as records, which have few values.
'prof:wide-costs' => sub { my $n = shift; wide($n, map { "cost 0 - $_ - 1" } 1 .. $n) },
'prof:wide-costs-attrs' => sub { my $n = shift; wide($n, map { "cost 0 - $_ - 1 a=1" } 1 .. $n) },
'prof:wide-costs-last' => sub { my $n = shift; wide($n, 'cost 0 - 1 -' . ' 0' x ($n - 1) . ' 1',
	map { "cost 0 - $_ - 1" } 1 .. $n) },
'prof:wide-costs-alike' => sub { my $n = shift; wide($n, 'cost 0 - 1 -' . ' -' x $n,
	('cost 0 - 1 - 1 a=1') x $n) },
'prof:wide-calls' => sub { my $n = shift; wide($n, map { "call 0 - $_ - 1 1 - 1 1" } 1 .. $n) },
'prof:wide-calls-alike' => sub { my $n = shift; wide($n, ('call 0 - 1 - 1 1 - 1 1') x $n) },
'prof:wide-functions' => sub { my $n = shift; wide($n, (map { ("func $_ f$_ - - -",
	"cost $_ - 1 - 1", "call $_ - 1 - " . ($_ - 1) . ' 1 - 1 1') } 2 .. $n)) },
'prof:wide-samples' => sub { my $n = shift; wide($n, map { my $i = $_;
	('ctx ' . $i . ' ' . ($i ? $i - 1 : '-') . " 0 - $i -", "sample $i 1") } 0 .. $n - 1) },
'prof:wide-stack' => sub { my $n = shift; wide($n, (map { 'ctx ' . $_ . ' ' .
	($_ ? $_ - 1 : '-') . " 0 - $_ -" } 0 .. $n - 1), 'sample ' . ($n - 1) . ' 1') },
'prof:wide-order' => sub { my $n = shift; wide($n, 'part 1',
	(each_of { "event $_ e" . ($n - 1 - $_) . ' - - -' } $n),
	map { "cost 0 - $_ - 1" } 1 .. $n) },
'prof:wide-others' => sub { my $n = shift; stream('part 1', 'event 0 Ir - - -', 'func 0 f - - -',
	(map { "cost 0 - $_ - 1" } 1 .. $n), 'part 1', (each_of { "event $_ e$_ - - -" } $n),
	map { "cost 0 - $_ - 1" } 1 .. $n) },
'prof:wide-parts' => sub { my $n = shift; stream('func 0 f - - -', map { ("part $_",
	"event 0 e$_ - - -", "cost 0 - $_ - 1") } 1 .. $n) },
'prof:wide-formula' => sub { my $n = shift; stream('part 1', (each_of { "event $_ e$_ - - -" } $n)) =~
	s/end\n//r . "event\t-\tsum\t-\t" . join(' + ', each_of { "e$_" } $n) . "\t-\n" .
	lines('func 0 f - - -', (map { "cost 0 - $_ - 1" } 1 .. $n), 'end') },
'prof:runs-costs' => sub { my $n = shift; stream('func 0 f - - -', map { ("part $_",
	'event 0 Ir - - -', "cost 0 - $_ - 1") } 1 .. $n) },

# ---- definitions ----

'prof:objects' => sub { part(each_of { "object $_ /lib/o$_ -" } shift) },
'prof:objects-used' => sub { part(each_of { ("object $_ /lib/o$_ -", "func $_ f - $_ -",
	"cost $_ - 1 - 1") } shift) },
'prof:files' => sub { part(each_of { "file $_ /src/f$_.c" } shift) },
'prof:files-used' => sub { part('func 0 f - - -',
	each_of { ("file $_ /src/f$_.c", "cost 0 $_ 1 - 1") } shift) },
'prof:files-functions' => sub { part(each_of { ("file $_ /src/f$_.c", "func $_ f $_ - -",
	"cost $_ $_ 1 - 1") } shift) },
'prof:functions' => sub { funcs(shift) },
'prof:functions-unused' => sub { part(each_of { "func $_ f$_ - - -" } shift) },
'prof:functions-keys' => sub { part(each_of { ("func $_ f - - k$_",
	"cost $_ - 1 - 1") } shift) },
'prof:functions-alike' => sub { part(each_of { ("func $_ f - - -", "cost $_ - 1 - 1") } shift) },
'prof:functions-attrs' => sub { part(each_of { ("func $_ f - - - a=$_",
	"cost $_ - 1 - 1") } shift) },
'prof:functions-prefix' => sub { my $n = shift; my $p = 'p' x root($n);
	part(each_of { ("func $_ $p$_ - - -", "cost $_ - 1 - 1") } root($n)) },
'prof:functions-clones' => sub { part(each_of { ("func $_ f.isra.$_ - - -",
	"cost $_ - 1 - 1") } shift) },
'prof:functions-levels' => sub { part((map { ("func $_ f'" . ($_ + 2) . ' - - -',
	"cost $_ - 1 - 1") } 0 .. $_[0] - 1)) },
'prof:functions-levels-calls' => sub { my $n = shift; part((map { ("func $_ f'" . ($_ + 2) .
	' - - -', "cost $_ - 1 - 1") } 0 .. $n - 1),
	map { "call $_ - 1 - " . ($_ + 1) . ' 1 - 1 1' } 0 .. $n - 2) },
'prof:functions-widths' => sub { my $n = root(shift);
	part(map { ("func $_ " . 'w' x $_ . ' - - -', "cost $_ - 1 - 1") } 0 .. $n - 1) },
(map { my ($name, $of) = @$_; ("prof:name-$name" => sub { my $n = shift;
	part('func 0 f' . $of x $n . ' - - -', 'func 1 g - - -', 'cost 0 - 1 - 1',
	'call 1 - 1 - 0 1 - 1 1') }) }
	['long', 'a'], ['levels', "'2"], ['clones', '.isra.0'], ['cold', '.cold'],
	['rust', '::h0123456789abcdef'], ['templates', 'v<'], ['pairs', 'v<>'],
	['arguments', '(a)'], ['colons', '::'], ['tabs', '\t'], ['bytes', "\xff"], ['wide', "\xe6\x97\xa5"],
	['accents', "a\xcc\x81"], ['semicolons', ';'], ['digits', '1'], ['escapes', "\x1b"],
	['equals', '='], ['hashes', '#'], ['mixed', ".isra.0'2"]),
'prof:object-long' => sub { my $n = shift; part('object 0 /' . 'o/' x $n . ' -',
	'func 0 f - 0 -', 'cost 0 - 1 - 1') },
'prof:fact-long' => sub { my $n = shift; part('meta cmd ' . 'a' x $n) },

# ---- contexts ----

'prof:contexts-deep' => sub { my $n = shift; tree(1, ['- 0', map { $_ - 1 . ' 0' } 1 .. $n - 1],
	'sample ' . ($n - 1) . ' 1') },
'prof:contexts-deep-funcs' => sub { my $n = shift; tree($n, ['- 0', map { $_ - 1 . " $_" }
	1 .. $n - 1], 'sample ' . ($n - 1) . ' 1') },
'prof:contexts-deep-all' => sub { my $n = shift; tree(1, ['- 0', map { $_ - 1 . ' 0' }
	1 .. $n - 1], samples($n)) },
'prof:contexts-deep-funcs-all' => sub { my $n = shift; tree($n, ['- 0', map { $_ - 1 . " $_" }
	1 .. $n - 1], samples($n)) },
'prof:contexts-deep-two-all' => sub { my $n = shift; tree(2, ['- 0', map { $_ - 1 . ' ' . $_ % 2 }
	1 .. $n - 1], samples($n)) },
'prof:contexts-deep-same' => sub { my $n = shift; tree(1, ['- 0', map { $_ - 1 . ' 0' } 1 .. $n - 1],
	('sample ' . ($n - 1) . ' 1') x $n) },
'prof:contexts-deep-points' => sub { my $n = shift; tree(1, ['- 0', map { $_ - 1 . ' 0' }
	1 .. $n - 1], each_of { "point 0 $_ 1 1 5 5 5 25 5 5 5 5 25 5 - - - - - -" } $n) },
'prof:contexts-wide' => sub { my $n = shift; tree(2, ['- 0', ('0 1') x $n], samples($n)) },
'prof:contexts-fan' => sub { my $n = shift; tree($n, ['- 0', map { "0 $_" } 1 .. $n - 1],
	samples($n)) },
'prof:contexts-roots' => sub { my $n = shift; tree(1, [('- 0') x $n], samples($n)) },
'prof:contexts-binary' => sub { my $n = shift; tree(2, ['- 0', map { int(($_ - 1) / 2) . ' ' . $_ % 2 }
	1 .. $n - 1], samples($n)) },
'prof:contexts-comb' => sub { my $n = shift; tree(2, ['- 0', map { my $i = $_;
	(($i < 3 ? 0 : 2 * int(($i - 1) / 2) - 1) . ' ' . ($i % 2)) } 1 .. $n - 1], samples($n)) },
'prof:contexts-unused' => sub { my $n = shift; tree(1, ['- 0', map { $_ - 1 . ' 0' } 1 .. $n - 1]) },
'prof:samples' => sub { tree(1, ['- 0'], each_of { "sample 0 $_" } shift) },
'prof:label-keys' => sub { tree(1, ['- 0'], map { "sample 0 1 k$_=v" } 1 .. $_[0]) },
'prof:samples-labels' => sub { tree(1, ['- 0'], each_of { "sample 0 1 l=$_" } shift) },
'prof:sample-labels' => sub { my $n = shift; tree(1, ['- 0'],
	'sample 0 1 ' . join ' ', each_of { "l$_=$_" } $n) },

# ---- costs, calls, jumps ----

'prof:lines' => sub { part('func 0 f - - -', each_of { "cost 0 - $_ - 1" } shift) },
'prof:lines-back' => sub { my $n = shift; part('func 0 f - - -',
	map { "cost 0 - $_ - 1" } reverse 1 .. $n) },
'prof:lines-alike' => sub { part('func 0 f - - -', ('cost 0 - 1 - 1') x shift) },
'prof:lines-far' => sub { part('func 0 f - - -',
	each_of { 'cost 0 - ' . ($_ << 32) . ' - 1' } shift) },
'prof:line-columns' => sub { part('func 0 f - - -', each_of { "cost 0 - 1:$_ - 1" } shift) },
'prof:addresses' => sub { part('func 0 f - - -',
	each_of { sprintf 'cost 0 - - 0x%x 1', $_ } shift) },
'prof:addresses-far' => sub { part('func 0 f - - -',
	each_of { sprintf 'cost 0 - - 0x%x 1', $_ << 40 } shift) },
'prof:addresses-pages' => sub { part('func 0 f - - -',
	each_of { sprintf 'cost 0 - - 0x%x 1', $_ << 16 } shift) },
'prof:counters' => sub { part('func 0 f - - -', each_of { "cost 0 - - #$_ 1" } shift) },
'prof:blocks' => sub { part('func 0 f - - -',
	each_of { sprintf 'cost 0 - - #0x%x 1', $_ } shift) },
'prof:costs-attrs' => sub { part('func 0 f - - -', each_of { "cost 0 - 1 - 1 a=$_" } shift) },
'prof:cost-attrs' => sub { my $n = shift; part('func 0 f - - -',
	'cost 0 - 1 - 1 ' . join ' ', each_of { "a$_=$_" } $n) },
'prof:costs-nowhere' => sub { part(each_of { "cost - - $_ - 1" } shift) },
'prof:costs-absent' => sub { part('func 0 f - - -', each_of { "cost 0 - $_ - -" } shift) },
'prof:costs-large' => sub { my $n = shift; funcs($n, each_of { "cost $_ - 1 - " .
	'123456789012345678901234567890' } $n) },
'prof:costs-negative' => sub { part('func 0 f - - -', each_of { "cost 0 - $_ - -1" } shift) },

'prof:calls-chain' => sub { my $n = shift; graph($n, map { [$_, $_ + 1] } 0 .. $n - 2) },
'prof:calls-chain-rest' => sub { my $n = shift; part(map { ("func $_ f$_ - - -",
	"cost $_ - 1 - 1", $_ ? 'call ' . ($_ - 1) . " - 1 - $_ 1 - 1 " . ($n - $_) : '') }
	0 .. $n - 1) },
'prof:calls-chain-down' => sub { my $n = shift; part(map { ("func $_ f$_ - - -",
	"cost $_ - 1 - 1", $_ ? "call $_ - 1 - " . ($_ - 1) . " 1 - 1 $_" : '') } 0 .. $n - 1) },
'prof:calls-self' => sub { my $n = shift; graph($n, map { [$_, $_] } 0 .. $n - 1) },
'prof:calls-chain-self' => sub { my $n = shift; graph($n, map { ([$_, $_], [$_, $_ + 1]) }
	0 .. $n - 2) },
'prof:calls-chain-self-rest' => sub { my $n = shift; part((map { ("func $_ f$_ - - -",
	"cost $_ - 1 - 1", "call $_ - 1 - $_ 5 - 1 " . ($n - $_),
	$_ ? 'call ' . ($_ - 1) . " - 1 - $_ 1 - 1 " . ($n - $_) : '') } 0 .. $n - 1)) },
'prof:calls-cycle' => sub { my $n = shift; graph($n, map { [$_, ($_ + 1) % $n] } 0 .. $n - 1) },
'prof:calls-cycle-rest' => sub { my $n = shift; part((each_of { ("func $_ f$_ - - -",
	"cost $_ - 1 - 1") } $n), (map { "call $_ - 1 - " . ($_ + 1) . ' 1 - 1 ' .
	($n - $_) } 0 .. $n - 2), 'call ' . ($n - 1) . ' - 1 - 0 1 - 1 0') },
'prof:calls-back' => sub { my $n = shift; graph($n, map { ([$_, $_ + 1], [$_ + 1, $_]) }
	0 .. $n - 2) },
'prof:calls-cycles' => sub { my $n = shift; graph($n, map { ([$_, $_ ^ 1],
	$_ + 2 < $n ? [$_, $_ + 2] : ()) } 0 .. ($n & ~1) - 1) },
'prof:calls-dense' => sub { my $n = root(shift); graph($n, map { my $i = $_;
	map { [$i, $_] } 0 .. $n - 1 } 0 .. $n - 1) },
'prof:calls-dense-large' => sub { my $n = root(shift); part((each_of { ("func $_ f$_ - - -",
	"cost $_ - 1 - 1000000007") } $n), map { my $i = $_; map { "call $i - 1 - $_ 1 - 1 100000000$_" }
	0 .. $n - 1 } 0 .. $n - 1) },
'prof:calls-order-large' => sub { my $n = root(shift); part((each_of { ("func $_ f$_ - - -",
	"cost $_ - 1 - 1000000007") } $n), map { my $i = $_; map { "call $i - 1 - $_ 1 - 1 100000000$_" }
	$i + 1 .. $n - 1 } 0 .. $n - 1) },
'prof:calls-hub-large' => sub { my $n = shift; part((each_of { ("func $_ f$_ - - -",
	"cost $_ - 1 - 1000000007") } $n), map { ("call 0 - 1 - $_ 1 - 1 100000000$_",
	"call $_ - 1 - 0 1 - 1 100000000$_") } 1 .. $n - 1) },
'prof:calls-diamonds-large' => sub { my $n = shift; part((each_of { ("func $_ f$_ - - -",
	"cost $_ - 1 - 1000000007") } $n), map { my $i = $_; map { "call $i - 1 - " .
	(2 * int($i / 2) + 2 + $_) . " 1 - 1 100000000$_" } grep { 2 * int($i / 2) + 2 + $_ < $n } 0, 1 }
	0 .. $n - 1) },
'prof:calls-order' => sub { my $n = root(shift); graph($n, map { my $i = $_;
	map { [$i, $_] } $i + 1 .. $n - 1 } 0 .. $n - 1) },
'prof:calls-two-sides' => sub { my $n = root(shift); graph(2 * $n, map { my $i = $_;
	map { [$i, $n + $_] } 0 .. $n - 1 } 0 .. $n - 1) },
'prof:calls-star' => sub { my $n = shift; graph($n, map { [0, $_] } 1 .. $n - 1) },
'prof:calls-star-in' => sub { my $n = shift; graph($n, map { [$_, 0] } 1 .. $n - 1) },
'prof:calls-hub' => sub { my $n = shift; graph($n, map { ([$_, 0], [0, $_]) } 1 .. $n - 1) },
'prof:calls-waist' => sub { my $n = shift; my $h = int($n / 2); graph($n,
	(map { [$_, 0] } 1 .. $h), map { [0, $_] } $h + 1 .. $n - 1) },
'prof:calls-waists' => sub { my $n = shift; my $w = root($n); graph($n, map { my $hub = $_ - $_ % $w;
	$_ == $hub ? () : ([$hub, $_], $hub + $w < $n ? [$_, $hub + $w] : ()) } 0 .. $n - 1) },
'prof:calls-tree' => sub { my $n = shift; graph($n, map { [int(($_ - 1) / 2), $_] } 1 .. $n - 1) },
'prof:calls-diamonds' => sub { my $n = shift; graph($n, map { my $i = $_;
	map { [$i, 2 * int($i / 2) + 2 + $_] } grep { 2 * int($i / 2) + 2 + $_ < $n } 0, 1 }
	0 .. $n - 1) },
'prof:calls-skips' => sub { my $n = shift; graph($n, map { my $i = $_;
	map { [$i, $i + $_] } grep { $i + $_ < $n } 1, 2, 3 } 0 .. $n - 1) },
'prof:calls-random' => sub { my $n = shift; my $x = 7; graph($n, map { my $i = $_;
	map { $x = ($x * 1103515245 + 12345) % (1 << 31); [$i, ($x >> 8) % $n] } 1 .. 3 }
	0 .. $n - 1) },
'prof:calls-lines' => sub { part('func 0 f - - -', 'func 1 g - - -',
	each_of { "call 0 - $_ - 1 1 - 1 1" } shift) },
'prof:calls-alike' => sub { part('func 0 f - - -', 'func 1 g - - -',
	('call 0 - 1 - 1 1 - 1 1') x shift) },
'prof:calls-absent' => sub { my $n = shift; part((each_of { "func $_ f$_ - - -" } $n),
	map { "call $_ - 1 - " . ($_ + 1) . ' - - - -' } 0 .. $n - 2) },
'prof:calls-free' => sub { my $n = shift; funcs($n, map { "call $_ - 1 - " . ($_ + 1) .
	' 1 - 1 0' } 0 .. $n - 2) },
'prof:jumps' => sub { part('func 0 f - - -', each_of { "jump 0 - $_ - 0 - 1 - 1 -" } shift) },
'prof:jumps-targets' => sub { part('func 0 f - - -',
	each_of { "jump 0 - 1 - 0 - $_ - 1 2" } shift) },
'prof:jumps-functions' => sub { my $n = shift; funcs($n,
	map { "jump $_ - 1 - " . ($_ + 1) . ' - 1 - 1 -' } 0 .. $n - 2) },

# ---- points, values, lines ----

'prof:points' => sub { part('func 0 f - - -',
	each_of { "point 0 - $_ 1 5 5 5 25 5 5 5 5 25 5 - - - - - -" } shift) },
'prof:points-alike' => sub { part('func 0 f - - -',
	('point 0 - 1 1 5 5 5 25 5 5 5 5 25 5 - - - - - -') x shift) },
'prof:points-functions' => sub { part(each_of { ("func $_ f$_ - - -",
	"point $_ - 1 1 5 5 5 25 5 5 5 5 25 5 - - - - - -") } shift) },
'prof:points-contexts' => sub { my $n = shift; tree(1, [('- 0') x $n],
	each_of { "point 0 $_ 1 1 5 5 5 25 5 5 5 5 25 5 - - - - - -" } $n) },
'prof:points-large' => sub { part('func 0 f - - -', map { 'point 0 - ' . ($_ << 30) .
	" 1 5 5 $_ 25 5 5 5 5 25 5 - - - - - -" } 0 .. $_[0] - 1) },
'prof:vprofs' => sub { part('func 0 f - - -', each_of { "vprof 0 1 INT 1 $_" } shift) },
'prof:vprofs-sites' => sub { part('func 0 f - - -', each_of { "vprof 0 $_ INT 1 1" } shift) },
'prof:vprofs-types' => sub { part('func 0 f - - -', each_of { "vprof 0 1 T$_ 1 1" } shift) },
'prof:vprofs-alike' => sub { part('func 0 f - - -', ('vprof 0 1 INT 1 1') x shift) },
'prof:vprofs-names' => sub { part('func 0 f - - -', each_of { "vprof 0 1 PROC 1 g$_" } shift) },
'prof:vprofs-functions' => sub { part(each_of { ("func $_ f$_ - - -",
	"vprof $_ 1 INT 1 1") } shift) },
'prof:raws' => sub { part('meta format xprof', 'func 0 f - - -',
	each_of { "raw 0 r$_" } shift) },
'prof:raws-alike' => sub { part('func 0 f - - -', ('raw 0 r') x shift) },
);

# ---- differences, tables ----

sub table {
	my ($facts, $events, @rows) = @_;
	lines("${facts}function function.file object file line addr $events", @rows);
}

sub difference {
	my ($n, $line) = @_;
	lines('prof 1', 'part 1', 'meta diff a b', 'event 0 Ir - - - role=delta',
	    'event 1 Ir.old - - - role=old of=Ir', 'event 2 Ir.new - - - role=new of=Ir',
	    (each_of { ("func $_ f$_ - - -", $line->($_)) } $n), 'end');
}
%shape = (%shape,
'prof:diff' => sub { difference(shift, sub { "cost $_ - 1 - 1 1 2" }) },
'prof:diff-calls' => sub { my $n = shift; difference($n, sub { ("cost $_ - 1 - 1 1 2",
	$_ ? 'call ' . ($_ - 1) . " - 1 - $_ - - 1 1 $_ " . ($_ + 1) : '') }) },

# ---- other formats ----

'callgrind:functions' => sub { join '', "events: Ir\n", each_of { "fn=f$_\n1 1\n" } shift },
'callgrind:numbers' => sub { join '', "events: Ir\n", each_of { "fn=($_) f$_\n1 1\n" } shift },
'callgrind:numbers-back' => sub { my $n = shift; join '', "events: Ir\n",
	map { "fn=($_) f$_\n1 1\n" } reverse 1 .. $n },
'callgrind:numbers-far' => sub { join '', "events: Ir\n",
	map { 'fn=(' . $_ * 40000 . ") f$_\n1 1\n" } 1 .. $_[0] },
'callgrind:numbers-only' => sub { join '', "events: Ir\n", each_of { "fn=($_) f$_\n" } shift },
'callgrind:numbers-again' => sub { join '', "events: Ir\n",
	each_of { "fn=(1) f$_\n1 1\n" } shift },
'callgrind:files' => sub { join '', "events: Ir\nfn=f\n", each_of { "fi=f$_\n1 1\n" } shift },
'callgrind:files-functions' => sub { join '', "events: Ir\n", each_of { "fl=f$_\nfn=f\n1 1\n" } shift },
'callgrind:objects' => sub { join '', "events: Ir\n", each_of { "ob=o$_\nfn=f\n1 1\n" } shift },
'callgrind:lines' => sub { join '', "events: Ir\nfn=f\n", each_of { "$_ 1\n" } shift },
'callgrind:relative' => sub { "events: Ir\nfn=f\n1 1\n" . "+1 1\n" x shift },
'callgrind:stars' => sub { "events: Ir\nfn=f\n1 1\n" . "* 1\n" x shift },
'callgrind:empty' => sub { "events: Ir\nfn=f\n1 1\n" . "\n" x shift },
'callgrind:comments' => sub { "# callgrind format\nevents: Ir\nfn=f\n1 1\n" . "# c\n" x shift },
'callgrind:addresses' => sub { join '', "positions: instr line\nevents: Ir\nfn=f\n",
	each_of { sprintf "0x%x 1 1\n", $_ << 12 } shift },
'callgrind:blocks' => sub { join '', "positions: instr bb line\nevents: Ir\nfn=f\n",
	each_of { sprintf "0x%x 0x%x 1 1\n", $_ << 12, $_ << 12 } shift },
'callgrind:parts' => sub { join '', map { "part: $_\nevents: Ir\nfn=f\n1 1\n" } 1 .. $_[0] },
'callgrind:threads' => sub { join '', map { "version: 1\npid: 1\nthread: $_\npart: 1\n" .
	"events: Ir\nfn=(1) f\n1 1\ntotals: 1\n" } 1 .. $_[0] },
'callgrind:pids' => sub { join '', map { "pid: $_\nevents: Ir\nfn=(1) f\n1 1\n" } 1 .. $_[0] },
'callgrind:creators' => sub { join '', "creator: callgrind-3.19.0\n",
	map { "part: $_\nevents: Ir\nfn=(1) f\n1 1\ntotals: 1\n" } 1 .. $_[0] },
'callgrind:events' => sub { my $n = shift; join '', 'events:', (each_of { " e$_" } $n),
	"\nfn=f\n1 1\n" },
'callgrind:events-declared' => sub { my $n = shift; join '', "# callgrind format\n", (each_of { "event: e$_ : n$_\n" } $n),
	'events:', (each_of { " e$_" } $n), "\nfn=f\n1 1\n" },
'callgrind:events-derived' => sub { my $n = shift; join '', "# callgrind format\nevents: Ir\n",
	(each_of { "event: e$_ = Ir + Ir : n$_\n" } $n), "fn=f\n1 1\n" },
'callgrind:descriptions' => sub { join '', "# callgrind format\n", (each_of { "desc: k$_: v\n" } shift),
	"events: Ir\nfn=f\n1 1\n" },
'callgrind:descriptions-prof' => sub { join '', "# callgrind format\n",
	(each_of { "desc: prof k$_: v\n" } shift), "events: Ir\nfn=f\n1 1\n" },
'callgrind:headers' => sub { join '', "# callgrind format\n", (each_of { "key$_: v\n" } shift),
	"events: Ir\nfn=f\n1 1\n" },
'callgrind:cmds' => sub { join '', "# callgrind format\n", (each_of { "cmd: v$_\n" } shift),
	"events: Ir\nfn=f\n1 1\n" },
'callgrind:comments-header' => sub { join '', "# callgrind format\n", (each_of { "# prof k: v$_\n" } shift),
	"events: Ir\nfn=f\n1 1\n" },
'callgrind:totals' => sub { "events: Ir\nfn=f\n1 1\n" . "totals: 1\n" x shift },
'callgrind:summaries' => sub { "# callgrind format\n" . "summary: 1\n" x shift() .
	"events: Ir\nfn=f\n1 1\n" },
'callgrind:calls' => sub { my $n = shift; join '', "events: Ir\n",
	map { "fn=f$_\n1 1\ncfn=f" . ($_ + 1) . "\ncalls=1 1\n1 " . ($n - $_) . "\n" } 0 .. $n - 1 },
'callgrind:calls-back' => sub { my $n = shift; join '', "events: Ir\n",
	map { "fn=f$_\n1 1\ncfn=f" . ($_ + 1) . "\ncalls=1 1\n1 1\ncfn=f$_\ncalls=1 1\n1 1\n" }
	0 .. $n - 1 },
'callgrind:calls-files' => sub { join '', "events: Ir\nfn=f\n",
	each_of { "cob=o$_\ncfi=g$_\ncfn=g$_\ncalls=1 1\n1 1\n" } shift },
'callgrind:calls-levels' => sub { join '', "events: Ir\n",
	map { "fn=f'" . ($_ + 2) . "\n1 1\ncfn=f'" . ($_ + 3) . "\ncalls=1 1\n1 1\n" } 0 .. $_[0] - 1 },
'callgrind:jumps' => sub { join '', "events: Ir\nfn=f\n", each_of { "jump=1 $_\n$_\n" } shift },
'callgrind:jcnds' => sub { join '', "events: Ir\nfn=f\n", each_of { "jcnd=1/2 $_\n$_\n" } shift },
'callgrind:jumps-files' => sub { join '', "events: Ir\nfn=f\n",
	each_of { "jfi=f$_\njfn=g$_\njump=1 1\n1\n" } shift },
'callgrind:costs' => sub { "events: Ir\nfn=f\n1" . ' 1' x $_[0] . "\n" },

'cachegrind:functions' => sub { join '', "desc: a: b\ncmd: x\nevents: Ir\nfl=f\n",
	(each_of { "fn=f$_\n1 1\n" } $_[0]), "summary: $_[0]\n" },
'cachegrind:files' => sub { join '', "desc: a: b\ncmd: x\nevents: Ir\n",
	(each_of { "fl=f$_\nfn=f\n1 1\n" } $_[0]), "summary: $_[0]\n" },
'cachegrind:lines' => sub { join '', "desc: a: b\ncmd: x\nevents: Ir\nfl=f\nfn=f\n",
	(each_of { "$_ 1\n" } $_[0]), "summary: $_[0]\n" },
'cachegrind:lines-alike' => sub { join '', "desc: a: b\ncmd: x\nevents: Ir\nfl=f\nfn=f\n",
	"1 1\n" x $_[0], "summary: $_[0]\n" },
'cachegrind:functions-alike' => sub { join '', "desc: a: b\ncmd: x\nevents: Ir\nfl=f\n",
	"fn=f\n1 1\n" x $_[0], "summary: $_[0]\n" },
'cachegrind:descriptions' => sub { join '', (each_of { "desc: k$_: v\n" } $_[0]),
	"cmd: x\nevents: Ir\nfl=f\nfn=f\n1 1\nsummary: 1\n" },
'cachegrind:events' => sub { my $n = shift; join '', "desc: a: b\ncmd: x\nevents:",
	(each_of { " e$_" } $n), "\nfl=f\nfn=f\n1" . ' 1' x $n . "\nsummary:" . ' 1' x $n . "\n" },
'cachegrind:comments' => sub { "desc: a: b\ncmd: x\nevents: Ir\nfl=f\nfn=f\n" . "# c\n" x $_[0] .
	"1 1\nsummary: 1\n" },

'aprof:routines' => sub { join '', "v 4\nm Ir\n",
	each_of { "r \"f$_\" \"/a\" $_\np $_ 1 5 5 5 25 1 5 5 5 5 25\n" } shift },
'aprof:routines-far' => sub { join '', "v 4\nm Ir\n",
	map { my $i = $_ * 40000; "r \"f$_\" \"/a\" $i\np $i 1 5 5 5 25 1 5 5 5 5 25\n" } 1 .. $_[0] },
'aprof:routines-alike' => sub { join '', "v 4\nm Ir\n",
	each_of { "r \"f\" \"/a\" $_\np $_ 1 5 5 5 25 1 5 5 5 5 25\n" } shift },
'aprof:routines-again' => sub { join '', "v 4\nm Ir\n",
	each_of { "r \"f\" \"/a\" 0\np 0 $_ 5 5 5 25 1 5 5 5 5 25\n" } shift },
'aprof:objects' => sub { join '', "v 4\nm Ir\n", each_of { "r \"f\" \"/a$_\" $_\n" } shift },
'aprof:undeclared' => sub { join '', "v 4\nm Ir\n",
	each_of { "p $_ 1 5 5 5 25 1 5 5 5 5 25\n" } shift },
'aprof:points' => sub { join '', "v 4\nm Ir\nr \"f\" \"/a\" 0\n",
	each_of { "p 0 $_ 5 5 5 25 1 5 5 5 5 25\n" } shift },
'aprof:contexts' => sub { my $n = shift; join '', "v 4\nm Ir\nr \"f\" \"/a\" 0\n",
	(map { "q $_ 1 5 5 5 25 1 5 5 5 5 25\n" } 0 .. $n - 1),
	map { "x 0 $_ " . ($_ - 1) . "\n" } 0 .. $n - 1 },
'aprof:contexts-back' => sub { my $n = shift; join '', "v 4\nm Ir\nr \"f\" \"/a\" 0\n",
	(map { "q $_ 1 5 5 5 25 1 5 5 5 5 25\n" } 0 .. $n - 1),
	map { "x 0 $_ " . ($_ - 1) . "\n" } reverse 0 .. $n - 1 },
'aprof:contexts-cycle' => sub { my $n = shift; join '', "v 4\nm Ir\nr \"f\" \"/a\" 0\n",
	(map { "q $_ 1 5 5 5 25 1 5 5 5 5 25\n" } 0 .. $n - 1),
	map { "x 0 $_ " . (($_ + 1) % $n) . "\n" } reverse 0 .. $n - 1 },
'aprof:contexts-wide' => sub { my $n = shift; join '', "v 4\nm Ir\nr \"f\" \"/a\" 0\n",
	(map { "q $_ 1 5 5 5 25 1 5 5 5 5 25\n" } 0 .. $n - 1),
	map { "x 0 $_ " . ($_ ? 0 : -1) . "\n" } 0 .. $n - 1 },
'aprof:contexts-routines' => sub { my $n = shift; join '', "v 4\nm Ir\n",
	map { "r \"f$_\" \"/a\" $_\nq $_ 1 5 5 5 25 1 5 5 5 5 25\nx $_ $_ " . ($_ - 1) . "\n" }
	0 .. $n - 1 },
'aprof:comments' => sub { "c c\n" x shift() . "v 4\nm Ir\n" },
'aprof:comments-prof' => sub { join '', (each_of { "c prof k$_: v\n" } shift), "v 4\nm Ir\n" },
'aprof:favourites' => sub { my $n = shift; join '', "v 6\nm Ir\n",
	(each_of { "r \"f$_\" \"/a\" $_\n" } $n), each_of { "fav f$_ \n" } $n },
'aprof:linkers' => sub { join '', "v 6\nm Ir\n",
	each_of { "r \"f$_\" \"/a\" $_\nu $_ \"_Z1fi\"\n" } shift },

'folded:deep' => sub { join(';', ('f') x $_[0]) . " 1\n" },
'folded:deep-functions' => sub { join(';', each_of { "f$_" } $_[0]) . " 1\n" },
'folded:stacks' => sub { join '', each_of { "main;f$_ 1\n" } $_[0] },
'folded:square' => sub { my $n = root(shift); join '', map { join(';', ('f') x $n) . " $_\n" } 1 .. $n },
'folded:steps' => sub { my $n = root(shift); join '', map { join(';', ('f') x $_) . " 1\n" } 1 .. $n },
'folded:steps-functions' => sub { my $n = root(shift);
	join '', map { join(';', each_of { "f$_" } $_) . " 1\n" } 1 .. $n },
'folded:alternate' => sub { my $n = root(shift); join '', map { join(';', "r$_",
	('f', 'g') x $n) . " 1\n" } 1 .. $n },
'folded:alike' => sub { "main;f 1\n" x $_[0] },
'folded:comments' => sub { join '', (each_of { "# c$_\n" } $_[0]), "main;f 1\n" },
'folded:counts' => sub { 'main' . ' 1' x $_[0] . "\n" },
'folded:blanks' => sub { 'main;f' . ' ' x $_[0] . " 1\n" },
'folded:semicolons' => sub { ';' x $_[0] . " 1\n" },

'perf:deep' => sub { "x 1 1.0: 1 cycles: \n" . "\t1f f+0x1 (/bin/x)\n" x $_[0] . "\n" },
'perf:deep-functions' => sub { join '', "x 1 1.0: 1 cycles: \n",
	(each_of { "\t1f f$_+0x1 (/bin/x)\n" } $_[0]), "\n" },
'perf:inlined' => sub { join '', "x 1 1.0: 1 cycles: \n",
	(each_of { "\t1f f$_+0x1 (inlined)\n  f.c:$_\n" } $_[0]), "\n" },
'perf:stacks' => sub { join '', each_of { "x 1 1.0: 1 cycles: \n\t1f f$_ (/bin/x)\n\t2f g (/bin/x)\n\n" } $_[0] },
'perf:steps' => sub { my $n = root(shift); join '', map { "x 1 1.0: 1 cycles: \n" .
	"\t1f f (/bin/x)\n" x $_ . "\n" } 1 .. $n },
'perf:alike' => sub { "x 1 1.0: 1 cycles: \n\t1f f (/bin/x)\n\n" x $_[0] },
'perf:events' => sub { join '', each_of { "x 1 1.0: 1 e$_: \n\t1f f (/bin/x)\n\n" } $_[0] },
'perf:threads' => sub { join '', each_of { "x$_ $_/$_ 1.0: 1 cycles: \n\t1f f (/bin/x)\n\n" } $_[0] },
'perf:lines' => sub { join '', each_of { "   x 1 1.0: 1 cycles:  1f f$_ (/bin/x)\n" } $_[0] },
'perf:objects' => sub { join '', each_of { "x 1 1.0: 1 cycles: \n\t1f f (/bin/$_)\n\n" } $_[0] },
'perf:comments' => sub { (join '', each_of { "# k$_ : v\n" } $_[0]) . "x 1 1.0: 1 cycles: \n\t1f f\n\n" },
'perf:numbers' => sub { 'x' . ' 1' x $_[0] . " 1.0: 1 cycles: \n\t1f f\n\n" },
'perf:untimed' => sub { 'x' . ' 1' x $_[0] . " cycles:\n\t1f f\n\n" },
'perf:parentheses' => sub { "x 1 1.0: 1 cycles: \n\t1f " . ' (' x $_[0] . ")\n\n" },
'perf:text' => sub { "x 1 1.0: 1 cycles: \n\t1f f\n\n" . ' a 1' x $_[0] . "\n" },

'xprof:procedures' => sub { my $n = shift; join '', "PROFILE-FEEDBACK-DATA: 4.3 1 0 $n\n",
	"OBJFILE: a.o $n 1 0 2 0x1\n", each_of { "PROC: f$_ 0x1 1 0 0 $_\n0 1\n" } $n },
'xprof:procedures-alike' => sub { my $n = shift; join '', "PROFILE-FEEDBACK-DATA: 4.3 1 0 $n\n",
	"OBJFILE: a.o $n 1 0 2 0x1\n", each_of { "PROC: f 0x1 1 0 0 $_\n0 1\n" } $n },
'xprof:objects' => sub { my $n = shift; join '', "PROFILE-FEEDBACK-DATA: 4.3 $n 0 $n\n",
	each_of { "OBJFILE: a$_.o 1 1 0 2 0x1\nPROC: f 0x1 1 0 0 $_\n0 1\n" } $n },
'xprof:objects-alike' => sub { my $n = shift; join '', "PROFILE-FEEDBACK-DATA: 4.3 $n 0 $n\n",
	each_of { "OBJFILE: a.o 1 1 0 2 0x1\nPROC: f 0x1 1 0 0 $_\n0 1\n" } $n },
'xprof:counters' => sub { my $n = shift; join '', "PROFILE-FEEDBACK-DATA: 4.3 1 0 0\n",
	"OBJFILE: a.o 1 1 0 2 0x1\nPROC: f 0x1 $n 0 0 0\n", each_of { "$_ 1\n" } $n },
'xprof:counters-alike' => sub { my $n = shift; join '', "PROFILE-FEEDBACK-DATA: 4.3 1 0 0\n",
	"OBJFILE: a.o 1 1 0 2 0x1\nPROC: f 0x1 $n 0 0 0\n", "0 1\n" x $n },
'xprof:values' => sub { my $n = shift; join '', "PROFILE-FEEDBACK-DATA: 4.3 1 0 0\n",
	"OBJFILE: a.o 1 1 0 2 0x1\nPROC: f 0x1 1 $n $n 0\n0 1\n",
	each_of { "VP_INT $_ 1 1\nVP_INT $_ 0\n" } $n },
'xprof:values-procedures' => sub { my $n = shift; join '', "PROFILE-FEEDBACK-DATA: 4.3 1 0 $n\n",
	"OBJFILE: a.o 1 1 0 2 0x1\nPROC: f 0x1 1 $n $n 0\n0 1\n",
	each_of { "VP_PROC $_ 1 f$_:a.o\nVP_PROC $_ 0\n" } $n },
'xprof:programs' => sub { my $n = shift; join '', "PROFILE-FEEDBACK-DATA: 4.3 1 $n 0\n",
	"OBJFILE: a.o 0 1 0 2 0x1\n", each_of { "PROGRAM: p$_ 1\nOBJREF: a.o\n" } $n },
'xprof:references' => sub { my $n = shift; join '', "PROFILE-FEEDBACK-DATA: 4.3 1 1 0\n",
	"OBJFILE: a.o 0 1 0 2 0x1\nPROGRAM: p $n\n", each_of { "OBJREF: a$_.o\n" } $n },
'xprof:references-all' => sub { my $n = shift; join '', "PROFILE-FEEDBACK-DATA: 4.3 $n 1 0\n",
	(each_of { "OBJFILE: a$_.o 0 1 0 2 0x1\n" } $n), "PROGRAM: p $n\n",
	each_of { "OBJREF: a$_.o\n" } $n },
'xprof:statistics' => sub { my $n = shift; join '', "PROFILE-FEEDBACK-DATA: 4.3 1 0 0\n",
	"OBJFILE: a.o 0 1 0 2 0x1\n", "sum 1\n" x $n },

'tsv:rows' => sub { table("", "Ir", each_of { "f$_ - - - 1 - 1" } shift) },
'tsv:columns' => sub { my $n = shift; table("", join(" ", each_of { "e$_" } $n),
	join(" ", "f - - - 1 -", (1) x $n)) },
'tsv:columns-alone' => sub { my $n = shift; table("", join(" ", each_of { "e$_" } $n)) },
'tsv:columns-unknown' => sub { my $n = shift; lines(join(" ", "function", "site",
	each_of { "e$_" } $n)) },
'tsv:columns-alike' => sub { my $n = shift; lines(join(" ", "function", ("e") x $n)) },
'tsv:parts' => sub { table("part ", "Ir", each_of { "$_ f - - - 1 - 1" } shift) },
'tsv:stacks' => sub { lines("stack Ir", each_of { "a;f$_ 1" } shift) },
'tsv:stack-deep' => sub { my $n = shift; lines("stack Ir", join(";", ("f") x $n) . " 1") },
'tsv:stacks-steps' => sub { my $n = root(shift);
	lines("stack Ir", map { join(";", ("f") x $_) . " 1" } 1 .. $n) },
'tsv:samples-parts' => sub { lines("part stack Ir", each_of { "$_ f 1" } shift) },
);

# ---- what pprof read before: text, and words ----

sub heap { join '', "heap profile: 1: 1 [1: 1] \@ growthz\n", $_[0], "MAPPED_LIBRARIES:\n",
	$_[1] // "400000-500000: x\n" }

%shape = (%shape,
'pprof_legacy:maps' => sub { heap("1: 1 [1: 1] \@ 0x401010\n", join '', each_of {
	sprintf "%x-%x: x%d\n", 4096 + 8192 * $_, 8192 + 8192 * $_, $_ } $_[0]) },
'pprof_legacy:variables' => sub { heap("1: 1 [1: 1] \@ 0x401010\n", join '', each_of {
	"a$_=b\n400000-500000: \$a$_\n" } $_[0]) },
'pprof_legacy:stacks' => sub { heap(join '', each_of {
	sprintf "1: 1 [1: 1] \@ 0x%x 0x402020\n", 4194304 + $_ } $_[0]) },
'pprof_legacy:deep' => sub { heap("1: 1 [1: 1] \@" . join('', each_of {
	sprintf ' 0x%x', 4194304 + $_ } $_[0]) . "\n") },
'pprof_legacy:names' => sub { join '', "goroutine profile: total 1\n", each_of {
	sprintf "1 \@ 0x%x\n#\t0x%x\tf%d+0x1\tf.go:1\n\n", $_ + 2, $_ + 1, $_ } $_[0] },
'pprof_legacy:inlined' => sub { join '', "goroutine profile: total 1\n", "1 \@", ' 0x2' x $_[0],
	"\n", (each_of { "#\t0x1\tf$_+0x1\tf.go:1\n" } $_[0]), "\n" },
'pprof_legacy:jemalloc' => sub { join '', "heap_v2/512\n  t*: 1: 8 [0: 0]\n", (each_of {
	"\@ 0x401010 0x" . sprintf('%x', 0x402000 + $_) . "\n  t*: 1: 8 [0: 0]\n  t$_: 1: 8 [0: 0]\n" } $_[0]),
	"\nMAPPED_LIBRARIES:\n400000-500000: /bin/prog\n" },
'pprof_legacy:threads' => sub { join '', "--- threadz 1 ---\n", (each_of {
	sprintf "--- Thread %x (name: a/1) stack: ---\n  0x%x: f%d\n", $_, 4096 + $_, $_ } $_[0]),
	"--- Memory map: ---\n400000-500000: x\n" },
'pprof_legacy:cpu' => sub { pack('Q<*', 0, 3, 0, 10000, 0, (each_of { (1, 2, 4096 + $_, 8192) } $_[0]),
	0, 1, 0) . "400000-500000: x\n" },
);

# ---- stackprof ----

# Frames, then `raw`.
sub stackprof { my ($frames, $raw) = @_; '{"version":1.2,"mode":"wall","interval":1,"samples":1,' .
	'"gc_samples":0,"missed_samples":0,"frames":{' . join(',', @$frames) . '}' .
	($raw ? ',"raw":[' . join(',', @$raw) . ']' : '') . "}\n" }
sub ruby { my ($id, $more) = @_; "\"$id\":{\"name\":\"f$id\",\"file\":\"a.rb\",\"line\":$id," .
	'"total_samples":1,"samples":1' . ($more // '') . '}' }

%shape = (%shape,
'stackprof:frames' => sub { my $n = shift; stackprof([ each_of { ruby($_) } $n ], [ each_of { (1, $_, 1) } $n ]) },
'stackprof:twins' => sub { my $n = shift; stackprof([ each_of { ruby($_) =~ s/f\d+/f/r } $n ], [ each_of { (1, $_, 1) } $n ]) },
'stackprof:deep' => sub { my $n = shift; stackprof([ each_of { ruby($_) } $n ], [ $n, 0 .. $n - 1, 1 ]) },
'stackprof:stairs' => sub { my $n = root(shift); stackprof([ each_of { ruby($_) } $n ],
	[ each_of { ($_ + 1, 0 .. $_, 1) } $n ]) },
'stackprof:edges' => sub { my $n = root(shift); my $e = join ',', each_of { "\"$_\":1" } $n;
	stackprof([ each_of { ruby($_, ",\"edges\":{$e}") } $n ]) },
'stackprof:lines' => sub { my $l = join ',', each_of { "\"$_\":[1,1]" } $_[0];
	stackprof([ ruby(0, ",\"lines\":{$l}") ]) },
);

# ---- heaptrack ----

# Lines `i`, their number, and the lines after them; the strings are 1 to 9.
sub heaptrack { my ($i, $n, @lines) = @_; join '', "v 10400 3\nX x\nI 1000 40\n", (map { "s 2 f$_\n" } 1 .. 9),
	$i, @lines, "# strings: 9\n# ips: $n\n" }

%shape = (%shape,
'heaptrack:strings' => sub { my $n = shift; join '', "v 10400 3\nX x\nI 1000 40\n", (each_of {
	sprintf "s %x f$_\ni %x 0 %x\nt %x %x\na 8 %x\n+ %x\n", 1 + length, $_ + 1, $_ + 1, $_ + 1, $_, $_ + 1, $_ } $n),
	"# strings: $n\n# ips: $n\n" },
'heaptrack:deep' => sub { my $n = shift; heaptrack("i 1 1 2 3 4\n", 1, (each_of { sprintf "t 1 %x\n", $_ } $n),
	sprintf("a 8 %x\n+ 0\n", $n)) },
'heaptrack:inlined' => sub { my $n = shift; heaptrack('i 1 1' . ' 2 3 4' x $n . "\n", 1,
	(each_of { sprintf "t 1 0\na 8 %x\n+ %x\n", $_ + 1, $_ } $n)) },
'heaptrack:peaks' => sub { my $n = shift; heaptrack("i 1 1 2 3 4\n", 1, (each_of { sprintf "t 1 0\na 8 %x\n", $_ + 1 } $n),
	each_of { sprintf "+ %x\n", $_ } $n) },
'heaptrack:blocks' => sub { heaptrack("i 1 1 2 3 4\n", 1, "t 1 0\na 8 1\n", each_of { "+ 0\n- 0\n" } $_[0]) },
'heaptrack:command' => sub { join '', "v 10400 3\nX x\n", each_of { "+ 0\n" } $_[0] },
);

# ---- macOS's sample ----

sub macos_sample { join '', "Analysis of sampling x (pid 1) every 1 millisecond\nCall graph:\n",
	"    $_[0] Thread_1\n", @_[1 .. $#_], "\nTotal number in stack:\n" }

%shape = (%shape,
'macos_sample:wide' => sub { macos_sample($_[0], each_of { "      1 f$_  (in x) + 1  [0x1]  a.c:$_\n" }
	$_[0]) },
'macos_sample:deep' => sub { macos_sample(1, each_of { (' ' x (2 * $_ + 6)) . "1 f$_  (in x)\n" }
	root($_[0])) },
'macos_sample:images' => sub { macos_sample(1) . "Binary Images:\n" . join '', each_of {
	"0x1 - 0x2 x (0) <A> /b/x$_\n" } $_[0] },
);

# ---- stacks as tracers print them ----

sub bpftrace { my ($map, $stack, $n) = @_; "\@$map\[\n$stack]: $n\n" }
sub bpftrace_json { '{"type": "map", "data": {"@": {' . join(', ', @_) . "}}}\n" }
sub pmcstat { "\@ c [$_[0] samples]\n\n" . join('', @_[1 .. $#_]) . "\n" }
sub hprof { "JAVA PROFILE 1.0.1, created x\n\n--------\n\n" . join('', @_) . "CPU SAMPLES END\n" }
sub hprof_rows { "CPU SAMPLES BEGIN (total = 1) x\nrank   self  accum   count trace method\n" .
	join '', map { "   1  0.00%  0.00%       1 $_ f\n" } @_ }
sub gdb { join '', "Thread 1 (LWP 7):\n", @_, "\n" }

%shape = (%shape,
'stacks:wide' => sub { join '', each_of { bpftrace('', "    f$_+1\n    main+1\n", 1) } $_[0] },
'stacks:deep' => sub { bpftrace('', "    f+1\n" x $_[0], 1) },
'stacks:deep-functions' => sub { bpftrace('', join('', each_of { "    f$_+1\n" } $_[0]), 1) },
'stacks:keys' => sub { "\@[\n    f+1\n" . join('', each_of { ", k$_" } $_[0]) . "]: 1\n" },
'stacks:keys-empty' => sub { "\@[\n    f+1\n" . ', ' x $_[0] . "]: 1\n" },
'stacks:maps' => sub { my $n = shift; join '', map { bpftrace('m' . $_ % 100, "    f$_+1\n", 1) } 1 .. $n },
'stacks:prints' => sub { join '', each_of { bpftrace('', "    f+1\n", 1) . "\n" } $_[0] },
'stacks:open' => sub { "\@[\n    f+1\n" x $_[0] },
'stacks:json' => sub { bpftrace_json(each_of { "\"\\n    f$_+1\\n,x\": 1" } $_[0]) },
'stacks:json-deep' => sub { bpftrace_json('"' . '\n    f+1' x $_[0] . '\n": 1') },
'stacks:json-lines' => sub { bpftrace_json('"\n    f+1\n": 1') x $_[0] },
'stacks:json-nested' => sub { '{"type": "map", "data": {"@": ' . '[' x $_[0] . ']' x $_[0] . "}}\n" },
'stacks:bcc' => sub { join '', "Sampling at 49 Hertz of all threads by user + kernel stack.\n", each_of {
	"    f$_\n    main\n    -                x ($_)\n        1\n\n" } $_[0] },
'stacks:dtrace' => sub { join '', each_of { "\n" . ' ' x 14 . "x`f$_+0x1\n" . ' ' x 16 . "1\n" } $_[0] },
'stacks:dtrace-keys' => sub { ' ' x 14 . "x`f+0x1\n" . join('', each_of { "  k$_" } $_[0]) . "    1\n" },
'stacks:pmcstat-wide' => sub { pmcstat($_[0], each_of { "00.00%  [1]  f$_ @ /x\n" } $_[0]) },
'stacks:pmcstat-deep' => sub { my $n = int sqrt 60 * $_[0]; pmcstat($n, map { (' ' x ($_ - 1)) . '99.0%  [' .
	($n + 1 - $_) . "] f$_" . ($_ == 1 ? " @ /x\n" : "\n") } 1 .. $n) },
'stacks:hprof' => sub { my $n = shift; hprof((map { "TRACE $_:\n\tf$_.m(F.java:$_)\n" } 1 .. $n), hprof_rows(1 .. $n)) },
'stacks:hprof-deep' => sub { my $n = shift; hprof("TRACE 1:\n", (map { "\tf$_.m(F.java:$_)\n" } 1 .. $n),
	hprof_rows((1) x $n)) },
'stacks:jstack' => sub { join '', "Full thread dump x:\n\n", (each_of { "\"t$_\" #1 nid=$_ x\n" .
	"   java.lang.Thread.State: RUNNABLE\n\tat f$_.m(F.java:$_)\n\n" } $_[0]), "JNI global refs: 1\n" },
'stacks:gdb-deep' => sub { my $n = shift; gdb(map { "#$_  0x1 in f$_ (a=1) at a.c:$_\n" } 0 .. $n - 1) },
'stacks:gdb-threads' => sub { join '', each_of { gdb("#0  0x1 in f$_ (a=1) at a.c:$_\n") } $_[0] },
'stacks:gdb-arguments' => sub { gdb('#0  0x1 in f (' . 'a=(' x $_[0] . ") at a.c:1\n") },
);

# ---- heaps: Massif's, DHAT's, V8's ----

sub massif { join '', "desc: $_[0]\ncmd: x\ntime_unit: i\n", @_[1 .. $#_] }
sub snapshot { "snapshot=$_[0]\ntime=1\nmem_heap_B=$_[1]\nmem_heap_extra_B=0\nmem_stacks_B=0\n" .
	($_[2] // '' ? "heap_tree=peak\n$_[2]" : "heap_tree=empty\n") }
sub dhat { join '', '{"dhatFileVersion":2,"mode":"heap","verb":"A","bklt":false,"bkacc":false,"pps":[',
	join(',', map { "{\"tb\":1,\"tbk\":1,\"fs\":[$_]}" } @{$_[0]}), '],"ftbl":[',
	join(',', map { "\"$_\"" } @{$_[1]}), "]}\n" }
sub v8 { '{"callFrame":{"functionName":"' . $_[0] . '","url":"","lineNumber":1,"columnNumber":1},' .
	'"selfSize":1,"children":[' }

%shape = (%shape,
'massif:snapshots' => sub { massif('x' x 4000, each_of { snapshot($_, 1) } shift) },
'massif:wide' => sub { massif('x', snapshot(0, $_[0], join '', "n$_[0]: $_[0] (heap)\n",
	each_of { sprintf " n0: 1 0x%x: f%d (a.c:%d)\n", $_ + 1, $_, $_ } $_[0])) },
'massif:deep' => sub { my $n = int sqrt 30 * $_[0]; massif('x', snapshot(0, 1, join '', "n1: 1 (heap)\n",
	each_of { sprintf "%sn%d: 1 0x%x: f%d (a.c:1)\n", ' ' x ($_ + 1), $_ < $n - 1, $_ + 1, $_ } $n)) },
'massif:repeated' => sub { my $n = int sqrt 30 * $_[0]; massif('x', snapshot(0, 1, join '', "n1: 1 (heap)\n",
	each_of { sprintf "%sn%d: 1 0x1: f (a.c:1)\n", ' ' x ($_ + 1), $_ < $n - 1 } $n)) },
'dhat:points' => sub { dhat([ 0 .. $_[0] - 1 ], [ map { "0x$_: f$_ (a.c:$_)" } 0 .. $_[0] - 1 ]) },
'dhat:deep' => sub { dhat([ join ',', 0 .. $_[0] - 1 ], [ map { "0x1: f$_ (a.c:$_)" } 0 .. $_[0] - 1 ]) },
'dhat:recursion' => sub { dhat([ join ',', map { $_ % 3 } 0 .. $_[0] - 1 ],
	[ '0x1: f (a.c:1)', '0x1: g (a.c:1)', '0x2: h (in x)' ]) },
'dhat:prefixes' => sub { my $n = int sqrt $_[0]; dhat([ map { join ',', 0 .. $_ } 0 .. $n - 1 ],
	[ map { "0x$_: f$_ (a.c:$_)" } 0 .. $n - 1 ]) },
'heapprofile:wide' => sub { '{"head":' . v8('r') . join(',', each_of { v8("f$_") . ']}' } $_[0]) .
	"]}}\n" },
'heapprofile:deep' => sub { my $n = $_[0] < 9000 ? $_[0] : 9000; join '', '{"head":', (each_of {
	v8("f$_") } $n), ']}' x $n, "}\n" },
);

# ---- lists of functions and stacks: Python's, V8's, speedscope's ----

# Python's marshal, version 2: strings, small integers, floats.
sub mstr { 's' . pack('L<a*', length $_[0], $_[0]) }
sub mint { 'i' . pack('l<', $_[0]) }
sub mfunc { '(' . pack('L<', 3) . mstr('a.py') . mint(1) . mstr("f$_[0]") }
sub mtimes { mint(1), mint(1), 'g' . pack('d<d<', 1, 0) =~ s/.{8}\K/g/sr }
# A function, and the functions that call it.
sub mstat { my ($f, @callers) = @_; mfunc($f) . '(' . pack('L<', 5) . join('', mtimes()) . '{' .
	join('', map { mfunc($_) . '(' . pack('L<', 4) . join('', mtimes()) } @callers) . '0' }
sub pstats { join '', '{', @_, '0' }
# What no reader of JSON knows the key of.
sub unknown { '{"x":' . $_[0] x $_[2] . $_[1] x $_[2] . "}\n" }
sub vnode { my ($id, @children) = @_; "{\"id\":$id,\"callFrame\":{\"functionName\":\"f$id\"," .
	'"scriptId":"1","url":"","lineNumber":1,"columnNumber":1},"children":[' .
	join(',', @children) . ']}' }
# Nodes, samples.
sub cpuprofile { my ($nodes, $samples) = @_; '{"nodes":[' . join(',', @$nodes) .
	'],"startTime":0,"endTime":' . (@$samples + 1) . ',"samples":[' . join(',', @$samples) .
	'],"timeDeltas":[' . join(',', (1) x @$samples) . "]}\n" }
# Frames, profiles.
sub speedscope { my ($n, @profiles) = @_;
	'{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[' .
	join(',', each_of { "{\"name\":\"f$_\"}" } $n) . ']},"profiles":[' . join(',', @profiles) . "]}\n" }
sub sampled { '{"type":"sampled","name":"a","unit":"none","startValue":0,"endValue":' . @_ .
	',"samples":[' . join(',', map { "[$_]" } @_) . '],"weights":[' . join(',', (1) x @_) . ']}' }
sub evented { '{"type":"evented","name":"a","unit":"none","startValue":0,"endValue":1,"events":[' .
	join(',', map { my ($type, $frame, $at) = @$_;
	"{\"type\":\"$type\",\"frame\":$frame,\"at\":$at}" } @_) . ']}' }

%shape = (%shape,
'pstats:functions' => sub { pstats(each_of { mstat($_) } $_[0]) },
'pstats:callers' => sub { pstats(mstat('x', 0 .. $_[0] - 1), each_of { mstat($_) } $_[0]) },
'pstats:chain' => sub { pstats(mstat(0), map { mstat($_, $_ - 1) } 1 .. $_[0]) },
'pstats:dense' => sub { my $n = root(shift); pstats(each_of { mstat($_, 0 .. $n - 1) } $n) },
'pstats:nested' => sub { '(' . join('', ('(' . pack 'L<', 1) x $_[0]) },
'pstats:nested-code' => sub { '{c' . "\0" x 16 . mstr('') . ('(' . pack 'L<', 1) x $_[0] . 'N' },
'cpuprofile:wide' => sub { my $n = shift; cpuprofile([ vnode(1, 2 .. $n), map { vnode($_) } 2 .. $n ],
	[ 1 .. $n ]) },
'cpuprofile:deep' => sub { my $n = shift; cpuprofile([ each_of { vnode($_ + 1, $_ + 2 < $n ? $_ + 2 : ()) } $n ],
	[ 1 .. $n ]) },
'cpuprofile:samples' => sub { my $n = shift; cpuprofile([ vnode(1, 2), vnode(2) ],
	[ map { $_ % 2 + 1 } 1 .. $n ]) },
'cpuprofile:back' => sub { my $n = shift; cpuprofile([ map { vnode($_, $_ < $n ? $_ + 1 : ()) }
	reverse 1 .. $n ], [ 1 ]) },
'cpuprofile:nested' => sub { '{"nodes":' . '[' x $_[0] . ']' x $_[0] . "}\n" },
(map { ("$_:nested-lists" => sub { unknown('[', ']', $_[0]) },
	"$_:nested-both" => sub { unknown('[{"x":', '}]', $_[0]) }) }
	'cpuprofile', 'speedscope', 'trace', 'heapprofile', 'dhat', 'firefox', 'coverage', 'ghc',
	'stackprof'),
'speedscope:frames' => sub { speedscope($_[0], sampled(0 .. $_[0] - 1)) },
'speedscope:deep' => sub { speedscope($_[0], sampled(join ',', 0 .. $_[0] - 1)) },
'speedscope:stairs' => sub { my $n = root(shift); speedscope($n, sampled(each_of { join ',', 0 .. $_ } $n)) },
'speedscope:samples' => sub { speedscope(2, sampled(map { $_ % 2 } 1 .. $_[0])) },
'speedscope:profiles' => sub { speedscope(1, each_of { sampled(0) } $_[0]) },
'speedscope:evented' => sub { my $n = shift; speedscope(1, evented(map { ([ 'O', 0, $_ ], [ 'C', 0, $_ + 1 ]) }
	1 .. $n)) },
'speedscope:evented-deep' => sub { my $n = shift; speedscope($n, evented((each_of { [ 'O', $_, $_ ] } $n),
	each_of { [ 'C', $n - 1 - $_, $n + $_ ] } $n)) },
);

# ---- counts by line; R's, GHC's and Instruments' text; Python's samples ----

# Functions and lines of gcov; files and functions of llvm-cov.
sub gcov { my ($f, $l) = @_; '{"gcc_version":"12","files":[{"file":"a.c","functions":[' .
	join(',', map { "{\"name\":\"f$_\",\"demangled_name\":\"f$_\",\"start_line\":$_,\"execution_count\":1}" } @$f) .
	'],"lines":[' . join(',', map { "{\"line_number\":$_,\"function_name\":\"f$_\",\"count\":1}" } @$l) . "]}]}\n" }
sub llvm { my ($segments, $functions) = @_; '{"data":[{"files":[{"filename":"a.c","segments":[' .
	join(',', map { "[$_,1,true,true,false]" } @$segments) . '],"expansions":[]}],"functions":[' .
	join(',', map { my ($from, $to) = @$_;
	"{\"name\":\"f$from\",\"count\":1,\"filenames\":[\"a.c\"],\"regions\":[[$from,1,$to,9,1,0,0,0]]}" } @$functions) .
	"]}],\"type\":\"llvm.coverage.json.export\",\"version\":\"2.0.1\"}\n" }
sub rprof { join "\n", 'memory profiling: line profiling: sample.interval=1000', '#File 1: a.R', @_, '' }
sub ghc { "\tx Time and Allocation Profiling Report  (Final)\n\n\tx\n\n\ttotal time = 0 secs (" . @_ . ' ticks @ 1 us, 1 processor)' .
	"\n\ttotal alloc = 0 bytes\n\nCOST CENTRE MODULE SRC no. entries %time %alloc %time %alloc ticks bytes\n" .
	join '', map { "$_ M a.hs:1:1-9 1 1 0.0 0.0 0.0 0.0 1 0\n" } @_ }
sub instruments { "Weight\tSelf Weight\tSymbol Name\n" . join '', map { "1 s 1%\t1 s\t$_\n" } @_ }
# Strings, frames, samples: how many, and their bytes.
sub tachyon { my ($strings, $frames, $n, $samples) = @_;
	my $string = join '', map { pack 'w/a', $_ } @$strings;
	my $frame = join '', map { pack('C', 0) . leb($_) . "\2\0\0\0\xff" } @$frames;
	my $at = 64 + length $samples;
	my $size = $at + length($string . $frame) + 32;
	pack('L<L<C4Q<Q<L<L<Q<Q<L<x8', 0x54414348, 1, 3, 15, 0, 0, 0, 1, $n, 1, $at, $at + length $string, 0) .
	$samples . $string . $frame . pack('L<L<Q<x16', scalar @$strings, scalar @$frames, $size) }
sub leb { my $n = shift; my $b = ''; $b .= chr($n & 127 | 128), $n >>= 7 while $n > 127; $b . chr $n }
sub tachyon_sample { my ($thread, $kind, @n) = @_; pack('Q<L<C', $thread, 0, $kind) . "\1\1" . join '', map { leb($_) } @n }

%shape = (%shape,
'coverage:functions' => sub { my $n = shift; gcov([ 1 .. $n ], [ 1 .. $n ]) },
'coverage:lines' => sub { my $n = shift; gcov([ 1 ], [ 1 .. $n ]) },
'coverage:alike' => sub { my $n = shift; gcov([ (1) x $n ], [ (1) x $n ]) },
'coverage:documents' => sub { my $n = shift; gcov([ 1 ], [ 1 ]) x $n },
'coverage:segments' => sub { my $n = shift; llvm([ map { "$_,1" } 1 .. $n ], [ map { [ $_, $_ ] } 1 .. $n ]) },
'coverage:region' => sub { my $n = shift; llvm([ '1,1', 1000 * $n . ',1' ], [ [ 1, 1000 * $n ] ]) },
'coverage:around' => sub { my $n = shift; llvm([ map { "$_,1" } 1 .. $n ], [ map { [ $_, 2 * $n - $_ ] } 1 .. $n ]) },
'coverage:instances' => sub { my $n = shift; llvm([ '1,1' ], [ ([ 1, 2 ]) x $n ]) },
'rprof:samples' => sub { rprof(map { ":$_:1:1:1:\"f$_\" 1#$_ \"main\" " } 1 .. $_[0]) },
'rprof:deep' => sub { rprof(':1:1:1:1:' . join '', map { "1#$_ \"f$_\" " } 1 .. $_[0]) },
'rprof:quotes' => sub { rprof(':1:1:1:1:"' . '"' x $_[0]) },
'rprof:files' => sub { my $n = $_[0] < 65535 ? $_[0] : 65535; rprof(map { "#File $_: $_.R" } 1 .. $n) },
'rprof:headers' => sub { rprof() x $_[0] },
'ghc:wide' => sub { ghc('MAIN', map { " f$_" } 1 .. $_[0]) },
'ghc:deep' => sub { my $n = root(30 * shift); ghc(map { ' ' x $_ . "f$_" } 0 .. $n - 1) },
'ghc:nodes-deep' => sub { my $n = $_[0] < 9000 ? $_[0] : 9000;
	'{"total_ticks":0,"tick_interval":1,"total_alloc":0,"cost_centres":[{"id":1,"label":"f","module":"M","src_loc":"a.hs:1:1-9"}],"profile":' .
	'{"id":1,"entries":1,"alloc":0,"ticks":0,"children":[' x $n . ']}' x $n . "}\n" },
'ghc:centres' => sub { my $n = shift;
	"{\"total_ticks\":$n,\"tick_interval\":1,\"total_alloc\":0,\"cost_centres\":[" . join(',', map {
	"{\"id\":$_,\"label\":\"f\",\"module\":\"M\",\"src_loc\":\"a.hs:$_:1-9\"}" } 0 .. $n) .
	'],"profile":{"id":0,"ticks":0,"children":[' . join(',', map { "{\"id\":$_,\"ticks\":1,\"children\":[]}" } 1 .. $n) . "]}}\n" },
'instruments:wide' => sub { instruments('main', map { " f$_" } 1 .. $_[0]) },
'instruments:deep' => sub { my $n = root(30 * shift); instruments(map { ' ' x $_ . "f$_" } 0 .. $n - 1) },
'tachyon:frames' => sub { my $n = shift; tachyon([ map { "f$_" } 1 .. $n ], [ 0 .. $n - 1 ], $n,
	join '', map { tachyon_sample(1, 1, 1, $_) } 0 .. $n - 1) },
'tachyon:deep' => sub { my $n = shift; tachyon([ 'f' ], [ 0 ], $n, join '', map { tachyon_sample(1, 2, $_ - 1, 1, 0) } 1 .. $n) },
'tachyon:threads' => sub { my $n = shift; tachyon([ 'f' ], [ 0 ], $n, join '', map { tachyon_sample($_, 1, 1, 0) } 1 .. $n) },
'tachyon:repeated' => sub { my $n = shift; tachyon([ 'f' ], [ 0 ], 2 * $n + 1, tachyon_sample(1, 1, 1, 0) .
	pack('Q<L<C', 1, 0, 0) . leb(2 * $n) . "\1\1\1\2" x $n) },
);

# ---- the Firefox Profiler's and Chrome's ----

sub numbers { '[' . join(',', @_) . ']' }
# Threads, and the tables that they share: the frames of stacks and the numbers of the stacks
# above them; frames are functions, whose names are strings.
sub firefox { my ($frames, $prefixes, $functions, @threads) = @_;
	my @f = 0 .. $functions - 1;
	'{"meta":{"version":24,"preprocessedProfileVersion":61,"interval":1,"categories":[' .
	'{"name":"Other","color":"grey","subcategories":["Other"]}]},"libs":[],"shared":{"stackTable":{"frame":' .
	numbers(@$frames) . ',"prefix":' . numbers(@$prefixes) . ',"length":' . @$frames .
	'},"frameTable":{"func":' . numbers(@f) . ',"category":' . numbers((0) x @f) . ',"line":' .
	numbers(@f) . ',"length":' . @f . '},"funcTable":{"name":' . numbers(@f) . ',"resource":' .
	numbers((-1) x @f) . ',"source":' . numbers(('null') x @f) . ',"lineNumber":' . numbers(('null') x @f) .
	',"length":' . @f . '},"resourceTable":{"name":[],"lib":[],"type":[],"length":0},"sources":{"filename":[],"length":0},' .
	'"stringArray":[' . join(',', map { "\"f$_\"" } @f) . ']},"threads":[' . join(',', @threads) . "]}\n" }
sub firefox_thread { my ($pid, $tid, @stacks) = @_;
	"{\"name\":\"t\",\"processName\":\"p$pid\",\"pid\":$pid,\"tid\":$tid,\"samples\":{\"stack\":" .
	numbers(@stacks) . ',"time":' . numbers(0 .. $#stacks) . ',"weight":' . numbers((1) x @stacks) .
	',"weightType":"samples","length":' . @stacks . '}}' }
sub trace_event { my ($name, $tid, $ts, $data) = @_;
	"{\"ph\":\"P\",\"name\":\"$name\",\"pid\":1,\"tid\":$tid,\"id\":\"$tid\",\"ts\":$ts,\"args\":{\"data\":{$data}}}" }
sub trace { "{\"traceEvents\":[\n" . join(",\n", @_) . "]}\n" }
sub trace_chunk { my ($tid, $ts, $nodes, @samples) = @_;
	trace_event('ProfileChunk', $tid, $ts, '"cpuProfile":{"nodes":[' . join(',', @$nodes) . '],"samples":' .
	numbers(@samples) . '},"timeDeltas":' . numbers((1) x @samples)) }
sub trace_node { my ($id, $parent) = @_;
	"{\"id\":$id," . ($parent ? "\"parent\":$parent," : '') . "\"callFrame\":{\"functionName\":\"f$id\"," .
	'"scriptId":1,"url":"a.js","lineNumber":1,"columnNumber":1}}' }
sub trace_begin { trace_event('Profile', $_[0], 0, '"startTime":0') }

sub slice { my ($phase, $name, $tid, $ts, $lasts) = @_;
	"{\"ph\":\"$phase\",\"name\":\"$name\",\"pid\":1,\"tid\":$tid,\"ts\":$ts" .
	($lasts ? ",\"dur\":$lasts" : '') . '}' }

%shape = (%shape,
'firefox:wide' => sub { my $n = shift; firefox([ 0 .. $n - 1 ], [ ('null') x $n ], $n,
	firefox_thread(1, 1, 0 .. $n - 1)) },
'firefox:deep' => sub { my $n = shift; firefox([ 0 .. $n - 1 ], [ 'null', 0 .. $n - 2 ], $n,
	firefox_thread(1, 1, $n - 1)) },
'firefox:deep-samples' => sub { my $n = shift; firefox([ 0 .. $n - 1 ], [ 'null', 0 .. $n - 2 ], $n,
	firefox_thread(1, 1, 0 .. $n - 1)) },
'firefox:recursion' => sub { my $n = shift; firefox([ (0) x $n ], [ 'null', 0 .. $n - 2 ], 1,
	firefox_thread(1, 1, 0 .. $n - 1)) },
'firefox:samples' => sub { firefox([ 0, 1 ], [ 'null', 0 ], 2,
	firefox_thread(1, 1, map { $_ % 2 } 1 .. $_[0])) },
'firefox:threads' => sub { firefox([ 0 ], [ 'null' ], 1, each_of { firefox_thread(1, $_, 0) } $_[0]) },
'firefox:processes' => sub { firefox([ 0 ], [ 'null' ], 1, each_of { firefox_thread($_, $_, 0) } $_[0]) },
'firefox:threads-stacks' => sub { my $n = root(shift); firefox([ 0 .. $n - 1 ], [ 'null', 0 .. $n - 2 ], $n,
	each_of { firefox_thread(1, $_, 0 .. $n - 1) } $n) },
'firefox:strings' => sub { firefox([ 0 ], [ 'null' ], $_[0], firefox_thread(1, 1, 0)) },
'firefox:nested' => sub {
	'{"meta":{"preprocessedProfileVersion":61},"shared":{},"libs":[],"threads":' . '[' x $_[0] . ']' x $_[0] . "}\n" },
'trace:wide' => sub { my $n = shift; trace(trace_begin(1), trace_chunk(1, 1,
	[ trace_node(1), map { trace_node($_, 1) } 2 .. $n ], 1 .. $n)) },
'trace:deep' => sub { my $n = shift; trace(trace_begin(1), trace_chunk(1, 1,
	[ map { trace_node($_, $_ - 1) } 1 .. $n ], 1 .. $n)) },
'trace:samples' => sub { trace(trace_begin(1), trace_chunk(1, 1, [ trace_node(1), trace_node(2, 1) ],
	map { $_ % 2 + 1 } 1 .. $_[0])) },
'trace:chunks' => sub { my $n = shift; trace(trace_begin(1),
	map { trace_chunk(1, $_, [ trace_node($_, $_ - 1) ], $_) } 1 .. $n) },
'trace:chunks-back' => sub { my $n = shift; trace((map { trace_chunk(1, $_, [ trace_node($_, $_ - 1) ], $_) }
	reverse 1 .. $n), trace_begin(1)) },
'trace:threads' => sub { trace(map { (trace_begin($_), trace_chunk($_, 1, [ trace_node(1) ], 1)) } 1 .. $_[0]) },
'trace:names' => sub { trace(trace_begin(1), trace_chunk(1, 1, [ trace_node(1) ], 1), map {
	"{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":$_,\"args\":{\"name\":\"t$_\"}}" } 1 .. $_[0]) },
'trace:events' => sub { trace(trace_begin(1), trace_chunk(1, 1, [ trace_node(1) ], 1),
	each_of { "{\"ph\":\"X\",\"name\":\"RunTask\",\"pid\":1,\"tid\":1,\"ts\":$_,\"dur\":1,\"args\":{}}" } $_[0]) },
# Durations of events: one after another, one in another, in other orders, and overlapping.
'trace:slices' => sub { trace(each_of { slice('X', "f$_", 1, 10 * $_, 10) } $_[0]) },
'trace:slices-deep' => sub { my $n = shift; trace(each_of { slice('X', "f$_", 1, $_, 2 * ($n - $_) + 1) } $n) },
'trace:slices-out' => sub { my $n = shift; trace(map { slice('X', "f$_", 1, $_, 2 * ($n - $_) + 1) } reverse 1 .. $n) },
'trace:slices-same' => sub { trace(each_of { slice('X', "f$_", 1, 1, 5) } $_[0]) },
'trace:slices-overlap' => sub { my $n = shift; trace(each_of { slice('X', "f$_", 1, $_, $n) } $n) },
'trace:slices-threads' => sub { trace(each_of { slice('X', 'f', $_, 1, 5) } $_[0]) },
'trace:pairs-deep' => sub { my $n = shift; trace((each_of { slice('B', "f$_", 1, $_) } $n),
	each_of { slice('E', '', 1, $n + $_) =~ s/"name":"",//r } $n) },
'trace:pairs-unended' => sub { trace(each_of { slice('B', "f$_", 1, $_) } $_[0]) },
'trace:pairs-unbegun' => sub { my $n = shift; trace((each_of { slice('B', "f$_", 1, $_) } $n),
	each_of { slice('E', "g$_", 1, $n + $_) } $n) },
'trace:nested' => sub { '{"traceEvents":' . '[' x $_[0] . ']' x $_[0] . "}\n" },
);

# ---- recordings of perf, in the form for pipes ----

sub perf_record { pack('L<S<S<', $_[0], $_[1], 8 + length $_[2]) . $_[2] }
sub perf_name { $_[0] . "\0" x (8 - length($_[0]) % 8) }
# An event with these fields of its samples.
sub perf_attr { perf_record(64, 0, pack('L<2Q<5', 1, 64, 0, 1000, $_[0], $_[1], 1 << 18) . "\0" x 16 .
	pack 'Q<*', @_[2 .. $#_]) }
sub recording { join '', 'PERFILE2', pack('Q<', 16), perf_attr(0x27, 0), @_ }
sub perf_map { my ($pid, $start, $size, $name, $time) = @_; perf_record(1, 2,
	pack('L<2Q<3', $pid, $pid, $start, $size, 0) . perf_name($name) .
	pack('L<2Q<', $pid, $pid, $time)) }
sub perf_comm { my ($pid, $exec, $name, $time) = @_; perf_record(3, $exec ? 0x2002 : 2,
	pack('L<2', $pid, $pid) . perf_name($name) . pack('L<2Q<', $pid, $pid, $time)) }
sub perf_fork { my ($pid, $of, $time) = @_; perf_record(7, 0,
	pack('L<4Q<L<2Q<', $pid, $of, $pid, $of, $time, $pid, $pid, $time)) }
sub perf_sample { my ($pid, $tid, $time, @chain) = @_; perf_record(9, 2,
	pack('Q<L<2Q<2', 1, $pid, $tid, $time, scalar @chain) . pack 'Q<*', @chain) }
my $round = perf_record(68, 0, '');
# The same numbers in an order that is none.
sub shuffled { my ($n) = @_; map { $_ * 7919 % $n } 0 .. $n - 1 }

%shape = (%shape,
'perfdata:samples' => sub { recording(each_of { perf_sample(1, 1, 1 + $_, 4096 + $_) } shift) },
'perfdata:samples-alike' => sub { recording((perf_sample(1, 1, 1, 4096)) x shift) },
'perfdata:back' => sub { my $n = shift; recording(map { perf_sample(1, 1, $n - $_) } 0 .. $n - 1) },
'perfdata:shuffled' => sub { recording(map { perf_sample(1, 1, 1 + $_) } shuffled(shift)) },
'perfdata:rounds' => sub { recording($round x shift) },
'perfdata:rounds-back' => sub { my $n = shift;
	recording(map { (perf_sample(1, 1, $n - $_), $round) } 0 .. $n - 1) },
'perfdata:threads' => sub { recording(each_of { perf_sample(1, $_, 1 + $_) } shift) },
'perfdata:processes' => sub { recording(each_of { perf_sample($_, $_, 1 + $_, 4096) } shift) },
'perfdata:names' => sub { recording(each_of { (perf_comm(1, 0, "n$_", 1 + $_),
	perf_sample(1, 1, 1 + $_)) } shift) },
'perfdata:execs' => sub { recording(each_of { (perf_map(1, 4096, 4096, '/a', 1 + $_),
	perf_comm(1, 1, 'a', 1 + $_)) } shift) },
'perfdata:maps' => sub { recording(each_of { perf_map(1, 4096 * $_, 4096, '/a', 1) } shift) },
'perfdata:maps-back' => sub { my $n = shift;
	recording(map { perf_map(1, 4096 * ($n - $_), 4096, '/a', 1) } 0 .. $n - 1) },
'perfdata:maps-shuffled' => sub { my $n = shift; recording(perf_map(1, 0, 1 << 40, '/a', 1),
	map { perf_map(1, 4096 * $_, 1024, '/b', 1) } shuffled($n)) },
'perfdata:maps-covered' => sub { recording(each_of { (perf_map(1, 0, 1 << 40, '/a', 1),
	perf_map(1, 4096 * $_, 4096, '/b', 1)) } shift) },
'perfdata:maps-named' => sub { recording(each_of { (perf_map(1, 4096 * $_, 4096, "/a/$_", 1),
	perf_sample(1, 1, 1 + $_, 4096 * $_)) } shift) },
'perfdata:forks' => sub { my $n = root(shift); $n *= 30; recording(
	(each_of { perf_map(1, 4096 * $_, 4096, '/a', 1) } $n),
	map { (perf_fork($_ + 2, 1, 2), perf_map($_ + 2, 4096 * $_, 512, '/b', 3)) } 1 .. $n) },
'perfdata:forks-chain' => sub { my $n = root(shift); $n *= 30; recording(
	(each_of { perf_map(1, 4096 * $_, 4096, '/a', 1) } $n),
	map { (perf_fork($_ + 1, $_, 2), perf_map($_ + 1, 4096 * $_, 512, '/b', 3)) } 1 .. $n) },
'perfdata:chain' => sub { recording(each_of { my $n = $_;
	perf_sample(1, 1, 1, map { 8000 * $n + $_ } 1 .. 8000) } 1 + $_[0] / 8000) },
'perfdata:stack-deep' => sub { my $n = $_[0] < 8000 ? $_[0] : 8000;
	recording(perf_sample(1, 1, 1, map { 4096 * $_ } 1 .. $n)) },
'perfdata:unknown' => sub { recording(perf_record(500, 0, '') x shift) },
'perfdata:events' => sub { my $n = $_[0] < 1000 ? $_[0] : 1000; join '', 'PERFILE2',
	pack('Q<', 16), (map { perf_attr(0x10001, 0, $_ + 1) } 0 .. $n - 1),
	each_of { perf_record(9, 2, pack 'Q<2', 1 + $_ % $n, 1) } $_[0] },
'perfdata:event-ids' => sub { my $n = shift; join '', 'PERFILE2', pack('Q<', 16),
	map { perf_attr(0x10001, 0, map { 7919 * $_ } 8000 * $_ .. 8000 * $_ + 7999) } 0 .. $n / 8000 },
'perfdata:group' => sub { my $n = shift; join '', 'PERFILE2', pack('Q<', 16), perf_attr(0x11, 12, 1),
	perf_record(9, 2, pack 'Q<*', 1, 4000, map { ($_, 1) } 1 .. 4000) x (1 + $n / 4000) },
'perfdata:builds' => sub { recording(each_of { perf_record(67, 0x8000, pack('l<', -1) .
	pack('Q<2x8Cx3', $_, $_, 20) =~ s/^(.{20}).{4}/$1/sr . perf_name("/a/$_")) } shift) },
'perfdata:facts' => sub { recording(each_of { perf_record(80, 0, pack('Q<L<', 3, 12) .
	pack 'a12', "h$_") } shift) },
);

# ---- recordings of Java Flight Recorder, whose numbers are packed ----

sub jfr_n { my ($n, $s) = (shift, ''); ($s .= chr($n & 127 | 128), $n >>= 7) while $n > 127; $s . chr $n }
sub jfr_text { "\3" . jfr_n(length $_[0]) . $_[0] }
sub jfr_event {
	my ($type, $of) = (jfr_n(shift), join '', @_);
	my $n = 1;
	$n++ while length(jfr_n($n + length($type . $of))) > $n;
	return jfr_n($n + length($type . $of)) . $type . $of;
}
sub jfr_list { jfr_n(scalar @_) . join '', @_ }
# An element: its name, attributes and children; names are those of @jfr_names.
my @jfr_names = qw(root metadata class field name id constantPool dimension true 1 annotation value);
our %jfr_name = map { $jfr_names[$_] => $_ } 0 .. $#jfr_names;
sub jfr_element {
	my ($name, $attrs, @of) = @_;
	return jfr_n($jfr_name{$name}) . jfr_n(@$attrs / 2) . join('', map { jfr_n($jfr_name{$_} // $_) } @$attrs) .
	    jfr_list(@of);
}
# A chunk: further names, as "n0" and so on, types as [ID-AND-NAME, FIELD...], constants as
# [TYPE, TEXT...], which may come again, and events.  A field is "NAME TYPE [pool] [array]".
sub jfr {
	my ($names, $types, $constants, @events) = @_;
	local %jfr_name = %jfr_name;
	my (@more, %seen);
	for my $word (@$names, map { map { (split)[0, 1] } @$_ } @$types) {
		next if exists $jfr_name{$word} || $seen{$word}++;
		$jfr_name{$word} = @jfr_names + @more;
		push @more, $word;
	}
	my @class = map {
		my ($head, @field) = @$_;
		my ($id, $name) = split ' ', $head;
		jfr_element('class', [ name => $name, id => $id ], map {
			my ($to, $of, @is) = split;
			jfr_element('field', [ name => $to, class => $of,
			    map { $_ eq 'pool' ? (constantPool => 'true') : (dimension => 1) } @is ]);
		} @field);
	} @$types;
	return jfr_chunk(jfr_list(map { jfr_text($_) } @jfr_names, @more) .
	    jfr_element('root', [], jfr_element('metadata', [], @class)), $constants, @events);
}
sub jfr_chunk {
	my ($metadata, $constants, @events) = @_;
	my $body = join '', (map { my ($of, @v) = @$_; jfr_event(1, "\0" x 4, jfr_n(1), jfr_n($of), jfr_list(@v)) }
	    @$constants), @events;
	my $at = 68 + length $body;
	$body .= jfr_event(0, "\0" x 3, $metadata);
	return pack('a4n2Q>7CnC', "FLR\0", 2, 1, 68 + length $body, 68, $at, 10 ** 18, 5 * 10 ** 9, 1000,
	    10 ** 9, 0, 0, 1) . $body;
}
sub jfr_types { return (map { [ split /, / ] } '1 long', '2 int', '3 boolean', '4 java.lang.String',
	'20 jdk.types.Symbol, string 4', '21 java.lang.Class, name 20 pool',
	'22 jdk.types.Method, type 21 pool, name 20 pool', '24 jdk.types.StackFrame, method 22 pool, lineNumber 2',
	'25 jdk.types.StackTrace, truncated 3, frames 24 array', '26 java.lang.Thread, javaName 4',
	'100 jdk.ExecutionSample, startTime 1, sampledThread 26 pool, stackTrace 25 pool'), @_ }
sub jfr_names { my $n = shift; map { jfr_n($_) . jfr_text("f$_") } 1 .. $n }
sub jfr_methods { map { jfr_n($_) . jfr_n(1) . jfr_n($_) } 1 .. $_[0] }
sub jfr_stack { my $key = shift; jfr_n($key) . "\0" . jfr_list(map { jfr_n($_) . jfr_n(7) } @_) }
sub jfr_sample { jfr_event(100, map { jfr_n($_) } @_) }
# Of so many methods, with these stacks.
sub jfr_stacks { my ($n, $stacks, @events) = @_; jfr([], [ jfr_types() ], [ [ 20, jfr_names($n) ],
	[ 21, jfr_n(1) . jfr_n(1) ], [ 22, jfr_methods($n) ], [ 25, @$stacks ],
	[ 26, map { jfr_n($_) . jfr_text("t$_") } 1 .. 9 ] ], @events) }

%shape = (%shape,
'jfr:events' => sub { my $n = shift; jfr_stacks($n, [ map { jfr_stack($_, $_) } 1 .. $n ],
	map { jfr_sample($_, 1, $_) } 1 .. $n) },
'jfr:events-alike' => sub { jfr_stacks(1, [ jfr_stack(1, 1) ], (jfr_sample(1, 1, 1)) x shift) },
'jfr:events-lost' => sub { jfr_stacks(1, [ jfr_stack(1, 1) ], map { jfr_sample($_, $_, 9 + $_) } 1 .. $_[0]) },
'jfr:events-short' => sub { jfr_stacks(1, [ jfr_stack(1, 1) ], (jfr_event(100, "\1")) x shift) },
'jfr:events-unknown' => sub { jfr_stacks(1, [ jfr_stack(1, 1) ], each_of { jfr_event(1000 + $_) } shift) },
'jfr:threads' => sub { my $n = shift; jfr([], [ jfr_types() ],
	[ [ 26, map { jfr_n($_) . jfr_text("t$_") } 1 .. $n ] ], map { jfr_sample($_, $_, 0) } 1 .. $n) },
'jfr:thread-long' => sub { my $n = shift; jfr([], [ jfr_types() ],
	[ [ 26, jfr_n(1) . jfr_text('t' x $n) ] ], map { jfr_sample($_, 1, $_) } 1 .. $n / 9) },
'jfr:stack-deep' => sub { my $n = shift; jfr_stacks($n, [ jfr_stack(1, 1 .. $n) ], jfr_sample(1, 1, 1)) },
'jfr:stack-same' => sub { my $n = shift; jfr_stacks(1, [ jfr_stack(1, (1) x $n) ], jfr_sample(1, 1, 1)) },
'jfr:stacks-deep' => sub { my $n = root(9 * shift); jfr_stacks($n, [ map { jfr_stack($_, 1 .. $_) } 1 .. $n ],
	map { jfr_sample(1, 1, $_) } 1 .. $n) },
'jfr:constants-same' => sub { jfr([], [ jfr_types() ], [ [ 20, (jfr_n(1) . jfr_text('f')) x shift ] ]) },
'jfr:pools' => sub { jfr([], [ jfr_types() ], [ map { [ 20, jfr_n($_) . jfr_text('f') ] } 1 .. shift ]) },
'jfr:chunks' => sub { jfr_stacks(1, [ jfr_stack(1, 1) ], jfr_sample(1, 1, 1)) x (1 + $_[0] / 50) },
'jfr:names' => sub { my $n = shift; jfr([ map { "x$_" } 1 .. $n ], [ jfr_types() ], []) },
'jfr:types' => sub { my $n = shift; jfr([], [ jfr_types(map { [ 200 + $_ . " T$_", 'stackTrace 25 pool' ] }
	1 .. $n) ], [ [ 25, jfr_stack(1, 1) ] ], map { jfr_event(200 + $_, jfr_n(1)) } 1 .. $n) },
'jfr:types-in-types' => sub { my $n = shift; jfr([], [ jfr_types(map { [ 200 + $_ . " T$_", 'f ' . (201 + $_) ] }
	1 .. $n) ], [], map { jfr_event(200 + $_, jfr_n(1)) } 1 .. $n) },
# Each has the next twice: a value of the first would be of a thousand million numbers.
'jfr:types-doubled' => sub { my $n = shift; jfr([], [ jfr_types([ '299 E', 'all 200', 'stackTrace 25 pool' ],
	(map { [ 200 + $_ . " T$_", 'a ' . (201 + $_), 'b ' . (201 + $_) ] } 0 .. 29),
	[ '230 L', 'n 1' ]) ], [], (jfr_event(299, "\1" x 100)) x ($n / 30)) },
'jfr:types-empty' => sub { my $n = shift; jfr([], [ jfr_types([ '200 E' ], [ '201 F', 'e 200 array',
	'stackTrace 25 pool' ]) ], [], (jfr_event(201, jfr_n(1 << 40), "\1")) x $n) },
'jfr:fields' => sub { my $n = shift; jfr([], [ jfr_types([ '200 F', (map { "f$_ 1" } 1 .. $n),
	'stackTrace 25 pool' ]) ], [], jfr_event(200, "\1" x $n . "\1"), (jfr_event(200, "\1")) x $n) },
'jfr:lists' => sub { my $n = shift; jfr([], [ jfr_types([ '200 F', 'all 1 array', 'stackTrace 25 pool' ]) ],
	[], (jfr_event(200, jfr_n(1 << 60), "\1" x 20)) x ($n / 20)) },
'jfr:nested' => sub { my $n = shift; jfr_chunk(jfr_list(map { jfr_text($_) } @jfr_names) .
	(jfr_n(0) . "\0\1") x $n, []) },
'jfr:attributes' => sub { my $n = shift; jfr_chunk(jfr_list(map { jfr_text($_) } @jfr_names) .
	"\0" . jfr_n($n) . "\4\5" x $n . "\0", []) },
);

# ---- OpenTelemetry's: protocol buffers ----

sub pb_number { my ($n) = @_; my $s = ''; for (; $n > 127; $n >>= 7) { $s .= chr($n & 127 | 128) }
	$s . chr $n }
sub pb { pb_number($_[0] << 3 | 2) . pb_number(length $_[1]) . $_[1] }
sub pb_n { pb_number($_[0] << 3) . pb_number($_[1]) }
sub pb_packed { pb($_[0], join '', map { pb_number($_) } @_[1 .. $#_]) }
# Samples, and the tables behind the zero values: locations, functions, attributes, stacks.
sub otlp { my ($samples, $locations, $functions, $attributes, $stacks) = @_;
	pb(1, pb(2, pb(2, $samples))) . pb(2, pb(2, '') . $locations . pb(3, '') . $functions .
	pb(5, '') . pb(5, 'k') . pb(6, '') . $attributes . pb(7, '') . $stacks) }
sub otlp_sample { pb(2, pb_n(1, $_[0]) . pb_packed(4, 1)) }
sub otlp_place { pb(2, pb(3, pb_n(1, 1) . pb_n(2, $_[0]))) }

%shape = (%shape,
'otlp:stacks' => sub { my $n = $_[0]; otlp((join '', map { otlp_sample($_) } 1 .. $n),
	(join '', map { otlp_place($_) } 1 .. $n), pb(3, pb_n(1, 1)), '',
	join '', map { pb(7, pb_packed(1, $_)) } 1 .. $n) },
'otlp:deep' => sub { my $n = $_[0]; otlp(otlp_sample(1), (join '', map { otlp_place($_) } 1 .. $n),
	pb(3, pb_n(1, 1)), '', pb(7, pb_packed(1, 1 .. $n))) },
'otlp:prefixes' => sub { my $n = int sqrt $_[0]; otlp((join '', map { otlp_sample($_) } 1 .. $n),
	(join '', map { otlp_place($_) } 1 .. $n), pb(3, pb_n(1, 1)), '',
	join '', map { pb(7, pb_packed(1, reverse 1 .. $_)) } 1 .. $n) },
'otlp:samples-alike' => sub { otlp(otlp_sample(1) x $_[0], otlp_place(1), pb(3, pb_n(1, 1)), '',
	pb(7, pb_packed(1, 1))) },
'otlp:labels' => sub { my $n = $_[0]; otlp(pb(2, pb_packed(2, 1 .. $n) . pb_packed(4, 1)), '', '',
	(join '', map { pb(6, pb_n(1, 1) . pb(2, pb_n(3, $_))) } 1 .. $n), '') },
'otlp:nested' => sub { my $v = pb_n(3, 1); $v = pb(5, pb(1, $v)) for 1 .. $_[0];
	pb(1, pb(1, pb(1, pb(1, 'k') . pb(2, $v))) . pb(2, pb(2, pb(2, pb_packed(4, 1))))) .
	pb(2, pb(5, '')) },
'otlp:profiles' => sub { pb(1, pb(2, pb(2, pb(2, pb_packed(4, 1))) x $_[0])) . pb(2, pb(5, '')) },
);

# ---- pprof's: protocol buffers, with the numbers of OTLP's for what stands in lines ----

# Samples, mappings, locations, functions, and strings behind those that the type has.
sub pprof { my ($samples, $mappings, $locations, $functions, @strings) = @_;
	join '', pb(1, pb_n(1, 1) . pb_n(2, 2)), $samples, $mappings, $locations, $functions,
	    map { pb(6, $_) } '', 'cpu', 'ns', @strings }
sub pprof_sample { pb(2, pb_packed(1, @_) . pb_packed(2, 1)) }
sub pprof_place { my ($id, @functions) = @_;
	pb(4, pb_n(1, $id) . join '', map { pb(4, pb_n(1, $_) . pb_n(2, 1)) } @functions) }
sub pprof_func { pb(5, pb_n(1, $_[0]) . pb_n(2, $_[1])) }
# Functions 1 to n with a name each, and a location for each.
sub pprof_of { my ($n, @samples) = @_; pprof(join('', @samples), '',
	join('', map { pprof_place($_, $_) } 1 .. $n), join('', map { pprof_func($_, $_ + 2) } 1 .. $n),
	each_of { "f$_" } $n) }

%shape = (%shape,
'pprof:wide' => sub { my $n = shift; pprof_of($n, map { pprof_sample($_) } 1 .. $n) },
'pprof:deep' => sub { my $n = shift; pprof_of($n, pprof_sample(1 .. $n)) },
'pprof:recursion' => sub { pprof_of(1, pprof_sample((1) x $_[0])) },
'pprof:prefixes' => sub { my $n = root(shift); pprof_of($n, map { pprof_sample(reverse 1 .. $_) } 1 .. $n) },
'pprof:suffixes' => sub { my $n = root(shift); pprof_of($n, map { pprof_sample(1 .. $_) } 1 .. $n) },
'pprof:turns' => sub { my $n = root(shift); pprof_of(2, map { pprof_sample((1) x $n, $_ % 2 + 1) } 1 .. $n) },
'pprof:samples-alike' => sub { pprof_of(1, pprof_sample(1) x $_[0]) },
'pprof:inlined' => sub { my $n = shift; pprof(pprof_sample(1), '', pprof_place(1, 1 .. $n),
	join('', map { pprof_func($_, 3) } 1 .. $n), 'f') },
'pprof:inlined-often' => sub { my $n = shift; pprof(pprof_sample((1) x $n), '', pprof_place(1, (1) x $n),
	pprof_func(1, 3), 'f') },
'pprof:inlined-roots' => sub { my $n = shift; pprof(join('', map { pprof_sample(1, $_) } 2 .. $n), '',
	pprof_place(1, (1) x $n) . join('', map { pprof_place($_) } 2 .. $n), pprof_func(1, 3), 'f') },
'pprof:labels' => sub { my $n = shift; pprof_of(1, pb(2, pb_packed(1, 1) . pb_packed(2, 1) .
	join '', each_of { pb(3, pb_n(1, 1) . pb_n(3, $_)) } $n)) },
'pprof:labels-samples' => sub { pprof_of(1, each_of { pb(2, pb_packed(1, 1) . pb_packed(2, 1) .
	pb(3, pb_n(1, 1) . pb_n(3, $_))) } $_[0]) },
'pprof:labels-keys' => sub { my $n = shift; pprof_of($n, map { pb(2, pb_packed(1, 1) . pb_packed(2, 1) .
	pb(3, pb_n(1, $_ + 2) . pb_n(3, 1))) } 1 .. $n) },
'pprof:types' => sub { my $n = shift; pprof_of($n, map { pb(1, pb_n(1, $_ + 2)) } 1 .. $n) },
'pprof:types-alike' => sub { pprof_of(1, pb(1, pb_n(1, 1) . pb_n(2, 2)) x $_[0]) },
'pprof:types-samples' => sub { my $n = root(shift); pprof_of($n, (map { pb(1, pb_n(1, $_ + 2)) } 2 .. $n),
	pb(2, pb_packed(1, 1) . pb_packed(2, (1) x $n)) x $n) },
'pprof:mappings' => sub { my $n = shift; pprof('', join('', map { pb(3, pb_n(1, $_) . pb_n(2, 4096 * $_) .
	pb_n(3, 4096 * ($_ + 1)) . pb_n(5, 1)) } 1 .. $n), '', '') },
'pprof:mappings-functions' => sub { my $n = shift; pprof(join('', map { pprof_sample($_) } 1 .. $n),
	join('', map { pb(3, pb_n(1, $_) . pb_n(6, $_ + 2)) } 1 .. $n),
	join('', map { pb(4, pb_n(1, $_) . pb_n(2, $_) . pb(4, pb_n(1, 1))) } 1 .. $n), pprof_func(1, 3),
	each_of { "f$_" } $n) },
'pprof:ids-far' => sub { my $n = shift; pprof(join('', map { pprof_sample($_ << 32) } 1 .. $n), '',
	join('', map { pprof_place($_ << 32, 1) } 1 .. $n), pprof_func(1, 3), 'f') },
'pprof:comments' => sub { my $n = shift; pprof_of($n, map { pb_n(13, $_ + 2) } 1 .. $n) },
'pprof:comments-long' => sub { pprof('', '', '', pb_n(13, 3) x $_[0], 'c' x $_[0]) },
'pprof:strings' => sub { pprof_of(1) . pb(6, '') x $_[0] },
'pprof:names-long' => sub { my $n = shift; pprof(join('', map { pprof_sample($_) } 1 .. $n), '',
	join('', map { pprof_place($_, $_) } 1 .. $n), join('', map { pprof_func($_, 3) . '' } 1 .. $n),
	'f' x $n) },
# One long string, again and again.
'otlp:long-name' => sub { my $n = $_[0]; otlp(join('', map { otlp_sample($_) } 1 .. $n),
	join('', map { pb(2, pb(3, pb_n(1, $_))) } 1 .. $n), join('', map { pb(3, pb_n(1, 2) .
	pb_n(4, $_)) } 1 .. $n), pb(5, 'f' x $n), join '', map { pb(7, pb_packed(1, $_)) } 1 .. $n) },
'pprof:long-name' => sub { my $n = shift; pprof(join('', map { pprof_sample($_) } 1 .. $n), '',
	join('', map { pprof_place($_, $_) } 1 .. $n), join('', map { pb(5, pb_n(1, $_) . pb_n(2, 3) .
	pb_n(4, $_ + 3)) } 1 .. $n), 'f' x $n, each_of { "f$_" } $n) },
'pprof:long-system-name' => sub { my $n = shift; pprof(join('', map { pprof_sample($_) } 1 .. $n), '',
	join('', map { pprof_place($_, $_) } 1 .. $n), join('', map { pb(5, pb_n(1, $_) . pb_n(2, $_ + 3) .
	pb_n(3, 3)) } 1 .. $n), 'f' x $n, each_of { "f$_" } $n) },
'pprof:long-file' => sub { my $n = shift; pprof(join('', map { pprof_sample($_) } 1 .. $n), '',
	join('', map { pprof_place($_, $_) } 1 .. $n), join('', map { pb(5, pb_n(1, $_) . pb_n(2, $_ + 3) .
	pb_n(4, 3)) } 1 .. $n), 'f' x $n, each_of { "f$_" } $n) },
'pprof:long-label' => sub { my $n = shift; pprof(join('', map { pb(2, pb_packed(1, 1) . pb_packed(2, 1) .
	pb(3, pb_n(1, $_ + 3) . pb_n(2, 3))) } 1 .. $n), '', pprof_place(1, 1), pprof_func(1, 1),
	'f' x $n, each_of { "f$_" } $n) },
'pprof:long-label-alike' => sub { my $n = shift; pprof(join('', map { pb(2, pb_packed(1, $_) .
	pb_packed(2, 1) . pb(3, pb_n(1, 1) . pb_n(2, 3))) } 1 .. $n), '', join('', map { pprof_place($_, 1) }
	1 .. $n), pprof_func(1, 1), 'f' x $n) },
'pprof:long-labels' => sub { my $n = shift; pprof(pb(2, pb_packed(1, 1) . pb_packed(2, 1) . join '', map {
	pb(3, pb_n(1, $_ + 3) . pb_n(2, 3)) } 1 .. $n), '', pprof_place(1, 1), pprof_func(1, 1),
	'f' x $n, each_of { "f$_" } $n) },
'pprof:long-label-key' => sub { my $n = shift; pprof(join('', map { pb(2, pb_packed(1, 1) . pb_packed(2, 1) .
	pb(3, pb_n(1, 3) . pb_n(3, $_))) } 1 .. $n), '', pprof_place(1, 1), pprof_func(1, 1), 'f' x $n) },
'pprof:long-label-unit' => sub { my $n = shift; pprof(join('', map { pb(2, pb_packed(1, 1) . pb_packed(2, 1) .
	pb(3, pb_n(1, 1) . pb_n(3, $_) . pb_n(4, 3))) } 1 .. $n), '', pprof_place(1, 1), pprof_func(1, 1),
	'f' x $n) },
'pprof:long-unit' => sub { my $n = shift; pprof((join '', map { pb(1, pb_n(1, $_ + 3) . pb_n(2, 3)) } 1 .. $n),
	'', '', '', 'f' x $n, each_of { "f$_" } $n) },
'pprof:long-type' => sub { my $n = shift; pprof((join '', map { pb(1, pb_n(1, 3) . pb_n(2, $_ + 3)) } 1 .. $n),
	'', '', '', 'f' x $n, each_of { "f$_" } $n) },
'pprof:long-mapping' => sub { my $n = shift; pprof('', join('', map { pb(3, pb_n(1, $_) . pb_n(2, 4096 * $_) .
	pb_n(3, 4096 * ($_ + 1)) . pb_n(5, 3)) } 1 .. $n), '', '', 'f' x $n) },
'pprof:long-build-id' => sub { my $n = shift; pprof('', join('', map { pb(3, pb_n(1, $_) . pb_n(2, 4096 * $_) .
	pb_n(3, 4096 * ($_ + 1)) . pb_n(5, $_ + 3) . pb_n(6, 3)) } 1 .. $n), '', '', 'f' x $n,
	each_of { "f$_" } $n) },
'otlp:inlined-often' => sub { my $n = $_[0]; otlp(otlp_sample(1), pb(2, pb(3, pb_n(1, 1)) x $n),
	pb(3, pb_n(1, 1)), '', pb(7, pb_packed(1, (1) x $n))) },
'otlp:inlined-turns' => sub { my $n = $_[0]; otlp(join('', each_of { otlp_sample($_ % 2 + 1) } $n),
	pb(2, pb(3, pb_n(1, 1)) x $n) x 2, pb(3, pb_n(1, 1)), '', pb(7, pb_packed(1, 1)) . pb(7, pb_packed(1, 2))) },
'otlp:stack-turns' => sub { my $n = $_[0]; otlp(join('', each_of { otlp_sample($_ % 2 + 1) } $n),
	otlp_place(1) . otlp_place(2), pb(3, pb_n(1, 1)), '',
	pb(7, pb_packed(1, (1) x $n)) . pb(7, pb_packed(1, (2) x $n))) },
'otlp:labels-often' => sub { my $n = $_[0]; otlp(pb(2, pb_packed(2, 1 .. $n) . pb_packed(4, 1)) .
	pb(2, pb_packed(2, (1) x $n) . pb_packed(4, 1)), '', '',
	(join '', map { pb(6, pb_n(1, 1) . pb(2, pb(1, 'v' x 100))) } 1 .. $n / 100), '') },
'otlp:times' => sub { otlp(pb(2, pb_n(1, 1) . pb_packed(4, (1) x $_[0]) .
	pb(5, pack 'Q<*', 1 .. $_[0])), otlp_place(1), pb(3, pb_n(1, 1)), '', pb(7, pb_packed(1, 1))) },
);

# ---- histograms: bytes ----

sub gmon_head { pack('a4 L< x12', 'gmon', 1) }
sub gmon_hist { my ($low, $high, @bins) = @_;
	pack('C Q< Q< L< L< a15 a1', 0, $low, $high, scalar @bins, 100, 'seconds', 's') .
	pack('v*', @bins) }
sub gmon_arc { pack 'C Q< Q< L<', 1, @_ }

%shape = (%shape,
'gmon:bins' => sub { gmon_head() . gmon_hist(4096, 4096 + 4 * $_[0], (1) x $_[0]) },
'gmon:bins-zero' => sub { gmon_head() . gmon_hist(4096, 4096 + 4 * $_[0], (0) x $_[0]) },
'gmon:bins-empty' => sub { join '', gmon_head(), each_of { gmon_hist(4096 + $_ * 64,
	4096 + $_ * 64 + 4, 1) } $_[0] },
'gmon:histograms-alike' => sub { gmon_head() . gmon_hist(4096, 8192, 1) x $_[0] },
'gmon:histograms-back' => sub { join '', gmon_head(), map { gmon_hist($_ * 64, $_ * 64 + 4, 1) }
	reverse 1 .. $_[0] },
'gmon:histograms-wide' => sub { join '', gmon_head(), map { gmon_hist($_ << 36, ($_ << 36) +
	(1 << 35), 1) } 1 .. $_[0] },
'gmon:arcs' => sub { join '', gmon_head(), each_of { gmon_arc(4096 + $_ * 16, 8192 + $_ * 16, 1) } $_[0] },
'gmon:arcs-alike' => sub { gmon_head() . gmon_arc(4096, 8192, 1) x $_[0] },
'gmon:arcs-chain' => sub { join '', gmon_head(), gmon_hist(4096, 4096 + 64 * $_[0], (1) x 16),
	each_of { gmon_arc(4096 + $_ * 16, 4112 + $_ * 16, 1) } $_[0] },
'gmon:arcs-cycle' => sub { my $n = shift; join '', gmon_head(), gmon_hist(4096, 4096 + 64 * $n, (1) x 16),
	each_of { gmon_arc(4096 + $_ * 16, 4096 + ($_ + 1) % $n * 16, 1) } $n },
'gmon:blocks' => sub { my $n = shift; join '', gmon_head(), pack('C L<', 2, $n),
	each_of { pack 'Q< Q<', 4096 + $_ * 16, 1 } $n },
'gmon:blocks-lists' => sub { my $n = shift; join '', gmon_head(),
	each_of { pack 'C L< Q< Q<', 2, 1, 4096 + $_ * 16, 1 } $n },
);

# ---- what stands beside a profile ----

# A name of C++, of Rust and of D, parts of which double as often as this.
sub number {
	my ($n, @digits) = @_;
	my $s = "";
	do { $s = $digits[$n % @digits] . $s; $n = int $n / @digits } while $n;
	return $s;
}
sub bombs {
	my $times = shift;
	my ($cxx, $rust, $d) = ("_Z1fSt4pairIiiE", "_RIC1aThhE", "_D1a1bFHii");
	my ($r, $at) = (length("_RIC1a") - 2, length "_D1a1bF");
	for (0 .. $times - 1) {
		my $q = number($_, 0 .. 9, "A" .. "Z") . "_";
		$cxx .= "S_IS${q}S${q}E";
		my $b = "B" . number($r - 1, 0 .. 9, "a" .. "z", "A" .. "Z") . "_";
		$r = length($rust) - 2;
		$rust .= "T$b${b}E";
		my $next = length $d;
		$d .= "H";
		for (1, 2) {
			my $back = length($d) - $at;
			$d .= "Q" . ($back < 26 ? "" : number(int $back / 26, "A" .. "Z")) .
			    chr(ord("a") + $back % 26);
		}
		$at = $next;
	}
	return ($cxx, "${rust}E", "${d}Zv");
}

%shape = (%shape,
'nm:symbols' => sub { join '', each_of { sprintf "%016x T f%d\n", 4096 + $_ * 16, $_ } shift },
'nm:symbols-back' => sub { join '', map { sprintf "%016x T f%d\n", 4096 + $_ * 16, $_ } reverse 0 .. $_[0] },
'nm:one-address' => sub { join '', each_of { "0000000000001000 T f$_\n" } shift },
'nm:one-name' => sub { join '', each_of { sprintf "%016x T f\n", 4096 + $_ * 16 } shift },
'nm:one-byte' => sub { join '', each_of { sprintf "%016x T f%d\n", 4096 + $_, $_ } shift },
'nm:mangled' => sub { join '', each_of { sprintf "%016x T _Z%df%di\n", 4096 + $_ * 16, 1 + length $_, $_ } shift },
(map { my ($name, $head, $of, $tail) = @$_; ("nm:mangled-$name" => sub { "0000000000001000 T $head" .
	$of x $_[0] . "$tail\n" }) }
	['pointers', '_Z1f', 'P', 'i'], ['arguments', '_Z1f', 'i', ''], ['nested', '_ZN', '1a', 'E'],
	['templates', '_Z1f', 'I', 'i'], ['functions', '_Z1f', 'PFi', ''], ['decltype', '_Z1fDT', 'cl', ''],
	['rust', '_RNv', 'NtC1a', '1b'], ['rust-tuple', '_RIC1a', 'T', 'E'], ['rust-backref', '_RIC1a', 'B_', 'E'],
	['d', '_D3std', '1a', 'FZv'], ['packs', '_Z1fIJ', 'i', 'EEvDpT_'], ['operators', '_Z1fIXad', 'ad', 'E']),
'nm:bombs' => sub { join '', each_of { sprintf "%016x T %s\n", 4096 + $_ * 16, (bombs(26))[$_ % 3] } shift },


'patterns:words' => sub { join '', each_of { "f$_\n" } shift },
'patterns:starts' => sub { join '', each_of { "^f$_\$\n" } shift },
'patterns:classes' => sub { join '', each_of { "f[0-9]*$_\n" } shift },
'patterns:any' => sub { join '', each_of { ".*$_.*\n" } shift },
'patterns:groups' => sub { join '', each_of { "(f|g)$_\n" } shift },
'patterns:alike' => sub { "f\n" x shift },
'patterns:empty' => sub { "\n" x shift },
'patterns:backs' => sub { join '', each_of { "(f)\\1$_\n" } shift },
'patterns:repeats' => sub { join '', each_of { "f{1,9}$_\n" } shift },
'patterns:long' => sub { 'f' x shift },
'patterns:dots' => sub { '.' x shift },
'patterns:stars' => sub { 'a*' x shift },
'patterns:options' => sub { 'a?' x shift },
'patterns:choices' => sub { join '|', each_of { "f$_" } shift },
'patterns:brackets' => sub { '[a-z]' x shift },
'patterns:fields' => sub { join '', each_of { "[a-z][a-z$_][a-z]\n" } shift },
'patterns:nested' => sub { '(' x $_[0] . ')' x $_[0] },

'rules:drop' => sub { "rules:\n" . join '', each_of { "  - drop: {function: 'x$_'}\n" } shift },
'rules:fold' => sub { "rules:\n" . join '', each_of { "  - fold: {function: '^x$_\$'}\n" } shift },
'rules:rename' => sub { "rules:\n" . join '', each_of { "  - rename: {function: 'x$_', to: 'y'}\n" } shift },
'rules:rename-grow' => sub { "rules:\n" . "  - rename: {function: '(.*)', to: '\\1\\1'}\n" x shift },
'rules:rename-longer' => sub { "rules:\n" . "  - rename: {function: '\$', to: '0123456789'}\n" x shift },
'rules:rename-all' => sub { "rules:\n" . "  - rename: {function: '.', to: 'xx', all: true}\n" x shift },
'rules:rename-groups' => sub { "rules:\n  - rename: {function: '(.*)', to: '" . '\\1' x $_[0] . "'}\n" },
'rules:rename-known' => sub { "rules:\n" . "  - rename: recursion\n" x shift },
'rules:group' => sub { "rules:\n" . join '', each_of { "  - group: {function: '5', as: g$_}\n" } shift },
'rules:hide' => sub { "rules:\n" . "  - hide: {function: '.'}\n" x shift },
'rules:facts' => sub { "rules:\n" . join '', each_of { "  - drop: {thread: 'x$_'}\n" } shift },
'rules:patterns' => sub { "rules:\n  - drop:\n      function:\n" . join '', each_of { "      - x$_\n" } shift },
'rules:patterns-rename' => sub { "rules:\n  - rename:\n      to: x\n      function:\n" . join '', each_of { "      - x$_\n" } shift },
'rules:pattern' => sub { "rules: [drop: {function: '" . 'a' x $_[0] . "'}]\n" },
'rules:choices' => sub { "rules: [drop: {function: '" . join('|', each_of { "x$_" } $_[0]) . "'}]\n" },
'rules:name' => sub { "rules: [group: {function: f, as: '" . 'a' x $_[0] . "'}]\n" },
'rules:events' => sub { 'events: [' . join(', ', each_of { "e$_" } $_[0]) . "]\n" },
'rules:events-lines' => sub { "events:\n" . join '', each_of { "  - e$_\n" } shift },
'rules:events-sum' => sub { 'events: [' . join(' + ', ('Ir') x $_[0]) . "]\n" },
'rules:events-sums' => sub { "events:\n" . join '', each_of { "  - Ir + $_ Ir\n" } shift },
'rules:events-alike' => sub { 'events: [' . join(', ', ('Ir') x $_[0]) . "]\n" },
'rules:facts-list' => sub { 'facts: [' . join(', ', each_of { "k$_" } $_[0]) . "]\n" },
'rules:facts-alike' => sub { 'facts: [' . join(', ', ('k') x $_[0]) . "]\n" },
'rules:description' => sub { 'description: ' . 'a ' x $_[0] . "\n" },
'rules:description-lines' => sub { "description: |\n" . "  a\n" x $_[0] },
'rules:comments' => sub { "# c\n" x $_[0] },
'rules:empty' => sub { "\n" x $_[0] },
'rules:keys' => sub { join '', each_of { "k$_: v\n" } shift },
'rules:nested' => sub { 'rules: ' . '[' x $_[0] },
'rules:nested-maps' => sub { 'rules: ' . '{a: ' x $_[0] },
'rules:nested-lines' => sub { join '', map { ' ' x $_ . "a:\n" } 0 .. root(2 * $_[0]) },
'rules:nested-lists' => sub { '- ' x $_[0] },
'rules:anchors' => sub { "rules:\n" . join '', each_of { "  - &a$_ drop: {function: 'x'}\n" } shift },
'rules:aliases' => sub { "description: &a x\nfacts: [" . join(', ', ('*a') x $_[0]) . "]\n" },
'rules:laughs' => sub { "a0: &a0 [x]\n" . join '', map { my $p = $_ - 1;
	"a$_: &a$_ [" . join(',', ("*a$p") x 9) . "]\n" } 1 .. $_[0] },
'rules:quotes' => sub { 'description: "' . '\\n' x $_[0] . "\"\n" },
'rules:questions' => sub { '? ' x $_[0] },
'rules:documents' => sub { "---\n" x $_[0] },
'rules:tags' => sub { 'facts: [' . join(', ', ('!t x') x $_[0]) . "]\n" },
'rules:directives' => sub { join '', each_of { "%TAG !t$_! t:\n" } $_[0] },
'rules:shares' => sub { "min-share: " . '1' x $_[0] . "%\n" },
'rules:colons' => sub { 'description: ' . 'a:' x $_[0] . "\n" },
'rules:unless' => sub { "rules:\n" . join '', each_of { "  - drop: {function: 'f', unless: {function: '.'}}\n" } shift },

'args:commas' => sub { ',' x $_[0] },
'args:events' => sub { join ',', each_of { "e$_" } shift },
'args:events-alike' => sub { join ',', ('Ir') x $_[0] },
'args:events-sums' => sub { join ',', each_of { "Ir+$_" . 'Ir' } shift },
'args:events-sum' => sub { join '+', ('Ir') x $_[0] },
'args:ratio' => sub { join('+', ('Ir') x $_[0]) . '/Ir' },
'args:brackets' => sub { '(' x $_[0] . 'Ir' },
'args:facts' => sub { join ',', each_of { "part=$_" } shift },
'args:facts-any' => sub { join ',', each_of { "part~$_" } shift },
'args:facts-keys' => sub { join ',', each_of { "k$_=$_" } shift },
'args:rows' => sub { join ',', ('function') x $_[0] },
'args:growth' => sub { join ',', each_of { "Ir=$_%" } shift },
'args:columns' => sub { join ',', ('Ir.incl') x $_[0] },
'args:word' => sub { 'a' x $_[0] },
'args:digits' => sub { '9' x $_[0] },
'args:known' => sub { join ',', ('clones') x $_[0] },
'args:dots' => sub { '.' x $_[0] },
'args:any' => sub { '.*' x $_[0] },
);

sub text_of { my ($name, $n) = @_; $shape{$name}->($n) }

1;
