/* SPDX-License-Identifier: ISC */
#include "units.h"

#include <stddef.h>

static const struct {
	const char *ours, *theirs;
	uint64_t ns;
} units[] = {
	{ "ns", "nanoseconds", 1 }, { "us", "microseconds", 1000 },
	{ "ms", "milliseconds", 1000000 }, { "s", "seconds", 1000000000 }, { "B", "bytes", 0 },
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

uint64_t
unit_nanoseconds(struct text unit)
{
	size_t i;

	for (i = 0; i < UNITS; i++)
		if (text_is(unit, units[i].ours))
			return units[i].ns;
	return 0;
}
