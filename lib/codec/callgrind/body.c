/* SPDX-License-Identifier: ISC */
/* Callgrind's lines that set the place of the costs after them. */
#include "reader.h"

#include <stddef.h>

/* Files and objects are not put here: a record that refers to one puts it first, and a file
 * that only opens a scope is in no record. */
static uint32_t
define(struct reader *rd, struct name *n, enum rec_kind kind)
{
	if (n->def == NO_ID)
		n->def = dict_define_path(rd->d->dict, kind, n->str);
	return n->def;
}

static uint32_t
file(struct reader *rd, uint32_t name)
{
	return define(rd, &rd->fl.v[name], REC_FILE);
}

static uint32_t
object(struct reader *rd, uint32_t name)
{
	return define(rd, &rd->ob.v[name], REC_OBJECT);
}

/* The action of each line of body_table with a name; it gets the index of the name in the
 * names of its kind. */

static void
b_fn(struct reader *rd, uint32_t name)
{
	rd->fn_name = name;
	rd->have_fn = rd->after_fn = rd->moved = true;
	rd->have_func = false;
	if (rd->seen_fl)
		rd->here = rd->file;
	rd->last = rd->here;
	rd->have_cob = rd->have_cfi = rd->have_cfn = false;
}

static void
b_fl(struct reader *rd, uint32_t name)
{
	rd->seen_fl = rd->moved = true;
	rd->here = rd->last = rd->file = file(rd, name);
}

/* If the writer never uses fl= (bzr's lsprof), fi= means the same. */
static void
b_fi(struct reader *rd, uint32_t name)
{
	if (!rd->seen_fl) {
		b_fl(rd, name);
		rd->seen_fl = false;
		return;
	}
	rd->moved = true;
	rd->here = file(rd, name);
}

static void
b_ob(struct reader *rd, uint32_t name)
{
	rd->object = object(rd, name);
}

static void
b_cob(struct reader *rd, uint32_t name)
{
	rd->have_cob = true;
	rd->cob = object(rd, name);
}

static void
b_cfi(struct reader *rd, uint32_t name)
{
	rd->have_cfi = true;
	rd->cfi = file(rd, name);
}

static void
b_cfn(struct reader *rd, uint32_t name)
{
	rd->have_cfn = true;
	rd->cfn = name;
}

static void
b_jfi(struct reader *rd, uint32_t name)
{
	rd->have_jfi = true;
	rd->jfi = file(rd, name);
}

static void
b_jfn(struct reader *rd, uint32_t name)
{
	rd->have_jfn = true;
	rd->jfn = name;
}

/* Puts a raw line. func: its function; NO_ID if the line sets a scope. */
static int
put_raw(struct reader *rd, uint64_t func, struct text text)
{
	struct record r = rec_make(REC_RAW);
	int ret;

	if (!rd->started && (ret = cg_start_part(rd)))
		return ret;
	r.col[0].n = func;
	r.col[1].t = text;
	return sink_put(rd->d->out, &r);
}

/* Keeps "frfn=(12) name" with the name written out, as its number is dropped.  A name that
 * was never defined becomes "?(12)", so that it is not taken for a number. */
static int
b_frfn(struct reader *rd, const char *p, const char *end)
{
	struct name *n = names_at(&rd->fn, p, end);
	struct text name;
	int ret;

	if (!rd->started && (ret = cg_start_part(rd)))
		return ret;	/* call it first: it also uses the scratch */
	rd->scratch.n = 0;
	name = n->str == NO_ID ? TEXT("???") : dict_text(rd->d->dict, n->str);
	buf_puts(&rd->scratch, name.n > 1 && name.s[0] == '(' && name.s[1] >= '0' &&
	    name.s[1] <= '9' ? "frfn=?" : "frfn=");
	buf_text(&rd->scratch, name);
	return put_raw(rd, NO_ID, buf_as_text(&rd->scratch));
}

#define FN offsetof(struct reader, fn)
#define FL offsetof(struct reader, fl)
#define OB offsetof(struct reader, ob)

/* For lines with names, their kind and the action; for others, a function for the text. */
static const struct row {
	char key[8];
	size_t names;
	void (*at)(struct reader *, uint32_t name);
	int (*read)(struct reader *, const char *p, const char *end);
} body_table[] = {
	[CG_CFN] = { "cfn", FN, b_cfn, NULL }, [CG_FN] = { "fn", FN, b_fn, NULL },
	[CG_CFI] = { "cfi", FL, b_cfi, NULL }, [CG_CALLS] = { "calls", 0, NULL, cg_calls },
	[CG_JCND] = { "jcnd", 0, NULL, cg_jcnd }, [CG_JUMP] = { "jump", 0, NULL, cg_jump },
	[CG_FI] = { "fi", FL, b_fi, NULL }, [CG_FE] = { "fe", FL, b_fi, NULL },
	[CG_FL] = { "fl", FL, b_fl, NULL }, [CG_COB] = { "cob", OB, b_cob, NULL },
	[CG_OB] = { "ob", OB, b_ob, NULL }, [CG_JFI] = { "jfi", FL, b_jfi, NULL },
	[CG_JFN] = { "jfn", FN, b_jfn, NULL }, [CG_CFL] = { "cfl", FL, b_cfi, NULL },
	[CG_CFE] = { "cfe", FL, b_cfi, NULL }, [CG_RCALLS] = { "rcalls", 0, NULL, cg_calls },
	[CG_FRFN] = { "frfn", 0, NULL, b_frfn },
};

static struct names *
names_of(struct reader *rd, const struct row *row)
{
	return (struct names *)((char *)rd + row->names);
}

/*
 * Ends a scope.  A function without costs is then also put, but fn= right after fn= only
 * defines a name (--compress-mangled).
 */
static inline int
end_scope(struct reader *rd, const struct row *row)
{
	rd->after_fn &= row->at == b_fn;
	return !rd->have_func && rd->have_fn && !rd->after_fn &&
	    (row->at == b_fn || row->at == b_fl || row->at == b_ob ||
	    (row->at == b_fi && !rd->seen_fl)) ? cg_need_func(rd) : LINE_OK;
}

/* Returns the key before the "=" at p as one word, to compare with the table's, and sets
 * its length; "" if it is too long or there is none. */
static inline uint64_t
key_word(const char *p, unsigned *n)
{
	uint64_t word;

	memcpy(&word, p, sizeof word);	/* there is room after it (scan.h) */
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	for (*n = 0; *n < 8 && p[*n] != '='; ++*n)
		;
	return *n % 8 ? word & ~(uint64_t)0 << (64 - 8 * *n) : 0;
#else
	const uint64_t ones = 0x0101010101010101;
	uint64_t x = word ^ '=' * ones, eq = (x - ones) & ~x & 0x80 * ones;

	if (!eq)
		return 0;
	*n = (unsigned)__builtin_ctzll(eq) / 8;
	return word & (((eq & -eq) >> 7) - 1);
#endif
}

static inline unsigned
key_slot(uint64_t word)
{
	return word * 0x9e3779b97f4a7c15 >> 58;
}

/* Indexes body_table by hashes of the keys: a file has one such line for every three of
 * costs. */
void
cg_index_keys(struct reader *rd)
{
	uint64_t word;
	size_t i;
	unsigned k;

	for (i = 0; i < sizeof body_table / sizeof *body_table; i++) {
		memcpy(&word, body_table[i].key, sizeof word);
		for (k = key_slot(word); rd->keys[k]; k = (k + 1) % 64)
			;
		rd->keys[k] = (unsigned char)(i + 1);
	}
}

/* Returns the row of body_table for the key at p, and sets the key's length; or NULL. */
static inline const struct row *
find_key(const struct reader *rd, const char *p, unsigned *n)
{
	uint64_t word = key_word(p, n);
	unsigned k;

	for (k = key_slot(word); rd->keys[k]; k = (k + 1) % 64) {
		const struct row *row = &body_table[rd->keys[k] - 1];

		/* A NUL in the line is not the table's padding. */
		if (memcmp(row->key, &word, sizeof word) == 0)
			return row->key[*n - 1] ? row : NULL;
	}
	return NULL;
}

/* Reads the rest of a line with the key of this row. */
static inline const char *
read_row(struct reader *rd, const struct row *row, const char *p, int *ret)
{
	const char *lf, *end;
	uint32_t name;

	/* fn= takes effect even if the function before it cannot be put. */
	if ((*ret = end_scope(rd, row)) && row->at != b_fn)
		return memchr(p, '\n', (size_t)(rd->end - p));
	if (row->at && (lf = names_quick(names_of(rd, row), p, &name))) {
		row->at(rd, name);
		return lf;
	}
	lf = memchr(p, '\n', (size_t)(rd->end - p));
	end = lf - (lf > p && lf[-1] == '\r');
	if (row->at)
		row->at(rd, names_read(names_of(rd, row), p, end));
	else
		*ret = row->read(rd, p, end);
	return lf;
}

const char *
cg_key_line(struct reader *rd, const char *p, int *ret)
{
	unsigned n = 0;
	const struct row *row = find_key(rd, p, &n);

	return row ? read_row(rd, row, p + n + 1, ret) : NULL;
}

int
cg_name_line(struct reader *rd, enum cg_key key, const char *p)
{
	int ret;

	read_row(rd, &body_table[key], p, &ret);
	return ret;
}

int
cg_number_line(struct reader *rd, enum cg_key key, const char *p, uint64_t number)
{
	const struct row *row = &body_table[key];
	const uint32_t index = names_numbered(names_of(rd, row), number);
	int ret;

	if (index == NO_ID || (ret = end_scope(rd, row)))
		return cg_name_line(rd, key, p);
	row->at(rd, index);
	return LINE_OK;
}

/* Handles "key=value" with a key that is not in the table. */
static int
opaque_line(struct reader *rd, const char *p, const char *eq, const char *end)
{
	/* Written with --dump-bbs and --mangle-names=no; no program reads these. */
	static const char *const opaque[] = { "bb", "ln", "rec" };
	struct text key = { p, (size_t)(eq - p) };
	size_t i;
	int ret;

	rd->after_fn = false;
	for (i = 0; i < sizeof opaque / sizeof *opaque; i++)
		if (text_is(key, opaque[i]))
			break;
	if (i == sizeof opaque / sizeof *opaque)
		cg_tell_unknown(rd, p, end);
	if (text_is(key, "rec"))
		return put_raw(rd, NO_ID, (struct text){ p, (size_t)(end - p) });
	if ((ret = cg_need_func(rd)))
		return ret;
	return put_raw(rd, rd->func, (struct text){ p, (size_t)(end - p) });
}

bool
callgrind_is_raw(struct text line, bool of_func)
{
	const char *q = line.s, *end = line.s + line.n;
	struct text key = { line.s, 0 };
	bool known = false, none;
	size_t i;

	for (; q < end && cg_is_letter(*q); q++)
		;
	key.n = (size_t)(q - line.s);
	if (!key.n || q == end || *q != '=')
		return false;
	for (i = 0; i < sizeof body_table / sizeof *body_table; i++)
		known |= text_is(key, body_table[i].key);
	none = text_is(key, "frfn") || text_is(key, "rec");
	return none ? !of_func : of_func && !known;
}

static int
comment(struct reader *rd, struct text v)
{
	int ret = cg_own_fact(rd, v);

	return ret == 0 ? cg_add_meta(rd, "comment", v) :
	    ret > 0 ? LINE_OK : ret;
}

/* Handles any line that is not a cost line, [p, end). */
int
cg_other_line(struct reader *rd, const char *p, const char *end)
{
	const char *q;
	int ret;

	if (end > p && end[-1] == '\r')
		end--;
	/* An incomplete previous line is not this line's error. */
	if (rd->pending != PENDING_NONE && (ret = cg_settle(rd)) &&
	    decode_line_done(rd->d, ret) < 0)
		return LINE_FATAL;
	if (p == end) {
		if (rd->stack.broken)
			cg_forget_stack(rd);
		rd->after_fn = false;
		return LINE_OK;
	}
	if (*p == '#') {
		if (text_is((struct text){ p, (size_t)(end - p) }, "# callgrind format"))
			return LINE_OK;
		return comment(rd, (struct text){ p + 1, (size_t)(end - p - 1) });
	}
	if (callgrind_is_separator(p, end))
		return cg_next_file(rd);
	if (cg_key_line(rd, p, &ret))
		return ret;
	for (q = p; q < end && cg_is_letter(*q); q++)
		;
	if (q > p && q < end && *q == '=')
		return opaque_line(rd, p, q, end);
	while (q < end && cg_in_key(*q))
		q++;
	if (q > p && q < end && *q == ':')
		return cg_header_line(rd, p, q, end);
	return BAD("expected a cost line, 'key=value' or 'key: value', found %s",
	    QUOTE_TO(p, end));
}
