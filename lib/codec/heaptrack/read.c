/* SPDX-License-Identifier: ISC */
/* Reads the lines of a recording. */
#include "reader.h"

#include <inttypes.h>
#include <stdlib.h>

#define COMMAND_MOST (1 << 20)	/* heaptrack writes 4096 bytes of it */

/* ---- facts ---- */

static int
read_version(struct heaptrack *h, struct fields f)
{
	if (h->has_version || !heaptrack_number(&f, &h->version))
		return BAD(h, "expected one version, as in 'v 10400 3', found %s",
		    QUOTE_TO(f.line, f.end));
	h->has_version = true;
	/* Before 1.0.0 the version of heaptrack was that of the format. */
	if (!heaptrack_number(&f, &h->format))
		h->format = h->version == 0x10200;
	if (h->format >= 1 && h->format <= HEAPTRACK_VERSION)
		return LINE_OK;
	diag_fail(h->d->diag, "version %" PRIx64 " of heaptrack's format is not "
	    "supported, only 1 to %d are: run 'heaptrack_print -F stacks.folded' on "
	    "it", h->format, HEAPTRACK_VERSION);
	return LINE_FATAL;
}

/* Reads the command.  It may have newlines: then lines up to 'I', the next one that
 * heaptrack writes, are more of it. */
static int
read_command(struct heaptrack *h, struct fields f)
{
	if (h->has_command || (size_t)(f.end - f.p) >= COMMAND_MOST)
		return BAD(h, h->has_command ? "a second command: %s" : "a command that is too "
		    "long: %s", QUOTE_TO(f.line, f.end));
	h->has_command = true;
	buf_add(&h->command, f.p, (size_t)(f.end - f.p));
	h->in_command = true;
	return LINE_OK;
}

static int
read_system(struct heaptrack *h, struct fields f)
{
	if (heaptrack_number(&f, &h->page_size) && heaptrack_number(&f, &h->pages) &&
	    heaptrack_ended(&f))
		return LINE_OK;
	return BAD(h, "expected the size of a page and the number of them, found %s",
	    QUOTE_TO(f.line, f.end));
}

/* Keeps the largest number. */
static int
read_most(struct heaptrack *h, struct fields f, uint64_t *most)
{
	uint64_t n;

	if (!heaptrack_number(&f, &n) || !heaptrack_ended(&f))
		return BAD(h, "expected a number in hex, found %s", QUOTE_TO(f.line, f.end));
	if (n > *most)
		*most = n;
	return LINE_OK;
}

/* Reads "# strings: 78", in decimal.  Other comments say nothing. */
static int
read_comment(struct heaptrack *h, struct fields f)
{
	const struct text t = { f.p, (size_t)(f.end - f.p) };
	const bool strings = text_begins(t, "strings: ");
	const char *p = t.s + (strings ? 9 : 5), *q;
	uint64_t n;

	if (!strings && !text_begins(t, "ips: "))
		return LINE_OK;
	if (!(q = num_get_u64(p, &n)) || q != f.end || q == p)
		return BAD(h, "expected a number, found %s", QUOTE_TO(f.line, f.end));
	*(strings ? &h->strings : &h->addresses) = n;
	*(strings ? &h->has_strings : &h->has_addresses) = true;
	return LINE_OK;
}

/* ---- lines ---- */

static int
read_rest_of_command(struct heaptrack *h, const char *p, const char *end)
{
	if ((size_t)(end - p) > COMMAND_MOST - h->command.n) {
		h->in_command = false;
		return BAD(h, "no line such as 'I 1000 3e44e5' comes after the command");
	}
	buf_putc(&h->command, '\n');
	buf_add(&h->command, p, (size_t)(end - p));
	return LINE_OK;
}

static int
read_other(struct heaptrack *h, struct fields f)
{
	switch (*f.line) {
	case 'v':
		return read_version(h, f);
	case 'X':
		return read_command(h, f);
	case 'I':
		return read_system(h, f);
	case 'c':
		return read_most(h, f, &h->time);
	case 'R':
		return read_most(h, f, &h->resident);
	case 'S':
		h->suppressions++;
		return LINE_OK;
	case 'A':		/* attached to a running program */
		return LINE_OK;
	case '#':
		return read_comment(h, f);
	}
	return BAD(h, "expected a letter that heaptrack uses, such as + or -, found %s",
	    QUOTE_TO(f.line, f.end));
}

static int
read_line(void *arg, const char *p, const char *end)
{
	struct heaptrack *h = arg;
	struct fields f = { p + (end - p < 2 ? end - p : 2), end, p };

	if (h->in_command && (h->in_command = *p != 'I'))
		return read_rest_of_command(h, p, end);
	if (p == end)
		return LINE_OK;
	if (end - p >= 2 && p[1] != ' ')
		return BAD(h, "expected a letter and a blank, found %s", QUOTE_TO(p, end));
	switch (*p) {
	case '+':
		return heaptrack_allocate(h, f);
	case '-':
		return heaptrack_free(h, f);
	case 's':
		return heaptrack_string(h, f);
	case 'i':
		return heaptrack_address(h, f);
	case 't':
		return heaptrack_stack(h, f);
	case 'a':
		return heaptrack_kind(h, f);
	}
	return read_other(h, f);
}

static int
block(void *arg, const char *p, const char *end)
{
	struct heaptrack *h = arg;

	h->read += (uint64_t)(end - p);
	return decode_each_line(h->d, p, end, read_line, h);
}

/* ---- the file ---- */

/* Checks the end: heaptrack_interpret writes the numbers of strings and addresses when it
 * ends, even if the program was killed. */
static int
check_end(struct heaptrack *h)
{
	h->d->at.line = 0;
	if (h->d->cut)
		return 0;
	if (h->in_command)
		return decode_cut(h->d, "the file is truncated: no line such as 'I 1000 "
		    "3e44e5' comes after the command");
	if (!h->has_strings || !h->has_addresses)
		return decode_cut(h->d, "the file is truncated: '# strings:' and '# "
		    "ips:', which heaptrack writes last, are missing");
	if (h->strings != h->nstring || h->addresses != h->naddress)
		return decode_cut(h->d, "the file is damaged: it has %zu strings and %zu "
		    "addresses, but its end states %" PRIu64 " and %" PRIu64, h->nstring,
		    h->naddress, h->strings, h->addresses);
	return 0;
}

int
heaptrack_decode(struct decode *d)
{
	struct heaptrack h = { .d = d, .last = NO_KIND };
	int ret;

	h.site = mem_grow(NULL, &h.capsite, 1, sizeof *h.site);
	h.site[h.nsite++] = (struct site){ 0 };	/* of no stack */
	ret = decode_lines(d, "file", LAST_ENDS, block, &h) < 0 || check_end(&h) < 0 ||
	    heaptrack_put(&h) < 0 ? -1 : 0;
	free(h.string);
	free(h.place);
	free(h.address);
	free(h.stack);
	free(h.kind);
	free(h.site);
	free(h.path);
	frames_free(&h.frames);
	buf_free(&h.command);
	buf_free(&h.values);
	return ret;
}
