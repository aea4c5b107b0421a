/* SPDX-License-Identifier: ISC */
/* A profile that goes on: when its screens are drawn anew, and its line in the bar. */
#include "browse/browser.h"

#include "browse/terminal.h"
#include "view/rate.h"

#define LOOK 20			/* milliseconds between two looks for keys */
#define SECOND 1000000

static void
take_more(struct browser *b)
{
	struct profile *p = b->profile;
	struct text event;
	size_t i;

	if (profile_need_functions(p) < 0)
		return;
	event = profile_event(p, &p->functions);
	if (!event.s || !b->rate_of.s || !text_eq(event, b->rate_of))
		b->nshown = 0;
	b->rate_of = event;
	for (i = SHOWN_TOTALS - 1; i; i--)
		b->shown[i] = b->shown[i - 1];
	b->shown[0] = (struct shown_total){ p->live.at,
	    rate_total(p->functions.rank, event) };
	b->nshown += b->nshown < SHOWN_TOTALS;
}

unsigned
browser_wait(struct browser *b)
{
	struct profile *p = b->profile;
	unsigned key;

	terminal_ignore_interrupts(p->live.on);
	if (!p->live.on)
		return terminal_key(-1);
	/* First, as it takes the time that the last profile took to be shown. */
	do {
		if (p->more(0)) {
			browser_renew(b);
			take_more(b);
			return KEYS_NONE;
		}
	} while ((key = terminal_key(LOOK)) == KEYS_NONE && p->live.on);
	return key;
}

/* Adds the costs per second, of the last second as far as it was shown. */
static void
add_rate(struct browser *b, struct buf *out)
{
	const struct shown_total *now = b->shown, *before = now;
	const struct rank *r = b->profile->functions.rank;

	while (before + 1 < b->shown + b->nshown && now->at - before->at < SECOND)
		before++;
	if (!r || now->at == before->at)
		return;
	buf_puts(out, ", ");
	if (b->profile->live.recent)
		rate_add(out, r, b->rate_of, now->total, b->profile->live.span);
	else
		rate_add(out, r, b->rate_of, now->total - before->total, now->at - before->at);
}

void
browser_add_live(struct browser *b, struct buf *out)
{
	const struct profile *p = b->profile;

	if (!p->more)
		return;
	buf_puts(out, "  ");
	rate_add_time(out, p->live.at);
	if (p->live.on && !p->live.paused)
		add_rate(b, out);
	buf_puts(out, !p->live.on ? ", ended" : p->live.paused ? ", paused" : "");
	buf_puts(out, p->live.recent ? ", the last second" : "");
}

bool
browser_live_key(struct browser *b, unsigned key)
{
	struct profile *p = b->profile;

	if (!p->more || (key != 'p' && key != 'd'))
		return false;
	if (key == 'p') {
		p->live.paused = !p->live.paused;
	} else {
		p->live.recent = !p->live.recent;
		b->nshown = 0;
		browser_renew(b);
	}
	return true;
}
