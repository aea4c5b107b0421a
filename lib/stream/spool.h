/* SPDX-License-Identifier: ISC */
/*
 * A stream held back: for filters that have to know all of it before they can
 * say anything of its first record.  It is kept in a temporary file without a name,
 * in $TMPDIR or else /tmp, in the stream's own form, so memory holds none of it and
 * a process that is killed leaves nothing.
 *
 *	struct spool *s = spool_new(dict, schema, diag);
 *	sink_put(spool_sink(s), r) ...	`prof` first, `end` last
 *	spool_replay(s, next)		as often as is wanted
 *	spool_free(s)
 */
#ifndef PROF_STREAM_SPOOL_H
#define PROF_STREAM_SPOOL_H

#include "stream/dict.h"
#include "stream/schema.h"
#include "util/diag.h"

struct spool;

/* Never NULL: the file is made with the first record, and that it cannot be made is
 * an error of that one's put(). */
struct spool *spool_new(struct dict *dict, struct schema *schema, struct diag *d);

/* What takes the stream.  Whatever goes wrong with the file, a full disk first of
 * all, is an error of put() or of spool_replay() that names the directory.  It is
 * freed with the spool, not with others. */
struct sink *spool_sink(struct spool *s);

/*
 * Puts all that was put, in the same order, `prof` and `end` included.  Numbers are
 * what they were: definitions have the dictionary's, runs keep theirs.  Definitions
 * are put in their places, though they are no news to the dictionary; each comes
 * once, and before what refers to it.  0, or -1 with the diag set, or as the other
 * sink left it: what that says has no place, as the file that it was read from first
 * is not known any more.
 */
int spool_replay(struct spool *s, struct sink *to);

void spool_free(struct spool *s);

#endif
