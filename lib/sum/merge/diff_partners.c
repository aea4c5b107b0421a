/* SPDX-License-Identifier: ISC */
/* Matches files, objects and functions of one side with those of the other. */
#include "diff_state.h"

#include <stdlib.h>

#include "stream/defs.h"
#include "util/mem.h"

static uint32_t
str(struct diff *d, struct text t)
{
	return dict_str(d->dict, t);
}

static const uint32_t *
defs_of(const struct side *s, enum rec_kind kind, size_t *n)
{
	*n = s->m->canonical.defs[kind - REC_OBJECT].n;
	return s->m->canonical.defs[kind - REC_OBJECT].used;
}

/*
 * Joins definitions of both sides that have no match yet, if they share a key and each is
 * the only one of its side that has it.  The sums are the numbers of old and new ones, and
 * the last of each.
 */
struct join {
	struct sums t;
	size_t at;
};

static void
join_add(struct join *j, int side, const uint64_t *key, uint32_t id)
{
	num *sum = sums_val(&j->t, sums_row(&j->t, key));

	sum[side]++;
	sum[2 + side] = id;
}

static bool
join_next(struct join *j, uint32_t *old, uint32_t *new)
{
	while (j->at < j->t.n) {
		const num *sum = sums_val(&j->t, j->at++);

		if (sum[SIDE_OLD] == 1 && sum[SIDE_NEW] == 1) {
			*old = (uint32_t)sum[2 + SIDE_OLD];
			*new = (uint32_t)sum[2 + SIDE_NEW];
			return true;
		}
	}
	sums_free(&j->t);
	return false;
}

static uint32_t *
no_ids(size_t n)
{
	uint32_t *v = mem_alloc(n + 1, sizeof *v);

	memset(v, 0xff, (n + 1) * sizeof *v);
	return v;
}

/* ---- files and objects ---- */

/* Returns a path without its version: libfoo.so of libfoo.so.1.2. */
static struct text
stem(struct text path)
{
	struct text t = text_base_name(path);
	size_t i;

	for (i = (size_t)(t.s - path.s); i + 3 <= path.n; i++)
		if (memcmp(path.s + i, ".so", 3) == 0 &&
		    (i + 3 == path.n || path.s[i + 3] == '.'))
			return (struct text){ path.s, i + 3 };
	return path;
}

/* Returns the last n components of a path; 0: all. */
static struct text
tail(struct text path, int n)
{
	size_t i = path.n;

	if (!n)
		return path;
	for (; i > 0; i--)
		if (path.s[i - 1] == '/' && --n == 0)
			break;
	return (struct text){ path.s + i, path.n - i };
}

/* Matches paths that are equal, then those whose last three, two or one components are. */
static void
join_paths(struct diff *d, int k)
{
	static const int levels[] = { 0, 3, 2, 1 };
	enum rec_kind kind = k ? REC_OBJECT : REC_FILE;
	size_t count = dict_count(d->dict, kind), n, i, level;
	const uint32_t *v;
	uint32_t old, new;
	int side;

	for (side = SIDE_OLD; side <= SIDE_NEW; side++)
		d->side[side].path[k] = no_ids(count);
	v = defs_of(&d->side[SIDE_NEW], kind, &n);
	for (i = 0; i < n; i++)
		d->side[SIDE_NEW].path[k][v[i]] = v[i];
	v = defs_of(&d->side[SIDE_OLD], kind, &n);
	for (i = 0; i < n; i++)
		d->side[SIDE_OLD].path[k][v[i]] = d->side[SIDE_NEW].path[k][v[i]];
	v = defs_of(&d->side[SIDE_NEW], kind, &n);
	for (i = 0; i < n; i++)
		d->side[SIDE_NEW].path[k][v[i]] = d->side[SIDE_OLD].path[k][v[i]];
	for (level = 0; level < sizeof levels / sizeof *levels; level++) {
		struct join j = { .at = 0 };

		sums_init(&j.t, 1, 4);
		for (side = SIDE_OLD; side <= SIDE_NEW; side++) {
			v = defs_of(&d->side[side], kind, &n);
			for (i = 0; i < n; i++) {
				struct text path = k ? dict_object_path(d->dict, v[i]) :
				    dict_path(d->dict, v[i]);
				uint64_t key;

				if (d->side[side].path[k][v[i]] != NO_ID || !path.s)
					continue;
				if (k && level)
					path = stem(path);
				key = str(d, tail(path, levels[level]));
				join_add(&j, side, &key, v[i]);
			}
		}
		while (join_next(&j, &old, &new))
			d->side[SIDE_OLD].path[k][old] = d->side[SIDE_NEW].path[k][new] = new;
	}
	for (side = SIDE_OLD; side <= SIDE_NEW; side++) {
		v = defs_of(&d->side[side], kind, &n);
		for (i = 0; i < n; i++)
			if (d->side[side].path[k][v[i]] == NO_ID)
				d->side[side].path[k][v[i]] = v[i];
	}
}

/* Returns the path in the difference; k: 0 for a file, 1 for an object. */
static uint32_t
path_in_diff(const struct side *s, int k, uint64_t id)
{
	return id == NO_ID || s->path[k][id] == NO_ID ? (uint32_t)id : s->path[k][id];
}

/* ---- functions ---- */

/* The properties that functions are joined by, from most to fewest. */
enum { BY_ALL, BY_STEMS, BY_FILE_NAME, BY_NAME, LEVELS };

static void
join_key(struct diff *d, const struct side *s, int level, uint32_t func,
    uint64_t key[3])
{
	const uint32_t *f = dict_def(d->dict, REC_FUNC, func);
	struct text file = dict_path(d->dict, path_in_diff(s, 0, f[FUNC_FILE]));
	struct text object = dict_object_path(d->dict,
	    path_in_diff(s, 1, f[FUNC_OBJECT]));

	key[0] = f[FUNC_NAME];
	key[1] = level == BY_ALL ? str(d, file) : level == BY_NAME || !file.s ? NO_ID :
	    str(d, text_base_name(file));
	key[2] = level == BY_ALL ? str(d, object) : level != BY_STEMS || !object.s ?
	    NO_ID : str(d, text_base_name(stem(object)));
}

/* Returns a function's name in the difference: the same, but without the key, which differs
 * between builds; a function without a name keeps its key, since it has nothing else. */
static uint32_t
name_in_diff(struct diff *d, const struct side *s, uint32_t func)
{
	struct func_def f = dict_func_def(d->dict, func);

	f.file = path_in_diff(s, 0, f.file);
	f.object = path_in_diff(s, 1, f.object);
	f.attrs = NO_ID;
	if (f.name != NO_ID)
		f.key = NO_ID;
	return dict_define_func(d->dict, func, &f);
}

static void
join_level(struct diff *d, int level)
{
	struct join j = { .at = 0 };
	uint64_t key[3];
	uint32_t old, new;
	size_t i, n;
	int side;

	sums_init(&j.t, 3, 4);
	for (side = SIDE_OLD; side <= SIDE_NEW; side++) {
		const struct side *s = &d->side[side];
		const uint32_t *v = defs_of(s, REC_FUNC, &n);

		for (i = 0; i < n; i++) {
			if (s->func[v[i]] != NO_ID ||
			    dict_def(d->dict, REC_FUNC, v[i])[FUNC_NAME] == NO_ID)
				continue;
			join_key(d, s, level, v[i], key);
			join_add(&j, side, key, v[i]);
		}
	}
	while (join_next(&j, &old, &new))
		d->side[SIDE_OLD].func[old] = d->side[SIDE_NEW].func[new] =
		    name_in_diff(d, &d->side[SIDE_NEW], new);
}

/* Is it a root frame with nothing but a name?  Where stacks were folded from perf's, that
 * of a program is. */
static bool
is_root(const struct dict *dict, uint32_t ctx)
{
	const uint32_t *c = dict_frame(dict, ctx), *f;

	if (dict_caller(dict, ctx) != NO_ID || c[CTX_FUNC] == NO_ID || c[CTX_LINE] != NO_ID)
		return false;
	f = dict_def(dict, REC_FUNC, c[CTX_FUNC]);
	return f[FUNC_FILE] == NO_ID && f[FUNC_OBJECT] == NO_ID;
}

/* Counts the functions without a match that are roots; *func: one of them. */
static size_t
count_roots(const struct diff *d, const struct side *s, uint32_t *func)
{
	const uint32_t *v;
	struct sums roots;
	size_t i, n;

	sums_init(&roots, 1, 0);
	v = defs_of(s, REC_CTX, &n);
	for (i = 0; i < n; i++) {
		const uint64_t root = dict_frame(d->dict, v[i])[CTX_FUNC];

		if (is_root(d->dict, v[i]) && s->func[root] == NO_ID) {
			sums_row(&roots, &root);
			*func = (uint32_t)root;
		}
	}
	n = roots.n;
	sums_free(&roots);
	return n;
}

/* Adds the callees of the root, as they are in the difference: which sides' roots call
 * them? */
static void
add_called(const struct diff *d, int side, uint32_t root, struct sums *called)
{
	const struct side *s = &d->side[side];
	size_t i, n;
	const uint32_t *v = defs_of(s, REC_CTX, &n);

	for (i = 0; i < n; i++) {
		const uint32_t caller = dict_caller(d->dict, v[i]);
		uint64_t func = dict_frame(d->dict, v[i])[CTX_FUNC];

		if (caller == NO_ID || func == NO_ID || s->func[func] == NO_ID ||
		    dict_frame(d->dict, caller)[CTX_FUNC] != root)
			continue;
		func = s->func[func];
		sums_val(called, sums_row(called, &func))[side] = 1;
	}
}

static bool
call_the_same(const struct diff *d, uint32_t old, uint32_t new)
{
	struct sums called;
	bool same = false;
	size_t i;

	sums_init(&called, 1, SIDES);
	add_called(d, SIDE_OLD, old, &called);
	add_called(d, SIDE_NEW, new, &called);
	for (i = 0; i < called.n; i++)
		same |= sums_val(&called, i)[SIDE_OLD] && sums_val(&called, i)[SIDE_NEW];
	sums_free(&called);
	return same;
}

/* Joins the only roots that the other side lacks, one on each side, if they share a
 * callee. */
static void
join_roots(struct diff *d)
{
	uint32_t old, new;
	struct text a, b;

	if (count_roots(d, &d->side[SIDE_OLD], &old) != 1 ||
	    count_roots(d, &d->side[SIDE_NEW], &new) != 1 || !call_the_same(d, old, new))
		return;
	d->side[SIDE_OLD].func[old] = d->side[SIDE_NEW].func[new] =
	    name_in_diff(d, &d->side[SIDE_NEW], new);
	a = dict_text(d->dict, dict_def(d->dict, REC_FUNC, old)[FUNC_NAME]);
	b = dict_text(d->dict, dict_def(d->dict, REC_FUNC, new)[FUNC_NAME]);
	if (!text_eq(a, b))
		diag_say(d->to->how.diag, DIAG_NOTE, "stacks that begin with %s in the old "
		    "profile are compared with those that begin with %s in the new one",
		    QUOTE(a), QUOTE(b));
}

static void
join_funcs(struct diff *d)
{
	size_t count = dict_count(d->dict, REC_FUNC), n, i;
	int side, level;

	for (side = SIDE_OLD; side <= SIDE_NEW; side++)
		d->side[side].func = no_ids(count);
	/* In rows by other keys, each function stays in its own. */
	for (level = BY_ALL; level < LEVELS && d->side[SIDE_NEW].m->grouped; level++)
		join_level(d, level);
	join_roots(d);
	for (side = SIDE_OLD; side <= SIDE_NEW; side++) {
		struct side *s = &d->side[side];
		const uint32_t *v = defs_of(s, REC_FUNC, &n);

		for (i = 0; i < n; i++)
			if (s->func[v[i]] == NO_ID)
				s->func[v[i]] = name_in_diff(d, s, v[i]);
	}
}

void
diff_find_partners(struct diff *d)
{
	join_paths(d, 0);
	join_paths(d, 1);
	join_funcs(d);
}

/* ---- keys ---- */

/* Returns the file of a line of this function in the difference: if it is the function's
 * own file, it stays so, whatever file the matched function is in. */
static uint32_t
line_file_in_diff(struct diff *d, const struct side *s, uint64_t func, uint64_t file)
{
	if (func != NO_ID && dict_def(d->dict, REC_FUNC, (uint32_t)func)[FUNC_FILE] == file)
		return dict_def(d->dict, REC_FUNC, s->func[func])[FUNC_FILE];
	return path_in_diff(s, 0, file);
}

static uint32_t
ctx_in_diff(struct diff *d, struct side *s, uint64_t ctx)
{
	size_t n = s->m->canonical.defs[REC_CTX - REC_OBJECT].n, i;
	const uint32_t *used = s->m->canonical.defs[REC_CTX - REC_OBJECT].used;

	if (ctx == NO_ID)
		return NO_ID;
	if (!s->ctx) {		/* callers come first */
		s->ctx = mem_alloc(dict_count(d->dict, REC_CTX) + 1, sizeof *s->ctx);
		for (i = 0; i < n; i++) {
			struct ctx_def c = dict_ctx_def(d->dict, used[i]);

			if (c.parent != NO_ID)
				c.parent = s->ctx[c.parent];
			c.file = line_file_in_diff(d, s, c.func, c.file);
			if (c.func != NO_ID)
				c.func = s->func[c.func];
			c.attrs = NO_ID;
			s->ctx[used[i]] = dict_define_ctx(d->dict, used[i], &c);
		}
	}
	return s->ctx[ctx];
}

void
diff_key(struct diff *d, struct side *s, const struct rec_def *def,
    const uint64_t *key, uint64_t *to)
{
	uint64_t func = NO_ID, own;
	unsigned i;

	for (i = 0; i < def->ncol; i++) {
		enum col_type t = def->col[i].type;

		if (def->col[i].role != ROLE_KEY && def->col[i].role != ROLE_KIND)
			continue;
		*to = *key++;
		if (t == COL_FUNC) {
			func = *to;
			*to = func == NO_ID ? NO_ID : s->func[func];
			own = NO_ID;
			if (func != NO_ID)
				canonical_func(&d->to->canonical, *to, &own);
		} else if (t == COL_FILE) {
			*to = canonical_file(&d->to->canonical,
			    line_file_in_diff(d, s, func, *to));
		} else if (t == COL_CTX) {
			*to = canonical_ctx(&d->to->canonical, ctx_in_diff(d, s, *to));
		} else if (t == COL_LINE || t == COL_ADDR) {
			*++to = *key++;
		}
		to++;
	}
	if (def->tail & REC_ATTRS)
		*to = *key;
}
