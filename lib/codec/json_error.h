/* SPDX-License-Identifier: ISC */
/* Errors of formats that are JSON. */
#ifndef PROF_CODEC_JSON_ERROR_H
#define PROF_CODEC_JSON_ERROR_H

#include "stream/decode.h"
#include "util/json_read.h"

/* Says with its line what a reader found to be wrong, which reads the whole of `file` or
 * a part of it: -1; or what decode_cut() returns, if that is that the file ends. */
int json_error(struct decode *d, struct text file, const struct json_reader *j);

#endif
