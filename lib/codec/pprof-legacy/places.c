/* SPDX-License-Identifier: ISC */
/*
 * Addresses: their frames, stacks of them, and samples.  In Go's profiles as text,
 * lines name the addresses of the line before them, innermost first:
 *
 *	#	0x467e08	main.work+0x28	/src/main.go:12
 *
 * In the stacks of threads there may be a line for each address:
 *
 *	0x0040be31: main
 */
#include "reader.h"

#include <inttypes.h>
#include <stdlib.h>

#include "util/mem.h"
#include "util/search.h"

#define INLINED_MOST 16		/* frames of one address */

/* ---- names ---- */

/* Returns the next field of such a line, after TABs and blanks, up to a TAB. */
static struct text
next_field(const char **p, const char *end)
{
	const char *q = *p, *tab;

	while (q < end && (*q == '\t' || *q == ' '))
		q++;
	if (!(tab = memchr(q, '\t', (size_t)(end - q))))
		tab = end;
	*p = tab;
	return words_trim((struct text){ q, (size_t)(tab - q) });
}

static bool
split_thread(const char *p, const char *end, uint64_t *addr, struct text *func)
{
	const char *q = p;

	while (q + 2 < end && (q[0] != '0' || q[1] != 'x'))
		q++;
	if (q + 2 >= end || !(p = num_get_hex(q + 2, addr)) || end - p < 3 || p == q + 2 ||
	    p[0] != ':' || p[1] != ' ')
		return false;
	*func = words_trim((struct text){ p + 1, (size_t)(end - p - 1) });
	return func->n && !text_begins(*func, "0x");
}

/* Splits a line that names an address: the address, its function, and its place. */
static bool
split_name(const char *p, const char *end, uint64_t *addr, struct text *func,
    struct text *place)
{
	struct text t;
	const char *q;

	*place = (struct text){ 0 };
	if (end > p && *p != '#')
		return split_thread(p, end, addr, func);
	if (end - p < 2 || *++p != '\t')
		return false;
	t = next_field(&p, end);
	if (!text_begins(t, "0x") || !(q = num_get_hex(t.s + 2, addr)) || q != t.s + t.n)
		return false;
	*func = next_field(&p, end);
	*place = next_field(&p, end);
	return func->n;
}

bool
names_add(struct legacy *rd, const char *p, const char *end)
{
	struct text func, place;
	uint64_t addr;

	if (!split_name(p, end, &addr, &func, &place))
		return false;
	rd->name = mem_grow(rd->name, &rd->capname, rd->nname + 1, sizeof *rd->name);
	rd->name[rd->nname++] = (struct name){ addr, (size_t)(p - rd->file.s) };
	return true;
}

static int
by_addr(const void *a, const void *b)
{
	const struct name *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return (x->at > y->at) - (x->at < y->at);
}

void
names_sort(struct legacy *rd)
{
	if (rd->nname)
		qsort(rd->name, rd->nname, sizeof *rd->name, by_addr);
}

/* Returns the first name of an address; NULL: it has none. */
static const struct name *
find_name(const struct legacy *rd, uint64_t addr)
{
	const size_t at = PARTITION_POINT(i, 0, rd->nname, rd->name[i].addr < addr);

	return at < rd->nname && rd->name[at].addr == addr ? &rd->name[at] : NULL;
}

/* ---- frames ---- */

/* Returns "main.work" of "main.work+0x28". */
static struct text
without_offset(struct text func)
{
	const char *plus = last_byte(func.s, '+', func.n);

	if (plus > func.s && func.s + func.n - plus > 3 && memcmp(plus, "+0x", 3) == 0)
		func.n = (size_t)(plus - func.s);
	return func;
}

/* Sets the file and the line of "/src/main.go:12". */
static int
place_frame(struct legacy *rd, struct text place, struct frame *f)
{
	const char *colon = place.n ? last_byte(place.s, ':', place.n) : NULL;
	const char *q;
	uint64_t n;

	if (!colon || colon == place.s || colon + 1 == place.s + place.n ||
	    !(q = num_get_u64(colon + 1, &n)) || q != place.s + place.n)
		return 0;
	f->def.line = dict_line(rd->d->dict, n, 0);
	place.n = (size_t)(colon - place.s);
	return decode_file(rd->d, place, &f->def.file);
}

static int
add_named(struct legacy *rd, struct text func, struct text place, uint32_t object)
{
	struct frame *f = frames_add(&rd->frames);
	struct func_def def = NO_FUNC;

	if (place_frame(rd, place, f) < 0)
		return -1;
	def.name = dict_str(rd->d->dict, without_offset(func));
	def.file = f->def.file;
	def.object = object;
	return decode_func(rd->d, &def, &f->def.func);
}

static const char *
line_end(const struct legacy *rd, size_t at)
{
	const char *p = rd->file.s + at, *end = rd->file.s + rd->file.n;
	const char *lf = memchr(p, '\n', (size_t)(end - p));

	return lf ? lf : end;
}

/* Adds frames.  Successive lines that name one address are functions inlined into the last
 * one; where they begin again, it is recursion. */
static int
add_names(struct legacy *rd, const struct name *name, uint32_t object)
{
	const struct name *end = rd->name + rd->nname, *n = name;
	struct text func, place, first = { 0 };
	uint64_t addr;
	int i;

	for (i = 0; i < INLINED_MOST; i++, n++) {
		const char *p = rd->file.s + n->at, *lf = line_end(rd, n->at);

		split_name(p, lf, &addr, &func, &place);
		if (i && text_eq(first, (struct text){ p, (size_t)(lf - p) }))
			break;
		if (!i)
			first = (struct text){ p, (size_t)(lf - p) };
		if (add_named(rd, func, place, object) < 0)
			return -1;
		if (n + 1 == end || n[1].addr != name->addr ||
		    n[1].at != (size_t)(lf + 1 - rd->file.s))
			break;
	}
	return 0;
}

/* Finds the frames of an address; a name may belong to the return address, a byte after
 * it. */
static int
find_place(struct legacy *rd, uint64_t addr, size_t *first)
{
	const size_t was = rd->places.n, place = sums_row(&rd->places, &addr);
	const uint32_t object = addr ? maps_object(rd, addr) : NO_ID;
	const struct name *name;

	if (place < was) {
		*first = rd->place[place];
		return 0;
	}
	rd->place = mem_grow(rd->place, &rd->capplace, rd->places.n, sizeof *rd->place);
	rd->place[place] = *first = rd->frames.n;
	if (!(name = find_name(rd, addr)) && addr < UINT64_MAX)
		name = find_name(rd, addr + 1);
	if (name && add_names(rd, name, object) < 0)
		return -1;
	return frames_finish(&rd->frames, rd->d, *first, object, addr);
}

/* ---- stacks ---- */

/* Finds the context of a stack; the part that it shares with the previous one, from the
 * root on, is known. */
static int
find_ctx(struct legacy *rd, uint32_t *out)
{
	uint32_t ctx = NO_ID;
	bool same = true;
	size_t i, first;

	rd->path = mem_grow(rd->path, &rd->cappath, rd->naddr, sizeof *rd->path);
	rd->path_ctx = mem_grow(rd->path_ctx, &rd->cappath_ctx, rd->naddr,
	    sizeof *rd->path_ctx);
	for (i = 0; i < rd->naddr; i++) {
		const uint64_t addr = rd->addr[rd->naddr - 1 - i];

		same = same && i < rd->npath && rd->path[i] == addr;
		if (same) {
			ctx = rd->path_ctx[i];
			continue;
		}
		rd->npath = i;	/* valid even if something fails */
		if (find_place(rd, addr, &first) < 0 ||
		    frames_put(&rd->frames, rd->d, first, &ctx) < 0)
			return -1;
		rd->path[i] = addr;
		rd->path_ctx[i] = ctx;
		rd->npath = i + 1;
	}
	*out = ctx;
	return 0;
}

void
addr_add(struct legacy *rd, uint64_t addr)
{
	rd->addr = mem_grow(rd->addr, &rd->capaddr, rd->naddr + 1, sizeof *rd->addr);
	rd->addr[rd->naddr++] = addr;
}

/* Adjusts the addresses.  A signal handler records the leaf from the signal, and may record
 * it again from the stack: pprof's cleanupDuplicateLocations. */
static void
adjust(struct legacy *rd, enum callers callers)
{
	size_t i = callers == FIRST_IS_NOT;

	if (i && rd->naddr > 1 && rd->addr[0] == rd->addr[1])
		memmove(rd->addr + 1, rd->addr + 2, (--rd->naddr - 1) * sizeof *rd->addr);
	for (; i < rd->naddr; i++)
		rd->addr[i] -= rd->addr[i] > 0;
}

int
legacy_put_sample(struct legacy *rd, enum callers callers)
{
	struct record r = rec_make(REC_SAMPLE);
	struct text stack;
	uint64_t hash;
	uint32_t ctx = NO_ID;

	adjust(rd, callers);
	stack = (struct text){ (const char *)rd->addr, rd->naddr * sizeof *rd->addr };
	hash = rd->naddr ? cache_hash(stack) : 0;
	if (rd->naddr && !cache_find(&rd->stacks, stack, hash, &ctx)) {
		if (find_ctx(rd, &ctx) < 0)
			return -1;
		cache_add(&rd->stacks, stack, hash, ctx);
	}
	r.col[0].n = ctx;
	r.values = buf_as_text(&rd->values);
	if (rd->attrs.n)
		r.attrs = buf_as_text(&rd->attrs);
	return sink_put(rd->d->out, &r);
}

/* ---- the header ---- */

static int
put_period(struct legacy *rd, const struct legacy_header *h)
{
	struct record r = rec_make(REC_META);

	rd->attrs.n = 0;
	num_add_whole(&rd->attrs, h->period);
	buf_putc(&rd->attrs, '\t');
	field_escape(&rd->attrs, h->period_type);
	buf_putc(&rd->attrs, '\t');
	buf_puts(&rd->attrs, h->period_unit);
	r.col[0].t = TEXT("pprof.period");
	r.attrs = buf_as_text(&rd->attrs);
	return sink_put(rd->d->out, &r);
}

int
legacy_put_header(struct legacy *rd, const struct legacy_header *h)
{
	size_t i;

	if (decode_part(rd->d, "pprof-legacy", rd->nname ? TEXT("positions=addr,line") :
	    TEXT("positions=addr")) < 0 || put_period(rd, h) < 0 ||
	    (h->duration && meta_put_num(rd->d->out, "pprof.duration_nanos", h->duration) < 0))
		return -1;
	for (i = 0; i < h->nevent; i++) {
		rd->attrs.n = 0;
		attr_add(&rd->attrs, "calls", TEXT("absent"));
		if (h->nevent > 1 && i + 1 == h->nevent)	/* as in pprof */
			attr_add(&rd->attrs, "default", TEXT("1"));
		if (h->event[i].type)
			attr_add(&rd->attrs, "pprof.type", text_of(h->event[i].type));
		if (DECODE_EVENT(rd->d, i, .name = h->event[i].name,
		    .unit = text_of(h->event[i].unit), .attrs = buf_as_text(&rd->attrs)) < 0)
			return -1;
	}
	return maps_put(rd);
}

void
places_free(struct legacy *rd)
{
	free(rd->name);
	sums_free(&rd->places);
	free(rd->place);
	frames_free(&rd->frames);
	free(rd->addr);
	free(rd->path);
	free(rd->path_ctx);
	cache_free(&rd->stacks);
	buf_free(&rd->values);
	buf_free(&rd->attrs);
}
