/* SPDX-License-Identifier: ISC */
#include "symbol/demangle.h"

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined HAVE_IBERTY
#if __has_include(<libiberty/demangle.h>)
#include <libiberty/demangle.h>
#else
#include <demangle.h>	/* Fedora's place for it */
#endif

#include "util/buf.h"
#include "util/mem.h"
#endif

#if defined HAVE_IBERTY
/* Called before libiberty ends a program for lack of memory; installed headers of it do not
 * declare it. */
extern void (*_xexit_cleanup)(void);

static void
no_memory(void)
{
	mem_fail(0);
}

/* A name under construction. */
struct grown {
	struct buf text;
	jmp_buf stop;
};

/* Adds to a name.  Parts of a mangled name refer to earlier ones, so that the result may
 * double with each five bytes. libiberty cannot be told to stop; all that it holds is on
 * the stack. */
static void
add(const char *s, size_t n, void *to)
{
	struct grown *g = to;

	if (n > DEMANGLE_LONGEST - g->text.n)
		longjmp(g->stop, 1);
	buf_add(&g->text, s, n);
}

typedef int demangler(const char *, int, demangle_callbackref, void *);

static bool
grow(struct grown *g, demangler *read, const char *name)
{
	return !setjmp(g->stop) && read(name, DMGL_PARAMS | DMGL_ANSI, add, g);
}

/* Demangles into a buffer of ours, so that lack of memory is not taken for an unreadable
 * name. */
static char *
by(demangler *read, const char *name)
{
	struct grown g = { .text = { 0 } };

	if (grow(&g, read, name)) {
		buf_str(&g.text);
		return g.text.s;
	}
	buf_free(&g.text);
	return NULL;
}

/* ---- D ---- */

#define D_MOST (1 << 20)	/* the largest apparent length in bytes */

/* Returns the length of a reference of D's, "Q" and a number to the base of 26 whose last
 * digit is a small letter, and sets how far back it goes; 0: it is not one. */
static size_t
d_reference(const char *s, size_t *back)
{
	size_t n = 1;

	if (*s != 'Q')
		return 0;
	for (*back = 0; s[n] >= 'A' && s[n] <= 'Z' && *back < D_MOST; n++)
		*back = *back * 26 + (size_t)(s[n] - 'A');
	if (s[n] < 'a' || s[n] > 'z')
		return 0;
	*back = *back * 26 + (size_t)(s[n] - 'a');
	return n + 1;
}

/* Returns a bound of the bytes that a reference from `at` to `to` stands for: a name begins
 * with its length, a type ends before the reference. */
static uint64_t
d_referred(const char *name, const uint64_t *bytes, size_t at, size_t to)
{
	uint64_t n;

	if (name[to] < '0' || name[to] > '9')
		return bytes[at] - bytes[to];
	n = strtoull(name + to, NULL, 10);
	return n < D_MOST ? n : D_MOST + 1;
}

/* May a name of D's become too long? dlang_demangle() has no callback to stop it.  Counts
 * bytes of names, and of everything that is referred to. */
static bool
d_is_long(const char *name)
{
	size_t n = strlen(name), i, k, len, back;
	uint64_t *bytes;	/* by place: of the text before it */
	bool is_long;

	if (n > DEMANGLE_LONGEST)
		return true;
	bytes = mem_alloc(n + 1, sizeof *bytes);
	for (i = 0; i < n && bytes[i] <= D_MOST; i += len) {
		len = d_reference(name + i, &back);
		for (k = 1; k < len; k++)
			bytes[i + k] = bytes[i];
		if (!len)
			bytes[i + (len = 1)] = bytes[i] + 1;
		else
			bytes[i + len] = bytes[i] + (back && back <= i ?
			    d_referred(name, bytes, i, i - back) : 0);
	}
	is_long = bytes[i] > D_MOST;
	free(bytes);
	return is_long;
}

/* Demangles a whole name. */
static char *
demangle_name(const char *name)
{
	char *s = NULL;

	/* Only a name that begins as mangled names do: "d" is not a type here.  Rust's old
	 * names are C++'s with a hash; looking for it in all names would be expensive. */
	if (name[1] == 'R' || (name[1] == 'Z' && strstr(name, "17h")))
		s = by(rust_demangle_callback, name);
	if (name[1] == 'Z' && !s)
		s = by(cplus_demangle_v3_callback, name);
	if (name[1] == 'D' && !d_is_long(name)) {
		_xexit_cleanup = no_memory;
		s = dlang_demangle(name, DMGL_PARAMS | DMGL_ANSI);
		if (s && strlen(s) > DEMANGLE_LONGEST) {
			free(s);
			s = NULL;
		}
	}
	return s;
}

/* Demangles a name that linkers, or we, have extended by the version of its library, or by
 * "@plt". */
static char *
demangle_versioned(const char *name, const char *version)
{
	char *base = mem_copy(name, (size_t)(version - name)), *s = demangle_name(base);
	struct buf b = { 0 };

	free(base);
	if (!s)
		return NULL;
	buf_printf(&b, "%s%s", s, version);
	free(s);
	return b.s;
}
#endif

char *
demangle(const char *name)
{
#if defined HAVE_IBERTY
	const char *version;

	if (name[0] != '_')
		return NULL;
	version = strchr(name, '@');
	return version ? demangle_versioned(name, version) : demangle_name(name);
#else
	(void)name;
	return NULL;
#endif
}

const char *
demangle_version(void)
{
#if defined HAVE_IBERTY
	return "libiberty";
#else
	return "no libiberty: names are not demangled";
#endif
}
