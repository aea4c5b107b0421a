/* SPDX-License-Identifier: ISC */
/* The fields of a sample, in the order of tools/perf/util/evsel.c, evsel__parse_sample(). */
#include "perfdata.h"

#include <inttypes.h>

enum { READ_ENABLED = 1, READ_RUNNING = 2, READ_ID = 4, READ_GROUP = 8, READ_LOST = 16 };
enum { BRANCH_CALL_STACK = 1 << 11, BRANCH_HW_INDEX = 1 << 17, BRANCH_COUNTERS = 1 << 19 };

static unsigned
count_bits(uint64_t v)
{
	unsigned n = 0;

	for (; v; v &= v - 1)	/* few are set, and a call would take longer */
		n++;
	return n;
}

/* ---- the first fields ---- */

/* Reads a number at an offset; 0 if the bytes end before it. */
static inline uint64_t
u64_at(struct bytes b, size_t at)
{
	bytes_skip(&b, at);
	return bytes_u64(&b);
}

static inline uint32_t
u32_at(struct bytes b, size_t at)
{
	bytes_skip(&b, at);
	return bytes_u32(&b);
}

/* ---- its event ---- */

/* Sets the event of a sample: false if it is unknown.  All events have their ids at the same
 * place; with one event there need not be ids. */
static bool
find_event(struct perfdata *pd, struct bytes b, struct perf_sample *s)
{
	const struct perf_attr *a = pd->events.v;
	uint64_t id;

	if (pd->events.n > 1) {
		id = a->sample_type & (S_IDENTIFIER | S_ID) ? u64_at(b, a->at_id) : 0;
		if (!perf_events_find(&pd->events, id, &s->event) && id)
			return false;
	}
	s->attr = &pd->events.v[s->event];
	return true;
}

/* ---- the time of other records ---- */

/* Returns the time in the last fields of a record, which end with the identifier. */
static uint64_t
time_at_end(const struct perf_attr *a, struct bytes b)
{
	const uint64_t after = a->sample_type & (S_ID | S_STREAM_ID | S_CPU | S_IDENTIFIER);
	const size_t from_end = 8 * (1 + count_bits(after));

	if (!(a->flags & ATTR_SAMPLE_ID_ALL) || !(a->sample_type & S_TIME) ||
	    bytes_left(&b) < from_end)
		return 0;
	b.p = b.end - from_end;
	return bytes_u64(&b);
}

/* The thread is the first of these fields. */
uint32_t
pd_record_thread(const struct perfdata *pd, const struct perf_record *r)
{
	const struct perf_attr *a = pd->events.v;
	const uint64_t fields = S_TID | S_TIME | S_ID | S_STREAM_ID | S_CPU | S_IDENTIFIER;
	struct bytes b = r->body;
	size_t from_end;

	if (!pd->events.n || !(a->flags & ATTR_SAMPLE_ID_ALL) || !(a->sample_type & S_TID))
		return 0;
	from_end = 8 * count_bits(a->sample_type & fields);
	if (bytes_left(&b) < from_end)
		return 0;
	b.p = b.end - from_end + 4;	/* after the process */
	return bytes_u32(&b);
}

uint64_t
pd_record_time(const struct perfdata *pd, const struct perf_record *r)
{
	const struct perf_attr *a = pd->events.v;

	if (!pd->events.n)
		return 0;
	if (r->type != R_SAMPLE)
		return time_at_end(a, r->body);
	return a->sample_type & S_TIME ? u64_at(r->body, a->at_time) : 0;
}

/* ---- fields ---- */

static void
read_counts(const struct perf_attr *a, struct bytes *b, struct perf_sample *s)
{
	const uint64_t f = a->read_format;
	const unsigned times = count_bits(f & (READ_ENABLED | READ_RUNNING));
	const unsigned each = 1 + count_bits(f & (READ_ID | READ_LOST));
	uint64_t n;

	if (!(f & READ_GROUP)) {
		bytes_skip(b, 8 * (uint64_t)(times + each));
		return;
	}
	n = bytes_u64(b);
	bytes_skip(b, 8 * (uint64_t)times);
	if (n > bytes_left(b) / (8 * each)) {
		b->ended = true;
		return;
	}
	s->group = bytes_take(b, n * 8 * each);
	s->group_step = f & READ_ID ? each : 0;
}

/* They are calls, or all that the processor has jumped to, which is left out. */
static void
read_branches(struct perfdata *pd, const struct perf_attr *a, struct bytes *b,
    struct perf_sample *s)
{
	const uint64_t n = bytes_u64(b);
	const uint64_t counters = a->branch_type & BRANCH_COUNTERS ? 8 : 0;
	struct bytes branches;

	bytes_skip(b, a->branch_type & BRANCH_HW_INDEX ? 8 : 0);
	if (n > bytes_left(b) / (BRANCH_SIZE + counters)) {
		b->ended = true;
		return;
	}
	branches = bytes_take(b, n * BRANCH_SIZE);
	bytes_skip(b, n * counters);
	if (a->branch_type & BRANCH_CALL_STACK)
		s->branches = branches;
	else
		pd->count[BRANCH_STACKS]++;
}

static void
read_registers(const struct perf_attr *a, struct bytes *b, struct perf_sample *s)
{
	if ((s->abi = bytes_u64(b)))
		s->registers = bytes_take(b, 8 * (uint64_t)count_bits(a->regs_user));
}

/* After the copy comes the number of its valid bytes. */
static void
read_stack(struct bytes *b, struct perf_sample *s)
{
	const uint64_t n = bytes_u64(b);
	uint64_t valid;

	s->copied = true;
	if (!n)
		return;
	s->stack = bytes_take(b, n);
	valid = bytes_u64(b);
	if (valid < bytes_left(&s->stack))
		s->stack.end = s->stack.p + valid;
}

static void
skip_registers(struct bytes *b, uint64_t mask)
{
	if (bytes_u64(b))	/* there are branches */
		bytes_skip(b, 8 * (uint64_t)count_bits(mask));
}

static void
read_chain(struct bytes *b, struct perf_sample *s)
{
	const uint64_t n = bytes_u64(b);
	struct bytes end;

	if (n > bytes_left(b) / 8)
		b->ended = true;
	else
		s->chain = bytes_take(b, 8 * n);
	if (n < 2 || b->ended)
		return;
	end = s->chain;
	bytes_skip(&end, 8 * (n - 2));
	s->waits = bytes_u64(&end) == MARK_DEFERRED;
	s->cookie = bytes_u64(&end);
}

/* Reads the data that perf's program in the kernel writes about a thread that waited
 * (tools/perf/util/bpf_skel/off_cpu.bpf.c): thread, time, stack. */
static void
read_off_cpu(struct bytes b, struct perf_sample *s)
{
	const uint32_t pid = bytes_u32(&b), tid = bytes_u32(&b);
	const uint64_t period = bytes_u64(&b);
	struct perf_sample found = *s;

	read_chain(&b, &found);
	if (b.ended || !bytes_left(&found.chain))
		return;
	*s = found;
	s->pid = pid;
	s->tid = tid;
	s->period = period;
}

/* Reads the fields up to the chain. */
static void
read_first(const struct perf_attr *a, struct bytes *b, struct perf_sample *s)
{
	const uint64_t has = a->sample_type;
	const struct bytes first = bytes_take(b, a->first_size);

	if (first.ended)
		return;
	s->ip = has & S_IP ? u64_at(first, a->at_ip) : 0;
	if (has & S_TID) {
		s->pid = u32_at(first, a->at_thread);
		s->tid = u32_at(first, a->at_thread + 4);
	}
	s->has_time = has & S_TIME;
	s->time = s->has_time ? u64_at(first, a->at_time) : 0;
	s->has_cpu = has & S_CPU;
	s->cpu = s->has_cpu ? u32_at(first, a->at_cpu) : 0;
	/* Without a period, the attributes have a fixed one, or a frequency per second. */
	s->period = has & S_PERIOD ? u64_at(first, a->at_period) :
	    a->flags & ATTR_FREQUENCY ? 0 : a->period;
}

/* Reads the fields after the chain. */
static void
read_rest(struct perfdata *pd, const struct perf_attr *a, struct bytes *b,
    struct perf_sample *s)
{
	const uint64_t has = a->sample_type;
	struct bytes raw = { 0 };

	if (has & S_RAW)
		raw = bytes_take(b, bytes_u32(b));
	if (has & S_BRANCH_STACK)
		read_branches(pd, a, b, s);
	if (has & S_REGS_USER)
		read_registers(a, b, s);
	if (has & S_STACK_USER)
		read_stack(b, s);
	bytes_skip(b, 8 * (uint64_t)(!!(has & (S_WEIGHT | S_WEIGHT_STRUCT)) +
	    count_bits(has & (S_DATA_SRC | S_TRANSACTION))));
	if (has & S_REGS_INTR)
		skip_registers(b, a->regs_intr);
	bytes_skip(b, 8 * (uint64_t)count_bits(has & (S_PHYS_ADDR | S_CGROUP |
	    S_DATA_PAGE_SIZE | S_CODE_PAGE_SIZE)));
	if (has & S_AUX)
		bytes_skip(b, bytes_u64(b));
	if (perf_attr_is_off_cpu(a) && bytes_left(&raw))
		read_off_cpu(raw, s);
}

int
pd_sample_parse(struct perfdata *pd, const struct perf_record *r, struct perf_sample *s)
{
	struct bytes b = r->body;
	const struct perf_attr *a;

	if (!pd->events.n)
		return perf_fail(pd, "a sample comes before the attributes of its event");
	*s = (struct perf_sample){ .misc = r->misc };
	if (!find_event(pd, b, s))
		return 0;
	a = s->attr;
	read_first(a, &b, s);
	if (a->sample_type & S_READ)
		read_counts(a, &b, s);
	if (a->sample_type & S_CALLCHAIN)
		read_chain(&b, s);
	if (a->sample_type & ~(uint64_t)(S_FIRST | S_READ | S_CALLCHAIN))
		read_rest(pd, a, &b, s);
	pd->count[NO_PERIODS] += !(a->sample_type & S_PERIOD) && a->flags & ATTR_FREQUENCY;
	return b.ended ? perf_fail(pd, "a sample ends too early") : 0;
}
