/* SPDX-License-Identifier: ISC */
#include "browse/terminal.h"

#ifdef HAVE_NCURSES

#define NCURSES_NOMACROS
#define NCURSES_WIDECHAR 1
#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <curses.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/term.h"
#include "util/library.h"
#include "util/mem.h"
#include "util/printable.h"
#include "view/page.h"

#define FUNCTIONS(F) F(newterm) F(endwin) F(delscreen) F(stdscr) F(keypad) F(cbreak) F(noecho) \
	F(nonl) F(set_escdelay) F(wtimeout) F(wget_wch) F(waddnstr) F(wmove) F(wclrtoeol) \
	F(wrefresh) F(wattr_set) F(start_color) F(use_default_colors) F(init_pair) F(curs_set) \
	F(getmaxx) F(getmaxy) F(has_colors) F(idlok) F(COLORS) F(tigetstr) F(curses_version)
LIBRARY(curses, FUNCTIONS, "libncursesw.so.6", "libncursesw.so.5", "libncursesw.so");

/* The terminal is the process's. */
static struct {
	SCREEN *screen;
	FILE *tty;
	bool color, utf8;
	void (*failed)(size_t);	/* when memory is out */
} terminal;

enum { PAIR_MORE = 1, PAIR_LESS };

static void
restore(void)
{
	if (terminal.screen)
		curses.endwin();
}

/* Ends the process by the signal, as without a handler, but with the terminal restored. */
static void
end_by(int sig)
{
	restore();
	signal(sig, SIG_DFL);
	raise(sig);
}

static void
fail(size_t size)
{
	restore();
	terminal.failed(size);
}

static WINDOW *
window(void)
{
	return *curses.stdscr;
}

static void
set_colors(void)
{
	bool many;

	terminal.color = term_wants_color(TERM_AUTO) && curses.has_colors();
	if (!terminal.color)
		return;
	curses.start_color();
	/* If there are millions, numbers from 8 on are red, green and blue. */
	many = *curses.COLORS >= 256 && *curses.COLORS < 1 << 15;
	curses.use_default_colors();
	curses.init_pair(PAIR_MORE, many ? 208 : COLOR_YELLOW, -1);
	curses.init_pair(PAIR_LESS, many ? 39 : COLOR_CYAN, -1);
}

static int
load(struct diag *d)
{
	const char *why = library_load(&curses_library);

	return why ? diag_fail_plain(d, "cannot load ncurses: %s", why) : 0;
}

void
terminal_version(struct buf *b)
{
	const char *why = library_load(&curses_library);

	if (why)
		buf_printf(b, "no ncurses: %s", why);
	else
		buf_puts(b, curses.curses_version());
}

/* The machine may lack the locale that is asked for, and those that it has may not suit the C
 * library of a static program. */
static void
set_encoding(void)
{
	if (!setlocale(LC_CTYPE, terminal.utf8 ? "C.UTF-8" : "C"))
		setlocale(LC_CTYPE, "");
}

int
terminal_open(struct diag *d)
{
	static const int sigs[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGABRT, SIGSEGV, SIGBUS };
	size_t i;

	if (load(d) < 0)
		return -1;
	if (!(terminal.tty = fopen("/dev/tty", "r+e")))
		return diag_fail_plain(d, "/dev/tty: %s: prof-view needs a "
		    "terminal", strerror(errno));
	terminal.utf8 = term_is_utf8();
	set_encoding();
	terminal.screen = curses.newterm(NULL, terminal.tty, terminal.tty);
	if (!terminal.screen) {
		fclose(terminal.tty);
		return diag_fail_plain(d, "the terminal %s is unknown: set TERM, or install "
		    "its terminfo",
		    diag_quote(getenv("TERM") ? getenv("TERM") : "",
		    getenv("TERM") ? strlen(getenv("TERM")) : 0));
	}
	if (!curses.tigetstr("cup")) {
		terminal_close();
		return diag_fail_plain(d, "the terminal %s cannot show screens: set TERM",
		    diag_quote(getenv("TERM"), strlen(getenv("TERM"))));
	}
	atexit(restore);
	for (i = 0; i < sizeof sigs / sizeof *sigs; i++)
		signal(sigs[i], end_by);
	terminal.failed = mem_failed;
	mem_failed = fail;
	curses.cbreak();
	curses.noecho();
	curses.nonl();
	curses.keypad(window(), true);
	curses.set_escdelay(50);
	curses.idlok(window(), true);
	curses.curs_set(0);
	set_colors();
	return 0;
}

void
terminal_close(void)
{
	if (!terminal.screen)
		return;
	curses.endwin();
	curses.delscreen(terminal.screen);
	terminal.screen = NULL;
	fclose(terminal.tty);
	if (terminal.failed)
		mem_failed = terminal.failed;
}

void
terminal_ignore_interrupts(bool ignore)
{
	signal(SIGINT, ignore ? SIG_IGN : end_by);
}

size_t
terminal_lines(void)
{
	const int n = curses.getmaxy(window());

	return n > 0 ? (size_t)n : 1;
}

size_t
terminal_columns(void)
{
	const int n = curses.getmaxx(window());

	return n > 0 ? (size_t)n : 1;
}

bool
terminal_has_color(void)
{
	return terminal.color;
}

/* ---- text ---- */

static void
set_look(enum terminal_look look, attr_t attr, short pair)
{
	if (look != LOOK_TEXT)
		attr |= A_REVERSE;
	curses.wattr_set(window(), attr, look == LOOK_TEXT ? pair : 0, NULL);
}

/* Sets the look that a change of colour asks for: p is after "ESC [", up to the "m". */
static void
change(enum terminal_look look, const char *p, const char *end)
{
	attr_t attr = 0;
	short pair = 0;
	struct text t = { p, (size_t)(end - p) };

	if (text_begins(t, PAINT_MORE))
		pair = PAIR_MORE;
	else if (text_begins(t, PAINT_LESS))
		pair = PAIR_LESS;
	else if (t.n && *t.s == '2')
		attr = A_DIM;
	else if (t.n && *t.s == '7')
		attr = A_REVERSE;
	if (t.n && t.s[t.n - 1] == '1' && (t.n == 1 || t.s[t.n - 2] == ';'))
		attr |= A_BOLD;
	set_look(look, attr, pair);
}

static void
add(const char *s, size_t n)
{
	size_t i, k;

	if (terminal.utf8) {
		curses.waddnstr(window(), s, (int)n);
		return;
	}
	for (i = 0; i < n; i += k) {
		k = printable_utf8((const unsigned char *)s + i, n - i);
		k += !k;
		curses.waddnstr(window(), k > 1 || s[i] & 0x80 ? "?" : s + i, 1);
	}
}

void
terminal_put(size_t line, struct text text, enum terminal_look look)
{
	const size_t columns = terminal_columns();
	const char *p = text.s, *const end = p + text.n, *escape, *m;
	size_t used;

	curses.wmove(window(), (int)line, 0);
	set_look(look, 0, 0);
	while (p < end) {
		escape = memchr(p, '\033', (size_t)(end - p));
		add(p, (size_t)((escape ? escape : end) - p));
		if (!escape || !(m = memchr(escape, 'm', (size_t)(end - escape))))
			break;
		change(look, escape + 2, m);
		p = m + 1;
	}
	set_look(look, 0, 0);
	used = printable_line_columns(text);
	if (look == LOOK_TEXT && used < columns)
		curses.wclrtoeol(window());
	for (; look != LOOK_TEXT && used < columns; used++)
		add(" ", 1);
}

void
terminal_show(void)
{
	curses.wrefresh(window());
}

/* ---- keys ---- */

static const struct {
	int curses;
	unsigned key;
} known[] = {
	{ KEY_UP, KEYS_UP }, { KEY_DOWN, KEYS_DOWN }, { KEY_LEFT, KEYS_LEFT },
	{ KEY_RIGHT, KEYS_RIGHT }, { KEY_PPAGE, KEYS_PAGE_UP }, { KEY_NPAGE, KEYS_PAGE_DOWN },
	{ KEY_HOME, KEYS_HOME }, { KEY_END, KEYS_END }, { KEY_BACKSPACE, KEYS_BACK },
	{ KEY_ENTER, KEYS_ENTER }, { KEY_RESIZE, KEYS_RESIZED },
};

unsigned
terminal_key(int milliseconds)
{
	wint_t c;
	size_t i;
	int r;

	curses.wtimeout(window(), milliseconds);
	errno = 0;
	r = curses.wget_wch(window(), &c);
	if (r == ERR)
		return milliseconds >= 0 || errno == EINTR ? KEYS_NONE : KEYS_GONE;
	if (r == KEY_CODE_YES) {
		for (i = 0; i < sizeof known / sizeof *known; i++)
			if (known[i].curses == (int)c)
				return known[i].key;
		return KEYS_NONE;
	}
	return c == '\r' || c == '\n' ? KEYS_ENTER : c == 127 || c == '\b' ? KEYS_BACK :
	    c == 27 ? KEYS_ESCAPE : (unsigned)c;
}

/* Removes the last character. */
static void
rub_out(struct buf *b)
{
	while (b->n && ((unsigned char)b->s[--b->n] & 0xc0) == 0x80)
		;
}

static void
add_character(struct buf *b, unsigned c)
{
	char bytes[8];
	const int n = wctomb(bytes, (wchar_t)c);

	if (n > 0)
		buf_add(b, bytes, (size_t)n);
}

/* Adds the end of a text, where it is typed, in at most `room` columns. */
static void
add_end(struct buf *b, struct text t, size_t room)
{
	struct buf all = { 0 };
	struct text end;

	printable_add(&all, t);
	end = buf_as_text(&all);
	if (printable_columns(end) > room)
		buf_puts(b, "\xe2\x80\xa6");
	else
		room++;
	while (end.n && printable_columns(end) >= room) {
		const size_t n = printable_utf8((const unsigned char *)end.s, end.n);

		end.s += n ? n : 1;
		end.n -= n ? n : 1;
	}
	buf_text(b, end);
	buf_free(&all);
}

bool
terminal_ask(size_t line, const char *prompt, struct buf *text)
{
	const size_t before = printable_columns(text_of(prompt)) + 1;
	struct buf shown = { 0 };
	unsigned key = KEYS_NONE;

	while (key != KEYS_ENTER && key != KEYS_ESCAPE && key != KEYS_GONE) {
		shown.n = 0;
		buf_puts(&shown, prompt);
		add_end(&shown, buf_as_text(text), terminal_columns() > before ?
		    terminal_columns() - before : 1);
		buf_putc(&shown, '_');
		terminal_put(line, buf_as_text(&shown), LOOK_TEXT);
		terminal_show();
		key = terminal_key(-1);
		if (key == KEYS_BACK)
			rub_out(text);
		else if (key == ('u' & 31))
			text->n = 0;
		else if (key >= ' ' && key < KEYS_BEYOND)
			add_character(text, key);
	}
	buf_free(&shown);
	return key == KEYS_ENTER;
}

#else

int
terminal_open(struct diag *d)
{
	return diag_fail_plain(d, "prof-view was built without ncurses");
}

void
terminal_version(struct buf *b)
{
	buf_puts(b, "no ncurses");
}

void
terminal_close(void)
{
}

void
terminal_ignore_interrupts(bool ignore)
{
	(void)ignore;
}

size_t
terminal_lines(void)
{
	return 24;
}

size_t
terminal_columns(void)
{
	return 80;
}

bool
terminal_has_color(void)
{
	return false;
}

void
terminal_put(size_t line, struct text text, enum terminal_look look)
{
	(void)line;
	(void)text;
	(void)look;
}

void
terminal_show(void)
{
}

unsigned
terminal_key(int milliseconds)
{
	(void)milliseconds;
	return KEYS_GONE;
}

bool
terminal_ask(size_t line, const char *prompt, struct buf *text)
{
	(void)line;
	(void)prompt;
	(void)text;
	return false;
}

#endif
