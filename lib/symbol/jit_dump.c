/* SPDX-License-Identifier: ISC */
#include "symbol/jit_dump.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "stream/sums.h"
#include "util/bytes.h"
#include "util/fence.h"
#include "util/mem.h"

#define MAGIC 0x4a695444u	/* in the byte order of the machine */
#define VERSION 1
#define HEADER 40		/* bytes of the file's header, at least */
#define RECORD_HEADER 16
#define LOAD 40			/* bytes before the name in a record of code */
#define WINDOW ((size_t)1 << 16)	/* bytes that are read at once; no name is longer */

enum { JIT_CODE_LOAD, JIT_CODE_MOVE, JIT_CODE_DEBUG_INFO, JIT_CODE_CLOSE };
enum { FLAG_ARCH_TIMESTAMP = 1 };

struct reading {
	struct jit_dump *dump;
	struct symbols *symbols;
	struct sums known;	/* by an index of code, the number of its first place */
	const char *path;
	int fd;
	bool swap;
	uint32_t pid;
	char *window;		/* bytes of the file, */
	uint64_t at;		/* from this offset on */
	size_t n;
	int failed;		/* errno, if the last bytes could not be read; or 0 */
};

/* ---- bytes ---- */

/* Returns up to `most` bytes at an offset, until the next call; fewer if a read fails. */
static struct bytes
bytes_at(struct reading *r, uint64_t at, size_t most)
{
	most = most < WINDOW ? most : WINDOW;
	r->failed = 0;
	if (at < r->at || at + most > r->at + r->n) {
		ssize_t n = 0;

		fence_lift(r->window, WINDOW);
		r->at = at;
		for (r->n = 0; r->n < WINDOW && (n = pread(r->fd, r->window + r->n, WINDOW - r->n,
		    (off_t)(at + r->n))) > 0; r->n += (size_t)n)
			;
		r->failed = n < 0 ? errno : 0;
		fence_put(r->window + r->n, WINDOW - r->n);
	}
	return bytes_of(r->window + (at - r->at), most < r->at + r->n - at ? most :
	    (size_t)(r->at + r->n - at), r->swap);
}

/* ---- records ---- */

static void
add_code(struct reading *r, const struct jit_code *code)
{
	struct jit_dump *j = r->dump;

	j->code = mem_grow(j->code, &j->cap, j->n + 1, sizeof *j->code);
	j->code[j->n++] = *code;
}

/* A record of code: its bytes are the last ones.  False: it is malformed. */
static bool
read_load(struct reading *r, uint64_t at, uint64_t size, uint64_t time)
{
	struct bytes b = bytes_at(r, at + RECORD_HEADER, size - RECORD_HEADER);
	struct jit_code code = { .time = time };
	struct symbol sym = { .limit = UINT64_MAX, .text = true, .func = true, .global = true };
	uint64_t index;
	uint32_t pid;

	pid = bytes_u32(&b);
	bytes_skip(&b, 12);
	code.start = bytes_u64(&b);
	code.size = bytes_u64(&b);
	index = bytes_u64(&b);
	sym.name = b.p;
	if (b.ended || !memchr(b.p, '\0', bytes_left(&b)) ||
	    code.size > size - RECORD_HEADER - LOAD - strlen(b.p) - 1)
		return false;
	if (pid != r->pid || !code.size)
		return true;
	code.offset = at + size - code.size;
	sym.addr = code.offset;
	sym.size = code.size;
	symbols_add(r->symbols, &sym);
	*sums_val(&r->known, sums_row(&r->known, &index)) = (num)r->dump->n;
	add_code(r, &code);
	return true;
}

/* Code was moved.  False: the record is malformed. */
static bool
read_move(struct reading *r, uint64_t at, uint64_t size, uint64_t time)
{
	struct bytes b = bytes_at(r, at + RECORD_HEADER, size - RECORD_HEADER);
	const uint32_t pid = bytes_u32(&b);
	struct jit_code code;
	uint64_t start, index;
	size_t row;

	bytes_skip(&b, 20);
	start = bytes_u64(&b);
	bytes_skip(&b, 8);
	index = bytes_u64(&b);
	if (b.ended)
		return false;
	if (pid != r->pid || !sums_find(&r->known, &index, &row))
		return true;
	code = r->dump->code[*sums_val(&r->known, row)];
	code.start = start;
	code.time = time;
	add_code(r, &code);
	return true;
}

/* Does the file end before this offset? */
static bool
ends_before(struct reading *r, uint64_t at)
{
	const struct bytes last = bytes_at(r, at - 1, 1);

	return !bytes_left(&last);
}

/* Warns that the records end at an offset, where one is malformed or a read fails. */
static void
warn_end(const struct reading *r, uint64_t at, struct diag *d)
{
	diag_say(d, DIAG_WARN, "%s: byte %" PRIu64 ": %s: code from there on has no names", r->path,
	    at, r->failed ? strerror(r->failed) : "a malformed or truncated record");
}

static void
read_records(struct reading *r, uint64_t at, struct diag *d)
{
	for (;;) {
		struct bytes b = bytes_at(r, at, RECORD_HEADER);
		uint32_t type, size;
		uint64_t time;

		if (!bytes_left(&b) && !r->failed)
			return;
		type = bytes_u32(&b);
		size = bytes_u32(&b);
		time = bytes_u64(&b);
		if (b.ended || size < RECORD_HEADER || ends_before(r, at + size) ||
		    (type == JIT_CODE_LOAD && !read_load(r, at, size, time)) ||
		    (type == JIT_CODE_MOVE && !read_move(r, at, size, time))) {
			warn_end(r, at, d);
			return;
		}
		at += size;
	}
}

/* ---- files ---- */

/* Sets *at to the offset of the first record. */
static int
read_header(struct reading *r, uint64_t *at, struct diag *d)
{
	struct bytes b = bytes_at(r, 0, HEADER);
	uint32_t magic = bytes_u32(&b), version, size;

	r->swap = b.swap = magic == __builtin_bswap32(MAGIC);
	version = bytes_u32(&b);
	size = bytes_u32(&b);
	bytes_skip(&b, 8);
	r->pid = bytes_u32(&b);
	bytes_skip(&b, 8);
	r->dump->own_clock = bytes_u64(&b) & FLAG_ARCH_TIMESTAMP;
	if (b.ended && r->failed)
		return diag_fail_plain(d, "%s: %s", r->path, strerror(r->failed));
	if (b.ended || (magic != MAGIC && !r->swap) || size < HEADER)
		return diag_fail_plain(d, "%s: it is not a jitdump", r->path);
	if (version != VERSION)
		return diag_fail_plain(d, "%s: jitdump version %u is not supported, only "
		    "%u is",
		    r->path, version, VERSION);
	*at = size;
	return 0;
}

static int
read_all(struct reading *r, struct executables *x, struct diag *d)
{
	uint64_t at = 0;

	if ((r->fd = open(r->path, O_RDONLY | O_CLOEXEC | O_NOCTTY)) < 0)
		return diag_fail_plain(d, "%s: %s", r->path, strerror(errno));
	if (read_header(r, &at, d) < 0)
		return -1;
	r->symbols = symbols_begin(x, r->path);
	read_records(r, at, d);
	r->dump->symbols = symbols_complete(r->symbols, d);
	return r->dump->symbols ? 0 : -1;
}

struct jit_dump *
jit_dump_open(struct executables *x, const char *path, struct diag *d)
{
	struct reading r = { .dump = mem_alloc(1, sizeof *r.dump), .path = path, .fd = -1,
	    .window = mem_resize(NULL, WINDOW, 1) };
	int ret;

	sums_init(&r.known, 1, 1);
	ret = read_all(&r, x, d);
	if (r.fd >= 0)
		close(r.fd);
	sums_free(&r.known);
	free(r.window);
	if (ret == 0) {
		symbols_join_names(r.dump->symbols);
		return r.dump;
	}
	jit_dump_free(r.dump);
	return NULL;
}

void
jit_dump_free(struct jit_dump *j)
{
	if (!j)
		return;
	symbols_free(j->symbols);
	free(j->code);
	free(j);
}

struct symbols *
jit_dump_take_symbols(struct jit_dump *j)
{
	struct symbols *s = j->symbols;

	j->symbols = NULL;
	return s;
}

bool
jit_dump_is_name(struct text path)
{
	const struct text name = text_base_name(path);
	size_t i = strlen("jit-");

	if (!text_begins(name, "jit-"))
		return false;
	while (i < name.n && name.s[i] >= '0' && name.s[i] <= '9')
		i++;
	return i > strlen("jit-") && text_is((struct text){ name.s + i, name.n - i }, ".dump");
}
