/* SPDX-License-Identifier: ISC */
/* Heap profiles of gperftools and Go; and what jemalloc's share with them. */
#include "text.h"

#include <inttypes.h>
#include <math.h>

#define HEAP_LINE "1: 16 [2: 32] @"

bool
legacy_take_heap(const char **p, int64_t v[4])
{
	return legacy_take_int(p, &v[0]) && legacy_take_char(p, ':') &&
	    legacy_take_int(p, &v[1]) && legacy_take_char(p, '[') &&
	    legacy_take_int(p, &v[2]) && legacy_take_char(p, ':') &&
	    legacy_take_int(p, &v[3]) && legacy_take_char(p, ']');
}

/* Takes "1: 16 [2: 32] @". */
static bool
take_heap(const char **p, int64_t v[4])
{
	return legacy_take_heap(p, v) && legacy_take_char(p, '@');
}

static struct text
take_word(const char **p)
{
	const char *start, *q;

	legacy_skip_blanks(p);
	start = *p;
	for (q = start; (*q >= 'a' && *q <= 'z') || (*q >= '0' && *q <= '9') || *q == '_'; q++)
		;
	*p = q;
	return (struct text){ start, (size_t)(q - start) };
}

/* Finds the kind of heap: were allocations sampled, and at which average number of
 * bytes? */
static int
heap_kind(struct body *b, const char *p)
{
	const struct text kind = take_word(&p);
	int64_t rate = 0;

	if (*p == '/' && (p++, !legacy_take_int(&p, &rate)))
		return BAD("expected a rate after the kind of heap: %s", QUOTE(b->first));
	b->header.period = 1;
	if (text_is(kind, "heap"))
		b->rate = rate / 2;
	else if (text_is(kind, "heap_v2") || text_is(kind, "heapz_v2"))
		b->rate = rate;
	else if (text_is(kind, "growth") || text_is(kind, "growthz") ||
	    text_is(kind, "fragmentation") || text_is(kind, "fragmentationz"))
		return 1;
	else if (!text_is(kind, "heapprofile"))
		return BAD("an unknown kind of heap: %s", QUOTE(kind));
	b->go = text_is(kind, "heap");
	if (!text_is(kind, "heapprofile"))
		b->header.period = b->rate;
	return 0;
}

/* As in pprof, there are events for allocations if the totals have other numbers for these
 * than for memory in use. */
void
legacy_heap_events(struct body *b)
{
	struct legacy_header *h = &b->header;
	const int64_t *v = b->stated;

	h->period_type = TEXT("space");
	h->period_unit = "bytes";
	b->has_alloc = (v[2] != v[0] && v[2]) || (v[3] != v[1] && v[3]);
	if (b->has_alloc) {
		legacy_add_event(h, TEXT("alloc_objects"), NULL, NULL);
		legacy_add_event(h, TEXT("alloc_space"), "B", NULL);
	}
	legacy_add_event(h, TEXT("inuse_objects"), NULL, NULL);
	legacy_add_event(h, TEXT("inuse_space"), "B", NULL);
	if (b->rate > 1 && !b->rd->options->estimate_heap)
		diag_say(b->rd->d->diag, DIAG_NOTE, "the heap is sampled, on average one "
		    "allocation in %" PRId64 " bytes: --estimate-heap scales it up", b->rate);
}

static int
heap_header(struct body *b)
{
	const char *p = b->first.s + strlen("heap profile:");
	struct legacy_header *h = &b->header;
	int other;

	if (!take_heap(&p, b->stated))
		return BAD("expected totals, as in 'heap profile: " HEAP_LINE " heap_v2/524288', "
		    "found %s", QUOTE(b->first));
	if ((other = heap_kind(b, p)) < 0)
		return other;
	if (!other) {
		legacy_heap_events(b);
		return 0;
	}
	h->period_type = TEXT("space");
	h->period_unit = "bytes";
	legacy_add_event(h, TEXT("objects"), NULL, NULL);
	legacy_add_event(h, TEXT("space"), "B", NULL);
	return 0;
}

/* Adds an estimate: each object was sampled with the probability 1 - exp(-size/rate). */
static void
add_heap(struct body *b, int64_t count, int64_t size)
{
	const double each = count ? (double)size / (double)count : 0;
	double scale;

	if (!b->rd->options->estimate_heap || b->rate <= 1 || each <= 0) {
		values_add(&b->rd->values, count);
		values_add(&b->rd->values, size);
		return;
	}
	scale = 1 / (1 - exp(-each / (double)b->rate));
	values_add(&b->rd->values, isfinite(scale) ? (num)((double)count * scale) : count);
	values_add(&b->rd->values, isfinite(scale) ? (num)((double)size * scale) : size);
}

int
legacy_put_heap(struct body *b, const int64_t v[4])
{
	int64_t each = 0;
	char tmp[NUM_TEXT];

	if (b->has_alloc)
		add_heap(b, v[2], v[3]);
	add_heap(b, v[0], v[1]);
	if (v[0])
		each = v[1] / v[0];
	else if (b->has_alloc && v[2])
		each = v[3] / v[2];
	if (each)
		attr_add(&b->rd->attrs, "bytes", num_text(tmp, each));
	return legacy_put_sample(b->rd, ALL_ARE_CALLERS);
}

static int
heap_line(struct body *b, struct text line)
{
	const char *p = line.s;
	int64_t v[4];
	int i, ret;

	if (!take_heap(&p, v))
		return BAD("expected counts and bytes, as in '" HEAP_LINE " 0x401000', found "
		    "%s", QUOTE(line));
	if ((!v[0] && v[1]) || (!v[2] && v[3]))
		return BAD("bytes without objects: %s", QUOTE(line));
	if ((ret = legacy_take_addrs(b, p, line)))
		return ret;
	for (i = 0; i < 4; i++)
		b->sum[i] += v[i];	/* no file has enough lines to overflow */
	return legacy_put_heap(b, v);
}

/* Checks the totals, the only evidence that a file of Go's is complete. */
static int
heap_end(struct body *b)
{
	int i;

	for (i = 0; i < 4 && b->go && !b->rd->has_maps; i++) {
		const char *what = i % 2 ? "bytes" : "objects";

		if (b->sum[i] >= b->stated[i])
			continue;
		if (i < 2)
			return decode_cut(b->rd->d, "the file is truncated: the first "
			    "line states %" PRId64 " %s, the others %" PRId64, b->stated[i], what,
			    (int64_t)b->sum[i]);
		/* Old versions did not list memory that is no longer in use. */
		diag_say(b->rd->d->diag, DIAG_WARN, "the first line states that %" PRId64
		    " %s were allocated, the others %" PRId64 ": the file may be "
		    "truncated",
		    b->stated[i], what, (int64_t)b->sum[i]);
		break;
	}
	return 0;
}

const struct legacy_text_kind legacy_heap = {
	.header = heap_header,
	.line = heap_line,
	.end = heap_end,
	.numlabel = "bytes\t-",
};
