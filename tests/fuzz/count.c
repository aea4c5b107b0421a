/* SPDX-License-Identifier: ISC */
#include "count.h"

#include <string.h>

const char *const count_tags[COUNT_KINDS] = { "cost", "call", "jump", "sample", "point",
	"vprof" };

static const struct {
	const char *format;
	bool (*count)(struct text, struct counts *);
} counters[] = {
	{ "folded", count_folded }, { "callgrind", count_callgrind },
	{ "cachegrind", count_cachegrind }, { "perf", count_perf }, { "aprof", count_aprof },
	{ "pprof", count_pprof }, { "otlp", count_otlp },
	{ "cpuprofile", count_cpuprofile }, { "trace", count_trace },
	{ "heapprofile", count_heapprofile }, { "speedscope", count_speedscope },
	{ "macos-sample", count_macos_sample }, { "tsv", count_tsv }, { "stacks", count_stacks },
	{ "dhat", count_dhat }, { "pstats", count_pstats }, { "perfdata", count_perfdata },
	{ "gmon", count_gmon }, { "pprof-legacy", count_pprof_legacy },
	{ "coverage", count_coverage }, { "rprof", count_rprof },
	{ "heaptrack", count_heaptrack }, { "stackprof", count_stackprof },
	{ "massif", count_massif }, { "xprof", count_xprof }, { "firefox", count_firefox },
};

bool
count_add(wide *sum, struct text number)
{
	const bool minus = number.n && *number.s == '-';
	size_t i = minus;
	wide n = 0;

	if (i == number.n)
		return false;
	for (; i < number.n; i++) {
		if (number.s[i] < '0' || number.s[i] > '9')
			return false;
		n = 10 * n + (unsigned)(number.s[i] - '0');
	}
	*sum += minus ? -n : n;
	return true;
}

struct text
count_word(struct text *t, char end)
{
	const char *p = t->n ? memchr(t->s, end, t->n) : NULL;
	const struct text word = { t->s, p ? (size_t)(p - t->s) : t->n };

	*t = p ? (struct text){ p + 1, t->n - word.n - 1 } : (struct text){ 0 };
	return word;
}

bool
count_input(const char *format, struct text input, struct counts *c)
{
	size_t i;

	*c = (struct counts){ 0 };
	for (i = 0; i < sizeof counters / sizeof *counters; i++)
		if (strcmp(counters[i].format, format) == 0)
			return counters[i].count(input, c);
	return false;
}
