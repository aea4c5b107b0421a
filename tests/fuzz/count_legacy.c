/* SPDX-License-Identifier: ISC */
/* What pprof wrote first, and gmon.out: words of two sizes and byte orders, or lines. */
#include "count.h"

struct words {
	const unsigned char *p;
	size_t n, at;
	bool big;
	bool ended;		/* more was asked for than there is */
};

static uint64_t
word(struct words *w, unsigned bytes)
{
	uint64_t v = 0;
	unsigned i;

	if (w->n - w->at < bytes) {
		w->ended = true;
		return 0;
	}
	for (i = 0; i < bytes; i++)
		v |= (uint64_t)w->p[w->at + i] << 8 * (w->big ? bytes - 1 - i : i);
	w->at += bytes;
	return v;
}

/* The four ways of reading words: the size of one. */
static unsigned
way(struct words *w, struct text input, unsigned i)
{
	*w = (struct words){ .p = (const unsigned char *)input.s, .n = input.n, .big = i & 1 };
	return i & 2 ? 8 : 4;
}

/* ---- gmon.out ---- */

/* Histograms and arcs, up to the end: false if it makes no sense so. */
static bool
read_gmon(struct words *w, unsigned size, struct counts *c)
{
	struct count *cost = &c->kind[COUNT_COST], *call = &c->kind[COUNT_CALL];

	*cost = (struct count){ .known = true, .added_up = true, .sums = 1 };
	*call = (struct count){ .known = true, .added_up = true, .calls_known = true };
	w->at = 4;
	if (word(w, 4) != 1)
		return false;
	for (w->at = 20; w->at < w->n && !w->ended; ) {
		const uint64_t tag = word(w, 1);
		uint64_t low, high, bins;

		if (tag > 1)
			return false;
		low = word(w, size);
		high = word(w, size);
		if (tag == 1) {
			call->calls += word(w, 4);
			continue;
		}
		bins = word(w, 4);
		/* A hundred a second: the count is of hundred millionths. */
		if (word(w, 4) != 100 || low >= high || bins > (w->n - w->at) / 2 ||
		    w->n - w->at < 16 || memcmp(w->p + w->at, "seconds\0\0\0\0\0\0\0\0", 15) != 0)
			return false;
		for (w->at += 16; bins && !w->ended; bins--)
			cost->sum[0] += (wide)word(w, 2) * 1000000;
	}
	return !w->ended;
}

bool
count_gmon(struct text input, struct counts *c)
{
	struct words w;
	unsigned i, ways = 0;

	for (i = 0; i < 4; i++) {
		struct counts found = { 0 };
		const unsigned size = way(&w, input, i);

		if (input.n < 20 || memcmp(input.s, "gmon", 4) != 0 ||
		    !read_gmon(&w, size, &found))
			continue;
		*c = found;
		ways++;
	}
	return ways == 1;
}

/* ---- pprof's samples of the processor ---- */

/* Five words, of which the fourth is the period; then a count, a number of addresses and
 * these, until what has a count of 0 and one address, 0. */
static bool
read_cpu(struct words *w, unsigned size, struct count *samples)
{
	const uint64_t first = word(w, size), words = word(w, size), version = word(w, size);
	const uint64_t period = word(w, size), last = word(w, size);
	uint64_t count, n, addr;
	bool one;

	*samples = (struct count){ .known = true, .added_up = true, .sums = 3 };
	if (first || words != 3 || version || !period || last)
		return false;
	for (;;) {
		count = word(w, size);
		n = word(w, size);
		one = n == 1;
		for (addr = 1; n && !w->ended; n--)
			addr = word(w, size);
		if (w->ended)
			return false;
		if (!count && one && !addr)
			return true;
		samples->sum[0] += count;
		samples->sum[1] += (wide)count * period * 1000;
	}
}

/* ---- its lines ---- */

/* Takes a whole number, after blanks. */
static bool
take_number(struct text *t, wide *n)
{
	size_t digits = 0;

	*n = 0;
	while (t->n && *t->s == ' ')
		t->s++, t->n--;
	while (digits < t->n && t->s[digits] >= '0' && t->s[digits] <= '9')
		digits++;
	if (!count_add(n, (struct text){ t->s, digits }))
		return false;
	*t = (struct text){ t->s + digits, t->n - digits };
	return true;
}

static bool
take_sign(struct text *t, char sign)
{
	while (t->n && *t->s == ' ')
		t->s++, t->n--;
	if (!t->n || *t->s != sign)
		return false;
	t->s++, t->n--;
	return true;
}

static bool
begins(struct text t, const char *s)
{
	return t.n >= strlen(s) && memcmp(t.s, s, strlen(s)) == 0;
}

/* "1: 16 [2: 32]" */
static bool
take_four(struct text *t, wide v[4])
{
	return take_number(t, &v[0]) && take_sign(t, ':') && take_number(t, &v[1]) &&
	    take_sign(t, '[') && take_number(t, &v[2]) && take_sign(t, ':') &&
	    take_number(t, &v[3]) && take_sign(t, ']');
}

/* The same and "@". */
static bool
take_heap(struct text *t, wide v[4])
{
	return take_four(t, v) && take_sign(t, '@');
}

/* Is there more that was allocated than is in use? */
static bool
has_alloc(const wide v[4])
{
	return (v[2] != v[0] && v[2]) || (v[3] != v[1] && v[3]);
}

static void
add_four(struct count *samples, const wide v[4], bool alloc)
{
	samples->sum[0] += v[alloc ? 2 : 0];
	samples->sum[1] += v[alloc ? 3 : 1];
	samples->sum[2] += v[0];
	samples->sum[3] += v[1];
}

/* The first line says whether what was allocated is there, too: before what is in use. */
static bool
count_heap(struct text line, struct text rest, struct count *samples)
{
	wide v[4];
	bool alloc;

	line = (struct text){ line.s + 13, line.n - 13 };
	if (!take_heap(&line, v) || !memmem(line.s, line.n, "heap", 4))
		return false;
	alloc = has_alloc(v);
	samples->sums = alloc ? 15 : 3;
	while (rest.n) {
		line = count_word(&rest, '\n');
		if (!line.n || *line.s == '#')
			continue;
		if (begins(line, "MAPPED") || begins(line, "---"))
			break;
		if (!take_heap(&line, v))
			return false;
		add_four(samples, v, alloc);
	}
	return true;
}

/* jemalloc's: lines "t*:", the first of them of all stacks. */
static bool
count_jemalloc(struct text rest, struct count *samples)
{
	bool alloc = false, first = true;
	wide v[4];

	while (rest.n) {
		struct text line = count_word(&rest, '\n');

		while (line.n && *line.s == ' ')
			line.s++, line.n--;
		if (begins(line, "MAPPED") || begins(line, "---"))
			break;
		if (!begins(line, "t*:"))
			continue;
		line = (struct text){ line.s + 3, line.n - 3 };
		if (!take_four(&line, v))
			return false;
		if (first)
			alloc = has_alloc(v);
		else
			add_four(samples, v, alloc);
		first = false;
	}
	samples->sums = alloc ? 15 : 3;
	return true;
}

/* "3 @ 0x1": of a contention it is the second number, in so many. */
static bool
count_lines(struct text rest, bool contention, struct count *samples)
{
	wide n, period = 1;

	samples->sums = 1;
	while (rest.n) {
		struct text line = count_word(&rest, '\n');

		if (!line.n || *line.s == '#')
			continue;
		if (begins(line, "---") || begins(line, "MAPPED"))
			break;
		if (contention && begins(line, "sampling period = ")) {
			line = (struct text){ line.s + 18, line.n - 18 };
			if (!take_number(&line, &period) || line.n || !period)
				return false;
			continue;
		}
		if (contention && memchr(line.s, '=', line.n))
			continue;
		if (!take_number(&line, &n) || (contention && !take_number(&line, &n)) ||
		    !take_sign(&line, '@'))
			return false;
		samples->sum[0] += n * period;
	}
	return true;
}

bool
count_pprof_legacy(struct text input, struct counts *c)
{
	struct count *samples = &c->kind[COUNT_SAMPLE];
	struct text rest = input, line = count_word(&rest, '\n');
	struct words w;
	unsigned i;

	for (i = 0; i < 4; i++) {
		const unsigned size = way(&w, input, i);

		if (read_cpu(&w, size, samples))
			return true;
	}
	*samples = (struct count){ .known = true, .added_up = true };
	if (memchr(input.s, '\r', input.n) || !line.n)
		return false;
	if (begins(line, "heap profile:"))
		return count_heap(line, rest, samples);
	if (begins(line, "heap_v2/"))
		return count_jemalloc(rest, samples);
	if (begins(line, "--- contention"))
		return count_lines(rest, true, samples);
	return memmem(line.s, line.n, " profile: total ", 16) && *line.s != '-' &&
	    count_lines(rest, false, samples);
}
