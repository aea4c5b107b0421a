/* SPDX-License-Identifier: ISC */
#include "filter.h"

#include <stdlib.h>

#include "mem.h"

struct condition {
	struct text key, value;
	struct match *match;	/* KEY~REGEX; NULL: equality */
	bool met;		/* by the part at hand */
};

struct where {
	struct sink sink;
	struct condition *cond;
	size_t n, cap;
	struct record **held;	/* the part's header, until it is decided */
	size_t nheld, capheld;
	bool in_header, keep;
	bool any_part, any_kept;
	struct diag *diag;
	char *text;		/* what the conditions point into */
};

/* Does every key have a condition that is met? */
static bool
decide(const struct where *w)
{
	size_t i, j;

	for (i = 0; i < w->n; i++) {
		for (j = 0; j < w->n; j++)
			if (w->cond[j].met &&
			    text_eq(w->cond[j].key, w->cond[i].key))
				break;
		if (j == w->n)
			return false;
	}
	return true;
}

static void
see(struct where *w, const struct record *meta)
{
	struct text rest = meta->attrs, f, value;
	struct buf b = { 0 };
	size_t i;

	while (fields_next(&rest, &f)) {
		b.n = 0;
		if (!field_unescape(f, &b, &value) || !value.s)
			continue;
		if (value.s != b.s)
			buf_text(&b, value);
		value = (struct text){ buf_str(&b), value.n };
		for (i = 0; i < w->n; i++)
			if (text_eq(w->cond[i].key, meta->col[0].t))
				w->cond[i].met |= w->cond[i].match ?
				    match_text(w->cond[i].match, value) :
				    text_eq(w->cond[i].value, value);
	}
	buf_free(&b);
}

static int
flush(struct where *w)
{
	size_t i;
	int r = 0;

	w->in_header = false;
	w->keep = decide(w);
	w->any_kept |= w->keep;
	for (i = 0; i < w->nheld; i++) {
		if (r == 0 && w->keep)
			r = sink_put(w->sink.next, w->held[i]);
		free(w->held[i]);
	}
	w->nheld = 0;
	return r;
}

static int
where_put(struct sink *s, struct record *r)
{
	struct where *w = (struct where *)s;
	enum rec_kind kind = rec_kind(r);
	size_t i;

	if (kind == REC_PROF || kind == REC_TAG || rec_is_def(kind))
		return sink_put(s->next, r);
	if (w->in_header && kind != REC_META && kind != REC_EVENT &&
	    kind != REC_TOTAL && flush(w) < 0)
		return -1;
	if (kind == REC_END && w->any_part && !w->any_kept)
		diag_say(w->diag, DIAG_NOTE, "--where: no part is so");
	if (kind == REC_PART) {
		w->in_header = w->any_part = true;
		for (i = 0; i < w->n; i++)
			w->cond[i].met = false;
	}
	if (w->in_header) {
		if (kind == REC_META)
			see(w, r);
		w->held = mem_grow(w->held, &w->capheld, w->nheld + 1,
		    sizeof *w->held);
		w->held[w->nheld++] = rec_keep(r);
		return 0;
	}
	return w->keep || kind == REC_END ? sink_put(s->next, r) : 0;
}

static void
where_free(struct sink *s)
{
	struct where *w = (struct where *)s;
	size_t i;

	for (i = 0; i < w->n; i++)
		match_free(w->cond[i].match);
	for (i = 0; i < w->nheld; i++)
		free(w->held[i]);
	free(w->cond);
	free(w->held);
	free(w->text);
	sink_free(s->next);
	free(w);
}

/* One condition at p, NUL after it. */
static int
add(struct where *w, char *p, struct diag *d)
{
	size_t n = strcspn(p, "=~");
	struct condition c = { .key = { p, n } };
	const char *pattern = p + n + 1;

	if (!n || !p[n])
		return diag_fail_plain(d, "--where: expected KEY=VALUE or "
		    "KEY~REGEX, found %s", diag_quote(p, strlen(p)));
	c.value = text_of(pattern);
	if (p[n] == '~' && !(c.match = match_new(&pattern, 1, 0, d)))
		return -1;
	w->cond = mem_grow(w->cond, &w->cap, w->n + 1, sizeof *w->cond);
	w->cond[w->n++] = c;
	return 0;
}

struct sink *
filter_where(const char *const *conditions, size_t n, struct sink *next,
    struct diag *d)
{
	struct where *w = mem_alloc(1, sizeof *w);
	struct buf b = { 0 };
	size_t i;
	char *p, *end;

	w->diag = d;
	w->sink = (struct sink){ .put = where_put, .free = where_free, .next = next };
	for (i = 0; i < n; i++)
		buf_add(&b, conditions[i], strlen(conditions[i]) + 1);
	w->text = b.s;
	for (p = b.s; p < b.s + b.n; p = end + 1) {
		char *comma;

		end = p + strlen(p);
		for (;; p = comma + 1) {
			if ((comma = strchr(p, ',')))
				*comma = '\0';
			if (add(w, p, d) < 0) {
				sink_free(&w->sink);
				return NULL;
			}
			if (!comma)
				break;
		}
	}
	return &w->sink;
}
