/* SPDX-License-Identifier: ISC */
/* The screens that were visited, and messages: what screens ask of the browser. */
#include "browse/browser.h"

#include <stdarg.h>
#include <stdlib.h>

#include "browse/terminal.h"
#include "util/mem.h"
#include "util/shell_word.h"

struct place *
browser_here(struct browser *b)
{
	return &b->place[b->nplace - 1];
}

size_t
browser_width(void)
{
	return terminal_columns();
}

#define BARS 2			/* the bar above, and the line of messages */

size_t
browser_lines(void)
{
	return terminal_lines() > BARS + 1 ? terminal_lines() - BARS : 1;
}

#define ROWS 200

size_t
browser_rows(void)
{
	return 4 * browser_lines() > ROWS ? 4 * browser_lines() : ROWS;
}

void
browser_tell(struct browser *b, const char *fmt, ...)
{
	va_list ap;

	b->message.n = 0;
	va_start(ap, fmt);
	buf_vprintf(&b->message, fmt, ap);
	va_end(ap);
}

/* ---- places ---- */

void
browser_stale(struct browser *b)
{
	size_t i;

	for (i = 0; i < b->nplace; i++)
		b->place[i].fresh = false;
}

void
browser_changed(struct browser *b)
{
	size_t i;

	browser_stale(b);
	for (i = 0; i < b->nplace; i++)
		b->place[i].from = 0;
}

/* Returns the identity of a node, or of the item in a line. */
static uint64_t
identity(struct browser *b, const struct place *at, uint32_t item)
{
	return at->screen->identity ? at->screen->identity(b, at, item) : item;
}

void
browser_renew(struct browser *b)
{
	struct place *at;

	for (at = b->place; at < b->place + b->nplace; at++) {
		if (!at->fresh)
			continue;
		if (at->screen->cells) {
			at->same = identity(b, at, at->node);
			at->zoomed_same = identity(b, at, at->zoomed);
		} else if (at->cursor < at->page.n && at->page.line[at->cursor].item != NO_ITEM) {
			at->same = identity(b, at, at->page.line[at->cursor].item);
		} else {
			continue;
		}
		at->keeps = true;
	}
	profile_forget(b->profile);
	browser_stale(b);
}

void
browser_find_again(struct browser *b, struct place *at)
{
	const struct printed *p = &at->page;
	size_t i, best = p->n, away = SIZE_MAX, d;

	for (i = 0; i < p->n && at->keeps && !at->screen->cells; i++) {
		d = i > at->cursor ? i - at->cursor : at->cursor - i;
		if (p->line[i].item != NO_ITEM && d < away &&
		    identity(b, at, p->line[i].item) == at->same) {
			best = i;
			away = d;
		}
	}
	if (best < p->n)
		at->cursor = best;
	at->keeps = false;
}

void
browser_go(struct browser *b, const struct screen *screen, struct text function)
{
	struct place at = { .screen = screen, .item = NO_ITEM };
	struct buf pattern = { 0 };

	if (function.s) {
		at.function = mem_copy(function.s, function.n);
		shell_pattern_of(&pattern, function);
		buf_str(&pattern);
		at.pattern = pattern.s;
	}
	b->place = mem_grow(b->place, &b->capplace, b->nplace + 1, sizeof *b->place);
	b->place[b->nplace++] = at;
}

static void
free_place(struct place *at)
{
	free(at->function);
	free(at->pattern);
	printed_free(&at->page);
}

void
browser_back(struct browser *b)
{
	if (b->nplace < 2)
		return;
	free_place(browser_here(b));
	b->nplace--;
}

void
browser_free_places(struct browser *b)
{
	while (b->nplace)
		free_place(&b->place[--b->nplace]);
	free(b->place);
}
