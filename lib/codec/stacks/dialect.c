/* SPDX-License-Identifier: ISC */
/* The dialects, and which of them a file is. */
#include "words.h"

#include "stacks.h"

#define PEEK 65536		/* bytes in which a line must show the dialect */

static const struct dialect *const dialects[] = {
	&stacks_bpftrace, &stacks_bcc, &stacks_dtrace, &stacks_systemtap, &stacks_pmcstat,
	&stacks_hprof, &stacks_jstack, &stacks_gdb,
};
#define DIALECTS (sizeof dialects / sizeof *dialects)

/* Returns the dialect of a line that only it has.  For the others it counts lines that are not
 * of them, up to `most`; *left: are any still in question? */
static const struct dialect *
see_line(struct text line, unsigned foreign[DIALECTS], unsigned most, bool *left)
{
	size_t i;

	*left = false;
	for (i = 0; i < DIALECTS; i++) {
		enum sight sight;

		if (foreign[i] > most)
			continue;
		if ((sight = dialects[i]->see(line)) == LINE_OWN)
			return dialects[i];
		foreign[i] += sight == LINE_FOREIGN;
		*left |= foreign[i] <= most;
	}
	return NULL;
}

const struct dialect *
stacks_dialect(const char *p, size_t n, unsigned most)
{
	const char *end = p + (n < PEEK ? n : PEEK), *lf;
	const struct dialect *found = NULL;
	unsigned foreign[DIALECTS] = { 0 };
	bool left = true;

	for (; !found && left && p < end; p = lf + 1) {
		struct text line;

		if (!(lf = memchr(p, '\n', (size_t)(end - p))))
			lf = end;
		line = text_between(p, lf);
		if (memchr(p, '\0', line.n))
			break;
		if (line.n && line.s[line.n - 1] == '\r')
			line.n--;
		if (line.n)
			found = see_line(line, foreign, most, &left);
	}
	return found;
}
