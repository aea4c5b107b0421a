/* SPDX-License-Identifier: ISC */
#include "units.h"

#include <stddef.h>

static const struct {
	const char *ours, *theirs;
} units[] = {
	{ "ns", "nanoseconds" }, { "us", "microseconds" }, { "ms", "milliseconds" },
	{ "s", "seconds" }, { "B", "bytes" },
};

#define UNITS (sizeof units / sizeof *units)

struct text
unit_ours(struct text unit)
{
	size_t i;

	for (i = 0; i < UNITS; i++)
		if (text_is(unit, units[i].theirs))
			return text_of(units[i].ours);
	return unit;
}

const char *
unit_theirs(struct text unit)
{
	size_t i;

	for (i = 0; i < UNITS; i++)
		if (text_is(unit, units[i].ours))
			return units[i].theirs;
	return NULL;
}
