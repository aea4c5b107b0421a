/* SPDX-License-Identifier: ISC */
/*
 * Converts addresses of an executable to definitions of the dictionary: functions with
 * demangled names, their files and lines.
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
/* Returns the object of the executable; its functions are in that, or in the object under
 * which a profile has it. */
uint32_t symbolize_object(const struct symbolizer *r);
/* Is an object the executable?  If both have a build ID, that shows it; otherwise the name,
 * as the executable may have been moved since. */
bool symbolize_is_object(const struct symbolizer *r, uint32_t object);
/* Has it the executable's name, but another build ID? */
bool symbolize_is_other_build(const struct symbolizer *r, uint32_t object);
/* Warns of that: the executable is not used for the object. */
void symbolize_report_other_build(const struct symbolizer *r, uint32_t object, struct diag *d);
void symbolize_set_object(struct symbolizer *r, uint32_t object);
/* From now on functions have no files, as finding them reads debug information. */
void symbolize_without_files(struct symbolizer *r);
/* Sets the attributes of functions from now on. */
void symbolize_set_attrs(struct symbolizer *r, struct text attrs);

/*
 * Sets *func to the function that an address is in, which is put into the sink if it is
 * new: 1; 0: there is none; -1 if the sink fails.  Its name is demangled; its key is the
 * linker's name, if that differs, or its address, if the executable has several functions
 * of that name.
 */
int symbolize_func(struct symbolizer *r, struct sink *out, uint64_t addr, uint64_t *func);

/*
 * The reverse: sets *addr to the address of a function, by the linker's name or the address
 * in its key, otherwise by its name, in which that of a level of recursion (fib'2) stands
 * for fib.
 * False: the executable has none or several.
 */
bool symbolize_addr(struct symbolizer *r, uint64_t func, uint64_t *addr);

/*
 * Sets v to the functions that were inlined at an address, outermost first, with the place
 * where each is called, and puts new definitions into the sink.  Returns their number, at
 * most `most`; -1 if the sink fails. files: functions have files, and calls lines;
 * otherwise neither.
 */
struct symbolize_inlined {
	uint32_t func, call_file;	/* NO_ID: unknown */
	uint64_t call_line;	/* 0: unknown */
};
int symbolize_inlined(struct symbolizer *r, struct sink *out, uint64_t addr,
    bool files, struct symbolize_inlined *v, size_t most);

/* Sets the source of an address: absent fields, with 0 as the line, if it is not known. */
void symbolize_source(struct symbolizer *r, uint64_t addr, struct field *file,
    struct field *line);

#endif
