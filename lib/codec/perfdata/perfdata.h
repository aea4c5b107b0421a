/* SPDX-License-Identifier: ISC */
/*
 * Reading recordings of `perf record`.  The format is that of Linux,
 * tools/perf/Documentation/perf.data-file-format.txt, tools/perf/util/header.c and
 * include/uapi/linux/perf_event.h.
 *
 *	perfdata.c	the format: its probe, its options
 *	read.c		a recording from its first byte to its last
 *	siblings.c	the files with the records of a recording that is a directory
 *	source.c	the bytes of a file, a pipe, compressed input
 *	header.c	the header of a file, and its sections
 *	facts.c		metadata: the machine, the command, the samples
 *	events.c	attributes of events, their names and their ids
 *	records.c	bytes to records, decompressed if need be
 *	order.c		records in the order of time
 *	state.c		threads and processes
 *	generated.c	code that processes have generated, by the time since when it is there
 *	time_heap.c	the earliest of several
 *	maps.c		the mappings of a process
 *	sample.c	the fields of a sample
 *	deferred.c	samples whose stack comes later
 *	stacks.c	samples to stacks, and their sums
 *	contexts.c	the tree of all stacks
 *	chains.c	a cache of chains of addresses
 *	unnamed.c	objects whose functions have no names
 *	frames.c	the functions of a sample's stack
 *	unwind.c	stacks from registers and a copy of the stack
 *	unfinished.c	stacks that lack their callers
 *	places.c	addresses to functions
 *	beside.c	which other files belong to the recording
 *	fail.c		errors, with their place
 *
 * Each of these calls only those after it.  Functions that return an int return 0, or -1
 * with the diag set.
 */
#ifndef PROF_CODEC_PERFDATA_PERFDATA_H
#define PROF_CODEC_PERFDATA_PERFDATA_H

#include "stream/codec.h"
#include "stream/name_index.h"
#include "stream/sums.h"
#include "symbol/jit_dump.h"
#include "symbol/unwind.h"
#include "util/bytes.h"
#include "util/hash.h"
#include "util/index.h"

int perfdata_decode(struct decode *d);

/* Are these 8 bytes the magic of a recording, in either byte order? */
static inline bool
perf_is_magic(const char *p)
{
	return memcmp(p, "PERFILE2", 8) == 0 || memcmp(p, "2ELIFREP", 8) == 0;
}

/* ---- records ---- */

enum record_type {
	R_MMAP = 1, R_LOST, R_COMM, R_EXIT, R_THROTTLE, R_UNTHROTTLE, R_FORK, R_READ, R_SAMPLE,
	R_MMAP2, R_AUX, R_ITRACE_START, R_LOST_SAMPLES, R_SWITCH, R_SWITCH_CPU_WIDE,
	R_NAMESPACES, R_KSYMBOL, R_BPF_EVENT, R_CGROUP, R_TEXT_POKE, R_AUX_OUTPUT_HW_ID,
	R_CALLCHAIN_DEFERRED,
	R_KERNEL_END = 64,	/* the kernel's own types are below it, and end with a
				 * sample_id */
	R_ATTR = 64, R_EVENT_TYPE, R_TRACING_DATA, R_BUILD_ID, R_FINISHED_ROUND, R_ID_INDEX,
	R_AUXTRACE_INFO, R_AUXTRACE, R_AUXTRACE_ERROR, R_THREAD_MAP, R_CPU_MAP, R_STAT_CONFIG,
	R_STAT, R_STAT_ROUND, R_EVENT_UPDATE, R_TIME_CONV, R_FEATURE, R_COMPRESSED,
	R_FINISHED_INIT, R_COMPRESSED2,
};

enum {
	MISC_MODE = 7,		/* the mode of an address: */
	MODE_KERNEL = 1, MODE_USER, MODE_GUEST_KERNEL = 4, MODE_GUEST_USER,
	MISC_MMAP_DATA = 0x2000, MISC_COMM_EXEC = 0x2000, MISC_FORK_EXEC = 0x2000,
	KSYMBOL_GONE = 1,
	MISC_LOST_BY_FILTER = 0x8000, MISC_MMAP_BUILD_ID = 0x4000, MISC_BUILD_ID_SIZE = 0x8000,
};

/* Is it the mode of a virtual machine, about which nothing is known?  Its process is the
 * machine's. */
static inline bool
perf_is_guest(unsigned mode)
{
	return mode == MODE_GUEST_KERNEL || mode == MODE_GUEST_USER;
}

struct perf_record {
	uint32_t type;
	uint16_t misc;
	struct bytes body;	/* everything after the first 8 bytes */
};

#define RECORD_HEADER 8
#define NAME_MOST 1000		/* bytes: each sample has those of its event and thread */

/* Returns the record at p, which is complete. */
struct perf_record perf_record_at(const char *p, bool swap);

/* ---- events ---- */

/* Bits of sample_type. */
enum {
	S_IP = 1, S_TID = 2, S_TIME = 4, S_ADDR = 8, S_READ = 0x10, S_CALLCHAIN = 0x20,
	S_ID = 0x40, S_CPU = 0x80, S_PERIOD = 0x100, S_STREAM_ID = 0x200, S_RAW = 0x400,
	S_BRANCH_STACK = 0x800, S_REGS_USER = 0x1000, S_STACK_USER = 0x2000, S_WEIGHT = 0x4000,
	S_DATA_SRC = 0x8000, S_IDENTIFIER = 0x10000, S_TRANSACTION = 0x20000,
	S_REGS_INTR = 0x40000, S_PHYS_ADDR = 0x80000, S_AUX = 0x100000, S_CGROUP = 0x200000,
	S_DATA_PAGE_SIZE = 0x400000, S_CODE_PAGE_SIZE = 0x800000, S_WEIGHT_STRUCT = 0x1000000,
	S_FIRST = S_IDENTIFIER | S_IP | S_TID | S_TIME | S_ADDR | S_ID | S_STREAM_ID | S_CPU |
	    S_PERIOD,		/* those before READ and the chain */
};

struct perf_attr {
	uint32_t type;
	uint64_t config, period, sample_type, read_format, flags, branch_type, regs_user,
	    regs_intr;
	uint16_t chain_most;	/* addresses of a chain; 0: the kernel's default */
	/* The offsets of a sample's first fields, and the size of all: */
	bool monotonic;		/* its times are those of CLOCK_MONOTONIC */
	uint8_t at_id, at_ip, at_thread, at_time, at_cpu, at_period, first_size;
	struct buf name;	/* empty: perf has not recorded it */
	uint64_t samples;	/* number of samples */
	size_t column;		/* as an event of the part, NO_COLUMN: it is not one */
};

#define NO_COLUMN SIZE_MAX

#define ATTR_INHERIT (1ull << 1)
#define ATTR_FREQUENCY (1ull << 10)
#define ATTR_SAMPLE_ID_ALL (1ull << 18)
#define ATTR_USE_CLOCKID (1ull << 25)

struct perf_events {
	struct perf_attr *v;
	size_t n, cap;
	struct sums ids;	/* by id, and by the same number: */
	uint32_t *of;		/* the event */
	size_t capof;
	struct sums told;	/* by id and thread: the previous value of a group's
				 * member */
};

struct perfdata;
struct perf_sample;

/* Adds an event; *size is the size of its attributes. */
int perf_events_add(struct perfdata *pd, struct bytes attr, uint32_t *size);
void perf_events_init(struct perf_events *e);
void perf_events_add_ids(struct perf_events *e, size_t attr, struct bytes ids);
int perf_events_name(struct perfdata *pd, size_t attr, struct text name);
/* Sets *attr to the number of the event with an id: false if there is none. */
bool perf_events_find(const struct perf_events *e, uint64_t id, size_t *attr);
/* Does it measure how long threads waited, with samples from a program in the kernel? */
bool perf_attr_is_off_cpu(const struct perf_attr *a);
/* Have all of them the time of CLOCK_MONOTONIC? */
bool perf_events_are_monotonic(const struct perf_events *e);
/* Puts the events of the part. */
int perf_events_put(struct perfdata *pd);
void perf_events_free(struct perf_events *e);

/* ---- bytes of the recording ---- */

struct source {
	struct input *in;
	const char *all;	/* NULL: the input can be read at any offset */
	size_t n;
	uint64_t size;		/* of the input; 0: unknown, as it comes from a pipe */
};

/* Opens the input: 0, or -1.  A pipe's own form is not kept in memory. */
int pd_source_open(struct source *s, struct input *in, bool pipe_form);
/* Reads at most n bytes at an offset, and returns their number; -1. */
long pd_source_read(struct source *s, char *to, size_t n, uint64_t at);

/* ---- other files ---- */

struct stat;

/* Is the recording a file with a name, so that there can be files beside it? */
bool pd_beside_is_file(const struct perfdata *pd);
/* Is it the file of a directory of perf's, by its name? */
bool pd_beside_is_data(const struct perfdata *pd);
/* Adds the recording's directory, and a slash; nothing for the current one. */
void pd_beside_add_directory(const struct perfdata *pd, struct buf *path);
/* Is it a regular file of the same user as the recording?  Others are not read. */
bool pd_beside_is_own(const struct perfdata *pd, const struct stat *st);
/* Sets the path of the recording's own list of the kernel's symbols; false: there is none. */
bool pd_beside_find_kallsyms(const struct perfdata *pd, struct buf *path);

/* Has the recording records in other files?  MAYBE: perf was killed before it could tell. */
enum siblings_are { SIBLINGS_NONE, SIBLINGS_MAYBE, SIBLINGS_SURE };

struct siblings {
	enum siblings_are are;
	struct sibling *v;
	size_t n;
};

/* Lists the other files, after the header was read. */
int pd_siblings_find(struct perfdata *pd);
/* Reads their records, after those of the first file. */
int pd_siblings_read(struct perfdata *pd);
void pd_siblings_free(struct siblings *s);

/* ---- the header ---- */

enum section {
	F_BUILD_ID = 2, F_HOSTNAME, F_OSRELEASE, F_VERSION, F_ARCH, F_NRCPUS, F_CPUDESC,
	F_TOTAL_MEM = 10, F_CMDLINE, F_EVENT_DESC, F_DIR_FORMAT = 24, F_CPU_PMU_CAPS = 28,
	F_PMU_CAPS = 31,
};

/* Reads the header and the sections of a file, and sets the range of its data, [*at, *at +
 * *n). */
int perf_header_read(struct perfdata *pd, uint64_t *at, uint64_t *n);
/* Reads a feature's section. */
int perf_feature(struct perfdata *pd, uint64_t feature, struct bytes b);

/* ---- metadata ---- */

struct perf_facts {
	struct buf host, release, arch;	/* those of the machine; empty: unknown */
	uint64_t samples;	/* number of those read */
	uint64_t lost_samples, lost_records;
	uint64_t first, last;	/* times of samples; first 0: of none */
};

/* Puts the metadata that a section of the header has. */
int pd_facts_section(struct perfdata *pd, uint64_t feature, struct bytes b);
/* Takes the time of a sample, and counts it. */
void pd_facts_sample(struct perfdata *pd, const struct perf_sample *s);
/* Puts the metadata of all samples, and warns of losses. */
int pd_facts_end(struct perfdata *pd);
void pd_facts_free(struct perf_facts *f);

/* ---- records in order ---- */

/* Bytes that contain records, freed when the last of these is done with. */
struct chunk {
	size_t users, n, cap;
	bool held;		/* a record in the queue uses it */
	char s[];
};

#define ORDER_MOST ((uint64_t)320 << 20)	/* bytes of all waiting records, at least */
#define NO_RECORD UINT32_MAX

/* Numbers by a time, of equal times by their order: the first one is the earliest. */
struct time_heap {
	struct time_entry {
		uint64_t time, order;
		uint32_t n;
	} *v;
	size_t n, cap;
};

void pd_heap_put(struct time_heap *h, struct time_entry e);
void pd_heap_replace_first(struct time_heap *h, struct time_entry e);
void pd_heap_drop_first(struct time_heap *h);

struct order {
	struct timed {
		uint64_t time, at;	/* at: the record's offset, for messages */
		const char *record;
		struct chunk *chunk;
		uint32_t next;		/* in the run; in the unused ones */
		uint32_t of;		/* the record's file: 0, the first; or the number of a
					 * sibling, from 1 on */
	} *v;
	size_t n, cap;
	uint32_t unused, last;	/* last: the one added last, if it still waits */
	struct time_heap runs;	/* of records that came in order, by their first one: */
	uint64_t nrun;		/* number of runs until now */
	uint64_t newest, promised;	/* latest time; that of the round before */
	uint64_t done;		/* time of the last record that was put */
	uint64_t bytes;		/* of the chunks in use */
};

/* The records of a file, read piece by piece. */
struct reader {
	struct source source;
	uint64_t next, left;	/* offset of the next piece; bytes from there on */
	uint64_t all;		/* bytes of all records; UINT64_MAX: up to the file's end */
	size_t piece;		/* bytes that are read at once */
	uint32_t of;		/* the file, as in struct timed */
	uint64_t newest;	/* latest time of a record that was read */
	struct unzip *unzip;
	struct cutter {
		struct buf rest;	/* the beginning of a record whose rest has not come */
		uint64_t at;	/* offset of the next record */
		uint64_t skip;	/* bytes after a record that are not records */
	} file, packed;		/* the stream of the file, and the compressed one in it */
};

/* Another file of the recording, by its number from 1 on. */
struct sibling {
	char *path;
	struct reader records;
	uint64_t before;	/* latest time before the piece that was read last */
};

void pd_order_init(struct order *o);
int pd_order_add(struct perfdata *pd, uint64_t time, const char *record, struct chunk *c);
int pd_order_round(struct perfdata *pd);
int pd_order_end(struct perfdata *pd);
void pd_order_free(struct order *o);

struct chunk *pd_chunk_new(size_t cap);
/* Shrinks a chunk to n bytes, before it is used. */
struct chunk *pd_chunk_fit(struct chunk *c, size_t n);
/* Ends one use. */
void pd_chunk_drop(struct order *o, struct chunk *c);

/* Puts all records up to a time. */
int pd_order_put_until(struct perfdata *pd, uint64_t time);

#define PIPE_HEADER 16		/* bytes before the records of a pipe's form */
#define NO_OFFSET UINT64_MAX

/* Begins to read n bytes of records, UINT64_MAX: all, from an offset on; NO_OFFSET: the next
 * ones of the input. */
struct reader pd_reader_make(struct source s, uint64_t at, uint64_t n);
/* Reads a piece: 1; 0 at the end; -1.  Records with a time wait for their turn. */
int pd_reader_step(struct perfdata *pd, struct reader *r);
void pd_reader_free(struct reader *r);

/* ---- threads and maps ---- */

struct map {
	uint64_t start, end;
	uint64_t shift;		/* added to an address, it is that in the place */
	uint32_t place;		/* index in the table of places.c */
	bool anonymous;		/* it has no file, and may have generated code */
};

/* The mappings of a process; zeros: none.  Copies share common parts. */
struct maps {
	struct map_trees {		/* by address, none within another */
		struct map_node *mapped;
		struct map_node *code;	/* generated, where nothing or no file is mapped */
	} now, before;			/* before exec, during which samples still occur */
	const struct map *last;		/* the last one found; NULL */
	uint64_t version;		/* of maps with the same one are equal */
};

void maps_add(struct maps *m, const struct map *map);
/* The same for generated code. */
void maps_add_code(struct maps *m, const struct map *map);
const struct map *maps_search(struct maps *m, uint64_t addr);

/* Returns the map at an address, valid until maps change; NULL: none. */
static inline const struct map *
maps_find(struct maps *m, uint64_t addr)
{
	return m->last && addr >= m->last->start && addr < m->last->end ? m->last :
	    maps_search(m, addr);
}

void maps_copy(struct maps *to, const struct maps *from);
/* Begins exec: another program is loaded, while samples still have addresses of the old
 * one. */
void maps_exec(struct maps *m);
void maps_clear(struct maps *m);

struct thread {
	uint32_t comm;		/* a string; NO_ID: unknown */
	uint32_t labels;	/* a string: comm, pid, tid; NO_ID: not made yet */
	uint32_t pid;
};

struct perf_state {
	struct sums threads, processes;		/* by tid; by pid; by the same number: */
	struct thread *thread;
	struct maps *maps;	/* also of processes that have exited, as samples come
				 * later */
	size_t capthread, capmaps;
	uint32_t pid;		/* whose maps were asked for last, */
	size_t process;		/* and its number */
	struct maps kernel, none;
	uint64_t versions;	/* the last version of any maps */
};

/* Gives changed maps a version that no others have; the next number, too, is theirs. */
static inline void
perf_renew_maps(struct perf_state *s, struct maps *m)
{
	m->version = s->versions += 2;
}

/* Returns the thread; valid until another one is added. */
struct thread *pd_state_thread(struct perfdata *pd, uint32_t tid);
/* Returns the mappings of a process, valid until another process is added. */
struct maps *pd_state_maps(struct perfdata *pd, uint32_t pid);
/* Takes a record of comm, fork, mmap, ksymbol. */
int pd_state_record(struct perfdata *pd, struct perf_record *r);
void pd_state_free(struct perf_state *s);

/* ---- samples ---- */

#define MARKERS ((uint64_t)-4095)	/* from here on, an address of a chain gives the
					 * mode of the next ones: */
#define MARK_KERNEL ((uint64_t)-128)
#define MARK_USER ((uint64_t)-512)
#define MARK_DEFERRED ((uint64_t)-640)	/* of the user's stack, which comes later; followed
					 * by a cookie */
#define BRANCH_SIZE 24			/* bytes: from, to, flags */

struct perf_sample {
	struct perf_attr *attr;	/* NULL: the event is unknown, and everything else unset */
	size_t event;		/* its number */
	uint16_t misc;
	uint32_t pid, tid, cpu;
	bool has_cpu, has_time;
	uint64_t ip, time, period;
	struct bytes chain;	/* leaf first */
	bool waits;		/* the user's part of the chain comes later, with this
				 * cookie: */
	uint64_t cookie;
	struct bytes later;	/* that part; empty: it is missing */
	struct bytes branches;	/* calls that the processor recorded, newest first */
	uint64_t abi;		/* of the registers; 0: none were recorded */
	struct bytes registers;	/* of user space, lowest bit first */
	bool copied;		/* a copy of the user's stack was requested: */
	struct bytes stack;	/* the copy, from its first byte on */
	struct bytes group;	/* values of a group's members */
	unsigned group_step;	/* numbers per member */
	struct maps *maps, *kernel;	/* of its process and kernel, while its stack is
					 * found */
};

/* Parses a sample: 0, its event being NULL if it is unknown; -1: it is malformed, with the
 * diag set. */
int pd_sample_parse(struct perfdata *pd, const struct perf_record *r, struct perf_sample *s);
/* Returns the thread of any record of the kernel's, by its last fields; 0: it has none. */
uint32_t pd_record_thread(const struct perfdata *pd, const struct perf_record *r);
/* Returns the time of any record of the kernel's; 0: it has none. */
uint64_t pd_record_time(const struct perfdata *pd, const struct perf_record *r);

/* ---- places ---- */

/* PLACE_DUMP: a file with generated code; PLACE_SYMBOL: one function of the kernel's, which
 * has its name. */
enum place_kind { PLACE_ELF, PLACE_KERNEL, PLACE_ANON, PLACE_DUMP, PLACE_SYMBOL };

enum { PLACE_PATH, PLACE_BUILD, PLACE_KEYS };

struct place {
	enum place_kind kind;
	uint32_t path, key;	/* strings; key: the build ID, NO_ID: unknown */
	uint32_t object;	/* of the dictionary; NO_ID: not needed yet */
	struct symbolizer *names;	/* NULL: none */
	struct jit_dump *dump;		/* NULL: it is none */
	uint32_t unknown;	/* its function without a name, or that of a PLACE_SYMBOL; NO_ID:
				 * not needed yet */
};

struct function {
	uint32_t func;
	bool padding;		/* it is not a function, but the space before one */
	uint64_t addr;		/* in its object; 0 if addresses are not kept */
};

#define RECENT 8192		/* a power of two */

struct perf_places {
	struct recent {		/* addresses whose functions were looked up, by their
				 * hash */
		uint64_t at;	/* its offset in the place */
		uint32_t place;	/* its number + 1; 0: none */
		struct function f;
	} *recent;		/* RECENT */
	struct place *v;
	size_t n, cap;
	struct sums known;	/* by path and build ID: the number of a place */
	struct name_index builds;	/* paths with a known build ID, and by number: */
	uint32_t *build;	/* the build ID, a string */
	size_t nbuild, capbuild;
	uint32_t nowhere;	/* the function of addresses without a mapping */
	uint32_t kernel;	/* the kernel's place; NO_ID: none was mapped */
	uint64_t kernel_start;	/* where it was mapped */
	uint32_t text;		/* a symbol of it, a string, and its address; NO_ID:
				 * unknown */
	uint64_t text_addr;
	uint64_t shift;		/* from that address to the one in the list of symbols */
};

void pd_places_init(struct perf_places *p);
/* Takes a record with the build ID of a path, which comes before its mapping. */
void pd_places_record(struct perfdata *pd, struct perf_record *r);
/* Returns the place of a path; key: its build ID as a string, NO_ID: unknown. */
uint32_t pd_places_find(struct perfdata *pd, struct text path, uint32_t key,
    enum place_kind kind);
/* Returns the place of a file of generated code that was not asked for yet, and sets *dump to
 * what is in it; NO_ID: there is none. */
uint32_t pd_places_find_dump(struct perfdata *pd, struct text path, struct jit_dump **dump);
/* Returns what an address in a mapping differs by from the address in the place: that is an
 * offset if the place is an ELF file. */
uint64_t pd_places_shift(const struct perfdata *pd, uint32_t place, uint64_t start,
    uint64_t offset);
uint32_t pd_places_key(struct perfdata *pd, struct bytes id);
/* Returns how a stack is unwound from an address whose function was looked up; NULL: there
 * is no table for it. */
const struct unwind_row *pd_places_row(struct perfdata *pd, const struct map *map,
    enum unwind_machine machine, uint64_t addr);
/* Sets *f to the function at an address; map: NULL, nothing is mapped there. */
int pd_places_func(struct perfdata *pd, const struct map *map, uint64_t addr, bool kernel,
    struct function *f);

/* Returns the cache entry of an address in a place, as samples repeat addresses. */
static inline struct recent *
perf_recent(const struct perf_places *p, uint32_t place, uint64_t at)
{
	return &p->recent[hash_upper(hash_number(place, at)) % RECENT];
}

/* Returns the function at an address, if it was looked up recently; otherwise NULL. */
static inline const struct function *
perf_recent_func(const struct perf_places *p, const struct map *map, uint64_t addr)
{
	const uint64_t at = addr + map->shift;
	const struct recent *r = perf_recent(p, map->place, at);

	return r->place == map->place + 1 && r->at == at ? &r->f : NULL;
}

void pd_places_free(struct perf_places *p);

/* ---- generated code ---- */

struct perf_generated {
	struct generator {
		const struct jit_dump *dump;
		size_t next;		/* the code of it that comes next */
		size_t process;		/* which generates it */
		uint32_t place;
	} *v;
	size_t n, cap;
	struct time_heap due;		/* those that will have more, by its time */
};

/* Takes the mapping of a file with code that a process will generate. */
void pd_generated_add(struct perfdata *pd, size_t process, struct text path);
/* Adds the code that is there since a time, or before it. */
void pd_generated_advance(struct perfdata *pd, uint64_t time);
void pd_generated_free(struct perf_generated *g);

/* Adds all code that is there at a time. */
static inline void
perf_generated_until(struct perfdata *pd, const struct perf_generated *g, uint64_t time)
{
	if (g->due.n && g->due.v[0].time <= time)
		pd_generated_advance(pd, time);
}

/* ---- unwinding ---- */

/* PC_RETURN: the address is a return address, so the call is before it. */
enum pc { PC_EXACT, PC_RETURN };

/* Why callers are missing in a stack. */
enum unfinished {
	UNFINISHED_COPY,	/* the copy of the stack ends before them */
	UNFINISHED_CHAIN,	/* the kernel keeps no more of them */
	UNFINISHED_BRANCHES,	/* the processor keeps no more of them */
	UNFINISHED_DEFERRED,	/* the kernel has deferred them, and they never came */
	UNFINISHED_NO_ROW, UNFINISHED_NO_RULE, UNFINISHED_NOT_UP,	/* as enum unwound */
	UNFINISHED_REGISTERS,	/* too few, or of an unknown machine */
	UNFINISHED_REASONS,
};

struct perf_unfinished {
	struct sums stacks;	/* their number, by reason and place (NO_ID: nowhere) */
	uint32_t func;		/* stands for the callers; NO_ID: not needed yet */
};

void pd_unfinished_init(struct perf_unfinished *u);
/* Counts a stack that ends in this mapping; NULL: in none. */
void pd_unfinished_add(struct perfdata *pd, enum unfinished why, const struct map *map);
/* Sets *func to the function that stands for missing callers. */
int pd_unfinished_func(struct perfdata *pd, uint32_t *func);
/* Reports them, by notes and metadata of the part. */
int pd_unfinished_report(struct perfdata *pd);
void pd_unfinished_free(struct perf_unfinished *u);

/* Passes the addresses of the user's stack to add(); the sample has a copy of the stack.
 * 1: callers are missing. */
int pd_unwind(struct perfdata *pd, struct perf_sample *s, int (*add)(struct perfdata *pd,
    struct perf_sample *s, uint64_t addr, bool kernel, enum pc pc));

/* ---- the functions of a sample ---- */

struct perf_frames {
	struct function *v;	/* leaf first */
	size_t n, cap;
};

/* Finds the functions of a sample.  1: callers are missing; a function stands for them, and they
 * were counted. */
int pd_frames_find(struct perfdata *pd, struct perf_sample *s);

/* ---- a cache of chains ---- */

#define CHAINS 8192		/* powers of two */
#define CHAINS_CAME (4 * CHAINS)

/* The state of mappings, by the versions of a process's maps and of the kernel's: after a
 * change, the same addresses are in other functions. */
struct chain_key {
	uint32_t mode, most;
	uint64_t maps, kernel;
};

struct perf_chains {
	struct known_chain {
		uint32_t hash, context;
		size_t n, cap;	/* bytes; 0: none */
		char *addrs;	/* in the form of the sample */
		struct chain_key key;
	} *v;			/* CHAINS, by the hash of their addresses; NULL: none yet */
	uint32_t *came;		/* CHAINS_CAME, hashes of the last chains */
};

/* Returns the entry for a sample's chain; *known: the entry has its context.  NULL: the
 * stack does not depend on the chain alone, or the chain has not come before. */
struct known_chain *pd_chains_find(struct perfdata *pd, const struct perf_sample *s,
    struct chain_key *key, bool *known);
/* Fills the entry that was returned with this key. */
void pd_chains_keep(struct known_chain *c, const struct perf_sample *s,
    const struct chain_key *key, uint32_t context);
void pd_chains_free(struct perf_chains *c);

/* ---- contexts ---- */

struct perf_contexts {
	struct perf_context {
		uint64_t addr;
		uint32_t func, parent;	/* parent: its number, which is less; NO_ID: a root */
		uint32_t ctx;		/* of the dictionary */
		uint32_t called;	/* the one below it that was looked up last; NO_ID */
	} *v;
	size_t n, cap;
	uint32_t root;			/* the root that was looked up last; NO_ID */
	struct hash_index index;	/* by parent, function and address */
};

void pd_contexts_init(struct perf_contexts *c);
/* Sets *context to the number of the stack of pd->frames; new contexts are put. */
int pd_contexts_find(struct perfdata *pd, uint32_t *context);
void pd_contexts_free(struct perf_contexts *c);

/* ---- stacks ---- */

enum { TAG_LABELS, TAG_EVENT, TAG_KEYS };

struct perf_stacks {
	struct stack_sum {
		num period;
		uint64_t samples;
		uint32_t context;	/* its number in contexts.c */
		uint32_t tag;
	} *v;			/* in the order in which they first came; with their times
				 * samples have been put, and none have labels */
	size_t n, cap;
	struct hash_index index;	/* by context and tag */
	struct sums tags;	/* labels and event: a tag's number */
	uint32_t labels, tag;	/* those of the last sample, */
	size_t event;		/* and its event */
	struct buf values, attrs;
};

/* Returns the event of a sum. */
static inline size_t
pd_stacks_event(const struct perf_stacks *s, size_t i)
{
	return (size_t)sums_key(&s->tags, s->v[i].tag)[TAG_EVENT];
}

void pd_stacks_init(struct perf_stacks *s);
int pd_stacks_put_sample(struct perfdata *pd, struct perf_sample *s);
/* Puts the sums. */
int pd_stacks_end(struct perfdata *pd);
void pd_stacks_free(struct perf_stacks *s);

/* ---- what has no names ---- */

/* Reports in notes which objects functions without names are in, why, and how much they
 * cost. */
void pd_report_unnamed(struct perfdata *pd);

/* ---- samples that wait ---- */

struct deferred {
	struct sums lists;	/* by thread and cookie, and by the same number: */
	struct waiting_list { uint32_t first, last; } *list;	/* of v; NO_ID: none */
	struct waiting {
		char *record;	/* a copy; NULL: it waits no more */
		struct perf_sample sample;
		uint32_t next;	/* in its list; NO_ID: none */
	} *v;
	size_t n, cap, caplist;
	size_t left;		/* that wait still */
	uint64_t bytes;		/* of all records */
};

void pd_deferred_init(struct deferred *d);
/* Keeps a parsed sample, with a copy of its record: n bytes at p. */
int pd_deferred_keep(struct perfdata *pd, const struct perf_sample *s, const char *p, size_t n);
/* Puts the samples whose stack this record has. */
int pd_deferred_record(struct perfdata *pd, struct perf_record *r);
/* Puts all waiting samples without their user stacks. */
int pd_deferred_end(struct perfdata *pd);
void pd_deferred_free(struct deferred *d);

/* ---- all of it ---- */

enum count {
	THROTTLED, UNKNOWN_RECORDS, HARDWARE_TRACES,
	BRANCH_STACKS, UNKNOWN_EVENTS, FALLEN_VALUES, NO_PERIODS, LATE_RECORDS, LATE_EVENTS,
	COUNTS
};

struct perfdata {
	struct decode *d;
	int (*put)(struct perfdata *pd, const char *record);	/* takes each record in
								 * order */
	const struct sample_options *options;
	bool addrs;		/* addresses of frames are kept */
	bool no_labels;		/* samples need none but their event */
	bool swap;
	bool began;		/* the part's events were put */
	bool complete;		/* all samples have come, */
	uint64_t samples;	/* this many */
	uint64_t at;		/* offset of the current record, for messages */
	uint32_t of;		/* and its file, as in struct timed */
	struct source source;
	struct siblings siblings;
	struct perf_facts facts;
	struct perf_events events;
	uint64_t bytes;		/* of the files' records, that were read, */
	uint64_t unpacked;	/* and of packed ones, unpacked */
	uint64_t contexts_before;	/* number of those that other profiles have */
	struct order order;
	struct perf_state state;
	struct perf_places places;
	struct perf_generated generated;
	struct perf_unfinished unfinished;
	struct perf_frames frames;
	struct perf_contexts contexts;
	struct perf_stacks stacks;
	struct perf_chains chains;
	struct deferred deferred;
	uint64_t branches_most;	/* calls that the processor keeps; 0: not known */
	uint64_t count[COUNTS];
};

/* Sets an error at the byte pd->at: always returns -1. */
int perf_fail(struct perfdata *pd, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Reports that the recording is truncated there: 0 if that is accepted, otherwise -1. */
int perf_cut(struct perfdata *pd, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
