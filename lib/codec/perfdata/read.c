/* SPDX-License-Identifier: ISC */
#include "perfdata.h"

#include <inttypes.h>
#include <stdlib.h>

#include "codec/sample_options.h"

#define FRAMES_MOST ((uint64_t)1 << 18)	/* frames of a small recording's stacks */

/* ---- records ---- */

/* The memory of stacks must be in proportion to the bytes that were read, as in packed
 * records a few bytes may be thousands of addresses in any order.  Others have eight bytes
 * for each. */
static int
check_stacks(struct perfdata *pd)
{
	const uint64_t n = dict_count(pd->d->dict, REC_CTX) - pd->contexts_before;

	return n <= FRAMES_MOST + pd->bytes / 4 ? 0 : perf_fail(pd, "the stacks of %" PRIu64
	    " compressed bytes are %" PRIu64 " different ones, too many: use the output of perf "
	    "script", pd->bytes, n);
}

static int
put_sample(struct perfdata *pd, const struct perf_record *r, const char *record)
{
	struct perf_sample s;

	if (check_stacks(pd) < 0)
		return -1;

	if (pd_sample_parse(pd, r, &s) < 0)
		return -1;
	pd_facts_sample(pd, &s);
	if (s.attr && s.waits)
		return pd_deferred_keep(pd, &s, record, (size_t)(r->body.end - record));
	if (s.attr)
		return pd_stacks_put_sample(pd, &s);
	pd->count[UNKNOWN_EVENTS]++;
	return 0;
}

static int
count_lost(struct perfdata *pd, struct perf_record *r)
{
	struct perf_facts *f = &pd->facts;
	uint64_t *count = r->type == R_LOST ? &f->lost_records : &f->lost_samples, n;

	if (r->type == R_LOST)
		bytes_skip(&r->body, 8);
	else if (r->misc & MISC_LOST_BY_FILTER)
		return 0;
	n = bytes_u64(&r->body);
	if (r->body.ended)
		return perf_fail(pd, "a record of lost data ends too early");
	if (__builtin_add_overflow(*count, n, count))
		return perf_fail(pd, "the number of lost records does not fit 64 bits");
	return 0;
}

static int
put_record(struct perfdata *pd, const char *record)
{
	struct perf_record r = perf_record_at(record, pd->swap);

	switch (r.type) {
	case R_SAMPLE:
		return put_sample(pd, &r, record);
	case R_CALLCHAIN_DEFERRED:
		return pd_deferred_record(pd, &r);
	case R_COMM: case R_FORK: case R_MMAP: case R_MMAP2: case R_KSYMBOL:
		return pd_state_record(pd, &r);
	case R_LOST: case R_LOST_SAMPLES:
		return count_lost(pd, &r);
	case R_THROTTLE:
		pd->count[THROTTLED]++;
		return 0;
	case R_AUX: case R_ITRACE_START: case R_AUX_OUTPUT_HW_ID:
		pd->count[HARDWARE_TRACES]++;
		return 0;
	case R_EXIT: case R_UNTHROTTLE: case R_READ: case R_SWITCH: case R_SWITCH_CPU_WIDE:
	case R_NAMESPACES: case R_BPF_EVENT: case R_CGROUP: case R_TEXT_POKE:
		return 0;
	default:
		pd->count[UNKNOWN_RECORDS]++;
		return 0;
	}
}

/* ---- the whole ---- */

/* Reports data that the recording lacks: in metadata of the part, and as a warning or a
 * note. */
static int
report(struct perfdata *pd)
{
	static const struct {
		const char *fact;
		enum diag_level level;
		const char *what;
	} counts[COUNTS] = {
		[THROTTLED] = { "throttled", DIAG_WARN, "times the kernel throttled "
		    "sampling: there were too many samples" },
		[UNKNOWN_RECORDS] = { NULL, DIAG_NOTE, "records of an unknown type are "
		    "skipped" },
		[HARDWARE_TRACES] = { NULL, DIAG_NOTE, "records of hardware traces are "
		    "skipped" },
		[UNKNOWN_EVENTS] = { "samples of unknown events", DIAG_WARN, "samples of "
		    "events that the recording does not list are skipped" },
		[FALLEN_VALUES] = { "fallen values", DIAG_WARN, "values of a group's "
		    "members are less than those before, and are skipped" },
		[NO_PERIODS] = { "samples without period", DIAG_WARN, "samples have no period: "
		    "choose samples with --events" },
		[LATE_RECORDS] = { "late records", DIAG_WARN, "records came late: "
		    "mappings of code and names of threads may be wrong" },
		[LATE_EVENTS] = { "samples of late events", DIAG_WARN, "samples of "
		    "events that take none, or that came late, are skipped: without "
		    "--times they are kept" },
		[BRANCH_STACKS] = { NULL, DIAG_NOTE, "samples have branches, which are "
		    "skipped" },
	};
	int i;

	for (i = 0; i < COUNTS; i++) {
		if (!pd->count[i])
			continue;
		diag_say(pd->d->diag, counts[i].level, "%" PRIu64 " %s", pd->count[i],
		    counts[i].what);
		if (counts[i].fact && meta_put_num(pd->d->out, counts[i].fact,
		    pd->count[i]) < 0)
			return -1;
	}
	return pd_unfinished_report(pd);
}

/* Reads the records of the first file. */
static int
read_records(struct perfdata *pd, uint64_t at, uint64_t n)
{
	struct reader r = pd_reader_make(pd->source, at, n);
	int ret;

	while ((ret = pd_reader_step(pd, &r)) > 0)
		;
	pd_reader_free(&r);
	return ret;
}

/* Reads everything.  The first 16 bytes are the magic, in one of two byte orders, and the
 * size of the header, which is 16 in the form for pipes. */
static int
read_all(struct perfdata *pd)
{
	uint64_t at = NO_OFFSET, n = UINT64_MAX, size;
	const char *p;
	long got = in_peek(pd->d->in, &p);
	struct bytes b;

	if (got < PIPE_HEADER)
		return got < 0 ? -1 : perf_cut(pd, "the recording is truncated in its "
		    "header");
	pd->swap = *p != 'P';
	b = bytes_of(p + 8, 8, pd->swap);
	size = bytes_u64(&b);
	if (pd_source_open(&pd->source, pd->d->in, size == PIPE_HEADER) < 0 ||
	    (size != PIPE_HEADER && perf_header_read(pd, &at, &n) < 0))
		return -1;
	return pd_siblings_find(pd) < 0 || read_records(pd, at, n) < 0 ||
	    pd_siblings_read(pd) < 0 ? -1 : pd_order_end(pd);
}

static void
free_all(struct perfdata *pd)
{
	pd_order_free(&pd->order);
	pd_siblings_free(&pd->siblings);
	perf_events_free(&pd->events);
	pd_state_free(&pd->state);
	pd_generated_free(&pd->generated);
	pd_places_free(&pd->places);
	pd_unfinished_free(&pd->unfinished);
	free(pd->frames.v);
	pd_deferred_free(&pd->deferred);
	pd_contexts_free(&pd->contexts);
	pd_stacks_free(&pd->stacks);
	pd_chains_free(&pd->chains);
	pd_facts_free(&pd->facts);
}

int
perfdata_decode(struct decode *d)
{
	struct perfdata pd = { .d = d, .options = d->options, .put = put_record };
	const struct input_set *s = d->session;
	int ret;

	perf_events_init(&pd.events);
	pd_order_init(&pd.order);
	sums_init(&pd.state.threads, 1, 0);
	sums_init(&pd.state.processes, 1, 0);
	pd_places_init(&pd.places);
	pd_unfinished_init(&pd.unfinished);
	pd_deferred_init(&pd.deferred);
	pd.addrs = pd.options->addrs || s->by_addr || s->lines;
	pd.contexts_before = dict_count(d->dict, REC_CTX);
	pd.no_labels = s->no_labels && !pd.options->times;
	pd_contexts_init(&pd.contexts);
	pd_stacks_init(&pd.stacks);
	ret = decode_part(d, "perf", pd.addrs ? TEXT("positions=addr") :
	    (struct text){ 0 });
	if (ret == 0 && (ret = read_all(&pd)) == 0) {
		pd.complete = true;
		if ((ret = pd_deferred_end(&pd)) == 0 && (ret = pd_stacks_end(&pd)) == 0 &&
		    (ret = pd_facts_end(&pd)) == 0 && (ret = report(&pd)) == 0)
			pd_report_unnamed(&pd);
	}
	free_all(&pd);
	return ret;
}
