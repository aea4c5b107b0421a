/* SPDX-License-Identifier: ISC */
#include "jfr.h"

#include <inttypes.h>
#include <stdlib.h>

#include "codec/sample_options.h"

/* Reports data that the recording lacks: in metadata of the part, and as a warning or a
 * note. */
static int
report(struct jfr *j)
{
	static const struct {
		const char *fact;
		enum diag_level level;
		const char *what;
	} counts[COUNTS] = {
		[COUNT_UNFINISHED] = { "unfinished chunks", DIAG_WARN, "chunk is not finished: the "
		    "recorder is writing it, or has died; jcmd PID JFR.dump writes all of it" },
		[COUNT_STACKS] = { "missing stacks", DIAG_WARN, "times a stack is not in its "
		    "chunk, and is named [stack N]" },
		[COUNT_METHODS] = { "missing methods", DIAG_WARN, "frames have a method that is "
		    "not in its chunk, and is named [method N]" },
		[COUNT_CLASSES] = { "missing classes", DIAG_WARN, "times a class is not in its "
		    "chunk, and is named [class N]" },
		[COUNT_THREADS] = { "missing threads", DIAG_NOTE, "events have a thread that is "
		    "not in its chunk" },
		[COUNT_TRUNCATED] = { "truncated stacks", DIAG_NOTE, "stacks lack callers, as the "
		    "recorder keeps no more frames (-XX:FlightRecorderOptions=stackdepth=N)" },
	};
	int i;

	for (i = 0; i < COUNTS; i++) {
		if (!j->count[i])
			continue;
		diag_say(j->d->diag, counts[i].level, "%" PRIu64 " %s", j->count[i],
		    counts[i].what);
		if (meta_put_num(j->d->out, counts[i].fact, j->count[i]) < 0)
			return -1;
	}
	return 0;
}

static int
read_all(struct jfr *j)
{
	size_t n;
	int r;

	while ((r = jfr_chunk_read(j, &n)) > 0)
		jfr_source_next(j, n);
	j->d->at.bytes = false;
	j->d->at.line = 0;
	return r < 0 || jfr_events_put(j) < 0 || jfr_facts_put(j) < 0 || report(j) < 0 ? -1 :
	    jfr_samples_put(j);
}

static void
free_all(struct jfr *j)
{
	buf_free(&j->source.buf);
	jfr_types_free(&j->types);
	jfr_pools_free(&j->pools);
	free(j->stacks.v);
	jfr_events_free(&j->events);
	jfr_samples_free(&j->samples);
	buf_free(&j->scratch);
}

int
jfr_decode(struct decode *d)
{
	const struct sample_options *options = d->options;
	struct jfr j = { .d = d, .times = options->times,
	    .no_labels = d->session->no_labels && !options->times };
	int ret;

	sums_init(&j.types.ids, 1, 0);
	sums_init(&j.pools.keys, POOL_KEYS, 0);
	sums_init(&j.events.names, 1, 0);
	sums_init(&j.samples.rows, ROW_KEYS, ROW_VALUES);
	j.stacks.truncated = j.stacks.none = NO_ID;
	ret = decode_part(d, "jfr", TEXT("positions=line"));
	if (ret == 0)
		ret = read_all(&j);
	free_all(&j);
	return ret;
}
