/* SPDX-License-Identifier: ISC */
#include "ghc.h"

#include <inttypes.h>
#include <stdlib.h>

#include "util/json_read.h"

#define TITLE " Time and Allocation Profiling Report  ("

/* ---- records ---- */

static int
put_events(struct ghc *g)
{
	const struct text tenths = TEXT("calls=absent\tscale=1/10"),
	    rounded = TEXT("rounded to 0.1 %");
	char sample[NUM_TEXT + 32] = "calls=absent\tsample=", *p = sample + strlen(sample);
	struct event_def time = { .name = TEXT("time"), .unit = TEXT("us") },
	    alloc = { .name = TEXT("alloc"), .unit = TEXT("B") };

	p = num_put_u64(p, g->interval);
	time.attrs = (struct text){ sample, (size_t)(p - sample) };
	if (g->percent) {
		time.unit = alloc.unit = TEXT("%");
		time.description = alloc.description = rounded;
		time.attrs = alloc.attrs = tenths;
	}
	return decode_event(g->d, GHC_TIME, &time) < 0 ||
	    decode_event(g->d, GHC_ALLOC, &alloc) < 0 ? -1 :
	    DECODE_EVENT(g->d, GHC_ENTRIES, .name = TEXT("entries"));
}

static int
put_header(struct ghc *g)
{
	struct decode *d = g->d;

	if (decode_part(d, "ghc", (struct text){ 0 }) < 0 ||
	    (g->cmd != NO_ID && meta_put(d->out, "cmd", dict_text(d->dict, g->cmd)) < 0) ||
	    (g->date != NO_ID && meta_put(d->out, "ghc.date",
	    dict_text(d->dict, g->date)) < 0))
		return -1;
	return put_events(g) ? -1 : 0;
}

/* Sets the values of a record, in microseconds unless they are percentages. */
static void
set_values(const struct ghc *g, struct record *r, char *tmp, const num *value)
{
	char *p = num_put_num(tmp, g->percent ? value[GHC_TIME] :
	    value[GHC_TIME] * g->interval);

	*p++ = '\t';
	p = num_put_num(p, value[GHC_ALLOC]);
	*p++ = '\t';
	p = num_put_num(p, value[GHC_ENTRIES]);
	r->values = (struct text){ tmp, (size_t)(p - tmp) };
}

#define VALUES_TEXT (GHC_VALUES * NUM_TEXT)

static int
put_node(struct ghc *g, struct ghc_node *n)
{
	struct record r = rec_make(REC_SAMPLE);
	struct ctx_def c = NO_CTX;
	char tmp[VALUES_TEXT];

	if (n->parent != NO_ID)
		c.parent = g->node[n->parent].ctx;
	if (js_functions_put(&g->functions, g->d, n->func, &c.func) < 0 ||
	    decode_ctx(g->d, &c, &n->ctx) < 0)
		return -1;
	if (!n->value[GHC_TIME] && !n->value[GHC_ALLOC] && !n->value[GHC_ENTRIES])
		return 0;
	r.col[0].n = n->ctx;
	set_values(g, &r, tmp, n->value);
	return sink_put(g->d->out, &r);
}

static int
put_total(struct ghc *g)
{
	struct record r = rec_make(REC_TOTAL);
	char tmp[VALUES_TEXT];

	r.col[0].t = TEXT("run");
	set_values(g, &r, tmp, g->total);
	return sink_put(g->d->out, &r);
}

/* Compares the values of all nodes with the totals, and sets that of the entries, which has
 * none.  Ticks and bytes add up exactly; percentages are rounded. */
static int
check_total(struct ghc *g)
{
	num sum[GHC_VALUES] = { 0 };
	size_t i;
	int v;

	for (i = 0; i < g->nnode; i++)
		for (v = 0; v < GHC_VALUES; v++)
			sum[v] += g->node[i].value[v];	/* each is less than 2^64 */
	g->total[GHC_ENTRIES] = sum[GHC_ENTRIES];
	if (g->percent || (sum[GHC_TIME] == g->total[GHC_TIME] &&
	    sum[GHC_ALLOC] == g->total[GHC_ALLOC]))
		return 0;
	g->text.n = 0;
	num_add_grouped(&g->text, sum[GHC_TIME]);
	buf_puts(&g->text, " of ");
	num_add_grouped(&g->text, g->total[GHC_TIME]);
	buf_puts(&g->text, " ticks and ");
	num_add_grouped(&g->text, sum[GHC_ALLOC]);
	buf_puts(&g->text, " of ");
	num_add_grouped(&g->text, g->total[GHC_ALLOC]);
	return decode_cut(g->d, "the profile is truncated: its cost centres have %s "
	    "bytes",
	    buf_str(&g->text));
}

static int
put_all(struct ghc *g)
{
	size_t i;

	g->d->at.line = 0;
	if (g->interval > UINT32_MAX)	/* so that no product wraps */
		return diag_fail(g->d->diag, "a tick of %" PRIu64 " microseconds", g->interval);
	if (check_total(g) < 0 || put_header(g) < 0)
		return -1;
	for (i = 0; i < g->nnode; i++)
		if (put_node(g, &g->node[i]) < 0)
			return -1;
	if (g->percent)
		diag_say(g->d->diag, DIAG_WARN, "the percentages are rounded to 0.1 %%: run the "
		    "program with +RTS -P, which also writes ticks and bytes");
	return put_total(g);
}

static int
ghc_decode(struct decode *d)
{
	struct ghc g = { .d = d, .cmd = NO_ID, .date = NO_ID };
	const char *p;
	const long n = in_peek(d->in, &p);
	int ret;

	js_functions_init(&g.functions);
	ret = n < 0 ? -1 : n && *p == '{' ? ghc_read_json(&g) : ghc_read_text(&g);
	if (ret == 0)
		ret = put_all(&g);
	js_functions_free(&g.functions);
	free(g.node);
	buf_free(&g.text);
	return ret;
}

static int
ghc_probe(const char *p, size_t n)
{
	if (n && *p == '\t')
		return memmem(p, n < 200 ? n : 200, TITLE, sizeof TITLE - 1) ?
		    (int)sizeof TITLE - 1 : 0;
	return json_contains(p, n, "\"total_ticks\"") && json_contains(p, n, "\"cost_centres\"") ?
	    (int)strlen("total_tickscost_centres") : 0;
}

const struct codec codec_ghc = {
	.name = "ghc",
	.summary = "Profiles of Haskell programs: +RTS -P or -pj of GHC",
	.synonyms = "haskell",
	.probe = ghc_probe,
	.decode = ghc_decode,
	.supports = {
		[FEATURE_FUNCTIONS] = SUPPORT_YES, [FEATURE_FILES] = SUPPORT_YES,
		[FEATURE_KEYS] = SUPPORT_SOME, [FEATURE_INCLUSIVE] = SUPPORT_YES,
		[FEATURE_CONTEXTS] = SUPPORT_YES, [FEATURE_SAMPLES] = SUPPORT_YES,
		[FEATURE_EVENTS] = SUPPORT_YES, [FEATURE_UNITS] = SUPPORT_YES,
		[FEATURE_FACTS] = SUPPORT_SOME, [FEATURE_TOTAL] = SUPPORT_YES,
		[FEATURE_END] = SUPPORT_SOME,
	},
};
