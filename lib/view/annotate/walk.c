/* SPDX-License-Identifier: ISC */
/* Walks over the lines of a file that are shown. */
#include "listing.h"

/* Return the first and the last line shown around a hot one; beyond the source it is
 * alone. */
static uint64_t
first_of(const struct walk *w, uint64_t hot)
{
	return hot > w->s->nline ? hot : hot > w->a->context ? hot - w->a->context : 1;
}

static uint64_t
last_of(const struct walk *w, uint64_t hot)
{
	return hot >= w->s->nline ? hot :
	    w->s->nline - hot > w->a->context ? hot + w->a->context : w->s->nline;
}

/* Finds the first line after w->at that is shown: false if there is none. */
static bool
find_next(struct walk *w, uint64_t *line)
{
	const struct listed_line *v = w->f->line;

	if (w->a->whole && w->at < w->s->nline) {
		*line = w->at + 1;
		return true;
	}
	while (w->hot < w->f->n &&
	    (!v[w->hot].hot || last_of(w, v[w->hot].line) <= w->at))
		w->hot++;
	if (w->hot == w->f->n)
		return false;
	*line = first_of(w, v[w->hot].line);
	if (*line <= w->at)
		*line = w->at + 1;
	return true;
}

bool
walk_next(struct walk *w, struct walk_line *out)
{
	uint64_t line;

	if (!find_next(w, &line))
		return false;
	while (w->row < w->f->n && w->f->line[w->row].line < line)
		w->row++;
	*out = (struct walk_line){ .line = line, .text = source_line(w->s, line),
	    .number = source_number(w->s, line), .gap = w->at && line > w->at + 1 };
	if (w->row < w->f->n && w->f->line[w->row].line == line)
		out->of = &w->f->line[w->row];
	w->at = line;
	return true;
}
