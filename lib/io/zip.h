/* SPDX-License-Identifier: ISC */
/*
 * Compression: the one place that knows zstd, zlib and ISA-L.  Both directions are
 * push: bytes in, bytes out, as much as fits.
 */
#ifndef PROF_IO_ZIP_H
#define PROF_IO_ZIP_H

#include <stdbool.h>
#include <stddef.h>

enum zip_kind { ZIP_NONE, ZIP_ZSTD, ZIP_GZIP };

/* What the first bytes of a file say: zstd frames (RFC 8878 section 3.1,
 * skippable ones too) or gzip members (RFC 1952 section 2.3.1). */
enum zip_kind zip_detect(const char *p, size_t n);

/* By the suffix of a file name: .zst, .gz. */
enum zip_kind zip_by_suffix(const char *path);

const char *zip_name(enum zip_kind kind);

/* "libzstd 1.5.4, zlib 1.2.13, ISA-L", for --version. */
const char *zip_versions(void);

struct zip_span {
	const char *in;
	size_t nin;		/* what is left of the input */
	char *out;
	size_t nout;		/* what is left of the output */
};

/* Decompression.  Frames and members may follow each other. */
struct unzip;
struct unzip *unzip_new(enum zip_kind kind);
/* Moves s on.  0, or -1 with *why set to a static text. */
int unzip_step(struct unzip *u, struct zip_span *s, const char **why);
/* Is it between two frames?  Where it is not, an end of input is a cut. */
bool unzip_between(const struct unzip *u);
void unzip_free(struct unzip *u);

/* Compression, one frame or member. */
struct zip;
struct zip *zip_new(enum zip_kind kind);
enum zip_until { ZIP_MORE, ZIP_FLUSH, ZIP_END };
/* Moves s on; to flush or to end, 1 while there is more to come out, 0 when all
 * is out.  Where more is to follow 0.  -1 with *why on failure. */
int zip_step(struct zip *z, struct zip_span *s, enum zip_until until,
    const char **why);
void zip_free(struct zip *z);

#endif
