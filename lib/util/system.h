/* SPDX-License-Identifier: ISC */
/* Calls that systems have under other names, in other forms or not at all. */
#ifndef PROF_UTIL_SYSTEM_H
#define PROF_UTIL_SYSTEM_H

#include <fcntl.h>
#include <locale.h>		/* with uselocale(3) of POSIX.1-2008 */
#include <stdlib.h>
#include <unistd.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif
#ifdef __GLIBC__
#include <malloc.h>
#endif

#ifdef __APPLE__
struct system_order {
	int (*compare)(const void *, const void *, void *);
	void *arg;
};

static inline int
system_compare(void *order, const void *a, const void *b)
{
	const struct system_order *o = order;

	return o->compare(a, b, o->arg);
}
#endif

/* qsort_r() of POSIX.1-2024. */
static inline void
system_sort(void *v, size_t n, size_t size, int (*compare)(const void *, const void *, void *),
    void *arg)
{
#ifdef __APPLE__
	struct system_order o = { compare, arg };

	qsort_r(v, n, size, &o, system_compare);
#else
	qsort_r(v, n, size, compare, arg);
#endif
}

/* pipe(2), of descriptors that programs which are executed do not have. */
static inline int
system_pipe(int fd[2])
{
#ifdef __APPLE__
	return pipe(fd) < 0 || fcntl(fd[0], F_SETFD, FD_CLOEXEC) < 0 ||
	    fcntl(fd[1], F_SETFD, FD_CLOEXEC) < 0 ? -1 : 0;
#else
	return pipe2(fd, O_CLOEXEC);
#endif
}

/* Returns the bytes of the heap that are in use, or 0 where the C library does not tell. */
static inline size_t
system_heap(void)
{
#if !defined __GLIBC__
	return 0;
#elif __GLIBC_PREREQ(2, 33)
	return mallinfo2().uordblks;
#else
	return (unsigned)mallinfo().uordblks;
#endif
}

#endif
