/* SPDX-License-Identifier: ISC */
/* Usual lines of self cost, as sums and as lines of a stream. */
#ifndef PROF_CODEC_CALLGRIND_DIGEST_COSTS_H
#define PROF_CODEC_CALLGRIND_DIGEST_COSTS_H

#include "digester.h"

/* Takes cost lines at p.  Returns the first other line. */
typedef const char *take_lines(struct digester *g, const char *p, const bool instr);

/* ---- sums ---- */

static inline struct digest_token *
costs_here(struct digester *g)
{
	if (!g->costs) {
		add(g, DIGEST_COSTS, NULL)->sum = 0;
		g->costs = g->d->n;
	}
	if (g->moved)
		add(g, DIGEST_COSTS_GO_ON, NULL);
	g->moved = false;
	return &g->d->v[g->costs - 1];
}

/* Adds a sum of cost lines [start, p), after which the base is another; returns the first
 * line that is not in the digest. */
static inline __attribute__((always_inline)) const char *
take_costs(struct digester *g, uint64_t sum, const char *start, const char *p,
    const struct base *base)
{
	struct digest_token *t;

	if (p == start)
		return p;
	t = costs_here(g);
	if (__builtin_expect((t->sum | sum) >> 62, 0))
		return start;
	t->sum += sum;
	t->n = 1;
	g->base.addr = base->addr;
	g->base.line = base->line;
	return p;
}

/* Adds any usual cost line at p; returns the next line, p itself for others. */
static inline __attribute__((always_inline)) const char *
add_cost(struct digester *g, const char *p, const bool instr)
{
	struct usual_cost c;
	const char *next;

	if (!usual_cost_any(p, &g->base, g->layout->nevents, &c, instr) ||
	    __builtin_expect(c.value >> 62, 0))
		return p;
	next = take_costs(g, c.value, p, c.end + 1, &c.at);
	g->line += next != p;
	return next;
}

static inline __attribute__((always_inline)) const char *
add_any_costs(struct digester *g, const char *p, const bool instr)
{
	return add_cost(g, p, instr);
}

#ifdef HAVE_WIDE
/* Reads a cost line, whose address may be long. */
WIDE static inline __attribute__((always_inline)) bool
wide_cost(const char *p, const struct usual_classes *k, struct usual_line *c,
    const bool instr, const bool text)
{
	const __m128i before = c->at;

	if (usual_cost_wide(p, k, c, instr, text) || (instr && (p = usual_address_wide(p, c)) &&
	    usual_cost_wide(p, k, c, false, text)))
		return true;
	c->at = before;
	return false;
}

WIDE static inline __attribute__((always_inline)) const char *
add_wide_costs(struct digester *g, const char *p, const bool instr)
{
	const struct usual_classes k = usual_classes_of(g->layout->nevents);
	const char *start = p, *end = g->end, *next;
	uint32_t lines = 0;
	uint64_t sum = 0;
	struct usual_line c;
	struct base base;

	memcpy(&c.at, &g->base, sizeof c.at);
	while (wide_cost(p, &k, &c, instr, false)) {
		sum += c.value;
		p = c.end + 1;
		lines++;
		if (p >= end || !usual_lengths((unsigned char)*p))
			break;
	}
	if (p == start)
		return add_cost(g, p, instr);
	memcpy(&base, &c.at, sizeof base);
	next = take_costs(g, sum, start, p, &base);
	g->line += next == p ? lines : 0;
	return next;
}
#endif

/* ---- lines of a stream ---- */

/* Adds any usual cost line. */
static inline __attribute__((always_inline)) const char *
write_cost(struct digester *g, const char *p, const bool instr)
{
	struct usual_cost c;
	struct digest_run *run;
	char *to;

	if (!usual_cost_any(p, &g->base, g->layout->nevents, &c, instr))
		return p;
	run = run_here(g, p);
	to = buf_room(&g->d->text, (size_t)(c.end - c.costs) + USUAL_TEXT_ROOM);
	to = usual_put_place(to, "cost\t", c.at.addr, c.at.line, instr, &g->address);
	end_run(g, run, usual_put_costs(to, c.costs, c.end), c.end + 1, 1);
	g->base = c.at;
	g->last = LAST_SELF;
	g->moved = false;
	return c.end + 1;
}

static inline __attribute__((always_inline)) const char *
write_any_costs(struct digester *g, const char *p, const bool instr)
{
	return write_cost(g, p, instr);
}

#ifdef HAVE_WIDE
WIDE static inline __attribute__((always_inline)) const char *
write_wide_costs(struct digester *g, const char *p, const bool instr)
{
	const struct usual_classes k = usual_classes_of(g->layout->nevents);
	const char *end = g->end;
	struct buf *text = &g->d->text;
	struct usual_address address = g->address;
	struct usual_line c;
	struct digest_run *run;
	uint32_t lines = 0;
	char *to, *full;

	memcpy(&c.at, &g->base, sizeof c.at);
	if (!wide_cost(p, &k, &c, instr, true))
		return write_cost(g, p, instr);
	run = run_here(g, p);
	to = buf_room(text, 2 * USUAL_TEXT_ROOM);
	full = text->s + text->cap - USUAL_TEXT_ROOM;
	do {
		if (__builtin_expect(to > full, 0)) {
			text->n = (size_t)(to - text->s);
			to = buf_room(text, 2 * USUAL_TEXT_ROOM);
			full = text->s + text->cap - USUAL_TEXT_ROOM;
		}
		to = usual_put_place(to, "cost\t", (uint64_t)_mm_cvtsi128_si64(c.at),
		    (uint64_t)_mm_extract_epi64(c.at, 1), instr, &address);
		to = usual_put_costs_wide(to, c.costs, c.end);
		p = c.end + 1;
		lines++;
	} while (p < end && usual_lengths((unsigned char)*p) && lines < RUN_TEXT / 64 &&
	    wide_cost(p, &k, &c, instr, true));
	end_run(g, run, to, p, lines);
	memcpy(&g->base, &c.at, sizeof g->base);
	g->address = address;
	g->last = LAST_SELF;
	g->moved = false;
	return p;
}
#endif

#endif
