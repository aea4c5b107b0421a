/* SPDX-License-Identifier: ISC */
#include "reader.h"

static int
legacy_probe(const char *p, size_t n)
{
	int sure;

	return legacy_kind_of(p, n, &sure) == LEGACY_NONE ? 0 : sure;
}

/* Is it a file of lines, all of which end? */
static bool
has_lines(enum legacy_kind kind)
{
	return kind != LEGACY_CPU && kind != LEGACY_JAVA;
}

static int
read_kind(struct legacy *rd, enum legacy_kind kind)
{
	switch (kind) {
	case LEGACY_NONE:
		return diag_fail(rd->d->diag, "neither a CPU profile nor the first line of "
		    "another kind");
	case LEGACY_JAVA:
		return diag_fail(rd->d->diag, "Java's profiles in this format are not "
		    "supported");
	case LEGACY_CPU:
		return legacy_cpu(rd);
	default:
		return legacy_text(rd, kind);
	}
}

static int
legacy_decode(struct decode *d)
{
	struct legacy rd = { .d = d, .options = d->options };
	enum legacy_kind kind;
	int ret = -1, sure;

	sums_init(&rd.places, 1, 0);
	if (in_all(d->in, &rd.file.s, &rd.file.n) == 0) {
		frames_init(&rd.frames, rd.file.n);
		kind = legacy_kind_of(rd.file.s, rd.file.n, &sure);
		/* Without its last line, the file may have another kind, or none. */
		if (!has_lines(kind) || decode_whole_lines(d, "file", &rd.file) == 0)
			ret = read_kind(&rd, legacy_kind_of(rd.file.s, rd.file.n, &sure));
	}
	d->at.bytes = false;
	maps_free(&rd.maps);
	places_free(&rd);
	return ret;
}

static const struct legacy_options defaults;

static const struct opt read_options[] = {
	{ "estimate-heap", 0, OPT_FLAG, NULL, OPT_AT(struct legacy_options, estimate_heap),
	    "scale a sampled heap up to an estimate of all", NULL },
	OPT_END
};

static const struct opt_group read_group = OPT_GROUP(read_options, defaults);

const struct codec codec_pprof_legacy = {
	.name = "pprof-legacy",
	.summary = "Profiles of gperftools and jemalloc, and Go's as text",
	.patterns = "*.heap",
	.probe = legacy_probe,
	.decode = legacy_decode,
	.nameless = true,
	.read_options = &read_group,
	.supports = {
		[FEATURE_LINES] = SUPPORT_SOME, [FEATURE_ADDRS] = SUPPORT_YES,
		[FEATURE_FUNCTIONS] = SUPPORT_SOME, [FEATURE_FILES] = SUPPORT_SOME,
		[FEATURE_OBJECTS] = SUPPORT_YES, [FEATURE_INCLUSIVE] = SUPPORT_YES,
		[FEATURE_CONTEXTS] = SUPPORT_YES, [FEATURE_SAMPLES] = SUPPORT_YES,
		[FEATURE_EVENTS] = SUPPORT_YES, [FEATURE_UNITS] = SUPPORT_YES,
	},
	.lines_from = "compile the program with -g, and keep it where it was",
};
