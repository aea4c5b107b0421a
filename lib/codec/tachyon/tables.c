/* SPDX-License-Identifier: ISC */
/*
 * Strings, each with its length in front, and frames: the numbers of two strings, file and
 * function, then line, end of it, column, end of it, which may be negative, and an opcode.
 */
#include "tachyon.h"

#include <inttypes.h>

#include "util/mem.h"
#include "util/protobuf.h"

/* The fewest bytes of a string and of a frame: the file must be as large as it says. */
#define LEAST_STRING 1
#define LEAST_FRAME 7

static int
read_strings(struct tachyon *t)
{
	const char *p = t->file.s + t->strings_at, *const end = t->file.s + t->frames_at;
	uint64_t n;
	uint32_t i;

	if (t->nstring > (size_t)(end - p) / LEAST_STRING)
		return TACHYON_FAIL(t, p, "%" PRIu32 " strings do not fit there", t->nstring);
	t->string = mem_alloc(t->nstring + 1, sizeof *t->string);
	for (i = 0; i < t->nstring; i++) {
		if (!pb_varint(&p, end, &n) || n > (size_t)(end - p))
			return TACHYON_FAIL(t, p, "a string goes on after the table of strings");
		t->string[i] = dict_str(t->d->dict, (struct text){ p, n });
		p += n;
	}
	return 0;
}

static int64_t
zigzag(uint64_t n)
{
	return (int64_t)(n >> 1) ^ -(int64_t)(n & 1);
}

static int
define_frame(struct tachyon *t, struct tachyon_frame *f, uint32_t file, uint32_t name,
    int64_t line)
{
	const struct text path = dict_text(t->d->dict, file);
	struct func_def func = NO_FUNC;

	f->file = f->line = NO_ID;
	/* "~" stands for code without a file, as in pstats. */
	if (path.n && !text_is(path, "~") && decode_file(t->d, path, &f->file) < 0)
		return -1;
	if (line > 0)
		f->line = dict_line(t->d->dict, (uint64_t)line, 0);
	func.name = name;
	func.file = f->file;
	return decode_func(t->d, &func, &f->func);
}

static int
read_frames(struct tachyon *t)
{
	enum { PATH_OF, NAME_OF, LINE, LAST_LINE, COLUMN, LAST_COLUMN, NUMBERS };
	const char *p = t->file.s + t->frames_at,
	    *const end = t->file.s + t->file.n - TACHYON_FOOTER;
	uint64_t n[NUMBERS];
	unsigned k;
	uint32_t i;

	if (t->nframe > (size_t)(end - p) / LEAST_FRAME)
		return TACHYON_FAIL(t, p, "%" PRIu32 " frames do not fit there", t->nframe);
	t->frame = mem_alloc(t->nframe + 1, sizeof *t->frame);
	for (i = 0; i < t->nframe; i++) {
		const char *const from = p;

		for (k = 0; k < NUMBERS; k++)
			if (!pb_varint(&p, end, &n[k]))
				return TACHYON_FAIL(t, from, "a frame goes on after the table of "
				    "frames");
		if (p++ == end)	/* the opcode */
			return TACHYON_FAIL(t, from, "a frame without an opcode");
		if (n[PATH_OF] >= t->nstring || n[NAME_OF] >= t->nstring)
			return TACHYON_FAIL(t, from, "a frame refers to a string that is not "
			    "there");
		if (define_frame(t, &t->frame[i], t->string[n[PATH_OF]],
		    t->string[n[NAME_OF]], zigzag(n[LINE])) < 0)
			return -1;
	}
	return 0;
}

int
tachyon_read_tables(struct tachyon *t)
{
	return read_strings(t) < 0 ? -1 : read_frames(t);
}
