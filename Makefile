# SPDX-License-Identifier: ISC
# All build products go to build/ (with SAN=... to build-san/).
#
#	make			the programs
#	make check		the tests
#	make check-NAME		those in tests/NAME.bats
#	make check FORMAT=x	those of one format; check-NAME FORMAT=x of these in a file
#	make check OF=x		those of a room of lib/, as symbol, or of a tool, as prof-top
#	make check-san		with the sanitizers
#	make check-all		also those that need compilers for other machines
#	make check-viewers	other people's viewers, from npm, on what prof-to writes
#	make manual		what manuals show of the programs: formats, examples
#	make demo		the programs at work
#	make pictures		those of README.md
#	make html		the manual as pages, in build/html
#	make install		to $(DESTDIR)$(PREFIX)
#	make install-strip	small; with DEBUG=yes, what debuggers need beside it
#	make uninstall		from there
#	make compare-perf	recordings, as perf and as prof read them
#	make fuzz-run		the fuzz targets, each for SECONDS
#	make truth		generated programs of which all is known, for SECONDS
#	make mutate		N changes of the sources that tests must notice
#	make walks		random keys in prof-view, WALKS of KEYS, with the sanitizers
#	make bench		speed, compared with other programs
#	make dist		a release: build/prof-VERSION.tar.gz
#	make distcheck		checks that it is complete
#	make static		static programs: build/prof-VERSION-linux-MACHINE.tar.gz
#	make deb		its Debian package, in build/deb
#	make formula		its Homebrew formula, build/prof-tools.rb
#	make clean		removes build/
#	make help		this list

CC ?= cc
CFLAGS ?= -O2 -g
LDFLAGS ?=
PKG_CONFIG ?= pkg-config
BATS ?= bats
INSTALL ?= install
STRIP ?= strip
OBJCOPY ?= objcopy
# CROSS=aarch64-linux-gnu- builds for that machine.
ifdef CROSS
CC = $(CROSS)gcc
AR = $(CROSS)ar
PKG_CONFIG = $(CROSS)pkg-config
STRIP = $(CROSS)strip
OBJCOPY = $(CROSS)objcopy
endif

PREFIX ?= /usr/local
# Not every shell expands the ~ of PREFIX=~/.local.
override PREFIX := $(patsubst ~/%,$(HOME)/%,$(PREFIX))
BINDIR ?= $(PREFIX)/bin
MANDIR ?= $(PREFIX)/share/man
DATADIR ?= $(PREFIX)/share/prof
BASHDIR ?= $(PREFIX)/share/bash-completion/completions
ZSHDIR ?= $(PREFIX)/share/zsh/site-functions
FISHDIR ?= $(PREFIX)/share/fish/vendor_completions.d

CMDS = prof-annotate prof-cat prof-grep prof-merge prof-diff prof-to prof-top prof-tree \
	prof-view prof-report

# All rooms of lib/, and what the tools share in cmd/.
LIB = $(sort $(wildcard lib/*/*.c lib/*/*/*.c)) $(wildcard cmd/tool*.c) cmd/table.c

MAN1 = man/prof.1 $(CMDS:%=man/%.1)
MAN5 = man/prof-rules.5 man/prof-stream.5
MAN7 = man/prof.7 man/prof-fleet.7 man/prof-formats.7 man/prof-guide.7
EXAMPLES = $(wildcard share/examples/*)
RULES = $(wildcard share/rules/*.yaml)
FLEET = $(wildcard share/fleet/*)
MAGIC = share/magic

# ---- derived ----

VERSION := $(shell cat VERSION)
SAN ?=
B = build$(if $(SAN),-san)$(if $(STATIC),-static)

# make V=1 shows the commands.
Q = $(if $(V),,@)

COMMA := ,
# STATIC=yes links all libraries, so it has only those of which there is an archive.
STATIC ?=
archive = $(if $(STATIC),$(filter /%,$(shell $(CC) -print-file-name=lib$1.a)),yes)
has = $(if $(call archive,$1),$(shell $(PKG_CONFIG) --exists $2 2>/dev/null && echo yes))
# Within $(shell) some versions of make pass "\#" on unchanged.
HASH := \#
includes = $(shell echo "$(HASH)include <$1>" | $(CC) -E - >/dev/null 2>&1 && echo yes)

# These are optional: elfutils reads executables; libiberty demangles names; ISA-L inflates
# three times as fast as zlib; liblzma, liblz4 and libbz2 are for what xz, lz4 and bzip2 have
# compressed; prof-view draws with ncurses.
ELFUTILS ?= $(call has,dw,libdw libelf)
IBERTY ?= $(or $(call includes,libiberty/demangle.h),$(call includes,demangle.h))
ISAL ?= $(call has,isal,libisal)
LIBLZMA ?= $(call has,lzma,liblzma)
LIBLZ4 ?= $(call has,lz4,liblz4)
LIBBZ2 ?= $(if $(call archive,bz2),$(call includes,bzlib.h))
NCURSES ?= $(call has,ncursesw,ncursesw)

HAVE := $(foreach l,ELFUTILS IBERTY ISAL LIBLZMA LIBLZ4 LIBBZ2 NCURSES,$(if $(filter yes,$($l)),$l))
# Only a static program links these; the others load them when they need them.
LOADED = $(foreach l,$(HAVE),$(PC_$l))
PC_ELFUTILS = libdw libelf
PC_ISAL = libisal
PC_LIBLZMA = liblzma
PC_LIBLZ4 = liblz4
PC_NCURSES = ncursesw

PACKAGES := libzstd zlib yaml-0.1
# The C library of Alpine has no fts(3).
PACKAGES += $(shell $(PKG_CONFIG) --exists musl-fts 2>/dev/null && echo musl-fts)
PKG_CFLAGS := $(HAVE:%=-DHAVE_%) \
	$(shell $(PKG_CONFIG) --cflags-only-I $(PACKAGES) $(LOADED) 2>/dev/null)
PKG_LIBS := $(shell $(PKG_CONFIG) --libs $(if $(STATIC),--static $(LOADED)) $(PACKAGES) \
	2>/dev/null || echo -lzstd -lz -lyaml) \
	$(and $(STATIC),$(filter LIBBZ2,$(HAVE)),-lbz2) $(if $(filter IBERTY,$(HAVE)),-liberty)

# growth.c uses logarithms; on systems that have them in libc, libm is empty.
LIBS = $(PKG_LIBS) -lm

# Quotes a word for the shell.
quote = '$(subst ','\'',$1)'

# The project's own flags; the user's CFLAGS come after them.
WARN = -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
	-Wold-style-definition -Wpointer-arith -Wwrite-strings -Wformat=2 \
	-Wundef -Wvla
# The programs find their data relative to their own path, unless told otherwise here.
ifneq ($(DATADIR),$(PREFIX)/share/prof)
DEFINES = $(call quote,-DPROF_DATADIR="$(DATADIR)")
endif
# Keep the build directory out of the programs: equal sources give equal bytes.
MAP := $(shell $(CC) -ffile-prefix-map=a=b -E -xc /dev/null >/dev/null 2>&1 && echo yes)
# Our headers are "quoted": libiberty's <demangle.h> has the same name as ours.
OURS = -std=gnu11 -D_GNU_SOURCE -iquote lib -iquote $(B) $(WARN) $(DEFINES) $(if $(WERROR),-Werror) \
	$(if $(STATIC),-DPROF_STATIC -fPIE) \
	$(if $(MAP),$(call quote,-ffile-prefix-map=$(CURDIR)=.)) \
	$(if $(SAN),-fsanitize=$(SAN) -fno-sanitize-recover=all -fno-omit-frame-pointer)
# The files that are linked say whose licences a static program has.
TRACE = $(if $(STATIC),-Wl$(COMMA)--trace >$@.linked)
LINK = -pthread $(if $(STATIC),-static-pie -Wl$(COMMA)--wrap=dlopen) $(if $(SAN),-fsanitize=$(SAN))

# One program, and a link to it for each tool.
LINKS = $(CMDS:%=$(B)/bin/%)
BINS = $(B)/bin/prof $(LINKS)
OBJS = $(LIB:%.c=$(B)/%.o)
MAIN = $(B)/cmd/prof.o $(CMDS:%=$(B)/cmd/%.o)

.SUFFIXES:
.DELETE_ON_ERROR:
.SECONDARY: $(MAIN)
.PHONY: all check check-all check-san check-viewers compare-perf sum test-programs fuzz fuzz-run truth mutate \
	walks bench install install-strip uninstall clean help manual demo pictures html dist distcheck \
	static static-tarball deb formula

all: $(BINS) $(B)/share/prof/rules

$(B)/version.h: VERSION
	@mkdir -p $(@D)
	@echo '#define PROF_VERSION "$(VERSION)"' >$@

# A change of compiler or flags rebuilds everything.
COMPILE = $(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) $(OURS) $(PKG_CFLAGS)
$(B)/flags: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' $(call quote,$(COMPILE)) | cmp -s - $@ || \
		printf '%s\n' $(call quote,$(COMPILE)) >$@
FORCE:

$(B)/%.o: %.c $(B)/flags $(B)/version.h
	@mkdir -p $(@D)
	$(if $(V),,@echo '  CC    $<')
	$(Q)$(CC) $(OURS) $(PKG_CFLAGS) $(CPPFLAGS) $(CFLAGS) -pthread -MMD -MP -c -o $@ $<

# Text that a program writes as it is, as a string of C, without its comments.
$(B)/%.h: %
	@mkdir -p $(@D)
	$(Q)sed '/^[[:blank:]]*\/[/*].*$$/d; s/^[[:blank:]]*//; /^$$/d; s/[\\"]/\\&/g; s/.*/"&\\n"/' \
		$< >$@

$(B)/lib/codec/svg/page.o: $(B)/lib/codec/svg/flame.css.h $(B)/lib/codec/svg/flame.js.h

$(B)/libprof.a: $(OBJS)
	$(if $(V),,@echo '  AR    $@')
	$(Q)rm -f $@ && $(AR) rcs $@ $(OBJS)

# The names of our functions have no prefix: those of libraries in the same program must not
# meet them.
$(B)/prof.o: $(MAIN) $(B)/libprof.a
	$(Q)$(CC) $(CFLAGS) -r -nostdlib -o $@ $^
	$(Q)$(OBJCOPY) --keep-global-symbol=main --keep-global-symbol=__wrap_dlopen $@

$(B)/bin/prof: $(if $(STATIC),$(B)/prof.o,$(MAIN) $(B)/libprof.a)
	@mkdir -p $(@D)
	$(if $(V),,@echo '  LD    $@')
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $(LINK) -o $@ $^ $(LIBS) $(TRACE)

$(LINKS): $(B)/bin/prof
	@ln -sf prof $@

# Laid out as if installed.
$(B)/share/prof/rules:
	@mkdir -p $(@D)
	@ln -sf "$(CURDIR)/share/rules" $@

-include $(OBJS:.o=.d) $(MAIN:.o=.d)

clean:
	rm -rf build build-*

# ---- install ----

# bash and fish look for a file for each command.
SHELLS = $(foreach c,prof $(CMDS),$(B)/completions/$c $(B)/completions/$c.fish)

$(B)/completions/%.fish: completions/prof.fish
	@mkdir -p $(@D) && cp $< $@

$(B)/completions/%: completions/prof.bash
	@mkdir -p $(@D) && cp $< $@

define files
$(call $1,$(BINDIR),755,$(B)/bin/prof)
$(call $1,$(MANDIR)/man1,644,$(MAN1))
$(call $1,$(MANDIR)/man5,644,$(MAN5))
$(call $1,$(MANDIR)/man7,644,$(MAN7))
$(call $1,$(DATADIR)/examples,644,$(filter-out %.sh,$(EXAMPLES)))
$(call $1,$(DATADIR)/examples,755,$(filter %.sh,$(EXAMPLES)))
$(call $1,$(DATADIR)/rules,644,$(RULES))
$(call $1,$(DATADIR)/fleet,755,$(FLEET))
$(call $1,$(DATADIR)/ci,755,share/ci/prof-ci.sh)
$(call $1,$(DATADIR)/ci,644,share/ci/action.yml share/ci/gitlab.yml)
$(call $1,$(DATADIR)/agents,644,share/agents/SKILL.md)
$(call $1,$(DATADIR),644,$(MAGIC))
$(call $1,$(BASHDIR),644,$(filter-out %.fish,$(SHELLS)))
$(call $1,$(FISHDIR),644,$(filter %.fish,$(SHELLS)))
$(call $1,$(ZSHDIR),644,completions/_prof)
endef

# DIRECTORY,MODE,FILES: the directory may contain blanks.
put = $(INSTALL) -d $(call to,$1) && $(INSTALL) -m $2 $3 $(call to,$1)
take = rm -f $(foreach f,$(notdir $3),$(call to,$1/$f))
to = $(call quote,$(DESTDIR)$1)

install: all $(SHELLS)
	$(call files,put)
	@for cmd in $(CMDS); do ln -sf prof $(call to,$(BINDIR))/$$cmd || exit 1; done

# What debuggers need goes into a file that they find beside the program.
install-strip: install
	$(OBJCOPY) --only-keep-debug $(B)/bin/prof $(B)/prof.debug
	$(STRIP) $(call to,$(BINDIR)/prof)
	$(if $(DEBUG),$(INSTALL) -d $(call to,$(BINDIR)/.debug) && \
		$(INSTALL) -m 644 $(B)/prof.debug $(call to,$(BINDIR)/.debug/prof.debug) && \
		$(OBJCOPY) --add-gnu-debuglink=$(B)/prof.debug $(call to,$(BINDIR)/prof))

# Directories that others also use stay.
uninstall:
	$(call files,take)
	rm -f $(foreach c,$(CMDS),$(call to,$(BINDIR)/$c)) $(call to,$(BINDIR)/.debug/prof.debug)
	@rmdir $(call to,$(BINDIR)/.debug) 2>/dev/null || :
	@for dir in examples fleet rules ci agents ''; do \
		rmdir $(call to,$(DATADIR))/$$dir 2>/dev/null || :; \
	done

# ---- programs of the tests ----

# Each is a file of tests/, linked with the library; lines.c compares it with elfutils.
LINKED = $(addprefix $(B)/tests/,cost/measure noise/simulate noise/special damage json options \
	table $(if $(filter ELFUTILS,$(HAVE)),lines))

$(LINKED): %: %.o $(B)/libprof.a
	$(if $(V),,@echo '  LD    $@')
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $(LINK) -o $@ $^ $(LIBS)

$(B)/tests/lines: private LIBS += $(shell $(PKG_CONFIG) --libs libdw libelf)

.SECONDARY: $(LINKED:=.o)
-include $(LINKED:=.d)

# The fuzz targets, which replay files.
FUZZ_SRC = $(wildcard tests/fuzz/*.c)

$(B)/tests/fuzz/replay: $(FUZZ_SRC) $(B)/libprof.a
	@mkdir -p $(@D)
	@echo '  LD    $@'
	@$(CC) $(OURS) $(PKG_CFLAGS) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) $(LINK) -DREPLAY \
		-o $@ $^ $(LIBS)

# The program with the thread sanitizer in what its threads run; the rest is as it was built,
# without another sanitizer.
THREADED = $(wildcard lib/util/*.c lib/io/*.c lib/stream/*.c lib/codec/callgrind/*.c)
WATCHED = $(THREADED:%.c=$(B)/watched/%.o)

$(WATCHED): $(B)/watched/%.o: %.c $(B)/flags $(B)/version.h
	@mkdir -p $(@D)
	$(if $(V),,@echo '  CC    $< (watched)')
	$(Q)$(CC) $(OURS) $(PKG_CFLAGS) $(CPPFLAGS) $(CFLAGS) -O1 -fsanitize=thread -pthread \
		-MMD -MP -c -o $@ $<

$(B)/watched/prof: $(MAIN) $(WATCHED) $(B)/libprof.a
	$(if $(V),,@echo '  LD    $@')
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -fsanitize=thread $(LINK) -o $@ $^ $(LIBS)

-include $(WATCHED:.o=.d)

TEST_PROGRAMS = $(LINKED) $(B)/tests/fuzz/replay
test-programs: $(TEST_PROGRAMS)

# ---- checks ----

# Those that take longest begin first, so that none runs alone at the end.
LONG = $(patsubst %,tests/%.bats,memcheck packaging damage tests perfdata annotate man fault pprof \
	pprof_legacy contract noise merge pipeline zip)
ALL_TESTS = $(sort $(filter $(LONG),$(wildcard tests/*.bats))) \
	$(filter-out $(LONG),$(wildcard tests/*.bats))
# Tests that need compilers for other machines are in check-all only.
TESTS = $(filter-out tests/multilib.bats,$(ALL_TESTS))

# Those with the tag `format` go over formats: over one, with its own file.
ifdef FORMAT
export FORMAT
TAGGED := $(shell grep -l '^\# bats test_tags=format$$' tests/*.bats)
TESTS = $(wildcard tests/$(subst -,_,$(FORMAT)).bats) $(TAGGED)
check-%: BATS_TAGS = $(if $(filter tests/$*.bats,$(TAGGED)),--filter-tags format)
endif

# Each file says of which rooms and tools it is.
ifdef OF
TESTS := $(filter-out tests/multilib.bats,$(shell grep -lE '^\# of:.* $(OF)( |$$)' tests/*.bats))
$(if $(TESTS),,$(error OF=$(OF): expected a room of lib/ or a tool))
endif

# Each file is its own target: -k runs the others after one has failed.  The end shows the
# total of those that ran; their output is TAP.
TAP = $(B)/tap

# As many at a time as there are processors, and one more, since some wait for a terminal;
# or as -j says.
AT_ONCE = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell echo $$(($$(nproc 2>/dev/null || echo 1) + 1))))

# What does not compile ends it before a test has run, also with -k.
check:
	+@$(MAKE) --no-print-directory $(AT_ONCE) all $(TEST_PROGRAMS)
	@rm -rf $(TAP)
	+@status=0; \
	$(MAKE) --no-print-directory $(AT_ONCE) -Otarget $(TESTS:tests/%.bats=check-%) || \
		status=$$?; \
	$(MAKE) --no-print-directory sum && exit $$status

sum:
	@tests/sum $(TESTS:tests/%.bats=$(TAP)/%)

check-all:
	+@$(MAKE) --no-print-directory TESTS='$(ALL_TESTS)' check

check-%: private SHELL = bash
check-%: private .SHELLFLAGS = -o pipefail -c
check-%: tests/%.bats all $(TEST_PROGRAMS)
	@mkdir -p $(TAP)
	@PROF_BIN='$(abspath $(B)/bin)' PROF_BUILD='$(abspath $(B))' \
		BATS_FLAGS= $(BATS) $(BATS_TAGS) --tap --print-output-on-failure $< | tee $(TAP)/$*

# Not every machine and C library has this sanitizer.
check-races: $(B)/watched/prof

# Viewers open what prof-to writes.  npm fetches those that package.json names.
VIEWERS = $(B)/viewers

$(VIEWERS)/installed: tests/viewers/package.json
	@mkdir -p $(@D) && cp $< $(@D)
	cd $(@D) && npm install --no-audit --no-fund --no-package-lock
	@touch $@

check-viewers: tests/viewers/viewers.bats all $(VIEWERS)/installed
	@mkdir -p $(TAP)
	@PROF_BIN='$(abspath $(B)/bin)' PROF_BUILD='$(abspath $(B))' \
		BATS_FLAGS= $(BATS) --tap --print-output-on-failure $< | tee $(TAP)/viewers

# Recordings that perf makes of programs, and what perf itself shows of them; where the machine
# does not let it record (kernel.perf_event_paranoid), it fails.
compare-perf: all
	tests/perf/compare.py $(B)/bin $(B)/perf

# Without fault.bats, whose malloc() would replace the sanitizers', without Valgrind, which
# cannot run sanitized programs, and without a second sanitizer.
check-san:
	$(MAKE) SAN=address,undefined CFLAGS='-O1 -g' \
		TESTS='$(filter-out tests/fault.bats tests/memcheck.bats tests/races.bats,$(TESTS))' \
		check

# ---- fuzzing ----

FUZZ_CC ?= clang
SECONDS ?= 60

$(B)/tests/fuzz/fuzz: $(FUZZ_SRC) $(B)/libprof.a
	@mkdir -p $(@D)
	@echo '  LD    $@'
	@$(CC) $(OURS) $(PKG_CFLAGS) $(CFLAGS) -pthread -fsanitize=fuzzer -o $@ $^ $(LIBS)

# Adding 0 to a null pointer works in all compilers and is defined in C2y.
fuzz:
	+$(MAKE) CC='$(FUZZ_CC)' B=build-fuzz SAN=fuzzer-no-link,address,undefined \
		CFLAGS='-O1 -g -fno-sanitize=pointer-overflow' build-fuzz/tests/fuzz/fuzz
	+$(MAKE) CC='$(FUZZ_CC)' B=build-cover \
		CFLAGS='-O1 -fprofile-instr-generate -fcoverage-mapping' \
		build-cover/tests/fuzz/replay

# Each target for SECONDS; TARGETS='prof tsv' selects some.
fuzz-run: fuzz all $(B)/tests/cost/measure
	tests/fuzz/run $(SECONDS) $(TARGETS)

# Changes of one line each, in copies; ONLY='lib/codec/gmon' limits it to such files.
N ?= 300
SEED ?= 1
mutate:
	tests/mutate/run -n $(N) -s $(SEED) $(B)/mutate $(ONLY)

# What the programs print of generated programs; ONLY=top,diff limits it to these checks.
truth: all
	tests/truth/run --bin $(B)/bin --all --only '$(ONLY)' --seconds $(SECONDS) --seed $(SEED) \
		--keep $(B)/truth

# Random keys in prof-view, which must not crash, nor leave the terminal in disorder.
WALKS ?= 50
KEYS ?= 1000
walks:
	+$(MAKE) SAN=address,undefined CFLAGS='-O1 -g' all
	tests/view_walks build-san/bin $(WALKS) $(KEYS)

bench: all
	tests/bench/run $(B)/bin

# What the manuals and READMEs show of the programs; read the diff.
manual: export PATH := $(abspath $(B)/bin):$(PATH)
manual: all
	tests/formats.pl -u $(MAN1) $(MAN5) $(MAN7)
	LC_ALL=C tests/examples.pl -u $(MAN1) $(MAN5) $(MAN7) README.md
	cd share/examples && LC_ALL=C ../../tests/examples.pl -u README.md

# The tools' main uses, on a real profile that is shipped.
demo: all
	@share/demo.sh $(B)/bin

# The pictures in README.md.
PICTURES = share/pictures/tasks.svg share/pictures/tasks-sieve.svg share/pictures/view.svg
pictures: $(PICTURES)

share/pictures/tasks.svg: share/examples/tasks.pprof.gz $(BINS)
	@mkdir -p $(@D)
	$(B)/bin/prof-to --quiet svg --static --events cpu --title 'tasks.go' $< -o $@

share/pictures/tasks-sieve.svg: share/examples/tasks.pprof.gz share/examples/tasks-sieve.pprof.gz $(BINS)
	@mkdir -p $(@D)
	$(B)/bin/prof-diff --events cpu $(wordlist 1,2,$^) | \
		$(B)/bin/prof-to --quiet svg --static --title 'tasks.go with a sieve' -o $@

share/pictures/view.svg: share/examples/wordcount.callgrind.zst share/pictures/screen.py $(BINS)
	@mkdir -p $(@D)
	PATH='$(abspath $(B)/bin)':$$PATH share/pictures/screen.py 100x24 '3 j j' 'prof-view $<' >$@.new
	mv $@.new $@

html:
	@share/html/site.sh $(B)/html
	@echo 'open $(B)/html/index.html'

# ---- releases ----

# The contents of a release, listed here as a release has no git.
DIST = .ci .editorconfig .gitignore CONTRIBUTING.md LICENSE Makefile NEWS.md \
	README.md SECURITY.md VERSION cmd completions lib man share tests
NAME = prof-$(VERSION)
TARBALL = $(B)/$(NAME).tar.gz

# The same tree gives the same bytes: sorted, without owner, with the time of the
# commit or of the release that it was unpacked from.
EPOCH = $${SOURCE_DATE_EPOCH:-$$(git --git-dir=.git log -1 --format=%ct 2>/dev/null || \
	date -r VERSION +%s)}

TAR = tar --format=ustar --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --mtime="@$(EPOCH)"

dist:
	@mkdir -p $(B)
	@find $(DIST) ! -type d >$(B)/dist && LC_ALL=C sort -o $(B)/dist $(B)/dist
	@if [ -e .git ]; then \
		git diff --quiet HEAD || echo 'dist: there are changes not committed' >&2; \
		git ls-files | LC_ALL=C sort | diff - $(B)/dist || \
			{ echo 'dist: that is not what git has' >&2; exit 1; }; \
	fi
	@$(TAR) --transform='s,^,$(NAME)/,' -T $(B)/dist -cf $(TARBALL:.gz=)
	@gzip -9nf $(TARBALL:.gz=)
	@echo $(TARBALL)

# Tests the release as users get it: built, tested, installed, uninstalled, and built
# from read-only sources.
D = $(abspath $(B)/distcheck)
UNPACKED = $(MAKE) -C $(D)/$(NAME) B=$(D)/build

distcheck: dist
	[ ! -e $(D) ] || { chmod -R u+w $(D) && rm -rf $(D); }
	mkdir -p $(D) && tar -C $(D) -xzf $(TARBALL)
	chmod -R a-w $(D)/$(NAME) && touch $(D)/begin
	$(UNPACKED) check
	$(UNPACKED) DESTDIR=$(D)/root install
	$(UNPACKED) DESTDIR=$(D)/root uninstall
	! find $(D)/root ! -type d -o -name prof | grep .
	$(UNPACKED) dist
	cmp $(TARBALL) $(D)/build/$(NAME).tar.gz
	! find $(D)/$(NAME) -newer $(D)/begin | grep .
	chmod -R u+w $(D)/$(NAME)
	$(MAKE) -C $(D)/$(NAME) B=build
	for cmd in $(CMDS); do \
		cmp $(D)/build/bin/$$cmd $(D)/$(NAME)/build/bin/$$cmd || exit 1; \
	done
	@echo '$(TARBALL) is complete'

# Static programs, and what is installed beside them, for any Linux of a kind of machine.
LINUX := $(NAME)-linux-$(firstword $(subst -, ,$(shell $(CC) -dumpmachine)))

static:
	+@$(MAKE) --no-print-directory STATIC=yes B=$(B)/$(LINUX) static-tarball
	@mv $(B)/$(LINUX)/$(LINUX).tar.gz $(B)
	@cd $(B) && LC_ALL=C sha256sum $(NAME)*.tar.gz >SHA256SUMS
	@echo $(B)/$(LINUX).tar.gz

static-tarball: ROOT = $(B)/root/$(LINUX)
static-tarball: $(B)/bin/prof
	@rm -rf $(B)/root
	+@$(MAKE) --no-print-directory DESTDIR=$(B)/root PREFIX=/$(LINUX) install-strip >$(B)/log
	@mkdir -p $(ROOT)/share/doc/prof
	@cp LICENSE NEWS.md README.md $(ROOT)/share/doc/prof
	@share/static/licences.sh $(ROOT)/share/doc/prof/libraries <$(B)/bin/prof.linked
	@$(TAR) --sort=name -C $(B)/root -cf $(B)/$(LINUX).tar $(LINUX)
	@gzip -9nf $(B)/$(LINUX).tar

# The project's pages and its git repository, for the package.
HOMEPAGE ?= https://prof.invalid
VCS ?= $(HOMEPAGE)/prof.git

deb: dist
	rm -rf $(B)/deb && mkdir -p $(B)/deb
	tar -C $(B)/deb -xzf $(TARBALL)
	cp $(TARBALL) $(B)/deb/prof-tools_$(VERSION).orig.tar.gz
	cp -R share/debian $(B)/deb/$(NAME)/debian
	grep -rl 'https://prof\.invalid' $(B)/deb/$(NAME)/debian | xargs sed -i \
		's,https://prof\.invalid/prof\.git,$(VCS),; s,https://prof\.invalid/prof\>,$(VCS:.git=),; s,https://prof\.invalid,$(HOMEPAGE),'
	cd $(B)/deb/$(NAME) && MAKEFLAGS= dpkg-buildpackage -us -uc

# The formula in a release cannot have the sum of that release.
formula: dist
	@sed "s/^\(  sha256\) .*/\1 \"$$(sha256sum <$(TARBALL) | cut -d ' ' -f 1)\"/" \
		share/homebrew/prof-tools.rb >$(B)/prof-tools.rb

help:
	@sed -n '2,/^$$/s/^# \{0,1\}//p' Makefile
