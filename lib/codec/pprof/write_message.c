/* SPDX-License-Identifier: ISC */
/* Strings, numbers and fields of pprof's message. */
#include "writer.h"

#include "util/mem.h"
#include "util/num.h"

uint64_t
pprof_string_of(struct writer *w, struct text t)
{
	uint32_t id;

	if (!t.n)
		return 0;
	id = dict_str(w->e.dict, t);
	w->string = mem_reach(w->string, &w->capstring, id, sizeof *w->string, 0);
	if (!w->string[id]) {
		pb_put_bytes(&w->strings, PROFILE_STRING, t);
		w->string[id] = (uint32_t)++w->nstring + 1;
	}
	return w->string[id] - 1;
}

uint64_t
pprof_string_of_id(struct writer *w, uint32_t str)
{
	return pprof_string_of(w, dict_text(w->e.dict, str));
}

void
pprof_put_message(struct writer *w, unsigned field, struct buf *message)
{
	w->scratch.n = 0;
	pb_put_bytes(&w->scratch, field, buf_as_text(message));
	out_write(w->e.out, w->scratch.s, w->scratch.n);
}

bool
pprof_get_int(struct text t, uint64_t *n)
{
	num v;

	if (!num_is_canonical(t) || num_get_num(t.s, t.n, &v) < 0 || v < INT64_MIN ||
	    v > INT64_MAX)
		return false;
	*n = (uint64_t)(int64_t)v;
	return true;
}
