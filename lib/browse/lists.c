/* SPDX-License-Identifier: ISC */
/* The screens of choices, events and rows, and the list of keys. */
#include "browse/browser.h"

#include "util/printable.h"

static void
put_item(struct output *out, struct page_items *items, size_t item, struct text t)
{
	struct page page = { .out = out, .items = items, .width = browser_width() };

	page_item(&page, item);
	printable_cut(&page.line, t, page.width);
	page_flush(&page);
	buf_free(&page.line);
}

/* ---- events ---- */

static int
print_events(struct browser *b, struct place *at, struct output *out, struct page_items *items)
{
	const struct rank *r;
	size_t i;

	(void)at;
	if (profile_need_functions(b->profile) < 0)
		return -1;
	r = b->profile->functions.rank;
	out_puts(out, "event\n");
	for (i = 0; i < r->events.n; i++)
		if (rank_knows(r, r->events.v[i].r->col[EVENT_NAME].t))
			put_item(out, items, i, r->events.v[i].r->col[EVENT_NAME].t);
	return 0;
}

static void
enter_event(struct browser *b, uint32_t item)
{
	struct profile *p = b->profile;
	const struct text name = p->functions.rank->events.v[item].r->col[EVENT_NAME].t;

	p->event = dict_text(p->dict, dict_str(p->dict, name));
	profile_forget_trees(p);
	browser_changed(b);
	browser_back(b);
}

const struct screen screen_events = {
	.name = "Events", .help = "Enter show this event  Backspace back",
	.print = print_events, .enter = enter_event,
};

/* ---- rows ---- */

static const char *const rows[] = { "function", "file", "object", "function,line",
	"file,line", "thread", "pid", "part", "cmd", "source", "total" };

static int
print_rows(struct browser *b, struct place *at, struct output *out, struct page_items *items)
{
	size_t i;

	(void)at;
	(void)b;
	out_puts(out, "one row for each\n");
	for (i = 0; i < sizeof rows / sizeof *rows; i++)
		put_item(out, items, i, text_of(rows[i]));
	return 0;
}

static void
enter_rows(struct browser *b, uint32_t item)
{
	if (profile_set_rows(b->profile, rows[item]) == 0) {
		browser_changed(b);
		browser_go(b, &screen_functions, (struct text){ 0 });
	}
}

const struct screen screen_rows = {
	.name = "Rows", .help = "Enter rank these  Backspace back",
	.print = print_rows, .enter = enter_rows,
};

/* ---- rules ---- */

static int
print_rules(struct browser *b, struct place *at, struct output *out, struct page_items *items)
{
	const struct profile *p = b->profile;
	struct buf line = { 0 };
	size_t i;

	(void)at;
	if (!p->nrules)
		return diag_fail_plain(p->diag, "no rule files found");
	out_puts(out, "rules, each applied to the result of the previous ones\n");
	for (i = 0; i < p->nrules; i++) {
		line.n = 0;
		buf_printf(&line, "%s %-15s %s", p->rules[i].on ? "[x]" : "[ ]",
		    p->rules[i].what, p->rules[i].about);
		put_item(out, items, i, buf_as_text(&line));
	}
	buf_free(&line);
	return 0;
}

static void
enter_rules(struct browser *b, uint32_t item)
{
	if (profile_turn_rules(b->profile, item) == 0)
		browser_changed(b);
}

const struct screen screen_rules = {
	.name = "Rules", .help = "Enter turn them on or off  Backspace back",
	.print = print_rules, .enter = enter_rules,
};

/* ---- help ---- */

static const char *const help[] = {
	"Screens",
	"  1        functions: the table of prof-top",
	"  2 a      callers above, callees below the selected function",
	"  3 t      tree: functions below their callers, as prof-tree shows them",
	"  4 T      tree of callers",
	"  5 s      source of the selected function with the costs of its lines",
	"  6 w      stacks: a flame graph",
	"  e        choose the event",
	"  l        choose the rows: functions, files, objects, lines, threads ...",
	"",
	"Moving",
	"  Enter    into the selected line; Backspace, Esc or h back to the previous "
	    "screen",
	"  j k, up down, Space b, PgDn PgUp, g G",
	"",
	"Table",
	"  o O      sort by the next column, or the previous one; r reverses the order",
	"Tree",
	"  x Tab    fold or unfold the lines below",
	"  *        follow the heaviest path",
	"  < >      show lines that cost more, or less",
	"Source",
	"  *        go to the line that costs most",
	"Stacks",
	"  arrows   caller, callee, neighbours; Enter makes it as wide as the screen, z back",
	"  *        follow the heaviest path",
	"",
	"Selecting",
	"  / n N    search for names: an extended regular expression; next; previous",
	"  &        keep functions that match: as prof-grep does",
	"  !        drop functions that match: prof-grep -v",
	"  u        undo the last of these",
	"  R        turn rule files on and off, such as those that fold the C library",
	"",
	"A profile that grows (from a pipe, or with --follow)",
	"  p        pause, go on",
	"  d        the last second, everything since the start",
	"",
	"Commands",
	"  c        show the command that prints this page",
	"  y        print the command at the end; Y with the page",
	"  q        quit",
	NULL
};

static int
print_help(struct browser *b, struct place *at, struct output *out, struct page_items *items)
{
	size_t i;

	(void)b;
	(void)at;
	for (i = 0; help[i]; i++)
		put_item(out, items, i, text_of(help[i]));
	return 0;
}

const struct screen screen_help = {
	.name = "Help", .help = "Backspace back  q quit", .print = print_help,
};
