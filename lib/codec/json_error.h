/* SPDX-License-Identifier: ISC */
/* Errors of JSON formats. */
#ifndef PROF_CODEC_JSON_ERROR_H
#define PROF_CODEC_JSON_ERROR_H

#include "stream/decode.h"
#include "util/json_read.h"

/* Reports the error of a reader of `file`, or of a part of it, with its line: -1; or the
 * result of decode_cut(), if the error is that the file ends. */
int json_error(struct decode *d, struct text file, const struct json_reader *j);

#endif
