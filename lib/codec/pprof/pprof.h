/* SPDX-License-Identifier: ISC */
/*
 * pprof profiles: a message of proto/profile.proto of github.com/google/pprof, the format
 * of Go and of gperftools' pprof.  Declarations that its reader and writer share.
 */
#ifndef PROF_CODEC_PPROF_PPROF_H
#define PROF_CODEC_PPROF_PPROF_H

#include "stream/codec.h"

/* Numbers of fields in proto/profile.proto. */
enum {
	PROFILE_SAMPLE_TYPE = 1, PROFILE_SAMPLE, PROFILE_MAPPING, PROFILE_LOCATION,
	PROFILE_FUNCTION, PROFILE_STRING, PROFILE_DROP_FRAMES, PROFILE_KEEP_FRAMES,
	PROFILE_TIME_NANOS, PROFILE_DURATION_NANOS, PROFILE_PERIOD_TYPE, PROFILE_PERIOD,
	PROFILE_COMMENT, PROFILE_DEFAULT_SAMPLE_TYPE, PROFILE_DOC_URL,
};
enum { TYPE_TYPE = 1, TYPE_UNIT };
enum { SAMPLE_LOCATION = 1, SAMPLE_VALUE, SAMPLE_LABEL };
enum { LABEL_KEY = 1, LABEL_STR, LABEL_NUM, LABEL_NUM_UNIT };
enum {
	MAPPING_ID = 1, MAPPING_START, MAPPING_LIMIT, MAPPING_OFFSET, MAPPING_FILE,
	MAPPING_BUILD_ID, MAPPING_HAS_FUNCTIONS, MAPPING_HAS_FILES, MAPPING_HAS_LINES,
	MAPPING_HAS_INLINES,
};
enum {
	LOCATION_ID = 1, LOCATION_MAPPING, LOCATION_ADDRESS, LOCATION_LINE,
	LOCATION_IS_FOLDED,
};
enum { FUNCTION_ID = 1, FUNCTION_NAME, FUNCTION_SYSTEM_NAME, FUNCTION_FILE,
	FUNCTION_START_LINE };

/* Metadata that are one number or one text of the message. */
struct pprof_fact {
	const char *key;
	unsigned field;
	bool text;		/* an index of the table of strings */
};

#define PPROF_FACTS 6
#define PPROF_DEFAULT_TYPE 2	/* the metadata with the default sample type */

extern const struct pprof_fact pprof_fact[PPROF_FACTS];

/* The flags of a mapping about its locations: fields from MAPPING_HAS_FUNCTIONS on, as
 * words of the attribute `has` of an object. */
#define PPROF_HAS 4

extern const char *const pprof_has[PPROF_HAS];

int pprof_decode(struct decode *d);
struct sink *pprof_encode(const struct encode *e);

#endif
