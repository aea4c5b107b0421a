/* SPDX-License-Identifier: ISC */
/* The header of a file, its events and the sections that describe the recording. */
#include "perfdata.h"

#include <inttypes.h>
#include <stdlib.h>

#include "util/fence.h"
#include "util/mem.h"

#define HEADER 104		/* bytes, with a bit for each feature */
#define HEADER_OLD 72		/* without that */
#define FEATURES 256
#define SECTION_MOST ((uint64_t)64 << 20)	/* bytes that are read at once */

/* ---- sections ---- */

/* Reads n bytes at an offset into *b, whose memory is *to; empty if they are missing and
 * that is accepted. */
static int
read_at(struct perfdata *pd, uint64_t at, uint64_t n, struct buf *to, struct bytes *b)
{
	long got;

	*b = bytes_of("", 0, pd->swap);
	pd->at = at;
	if (at > pd->source.size || n > pd->source.size - at)
		return perf_cut(pd, "a section of %" PRIu64 " bytes at byte %" PRIu64
		    " is missing", n, at);
	if (n > SECTION_MOST)
		return perf_fail(pd, "a section of %" PRIu64 " bytes", n);
	to->n = 0;
	buf_room(to, (size_t)n);
	fence_lift(to->s, to->cap);
	if ((got = pd_source_read(&pd->source, to->s, (size_t)n, at)) < 0)
		return -1;
	fence_put(to->s + got, to->cap - (size_t)got);
	*b = bytes_of(to->s, (size_t)got, pd->swap);
	return 0;
}

/* Reads records of build IDs, each with its size. */
static void
read_build_ids(struct perfdata *pd, struct bytes *b)
{
	while (bytes_left(b) >= RECORD_HEADER) {
		struct perf_record r = { .type = bytes_u32(b) };
		uint16_t size;

		r.misc = bytes_u16(b);
		size = bytes_u16(b);
		if (size < RECORD_HEADER)
			break;
		r.body = bytes_take(b, size - RECORD_HEADER);
		pd_places_record(pd, &r);
	}
}

static int
read_event_names(struct perfdata *pd, struct bytes *b)
{
	const uint32_t n = bytes_u32(b), size = bytes_u32(b);
	int ret = 0;
	uint32_t i;

	for (i = 0; i < n && !b->ended && ret == 0; i++) {
		uint32_t ids;
		struct text name;

		bytes_skip(b, size);
		ids = bytes_u32(b);
		name = bytes_sized_text(b);
		if (!b->ended && name.n)
			ret = perf_events_name(pd, i, name);
		bytes_skip(b, 8 * (uint64_t)ids);
	}
	return ret;
}

/* Reads the capabilities of the processor's counters: how many calls it keeps. */
static void
read_caps(struct perfdata *pd, struct bytes *b)
{
	uint32_t n;
	num most;

	for (n = bytes_u32(b); n && !b->ended; n--) {
		const struct text name = bytes_sized_text(b), value = bytes_sized_text(b);

		if (text_is(name, "branches") && num_is_canonical(value) &&
		    num_get_num(value.s, value.n, &most) == 0 && most > 0 && most <= UINT16_MAX)
			pd->branches_most = (uint64_t)most;
	}
}

/* The same of several units, each with its name. */
static void
read_all_caps(struct perfdata *pd, struct bytes *b)
{
	uint32_t n;

	for (n = bytes_u32(b); n && !b->ended; n--) {
		read_caps(pd, b);
		bytes_sized_text(b);
	}
}

int
perf_feature(struct perfdata *pd, uint64_t feature, struct bytes b)
{
	switch (feature) {
	case F_BUILD_ID:
		read_build_ids(pd, &b);
		return 0;
	case F_EVENT_DESC:
		return read_event_names(pd, &b);
	case F_DIR_FORMAT:	/* its version; 0: all records are in this file */
		pd->siblings.are = bytes_u64(&b) ? SIBLINGS_SURE : SIBLINGS_NONE;
		return 0;
	case F_CPU_PMU_CAPS:
		read_caps(pd, &b);
		return 0;
	case F_PMU_CAPS:
		read_all_caps(pd, &b);
		return 0;
	default:
		return pd_facts_section(pd, feature, b);
	}
}

/* Does the file end with the recording, within less than a word?  Another recording may
 * have been appended. */
static int
check_end(struct perfdata *pd, uint64_t end)
{
	pd->at = end;
	return end + 8 <= pd->source.size && !decode_is_lenient(pd->d) ? perf_fail(pd, "%" PRIu64
	    " bytes follow the end of the recording: put a second recording into a file "
	    "of its own", pd->source.size - end) : 0;
}

/* Reads the table of sections, which comes after the data: one for each bit that is set. */
static int
read_features(struct perfdata *pd, const uint64_t *bits, uint64_t at)
{
	uint64_t end = at;
	struct buf table = { 0 }, section = { 0 };
	struct bytes b, s;
	uint64_t n = 0, i;
	int ret;

	for (i = 0; i < FEATURES; i++)
		n += bits[i / 64] >> i % 64 & 1;
	ret = n ? read_at(pd, at, 16 * n, &table, &b) : 0;
	end += 16 * n;
	for (i = 0; i < FEATURES && ret == 0 && n; i++) {
		uint64_t from, size;

		if (!(bits[i / 64] >> i % 64 & 1))
			continue;
		from = bytes_u64(&b);
		size = bytes_u64(&b);
		if (size && (ret = read_at(pd, from, size, &section, &s)) == 0)
			ret = perf_feature(pd, i, s);
		if (from + size > end)
			end = from + size;
	}
	if (ret == 0)
		ret = check_end(pd, end);
	buf_free(&table);
	buf_free(&section);
	return ret;
}

/* ---- events ---- */

/* Gives the last event its ids.  All ids together cannot have more bytes than the file,
 * unless several events share them: *left. */
static int
read_ids(struct perfdata *pd, uint64_t at, uint64_t n, uint64_t *left)
{
	struct buf list = { 0 };
	struct bytes ids;
	int ret = n <= *left ? read_at(pd, at, n, &list, &ids) :
	    perf_fail(pd, "the ids of events have more bytes than the file");

	if (ret == 0) {
		perf_events_add_ids(&pd->events, pd->events.n - 1, ids);
		*left -= n;
	}
	buf_free(&list);
	return ret;
}

/* Reads entries: an event's attributes, and where its ids are. */
static int
read_attrs(struct perfdata *pd, uint64_t at, uint64_t n, uint64_t size)
{
	uint64_t left = pd->source.size;
	struct buf all = { 0 };
	struct bytes b;
	int ret;

	if (size < 64 + 16 || n / size > FEATURES * 16)
		return perf_fail(pd, "%" PRIu64 " bytes of events, each of %" PRIu64, n, size);
	ret = read_at(pd, at, n, &all, &b);
	while (ret == 0 && bytes_left(&b) >= size) {
		struct bytes entry = bytes_take(&b, size - 16);
		const uint64_t from = bytes_u64(&b), many = bytes_u64(&b);
		uint32_t own;

		if ((ret = perf_events_add(pd, entry, &own)) == 0 && many)
			ret = read_ids(pd, from, many, &left);
	}
	buf_free(&all);
	return ret;
}

/* ---- the header ---- */

/* Orders the bits, an array of words of the machine.  From a machine with the other byte
 * order and words of 32 bits, the halves of each number of 64 bits are exchanged.  Every
 * perf sets the bit of the host's name. */
static void
order_bits(uint64_t *bits)
{
	int i;

	if (bits[0] >> F_HOSTNAME & 1)
		return;
	for (i = 0; i < 4; i++)
		bits[i] = bits[i] >> 32 | bits[i] << 32;
	if (bits[0] >> F_HOSTNAME & 1)
		return;
	memset(bits, 0, 4 * sizeof *bits);
	bits[0] = 1 << F_BUILD_ID;
}

int
perf_header_read(struct perfdata *pd, uint64_t *at, uint64_t *n)
{
	uint64_t size, attr_size, attrs, nattrs, bits[4] = { 0 };
	struct buf head = { 0 };
	struct bytes b;
	int ret, i;

	if ((ret = read_at(pd, 0, HEADER_OLD, &head, &b)) == 0) {
		bytes_skip(&b, 8);
		size = bytes_u64(&b);
		attr_size = bytes_u64(&b);
		attrs = bytes_u64(&b);
		nattrs = bytes_u64(&b);
		*at = bytes_u64(&b);
		*n = bytes_u64(&b);
		if (size >= HEADER && (ret = read_at(pd, HEADER_OLD, HEADER - HEADER_OLD, &head,
		    &b)) == 0) {
			for (i = 0; i < 4; i++)
				bits[i] = bytes_u64(&b);
			if (pd->swap)
				order_bits(bits);
		}
	}
	if (ret == 0)
		ret = read_attrs(pd, attrs, nattrs, attr_size);
	if (ret == 0 && !*n) {		/* perf was killed before it wrote the size */
		diag_say(pd->d->diag, DIAG_WARN, "perf record was interrupted: the "
		    "recording has no names of events or of the machine");
		*n = UINT64_MAX;
		pd->siblings.are = SIBLINGS_MAYBE;
	} else if (ret == 0) {
		ret = *n > UINT64_MAX - *at ? perf_fail(pd, "data of %" PRIu64 " bytes", *n) :
		    read_features(pd, bits, *at + *n);
	}
	buf_free(&head);
	return ret;
}
