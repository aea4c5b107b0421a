/* SPDX-License-Identifier: ISC */
/* The options of tsv. */
#include "tsv.h"

/* The words of --records. */
static const enum rec_kind asked[] = { REC_COST, REC_CALL, REC_JUMP, REC_SAMPLE, REC_POINT,
	REC_VPROF, REC_RAW, REC_TOTAL };

const struct rec_def *
tsv_asked_records(const struct tsv_options *o)
{
	return o->records < 0 ? NULL : &rec_table[asked[o->records]];
}

static const struct tsv_options defaults = { .records = -1 };

static const struct opt options[] = {
	{ "records", 0, OPT_ENUM, "KIND", OPT_AT(struct tsv_options, records),
	    "kind of records in a tsv table: cost, call, ...",
	    "cost|call|jump|sample|point|vprof|raw|total" },
	OPT_END
};

const struct opt_group tsv_options = OPT_GROUP(options, defaults);
