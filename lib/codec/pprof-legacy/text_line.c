/* SPDX-License-Identifier: ISC */
/* Lines of a profile as text, and their fields. */
#include "text.h"

bool
legacy_next_line(struct body *b, struct text *line)
{
	const char *lf;

	if (b->p >= b->end)
		return false;
	if (!(lf = memchr(b->p, '\n', (size_t)(b->end - b->p))))
		lf = b->end;
	*line = words_trim((struct text){ b->p, (size_t)(lf - b->p) });
	b->p = lf + 1;
	b->rd->d->at.line++;
	return true;
}

bool
legacy_has_content(struct text line)
{
	return line.n && *line.s != '#';
}

void
legacy_skip_blanks(const char **p)
{
	while (**p == ' ' || **p == '\t')
		++*p;
}

bool
legacy_take_char(const char **p, char c)
{
	legacy_skip_blanks(p);
	if (**p != c)
		return false;
	++*p;
	return true;
}

bool
legacy_take_int(const char **p, int64_t *v)
{
	const bool minus = legacy_take_char(p, '-');
	const char *q;
	uint64_t n;

	q = num_get_u64(*p, &n);
	if (!q || q == *p || n > INT64_MAX)
		return false;
	*v = minus ? -(int64_t)n : (int64_t)n;
	*p = q;
	return true;
}

int
legacy_take_addrs(struct body *b, const char *p, struct text line)
{
	const char *end = line.s + line.n, *q;
	uint64_t addr;

	b->rd->naddr = 0;
	for (legacy_skip_blanks(&p); p < end; legacy_skip_blanks(&p)) {
		if (p[0] != '0' || p[1] != 'x' || !(q = num_get_hex(p + 2, &addr)) ||
		    q == p + 2 || (q < end && *q != ' ' && *q != '\t'))
			return BAD("expected an address, such as 0x401000, found %s",
			    diag_quote(p, (size_t)(end - p)));
		addr_add(b->rd, addr);
		p = q;
	}
	return LINE_OK;
}

void
legacy_add_event(struct legacy_header *h, struct text name, const char *unit,
    const char *type)
{
	h->event[h->nevent++] = (struct legacy_event){ name, unit, type };
}

int
legacy_begin(struct body *b)
{
	b->begun = true;
	return legacy_put_header(b->rd, &b->header);
}
