/* SPDX-License-Identifier: ISC */
/* The frames of a stack, and their contexts. */
#include "line_words.h"
#include "reader.h"

#include <stdlib.h>

#include "util/mem.h"
#include "util/num.h"
#include "util/scan.h"

static int
find_func(struct reader *rd, const struct perf_frame *f, uint32_t *func)
{
	struct func_def def = NO_FUNC;

	def.name = dict_str(rd->d->dict, f->name);
	if (decode_object(rd->d, f->object, &def.object) < 0)
		return -1;
	if (perf_is_kernel(f->object))
		def.attrs = dict_str(rd->d->dict, TEXT("kernel=1"));
	return decode_func(rd->d, &def, func);
}

static uint64_t
addr_of(struct text hex)
{
	struct buf b = { 0 };
	uint64_t addr;

	buf_text(&b, hex);
	num_get_hex(buf_str(&b), &addr);
	buf_free(&b);
	return addr;
}

static int
make_frame(struct reader *rd, const struct perf_frame *line, struct known_frame *f)
{
	f->kind = line->inlined ? FRAME_INLINED : FRAME_CALLED;
	f->at = addr_of(line->addr);
	if (rd->addrs) {
		f->addr = dict_addr(rd->d->dict, f->at);
		f->in_call = dict_addr(rd->d->dict, f->at - (f->at != 0));
	}
	f->name = dict_str(rd->d->dict, line->name);
	rd->frames.bare |= line->bare;
	return line->inlined ? 0 : find_func(rd, line, &f->func);
}

static int
make_source(struct reader *rd, const struct perf_source *s, struct known_frame *f)
{
	f->kind = s->inlined ? FRAME_SOURCE_INLINED : FRAME_SOURCE;
	f->line = dict_str(rd->d->dict, s->line);
	return decode_file(rd->d, s->file, &f->file);
}

/* Is it a branch stack, registers or instructions, which -F can add? */
static bool
is_extra(struct text t)
{
	static const char *const begin[] = { "0x", "ABI:", "insn:", "ilen:", "=> " };
	size_t i;

	for (i = 0; i < sizeof begin / sizeof *begin; i++)
		if (t.n >= strlen(begin[i]) && memcmp(t.s, begin[i], strlen(begin[i])) == 0)
			return true;
	return false;
}

static const struct known_frame no_frame = { FRAME_NONE, NO_ID, NO_ID, NO_ID, NO_ID, NO_ID,
    NO_ID, 0 };

/* Parses a line without its newline. */
static int
parse_line(struct reader *rd, const char *p, const char *end, struct known_frame *f)
{
	const struct text t = perf_trimmed(p, end);
	struct perf_source source;
	struct perf_frame frame;
	struct perf_event e;

	*f = no_frame;
	/* After blanks and without an object it may be an event of a thread whose name
	 * looks like an address. */
	if (perf_frame_line(p, end, &frame) && (*p != ' ' || frame.object.s ||
	    frame.inlined || !perf_event_line(p, end, &e) || !e.time.s))
		return make_frame(rd, &frame, f);
	if (t.n && is_extra(t))
		f->kind = FRAME_EXTRA;
	else if (t.n && perf_source_line(p, end, &source))
		return make_source(rd, &source, f);
	return 0;
}

/* ---- usual lines ---- */

/* Returns the number in n digits, at most 16, or false. */
static bool
read_hex(const char *p, size_t n, uint64_t *out)
{
	uint64_t high = 0, low;

	if (!n || n > 16 || (n > 8 && !scan_hex(p, (unsigned)n - 8, &high)) ||
	    !scan_hex(n > 8 ? p + n - 8 : p, n > 8 ? 8 : (unsigned)n, &low))
		return false;
	*out = high << 32 | low;
	return true;
}

/* Returns the parenthesis that begins the object at the end of a line, which has no others
 * in it; NULL: there is none. */
static const char *
object_group(const char *p, const char *end)
{
	const char *open = NULL, *q;

	for (q = scan_find_pair(p, end, '('); q < end - 1; q = scan_find_pair(q + 1, end, '('))
		open = q;
	return open && *open == '(' && q == end - 1 && *q == ')' ? open : NULL;
}

/* Reads "	ADDRESS NAME+0xOFFSET (OBJECT)" as perf_frame_line() does.  False: the line has
 * another form, or is one that could be read in two ways. */
static bool
usual_line(const char *p, const char *end, struct perf_frame *f, uint64_t *at)
{
	const char *start = p + 1 + scan_blanks(p + 1), *open, *offset;
	const unsigned n = scan_word(start);

	p = start + n + 1;
	if (end - p < 4 || p[-1] != ' ' || perf_blank(*p) || !read_hex(start, n, at) ||
	    !(open = object_group(p, end)) || open - p < 2 || open[-1] != ' ' ||
	    perf_blank(open[-2]) || text_is(perf_between(open, end), "(inlined)"))
		return false;
	offset = perf_strip_offset(p, open - 1);
	if (scan_find(p, offset, '+') != offset)
		return false;
	*f = (struct perf_frame){ .name = perf_known(p, offset),
	    .object = perf_known(open + 1, perf_strip_offset(open + 1, end - 1)) };
	return true;
}

/* Finds the object, usually that of the frame before. */
static int
find_known_object(struct reader *rd, struct text path, uint32_t *object)
{
	struct known_frames *fr = &rd->frames;

	*object = path.s ? fr->object : NO_ID;
	if (!path.s || (fr->path.n && text_eq(buf_as_text(&fr->path), path)))
		return 0;
	if (decode_object(rd->d, path, object) < 0)
		return -1;
	fr->path.n = 0;
	buf_text(&fr->path, path);
	fr->object = *object;
	return 0;
}

static void
add_known_func(struct known_funcs *k, struct known_func f)
{
	uint32_t i;

	if (index_grows(&k->index))
		for (i = 0; i < k->n; i++)
			index_put(&k->index, k->v[i].hash, i);
	index_put(&k->index, f.hash, (uint32_t)k->n);
	k->v = mem_grow(k->v, &k->cap, k->n + 1, sizeof *k->v);
	k->v[k->n++] = f;
}

/* Finds the function by its name and its object. */
static int
find_known_func(struct reader *rd, const struct perf_frame *f, uint32_t *func)
{
	struct known_funcs *k = &rd->frames.funcs;
	uint32_t object, h, id1;
	const uint32_t *def;
	size_t i;

	if (find_known_object(rd, f->object, &object) < 0)
		return -1;
	h = hash_upper(hash_number(hash_bytes(f->name.s, f->name.n), object));
	for (i = h; (id1 = index_next(&k->index, h, &i)); )
		if (k->v[id1 - 1].object == object && text_eq(k->v[id1 - 1].name, f->name)) {
			*func = k->v[id1 - 1].func;
			return 0;
		}
	if (find_func(rd, f, func) < 0)
		return -1;
	def = dict_def(rd->d->dict, REC_FUNC, *func);
	add_known_func(k, (struct known_func){ dict_text(rd->d->dict, def[FUNC_NAME]), h,
	    object, *func });
	return 0;
}

static int
find_usual(struct reader *rd, const struct perf_frame *line, uint64_t at,
    struct known_frame *f)
{
	*f = no_frame;
	f->kind = FRAME_CALLED;
	f->at = at;
	if (find_known_func(rd, line, &f->func) < 0)
		return -1;
	f->name = dict_def(rd->d->dict, REC_FUNC, f->func)[FUNC_NAME];
	return 0;
}

/* Returns the place of a line among the recent ones; NULL: it is too long. */
static inline struct recent_line *
recent_line(struct known_frames *fr, struct text t)
{
	const uint64_t hash = hash_bytes(t.s, t.n < 32 ? t.n : 32);

	if (t.n > RECENT_LINE)
		return NULL;
	if (!fr->recent)
		fr->recent = mem_alloc(RECENT_LINES, sizeof *fr->recent);
	return &fr->recent[hash_upper(hash) % RECENT_LINES];
}

/* Finds what a line without addresses is: 1, 0 if it is not of the usual form, or -1. */
static inline int
find_usual_line(struct reader *rd, struct text t, struct known_frame *f)
{
	struct recent_line *r = recent_line(&rd->frames, t);
	struct perf_frame frame;
	uint64_t at;

	if (r && r->n == t.n && memcmp(r->text, t.s, t.n) == 0) {
		*f = r->frame;
		return 1;
	}
	if (!usual_line(t.s, t.s + t.n, &frame, &at))
		return 0;
	if (find_usual(rd, &frame, at, f) < 0)
		return -1;
	if (r) {
		r->n = (uint32_t)t.n;
		memcpy(r->text, t.s, t.n);
		r->frame = *f;
	}
	return 1;
}

/* Finds what a line is.  One that has its address kept, or is not of the usual form,
 * usually occurred before. */
static int
find_line(struct reader *rd, const char *p, const char *end, struct known_frame *f)
{
	const struct text t = { p, (size_t)(end - p) };
	struct known_frames *fr = &rd->frames;
	uint64_t hash;
	uint32_t id;
	int ret;

	if (!rd->addrs && *p == '\t' && (ret = find_usual_line(rd, t, f)))
		return ret < 0 ? -1 : 0;
	hash = cache_hash(t);
	if (cache_find(&fr->lines, t, hash, &id)) {
		*f = fr->known[id];
		return 0;
	}
	if (parse_line(rd, p, end, f) < 0)
		return -1;
	id = (uint32_t)fr->lines.n;
	cache_add(&fr->lines, t, hash, id);
	if (fr->lines.n == id)
		return 0;		/* it is full */
	fr->known = mem_grow(fr->known, &fr->cap_known, fr->lines.n, sizeof *fr->known);
	fr->known[id] = *f;
	return 0;
}

/* Returns the place for the next frame. */
static struct known_frame *
next_frame(struct known_frames *fr)
{
	fr->v = mem_grow(fr->v, &fr->cap, fr->n + 1, sizeof *fr->v);
	return &fr->v[fr->n];
}

/* Adds the source of a frame, which may show that it is inlined. */
static void
add_source(struct known_frame *to, const struct known_frame *source)
{
	if (source->line != NO_ID)
		to->line = source->line;
	if (source->file != NO_ID)
		to->file = source->file;
	if (source->kind == FRAME_SOURCE_INLINED)
		to->kind = FRAME_INLINED;
}

static int
read_line(struct reader *rd, const char *p, const char *end)
{
	struct known_frames *fr = &rd->frames;
	struct known_frame *f = next_frame(fr);

	if (find_line(rd, p, end, f) < 0)
		return LINE_FATAL;
	if (f->kind == FRAME_CALLED || f->kind == FRAME_INLINED) {
		fr->n++;
		return LINE_OK;
	}
	if ((f->kind == FRAME_SOURCE || f->kind == FRAME_SOURCE_INLINED) && fr->n) {
		add_source(f - 1, f);
		return LINE_OK;
	}
	if (f->kind == FRAME_NONE && !perf_trimmed(p, end).n)
		return LINE_OK;
	fr->odd = true;
	if (f->kind == FRAME_EXTRA) {
		fr->extras++;
		return LINE_OK;
	}
	return BAD("expected a frame, ADDRESS NAME (OBJECT), found %s", QUOTE_TO(p, end));
}

int
perf_frames_add(struct reader *rd, struct text line)
{
	struct perf_frame frame;
	struct known_frame *f = next_frame(&rd->frames);
	bool more;

	/* An address alone is not an event. */
	if (!line.n || !memchr(line.s, ' ', line.n))
		return 0;
	if (find_line(rd, line.s, line.s + line.n, f) < 0)
		return -1;
	if (f->kind != FRAME_CALLED && f->kind != FRAME_INLINED) {
		if (!perf_inline_frame(line.s, line.s + line.n, &frame, &more))
			return 0;
		*f = no_frame;	/* the parsed line is not the frame's */
		if (make_frame(rd, &frame, f) < 0)
			return -1;
		rd->stacks.texts += more;
	}
	rd->frames.n++;
	return 1;
}

/* Is a frame inlined into the one before it, in the order of calls? perf also marks
 * functions whose name in symbols and debug information differs (malloc and
 * __GI___libc_malloc): inlined code has the same address as the frame around it. */
static bool
is_inlined(const struct known_frames *fr, const struct known_frame *f)
{
	return f->kind == FRAME_INLINED && f < &fr->v[fr->n - 1] && f[1].at == f->at;
}

/* Puts the contexts of the frames in `stack`; those after them are put one by one. */
static int
put_outer(struct reader *rd, uint32_t *ctx)
{
	struct known_frames *fr = &rd->frames;

	if (fr->single)
		return 0;
	fr->single = true;
	return stack_put(&fr->stack, rd->d->dict, rd->d->out, ctx);
}

/* Finds the object of a function whose line has none: that of the frame that it is inlined
 * into, if that is the kernel's; otherwise it is unknown.  A new function comes after the
 * contexts around it. */
static int
find_home(struct reader *rd, struct known_frame *f, const struct known_frame *outer,
    uint32_t *ctx)
{
	const uint32_t count = dict_count(rd->d->dict, REC_FUNC);
	const uint32_t *in = dict_def(rd->d->dict, REC_FUNC, outer ? outer->func : NO_ID);
	struct func_def def = NO_FUNC;
	struct record r;

	rd->frames.homeless |= !outer;
	def.name = f->name;
	def.object = in[FUNC_OBJECT];
	def.attrs = in[FUNC_ATTRS];
	f->func = dict_define_func(rd->d->dict, NO_ID, &def);
	if (f->func != count)
		return 0;
	dict_record(rd->d->dict, REC_FUNC, f->func, &r);
	return put_outer(rd, ctx) < 0 ? -1 : sink_put(rd->d->out, &r);
}

static bool
is_kernel(const struct reader *rd, const struct known_frame *f)
{
	return f->func != NO_ID && dict_def(rd->d->dict, REC_FUNC, f->func)[FUNC_ATTRS] != NO_ID;
}

/* Is the address of a frame that to which a call returns?  It is not for the leaf, for
 * frames inlined into it, and where the kernel has interrupted a program.  Call it for frames
 * further and further inside. */
static bool
has_called(struct reader *rd, const struct known_frame *f)
{
	struct known_frames *fr = &rd->frames;
	const size_t i = (size_t)(f - fr->v);

	if (fr->callees > i)
		for (fr->callees = i; fr->callees && is_inlined(fr, &fr->v[fr->callees - 1]); )
			fr->callees--;
	return fr->callees && (!is_kernel(rd, &fr->v[fr->callees - 1]) || is_kernel(rd, f));
}

static int
add_frame(struct reader *rd, struct known_frame *f, uint32_t *ctx)
{
	const bool inlined = is_inlined(&rd->frames, f);
	struct ctx_def c = NO_CTX;
	uint32_t frame;

	if ((inlined || f->func == NO_ID) && find_home(rd, f, inlined ? f + 1 : NULL, ctx) < 0)
		return -1;
	c.func = f->func;
	c.file = f->file;
	c.line = f->line;
	c.addr = rd->addrs && has_called(rd, f) ? f->in_call : f->addr;
	if (inlined)
		c.attrs = dict_str(rd->d->dict, TEXT("inlined=1"));
	frame = dict_define_frame(rd->d->dict, (const uint32_t *)&c);
	if (rd->frames.single)
		return stack_put_frame(rd->d->dict, rd->d->out, frame, ctx);
	stack_add(&rd->frames.stack, dict_contexts(rd->d->dict), &frame, 1);
	return 0;
}

int
perf_frames_put(struct reader *rd, uint32_t *ctx)
{
	struct known_frames *fr = &rd->frames;
	size_t i;

	fr->stack.n = 0;
	fr->single = false;
	fr->callees = fr->n;
	for (i = fr->n; i--; )
		if (add_frame(rd, &fr->v[i], ctx) < 0)
			return -1;
	fr->n = 0;
	return put_outer(rd, ctx);
}

int
perf_frames_read(struct reader *rd, const char *p, const char *end)
{
	const char *lf;
	int ret;

	for (; p < end; p = lf + 1) {
		rd->d->at.line++;
		lf = memchr(p, '\n', (size_t)(end - p));
		if ((ret = read_line(rd, p, lf)) && decode_line_done(rd->d, ret) < 0)
			return -1;
	}
	return 0;
}

void
perf_frames_free(struct known_frames *f)
{
	cache_free(&f->lines);
	index_free(&f->funcs.index);
	free(f->funcs.v);
	buf_free(&f->path);
	stack_free(&f->stack);
	free(f->recent);
	free(f->known);
	free(f->v);
}
