# SPDX-License-Identifier: ISC
# dwarf_write.pl LAYOUT: a unit of DWARF 5 with a line program, as sections for
# elf_write.pl.  Names and numbers in it have several forms.
#
#	0x1000	b.h:10
#	0x1001	b.h:8
#	0x1103	a.c:8
#	0x1114	the end
use strict;
use warnings;

my ($order, $bits) = $ARGV[0] =~ /^([lb])e(32|64)$/ or die "which layout?";
my $o = $order eq 'b' ? '>' : '<';
my $addr = ($bits == 64 ? 'Q' : 'L') . $o;

sub unit { my $s = join '', @_; pack("L$o", length $s) . $s }

# Instructions of one byte; line base -5, line range 14, opcode base 13.
my $header = pack('CCCcCCC*', 1, 1, 1, -5, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1) .
    # A path in .debug_line_str each; two of them.
    pack("Cwwwl${o}l$o", 1, 1, 0x1f, 2, 0, 5) .
    # A path in .debug_str, a checksum and a directory in two bytes each; two of them.
    pack('Cw*', 3, 1, 0x0e, 5, 0x1e, 2, 0x05, 2) .
    pack("L${o}x16S${o}", 0, 0) . pack("L${o}x16S${o}", 4, 1);
my $program = pack("CCC$addr", 0, 1 + $bits / 8, 2, 0x1000) .	# set address
    pack('Cw', 5, 300) .			# column
    pack('Cc', 3, 9) . pack('C', 1) .		# advance line, copy
    pack('C', 13 + 14 + 3) .			# an address on, two lines back
    pack('Cw', 4, 0) .				# file
    pack("CS$o", 9, 0x102) . pack('C', 1) .	# advance by a fixed number, copy
    pack('C', 8) .				# add a constant: 17
    pack('CCC', 0, 1, 1);			# end of sequence
my %section = (
	abbrev => pack('w*', 1, 0x11, 0, 0x10, 0x17, 0x11, 1, 0x12, 6, 0, 0, 0),
	info => unit(pack("S${o}CCL$o", 5, 1, $bits / 8, 0),
	    pack("CL$o${addr}L$o", 1, 0, 0x1000, 0x200)),
	line => unit(pack("S${o}CC", 5, $bits / 8, 0), unit($header), $program),
	line_str => "/top\0sub\0",
	str => "a.c\0b.h\0",
);
printf "bytes .debug_%s %s\n", $_, unpack 'H*', $section{$_} for sort keys %section;
