/* SPDX-License-Identifier: ISC */
#include "tachyon.h"

#include <inttypes.h>
#include <stdlib.h>

#define MAGIC 0x54414348u	/* "TACH", in the byte order of the file */
#define VERSION 1
#define MODES "wall", "cpu", "gil", "all", "exception"

/* ---- the header ---- */

/* Reads the fields from byte 28 on.  The number of samples had 32 bits at first, and 64 later
 * under the same version, which moved what follows it: only one layout makes sense. */
static bool
read_layout(struct tachyon *t, bool wide)
{
	const char *p = t->file.s + 28;

	t->samples = wide ? tachyon_u64(t, p) : tachyon_u32(t, p);
	p += wide ? 8 : 4;
	t->threads = tachyon_u32(t, p);
	t->strings_at = tachyon_u64(t, p + 4);
	t->frames_at = tachyon_u64(t, p + 12);
	t->compression = tachyon_u32(t, p + 20);
	t->mode = wide ? tachyon_u32(t, p + 24) : 0;
	return t->strings_at >= TACHYON_HEADER && t->strings_at <= t->frames_at &&
	    t->frames_at <= t->file.n - TACHYON_FOOTER && t->compression <= 1;
}

/* Reports at the end of the file that it is truncated. */
static int
tachyon_cut(struct tachyon *t, const char *why)
{
	t->d->at.bytes = true;
	t->d->at.line = t->file.n;
	return decode_cut(t->d, "%s", why);
}

static int
read_header(struct tachyon *t)
{
	const char *p = t->file.s, *footer = p + t->file.n - TACHYON_FOOTER;
	uint32_t magic;

	if (t->file.n < TACHYON_HEADER + TACHYON_FOOTER)
		return tachyon_cut(t, "the file is truncated: it has neither header nor "
		    "footer");
	memcpy(&magic, p, sizeof magic);
	t->swapped = magic != MAGIC;
	if (t->swapped && __builtin_bswap32(magic) != MAGIC)
		return TACHYON_FAIL(t, p, "expected 'TACH' in either byte order");
	if (tachyon_u32(t, p + 4) != VERSION)
		return TACHYON_FAIL(t, p + 4, "version %" PRIu32 " of the format is not "
		    "supported, only 1 is: replay it with its own Python", tachyon_u32(t, p + 4));
	t->interval = tachyon_u64(t, p + 20);
	if (t->interval > UINT32_MAX)	/* so that no product wraps */
		return TACHYON_FAIL(t, p + 20, "an interval of %" PRIu64 " microseconds",
		    t->interval);
	if (tachyon_u64(t, footer + 8) != t->file.n)
		return tachyon_cut(t, "the file is truncated, or followed by other data: "
		    "its end does not state its size");
	if (!read_layout(t, false) && !read_layout(t, true))
		return TACHYON_FAIL(t, p + 28, "the tables are not where the header has them");
	t->nstring = tachyon_u32(t, footer);
	t->nframe = tachyon_u32(t, footer + 4);
	return 0;
}

/* ---- records ---- */

static int
put_facts(struct tachyon *t)
{
	static const char *const modes[] = { MODES };
	const unsigned char *v = (const unsigned char *)t->file.s + 8;
	struct buf b = { 0 };
	int ret;

	buf_printf(&b, "Python %u.%u.%u", v[0], v[1], v[2]);
	ret = meta_put(t->d->out, "creator", buf_as_text(&b));
	buf_free(&b);
	if (ret < 0 || !t->mode)
		return ret;
	return t->mode <= sizeof modes / sizeof *modes ?
	    meta_put(t->d->out, "tachyon.mode", text_of(modes[t->mode - 1])) :
	    meta_put_num(t->d->out, "tachyon.mode", t->mode - 1);
}

static int
put_header(struct tachyon *t)
{
	char sample[NUM_TEXT + 32] = "calls=absent\tsample=", *p = sample + strlen(sample);

	p = num_put_u64(p, t->interval);
	if (decode_part(t->d, "tachyon", TEXT("positions=line")) < 0 || put_facts(t) < 0)
		return -1;
	return DECODE_EVENT(t->d, 0, .name = TEXT("samples"),
	    .attrs = TEXT("calls=absent\tdefault=1")) < 0 ? -1 :
	    DECODE_EVENT(t->d, 1, .name = TEXT("time"), .unit = TEXT("us"), .attrs = t->interval ?
	    (struct text){ sample, (size_t)(p - sample) } : TEXT("calls=absent"));
}

static int
tachyon_decode(struct decode *d)
{
	struct tachyon t = { .d = d };
	int ret = -1;

	if (in_all(d->in, &t.file.s, &t.file.n) == 0 && read_header(&t) == 0)
		ret = d->cut ? 0 : put_header(&t) < 0 || tachyon_read_tables(&t) < 0 ? -1 :
		    tachyon_put_samples(&t);
	if (ret == 0 && in_packed_cut(d->in))
		ret = decode_cut(d, "the file is truncated");
	d->at.bytes = false;
	free(t.string);
	free(t.frame);
	return ret;
}

static int
tachyon_probe(const char *p, size_t n)
{
	return n >= 8 && (memcmp(p, "HCAT\1\0\0\0", 8) == 0 || memcmp(p, "TACH\0\0\0\1", 8) == 0) ?
	    8 : 0;
}

const struct codec codec_tachyon = {
	.name = "tachyon",
	.summary = "Binary files of Python's profiling.sampling (Tachyon)",
	.synonyms = "profiling.sampling",
	.probe = tachyon_probe,
	.decode = tachyon_decode,
	.supports = {
		[FEATURE_LINES] = SUPPORT_YES, [FEATURE_FUNCTIONS] = SUPPORT_YES,
		[FEATURE_FILES] = SUPPORT_YES, [FEATURE_INCLUSIVE] = SUPPORT_YES,
		[FEATURE_CONTEXTS] = SUPPORT_YES, [FEATURE_SAMPLES] = SUPPORT_YES,
		[FEATURE_EVENTS] = SUPPORT_TWO, [FEATURE_UNITS] = SUPPORT_YES,
		[FEATURE_FACTS] = SUPPORT_SOME, [FEATURE_END] = SUPPORT_YES,
	},
};
