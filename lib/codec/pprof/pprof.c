/* SPDX-License-Identifier: ISC */
#include "pprof.h"

#include "util/protobuf.h"

/* Is it a field of a profile, with the right type? */
static bool
is_key(const struct pb_field *f)
{
	const bool number = f->number == PROFILE_DROP_FRAMES ||
	    f->number == PROFILE_KEEP_FRAMES || f->number == PROFILE_TIME_NANOS ||
	    f->number == PROFILE_DURATION_NANOS || f->number == PROFILE_PERIOD ||
	    f->number >= PROFILE_DEFAULT_SAMPLE_TYPE;

	return f->number <= PROFILE_DOC_URL && (f->number == PROFILE_COMMENT ||
	    f->type == (number ? PB_VARINT : PB_BYTES));
}

/* Is it a message of two numbers of strings? */
static bool
is_type(struct text message)
{
	struct pb m = pb_of(message);
	struct pb_field f;

	while (pb_next(&m, &f))
		if (f.number > TYPE_UNIT || f.type != PB_VARINT)
			return false;
	return !m.wrong;
}

/* Most profiles begin with their sample types.  There is no magic: this is seldom true of
 * text, and input of no other format must be a valid message as a whole. */
static int
pprof_probe(const char *p, size_t n)
{
	struct pb m = pb_of((struct text){ p, n });
	struct pb_field f;

	if (!pb_next(&m, &f) || !is_key(&f))
		return 0;
	return f.number != PROFILE_SAMPLE_TYPE || is_type(f.bytes) ? PROBE_WHOLE : 0;
}

/* Are all samples messages? */
static bool
have_samples(const char *p, size_t n)
{
	struct pb m = pb_of((struct text){ p, n }), sample;
	struct pb_field f, in;

	while (pb_next(&m, &f))
		if (f.number == PROFILE_SAMPLE) {
			for (sample = pb_of(f.bytes); pb_next(&sample, &in); )
				;
			if (sample.wrong)
				return false;
		}
	return true;
}

/* Have all fields of the message their types, and is one the table of strings, which begins
 * with the empty one?  Or is the message truncated before it, as it comes last? */
static bool
is_pprof(const char *p, size_t n)
{
	struct pb m = pb_of((struct text){ p, n });
	struct pb_field f;
	bool strings = false, types = false, others = false;

	while (pb_next(&m, &f)) {
		if (f.number <= PROFILE_DOC_URL && !is_key(&f))
			return false;
		if (f.number == PROFILE_STRING ? !strings && f.bytes.n :
		    f.number == PROFILE_SAMPLE_TYPE && !is_type(f.bytes))
			return false;
		strings |= f.number == PROFILE_STRING;
		types |= f.number == PROFILE_SAMPLE_TYPE;
		others |= f.number > PROFILE_SAMPLE_TYPE && f.number < PROFILE_STRING;
	}
	return types && (strings || m.cut || (others && !m.wrong && have_samples(p, n)));
}

const struct codec codec_pprof = {
	.name = "pprof",
	.summary = "Profiles of Go, gperftools and others, profile.proto",
	.synonyms = "go, golang",
	.patterns = "*.pprof *.pb *.pb.gz",
	.probe = pprof_probe,
	.probe_whole = is_pprof,
	.decode = pprof_decode,
	.encode = pprof_encode,
	.zip = ZIP_GZIP,
	.nameless = true,
	.supports = {
		[FEATURE_LINES] = SUPPORT_YES, [FEATURE_ADDRS] = SUPPORT_YES,
		[FEATURE_FUNCTIONS] = SUPPORT_YES, [FEATURE_FILES] = SUPPORT_YES,
		[FEATURE_OBJECTS] = SUPPORT_YES, [FEATURE_KEYS] = SUPPORT_YES,
		[FEATURE_INCLUSIVE] = SUPPORT_YES, [FEATURE_CONTEXTS] = SUPPORT_YES,
		[FEATURE_SAMPLES] = SUPPORT_YES, [FEATURE_EVENTS] = SUPPORT_YES,
		[FEATURE_UNITS] = SUPPORT_YES, [FEATURE_FACTS] = SUPPORT_IN_COMMENTS,
	},
	.shows_default = true,
	.needs = "costs or samples",
	.lines_from = "compile the program with -g, and keep it where it was",
};
