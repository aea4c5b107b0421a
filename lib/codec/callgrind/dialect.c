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

static bool
fits(const char *pattern, struct text t)
{
	struct buf b = { 0 };
	bool yes;

	buf_text(&b, t);
	yes = fnmatch(pattern, buf_str(&b), 0) == 0;
	buf_free(&b);
	return yes;
}

struct dialect_event
dialect_event(struct text creator, struct text name)
{
	struct dialect_event e = { 0 };
	size_t i;

	if (!creator.n)
		return e;
	for (i = 0; i < sizeof known / sizeof *known; i++)
		if (fits(known[i].creator, creator) && fits(known[i].event, name))
			break;
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
	return is_stackprof(creator) ? "this output of stackprof has calls, which do not "
	    "determine its stacks: read that of 'stackprof --stackcollapse', which has them "
	    "if StackProf.run() had 'raw: true'" : NULL;
}
