/* SPDX-License-Identifier: ISC */
#include "stream/event_label.h"

#define KEY "event="

void
event_label_see(struct event_label *l, struct text attrs, struct diag *d)
{
	const size_t key = sizeof KEY - 1;
	const char *p = attrs.s, *end = p + attrs.n, *tab;
	struct text value;

	if (l->reported || attrs.n <= key)
		return;
	if (memcmp(p, KEY, key) != 0) {
		if (!(p = memmem(p, attrs.n, "\t" KEY, key + 1)))
			return;
		p++;
	}
	tab = memchr(p, '\t', (size_t)(end - p));
	value = (struct text){ p + key, (size_t)((tab ? tab : end) - p) - key };
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
