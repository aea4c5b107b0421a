/* SPDX-License-Identifier: ISC */
/* The records of a document: functions, costs of lines, facts. */
#include "coverage.h"

uint32_t
coverage_str(struct coverage *c)
{
	struct text t;

	return json_read_string(&c->json, &t) ? dict_str(c->d->dict, t) : NO_ID;
}

int
coverage_func(struct coverage *c, uint32_t name, uint32_t linker, uint32_t file,
    uint64_t start, uint32_t *func)
{
	struct func_def f = NO_FUNC;
	char tmp[NUM_TEXT];

	f.name = name;
	f.key = linker == name ? NO_ID : linker;
	f.file = file;
	if (start) {
		c->text.n = 0;
		attr_add(&c->text, "start", num_text_u64(tmp, start));
		f.attrs = dict_str(c->d->dict, buf_as_text(&c->text));
	}
	return decode_func(c->d, &f, func);
}

int
coverage_cost(struct coverage *c, uint32_t func, uint32_t file, uint64_t line,
    const struct counts *n)
{
	struct record r = rec_make(REC_COST);
	char tmp[2 * NUM_TEXT], *p = tmp;

	r.col[PLACE_FUNC].n = func;
	r.col[PLACE_FILE].n = file;
	r.col[PLACE_LINE].n = line;
	r.col[PLACE_LINE].has = line ? HAS_N : 0;
	if (n->has_executions)
		p = num_put_num(p, n->executions);
	else
		*p++ = '-';
	*p++ = '\t';
	p = num_put_num(p, n->entries);
	r.values = (struct text){ tmp, (size_t)(p - tmp) };
	return sink_put(c->d->out, &r);
}

int
coverage_fact(struct coverage *c, const char *key, struct text value, uint32_t *last)
{
	const uint32_t is = dict_str(c->d->dict, value);

	if (is == *last)
		return 0;
	*last = is;
	return meta_put(c->d->out, key, value);
}
