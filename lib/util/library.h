/* SPDX-License-Identifier: ISC */
/*
 * Libraries that most runs do not need: each is loaded when it is first used, as its
 * mapping and relocation at every start would cost a quarter of a short run.  The file
 * that includes its header lists the functions that it calls, and calls them by pointers:
 *
 *	#define LIBLZMA(F) F(lzma_code) F(lzma_end)
 *	LIBRARY(liblzma, LIBLZMA, "liblzma.so.5");
 *
 *	if ((why = library_load(&liblzma_library)))
 *		...
 *	liblzma.lzma_end(z);
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

/* NULL once it is loaded, which it stays; else why it is not: a text as dlerror(3) has
 * it, which lives as long as the library.  Any thread may call it. */
const char *library_load(struct library *l);

/* `name`, a structure of pointers to the functions, all NULL until library_load() of
 * `name`_library has succeeded.  The other arguments are the names of the file. */
/* They are of the process, as what dlopen(3) loads is, and never change again. */
#define LIBRARY(name, functions_of, ...) \
	LIBRARY_TYPE(name, functions_of); \
	static struct name##_functions name; \
	static struct library name##_library = LIBRARY_INIT(name, functions_of, __VA_ARGS__)

/* Its parts, where several files share one. */
#define LIBRARY_TYPE(name, functions_of) \
	struct name##_functions { functions_of(LIBRARY_POINTER) }
#define LIBRARY_INIT(name, functions_of, ...) { \
	.files = (const char *const[]){ __VA_ARGS__, NULL }, \
	.names = (const char *const[]){ functions_of(LIBRARY_NAME) NULL }, \
	.functions = &name, \
}
#define LIBRARY_POINTER(f) __typeof__(&f) f;
#define LIBRARY_NAME(f) #f,

#endif
