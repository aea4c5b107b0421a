/* SPDX-License-Identifier: ISC */
/*
 * Writing speedscope's format: a profile for each event of each track, whose samples are
 * lists of frames, root first, with a weight each.
 */
#include "reader.h"

#include <stdlib.h>

#include "codec/thread_tracks.h"
#include "codec/units.h"
#include "codec/viewer_functions.h"
#include "stream/codec.h"
#include "stream/columns.h"
#include "util/json.h"
#include "util/mem.h"

struct writer {
	struct tracks tracks;
	struct encode e;
	struct functions functions;	/* numbered like the frames */
	bool any;		/* a profile was written */
	uint32_t *frames;
	size_t capframes;
	struct buf line;
};

static void
flush(struct writer *w)
{
	out_write(w->e.out, w->line.s, w->line.n);
	w->line.n = 0;
}

/* ---- frames ---- */

/* Writes a frame.  Two functions of one name are two frames: readers distinguish them by
 * number. */
static void
put_frame(struct writer *w, size_t i)
{
	const uint64_t line = functions_line(&w->functions, i);
	const uint64_t column = functions_column(&w->functions, i);
	const struct text place = functions_place(&w->functions, i);
	struct buf *b = &w->line;

	buf_puts(b, i ? ",\n{\"name\":" : "\n{\"name\":");
	json_string(b, functions_name(&w->functions, i));
	if (place.s) {
		buf_puts(b, ",\"file\":");
		json_string(b, place);
	}
	if (line) {
		buf_puts(b, ",\"line\":");
		json_decimal(b, line, 0);
	}
	if (column) {
		buf_puts(b, ",\"col\":");
		json_decimal(b, column, 0);
	}
	buf_putc(b, '}');
	flush(w);
}

static void
put_frames(struct writer *w)
{
	size_t i;

	for (i = 0; i < w->tracks.n; i++) {
		const struct track *track = &w->tracks.v[i];
		size_t k;

		for (k = 0; k < track->n; k++) {
			functions_of_stack(&w->functions, track->sample[k].ctx);
			if (track->sample[k].time != NO_TIME)
				loss_add(w->e.loss, "times of samples");
		}
	}
	buf_puts(&w->line, "\"shared\":{\"frames\":[");
	for (i = 0; i < w->functions.n; i++)
		put_frame(w, i);
	buf_puts(&w->line, "]},\n");
}

/* ---- profiles ---- */

/* Returns the word for an event's unit, and sets how its values are written. */
static const char *
unit_of(struct writer *w, const struct record *event, struct track_scale *scale)
{
	const char *unit = unit_theirs(event->col[EVENT_UNIT].t);
	const uint64_t ns = tracks_nanoseconds(event);

	*scale = (struct track_scale){ 1, 0 };
	if (ns && event_scale(event) > 1) {
		scale->factor = ns;
		return "nanoseconds";
	}
	if (unit && event_scale(event) == 1)
		return unit;
	tracks_lose_unit(&w->tracks, event);
	return "none";
}

static void
put_stacks(struct writer *w, const struct track *track, size_t event)
{
	const char *before = "\"samples\":[[";
	struct buf *b = &w->line;
	size_t i, k, n;

	for (i = 0; i < track->n; i++) {
		if (!track->sample[i].value[event])
			continue;
		buf_puts(b, before);
		n = columns_frames(w->e.dict, track->sample[i].ctx, &w->frames,
		    &w->capframes);
		for (k = 0; k < n; k++) {
			json_comma(b, k);
			json_decimal(b, functions_of(&w->functions, w->frames[k]), 0);
		}
		buf_putc(b, ']');
		before = ",\n[";
		flush(w);
	}
	buf_puts(b, *before == ',' ? "],\n" : "\"samples\":[],\n");
}

static int
put_weights(struct writer *w, const struct track *track, size_t event,
    const struct track_scale *scale)
{
	size_t i, n = 0;

	buf_puts(&w->line, "\"weights\":[");
	for (i = 0; i < track->n; i++) {
		const num v = track->sample[i].value[event];

		if (!v)
			continue;
		json_comma(&w->line, n++);
		if (tracks_number(&w->tracks, &w->line, v, scale) < 0)
			return -1;
		flush(w);
	}
	buf_puts(&w->line, "]}");
	return 0;
}

/* *sum: of all weights, which must not be negative. */
static int
add_weights(struct writer *w, const struct track *track, size_t event, num *sum)
{
	size_t i;

	for (*sum = 0, i = 0; i < track->n; i++) {
		const num v = track->sample[i].value[event];

		if (v < 0)
			return tracks_refuse_negative(&w->tracks,
			    events_at(&track->part->events, event));
		if (tracks_add(&w->tracks, sum, v) < 0)
			return -1;
	}
	return 0;
}

static int
put_profile(struct writer *w, const struct track *track, size_t event)
{
	const struct record *r = events_at(&track->part->events, event);
	struct buf *b = &w->line, name = { 0 };
	struct track_scale scale;
	num sum, ns;

	if (add_weights(w, track, event, &sum) < 0)
		return -1;
	tracks_name(&w->tracks, track, &name);
	buf_puts(&name, ": ");
	buf_text(&name, r->col[EVENT_NAME].t);
	buf_puts(b, w->any ? ",\n{\"type\":\"sampled\",\"name\":" :
	    "\n{\"type\":\"sampled\",\"name\":");
	json_string(b, buf_as_text(&name));
	buf_free(&name);
	buf_printf(b, ",\"unit\":\"%s\",\"startValue\":0,\"endValue\":",
	    unit_of(w, r, &scale));
	/* Our reader computes in nanoseconds. */
	if (tracks_nanoseconds(r) && num_mul(sum, (num)tracks_nanoseconds(r), &ns) < 0)
		return encode_fail(&w->e, "a sum does not fit 128 bits in nanoseconds");
	if (tracks_number(&w->tracks, b, sum, &scale) < 0)
		return -1;
	buf_puts(b, ",\n");
	provenance_add(b, track, event, (struct text){ 0 });
	buf_puts(b, ",\n");
	put_stacks(w, track, event);
	w->any = true;
	return put_weights(w, track, event, &scale);
}

static int
put_profiles(struct writer *w)
{
	size_t i, k;

	buf_puts(&w->line, "\"profiles\":[");
	for (i = 0; i < w->tracks.n; i++) {
		const struct track *track = &w->tracks.v[i];

		for (k = 0; k < track->part->events.measured; k++)
			if (put_profile(w, track, k) < 0)
				return -1;
	}
	if (!w->any)		/* readers need one */
		buf_puts(&w->line, "\n{\"type\":\"sampled\",\"name\":\"no samples\","
		    "\"unit\":\"none\",\"startValue\":0,\"endValue\":0,\n"
		    "\"samples\":[],\n\"weights\":[]}");
	return 0;
}

/* Returns the number of the profile that is shown first. */
static size_t
active_profile(const struct writer *w)
{
	size_t i, n = 0;

	for (i = 0; i < w->tracks.n; i++) {
		const struct events *e = &w->tracks.v[i].part->events;
		const long at = events_find(e, *w->e.event);

		if (at >= 0)
			return n + (size_t)at;
		n += e->measured;
	}
	return 0;
}

static int
write_all(struct tracks *t)
{
	struct writer *w = (struct writer *)t;
	struct buf *b = &w->line;

	buf_puts(b, "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
	    "\"exporter\":\"prof-to\",\n\"name\":");
	json_string(b, tracks_title(&w->tracks));
	buf_printf(b, ",\n\"activeProfileIndex\":%zu,\n", active_profile(w));
	put_frames(w);
	if (put_profiles(w) < 0)
		return -1;
	buf_puts(b, "]}\n");
	flush(w);
	return 0;
}

/* ---- the sink ---- */

static void
free_writer(struct tracks *t)
{
	struct writer *w = (struct writer *)t;

	functions_free(&w->functions);
	free(w->frames);
	buf_free(&w->line);
}

struct sink *
speedscope_encode(const struct encode *e)
{
	struct writer *w = mem_alloc(1, sizeof *w);

	w->e = *e;
	tracks_init(&w->tracks, &w->e);
	w->tracks.write = write_all;
	w->tracks.free = free_writer;
	w->tracks.threads = true;
	functions_init(&w->functions, &w->e, 0);
	return &w->tracks.parts.sink;
}
