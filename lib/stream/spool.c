/* SPDX-License-Identifier: ISC */
#include "stream/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "io/temporary.h"
#include "stream/codec.h"
#include "util/mem.h"

struct spool {
	struct sink sink;
	struct dict *dict;
	struct schema *schema;
	struct diag *diag;
	struct buf name;	/* for messages */
	int fd;
	struct output *out;	/* to a copy of fd, which closes with it */
	struct sink *to;	/* its encoder; NULL before the first record */
};

/* Returns a copy of the descriptor, at the beginning of the file. */
static int
rewound(const struct spool *s)
{
	int fd = fcntl(s->fd, F_DUPFD_CLOEXEC, 0);

	if (fd >= 0 && lseek(fd, 0, SEEK_SET) < 0) {
		int why = errno;

		close(fd);
		errno = why;
		fd = -1;
	}
	return fd;
}

static int
begin(struct spool *s)
{
	struct encode e = { .dict = s->dict, .diag = s->diag };
	int fd;

	if ((s->fd = temporary_file(&s->name)) < 0 || (fd = rewound(s)) < 0)
		return diag_fail_plain(s->diag, "%s: %s", buf_str(&s->name),
		    strerror(errno));
	e.out = s->out = out_fd(fd, buf_str(&s->name), s->diag);
	s->to = codec_prof.encode(&e);
	return 0;
}

static int
spool_put(struct sink *sink, const struct record *r)
{
	struct spool *s = (struct spool *)sink;

	if (!s->to && begin(s) < 0)
		return -1;
	return sink_put(s->to, r);
}

/* Ends writing.  Only now may it turn out that the disk is full. */
static int
close_out(struct spool *s)
{
	struct output *out = s->out;

	s->out = NULL;
	return out ? out_close(out, true) : 0;
}

static int
decode(struct spool *s, struct input *in, struct sink *to)
{
	struct input_set session = { 0 };
	struct decode d = { .session = &session, .in = in, .dict = s->dict,
	    .schema = s->schema, .out = to, .diag = s->diag, .again = true };
	struct record prof = rec_make(REC_PROF), end = rec_make(REC_END);

	prof.col[0].t = TEXT("1");
	if (sink_put(to, &prof) < 0 || codec_prof.decode(&d) < 0)
		return -1;
	return sink_put(to, &end);
}

int
spool_replay(struct spool *s, struct sink *to)
{
	struct cursor *at = s->diag->at;
	struct input *in;
	int r;

	if (close_out(s) < 0 ||
	    !(in = in_fd(rewound(s), buf_str(&s->name), s->diag)))
		return -1;
	s->diag->at = NULL;
	r = decode(s, in, to);
	s->diag->at = at;
	in_close(in);
	return r;
}

struct sink *
spool_sink(struct spool *s)
{
	return &s->sink;
}

struct spool *
spool_new(struct dict *dict, struct schema *schema, struct diag *d)
{
	struct spool *s = mem_alloc(1, sizeof *s);

	s->sink.put = spool_put;
	s->dict = dict;
	s->schema = schema;
	s->diag = d;
	s->fd = -1;
	return s;
}

void
spool_free(struct spool *s)
{
	if (!s)
		return;
	if (s->to)
		s->to->free(s->to);
	if (s->out)	/* no longer needed, so a full disk is no error */
		s->out->n = 0;
	close_out(s);
	if (s->fd >= 0)
		close(s->fd);
	buf_free(&s->name);
	free(s);
}
