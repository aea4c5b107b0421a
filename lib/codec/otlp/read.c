/* SPDX-License-Identifier: ISC */
/* Reads a file: its message, or the messages in it. */
#include "reader.h"

#include <inttypes.h>
#include <stdlib.h>

static int
read_scope(struct reader *rd, struct owner *owner, struct text message)
{
	struct pb m = pb_of(message), profiles = m;
	struct pb_field f;

	owner->scope = owner->scope_schema = (struct text){ 0 };
	while (pb_next(&m, &f))
		if (f.number == SCOPE_SCOPE)
			owner->scope = f.bytes;
		else if (f.number == SCOPE_SCHEMA)
			owner->scope_schema = f.bytes;
	while (pb_next(&profiles, &f))
		if (f.number == SCOPE_PROFILE && otlp_profile(rd, owner, f.bytes) < 0)
			return -1;
	return 0;
}

/* Reads the profiles of one resource, which belong to one run. */
static int
read_resource(struct reader *rd, struct text message)
{
	struct pb m = pb_of(message), scopes = m;
	struct owner owner = { 0 };
	struct pb_field f;

	rd->new_run = true;
	while (pb_next(&m, &f))
		if (f.number == RESOURCE_RESOURCE)
			owner.resource = f.bytes;
		else if (f.number == RESOURCE_SCHEMA)
			owner.resource_schema = f.bytes;
	while (pb_next(&scopes, &f))
		if (f.number == RESOURCE_SCOPE && read_scope(rd, &owner, f.bytes) < 0)
			return -1;
	return 0;
}

/* Reads the profiles of a message.  The first pass has validated it. */
static int
read_message(struct reader *rd)
{
	struct pb m = pb_of(rd->message);
	struct pb_field f;
	int ret = otlp_gather(rd);

	while (ret == 0 && pb_next(&m, &f))
		if (f.number == DATA_RESOURCE)
			ret = read_resource(rd, f.bytes);
	otlp_tables_free(rd);
	return ret;
}

/* Reads messages that are each after its length. */
static int
read_messages(struct reader *rd)
{
	struct text rest = rd->file;

	while (rest.n) {
		if (!otlp_next_message(&rest, &rd->message)) {
			otlp_place(rd, rest.s);
			return decode_cut(rd->d, "the file is truncated: the last message "
			    "ends early");
		}
		if (read_message(rd) < 0)
			return -1;
	}
	return 0;
}

static void
say_dropped(const struct reader *rd)
{
	if (rd->guessed)
		diag_say(rd->d->diag, DIAG_WARN, "attributes of samples may be values: "
		    "versions 1.8 and 1.9 of OpenTelemetry's protocol have them there");
	if (rd->times)
		diag_say(rd->d->diag, DIAG_NOTE, "the times of %" PRIu64 " observation%s "
		    "are dropped: values of one stack are summed", rd->times,
		    rd->times == 1 ? "" : "s");
	if (rd->payloads)
		diag_say(rd->d->diag, DIAG_NOTE, "the original payload of %" PRIu64
		    " profile%s is dropped", rd->payloads, rd->payloads == 1 ? "" : "s");
}

int
otlp_decode(struct decode *d)
{
	struct reader rd = { .d = d };
	int ret = -1;

	if (in_all(d->in, &rd.file.s, &rd.file.n) == 0) {
		rd.message = rd.file;
		limit_text(&rd.text_limit, rd.file.n);
		ret = otlp_has_lengths(rd.file.s, rd.file.n) ? read_messages(&rd) :
		    read_message(&rd);
	}
	d->at.bytes = false;
	d->at.line = 0;
	if (ret == 0)
		say_dropped(&rd);
	free(rd.location);
	cache_free(&rd.units);
	buf_free(&rd.attrs);
	buf_free(&rd.labels);
	buf_free(&rd.text);
	buf_free(&rd.value);
	buf_free(&rd.list);
	return ret;
}
