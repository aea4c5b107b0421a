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

/* ---- its event ---- */

/* All events have their ids at the same place; with one event there are no ids. */
static uint64_t
id_of(const struct perfdata *pd, struct bytes b)
{
	const uint64_t has = pd->events.v[0].sample_type;

	if (!(has & S_IDENTIFIER))
		bytes_skip(&b, 8 * (uint64_t)count_bits(has & (S_IP | S_TID | S_TIME | S_ADDR)));
	return has & (S_IDENTIFIER | S_ID) ? bytes_u64(&b) : 0;
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
	struct bytes b = r->body;

	if (!pd->events.n)
		return 0;
	if (r->type != R_SAMPLE)
		return time_at_end(a, b);
	if (!(a->sample_type & S_TIME))
		return 0;
	bytes_skip(&b, 8 * (uint64_t)count_bits(a->sample_type & (S_IDENTIFIER | S_IP | S_TID)));
	return bytes_u64(&b);
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

	bytes_skip(b, has & S_IDENTIFIER ? 8 : 0);
	s->ip = has & S_IP ? bytes_u64(b) : 0;
	if (has & S_TID) {
		s->pid = bytes_u32(b);
		s->tid = bytes_u32(b);
	}
	s->has_time = has & S_TIME;
	s->time = s->has_time ? bytes_u64(b) : 0;
	bytes_skip(b, 8 * (uint64_t)count_bits(has & (S_ADDR | S_ID | S_STREAM_ID)));
	if (has & S_CPU) {
		s->cpu = bytes_u32(b);
		s->has_cpu = true;
		bytes_skip(b, 4);
	}
	/* Without a period, the attributes have a fixed one, or a frequency per second. */
	s->period = has & S_PERIOD ? bytes_u64(b) : a->flags & ATTR_FREQUENCY ? 0 : a->period;
}

int
pd_sample_parse(struct perfdata *pd, const struct perf_record *r, struct perf_sample *s)
{
	struct bytes b = r->body;
	const struct perf_attr *a;
	struct bytes raw = { 0 };
	uint64_t has, id;

	if (!pd->events.n)
		return perf_fail(pd, "a sample comes before the attributes of its event");
	*s = (struct perf_sample){ .misc = r->misc };
	id = id_of(pd, b);
	if (!perf_events_find(&pd->events, id, &s->event) && id && pd->events.n > 1)
		return 0;
	s->attr = &pd->events.v[s->event];
	a = s->attr;
	has = a->sample_type;
	read_first(a, &b, s);
	if (has & S_READ)
		read_counts(a, &b, s);
	if (has & S_CALLCHAIN)
		read_chain(&b, s);
	if (has & S_RAW)
		raw = bytes_take(&b, bytes_u32(&b));
	if (has & S_BRANCH_STACK)
		read_branches(pd, a, &b, s);
	if (has & S_REGS_USER)
		read_registers(a, &b, s);
	if (has & S_STACK_USER)
		read_stack(&b, s);
	bytes_skip(&b, 8 * (uint64_t)(!!(has & (S_WEIGHT | S_WEIGHT_STRUCT)) +
	    count_bits(has & (S_DATA_SRC | S_TRANSACTION))));
	if (has & S_REGS_INTR)
		skip_registers(&b, a->regs_intr);
	bytes_skip(&b, 8 * (uint64_t)count_bits(has & (S_PHYS_ADDR | S_CGROUP |
	    S_DATA_PAGE_SIZE | S_CODE_PAGE_SIZE)));
	if (has & S_AUX)
		bytes_skip(&b, bytes_u64(&b));
	if (perf_attr_is_off_cpu(a) && bytes_left(&raw))
		read_off_cpu(raw, s);
	pd->count[NO_PERIODS] += !(has & S_PERIOD) && a->flags & ATTR_FREQUENCY;
	return b.ended ? perf_fail(pd, "a sample ends too early") : 0;
}
