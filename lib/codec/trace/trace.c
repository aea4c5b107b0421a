/* SPDX-License-Identifier: ISC */
#include <inttypes.h>

#include "trace.h"

/* ---- recognition ---- */

/* Does it begin with a list whose first item is an event? */
static bool
begins_with_event(const char *p, size_t n)
{
	const char *end = p + n;

	for (; p < end && (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\n'); p++)
		;
	if (p == end || *p++ != '[')
		return false;
	n = (size_t)(end - p);
	return json_has_key(p, n, "ph") && json_has_key(p, n, "pid");
}

static int
trace_probe(const char *p, size_t n)
{
	return begins_with_event(p, n) || (json_contains(p, n, "\"traceEvents\"") &&
	    json_has_key(p, n, "traceEvents")) ? (int)sizeof "traceEvents" : 0;
}

/* ---- the file ---- */

/* Ends reading.  A list may end without its bracket; a file that a program still writes may
 * do so, too. */
static int
end_reading(struct trace *t, int ret)
{
	struct decode *d = t->w.doc.d;
	struct json_reader *j = &t->w.doc.j;
	const bool cut = j->cut && !d->diag->error.n, packed = in_packed_cut(d->in);

	if (cut || packed || (t->unended && !in_regular(d->in))) {
		document_place(&t->w.doc, j->at);
		ret = decode_cut(d, "the file is truncated: %s", cut ? j->why :
		    "the list of events has no end (accepted in a file)");
	} else if (t->unended) {
		diag_say(d->diag, DIAG_NOTE, "the list of events has no end: the file "
		    "may be truncated there");
	}
	if (cut || t->unended) {
		j->why = NULL;
		j->at = j->end;
	}
	return window_close(&t->w, ret);
}

static int
put_profiles(struct trace *t)
{
	const uint64_t n = t->slices.added;

	if (trace_put_profiles(t) < 0)
		return -1;
	if (n)
		diag_say(t->w.doc.d->diag, DIAG_NOTE, "the durations of %" PRIu64 " event%s are "
		    "not read, as there is a CPU profile: --slices reads them", n,
		    n == 1 ? "" : "s");
	return 0;
}

/* Samples are beside the events in traces of Hermes, of React Native. */
#define SAMPLES "%" PRIu64 " sample%s with 'stackFrames', which are not read: open it in " \
	"speedscope, and export it there", t->samples, t->samples == 1 ? "" : "s"

static int
put_all(struct trace *t)
{
	const struct trace_options *o = t->w.doc.d->options;

	if (!o->slices && trace_read_profiles(t) < 0)
		return -1;
	if (t->samples && (t->slices.n || trace_has_profiles(t)))
		diag_say(t->w.doc.d->diag, DIAG_NOTE, "the trace also has " SAMPLES);
	if (!o->slices && trace_has_profiles(t))
		return put_profiles(t);
	if (t->slices.n)
		return trace_put_slices(t);
	if (t->samples)
		return diag_fail(t->w.doc.d->diag, "the trace has only " SAMPLES);
	return diag_fail(t->w.doc.d->diag, "the trace has no events with a duration, and no CPU "
	    "profile: record one in DevTools' Performance panel, or with the category "
	    "disabled-by-default-v8.cpu_profiler");
}

static int
trace_decode(struct decode *d)
{
	struct trace t = { 0 };
	int ret = window_open(&t.w, d);

	sums_init(&t.profiles.ids, 2, 1);
	sums_init(&t.names, 2, 1);
	trace_init_slices(&t.slices, d->diag);
	if (ret == 0)
		ret = trace_read(&t);
	ret = end_reading(&t, ret);
	if (ret == 0)
		ret = put_all(&t);
	trace_free_profiles(&t.profiles);
	trace_free_slices(&t.slices);
	sums_free(&t.names);
	return ret;
}

static const struct trace_options defaults;

static const struct opt options[] = {
	{ "slices", 0, OPT_FLAG, NULL, OPT_AT(struct trace_options, slices),
	    "also read the durations next to a CPU profile", NULL },
	{ "details", 0, OPT_FLAG, NULL, OPT_AT(struct trace_options, details),
	    "append an event's detail, as clang has, to its name", NULL },
	OPT_END
};

static const struct opt_group trace_options = OPT_GROUP(options, defaults);

const struct codec codec_trace = {
	.name = "trace",
	.summary = "Trace events of Chrome, PyTorch, clang, Bazel; CPU profiles",
	.patterns = "Trace-*.json *.trace *.pt.trace.json",
	.probe = trace_probe,
	.decode = trace_decode,
	.read_options = &trace_options,
	.supports = {
		[FEATURE_LINES] = SUPPORT_SOME, [FEATURE_FUNCTIONS] = SUPPORT_YES,
		[FEATURE_FILES] = SUPPORT_YES, [FEATURE_INCLUSIVE] = SUPPORT_YES,
		[FEATURE_CONTEXTS] = SUPPORT_YES, [FEATURE_SAMPLES] = SUPPORT_YES,
		[FEATURE_PARTS] = SUPPORT_YES, [FEATURE_EVENTS] = SUPPORT_SOME,
		[FEATURE_UNITS] = SUPPORT_YES, [FEATURE_FACTS] = SUPPORT_SOME,
		[FEATURE_END] = SUPPORT_YES,
	},
};
