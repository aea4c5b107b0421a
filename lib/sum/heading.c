/* SPDX-License-Identifier: ISC */
#include "sum/heading.h"

#include "util/printable.h"

void
heading_init(struct heading_maker *m, struct dict *dict)
{
	*m = (struct heading_maker){ .dict = dict };
	sums_init(&m->lists, 2, 0);
}

void
heading_free(struct heading_maker *m)
{
	buf_free(&m->h.diff);
	buf_free(&m->h.filter);
	buf_free(&m->h.estimate);
	buf_free(&m->h.lost);
	buf_free(&m->scratch);
	sums_free(&m->lists);
}

enum list { FILTER, ESTIMATE, LOST };

/* Adds a text to a list once, even if many parts have it. */
static void
add_once(struct heading_maker *m, enum list list, struct buf *b, struct text t)
{
	const uint64_t key[] = { list, dict_str(m->dict, t) };
	const size_t was = m->lists.n;

	if (sums_row(&m->lists, key) < was)
		return;
	buf_puts(b, b->n ? "; " : "");
	buf_text(b, t);
}

/* Adds to a count, which stays at its maximum. */
static void
add_count(uint64_t *sum, uint64_t n)
{
	if (__builtin_add_overflow(*sum, n, sum))
		*sum = UINT64_MAX;
}

static void
add_meta(struct heading_maker *m, const struct record *meta)
{
	struct rank_heading *h = &m->h;
	struct text v;
	uint64_t n;

	m->scratch.n = 0;
	v = meta_values(meta, &m->scratch);
	if (meta_is(meta, "cmd")) {
		v = dict_text(m->dict, dict_str(m->dict, v));
		h->cmds_differ |= h->cmd.s && !text_eq(h->cmd, v);
		h->cmd = v;
	} else if (meta_is(meta, "diff")) {
		h->diff.n = 0;
		buf_text(&h->diff, meta->attrs);
	} else if (meta_is(meta, "filter")) {
		add_once(m, FILTER, &h->filter, v);
	} else if (meta_is(meta, "estimate")) {
		add_once(m, ESTIMATE, &h->estimate, v);
	} else if (meta_is(meta, "lost")) {
		add_once(m, LOST, &h->lost, v);
	} else if (meta_is(meta, "skipped") && meta_count(meta, &n)) {
		add_count(&h->skipped, n);
	} else if (meta_is(meta, "runs") && meta_count(meta, &n) && n > m->of_run) {
		add_count(&h->runs, n - m->of_run);	/* a sum of several */
		m->of_run = n;
	}
}

/* Counts a run as one profile, until its metadata tell of more.  Decoders number runs
 * upwards. */
static void
add_run(struct heading_maker *m, struct text number)
{
	num run = 0;

	if (num_get_num(number.s, number.n, &run) < 0 || run <= m->run)
		return;
	m->run = run;
	m->of_run = 1;
	m->h.runs++;
}

void
heading_add_part(struct heading_maker *m, const struct part *p)
{
	size_t i;

	if (m->takes_off && attr_has(p->head->attrs, HEADING_TAKEN_OFF))
		return;
	m->h.parts++;
	add_run(m, p->head->col[0].t);
	for (i = 0; i < p->metadata.n; i++) {
		const struct record meta = metadata_at(&p->metadata, i);

		add_meta(m, &meta);
	}
}

struct text
heading_sides(const struct rank_heading *h)
{
	return h->diff.n ? buf_as_text(&h->diff) : (struct text){ 0 };
}

bool
heading_next_side(struct text *list, struct buf *scratch, struct text *name)
{
	struct text field;

	if (!fields_next(list, &field))
		return false;
	scratch->n = 0;
	if (!field_unescape(field, scratch, name))
		*name = field;
	return true;
}

void
heading_add_sides(struct buf *b, const struct rank_heading *h, size_t room)
{
	struct text list = heading_sides(h), name;
	struct buf scratch = { 0 };
	size_t n;

	for (n = 0; heading_next_side(&list, &scratch, &name); n++) {
		buf_puts(b, n ? ", new: " : "old: ");
		printable_shortened(b, name, room);
	}
	buf_free(&scratch);
}
