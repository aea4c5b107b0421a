/* SPDX-License-Identifier: ISC */
/* Profiles as text: the lines, the memory map after them, and the end. */
#include "text.h"

/* Go writes the names of a stack's functions after it, and then an empty line (runtime's
 * pprof/pprof.go, printStackRecord). */
#define NO_BLANK "the file is truncated: no empty line comes after the last stack"

/* The first pass: finds names, and the memory map, which ends the other lines. */
static int
gather(struct body *b)
{
	struct legacy *rd = b->rd;
	const char *start;
	struct text line;
	bool headed = false;	/* the first line is not of a map, whatever it looks like */
	bool open = false;	/* further names may belong to the last stack */

	for (;;) {
		start = b->p;
		if (!legacy_next_line(b, &line))
			break;
		if (headed && maps_heading(line)) {
			if (maps_read(rd, b->p, b->end) < 0)
				return -1;
			b->end = start;
			open = false;
		} else if (line.n && (*line.s == '#' || b->kind->long_samples)) {
			open |= names_add(rd, line.s, line.s + line.n);
		} else {
			open = line.n > 0;
		}
		headed |= legacy_has_content(line);
	}
	if (open && rd->nname && !b->kind->long_samples &&
	    decode_cut(rd->d, NO_BLANK) < 0)
		return -1;
	names_sort(rd);
	b->p = rd->file.s;
	rd->d->at.line = 0;
	return 0;
}

/* Checks that there is a memory map, with which the writers of these formats end. */
static int
check_map(struct body *b)
{
	if (b->go || b->rd->has_maps)
		return 0;
	return decode_cut(b->rd->d, "the file is truncated: no memory map comes after "
	    "the samples");
}

static int
read_header(struct body *b)
{
	while (legacy_next_line(b, &b->first) && !legacy_has_content(b->first))
		;
	return b->kind->header(b) < 0 || (!b->kind->long_header && legacy_begin(b) < 0) ? -1 : 0;
}

/* Puts metadata for the labels of samples that are numbers. */
static int
declare_labels(struct body *b)
{
	struct record r = rec_make(REC_META);

	if (!b->kind->numlabel)
		return 0;
	r.col[0].t = TEXT("pprof.numlabel");
	r.attrs = text_of(b->kind->numlabel);
	return sink_put(b->rd->d->out, &r);
}

static int
read_lines(struct body *b)
{
	struct text line;
	int ret;

	while (legacy_next_line(b, &line)) {
		if (!legacy_has_content(line))
			continue;
		if (b->kind->last && text_begins(line, b->kind->last))
			break;
		if (!b->kind->long_samples)
			b->rd->values.n = b->rd->attrs.n = 0;
		if ((ret = b->kind->line(b, line)) && decode_line_done(b->rd->d, ret) < 0)
			return -1;
	}
	return 0;
}

static int
finish(struct body *b)
{
	b->rd->d->at.line = 0;
	if (!b->begun) {
		b->header.period = b->period;
		if (legacy_begin(b) < 0)
			return -1;
	}
	if (b->kind->end && b->kind->end(b) < 0)
		return -1;
	return check_map(b);
}

int
legacy_text(struct legacy *rd, enum legacy_kind kind)
{
	static const struct legacy_text_kind *const kinds[] = {
		[LEGACY_HEAP] = &legacy_heap, [LEGACY_JEMALLOC] = &legacy_jemalloc,
		[LEGACY_COUNT] = &legacy_counts,
		[LEGACY_CONTENTION] = &legacy_contention, [LEGACY_THREADS] = &legacy_threads,
	};
	struct body b = { .rd = rd, .kind = kinds[kind], .p = rd->file.s,
	    .end = rd->file.s + rd->file.n, .fresh = true };

	rd->d->at.line = 0;
	return gather(&b) < 0 || read_header(&b) < 0 || declare_labels(&b) < 0 ||
	    read_lines(&b) < 0 ? -1 : finish(&b);
}
