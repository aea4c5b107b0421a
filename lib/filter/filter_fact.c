/* SPDX-License-Identifier: ISC */
#include "filter/filter_fact.h"

/* Definitions are of no part. */
static bool
ends_header(enum rec_kind kind)
{
	return kind != REC_META && kind != REC_PROF && kind != REC_TAG &&
	    !rec_is_def(kind);
}

int
filter_fact_due(struct filter_fact *s, enum rec_kind kind)
{
	const bool put = s->due && s->text && ends_header(kind);

	if (ends_header(kind))
		s->due = kind == REC_PART;	/* one of facts alone may be before it */
	if (kind == REC_PART)
		s->told_calls = false;
	return put ? meta_put(s->stage->next, "filter", text_of(s->text)) : 0;
}

int
filter_fact_drop_call(struct filter_fact *s)
{
	if (s->told_calls)
		return 0;
	s->told_calls = true;
	return meta_put(s->stage->next, "calls", TEXT("partial"));
}
