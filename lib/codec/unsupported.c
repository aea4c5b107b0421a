/* SPDX-License-Identifier: ISC */
#include "codec/unsupported.h"

#include <stdlib.h>
#include <string.h>

#include "filter/filter.h"
#include "util/mem.h"

struct fit {
	struct sink sink;
	const struct codec *codec;
	struct encode e;	/* the encoder's arguments */
	struct loss loss;
	struct text event;	/* the default event */
	struct sink *encoder;	/* after the flattener or, without one, after the stages
				 * before it */
	unsigned held;		/* kinds of records that the format supports, a bit each */
	unsigned direct;	/* kinds that the encoder gets without the flattener */
	size_t most;		/* most events of a part; 0: any number */
	size_t events;		/* of the part */
	bool body;		/* the part's first cost or the like has come */
	bool any_part, any;	/* there were parts; there were records that the format
				 * supports */
};

#define BIT(kind) (1u << (kind))

/* ---- support ---- */

static unsigned
held_kinds(const struct codec *c)
{
	static const struct { enum feature feature; enum rec_kind kind; } kind_of[] = {
		{ FEATURE_LINES, REC_COST }, { FEATURE_ADDRS, REC_COST },
		{ FEATURE_COUNTERS, REC_COST }, { FEATURE_CALLS, REC_CALL },
		{ FEATURE_JUMPS, REC_JUMP }, { FEATURE_SAMPLES, REC_SAMPLE },
		{ FEATURE_POINTS, REC_POINT }, { FEATURE_VALUES, REC_VPROF },
	};
	unsigned held = c->raw ? BIT(REC_RAW) : 0;
	size_t i;

	for (i = 0; i < sizeof kind_of / sizeof *kind_of; i++)
		if (c->supports[kind_of[i].feature] &&
		    !(kind_of[i].kind == REC_SAMPLE && c->samples_of))
			held |= BIT(kind_of[i].kind);
	/* Its lines are those of frames. */
	if (c->needs && strcmp(c->needs, "stacks") == 0)
		held &= ~BIT(REC_COST);
	return held;
}

/* Does the format support everything that a profile may have? */
static bool
supports_all(const struct codec *c)
{
	int i;

	for (i = 0; i < FEATURE_END && c->supports[i] == SUPPORT_YES; i++)
		;
	return i == FEATURE_END;
}

bool
codec_takes_stacks(const struct codec *c)
{
	const unsigned held = held_kinds(c);

	return held & BIT(REC_SAMPLE) && !(held & BIT(REC_CALL));
}

/* Does the format need stacks, and no other records with costs? */
static bool
codec_needs_stacks(const struct codec *c)
{
	const unsigned held = held_kinds(c);

	return codec_takes_stacks(c) && !(held & BIT(REC_COST));
}

/* Returns the flattener for points and samples that the format lacks, or NULL.  Costs by
 * counters belong to no line that a sample could have. */
static struct sink *
flattener(const struct codec *c, struct fit *f)
{
	enum flatten as;

	if (f->held & BIT(REC_POINT))
		return NULL;
	f->direct |= f->held & BIT(REC_SAMPLE);
	if (f->held & BIT(REC_SAMPLE))
		as = codec_needs_stacks(c) ? FLATTEN_SAMPLES : FLATTEN_POINTS;
	else if (f->held & BIT(REC_CALL))
		as = FLATTEN_CALLS;
	else if (c->supports[FEATURE_LINES] || c->supports[FEATURE_ADDRS])
		as = FLATTEN_COSTS;
	else
		return NULL;
	f->held |= BIT(REC_POINT) | BIT(REC_SAMPLE);
	return filter_flatten(as, c->samples_of, f->e.dict, &f->loss, f->e.diag);
}

/* ---- rejected profiles ---- */

static int
begin_part(struct fit *f)
{
	if (f->any_part && f->codec->supports[FEATURE_PARTS] == SUPPORT_NO)
		return diag_fail_plain(f->e.diag, "%s holds one profile, but there are "
		    "several parts: choose one with --where, or sum them with "
		    "prof-merge", f->codec->name);
	f->any_part = true;
	f->body = false;
	f->events = 0;
	return 0;
}

static int
refuse(const struct fit *f, const char *found)
{
	return diag_fail_plain(f->e.diag, "%s needs %s, but the profile has %s",
	    f->codec->name, f->codec->needs, found);
}

static int
refuse_kind(const struct fit *f, enum rec_kind kind)
{
	return refuse(f, kind == REC_SAMPLE ? "samples" : kind == REC_POINT ? "points" :
	    codec_needs_stacks(f->codec) ?
	    "only costs of functions: use --estimate to estimate stacks" :
	    "only costs of functions");
}

static int
refuse_events(const struct fit *f)
{
	return diag_fail_plain(f->e.diag, "%s holds at most %zu event%s, but there are "
	    "%zu: choose with --events", f->codec->name, f->most,
	    f->most == 1 ? "" : "s", f->events);
}

/* Is it a kind with costs?  Costs of calls are included in others. */
static bool
has_cost(const struct fit *f, enum rec_kind kind)
{
	return kind == REC_COST || kind == REC_SAMPLE || kind == REC_POINT ||
	    (kind == REC_CALL && !(f->held & BIT(REC_COST)));
}

static int
see_body(struct fit *f, const struct record *r)
{
	const enum rec_kind kind = rec_kind(r);

	if (!(f->held & BIT(kind))) {
		if (has_cost(f, kind))
			return refuse_kind(f, kind);
		loss_record(&f->loss, r);
		return 0;
	}
	if (kind == REC_POINT && r->col[POINT_CTX].n == NO_ID &&
	    codec_needs_stacks(f->codec))
		return refuse(f, "points without contexts");
	if (f->most && f->events > f->most)
		return refuse_events(f);
	f->any |= kind != REC_RAW;
	f->body = true;
	return 0;
}

static int
end(struct fit *f, const struct record *r)
{
	const struct codec *c = f->codec;

	if (!f->any_part && c->supports[FEATURE_PARTS] == SUPPORT_NO)
		return diag_fail_plain(f->e.diag, "%s needs a profile, but the input has "
		    "none", c->name);
	if (c->needs && !f->any && f->loss.records)
		return refuse(f, "none");
	if (sink_put(f->sink.next, r) < 0)
		return -1;
	if (f->e.strict)
		return loss_tell(&f->loss, c->name, true, f->e.diag);
	if (f->e.losses)
		loss_print(&f->loss, f->e.losses);
	else if (c->purpose != PURPOSE_PICTURE)
		return loss_tell(&f->loss, c->name, false, f->e.diag);
	return 0;
}

/* ---- the sink ---- */

static __attribute__((noinline)) int
put_any(struct fit *f, const struct record *r)
{
	const enum rec_kind kind = rec_kind(r);

	if (kind == REC_END)
		return end(f, r);
	if (kind == REC_PART && begin_part(f) < 0)
		return -1;
	if (kind == REC_EVENT)
		f->events += r->col[EVENT_ID].n != NO_ID;
	if ((kind >= REC_COST && kind <= REC_RAW) || kind == REC_DECLARED)
		if (see_body(f, r) < 0)
			return -1;
	return sink_put(f->sink.next, r);
}

/* When the flattener has seen the beginning of the body, records that it does not change
 * pass it by. */
static int
fit_put(struct sink *s, const struct record *r)
{
	struct fit *f = (struct fit *)s;

	return f->body && f->direct & BIT(rec_kind(r)) ? sink_put(f->encoder, r) :
	    put_any(f, r);
}

/* Jumps that the format lacks are counted; the fit itself needs no contexts. */
static unsigned
fit_takes(const struct sink *s)
{
	return (sink_takes(s->next) & FORGETS_CONTEXTS) |
	    (((const struct fit *)s)->held & BIT(REC_JUMP) ? 0 : TAKES_JUMPS);
}

static void
fit_free(struct sink *s)
{
	struct fit *f = (struct fit *)s;

	loss_free(&f->loss);
	free(f);
}

void
codec_encode(const struct codec *c, const struct encode *e, struct pipeline *p)
{
	struct encode own = *e;
	struct sink *flatten;
	struct fit *f;

	own.format = c->name;
	own.options = opts_values(own.given, c->options);
	if (supports_all(c)) {
		pipeline_add(p, c->encode(&own));
		return;
	}
	f = mem_alloc(1, sizeof *f);
	f->sink = (struct sink){ .put = fit_put, .free = fit_free, .takes = fit_takes };
	f->codec = c;
	f->e = own;
	f->e.loss = &f->loss;
	f->held = held_kinds(c);
	f->direct = BIT(REC_CTX) | (f->held & (BIT(REC_COST) | BIT(REC_CALL) | BIT(REC_JUMP) |
	    BIT(REC_VPROF)));
	f->most = c->shows_default ? 0 : c->supports[FEATURE_EVENTS] == SUPPORT_ONE ? 1 :
	    c->supports[FEATURE_EVENTS] == SUPPORT_TWO ? 2 : 0;
	if (!c->scales)
		pipeline_add(p, filter_whole(&f->loss, f->e.diag));
	pipeline_add(p, &f->sink);
	if ((flatten = flattener(c, f)))
		pipeline_add(p, flatten);
	else
		f->direct |= f->held & (BIT(REC_SAMPLE) | BIT(REC_POINT));
	f->e.event = &f->event;
	f->encoder = c->encode(&f->e);
	if (c->shows_default) {
		struct sink *encoder = f->encoder;

		pipeline_add(p, f->encoder = filter_default_event(&f->event, f->e.dict));
		pipeline_add(p, encoder);
	} else {
		pipeline_add(p, f->encoder);
	}
}
