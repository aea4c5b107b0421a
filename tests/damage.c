/* SPDX-License-Identifier: ISC */
/*
 * Decodes damaged copies of a file, all in one process, and prints which of them are
 * accepted as complete, without a note that they may be truncated:
 *
 *	damage cut FILE		the lengths at which it can be truncated
 *	damage flip FILE	the bits whose flip gives another profile; then the
 *				number of bits, when all were tried
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "codec/input_set.h"
#include "symbol/symbols.h"
#include "util/mem.h"

#define SIZE (1 << 20)		/* more than any of the files */

static int in, out;		/* files in memory */
static char in_path[32];

static void
no_memory(size_t size)
{
	errx(1, "%zu bytes wanted", size);
}

static int
write_stream(struct dict *dict, struct schema *schema, struct diag *d)
{
	struct encode e = { .dict = dict, .diag = d };
	struct executables executables = { 0 };
	struct input_set session = { .dict = dict, .schema = schema, .diag = d,
	    .executables = &executables };
	struct record prof = rec_make(REC_PROF), end = rec_make(REC_END);
	int r;

	e.out = out_fd(fcntl(out, F_DUPFD_CLOEXEC, 0), "out", d);
	session.out = codec_prof.encode(&e);
	prof.col[0].t = TEXT("1");
	r = sink_put(session.out, &prof) == 0 &&
	    input_set_read(&session, in_path, NULL, NULL) == 0 &&
	    sink_put(session.out, &end) == 0 ? 0 : -1;
	input_set_end(&session);
	session.out->free(session.out);
	if (out_close(e.out, r == 0) < 0)
		r = -1;
	return r;
}

static void
see_cut(void *arg, enum diag_level level, const char *text)
{
	(void)level;
	*(bool *)arg |= strstr(text, "is truncated") || strstr(text, "may be truncated");
}

/* Decodes these bytes into `out`.  Are they a complete profile? */
static bool
is_whole(const char *s, size_t n)
{
	struct dict *dict = dict_new();
	struct schema *schema = schema_new();
	bool whole, may_be_cut = false;
	struct diag d = { .say = see_cut, .arg = &may_be_cut };

	if (ftruncate(in, 0) < 0 || ftruncate(out, 0) < 0 ||
	    pwrite(in, s, n, 0) != (ssize_t)n || lseek(out, 0, SEEK_SET) < 0)
		err(1, "files in memory");
	whole = write_stream(dict, schema, &d) == 0;
	if (!whole && !d.error.n)
		errx(1, "an error without a message");
	buf_free(&d.error);
	dict_free(dict);
	schema_free(schema);
	return whole && !may_be_cut;
}

static size_t
contents(int fd, char *s, size_t size)
{
	ssize_t n = pread(fd, s, size, 0);

	if (n < 0 || (size_t)n == size)
		errx(1, "more than %zu bytes", size);
	return (size_t)n;
}

/* In a large file only so many bytes are tried, and each bit of so many. */
enum { MOST_CUT = 5000, MOST_FLIPPED = 1500 };

static void
cut(const char *s, size_t n)
{
	size_t i;

	for (i = 0; i < n; i += 1 + n / MOST_CUT) {
		alarm(10);
		if (is_whole(s, i))
			printf("%zu\n", i);
	}
}

static void
flip(char *s, size_t n)
{
	static char good[SIZE], other[SIZE];
	size_t ngood = contents(out, good, sizeof good), i;

	for (i = 0; i < 8 * n; i += i % 8 < 7 ? 1 : 1 + n / MOST_FLIPPED * 8) {
		alarm(10);
		s[i / 8] = (char)(s[i / 8] ^ 1 << i % 8);
		if (is_whole(s, n) && (contents(out, other, sizeof other) != ngood ||
		    memcmp(good, other, ngood) != 0))
			printf("%zu\n", i);
		s[i / 8] = (char)(s[i / 8] ^ 1 << i % 8);
	}
	printf("%zu flips\n", 8 * n);
}

int
main(int argc, char **argv)
{
	static char s[SIZE];
	int fd = argc == 3 ? open(argv[2], O_RDONLY) : -1;
	size_t n;

	if (fd < 0)
		err(1, "usage: damage cut|flip FILE");
	n = contents(fd, s, sizeof s);
	mem_failed = no_memory;
#ifndef __SANITIZE_ADDRESS__
	setrlimit(RLIMIT_AS, &(struct rlimit){ 256 << 20, 256 << 20 });
#endif
	in = memfd_create("in", 0);
	out = memfd_create("out", 0);
	snprintf(in_path, sizeof in_path, "/proc/self/fd/%d", in);
	if (!is_whole(s, n))
		errx(1, "%s: not a profile", argv[2]);
	if (strcmp(argv[1], "cut") == 0)
		cut(s, n);
	else
		flip(s, n);
	return 0;
}
