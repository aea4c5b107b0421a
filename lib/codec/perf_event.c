/* SPDX-License-Identifier: ISC */
#include "codec/perf_event.h"

/* Returns a name without the number that tells it from another one, as in "cycles.2". */
static struct text
without_number(struct text name)
{
	size_t n = name.n;

	while (n && name.s[n - 1] >= '0' && name.s[n - 1] <= '9')
		n--;
	if (n > 1 && n < name.n && name.s[n - 1] == '.')
		name.n = n - 1;
	return name;
}

/* Returns the base name of an event, without modifiers: cycles of "cpu_core/cycles/u" and of
 * "cycles:u", and cpu-clock of "cpu-clock/period=1000/". */
static struct text
base_of(struct text name)
{
	const char *slash = name.n ? memchr(name.s, '/', name.n) : NULL, *second, *colon;

	if (slash && (second = memchr(slash + 1, '/',
	    (size_t)(name.s + name.n - slash - 1))))
		name = memchr(slash, '=', (size_t)(second - slash)) ?
		    (struct text){ name.s, (size_t)(slash - name.s) } :
		    (struct text){ slash + 1, (size_t)(second - slash - 1) };
	if ((colon = name.n ? memchr(name.s, ':', name.n) : NULL))
		name.n = (size_t)(colon - name.s);
	return name;
}

static struct text
unit_of(struct text name)
{
	name = without_number(base_of(name));
	return text_is(name, "cycles") || text_is(name, "cpu-cycles") ? TEXT("cycles") :
	    text_is(name, "cpu-clock") || text_is(name, "task-clock") ||
	    text_is(name, "offcpu-time") ? TEXT("ns") : (struct text){ 0 };
}

size_t
perf_event_width(enum perf_event_has has)
{
	return has == PERF_EVENT_PERIODS ? 2 : 1;
}

/* Adds the name for --events, where '/' and ',' have another meaning. */
static void
add_name(struct buf *b, struct text name)
{
	size_t i;

	for (i = 0; i < name.n; i++)
		buf_putc(b, name.s[i] == '/' || name.s[i] == ',' ? '.' : name.s[i]);
}

int
perf_event_put(struct decode *d, size_t i, struct text event, bool named,
    enum perf_event_has has)
{
	const size_t id = perf_event_width(has) * i;
	struct buf name = { 0 }, attrs = { 0 };
	int ret;

	attr_add(&attrs, "calls", TEXT("absent"));
	if (!named && event.n)
		attr_add(&attrs, "counts", base_of(event));
	if (named)
		add_name(&name, event);
	buf_puts(&name, named ? ".samples" : "samples");
	if (named)
		attr_add(&attrs, "sample", TEXT("1"));
	if (has == PERF_EVENT_SAMPLES && !i && named)
		attr_add(&attrs, "default", TEXT("1"));
	ret = DECODE_EVENT(d, id, .name = buf_as_text(&name), .attrs = buf_as_text(&attrs));
	name.n = attrs.n = 0;
	attr_add(&attrs, "calls", TEXT("absent"));
	if (!named && event.n)
		attr_add(&attrs, "counts", base_of(event));
	if (!i)
		attr_add(&attrs, "default", TEXT("1"));
	if (named)
		add_name(&name, event);
	else
		buf_puts(&name, "period");
	if (ret == 0 && has == PERF_EVENT_PERIODS)
		ret = DECODE_EVENT(d, id + 1, .name = buf_as_text(&name), .unit = unit_of(event),
		    .attrs = buf_as_text(&attrs));
	buf_free(&name);
	buf_free(&attrs);
	return ret;
}

void
perf_event_labels(struct buf *b, struct text comm, struct text pid, struct text tid)
{
	const struct { const char *key; struct text value; } label[] = {
		{ "comm", comm }, { "pid", pid }, { "tid", tid },
	};
	size_t i;

	for (i = 0; i < sizeof label / sizeof *label; i++)
		if (label[i].value.s)
			attr_add(b, label[i].key, label[i].value);
}
