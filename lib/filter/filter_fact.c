/* SPDX-License-Identifier: ISC */
#include "filter/filter_fact.h"

/* Definitions do not belong to a part. */
static bool
ends_header(enum rec_kind kind)
{
	return kind != REC_META && kind != REC_PROF && kind != REC_TAG &&
	    !rec_is_def(kind);
}

int
filter_fact_due(struct filter_fact *fact, enum rec_kind kind)
{
	const bool put = fact->due && fact->text && ends_header(kind);

	if (ends_header(kind))
		fact->due = kind == REC_PART;	/* a part may consist of metadata alone */
	return put ? meta_put(fact->stage->next, "filter", text_of(fact->text)) : 0;
}
