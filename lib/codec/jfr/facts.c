/* SPDX-License-Identifier: ISC */
/* Metadata of the part, from events about the machine, the program and the recording. */
#include "jfr.h"

#include <inttypes.h>

#include "util/num.h"

static const struct { const char *event, *field, *fact; } facts[] = {
	{ "JVMInformation", "jvmVersion", "creator" },
	{ "JVMInformation", "javaArguments", "cmd" }, { "JVMInformation", "pid", "pid" },
	{ "CPUInformation", "cpu", "cpu model" }, { "CPUInformation", "hwThreads", "cpus" },
};

#define FACTS (sizeof facts / sizeof *facts)

/* Is this the type's name, without its package? */
static bool
is_event(const struct jfr_type *type, const char *name)
{
	const size_t n = strlen(name);

	return type->name.n > n && type->name.s[type->name.n - n - 1] == '.' &&
	    memcmp(type->name.s + type->name.n - n, name, n) == 0;
}

/* Puts a fact, unless the recording had it before. */
static int
put_fact(struct jfr *j, size_t i, const struct jfr_field *f, struct bytes *b)
{
	uint32_t text = NO_ID;
	int64_t number = 0;
	const unsigned bit = 1u << i;

	if (j->types.v[f->type].kind == KIND_STRING) {
		if (jfr_field_text(j, f, b, &text) < 0)
			return -1;
	} else if (!jfr_read_number(&j->types, f, b, &number)) {
		return 0;
	}
	if (j->facts.known & bit || (!dict_text(j->d->dict, text).n && number <= 0))
		return 0;
	j->facts.known |= bit;
	return text != NO_ID ? meta_put(j->d->out, facts[i].fact, dict_text(j->d->dict, text)) :
	    meta_put_num(j->d->out, facts[i].fact, number);
}

static int
read_facts(struct jfr *j, const struct jfr_type *type, struct bytes b)
{
	uint32_t i;
	size_t k;
	int ret = 0;

	for (i = 0; i < type->n && !b.ended && ret == 0; i++) {
		const struct jfr_field *f = &j->types.field[type->first + i];

		for (k = 0; k < FACTS && !(is_event(type, facts[k].event) &&
		    text_is(f->name, facts[k].field)); k++)
			;
		if (k < FACTS && f->type != NO_TYPE && !f->pool && !f->array)
			ret = put_fact(j, k, f, &b);
		else
			jfr_skip_field(&j->types, f, &b);
	}
	return ret;
}

/* Adds up the bytes of events that the recorder has dropped, as its buffers were full. */
static int
read_loss(struct jfr *j, const struct jfr_type *type, struct bytes b)
{
	uint32_t i;
	int64_t v;

	for (i = 0; i < type->n && !b.ended; i++) {
		const struct jfr_field *f = &j->types.field[type->first + i];

		if (!text_is(f->name, "amount"))
			jfr_skip_field(&j->types, f, &b);
		else if (jfr_read_number(&j->types, f, &b, &v) && v > 0)
			j->facts.lost += v;
	}
	return 0;
}

/* Keeps how often a kind of event is sampled: the setting `period`. */
static int
read_setting(struct jfr *j, const struct jfr_type *type, struct bytes b)
{
	uint32_t i, name = NO_ID, value = NO_ID;
	struct jfr_type *of = NULL;
	int64_t id;
	int ret = 0;

	for (i = 0; i < type->n && !b.ended && ret == 0; i++) {
		const struct jfr_field *f = &j->types.field[type->first + i];

		if (text_is(f->name, "name"))
			ret = jfr_field_text(j, f, &b, &name);
		else if (text_is(f->name, "value"))
			ret = jfr_field_text(j, f, &b, &value);
		else if (!text_is(f->name, "id"))
			jfr_skip_field(&j->types, f, &b);
		else if (jfr_read_number(&j->types, f, &b, &id))
			of = jfr_type_find(&j->types, (uint64_t)id);
	}
	if (ret < 0 || !text_is(dict_text(j->d->dict, name), "period") || !of || !of->stack)
		return ret;
	if (of->event == NO_ID && jfr_event_of(j, of) < 0)
		return -1;
	j->events.v[of->event].period = value;
	return 0;
}

int
jfr_fact_read(struct jfr *j, struct jfr_type *type, struct bytes b)
{
	size_t i;

	if (type->plain)
		return 0;
	if (is_event(type, "DataLoss"))
		return read_loss(j, type, b);
	if (is_event(type, "ActiveSetting"))
		return read_setting(j, type, b);
	for (i = 0; i < FACTS; i++)
		if (is_event(type, facts[i].event))
			return read_facts(j, type, b);
	type->plain = true;
	return 0;
}

/* ---- at the end ---- */

static int
put_sampling(struct jfr *j, const struct jfr_event *e)
{
	struct buf text = { 0 };
	int ret;

	buf_text(&text, buf_as_text(&e->name));
	buf_puts(&text, ": every ");
	buf_text(&text, dict_text(j->d->dict, e->period));
	ret = meta_put(j->d->out, "sampling", buf_as_text(&text));
	buf_free(&text);
	return ret;
}

static int
put_duration(struct jfr *j)
{
	const uint64_t ns = j->facts.last - j->facts.first;
	struct buf text = { 0 };
	int ret;

	if (j->facts.last <= j->facts.first)
		return 0;
	buf_printf(&text, "%" PRIu64 ".%06" PRIu64 " ms", ns / 1000000, ns % 1000000);
	ret = meta_put(j->d->out, "duration", buf_as_text(&text));
	buf_free(&text);
	return ret;
}

static int
put_loss(struct jfr *j)
{
	struct buf text = { 0 };
	int ret;

	if (!j->facts.lost)
		return 0;
	num_add_grouped(&text, j->facts.lost);
	buf_puts(&text, " bytes of events");
	diag_say(j->d->diag, DIAG_WARN, "%s were lost: the recorder's buffers were too small "
	    "(-XX:FlightRecorderOptions=memorysize=SIZE)", buf_str(&text));
	ret = meta_put(j->d->out, "lost", buf_as_text(&text));
	buf_free(&text);
	return ret;
}

int
jfr_facts_put(struct jfr *j)
{
	size_t i;

	for (i = 0; i < j->events.n; i++)
		if (j->events.v[i].column != NO_COLUMN && j->events.v[i].period != NO_ID &&
		    put_sampling(j, &j->events.v[i]) < 0)
			return -1;
	return put_duration(j) < 0 ? -1 : put_loss(j);
}
