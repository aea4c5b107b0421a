#!/usr/bin/perl
# SPDX-License-Identifier: ISC
# Interrupts a program that reads from a producer which still runs.
#
#	tests/live.pl FILE COMMAND...
#
# The file goes into the command's standard input, which stays open; once all of it has
# been read comes a SIGINT.  The exit status is the command's, as a shell has it.
use strict;
use warnings;

my $file = shift;
open my $f, '<', $file or die "$file: $!\n";
my $text = do { local $/; <$f> };
pipe my $from, my $to or die "pipe: $!\n";
defined(my $pid = fork) or die "fork: $!\n";
if (!$pid) {
	$SIG{INT} = 'DEFAULT';	# whatever the tests are started with
	open STDIN, '<&', $from or die "dup: $!\n";
	close $to;
	exec @ARGV or die "$ARGV[0]: $!\n";
}
close $from;
syswrite $to, $text;
for (1 .. 1200) {
	ioctl $to, 0x541b, my $left = pack 'i', 0 or die "FIONREAD: $!\n";
	last if !unpack 'i', $left;
	select undef, undef, undef, 0.05;
}
select undef, undef, undef, 0.3;
kill 'INT', $pid;
waitpid $pid, 0;
exit($? & 127 ? 128 + ($? & 127) : $? >> 8);
