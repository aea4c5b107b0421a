/* SPDX-License-Identifier: ISC */
/* Limits of their own for some rows, or for the total, and the days up to which they hold. */
#include "sum/gate.h"

#include <stdlib.h>
#include <time.h>

/* ---- days ---- */

/* Parses exactly n digits. */
static bool
get_digits(const char *s, size_t n, int *value)
{
	*value = 0;
	for (; n; s++, n--) {
		if (*s < '0' || *s > '9')
			return false;
		*value = *value * 10 + (*s - '0');
	}
	return true;
}

static int
days_of(int year, int month)
{
	static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

	return days[month - 1] + (month == 2 && leap);
}

bool
gate_day_parse(struct text t, struct gate_day *d)
{
	return t.n == 10 && t.s[4] == '-' && t.s[7] == '-' && get_digits(t.s, 4, &d->year) &&
	    get_digits(t.s + 5, 2, &d->month) && get_digits(t.s + 8, 2, &d->day) &&
	    d->year > 0 && d->month >= 1 && d->month <= 12 && d->day >= 1 &&
	    d->day <= days_of(d->year, d->month);
}

struct gate_day
gate_today(void)
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	time_t now = time(NULL);
	struct tm tm;
	num n;

	if (epoch && num_get_num(epoch, strlen(epoch), &n) == 0 && n >= 0 && n <= INT64_MAX)
		now = (time_t)n;
	if (!gmtime_r(&now, &tm))
		return (struct gate_day){ 0 };
	return (struct gate_day){ tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday };
}

/* ---- rows ---- */

/* Sets the names of a row; absent: it is not of one function, file or object. */
static void
row_names(const struct rank_request *q, const uint64_t *key, struct text name[GATE_NAMES])
{
	const uint32_t *func;
	size_t i;

	for (i = 0; i < q->ngroup_by; i++)
		switch (q->group_by[i]) {
		case BY_FUNCTION:
			func = dict_def(q->dict, REC_FUNC, (uint32_t)key[i]);
			name[GATE_NAME_FUNCTION] = dict_text(q->dict, func[FUNC_NAME]);
			if (!name[GATE_NAME_FILE].s)
				name[GATE_NAME_FILE] = dict_path(q->dict, func[FUNC_FILE]);
			if (!name[GATE_NAME_OBJECT].s)
				name[GATE_NAME_OBJECT] = dict_object_path(q->dict,
				    func[FUNC_OBJECT]);
			break;
		case BY_FILE:
			name[GATE_NAME_FILE] = dict_path(q->dict, (uint32_t)key[i]);
			break;
		case BY_OBJECT:
			name[GATE_NAME_OBJECT] = dict_object_path(q->dict, (uint32_t)key[i]);
			break;
		default:
			break;
		}
}

static bool
is_for(const struct gate_exception *e, const struct text name[GATE_NAMES])
{
	size_t i;

	for (i = 0; i < GATE_NAMES; i++)
		if (e->match[i] && (!name[i].s || !match_text(e->match[i], name[i])))
			return false;
	return true;
}

const struct gate_exception *
gate_exception_of(const struct gate *g, const struct rank_request *q, const struct rank *r,
    const struct gate_limit *l, size_t row)
{
	struct text name[GATE_NAMES] = { 0 };
	struct gate_exception *e;
	size_t i;

	if (g->nexception && row != GATE_TOTAL_ROW)
		row_names(q, sums_key(&r->rows, row), name);
	for (i = 0; i < g->nexception; i++) {
		e = &g->exception[i];
		if (e->total != (row == GATE_TOTAL_ROW) || !is_for(e, name) ||
		    (e->event.s && !text_eq(e->event, l->name)))
			continue;
		e->met = true;
		if (!e->expired)
			return e;
	}
	return NULL;
}
