# Everything that is built goes to build/ (build-$(SAN) with SAN=...).
#
#	make			the programs
#	make check		the tests
#	make install		to $(DESTDIR)$(PREFIX)
#	make bench		speed, side by side with other programs
#	make help		all targets

CC ?= cc
CFLAGS ?= -O2 -g
LDFLAGS ?=
PKG_CONFIG ?= pkg-config
BATS ?= bats
INSTALL ?= install

PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
MANDIR ?= $(PREFIX)/share/man
DATADIR ?= $(PREFIX)/share/prof
DOCDIR ?= $(PREFIX)/share/doc/prof

CMDS = prof-cat prof-grep prof-to prof-top

LIB = \
	lib/buf.c \
	lib/codec.c \
	lib/codec/callgrind/callgrind.c \
	lib/codec/callgrind/names.c \
	lib/codec/callgrind/read.c \
	lib/codec/callgrind/write.c \
	lib/codec/prof.c \
	lib/diag.c \
	lib/dict.c \
	lib/event.c \
	lib/field.c \
	lib/filter/events.c \
	lib/filter/grep.c \
	lib/filter/where.c \
	lib/graph.c \
	lib/input.c \
	lib/loss.c \
	lib/match.c \
	lib/mem.c \
	lib/num.c \
	lib/opt.c \
	lib/output.c \
	lib/pump.c \
	lib/rank.c \
	lib/record.c \
	lib/schema.c \
	lib/table.c \
	lib/tool.c \
	lib/view.c \
	lib/zip.c

MAN1 = $(CMDS:%=man/%.1)
MAN5 = man/prof-stream.5
MAN7 = man/prof.7

# ---- what is derived ----

VERSION := $(shell cat VERSION)
SAN ?=
B = build$(if $(SAN),-$(SAN))
comma = ,

PACKAGES = libzstd zlib
PKG_CFLAGS := $(shell $(PKG_CONFIG) --cflags $(PACKAGES) 2>/dev/null)
PKG_LIBS := $(shell $(PKG_CONFIG) --libs $(PACKAGES) 2>/dev/null || echo -lzstd -lz)

# The project's own; the user's CFLAGS come after them.
WARN = -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
	-Wold-style-definition -Wpointer-arith -Wwrite-strings -Wformat=2 \
	-Wundef -Wvla
OURS = -std=gnu11 -D_GNU_SOURCE -Ilib -I$(B) $(WARN) $(if $(WERROR),-Werror) \
	$(if $(SAN),-fsanitize=$(SAN) -fno-sanitize-recover=all -fno-omit-frame-pointer)
LINK = -pthread $(if $(SAN),-fsanitize=$(SAN))

BINS = $(CMDS:%=$(B)/bin/%)
OBJS = $(LIB:%.c=$(B)/%.o)

.SUFFIXES:
.DELETE_ON_ERROR:
.PHONY: all check check-san bench install uninstall clean help demo

all: $(BINS)

$(B)/version.h: VERSION
	@mkdir -p $(@D)
	@echo '#define PROF_VERSION "$(VERSION)"' >$@

# Another compiler or other flags build anew.
$(B)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) $(OURS)' | cmp -s - $@ || \
		echo '$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) $(OURS)' >$@
FORCE:

$(B)/%.o: %.c $(B)/flags $(B)/version.h
	@mkdir -p $(@D)
	@echo '  CC    $<'
	@$(CC) $(OURS) $(PKG_CFLAGS) $(CPPFLAGS) $(CFLAGS) -pthread -MMD -MP -c -o $@ $<

$(B)/libprof.a: $(OBJS)
	@echo '  AR    $@'
	@rm -f $@ && $(AR) rcs $@ $(OBJS)

$(B)/bin/%: $(B)/cmd/%.o $(B)/libprof.a
	@mkdir -p $(@D)
	@echo '  LD    $@'
	@$(CC) $(CFLAGS) $(LDFLAGS) $(LINK) -o $@ $^ $(PKG_LIBS)

-include $(OBJS:.o=.d) $(CMDS:%=$(B)/cmd/%.d)

clean:
	rm -rf build build-*
