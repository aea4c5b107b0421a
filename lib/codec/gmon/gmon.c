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
encode_own(struct encode *e)
{
	return gmon_encode(e, GMON_FLAVOURS);
}

static struct sink *
encode_bsd44(struct encode *e)
{
	return gmon_encode(e, GMON_BSD44);
}

static struct sink *
encode_bsd(struct encode *e)
{
	return gmon_encode(e, GMON_BSD);
}

const struct codec codec_gmon = {
	.name = "gmon", .alias = "gprof",
	.says = "gmon.out of programs built with -pg (GNU)",
	.probe = probe_magic,
	.decode = gmon_decode,
	.encode = encode_own,
};

const struct codec codec_gmon_bsd44 = {
	.name = "gmon-bsd44",
	.says = "gmon.out of 4.4BSD and its heirs",
	.probe = probe_bsd44,
	.decode = gmon_decode_bsd44,
	.encode = encode_bsd44,
};

const struct codec codec_gmon_bsd = {
	.name = "gmon-bsd",
	.says = "gmon.out as before 4.4BSD, without magic or version",
	.probe = probe_bsd,
	.probe_whole = is_bsd,
	.decode = gmon_decode_bsd,
	.encode = encode_bsd,
};
