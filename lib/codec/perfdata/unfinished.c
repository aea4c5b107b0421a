/* SPDX-License-Identifier: ISC */
/* Stacks that lack their callers: their number by reason and object, and the function that
 * stands for the callers. */
#include "perfdata.h"

#include <inttypes.h>
#include <stdlib.h>

#include "util/printable.h"

enum { KEY_REASON, KEY_PLACE, KEYS };

#define NAMED 3			/* objects that a note names */

void
pd_unfinished_init(struct perf_unfinished *u)
{
	sums_init(&u->stacks, KEYS, 1);
	u->func = NO_ID;
}

void
pd_unfinished_free(struct perf_unfinished *u)
{
	sums_free(&u->stacks);
}

void
pd_unfinished_add(struct perfdata *pd, enum unfinished why, const struct map *map)
{
	const uint64_t key[KEYS] = { why, map ? map->place : NO_ID };
	struct sums *stacks = &pd->unfinished.stacks;

	++*sums_val(stacks, sums_row(stacks, key));
}

int
pd_unfinished_func(struct perfdata *pd, uint32_t *func)
{
	struct perf_unfinished *u = &pd->unfinished;
	struct func_def f = NO_FUNC;

	f.name = dict_str(pd->d->dict, TEXT("[truncated]"));
	if (u->func == NO_ID && decode_func(pd->d, &f, &u->func) < 0)
		return -1;
	*func = u->func;
	return 0;
}

/* ---- the report ---- */

struct ended {
	uint64_t stacks;
	struct text path;	/* the object in which they end */
};

static int
by_stacks(const void *pa, const void *pb)
{
	const struct ended *a = pa, *b = pb;

	return a->stacks != b->stacks ? (a->stacks < b->stacks) - (a->stacks > b->stacks) :
	    text_cmp(a->path, b->path);
}

/* Sets v to the objects in which stacks end for this reason, most stacks first, and returns
 * their number. */
static size_t
find_objects(struct perfdata *pd, enum unfinished why, struct ended *v, uint64_t *all)
{
	const struct sums *stacks = &pd->unfinished.stacks;
	size_t i, n = 0;

	*all = 0;
	for (i = 0; i < stacks->n; i++) {
		const uint64_t *key = sums_key(stacks, i);
		const uint64_t is = (uint64_t)*sums_val(stacks, i);

		if (key[KEY_REASON] != why)
			continue;
		*all += is;
		if (key[KEY_PLACE] != NO_ID)
			v[n++] = (struct ended){ is, dict_text(pd->d->dict,
			    pd->places.v[key[KEY_PLACE]].path) };
	}
	qsort(v, n, sizeof *v, by_stacks);
	return n;
}

static void
list_objects(struct buf *b, const struct ended *v, size_t n)
{
	size_t i;

	for (i = 0; i < n && i < NAMED; i++) {
		buf_puts(b, i ? ", " : ", in ");
		printable_add(b, v[i].path);
		buf_printf(b, " (%" PRIu64 ")", v[i].stacks);
	}
	buf_puts(b, n > NAMED ? " and others" : "");
}

int
pd_unfinished_report(struct perfdata *pd)
{
	static const struct { const char *fact, *what; bool listed; } reasons[] = {
		[UNFINISHED_COPY] = { "truncated stacks", "stacks are larger than their copy, "
		    "and lack callers (perf record --call-graph dwarf,BYTES)", false },
		[UNFINISHED_CHAIN] = { "full stacks", "stacks have as many frames as the "
		    "kernel keeps: they may lack callers (sysctl "
		    "kernel.perf_event_max_stack)", false },
		[UNFINISHED_BRANCHES] = { "full branch stacks", "stacks have as many calls as the "
		    "processor keeps: they may lack callers", false },
		[UNFINISHED_DEFERRED] = { "undelivered stacks", "stacks lack callers "
		    "that the kernel deferred and did not deliver", false },
		[UNFINISHED_NO_ROW] = { "lost stacks", "stacks lack callers, as no table "
		    "to unwind them was found", true },
		[UNFINISHED_NO_RULE] = { "failed stacks", "stacks lack callers, as a rule to "
		    "unwind them cannot be computed", true },
		[UNFINISHED_NOT_UP] = { "damaged stacks", "stacks lack callers, as their "
		    "memory does not continue upwards", true },
		[UNFINISHED_REGISTERS] = { "unknown registers", "stacks lack callers, as "
		    "their registers are incomplete or of an unknown machine", false },
	};
	struct ended *v = mem_alloc(pd->unfinished.stacks.n + 1, sizeof *v);
	struct buf where = { 0 };
	uint64_t all;
	size_t n, i;
	int ret = 0;

	for (i = 0; i < UNFINISHED_REASONS && ret == 0; i++) {
		n = find_objects(pd, (enum unfinished)i, v, &all);
		where.n = 0;
		if (reasons[i].listed)
			list_objects(&where, v, n);
		if (!all)
			continue;
		diag_say(pd->d->diag, DIAG_NOTE, "%" PRIu64 " %s%s", all, reasons[i].what,
		    buf_str(&where));
		ret = meta_put_num(pd->d->out, reasons[i].fact, all);
	}
	buf_free(&where);
	free(v);
	return ret;
}
