/* SPDX-License-Identifier: ISC */
#include "report/page_data.h"

#include <stdlib.h>

#include "util/mem.h"

/* ---- tables ---- */

static int
choose(struct page_data *d, struct table *t, const struct report_ranking *k)
{
	*t = (struct table){ .v = &d->view, .q = &k->request, .r = k->rank,
	    .h = ranker_heading(k->ranker) };
	return table_choose(t);
}

/* Notes the most expensive line of each function. */
static void
find_hottest(struct page_data *d)
{
	const struct table *t = &d->places;
	size_t i;

	for (i = 0; i < t->r->rows.n; i++) {
		const size_t row = t->order[i].of;
		const uint64_t *key = sums_key(&t->r->rows, row);

		if (key[2] == NO_LINE || key[0] == NO_ID)
			continue;
		d->lines = true;
		d->hottest = mem_reach(d->hottest, &d->caphottest, key[0], sizeof *d->hottest, 0);
		if (!d->hottest[key[0]])
			d->hottest[key[0]] = row + 1;
	}
}

static void
find_paths(struct page_data *d)
{
	struct dict *dict = d->r->dict;
	uint32_t i;

	for (i = 0; i < dict_count(dict, REC_FILE); i++)
		paths_add(&d->paths, dict_path(dict, i));
	for (i = 0; i < dict_count(dict, REC_OBJECT); i++)
		paths_add(&d->paths, dict_object_path(dict, i));
	paths_sort(&d->paths);
}

/* Finds the rows that have changed; those of equal self cost, whose inclusive cost alone has
 * changed, go last. */
static void
find_changes(struct page_data *d)
{
	const struct table *t = &d->functions;
	uint32_t *equal = mem_alloc(t->r->rows.n + 1, sizeof *equal);
	size_t i, n = 0;

	d->changed = mem_alloc(t->r->rows.n + 1, sizeof *d->changed);
	d->nchanged = page_changed_rows(t, d->changed, &d->changes);
	for (i = 0; i < d->nchanged; i++)
		if (sums_val(&t->r->rows, d->changed[i])[t->metric[0].delta->change])
			d->changed[d->nself++] = d->changed[i];
		else
			equal[n++] = d->changed[i];
	memcpy(d->changed + d->nself, equal, n * sizeof *equal);
	free(equal);
}

/* Sums of changes have no old cost, of which they would be a share. */
static int
check_event(const struct page_data *d)
{
	const struct rank *r = d->functions.r;

	if (!r->ndelta || !d->event.s || events_find(&r->events, d->event) >= 0)
		return 0;
	return diag_fail_plain(d->r->diag, "--events: '%.*s': the report of a difference is about "
	    "an event, not a formula", (int)d->event.n, d->event.s);
}

int
page_data_init(struct page_data *d, const struct report *r)
{
	const struct report_ranking *k = &r->functions;

	*d = (struct page_data){ .r = r };
	d->event = r->event.s ? r->event : rank_default(&k->request, k->rank);
	d->view = (struct view){ .form = VIEW_TEXT, .show = &d->event,
	    .nshow = d->event.s != NULL, .scaled = true, .significance = r->significance };
	if (choose(d, &d->functions, &r->functions) < 0 || check_event(d) < 0 ||
	    choose(d, &d->places, &r->places) < 0)
		return -1;
	table_tell_absent(&d->functions);
	find_hottest(d);
	find_paths(d);
	if (table_is_diff(&d->functions))
		find_changes(d);
	return 0;
}

void
page_data_free(struct page_data *d)
{
	size_t i;

	table_free(&d->functions);
	table_free(&d->places);
	paths_free(&d->paths);
	for (i = 0; i < d->nline; i++)
		buf_free(&d->line[i].source);
	for (i = 0; i < d->nnext; i++)
		buf_free(&d->next[i].command);
	free(d->hottest);
	free(d->changed);
	free(d->line);
	free(d->callers);
}

/* ---- its functions ---- */

struct function_names
names_of_function(const struct page_data *d, size_t row)
{
	const struct dict *dict = d->r->dict;
	const uint64_t func = *sums_key(&d->functions.r->rows, row);
	const uint32_t *f = dict_def(dict, REC_FUNC, (uint32_t)func);
	const size_t at = func < d->caphottest ? d->hottest[func] : 0;
	const uint64_t *place = at ? sums_key(&d->places.r->rows, at - 1) : NULL;

	return (struct function_names){ dict_text(dict, f[FUNC_NAME]),
	    dict_path(dict, place ? (uint32_t)place[1] : f[FUNC_FILE]),
	    dict_object_path(dict, f[FUNC_OBJECT]), place ? place[2] : NO_LINE };
}

uint32_t
first_function(const struct page_data *d)
{
	const struct table *t = &d->functions;

	return t->kept ? (uint32_t)*sums_key(&t->r->rows, t->order[0].of) : NO_ID;
}
