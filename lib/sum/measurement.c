/* SPDX-License-Identifier: ISC */
#include "sum/measurement.h"

#include "stream/record.h"
#include "util/diag.h"

/* ---- facts ---- */

static void
add_text(struct buf *b, struct text value)
{
	buf_text(b, value);
}

/* Is this word an option for the output, and does the next word belong to it? */
static bool
is_output(struct text word, bool *next)
{
	*next = text_is(word, "-o") || text_is(word, "--output");
	return *next || text_begins(word, "--output=") ||
	    memmem(word.s, word.n, "-out-file=", 10);
}

/* Adds a command without the name of its program, directories and outputs: versions, builds
 * and runs have their own. */
static void
add_command(struct buf *b, struct text value)
{
	struct text word;
	bool skip = false, next = false;
	const char *slash;

	for (; value.n; value.s += word.n, value.n -= word.n) {
		if (*value.s == ' ') {
			word.n = 1;
			continue;
		}
		slash = memchr(value.s, ' ', value.n);
		word = (struct text){ value.s, slash ? (size_t)(slash - value.s) : value.n };
		if (!b->n) {
			buf_puts(b, "...");
		} else if (!skip && !is_output(word, &next)) {
			slash = last_byte(word.s, '/', word.n);
			buf_putc(b, ' ');
			buf_add(b, slash ? slash + 1 : word.s, slash ?
			    (size_t)(word.s + word.n - slash - 1) : word.n);
		}
		skip = !skip && next;
	}
}

/* Adds a simulated cache of Valgrind's, "I1 cache: 32768 B, 64 B, 8-way associative"; other
 * descriptions are about the run. */
static void
add_cache(struct buf *b, struct text value)
{
	const char *colon = memchr(value.s, ':', value.n);
	size_t i;

	if (!colon || colon - value.s < 6 || memcmp(colon - 6, " cache", 6) != 0)
		return;
	for (i = 0; i < value.n; i++)	/* Cachegrind aligns them with spaces */
		if (value.s[i] != ' ' || !i || value.s[i - 1] != ' ')
			buf_putc(b, value.s[i]);
}

/* The name of the machine and its memory do not change costs. */
static const struct fact {
	const char *key;	/* "*.x": the key x of any format */
	const char *name;
	void (*add)(struct buf *b, struct text value);
} fact[] = {
	{ "cmd", "command", add_command },
	{ "creator", "producer", add_text },
	{ "sampling", "sampling", add_text },
	{ "*.period", "period", add_text },
	{ "desc", "cache", add_cache },
	{ "arch", "architecture", add_text },
	{ "cpu model", "processor", add_text },
	{ "cpus", "number of processors", add_text },
	{ "os release", "kernel", add_text },
};

#define FACTS (sizeof fact / sizeof *fact)

static bool
has_key(const struct record *meta, const char *key)
{
	const struct text t = meta->col[0].t;
	const char *dot;

	if (*key != '*')
		return meta_is(meta, key);
	dot = memchr(t.s, '.', t.n);
	return dot && text_is((struct text){ dot, (size_t)(t.s + t.n - dot) }, key + 1);
}

/* ---- keeping them ---- */

/* Joins the values of a record. */
static struct text
all_values(struct measurement *m, const struct record *meta)
{
	struct text rest = meta->attrs, value, field;

	m->all.n = 0;
	while (fields_next(&rest, &field)) {
		m->scratch.n = 0;
		buf_puts(&m->all, m->all.n ? " " : "");
		buf_text(&m->all, field_unescape(field, &m->scratch, &value) ? value : field);
	}
	return buf_as_text(&m->all);
}

static void
keep(struct measurement *m, const struct record *meta)
{
	size_t i;

	for (i = 0; i < FACTS; i++) {
		if (!has_key(meta, fact[i].key))
			continue;
		m->text.n = 0;
		fact[i].add(&m->text, all_values(m, meta));
		if (m->text.n) {
			const uint64_t key[] = { i, dict_str(m->dict, buf_as_text(&m->text)) };

			sums_row(&m->facts, key);
		}
	}
}

static int
measurement_put(struct sink *s, const struct record *r)
{
	if (rec_kind(r) == REC_META)
		keep((struct measurement *)s, r);
	return sink_put(s->next, r);
}

void
measurement_init(struct measurement *m, struct dict *dict)
{
	*m = (struct measurement){ .sink = { .put = measurement_put }, .dict = dict };
	sums_init(&m->facts, 2, 0);
}

void
measurement_free(struct measurement *m)
{
	sums_free(&m->facts);
	buf_free(&m->scratch);
	buf_free(&m->all);
	buf_free(&m->text);
}

/* ---- comparing them ---- */

/* Counts the texts of a fact, those that the other side lacks, and finds the first of them. */
struct found {
	size_t n, alone;
	uint64_t first;		/* that is alone; if none is, of all */
};

static struct found
find(const struct measurement *m, size_t which, const struct measurement *other)
{
	struct found f = { 0 };
	size_t row, at;

	for (row = 0; row < m->facts.n; row++) {
		const uint64_t *key = sums_key(&m->facts, row);

		if (key[0] != which)
			continue;
		if (!f.n++)
			f.first = key[1];
		if (!sums_find(&other->facts, key, &at) && !f.alone++)
			f.first = key[1];
	}
	return f;
}

static void
add_found(struct buf *b, const struct measurement *m, const struct found *f)
{
	buf_puts(b, QUOTE(dict_text(m->dict, (uint32_t)f->first)));
	if (f->n > 1)
		buf_printf(b, " and %zu more", f->n - 1);
}

void
measurement_compare(const struct measurement side[SIDES], struct buf *differences)
{
	struct found old, new;
	size_t i;

	for (i = 0; i < FACTS; i++) {
		old = find(&side[SIDE_OLD], i, &side[SIDE_NEW]);
		new = find(&side[SIDE_NEW], i, &side[SIDE_OLD]);
		if (!old.n || !new.n || (!old.alone && !new.alone))
			continue;
		buf_printf(differences, "%s%s ", differences->n ? "; " : "", fact[i].name);
		add_found(differences, &side[SIDE_OLD], &old);
		buf_puts(differences, " and ");
		add_found(differences, &side[SIDE_NEW], &new);
	}
}
