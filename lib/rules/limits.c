/* SPDX-License-Identifier: ISC */
#include "rules/limits.h"

#include <stddef.h>
#include <stdlib.h>

#include "rules/yaml_read.h"
#include "util/mem.h"

#define MOST_LIMITS 500		/* of a file, which is written by hand */

struct limits {
	struct gate_exception *v;
	size_t n;
	char **text;
	size_t ntext;
	char *path;
};

/* An entry as it is written. */
struct entry {
	struct gate_exception e;
	const char *event;
	bool limited;		/* it has a limit */
};

static int
read_patterns(struct yaml_reader *y, void *to, const struct yaml_key *key)
{
	struct yaml_texts t = { 0 };
	struct match **match = yaml_member(to, key);
	const struct yaml_place mark = yaml_place(y);
	int r = yaml_take_patterns(y, &t);

	if (r == 0 && !(*match = match_new(t.v, t.n, 0, y->diag)))
		r = yaml_wrong_within(y, mark);
	yaml_free_texts(&t);
	return r;
}

static int
read_limit(struct yaml_reader *y, void *to, const struct yaml_key *key)
{
	const struct yaml_place mark = yaml_place(y);
	struct entry *w = to;
	const char *s = yaml_take_text(y, "a percentage, or none");

	(void)key;
	if (!s)
		return -1;
	w->limited = true;
	w->e.endless = strcmp(s, "none") == 0;
	return w->e.endless || threshold_get_share(text_of(s), &w->e.over) ? 0 :
	    yaml_wrong(y, mark, "expected a percentage, or none, found %s",
	    diag_quote(s, strlen(s)));
}

static int
read_day(struct yaml_reader *y, void *to, const struct yaml_key *key)
{
	const struct yaml_place mark = yaml_place(y);
	struct gate_day *day = yaml_member(to, key);
	const char *s = yaml_take_text(y, "a day such as 2027-01-31");

	if (!s)
		return -1;
	return gate_day_parse(text_of(s), day) ? 0 : yaml_wrong(y, mark,
	    "expected a day such as 2027-01-31, found %s", diag_quote(s, strlen(s)));
}

/* Checks that an entry is complete. */
static int
finish(struct yaml_reader *y, struct entry *w, struct yaml_place mark)
{
	struct gate_exception *e = &w->e;
	const bool rows = e->match[GATE_NAME_FUNCTION] || e->match[GATE_NAME_FILE] ||
	    e->match[GATE_NAME_OBJECT];

	if (rows == e->total)
		return yaml_wrong(y, mark, rows ? "a limit is for rows or for the total, not for "
		    "both" : "a limit needs function, file or object, or `total: true`");
	if (!w->limited)
		return yaml_wrong(y, mark, "a limit needs `limit`: a percentage, or none");
	if (!e->why || !*e->why)
		return yaml_wrong(y, mark, "a limit needs a reason: `why`");
	if (w->event)
		e->event = text_of(w->event);
	e->line = mark.line + 1;
	return 0;
}

static int
read_entry(struct yaml_reader *y, struct limits *l, struct gate_day today)
{
	static const struct yaml_key keys[] = {
		{ "function", .read = read_patterns,
		    .at = offsetof(struct entry, e.match[GATE_NAME_FUNCTION]) },
		{ "file", .read = read_patterns,
		    .at = offsetof(struct entry, e.match[GATE_NAME_FILE]) },
		{ "object", .read = read_patterns,
		    .at = offsetof(struct entry, e.match[GATE_NAME_OBJECT]) },
		{ "total", .read = yaml_read_bool, .at = offsetof(struct entry, e.total) },
		{ "event", .read = yaml_read_text, .at = offsetof(struct entry, event),
		    .what = "the name of an event" },
		{ "limit", .read = read_limit },
		{ "why", .read = yaml_read_text, .at = offsetof(struct entry, e.why),
		    .what = "a reason" },
		{ "until", .read = read_day, .at = offsetof(struct entry, e.until) },
		{ .name = NULL } };
	const struct yaml_place mark = yaml_place(y);
	struct entry w = { .e = { .path = l->path } };
	int r;

	if (l->n == MOST_LIMITS)
		return yaml_wrong(y, mark, "more than %d limits in a file", MOST_LIMITS);
	r = yaml_take_mapping(y, keys, "a limit: function, file, object, total, event, limit, "
	    "why, until", &w);
	if (r == 0)
		r = finish(y, &w, mark);
	w.e.expired = gate_day_is(w.e.until) && gate_day_before(w.e.until, today);
	l->v = mem_resize(l->v, l->n + 1, sizeof *l->v);
	l->v[l->n++] = w.e;
	return r;
}

/* The targets of the keys of a file. */
struct file {
	struct limits *limits;
	struct gate_day today;
	const char *description;
};

static int
read_limits(struct yaml_reader *y, void *to, const struct yaml_key *key)
{
	struct file *f = to;

	(void)key;
	if (!yaml_at(y, YAML_LIST))
		return yaml_expected(y, "a list of limits");
	if (yaml_next(y) < 0)
		return -1;
	while (!yaml_at(y, YAML_LIST_END))
		if (read_entry(y, f->limits, f->today) < 0)
			return -1;
	return yaml_next(y);
}

struct limits *
limits_read(const char *path, struct gate_day today, struct diag *d)
{
	static const struct yaml_key keys[] = {
		{ "description", .read = yaml_read_text,
		    .at = offsetof(struct file, description), .what = "a description" },
		{ "limits", .read = read_limits }, { .name = NULL } };
	struct file file = { .today = today };
	struct yaml_reader y;
	int r;

	if (yaml_open(&y, path, d) < 0)
		return NULL;
	file.limits = mem_alloc(1, sizeof *file.limits);
	file.limits->path = mem_copy(path, strlen(path));
	r = yaml_take_document(&y, keys, "a mapping of description, limits", &file);
	file.limits->text = y.text;
	file.limits->ntext = y.ntext;
	yaml_close(&y);
	if (r == 0)
		return file.limits;
	limits_free(file.limits);
	return NULL;
}

void
limits_free(struct limits *l)
{
	size_t i, k;

	if (!l)
		return;
	for (i = 0; i < l->n; i++)
		for (k = 0; k < GATE_NAMES; k++)
			match_free(l->v[i].match[k]);
	for (i = 0; i < l->ntext; i++)
		free(l->text[i]);
	free(l->text);
	free(l->path);
	free(l->v);
	free(l);
}

void
limits_set(struct limits *l, struct gate *g)
{
	g->exception = l->v;
	g->nexception = l->n;
}
