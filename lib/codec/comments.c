/* SPDX-License-Identifier: ISC */
#include "codec/comments.h"

#include <inttypes.h>
#include <stdlib.h>

#include "util/mem.h"

#define OWN "prof "

/* ---- writing ---- */

void
comment_line(struct buf *b, struct text t, struct loss *loss)
{
	size_t i;

	for (i = 0; i < t.n; i++)
		if (t.s[i] == '\n' || (t.s[i] == '\r' && i == t.n - 1)) {
			buf_puts(b, t.s[i] == '\n' ? "\\n" : "\\r");
			loss_add(loss, "line breaks in names");
		} else {
			buf_putc(b, t.s[i]);
		}
}

bool
comment_word(struct buf *b, struct text name, const char *bad)
{
	size_t i, was = b->n;

	for (i = 0; i < name.n; i++) {
		char c = name.s[i];

		buf_putc(b, c == '\0' || strchr(" \t\n\v\f\r", c) || strchr(bad, c) ?
		    '_' : c);
	}
	if (!name.n)
		buf_putc(b, '_');
	return name.n && memcmp(b->s + was, name.s, name.n) == 0;
}

/* Adds the fields after the key, of metadata that are a record. */
static void
add_fields(struct buf *b, const struct record *r)
{
	struct text rest = r->values, v;
	unsigned i;

	for (i = 0; i < r->def->ncol; i++) {
		if (i)
			buf_putc(b, '\t');
		if (r->def->col[i].type == COL_STR)
			field_escape(b, r->col[i].t);
		else if (r->col[i].n == NO_ID)
			buf_putc(b, '-');
		else
			num_add_whole(b, r->col[i].n);
	}
	while (values_next(&rest, &v)) {
		buf_putc(b, '\t');
		buf_text(b, v);
	}
	if (r->attrs.s) {
		buf_putc(b, '\t');
		buf_text(b, r->attrs);
	}
}

bool
comment_fact(struct buf *b, const struct record *r, struct loss *loss)
{
	struct text key = r->col[0].t;
	size_t i;

	if (rec_kind(r) != REC_META) {
		buf_printf(b, OWN "%s: ", r->def->tag);
		add_fields(b, r);
		return true;
	}
	if (text_is(key, "event") || text_is(key, "total")) {
		loss_add(loss, "metadata named 'event' or 'total'");
		return false;
	}
	for (i = 1; i < key.n && (key.s[i - 1] != ':' || key.s[i] != ' '); i++)
		;
	if (i != key.n || memchr(key.s, '\0', key.n)) {
		loss_add(loss, "metadata whose key is empty or contains ': ' or NUL");
		return false;
	}
	buf_puts(b, OWN);
	comment_line(b, key, loss);
	buf_puts(b, r->attrs.s ? ": " : ":");
	if (r->attrs.s)
		buf_text(b, r->attrs);
	return true;
}

bool
comment_is_plain(struct text t)
{
	struct text key, list, word = t;

	while (word.n && *word.s == ' ')	/* as readers skip them */
		word.s++, word.n--;
	return !(t.n && t.s[t.n - 1] == '\r') && !memchr(t.s, '\n', t.n) &&
	    !comment_get(word, &key, &list);
}

/* ---- reading ---- */

bool
comment_get(struct text t, struct text *key, struct text *list)
{
	const size_t n = sizeof OWN - 1;
	struct text rest, f, value;
	struct buf scratch = { 0 };
	bool good = true;
	size_t i;

	if (t.n && *t.s == ' ')	/* after the "#" of a comment */
		t.s++, t.n--;
	if (t.n < n || memcmp(t.s, OWN, n) != 0)
		return false;
	for (i = n; i < t.n; i++)
		if (t.s[i] == ':' && (i + 1 == t.n || t.s[i + 1] == ' '))
			break;
	if (i == t.n || i == n)
		return false;
	*key = (struct text){ t.s + n, i - n };
	*list = (struct text){ 0 };
	if (i + 2 <= t.n)	/* "KEY:" alone has no value, "KEY: " an empty one */
		*list = (struct text){ t.s + i + 2, t.n - i - 2 };
	for (rest = *list; fields_next(&rest, &f) && good; )
		good = field_unescape(f, &scratch, &value);
	buf_free(&scratch);
	return good;
}

/* Sets the beginning of a name in comment_events.named. */
static void
name_key(struct buf *key, uint64_t id)
{
	buf_printf(key, "%" PRIu64 " ", id);
}

static void
add_name(struct comment_events *f, const char *bad)
{
	const struct record *r = f->v[f->n - 1];
	struct buf key = { 0 };

	name_key(&key, r->col[EVENT_ID].n);
	comment_word(&key, r->col[EVENT_NAME].t, bad);
	name_index_add(&f->named, buf_as_text(&key), f->n - 1);
	buf_free(&key);
}

bool
comment_event(struct comment_events *f, struct text list, const char *bad)
{
	struct record r = rec_make(REC_EVENT);
	struct text field, k, v, rest;
	struct buf scratch = { 0 };
	bool good;
	unsigned i;

	buf_room(&scratch, 2 * list.n + 16);	/* unescaped text stays there */
	good = fields_next(&list, &field);
	if (good && !text_is(field, "-")) {
		good = num_is_canonical(field) && field.n < 10 && field.s[0] != '-';
		r.col[EVENT_ID].n = 0;
		for (i = 0; good && i < field.n; i++)
			r.col[EVENT_ID].n = r.col[EVENT_ID].n * 10 +
			    (uint64_t)(field.s[i] - '0');
	}
	for (i = EVENT_NAME; i <= EVENT_DESCRIPTION && good; i++)
		good = fields_next(&list, &field) &&
		    field_unescape(field, &scratch, &r.col[i].t);
	good = good && r.col[EVENT_NAME].t.s;
	if (good && list.s) {
		r.attrs = rest = list;
		while (rest.s && good)
			good = attr_next(&rest, &scratch, &k, &v);
	}
	if (good) {
		f->v = mem_grow(f->v, &f->cap, f->n + 1, sizeof *f->v);
		f->v[f->n++] = rec_keep(&r);
		add_name(f, bad);
	}
	buf_free(&scratch);
	return good;
}

const struct record *
comment_event_of(const struct comment_events *f, uint64_t id, struct text word)
{
	struct buf key = { 0 };
	size_t i;
	bool found;

	if (!f->n)
		return NULL;
	name_key(&key, id);
	buf_text(&key, word);
	found = name_index_find(&f->named, buf_as_text(&key), &i);
	buf_free(&key);
	return found ? f->v[i] : NULL;
}

void
comment_events_clear(struct comment_events *f)
{
	while (f->n)
		free(f->v[--f->n]);
	name_index_clear(&f->named);
}

void
comment_events_free(struct comment_events *f)
{
	comment_events_clear(f);
	free(f->v);
	name_index_free(&f->named);
	*f = (struct comment_events){ 0 };
}

bool
comment_total(struct text list, uint64_t nevents, struct text *values)
{
	struct text rest, v;

	if (!fields_next(&list, &v) || !text_is(v, "run"))
		return false;
	*values = rest = list;
	while (values_next(&rest, &v))
		if (nevents-- == 0 || (!text_is(v, "-") && !num_is_canonical(v)))
			return false;
	return true;
}
