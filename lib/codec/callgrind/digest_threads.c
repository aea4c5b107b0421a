/* SPDX-License-Identifier: ISC */
#include "digest_threads.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "util/mem.h"

#define PIECE_LEAST 4096	/* bytes */
#define PIECES_EACH 2		/* of a block, for each thread, so that none waits long */

struct digest_threads {
	pthread_mutex_t mutex;
	pthread_cond_t came, done;
	pthread_t *thread;
	size_t nthreads;
	bool wide, stop;
	struct digest_piece *piece;
	size_t most, n;		/* pieces of a block, at most; of two */
	size_t given, next, taken;	/* pieces so far: given, begun, and taken */
};

/* Digests the next piece.  The mutex is locked before and after. */
static void
digest_next(struct digest_threads *t)
{
	struct digest_piece *piece = &t->piece[t->next++ % t->n];

	piece->state = PIECE_TAKEN;
	pthread_mutex_unlock(&t->mutex);
	digest_lines(&piece->digest, &piece->layout, t->wide, piece->p, piece->end,
	    piece->has_base ? &piece->base : NULL);
	pthread_mutex_lock(&t->mutex);
	piece->state = PIECE_DONE;
	pthread_cond_signal(&t->done);
}

static void *
work(void *arg)
{
	struct digest_threads *t = arg;

	pthread_mutex_lock(&t->mutex);
	while (!t->stop)
		if (t->next < t->given)
			digest_next(t);
		else
			pthread_cond_wait(&t->came, &t->mutex);
	pthread_mutex_unlock(&t->mutex);
	return NULL;
}

/* Signals are for the thread that reads. */
static size_t
start(struct digest_threads *t, size_t n)
{
	sigset_t all, before;
	size_t i;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	for (i = 0; i < n && pthread_create(&t->thread[i], NULL, work, t) == 0; i++)
		;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return i;
}

struct digest_threads *
digest_threads_start(size_t n, bool wide)
{
	struct digest_threads *t = mem_alloc(1, sizeof *t);

	pthread_mutex_init(&t->mutex, NULL);
	pthread_cond_init(&t->came, NULL);
	pthread_cond_init(&t->done, NULL);
	t->wide = wide;
	t->thread = mem_alloc(n, sizeof *t->thread);
	t->most = PIECES_EACH * (n + 1);
	t->n = 2 * t->most;
	t->piece = mem_alloc(t->n, sizeof *t->piece);
	t->nthreads = start(t, n);
	return t;
}

size_t
digest_threads_give(struct digest_threads *t, const struct digest_layout *layout,
    const char *p, const char *end, const struct base *base)
{
	const size_t even = (size_t)(end - p) / t->most + 1;
	const size_t n = even < PIECE_LEAST ? PIECE_LEAST : even, before = t->given;
	struct digest_piece *piece;

	pthread_mutex_lock(&t->mutex);
	for (; p < end; p = piece->end) {
		piece = &t->piece[t->given++ % t->n];
		piece->p = p;
		piece->end = (size_t)(end - p) <= n ? end : digest_cut(layout, p + n, end);
		piece->layout = *layout;
		piece->has_base = base != NULL;
		if (base)
			piece->base = *base;
		base = NULL;
		piece->state = PIECE_WAITS;
	}
	pthread_cond_broadcast(&t->came);
	pthread_mutex_unlock(&t->mutex);
	return t->given - before;
}

const struct digest_piece *
digest_threads_take(struct digest_threads *t, size_t remain)
{
	struct digest_piece *piece = &t->piece[t->taken % t->n];

	if (t->given - t->taken <= remain)
		return NULL;
	pthread_mutex_lock(&t->mutex);
	while (piece->state != PIECE_DONE)
		if (t->next < t->given)
			digest_next(t);
		else
			pthread_cond_wait(&t->done, &t->mutex);
	pthread_mutex_unlock(&t->mutex);
	t->taken++;
	return piece;
}

void
digest_threads_stop(struct digest_threads *t)
{
	size_t i;

	if (!t)
		return;
	pthread_mutex_lock(&t->mutex);
	t->stop = true;
	pthread_cond_broadcast(&t->came);
	pthread_mutex_unlock(&t->mutex);
	for (i = 0; i < t->nthreads; i++)
		pthread_join(t->thread[i], NULL);
	for (i = 0; i < t->n; i++)
		digest_free(&t->piece[i].digest);
	pthread_mutex_destroy(&t->mutex);
	pthread_cond_destroy(&t->came);
	pthread_cond_destroy(&t->done);
	free(t->piece);
	free(t->thread);
	free(t);
}
