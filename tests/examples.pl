#!/usr/bin/perl
# SPDX-License-Identifier: ISC
# Runs the commands that manual pages and the README show, and compares what
# they print with what is shown.
#
#	tests/examples.pl [-u] FILE...		-u: writes the output into FILE
#	tests/examples.pl -s FILE...		runs those without a prompt
#
# A command is a line "$ ..." of a literal display (.Bd -literal to .Ed) or of
# a fenced block; "\" at its end goes on with the next line.  Its output is
# what follows, to the next command or the end.  Each runs in the current
# directory; standard output and standard error are one.
#
# With -s: a display without a prompt, or one line of it (.Dl), that begins with
# the name of a program is a script.  Its output is not shown, its exit status
# is 0.
use strict;
use warnings;

$SIG{PIPE} = 'DEFAULT';	# as in a terminal, whatever it was started with
$ENV{HOME} = '/nonexistent';	# programs that perf has kept there would have names
delete @ENV{qw(XDG_CACHE_HOME DEBUGINFOD_CACHE_PATH)};

my $update = @ARGV && $ARGV[0] eq '-u' ? shift : '';
my $scripts = @ARGV && $ARGV[0] eq '-s' ? shift : '';
my ($ran, $failed) = (0, 0);

# mdoc's escapes, for lines in a literal display
sub plain {
	my ($s, $mdoc) = @_;
	return $s unless $mdoc;
	$s =~ s/^\\&//;
	$s =~ s/\\(e|-|&|\(aq)/{ e => "\\", '-' => '-', '&' => '', '(aq' => "'" }->{$1}/ge;
	return $s;
}

sub marked {
	my ($s, $mdoc) = @_;
	return $s unless $mdoc;
	$s =~ s/\\/\\e/g;
	$s =~ s/^([.'])/\\&$1/;
	return $s;
}

sub run {
	my ($command) = @_;
	open my $p, '-|', 'sh', '-c', "exec 2>&1; $command" or die "sh: $!\n";
	my $out = do { local $/; <$p> };
	close $p;	# $? is its status
	return defined $out ? $out : '';
}

# The displays and lines of a page that could be scripts: [line, text].
sub unprompted {
	my ($file) = @_;
	my (@found, $at, $text);
	open my $f, '<', $file or die "$file: $!\n";
	while (<$f>) {
		if (defined $at && /^\.Ed/) {
			push @found, [$at, $text] unless $text =~ /^\$ /m;
			undef $at;
		} elsif (defined $at) {
			$text .= plain($_, 1);
		} elsif (/^\.Bd\b.*-literal/) {
			($at, $text) = ($., '');
		} elsif (/^\.Dl (.*)/) {
			push @found, [$., plain($1, 1)];
		}
	}
	close $f;
	return @found;
}

sub is_script {
	my ($word) = $_[0] =~ /^([.\w\/-]+) (?! )/;	# not of a table
	return defined $word && system("command -v '$word' >/dev/null") == 0;
}

if ($scripts) {
	for my $file (@ARGV) {
		for (grep { is_script($_->[1]) } unprompted($file)) {
			$ran++;
			print "$file:$_->[0]\n";
			my $said = run("set -e; exec 3>&1 >/dev/null 2>&3\n$_->[1]");
			next if $? == 0;
			$failed++;
			print "$_->[1]--- failed\n$said";
		}
	}
	print "$ran scripts, $failed failed\n";
	exit($failed || !$ran ? 1 : 0);
}

for my $file (@ARGV) {
	my $mdoc = $file =~ /\.[1-8]$/;
	my ($begin, $end) = $mdoc ? (qr/^\.Bd\b.*-literal/, qr/^\.Ed/) :
	    (qr/^```/, qr/^```/);
	my (@new, $in);
	open my $f, '<', $file or die "$file: $!\n";
	my @line = <$f>;
	close $f;
	chomp @line;
	for (my $i = 0; $i < @line; $i++) {
		push @new, $line[$i];
		if (!$in) {
			$in = $line[$i] =~ $begin;
			next;
		}
		if ($line[$i] =~ $end) {
			$in = 0;
			next;
		}
		my $command = plain($line[$i], $mdoc);
		next unless $command =~ s/^\$ //;
		my $place = "$file:" . ($i + 1);
		while ($command =~ s/\\$//) {
			push @new, $line[++$i];
			$command .= plain($line[$i], $mdoc);
		}
		my $shown = '';
		my @shown;
		while ($i + 1 < @line && $line[$i + 1] !~ $end &&
		    $line[$i + 1] !~ /^\$ /) {
			push @shown, $line[++$i];
			$shown .= plain($line[$i], $mdoc) . "\n";
		}
		my $out = run($command);
		$ran++;
		if ($update) {
			push @new, map { marked($_, $mdoc) } split /\n/, $out, -1;
			pop @new if $out =~ /\n\z/;
			next;
		}
		push @new, @shown;
		next if $out eq $shown;
		$failed++;
		print "$place: \$ $command\n--- shown\n$shown--- printed\n$out";
	}
	next unless $update;
	open $f, '>', $file or die "$file: $!\n";
	print $f "$_\n" for @new;
	close $f or die "$file: $!\n";
}
print "$ran commands, $failed differ\n";
exit($failed || !$ran ? 1 : 0);
