/* SPDX-License-Identifier: ISC */
#include "aprof.h"

/* Is [p, end) a line of a report?  Returns 2 if few other texts have such a line. */
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

static const struct aprof_options defaults = { .version = -1 };

static const struct opt options[] = {
	{ "aprof-version", 0, OPT_ENUM, "N", OPT_AT(struct aprof_options, version),
	    "version of aprof reports to write, 0 to 6", "0|1|2|3|4|5|6" },
	OPT_END
};

static const struct opt_group group = OPT_GROUP(options, defaults);

const struct codec codec_aprof = {
	.name = "aprof",
	.summary = "Reports of aprof: cost against input size",
	.probe = aprof_probe,
	.decode = aprof_decode,
	.encode = aprof_encode,
	.options = &group,
	.supports = {
		[FEATURE_FUNCTIONS] = SUPPORT_YES, [FEATURE_OBJECTS] = SUPPORT_YES,
		[FEATURE_KEYS] = SUPPORT_YES, [FEATURE_INCLUSIVE] = SUPPORT_YES,
		[FEATURE_CONTEXTS] = SUPPORT_YES, [FEATURE_POINTS] = SUPPORT_YES,
		[FEATURE_EVENTS] = SUPPORT_ONE, [FEATURE_UNITS] = SUPPORT_IN_COMMENTS,
		[FEATURE_FACTS] = SUPPORT_IN_COMMENTS, [FEATURE_TOTAL] = SUPPORT_YES,
	},
	.raw = true,
	.needs = "points (cost against input size)",
	.lines_from = "aprof records none",
	.addrs_from = "aprof records none",
};
