/* SPDX-License-Identifier: ISC */
#include "io/zip.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>
#include <zstd.h>

#include "io/unpack.h"
#include "util/mem.h"

/* After "BZh" and a digit: a block, or the end of a stream without any; these are pi and
 * the square root of pi. */
static bool
begins_bzip2(const char *s, size_t n)
{
	static const char block[] = "1AY&SY", end[] = "\x17rE8P\x90";
	const size_t rest = n > ZIP_MAGIC ? ZIP_MAGIC - 4 : n - 4;

	return memcmp(s, "BZh", 3) == 0 && s[3] >= '1' && s[3] <= '9' &&
	    (memcmp(s + 4, block, rest) == 0 || memcmp(s + 4, end, rest) == 0);
}

enum zip_kind
zip_detect(const char *s, size_t n)
{
	static const char xz[] = "\xfd" "7zXZ";	/* and a NUL */
	const unsigned char *p = (const unsigned char *)s;
	uint32_t magic;

	if (n >= 2 && p[0] == 0x1f && p[1] == 0x8b)
		return ZIP_GZIP;
	if (n < 4)
		return ZIP_NONE;
	magic = p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
	    (uint32_t)p[3] << 24;
	if (magic == ZSTD_MAGICNUMBER ||
	    (magic & ZSTD_MAGIC_SKIPPABLE_MASK) == ZSTD_MAGIC_SKIPPABLE_START)
		return ZIP_ZSTD;
	if (magic == 0x184d2204)
		return ZIP_LZ4;
	if (memcmp(s, xz, n < sizeof xz ? n : sizeof xz) == 0)
		return ZIP_XZ;
	return begins_bzip2(s, n) ? ZIP_BZIP2 : ZIP_NONE;
}

enum zip_kind
zip_by_suffix(const char *path)
{
	static const char *const suffix[] = {
		[ZIP_ZSTD] = ".zst", [ZIP_GZIP] = ".gz", [ZIP_XZ] = ".xz",
		[ZIP_BZIP2] = ".bz2", [ZIP_LZ4] = ".lz4",
	};
	const char *dot = strrchr(path, '.');
	size_t i;

	for (i = 1; dot && i < sizeof suffix / sizeof *suffix; i++)
		if (strcmp(dot, suffix[i]) == 0)
			return (enum zip_kind)i;
	return ZIP_NONE;
}

bool
zip_writes(enum zip_kind kind)
{
	return kind <= ZIP_GZIP;
}

const char *
zip_name(enum zip_kind kind)
{
	static const char *const name[] = {
		[ZIP_NONE] = "none", [ZIP_ZSTD] = "zstd", [ZIP_GZIP] = "gzip",
		[ZIP_XZ] = "xz", [ZIP_BZIP2] = "bzip2", [ZIP_LZ4] = "lz4",
	};

	return name[kind];
}

/* ---- gzip, by zlib ---- */

static void *
gzip_begin(void)
{
	z_stream *z = mem_alloc(1, sizeof *z);

	if (inflateInit2(z, 15 + 16) != Z_OK)
		mem_fail(0);
	return z;
}

static void
gzip_again(void *arg)
{
	inflateReset(arg);	/* fails only for an invalid stream */
}

static int
gzip_step(void *arg, struct zip_span *s, const char **why)
{
	z_stream *z = arg;
	int r;

	ZIP_LEND(z, s);
	r = inflate(z, Z_NO_FLUSH);
	if (r == Z_MEM_ERROR)
		mem_fail(0);
	if (r != Z_STREAM_END && r != Z_OK && r != Z_BUF_ERROR) {
		*why = z->msg ? z->msg : "corrupt data";
		return -1;
	}
	ZIP_TAKE_BACK(z, s);
	return r == Z_STREAM_END;
}

static void
gzip_end(void *arg)
{
	inflateEnd(arg);
	free(arg);
}

static void
gzip_version(struct buf *b)
{
	buf_printf(b, "zlib %s", zlibVersion());
}

static const struct unpacker unpack_gzip = { NULL, "\x1f", "\x8b", gzip_begin, gzip_again,
    gzip_step, gzip_end, gzip_version };

/* ---- which one ---- */

static const char *
why_not(const struct unpacker *u)
{
	return !u ? "this program was built without its library" :
	    u->library ? library_load(u->library) : NULL;
}

/* ISA-L decompresses gzip three times as fast as zlib, and parsing is faster than zlib. */
static const struct unpacker *
unpacker_of(enum zip_kind kind)
{
	switch (kind) {
	case ZIP_GZIP: return why_not(unpack_isal) ? &unpack_gzip : unpack_isal;
	case ZIP_XZ: return unpack_xz;
	case ZIP_BZIP2: return unpack_bzip2;
	case ZIP_LZ4: return unpack_lz4;
	default: return NULL;
	}
}

const char *
zip_missing(enum zip_kind kind)
{
	return kind <= ZIP_ZSTD ? NULL : why_not(unpacker_of(kind));
}

void
zip_versions(struct buf *b)
{
	const struct unpacker *const all[] = { &unpack_gzip, unpack_isal, unpack_xz,
	    unpack_bzip2, unpack_lz4 };
	size_t i;

	buf_printf(b, "libzstd %s", ZSTD_versionString());
	for (i = 0; i < sizeof all / sizeof *all; i++) {
		if (why_not(all[i]))
			continue;
		buf_puts(b, ", ");
		all[i]->version(b);
	}
}

/* ---- unpacking ---- */

struct unzip {
	bool between;
	bool ended;		/* not zstd: after a member, which only further members may
				 * follow, or zeros */
	ZSTD_DStream *zs;
	const struct unpacker *with;	/* the library of `other`; NULL: zstd */
	void *other;
};

struct unzip *
unzip_new(enum zip_kind kind)
{
	struct unzip *u = mem_alloc(1, sizeof *u);

	u->between = true;
	u->with = unpacker_of(kind);
	if (u->with)
		u->other = u->with->begin();
	else if (!(u->zs = ZSTD_createDStream()))
		mem_fail(0);
	return u;
}

static int
unzip_zstd(struct unzip *u, struct zip_span *s, const char **why)
{
	ZSTD_inBuffer in = { s->in, s->nin, 0 };
	ZSTD_outBuffer out = { s->out, s->nout, 0 };
	size_t r;

	/* Between two frames the library returns the size that the next one needs, not
	 * 0. */
	if (u->between && !s->nin)
		return 0;
	r = ZSTD_decompressStream(u->zs, &out, &in);
	if (ZSTD_isError(r)) {
		*why = ZSTD_getErrorName(r);
		return -1;
	}
	u->between = r == 0;
	zip_advance(s, in.pos, out.pos);
	return 0;
}

/* Skips zeros after the last member, which are padding, as tapes leave it and gzip(1) and
 * xz(1) accept it. */
static void
skip_zeros(struct zip_span *s)
{
	while (s->nin && *s->in == '\0') {
		s->in++;
		s->nin--;
	}
}

/* Is this not another member?  With one byte only, the library decides. */
static bool
is_garbage(const struct unpacker *with, const struct zip_span *s)
{
	return !strchr(with->first, s->in[0]) ||
	    (s->nin > 1 && with->second && !strchr(with->second, s->in[1]));
}

static int
unzip_other(struct unzip *u, struct zip_span *s, const char **why)
{
	int r;

	if (u->between && u->ended)
		skip_zeros(s);
	if (u->between && !s->nin)
		return 0;
	if (u->between && u->ended && is_garbage(u->with, s)) {
		*why = "garbage after the last member";
		return -1;
	}
	if (u->between && u->ended)
		u->with->again(u->other);
	u->between = false;
	if ((r = u->with->step(u->other, s, why)) < 0)
		return -1;
	u->between = r == 1;
	u->ended |= u->between;
	return 0;
}

int
unzip_step(struct unzip *u, struct zip_span *s, const char **why)
{
	return u->with ? unzip_other(u, s, why) : unzip_zstd(u, s, why);
}

bool
unzip_between(const struct unzip *u)
{
	return u->between;
}

void
unzip_free(struct unzip *u)
{
	if (!u)
		return;
	if (u->with)
		u->with->end(u->other);
	else
		ZSTD_freeDStream(u->zs);
	free(u);
}

struct zip {
	enum zip_kind kind;
	ZSTD_CStream *zs;
	z_stream gz;
};

struct zip *
zip_new(enum zip_kind kind)
{
	struct zip *z = mem_alloc(1, sizeof *z);

	z->kind = kind;
	if (kind == ZIP_ZSTD) {
		z->zs = ZSTD_createCStream();
		if (!z->zs)
			mem_fail(0);
		ZSTD_CCtx_setParameter(z->zs, ZSTD_c_checksumFlag, 1);
	} else if (deflateInit2(&z->gz, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16,
	    8, Z_DEFAULT_STRATEGY) != Z_OK) {
		mem_fail(0);
	}
	return z;
}

static int
zip_zstd(struct zip *z, struct zip_span *s, enum zip_until until, const char **why)
{
	ZSTD_inBuffer in = { s->in, s->nin, 0 };
	ZSTD_outBuffer out = { s->out, s->nout, 0 };
	size_t r = ZSTD_compressStream2(z->zs, &out, &in, until == ZIP_END ? ZSTD_e_end :
	    until == ZIP_FLUSH ? ZSTD_e_flush : ZSTD_e_continue);

	if (ZSTD_isError(r)) {
		*why = ZSTD_getErrorName(r);
		return -1;
	}
	zip_advance(s, in.pos, out.pos);
	return until != ZIP_MORE && r != 0;
}

static int
zip_gzip(struct zip *z, struct zip_span *s, enum zip_until until, const char **why)
{
	int r;

	ZIP_LEND(&z->gz, s);
	r = deflate(&z->gz, until == ZIP_END ? Z_FINISH :
	    until == ZIP_FLUSH ? Z_SYNC_FLUSH : Z_NO_FLUSH);
	if (r == Z_STREAM_ERROR) {
		*why = "zlib failed";
		return -1;
	}
	ZIP_TAKE_BACK(&z->gz, s);
	return until == ZIP_END ? r != Z_STREAM_END :
	    until == ZIP_FLUSH && z->gz.avail_out == 0;
}

int
zip_step(struct zip *z, struct zip_span *s, enum zip_until until, const char **why)
{
	return z->kind == ZIP_ZSTD ? zip_zstd(z, s, until, why) :
	    zip_gzip(z, s, until, why);
}

void
zip_free(struct zip *z)
{
	if (!z)
		return;
	if (z->kind == ZIP_ZSTD)
		ZSTD_freeCStream(z->zs);
	else
		deflateEnd(&z->gz);
	free(z);
}
