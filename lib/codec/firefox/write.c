/* SPDX-License-Identifier: ISC */
/* Writes a profile; the sink. */
#include <stdlib.h>

#include "stream/codec.h"
#include "util/json.h"
#include "util/mem.h"
#include "reader.h"
#include "writer.h"

/* ---- the profile ---- */

static void
put_meta(struct writer *w)
{
	const struct text title = tracks_title(&w->tracks);
	struct buf *b = &w->line;

	buf_puts(b, "{\"meta\":{\"version\":24,\"preprocessedProfileVersion\":61,"
	    "\"interval\":1,\"startTime\":0,\"processType\":0,\"stackwalk\":1,\n"
	    "\"importedFrom\":\"prof-to\",\"product\":");
	json_string(b, title);
	buf_puts(b, ",\n\"symbolicated\":true,\"usesOnlyOneStackType\":true,"
	    "\"sourceCodeIsNotOnSearchfox\":true,\"keepProfileThreadOrder\":true,\n");
	firefox_put_selection(w);
	buf_puts(b, "\"markerSchema\":[],\"sampleUnits\":"
	    "{\"time\":\"ms\",\"eventDelay\":\"ms\",\"threadCPUDelta\":\"ns\"},\n"
	    "\"categories\":["
	    "{\"name\":\"Other\",\"color\":\"grey\",\"subcategories\":[\"Other\"]},"
	    "{\"name\":\"Kernel\",\"color\":\"orange\",\"subcategories\":[\"Other\"]}]},\n");
	firefox_flush(w);
}

static int
write_all(struct tracks *t)
{
	struct writer *w = (struct writer *)t;

	if (firefox_find_threads(w) < 0)
		return -1;
	firefox_find_stacks(w);
	put_meta(w);
	firefox_put_libs(w);
	firefox_put_shared(w);
	if (firefox_put_threads(w) < 0)
		return -1;
	buf_puts(&w->line, "}\n");
	firefox_flush(w);
	return 0;
}

/* ---- the sink ---- */

static void
free_writer(struct tracks *t)
{
	struct writer *w = (struct writer *)t;

	functions_free(&w->functions);
	sums_free(&w->frames);
	stack_tree_free(&w->stacks);
	numbered_free(&w->strings);
	numbered_free(&w->files);
	numbered_free(&w->objects);
	free(w->thread);
	buf_free(&w->line);
}

struct sink *
firefox_encode(const struct encode *e)
{
	struct writer *w = mem_alloc(1, sizeof *w);

	w->e = *e;
	tracks_init(&w->tracks, &w->e);
	w->tracks.write = write_all;
	w->tracks.free = free_writer;
	w->tracks.threads = true;
	functions_init(&w->functions, &w->e,
	    FRAME_LINES | FRAME_INLINED | FRAME_OBJECTS | FRAME_KERNEL);
	sums_init(&w->frames, FRAME_KEYS, 0);
	stack_tree_init(&w->stacks, e->dict);
	return &w->tracks.parts.sink;
}
