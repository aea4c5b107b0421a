/* SPDX-License-Identifier: ISC */
#include "codec/times.h"

bool keep_times;
