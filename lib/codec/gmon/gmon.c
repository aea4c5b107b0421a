/* SPDX-License-Identifier: ISC */
#include "gmon.h"

static int
probe_magic(const char *p, size_t n)
{
	return n >= 8 && memcmp(p, "gmon", 4) == 0 ? 20 : 0;
}

static int
probe_bsd44(const char *p, size_t n)
{
	return gmon_has_version(p, n) ? 6 : 0;
}

static int
probe_bsd(const char *p, size_t n)
{
	return gmon_may_be_bsd(p, n, GMON_HEAD) ? PROBE_WHOLE : 0;
}

static bool
is_bsd(const char *p, size_t n)
{
	return gmon_may_be_bsd(p, n, GMON_WHOLE);
}

static struct sink *
encode_own(const struct encode *e)
{
	return gmon_encode(e, GMON_FLAVOURS);
}

static struct sink *
encode_bsd44(const struct encode *e)
{
	return gmon_encode(e, GMON_BSD44);
}

static struct sink *
encode_bsd(const struct encode *e)
{
	return gmon_encode(e, GMON_BSD);
}

static const struct gmon_options defaults = { .layout = GMON_OWN_LAYOUT };

static const struct opt options[] = {
	{ "layout", 0, OPT_ENUM, "LAYOUT", OPT_AT(struct gmon_options, layout),
	    "byte order and word size of gmon: little64, ...",
	    "little32|little64|big32|big64" },
	OPT_END
};

static const struct opt_group group = OPT_GROUP(options, defaults);

#define LINES_FROM "compile the program with -g, and give it with --exe"

const struct codec codec_gmon = {
	.name = "gmon", .alias = "gprof",
	.summary = "gmon.out of programs built with -pg (GNU)",
	.patterns = "gmon.out *.gmon",
	.probe = probe_magic,
	.decode = gmon_decode,
	.encode = encode_own,
	.options = &group,
	.supports = {
		[FEATURE_ADDRS] = SUPPORT_YES, [FEATURE_CALLS] = SUPPORT_YES,
		[FEATURE_UNITS] = SUPPORT_SOME,
	},
	.needs = "costs or calls",
	.gprof = true,
	.lines_from = LINES_FROM,
};

const struct codec codec_gmon_bsd44 = {
	.name = "gmon-bsd44",
	.summary = "gmon.out of 4.4BSD and its descendants",
	.probe = probe_bsd44,
	.decode = gmon_decode_bsd44,
	.encode = encode_bsd44,
	.options = &group,
	.supports = {
		[FEATURE_ADDRS] = SUPPORT_YES, [FEATURE_CALLS] = SUPPORT_YES,
		[FEATURE_UNITS] = SUPPORT_SOME,
	},
	.needs = "costs or calls",
	.gprof = true,
	.lines_from = LINES_FROM,
};

const struct codec codec_gmon_bsd = {
	.name = "gmon-bsd",
	.summary = "gmon.out from before 4.4BSD, without magic or version",
	.probe = probe_bsd,
	.probe_whole = is_bsd,
	.decode = gmon_decode_bsd,
	.encode = encode_bsd,
	.options = &group,
	.supports = {
		[FEATURE_ADDRS] = SUPPORT_YES, [FEATURE_CALLS] = SUPPORT_YES,
	},
	.needs = "costs or calls",
	.gprof = true,
	.lines_from = LINES_FROM,
};
