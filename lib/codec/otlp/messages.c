/* SPDX-License-Identifier: ISC */
/*
 * The messages of a file.  The file exporter of OpenTelemetry's Collector writes several,
 * each after its length in 4 bytes, big-endian: "File Format" in the README of
 * exporter/fileexporter in opentelemetry-collector-contrib.  Any other file is one message.
 */
#include "reader.h"

#define LENGTH 4

/* Does a field of ProfilesData begin here? */
static bool
begins_field(const char *p, size_t n)
{
	return n && (*p == (DATA_RESOURCE << 3 | PB_BYTES) ||
	    *p == (DATA_DICTIONARY << 3 | PB_BYTES));
}

bool
otlp_has_lengths(const char *p, size_t n)
{
	return !begins_field(p, n) && n > LENGTH && begins_field(p + LENGTH, n - LENGTH);
}

bool
otlp_next_message(struct text *rest, struct text *message)
{
	size_t n = 0;
	int i;

	if (rest->n < LENGTH) {
		*message = *rest;
		return false;
	}
	for (i = 0; i < LENGTH; i++)
		n = n << 8 | (unsigned char)rest->s[i];
	*message = (struct text){ rest->s + LENGTH, n };
	if (n > rest->n - LENGTH) {
		message->n = rest->n - LENGTH;
		return false;
	}
	rest->s += LENGTH + n;
	rest->n -= LENGTH + n;
	return true;
}
