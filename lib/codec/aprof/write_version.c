/* SPDX-License-Identifier: ISC */
/* The version, and the layout of points. */
#include "writer.h"

#include "stream/loss.h"
#include "util/num.h"

/* From this version on a point has all its columns, except for the sources of sizes, which
 * only some reports have. */
#define WHOLE_POINT 4

void
aprof_settle(struct writer *w)
{
	const struct aprof_options *asked = w->e.options;
	struct text v = buf_as_text(&w->fact[0]);
	num n;

	if (w->settled)
		return;
	w->settled = true;
	w->version = WHOLE_POINT;
	if (v.n && num_get_num(v.s, v.n, &n) == 0 && n <= APROF_VERSION) {
		w->version = (unsigned)n;
		w->stated = true;
	} else if (v.n) {
		loss_add(w->e.loss, "unknown report versions");
		w->own = false;
	} else if (w->own) {
		w->version = 0;
	}
	if (asked->version >= 0) {
		w->version = (unsigned)asked->version;
		w->stated = w->chosen = true;
	}
}

void
aprof_raise_version(struct writer *w, unsigned from)
{
	if (!w->stated && !w->own && from > w->version)
		w->version = from;
}

/* Returns a column of the layout that the point lacks; -1: it has all. */
static int
missing(const struct aprof_layout *l, const struct record *r)
{
	unsigned i;

	for (i = 0; i < l->n; i++)
		if (!r->col[l->col[i]].t.s && !(l->zero && i >= l->zero &&
		    i <= l->zero + 1))
			return l->col[i];
	return -1;
}

static int
lacks(struct writer *w, const struct record *r, int col)
{
	size_t i;

	for (i = APROF_LAYOUTS - 1; i > 0 && missing(&aprof_layout[i], r) >= 0; i--)
		;
	if (missing(&aprof_layout[i], r) >= 0)
		return diag_fail(w->e.diag, "%s: a point without %s cannot be written",
		    w->e.format, r->def->col[col].name);
	return diag_fail(w->e.diag, "%s: version %u needs %s of points, which the "
	    "profile lacks: use --aprof-version %u", w->e.format, w->version,
	    r->def->col[col].name, aprof_layout[i].from);
}

const struct aprof_layout *
aprof_choose_layout(struct writer *w, const struct record *r)
{
	unsigned most = w->version < WHOLE_POINT ? w->version : WHOLE_POINT;
	const struct aprof_layout *usual = NULL, *best = NULL;
	size_t i;

	for (i = 0; i < APROF_LAYOUTS; i++) {
		const struct aprof_layout *l = &aprof_layout[i];

		if (l->from <= most)
			usual = l;
		if ((l->from <= w->version || !w->chosen) && missing(l, r) < 0)
			best = l;
	}
	if (!best || (w->chosen && best->from < usual->from)) {
		lacks(w, r, missing(usual, r));
		return NULL;
	}
	aprof_raise_version(w, best->from);
	return best;
}

void
aprof_make_average(struct writer *w, struct record *r, char *tmp)
{
	struct text sum = r->col[POINT_SUM].t, occ = r->col[POINT_OCC].t;
	num s, o;

	if (r->col[POINT_AVG].t.s || !sum.s || !occ.s ||
	    num_get_num(sum.s, sum.n, &s) < 0 || num_get_num(occ.s, occ.n, &o) < 0 ||
	    o <= 0 || s < 0)
		return;
	if (s % o)
		loss_add(w->e.loss, "fractions of averages");
	r->col[POINT_AVG].t = num_text(tmp, s / o);
}

void
aprof_lose_columns(struct writer *w, const struct aprof_layout *l, const struct record *r)
{
	bool has[POINT_COLS] = { false };
	unsigned i;

	for (i = 0; i < l->n; i++)
		has[l->col[i]] = true;
	for (i = POINT_OCC; i < POINT_COLS; i++)
		if (r->col[i].t.s && !has[i]) {
			loss_add(w->e.loss, "numbers of points that its version lacks");
			return;
		}
}
