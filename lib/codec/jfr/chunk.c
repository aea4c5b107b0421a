/* SPDX-License-Identifier: ISC */
/* A chunk: its header, its metadata, its constants, its events.  Events of all kinds stand one
 * after the other, so it is passed through three times. */
#include "jfr.h"

#include <inttypes.h>

enum { EVENT_METADATA, EVENT_CONSTANTS };

enum { FLAG_PACKED = 1 };

#define MAJOR_MOST 2

/* ---- the header ---- */

static int
check_version(struct jfr *j, unsigned major, unsigned minor)
{
	if (major >= 1 && major <= MAJOR_MOST)
		return 0;
	return jfr_fail(j, NULL, major ? "Java Flight Recorder's version %u.%u is not "
	    "supported, only 1.0 to 2.x are" :
	    "a recording of version %u.%u, by Oracle's JDK 7 or 8 or JRockit: record it with "
	    "OpenJDK 8u262 or later, or open it in JDK Mission Control", major, minor);
}

/* Reads the header of the chunk at the beginning of the source. */
static int
read_header(struct jfr *j)
{
	struct jfr_chunk *c = &j->chunk;
	struct bytes b = bytes_of(j->source.buf.s, j->source.buf.n, false);
	unsigned major;

	bytes_skip(&b, 4);
	major = (unsigned)bytes_big(&b, 2);
	if (check_version(j, major, (unsigned)bytes_big(&b, 2)) < 0)
		return -1;
	c->size = bytes_big(&b, 8);
	bytes_skip(&b, 8);
	c->metadata = bytes_big(&b, 8);
	c->start_ns = bytes_big(&b, 8);
	c->duration_ns = bytes_big(&b, 8);
	c->start_ticks = bytes_big(&b, 8);
	c->per_second = bytes_big(&b, 8);
	c->finished = !bytes_big(&b, 1) && c->size;
	bytes_skip(&b, 2);
	c->packed = bytes_big(&b, 1) & FLAG_PACKED;
	if (!c->per_second || c->per_second > INT64_MAX)
		return jfr_bad(j, NULL, "a chunk whose clock has %" PRIu64 " ticks a second",
		    c->per_second);
	return c->size && c->size < CHUNK_HEADER ? jfr_bad(j, NULL, "a chunk of %" PRIu64
	    " bytes", c->size) : 0;
}

/* ---- events ---- */

/* Takes the next event off the chunk: its size, with itself, its type, its fields.  False: it
 * is not whole. */
static bool
next_event(struct bytes *chunk, uint64_t *type, struct bytes *event)
{
	const char *at = chunk->p;
	const uint64_t size = bytes_number(chunk, 4);
	const size_t head = (size_t)(chunk->p - at);

	if (chunk->ended || size <= head)
		return false;
	*event = bytes_take(chunk, size - head);
	*type = bytes_number(event, 8);
	return !chunk->ended && !event->ended;
}

static struct bytes
events_of(const struct jfr_chunk *c)
{
	return (struct bytes){ .p = c->p + CHUNK_HEADER, .end = c->end, .packed = c->packed };
}

/* Passes each event to take(); what is malformed is an error, or is skipped. */
static int
each_event(struct jfr *j, int (*take)(struct jfr *j, uint64_t type, struct bytes event))
{
	struct bytes b = events_of(&j->chunk), event;
	uint64_t type;
	int ret;

	while (bytes_left(&b) && next_event(&b, &type, &event))
		if ((ret = take(j, type, event)) && decode_line_done(j->d, ret) < 0)
			return -1;
	return 0;
}

static int
take_constants(struct jfr *j, uint64_t type, struct bytes event)
{
	return type == EVENT_CONSTANTS ? jfr_pools_read(j, event) : 0;
}

static int
take_sample(struct jfr *j, uint64_t id, struct bytes event)
{
	struct jfr_type *type = id > EVENT_CONSTANTS ? jfr_type_find(&j->types, id) : NULL;

	int ret = 0;

	if (type && type->stack)
		ret = jfr_sample_read(j, type, event);
	return type && ret == 0 ? jfr_fact_read(j, type, event) : ret;
}

/* ---- the chunk ---- */

/* Finds the end of the events.  An unfinished chunk may end in one that is not whole. */
static int
find_end(struct jfr *j)
{
	struct jfr_chunk *c = &j->chunk;
	struct bytes b = events_of(c), event;
	const char *at = b.p;
	uint64_t type;

	while (bytes_left(&b) && next_event(&b, &type, &event))
		at = b.p;
	if (at == c->end)
		return 0;
	c->end = at;
	return c->finished && !j->d->cut ? jfr_bad(j, at, "an event that is malformed, "
	    "or not complete in its chunk") : 0;
}

/* Finds the event of the metadata.  A header that was never completed does not have its place:
 * there may be other events of its type, but none as large. */
static bool
find_metadata(const struct jfr_chunk *c, struct bytes *metadata)
{
	struct bytes b = events_of(c), event;
	uint64_t type;

	*metadata = (struct bytes){ 0 };
	if (c->metadata) {
		if (c->metadata < CHUNK_HEADER || c->metadata >= (size_t)(c->end - c->p))
			return false;
		b.p = c->p + c->metadata;
		return next_event(&b, &type, metadata) && type == EVENT_METADATA;
	}
	while (bytes_left(&b) && next_event(&b, &type, &event))
		if (type == EVENT_METADATA && bytes_left(&event) > bytes_left(metadata))
			*metadata = event;
	return bytes_left(metadata) > 0;
}

static int
read_metadata(struct jfr *j)
{
	struct bytes metadata;

	if (find_metadata(&j->chunk, &metadata))
		return jfr_metadata_read(j, metadata);
	return jfr_bad(j, NULL, j->chunk.finished ? "a chunk without metadata where its "
	    "header says they are" : "an unfinished chunk without metadata, which "
	    "cannot be read");
}

static void
add_duration(struct jfr *j)
{
	const struct jfr_chunk *c = &j->chunk;
	struct jfr_facts *f = &j->facts;
	uint64_t end;

	if (__builtin_add_overflow(c->start_ns, c->duration_ns, &end))
		return;
	if (!f->first || c->start_ns < f->first)
		f->first = c->start_ns;
	if (end > f->last)
		f->last = end;
}

static int
read_events(struct jfr *j)
{
	int ret;

	jfr_types_clear(&j->types);
	jfr_pools_clear(&j->pools);
	add_duration(j);
	if ((ret = find_end(j)) && decode_line_done(j->d, ret) < 0)
		return -1;
	if ((ret = read_metadata(j)))
		return decode_line_done(j->d, ret);
	return each_event(j, take_constants) < 0 ? -1 : each_event(j, take_sample);
}

/* Names and labels may be longer with each chunk. */
static void
allow_text(struct jfr *j)
{
	const uint64_t n = j->text_limit.n;

	limit_text(&j->text_limit, j->source.at + j->source.buf.n);
	j->text_limit.n = n;
}

/* Reads the bytes of the chunk, up to the end of the file if it is not finished, and sets *n
 * to their number. */
static int
fill(struct jfr *j, size_t *n)
{
	struct jfr_chunk *c = &j->chunk;

	if (jfr_source_fill(j, c->finished ? c->size : UINT64_MAX) < 0)
		return -1;
	*n = j->source.buf.n;
	if (c->finished && *n > c->size)
		*n = (size_t)c->size;
	c->p = j->source.buf.s;
	c->end = c->p + *n;
	j->count[COUNT_UNFINISHED] += !c->finished;
	allow_text(j);
	return c->finished && *n < c->size ? decode_cut(j->d, "the recording is "
	    "truncated: %zu of %"
	    PRIu64 " bytes of a chunk are there", *n, c->size) : 0;
}

int
jfr_chunk_read(struct jfr *j, size_t *n)
{
	const struct buf *buf = &j->source.buf;
	int ret;

	if (jfr_source_fill(j, CHUNK_HEADER) < 0)
		return -1;
	*n = buf->n;
	if (!buf->n && j->source.at)
		return 0;
	j->d->at.line = j->source.at;
	j->d->at.bytes = true;
	if (buf->n >= 4 && memcmp(buf->s, CHUNK_MAGIC, 4) != 0)
		ret = jfr_bad(j, NULL, "%s", j->source.at ? "the next bytes are not a "
		    "chunk of a recording" : "not a recording of Java Flight Recorder");
	else if (buf->n < CHUNK_HEADER)
		return decode_cut(j->d, "the recording is truncated in the header of a "
		    "chunk");
	else
		ret = read_header(j);
	if (ret)
		return decode_line_done(j->d, ret);
	return fill(j, n) < 0 || read_events(j) < 0 ? -1 : 1;
}
