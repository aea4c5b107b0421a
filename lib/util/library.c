/* SPDX-License-Identifier: ISC */
#include "util/library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#ifdef PROF_STATIC

const char *
library_load(struct library *l)
{
	(void)l;
	return NULL;
}

/* The linker puts this in place of dlopen(), which elfutils calls for its client of debuginfod:
 * libraries of the machine may need another C library than the one that is linked. */
void *__wrap_dlopen(const char *file, int mode);

void *
__wrap_dlopen(const char *file, int mode)
{
	(void)file, (void)mode;
	return NULL;
}

#else

static void
fail(struct library *l)
{
	const char *why = dlerror();

	snprintf(l->why, sizeof l->why, "%s", why ? why : l->files[0]);
}

/* The failure that is reported is that of the first name. */
static void *
open_library(struct library *l)
{
	const char *const *file;
	void *handle;

	for (file = l->files; *file; file++) {
		if ((handle = dlopen(*file, RTLD_NOW | RTLD_LOCAL))) {
			l->why[0] = '\0';
			return handle;
		}
		if (file == l->files)
			fail(l);
	}
	return NULL;
}

static void
find_functions(struct library *l, void *handle)
{
	char *at = l->functions;
	void *f;
	size_t i;

	for (i = 0; l->names[i]; i++, at += sizeof f) {
		if (!(f = dlsym(handle, l->names[i]))) {
			fail(l);
			return;
		}
		memcpy(at, &f, sizeof f);
	}
}

const char *
library_load(struct library *l)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	void *handle;

	pthread_mutex_lock(&lock);
	if (!l->tried && (handle = open_library(l)))
		find_functions(l, handle);
	l->tried = true;
	pthread_mutex_unlock(&lock);
	return l->why[0] ? l->why : NULL;
}

#endif
