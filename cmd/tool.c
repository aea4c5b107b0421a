/* SPDX-License-Identifier: ISC */
/* The beginning and end of a tool. */
#include "tool_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "codec/unsupported.h"
#include "filter/filter.h"
#include "io/interrupt.h"
#include "io/pager.h"
#include "io/progress.h"
#include "io/term.h"
#include "rules/rules.h"
#include "symbol/symbolize.h"
#include "util/printable.h"

/* Compiled options that select. */
static struct rules **view;	/* those in force: of tool_given.rules at first */
static const char **view_name;	/* their files or names */
static size_t nview, capview, capname;
static struct pseudonym_key pseudonym_key;
static struct conditions *where;	/* of tool_given.where; NULL: none */
static bool selected;		/* workers have selected the input */
static bool paged;		/* the output goes through a pager */

struct match *
tool_match(struct tool *t, const char *pattern)
{
	struct match *m = pattern ? match_new(&pattern, 1, 0, &t->diag) : NULL;

	if (pattern && !m)
		tool_misuse(t, "%s", buf_str(&t->diag.error));
	return m;
}

/* Keeps the descriptors of closed standard streams in use: a file that we open must not get
 * one, or messages would go into it.  The placeholders opened here still fail when used. */
static void
keep_standard_fds(void)
{
	int fd;

	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
			(void)!open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/* Reports errors in the filters' options before anything is read or written. */
static void
compile_filters(struct tool *t)
{
	struct text wrong = tool_given.events && !t->own_events ?
	    filter_events_wrong(tool_given.events) : (struct text){ 0 };

	if (wrong.s)
		tool_misuse(t, "--events: expected an event or a sum of events, found %s",
		    QUOTE(wrong));
	if (tool_given.where.n && !(where = conditions_new(tool_given.where.item,
	    tool_given.where.n, &t->diag)))
		tool_misuse(t, "%s", buf_str(&t->diag.error));
}

/* Adds rules to those in force: 0, or -1 with the diag set. */
static int
add_rules(struct tool *t, const char *what)
{
	struct rules *r = rules_open(what, &t->diag);

	if (!r || rules_share(r, &pseudonym_key, &t->diag) < 0) {
		rules_free(r);
		return -1;
	}
	view = mem_grow(view, &capview, nview + 1, sizeof *view);
	view_name = mem_grow(view_name, &capname, nview + 1, sizeof *view_name);
	view[nview] = r;
	view_name[nview++] = what;
	return 0;
}

static void
read_rules(struct tool *t)
{
	size_t i;

	for (i = 0; i < tool_given.rules.n; i++)
		if (add_rules(t, tool_given.rules.item[i]) < 0)
			tool_misuse(t, "%s", buf_str(&t->diag.error));
		else
			t->writes_at_end |= rules_hold(view[i]);
}

int
tool_turn_rules(struct tool *t, const char *what, bool on)
{
	size_t i;

	if (on)
		return add_rules(t, what);
	for (i = 0; i < nview && strcmp(view_name[i], what) != 0; i++)
		;
	if (i == nview)
		return 0;
	rules_free(view[i]);
	nview--;
	memmove(view + i, view + i + 1, (nview - i) * sizeof *view);
	memmove(view_name + i, view_name + i + 1, (nview - i) * sizeof *view_name);
	return 0;
}

const char *
tool_rules(size_t i)
{
	return i < nview ? view_name[i] : NULL;
}

void
tool_begin(struct tool *t, int argc, char **argv)
{
	keep_standard_fds();
	tool_begin_messages(t, &tool_given.quiet);
	tool_parse(t, argc, argv);
	compile_filters(t);
	read_rules(t);
	t->dict = dict_new();
	t->schema = schema_new();
	if (t->take)
		t->take(t);
	if (!t->own_operands)
		tool_list_files(t);
	if (t->writes_at_end)
		tool_show_progress(t);
}

void
tool_show_progress(struct tool *t)
{
	if (!tool_given.quiet)
		progress_begin(t->name, (size_t)t->nfiles);
}

bool
tool_selects(void)
{
	return tool_given.where.n || tool_given.events || tool_given.rules.n;
}

bool
tool_drops_fact(const char *key)
{
	size_t i;

	for (i = 0; i < nview && !rules_drop_fact(view[i], key); i++)
		;
	return i < nview;
}

bool
tool_needs_all(void)
{
	size_t i;

	for (i = 0; i < nview; i++)
		if (rules_need_all(view[i]))
			return true;
	return tool_given.where.n || tool_given.events;
}

bool
tool_holds(void)
{
	size_t i;

	for (i = 0; i < nview && !rules_hold(view[i]); i++)
		;
	return i < nview;
}

const char *
tool_events(void)
{
	return tool_given.events;
}

void
tool_be_worker(int fd)
{
	if (dup2(fd, STDOUT_FILENO) < 0) {
		tool_print("standard output: ", strerror(errno));
		_exit(EXIT_TROUBLE);
	}
	close(fd);
	tool_given.output = NULL;
	tool_given.zstd = tool_given.gzip = false;
}

void
tool_read_workers(struct tool *t, char **files, int n)
{
	progress_end();
	tool_read_copies(t, files, n);
	selected = true;
	tool_given.events = NULL;
}

void
tool_read_copies(struct tool *t, char **files, int n)
{
	t->files = files;
	t->nfiles = n;
	tool_given.from = tool_given.exe = tool_given.syms = NULL;
	tool_given.lenient = false;
}

/* Opens output to a terminal, through the pager if there is one to run. */
static struct output *
open_paged(struct tool *t)
{
	const int fd = t->pages && !tool_given.no_pager ? pager_start() : -1;

	if (fd < 0)
		return out_open(NULL, ZIP_NONE, &t->diag);
	paged = true;
	signal(SIGPIPE, SIG_IGN);	/* quitting the pager is not an error */
	progress_end();
	return out_terminal(fd, "the pager", &t->diag);
}

static struct encode
open_output(struct tool *t, bool pages)
{
	enum zip_kind zip = tool_zip();
	const char *path = tool_given.output;

	if (zip == ZIP_NONE)
		zip = t->zip;
	if (path && strcmp(path, "-") == 0)
		path = NULL;
	tool_catch_signals();
	t->out = pages && !path && zip == ZIP_NONE ? open_paged(t) :
	    out_open(path, zip, &t->diag);
	if (!t->out)
		exit(tool_end(t, NULL, -1, EXIT_TROUBLE));
	return (struct encode){ .out = t->out, .dict = t->dict, .diag = &t->diag,
	    .names = &t->names, .given = &t->options,
	    .width = !path && term_is() ? term_columns() : 0,
	    .color = !path && term_wants_color(TERM_AUTO) };
}

struct encode
tool_output(struct tool *t)
{
	return open_output(t, false);
}

struct encode
tool_page(struct tool *t)
{
	return open_output(t, true);
}

void
tool_stream(struct tool *t, struct pipeline *p)
{
	struct encode e = tool_page(t);

	codec_encode(e.width ? &codec_text : &codec_prof, &e, p);
}

struct pipeline
tool_filters(struct tool *t)
{
	struct pipeline p = { 0 };
	size_t i;

	if (selected)
		return p;
	if (where)
		pipeline_add(&p, filter_where(where, t->compares_runs, &t->none));
	for (i = 0; i < nview; i++) {
		rules_add(view[i], &p, t->dict, &t->diag);
		if (!t->own_min_cost)
			rules_add_min_cost(view[i], &p, t->dict, t->schema, &t->diag);
	}
	if (tool_given.events && !t->own_events)
		pipeline_add(&p, filter_events(tool_given.events, "--events", &t->diag));
	return p;
}

void
tool_add_min_cost(struct tool *t, struct pipeline *p)
{
	size_t i;

	for (i = 0; i < nview; i++)
		rules_add_min_cost(view[i], p, t->dict, t->schema, &t->diag);
}

void
tool_put_name(struct tool *t, const char *file)
{
	struct buf b = { 0 };

	if (!tool_given.output && term_is())
		printable_add(&b, text_of(file));
	else
		buf_puts(&b, file);
	out_text(t->out, buf_as_text(&b));
	buf_free(&b);
}

void
tool_forget(struct tool *t)
{
	symbolize_free(t->names);
	t->names = NULL;
	dict_free(t->dict);
	schema_free(t->schema);
	t->dict = dict_new();
	t->schema = schema_new();
}

int
tool_end(struct tool *t, struct pipeline *p, int r, int status)
{
	size_t i;

	if (p)
		pipeline_free(p);
	if (t->out && out_close(t->out, r == 0) < 0)
		r = -1;
	if (!pager_wait())
		r = diag_fail_plain(&t->diag, "cannot run the pager: set PAGER, or use "
		    "--no-pager");
	else if (paged && t->diag.stopped)
		r = 0;
	progress_clear();
	if (r < 0)
		tool_say_error(t);
	buf_free(&t->diag.error);
	opts_free(&t->options);
	symbolize_free(t->names);
	dict_free(t->dict);
	schema_free(t->schema);
	free(tool_given.where.item);
	conditions_free(where);
	for (i = 0; i < nview; i++)
		rules_free(view[i]);
	free(view);
	free(view_name);
	tool_free_files();
	if (r == 0 && t->none.n && status == EXIT_DONE)
		status = EXIT_NO;
	buf_free(&t->none);
	return r < 0 ? EXIT_TROUBLE : interrupt_came() ? EXIT_INTERRUPTED : status;
}
