/* SPDX-License-Identifier: ISC */
/*
 * Making a digest (digest.h).  digest_lines.c has the loop over lines, names, and lines that
 * are not usual; digest_costs.h has costs, for that file alone; digest_calls.c has calls and
 * jumps.
 */
#ifndef PROF_CODEC_CALLGRIND_DIGESTER_H
#define PROF_CODEC_CALLGRIND_DIGESTER_H

#include "digest.h"
#include "usual.h"
#include "usual_text.h"
#include "util/mem.h"

/* The state while lines are digested. */
struct digester {
	struct digest *d;
	const struct digest_layout *layout;
	const char *end;
	struct base base;
	size_t costs;		/* the function's token of costs + 1; 0: none */
	uint32_t line;		/* lines since DIGEST_ON */
	bool have_cfn;		/* since `fn=` */
	bool moved;		/* a line that changes the file came since the last cost */
	struct jump {		/* the last one without a line of its own, and before it: */
		const char *line, *next;
		size_t tokens, runs, open, text;
		struct digest_run run;
	} jump;

	/* for lines */
	size_t open;		/* tokens up to a run that can go on */
	enum last {		/* the last cost line of any kind: not known, of a self cost,
				 * one whose position the reader will know, or not */
		LAST_UNKNOWN, LAST_SELF, LAST_READ, LAST_TEXT
	} last;
	struct base last_at;	/* its position, of the two latter */
	struct usual_address address;
};

static inline struct digest_token *
add(struct digester *g, enum digest_kind kind, const char *p)
{
	struct digest *d = g->d;
	struct digest_token *t;

	if (__builtin_expect(d->n == d->cap, 0))
		d->v = mem_grow(d->v, &d->cap, d->n + 1, sizeof *d->v);
	t = &d->v[d->n++];
	t->p = p;
	t->line = g->line;
	t->n = 0;
	t->kind = (unsigned char)kind;
	return t;
}

/* ---- digest_calls.c ---- */

/* Each digests a line at p with such a key, "calls=", "jump=" or "jcnd=", and the line that
 * belongs to it.  Returns the next line; NULL for others. */
const char *digest_call(struct digester *g, const char *p);
const char *digest_jump(struct digester *g, const char *p);

/* The line at p is not usual: returns where those begin that are not in the digest, which is
 * a jump before it if that belongs to it. */
const char *digest_take_back(struct digester *g, const char *p);

/* ---- runs ---- */

#define RUN_TEXT ((size_t)1 << 20)	/* bytes, after which another run begins */

/* Adds a run without lines, which begins at p. */
static inline struct digest_run *
add_run(struct digester *g, const char *p)
{
	struct digest *d = g->d;
	struct digest_run *run;

	add(g, DIGEST_RUN, p)->number = d->nrun;
	d->run = mem_grow(d->run, &d->caprun, d->nrun + 1, sizeof *d->run);
	run = &d->run[d->nrun++];
	*run = (struct digest_run){ .p = p, .end = p, .base = g->base,
	    .at_base = g->last == LAST_SELF, .text = d->text.n };
	return run;
}

static inline bool
run_goes_on(const struct digester *g)
{
	return g->open == g->d->n && g->d->run[g->d->nrun - 1].n_text < RUN_TEXT;
}

/* Returns the run that goes on or begins at p. */
static inline struct digest_run *
run_here(struct digester *g, const char *p)
{
	if (!run_goes_on(g)) {
		add_run(g, p);
		g->open = g->d->n;
	}
	return &g->d->run[g->d->nrun - 1];
}

/* Ends lines of text at `to`, and of the file at p. */
static inline void
end_run(struct digester *g, struct digest_run *run, const char *to, const char *p, uint32_t lines)
{
	g->d->text.n = (size_t)(to - g->d->text.s);
	run->n_text = g->d->text.n - run->text;
	run->end = p;
	run->lines += lines;
	g->line += lines;
}

#endif
