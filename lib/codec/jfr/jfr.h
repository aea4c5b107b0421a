/* SPDX-License-Identifier: ISC */
/*
 * Reading recordings of Java Flight Recorder.  The format is that of OpenJDK,
 * src/jdk.jfr/share/classes/jdk/jfr/internal/consumer (ChunkHeader.java, MetadataReader,
 * ChunkParser) and src/hotspot/share/jfr/recorder.  A file is a series of chunks, each with
 * its own metadata, which lists the types of events and of their fields, and its own pools
 * of constants, to which fields refer by number.
 *
 *	jfr.c		the format: its probe
 *	read.c		a recording from its first chunk to its last
 *	chunk.c		a chunk: its header, where its events are
 *	source.c	the bytes of a chunk
 *	facts.c		metadata of the part, from events about the machine
 *	samples.c	events that have a stack, and their sums
 *	kinds.c		the events of the part
 *	stacks.c	stacks, frames and methods
 *	texts.c		names, which are constants of constants
 *	pools.c		constants by their number
 *	values.c	a value by its type
 *	metadata.c	types and their fields
 *	fail.c		errors, with their place
 *
 * Each of these calls only those after it.  Functions that return an int return 0, or -1
 * with the diag set; LINE_BAD where that is named.
 */
#ifndef PROF_CODEC_JFR_JFR_H
#define PROF_CODEC_JFR_JFR_H

#include "numbers.h"
#include "codec/expansion_limit.h"
#include "stream/codec.h"
#include "stream/sums.h"

int jfr_decode(struct decode *d);

struct jfr;

/* ---- errors ---- */

/* Sets an error at this byte of the chunk: always returns -1. */
int jfr_fail(struct jfr *j, const char *at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* The same for malformed data, which --lenient skips: always returns LINE_BAD. */
int jfr_bad(struct jfr *j, const char *at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- types ---- */

enum jfr_kind {
	KIND_STRUCT,		/* its fields, one after the other */
	KIND_NUMBER,		/* a whole number, packed */
	KIND_BYTES,		/* `width` bytes: boolean, byte, float, double */
	KIND_STRING,
};

/* The meaning of a field, by its name. */
enum jfr_role {
	JFR_NONE,
	JFR_STACK, JFR_THREAD, JFR_STATE, JFR_CLASS, JFR_PATH, JFR_HOST, JFR_START,
	JFR_SAMPLES,
	JFR_TRUNCATED, JFR_FRAMES, JFR_METHOD, JFR_LINE, JFR_TYPE, JFR_DESCRIPTOR,
	JFR_TEXT,		/* the text of a constant: name, string, description */
	JFR_JAVA_NAME, JFR_OS_NAME, JFR_OS_ID,
	/* Weights: amounts that the event stands for.  WEIGHT_NAMES, in metadata.c. */
	JFR_WEIGHT, JFR_ROLES = JFR_WEIGHT + 10,
};

/* The unit of a field, by its annotations. */
enum jfr_unit { UNIT_NONE, UNIT_TICKS, UNIT_NS, UNIT_US, UNIT_MS, UNIT_S, UNIT_BYTES };

struct jfr_field {
	struct text name;
	uint64_t class;		/* the id of its type */
	uint32_t type;		/* the index of that */
	uint8_t role, unit;
	bool pool;		/* it is the number of a constant */
	bool array;
};

#define NO_TYPE UINT32_MAX

struct jfr_type {
	uint64_t id;
	struct text name;
	uint32_t first, n;	/* its fields */
	uint8_t kind, width;
	bool sign;		/* of numbers: the highest bit is a sign */
	bool empty;		/* its values have no bytes */
	bool broken;		/* it contains itself, or a type that is not there */
	bool stack;		/* it has a field for a stack */
	bool plain;		/* none of its events is about the machine */
	uint32_t event;		/* the kind of event that it is; NO_ID: not known yet */
};

struct jfr_types {
	struct jfr_type *v;
	struct jfr_field *field;
	size_t n, cap, nfield, capfield;
	struct sums ids;	/* by id: the index in v */
	uint32_t string;	/* the type java.lang.String; NO_TYPE */
	struct buf text;	/* strings of the metadata */
};

/* Reads the event of the metadata.  LINE_BAD is possible. */
int jfr_metadata_read(struct jfr *j, struct bytes b);
/* The type with this id; NULL: there is none. */
struct jfr_type *jfr_type_find(const struct jfr_types *t, uint64_t id);
/* The name of a weight, by its role. */
struct text jfr_weight_name(enum jfr_role role);
/* Adds the text of a string in one of its encodings to a buffer; returns false if it is
 * null.  *refers: it is the number of a constant, which is then *number. */
bool jfr_string_add(struct bytes *b, struct buf *to, bool *refers, uint64_t *number);
void jfr_types_clear(struct jfr_types *t);
void jfr_types_free(struct jfr_types *t);

/* ---- values ---- */

/* Skip the value of a field; of a type. */
void jfr_skip_field(const struct jfr_types *t, const struct jfr_field *f, struct bytes *b);
void jfr_skip_type(const struct jfr_types *t, const struct jfr_type *type, struct bytes *b);
/* Reads a field that is one whole number: false, with the value skipped, if it is not. */
bool jfr_read_number(const struct jfr_types *t, const struct jfr_field *f, struct bytes *b,
    int64_t *v);
/* Reads a field that is the number of a constant: false, with it skipped, if it is not. */
bool jfr_read_reference(const struct jfr_types *t, const struct jfr_field *f, struct bytes *b,
    uint64_t *key);

/* ---- constants ---- */

enum jfr_use { USE_NONE, USE_TEXT, USE_STACK, USE_METHOD, USE_THREAD };

struct jfr_constant {
	const char *at;		/* its value */
	uint32_t id;		/* what was made of it, in this use */
	uint8_t use;
};

enum { POOL_TYPE, POOL_KEY, POOL_KEYS };

struct jfr_pools {
	struct sums keys;	/* by type and number: the index in v */
	struct jfr_constant *v;
	size_t cap;
};

/* Reads an event of constants.  LINE_BAD is possible. */
int jfr_pools_read(struct jfr *j, struct bytes b);
/* Finds a constant; NULL: there is none.  Valid until the next chunk. */
struct jfr_constant *jfr_constant_find(struct jfr *j, uint32_t type, uint64_t key);
/* The bytes from a constant on, to read its value. */
struct bytes jfr_constant_bytes(const struct jfr *j, const struct jfr_constant *c);
void jfr_pools_clear(struct jfr_pools *p);
void jfr_pools_free(struct jfr_pools *p);

/* ---- names ---- */

/* Set *str to the string of the dictionary for the text of a field, or of a constant; NO_ID:
 * it has none. */
int jfr_field_text(struct jfr *j, const struct jfr_field *f, struct bytes *b, uint32_t *str);
int jfr_constant_text(struct jfr *j, uint32_t type, uint64_t key, uint32_t *str);
/* The same for the name of a class as Java's sources have it. */
int jfr_class_text(struct jfr *j, const struct jfr_field *f, struct bytes *b, uint32_t *str);
/* Counts bytes of names against the limit. */
int jfr_count_text(struct jfr *j, size_t n);

/* ---- stacks ---- */

struct jfr_stacks {
	struct jfr_frame { uint32_t func, line, attrs; } *v;	/* leaf first */
	size_t n, cap;
	uint32_t truncated, none;	/* contexts that stand for callers that are missing,
					 * and for no stack; NO_ID: not yet */
};

/* Sets *ctx to the context of the stack of a field. */
int jfr_stack_find(struct jfr *j, const struct jfr_field *f, struct bytes *b, uint32_t *ctx);

/* ---- kinds of events ---- */

#define WEIGHTS 3		/* of an event, at most */
#define NO_COLUMN SIZE_MAX

struct jfr_event {
	uint32_t full;		/* its name: jdk.ExecutionSample */
	struct buf name;	/* in the part: ExecutionSample */
	uint64_t samples, stacks;	/* how many there are, and those with a stack */
	size_t nweight;
	struct { uint8_t role, unit; bool used; } weight[WEIGHTS];	/* used: one is not 0 */
	size_t column;		/* of the first of its events; NO_COLUMN: none has come */
	uint32_t period;	/* of its samples, a string; NO_ID: not known */
};

struct jfr_events {
	struct jfr_event *v;
	size_t n, cap;
	struct sums names;	/* by full name: the index in v */
};

/* Sets type->event. */
int jfr_event_of(struct jfr *j, struct jfr_type *type);
/* Returns the index of the event's weight with this role; -1: it has none. */
int jfr_event_weight(const struct jfr_event *e, enum jfr_role role);
/* Names the events that have come, gives them columns, and puts them. */
int jfr_events_put(struct jfr *j);
void jfr_events_free(struct jfr_events *e);

/* ---- samples ---- */

enum { ROW_CTX, ROW_LABELS, ROW_EVENT, ROW_TIME, ROW_KEYS };
enum { ROW_SAMPLES, ROW_WEIGHT, ROW_VALUES = ROW_WEIGHT + WEIGHTS };

struct jfr_samples {
	struct sums rows;	/* by context, labels, event and time */
	struct buf labels, values, attrs;
};

/* Takes an event of this type.  LINE_BAD is possible. */
int jfr_sample_read(struct jfr *j, struct jfr_type *type, struct bytes b);
/* Puts the sums. */
int jfr_samples_put(struct jfr *j);
void jfr_samples_free(struct jfr_samples *s);

/* ---- facts ---- */

struct jfr_facts {
	unsigned known;		/* bits: facts that were put */
	num lost;		/* bytes of events that the recorder has dropped */
	uint64_t first, last;	/* when the recording began and ended, in ns since 1970 */
};

/* Takes an event that is about the machine or the recording, if it is one. */
int jfr_fact_read(struct jfr *j, struct jfr_type *type, struct bytes b);
/* Puts those that are known at the end. */
int jfr_facts_put(struct jfr *j);

/* ---- the bytes of a chunk ---- */

struct jfr_source {
	struct buf buf;		/* from the current chunk on */
	uint64_t at;		/* the offset of that in the file */
	bool ended;		/* the file has no more */
};

/* Reads until there are n bytes of the chunk, or the file has ended. */
int jfr_source_fill(struct jfr *j, uint64_t n);
/* Goes to the next chunk, n bytes on. */
void jfr_source_next(struct jfr *j, size_t n);

/* ---- a chunk ---- */

#define CHUNK_HEADER 68
#define CHUNK_MAGIC "FLR\0"

struct jfr_chunk {
	uint64_t size, metadata;	/* as its header has them */
	uint64_t start_ns, duration_ns, start_ticks, per_second;
	bool finished;		/* the recorder has finished it */
	bool packed;		/* whole numbers are */
	const char *p, *end;	/* its bytes */
};

/* Reads the chunk at the beginning of the source, and sets *n to its size there.  Returns 1;
 * 0: there are no more chunks; or -1. */
int jfr_chunk_read(struct jfr *j, size_t *n);

/* ---- all of it ---- */

enum jfr_count {
	COUNT_STACKS, COUNT_METHODS, COUNT_CLASSES, COUNT_THREADS,	/* that no pool has */
	COUNT_TRUNCATED, COUNT_UNFINISHED, COUNTS
};

struct jfr {
	struct decode *d;
	bool times;		/* samples keep their time, */
	bool no_labels;		/* and need no labels */
	struct jfr_source source;
	struct jfr_chunk chunk;
	struct jfr_types types;
	struct jfr_pools pools;
	struct jfr_stacks stacks;
	struct jfr_events events;
	struct jfr_samples samples;
	struct jfr_facts facts;
	struct expansion_limit text_limit;
	struct buf scratch;
	uint64_t count[COUNTS];
};

#endif
