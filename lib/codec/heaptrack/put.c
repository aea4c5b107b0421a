/* SPDX-License-Identifier: ISC */
/* The part of a recording, and a sample for each stack that allocates. */
#include "reader.h"

#include <inttypes.h>

#include "util/mem.h"

/* ---- the header ---- */

static int
put_events(struct heaptrack *h)
{
	static const struct { const char *name, *unit, *description; } event[] = {
		{ "allocations", NULL, NULL },
		{ "bytes", "B", "bytes allocated" },
		{ "leaked", "B", "bytes not freed at the end" },
		{ "peak", "B", "bytes in use at the peak" },
		{ "temporary", NULL, "freed before anything else was allocated or freed" },
	};
	size_t i;

	for (i = 0; i < sizeof event / sizeof *event; i++)
		if (DECODE_EVENT(h->d, i, .name = text_of(event[i].name),
		    .unit = text_of(event[i].unit),
		    .description = text_of(event[i].description), .attrs = i ?
		    TEXT("calls=absent") : TEXT("calls=absent\tdefault=1")) < 0)
			return -1;
	return 0;
}

static int
put_text(struct heaptrack *h, const char *key, struct buf *b)
{
	const int ret = b->n ? meta_put(h->d->out, key, buf_as_text(b)) : 0;

	buf_free(b);
	return ret;
}

/* Sets b to the memory of pages, if any. */
static void
add_pages(struct heaptrack *h, struct buf *b, uint64_t pages)
{
	num bytes;

	if (num_mul((num)h->page_size, (num)pages, &bytes) < 0) {
		diag_say(h->d->diag, DIAG_WARN, "%" PRIu64 " pages of %" PRIu64 " bytes do not "
		    "fit 128 bits", pages, h->page_size);
	} else if (bytes) {
		num_add_whole(b, bytes / 1024);
		buf_puts(b, " kB");
	}
}

static int
put_facts(struct heaptrack *h)
{
	struct buf creator = { 0 }, memory = { 0 }, resident = { 0 }, duration = { 0 };

	buf_printf(&creator, "heaptrack %" PRIu64 ".%" PRIu64 ".%" PRIu64, h->version >> 16,
	    h->version >> 8 & 255, h->version & 255);
	add_pages(h, &memory, h->pages);
	add_pages(h, &resident, h->resident);
	buf_printf(&duration, "%" PRIu64 " ms", h->time);
	return put_text(h, "creator", &creator) < 0 ||
	    (h->has_command && meta_put(h->d->out, "cmd", buf_as_text(&h->command)) < 0) ||
	    put_text(h, "memory", &memory) < 0 || put_text(h, "duration", &duration) < 0 ||
	    put_text(h, "heaptrack.peak_rss", &resident) < 0 ? -1 : 0;
}

/* ---- stacks ---- */

static uint32_t
string(const struct heaptrack *h, uint32_t n)
{
	return n ? h->string[n - 1] : NO_ID;
}

static struct text
text(const struct heaptrack *h, uint32_t n)
{
	return dict_text(h->d->dict, string(h, n));
}

static int
add_frame(struct heaptrack *h, const struct place *p, uint32_t object)
{
	struct frame *f = frames_add(&h->frames);
	struct func_def func = NO_FUNC;

	if (decode_file(h->d, text(h, p->file), &f->def.file) < 0)
		return -1;
	if (p->file)
		f->def.line = dict_line(h->d->dict, p->line, 0);
	func.name = string(h, p->func);
	func.file = f->def.file;
	func.object = object;
	return func.name == NO_ID && object == NO_ID ? 0 :
	    decode_func(h->d, &func, &f->def.func);
}

/* Makes the frames of an address; a stack may have one that is not known, 0. */
static int
make_frames(struct heaptrack *h, const struct address *a, size_t *first)
{
	uint32_t object;
	size_t i;

	*first = h->frames.n;
	if (decode_object(h->d, text(h, a->module), &object) < 0)
		return -1;
	for (i = 0; i < a->nplace; i++)
		if (add_frame(h, &h->place[a->place + i], object) < 0)
			return -1;
	return frames_finish(&h->frames, h->d, *first, object, a->addr);
}

static int
put_address(struct heaptrack *h, uint32_t n, uint32_t *ctx)
{
	struct address unknown = { .frame = NO_FRAMES };
	struct address *a = n ? &h->address[n - 1] : &unknown;

	if (a->frame == NO_FRAMES && make_frames(h, a, &a->frame) < 0)
		return -1;
	return frames_put(&h->frames, h->d, a->frame, ctx);
}

/* Finds the context of a stack, and those of its callers. */
static int
find_ctx(struct heaptrack *h, uint32_t stack, uint32_t *ctx)
{
	size_t n = 0;

	*ctx = NO_ID;
	for (; stack && h->stack[stack - 1].ctx == NO_ID; stack = h->stack[stack - 1].caller) {
		h->path = mem_grow(h->path, &h->cappath, n + 1, sizeof *h->path);
		h->path[n++] = stack;
	}
	if (stack)
		*ctx = h->stack[stack - 1].ctx;
	while (n--) {
		struct stack_node *s = &h->stack[h->path[n] - 1];

		if (put_address(h, s->address, ctx) < 0)
			return -1;
		s->ctx = *ctx;
	}
	return 0;
}

static int
put_site(struct heaptrack *h, struct site *s)
{
	const num value[] = { s->allocations, s->bytes, s->leaked,
	    s->peaks < h->peaks ? s->leaked : s->peak, s->temporary };
	struct record r = rec_make(REC_SAMPLE);
	uint32_t ctx;
	size_t i;

	if (!s->allocations)
		return 0;
	if (find_ctx(h, s->stack, &ctx) < 0)
		return -1;
	h->values.n = 0;
	for (i = 0; i < sizeof value / sizeof *value; i++)
		values_add(&h->values, value[i]);
	r.col[0].n = ctx;
	r.values = buf_as_text(&h->values);
	return sink_put(h->d->out, &r);
}

int
heaptrack_put(struct heaptrack *h)
{
	size_t i;

	frames_init(&h->frames, h->read);
	if (h->suppressions)
		diag_say(h->d->diag, DIAG_NOTE, "the program's suppressions of leaks are "
		    "not applied: %" PRIu64, h->suppressions);
	if (decode_part(h->d, "heaptrack", TEXT("positions=addr,line")) < 0 ||
	    put_facts(h) < 0 || put_events(h) < 0)
		return -1;
	for (i = 0; i < h->nsite; i++)
		if (put_site(h, &h->site[i]) < 0)
			return -1;
	return 0;
}
