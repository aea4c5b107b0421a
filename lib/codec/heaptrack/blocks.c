/* SPDX-License-Identifier: ISC */
/*
 * Blocks that are allocated and freed, added up by stack.
 *
 * What each stack has in use at the peak is known only at the end.  A site notes it when it
 * changes for the first time after a peak: until then it had what it had at the peak.  So
 * nothing is copied at a peak, of which there may be one in each line.
 */
#include "reader.h"

/* Takes the kind of a block, which is all of the line. */
static struct kind *
take_kind(struct heaptrack *h, struct fields f)
{
	uint64_t n;

	return heaptrack_number(&f, &n) && heaptrack_ended(&f) && n < h->nkind &&
	    h->kind[n].site ? &h->kind[n] : NULL;
}

static int
not_a_kind(struct heaptrack *h, struct fields f)
{
	return BAD(h, "expected the number of an 'a' line before, of which there are %zx, found "
	    "%s", h->nkind, QUOTE_TO(f.line, f.end));
}

/* The site is about to change. */
static struct site *
site_to_change(struct heaptrack *h, const struct kind *k)
{
	struct site *s = &h->site[k->site - 1];

	if (s->peaks < h->peaks) {
		s->peak = s->leaked;
		s->peaks = h->peaks;
	}
	return s;
}

/* No file has enough lines for these sums to overflow: 2^63 of 64 bits each. */
int
heaptrack_allocate(struct heaptrack *h, struct fields f)
{
	struct kind *k = take_kind(h, f);
	struct site *s;

	if (!k)
		return not_a_kind(h, f);
	s = site_to_change(h, k);
	k->in_use++;
	s->allocations++;
	s->bytes += k->size;
	s->leaked += k->size;
	h->in_use += k->size;
	if (h->in_use > h->most) {
		h->most = h->in_use;
		h->peaks++;
	}
	h->last = (uint64_t)(k - h->kind);
	return LINE_OK;
}

int
heaptrack_free(struct heaptrack *h, struct fields f)
{
	struct kind *k = take_kind(h, f);
	struct site *s;

	if (!k)
		return not_a_kind(h, f);
	if (!k->in_use)
		return BAD(h, "a block is freed that was not allocated: %s",
		    QUOTE_TO(f.line, f.end));
	s = site_to_change(h, k);
	k->in_use--;
	s->leaked -= k->size;
	s->temporary += h->last == (uint64_t)(k - h->kind);
	h->in_use -= k->size;
	h->last = NO_KIND;
	return LINE_OK;
}
