/* SPDX-License-Identifier: ISC */
/*
 * Reading xprof_text(4).  The examples in its page are wrapped, with a backslash and
 * without, so lines are first joined to statements; then a keyword or a number identifies a
 * statement.
 */
#include "reader.h"

#include <inttypes.h>

#include "util/num.h"

/* ---- words ---- */

static size_t
count_words(struct text t)
{
	size_t n = 0;

	for (t = words_trim(t); t.n; n++)
		words_first(&t);
	return n;
}

/* ---- numbers ---- */

struct number {
	const char *name;
	uint64_t most;		/* 0: a signature */
};

static int
number(struct reader *rd, const struct number *what, struct text t, uint64_t *out)
{
	size_t digits = 0;

	if (what->most ? xprof_number(t, what->most, out) : xprof_signature(t, out))
		return LINE_OK;
	while (digits < t.n && t.s[digits] >= '0' && t.s[digits] <= '9')
		digits++;
	if (what->most && t.n && digits == t.n)
		return BAD("%s: %s does not fit %d bits", what->name, QUOTE(t),
		    what->most == UINT32_MAX ? 32 : 64);
	return BAD("%s: expected a %snumber, found %s", what->name,
	    what->most ? "" : "hexadecimal ", QUOTE(t));
}

/* Takes the last n words, numbers, off a statement; the words before them are its name. */
static int
numbers(struct reader *rd, const struct number *what, size_t n, struct text *t,
    uint64_t *out)
{
	int ret;

	while (n--)
		if ((ret = number(rd, &what[n], words_last(t), &out[n])))
			return ret;
	return LINE_OK;
}

/* ---- statements ---- */

/* VERSION n_objfiles n_programs n_proc_names */
static int
s_header(struct reader *rd, struct text word, struct text rest)
{
	static const struct number what[HEADER_NUMBERS] = {
		[N_OBJFILES] = { "n_objfiles", UINT64_MAX },
		[N_PROGRAMS] = { "n_programs", UINT64_MAX },
		[N_PROC_NAMES] = { "n_proc_names", UINT64_MAX },
	};
	struct text version = words_first(&rest);
	uint64_t n[HEADER_NUMBERS];
	int ret;

	(void)word;
	if (!xprof_knows(version)) {
		diag_fail(rd->d->diag, "xprof_text version %s is not supported, only "
		    "3.1 to " XPROF_VERSION " are", QUOTE(version));
		return LINE_FATAL;
	}
	if ((ret = numbers(rd, what, HEADER_NUMBERS, &rest, n)))
		return ret;
	if (rest.n)
		return BAD("expected three numbers after the version, found %s",
		    QUOTE(rest));
	return xr_header(rd, version, n);
}

/* PATH n_procs tv_sec tv_usec n_values_per_vp SIGNATURE */
static int
s_object(struct reader *rd, struct text word, struct text rest)
{
	static const struct number what[OBJECT_NUMBERS] = {
		[N_PROCS] = { "n_procs", UINT64_MAX },
		[TV_SEC] = { "tv_sec", UINT32_MAX },
		[TV_USEC] = { "tv_usec", UINT32_MAX },
		[N_VALUES] = { "n_values_per_vp", UINT64_MAX },
		[OBJECT_SIGNATURE] = { "signature", 0 },
	};
	uint64_t n[OBJECT_NUMBERS];
	int ret = numbers(rd, what, OBJECT_NUMBERS, &rest, n);

	(void)word;
	return ret ? ret : xr_object(rd, rest, n);
}

/* NAME SIGNATURE n_counters n_vp_sites n_vp_records ID */
static int
s_proc(struct reader *rd, struct text word, struct text rest)
{
	static const struct number what[PROC_NUMBERS] = {
		[PROC_SIGNATURE] = { "signature", 0 },
		[N_COUNTERS] = { "n_counters", UINT64_MAX },
		[N_SITES] = { "n_vp_sites", UINT64_MAX },
		[N_RECORDS] = { "n_vp_records", UINT64_MAX },
		[PROC_ID] = { "id", UINT32_MAX },
	};
	uint64_t n[PROC_NUMBERS];
	int ret = numbers(rd, what, PROC_NUMBERS, &rest, n);

	(void)word;
	return ret ? ret : xr_proc(rd, rest, n);
}

/* ID VALUE */
static int
s_counter(struct reader *rd, struct text word, struct text rest)
{
	static const struct number id_is = { "counter", UINT32_MAX };
	struct number value_is = { NULL, UINT64_MAX };
	char name[32] = "counter ";
	uint64_t id, value;
	int ret;

	if ((ret = number(rd, &id_is, word, &id)))
		return ret;
	*num_put_u64(name + 8, id) = '\0';
	value_is.name = name;
	if ((ret = number(rd, &value_is, rest, &value)))
		return ret;
	return xr_counter(rd, id, value);
}

/* max or sum VALUE */
static int
s_stat(struct reader *rd, struct text word, struct text rest)
{
	struct xprof_stated *s = xr_stated(rd);
	struct number value_is = { NULL, UINT64_MAX };
	uint64_t value;
	unsigned what, i;
	int ret;

	for (what = 0; !text_is(word, xprof_stat_name[what]); what++)
		;
	value_is.name = xprof_stat_name[what];
	if (!s)
		return BAD("'%s' must follow the first line of a procedure, an object "
		    "file or a program", value_is.name);
	if ((ret = number(rd, &value_is, rest, &value)))
		return ret;
	for (i = 0; i < s->n; i++)
		if (s->stat[i].what == what)
			return BAD("'%s' appears twice", value_is.name);
	s->stat[s->n++] = (struct xprof_stat){ what, true, value };
	return LINE_OK;
}

/* VP_TYPE SITE COUNT [VALUE] */
static int
s_value(struct reader *rd, struct text word, struct text rest)
{
	static const struct number site_is = { "site", UINT32_MAX },
	    count_is = { "count", UINT64_MAX };
	const struct text type = { word.s + 3, word.n - 3 };
	uint64_t site, count;
	int ret;

	if (!type.n)
		return BAD("expected a type after 'VP_'");
	if ((ret = number(rd, &site_is, words_first(&rest), &site)) ||
	    (ret = number(rd, &count_is, words_first(&rest), &count)))
		return ret;
	if (rest.n && !xprof_is_value(type, rest))
		return BAD("%s is not a value of type VP_%.*s", QUOTE(rest),
		    (int)(type.n < 40 ? type.n : 40), type.s);
	return xr_value(rd, type, site, count, rest.n ? rest : (struct text){ 0 });
}

/* PATH n_objrefs */
static int
s_program(struct reader *rd, struct text word, struct text rest)
{
	static const struct number what = { "n_objrefs", UINT64_MAX };
	uint64_t n;
	int ret = numbers(rd, &what, 1, &rest, &n);

	(void)word;
	return ret ? ret : xr_program(rd, rest, n);
}

/* PATH */
static int
s_ref(struct reader *rd, struct text word, struct text rest)
{
	(void)word;
	return xr_ref(rd, rest);
}

static const struct statement {
	const char *key;
	enum { PREFIX, WORD, TYPE, COUNTER } kind;	/* its first word */
	size_t words;		/* words after the key in a complete statement */
	int (*enter)(struct reader *);
	int (*read)(struct reader *, struct text word, struct text rest);
} statements[] = {
	{ XPROF_MAGIC, PREFIX, 4, xr_enter_header, s_header },
	{ "OBJFILE:", PREFIX, 6, xr_enter_object, s_object },
	{ "PROC:", PREFIX, 6, xr_enter_proc, s_proc },
	{ "PROGRAM:", PREFIX, 2, xr_enter_program, s_program },
	{ "OBJREF:", PREFIX, 1, xr_enter_ref, s_ref },
	{ "max", WORD, 1, NULL, s_stat },
	{ "sum", WORD, 1, NULL, s_stat },
	{ "VP_", TYPE, 2, xr_enter_value, s_value },
	{ "", COUNTER, 1, xr_enter_counter, s_counter },
};

/* Finds the statement that t begins with, and takes its first word off.  NULL: there is
 * none. */
static const struct statement *
find_statement(struct text *t, struct text *word)
{
	struct text rest = *t;
	size_t i, n;

	*word = words_first(&rest);
	for (i = 0; i < sizeof statements / sizeof *statements; i++) {
		const struct statement *s = &statements[i];

		n = strlen(s->key);
		if (t->n < n || memcmp(t->s, s->key, n) != 0)
			continue;
		if ((s->kind == WORD && word->n != n) || (s->kind == COUNTER &&
		    !(word->n && *word->s >= '0' && *word->s <= '9')))
			continue;
		if (s->kind == PREFIX)	/* no blank need follow */
			rest = words_trim((struct text){ t->s + n, t->n - n });
		*t = rest;
		return s;
	}
	return NULL;
}

/* ---- lines ---- */

static int
read_statement(struct reader *rd, struct text t)
{
	struct text rest = t, word;
	const struct statement *s = find_statement(&rest, &word);
	size_t n;
	int ret;

	if (!s)
		return BAD("expected a counter, 'PROC:', 'OBJFILE:' or the like, "
		    "found %s", QUOTE(t));
	if (!rd->in_part && s->read != s_header)
		return BAD("expected '" XPROF_MAGIC "', found %s", QUOTE(t));
	if (s->enter && (ret = s->enter(rd)))
		return ret;
	n = count_words(rest);
	/* A name before numbers may have blanks only if the line was not joined. */
	if (n < s->words || (n > s->words && s->kind != TYPE && rd->joined))
		return BAD("expected %zu words after %s, found %zu: %s", s->words,
		    s->kind == COUNTER ? "a number" : QUOTE(word), n, QUOTE(t));
	return s->read(rd, word, rest);
}

/* Reads the statement that lines were joined to. */
static int
read_joined(struct reader *rd)
{
	struct cursor *at = &rd->d->at;
	uint64_t here = at->line;
	int ret;

	at->line = rd->line;
	buf_str(&rd->text);
	ret = tolerate(rd, read_statement(rd, buf_as_text(&rd->text)));
	at->line = here;
	rd->text.n = 0;
	rd->joined = rd->more = false;
	return ret;
}

/* Is the statement complete? */
static bool
is_complete(struct text t)
{
	struct text word;
	const struct statement *s = find_statement(&t, &word);

	return !s || count_words(t) >= s->words;
}

/* Takes off the backslash at the end, after which the statement continues. */
static bool
take_backslash(struct text *t)
{
	if (!t->n || t->s[t->n - 1] != '\\' || (t->n > 1 && !is_blank(t->s[t->n - 2])))
		return false;
	*t = words_trim((struct text){ t->s, t->n - 1 });
	return true;
}

static int
add_line(struct reader *rd, struct text t, bool more)
{
	if (!rd->text.n)
		rd->line = rd->d->at.line;
	else
		buf_putc(&rd->text, ' ');
	buf_text(&rd->text, t);
	rd->more = more;
	return more || !is_complete(buf_as_text(&rd->text)) ? LINE_OK : read_joined(rd);
}

static int
read_line(void *arg, const char *p, const char *end)
{
	struct reader *rd = arg;
	struct text t = { p, (size_t)(end - p) };
	struct text rest, word;
	const struct statement *s;
	bool more;

	t = rest = words_trim(t);
	more = take_backslash(&t);
	if (!t.n && !(more && rd->text.n))
		return LINE_OK;
	s = find_statement(&rest, &word);
	if (rd->text.n && !rd->more && s && s->kind != COUNTER) {
		if (read_joined(rd) < 0)	/* it is incomplete */
			return LINE_FATAL;
	} else if (rd->text.n) {
		rd->joined |= !rd->more;
		return add_line(rd, t, more);
	}
	return more || !is_complete(t) ? add_line(rd, t, more) : read_statement(rd, t);
}

static int
block(void *arg, const char *p, const char *end)
{
	struct reader *rd = arg;

	return decode_each_line(rd->d, p, end, read_line, rd);
}

static int
read_all(struct reader *rd)
{
	struct decode *d = rd->d;

	if (decode_lines(d, "profile", LAST_MAY_END, block, rd) < 0)
		return -1;
	rd->at_end = true;
	if (rd->text.n && !d->cut && decode_cut(d, "the profile is truncated: its last "
	    "line, %s, is incomplete", QUOTE(rd->text)) < 0)
		return -1;
	if (!rd->any_part && !d->cut)
		return decode_line_done(d, BAD("no '" XPROF_MAGIC "'"));
	return xr_end(rd) ? -1 : decode_unended(d, "profile", END_UNPROVED);
}

int
xprof_decode(struct decode *d)
{
	struct reader rd = { .d = d };
	struct sums *tables[] = { &rd.name, &rd.seen, &rd.path, &rd.id, &rd.site };
	struct buf *bufs[] = { &rd.text, &rd.fact, &rd.ref, &rd.scratch };
	size_t i;
	int r = read_all(&rd);

	for (i = 0; i < sizeof tables / sizeof *tables; i++)
		sums_free(tables[i]);
	for (i = 0; i < sizeof bufs / sizeof *bufs; i++)
		buf_free(bufs[i]);
	return r;
}
