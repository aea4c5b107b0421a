/* SPDX-License-Identifier: ISC */
/*
 * From addresses to functions, files and lines: of an ELF executable (elfutils'
 * libdw, where the program is built with it) or of nm(1)'s output.
 *
 * Addresses are those that the file has, before it is loaded anywhere.  Which code is
 * whose says symbol_ranges.h.
 */
#ifndef PROF_SYMBOL_SYMBOLS_H
#define PROF_SYMBOL_SYMBOLS_H

#include <stdint.h>
#include <sys/stat.h>

#include "symbol/elf_inlined.h"
#include "symbol/symbol.h"
#include "symbol/unwind.h"
#include "util/diag.h"

struct symbols;

/*
 * The executables of a run, for all that open some of them; it outlives their symbols.
 * All zeros at first, but for `mangled`.
 */
struct executables {
	bool mangled;		/* names stay as the linker has them */
	struct symbols *shared;	/* of symbols_share() */
};

/* Does it begin as an ELF file does? */
bool symbols_is_elf(const char *p, size_t n);

/* NULL with the diag set: it cannot be read, is no executable, has no symbols,
 * or the program was built without elfutils. */
struct symbols *symbols_open(struct executables *x, const char *path, struct diag *d);
/* The same of the file that `st` is of, which is read once, whatever it is called: by all
 * who ask for it, as long as one of them has not freed it.  It may have no symbols: then it
 * still says what is loaded where, and how to unwind stacks. */
struct symbols *symbols_share(struct executables *x, const char *path, const struct stat *st,
    struct diag *d);
/* The same of lines of a text: line() makes a symbol of one, which it may change; false:
 * it is of none.  Which code is whose goes by size, or by order (symbol_ranges.h). */
enum symbols_listed { SYMBOLS_LISTED, SYMBOLS_LISTED_IN_ORDER };
struct symbols *symbols_listed(struct executables *x, const char *path,
    enum symbols_listed how, bool (*line)(void *arg, char *line, struct symbol *), void *arg,
    struct diag *d);
void symbols_free(struct symbols *s);

const char *symbols_path(const struct symbols *s);

/* By which rule from now on; at first by size. */
enum symbols_rule { SYMBOLS_BY_SIZE, SYMBOLS_AS_GPROF, SYMBOLS_RULES };
void symbols_set_rule(struct symbols *s, enum symbols_rule rule);

/* The function that an address is in; NULL. */
const struct symbol *symbols_find(const struct symbols *s, uint64_t addr);
/* Where the code of that function ends that the address is in; without a function, where
 * the first one after it begins, or UINT64_MAX. */
uint64_t symbols_end(const struct symbols *s, uint64_t addr);
/* All of them, by address, whatever the rule. */
size_t symbols_count(const struct symbols *s);
const struct symbol *symbols_at(const struct symbols *s, size_t i);

/* From now on symbols of one name are one function, wherever they are: where addresses are
 * those of one run. */
void symbols_join_names(struct symbols *s);

/* Do names stay as the linker has them? */
bool symbols_are_mangled(const struct symbols *s);
/* The name that people know a symbol by, to be freed; NULL: it is the linker's. */
char *symbols_demangle(const struct symbols *s, const struct symbol *sym);

/* Has another one, elsewhere, the name of this one: static functions of two files? */
bool symbols_has_twin(struct symbols *s, size_t i);

/* Are lines of anything known? */
bool symbols_has_lines(const struct symbols *s);
/* The source of an address: false if it is not known.  A path is good until the
 * next question. */
bool symbols_line(struct symbols *s, uint64_t addr, const char **file, uint64_t *line);

/* The functions that are inlined at an address: elf_inlined_find(). */
void symbols_inlined(struct symbols *s, uint64_t addr, bool files, inlined_put *put,
    void *arg);

/* The file of the function that begins at an address; NULL if it is not known. */
const char *symbols_file(struct symbols *s, uint64_t addr);

/* The address in the file of the byte at an offset of it: false if it is not known. */
bool symbols_addr(const struct symbols *s, uint64_t offset, uint64_t *addr);

/* How a stack is unwound from an address of the file; NULL, as elf_unwind_row(). */
const struct unwind_row *symbols_row(const struct symbols *s, enum unwind_machine machine,
    uint64_t addr);

/* Adds the build ID in lower-case hex; false if there is none. */
bool symbols_build_id(const struct symbols *s, struct buf *b);

/* Are offsets of the file those of what is loaded?  They are not of what nm(1) has written,
 * and not of a separate file of debug information, whose segments lie elsewhere. */
bool symbols_has_offsets(const struct symbols *s);

/* Are they of an executable, not of what nm(1) has written? */
bool symbols_has_code(const struct symbols *s);

/* Is an address in code? */
bool symbols_in_code(const struct symbols *s, uint64_t addr);

/* Adds what there is to read them with, for --version: "elfutils 0.188". */
void symbols_version(struct buf *b);

#endif
