/* SPDX-License-Identifier: ISC */
/*
 * Records the functions that a test runs: tests/mutate/run puts this file and an assignment
 * to prof_seen[] in each function into a copy of the library.  The bytes are a file in
 * $PROF_SEEN for each test, which all processes of the test share, so that killed ones
 * count as well.  It calls nothing of libc, parts of which some tests replace.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { FUNCTIONS = 1 << 14 };

static char nowhere[FUNCTIONS];
char *prof_seen = nowhere;

static void __attribute__((constructor))
open_seen(void)
{
	const char *dir = getenv("PROF_SEEN"), *file = getenv("BATS_TEST_FILENAME"),
	    *number = getenv("BATS_TEST_NUMBER");
	char path[4096];
	long fd, map;

	if (!dir || !file)
		return;
	file = strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
	snprintf(path, sizeof path, "%s/%s.%s", dir, file, number && *number ? number : "0");
	fd = syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT, 0666);
	if (fd < 0)
		return;
	if (syscall(SYS_ftruncate, fd, (long)FUNCTIONS) == 0) {
		map = syscall(SYS_mmap, 0L, (long)FUNCTIONS, (long)(PROT_READ | PROT_WRITE),
		    (long)MAP_SHARED, fd, 0L);
		if (map != -1)
			prof_seen = (char *)map;
	}
	syscall(SYS_close, fd);
}
