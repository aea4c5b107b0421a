/* SPDX-License-Identifier: ISC */
/*
 * Libraries that most runs do not need.  Each is loaded when it is first used, since
 * mapping and relocating it at every start would cost a quarter of a short run.  The file
 * that includes the library's header lists the functions that it calls, and calls them by
 * pointers:
 *
 *	#define LIBLZMA(F) F(lzma_code) F(lzma_end)
 *	LIBRARY(liblzma, LIBLZMA, "liblzma.so.5");
 *
 *	if ((why = library_load(&liblzma_library)))
 *		...
 *	liblzma.lzma_end(z);
 *
 * A static program (PROF_STATIC) has all of them linked, and loads nothing.
 */
#ifndef PROF_UTIL_LIBRARY_H
#define PROF_UTIL_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

struct library {
	const char *const *files;	/* its names, NULL after the last: the first that is
					 * found is loaded */
	const char *const *names;	/* of the functions, NULL after the last */
	void *functions;		/* a pointer for each of them */
	bool tried;
	char why[200];			/* the first failure; "" if there was none */
};

/* Loads the library, which then stays loaded: NULL, or the reason of the failure, a text as
 * from dlerror(3) that lives as long as the library.  Any thread may call it. */
const char *library_load(struct library *l);

/* Defines `name`, a structure of pointers to the functions, to use after library_load() of
 * `name`_library has succeeded.  The other arguments are names of the library's file.  These
 * belong to the process, like everything that dlopen(3) loads, and never change again. */
#define LIBRARY(name, functions_of, ...) \
	LIBRARY_TYPE(name, functions_of); \
	static LIBRARY_FUNCTIONS(name, functions_of); \
	static struct library name##_library = LIBRARY_INIT(name, functions_of, __VA_ARGS__)

/* The parts of LIBRARY(), for a library that several files share. */
#define LIBRARY_TYPE(name, functions_of) \
	struct name##_functions { functions_of(LIBRARY_POINTER) }
#ifdef PROF_STATIC
#define LIBRARY_FUNCTIONS(name, functions_of) \
	struct name##_functions name = { functions_of(LIBRARY_ADDRESS) }
#else
#define LIBRARY_FUNCTIONS(name, functions_of) struct name##_functions name
#endif
#define LIBRARY_INIT(name, functions_of, ...) { \
	.files = (const char *const[]){ __VA_ARGS__, NULL }, \
	.names = (const char *const[]){ functions_of(LIBRARY_NAME) NULL }, \
	.functions = &name, \
}
#define LIBRARY_POINTER(f) __typeof__(&f) f;
#define LIBRARY_ADDRESS(f) .f = &f,
#define LIBRARY_NAME(f) #f,

#endif
