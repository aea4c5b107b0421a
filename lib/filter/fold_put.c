/* SPDX-License-Identifier: ISC */
#include "filter/fold_end.h"

/* ---- values and places ---- */

static int
set_changes(struct ending *e, num *v)
{
	size_t i;
	num old, new;

	for (i = 0; i < e->fold.nval; i++) {
		if (!e->fold.derived[i])
			continue;
		old = v[e->change[i].old] == NUM_ABSENT ? 0 : v[e->change[i].old];
		new = v[e->change[i].new] == NUM_ABSENT ? 0 : v[e->change[i].new];
		if (num_sub(&new, old) < 0)
			return fold_overflow(e->fd);
		v[i] = new;
	}
	return 0;
}

static bool
is_nothing(const num *v, size_t n)
{
	while (n && (!v[n - 1] || v[n - 1] == NUM_ABSENT))
		n--;
	return n == 0;
}

static void
put_number(struct buf *b, num v)
{
	if (v == NUM_ABSENT)
		buf_putc(b, '-');
	else
		num_add_whole(b, v);
}

/* Sets values without trailing zeros, but at least one value. */
static void
set_values(struct fold *fd, struct record *r, const num *v)
{
	size_t n = fold_events(fd), i;

	while (n > 1 && !v[n - 1])
		n--;
	fd->values.n = 0;
	for (i = 0; i < n; i++) {
		if (i)
			buf_putc(&fd->values, '\t');
		put_number(&fd->values, v[i]);
	}
	r->values = buf_as_text(&fd->values);
}

static struct field
get_field(const uint64_t *key, uint64_t has)
{
	return (struct field){ .n = key[0], .m = key[1], .has = (unsigned)has };
}

static void
set_place(struct record *r, const uint64_t *key)
{
	r->col[PLACE_FUNC].n = key[KEY_FUNC];
	r->col[PLACE_FILE].n = key[KEY_FILE];
	r->col[PLACE_LINE] = get_field(&key[KEY_LINE], key[KEY_HAS] & HAS_MASK);
	r->col[PLACE_ADDR] = get_field(&key[KEY_ADDR], key[KEY_HAS] >> HAS_BITS);
}

/* ---- functions that stay ---- */

/* Puts the cost of a function that stays; it remains in the function's own file. */
static int
put_staying(struct ending *e)
{
	struct fold *fd = e->fd;
	struct record r;
	size_t i;

	for (i = 0; i < fd->self.n; i++) {
		uint64_t func = *sums_key(&fd->self, i);

		if (e->fold.folded[fold_node_of(e, func)])
			continue;
		r = rec_make(REC_COST);
		r.col[PLACE_FUNC].n = func;
		r.col[PLACE_FILE].n = dict_def(fd->dict, REC_FUNC,
		    (uint32_t)func)[FUNC_FILE];
		set_values(fd, &r, sums_val(&fd->self, i));
		if (sink_put(fd->sink.next, &r) < 0)
			return -1;
	}
	return 0;
}

/* Puts a call from a place, given as a key; the attributes are the call's. */
static int
put_one_call(struct ending *e, const uint64_t *place, uint32_t callee,
    const struct arrival *at, const num *v)
{
	struct fold *fd = e->fd;
	struct record r;

	rec_init(&r, REC_CALL);
	set_place(&r, place);
	r.col[CALL_CALLEE].n = callee;
	r.col[CALL_TLINE] = get_field(&at->key[AT_LINE], at->key[AT_HAS] & HAS_MASK);
	r.col[CALL_TADDR] = get_field(&at->key[AT_ADDR], at->key[AT_HAS] >> HAS_BITS);
	r.attrs = at->attrs;
	if (v[0] != NUM_ABSENT) {
		fd->text.n = 0;
		put_number(&fd->text, v[0]);
		r.col[CALL_COUNT].t = buf_as_text(&fd->text);
	}
	set_values(fd, &r, v + 1);
	return sink_put(fd->sink.next, &r);
}

static int
put_calls_that_stay(struct ending *e)
{
	struct fold *fd = e->fd;
	size_t i;

	for (i = 0; i < fd->calls.n; i++) {
		const uint64_t *key = sums_key(&fd->calls, i);

		if (fold_call_stays(e, i) && put_one_call(e,
		    sums_key(&fd->places, key[CALL_FROM]), (uint32_t)key[CALL_TO],
		    &e->arrival[e->arrival_of[key[CALL_AT]]],
		    sums_val(&fd->calls, i)) < 0)
			return -1;
	}
	return 0;
}

/* ---- shares of the others ---- */

static int
put_self(struct ending *e, size_t source)
{
	struct record r;
	num *v = e->fold.self + source * e->fold.nval;

	rec_init(&r, REC_COST);
	if (set_changes(e, v) < 0)
		return -1;
	if (is_nothing(v, e->fold.nval))
		return 0;
	set_place(&r, e->source[source].place);
	set_values(e->fd, &r, v);
	return sink_put(e->fd->sink.next, &r);
}

/* Puts a share of a call. */
static int
put_share(struct ending *e, size_t source, size_t i)
{
	const struct contract_calls *c = &e->fold.calls[source];
	num *v = c->val + i * (1 + e->fold.nval);
	bool nothing;

	if (set_changes(e, v + 1) < 0)
		return -1;
	nothing = is_nothing(v + 1, e->fold.nval);
	if (nothing && is_nothing(v, 1))
		return 0;
	/* Readers ignore the cost of calls with count 0. */
	if (!v[0] && !nothing)
		v[0] = NUM_ABSENT;
	return put_one_call(e, e->source[source].place,
	    e->node[CONTRACT_KEY_TO(c->key[i])].func,
	    &e->arrival[CONTRACT_KEY_AT(c->key[i])], v);
}

/* ---- the whole ---- */

/* Puts a place's cost, then its calls. */
int
fold_put_result(struct ending *e)
{
	const struct contraction *f = &e->fold;
	size_t i, k;

	if (put_staying(e) < 0 || put_calls_that_stay(e) < 0)
		return -1;
	for (i = 0; i < f->nsources; i++) {
		if (f->folded[f->node[i]])
			continue;
		if (put_self(e, i) < 0)
			return -1;
		for (k = 0; k < f->calls[i].n; k++)
			if (put_share(e, i, k) < 0)
				return -1;
	}
	return 0;
}
