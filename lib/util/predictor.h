/* SPDX-License-Identifier: ISC */
/*
 * Predicts the number that a search by hash would find: profiles of one program list the
 * same things in the same order, so the next number is usually the last one plus one.
 */
#ifndef PROF_UTIL_PREDICTOR_H
#define PROF_UTIL_PREDICTOR_H

#include <stdint.h>

#define PREDICTOR_MISSES 8		/* in a row, before it predicts from another
					 * place */

struct predictor {
	uint32_t next;		/* the prediction; may not exist yet */
	unsigned missed;
};

/* The prediction was right: returns it. */
static inline uint32_t
predictor_hit(struct predictor *g)
{
	g->missed = 0;
	return g->next++;
}

/* The search found `id` instead: returns that. */
static inline uint32_t
predictor_missed(struct predictor *g, uint32_t id)
{
	if (++g->missed > PREDICTOR_MISSES)
		*g = (struct predictor){ .next = id + 1 };
	return id;
}

#endif
