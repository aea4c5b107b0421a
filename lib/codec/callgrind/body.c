/* SPDX-License-Identifier: ISC */
/* Callgrind's lines that say where the costs below them are. */
#include "reader.h"

/* Files and objects are not put: whoever writes a record that refers to one
 * writes it first, and a file that only opens a scope is in no record. */
static int
read_file(struct reader *rd, const char *p, const char *end, uint32_t *file)
{
	struct name *n = names_at(&rd->fl, p, end);
	uint32_t cols[DEF_COLS] = { n->str, NO_ID };
	bool fresh;

	if (n->def == NO_ID && n->str != NO_ID)
		n->def = dict_define(rd->d->dict, REC_FILE, cols, &fresh);
	*file = n->def;
	return LINE_OK;
}

static int
read_object(struct reader *rd, const char *p, const char *end, uint32_t *object)
{
	struct name *n = names_at(&rd->ob, p, end);
	uint32_t cols[DEF_COLS] = { n->str, NO_ID, NO_ID };
	bool fresh;

	if (n->def == NO_ID && n->str != NO_ID)
		n->def = dict_define(rd->d->dict, REC_OBJECT, cols, &fresh);
	*object = n->def;
	return LINE_OK;
}

/* The function that a name is in this file and object. */
int
cg_bind(struct reader *rd, uint32_t name, uint32_t file, uint32_t object,
    uint64_t *func)
{
	struct name *n = &rd->fn.v[name];
	uint32_t cols[DEF_COLS] = { n->str, file, object, NO_ID, NO_ID };
	int ret;

	/* The header lasts until a record is due, not just a name. */
	if (!rd->started && (ret = cg_start_part(rd)))
		return ret;
	if (!n->bound || n->file != file || n->object != object) {
		if (dict_put(rd->d->dict, rd->d->out, REC_FUNC, cols, &n->def) < 0)
			return LINE_FATAL;
		n->file = file;
		n->object = object;
		n->bound = true;
	}
	*func = n->def;
	return LINE_OK;
}

/* The function of fn=, when a line needs it. */
int
cg_need_func(struct reader *rd)
{
	if (rd->have_func)
		return LINE_OK;
	rd->have_func = true;
	rd->func = NO_ID;
	return rd->have_fn ?
	    cg_bind(rd, rd->fn_name, rd->file, rd->object, &rd->func) : LINE_OK;
}

static int
b_fn(struct reader *rd, const char *p, const char *end)
{
	int ret = LINE_OK;

	/* fn= straight after fn= has but defined a name (--compress-mangled);
	 * else a function without costs is known of, too. */
	if (rd->have_fn && !rd->have_func && !rd->after_fn)
		ret = cg_need_func(rd);
	rd->fn_name = names_read(&rd->fn, p, end);
	rd->have_fn = rd->after_fn = rd->moved = true;
	rd->have_func = false;
	if (rd->seen_fl)
		rd->here = rd->file;
	rd->last = rd->here;
	rd->have_cob = rd->have_cfi = rd->have_cfn = false;
	return ret;
}

static int
b_fl(struct reader *rd, const char *p, const char *end)
{
	int ret = LINE_OK;

	if (rd->have_fn && !rd->have_func)
		ret = cg_need_func(rd);
	rd->seen_fl = rd->moved = true;
	if (ret || (ret = read_file(rd, p, end, &rd->file)))
		return ret;
	rd->here = rd->last = rd->file;
	return LINE_OK;
}

/* Where no fl= is ever written (bzr's lsprof), fi= does its work. */
static int
b_fi(struct reader *rd, const char *p, const char *end)
{
	int ret = LINE_OK;

	if (!rd->seen_fl) {
		ret = b_fl(rd, p, end);
		rd->seen_fl = false;
		return ret;
	}
	rd->moved = true;
	return read_file(rd, p, end, &rd->here);
}

static int
b_ob(struct reader *rd, const char *p, const char *end)
{
	int ret = LINE_OK;

	if (rd->have_fn && !rd->have_func)
		ret = cg_need_func(rd);
	return ret ? ret : read_object(rd, p, end, &rd->object);
}

static int
b_cob(struct reader *rd, const char *p, const char *end)
{
	rd->have_cob = true;
	return read_object(rd, p, end, &rd->cob);
}

static int
b_cfi(struct reader *rd, const char *p, const char *end)
{
	rd->have_cfi = true;
	return read_file(rd, p, end, &rd->cfi);
}

static int
b_cfn(struct reader *rd, const char *p, const char *end)
{
	rd->have_cfn = true;
	rd->cfn = names_read(&rd->fn, p, end);
	return LINE_OK;
}

static int
b_jfi(struct reader *rd, const char *p, const char *end)
{
	rd->have_jfi = true;
	return read_file(rd, p, end, &rd->jfi);
}

static int
b_jfn(struct reader *rd, const char *p, const char *end)
{
	rd->have_jfn = true;
	rd->jfn = names_read(&rd->fn, p, end);
	return LINE_OK;
}

/* func: the function that the line belongs to, NO_ID where it sets a scope. */
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

/* "frfn=(12) name": the name is spelt out, as its number is lost.  "?(12)"
 * stands for one that was never defined, lest it be taken for a number. */
static int
b_frfn(struct reader *rd, const char *p, const char *end)
{
	struct name *n = names_at(&rd->fn, p, end);
	struct text name;
	int ret;

	if (!rd->started && (ret = cg_start_part(rd)))
		return ret;	/* now: it uses the scratch, too */
	rd->scratch.n = 0;
	name = n->str == NO_ID ? TEXT("???") : dict_text(rd->d->dict, n->str);
	buf_puts(&rd->scratch, name.n > 1 && name.s[0] == '(' && name.s[1] >= '0' &&
	    name.s[1] <= '9' ? "frfn=?" : "frfn=");
	buf_text(&rd->scratch, name);
	return put_raw(rd, NO_ID, buf_as_text(&rd->scratch));
}

static const struct {
	char key[8];
	int (*read)(struct reader *, const char *p, const char *end);
} body_table[] = {
	{ "cfn", b_cfn }, { "fn", b_fn },
	{ "cfi", b_cfi }, { "calls", cg_calls },
	{ "jcnd", cg_jcnd }, { "jump", cg_jump },
	{ "fi", b_fi }, { "fe", b_fi }, { "fl", b_fl },
	{ "cob", b_cob }, { "ob", b_ob },
	{ "jfi", b_jfi }, { "jfn", b_jfn },
	{ "cfl", b_cfi }, { "cfe", b_cfi },
	{ "rcalls", cg_calls }, { "frfn", b_frfn },
};

/* A line's key, as long as the table's, for one compare; "" if it is longer. */
static inline uint64_t
key_word(const char *p, size_t n)
{
	uint64_t word;

	memcpy(&word, p, sizeof word);	/* there is room behind (scan.h) */
	if (n == 0 || n >= sizeof word)
		return 0;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	return word & ~(uint64_t)0 << (64 - 8 * n);
#else
	return word & ~(uint64_t)0 >> (64 - 8 * n);
#endif
}

static inline unsigned
key_slot(uint64_t word)
{
	return word * 0x9e3779b97f4a7c15 >> 58;
}

/* The rows of body_table by their keys' hashes: a file has a line of them for
 * every three of costs. */
void
cg_index_keys(struct reader *rd)
{
	size_t i;
	unsigned k;

	for (i = 0; i < sizeof body_table / sizeof *body_table; i++) {
		for (k = key_slot(key_word(body_table[i].key,
		    strlen(body_table[i].key))); rd->keys[k]; k = (k + 1) % 64)
			;
		rd->keys[k] = (unsigned char)(i + 1);
	}
}

/* The row of body_table, or -1. */
static inline int
find_key(const struct reader *rd, const char *p, size_t n)
{
	uint64_t word = key_word(p, n);
	unsigned k;

	for (k = key_slot(word); rd->keys[k]; k = (k + 1) % 64)
		if (memcmp(body_table[rd->keys[k] - 1].key, &word, sizeof word) == 0)
			return rd->keys[k] - 1;
	return -1;
}

/* "key=value" with a key that is not in the table. */
static int
opaque_line(struct reader *rd, const char *p, const char *eq, const char *end)
{
	/* What --dump-bbs and --mangle-names=no add; nobody reads it. */
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

	for (; q < end && (*q | 32) >= 'a' && (*q | 32) <= 'z'; q++)
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

/* Any line that is no cost line: [p, end). */
int
cg_other_line(struct reader *rd, const char *p, const char *end)
{
	const char *q;
	int ret, row;

	if (end > p && end[-1] == '\r')
		end--;
	/* What the line before lacks is its own mistake, not this line's. */
	if (rd->pending != NONE && (ret = cg_settle(rd)) &&
	    decode_line_done(rd->d, ret) < 0)
		return LINE_FATAL;
	if (p == end) {
		rd->after_fn = false;
		return LINE_OK;
	}
	if (*p == '#') {
		if (text_is((struct text){ p, (size_t)(end - p) }, "# callgrind format"))
			return LINE_OK;
		return comment(rd, (struct text){ p + 1, (size_t)(end - p - 1) });
	}
	for (q = p; q < end && *q != '=' && q < p + 7; q++)
		;
	if (q < end && *q == '=' && (row = find_key(rd, p, (size_t)(q - p))) >= 0) {
		rd->after_fn &= body_table[row].read == b_fn;
		return body_table[row].read(rd, q + 1, end);
	}
	for (q = p; q < end && (*q | 32) >= 'a' && (*q | 32) <= 'z'; q++)
		;
	if (q > p && q < end && *q == '=')
		return opaque_line(rd, p, q, end);
	while (q < end && (((*q | 32) >= 'a' && (*q | 32) <= 'z') || *q == ' ' ||
	    (unsigned char)*q >= 0x80 ||
	    (*q >= '0' && *q <= '9') || *q == '_' || *q == '-' || *q == '(' ||
	    *q == ')'))
		q++;
	if (q > p && q < end && *q == ':')
		return cg_header_line(rd, p, q, end);
	return BAD("expected a cost line, 'key=value' or 'key: value', found %s",
	    QUOTE(p, end));
}
