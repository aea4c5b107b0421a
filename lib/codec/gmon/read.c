/* SPDX-License-Identifier: ISC */
/*
 * Converts a gmon.out to records: bins become costs at addresses, arcs become calls, with
 * the names in an executable's symbols.
 */
#include "gmon.h"

#include <inttypes.h>
#include <stdlib.h>

#include "graph/apportion.h"
#include "propagate.h"
#include "stream/sums.h"
#include "symbol/symbolize.h"
#include "util/mem.h"

/* The last entry at which a function was called. */
struct entry {
	uint64_t addr;
	struct field line;
	bool known;
};

/* Costs are millionths of a tick, so that inclusive ones can be divided. */
#define FINE 1000000

struct reader {
	struct decode *d;
	struct gmon g;
	struct symbolizer *names;	/* NULL: there is no executable */
	const struct symbols *syms;	/* its symbols */
	struct sums nodes;	/* functions, for the propagation */
	num *self;		/* by node */
	size_t capself;
	struct entry *entry;	/* by node */
	struct node_arc *arc;
	num ticks;
	/* The current bin: its pieces, their widths, and their ticks. */
	struct piece *piece;
	num *width, *part;
	size_t cappiece;
	struct apportion apportion;
	struct buf text;
};

/* ---- names ---- */

enum role { ROLE_CODE, ROLE_CALLEE };

/* Finds the function at an address; each callee without a symbol is a function named by its
 * address. */
static int
func_at(struct reader *rd, uint64_t addr, enum role role, uint64_t *func)
{
	uint32_t object = rd->names ? symbolize_object(rd->names) : NO_ID, id;
	struct func_def def = NO_FUNC;
	int r = rd->names ? symbolize_func(rd->names, rd->d->out, addr, func) : 0;

	if (r)
		return r;
	*func = NO_ID;
	if (role != ROLE_CALLEE && object == NO_ID)
		return 0;
	if (role == ROLE_CALLEE)
		def.key = dict_addr(rd->d->dict, addr);
	def.object = object;
	if (decode_func(rd->d, &def, &id) < 0)
		return -1;
	*func = id;
	return 0;
}

/* Sets a place's source. */
static void
source(struct reader *rd, uint64_t addr, struct field *file, struct field *line)
{
	file->n = NO_ID;
	line->has = 0;
	if (rd->names)
		symbolize_source(rd->names, addr, file, line);
}

static uint32_t
node_of(struct reader *rd, uint64_t func)
{
	size_t was = rd->nodes.n, node = sums_row(&rd->nodes, &func);

	if (node == was) {
		rd->self = mem_grow(rd->self, &rd->capself, was + 1, sizeof *rd->self);
		rd->self[was] = 0;
	}
	return (uint32_t)node;
}

/* ---- the header ---- */

static int
put_list(struct reader *rd, const char *key, const char *list)
{
	struct record r;

	rec_init(&r, REC_META);
	r.col[0].t = text_of(key);
	r.attrs = text_of(list);
	return sink_put(rd->d->out, &r);
}

static int
put_hist_fact(struct reader *rd, const struct gmon_hist *h)
{
	struct buf *b = &rd->text;

	b->n = 0;
	buf_printf(b, "0x%" PRIx64 "\t0x%" PRIx64 "\t%" PRIu64 "\t%" PRIu64 "\t", h->low,
	    h->high, h->nbins, h->rate);
	field_escape(b, text_of(h->dim));
	buf_putc(b, '\t');
	field_escape(b, (struct text){ &h->abbrev, h->abbrev ? 1 : 0 });
	return put_list(rd, "gmon.hist", buf_str(b));
}

static int
put_facts(struct reader *rd)
{
	const struct gmon *g = &rd->g;
	size_t i;

	rd->text.n = 0;
	buf_printf(&rd->text, "%s\t%s\t%u", gmon_flavour_name[g->flavour],
	    g->big ? "big" : "little", 8 * g->word);
	if (put_list(rd, "gmon.layout", buf_str(&rd->text)) < 0)
		return -1;
	for (i = 0; i < g->nhist; i++)
		if (put_hist_fact(rd, &g->hist[i]) < 0)
			return -1;
	return 0;
}

/* Puts the events: time, or the ticks' other unit, in millionths of a tick; and the counts
 * of blocks. */
static int
put_events(struct reader *rd)
{
	const struct gmon_hist *h = rd->g.nhist ? rd->g.hist : NULL;
	bool seconds = !h || !h->dim[0] || strcmp(h->dim, "seconds") == 0;

	rd->text.n = 0;
	buf_puts(&rd->text, "calls=propagated");
	buf_printf(&rd->text, "\tsample=%d\tscale=1/%" PRIu64, FINE,
	    (h && h->rate ? h->rate : 1) * FINE);
	if (DECODE_EVENT(rd->d, 0, .name = seconds ? TEXT("time") : text_of(h->dim),
	    .unit = text_of(!seconds ? NULL : h && h->rate ? "s" : "ticks"),
	    .attrs = buf_as_text(&rd->text)) < 0)
		return -1;
	return !rd->g.nblock ? 0 : DECODE_EVENT(rd->d, 1, .name = TEXT("blocks"),
	    .description = TEXT("executions of basic blocks"));
}

static int
put_part(struct reader *rd)
{
	struct text attrs = rd->syms ? TEXT("positions=addr,line") :
	    TEXT("positions=addr");

	return decode_part(rd->d, "gmon", attrs) < 0 || put_facts(rd) < 0 ||
	    put_events(rd) < 0 ? -1 : 0;
}

/* ---- costs ---- */

static struct text
fine(struct reader *rd, num ticks)
{
	rd->text.n = 0;
	num_add_whole(&rd->text, ticks * FINE);
	return buf_as_text(&rd->text);
}

/* Puts ticks at an address, in the function at `in`. */
static int
put_cost(struct reader *rd, uint64_t addr, uint64_t in, num ticks)
{
	struct record r;
	uint32_t node;

	rec_init(&r, REC_COST);
	if (func_at(rd, in, ROLE_CODE, &r.col[PLACE_FUNC].n) < 0)
		return -1;
	source(rd, in, &r.col[PLACE_FILE], &r.col[PLACE_LINE]);
	r.col[PLACE_ADDR].n = addr;
	r.col[PLACE_ADDR].has = HAS_N;
	r.values = fine(rd, ticks);
	node = node_of(rd, r.col[PLACE_FUNC].n);	/* it may move rd->self */
	if (num_add(&rd->self[node], ticks * FINE) < 0 ||
	    num_add(&rd->ticks, ticks) < 0)
		return diag_too_large(rd->d->diag, "a sum");
	return sink_put(rd->d->out, &r);
}

/*
 * gprof counts in units of two bytes (hist.c, UNIT), so a function that begins at an
 * odd address gets the whole unit: the function of a unit is that of its last byte.
 */
static inline uint64_t
unit_last(uint64_t addr)
{
	return addr | 1;
}

/*
 * Returns the unit that a bin begins with in gprof (hist_assign_samples_1), which is not
 * always the one that profil(3) counted there.  Users compare results with gprof's, so its
 * rounding, in doubles, is reproduced.
 */
static uint64_t
unit_of_bin(const struct gmon_hist *h, uint64_t i)
{
	double scale = (double)((h->high - h->low) / 2) / (double)h->nbins;

	return 2 * (h->low / 2 + (uint64_t)(scale * (double)i));
}

/* Returns where the function of the unit at addr ends, within a bin that ends at `end`;
 * without a function, where the next function begins. */
static uint64_t
piece_end(const struct reader *rd, uint64_t addr, uint64_t end)
{
	uint64_t a = symbols_end(rd->syms, unit_last(addr));

	a &= ~(uint64_t)1;
	return a < end ? a : end;
}

/* A piece of a bin. */
struct piece {
	uint64_t addr, in;
};

/* Returns an address that the writer would put into the same bin. */
static uint64_t
addr_in_bin(const struct gmon_hist *h, uint64_t i, uint64_t addr)
{
	uint64_t at = gmon_bin_addr(h, i);

	return addr > at && addr < h->high && gmon_addr_bin(h, addr) == i ? addr : at;
}

static void
reach_piece(struct reader *rd, size_t i)
{
	if (i < rd->cappiece)
		return;
	rd->piece = mem_grow(rd->piece, &rd->cappiece, i + 1, sizeof *rd->piece);
	rd->width = mem_resize(rd->width, rd->cappiece, sizeof *rd->width);
	rd->part = mem_resize(rd->part, rd->cappiece, sizeof *rd->part);
}

/*
 * Puts a bin.  One that spans several functions is divided in proportion to their parts of
 * it, in whole ticks: by largest remainder, ties to the lower address.
 */
static int
put_bin(struct reader *rd, const struct gmon_hist *h, uint64_t i)
{
	uint64_t from = unit_of_bin(h, i), end = unit_of_bin(h, i + 1), a, to;
	uint64_t at = gmon_bin_addr(h, i);
	size_t n = 0, k;

	if (end <= from || !rd->syms)
		return put_cost(rd, at, at, h->bin[i]);
	for (a = from; a < end; a = to, n++) {
		to = piece_end(rd, a, end);
		reach_piece(rd, n);
		rd->piece[n] = (struct piece){ addr_in_bin(h, i, a), unit_last(a) };
		rd->width[n] = to - a;
	}
	apportion(&rd->apportion, h->bin[i], rd->width, end - from, n, rd->part);
	for (k = 0; k < n; k++)
		if (rd->part[k] && put_cost(rd, rd->piece[k].addr, rd->piece[k].in,
		    (uint64_t)rd->part[k]) < 0)
			return -1;
	return 0;
}

static int
put_hists(struct reader *rd)
{
	size_t i;
	uint64_t k;

	for (i = 0; i < rd->g.nhist; i++)
		for (k = 0; k < rd->g.hist[i].nbins; k++)
			if (rd->g.hist[i].bin[k] && put_bin(rd, &rd->g.hist[i], k) < 0)
				return -1;
	return 0;
}

static int
put_blocks(struct reader *rd)
{
	struct record r;
	size_t i;

	for (i = 0; i < rd->g.nblock; i++) {
		const struct gmon_block *b = &rd->g.block[i];

		r = rec_make(REC_COST);
		if (func_at(rd, b->addr, ROLE_CODE, &r.col[PLACE_FUNC].n) < 0)
			return -1;
		source(rd, b->addr, &r.col[PLACE_FILE], &r.col[PLACE_LINE]);
		r.col[PLACE_ADDR].n = b->addr;
		r.col[PLACE_ADDR].has = HAS_N;
		rd->text.n = 0;
		buf_puts(&rd->text, "0\t");
		num_add_whole(&rd->text, b->count);
		r.values = buf_as_text(&rd->text);
		if (sink_put(rd->d->out, &r) < 0)
			return -1;
	}
	return 0;
}

/* ---- calls ---- */

static int
cost_arcs(struct reader *rd)
{
	struct gmon *g = &rd->g;
	uint64_t func;
	size_t i;

	rd->arc = mem_alloc(g->narc + 1, sizeof *rd->arc);
	for (i = 0; i < g->narc; i++) {
		if (func_at(rd, g->arc[i].from, ROLE_CODE, &func) < 0)
			return -1;
		rd->arc[i].from = node_of(rd, func);
		if (func_at(rd, g->arc[i].self, ROLE_CALLEE, &func) < 0)
			return -1;
		rd->arc[i].to = node_of(rd, func);
		rd->arc[i].count = g->arc[i].count;
	}
	if (propagate(rd->self, rd->nodes.n, rd->arc, g->narc) < 0)
		return diag_too_large(rd->d->diag, "a sum");
	return 0;
}

/* Returns the line of a callee: most have one entry and many callers. */
static struct field
entry_line(struct reader *rd, uint32_t node, uint64_t addr)
{
	struct entry *e = &rd->entry[node];
	struct field file;

	if (!e->known || e->addr != addr) {
		*e = (struct entry){ .addr = addr, .known = true };
		source(rd, addr, &file, &e->line);
	}
	return e->line;
}

static int
put_arc(struct reader *rd, const struct gmon_arc *a, const struct node_arc *between)
{
	struct record r;
	char count[NUM_TEXT], cost[NUM_TEXT];

	rec_init(&r, REC_CALL);
	r.col[PLACE_FUNC].n = *sums_key(&rd->nodes, between->from);
	r.col[CALL_CALLEE].n = *sums_key(&rd->nodes, between->to);
	source(rd, a->from, &r.col[PLACE_FILE], &r.col[PLACE_LINE]);
	r.col[PLACE_ADDR].n = a->from;
	r.col[CALL_TLINE] = entry_line(rd, between->to, a->self);
	r.col[CALL_TADDR].n = a->self;
	r.col[PLACE_ADDR].has = r.col[CALL_TADDR].has = HAS_N;
	r.col[CALL_COUNT].t = num_text_u64(count, a->count);
	r.values = num_text(cost, between->cost);
	return sink_put(rd->d->out, &r);
}

static int
put_arcs(struct reader *rd)
{
	size_t i;

	if (cost_arcs(rd) < 0)
		return -1;
	rd->entry = mem_alloc(rd->nodes.n + 1, sizeof *rd->entry);
	for (i = 0; i < rd->g.narc; i++)
		if (put_arc(rd, &rd->g.arc[i], &rd->arc[i]) < 0)
			return -1;
	return 0;
}

/* ---- the whole ---- */

/* Checks that the profile comes from this executable: its addresses must be in the code;
 * one end of a call may be in a library. */
static int
check_match(struct reader *rd)
{
	const struct gmon *g = &rd->g;
	size_t i, in = 0, out = 0;
	uint64_t k, addr = 0;

	for (i = 0; i < g->nhist; i++)
		for (k = 0; k < g->hist[i].nbins; k++) {
			uint64_t from = gmon_bin_addr(&g->hist[i], k);
			bool code;

			if (!g->hist[i].bin[k])
				continue;
			code = symbols_in_code(rd->syms, from);
			in += code;
			out += !code;
			addr = code ? addr : from;
		}
	for (i = 0; i < g->narc; i++) {
		bool code = symbols_in_code(rd->syms, g->arc[i].self) ||
		    symbols_in_code(rd->syms, g->arc[i].from);

		in += code;
		out += !code;
		addr = code ? addr : g->arc[i].self;
	}
	if (out > in)
		return diag_fail(rd->d->diag, "is not a profile of %s: 0x%" PRIx64 ", "
		    "for example, is not in its code", symbols_path(rd->syms), addr);
	return 0;
}

/* Puts the total of each event. */
static int
put_total(struct reader *rd)
{
	struct record r = rec_make(REC_TOTAL);
	num blocks = 0;
	size_t i;

	for (i = 0; i < rd->g.nblock; i++)
		blocks += rd->g.block[i].count;
	fine(rd, rd->ticks);
	if (rd->g.nblock) {
		buf_putc(&rd->text, '\t');
		num_add_whole(&rd->text, blocks);
	}
	r.col[0].t = TEXT("run");
	r.values = buf_as_text(&rd->text);
	return sink_put(rd->d->out, &r);
}

static int
put_all(struct reader *rd)
{
	if ((rd->syms && check_match(rd) < 0) || put_part(rd) < 0 || put_hists(rd) < 0 ||
	    put_blocks(rd) < 0 || put_arcs(rd) < 0)
		return -1;
	if (!rd->g.nhist) {
		diag_say(rd->d->diag, DIAG_WARN, "no histogram: only calls are known");
		return 0;
	}
	return put_total(rd);
}

/* Reports assumptions for which the file has no evidence. */
static void
say_taken(struct reader *rd)
{
	struct diag *diag = rd->d->diag;

	if (rd->g.rates_differ)
		diag_say(diag, DIAG_WARN, "histograms have different rates: the first "
		    "one's is used for all");
	if (rd->g.junk)
		diag_say(diag, DIAG_NOTE, "the spare words of the header are not "
		    "initialised, as with MinGW: bins are read as 16 bits");
	if (rd->g.narrow)
		diag_say(diag, DIAG_WARN, "calls are counted in 32 bits, as on "
		    "Windows: the upper halves of the counts are read as padding");
}

static int
decode(struct decode *d, enum gmon_flavour flavour)
{
	struct reader rd = { .d = d, .names = d->session->names };
	const char *p;
	size_t n;
	int r = -1;

	sums_init(&rd.nodes, 1, 0);
	rd.syms = rd.names ? symbolize_symbols(rd.names) : NULL;
	if (in_all(d->in, &p, &n) == 0 && gmon_parse(&rd.g, p, n, flavour, d->diag) == 0) {
		say_taken(&rd);
		r = put_all(&rd);
	}
	gmon_free(&rd.g);
	sums_free(&rd.nodes);
	free(rd.self);
	free(rd.entry);
	free(rd.arc);
	free(rd.piece);
	free(rd.width);
	free(rd.part);
	apportion_free(&rd.apportion);
	buf_free(&rd.text);
	return r;
}

int
gmon_decode(struct decode *d)
{
	return decode(d, GMON_MAGIC);
}

int
gmon_decode_bsd44(struct decode *d)
{
	return decode(d, GMON_BSD44);
}

int
gmon_decode_bsd(struct decode *d)
{
	return decode(d, GMON_BSD);
}
