/* SPDX-License-Identifier: ISC */
#include "pstats.h"

const struct pstats_event pstats_event[PSTATS_EVENTS] = {
	[PSTATS_TIME] = { "time", "ns", NULL, NULL },
	[PSTATS_CUMULATIVE] = { "cumtime", "ns", "Time with callees, once in recursion",
	    "calls=absent\tinclusive=time" },
	[PSTATS_CALLS] = { "ncalls", NULL, "Calls", "calls=absent" },
	[PSTATS_PRIMITIVE] = { "pcalls", NULL, "Calls that are not recursive",
	    "calls=absent" },
	[PSTATS_CALLEE] = { "calleetime", "ns", "Self time of the callee, by caller",
	    "calls=absent" },
};
