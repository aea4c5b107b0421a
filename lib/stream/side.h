/* SPDX-License-Identifier: ISC */
#ifndef PROF_STREAM_SIDE_H
#define PROF_STREAM_SIDE_H

/* Both sides of a difference. */
enum { SIDE_OLD, SIDE_NEW, SIDES };

#endif
