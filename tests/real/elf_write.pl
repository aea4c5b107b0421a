# SPDX-License-Identifier: ISC
# elf_write.pl LAYOUT MACHINE: writes an executable for a machine that is not at hand,
# with sections and symbols of a description on standard input, and no instructions.
# LAYOUT is le64, be64, le32 or be32, MACHINE a number of elf(5); a line of the
# description is one of
#
#	code NAME ADDR SIZE
#	data NAME ADDR WORD...
#	bytes NAME HEX
#	symbol NAME ADDR SECTION TYPE BINDING
#
# TYPE is none, object, func or a number; BINDING is local, global or weak.
use strict;
use warnings;
no warnings 'portable';

my ($order, $bits) = $ARGV[0] =~ /^([lb])e(32|64)$/ or die "which layout?";
my $machine = $ARGV[1] or die "which machine?";
my $o = $order eq 'b' ? '>' : '<';
my $word = ($bits == 64 ? 'Q' : 'L') . $o;
my ($ehdr, $phdr, $shdr) = $bits == 64 ? (64, 56, 64) : (52, 32, 40);
my %type = (none => 0, object => 1, func => 2);
my %binding = (local => 0, global => 1, weak => 2);

sub n { map { /^0x/ ? hex : $_ } @_ }

# ---- what is to be written ----

my (@section, %number, @symbol);	# section: name, type, flags, address, content
my @other;		# what is not loaded
while (<STDIN>) {
	s/#.*//;
	my ($what, $name, $addr, @f) = split or next;
	($addr) = n($addr) if $what ne 'bytes';
	if ($what eq 'code') {
		push @section, [ $name, 1, 6, $addr, "\0" x (n($f[0]))[0] ];
		$number{$name} = @section;
	} elsif ($what eq 'data') {
		push @section, [ $name, 1, 3, $addr, pack("($word)*", n(@f)) ];
		$number{$name} = @section;
	} elsif ($what eq 'bytes') {
		push @other, [ $name, 1, 0, 0, pack('H*', (split)[2]) ];
	} elsif ($what eq 'symbol') {
		my $info = $binding{$f[2]} << 4 | ($type{$f[1]} // $f[1]);
		push @symbol, [ $name, $addr, $number{$f[0]} // die, $info ];
	} else {
		die "not understood: $_";
	}
}
my $loaded = @section;

my ($names, $table) = ("\0", "\0" x ($bits == 64 ? 24 : 16));
@symbol = sort { ($a->[3] >> 4 > 0) <=> ($b->[3] >> 4 > 0) } @symbol;	# local ones first
for (@symbol) {
	my ($name, $addr, $section, $info) = @$_;
	$table .= $bits == 64 ?
	    pack("L${o}CCS${o}Q${o}Q$o", length $names, $info, 0, $section, $addr, 0) :
	    pack("L${o}L${o}L${o}CCS$o", length $names, $addr, 0, $info, 0, $section);
	$names .= "$name\0";
}
push @section, [ '.symtab', 2, 0, 0, $table, $loaded + 2,
    1 + grep({ $_->[3] >> 4 == 0 } @symbol), $bits == 64 ? 24 : 16 ],
    [ '.strtab', 3, 0, 0, $names ], @other, [ '.shstrtab', 3, 0, 0, '' ];
my $section_names = "\0";
for (@section) {
	push @$_, 0 while @$_ < 8;
	push @$_, length $section_names;
	$section_names .= "$_->[0]\0";
}
$section[-1][4] = $section_names;

# ---- the file ----

my $at = $ehdr + $loaded * $phdr;
my ($segments, $headers, $content) = ('', "\0" x $shdr, '');
for (@section) {
	my ($name, $type, $flags, $addr, $bytes, $link, $info, $each, $string) = @$_;
	my ($from, $size) = ($at + length $content, length $bytes);
	my $may = 4 | ($flags & 4 ? 1 : 2);
	if ($flags) {
		$segments .= $bits == 64 ?
		    pack("L${o}L$o(Q$o)6", 1, $may, $from, $addr, $addr, $size, $size, 1) :
		    pack("(L$o)8", 1, $from, $addr, $addr, $size, $size, $may, 1);
	}
	$headers .= pack("L${o}L$o$word$word$word${word}L${o}L$o$word$word", $string, $type,
	    $flags, $addr, $from, $size, $link, $info, 1, $each);
	$content .= $bytes . "\0" x (-length($bytes) % 8);
}
binmode STDOUT;
print "\177ELF", pack('CCCx9', $bits / 32, $order eq 'b' ? 2 : 1, 1),
    pack("S${o}S${o}L$o$word$word${word}L$o(S$o)6", 2, $machine, 1, 0, $ehdr,
    $at + length $content, 0, $ehdr, $phdr, $loaded, $shdr, 1 + @section, scalar @section),
    $segments, $content, $headers;
