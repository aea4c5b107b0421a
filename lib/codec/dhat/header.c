/* SPDX-License-Identifier: ISC */
/* The header of a dhat.out, and its events. */
#include "reader.h"

#include <stddef.h>

const struct dhat_field dhat_field[DHAT_NUMBERS] = {
	[DHAT_TB] = { "tb", "total bytes", DHAT_BYTES, DHAT_ALWAYS },
	[DHAT_TBK] = { "tbk", "total blocks", DHAT_BLOCKS, DHAT_ALWAYS },
	[DHAT_GB] = { "gb", "bytes at the global maximum", DHAT_BYTES, DHAT_LIFETIMES },
	[DHAT_GBK] = { "gbk", "blocks at the global maximum", DHAT_BLOCKS, DHAT_LIFETIMES },
	[DHAT_EB] = { "eb", "bytes at the end", DHAT_BYTES, DHAT_LIFETIMES },
	[DHAT_EBK] = { "ebk", "blocks at the end", DHAT_BLOCKS, DHAT_LIFETIMES },
	[DHAT_RB] = { "rb", "bytes read", DHAT_BYTES, DHAT_ACCESSES },
	[DHAT_WB] = { "wb", "bytes written", DHAT_BYTES, DHAT_ACCESSES },
	[DHAT_TL] = { "tl", "lifetimes of blocks", DHAT_TIME, DHAT_LIFETIMES },
	[DHAT_MB] = { "mb", "max_bytes", DHAT_BYTES, DHAT_LIFETIMES },
	[DHAT_MBK] = { "mbk", "max_blocks", DHAT_BLOCKS, DHAT_LIFETIMES },
};

/* ---- reading ---- */

/* The keys that are metadata.  The others, Mtu and tuth, only concern printing in
 * dh_view. */
static const struct fact {
	const char *key;
	enum { TEXT_FACT, BOOL_FACT, NUM_FACT } kind;
	size_t at;
	size_t has;		/* for numbers */
} fact_table[] = {
#define AT(member) offsetof(struct dhat_facts, member)
	{ "mode", TEXT_FACT, AT(mode), 0 },
	{ "verb", TEXT_FACT, AT(verb), 0 },
	{ "cmd", TEXT_FACT, AT(cmd), 0 },
	{ "tu", TEXT_FACT, AT(time_unit), 0 },
	{ "bu", TEXT_FACT, AT(unit), 0 },
	{ "bsu", TEXT_FACT, AT(units), 0 },
	{ "bksu", TEXT_FACT, AT(blocks), 0 },
	{ "bklt", BOOL_FACT, AT(has_lifetimes), 0 },
	{ "bkacc", BOOL_FACT, AT(has_accesses), 0 },
	{ "pid", NUM_FACT, AT(pid), AT(has_pid) },
	{ "te", NUM_FACT, AT(end), AT(has_end) },
	{ "tg", NUM_FACT, AT(global_max), AT(has_global_max) },
#undef AT
};

static void
read_value(struct dhat *rd, const struct fact *f)
{
	char *facts = (char *)&rd->facts;
	struct text t;

	if (f->kind == BOOL_FACT) {
		json_read_bool(&rd->json, (bool *)(void *)(facts + f->at));
	} else if (f->kind == NUM_FACT) {
		*(bool *)(void *)(facts + f->has) =
		    json_read_int(&rd->json, (num *)(void *)(facts + f->at));
	} else if (json_read_string(&rd->json, &t)) {
		struct buf *b = (struct buf *)(void *)(facts + f->at);

		b->n = 0;
		buf_text(b, t);
	}
}

void
dhat_read_fact(struct dhat *rd, struct text key, bool *known)
{
	size_t i;

	*known = true;
	if (text_is(key, "dhatFileVersion")) {
		rd->facts.has_version = json_read_u64(&rd->json, &rd->facts.version);
		return;
	}
	for (i = 0; i < sizeof fact_table / sizeof *fact_table; i++)
		if (text_is(key, fact_table[i].key)) {
			read_value(rd, &fact_table[i]);
			return;
		}
	*known = false;
}

/* ---- events ---- */

bool
dhat_has(const struct dhat *rd, enum dhat_number i)
{
	const enum dhat_where where = dhat_field[i].where;

	return where == DHAT_ALWAYS || (where == DHAT_LIFETIMES && rd->facts.has_lifetimes) ||
	    (where == DHAT_ACCESSES && rd->facts.has_accesses);
}

static struct text
unit_of(const struct dhat *rd, enum dhat_number i)
{
	const struct dhat_facts *f = &rd->facts;

	switch (dhat_field[i].unit) {
	case DHAT_BYTES:
		return f->units.n ? buf_as_text(&f->units) : TEXT("B");
	case DHAT_BLOCKS:
		return f->blocks.n ? buf_as_text(&f->blocks) : TEXT("blocks");
	case DHAT_TIME:
		break;
	}
	return text_is(buf_as_text(&f->time_unit), "\302\265s") ? TEXT("us") :
	    f->time_unit.n ? buf_as_text(&f->time_unit) : (struct text){ 0 };
}

static int
put_events(struct dhat *rd)
{
	uint64_t n = 0;
	int i;

	for (i = 0; i < DHAT_EVENTS; i++) {
		if (!dhat_has(rd, (enum dhat_number)i))
			continue;
		/* With units other than bytes, the words do not apply. */
		if (DECODE_EVENT(rd->d, n++, .name = text_of(dhat_field[i].key),
		    .unit = unit_of(rd, (enum dhat_number)i), .description = text_of(
		    rd->facts.units.n ? NULL : dhat_field[i].description)) < 0)
			return -1;
	}
	return 0;
}

/* ---- metadata ---- */

static int
put_text(struct dhat *rd, const char *key, const struct buf *b)
{
	return b->n ? meta_put(rd->d->out, key, buf_as_text(b)) : 0;
}

static int
put_number(struct dhat *rd, const char *key, bool has, num n)
{
	return has ? meta_put_num(rd->d->out, key, n) : 0;
}

int
dhat_put_header(struct dhat *rd)
{
	const struct dhat_facts *f = &rd->facts;

	if (decode_part(rd->d, "dhat", TEXT("positions=addr,line")) < 0 ||
	    put_text(rd, "cmd", &f->cmd) < 0 || put_number(rd, "pid", f->has_pid, f->pid) < 0 ||
	    put_text(rd, "dhat.mode", &f->mode) < 0 || put_text(rd, "dhat.verb", &f->verb) < 0 ||
	    put_text(rd, "dhat.tu", &f->time_unit) < 0 || put_text(rd, "dhat.bu", &f->unit) < 0 ||
	    put_number(rd, "dhat.te", f->has_end, f->end) < 0 ||
	    put_number(rd, "dhat.tg", f->has_global_max, f->global_max) < 0)
		return -1;
	return put_events(rd);
}
