/* SPDX-License-Identifier: ISC */
/*
 * Functions as files whose lines are instructions.  Where the executable of an object
 * cannot be used, the object is one function, whose lines are not known.
 */
#ifndef PROF_VIEW_ANNOTATE_CODE_H
#define PROF_VIEW_ANNOTATE_CODE_H

#include "source.h"
#include "symbol/object_code.h"

struct code_pages;

/* All outlive it. */
struct code_pages *code_pages_new(struct dict *dict, struct code *code,
    const struct source_search *search);
void code_pages_free(struct code_pages *c);	/* takes NULL */

/* The number of the function that an address of the profile is in, as a file, and the
 * address in the executable, as a line.  addr: the dictionary's string. */
void code_pages_place(struct code_pages *c, uint32_t object, uint32_t addr,
    uint32_t *file, uint64_t *line);

/* Its name, "???" for all functions without a symbol between two that have one, and the
 * object that it is in. */
struct text code_pages_name(const struct code_pages *c, uint32_t file);
bool code_pages_has_name(const struct code_pages *c, uint32_t file);
uint32_t code_pages_object(const struct code_pages *c, uint32_t file);

/*
 * Disassembles a function: the lines of `s` are its instructions, and the addresses
 * among n of `at`, in order, at which none begins.  s->path is that of the executable;
 * if it is empty, s->why is good as long as the pages.  0, or -1 with the diag set.
 */
int code_pages_find(struct code_pages *c, uint32_t file, const uint64_t *at, size_t n,
    struct source *s, struct diag *d);

/* Can it be? */
bool code_pages_can(const struct code_pages *c, uint32_t file);

/* Has the profile another function there, as the executable is another build? */
bool code_pages_is_odd(const struct code_pages *c, uint32_t file);

/* The object's executable. */
const struct code_object *code_pages_of(const struct code_pages *c, uint32_t file);

#endif
