/* SPDX-License-Identifier: ISC */
/* Objects whose functions have no names: how much of the cost they are in, and why. */
#include "perfdata.h"

#include <stdlib.h>

#include "symbol/objects.h"
#include "util/mem.h"
#include "util/printable.h"

#define NONE UINT32_MAX
#define MOST 3			/* objects that are listed */

/* The contexts as a tree. */
struct tree {
	size_t n;
	uint32_t *child, *next;	/* NONE: there is none */
	num *cost;		/* of the context and those below it */
};

struct unnamed {
	struct perfdata *pd;
	struct tree tree;
	size_t event;		/* of which the costs are */
	num total;
	uint32_t *place;	/* by function: whose without a name it is, + 1 */
	size_t capplace;
	uint32_t *inside;	/* by place: frames around the context at hand that it has */
	num *lost;		/* by place: the cost of stacks with its functions */
};

/* ---- the tree ---- */

static uint32_t *
new_links(size_t n)
{
	uint32_t *v = mem_resize(NULL, n + 1, sizeof *v);

	memset(v, 0xff, (n + 1) * sizeof *v);
	return v;
}

/* False if a sum does not fit. */
static bool
make_tree(struct unnamed *u)
{
	const struct perf_contexts *c = &u->pd->contexts;
	const struct perf_stacks *st = &u->pd->stacks;
	struct tree *t = &u->tree;
	bool fits = true;
	size_t i;

	t->n = c->n;
	t->child = new_links(t->n);
	t->next = new_links(t->n);
	t->cost = mem_alloc(t->n + 1, sizeof *t->cost);
	for (i = 0; i < st->n; i++)
		if (pd_stacks_event(st, i) == u->event)
			fits &= num_add(&t->cost[st->v[i].context], st->v[i].period) == 0;
	for (i = t->n; i--; ) {
		const uint32_t parent = c->v[i].parent;

		if (parent == NO_ID)
			continue;
		t->next[i] = t->child[parent];
		t->child[parent] = (uint32_t)i;
		fits &= num_add(&t->cost[parent], t->cost[i]) == 0;
	}
	return fits;
}

/* ---- the costs ---- */

/* False: all functions have names. */
static bool
find_places(struct unnamed *u)
{
	const struct perf_places *p = &u->pd->places;
	uint32_t i;

	for (i = 0; i < p->known.n; i++) {
		const uint32_t func = p->v[i].unknown;

		if (func == NO_ID || p->v[i].kind == PLACE_SYMBOL)
			continue;
		u->place = mem_reach(u->place, &u->capplace, func, sizeof *u->place, 0);
		u->place[func] = i + 1;
	}
	return u->place;
}

/* The place that a context's function has no name in; NONE. */
static uint32_t
place_of(const struct unnamed *u, uint32_t context)
{
	const uint32_t func = u->pd->contexts.v[context].func;

	return func < u->capplace && u->place[func] ? u->place[func] - 1 : NONE;
}

static void
enter(struct unnamed *u, uint32_t context)
{
	const uint32_t place = place_of(u, context);

	/* Those below cost no more than the total, which fits. */
	if (place != NONE && u->inside[place]++ == 0)
		u->lost[place] += u->tree.cost[context];
}

/* The context after one in the tree; those that end there are left. */
static uint32_t
step(struct unnamed *u, uint32_t at)
{
	const struct tree *t = &u->tree;

	if (t->child[at] != NONE)
		return t->child[at];
	for (; at != NONE; at = u->pd->contexts.v[at].parent) {
		const uint32_t place = place_of(u, at);

		if (place != NONE)
			u->inside[place]--;
		if (t->next[at] != NONE)
			return t->next[at];
	}
	return NONE;
}

static void
add_costs(struct unnamed *u)
{
	const size_t n = u->pd->places.known.n;
	uint32_t root, at;

	u->inside = mem_alloc(n + 1, sizeof *u->inside);
	u->lost = mem_alloc(n + 1, sizeof *u->lost);
	for (root = 0; root < u->tree.n; root++)
		if (u->pd->contexts.v[root].parent == NONE)
			for (at = root; at != NONE; at = step(u, at))
				enter(u, at);
}

/* The first event that has a cost. */
static bool
find_event(struct unnamed *u)
{
	const struct perf_stacks *st = &u->pd->stacks;
	size_t i;

	u->event = SIZE_MAX;
	for (i = 0; i < st->n; i++)
		if (st->v[i].period && pd_stacks_event(st, i) < u->event)
			u->event = pd_stacks_event(st, i);
	for (i = 0; i < st->n; i++)
		if (pd_stacks_event(st, i) == u->event &&
		    num_add(&u->total, st->v[i].period) < 0)
			return false;
	return u->event != SIZE_MAX;
}

/* ---- the report ---- */

static void
add_file_reason(struct perfdata *pd, const struct place *p, struct buf *b)
{
	static const char *const why[OBJECT_LACKS] = {
		[LACKS_REGULAR] = "it is not a regular file",
		[LACKS_OWNER] = "it is another user's: give it with --exe",
		[LACKS_READER] = "it is not an ELF file",
		[LACKS_SYMBOLS] = "it is stripped: install its debug symbols, or keep it "
		    "unstripped",
		[LACKS_PUBLIC] = "not all users may read it, and the recording has no build ID "
		    "of it: give it with --exe",
		[LACKS_BUILD] = "another build is there: see --sysroot",
	};
	const enum object_lack lack = objects_lack(objects_of(pd->d->session), p->object);
	const struct text key = dict_text(pd->d->dict, p->key);

	if (lack == LACKS_NOTHING)
		buf_puts(b, symbols_has_all(symbolize_symbols(p->names)) ?
		    "its symbols have gaps" : why[LACKS_SYMBOLS]);
	else if (lack != LACKS_FILE)
		buf_puts(b, why[lack]);
	else if (key.n)
		buf_printf(b, "no file has its build ID, %.*s: see --sysroot", (int)key.n, key.s);
	else
		buf_puts(b, "the file does not exist: see --sysroot");
}

static void
add_reason(struct perfdata *pd, const struct place *p, struct buf *b)
{
	if (p->kind == PLACE_ELF)
		add_file_reason(pd, p, b);
	else if (p->names)
		buf_puts(b, "its symbols have gaps");
	else if (p->kind == PLACE_KERNEL && pd->places.shift)
		buf_puts(b, "modules are at other addresses after a reboot");
	else if (p->kind == PLACE_KERNEL)
		buf_puts(b, "the list of its symbols is missing or not readable: see "
		    "--kallsyms");
	else
		buf_puts(b, "the code was generated at run time, and the list of its "
		    "symbols is missing or the recording is of another machine");
}

/* Are some functions of a place without names, more than a few between symbols? */
static bool
is_unnamed(const struct unnamed *u, uint32_t place)
{
	const struct place *p = &u->pd->places.v[place];

	return u->lost[place] > 0 && (!p->names || !symbols_count(symbolize_symbols(p->names)) ||
	    u->lost[place] >= u->total / 100);
}

static void
list(struct unnamed *u, uint32_t place)
{
	struct perfdata *pd = u->pd;
	const struct place *p = &pd->places.v[place];
	struct buf b = { 0 };

	buf_puts(&b, "functions of ");
	printable_add(&b, dict_text(pd->d->dict, p->path));
	buf_puts(&b, ", in stacks of ");
	num_add_percent(&b, u->lost[place], u->total);
	buf_puts(&b, " % of ");
	printable_add(&b, buf_as_text(&pd->events.v[u->event].name));
	buf_puts(&b, ", have no names: ");
	add_reason(pd, p, &b);
	diag_say(pd->d->diag, DIAG_NOTE, "%s", buf_str(&b));
	buf_free(&b);
}

/* The place that costs most of those that are not listed yet; NONE. */
static uint32_t
find_most(const struct unnamed *u)
{
	uint32_t i, most = NONE;

	for (i = 0; i < u->pd->places.known.n; i++)
		if (is_unnamed(u, i) && (most == NONE || u->lost[i] > u->lost[most]))
			most = i;
	return most;
}

/* All others, of which the first are named. */
static void
list_others(struct unnamed *u)
{
	const struct perf_places *p = &u->pd->places;
	struct buf b = { 0 };
	size_t n = 0;
	uint32_t i;

	for (i = 0; i < p->known.n; i++) {
		if (!is_unnamed(u, i))
			continue;
		objects_lack(objects_of(u->pd->d->session), p->v[i].object);
		if (n++ < MOST) {
			buf_puts(&b, n > 1 ? ", " : "");
			printable_add(&b, dict_text(u->pd->d->dict, p->v[i].path));
		}
	}
	if (n)
		diag_say(u->pd->d->diag, DIAG_NOTE, "functions of %s%s have no names, in stacks "
		    "of less cost", buf_str(&b), n > MOST ? ", and others" : "");
	buf_free(&b);
}

static void
list_all(struct unnamed *u)
{
	uint32_t place;
	size_t i;

	for (i = 0; i < MOST && (place = find_most(u)) != NONE &&
	    (i == 0 || u->lost[place] >= u->total / 1000); i++) {
		list(u, place);
		u->lost[place] = 0;
	}
	list_others(u);
}

void
pd_report_unnamed(struct perfdata *pd)
{
	struct unnamed u = { .pd = pd };

	if (find_places(&u) && find_event(&u) && make_tree(&u)) {
		add_costs(&u);
		list_all(&u);
	}
	free(u.tree.child);
	free(u.tree.next);
	free(u.tree.cost);
	free(u.place);
	free(u.inside);
	free(u.lost);
}
