/* SPDX-License-Identifier: ISC */
/* Copies the values of a record, eight bytes at a time. */
#ifndef PROF_STREAM_COPY_VALUES_H
#define PROF_STREAM_COPY_VALUES_H

#include <stdint.h>
#include <string.h>

#define VALUES_ONES 0x0101010101010101u

/* Replaces each blank: of all bytes that may occur, only a space and a TAB have neither bit
 * 4 nor bit 16 set. */
static inline uint64_t
values_blanks(uint64_t v, char blank)
{
	uint64_t at = ~(v >> 4 | v >> 2) & VALUES_ONES;

	return (v & ~(at * 0xff)) | at * (unsigned char)blank;
}

/* Writes n bytes of values at p with `blank` between two, and returns the end.  Works in
 * steps of eight or four that overlap at the end, so that no other byte is read or
 * written. */
static inline char *
values_put(char *p, const char *s, size_t n, char blank)
{
	uint64_t v;
	uint32_t v4;
	size_t i;

	if (n >= 8) {
		for (i = 0; i + 8 < n; i += 8) {
			memcpy(&v, s + i, 8);
			v = values_blanks(v, blank);
			memcpy(p + i, &v, 8);
		}
		memcpy(&v, s + n - 8, 8);
		v = values_blanks(v, blank);
		memcpy(p + n - 8, &v, 8);
	} else if (n >= 4) {
		memcpy(&v4, s, 4);
		v = v4;
		memcpy(&v4, s + n - 4, 4);
		v = values_blanks(v | (uint64_t)v4 << 32, blank);
		v4 = (uint32_t)v;
		memcpy(p, &v4, 4);
		v4 = (uint32_t)(v >> 32);
		memcpy(p + n - 4, &v4, 4);
	} else if (n) {		/* first, middle, last: some may be the same */
		p[0] = s[0];
		p[n / 2] = s[n / 2] == ' ' || s[n / 2] == '\t' ? blank : s[n / 2];
		p[n - 1] = s[n - 1];
	}
	return p + n;
}

#endif
