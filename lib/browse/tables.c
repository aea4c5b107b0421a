/* SPDX-License-Identifier: ISC */
/* The screens that rank: the table of functions, files, lines ..., and the callers and
 * callees of a function. */
#include "browse/browser.h"

#include <stdlib.h>

#include "browse/terminal.h"
#include "util/hash.h"
#include "util/mem.h"
#include "util/shell_word.h"
#include "view/view.h"

static const char *const sorts[] = { "self", "inclusive", "calls", "function", "file",
	"object" };
#define SORTS (sizeof sorts / sizeof *sorts)
#define NO_SORT SORTS		/* the default of the table */

/* Prints a ranking as prof-top(1) does. */
static int
print_ranking(const struct profile *p, const struct profile_ranking *r, struct view *v,
    struct output *out)
{
	struct text event = profile_event(p, r);

	v->show = &event;
	v->nshow = event.s != NULL;
	v->width = browser_width();
	v->scaled = true;
	v->color = terminal_has_color();
	return view_print(v, &r->request, r->rank, ranker_heading(r->ranker), out);
}

/* ---- the table ---- */

static int
print_table(struct browser *b, struct place *at, struct output *out, struct page_items *items)
{
	struct profile *p = b->profile;
	struct text by = b->sort ? text_of(sorts[b->sort - 1]) : (struct text){ 0 };
	struct view v = { .items = items, .reverse = b->reverse,
	    .skip = at->whole ? 0 : at->from, .most = at->whole ? 0 : browser_rows(),
	    .sort = &by, .nsort = b->sort != 0 };

	return profile_need_rows(p) < 0 ? -1 : print_ranking(p, profile_table(p), &v, out);
}

/* Returns a column of a row's key. */
static uint64_t
key_of(struct browser *b, uint32_t row, enum group_by by)
{
	const struct profile_ranking *r = profile_table(b->profile);
	size_t i;

	for (i = 0; i < r->request.ngroup_by && r->request.group_by[i] != by; i++)
		;
	return i < r->request.ngroup_by ? sums_key(&r->rank->rows, row)[i] : NO_ID;
}

static struct text
table_function(struct browser *b, uint32_t row)
{
	const uint64_t func = key_of(b, row, BY_FUNCTION);

	return func == NO_ID ? (struct text){ 0 } :
	    dict_func_name(b->profile->dict, (uint32_t)func);
}

/* Returns a number for a row's key, whose parts are the dictionary's. */
static uint64_t
identity_of(const struct profile_ranking *r, uint32_t row)
{
	uint64_t h = 0;
	size_t i;

	for (i = 0; r->rank && row < r->rank->rows.n && i < r->request.ngroup_by; i++)
		h = hash_number(h, sums_key(&r->rank->rows, row)[i]);
	return h;
}

static uint64_t
table_identity(struct browser *b, const struct place *at, uint32_t row)
{
	(void)at;
	return identity_of(profile_table(b->profile), row);
}

/* Keeps a file or an object, and shows its functions. */
static void
enter_place(struct browser *b, struct text path, unsigned in)
{
	struct buf pattern = { 0 };

	shell_pattern_of(&pattern, path);
	if (profile_add_filter(b->profile, buf_str(&pattern), in, false) == 0 &&
	    profile_set_rows(b->profile, "function") == 0)
		browser_go(b, &screen_functions, (struct text){ 0 });
	buf_free(&pattern);
}

static void
enter_row(struct browser *b, uint32_t row)
{
	const uint64_t file = key_of(b, row, BY_FILE), object = key_of(b, row, BY_OBJECT);
	const struct text name = table_function(b, row);

	if (name.s)
		browser_go(b, &screen_around, name);
	else if (file != NO_ID)
		enter_place(b, dict_path(b->profile->dict, (uint32_t)file), IN_FILE);
	else if (object != NO_ID)
		enter_place(b, dict_object_path(b->profile->dict, (uint32_t)object), IN_OBJECT);
	else
		browser_tell(b, "the row has no function, file or object to enter");
}

static void
table_command(struct browser *b, const struct place *at, struct buf *out)
{
	struct buf arguments = { 0 };

	(void)at;
	if (b->sort)
		buf_printf(&arguments, "-k %s", sorts[b->sort - 1]);
	if (b->reverse)
		buf_printf(&arguments, "%s-r", arguments.n ? " " : "");
	if (strcmp(buf_str(&b->profile->by_text), "function") != 0)
		buf_printf(&arguments, "%s-b %s", arguments.n ? " " : "",
		    buf_str(&b->profile->by_text));
	profile_command(b->profile, out, "prof-top", buf_str(&arguments));
	buf_free(&arguments);
}

static bool
sort_by_key(struct browser *b, struct place *at, unsigned key)
{
	switch (key) {
	case 'o': b->sort = (b->sort + 1) % (SORTS + 1); break;
	case 'O': b->sort = (b->sort + SORTS) % (SORTS + 1); break;
	case 'r': b->reverse = !b->reverse; break;
	default: return false;
	}
	at->cursor = at->top = 0;
	browser_changed(b);
	browser_tell(b, "sorted by %s%s", b->sort ? sorts[b->sort - 1] : "default",
	    b->reverse ? ", reversed" : "");
	return true;
}

const struct screen screen_functions = {
	.name = "Functions",
	.help = "Enter callers and callees  t tree  s source  w stacks  o sort  e event  "
	    "l rows  & keep  ! drop  / search  c command  ? help  q quit",
	.print = print_table,
	.enter = enter_row,
	.key = sort_by_key,
	.command = table_command,
	.identity = table_identity,
	.function = table_function,
};

/* ---- around a function ---- */

static struct text
row_function(struct browser *b, uint32_t row)
{
	return dict_func_name(b->profile->dict,
	    (uint32_t)sums_key(&b->profile->functions.rank->rows, row)[0]);
}

/* Selects the function itself where the place is new: its callers stand above it, the one
 * that costs least first. */
static void
select_itself(struct browser *b, struct place *at)
{
	uint32_t row;

	for (row = 0; !at->cursor && row < b->profile->functions.rank->rows.n; row++)
		if (text_eq(row_function(b, row), text_of(at->function))) {
			at->item = row;
			return;
		}
}

static int
print_around(struct browser *b, struct place *at, struct output *out, struct page_items *items)
{
	struct profile *p = b->profile;
	struct match *match;
	struct view v = { .items = items };
	int r;

	if (profile_need_functions(p) < 0 ||
	    !(match = match_new((const char *const *)&at->pattern, 1, 0, p->diag)))
		return -1;
	v.callers = v.callees = match;
	r = print_ranking(p, &p->functions, &v, out);
	match_free(match);
	select_itself(b, at);
	return r;
}

static uint64_t
around_identity(struct browser *b, const struct place *at, uint32_t row)
{
	(void)at;
	return identity_of(&b->profile->functions, row);
}

static void
enter_around(struct browser *b, uint32_t row)
{
	const struct text name = row_function(b, row);

	if (name.s)
		browser_go(b, &screen_around, name);
}

static void
around_command(struct browser *b, const struct place *at, struct buf *out)
{
	struct buf arguments = { 0 };

	buf_puts(&arguments, "--callers ");
	shell_word_add(&arguments, text_of(at->pattern));
	buf_puts(&arguments, " --callees ");
	shell_word_add(&arguments, text_of(at->pattern));
	profile_command(b->profile, out, "prof-top", buf_str(&arguments));
	buf_free(&arguments);
}

const struct screen screen_around = {
	.name = "Callers and callees",
	.help = "Enter go to this one  Backspace back  s source  & keep  ! drop  c command  "
	    "? help  q quit",
	.print = print_around,
	.enter = enter_around,
	.command = around_command,
	.identity = around_identity,
	.function = row_function,
};
