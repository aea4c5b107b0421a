/* SPDX-License-Identifier: ISC */
#include "reader.h"

#include <stdlib.h>

static void
reader_free(struct reader *rd)
{
	free(rd->type);
	free(rd->string);
	free(rd->mapping.v);
	free(rd->location.v);
	free(rd->function.v);
	free(rd->func);
	frames_free(&rd->frames);
	free(rd->comment);
	free(rd->id);
	free(rd->path);
	free(rd->path_ctx);
	cache_free(&rd->stacks);
	comment_events_free(&rd->own_events);
	buf_free(&rd->values);
	buf_free(&rd->attrs);
	buf_free(&rd->text);
	cache_free(&rd->numlabels);
	cache_free(&rd->labels);
	buf_free(&rd->label_text);
}

int
pprof_decode(struct decode *d)
{
	struct reader rd = { .d = d, .mapping.what = "mapping",
	    .location.what = "location", .function.what = "function" };
	int ret = -1;

	if (in_all(d->in, &rd.file.s, &rd.file.n) == 0) {
		frames_init(&rd.frames, rd.file.n);
		limit_text(&rd.text_limit, rd.file.n);
		if (pprof_gather(&rd) == 0 && pprof_put_header(&rd) == 0 &&
		    pprof_put_mappings(&rd) == 0 && pprof_read_locations(&rd) == 0)
			ret = pprof_put_samples(&rd);
	}
	d->at.bytes = false;
	reader_free(&rd);
	return ret;
}
