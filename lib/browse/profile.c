/* SPDX-License-Identifier: ISC */
#include "browse/profile.h"

#include <stdlib.h>

#include "stream/thread_frame.h"
#include "util/hash.h"
#include "util/mem.h"
#include "util/shell_word.h"

/* ---- results ---- */

static void
forget_ranking(struct profile_ranking *r)
{
	ranker_free(r->ranker);
	*r = (struct profile_ranking){ 0 };
}

static void
forget_source(struct profile *p)
{
	forget_ranking(&p->source);
	if (!p->in.pattern)
		return;
	lines_of_free(&p->in.lines);
	inlined_free(&p->in.inlined);
	match_free(p->in.match);
	free(p->in.pattern);
	p->in.pattern = NULL;
}

static void
forget_tree(struct profile_tree *t)
{
	tree_builder_free(t->builder);
	loss_free(&t->loss);
	free(t->folded);
	free(t->path);
	*t = (struct profile_tree){ 0 };
}

/* Keeps what is folded for the next tree. */
static void
keep_folds(const struct profile_tree *t, struct sums *folds)
{
	size_t i;

	if (!t->tree)
		return;
	sums_empty(folds);
	for (i = 0; i < t->tree->n; i++)
		if (t->folded[i])
			sums_row(folds, &t->path[i]);
}

/* Finds the paths of a new tree's nodes, and folds those that were folded.  Parents come
 * before their children. */
static void
find_paths(struct profile_tree *t, const struct sums *folds)
{
	const struct call_tree *tree = t->tree;
	size_t i, row;

	t->folded = mem_alloc(tree->n + 1, sizeof *t->folded);
	t->path = mem_alloc(tree->n + 1, sizeof *t->path);
	for (i = 0; i < tree->n; i++) {
		const struct tree_node *v = &tree->v[i];

		t->path[i] = hash_number(v->parent < i ? t->path[v->parent] : 0,
		    (uint64_t)v->thread << 32 | v->func);
		t->folded[i] = folds->n && sums_find(folds, &t->path[i], &row);
	}
}

void
profile_forget_trees(struct profile *p)
{
	keep_folds(&p->tree[false], &p->folds[false]);
	keep_folds(&p->tree[true], &p->folds[true]);
	forget_tree(&p->tree[false]);
	forget_tree(&p->tree[true]);
}

void
profile_forget(struct profile *p)
{
	forget_ranking(&p->functions);
	forget_ranking(&p->rows);
	forget_source(p);
	profile_forget_trees(p);
}

/* Returns a pipeline with all filters in force. */
static struct pipeline
filtered(struct profile *p)
{
	struct pipeline line = p->begin();
	size_t i;

	for (i = 0; i < p->nfilter; i++)
		filter_grep(&line, &p->filter[i]->selection, p->dict, p->diag);
	return line;
}

/* Sums a ranking, after the stages that the pipeline has already. */
static int
rank(struct profile *p, struct profile_ranking *r, struct pipeline *line, bool lines)
{
	int ret;

	r->request.dict = p->dict;
	r->request.diag = p->diag;
	r->request.takes_off = p->live.recent;
	r->ranker = ranker_new(&r->request);
	pipeline_add(line, filter_default_event(&r->request.event, p->dict));
	pipeline_add(line, ranker_sink(r->ranker));
	ret = p->run(line, lines);
	pipeline_free(line);
	if (ret == 0 && !(r->rank = ranker_finish(r->ranker)))
		ret = -1;
	if (ret < 0)
		forget_ranking(r);
	return ret;
}

static int
need_ranking(struct profile *p, struct profile_ranking *r, const enum group_by *by, size_t nby)
{
	struct pipeline line;

	if (r->rank)
		return 0;
	*r = (struct profile_ranking){ .request = { .all_events = true, .ngroup_by = nby } };
	memcpy(r->request.group_by, by, nby * sizeof *by);
	line = filtered(p);
	return rank(p, r, &line, group_by_has(by, nby, BY_FILE));
}

int
profile_need_functions(struct profile *p)
{
	return need_ranking(p, &p->functions, &(enum group_by){ BY_FUNCTION }, 1);
}

static bool
has_functions(const struct profile *p)
{
	return p->nby == 1 && p->by[0] == BY_FUNCTION;
}

int
profile_need_rows(struct profile *p)
{
	return has_functions(p) ? profile_need_functions(p) :
	    need_ranking(p, &p->rows, p->by, p->nby);
}

struct profile_ranking *
profile_table(struct profile *p)
{
	return has_functions(p) ? &p->functions : &p->rows;
}

int
profile_need_source(struct profile *p, const char *pattern)
{
	struct match *match;
	struct pipeline line;

	if (p->in.pattern && strcmp(p->in.pattern, pattern) == 0 && p->source.rank)
		return 0;
	forget_source(p);
	if (!(match = match_new(&pattern, 1, 0, p->diag)))
		return -1;
	p->in.pattern = mem_copy(pattern, strlen(pattern));
	p->in.match = match;
	lines_of_init(&p->in.lines, match, p->dict, false);
	inlined_init(&p->in.inlined, p->dict);
	p->source.request = (struct rank_request){ .group_by = { BY_FILE, BY_LINE },
	    .ngroup_by = 2, .all_events = true };
	line = filtered(p);
	pipeline_add(&line, &p->in.lines.sink);
	pipeline_add(&line, filter_only_places(p->dict, lines_of_matches, &p->in.lines));
	pipeline_add(&line, &p->in.inlined.sink);
	return rank(p, &p->source, &line, true);
}

#define TREE_LEAST 1000		/* a hundred thousandth, in millionths of a percent */

int
profile_need_tree(struct profile *p, bool callers)
{
	struct profile_tree *t = &p->tree[callers];
	struct pipeline line;
	int r;

	if (t->tree)
		return 0;
	t->request = (struct tree_request){ .dict = p->dict, .diag = p->diag,
	    .event = p->event, .root = ROOT_OF_FORMAT, .callers = callers,
	    .takes_off = p->live.recent,
	    .min = { TREE_LEAST, true } };
	t->builder = tree_builder_new(&t->request);
	line = filtered(p);
	pipeline_add(&line, filter_flatten(FLATTEN_POINTS, NULL, p->dict, &t->loss, p->diag));
	pipeline_add(&line, filter_default_event(&t->request.usual, p->dict));
	pipeline_add(&line, tree_builder_sink(t->builder));
	r = p->run(&line, false);
	pipeline_free(&line);
	if (r == 0 && !(t->tree = tree_builder_finish(t->builder)))
		r = -1;
	if (r < 0)
		forget_tree(t);
	else
		find_paths(t, &p->folds[callers]);
	return r;
}

struct text
profile_event(const struct profile *p, const struct profile_ranking *r)
{
	return p->event.s && rank_knows(r->rank, p->event) ? p->event :
	    rank_default(&r->request, r->rank);
}

/* ---- filters and rows ---- */

void
profile_init(struct profile *p)
{
	p->by[0] = BY_FUNCTION;
	p->nby = 1;
	buf_puts(&p->by_text, "function");
	sums_init(&p->folds[false], 1, 0);
	sums_init(&p->folds[true], 1, 0);
}

static void
free_filter(struct profile_filter *f)
{
	match_free(f->match);
	free(f->pattern);
	free(f->text);
	free(f);
}

void
profile_free(struct profile *p)
{
	profile_forget(p);
	while (profile_remove_filter(p))
		;
	free(p->filter);
	for (; p->nrules; p->nrules--) {
		free(p->rules[p->nrules - 1].what);
		free(p->rules[p->nrules - 1].about);
	}
	free(p->rules);
	buf_free(&p->in_force);
	buf_free(&p->rule_options);
	buf_free(&p->by_text);
	sums_free(&p->folds[false]);
	sums_free(&p->folds[true]);
}

/* Returns the options and the pattern, as prof-grep(1) writes them into `filter`. */
static char *
filter_text(const char *pattern, unsigned in, bool drop)
{
	struct buf b = { 0 };

	buf_printf(&b, "%s%s%s", drop ? "-v " : "", in == IN_FILE ? "--in file " :
	    in == IN_OBJECT ? "--in object " : "", pattern);
	buf_str(&b);
	return b.s;
}

int
profile_add_filter(struct profile *p, const char *pattern, unsigned in, bool drop)
{
	struct match *match = match_new(&pattern, 1, 0, p->diag);
	struct profile_filter *f;

	if (!match)
		return -1;
	f = mem_alloc(1, sizeof *f);
	f->pattern = mem_copy(pattern, strlen(pattern));
	f->match = match;
	f->text = filter_text(pattern, in, drop);
	f->selection = (struct selection){ .match = match, .in = in, .invert = drop,
	    .role = END_SELF | END_CALLER | END_CALLEE, .schema = p->schema, .text = f->text };
	p->filter = mem_grow(p->filter, &p->capfilter, p->nfilter + 1, sizeof *p->filter);
	p->filter[p->nfilter++] = f;
	profile_forget(p);
	return 0;
}

bool
profile_remove_filter(struct profile *p)
{
	if (!p->nfilter)
		return false;
	profile_forget(p);
	free_filter(p->filter[--p->nfilter]);
	return true;
}

int
profile_turn_rules(struct profile *p, size_t i)
{
	p->rules[i].on = !p->rules[i].on;
	if (p->turn(&p->rules[i]) < 0) {
		p->rules[i].on = !p->rules[i].on;
		return -1;
	}
	profile_forget(p);
	return 0;
}

bool
profile_terms(const struct profile *p, const struct profile_ranking *r, struct terms *terms)
{
	const struct text event = profile_event(p, r);

	return event.s && rank_resolve(r->rank, event, (struct text){ 0 }, terms) == 1;
}

/* Sums the costs of all functions; *whole: the base of percentages.  False if that is not
 * possible. */
static bool
sum_left(const struct profile *p, num *left, num *whole)
{
	const struct rank *r = p->functions.rank;
	const bool is_event = events_find(&r->events, profile_event(p, &p->functions)) >= 0;
	struct terms terms = { 0 };
	bool is = profile_terms(p, &p->functions, &terms) &&
	    terms_sum(&terms, is_event ? r->whole : r->total, whole) == 0;
	size_t row;
	num one;

	*left = 0;
	for (row = 0; row < r->rows.n && is; row++)
		is = terms_sum(&terms, sums_val(&r->rows, row), &one) == 0 &&
		    num_add(left, one) == 0;
	terms_free(&terms);
	return is;
}

void
profile_add_left(struct profile *p, struct buf *out)
{
	num left, whole;

	if ((!p->nfilter && !p->in_force.n) || profile_need_functions(p) < 0 ||
	    !sum_left(p, &left, &whole) || whole <= 0)
		return;
	num_add_percent(out, left, whole);
	buf_puts(out, " % left");
}

int
profile_set_rows(struct profile *p, const char *by)
{
	enum group_by list[BY_KINDS];
	size_t n;

	if (group_by_parse(by, list, &n, p->diag) < 0)
		return -1;
	memcpy(p->by, list, sizeof list);
	p->nby = n;
	p->by_text.n = 0;
	buf_puts(&p->by_text, by);
	forget_ranking(&p->rows);
	return 0;
}

/* ---- commands ---- */

/* Adds the first stage's options and files; the others read from the pipe. */
static void
add_stage(const struct profile *p, struct buf *b, const char *tool, const char *arguments,
    bool first)
{
	buf_puts(b, tool);
	if (first && *p->options)
		buf_printf(b, " %s", p->options);
	if (first)
		buf_text(b, buf_as_text(&p->rule_options));
	if (*arguments)
		buf_printf(b, " %s", arguments);
	if (first && *p->operands)
		buf_printf(b, " %s", p->operands);
}

static void
add_grep(const struct profile *p, struct buf *b, const struct profile_filter *f, bool first)
{
	struct buf arguments = { 0 };
	const unsigned in = f->selection.in;

	buf_printf(&arguments, "%s%s-e ", f->selection.invert ? "-v " : "",
	    in == IN_FILE ? "--in file " : in == IN_OBJECT ? "--in object " : "");
	shell_word_add(&arguments, text_of(f->pattern));
	add_stage(p, b, "prof-grep", buf_str(&arguments), first);
	buf_puts(b, " | ");
	buf_free(&arguments);
}

void
profile_command(const struct profile *p, struct buf *b, const char *tool, const char *arguments)
{
	struct buf all = { 0 };
	size_t i;

	if (p->event.s) {
		buf_puts(&all, "--events ");
		shell_word_add(&all, p->event);
	}
	if (all.n && *arguments)
		buf_putc(&all, ' ');
	buf_puts(&all, arguments);
	if (p->before)
		buf_puts(b, p->before);
	for (i = 0; i < p->nfilter; i++)
		add_grep(p, b, p->filter[i], !i);
	add_stage(p, b, tool, buf_str(&all), !p->nfilter);
	buf_free(&all);
}
