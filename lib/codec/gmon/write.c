/* SPDX-License-Identifier: ISC */
/*
 * Writing a gmon.out.  Its counts come first, so everything is kept until the end.  A
 * bin holds 16 bits and an arc 32; the excess goes into further records of the same
 * range or arc, which gprof adds up.
 */
#include "gmon.h"

#include <inttypes.h>
#include <stdlib.h>

#include "filter/filter.h"
#include "stream/event.h"
#include "stream/loss.h"
#include "util/mem.h"

enum gmon_layout gmon_asked_layout = GMON_OWN_LAYOUT;

struct writer {
	struct sink sink;
	struct encode e;
	enum gmon_flavour asked;	/* by the format's name */
	uint32_t object;	/* that addresses are of; NO_ID: not known */
	bool any;		/* costs or calls */
	bool laid_out;	/* a fact gave the layout */
	struct gmon g;
	size_t last;		/* a histogram that was used last */
	struct events events;
	long time, blocks;	/* columns of values; -1 */
	num per;		/* ticks are value * rate / per */
	num sum, run;		/* of the costs; the stated cost of the run */
	bool propagated, have_run;
	/* Costs at addresses, until the histograms are known. */
	struct at { uint64_t addr; num value; uint64_t func; } *at;
	size_t nat, capat;
	/* The bins that are not empty: the profile states how many bins there are, which
	 * may be more than fit in memory. */
	struct ticks { size_t hist; uint64_t bin, n; } *ticks;
	size_t nticks;
};

#define LARGEST ((num)1 << 30)	/* bytes of a file, most of them zeros */

#define WIDTH 2			/* bytes of a bin of our own: gprof's unit */
#define GAP 64			/* addresses this far apart get two histograms; a
				 * smaller gap is not worth a header of 41 bytes */

static int
fail_value(struct writer *w, const struct record *r, const char *what)
{
	struct text f = dict_func_name(w->e.dict, (uint32_t)r->col[PLACE_FUNC].n);

	return encode_fail(&w->e, "function %s: %s",
	    diag_quote(f.s ? f.s : "???", f.s ? f.n : 3), what);
}

/* ---- the header ---- */

static bool
next(struct text *rest, struct buf *b, struct text *t)
{
	struct text f;

	return fields_next(rest, &f) && field_unescape(f, b, t) && t->s;
}

static uint64_t
number(struct text t)
{
	struct field f = { .has = 0 };
	num n = 0;

	if (t.n > 2 && t.s[1] == 'x')
		return field_get_addr(t, &f) ? f.n : 0;
	return num_is_canonical(t) && num_get_num(t.s, t.n, &n) == 0 && n > 0 &&
	    n <= UINT64_MAX ? (uint64_t)n : 0;
}

/* "flavour order bits" */
static void
read_layout(struct writer *w, struct text list)
{
	struct buf b = { 0 };
	struct text t[3];
	int i;

	buf_room(&b, list.n + 16);
	for (i = 0; i < 3 && next(&list, &b, &t[i]); i++)
		;
	if (i == 3) {
		w->laid_out = true;
		for (i = 0; i < GMON_LD; i++)
			if (text_is(t[0], gmon_flavour_name[i]))
				w->g.flavour = i;
		if (text_is(t[0], gmon_flavour_name[GMON_LD]))
			loss_add(w->e.loss, "the layout of LD_PROFILE (written in GNU's)");
		w->g.big = text_is(t[1], "big");
		w->g.word = text_is(t[2], "32") ? 4 : 8;
	}
	buf_free(&b);
}

/* Readers accept only ASCII text as a dimension. */
static void
set_dimension(struct writer *w, struct gmon_hist *h, struct text name)
{
	const size_t room = sizeof h->dim - 1;
	bool whole = name.n <= room;
	size_t i;

	for (i = 0; i < name.n && i < room; i++) {
		bool good = name.s[i] >= ' ' && name.s[i] <= '~';

		h->dim[i] = good ? name.s[i] : '_';
		whole &= good;
	}
	if (!whole)
		loss_add(w->e.loss, "names of events");
}

/* "low high bins rate dimension abbreviation" */
static int
read_hist(struct writer *w, struct text list)
{
	struct gmon_hist h = { 0 };
	struct buf b = { 0 };
	struct text t[6] = { { 0 } };
	int i;

	buf_room(&b, list.n + 16);
	for (i = 0; i < 6 && next(&list, &b, &t[i]); i++)
		;
	if (i >= 4) {
		h.low = number(t[0]);
		h.high = number(t[1]);
		h.nbins = number(t[2]);
		h.rate = number(t[3]);
		set_dimension(w, &h, t[4]);
		h.abbrev = t[5].s && t[5].n ? *t[5].s : '\0';
	}
	buf_free(&b);
	if (i < 4 || h.nbins > UINT32_MAX || h.rate > UINT32_MAX ||
	    (h.nbins && (h.low >= h.high || h.nbins > h.high - h.low)))
		return encode_fail(&w->e, "the fact gmon.hist is malformed");
	w->g.hist = mem_grow(w->g.hist, &w->g.caphist, w->g.nhist + 1,
	    sizeof *w->g.hist);
	w->g.hist[w->g.nhist++] = h;
	return 0;
}

static int
put_meta(struct writer *w, const struct record *r)
{
	if (meta_is(r, "gmon.layout"))
		read_layout(w, r->attrs);
	else if (meta_is(r, "gmon.hist"))
		return read_hist(w, r->attrs);
	else if (!meta_is(r, "format"))
		loss_record(w->e.loss, r);
	return 0;
}

/* One of the events is time or, failing that, the first one. */
static void
put_event(struct writer *w, const struct record *r)
{
	events_add(&w->events, r);
	if (r->col[EVENT_ID].n == NO_ID)
		loss_add(w->e.loss, "derived events");
	else if (text_is(r->col[EVENT_NAME].t, "blocks"))
		w->blocks = (long)r->col[EVENT_ID].n;
	else if (w->time >= 0)
		loss_add(w->e.loss, "further events");
	else {
		w->time = (long)r->col[EVENT_ID].n;
		w->propagated = event_calls(r, "propagated");
	}
}

/* ---- costs and calls ---- */

/* The value of a column: false if there is none. */
static bool
value_at(struct text values, long column, num *n)
{
	struct text v;

	*n = 0;
	for (; column >= 0 && values_next(&values, &v); column--) {
		if (column)
			continue;
		if (!text_is(v, "-") && num_get_num(v.s, v.n, n) < 0)
			*n = -1;	/* refused, as all that is negative */
		return true;
	}
	return false;
}

static bool
has_addr(const struct field *f)
{
	return f->has & HAS_N;
}

/*
 * Addresses are those of one object.  Is the function in it?  1; 0 if not, and the
 * executable is known; -1 with the diag set if not, and no executable is known.
 */
static int
is_ours(struct writer *w, const struct record *r, uint64_t func)
{
	struct symbolizer *names = w->e.names ? *w->e.names : NULL;
	uint32_t object = dict_def(w->e.dict, REC_FUNC, (uint32_t)func)[FUNC_OBJECT];

	if (object == NO_ID)
		return 1;
	if (names)
		return symbolize_is_object(names, object);
	if (w->object == NO_ID)
		w->object = object;
	return w->object == object ? 1 : fail_value(w, r, "a file holds one object, but "
	    "there are several: give the executable with --exe");
}

/*
 * The address of a place, or that of its function in the executable: 1; 0 if the
 * executable has no such function; -1 if there is no executable.
 */
static int
addr_of(struct writer *w, const struct record *r, const struct field *addr,
    uint64_t func, uint64_t *out)
{
	struct symbolizer *names = w->e.names ? *w->e.names : NULL;
	int ret = is_ours(w, r, func);

	*out = addr->n;
	if (ret <= 0 || has_addr(addr))
		return ret;
	if (!names)
		return fail_value(w, r, "addresses are needed: give the executable "
		    "with --exe");
	return func != NO_ID && symbolize_addr(names, func, out);
}

static int
put_cost(struct writer *w, const struct record *r)
{
	struct gmon *g = &w->g;
	num value, ran;
	uint64_t addr;
	bool block;
	int ret;

	w->any = true;
	value_at(r->values, w->time, &value);
	block = value_at(r->values, w->blocks, &ran);
	if (!value && !block)
		return 0;
	ret = addr_of(w, r, &r->col[PLACE_ADDR], r->col[PLACE_FUNC].n, &addr);
	if (r->col[PLACE_ADDR].has & HAS_M)
		loss_add(w->e.loss, "numbers of counters");
	if (ret == 0)
		loss_add(w->e.loss, "costs of functions not in the executable");
	if (ret <= 0)
		return ret;
	if (value < 0 || ran < 0 || ran > UINT64_MAX)
		return fail_value(w, r, "a cost is negative or too large");
	if (block) {	/* though it never ran */
		g->block = mem_grow(g->block, &g->capblock, g->nblock + 1,
		    sizeof *g->block);
		g->block[g->nblock++] = (struct gmon_block){ addr, (uint64_t)ran };
	}
	if (num_add(&w->sum, value) < 0)
		return fail_value(w, r, "a sum does not fit 128 bits");
	if (value) {
		w->at = mem_grow(w->at, &w->capat, w->nat + 1, sizeof *w->at);
		w->at[w->nat++] = (struct at){ addr, value,
		    r->col[PLACE_FUNC].n };
	}
	return 0;
}

static int
put_call(struct writer *w, const struct record *r)
{
	struct text t = r->col[CALL_COUNT].t;
	struct gmon *g = &w->g;
	struct gmon_arc a;
	num count = 0, cost;
	int ret;

	w->any = true;
	ret = addr_of(w, r, &r->col[PLACE_ADDR], r->col[PLACE_FUNC].n, &a.from);
	if (ret > 0)
		ret = addr_of(w, r, &r->col[CALL_TADDR], r->col[CALL_CALLEE].n, &a.self);
	if (ret == 0)
		loss_add(w->e.loss, "calls of functions not in the executable");
	if (ret <= 0)
		return ret;
	if (t.s && (num_get_num(t.s, t.n, &count) < 0 || count < 0 ||
	    count > UINT64_MAX))
		return fail_value(w, r, "a count of calls does not fit 64 bits");
	if (!t.s)
		loss_add(w->e.loss, "absent counts (written as 0)");
	g->arc = mem_grow(g->arc, &g->caparc, g->narc + 1, sizeof *g->arc);
	/* gprof shares time out by itself. */
	if (!w->propagated && value_at(r->values, w->time, &cost) && cost)
		loss_add(w->e.loss, "inclusive costs of calls");
	a.count = (uint64_t)count;
	g->arc[g->narc++] = a;
	return 0;
}

/* ---- histograms ---- */

static int
compare(const void *pa, const void *pb)
{
	const struct at *a = pa, *b = pb;

	return (a->addr > b->addr) - (a->addr < b->addr);
}

/* Adds a histogram for [low, low + WIDTH), or extends the last one to hold it. */
static void
add_stretch(struct gmon *g, const struct gmon_hist *like, uint64_t low, bool longer)
{
	struct gmon_hist *h;

	if (!longer) {
		g->hist = mem_grow(g->hist, &g->caphist, g->nhist + 1, sizeof *g->hist);
		h = &g->hist[g->nhist++];
		*h = *like;
		h->low = low;
	}
	h = &g->hist[g->nhist - 1];
	h->high = low + WIDTH;
	h->nbins = (h->high - h->low) / WIDTH;
}

/*
 * A histogram for each stretch of addresses, and one for each bin that exceeds 16 bits,
 * so that only that bin is written repeatedly.
 */
static void
find_stretches(struct writer *w, const struct gmon_hist *like)
{
	uint64_t bin, last = 0;
	bool hot, last_hot = true;
	size_t i, k;
	num sum;

	qsort(w->at, w->nat, sizeof *w->at, compare);
	for (i = 0; i < w->nat; i = k, last = bin, last_hot = hot) {
		bin = w->at[i].addr & ~(uint64_t)(WIDTH - 1);
		sum = 0;
		for (k = i; k < w->nat && w->at[k].addr - bin < WIDTH; k++)
			sum += w->at[k].value;	/* their sum has been looked at */
		hot = sum > UINT16_MAX;
		add_stretch(&w->g, like, bin, !hot && !last_hot && bin - last < GAP);
	}
}

static int
make_hists(struct writer *w)
{
	const struct record *time = events_at(&w->events, (size_t)w->time);
	struct text unit = time->col[EVENT_UNIT].t, name = time->col[EVENT_NAME].t;
	struct gmon_hist h = { .rate = event_scale(time) };

	if (h.rate > UINT32_MAX)
		return encode_fail(&w->e, "event %s divides its unit "
		    "into more than 2^32 parts", diag_quote(name.s, name.n));
	if (text_is(unit, "s"))
		name = TEXT("seconds");
	set_dimension(w, &h, name);
	h.abbrev = h.dim[0];
	find_stretches(w, &h);
	return 0;
}

static struct gmon_hist *
hist_of(struct writer *w, uint64_t addr)
{
	size_t i, n = w->g.nhist;

	/* Usually that of the previous cost. */
	for (i = 0; i < n; i++, w->last = w->last + 1 < n ? w->last + 1 : 0) {
		struct gmon_hist *h = &w->g.hist[w->last];

		if (addr >= h->low && addr < h->high && h->nbins)
			return h;
	}
	return NULL;
}

static int
by_bin(const void *pa, const void *pb)
{
	const struct ticks *a = pa, *b = pb;

	return a->hist != b->hist ? (a->hist > b->hist) - (a->hist < b->hist) :
	    (a->bin > b->bin) - (a->bin < b->bin);
}

/* One of each bin. */
static int
sum_bins(struct writer *w)
{
	struct record r = rec_make(REC_COST);
	struct ticks *t = w->ticks;
	size_t i, n = 0;

	qsort(t, w->nat, sizeof *t, by_bin);
	for (i = 0; i < w->nat; i++) {
		if (!n || by_bin(&t[n - 1], &t[i]) != 0)
			t[n++] = t[i];
		else if (__builtin_add_overflow(t[n - 1].n, t[i].n, &t[n - 1].n))
			return fail_value(w, &r, "a cost does not fit 64 bits");
	}
	w->nticks = n;
	return 0;
}

/* gmon cannot store fractions of a tick. */
static int
fill_hists(struct writer *w)
{
	struct record r = rec_make(REC_COST);
	struct gmon_hist *h;
	uint64_t rate = w->g.nhist ? w->g.hist[0].rate : 0;	/* holds for all */
	num ticks;
	size_t i;

	w->ticks = mem_alloc(w->nat, sizeof *w->ticks);
	for (i = 0; i < w->nat; i++) {
		r.col[PLACE_FUNC].n = w->at[i].func;
		if (!(h = hist_of(w, w->at[i].addr)))
			return fail_value(w, &r, "a cost is outside the profile's "
			    "histograms");
		if (num_mul(w->at[i].value, rate ? rate : 1, &ticks) < 0 ||
		    ticks / w->per > UINT64_MAX)
			return fail_value(w, &r, "a cost does not fit 64 bits");
		if (ticks % w->per)
			return fail_value(w, &r, "a cost is not a whole number of ticks");
		w->ticks[i] = (struct ticks){ (size_t)(h - w->g.hist),
		    gmon_addr_bin(h, w->at[i].addr), (uint64_t)(ticks / w->per) };
	}
	return sum_bins(w);
}

/* ---- bytes ---- */

static void
put(struct writer *w, uint64_t v, unsigned size)
{
	char *p = out_room(w->e.out, 8);
	unsigned i;

	for (i = 0; i < size; i++)
		p[w->g.big ? size - 1 - i : i] = (char)(v >> 8 * i);
	out_upto(w->e.out, p + size);
}

/* A record's tag byte is written together with what follows: a file that ends before a
 * tag looks complete. */
static void
put_tag(struct writer *w, char tag)
{
	*out_room(w->e.out, 1) = tag;
	w->e.out->n++;
}

static int
check_word(struct writer *w, uint64_t v)
{
	return w->g.word == 8 || v <= UINT32_MAX ? 0 : encode_fail(&w->e,
	    "0x%" PRIx64 " does not fit the 32-bit words of the file", v);
}

/* The first bin of a histogram that is not empty. */
static const struct ticks *
first_ticks(const struct writer *w, const struct gmon_hist *h)
{
	size_t low = 0, high = w->nticks, hist = (size_t)(h - w->g.hist);

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (w->ticks[mid].hist < hist)
			low = mid + 1;
		else
			high = mid;
	}
	return w->ticks + low;
}

/* The ticks of the fullest bin of a histogram. */
static const struct ticks *
most_ticks(const struct writer *w, const struct gmon_hist *h)
{
	const struct ticks *t = first_ticks(w, h), *most = NULL;

	for (; t < w->ticks + w->nticks && t->hist == (size_t)(h - w->g.hist); t++)
		if (!most || t->n > most->n)
			most = t;
	return most;
}

/* Writes a record of at most 65,535 of each bin; the rest goes to the next. */
static bool
put_bins(struct writer *w, const struct gmon_hist *h, unsigned round)
{
	const struct ticks *t = first_ticks(w, h), *end = w->ticks + w->nticks;
	uint64_t i, skip = (uint64_t)round * UINT16_MAX, left;
	bool more = false;

	if (t < end && t->hist != (size_t)(h - w->g.hist))
		t = end;
	for (i = 0; i < h->nbins; i++) {
		left = 0;
		if (t < end && t->bin == i) {
			left = t->n > skip ? t->n - skip : 0;
			t = t + 1 < end && t[1].hist == t->hist ? t + 1 : end;
		}
		more |= left > UINT16_MAX;
		put(w, left > UINT16_MAX ? UINT16_MAX : left, 2);
	}
	return more;
}

/* The number of records of at most `most` each; at least one, even if it is empty. */
static num
records(uint64_t n, uint64_t most)
{
	return n ? ((num)n + most - 1) / most : 1;
}

/* Checks the size of the result, since the profile's sizes and counts may be absurd. */
static int
check_size(struct writer *w)
{
	const struct gmon *g = &w->g;
	num bytes = 0;
	size_t i;

	for (i = 0; i < g->nhist; i++) {
		const struct ticks *most = most_ticks(w, &g->hist[i]);

		bytes += (2 * (num)g->hist[i].nbins + 2 * g->word + 25) *
		    records(most ? most->n : 0, UINT16_MAX);
	}
	for (i = 0; i < g->narc; i++)
		bytes += (2 * g->word + 5) * records(g->arc[i].count,
		    g->flavour == GMON_MAGIC ? UINT32_MAX : UINT64_MAX);
	return bytes <= LARGEST ? 0 : encode_fail(&w->e, "the file would "
	    "exceed a gigabyte");
}

static int
put_hist(struct writer *w, const struct gmon_hist *h)
{
	unsigned round = 0;
	bool more;

	if (check_word(w, h->low) < 0 || check_word(w, h->high) < 0)
		return -1;
	do {
		put_tag(w, 0);
		put(w, h->low, w->g.word);
		put(w, h->high, w->g.word);
		put(w, h->nbins, 4);
		put(w, h->rate, 4);
		out_write(w->e.out, h->dim, 15);
		out_write(w->e.out, &h->abbrev, 1);
		more = put_bins(w, h, round++);
		if (w->e.out->error)
			return out_check(w->e.out);
	} while (more);
	return 0;
}

enum arc_form { ARC_BARE, ARC_TAGGED };

/* Writes an arc's count in words of `size` bytes. */
static int
put_arc(struct writer *w, const struct gmon_arc *a, unsigned size, enum arc_form form)
{
	uint64_t left = a->count, most = size == 8 ? UINT64_MAX : UINT32_MAX;

	if (check_word(w, a->from) < 0 || check_word(w, a->self) < 0)
		return -1;
	do {
		uint64_t n = left < most ? left : most;

		if (form == ARC_TAGGED)
			put_tag(w, 1);
		put(w, a->from, w->g.word);
		put(w, a->self, w->g.word);
		put(w, n, size);
		left -= n;
		if (w->e.out->error)
			return out_check(w->e.out);
	} while (left);
	return 0;
}

static int
put_blocks(struct writer *w)
{
	const struct gmon *g = &w->g;
	size_t i;

	if (!g->nblock)
		return 0;
	put_tag(w, 2);
	put(w, g->nblock, 4);
	for (i = 0; i < g->nblock; i++) {
		if (check_word(w, g->block[i].addr) < 0 ||
		    check_word(w, g->block[i].count) < 0)
			return -1;
		put(w, g->block[i].addr, g->word);
		put(w, g->block[i].count, g->word);
	}
	return 0;
}

static int
write_magic(struct writer *w)
{
	const struct gmon *g = &w->g;
	size_t i;

	out_write(w->e.out, "gmon", 4);
	put(w, 1, 4);
	put(w, 0, 8);
	put(w, 0, 4);
	for (i = 0; i < g->nhist; i++)
		if (put_hist(w, &g->hist[i]) < 0)
			return -1;
	for (i = 0; i < g->narc; i++)
		if (put_arc(w, &g->arc[i], 4, ARC_TAGGED) < 0)
			return -1;
	return put_blocks(w);
}

/* FreeBSD's number of bits in the header keeps readers from taking the upper
 * halves of large counts for MinGW's padding; otherwise it is left out. */
static unsigned
stated_bits(const struct gmon *g)
{
	size_t i;

	for (i = 0; i < g->narc; i++)
		if (g->arc[i].count > UINT32_MAX)
			return 16;
	return 0;
}

/* One histogram, and no way to split it. */
static int
write_bsd(struct writer *w)
{
	const struct gmon *g = &w->g;
	const struct gmon_hist *h = g->hist;
	const struct ticks *most;
	bool new = g->flavour == GMON_BSD44;
	unsigned header = 2 * g->word + (new ? 24 : 4);
	size_t i;

	if (g->nhist != 1)
		return encode_fail(&w->e, "this flavour holds one "
		    "histogram, but there are %zu: use prof-to gmon", g->nhist);
	most = most_ticks(w, h);
	if (most && most->n > UINT16_MAX)
		return encode_fail(&w->e, "the bin at 0x%" PRIx64 " has "
		    "%" PRIu64 " ticks, but this flavour holds at most 65535: use "
		    "prof-to gmon", gmon_bin_addr(h, most->bin), most->n);
	if (check_word(w, h->low) < 0 || check_word(w, h->high) < 0)
		return -1;
	if (h->nbins > (INT32_MAX - header) / 2)
		return encode_fail(&w->e, "too many bins for this flavour");
	put(w, h->low, g->word);
	put(w, h->high, g->word);
	put(w, header + 2 * h->nbins, 4);
	if (new) {
		put(w, GMON_BSD44_VERSION, 4);
		put(w, h->rate, 4);
		put(w, stated_bits(g), 4);
		put(w, 0, 8);
	}
	put_bins(w, h, 0);
	for (i = 0; i < g->narc; i++)
		if (put_arc(w, &g->arc[i], g->word, ARC_BARE) < 0)
			return -1;
	for (i = 0; i < g->nblock; i++)
		loss_add(w->e.loss, "counts of blocks");
	return 0;
}

/* ---- the whole ---- */

static int
finish(struct writer *w)
{
	const struct record *time;

	if (!w->any && !w->g.nhist && !w->laid_out)
		return diag_fail_plain(w->e.diag, "%s needs costs or calls, "
		    "but the profile has none", w->e.format);
	if (!w->laid_out) {	/* that of this machine */
		w->g.word = sizeof(void *) == 4 ? 4 : 8;
		w->g.big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	}
	if (gmon_asked_layout != GMON_OWN_LAYOUT) {
		w->g.big = gmon_asked_layout >= GMON_BIG32;
		w->g.word = gmon_asked_layout == GMON_LITTLE32 ||
		    gmon_asked_layout == GMON_BIG32 ? 4 : 8;
	}
	if (w->asked != GMON_FLAVOURS)
		w->g.flavour = w->asked;
	time = w->time < 0 ? NULL : events_at(&w->events, (size_t)w->time);
	w->per = time ? event_scale(time) : 1;
	if (w->nat && !w->g.nhist && make_hists(w) < 0)
		return -1;
	if (fill_hists(w) < 0 || check_size(w) < 0 ||
	    (w->g.flavour == GMON_MAGIC ? write_magic(w) : write_bsd(w)) < 0)
		return -1;
	if (w->have_run && w->run != w->sum)
		loss_add(w->e.loss, "the cost of the run, apart from that of the lines");
	if (w->g.flavour == GMON_BSD && w->g.hist->rate)
		loss_add(w->e.loss, "the rate of ticks");
	return 0;
}

static int
gmon_put(struct sink *s, const struct record *r)
{
	struct writer *w = (struct writer *)s;

	if (w->e.out->error)	/* a terminal: known before anything is read */
		return out_check(w->e.out);
	switch (rec_kind(r)) {
	case REC_META:
		return put_meta(w, r);
	case REC_EVENT:
		put_event(w, r);
		return 0;
	case REC_COST:
		return put_cost(w, r);
	case REC_CALL:
		return put_call(w, r);
	case REC_TOTAL:
		if (text_is(r->col[0].t, "run"))
			w->have_run = value_at(r->values, w->time, &w->run);
		return 0;
	case REC_END:
		return finish(w);
	default:
		return 0;		/* names are the executable's */
	}
}

static void
gmon_put_free(struct sink *s)
{
	struct writer *w = (struct writer *)s;

	gmon_free(&w->g);
	events_free(&w->events);
	free(w->at);
	free(w->ticks);
	free(w);
}

struct sink *
gmon_encode(const struct encode *e, enum gmon_flavour flavour)
{
	struct writer *w = mem_alloc(1, sizeof *w);

	w->sink = (struct sink){ .put = gmon_put, .free = gmon_put_free };
	w->e = *e;
	w->asked = flavour;
	w->time = w->blocks = -1;
	w->object = NO_ID;
	out_holds(e->out, OUT_BINARY);
	return &w->sink;
}
