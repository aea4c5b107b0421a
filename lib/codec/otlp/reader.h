/* SPDX-License-Identifier: ISC */
/*
 * Profiles of OpenTelemetry: messages ProfilesData of opentelemetry/proto/profiles/
 * v1development/profiles.proto (github.com/open-telemetry/opentelemetry-proto), of the
 * versions 1.8 and later, and requests to export them, which have the same fields.
 *
 * What profiles share, a dictionary of tables, may come after them: the message is held
 * whole, one pass finds its tables, another one puts its profiles.
 */
#ifndef PROF_CODEC_OTLP_READER_H
#define PROF_CODEC_OTLP_READER_H

#include "codec/expansion_limit.h"
#include "codec/inlined_frames.h"
#include "stream/codec.h"
#include "util/cache.h"
#include "util/protobuf.h"

/* Numbers of fields, as profiles.proto, common.proto and resource.proto have them. */
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
	PROFILE_COMMENT = 100	/* of 1.8, by its layout */
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

/* Which fields of a sample and a profile a version has. */
struct otlp_layout {
	unsigned attribute, link, value;	/* of a sample */
	unsigned comment;	/* of a profile, 0: has none, and those after it are one
				 * less */
};

#define UNPUT (NO_ID - 1)	/* what became of an entry: nothing yet */

struct table {
	struct text *v;		/* messages, or strings */
	uint32_t *to;		/* objects, first frames, contexts; NULL: not needed */
	size_t n, cap;
};

struct reader {
	struct decode *d;
	struct text file;
	struct text message;	/* at hand: the file, or one of those in it */
	const struct otlp_layout *layout;
	bool dictionary;	/* was found */
	bool new_run;		/* begins with the next profile */
	struct table table[DICT_TABLES];
	struct frames_func *func;	/* of the table of functions */
	struct frames frames;	/* of locations that were needed */
	struct expansion_limit said;	/* of the dictionary, that was pointed to */
	uint64_t *location;	/* of the stack at hand, leaf first */
	size_t nlocation, caplocation;
	bool addrs, lines;	/* there are some */
	uint64_t times, payloads;	/* what is not kept */
	struct cache units;	/* of attributes, that the part has facts for */
	struct buf attrs, labels, text, value, list;
};

/* An error at a byte of the file: -1. */
#define FAIL(rd, p, ...) (otlp_place((rd), (p)), diag_fail((rd)->d->diag, __VA_ARGS__))

void otlp_place(struct reader *rd, const char *p);

/* What is wrong with a message: -1. */
int otlp_wrong(struct reader *rd, const struct pb *m);

/* ---- tables.c ---- */

/* Finds the dictionary of rd->message, and which version it is of.  0, or -1 with the
 * diag set. */
int otlp_gather(struct reader *rd);
void otlp_tables_free(struct reader *rd);

/* An entry of a table; `at` has its index.  0, or -1: there is none. */
int otlp_entry(struct reader *rd, const char *at, unsigned table, uint64_t i,
    struct text *entry);
/* Counts text that an index at `at` points to.  0, or -1: it is too much in all. */
int otlp_text(struct reader *rd, const char *at, size_t n);
/* A string, absent for 0, the empty one, counted. */
int otlp_string(struct reader *rd, const char *at, uint64_t i, struct text *t);

/* ---- attributes.c ---- */

/* Calls `see` with the key, the value and the unit, which may be absent, of attributes:
 * those of a field that has indices, or a KeyValue.  They last until it returns.  0, or
 * -1 if `see` or the message says so. */
typedef int otlp_see(struct reader *rd, void *arg, struct text key, struct text value,
    struct text unit);

int otlp_indexed(struct reader *rd, struct pb_field f, otlp_see *see, void *arg);
int otlp_pair(struct reader *rd, struct text message, otlp_see *see, void *arg);

/* For `see`: adds an attribute to rd->attrs, by a name that other formats have for it,
 * and says its unit in a fact. */
int otlp_add_attribute(struct reader *rd, void *arg, struct text key, struct text value,
    struct text unit);

/* A fact with a list of texts, of which absent ones at the end are left out. */
int otlp_fact(struct reader *rd, const char *key, const struct text *list, size_t n);

/* Adds bytes as hexadecimal digits. */
void otlp_hex(struct buf *b, struct text bytes);

/* ---- places.c ---- */

/* The context of a stack, the index of which is at `at`; NO_ID for an empty one.  0 or
 * -1. */
int otlp_stack(struct reader *rd, const char *at, uint64_t i, uint32_t *ctx);

/* ---- profile.c ---- */

/* What a profile is of: messages, which may be absent. */
struct owner {
	struct text resource, scope;
	struct text resource_schema, scope_schema;
};

/* Puts a profile as a part of the last run, or of rd->new_run.  0 or -1. */
int otlp_profile(struct reader *rd, const struct owner *owner, struct text message);

int otlp_decode(struct decode *d);

/* ---- probe.c ---- */

/* As codec.probe and codec.probe_whole say it. */
int otlp_probe(const char *p, size_t n);
bool otlp_is_data(const char *p, size_t n);

#endif
