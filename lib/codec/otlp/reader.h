/* SPDX-License-Identifier: ISC */
/*
 * Profiles of OpenTelemetry: messages ProfilesData of opentelemetry/proto/profiles/
 * v1development/profiles.proto (github.com/open-telemetry/opentelemetry-proto), of the
 * versions 1.8 and later, and requests to export them, which have the same fields.  A file
 * is one message, or several, each after its length.
 *
 * Profiles share a dictionary of tables, which may come after them: the message is held
 * whole, one pass finds its tables, another one puts its profiles.
 */
#ifndef PROF_CODEC_OTLP_READER_H
#define PROF_CODEC_OTLP_READER_H

#include "codec/expansion_limit.h"
#include "codec/inlined_frames.h"
#include "stream/codec.h"
#include "util/cache.h"
#include "util/protobuf.h"

/* Numbers of fields in profiles.proto, common.proto and resource.proto. */
enum { DATA_RESOURCE = 1, DATA_DICTIONARY };
enum {
	DICT_MAPPING = 1, DICT_LOCATION, DICT_FUNCTION, DICT_LINK, DICT_STRING,
	DICT_ATTRIBUTE, DICT_STACK, DICT_TABLES
};
enum { RESOURCE_RESOURCE = 1, RESOURCE_SCOPE, RESOURCE_SCHEMA };
enum { SCOPE_SCOPE = 1, SCOPE_PROFILE, SCOPE_SCHEMA };
enum {
	PROFILE_TYPE = 1, PROFILE_SAMPLE, PROFILE_TIME, PROFILE_DURATION,
	PROFILE_PERIOD_TYPE, PROFILE_PERIOD, PROFILE_ID, PROFILE_DROPPED,
	PROFILE_PAYLOAD_FORMAT, PROFILE_PAYLOAD, PROFILE_ATTRIBUTE,
	PROFILE_COMMENT = 100	/* of 1.8, identified by its layout */
};
enum { TYPE_TYPE = 1, TYPE_UNIT };
enum { SAMPLE_STACK = 1, SAMPLE_ATTRIBUTE, SAMPLE_LINK, SAMPLE_VALUE, SAMPLE_TIME };
enum { MAPPING_START = 1, MAPPING_LIMIT, MAPPING_OFFSET, MAPPING_FILE, MAPPING_ATTRIBUTE };
enum { STACK_LOCATION = 1 };
enum { LOCATION_MAPPING = 1, LOCATION_ADDRESS, LOCATION_LINE, LOCATION_ATTRIBUTE };
enum { FUNCTION_NAME = 1, FUNCTION_SYSTEM_NAME, FUNCTION_FILE, FUNCTION_START_LINE };
enum { LINK_TRACE = 1, LINK_SPAN };
enum { UNITED_KEY = 1, UNITED_VALUE, UNITED_UNIT };	/* KeyValueAndUnit */
enum { PAIR_KEY = 1, PAIR_VALUE, PAIR_KEY_INDEX };	/* KeyValue */
enum {
	ANY_STRING = 1, ANY_BOOL, ANY_INT, ANY_DOUBLE, ANY_ARRAY, ANY_MAP, ANY_BYTES,
	ANY_STRING_INDEX
};
enum { LIST_VALUE = 1 };	/* ArrayValue, KeyValueList */
enum { ATTRIBUTES_RESOURCE = 1 };	/* Resource */
enum { LIBRARY_NAME = 1, LIBRARY_VERSION, LIBRARY_ATTRIBUTE };	/* InstrumentationScope */

/* The numbers of a version's fields in samples and profiles. */
struct otlp_layout {
	unsigned attribute, link, value;	/* of a sample */
	unsigned comment;	/* of a profile; 0: it has none, and later fields have
				 * numbers less by one */
};

#define UNPUT (NO_ID - 1)	/* an entry that was not put yet */

struct table {
	struct text *v;		/* messages, or strings */
	uint32_t *to;		/* objects, first frames, contexts; NULL: not needed */
	size_t n, cap;
};

struct reader {
	struct decode *d;
	struct text file;
	struct text message;	/* the current one: the file, or one of those in it */
	const struct otlp_layout *layout;
	bool dictionary;	/* was found */
	bool new_run;		/* a new run begins with the next profile */
	struct table table[DICT_TABLES];
	struct frames_func *func;	/* by the table of functions */
	struct frames frames;	/* of the locations that were needed */
	struct expansion_limit text_limit;	/* of text in the dictionary that was referred to */
	uint64_t *location;	/* of the current stack, leaf first */
	size_t nlocation, caplocation;
	bool addrs, lines;	/* there are some */
	uint64_t times, payloads;	/* numbers of dropped data */
	bool guessed;		/* the version of a message */
	struct cache units;	/* units of attributes that the part's metadata have */
	struct buf attrs, labels, text, value, list;
};

/* Fails with an error at a byte of the file: -1. */
#define FAIL(rd, p, ...) (otlp_place((rd), (p)), diag_fail((rd)->d->diag, __VA_ARGS__))

void otlp_place(struct reader *rd, const char *p);

/* Reports the error of a message: -1. */
int otlp_wrong(struct reader *rd, const struct pb *m);

/* ---- messages.c ---- */

/* Does a file begin with the length of a message? */
bool otlp_has_lengths(const char *p, size_t n);
/* Takes the next message, after its length, from the rest of such a file, which is not empty.
 * False: the file is truncated; *message is as much of it as there is. */
bool otlp_next_message(struct text *rest, struct text *message);

/* ---- tables.c ---- */

/* Finds the dictionary of rd->message, and the version.  0, or -1 with the diag set. */
int otlp_gather(struct reader *rd);
void otlp_tables_free(struct reader *rd);

/* Sets *entry to an entry of a table; `at` has its index.  0, or -1: there is none. */
int otlp_entry(struct reader *rd, const char *at, unsigned table, uint64_t i,
    struct text *entry);
/* Counts text that an index at `at` refers to.  0, or -1: the total exceeds the limit. */
int otlp_text(struct reader *rd, const char *at, size_t n);
/* Sets *t to a string and counts it; index 0, the empty one, is absent. */
int otlp_string(struct reader *rd, const char *at, uint64_t i, struct text *t);

/* ---- attributes.c ---- */

/* Calls `see` with the key, the value and the unit, which may be absent, of attributes:
 * those of a field with indices, or a KeyValue.  They last until it returns.  0, or -1 if
 * `see` fails or the message is malformed. */
typedef int otlp_see(struct reader *rd, void *arg, struct text key, struct text value,
    struct text unit);

int otlp_indexed(struct reader *rd, struct pb_field f, otlp_see *see, void *arg);
int otlp_pair(struct reader *rd, struct text message, otlp_see *see, void *arg);

/* For `see`: adds an attribute to rd->attrs, under a name that other formats share, and its
 * unit to the metadata. */
int otlp_add_attribute(struct reader *rd, void *arg, struct text key, struct text value,
    struct text unit);

/* Puts metadata with a list of texts, without absent ones at the end. */
int otlp_fact(struct reader *rd, const char *key, const struct text *list, size_t n);

/* Adds bytes as hexadecimal digits. */
void otlp_hex(struct buf *b, struct text bytes);

/* ---- places.c ---- */

/* Sets *ctx to the context of a stack, whose index is at `at`; NO_ID for an empty one.  0
 * or -1. */
int otlp_stack(struct reader *rd, const char *at, uint64_t i, uint32_t *ctx);

/* ---- profile.c ---- */

/* The owner of a profile: messages, which may be absent. */
struct owner {
	struct text resource, scope;
	struct text resource_schema, scope_schema;
};

/* Puts a profile as a part of the last run, or of rd->new_run.  0 or -1. */
int otlp_profile(struct reader *rd, const struct owner *owner, struct text message);

int otlp_decode(struct decode *d);

/* ---- probe.c ---- */

/* The functions of struct codec. */
int otlp_probe(const char *p, size_t n);
bool otlp_is_data(const char *p, size_t n);

#endif
