/* SPDX-License-Identifier: ISC */
/*
 * Addresses of an executable to definitions of the dictionary: its functions
 * with the names that people know them by, their files and lines.
 */
#ifndef PROF_SYMBOL_SYMBOLIZE_H
#define PROF_SYMBOL_SYMBOLIZE_H

#include "stream/dict.h"
#include "symbol/symbols.h"

struct symbolizer;

/* Takes the symbols over. */
struct symbolizer *symbolize_new(struct symbols *s, struct dict *d);
void symbolize_free(struct symbolizer *r);

const struct symbols *symbolize_symbols(const struct symbolizer *r);
void symbolize_set_rule(struct symbolizer *r, enum symbols_rule rule);
/* The executable as an object; its functions are of that one, or of the one that
 * a profile knows it by. */
uint32_t symbolize_object(const struct symbolizer *r);
/* Is an object the executable?  Where it lay when it was profiled, it may lie no
 * more: its name must do. */
bool symbolize_is_object(const struct symbolizer *r, uint32_t object);
void symbolize_set_object(struct symbolizer *r, uint32_t object);
/* Functions have no files from now on: finding them reads debug information. */
void symbolize_without_files(struct symbolizer *r);
/* The attributes of functions from now on. */
void symbolize_set_attrs(struct symbolizer *r, struct text attrs);

/*
 * The function that an address is in, put into the sink when it is new: 1; 0:
 * there is none; -1 if the sink fails.  Its name is demangled; its key is the
 * linker's name, where that is another, or its address, where the executable
 * has several functions of that name.
 */
int symbolize_func(struct symbolizer *r, struct sink *out, uint64_t addr, uint64_t *func);

/*
 * The way back: the address of a function, by the linker's name that its key
 * is, or else by its name, that of a level of recursion (fib'2) being fib.
 * false: the executable has none or several.
 */
bool symbolize_addr(struct symbolizer *r, uint64_t func, uint64_t *addr);

/*
 * The functions that were inlined at an address, the outermost first, put into the sink when
 * they are new, and where each is called: how many there are, at most `most`; -1 if the sink
 * fails.  files: functions have files, and calls lines; else none.
 */
struct symbolize_inlined {
	uint32_t func, call_file;	/* NO_ID: not known */
	struct field call_line;
};
int symbolize_inlined(struct symbolizer *r, struct sink *out, uint64_t addr,
    bool files, struct symbolize_inlined *v, size_t most);

/* The source of an address: absent fields if it is not known. */
void symbolize_source(struct symbolizer *r, uint64_t addr, struct field *file,
    struct field *line);

#endif
