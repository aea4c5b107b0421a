#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: prof-top
# make install and make uninstall.

setup() {
	repo=$BATS_TEST_DIRNAME/..
	cd "$BATS_TEST_TMPDIR"
}

# With the variables of the make that runs the tests, if one does (they are in
# MAKEFLAGS), so that nothing is built anew.
build() {
	make -s -C "$repo" "$@" 2>&1
}

@test "install puts programs, manual and examples under DESTDIR and PREFIX" {
	build DESTDIR="$PWD/root" PREFIX=/opt/prof install
	(cd root/opt/prof && find . ! -type d | sort) >got
	{
		# All of share/ but what packages are made with, the README's pictures, the
		# manual's pages and what `make demo` runs.
		(cd "$repo/share" && find . -type f) |
			grep -vE '^\./(alpine|debian|homebrew|html|nix|pictures|rpm|static)/|/demo\.' |
			sed 's,^\.,./share/prof,'
		cat <<-'END'
		./bin/prof
		./bin/prof-annotate
		./bin/prof-cat
		./bin/prof-diff
		./bin/prof-grep
		./bin/prof-merge
		./bin/prof-to
		./bin/prof-top
		./share/bash-completion/completions/prof
		./share/bash-completion/completions/prof-annotate
		./bin/prof-tree
		./bin/prof-view
		./bin/prof-report
		./share/bash-completion/completions/prof-cat
		./share/bash-completion/completions/prof-diff
		./share/bash-completion/completions/prof-grep
		./share/bash-completion/completions/prof-merge
		./share/bash-completion/completions/prof-to
		./share/bash-completion/completions/prof-top
		./share/fish/vendor_completions.d/prof.fish
		./share/fish/vendor_completions.d/prof-annotate.fish
		./share/bash-completion/completions/prof-tree
		./share/bash-completion/completions/prof-view
		./share/bash-completion/completions/prof-report
		./share/fish/vendor_completions.d/prof-cat.fish
		./share/fish/vendor_completions.d/prof-diff.fish
		./share/fish/vendor_completions.d/prof-grep.fish
		./share/fish/vendor_completions.d/prof-merge.fish
		./share/fish/vendor_completions.d/prof-to.fish
		./share/fish/vendor_completions.d/prof-top.fish
		./share/man/man1/prof.1
		./share/man/man1/prof-annotate.1
		./share/fish/vendor_completions.d/prof-tree.fish
		./share/fish/vendor_completions.d/prof-view.fish
		./share/fish/vendor_completions.d/prof-report.fish
		./share/man/man1/prof-cat.1
		./share/man/man1/prof-diff.1
		./share/man/man1/prof-grep.1
		./share/man/man1/prof-merge.1
		./share/man/man1/prof-to.1
		./share/man/man1/prof-top.1
		./share/man/man1/prof-tree.1
		./share/man/man1/prof-view.1
		./share/man/man1/prof-report.1
		./share/man/man5/prof-rules.5
		./share/man/man5/prof-stream.5
		./share/man/man7/prof-fleet.7
		./share/man/man7/prof-formats.7
		./share/man/man7/prof-guide.7
		./share/man/man7/prof.7
		./share/zsh/site-functions/_prof
		END
	} | sort >want
	diff -u want got
	root/opt/prof/bin/prof-top root/opt/prof/share/prof/examples/wordcount.callgrind.zst |
		grep -q '^4,890,211 Ir in 1 profile'
	[ "$(file -b -m root/opt/prof/share/prof/magic \
		root/opt/prof/share/prof/examples/calc.prof)" = 'prof stream, version 1' ]
}

@test "uninstall takes away what install has put, and nothing else" {
	mkdir -p root/usr/local/bin root/usr/local/share/prof/rules
	echo mine | tee root/usr/local/bin/mine >root/usr/local/share/prof/rules/mine.yaml
	build DESTDIR="$PWD/root" install
	[ -x root/usr/local/bin/prof-top ]
	build DESTDIR="$PWD/root" uninstall
	[ "$(find root ! -type d | sort | tr '\n' ' ')" = 'root/usr/local/bin/mine root/usr/local/share/prof/rules/mine.yaml ' ]
	# Its own directories go with what is in them.
	rm root/usr/local/share/prof/rules/mine.yaml
	build DESTDIR="$PWD/root" uninstall
	[ -d root/usr/local/share/man/man1 ]
	[ "$(find root -name 'prof*' -o -name rules -o -name examples)" = '' ]
}

@test "directories may have blanks and quotes, and be anywhere" {
	local to=(DESTDIR="$PWD/it's a root" PREFIX='/opt/p q' BINDIR='/b in' 'MANDIR=/m  an'
		BASHDIR='/ba sh' ZSHDIR='/z sh' FISHDIR='/fi sh')
	build "${to[@]}" install
	(cd "it's a root" && find . ! -type d -name 'prof-to*' -o -name _prof -o -name recursion.yaml | sort) >got
	diff -u - got <<-'END'
	./b in/prof-to
	./b in/prof-top
	./ba sh/prof-to
	./ba sh/prof-top
	./fi sh/prof-to.fish
	./fi sh/prof-top.fish
	./m  an/man1/prof-to.1
	./m  an/man1/prof-top.1
	./opt/p q/share/prof/rules/recursion.yaml
	./z sh/_prof
	END
	[ "$(ls)" = "$(printf 'got\nit%ss a root' "'")" ]
	build "${to[@]}" uninstall
	[ "$(find "it's a root" ! -type d -o -name prof)" = '' ]
}

@test "stripped, all programs are small, and what debuggers need comes on request" {
	build DESTDIR="$PWD/root" PREFIX=/usr install-strip
	[ "$(find root/usr/bin -type f)" = root/usr/bin/prof ]
	[ "$(stat -c %s root/usr/bin/prof)" -lt 3000000 ]
	root/usr/bin/prof-top "$repo/share/examples/calc.folded" >got
	root/usr/bin/prof top "$repo/share/examples/calc.folded" | diff got -
	[ -z "$(nm root/usr/bin/prof 2>/dev/null)" ]
	build DESTDIR="$PWD/root" PREFIX=/usr DEBUG=yes install-strip
	[ "$(stat -c %s root/usr/bin/prof)" -lt 3000000 ]
	nm root/usr/bin/.debug/prof.debug | grep -q ' prof_top$'
	# The one names the other.
	readelf --string-dump=.gnu_debuglink root/usr/bin/prof | grep -q 'prof.debug$'
	build DESTDIR="$PWD/root" PREFIX=/usr uninstall
	[ "$(find root -name 'prof*')" = '' ]
}

@test "a PREFIX with a tilde is the home directory in any shell" {
	HOME=$PWD/home build DESTDIR= 'PREFIX=~/.local' install
	[ -x home/.local/bin/prof-cat ]
	[ ! -e '~' ]
	[ ! -e "$repo/~" ]
}

@test "fish finds completions at home and below XDG_DATA_DIRS, zsh where fpath says" {
	local home=$PWD/home tree=$PWD/root
	build DESTDIR= PREFIX="$home/.local" install
	build DESTDIR= PREFIX="$tree" install
	# in_fish PREFIX VARIABLE...: what completes "prof-to callg" there.
	in_fish() {
		env -u XDG_DATA_HOME PATH="$1/bin:/usr/bin:/bin" HOME="$PWD/none" "${@:2}" \
			fish -c 'complete -C "prof-to callg"' | cut -f 1
	}
	mkdir none
	[ "$(in_fish "$home/.local" HOME="$home" XDG_DATA_DIRS=)" = callgrind ]
	[ "$(in_fish "$tree" XDG_DATA_DIRS="$tree/share:/usr/share")" = callgrind ]
	[ "$(home=$home zsh -fc 'fpath=($home/.local/share/zsh/site-functions $fpath)
		autoload -Uz compinit; compinit -u -D; print $_comps[prof-to]')" = _prof ]
}

@test "libiberty is used where its header is, in either of its places" {
	mkdir none debian debian/libiberty fedora
	touch debian/libiberty/demangle.h fedora/demangle.h
	for dir in none debian fedora; do
		printf '%s: %s\n' $dir "$(build --no-print-directory --eval='show: ; @echo "$(IBERTY)"' \
			CC="cc -nostdinc -isystem $(printf %q "$PWD/$dir")" show)"
	done >got
	diff -u - got <<-'END'
	none: 
	debian: yes
	fedora: yes
	END
}

@test "make help lists all targets for users" {
	make -s -C "$repo" help >got
	for target in $(sed -n '/^\.PHONY:/,/[^\\]$/{s/.PHONY://; s/\\//; p}' "$repo/Makefile"); do
		case $target in
		all | fuzz | static-tarball | sum | test-programs) ;;
		*) grep -q "make $target	" got || { echo "$target"; return 1; } ;;
		esac
	done
}
