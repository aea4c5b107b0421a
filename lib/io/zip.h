/* SPDX-License-Identifier: ISC */
/*
 * Compression.  This is the only place that uses zstd and zlib and, by unpack.h, the
 * libraries of formats that are only read.  Both directions push: bytes in, bytes out, as
 * much as fits.
 */
#ifndef PROF_IO_ZIP_H
#define PROF_IO_ZIP_H

#include <stdbool.h>
#include <stddef.h>

#include "io/zip_span.h"
#include "util/buf.h"

/* From ZIP_XZ on: read-only. */
enum zip_kind { ZIP_NONE, ZIP_ZSTD, ZIP_GZIP, ZIP_XZ, ZIP_BZIP2, ZIP_LZ4 };

/* Recognises the format by the first bytes of a file: zstd frames (RFC 8878 section 3.1,
 * also skippable ones, which are the same as LZ4's), gzip members (RFC 1952 section 2.3.1),
 * xz streams, bzip2's, with what their first block begins with, or LZ4's frames.  Only the
 * first ZIP_MAGIC bytes count; with fewer, p must be the whole file. */
#define ZIP_MAGIC 10
enum zip_kind zip_detect(const char *p, size_t n);
/* NULL if the format can be decompressed; otherwise the reason, a text: its library is
 * missing. */
const char *zip_missing(enum zip_kind kind);

/* Chooses the format by the suffix of a file name: .zst, .gz, .xz, .bz2, .lz4. */
enum zip_kind zip_by_suffix(const char *path);

const char *zip_name(enum zip_kind kind);
bool zip_writes(enum zip_kind kind);

/* Adds "libzstd 1.5.4, zlib 1.2.13, ISA-L, liblzma 5.4.1", for --version. */
void zip_versions(struct buf *b);

/* Decompression, for a format whose library is not missing.  Frames and members may follow
 * each other. */
struct unzip;
struct unzip *unzip_new(enum zip_kind kind);
/* Advances s.  0, or -1 with *why set to a static text. */
int unzip_step(struct unzip *u, struct zip_span *s, const char **why);
/* Is it between two frames?  If not, the input must not end here. */
bool unzip_between(const struct unzip *u);
void unzip_free(struct unzip *u);

/* Compression, one frame or member. */
struct zip;
struct zip *zip_new(enum zip_kind kind);
enum zip_until { ZIP_MORE, ZIP_FLUSH, ZIP_END };
/* Advances s.  For ZIP_FLUSH and ZIP_END, returns 1 while there is more to come out, 0 when
 * all is out; for ZIP_MORE, 0.  -1 with *why on failure. */
int zip_step(struct zip *z, struct zip_span *s, enum zip_until until,
    const char **why);
void zip_free(struct zip *z);

#endif
