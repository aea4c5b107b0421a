/* SPDX-License-Identifier: ISC */
/*
 * The label `event` of samples: where a profile has samples of several events as one
 * value, as perf's has, whoever adds them up says so.
 */
#ifndef PROF_STREAM_EVENT_LABEL_H
#define PROF_STREAM_EVENT_LABEL_H

#include "stream/field.h"
#include "util/diag.h"

/* All zeros: none was seen. */
struct event_label {
	struct buf first;	/* of the first sample that has one */
	bool reported;
};

/* The attributes of a sample that is added to others: warns once, where the label is
 * another than that of the first one. */
void event_label_see(struct event_label *l, struct text attrs, struct diag *d);

void event_label_free(struct event_label *l);

#endif
