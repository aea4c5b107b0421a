/* SPDX-License-Identifier: ISC */
/*
 * Functions as files whose lines are instructions.  If the executable of an object cannot
 * be used, the object is one function, whose lines are not known.
 */
#ifndef PROF_VIEW_ANNOTATE_CODE_H
#define PROF_VIEW_ANNOTATE_CODE_H

#include "source.h"
#include "symbol/object_code.h"

struct code_pages;

/* The arguments must outlive it. */
struct code_pages *code_pages_new(struct dict *dict, struct code *code,
    const struct source_search *search);
void code_pages_free(struct code_pages *c);	/* takes NULL */

/* Sets *file to the number of the function that an address of the profile is in, and *line
 * to the address in the executable. addr: the dictionary's string. */
void code_pages_place(struct code_pages *c, uint32_t object, uint32_t addr,
    uint32_t *file, uint64_t *line);

/* Returns the function's name, "???" for all functions without a symbol between two that
 * have one; and its object. */
struct text code_pages_name(const struct code_pages *c, uint32_t file);
bool code_pages_has_name(const struct code_pages *c, uint32_t file);
uint32_t code_pages_object(const struct code_pages *c, uint32_t file);

/*
 * Disassembles a function: the lines of `s` become its instructions, and those of the n
 * addresses `at`, in order, at which no instruction begins. s->path is the executable's; if
 * it is empty, s->why lives as long as the pages.  0, or -1 with the diag set.
 */
int code_pages_find(struct code_pages *c, uint32_t file, const uint64_t *at, size_t n,
    struct source *s, struct diag *d);

/* Can the function be disassembled? */
bool code_pages_can(const struct code_pages *c, uint32_t file);

/* Does the profile have another function at that address, so that the executable is another
 * build? */
bool code_pages_is_odd(const struct code_pages *c, uint32_t file);

/* Returns the object's executable. */
const struct code_object *code_pages_of(const struct code_pages *c, uint32_t file);

#endif
