/* SPDX-License-Identifier: ISC */
#include "stream/event_label.h"

#define KEY "event="

void
event_label_see(struct event_label *l, struct text attrs, struct diag *d)
{
	const size_t key = sizeof KEY - 1;
	const char *tab;
	struct text value;

	if (l->reported || attrs.n <= key || memcmp(attrs.s, KEY, key) != 0)
		return;
	tab = memchr(attrs.s, '\t', attrs.n);
	value = (struct text){ attrs.s + key, (tab ? (size_t)(tab - attrs.s) : attrs.n) -
	    key };
	if (!l->first.n) {
		buf_text(&l->first, value);
	} else if (!text_eq(buf_as_text(&l->first), value)) {
		l->reported = true;
		diag_say(d, DIAG_WARN, "samples of several events are added up, %.*s and "
		    "%.*s among them: choose one with --where event=NAME",
		    (int)l->first.n, l->first.s, (int)value.n, value.s);
	}
}

void
event_label_free(struct event_label *l)
{
	buf_free(&l->first);
	l->reported = false;
}
