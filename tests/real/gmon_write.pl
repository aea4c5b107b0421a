# SPDX-License-Identifier: ISC
# gmon_write.pl LAYOUT: writes a gmon.out of a description on standard input.
# LAYOUT is le64, be64, le32 or be32; a line of the description is one of
#
#	magic VERSION			the header of GNU's files, and of LD_PROFILE's
#	bsd44 LOW HIGH BYTES RATE BITS [SPARE SPARE]
#	bsd LOW HIGH BYTES		those of the older ones; BYTES of samples
#					and, what they count, too, of the header
#	hist LOW HIGH BINS RATE DIMENSION ABBREVIATION
#	bins N...			of 16 bits
#	bins8 N..., bins32 N..., bins64 N...
#	arc FROM SELF COUNT
#	blocks N, blocks64 N		their number
#	block ADDR COUNT [FILE FUNCTION LINE]
#	bare FROM SELF COUNT		an arc without its tag
#	long FROM SELF COUNT		the same of the BSDs
#	u8 N, u32 N			what else there may be
use strict;
use warnings;
no warnings 'portable';

my ($order, $bits) = $ARGV[0] =~ /^([lb])e(32|64)$/ or die "which layout?";
my $o = $order eq 'b' ? '>' : '<';
my $word = ($bits == 64 ? 'Q' : 'L') . $o;

sub n { map { /^0x/ ? hex : $_ } @_ }

binmode STDOUT;
while (<STDIN>) {
	s/#.*//;
	my ($what, @f) = split or next;
	if ($what eq 'magic') {
		print 'gmon', pack("L$o x12", n($f[0]));
	} elsif ($what eq 'bsd44') {
		my $header = $bits == 64 ? 40 : 32;
		print pack("$word$word" . "l${o}L${o}L${o}l${o}L${o}2", n(@f[0, 1]),
		    $f[2] + $header, 0x51879, n($f[3]), $f[4], n(@f[5, 6], 0, 0));
	} elsif ($what eq 'bsd') {
		my $header = $bits == 64 ? 20 : 12;
		print pack("$word$word" . "l$o", n(@f[0, 1]), $f[2] + $header);
	} elsif ($what eq 'hist') {
		$f[4] =~ s/\\x(..)/chr hex $1/ge;
		print pack("C$word$word" . "L${o}L${o}a15a1", 0, n(@f[0 .. 3]), @f[4, 5]);
	} elsif ($what =~ /^bins(8|32|64)?$/) {
		my $c = !$1 ? 'S' : $1 == 8 ? 'C' : $1 == 32 ? 'L' : 'Q';
		print pack($c eq 'C' ? 'C*' : "($c$o)*", n(@f));
	} elsif ($what eq 'arc') {
		print pack("C$word$word" . "L$o", 1, n(@f));
	} elsif ($what eq 'bare') {
		print pack("$word$word" . "L$o", n(@f));
	} elsif ($what eq 'long') {
		print pack("$word$word$word", n(@f));
	} elsif ($what =~ /^blocks(64)?$/) {
		print pack('C' . ($1 ? 'Q' : 'L') . $o, 2, n($f[0]));
	} elsif ($what eq 'block') {
		print pack("$word$word", n(@f[0, 1]));
		print pack("Z*Z*L$o", @f[2 .. 4]) if @f > 2;
	} elsif ($what =~ /^u(8|32)$/) {
		print pack($1 == 8 ? 'C' : "L$o", n($f[0]));
	} else {
		die "not understood: $_";
	}
}
