/* SPDX-License-Identifier: ISC */
/* Writes a part's header, and its totals. */
#include "dialect.h"
#include "writer.h"

static void
put_positions(struct writer *w, struct text attr)
{
	unsigned k;
	size_t i, n;

	memset(w->has, 0, sizeof w->has);
	w->npos = 0;
	for (i = 0; i < attr.n; i += n + 1) {
		const char *comma = memchr(attr.s + i, ',', attr.n - i);

		n = comma ? (size_t)(comma - attr.s) - i : attr.n - i;
		for (k = 0; k < POS_KINDS; k++)
			if (!w->has[k] && text_is((struct text){ attr.s + i, n },
			    pos_names[k].attr)) {
				w->has[k] = true;
				w->pos[w->npos++] = k;
			}
	}
	if (!w->npos) {
		w->has[POS_LINE] = true;
		w->pos[w->npos++] = POS_LINE;
	}
	out_puts(w->e.out, "positions:");
	for (k = 0; k < w->npos; k++)
		out_printf(w->e.out, " %s", pos_names[w->pos[k]].word);
	out_puts(w->e.out, "\n");
}

/* Is a separator needed?  Two runs without pid are distinguished only by the line that
 * Xdebug writes before an appended profile.  Callgrind's parts have a pid. */
static bool
separates(const struct writer *w)
{
	return w->next_run && !w->converted && !w->have_pid &&
	    !callgrind_wrote(buf_as_text(&w->creator));
}

static void
begin_file(struct writer *w)
{
	out_puts(w->e.out, "\n" SEPARATOR "\nversion: 1\n");
	w->creator.n = w->pid.n = w->cmd.n = 0;
	w->next_run = false;
	cw_begin_file(w);
}

/* `positions:` comes first: it begins a part for every reader. */
int
cw_begin_part(struct part_sink *s, const struct part *p)
{
	struct writer *w = (struct writer *)s;
	const struct text run = p->head->col[0].t;
	struct buf scratch = { 0 };

	w->next_run = p->number > 1 && !text_eq(buf_as_text(&w->run_id), run);
	if (separates(w))
		begin_file(w);
	else
		out_puts(w->e.out, p->number > 1 ? "\n" : "# callgrind format\nversion: 1\n");
	put_positions(w, attr_get(p->head->attrs, "positions", &scratch));
	buf_free(&scratch);
	w->pid_tells = false;
	w->run_id.n = 0;
	buf_text(&w->run_id, run);
	w->header = true;
	w->nevents = 0;
	w->converted = w->have_creator = w->have_pid = w->have_cmd = false;
	w->have_run = w->have_sum = false;
	w->recursion_levels = w->levels = w->stacks = w->swapped = false;
	w->events.n = w->event.n = 0;
	name_index_clear(&w->in_events);
	name_index_clear(&w->in_event);
	w->based = false;
	return 0;
}

static void
put_fact(struct writer *w, const char *key, struct buf *was, bool *have,
    struct text v)
{
	*have = true;
	if (text_eq(buf_as_text(was), v))
		return;
	w->pid_tells |= was == &w->pid && was->n;
	was->n = 0;
	buf_text(was, v);
	cw_line(w, key, v);
}

/* Writes a comment for prof-cat to read back: a description in the header, a comment later,
 * when viewers do not expect descriptions. */
static void
put_own(struct writer *w, const struct record *r)
{
	struct buf b = { 0 };

	if (comment_fact(&b, r, w->e.loss))
		cw_line(w, w->header ? "desc: " : "# ", buf_as_text(&b));
	buf_free(&b);
}

static int end_header(struct writer *w);

static bool
begins_with_blank(struct text t)
{
	return t.n && blank(*t.s);
}

/* Is a value read back from a line of the header?  Blanks before it are not. */
static bool
is_plain(struct text v)
{
	return comment_is_plain(v) && !begins_with_blank(v);
}

/* Writes the format's own header lines as such, in the header, and all others as comments.
 * Metadata after the events stay there. */
int
cw_meta(struct part_sink *s, const struct part *p, const struct record *r)
{
	struct writer *w = (struct writer *)s;
	struct text key = r->col[0].t, v;
	static const char own[] = "callgrind.";
	const size_t n = sizeof own - 1;
	struct buf b = { 0 }, line = { 0 };

	if (w->header && w->nevents && w->nevents == p->events.n && end_header(w) < 0)
		return -1;
	v = meta_only(r, &b);
	if (!v.s) {
		put_own(w, r);	/* no value, or several */
	} else if (text_is(key, "recursion") && text_is(v, "levels")) {
		w->levels = true;
	} else if (text_is(key, "format")) {
		w->converted = !text_is(v, "callgrind");
	} else if (text_is(key, "comment") && comment_is_plain(v)) {
		cw_line(w, "#", v);
	} else if (text_is(key, DIALECT_FLAT)) {
		loss_record(w->e.loss, r);	/* another format's: it would not be raw
						 * here */
	} else if (!is_plain(v)) {
		put_own(w, r);
	} else if (w->header && v.n && text_is(key, "creator") && !w->events.n &&
	    !w->have_creator) {
		put_fact(w, "creator: ", &w->creator, &w->have_creator, v);
	} else if (w->header && v.n && text_is(key, "pid") && !w->have_pid) {
		put_fact(w, "pid: ", &w->pid, &w->have_pid, v);
	} else if (w->header && v.n && text_is(key, "cmd") && !w->have_cmd) {
		put_fact(w, "cmd: ", &w->cmd, &w->have_cmd, v);
	} else if (w->header && text_is(key, "part")) {
		cw_line(w, "part: ", v);
	} else if (w->header && text_is(key, "thread")) {
		cw_line(w, "thread: ", v);
	} else if (text_is(key, "desc")) {
		cw_line(w, "desc: ", v);
	} else if (key.n > n && memcmp(key.s, own, n) == 0 &&
	    callgrind_is_fact((struct text){ key.s + n, key.n - n })) {
		buf_add(&line, key.s + n, key.n - n);
		buf_puts(&line, ": ");
		cw_line(w, buf_str(&line), v);
	} else {
		put_own(w, r);
	}
	buf_free(&b);
	buf_free(&line);
	return 0;
}

/* Is the name ambiguous?  An `event:` line refers to the measured event of its name, if
 * there is one.  Without such lines events may share a name: their position identifies
 * them. */
static bool
is_ambiguous(const struct writer *w, struct text word, bool has_line)
{
	size_t at;

	return name_index_find(&w->in_event, word, &at) ||
	    (has_line && name_index_find(&w->in_events, word, &at));
}

static struct text
creator_of(const struct writer *w)
{
	return w->have_creator ? buf_as_text(&w->creator) : (struct text){ 0 };
}

static bool
is_bad(char c)
{
	return c && strchr(EVENT_BAD, c);
}

/* Has a formula names of events that become others? */
static bool
has_bad_names(struct text formula)
{
	size_t i;

	for (i = 0; i < formula.n && !is_bad(formula.s[i]); i++)
		;
	return i < formula.n;
}

/* Adds a formula with the names of events as they are written: a colon would end it. */
static void
add_formula(struct writer *w, struct text formula)
{
	size_t i = w->event.n;

	comment_line(&w->event, formula, w->e.loss);
	for (; i < w->event.n; i++)
		if (is_bad(w->event.s[i]))
			w->event.s[i] = '_';
}

/* Will a reader know the event's unit from its name and the creator, and its formula and
 * description from its line? */
static bool
is_understood(const struct writer *w, const struct record *event)
{
	struct dialect_event known = { 0 };

	if (event->col[EVENT_ID].n != NO_ID)
		known = dialect_event(creator_of(w), event->col[EVENT_NAME].t);
	return text_eq(known.unit, event->col[EVENT_UNIT].t) &&
	    text_eq(known.attrs, event->attrs) &&
	    !has_bad_names(event->col[EVENT_FORMULA].t) &&
	    !begins_with_blank(event->col[EVENT_DESCRIPTION].t);
}

int
cw_event(struct part_sink *s, const struct record *r)
{
	struct writer *w = (struct writer *)s;
	struct text formula = r->col[EVENT_FORMULA].t;
	struct text description = r->col[EVENT_DESCRIPTION].t;
	bool measured = r->col[EVENT_ID].n != NO_ID;
	bool has_line = formula.s || description.s || !measured;
	struct buf word = { 0 };

	w->nevents++;
	if (!comment_word(&word, r->col[EVENT_NAME].t, EVENT_BAD) ||
	    !is_understood(w, r))
		put_own(w, r);
	if (is_ambiguous(w, buf_as_text(&word), has_line))
		loss_add(w->e.loss, "event names that become the same");
	if (measured) {
		buf_putc(&w->events, ' ');
		buf_text(&w->events, buf_as_text(&word));
		name_index_add(&w->in_events, buf_as_text(&word), 0);
	}
	if (has_line) {
		buf_puts(&w->event, "event: ");
		buf_text(&w->event, buf_as_text(&word));
		name_index_add(&w->in_event, buf_as_text(&word), 0);
		if (formula.s) {
			buf_puts(&w->event, " = ");
			add_formula(w, formula);
		}
		if (description.s) {
			buf_puts(&w->event, " : ");
			comment_line(&w->event, description, w->e.loss);
		}
		buf_putc(&w->event, '\n');
	}
	if (measured)
		cost64_event(&w->costs, &word);
	buf_free(&word);
	return 0;
}

/* Ends metadata that remain in effect from an earlier part but do not belong to this
 * one. */
static void
end_facts(struct writer *w)
{
	if (!w->have_creator && w->creator.n)
		put_fact(w, "creator: ", &w->creator, &w->have_creator, TEXT(""));
	if (!w->have_pid && w->pid.n)
		put_fact(w, "pid: ", &w->pid, &w->have_pid, TEXT(""));
	if (!w->have_cmd && w->cmd.n)
		put_fact(w, "cmd: ", &w->cmd, &w->have_cmd, TEXT(""));
}

/* Chooses the dialect by the creator. */
static void
choose_dialect(struct writer *w)
{
	const struct record *first = w->parts.first;
	const struct text creator = creator_of(w);
	const struct text events = w->events.n ?
	    (struct text){ w->events.s + 1, w->events.n - 1 } : (struct text){ 0 };
	struct record flat = rec_make(REC_META);

	w->swapped = dialect_swaps_lines(creator);
	w->no_counts = !w->converted && dialect_counts_no_calls(creator, events);
	w->stacks = first && rec_kind(first) == REC_SAMPLE;
	if (w->object == NO_ID && !w->ob.n && callgrind_wrote(creator))
		w->object = NOT_YET;	/* it has an unknown object; others have none */
	if (!first || w->stacks || !dialect_stacks(creator_of(w)))
		return;
	flat.col[0].t = TEXT(DIALECT_FLAT);
	flat.attrs = TEXT("none");
	put_own(w, &flat);
}

/* ---- totals ---- */

static bool
lacks_values(struct text values)
{
	struct text v;

	while (values_next(&values, &v))
		if (text_is(v, "-"))
			return true;
	return false;
}

/* Is the cost of the run only known at the part's end?  One of zeros does not count, and must
 * not get other values. */
static bool
waits_for_run(const struct writer *w)
{
	return lacks_values(buf_as_text(&w->run)) && w->parts.part.total.has_run;
}

static int
put_run(struct writer *w)
{
	const struct text run = buf_as_text(&w->run);

	return waits_for_run(w) ? 0 : cost64_totals(&w->costs, "summary:", run, 0);
}

/* Puts a total at the part's end.  A value that it lacks is that of the next total
 * (stream/total.h): the profiler's, of which NULL has none, or the sum of the lines. */
static int
put_complete(struct writer *w, const char *key, struct text values, const struct total *next)
{
	struct buf b = { 0 };
	struct text v;
	size_t i;
	num n;
	int r;

	for (i = 0; values_next(&values, &v); i++) {
		if (!text_is(v, "-"))
			buf_printf(&b, "%s%.*s", b.n ? "\t" : "", (int)v.n, v.s);
		else if (next && total_stated(next, i, &n))
			values_add(&b, n);
		else
			values_add(&b, w->costs.total[i]);
	}
	r = cost64_totals(&w->costs, key, buf_as_text(&b), 0);
	buf_free(&b);
	return r;
}

static int
end_header(struct writer *w)
{
	end_facts(w);
	choose_dialect(w);
	if (w->next_run != w->pid_tells)
		loss_add(w->e.loss, "which run a part belongs to");
	w->header = false;
	out_write(w->e.out, w->event.s, w->event.n);
	out_puts(w->e.out, "events:");
	out_write(w->e.out, w->events.s, w->events.n);
	out_puts(w->e.out, "\n");
	cost64_begin(&w->costs);
	if (w->have_run && put_run(w) < 0)
		return -1;
	out_puts(w->e.out, "\n");
	return 0;
}

int
cw_begin_body(struct part_sink *s, const struct part *p)
{
	struct writer *w = (struct writer *)s;

	(void)p;
	return w->header ? end_header(w) : 0;
}

int
cw_total(struct part_sink *s, const struct record *r)
{
	struct writer *w = (struct writer *)s;
	bool run = text_is(r->col[0].t, "run");
	struct buf *b = run ? &w->run : &w->sum;

	b->n = 0;
	buf_text(b, r->values);
	*(run ? &w->have_run : &w->have_sum) = true;
	return run && !w->header ? put_run(w) : 0;
}

/* callgrind ends each part with totals, without which readers take the file for truncated;
 * other writers of the format do not. */
static bool
wants_totals(const struct writer *w)
{
	return w->have_sum || w->converted || dialect_stacks(creator_of(w)) ||
	    callgrind_wrote(buf_as_text(&w->creator));
}

/* A reader takes such names in Callgrind's files for levels of recursion.  If they no
 * longer are, as in profiles that were merged with others, metadata states that. */
static void
put_joined(struct writer *w)
{
	struct record r = rec_make(REC_META);

	if (w->levels || !w->recursion_levels || !callgrind_wrote(buf_as_text(&w->creator)))
		return;
	r.col[0].t = TEXT("calls");
	r.attrs = TEXT("joined");
	put_own(w, &r);
}

int
cw_end_part(struct part_sink *s, const struct part *p)
{
	struct writer *w = (struct writer *)s;
	struct buf b = { 0 };
	int r = 0;

	cw_fresh(w, NULL);
	put_joined(w);
	if (p->total.has_sum && !dialect_totals_differ(creator_of(w)))
		cost64_check(&w->costs, buf_as_text(&w->sum));
	out_puts(w->e.out, "\n");
	/* Without a summary the file would count as truncated; a summary of 0 is
	 * ignored. */
	if (!w->have_run && dialect_sums_up(creator_of(w)))
		out_puts(w->e.out, w->events.n ? "summary: 0\n" : "summary:\n");
	if (w->have_run && waits_for_run(w))
		r = put_complete(w, "summary:", buf_as_text(&w->run), &p->total);
	if (r == 0 && wants_totals(w))
		r = p->total.has_sum ? put_complete(w, "totals:", buf_as_text(&w->sum), NULL) :
		    cost64_totals(&w->costs, "totals:", w->have_sum ?
		    buf_as_text(&w->sum) : cost64_sums(&w->costs, &b), 0);
	buf_free(&b);
	cost64_end(&w->costs);
	return r;
}
