/* SPDX-License-Identifier: ISC */
#include "filter/fold_state.h"

#include <inttypes.h>
#include <stdlib.h>

#include "util/mem.h"

/* ---- records in ---- */

static void
begin(struct fold *fd)
{
	fd->any = true;
	sums_init(&fd->self, 1, fold_events(fd));
	sums_init(&fd->places, PLACE_KEYS, 0);
	sums_init(&fd->arrivals, AT_KEYS, 0);
	sums_init(&fd->calls, CALL_KEYS, 1 + fold_events(fd));
	fd->self.init = fd->calls.init = NUM_ABSENT;
}

static int
add_number(struct fold *fd, num *sum, struct text t)
{
	num n = 0;

	if (t.n && num_get_num(t.s, t.n, &n) < 0)
		return fold_overflow(fd);
	return sums_add(sum, n, NUM_ABSENT) < 0 ? fold_overflow(fd) : 0;
}

/* Adds values to sums; omitted ones are 0. */
static int
add_values(struct fold *fd, num *sum, struct text values)
{
	struct sums_run run = { .values = values, .n = fold_events(fd),
	    .init = NUM_ABSENT };
	size_t i;

	if (sums_add_run(&run, sum) < 0)
		return fold_overflow(fd);
	fd->nvalues += sums_counted(&run);
	for (i = run.found; i < fold_events(fd); i++)
		if (sum[i] == NUM_ABSENT)
			sum[i] = 0;
	return fold_events(fd) <= TABLE_WIDE || sums_fits((fd->self.n + fd->calls.n) *
	    (uint64_t)fold_events(fd), fd->nvalues) ? 0 :
	    sums_refuse(fd->diag, fold_events(fd));
}

/* Costs of a function usually follow each other. */
static int
put_cost(struct fold *fd, const struct record *r)
{
	uint64_t func = r->col[PLACE_FUNC].n;

	if (func != fd->func_before) {
		fd->folds_before = fold_folds(fd, func);
		fd->func_before = func;
		fd->has_costs |= fd->folds_before;
		fd->folds_before &= !fd->lacks_calls;
		if (fd->folds_before) {
			if (!fd->any)
				begin(fd);
			fd->row_before = sums_row(&fd->self, &func);
		}
	}
	if (!fd->folds_before)
		return sink_put(fd->sink.next, r);
	return add_values(fd, sums_val(&fd->self, fd->row_before), r->values);
}

/* Adds a line or an address as words of a key; absent components are 0. */
static uint64_t
add_field(uint64_t *key, const struct field *f)
{
	key[0] = f->has & HAS_N ? f->n : 0;
	key[1] = f->has & (HAS_M | HAS_BB) ? f->m : 0;
	return f->has;
}

static size_t
place_row(struct fold *fd, const struct record *r)
{
	uint64_t key[PLACE_KEYS] = { r->col[PLACE_FUNC].n, r->col[PLACE_FILE].n };

	key[KEY_HAS] = add_field(&key[KEY_LINE], &r->col[PLACE_LINE]);
	key[KEY_HAS] |= add_field(&key[KEY_ADDR], &r->col[PLACE_ADDR]) << HAS_BITS;
	return sums_row(&fd->places, key);
}

static size_t
arrival_row(struct fold *fd, const struct record *r)
{
	uint64_t key[AT_KEYS] = { 0 };

	key[AT_HAS] = add_field(&key[AT_LINE], &r->col[CALL_TLINE]);
	key[AT_HAS] |= add_field(&key[AT_ADDR], &r->col[CALL_TADDR]) << HAS_BITS;
	key[AT_ATTRS] = dict_str(fd->dict, r->attrs);
	return sums_row(&fd->arrivals, key);
}

static int
put_call(struct fold *fd, const struct record *r)
{
	uint64_t key[CALL_KEYS];
	num *sums;

	if ((!fold_folds(fd, r->col[PLACE_FUNC].n) &&
	    !fold_folds(fd, r->col[CALL_CALLEE].n)) || fd->lacks_calls)
		return sink_put(fd->sink.next, r);
	if (!fd->any)
		begin(fd);
	key[CALL_FROM] = place_row(fd, r);
	key[CALL_TO] = r->col[CALL_CALLEE].n;
	key[CALL_AT] = arrival_row(fd, r);
	sums = sums_val(&fd->calls, sums_row(&fd->calls, key));
	if (r->col[CALL_COUNT].t.s &&
	    add_number(fd, sums, r->col[CALL_COUNT].t) < 0)
		return -1;
	return add_values(fd, sums + 1, r->values);
}

/* ---- parts ---- */

static void
free_sums(struct fold *fd)
{
	sums_free(&fd->self);
	sums_free(&fd->places);
	sums_free(&fd->arrivals);
	sums_free(&fd->calls);
	fd->any = false;
	fd->nvalues = 0;
	fd->func_before = NOT_YET;
}

static int
end_part(struct fold *fd)
{
	int ret = fd->any ? fold_end(fd) : 0;

	free_sums(fd);
	return ret;
}

static void
tell(struct fold *fd)
{
	if (fd->nshared)
		diag_say(fd->diag, DIAG_NOTE, "the cost of %" PRIu64 " folded function%s "
		    "was distributed among several callers, by the inclusive cost of "
		    "their calls", fd->nshared, fd->nshared == 1 ? "" : "s");
	if (fd->nrooted)
		diag_say(fd->diag, DIAG_NOTE, "%" PRIu64 " folded function%s cost%s more "
		    "than all calls to %s: the rest is also charged to the callers, "
		    "though no call explains it",
		    fd->nrooted, fd->nrooted == 1 ? "" : "s", fd->nrooted == 1 ? "s" : "",
		    fd->nrooted == 1 ? "it" : "them");
	if (fd->has_costs && !fd->has_calls)
		diag_say(fd->diag, DIAG_NOTE, "nothing folded: the profile has no call "
		    "records");
}

static __attribute__((noinline)) int
put_record(struct fold *fd, const struct record *r)
{
	if (part_ends(&fd->part, rec_kind(r)) && end_part(fd) < 0)
		return -1;
	if (part_ends_events(&fd->part, rec_kind(r)))
		fd->lacks_calls = !events_have_calls(&fd->part.events);
	part_take(&fd->part, r);
	switch (rec_kind(r)) {
	case REC_COST:
		return put_cost(fd, r);
	case REC_CALL:
		fd->has_calls = true;
		return put_call(fd, r);
	case REC_JUMP:
		if ((fold_folds(fd, r->col[PLACE_FUNC].n) ||
		    fold_folds(fd, r->col[JUMP_TFUNC].n)) && !fd->lacks_calls)
			return 0;
		break;
	case REC_PART:
		fold_forget(fd);
		break;
	case REC_END:
		tell(fd);
		break;
	default:
		break;
	}
	return sink_put(fd->sink.next, r);
}

/* For the same function as before the decision is known, and nearly every line is a cost of
 * that. */
static int
fold_put(struct sink *s, const struct record *r)
{
	struct fold *fd = (struct fold *)s;

	if (rec_kind(r) != REC_COST || r->col[PLACE_FUNC].n != fd->func_before)
		return put_record(fd, r);
	if (fd->folds_before)
		return add_values(fd, sums_val(&fd->self, fd->row_before), r->values);
	return sink_put(s->next, r);
}

static void
fold_free(struct sink *s)
{
	struct fold *fd = (struct fold *)s;

	free_sums(fd);
	part_free(&fd->part);
	free(fd->verdict);
	buf_free(&fd->text);
	buf_free(&fd->values);
	free(fd);
}

struct sink *
filter_fold(bool (*fn)(void *arg, uint32_t func), void *arg, struct dict *dict,
    struct diag *d)
{
	struct fold *fd = mem_alloc(1, sizeof *fd);

	fd->sink = (struct sink){ .put = fold_put, .free = fold_free };
	fd->folds = fn;
	fd->arg = arg;
	fd->dict = dict;
	fd->diag = d;
	fd->func_before = NOT_YET;
	return &fd->sink;
}
