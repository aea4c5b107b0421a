/* SPDX-License-Identifier: ISC */
/*
 * A stream held back: for filters that need all of it before they can put its first
 * record.  It is kept in an unnamed temporary file in $TMPDIR, or else /tmp, in the
 * stream's own form, so it takes no memory, and a process that is killed leaves
 * nothing.
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

/* Never NULL: the file is created at the first record; failure to create it is an
 * error of that put(). */
struct spool *spool_new(struct dict *dict, struct schema *schema, struct diag *d);

/* Returns the sink that takes the stream.  A problem with the file, such as a full disk, is
 * an error of put() or spool_replay() that names the directory.  The spool frees the sink;
 * nothing else may. */
struct sink *spool_sink(struct spool *s);

/*
 * Puts all records again, in the same order, including `prof` and `end`.  Numbers do not
 * change: definitions have the dictionary's, runs keep theirs.  Definitions are put in
 * their places although the dictionary has them; each comes once, before its first use.  0,
 * or -1 with the diag set here or by the other sink; messages of that sink have no place,
 * since the input's file is not known any more.
 */
int spool_replay(struct spool *s, struct sink *to);

void spool_free(struct spool *s);

#endif
