/* SPDX-License-Identifier: ISC */
#include "sum/value_profiles.h"

/* A record without a count and a value states that a site exists, although it was never
 * reached. */
static int
add(struct value_profiles *v, const struct record *r)
{
	struct text count = r->col[VPROF_COUNT].t, value = r->col[VPROF_VALUE].t;
	bool fresh;
	uint64_t func = dict_func_bare(v->dict, r->col[VPROF_FUNC].n, &fresh);
	uint64_t site[3], seen[2];
	num n = 0;

	if (count.s && num_get_num(count.s, count.n, &n) < 0)
		return -1;
	if (n == 0 && !value.s)
		return 0;
	site[0] = sums_row(&v->funcs, &func);
	site[1] = dict_str(v->dict, r->col[VPROF_SITE].t);
	site[2] = dict_str(v->dict, r->col[VPROF_TYPE].t);
	seen[0] = sums_row(&v->sites, site);
	seen[1] = dict_str(v->dict, value);
	return num_add(sums_val(&v->sites, seen[0]), n) < 0 ||
	    num_add(sums_val(&v->seen, sums_row(&v->seen, seen)), n) < 0 ? -1 : 0;
}

static int
values_put(struct sink *s, const struct record *r)
{
	struct value_profiles *v = (struct value_profiles *)s;

	if (rec_kind(r) != REC_VPROF)
		return sink_put(s->next, r);
	return add(v, r) < 0 ? diag_too_large(v->diag, "a sum") : 0;
}

struct sink *
value_profiles_sink(struct value_profiles *v, struct dict *dict, struct diag *diag)
{
	*v = (struct value_profiles){ .dict = dict, .diag = diag };
	v->sink = (struct sink){ .put = values_put };
	sums_init(&v->funcs, 1, 0);
	sums_init(&v->sites, 3, 1);
	sums_init(&v->seen, 2, 1);
	return &v->sink;
}

void
value_profiles_free(struct value_profiles *v)
{
	sums_free(&v->funcs);
	sums_free(&v->sites);
	sums_free(&v->seen);
}
