/* SPDX-License-Identifier: ISC */
#include "aprof.h"

#define P(name) POINT_##name

const struct aprof_layout aprof_layout[APROF_LAYOUTS] = {
	{ 0, 3, 0, { P(SIZE), P(AVG), P(OCC) } },
	{ 1, 6, 0, { P(SIZE), P(MIN), P(MAX), P(SUM), P(SQR), P(OCC) } },
	{ 2, 7, 0, { P(SIZE), P(MIN), P(MAX), P(SUM), P(OCC), P(REAL), P(SELF) } },
	{ 3, 9, 0, { P(SIZE), P(MIN), P(MAX), P(SUM), P(OCC), P(REAL), P(SELF),
	    P(SELFMIN), P(SELFMAX) } },
	{ 4, 11, 0, { P(SIZE), P(MIN), P(MAX), P(SUM), P(SQR), P(OCC), P(REAL), P(SELF),
	    P(SELFMIN), P(SELFMAX), P(SELFSQR) } },
	{ 5, 13, 0, { P(SIZE), P(MIN), P(MAX), P(SUM), P(SQR), P(OCC), P(REAL), P(SELF),
	    P(SELFMIN), P(SELFMAX), P(SELFSQR), P(RMS), P(RMSSQR) } },
	{ 6, 15, 0, { P(SIZE), P(MIN), P(MAX), P(SUM), P(SQR), P(OCC), P(REAL), P(SELF),
	    P(SELFMIN), P(SELFMAX), P(SELFSQR), P(RMS), P(RMSSQR), P(SYSCALLS),
	    P(THREADS) } },
	{ 6, 17, 11, { P(SIZE), P(MIN), P(MAX), P(SUM), P(SQR), P(OCC), P(REAL), P(SELF),
	    P(SELFMIN), P(SELFMAX), P(SELFSQR), P(RMS), P(RMSSQR), P(SYSCALLS),
	    P(THREADS), P(SELFSYSCALLS), P(SELFTHREADS) } },
};

const struct aprof_fact aprof_fact[APROF_FACTS] = {
	{ 'v', 0, "aprof.version", true },
	{ 'e', 0, "aprof.mtime", true },
	{ 'i', 5, "aprof.input", false },
	{ 't', 6, "aprof.memory", true },
	{ 'g', 5, "aprof.g", true },
	{ 'a', 0, "aprof.application", false },
	{ 'f', 0, "cmd", false },
};

bool
aprof_is_number(struct text key)
{
	const size_t n = sizeof APROF_NUMBER - 1;

	return key.s && key.n > n && memcmp(key.s, APROF_NUMBER, n) == 0;
}

bool
aprof_is_address(struct text t)
{
	bool hex = t.n > 2 && t.s[0] == '0' && t.s[1] == 'x';
	size_t i = hex ? 2 : 0;

	while (i < t.n && ((t.s[i] >= '0' && t.s[i] <= '9') ||
	    (hex && t.s[i] >= 'a' && t.s[i] <= 'f')))
		i++;
	return t.n && i == t.n;
}

size_t
aprof_name_end(const char *s, size_t i, struct text *addr)
{
	size_t from;

	*addr = (struct text){ 0 };
	if (i < 3 || s[i] != '"' || s[i - 1] != ' ')
		return 0;
	if (s[i - 2] == '"')
		return i - 2;
	for (from = i - 1; from > 2 && s[from - 1] != ' ' && s[from - 1] != '"'; from--)
		;
	if (from < 3 || s[from - 1] != ' ' || s[from - 2] != '"')
		return 0;
	*addr = (struct text){ s + from, i - 1 - from };
	if (aprof_is_address(*addr))
		return from - 2;
	*addr = (struct text){ 0 };
	return 0;
}

/* Is [p, end) a line of a report?  2 if few other texts have such lines. */
static int
line_fits(const char *p, const char *end)
{
	const char *q;

	if (end - p >= 4 && memcmp(p, "fav ", 4) == 0)
		return 1;
	if (end - p < 2 || p[1] != ' ' || !memchr("cvketfamirudgpxq", p[0], 16))
		return 0;
	if (!memchr("pqxv", p[0], 4))
		return 1;
	for (q = p + 2; q < end && ((*q >= '0' && *q <= '9') || *q == ' ' || *q == '-');
	    q++)
		;
	return q == end || (q + 1 == end && *q == '\r') ? 2 : 0;
}

static bool
is_blank(const char *p, const char *end)
{
	if (p < end && end[-1] == '\r')
		end--;
	while (p < end && *p == ' ')
		p++;
	return p == end;
}

static int
aprof_probe(const char *p, size_t n)
{
	const char *end = p + n, *lf;
	int fits, most = 0;

	for (; p < end; p = lf + 1) {
		if (!(lf = memchr(p, '\n', (size_t)(end - p))))
			break;
		if (is_blank(p, lf))
			continue;
		if (!(fits = line_fits(p, lf)))
			return 0;
		most = fits > most ? fits : most;
	}
	return most == 2 ? 9 : 0;
}

int aprof_asked_version = -1;

static const struct opt aprof_options[] = {
	{ "aprof-version", 0, OPT_ENUM, "N", &aprof_asked_version,
	    "version of aprof reports to write, 0 to 6", "0|1|2|3|4|5|6" },
	OPT_END
};

const struct codec codec_aprof = {
	.name = "aprof",
	.says = "Reports of aprof: cost against input size",
	.probe = aprof_probe,
	.decode = aprof_decode,
	.encode = aprof_encode,
	.options = aprof_options,
	.holds = {
		[HOLDS_FUNCTIONS] = HELD_YES, [HOLDS_OBJECTS] = HELD_YES,
		[HOLDS_KEYS] = HELD_YES, [HOLDS_INCLUSIVE] = HELD_YES,
		[HOLDS_CONTEXTS] = HELD_YES, [HOLDS_POINTS] = HELD_YES,
		[HOLDS_EVENTS] = HELD_ONE, [HOLDS_UNITS] = HELD_RIDES,
		[HOLDS_FACTS] = HELD_RIDES, [HOLDS_TOTAL] = HELD_YES,
	},
	.raw = true,
	.needs = "points (cost against input size)",
};
