/* SPDX-License-Identifier: ISC */
/*
 * Converts addresses to functions, files and lines: of an ELF executable (by elfutils'
 * libdw, if the program is built with it) or of nm(1)'s output.
 *
 * Addresses are those in the file, before it is loaded anywhere. symbol_ranges.h decides
 * which symbol has an address.
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
 * The executables of a run, for all code that opens some; it outlives their symbols.  All
 * zeros at first, except `mangled`.
 */
struct executables {
	bool mangled;		/* names stay as the linker has them */
	const char *sysroot;	/* has the files of the machine that profiles are of; NULL */
	const char *kallsyms;	/* the list of symbols of all kernels; NULL: found by build ID */
	struct symbols *shared;	/* of symbols_share() */
};

/* Does it begin like an ELF file? */
bool symbols_is_elf(const char *p, size_t n);

/* Opens an executable: NULL with the diag set if it cannot be read, is not an executable,
 * has no symbols, or the program was built without elfutils. */
struct symbols *symbols_open(struct executables *x, const char *path, struct diag *d);
/* The same for the file with status `st`, which is read only once, under any name, and
 * shared until all users have freed it.  It may have no symbols: it still shows what is
 * loaded where, and how to unwind stacks. */
struct symbols *symbols_share(struct executables *x, const char *path, const struct stat *st,
    struct diag *d);
/* The same for lines of a text: line() makes a symbol of a line, which it may change;
 * false: it has none.  Addresses are assigned by size, or by order (symbol_ranges.h). */
enum symbols_listed { SYMBOLS_LISTED, SYMBOLS_LISTED_IN_ORDER };
struct symbols *symbols_listed(struct executables *x, const char *path,
    enum symbols_listed how, bool (*line)(void *arg, char *line, struct symbol *), void *arg,
    struct diag *d);
/* The same for symbols that are added one by one, with copies of their names.  Completing
 * them frees them if there are none: NULL with the diag set. */
struct symbols *symbols_begin(struct executables *x, const char *path);
void symbols_add(struct symbols *s, const struct symbol *sym);
struct symbols *symbols_complete(struct symbols *s, struct diag *d);
void symbols_free(struct symbols *s);

const char *symbols_path(const struct symbols *s);

/* Sets the rule from now on; at first it is by size. */
enum symbols_rule { SYMBOLS_BY_SIZE, SYMBOLS_AS_GPROF, SYMBOLS_RULES };
void symbols_set_rule(struct symbols *s, enum symbols_rule rule);

/* Returns the function that an address is in; NULL: none. */
const struct symbol *symbols_find(const struct symbols *s, uint64_t addr);
/* Returns where the code of that function around the address ends; without a function,
 * where the next one begins, or UINT64_MAX. */
uint64_t symbols_end(const struct symbols *s, uint64_t addr);
/* All symbols, by address, under any rule. */
size_t symbols_count(const struct symbols *s);
const struct symbol *symbols_at(const struct symbols *s, size_t i);

/* From now on symbols of one name are one function, wherever they are: for addresses of one
 * run. */
void symbols_join_names(struct symbols *s);

/* Do names stay as the linker has them? */
bool symbols_are_mangled(const struct symbols *s);
/* Returns the demangled name of a symbol, which the caller frees; NULL: the linker's name
 * is used. */
char *symbols_demangle(const struct symbols *s, const struct symbol *sym);

/* Has another symbol, elsewhere, the same name: static functions of two files? */
bool symbols_has_twin(struct symbols *s, size_t i);

/* Are any lines known? */
bool symbols_has_lines(const struct symbols *s);
/* Sets the source of an address: false if it is not known.  A path is valid until the next
 * call. */
bool symbols_line(struct symbols *s, uint64_t addr, const char **file, uint64_t *line);

/* The functions that are inlined at an address: elf_inlined_find(). */
void symbols_inlined(struct symbols *s, uint64_t addr, bool files, inlined_put *put,
    void *arg);

/* Returns the file of the function that begins at an address; NULL if it is not known. */
const char *symbols_file(struct symbols *s, uint64_t addr);

/* Sets *addr to the address in the file of the byte at an offset: false if it is not
 * known. */
bool symbols_addr(const struct symbols *s, uint64_t offset, uint64_t *addr);

/* Returns how a stack is unwound from an address of the file; NULL, as elf_unwind_row(). */
const struct unwind_row *symbols_row(const struct symbols *s, enum unwind_machine machine,
    uint64_t addr);

/* Adds the build ID in lower-case hex; false if there is none. */
bool symbols_build_id(const struct symbols *s, struct buf *b);

/* Are offsets of the file those of loaded segments?  They are not in nm(1)'s output, and
 * not in a separate file of debug information, whose segments are elsewhere. */
bool symbols_has_offsets(const struct symbols *s);

/* Are they all that the file had, not those of the dynamic linker alone, as of a stripped
 * library? */
bool symbols_has_all(const struct symbols *s);

/* Are they of an executable, not of what nm(1) has written? */
bool symbols_has_code(const struct symbols *s);

/* Is an address in code? */
bool symbols_in_code(const struct symbols *s, uint64_t addr);

/* Adds the libraries that read symbols, for --version: "elfutils 0.188". */
void symbols_version(struct buf *b);

#endif
