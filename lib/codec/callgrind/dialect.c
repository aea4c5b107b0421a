/* SPDX-License-Identifier: ISC */
#include "dialect.h"

#include <fnmatch.h>

/*
 * Events by patterns of sh(1); the first row that matches is used.
 *
 *	xdebug	src/profiler/profiler.c: 3.0 counts tens of nanoseconds and says so in the
 *		name, its first previews had microseconds, and 2 has them in `Time`.
 *		fast-xdebug and the like take the names with their units from it
 *	yappi	yappi.py, _save_as_CALLGRIND(): seconds by 1,000,000
 *	xtree	coregrind/m_xtmemory.c and memcheck/mc_leakcheck.c: curB is bytes, curBk
 *		blocks; m_xtree.c counts no calls
 */
static const struct { const char *creator, *event, *unit, *attrs; } known[] = {
	{ "*xdebug *", "Time_(10ns)", "s", "scale=1/100000000" },
	{ "*xdebug *", "Time_(\xc2\xb5s)", "us", NULL },
	{ "xdebug 2*", "Time", "us", NULL },
	{ "*xdebug *", "Memory*", "B", NULL },
	{ "yappi", "Ticks", "us", NULL },
	{ DIALECT_STACKS "*", "*B", "B", "calls=absent" },
	{ DIALECT_STACKS "*", "*", NULL, "calls=absent" },
};

static size_t
find_known(const char *creator, const char *name)
{
	size_t i;

	for (i = 0; i < sizeof known / sizeof *known; i++)
		if (fnmatch(known[i].creator, creator, 0) == 0 &&
		    fnmatch(known[i].event, name, 0) == 0)
			break;
	return i;
}

struct dialect_event
dialect_event(struct text creator, struct text name)
{
	struct dialect_event e = { 0 };
	struct buf b = { 0 };
	size_t i;

	if (!creator.n || text_begins(creator, "callgrind-"))	/* the most frequent */
		return e;
	buf_add(&b, creator.s, creator.n);
	buf_putc(&b, '\0');
	buf_add(&b, name.s, name.n);
	buf_putc(&b, '\0');
	i = find_known(b.s, b.s + creator.n + 1);
	buf_free(&b);
	if (i < sizeof known / sizeof *known) {
		e.unit = known[i].unit ? text_of(known[i].unit) : e.unit;
		e.attrs = known[i].attrs ? text_of(known[i].attrs) : e.attrs;
	}
	return e;
}

bool
dialect_stacks(struct text creator)
{
	return text_begins(creator, DIALECT_STACKS);
}

/* Xdebug 2.0 and later write `summary:`, even at exit(), but not if PHP is killed. */
bool
dialect_sums_up(struct text creator)
{
	return text_begins(creator, "xdebug ");
}

/* yappi joins its lines with newlines. */
bool
dialect_ends_open(struct text creator)
{
	return text_is(creator, "yappi");
}

/* pprof (internal/report, printCallgrind) writes no creator, names one event with its unit,
 * as in "cpu(ms)", and has `calls=0` everywhere. */
bool
dialect_counts_no_calls(struct text creator, struct text events)
{
	return !creator.n && events.n > 2 && events.s[events.n - 1] == ')' &&
	    memchr(events.s + 1, '(', events.n - 2) && !memchr(events.s, ' ', events.n) &&
	    !memchr(events.s, '\t', events.n);
}

/* In lib/stackprof/report.rb, print_callgrind(), totals count all samples, including those
 * of functions without lines. */
static bool
is_stackprof(struct text creator)
{
	return text_is(creator, "stackprof");
}

bool
dialect_swaps_lines(struct text creator)
{
	return is_stackprof(creator);
}

bool
dialect_totals_differ(struct text creator)
{
	return is_stackprof(creator);
}

const char *
dialect_better(struct text creator)
{
	return is_stackprof(creator) ? "this output of stackprof has calls, but no "
	    "stacks: use that of 'stackprof --json', after StackProf.run() with 'raw: "
	    "true'" : NULL;
}
