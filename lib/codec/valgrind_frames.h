/* SPDX-License-Identifier: ISC */
/*
 * Frames in the form of Valgrind (VG_(describe_IP) in coregrind/m_debuginfo), which dhat-rs
 * also uses:
 *
 *	0x109583: fill(int) (heap.cc:9)
 *	0x48417B4: malloc (in /usr/lib/libx.so)
 *	0x401AB9F: ??? (in /usr/lib/ld.so)
 *	0x1FFEFFF: ???
 *
 * Functions inlined into another one have frames of their own, with its address.
 */
#ifndef PROF_CODEC_VALGRIND_FRAMES_H
#define PROF_CODEC_VALGRIND_FRAMES_H

#include "stream/decode.h"
#include "stream/dict.h"
#include "util/cache.h"

struct valgrind_frame {
	uint32_t text;		/* the description, a string of the dictionary */
	uint32_t func, file, line, addr;	/* as CTX_* */
};

/* All zeros: none yet. */
struct valgrind_frames {
	struct cache known;	/* frames, by description */
	struct valgrind_frame *v;
	size_t n, cap;
};

/* Sets *frame to the index in `v` of the frame of a description.  Text of another form,
 * such as for a group of frames, is a function's name.  0, or -1 with the diag set. */
int valgrind_frames_find(struct valgrind_frames *f, struct decode *d, struct text t,
    uint32_t *frame);

/* Puts the contexts of a stack of `n` frames, the leaf first; *ctx becomes that of the
 * leaf, or stays if n is 0.  0 or -1. */
int valgrind_frames_put(const struct valgrind_frames *f, struct decode *d, const uint32_t *stack,
    size_t n, uint32_t *ctx);

void valgrind_frames_free(struct valgrind_frames *f);

#endif
