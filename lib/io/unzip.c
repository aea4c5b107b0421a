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

struct unzip {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t moved;
	int fd, wake[2];	/* a byte in wake ends a thread that waits for fd */
	enum zip_kind kind;
	char *in;		/* packed bytes */
	size_t nin;
	struct { char *s; size_t n; } block[BLOCKS];
	size_t made, used;	/* blocks so far; the difference is full ones */
	size_t off;		/* read of the oldest */
	bool done, stop, cut;
	char why[160];
};

/* Waits for fd or for unzip_stop(). */
static ssize_t
get(struct unzip *p)
{
	struct pollfd pf[2] = {
		{ .fd = p->fd, .events = POLLIN },
		{ .fd = p->wake[0], .events = POLLIN },
	};
	ssize_t r;

	for (;;) {
		if (poll(pf, 2, -1) < 0 && errno != EINTR)
			return -1;
		if (pf[1].revents)
			return 0;
		if (!pf[0].revents)
			continue;
		r = read(p->fd, p->in, BLOCK);
		if (r >= 0 || (errno != EINTR && errno != EAGAIN))
			return r;
	}
}

/* The next block to fill, when there is one free; NULL to stop. */
static char *
free_block(struct unzip *p)
{
	char *s = NULL;

	pthread_mutex_lock(&p->lock);
	while (!p->stop && p->made - p->used == BLOCKS)
		pthread_cond_wait(&p->moved, &p->lock);
	if (!p->stop)
		s = p->block[p->made % BLOCKS].s;
	pthread_mutex_unlock(&p->lock);
	return s;
}

static void
full_block(struct unzip *p, size_t n)
{
	pthread_mutex_lock(&p->lock);
	p->block[p->made % BLOCKS].n = n;
	p->made++;
	pthread_cond_broadcast(&p->moved);
	pthread_mutex_unlock(&p->lock);
}

static void
unpack(struct unzip *p, struct unzip *u)
{
	struct zip_span s = { .in = p->in, .nin = p->nin };
	const char *why;
	char *block;
	bool eof = false;

	while ((block = free_block(p))) {
		s.out = block;
		s.nout = BLOCK;
		while (s.nout) {
			size_t before = s.nout, left = s.nin;

			if (unzip_step(u, &s, &why) < 0) {
				snprintf(p->why, sizeof p->why, "corrupt %s data: %s",
				    zip_name(p->kind), why);
				break;
			}
			if (s.nin || s.nout != before || left)
				continue;
			if (!eof) {
				ssize_t r = get(p);

				if (r < 0)
					snprintf(p->why, sizeof p->why, "%s",
					    strerror(errno));
				if (r <= 0)
					eof = true;
				s.in = p->in;
				s.nin = r > 0 ? (size_t)r : 0;
				if (r > 0)
					continue;
			}
			p->cut = !p->why[0] && !unzip_between(u);
			if (p->cut)
				snprintf(p->why, sizeof p->why,
				    "the %s data is cut: it ends inside a frame",
				    zip_name(p->kind));
			break;
		}
		if (s.nout < BLOCK)
			full_block(p, BLOCK - s.nout);
		if (s.nout)
			break;
	}
}

static void *
run(void *arg)
{
	struct unzip *p = arg;
	struct unzip *u = unzip_new(p->kind);

	unpack(p, u);
	unzip_free(u);
	pthread_mutex_lock(&p->lock);
	p->done = true;
	pthread_cond_broadcast(&p->moved);
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

struct unzip *
unzip_start(int fd, const char *head, size_t n, enum zip_kind kind)
{
	struct unzip *p = mem_alloc(1, sizeof *p);
	int i, err;

	p->fd = fd;
	p->kind = kind;
	p->in = mem_resize(NULL, n > BLOCK ? n : BLOCK, 1);
	memcpy(p->in, head, n);
	p->nin = n;
	for (i = 0; i < BLOCKS; i++)
		p->block[i].s = mem_resize(NULL, BLOCK, 1);
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->moved, NULL);
	err = pipe(p->wake) < 0 ? errno : 0;
	if (!err && (err = pthread_create(&p->thread, NULL, run, p))) {
		close(p->wake[0]);
		close(p->wake[1]);
	}
	if (err) {
		for (i = 0; i < BLOCKS; i++)
			free(p->block[i].s);
		free(p->in);
		free(p);
		errno = err;
		return NULL;
	}
	return p;
}

ssize_t
unzip_read(struct unzip *p, char *s, size_t n, const char **why)
{
	size_t have;

	pthread_mutex_lock(&p->lock);
	while (p->made == p->used && !p->done)
		pthread_cond_wait(&p->moved, &p->lock);
	if (p->made == p->used) {
		pthread_mutex_unlock(&p->lock);
		*why = p->why;
		return p->why[0] ? -1 : 0;
	}
	pthread_mutex_unlock(&p->lock);
	have = p->block[p->used % BLOCKS].n - p->off;
	if (n > have)
		n = have;
	memcpy(s, p->block[p->used % BLOCKS].s + p->off, n);
	p->off += n;
	if (n == have) {
		pthread_mutex_lock(&p->lock);
		p->used++;
		p->off = 0;
		pthread_cond_broadcast(&p->moved);
		pthread_mutex_unlock(&p->lock);
	}
	return (ssize_t)n;
}

bool
unzip_cut(const struct unzip *p)
{
	return p->cut;
}

void
unzip_stop(struct unzip *p)
{
	int i;

	if (!p)
		return;
	pthread_mutex_lock(&p->lock);
	p->stop = true;
	pthread_cond_broadcast(&p->moved);
	pthread_mutex_unlock(&p->lock);
	close(p->wake[1]);	/* POLLHUP at the other end */
	pthread_join(p->thread, NULL);
	close(p->wake[0]);
	pthread_cond_destroy(&p->moved);
	pthread_mutex_destroy(&p->lock);
	for (i = 0; i < BLOCKS; i++)
		free(p->block[i].s);
	free(p->in);
	free(p);
}
