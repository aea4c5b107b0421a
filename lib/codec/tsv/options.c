/* SPDX-License-Identifier: ISC */
/* The options of tsv. */
#include "tsv.h"

/* The words of --records. */
static const enum rec_kind asked[] = { REC_COST, REC_CALL, REC_JUMP, REC_SAMPLE, REC_POINT,
	REC_VPROF, REC_RAW, REC_TOTAL };

static int choice = -1;

const struct rec_def *
tsv_asked_records(void)
{
	return choice < 0 ? NULL : &rec_table[asked[choice]];
}

const struct opt tsv_options[] = {
	{ "records", 0, OPT_ENUM, "KIND", &choice,
	    "kind of records in a tsv table: cost, call, ...",
	    "cost|call|jump|sample|point|vprof|raw|total" },
	OPT_END
};
