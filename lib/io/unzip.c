/* SPDX-License-Identifier: ISC */
#include "io/unzip.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/mem.h"

#define BLOCK ((size_t)256 << 10)
#define BLOCKS 4

struct unzip_thread {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t moved;
	int fd, wake[2];	/* closing wake[1] ends a thread that waits for fd */
	enum zip_kind kind;
	char *in;		/* compressed bytes */
	size_t nin;
	struct { char *s; size_t n; } block[BLOCKS];
	size_t made, used;	/* blocks so far; made - used of them are full */
	size_t off;		/* already read of the oldest */
	bool done, stop, cut;
	char why[160];
};

/* Waits for fd or for unzip_stop(). */
static ssize_t
get(struct unzip_thread *t)
{
	struct pollfd pf[2] = {
		{ .fd = t->fd, .events = POLLIN },
		{ .fd = t->wake[0], .events = POLLIN },
	};
	ssize_t r;

	for (;;) {
		if (poll(pf, 2, -1) < 0 && errno != EINTR)
			return -1;
		if (pf[1].revents)
			return 0;
		if (!pf[0].revents)
			continue;
		r = read(t->fd, t->in, BLOCK);
		if (r >= 0 || (errno != EINTR && errno != EAGAIN))
			return r;
	}
}

/* Waits for a free block to fill; NULL to stop. */
static char *
free_block(struct unzip_thread *t)
{
	char *s = NULL;

	pthread_mutex_lock(&t->lock);
	while (!t->stop && t->made - t->used == BLOCKS)
		pthread_cond_wait(&t->moved, &t->lock);
	if (!t->stop)
		s = t->block[t->made % BLOCKS].s;
	pthread_mutex_unlock(&t->lock);
	return s;
}

static void
full_block(struct unzip_thread *t, size_t n)
{
	pthread_mutex_lock(&t->lock);
	t->block[t->made % BLOCKS].n = n;
	t->made++;
	pthread_cond_broadcast(&t->moved);
	pthread_mutex_unlock(&t->lock);
}

static void
unpack(struct unzip_thread *t, struct unzip *u)
{
	struct zip_span s = { .in = t->in, .nin = t->nin };
	const char *why;
	char *block;
	bool eof = false;

	while ((block = free_block(t))) {
		s.out = block;
		s.nout = BLOCK;
		while (s.nout) {
			size_t before = s.nout, left = s.nin;

			if (unzip_step(u, &s, &why) < 0) {
				snprintf(t->why, sizeof t->why, "corrupt %s data: %s",
				    zip_name(t->kind), why);
				break;
			}
			if (s.nin || s.nout != before || left)
				continue;
			if (!eof) {
				ssize_t r = get(t);

				if (r < 0)
					snprintf(t->why, sizeof t->why, "%s",
					    strerror(errno));
				if (r <= 0)
					eof = true;
				s.in = t->in;
				s.nin = r > 0 ? (size_t)r : 0;
				if (r > 0)
					continue;
			}
			t->cut = !t->why[0] && !unzip_between(u);
			if (t->cut)
				snprintf(t->why, sizeof t->why,
				    "the %s data is truncated: it ends inside a frame",
				    zip_name(t->kind));
			break;
		}
		if (s.nout < BLOCK)
			full_block(t, BLOCK - s.nout);
		if (s.nout)
			break;
	}
}

static void *
run(void *arg)
{
	struct unzip_thread *t = arg;
	struct unzip *u = unzip_new(t->kind);

	unpack(t, u);
	unzip_free(u);
	pthread_mutex_lock(&t->lock);
	t->done = true;
	pthread_cond_broadcast(&t->moved);
	pthread_mutex_unlock(&t->lock);
	return NULL;
}

struct unzip_thread *
unzip_start(int fd, const char *head, size_t n, enum zip_kind kind)
{
	struct unzip_thread *t = mem_alloc(1, sizeof *t);
	int i, err;

	t->fd = fd;
	t->kind = kind;
	t->in = mem_resize(NULL, n > BLOCK ? n : BLOCK, 1);
	memcpy(t->in, head, n);
	t->nin = n;
	for (i = 0; i < BLOCKS; i++)
		t->block[i].s = mem_resize(NULL, BLOCK, 1);
	pthread_mutex_init(&t->lock, NULL);
	pthread_cond_init(&t->moved, NULL);
	err = pipe(t->wake) < 0 ? errno : 0;
	if (!err && (err = pthread_create(&t->thread, NULL, run, t))) {
		close(t->wake[0]);
		close(t->wake[1]);
	}
	if (err) {
		for (i = 0; i < BLOCKS; i++)
			free(t->block[i].s);
		free(t->in);
		free(t);
		errno = err;
		return NULL;
	}
	return t;
}

ssize_t
unzip_read(struct unzip_thread *t, char *s, size_t n, const char **why)
{
	size_t have;

	pthread_mutex_lock(&t->lock);
	while (t->made == t->used && !t->done)
		pthread_cond_wait(&t->moved, &t->lock);
	if (t->made == t->used) {
		pthread_mutex_unlock(&t->lock);
		*why = t->why;
		return t->why[0] ? -1 : 0;
	}
	pthread_mutex_unlock(&t->lock);
	have = t->block[t->used % BLOCKS].n - t->off;
	if (n > have)
		n = have;
	memcpy(s, t->block[t->used % BLOCKS].s + t->off, n);
	t->off += n;
	if (n == have) {
		pthread_mutex_lock(&t->lock);
		t->used++;
		t->off = 0;
		pthread_cond_broadcast(&t->moved);
		pthread_mutex_unlock(&t->lock);
	}
	return (ssize_t)n;
}

bool
unzip_cut(const struct unzip_thread *t)
{
	return t->cut;
}

void
unzip_stop(struct unzip_thread *t)
{
	int i;

	if (!t)
		return;
	pthread_mutex_lock(&t->lock);
	t->stop = true;
	pthread_cond_broadcast(&t->moved);
	pthread_mutex_unlock(&t->lock);
	close(t->wake[1]);	/* POLLHUP at the other end */
	pthread_join(t->thread, NULL);
	close(t->wake[0]);
	pthread_cond_destroy(&t->moved);
	pthread_mutex_destroy(&t->lock);
	for (i = 0; i < BLOCKS; i++)
		free(t->block[i].s);
	free(t->in);
	free(t);
}
