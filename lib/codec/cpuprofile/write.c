/* SPDX-License-Identifier: ISC */
/*
 * V8's CPU profiles: a tree of calls, and samples of its nodes with the time between
 * them, in microseconds (the type Profile of the Chrome DevTools protocol).
 *
 * A sample lasts until the next one: the last one is of the root, and lasts no time.
 * Readers take the self time of a node either from that or from its share of all hits, so
 * hits are values of the event; but if there is also an event `samples`, they are the
 * number of samples, as in V8.  The member `prof`, which other readers ignore, names these
 * events.
 */
#include "v8.h"

#include <stdlib.h>

#include "codec/thread_tracks.h"
#include "codec/viewer_functions.h"
#include "graph/stack_tree.h"
#include "stream/codec.h"
#include "util/json.h"
#include "util/mem.h"

/* Columns of the key of a line's ticks. */
enum { TICK_NODE, TICK_LINE, TICK_KEYS };

#define ROOT 0			/* the first node; in the file nodes are numbered from 1 */

struct writer {
	struct tracks tracks;
	struct encode e;
	struct functions functions;
	/* Labels are functions; below the root, with several tracks, the numbers of
	 * these. */
	struct stack_tree nodes;
	size_t nthreads;	/* number of nodes of tracks, which come after the root */
	uint32_t *child, *sibling;	/* by node: the first child, the next sibling, or 0 */
	struct sums ticks;	/* by node and line as a number */
	size_t *tick;		/* by node: its first row of these + 1; by row: the next
				 * one */
	size_t *next_tick;
	char *called_from;	/* by context: was its line, as that of a call, dropped? */
	size_t capcalled_from;
	struct name_index places;	/* numbered as scripts are */
	struct track_scale scale;	/* to microseconds */
	const struct record *event;	/* the event that is drawn */
	bool hits;		/* all parts also have an event of samples */
	num sum;		/* of all samples */
	struct buf line;
};

static void
flush(struct writer *w)
{
	out_write(w->e.out, w->line.s, w->line.n);
	w->line.n = 0;
}

/* ---- events ---- */

/* Returns the event of a part that is the number of samples; the number of events if it has
 * none. */
static size_t
hits_event(const struct writer *w, const struct track_part *part)
{
	const long i = events_find(&part->events, TEXT("samples"));
	const struct record *r = i < 0 ? NULL : events_at(&part->events, (size_t)i);

	return r && !r->col[EVENT_UNIT].t.s && event_scale(r) == 1 &&
	    (size_t)i != tracks_main_event(&w->tracks, part) ? (size_t)i : part->events.measured;
}

/* ---- the tree ---- */

/* Drops the line of a call: the format has only lines of samples. */
static void
lose_call(struct writer *w, uint32_t caller)
{
	const uint32_t *cols = dict_frame(w->e.dict, caller);

	if (caller == NO_ID || cols[CTX_LINE] == NO_ID || (cols[CTX_FILE] != NO_ID &&
	    cols[CTX_FILE] != dict_def(w->e.dict, REC_FUNC, cols[CTX_FUNC])[FUNC_FILE]))
		return;		/* or was dropped already */
	w->called_from = mem_reach(w->called_from, &w->capcalled_from, caller, 1, 0);
	if (!w->called_from[caller])
		loss_add(w->e.loss, "lines of frames");
	w->called_from[caller] = 1;
}

static uint32_t
function_of(void *arg, uint32_t ctx, uint32_t parent)
{
	struct writer *w = arg;

	(void)parent;
	lose_call(w, dict_caller(w->e.dict, ctx));
	return functions_of(&w->functions, ctx);
}

/* Adds the node of each track's stacks; with several tracks, their names are frames. */
static void
begin_track(struct writer *w, size_t i)
{
	stack_tree_below(&w->nodes, w->nthreads ? (uint32_t)(1 + i) : ROOT);
}

static void
find_tracks(struct writer *w)
{
	size_t i;

	stack_tree_add(&w->nodes, NO_ID, NO_ID);
	w->nthreads = w->tracks.n > 1 ? w->tracks.n : 0;
	for (i = 0; i < w->nthreads; i++) {
		stack_tree_add(&w->nodes, ROOT, (uint32_t)i);
		loss_add(w->e.loss, "threads and parts (written as frames)");
	}
}

/* Adds to the line of a sample, if that is in the function's file. */
static int
add_ticks(struct writer *w, uint32_t node, uint32_t ctx, num v)
{
	const uint32_t *cols = dict_frame(w->e.dict, ctx);
	const struct text t = dict_text(w->e.dict, cols[CTX_LINE]);
	struct field line = { 0 };
	uint64_t key[TICK_KEYS] = { node };

	if (!t.s || !field_get_line(t, &line) || !(line.has & HAS_N) ||
	    (cols[CTX_FILE] != NO_ID && cols[CTX_FILE] !=
	    functions_file(&w->functions, functions_of(&w->functions, ctx))))
		return 0;
	key[TICK_LINE] = line.n;
	return tracks_add(&w->tracks, sums_val(&w->ticks, sums_row(&w->ticks, key)), v);
}

static int
add_sample(struct writer *w, const struct track *track, const struct track_sample *s)
{
	const size_t event = tracks_main_event(&w->tracks, track->part);
	const size_t counted = w->hits ? hits_event(w, track->part) : event;
	const num v = s->value[event], hits = s->value[counted];
	uint32_t node;

	if (s->time != NO_TIME)
		loss_add(w->e.loss, "times of samples");
	if (v < 0 || hits < 0)
		return tracks_refuse_negative(&w->tracks,
		    events_at(&track->part->events, v < 0 ? event : counted));
	node = stack_tree_node(&w->nodes, s->ctx, function_of, w);
	if (tracks_add(&w->tracks, sums_val(&w->nodes.nodes, node), hits) < 0 ||
	    tracks_add(&w->tracks, &w->sum, v) < 0)
		return -1;
	return s->ctx == NO_ID || !hits ? 0 : add_ticks(w, node, s->ctx, hits);
}

/* Links lists of children and of ticks, in the order in which they came. */
static void
link_nodes(struct writer *w)
{
	size_t i;

	w->child = mem_alloc(w->nodes.nodes.n, sizeof *w->child);
	w->sibling = mem_alloc(w->nodes.nodes.n, sizeof *w->sibling);
	w->tick = mem_alloc(w->nodes.nodes.n, sizeof *w->tick);
	w->next_tick = mem_alloc(w->ticks.n + 1, sizeof *w->next_tick);
	for (i = w->nodes.nodes.n; i-- > 1; ) {
		uint32_t *first = &w->child[stack_tree_parent(&w->nodes, i)];

		w->sibling[i] = *first;
		*first = (uint32_t)i;
	}
	for (i = w->ticks.n; i-- > 0; ) {
		size_t *first = &w->tick[sums_key(&w->ticks, i)[TICK_NODE]];

		w->next_tick[i] = *first;
		*first = i + 1;
	}
}

static int
make_tree(struct writer *w)
{
	size_t i, k;
	num ns;

	find_tracks(w);
	for (i = 0; i < w->tracks.n; i++) {
		begin_track(w, i);
		for (k = 0; k < w->tracks.v[i].n; k++)
			if (add_sample(w, &w->tracks.v[i], &w->tracks.v[i].sample[k]) < 0)
				return -1;
	}
	link_nodes(w);
	/* Our reader computes in nanoseconds. */
	return num_mul(w->sum, 1000, &ns) < 0 ?
	    encode_fail(&w->e, "the sum does not fit 128 bits in nanoseconds") : 0;
}

/* ---- nodes ---- */

static void
add_number(struct writer *w, uint64_t n)
{
	json_decimal(&w->line, (num)n, 0);
}

/* Writes a function.  Lines and columns count from 0, -1 is none; readers that ignore the
 * URL distinguish functions of one name by the script. */
static void
put_frame(struct writer *w, struct text name, struct text place, uint64_t line,
    uint64_t column)
{
	struct buf *b = &w->line;

	buf_puts(b, "\"callFrame\":{\"functionName\":");
	/* V8 leaves this name empty, and viewers have their own. */
	json_string(b, text_is(name, "(anonymous)") ? TEXT("") : name);
	buf_puts(b, ",\"scriptId\":\"");
	add_number(w, place.s ? 1 + name_index_add(&w->places, place, w->places.n) : 0);
	buf_puts(b, "\",\"url\":");
	json_string(b, place.s ? place : TEXT(""));
	buf_puts(b, ",\"lineNumber\":");
	json_decimal(b, (num)line - 1, 0);
	buf_puts(b, ",\"columnNumber\":");
	json_decimal(b, (num)column - 1, 0);
	buf_putc(b, '}');
}

static void
put_node_frame(struct writer *w, size_t i)
{
	struct buf name = { 0 };
	uint32_t func;

	if (i == ROOT) {
		put_frame(w, TEXT("(root)"), (struct text){ 0 }, 0, 0);
	} else if (i <= w->nthreads) {
		tracks_name(&w->tracks, &w->tracks.v[i - 1], &name);
		put_frame(w, buf_as_text(&name), (struct text){ 0 }, 0, 0);
		buf_free(&name);
	} else {
		func = stack_tree_label(&w->nodes, i);
		put_frame(w, functions_name(&w->functions, func),
		    functions_place(&w->functions, func),
		    functions_line(&w->functions, func),
		    functions_column(&w->functions, func));
	}
}

static int
put_ticks(struct writer *w, size_t i)
{
	const char *before = ",\"positionTicks\":[{\"line\":";
	const struct track_scale whole = { 1, 0 };
	size_t row;

	for (row = w->tick[i]; row; row = w->next_tick[row - 1]) {
		buf_puts(&w->line, before);
		add_number(w, sums_key(&w->ticks, row - 1)[TICK_LINE]);
		buf_puts(&w->line, ",\"ticks\":");
		if (tracks_number(&w->tracks, &w->line, *sums_val(&w->ticks, row - 1),
		    &whole) < 0)
			return -1;
		before = "},{\"line\":";
	}
	buf_puts(&w->line, w->tick[i] ? "}]" : "");
	return 0;
}

static int
put_node(struct writer *w, size_t i)
{
	const struct track_scale whole = { 1, 0 };
	uint32_t child;
	size_t n = 0;

	buf_puts(&w->line, i ? ",\n{\"id\":" : "\n{\"id\":");
	add_number(w, i + 1);
	buf_putc(&w->line, ',');
	put_node_frame(w, i);
	buf_puts(&w->line, ",\"hitCount\":");
	if (tracks_number(&w->tracks, &w->line, *sums_val(&w->nodes.nodes, i), &whole) < 0)
		return -1;
	buf_puts(&w->line, ",\"children\":[");
	for (child = w->child[i]; child; child = w->sibling[child]) {
		json_comma(&w->line, n++);
		add_number(w, child + 1);
		flush(w);
	}
	buf_putc(&w->line, ']');
	if (put_ticks(w, i) < 0)
		return -1;
	buf_putc(&w->line, '}');
	flush(w);
	return 0;
}

static int
put_nodes(struct writer *w)
{
	size_t i;

	buf_puts(&w->line, "{\"nodes\":[");
	for (i = 0; i < w->nodes.nodes.n; i++)
		if (put_node(w, i) < 0)
			return -1;
	buf_puts(&w->line, "],\n");
	return 0;
}

/* ---- samples ---- */

static int
put_node_of(struct writer *w, const struct track_sample *s, num v)
{
	(void)v;
	add_number(w, stack_tree_node(&w->nodes, s->ctx, function_of, w) + 1);
	return 0;
}

static int
put_time_of(struct writer *w, const struct track_sample *s, num v)
{
	(void)s;
	return tracks_number(&w->tracks, &w->line, v, &w->scale);
}

/* Calls put() for each sample that has a value, with commas between them, in an array that
 * has `n` numbers already. */
static int
each_sample(struct writer *w, size_t n,
    int (*put)(struct writer *, const struct track_sample *, num))
{
	size_t i, k;

	for (i = 0; i < w->tracks.n; i++) {
		const struct track *track = &w->tracks.v[i];
		const size_t event = tracks_main_event(&w->tracks, track->part);

		begin_track(w, i);
		for (k = 0; k < track->n; k++) {
			if (!track->sample[k].value[event])
				continue;
			json_comma(&w->line, n++);
			if (put(w, &track->sample[k], track->sample[k].value[event]) < 0)
				return -1;
			flush(w);
		}
	}
	return 0;
}

/* Writes the events of times and hits for our own reader. */
static void
put_own(struct writer *w)
{
	struct buf *b = &w->line;

	if (!w->event)
		return;
	buf_puts(b, ",\n\"prof\":{\"event\":");
	json_string(b, w->event->col[EVENT_NAME].t);
	buf_puts(b, ",\"unit\":");
	json_string(b, event_scale(w->event) > 1 && tracks_nanoseconds(w->event) ?
	    TEXT("ns") : w->event->col[EVENT_UNIT].t);
	buf_puts(b, w->hits ? ",\"hits\":\"samples\"}" : "}");
}

static int
put_samples(struct writer *w)
{
	struct buf *b = &w->line;

	buf_puts(b, "\"startTime\":0,\"endTime\":");
	if (tracks_number(&w->tracks, b, w->sum, &w->scale) < 0)
		return -1;
	buf_puts(b, ",\n\"samples\":[");
	each_sample(w, 0, put_node_of);
	/* The root's ends the last one.  Alone it would be one, without an event to
	 * state that it has no cost. */
	if (w->event)
		buf_puts(b, w->sum ? ",1" : "1");
	buf_puts(b, w->event ? "],\n\"timeDeltas\":[0" : "],\n\"timeDeltas\":[");
	if (each_sample(w, 1, put_time_of) < 0)
		return -1;
	buf_puts(b, "]");
	put_own(w);
	buf_puts(b, "}\n");
	flush(w);
	return 0;
}

/* ---- the events ---- */

/* A unit other than time is written as if it were microseconds. */
static void
choose_scale(struct writer *w, const struct record *event)
{
	const uint64_t ns = tracks_nanoseconds(event);

	w->scale = ns ? (struct track_scale){ ns, 3 } : (struct track_scale){ 1, 0 };
	if (ns)
		return;
	loss_add(w->e.loss, "units of events (1 is written as a microsecond)");
	if (event_scale(event) > 1)
		loss_add(w->e.loss, "scales of events");
}

static int
check_event(struct writer *w, const struct record *first, const struct record *event)
{
	const struct text a = first->col[EVENT_NAME].t, b = event->col[EVENT_NAME].t;

	if (text_eq(a, b))
		return event_check_units(first, event, w->e.diag);
	return encode_fail(&w->e, "parts have different events, %s and %s: choose one with "
	    "--events", QUOTE(a), QUOTE(b));
}

/* Chooses the events; all parts must have the event of the first one. */
static int
choose_events(struct writer *w)
{
	const struct track_part *part = NULL;
	const struct record *event;
	size_t i, k;

	w->scale = (struct track_scale){ 1, 0 };
	w->hits = w->tracks.n > 0;
	for (i = 0; i < w->tracks.n; i++)
		w->hits &= hits_event(w, w->tracks.v[i].part) <
		    w->tracks.v[i].part->events.measured;
	for (i = 0; i < w->tracks.n; i++) {
		if (part == w->tracks.v[i].part)
			continue;
		part = w->tracks.v[i].part;
		event = events_at(&part->events, tracks_main_event(&w->tracks, part));
		for (k = 1 + w->hits; k < part->events.measured; k++)
			loss_add(w->e.loss, "further events");
		if (!w->event)
			choose_scale(w, w->event = event);
		if (check_event(w, w->event, event) < 0)
			return -1;
	}
	return 0;
}

static int
write_all(struct tracks *t)
{
	struct writer *w = (struct writer *)t;

	return choose_events(w) < 0 || make_tree(w) < 0 || put_nodes(w) < 0 ? -1 :
	    put_samples(w);
}

/* ---- the sink ---- */

static void
free_writer(struct tracks *t)
{
	struct writer *w = (struct writer *)t;

	functions_free(&w->functions);
	stack_tree_free(&w->nodes);
	free(w->child);
	free(w->sibling);
	sums_free(&w->ticks);
	free(w->tick);
	free(w->next_tick);
	free(w->called_from);
	name_index_free(&w->places);
	buf_free(&w->line);
}

struct sink *
cpuprofile_encode(const struct encode *e)
{
	struct writer *w = mem_alloc(1, sizeof *w);

	w->e = *e;
	tracks_init(&w->tracks, &w->e);
	w->tracks.write = write_all;
	w->tracks.free = free_writer;
	functions_init(&w->functions, &w->e, FRAME_LEAF_LINES);
	stack_tree_init(&w->nodes, e->dict);
	sums_init(&w->ticks, TICK_KEYS, 1);
	return &w->tracks.parts.sink;
}
