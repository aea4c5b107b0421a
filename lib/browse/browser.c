/* SPDX-License-Identifier: ISC */
/* Shows the last screen, and handles the keys that all screens have. */
#include "browse/browser.h"

#include <stdlib.h>

#include "browse/terminal.h"
#include "util/mem.h"
#include "util/printable.h"
#include "util/shell_word.h"

/* ---- the page ---- */

static void
take_error(struct browser *b)
{
	struct diag *d = b->profile->diag;

	if (!d->error.n)
		return;
	b->message.n = 0;
	printable_add(&b->message, buf_as_text(&d->error));
	d->error.n = 0;
}

/* Puts the cursor on the line of the item that the place asks for. */
static void
find_item(struct browser *b)
{
	struct place *at = browser_here(b);
	size_t i;

	for (i = 0; i < at->page.n && at->item != NO_ITEM; i++)
		if (at->page.line[i].item == at->item) {
			at->cursor = i;
			at->top = i > browser_lines() / 2 ? i - browser_lines() / 2 : 0;
			at->item = NO_ITEM;
		}
	at->item = NO_ITEM;
}

/* Puts the cursor on a line with an item, if there is one, and the top above it. */
static void
keep_in_view(struct browser *b)
{
	struct place *at = browser_here(b);
	const struct printed *p = &at->page;
	const size_t lines = browser_lines();
	const size_t heads = p->heads < lines ? p->heads : lines - 1;
	const size_t body = lines - heads;
	size_t line;

	if (at->cursor < p->heads)
		at->cursor = p->heads;
	if (at->cursor >= p->n)
		at->cursor = p->n ? p->n - 1 : 0;
	line = printed_find(p, at->cursor, 1);
	if (line == p->n)
		line = at->cursor;
	at->cursor = line;
	if (at->top + body > p->n)
		at->top = p->n > body ? p->n - body : 0;
	if (at->top < p->heads)
		at->top = p->heads;
	if (at->cursor < at->top)
		at->top = at->cursor;
	if (at->cursor >= at->top + body)
		at->top = at->cursor + 1 - body;
}

/* Prints the page of the last place, or returns to the one before if that fails. */
static void
print_page(struct browser *b)
{
	struct place *at;
	int r;

	while (!(at = browser_here(b))->fresh) {
		b->noted = false;
		printed_begin(&at->page);
		r = at->screen->print(b, at, at->page.out, &at->page.items);
		printed_end(&at->page);
		take_error(b);
		at->fresh = r == 0 || b->nplace < 2;
		if (r < 0) {
			browser_back(b);
			continue;
		}
		find_item(b);
		browser_find_again(b, at);
	}
	keep_in_view(b);
}

/* ---- what is seen ---- */

/* Adds the filters in force. */
static void
add_filters(struct browser *b, struct buf *out)
{
	struct profile *p = b->profile;
	struct buf left = { 0 };
	size_t i;

	profile_add_left(p, &left);
	if (left.n)
		buf_printf(out, "  %s:", buf_str(&left));
	for (i = 0; i < p->nfilter; i++) {
		buf_puts(out, i ? " and " : "  only ");
		printable_add(out, text_of(p->filter[i]->text));
	}
	if (p->in_force.n) {
		buf_puts(out, "  rules ");
		printable_add(out, buf_as_text(&p->in_force));
	}
	buf_free(&left);
}

static void
show_bar(struct browser *b)
{
	struct buf bar = { 0 }, all = { 0 };

	buf_printf(&all, " %s", browser_here(b)->screen->name);
	if (browser_here(b)->function) {
		buf_puts(&all, "  of ");
		printable_add(&all, text_of(browser_here(b)->function));
	}
	if (b->profile->event.s) {
		buf_puts(&all, "  by ");
		printable_add(&all, b->profile->event);
	}
	browser_add_live(b, &all);
	add_filters(b, &all);
	printable_cut(&bar, buf_as_text(&all), browser_width());
	terminal_put(0, buf_as_text(&bar), LOOK_BAR);
	buf_free(&bar);
	buf_free(&all);
}

/* Puts lines above the one at the end, and there the last of them; over the page if they are
 * several, but not over the bar. */
static void
put_last_lines(struct text t)
{
	const char *p = t.s, *lf;
	size_t n = 1, most = terminal_lines() > 1 ? terminal_lines() - 1 : 1;
	struct buf line = { 0 };

	while ((lf = memchr(p, '\n', (size_t)(t.s + t.n - p))) && n < most) {
		p = lf + 1;
		n++;
	}
	for (p = t.s; n; n--, p = lf ? lf + 1 : p) {
		lf = memchr(p, '\n', (size_t)(t.s + t.n - p));
		line.n = 0;
		printable_cut(&line, (struct text){ p, (size_t)((lf ? lf : t.s + t.n) - p) },
		    browser_width());
		terminal_put(terminal_lines() - n, buf_as_text(&line), LOOK_TEXT);
	}
	buf_free(&line);
}

/* Shows the whole of a message, in several lines if it is wider than the screen. */
static void
show_message(struct browser *b)
{
	struct buf lines = { 0 };

	if (b->message.n)
		printable_wrap(&lines, buf_as_text(&b->message), browser_width());
	else
		buf_puts(&lines, browser_here(b)->screen->help);
	put_last_lines(buf_as_text(&lines));
	buf_free(&lines);
}

static void
show(struct browser *b)
{
	const struct printed *p = &browser_here(b)->page;
	const struct place *at = browser_here(b);
	const size_t lines = browser_lines();
	size_t i, line;

	show_bar(b);
	for (i = 0; i < lines; i++) {
		line = i < p->heads ? i : at->top + i - p->heads;
		if (p->heads >= lines)
			line = i;
		terminal_put(i + 1, line < p->n ? p->line[line].text : TEXT(""),
		    line == at->cursor && line < p->n && p->line[line].item != NO_ITEM ?
		    LOOK_SELECTED : LOOK_TEXT);
	}
	show_message(b);
	terminal_show();
}

/* ---- keys of all screens ---- */

static uint32_t
selected(struct browser *b)
{
	const size_t line = browser_here(b)->cursor;

	return line < browser_here(b)->page.n ? browser_here(b)->page.line[line].item : NO_ITEM;
}

/* Returns the function that is selected; absent: none. */
static struct text
selected_function(struct browser *b)
{
	const struct screen *s = browser_here(b)->screen;
	const uint32_t item = s->cells ? browser_here(b)->node : selected(b);

	return s->function && item != NO_ITEM ? s->function(b, item) : (struct text){ 0 };
}

/* Shows later or earlier rows of the table if the cursor is near the end of those that are
 * printed, or their beginning.  Each row is a line. */
static void
shift_rows(struct browser *b)
{
	struct place *at = browser_here(b);
	const size_t all = at->page.items.all, half = browser_rows() / 2;
	size_t by = half;

	if (at->cursor + browser_lines() >= at->page.n && at->from + browser_rows() < all) {
		at->from += by;
		at->cursor -= at->cursor < by ? at->cursor : by;
		at->top -= at->top < by ? at->top : by;
	} else if (at->cursor < at->page.heads + browser_lines() && at->from) {
		by = at->from < by ? at->from : by;
		at->from -= by;
		at->cursor += by;
		at->top += by;
	} else {
		return;
	}
	at->fresh = false;
}

/* Moves the cursor by so many items. */
static void
move(struct browser *b, long by)
{
	struct place *at = browser_here(b);
	const int step = by < 0 ? -1 : 1;
	size_t line, moved = 0;

	for (; by; by -= step) {
		line = printed_find(&at->page, at->cursor + (size_t)step, step);
		if (line >= at->page.n)
			break;
		at->cursor = line;
		moved++;
	}
	shift_rows(b);
	if (!moved && step < 0)
		at->top = at->page.heads;
	if (!moved && step > 0 && at->top + browser_lines() < at->page.n + at->page.heads)
		at->top++;
}

/* Adds text without its changes of colour. */
static void
add_plain(struct buf *out, struct text t)
{
	const char *const end = t.s + t.n, *escape, *m;

	for (; t.s < end; t.s = m + 1) {
		escape = memchr(t.s, '\033', (size_t)(end - t.s));
		buf_add(out, t.s, (size_t)((escape ? escape : end) - t.s));
		if (!escape || !(m = memchr(escape, 'm', (size_t)(end - escape))))
			break;
	}
}

/* Does the name of a line's function match the search; if it has none, its text? */
static bool
matches(struct browser *b, const struct place *at, const struct printed_line *line)
{
	struct text name = { 0 };
	struct buf plain = { 0 };
	bool is;

	if (at->screen->function)
		name = at->screen->function(b, line->item);
	if (!name.s) {
		add_plain(&plain, line->text);
		name = buf_as_text(&plain);
	}
	is = match_text(b->search, name);
	buf_free(&plain);
	return is;
}

/* Returns the next line with a match of the search after this one; backwards with step -1.
 * The number of lines: there is none. */
static size_t
find_match(struct browser *b, size_t line, int step)
{
	const struct place *at = browser_here(b);

	while ((line = printed_find(&at->page, line + (size_t)step, step)) < at->page.n &&
	    !matches(b, at, &at->page.line[line]))
		;
	return line;
}

/* Looks in all rows of the table, and shows those around a match. */
static bool
search_all(struct browser *b, int step)
{
	struct place *at = browser_here(b);
	const size_t from = at->from;
	size_t line, row;

	at->whole = true;
	at->fresh = false;
	print_page(b);
	line = find_match(b, at->cursor + from, step);
	at->whole = at->fresh = false;
	if (line >= at->page.n)
		return false;
	row = line - at->page.heads;
	at->from = row > browser_rows() / 2 ? row - browser_rows() / 2 : 0;
	at->cursor = line - at->from;
	at->top = at->cursor > browser_lines() / 2 ? at->cursor - browser_lines() / 2 : 0;
	return true;
}

/* Goes to the next match of the search from the cursor on; backwards with step -1. */
static void
search(struct browser *b, int step)
{
	struct place *at = browser_here(b);
	const size_t cursor = at->cursor, top = at->top;
	size_t line;

	if (!b->search)
		return;
	line = find_match(b, cursor, step);
	if (line < at->page.n) {
		at->cursor = line;
		return;
	}
	if (at->page.items.all > browser_rows() && search_all(b, step))
		return;
	at->cursor = cursor;
	at->top = top;
	browser_tell(b, "no other match %s", step > 0 ? "below" : "above");
}

/* Asks for text in the line of messages: false if it was given up, or is empty. */
static bool
ask(struct browser *b, const char *prompt, struct buf *text)
{
	const bool given = terminal_ask(terminal_lines() - 1, prompt, text);

	buf_str(text);
	b->message.n = 0;
	return given && text->n;
}

static void
ask_search(struct browser *b)
{
	struct buf text = { 0 };
	const char *pattern;

	if (ask(b, "/", &text)) {
		match_free(b->search);
		pattern = buf_str(&text);
		b->search = match_new(&pattern, 1, MATCH_NOCASE, b->profile->diag);
		take_error(b);
		search(b, 1);
	}
	buf_free(&text);
}

/* Asks for a filter; it begins as the selected function. */
static void
ask_filter(struct browser *b, bool drop)
{
	struct buf text = { 0 };
	const struct text name = selected_function(b);

	if (name.s)
		shell_pattern_of(&text, name);
	if (ask(b, drop ? "drop functions that match: " : "keep functions that match: ", &text) &&
	    profile_add_filter(b->profile, buf_str(&text), IN_FUNCTION, drop) == 0)
		browser_changed(b);
	take_error(b);
	buf_free(&text);
}

/* ---- commands ---- */

static bool
add_command(struct browser *b, struct buf *out)
{
	if (!browser_here(b)->screen->command)
		return false;
	browser_here(b)->screen->command(b, browser_here(b), out);
	return true;
}

static void
show_command(struct browser *b)
{
	struct buf command = { 0 };

	if (add_command(b, &command)) {
		b->message.n = 0;
		printable_add(&b->message, buf_as_text(&command));
	}
	buf_free(&command);
}

/* Keeps the command, and its page, to be printed at the end. */
static void
keep_page(struct browser *b, bool rows)
{
	size_t i;

	buf_puts(&b->last, "$ ");
	if (!add_command(b, &b->last))
		buf_puts(&b->last, "prof-view");
	buf_putc(&b->last, '\n');
	for (i = 0; i < browser_here(b)->page.n && rows; i++) {
		add_plain(&b->last, browser_here(b)->page.line[i].text);
		buf_putc(&b->last, '\n');
	}
	browser_tell(b, rows ? "the page will be printed at the end" :
	    "the command will be printed at the end");
}

/* ---- other screens ---- */

/* Goes to a screen of the selected function, or of all. */
static void
go_to(struct browser *b, const struct screen *screen, bool of_function)
{
	const struct text name = of_function ? selected_function(b) : (struct text){ 0 };

	if (of_function && !name.s)
		browser_tell(b, "no function is selected");
	else
		browser_go(b, screen, name);
}

static void
go_first(struct browser *b)
{
	struct place *at = browser_here(b);

	at->fresh &= !at->from;
	at->cursor = at->top = at->from = 0;
}

static void
go_last(struct browser *b)
{
	struct place *at = browser_here(b);

	if (at->from + browser_rows() < at->page.items.all) {
		at->from = at->page.items.all - browser_rows();
		at->fresh = false;
		print_page(b);
		at = browser_here(b);
	}
	at->cursor = at->page.n ? printed_find(&at->page, at->page.n - 1, -1) : 0;
}

/* A key that moves the cursor. */
static bool
move_by_key(struct browser *b, unsigned key)
{
	const long page = (long)browser_lines() - (long)browser_here(b)->page.heads - 1;

	switch (key) {
	case 'j': case KEYS_DOWN: move(b, 1); break;
	case 'k': case KEYS_UP: move(b, -1); break;
	case ' ': case KEYS_PAGE_DOWN: case 'f' & 31: move(b, page > 0 ? page : 1); break;
	case 'b': case KEYS_PAGE_UP: case 'b' & 31: move(b, page > 0 ? -page : -1); break;
	case 'g': case KEYS_HOME: go_first(b); break;
	case 'G': case KEYS_END: go_last(b); break;
	default: return false;
	}
	return true;
}

static bool
go_by_key(struct browser *b, unsigned key)
{
	switch (key) {
	case '1': go_to(b, &screen_functions, false); break;
	case '2': case 'a': go_to(b, &screen_around, true); break;
	case '3': case 't': go_to(b, &screen_callees, false); break;
	case '4': case 'T': go_to(b, &screen_callers, false); break;
	case '5': case 's': go_to(b, &screen_source, true); break;
	case '6': case 'w': go_to(b, &screen_stacks, false); break;
	case 'e': go_to(b, &screen_events, false); break;
	case 'l': go_to(b, &screen_rows, false); break;
	case 'R': go_to(b, &screen_rules, false); break;
	case '?': go_to(b, &screen_help, false); break;
	case KEYS_BACK: case KEYS_ESCAPE: case 'h': case KEYS_LEFT: browser_back(b); break;
	default: return false;
	}
	return true;
}

static void
act_by_key(struct browser *b, unsigned key)
{
	switch (key) {
	case '/': ask_search(b); break;
	case 'n': search(b, 1); break;
	case 'N': search(b, -1); break;
	case '&': ask_filter(b, false); break;
	case '!': ask_filter(b, true); break;
	case 'u':
		if (profile_remove_filter(b->profile))
			browser_changed(b);
		break;
	case 'c': show_command(b); break;
	case 'y': keep_page(b, false); break;
	case 'Y': keep_page(b, true); break;
	case 'q': case KEYS_GONE: b->done = true; break;
	case 'l' & 31: case KEYS_RESIZED: browser_stale(b); break;
	default: break;
	}
}

static void
handle(struct browser *b, unsigned key)
{
	const struct screen *s = browser_here(b)->screen;

	if (key != KEYS_NONE && key != KEYS_RESIZED)
		b->message.n = 0;
	if (s->key && s->key(b, browser_here(b), key))
		return;
	if ((key == KEYS_ENTER || key == KEYS_RIGHT) && s->enter) {
		if (selected(b) != NO_ITEM)
			s->enter(b, selected(b));
		return;
	}
	if (!browser_live_key(b, key) && !go_by_key(b, key) && !move_by_key(b, key))
		act_by_key(b, key);
}

/* ---- the whole ---- */

/* Notes and warnings become messages while the screen is shown: all those of a page, each
 * once. */
static void
take_note(void *arg, enum diag_level level, const char *text)
{
	struct browser *b = arg;
	struct buf note = { 0 };

	(void)level;
	printable_lines(&note, text_of(text));
	if (!b->noted)
		b->message.n = 0;
	b->noted = true;
	if (!memmem(b->message.s, b->message.n, note.s, note.n)) {
		buf_puts(&b->message, b->message.n ? "\n" : "");
		buf_text(&b->message, buf_as_text(&note));
	}
	buf_free(&note);
}

static void
free_browser(struct browser *b)
{
	browser_free_places(b);
	match_free(b->search);
	buf_free(&b->message);
}

int
browse(struct profile *p, struct buf *last)
{
	struct browser b = { .profile = p, .least = { 1000000, true } };

	if (profile_need_functions(p) < 0 || terminal_open(p->diag) < 0)
		return -1;
	p->diag->say = take_note;
	p->diag->arg = &b;
	browser_go(&b, &screen_functions, (struct text){ 0 });
	while (!b.done) {
		print_page(&b);
		show(&b);
		handle(&b, browser_wait(&b));
	}
	terminal_close();
	p->diag->say = NULL;
	*last = b.last;
	free_browser(&b);
	return 0;
}
