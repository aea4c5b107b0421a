/* SPDX-License-Identifier: ISC */
/* Columns of numbers, strings and libraries. */
#include "reader.h"

#include "util/mem.h"

/* Reads a whole number; null and booleans are NO_NUMBER. */
static int
read_cell(struct reader *rd, int64_t *v)
{
	const enum json_kind kind = json_read_kind(&rd->doc.j);
	const char *at = document_at(&rd->doc);
	num n;

	*v = NO_NUMBER;
	if (kind == JSON_NULL || kind == JSON_TRUE || kind == JSON_FALSE) {
		json_read_skip(&rd->doc.j);
		return 0;
	}
	if (!json_read_int(&rd->doc.j, &n))
		return -1;
	if (n <= INT64_MIN || n > INT64_MAX)
		return FAIL(rd, at, "a number that does not fit 64 bits");
	*v = (int64_t)n;
	return 0;
}

int
firefox_read_column(struct reader *rd, struct cells *c)
{
	c->n = 0;
	c->at = json_read_kind(&rd->doc.j) == JSON_NULL ? NULL : document_at(&rd->doc);
	if (!c->at) {		/* treat it as missing */
		json_read_skip(&rd->doc.j);
		return rd->doc.j.why ? -1 : 0;
	}
	for (json_read_array(&rd->doc.j); json_read_item(&rd->doc.j); c->n++) {
		c->v = mem_grow(c->v, &c->cap, c->n + 1, sizeof *c->v);
		if (read_cell(rd, &c->v[c->n]) < 0)
			return -1;
		if (c->n == MOST_ROWS)
			return FAIL(rd, c->at, "too many rows");
	}
	return rd->doc.j.why ? -1 : 0;
}

int
firefox_read_strings(void *arg)
{
	struct reader *rd = arg;
	struct text t;

	rd->nstrings = 0;
	for (json_read_array(&rd->doc.j); json_read_item(&rd->doc.j); ) {
		rd->string = mem_grow(rd->string, &rd->capstrings, rd->nstrings + 1,
		    sizeof *rd->string);
		if (!json_read_string(&rd->doc.j, &t))
			return -1;
		rd->string[rd->nstrings++] = dict_str(rd->doc.d->dict, t);
	}
	return rd->doc.j.why ? -1 : 0;
}

/* ---- libraries ---- */

/* Reads a library.  Its build ID is that of the file on systems that have one, otherwise
 * that of its symbols. */
static struct lib
read_lib(struct reader *rd)
{
	enum { PATH, NAME, CODE, BREAKPAD, MEMBERS };
	static const char *const names[MEMBERS] = { "path", "name", "codeId", "breakpadId" };
	struct text t[MEMBERS] = { 0 }, key;
	size_t i;

	for (json_read_object(&rd->doc.j); json_read_key(&rd->doc.j, &key); ) {
		for (i = 0; i < MEMBERS && !text_is(key, names[i]); i++)
			;
		if (i < MEMBERS)
			t[i] = document_text(&rd->doc);
		else
			json_read_skip(&rd->doc.j);
	}
	return (struct lib){ t[PATH].n ? t[PATH] : t[NAME], t[CODE].n ? t[CODE] : t[BREAKPAD] };
}

int
firefox_read_libs(void *arg)
{
	struct reader *rd = arg;

	rd->nlibs = 0;
	for (json_read_array(&rd->doc.j); json_read_item(&rd->doc.j); ) {
		rd->lib = mem_grow(rd->lib, &rd->caplibs, rd->nlibs + 1, sizeof *rd->lib);
		rd->lib[rd->nlibs++] = read_lib(rd);
	}
	return rd->doc.j.why ? -1 : 0;
}
