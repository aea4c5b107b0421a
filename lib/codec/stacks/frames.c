/* SPDX-License-Identifier: ISC */
/* The frames of stacks, and samples. */
#include "stacks.h"

#include "util/num.h"

int
stacks_add_line(struct reader *rd, struct text line)
{
	const size_t most = rd->d->session->max_line;

	if (most && rd->lines.n + line.n >= most) {
		diag_fail(rd->d->diag, "a stack of more than %zu MiB: see --max-line",
		    most >> 20);
		return LINE_FATAL;
	}
	buf_text(&rd->lines, line);
	buf_putc(&rd->lines, '\n');
	return LINE_OK;
}

int
stacks_add_rest(struct reader *rd, struct text rest)
{
	rd->lines.s[rd->lines.n - 1] = ' ';
	return stacks_add_line(rd, rest);
}

int
stacks_frame(struct reader *rd, struct text line, const struct frame *f, uint32_t *frame)
{
	const uint64_t hash = cache_hash(line);
	struct func_def func = NO_FUNC;
	struct ctx_def c = NO_CTX;
	struct dict *dict = rd->d->dict;

	func.name = dict_str(dict, f->name);
	if (decode_object(rd->d, f->object, &func.object) < 0 ||
	    decode_file(rd->d, f->file, &func.file) < 0 ||
	    decode_func(rd->d, &func, &c.func) < 0)
		return -1;
	c.file = func.file;
	c.line = dict_str(dict, f->line);
	if (f->inlined)
		c.attrs = dict_str(dict, TEXT("inlined=1"));
	*frame = dict_define_frame(dict, (const uint32_t *)&c);
	cache_add(&rd->frames, line, hash, *frame);
	return 0;
}

/* Finds the frame of a line, which usually occurred before. */
static int
find_frame(struct reader *rd, struct text line, uint32_t *frame)
{
	struct frame f = { 0 };

	if (cache_find(&rd->frames, line, cache_hash(line), frame))
		return 0;
	rd->dialect->split(line, &f);
	return stacks_frame(rd, line, &f, frame);
}

/* Finds the frames of the stack's lines. */
static int
find_frames(struct reader *rd)
{
	const char *p = rd->lines.s, *end = p + rd->lines.n, *lf;

	for (; p < end; p = lf + 1) {
		lf = memchr(p, '\n', (size_t)(end - p));
		rd->frame = mem_grow(rd->frame, &rd->capframe, rd->nframe + 1,
		    sizeof *rd->frame);
		if (find_frame(rd, (struct text){ p, (size_t)(lf - p) },
		    &rd->frame[rd->nframe]) < 0)
			return -1;
		rd->nframe++;
	}
	return 0;
}

/* Adds a number in the stream's spelling. */
static void
add_number(struct buf *b, struct text t)
{
	const bool minus = t.n && *t.s == '-';

	t.s += minus;
	t.n -= minus;
	while (t.n > 1 && *t.s == '0')
		t.s++, t.n--;
	if (minus && !text_is(t, "0"))
		buf_putc(b, '-');
	buf_text(b, t);
}

static void
make_values(struct reader *rd, const struct value *v, size_t n)
{
	size_t i, k;

	rd->values.n = 0;
	for (i = 0; i < rd->nevent; i++) {
		for (k = 0; k < n && v[k].event != i; k++)
			;
		if (i)
			buf_putc(&rd->values, '\t');
		if (k < n)
			add_number(&rd->values, v[k].number);
		else
			buf_putc(&rd->values, '0');
	}
}

int
stacks_context(struct reader *rd, uint32_t *ctx)
{
	size_t i;

	if (find_frames(rd) < 0)
		return -1;
	rd->stack.n = 0;
	for (i = rd->nframe; i--; )
		stack_add(&rd->stack, dict_contexts(rd->d->dict), &rd->frame[i], 1);
	rd->lines.n = rd->nframe = 0;
	*ctx = NO_ID;
	return stack_put(&rd->stack, rd->d->dict, rd->d->out, ctx);
}

int
stacks_put(struct reader *rd, uint32_t ctx, const struct value *v, size_t n)
{
	struct record r = rec_make(REC_SAMPLE);

	make_values(rd, v, n);
	r.col[0].n = ctx;
	r.values = buf_as_text(&rd->values);
	if (rd->labels.n)
		r.attrs = buf_as_text(&rd->labels);
	return sink_put(rd->d->out, &r);
}
