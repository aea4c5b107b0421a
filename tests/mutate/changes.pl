# SPDX-License-Identifier: ISC
# What tests/mutate/run makes of a line of C.
use strict;
use warnings;

my %swap = map { $$_[0] => $$_[1], $$_[1] => $$_[0] }
    ['<', '<='], ['>', '>='], ['==', '!='], ['&&', '||'], ['+', '-'], ['+=', '-='],
    ['++', '--'], ['*', '/'], ['&', '|'], ['true', 'false'], ['break', 'continue'];

# The kinds of changes: what is searched in a line without its texts and comments, and
# what it becomes.  Binary operators have blanks around them.
my @kinds = (
	[compare => qr/(?<= )(?:<=?|>=?|==|!=)(?= )/, sub { $swap{$_[0]} }],
	[logic => qr/(?<= )(?:&&|\|\|)(?= |$)/, sub { $swap{$_[0]} }],
	[arithmetic => qr/(?<= )(?:[-+]=?|[*\/&|])(?= )|\+\+|--/, sub { $swap{$_[0]} }],
	[not => qr/!(?=[\w(*])/, sub { '' }],
	[negate => qr/(?<=\bif )(\((?:[^()]|(?1))*\))(?=$| [^&|])/, sub { "(!$_[0])" }],
	[number => qr/(?<![\w.'\\-])\d+(?![\w.])/, sub { $_[0] + 1 }],
	[truth => qr/\b(?:true|false)\b/, sub { $swap{$_[0]} }],
	[jump => qr/\b(?:break|continue)(?=;)/, sub { $swap{$_[0]} }],
	[return => qr/(?<=\breturn )(?:-1|0)(?=;)/, sub { $_[0] eq '0' ? '-1' : '0' }],
	[delete => qr/(?<=\t)(?!\w*free\()(?:\w+\(.*\)|[\w.\[\]()>*-]+(?: [-+*\/&|]?= .*|\+\+|--));$/, sub { ';' }],
	[text => qr/(?<=")b/, sub { $_[0] =~ tr/a-zA-Z/A-Za-z/r }],
);

# The same line, of the same length, without what is in texts, characters and comments:
# of a text only `b` is left, if it begins with a letter and is one word.  The wording of
# messages is no matter of tests.
sub masked {
	my ($line) = @_;
	my $m = '';
	while ($line =~ m{\G(?: (/\*.*?(?:\*/|$)|//.*) | "((?:[^"\\]|\\.)*)" | ('(?:[^'\\]|\\.)*') | (.) )}gx) {
		my ($comment, $text, $char, $code) = ($1, $2, $3, $4);
		$m .= defined $comment ? ' ' x length $comment :
		    defined $text ? '"' . ($text =~ /^[a-zA-Z]\S*$/ ? 'b' . '_' x (length($text) - 1) :
			'_' x length $text) . '"' :
		    defined $char ? '_' x length $char : $code;
	}
	return $m;
}

# What a line can be changed to: [kind, line]...  It is all of a statement only if what is
# before it ends there.
sub changes {
	my ($line, $before) = @_;
	my $m = masked($line) =~ s/\s+$//r;
	my @all;
	return if $m =~ /^\s*(#|\*|$)|\bassert\b|^\t*(?:static |const )*(?:struct )?\w+ \w+\[[^]]*\];/;
	for (@kinds) {
		my ($kind, $regex, $make) = @$_;
		next if $kind eq 'delete' && $before !~ /[;{}:)]$|\belse$/;
		next if $kind eq 'text' && @all;
		while ($m =~ /$regex/g) {
			my ($at, $length) = ($-[0], $+[0] - $-[0]);
			my $new = $line;
			substr($new, $at, $length) = $make->(substr($line, $at, $length));
			push @all, [$kind, $new];
		}
	}
	return @all;
}

# Of the lines of a file: [number, kind and line...] for each that can be changed.  A 0 in a
# table says that there is nothing.
sub changeable {
	my @lines = map { s/\n//r } @_;
	my ($in_comment, $in_function, $before, @all) = (0, 0, ';');
	for my $i (0 .. $#lines) {
		my $line = $lines[$i];
		if ($in_comment) {
			$in_comment = 0 if $line =~ m{\*/};
			next;
		}
		$in_comment = 1, next if $line =~ m{^\s*/\*(?!.*\*/)};
		$in_function = $line eq '{' if $line =~ /^[{}]/;
		my @changes = grep { $in_function || $$_[0] ne 'number' || $line !~ /\b0\b/ }
		    changes($line, $before);
		push @all, [$i + 1, @changes] if @changes;
		my $code = masked($line) =~ s/\s+$//r;
		$before = $code if $code =~ /\S/;
	}
	return @all;
}

1;
