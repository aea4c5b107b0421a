/* SPDX-License-Identifier: ISC */
#include "maps.h"

#include <stdio.h>
#include <stdlib.h>

#include "count.h"
#include "util/mem.h"

enum { PIDS = 5, STEPS = 300, CHAIN = 3, CPUS = 4 };
enum { R_COMM = 3, R_EXIT = 4, R_FORK = 7, R_SAMPLE = 9, R_MMAP2 = 10, R_ROUND = 68 };
enum { USER = 2, EXEC = 0x2000 };
enum { FIRST_TID = 100000 };

struct mapped {
	uint64_t start, end, offset;
	unsigned number;	/* its path is /mNUMBER */
};

/* What a process has mapped, in that order: the last one at an address counts. */
struct list {
	struct mapped v[STEPS];
	unsigned n;
};

struct maps_model {
	struct list now[PIDS], before[PIDS];	/* before: exec, which is not over */
	char stack[STEPS][CHAIN * 64];	/* by sample */
	unsigned samples;
	struct buf cpu[CPUS];	/* what a processor has put since the last round */
};

/* ---- the model ---- */

static const struct mapped *
find(const struct list *l, uint64_t addr)
{
	unsigned i;

	for (i = l->n; i--; )
		if (addr >= l->v[i].start && addr < l->v[i].end)
			return &l->v[i];
	return NULL;
}

/* Adds what the stream says of an address to a stack. */
static void
expect(struct maps_model *m, unsigned pid, uint64_t addr, char *stack)
{
	const struct mapped *at = find(&m->now[pid], addr);
	const size_t n = strlen(stack);

	if (at)
		m->before[pid].n = 0;
	else
		at = find(&m->before[pid], addr);
	if (at)
		snprintf(stack + n, 64, "/m%u 0x%llx ", at->number,
		    (unsigned long long)(addr - at->start + at->offset));
	else
		snprintf(stack + n, 64, "- 0x%llx ", (unsigned long long)addr);
}

/* ---- records ---- */

static void
put(struct buf *b, uint64_t v, unsigned bytes)
{
	while (bytes--) {
		buf_putc(b, (char)v);
		v >>= 8;
	}
}

/* Its body, and the thread and time that end it. */
static void
put_record(struct buf *b, unsigned type, unsigned misc, const struct buf *body, unsigned pid,
    uint64_t time)
{
	put(b, type, 4);
	put(b, misc, 2);
	put(b, 8 + body->n + (type == R_SAMPLE ? 0 : 16), 2);
	buf_text(b, buf_as_text(body));
	if (type == R_SAMPLE)
		return;
	put(b, pid, 4);
	put(b, pid, 4);
	put(b, time, 8);
}

static void
put_header(struct buf *b)
{
	buf_puts(b, "PERFILE2");
	put(b, 16, 8);
	put(b, 64, 4);			/* a record of attributes */
	put(b, (8 + 64) << 16, 4);
	put(b, 1, 4);			/* software, cpu-clock */
	put(b, 64, 4);
	put(b, 0, 8);
	put(b, 7, 8);			/* period */
	put(b, 1 | 2 | 4 | 0x20, 8);	/* ip, thread, time, chain */
	put(b, 0, 8);
	put(b, 1 << 18, 8);		/* other records have thread and time, too */
	put(b, 0, 8);
	put(b, 0, 8);
}

/* ---- steps ---- */

struct reader {
	struct text rest;
	struct buf body, *to;
	uint64_t time;
	unsigned pid;
};

static unsigned
take(struct reader *rd)
{
	if (!rd->rest.n)
		return 0;
	rd->rest.n--;
	return (unsigned char)*rd->rest.s++;
}

/* Addresses are near each other, at both ends. */
static uint64_t
take_addr(struct reader *rd)
{
	const unsigned v = take(rd);
	const uint64_t addr = (v & 0x7f) << 4 | (take(rd) & 0xf);

	return v & 0x80 ? addr - 0x400 : addr;
}

static void
end_record(struct reader *rd, unsigned type, unsigned misc)
{
	put_record(rd->to, type, misc, &rd->body, rd->pid, rd->time);
}

static void
step_map(struct reader *rd, struct maps_model *m, unsigned number)
{
	struct list *l = &m->now[rd->pid];
	struct mapped map = { .start = take_addr(rd), .number = number };
	const uint64_t size = 1 + take(rd) * (uint64_t)take(rd);
	const size_t n = rd->body.n;

	map.offset = take(rd) * (uint64_t)16;
	map.end = map.start + size < map.start ? UINT64_MAX : map.start + size;
	l->v[l->n++] = map;
	put(&rd->body, rd->pid, 4);
	put(&rd->body, rd->pid, 4);
	put(&rd->body, map.start, 8);
	put(&rd->body, size, 8);
	put(&rd->body, map.offset, 8);
	put(&rd->body, 0, 8);
	put(&rd->body, 0, 8);
	put(&rd->body, 0, 8);
	put(&rd->body, 5, 8);		/* it is read and run */
	buf_printf(&rd->body, "/m%u", number);
	do
		buf_putc(&rd->body, '\0');
	while ((rd->body.n - n) % 8);
	end_record(rd, R_MMAP2, USER);
}

static void
step_fork(struct reader *rd, struct maps_model *m, bool exits)
{
	const unsigned child = take(rd) % PIDS;

	put(&rd->body, exits ? rd->pid : child, 4);
	put(&rd->body, rd->pid, 4);
	put(&rd->body, exits ? rd->pid : child, 4);
	put(&rd->body, rd->pid, 4);
	put(&rd->body, rd->time, 8);
	end_record(rd, exits ? R_EXIT : R_FORK, 0);
	if (!exits && child != rd->pid) {
		m->now[child] = m->now[rd->pid];
		m->before[child] = m->before[rd->pid];
	}
}

static void
step_exec(struct reader *rd, struct maps_model *m, bool execs)
{
	put(&rd->body, rd->pid, 4);
	put(&rd->body, rd->pid, 4);
	put(&rd->body, 'x', 8);
	end_record(rd, R_COMM, execs ? EXEC : 0);
	if (!execs || !m->now[rd->pid].n)
		return;
	m->before[rd->pid] = m->now[rd->pid];
	m->now[rd->pid].n = 0;
}

/* A caller is where its call is, one before it. */
static void
step_sample(struct reader *rd, struct maps_model *m)
{
	uint64_t addr;
	unsigned i;

	put(&rd->body, 0, 8);
	put(&rd->body, rd->pid, 4);
	put(&rd->body, FIRST_TID + m->samples, 4);
	put(&rd->body, rd->time, 8);
	put(&rd->body, CHAIN, 8);
	for (i = 0; i < CHAIN; i++) {
		addr = take_addr(rd);
		if (addr >= (uint64_t)-4096)
			addr -= 8192;	/* it is no marker */
		put(&rd->body, addr, 8);
		expect(m, rd->pid, addr - (i > 0), m->stack[m->samples]);
	}
	m->samples++;
	end_record(rd, R_SAMPLE, USER);
}

static void
end_round(struct maps_model *m, struct buf *recording)
{
	unsigned i;

	for (i = 0; i < CPUS; i++) {
		buf_text(recording, buf_as_text(&m->cpu[i]));
		m->cpu[i].n = 0;
	}
	put(recording, R_ROUND, 4);
	put(recording, 8 << 16, 4);
}

struct maps_model *
maps_make(struct text input, struct buf *recording)
{
	struct maps_model *m = mem_alloc(1, sizeof *m);
	struct reader rd = { .rest = input, .time = 1000 };
	unsigned i;

	put_header(recording);
	for (i = 0; i < STEPS && rd.rest.n; i++) {
		const unsigned what = take(&rd);

		rd.pid = take(&rd) % PIDS;
		rd.to = &m->cpu[what >> 6];
		rd.body.n = 0;
		rd.time++;
		switch (what & 15) {
		default: step_map(&rd, m, i); break;
		case 8: case 9: step_fork(&rd, m, false); break;
		case 10: step_fork(&rd, m, true); break;
		case 11: step_exec(&rd, m, true); break;
		case 12: step_exec(&rd, m, false); break;
		case 13: case 14: step_sample(&rd, m); break;
		case 15: end_round(m, recording); break;
		}
	}
	end_round(m, recording);
	for (i = 0; i < CPUS; i++)
		buf_free(&m->cpu[i]);
	buf_free(&rd.body);
	return m;
}

/* ---- a stream ---- */

/* What definitions say, by their numbers. */
struct defs {
	struct def { struct text a, b, c; } *v;
	size_t n, cap;
};

static void
define(struct defs *d, struct text a, struct text b, struct text c)
{
	d->v = mem_grow(d->v, &d->cap, d->n + 1, sizeof *d->v);
	d->v[d->n++] = (struct def){ a, b, c };
}

static const struct def *
def_at(const struct defs *d, struct text number)
{
	wide n = 0;

	return count_add(&n, number) && n < d->n ? &d->v[n] : NULL;
}

struct stream {
	struct defs object, func, ctx;
};

/* The stack of a context, as expect() has it. */
static void
spell(const struct stream *s, struct text ctx, struct buf *b)
{
	const struct def *c, *f, *o;

	for (; (c = def_at(&s->ctx, ctx)); ctx = c->a) {
		f = def_at(&s->func, c->b);
		o = f ? def_at(&s->object, f->a) : NULL;
		if (o)
			buf_text(b, o->a);
		else
			buf_putc(b, '-');
		buf_putc(b, ' ');
		buf_text(b, c->c);
		buf_putc(b, ' ');
	}
}

/* Is it a sample of the model's, the one of its thread? */
static bool
check_sample(const struct maps_model *m, const struct stream *s, const struct text *col, size_t n,
    bool *seen)
{
	struct buf b = { 0 };
	wide tid = 0;
	bool same;
	size_t i;

	for (i = 0; i < n; i++)
		if (col[i].n > 4 && memcmp(col[i].s, "tid=", 4) == 0)
			(void)count_add(&tid, (struct text){ col[i].s + 4, col[i].n - 4 });
	tid -= FIRST_TID;
	if (tid >= m->samples || seen[tid])
		return false;
	seen[tid] = true;
	spell(s, col[1], &b);
	same = strcmp(buf_str(&b), m->stack[tid]) == 0;
	if (!same)
		fprintf(stderr, "%s\n%s\n", m->stack[tid], buf_str(&b));
	buf_free(&b);
	return same;
}

bool
maps_check(const struct maps_model *m, struct text stream)
{
	struct stream s = { 0 };
	bool seen[STEPS] = { false }, good = true;
	unsigned samples = 0;

	while (stream.n && good) {
		struct text line = count_word(&stream, '\n'), col[16] = { { 0 } };
		size_t n = 0;

		while (line.s && n < 16)
			col[n++] = count_word(&line, '\t');
		if (text_is(col[0], "object"))
			define(&s.object, col[2], col[3], col[4]);
		else if (text_is(col[0], "func"))
			define(&s.func, col[4], col[2], col[3]);
		else if (text_is(col[0], "ctx"))
			define(&s.ctx, col[2], col[3], col[6]);
		else if (text_is(col[0], "sample")) {
			good = check_sample(m, &s, col, n, seen);
			samples++;
		}
	}
	free(s.object.v);
	free(s.func.v);
	free(s.ctx.v);
	return good && samples == m->samples;
}
