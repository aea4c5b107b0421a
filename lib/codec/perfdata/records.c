/* SPDX-License-Identifier: ISC */
/*
 * Splits bytes into records.  Those with a time wait for their turn, all others are put at
 * once.
 */
#include "perfdata.h"

#include <inttypes.h>
#include <stdlib.h>

#include "io/zip.h"
#include "util/fence.h"
#include "util/mem.h"

#define CHUNK ((size_t)1 << 20)
#define TYPES_MOST 999		/* perf has some 90 */
#define UNPACKED_MOST ((uint64_t)64 << 20)	/* bytes of a small recording, unpacked; */
#define UNPACKED_RATIO 1024	/* of stacks of 64 KiB some 400 are packed into one */

static int read_chunk(struct perfdata *pd, struct reader *r, struct cutter *cut,
    struct chunk *c);

/* ---- compressed records ---- */

/* The time must be in proportion to the bytes that were read. */
static int
check_unpacked(struct perfdata *pd, uint64_t n)
{
	pd->unpacked += n;
	return pd->unpacked <= UNPACKED_MOST + UNPACKED_RATIO * pd->bytes ? 0 : perf_fail(pd,
	    "%" PRIu64 " bytes of compressed records expand to more than %" PRIu64 " bytes, which "
	    "perf does not write", pd->bytes, pd->unpacked);
}

/* Decompresses a piece of the stream that all compressed records form together.  The result
 * is records, and one may continue in the next piece. */
static int
unpack(struct perfdata *pd, struct reader *r, struct cutter *cut, struct bytes piece)
{
	struct zip_span s = { .in = piece.p, .nin = bytes_left(&piece) };
	const char *why = NULL;
	int ret = 0;

	if (cut == &r->packed)
		return perf_fail(pd, "a compressed record is inside a compressed one");
	if (!r->unzip)
		r->unzip = unzip_new(ZIP_ZSTD);
	do {
		const size_t rest = r->packed.rest.n;
		struct chunk *c = pd_chunk_new(rest + CHUNK);

		memcpy(c->s, r->packed.rest.s ? r->packed.rest.s : "", rest);
		s.out = c->s + rest;
		s.nout = CHUNK;
		if (unzip_step(r->unzip, &s, &why) < 0)
			ret = perf_fail(pd, "malformed compressed records: %s", why);
		c = pd_chunk_fit(c, rest + CHUNK - s.nout);
		if (ret == 0)
			ret = check_unpacked(pd, CHUNK - s.nout);
		if (ret == 0)
			ret = read_chunk(pd, r, &r->packed, c);
		pd_chunk_drop(&pd->order, c);
	} while (ret == 0 && (s.nin || !s.nout));
	return ret;
}

static int
unpack_sized(struct perfdata *pd, struct reader *r, struct cutter *cut, struct bytes body)
{
	const uint64_t n = bytes_u64(&body);
	struct bytes piece = bytes_take(&body, n);

	return piece.ended ? perf_fail(pd, "compressed data of %" PRIu64 " bytes end "
	    "beyond their record", n) : unpack(pd, r, cut, piece);
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
put_own(struct perfdata *pd, struct reader *from, struct cutter *cut, const struct perf_record *r)
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
		return unpack(pd, from, cut, b);
	case R_COMPRESSED2:
		return unpack_sized(pd, from, cut, b);
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
			return perf_fail(pd, "not a record: its type is %#x", r->type);
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
put_record(struct perfdata *pd, struct reader *from, struct cutter *cut, const char *p,
    struct chunk *c)
{
	const struct perf_record r = perf_record_at(p, pd->swap);
	uint64_t time;

	if (r.type >= R_KERNEL_END)
		return put_own(pd, from, cut, &r);
	time = pd_record_time(pd, &r);
	if (!time || time == UINT64_MAX)
		return pd->put(pd, p);
	if (time > from->newest)
		from->newest = time;
	return pd_order_add(pd, time, p, c);
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
read_chunk(struct perfdata *pd, struct reader *r, struct cutter *cut, struct chunk *c)
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
		pd->at = r->file.at;
		pd->of = r->of;
		if (size < RECORD_HEADER)
			return perf_fail(pd, "a record of %zu bytes", size);
		if ((size_t)(end - p) < size)
			break;
		if (put_record(pd, r, cut, p, c) < 0)
			return -1;
		cut->at += size;
		p += size;
	}
	buf_add(&cut->rest, p, (size_t)(end - p));
	return 0;
}

/* ---- reading ---- */

struct reader
pd_reader_make(struct source s, uint64_t at, uint64_t n)
{
	const bool piped = at == NO_OFFSET;

	return (struct reader){ .source = s, .next = at, .left = n, .all = n,
	    .piece = CHUNK, .file = { .at = piped ? 0 : at, .skip = piped ? PIPE_HEADER : 0 } };
}

void
pd_reader_free(struct reader *r)
{
	buf_free(&r->file.rest);
	buf_free(&r->packed.rest);
	unzip_free(r->unzip);
	r->unzip = NULL;
}

/* Handles missing bytes and an incomplete record at the end of the file. */
static int
check_end(struct perfdata *pd, const struct reader *r)
{
	pd->of = r->of;
	pd->at = r->next;
	if (r->left && r->all != UINT64_MAX && perf_cut(pd, "%" PRIu64 " of %" PRIu64 " bytes of "
	    "data are missing", r->left, r->all) < 0)
		return -1;
	pd->at = r->file.at;
	if (r->file.rest.n || r->file.skip)
		return perf_cut(pd, "the recording is truncated in a record");
	if (r->packed.rest.n)
		return perf_cut(pd, "the recording is truncated in a compressed record");
	return 0;
}

/* Reads the next bytes, after the beginning of a record; 0 at the end. */
static long
next_chunk(struct perfdata *pd, struct reader *r, struct chunk **c)
{
	const size_t rest = r->file.rest.n;
	const size_t most = r->left < r->piece ? (size_t)r->left : r->piece;
	const char *p;
	size_t got;
	long ret;

	if (r->next == NO_OFFSET) {
		if ((ret = in_block(r->source.in, &p, &got)) <= 0)
			return ret;
		*c = pd_chunk_new(rest + got);
		memcpy((*c)->s + rest, p, got);
	} else {
		*c = pd_chunk_new(rest + most);
		if ((ret = pd_source_read(&r->source, (*c)->s + rest, most, r->next)) <= 0) {
			pd_chunk_drop(&pd->order, *c);
			return ret;
		}
		got = (size_t)ret;
		r->next += got;
		r->left -= got;
	}
	memcpy((*c)->s, rest ? r->file.rest.s : "", rest);
	(*c)->n = rest + got;
	fence_put((*c)->s + (*c)->n, (*c)->cap - (*c)->n);
	pd->bytes += got;
	return 1;
}

int
pd_reader_step(struct perfdata *pd, struct reader *r)
{
	struct chunk *c;
	const long more = next_chunk(pd, r, &c);
	int ret;

	if (more <= 0)
		return more < 0 ? -1 : check_end(pd, r);
	ret = read_chunk(pd, r, &r->file, c);
	pd_chunk_drop(&pd->order, c);
	return ret < 0 ? -1 : 1;
}
