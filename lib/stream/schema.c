/* SPDX-License-Identifier: ISC */
#include "stream/schema.h"

#include <stdlib.h>

#include "stream/dict.h"
#include "util/mem.h"

struct row {
	struct rec_def def;
	struct text text;	/* of the columns, as declared */
	uint64_t stream;	/* the last one that declared it */
};

struct schema {
	struct dict *tags;	/* their numbers index the rows */
	struct row **row;
	size_t n, cap;
	uint64_t streams;
};

struct schema *
schema_new(void)
{
	struct schema *s = mem_alloc(1, sizeof *s);

	s->tags = dict_new();
	return s;
}

uint64_t
schema_begin(struct schema *s)
{
	return ++s->streams;
}

static void
row_free(struct row *row)
{
	unsigned i;

	for (i = 0; i < row->def.ncol; i++)
		free((char *)(uintptr_t)row->def.col[i].name);
	free((char *)(uintptr_t)row->def.tag);
	free((char *)(uintptr_t)row->text.s);
	free(row);
}

void
schema_free(struct schema *s)
{
	if (!s)
		return;
	while (s->n)
		row_free(s->row[--s->n]);
	free(s->row);
	dict_free(s->tags);
	free(s);
}

static int
find_name(const char *const *names, int n, struct text t)
{
	while (--n >= 0 && !text_is(t, names[n]))
		;
	return n;
}

/* Adds "name:type:role"; types `values` and `attrs` only at the end. */
static bool
add_column(struct rec_def *def, struct text f)
{
	const char *c1 = memchr(f.s, ':', f.n), *c2;
	struct text name, type, role;
	int t, r;

	if (!c1 || !(c2 = memchr(c1 + 1, ':', (size_t)(f.s + f.n - c1 - 1))))
		return false;
	name = (struct text){ f.s, (size_t)(c1 - f.s) };
	type = (struct text){ c1 + 1, (size_t)(c2 - c1 - 1) };
	role = (struct text){ c2 + 1, (size_t)(f.s + f.n - c2 - 1) };
	r = find_name(col_role_name, ROLE_NOTE + 1, role);
	if (!name.n || r < 0)
		return false;
	if (text_is(type, "values") || text_is(type, "attrs")) {
		unsigned bit = type.s[0] == 'v' ? REC_VALUES : REC_ATTRS;

		if (def->tail >= bit)	/* values, then attrs, each once */
			return false;
		def->tail |= bit;
		return true;
	}
	t = find_name(col_type_name, COL_STR + 1, type);
	if (t <= COL_ID || def->tail || def->ncol == REC_COLS)
		return false;
	def->col[def->ncol++] = (struct column){ mem_copy(name.s, name.n),
	    (enum col_type)t, (enum col_role)r };
	return true;
}

/* Checks the record's name and its mode. */
static int
check(const struct record *tag, struct diag *d)
{
	struct text name = tag->col[0].t, mode = tag->col[1].t;

	if (!name.s || !name.n || rec_find(name))
		return diag_fail(d, "expected the name of a new record, found %s",
		    QUOTE(name));
	if (!text_is(mode, "may") && !text_is(mode, "must"))
		return diag_fail(d, "expected 'may' or 'must', found %s", QUOTE(mode));
	if (text_is(mode, "must"))
		return diag_fail(d, "record %s must be understood, but is unknown",
		    QUOTE(name));
	return 0;
}

/* Returns NULL with the diag set if the declaration is malformed. */
static struct row *
make_row(const struct record *tag, struct diag *d)
{
	struct text name = tag->col[0].t, rest = tag->attrs, f;
	struct row *row = mem_alloc(1, sizeof *row);

	row->def.kind = REC_DECLARED;
	row->def.title = "declared";
	row->def.tag = mem_copy(name.s, name.n);
	while (fields_next(&rest, &f))
		if (!add_column(&row->def, f)) {
			diag_fail(d, "expected column:type:role, found %s", QUOTE(f));
			row_free(row);
			return NULL;
		}
	if (tag->attrs.s)
		row->text = (struct text){ mem_copy(tag->attrs.s, tag->attrs.n),
		    tag->attrs.n };
	return row;
}

const struct rec_def *
schema_declare(struct schema *s, const struct record *tag, uint64_t stream,
    struct diag *d)
{
	struct text name = tag->col[0].t;
	uint32_t i;

	if (check(tag, d) < 0)
		return NULL;
	i = dict_find_str(s->tags, name);
	if (i == NO_ID) {
		struct row *row = make_row(tag, d);

		if (!row)
			return NULL;
		i = dict_str(s->tags, name);
		s->row = mem_grow(s->row, &s->cap, s->n + 1, sizeof *s->row);
		s->row[s->n++] = row;
	} else if (!text_eq(s->row[i]->text, tag->attrs)) {
		diag_fail(d, "record %s is declared again, differently", QUOTE(name));
		return NULL;
	}
	s->row[i]->stream = stream;
	return &s->row[i]->def;
}

const struct rec_def *
schema_find(const struct schema *s, struct text tag, uint64_t stream)
{
	const struct rec_def *def = rec_find(tag);
	uint32_t i = def ? NO_ID : dict_find_str(s->tags, tag);

	return i != NO_ID && s->row[i]->stream == stream ? &s->row[i]->def : def;
}
