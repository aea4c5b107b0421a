# What the tests of the tools share.  Programs come from $PROF_BIN, the build
# in this tree unless make says otherwise.

export LC_ALL=C TZ=UTC
unset LINES COLUMNS NO_COLOR PROF_COLOR
bats_require_minimum_version 1.5.0

TESTS=$BATS_TEST_DIRNAME
export TESTS
PROF_BIN=${PROF_BIN:-$BATS_TEST_DIRNAME/../build/bin}
PATH=$PROF_BIN:$PATH

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
}

# fails_with TEXT COMMAND...: exit status 2, TEXT (a regular expression) on
# standard error.
fails_with() {
	local text=$1 status=0
	shift
	"$@" >fails.out 2>fails.err || status=$?
	if [ "$status" != 2 ]; then
		echo "expected exit status 2, found $status: $*"
		cat fails.err
		return 1
	fi
	if ! grep -Eq -e "$text" fails.err; then
		echo "expected on standard error: $text"
		echo "found:"
		cat fails.err
		return 1
	fi
}

# Tabs are hard to see in a heredoc: fields stand between "|" there.
tabs() {
	tr '|' '\t'
}

# callgrind OUT COMMAND...: a profile of the command.
callgrind() {
	local out=$1
	shift
	valgrind --tool=callgrind --callgrind-out-file="$out" "$@" \
		>/dev/null 2>"$out.log" || {
		cat "$out.log"
		return 1
	}
}
