/* SPDX-License-Identifier: ISC */
/* The screen of source: the files of a function, with the costs of its lines. */
#include "browse/browser.h"

#include <stdlib.h>

#include "browse/terminal.h"
#include "util/hash.h"
#include "util/shell_word.h"
#include "view/annotate.h"

/* Returns the row of the line that costs, or has changed, most; NO_ITEM: no line has a
 * cost. */
static uint32_t
hottest(const struct profile *p)
{
	const struct rank *r = p->source.rank;
	struct terms terms = { 0 };
	const bool any = profile_terms(p, &p->source, &terms);
	uint32_t best = NO_ITEM;
	size_t row, known;
	num cost, most = 0;

	for (row = 0; row < r->rows.n && any; row++) {
		if (!sums_find(&p->in.lines.lines, sums_key(&r->rows, row), &known) ||
		    terms_sum(&terms, sums_val(&r->rows, row), &cost) < 0)
			continue;
		if (best == NO_ITEM || tree_size(cost) > most) {
			best = (uint32_t)row;
			most = tree_size(cost);
		}
	}
	terms_free(&terms);
	return best;
}

static int
print_source(struct browser *b, struct place *at, struct output *out, struct page_items *items)
{
	struct profile *p = b->profile;
	struct annotate a = { .items = items, .nshow = 1, .min = { 0, true }, .whole = true,
	    .search = p->search, .width = browser_width(), .color = terminal_has_color(),
	    .scaled = true };
	struct text event;

	if (profile_need_source(p, at->pattern) < 0)
		return -1;
	if (!p->in.lines.places)
		return diag_fail_plain(p->diag, "the function has no lines in this profile");
	event = profile_event(p, &p->source);
	a.show = &event;
	a.lines = &p->in.lines.lines;
	a.inlined = &p->in.inlined.lines;
	at->node = hottest(p);
	if (!at->cursor && !at->keeps)
		at->item = at->node;
	return annotate_print(&a, &p->source.request, p->source.rank,
	    ranker_heading(p->source.ranker), out);
}

static void
source_command(struct browser *b, const struct place *at, struct buf *out)
{
	struct buf arguments = { 0 };

	buf_puts(&arguments, b->profile->source_options);
	buf_puts(&arguments, "--min 0 --whole --function ");
	shell_word_add(&arguments, text_of(at->pattern));
	profile_command(b->profile, out, "prof-annotate", buf_str(&arguments));
	buf_free(&arguments);
}

static uint64_t
source_identity(struct browser *b, const struct place *at, uint32_t row)
{
	const struct profile *p = b->profile;
	const struct rank *r = p->source.rank;
	const uint64_t *key;

	if (!r || !p->in.pattern || strcmp(p->in.pattern, at->pattern) != 0 || row >= r->rows.n)
		return 0;
	key = sums_key(&r->rows, row);
	return hash_number(hash_number(0, key[0]), key[1]);
}

static bool
source_key(struct browser *b, struct place *at, unsigned key)
{
	if (key != '*')
		return false;
	(void)b;
	at->item = at->node;
	at->fresh = false;
	return true;
}

const struct screen screen_source = {
	.name = "Source",
	.help = "* the hottest line  Backspace back  / search  c command  ? help  q quit",
	.print = print_source,
	.key = source_key,
	.command = source_command,
	.identity = source_identity,
};
