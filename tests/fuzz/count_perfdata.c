/* SPDX-License-Identifier: ISC */
/* Recordings of perf that are not packed: samples of each event, and their periods. */
#include "count.h"

enum { EVENTS = 64, IDS = 256 };
enum { TYPE_SAMPLE = 9, TYPE_ATTR = 64, TYPE_TRACING = 66, TYPE_AUXTRACE = 71, TYPE_PACKED = 81,
	TYPE_PACKED2 = 83 };
enum { HAS_IP = 1, HAS_TID = 2, HAS_TIME = 4, HAS_ADDR = 8, HAS_READ = 0x10, HAS_ID = 0x40,
	HAS_CPU = 0x80, HAS_PERIOD = 0x100, HAS_STREAM = 0x200, HAS_IDENTIFIER = 0x10000 };

struct reader {
	const unsigned char *p;
	uint64_t n, at;
	bool big;
	struct event { uint64_t period, fields, format; bool frequency; uint64_t samples;
		wide sum; } event[EVENTS];
	struct id { uint64_t id; size_t event; } id[IDS];
	size_t nevent, nid;
};

/* The number of so many bytes at an offset; 0 beyond the end. */
static uint64_t
number(const struct reader *rd, uint64_t at, unsigned bytes)
{
	uint64_t v = 0;
	unsigned i;

	if (at > rd->n || bytes > rd->n - at)
		return 0;
	for (i = 0; i < bytes; i++)
		v |= (uint64_t)rd->p[at + i] << 8 * (rd->big ? bytes - 1 - i : i);
	return v;
}

/* Attributes at an offset: their own size, 0 if there is no room for them.  The bit that says
 * frequency is the 10th of the flags, from the other end of its byte on big machines. */
static uint64_t
read_event(struct reader *rd, uint64_t at)
{
	struct event *e = &rd->event[rd->nevent];
	const uint64_t size = number(rd, at + 4, 4);

	if (rd->nevent++ == EVENTS)
		return 0;
	*e = (struct event){ .period = number(rd, at + 16, 8), .fields = number(rd, at + 24, 8),
	    .format = number(rd, at + 32, 8) };
	if (at + 42 <= rd->n)
		e->frequency = rd->p[at + 41] & (rd->big ? 0x20 : 0x04);
	return size ? size : 64;
}

static bool
read_ids(struct reader *rd, uint64_t at, uint64_t bytes)
{
	for (; bytes >= 8; bytes -= 8, at += 8) {
		if (rd->nid == IDS)
			return false;
		rd->id[rd->nid++] = (struct id){ number(rd, at, 8), rd->nevent - 1 };
	}
	return true;
}

static unsigned
words(uint64_t fields)
{
	return (unsigned)__builtin_popcountll(fields);
}

/* The event of a sample; NULL: one that is not known. */
static struct event *
event_of(struct reader *rd, uint64_t at)
{
	const uint64_t has = rd->event[0].fields;
	uint64_t id = 0;
	size_t i;

	if (has & HAS_IDENTIFIER)
		id = number(rd, at, 8);
	else if (has & HAS_ID)
		id = number(rd, at + 8 * words(has & (HAS_IP | HAS_TID | HAS_TIME | HAS_ADDR)), 8);
	for (i = rd->nid; i--; )
		if (rd->id[i].id == id)
			return &rd->event[rd->id[i].event];
	return id && rd->nevent > 1 ? NULL : &rd->event[0];
}

static bool
read_sample(struct reader *rd, uint64_t at)
{
	struct event *e = event_of(rd, at);
	const uint64_t before = HAS_IDENTIFIER | HAS_IP | HAS_TID | HAS_TIME | HAS_ADDR | HAS_ID |
	    HAS_STREAM | HAS_CPU;

	if (!e)
		return true;
	if (e->fields & HAS_READ && e->format & 8)
		return false;		/* a group */
	e->samples++;
	e->sum += e->fields & HAS_PERIOD ? number(rd, at + 8 * words(e->fields & before), 8) :
	    e->frequency ? 0 : e->period;
	return true;
}

/* The events that have samples, each with their number and the sum of their periods. */
static void
tell(const struct reader *rd, struct count *c)
{
	size_t i, column = 0;

	*c = (struct count){ .known = true, .added_up = true };
	for (i = 0; i < rd->nevent && column + 1 < COUNT_SUMS; i++) {
		if (!rd->event[i].samples)
			continue;
		c->sums |= 3u << column;
		c->sum[column++] = rd->event[i].samples;
		c->sum[column++] = rd->event[i].sum;
	}
}

static bool
read_records(struct reader *rd, uint64_t end)
{
	bool began = false;

	while (rd->at + 8 <= end) {
		const uint64_t type = number(rd, rd->at, 4), size = number(rd, rd->at + 6, 2);
		const uint64_t at = rd->at + 8;
		uint64_t own;

		if (size < 8 || type == TYPE_PACKED || type == TYPE_PACKED2)
			return false;
		rd->at += size;
		if (type == TYPE_ATTR) {
			if (began || !(own = read_event(rd, at)) ||
			    !read_ids(rd, at + own, rd->at > at + own ? rd->at - at - own : 0))
				return false;
		} else if (type == TYPE_SAMPLE) {
			began = true;
			if (!rd->nevent || !read_sample(rd, at))
				return false;
		} else if (type == TYPE_TRACING) {
			rd->at += (number(rd, at, 4) + 7) / 8 * 8;
		} else if (type == TYPE_AUXTRACE) {
			rd->at += number(rd, at, 8);
		}
	}
	return true;
}

/* The header of a file: its events and where its records end. */
static bool
read_header(struct reader *rd, uint64_t *end)
{
	const uint64_t size = number(rd, 16, 8), attrs = number(rd, 24, 8);
	const uint64_t n = number(rd, 32, 8), data = number(rd, 48, 8);
	uint64_t at;

	if (size < 80 || n > rd->n)
		return false;
	for (at = attrs; n - (at - attrs) >= size; at += size)
		if (!read_event(rd, at) || !read_ids(rd, number(rd, at + size - 16, 8),
		    number(rd, at + size - 8, 8)))
			return false;
	rd->at = number(rd, 40, 8);
	if (data)
		*end = rd->at + data;
	return *end <= rd->n;
}

bool
count_perfdata(struct text input, struct counts *c)
{
	static struct reader rd;
	uint64_t end = input.n;

	rd = (struct reader){ .p = (const unsigned char *)input.s, .n = input.n, .at = 16 };
	if (input.n < 16)
		return false;
	rd.big = *rd.p != 'P';
	if ((number(&rd, 8, 8) != 16 && !read_header(&rd, &end)) || !read_records(&rd, end))
		return false;
	tell(&rd, &c->kind[COUNT_SAMPLE]);
	return true;
}
