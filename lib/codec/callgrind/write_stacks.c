/* SPDX-License-Identifier: ISC */
/* Writes stacks as Valgrind's xtree does: see stacks.c. */
#include "writer.h"

#include "util/mem.h"

struct frame {
	uint64_t func, file, func_file, object, line;
};

static uint64_t
line_of(struct writer *w, uint32_t str)
{
	const struct text t = dict_text(w->e.dict, str);
	uint64_t line = 0;
	const char *q;

	if (t.s && (!(q = num_get_u64(t.s, &line)) || q != t.s + t.n))
		loss_add(w->e.loss, "columns of lines");
	return line;
}

static struct frame
frame_of(struct writer *w, uint32_t ctx)
{
	const uint32_t *c = dict_frame(w->e.dict, ctx), *f;
	struct frame frame = { .func = c[CTX_FUNC], .file = c[CTX_FILE] };

	if (c[CTX_ADDR] != NO_ID)
		loss_add(w->e.loss, "addresses of frames");
	if (c[CTX_ATTRS] != NO_ID)
		loss_add(w->e.loss, "attributes of frames");
	frame.line = line_of(w, c[CTX_LINE]);
	f = dict_def(w->e.dict, REC_FUNC, c[CTX_FUNC]);
	frame.func_file = f[FUNC_FILE];
	frame.object = f[FUNC_OBJECT];
	return frame;
}

/* Writes a line, the only one of the part's positions that a stack has. */
static char *
put_line(const struct writer *w, char *p, uint64_t line)
{
	size_t i;

	for (i = 0; i < w->npos; i++) {
		if (i)
			*p++ = ' ';
		p = num_put_u64(p, w->pos[i] == POS_LINE ? line : 0);
	}
	return p;
}

/* Writes the place of the frame, and its line. */
static void
put_frame(struct writer *w, const struct frame *f)
{
	char *p;

	if (f->object != w->object)
		cw_put_object(w, "ob=", w->object = f->object);
	cw_put_file(w, "fl=", w->file = f->func_file);
	cw_put_func(w, "fn=", w->func = f->func);
	if (f->file != f->func_file)
		cw_put_file(w, "fi=", f->file);
	w->here = w->last = f->file;
	p = put_line(w, out_room(w->e.out, 64), f->line);
	out_upto(w->e.out, p);
}

/* Writes the costs; a leaf without any would be read as a line of a call. */
static int
put_costs(struct writer *w, const struct record *r, enum cost64_kind kind)
{
	char *p = out_room(w->e.out, 32 + r->values.n);
	const long n = cost64_put(&w->costs, r, kind, &p);

	if (n < 0)
		return -1;
	if (!n)
		p = stpcpy(p, " 0");
	*p++ = '\n';
	out_upto(w->e.out, p);
	return 0;
}

/* Writes the call from one frame to the next, with the costs of the stack. */
static int
put_call(struct writer *w, const struct record *r, const struct frame *from,
    const struct frame *to)
{
	char *p;

	out_puts(w->e.out, "\n");
	if (to->object != w->object)
		cw_put_object(w, "cob=", to->object);
	cw_put_file(w, "cfi=", to->func_file);
	cw_put_func(w, "cfn=", to->func);
	p = stpcpy(out_room(w->e.out, 160), "calls=0 ");
	p = put_line(w, p, to->line);
	*p++ = '\n';
	p = put_line(w, p, from->line);
	out_upto(w->e.out, p);
	return put_costs(w, r, COST64_INCLUSIVE);
}

static size_t
find_frames(struct writer *w, uint64_t ctx)
{
	size_t n = 0;

	for (; ctx != NO_ID; ctx = dict_caller(w->e.dict, (uint32_t)ctx)) {
		w->frames = mem_grow(w->frames, &w->capframes, n + 1, sizeof *w->frames);
		w->frames[n++] = (uint32_t)ctx;
	}
	return n;
}

static int
put_sample(struct writer *w, const struct record *r)
{
	size_t n = find_frames(w, r->col[0].n);
	struct frame f = { NO_ID, NO_ID, NO_ID, NO_ID, 0 }, next;

	if (!n)
		loss_add(w->e.loss, "samples without a stack (written as samples of an "
		    "unknown function)");
	else
		f = frame_of(w, w->frames[--n]);
	for (; n; f = next) {
		next = frame_of(w, w->frames[--n]);
		put_frame(w, &f);
		if (put_call(w, r, &f, &next) < 0)
			return -1;
	}
	put_frame(w, &f);
	if (r->attrs.s)
		loss_add(w->e.loss, "labels of samples");
	return put_costs(w, r, COST64_SELF);
}

static int
put_cost(struct writer *w, const struct record *r)
{
	const uint64_t func = r->col[PLACE_FUNC].n;
	const uint32_t *f = dict_def(w->e.dict, REC_FUNC, (uint32_t)func);
	const struct frame frame = { func, r->col[PLACE_FILE].n, f[FUNC_FILE],
	    f[FUNC_OBJECT], r->col[PLACE_LINE].has & HAS_N ? r->col[PLACE_LINE].n : 0 };

	loss_add(w->e.loss, "which costs are of no stack (written as stacks of one frame)");
	put_frame(w, &frame);
	return put_costs(w, r, COST64_SELF);
}

int
cw_stack(struct writer *w, const struct record *r)
{
	const enum rec_kind kind = rec_kind(r);
	int ret;

	if (kind != REC_SAMPLE && kind != REC_COST) {
		loss_record(w->e.loss, r);
		return 0;
	}
	ret = kind == REC_SAMPLE ? put_sample(w, r) : put_cost(w, r);
	out_puts(w->e.out, "\n");
	return ret;
}
