/* SPDX-License-Identifier: ISC */
#include "io/zip.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>
#include <zstd.h>
#ifdef HAVE_ISAL
#include <isa-l/igzip_lib.h>
#endif

#include "io/unpack.h"
#include "util/mem.h"

/* zlib and ISA-L count in unsigned int. */
#define CHUNK ((size_t)1 << 30)

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

/* NULL for what is unpacked here, and for what was not built in. */
static const struct unpacker *
unpacker_of(enum zip_kind kind)
{
	return kind == ZIP_XZ ? unpack_xz : kind == ZIP_BZIP2 ? unpack_bzip2 :
	    kind == ZIP_LZ4 ? unpack_lz4 : NULL;
}

bool
zip_built(enum zip_kind kind)
{
	return kind <= ZIP_GZIP || unpacker_of(kind);
}

/*
 * Inflating gzip's members, by zlib, or three times as fast by ISA-L: parsing is
 * faster than zlib.  Both have the same names for the ends of input and output.
 */
#ifdef HAVE_ISAL
#define INFLATE_SAYS ", ISA-L"

typedef struct inflate_state inflater;

static int
inflate_begin(inflater *f)
{
	isal_inflate_init(f);
	f->crc_flag = ISAL_GZIP;
	return 0;
}

static void
inflate_again(inflater *f)
{
	isal_inflate_reset(f);
	f->crc_flag = ISAL_GZIP;
}

/* 1 at the end of a member, 0, -1 with *why. */
static int
inflate_step(inflater *f, const char **why)
{
	int r = isal_inflate(f);

	if (r < 0) {
		*why = r == ISAL_INCORRECT_CHECKSUM ? "incorrect data check" :
		    r == ISAL_INVALID_LOOKBACK ? "invalid distance too far back" :
		    r == ISAL_INVALID_WRAPPER ? "incorrect header check" :
		    r == ISAL_UNSUPPORTED_METHOD ? "unknown compression method" :
		    "corrupt data";
		return -1;
	}
	return f->block_state == ISAL_BLOCK_FINISH;
}

static void
inflate_end(inflater *f)
{
	(void)f;
}
#else
#define INFLATE_SAYS ""

typedef z_stream inflater;

static int
inflate_begin(inflater *f)
{
	return inflateInit2(f, 15 + 16) == Z_OK ? 0 : -1;
}

static void
inflate_again(inflater *f)
{
	inflateReset(f);	/* fails only for an invalid stream */
}

/* 1 at the end of a member, 0, -1 with *why. */
static int
inflate_step(inflater *f, const char **why)
{
	int r = inflate(f, Z_NO_FLUSH);

	if (r == Z_STREAM_END || r == Z_OK || r == Z_BUF_ERROR)
		return r == Z_STREAM_END;
	if (r == Z_MEM_ERROR)
		mem_fail(0);
	*why = f->msg ? f->msg : "corrupt data";
	return -1;
}

static void
inflate_end(inflater *f)
{
	inflateEnd(f);
}
#endif

const char *
zip_versions(void)
{
	static char text[160];
	enum zip_kind kind;
	int n = snprintf(text, sizeof text, "libzstd %s, zlib %s%s",
	    ZSTD_versionString(), zlibVersion(), INFLATE_SAYS);

	for (kind = ZIP_XZ; kind <= ZIP_LZ4; kind++)
		if (unpacker_of(kind) && n < (int)sizeof text)
			n += snprintf(text + n, sizeof text - (size_t)n, ", %s",
			    unpacker_of(kind)->version());
	return text;
}

struct unzip {
	enum zip_kind kind;
	bool between;
	bool ended;		/* not zstd: after a member, which only members may follow,
				 * or zeros */
	ZSTD_DStream *zs;
	inflater gz;
	const struct unpacker *with;	/* what `other` is; NULL: zstd, gzip */
	void *other;
};

struct unzip *
unzip_new(enum zip_kind kind)
{
	struct unzip *u = mem_alloc(1, sizeof *u);

	u->kind = kind;
	u->between = true;
	u->with = unpacker_of(kind);
	if (u->with) {
		u->other = u->with->begin();
	} else if (kind == ZIP_ZSTD) {
		u->zs = ZSTD_createDStream();
		if (!u->zs)
			mem_fail(0);
	} else if (inflate_begin(&u->gz) < 0) {
		mem_fail(0);
	}
	return u;
}

static int
unzip_zstd(struct unzip *u, struct zip_span *s, const char **why)
{
	ZSTD_inBuffer in = { s->in, s->nin, 0 };
	ZSTD_outBuffer out = { s->out, s->nout, 0 };
	size_t r;

	/* Called between two frames, it returns what the next one needs, not 0. */
	if (u->between && !s->nin)
		return 0;
	r = ZSTD_decompressStream(u->zs, &out, &in);
	if (ZSTD_isError(r)) {
		*why = ZSTD_getErrorName(r);
		return -1;
	}
	u->between = r == 0;
	s->in += in.pos;
	s->nin -= in.pos;
	s->out += out.pos;
	s->nout -= out.pos;
	return 0;
}

/* Zeros after the last member are padding, as tapes leave it and gzip(1) and xz(1) have
 * it. */
static void
skip_zeros(struct zip_span *s)
{
	while (s->nin && *s->in == '\0') {
		s->in++;
		s->nin--;
	}
}

static int
unzip_gzip(struct unzip *u, struct zip_span *s, const char **why)
{
	size_t nin, nout;
	int r;

	if (u->between && u->ended) {
		skip_zeros(s);
		if (!s->nin)
			return 0;
		/* ISA-L would wait for a whole header. */
		if ((unsigned char)s->in[0] != 0x1f ||
		    (s->nin > 1 && (unsigned char)s->in[1] != 0x8b)) {
			*why = "garbage after the last member";
			return -1;
		}
		inflate_again(&u->gz);
	}
	if (u->between && !s->nin)
		return 0;
	nin = s->nin < CHUNK ? s->nin : CHUNK;
	nout = s->nout < CHUNK ? s->nout : CHUNK;
	u->gz.next_in = (unsigned char *)(uintptr_t)s->in;
	u->gz.avail_in = (unsigned)nin;
	u->gz.next_out = (unsigned char *)s->out;
	u->gz.avail_out = (unsigned)nout;
	if ((r = inflate_step(&u->gz, why)) < 0) {
		if (u->ended && u->between)
			*why = "garbage after the last member";
		return -1;
	}
	u->between = r == 1;
	u->ended |= u->between;
	nin -= u->gz.avail_in;
	nout -= u->gz.avail_out;
	s->in += nin;
	s->nin -= nin;
	s->out += nout;
	s->nout -= nout;
	return 0;
}

static int
unzip_other(struct unzip *u, struct zip_span *s, const char **why)
{
	int r;

	if (u->between && u->ended)
		skip_zeros(s);
	if (u->between && !s->nin)
		return 0;
	if (u->between && u->ended && !strchr(u->with->first, *s->in)) {
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
	if (u->with)
		return unzip_other(u, s, why);
	return u->kind == ZIP_ZSTD ? unzip_zstd(u, s, why) : unzip_gzip(u, s, why);
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
	else if (u->kind == ZIP_ZSTD)
		ZSTD_freeDStream(u->zs);
	else
		inflate_end(&u->gz);
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
	s->in += in.pos;
	s->nin -= in.pos;
	s->out += out.pos;
	s->nout -= out.pos;
	return until != ZIP_MORE && r != 0;
}

static int
zip_gzip(struct zip *z, struct zip_span *s, enum zip_until until, const char **why)
{
	size_t nin = s->nin < CHUNK ? s->nin : CHUNK;
	size_t nout = s->nout < CHUNK ? s->nout : CHUNK;
	int r;

	z->gz.next_in = (Bytef *)(uintptr_t)s->in;
	z->gz.avail_in = (uInt)nin;
	z->gz.next_out = (Bytef *)s->out;
	z->gz.avail_out = (uInt)nout;
	r = deflate(&z->gz, until == ZIP_END ? Z_FINISH :
	    until == ZIP_FLUSH ? Z_SYNC_FLUSH : Z_NO_FLUSH);
	if (r == Z_STREAM_ERROR) {
		*why = "zlib failed";
		return -1;
	}
	nin -= z->gz.avail_in;
	nout -= z->gz.avail_out;
	s->in += nin;
	s->nin -= nin;
	s->out += nout;
	s->nout -= nout;
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
