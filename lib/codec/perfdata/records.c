/* SPDX-License-Identifier: ISC */
/*
 * Splits bytes into records.  Those with a time wait for their turn, all others are put at
 * once.
 */
#include "perfdata.h"

#include <inttypes.h>
#include <stdlib.h>

#include "io/zip.h"
#include "util/mem.h"

#define CHUNK ((size_t)1 << 20)
#define TYPES_MOST 999		/* perf has some 90 */

static int read_chunk(struct perfdata *pd, struct cutter *cut, struct chunk *c);

/* ---- compressed records ---- */

/* Decompresses a piece of the stream that all compressed records form together.  The result
 * is records, and one may continue in the next piece. */
static int
unpack(struct perfdata *pd, struct cutter *cut, struct bytes piece)
{
	struct zip_span s = { .in = piece.p, .nin = bytes_left(&piece) };
	const char *why = NULL;
	int ret = 0;

	if (cut == &pd->packed)
		return perf_fail(pd, "a packed record is in a packed one");
	if (!pd->unzip)
		pd->unzip = unzip_new(ZIP_ZSTD);
	do {
		const size_t rest = pd->packed.rest.n;
		struct chunk *c = pd_chunk_new(rest + CHUNK);

		memcpy(c->s, pd->packed.rest.s ? pd->packed.rest.s : "", rest);
		s.out = c->s + rest;
		s.nout = CHUNK;
		if (unzip_step(pd->unzip, &s, &why) < 0)
			ret = perf_fail(pd, "what is packed is malformed: %s", why);
		c = pd_chunk_fit(c, rest + CHUNK - s.nout);
		if (ret == 0)
			ret = read_chunk(pd, &pd->packed, c);
		pd_chunk_drop(&pd->order, c);
	} while (ret == 0 && (s.nin || !s.nout));
	return ret;
}

static int
unpack_sized(struct perfdata *pd, struct cutter *cut, struct bytes body)
{
	const uint64_t n = bytes_u64(&body);
	struct bytes piece = bytes_take(&body, n);

	return piece.ended ? perf_fail(pd, "packed data of %" PRIu64 " bytes are not in their "
	    "record", n) : unpack(pd, cut, piece);
}

/* ---- perf's own records ---- */

static int
add_event(struct perfdata *pd, struct bytes body)
{
	uint32_t size;

	if (perf_events_add(pd, body, &size) < 0)
		return -1;
	bytes_skip(&body, size);
	perf_events_add_ids(&pd->events, pd->events.n - 1, body);
	return 0;
}

/* Takes an update of an event after its attributes. */
static int
update_event(struct perfdata *pd, struct bytes body)
{
	enum { UPDATE_NAME = 2 };
	const uint64_t type = bytes_u64(&body), id = bytes_u64(&body);
	size_t of;

	return type == UPDATE_NAME && perf_events_find(&pd->events, id, &of) && !body.ended ?
	    perf_events_name(pd, of, bytes_text(&body)) : 0;
}

static uint64_t
padded(uint64_t n)
{
	return (n + 7) & ~(uint64_t)7;
}

static int
refuse_stat(struct perfdata *pd)
{
	return perf_fail(pd, "counts of 'perf stat record', which have no samples");
}

/* Puts a record of perf's own.  Bytes after it that are not records are skipped. */
static int
put_own(struct perfdata *pd, struct cutter *cut, const struct perf_record *r)
{
	struct bytes b = r->body;
	uint64_t feature;

	switch (r->type) {
	case R_ATTR:
		return add_event(pd, b);
	case R_FEATURE:
		feature = bytes_u64(&b);
		return perf_feature(pd, feature, b);
	case R_EVENT_UPDATE:
		return update_event(pd, b);
	case R_BUILD_ID: {
		struct perf_record copy = *r;

		pd_places_record(pd, &copy);
		return 0;
	}
	case R_FINISHED_ROUND:	/* a round of one file says nothing of the others */
		return pd->siblings.n ? 0 : pd_order_round(pd);
	case R_COMPRESSED:
		return unpack(pd, cut, b);
	case R_COMPRESSED2:
		return unpack_sized(pd, cut, b);
	case R_TRACING_DATA:
		cut->skip = padded(bytes_u32(&b));
		return 0;
	case R_AUXTRACE:
		cut->skip = bytes_u64(&b);
		pd->count[HARDWARE_TRACES]++;
		return 0;
	case R_STAT: case R_STAT_CONFIG: case R_STAT_ROUND:
		return refuse_stat(pd);
	case R_EVENT_TYPE: case R_ID_INDEX: case R_AUXTRACE_INFO: case R_AUXTRACE_ERROR:
	case R_THREAD_MAP: case R_CPU_MAP: case R_TIME_CONV: case R_FINISHED_INIT:
		return 0;
	default:
		if (r->type > TYPES_MOST)
			return perf_fail(pd, "no record: its type is %#x", r->type);
		pd->count[UNKNOWN_RECORDS]++;
		return 0;
	}
}

/* ---- splitting ---- */

struct perf_record
perf_record_at(const char *p, bool swap)
{
	struct bytes b = bytes_of(p, RECORD_HEADER, swap);
	struct perf_record r = { .type = bytes_u32(&b) };
	uint16_t size;

	r.misc = bytes_u16(&b);
	size = bytes_u16(&b);
	r.body = bytes_of(p + RECORD_HEADER, size - (size_t)RECORD_HEADER, swap);
	return r;
}

static int
put_record(struct perfdata *pd, struct cutter *cut, const char *p, struct chunk *c)
{
	const struct perf_record r = perf_record_at(p, pd->swap);
	uint64_t time;

	if (r.type >= R_KERNEL_END)
		return put_own(pd, cut, &r);
	time = pd_record_time(pd, &r);
	return time && time != UINT64_MAX ? pd_order_add(pd, time, p, c) :
	    pd->put(pd, p);
}

static uint16_t
size_of(const struct perfdata *pd, const char *p)
{
	uint16_t size;

	memcpy(&size, p + 6, sizeof size);
	return pd->swap ? __builtin_bswap16(size) : size;
}

/* Puts all records of a chunk, and keeps the beginning of an incomplete one. */
static int
read_chunk(struct perfdata *pd, struct cutter *cut, struct chunk *c)
{
	const char *p = c->s, *end = c->s + c->n;
	size_t size;

	cut->rest.n = 0;
	for (;;) {
		const size_t skip = cut->skip < (size_t)(end - p) ? (size_t)cut->skip :
		    (size_t)(end - p);

		cut->skip -= skip;
		cut->at += skip;
		p += skip;
		if (end - p < RECORD_HEADER)
			break;
		size = size_of(pd, p);
		pd->at = pd->file.at;
		pd->of = pd->file.of;
		if (size < RECORD_HEADER)
			return perf_fail(pd, "a record of %zu bytes", size);
		if ((size_t)(end - p) < size)
			break;
		if (put_record(pd, cut, p, c) < 0)
			return -1;
		cut->at += size;
		p += size;
	}
	buf_add(&cut->rest, p, (size_t)(end - p));
	return 0;
}

/* Handles an incomplete record at the end of the file. */
static int
check_end(struct perfdata *pd)
{
	const struct cutter *cut = &pd->file;

	pd->at = cut->at;
	pd->of = cut->of;
	if (cut->rest.n || cut->skip)
		return perf_cut(pd, "the recording is cut in a record");
	if (pd->packed.rest.n)
		return perf_cut(pd, "the recording is cut in a packed record");
	return 0;
}

/* Reads the next bytes, after the beginning of a record; 0 at the end. */
static long
next_chunk(struct perfdata *pd, uint64_t *at, uint64_t *n, struct chunk **c)
{
	const size_t rest = pd->file.rest.n;
	const size_t most = *n < CHUNK ? (size_t)*n : CHUNK;
	const char *p;
	size_t got;
	long r;

	if (*at == NO_OFFSET) {
		if ((r = in_block(pd->source.in, &p, &got)) <= 0)
			return r;
		*c = pd_chunk_new(rest + got);
		memcpy((*c)->s + rest, p, got);
	} else {
		*c = pd_chunk_new(rest + most);
		if ((r = pd_source_read(&pd->source, (*c)->s + rest, most, *at)) <= 0) {
			pd_chunk_drop(&pd->order, *c);
			return r;
		}
		got = (size_t)r;
		*at += got;
		*n -= got;
	}
	memcpy((*c)->s, rest ? pd->file.rest.s : "", rest);
	(*c)->n = rest + got;
	return 1;
}

int
perf_records_read(struct perfdata *pd, uint64_t at, uint64_t n)
{
	const uint64_t wanted = n;
	struct chunk *c;
	long more;
	int ret = 0;

	unzip_free(pd->unzip);		/* each file has a packed stream of its own */
	pd->unzip = NULL;
	pd->file.rest.n = pd->packed.rest.n = 0;
	pd->file.at = at == NO_OFFSET ? 0 : at;
	pd->file.skip = at == NO_OFFSET ? PIPE_HEADER : 0;
	while (ret == 0 && (more = next_chunk(pd, &at, &n, &c)) != 0) {
		if (more < 0)
			return -1;
		ret = read_chunk(pd, &pd->file, c);
		pd_chunk_drop(&pd->order, c);
	}
	if (ret == 0 && n && wanted != UINT64_MAX) {
		pd->at = at;
		ret = perf_cut(pd, "%" PRIu64 " of %" PRIu64 " bytes of data are "
		    "missing", n, wanted);
	}
	return ret < 0 ? -1 : check_end(pd);
}
