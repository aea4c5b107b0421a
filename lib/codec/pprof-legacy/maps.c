/* SPDX-License-Identifier: ISC */
/*
 * Memory maps: /proc/self/maps of Linux, or the briefer lines of other writers,
 *
 *	START-END PERMISSIONS OFFSET MAJOR:MINOR INODE PATH
 *	START-END: PATH (@OFFSET) BUILD-ID
 *
 * Executable mappings are treated as in pprof (profile/legacy_profile.go and profile.go,
 * massageMappings), so that addresses are in the same mappings.
 */
#include "reader.h"

#include <stdlib.h>

#include "codec/program.h"
#include "util/mem.h"
#include "util/search.h"
#include "util/system.h"

#define MOST ((size_t)16 << 20)	/* bytes of all lines whose variables were replaced */

static bool
is_word_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	    c == '_';
}

/* ---- variables: "source=/home" and "$source/bin" ---- */

/* Adds a variable: false if the line defines none. */
static bool
add_variable(struct maps *m, struct text line)
{
	const char *eq = memchr(line.s, '=', line.n);
	struct text name;
	size_t i;

	if (!eq)
		return false;
	name = words_trim((struct text){ line.s, (size_t)(eq - line.s) });
	for (i = 0; i < name.n && is_word_char(name.s[i]); i++)
		;
	if (!name.n || i < name.n)
		return false;
	if (name_index_add(&m->names, name, m->nvalue) != m->nvalue)
		return true;
	m->value = mem_grow(m->value, &m->capvalue, m->nvalue + 1, sizeof *m->value);
	m->value[m->nvalue++] = words_trim((struct text){ eq + 1,
	    (size_t)(line.s + line.n - eq - 1) });
	return true;
}

/* Sets *out to the line with the values inserted; false if all such lines become too
 * long. */
static bool
replace(struct maps *m, struct text line, struct text *out)
{
	const char *p = line.s, *end = p + line.n, *q;
	size_t i;

	*out = line;
	if (!m->nvalue || !memchr(p, '$', line.n))
		return true;
	for (m->line.n = 0; p < end; p = q) {
		q = p + 1;
		if (*p == '$') {
			while (q < end && is_word_char(*q))
				q++;
			if (name_index_find(&m->names, (struct text){ p + 1,
			    (size_t)(q - p - 1) }, &i)) {
				buf_text(&m->line, m->value[i]);
				if (m->line.n > MOST - m->replaced)
					return false;
				continue;
			}
		}
		buf_add(&m->line, p, (size_t)(q - p));
	}
	m->replaced += m->line.n < MOST - m->replaced ? m->line.n : MOST - m->replaced;
	/* Paths refer to it. */
	m->text = mem_grow(m->text, &m->captext, m->ntext + 1, sizeof *m->text);
	m->text[m->ntext] = mem_copy(m->line.s ? m->line.s : "", m->line.n);
	*out = (struct text){ m->text[m->ntext++], m->line.n };
	return true;
}

/* ---- lines ---- */

/* Takes blanks and a word off; absent at the end. */
static struct text
next_word(struct text *rest)
{
	struct text t = words_trim(*rest);
	size_t n = 0;

	while (n < t.n && t.s[n] != ' ' && t.s[n] != '\t')
		n++;
	*rest = (struct text){ t.s + n, t.n - n };
	return n ? (struct text){ t.s, n } : (struct text){ 0 };
}

static bool
all_of(struct text t, const char *chars)
{
	size_t i;

	for (i = 0; i < t.n && strchr(chars, t.s[i]) && t.s[i]; i++)
		;
	return t.n && i == t.n;
}

/* Takes a hex number off, with or without 0x. */
static bool
take_hex(struct text *t, uint64_t *n)
{
	const char *p = t->s, *q, *end = p + t->n;
	char digits[18];
	size_t len;

	if (end - p > 1 && p[0] == '0' && p[1] == 'x')
		p += 2;
	for (q = p; q < end && strchr("0123456789abcdefABCDEF", *q) && *q; q++)
		;
	while (q - p > 16 && *p == '0')
		p++;
	len = (size_t)(q - p);
	if (!len || len > 16)
		return false;
	memcpy(digits, p, len);
	digits[len] = '\0';
	*t = (struct text){ q, (size_t)(end - q) };
	return num_get_hex(digits, n) != NULL;
}

static bool
is_hex(struct text t, uint64_t *n)
{
	return t.s && all_of(t, "0123456789abcdefABCDEF") && take_hex(&t, n) && !t.n;
}

/* Is it a device, such as "08:01"? */
static bool
is_device(struct text t)
{
	return t.s && memchr(t.s, ':', t.n) && all_of(t, "0123456789abcdefABCDEF:");
}

/* Removes what glog writes before a line: "...file.cc:123] ". */
static struct text
without_log(struct text line)
{
	size_t i = 0, digits;

	while (i < line.n && line.s[i] != '[' && line.s[i] != ']')
		i++;
	for (digits = i; digits && line.s[digits - 1] >= '0' && line.s[digits - 1] <= '9'; )
		digits--;
	if (i + 1 >= line.n || line.s[i] != ']' || digits == i || digits < 2 ||
	    line.s[digits - 1] != ':' || (line.s[i + 1] != ' ' && line.s[i + 1] != '\t'))
		return line;
	return (struct text){ line.s + i + 2, line.n - i - 2 };
}

static bool
take_range(struct text *t, struct legacy_mapping *m)
{
	if (!take_hex(t, &m->start))
		return false;
	if (t->n && *t->s == '-')
		*t = (struct text){ t->s + 1, t->n - 1 };
	*t = words_trim(*t);
	if (!take_hex(t, &m->limit))
		return false;
	if (t->n && *t->s == ':')
		*t = (struct text){ t->s + 1, t->n - 1 };
	return !t->n || *t->s == ' ' || *t->s == '\t';
}

/* Returns the path in the rest of a line. */
static struct text
path_of(struct text rest)
{
	static const char deleted[] = " (deleted)";
	struct text t = words_trim(rest);
	const size_t n = strlen(deleted);

	if (t.n > n && memcmp(t.s + t.n - n, deleted, n) == 0)
		t.n -= n;
	return words_trim(t);
}

/* Reads the text after the permissions of a brief line. */
static void
take_brief(struct text rest, struct legacy_mapping *m)
{
	struct text word = next_word(&rest), at;

	if (word.s && !text_begins(word, "(@")) {
		m->path = word;
		word = next_word(&rest);
	}
	if (word.s && text_begins(word, "(@")) {
		at = (struct text){ word.s + 2, word.n - 2 };
		take_hex(&at, &m->offset);
		word = next_word(&rest);
	}
	if (word.s && all_of(word, "0123456789abcdefABCDEF"))
		m->key = word;
}

enum map_line { MAP_NONE, MAP_OTHER, MAP_MAPPING };

static enum map_line
read_mapping(struct text line, struct legacy_mapping *m)
{
	struct text rest = words_trim(line), after, word;

	*m = (struct legacy_mapping){ .object = NO_ID };
	if (!take_range(&rest, m))
		return MAP_NONE;
	after = rest;
	word = next_word(&after);
	if (word.s && all_of(word, "-rwxps")) {
		if (!memchr(word.s, 'x', word.n))
			return MAP_OTHER;
		rest = after;
		word = next_word(&after);
	}
	if (is_hex(word, &m->offset) && is_device(next_word(&after)) &&
	    all_of(next_word(&after), "0123456789")) {
		m->path = path_of(after);
	} else {
		m->offset = 0;
		take_brief(rest, m);
	}
	return m->start < m->limit ? MAP_MAPPING : MAP_OTHER;
}

/* ---- pprof's changes ---- */

static bool
differ(struct text a, struct text b)
{
	return a.n && b.n && !text_eq(a, b);
}

/* Is `b` the rest of a mapping that was split? */
static bool
adjacent(const struct legacy_mapping *a, const struct legacy_mapping *b)
{
	return !differ(a->path, b->path) && !differ(a->key, b->key) && a->limit == b->start &&
	    (!a->offset || !b->offset || a->offset + (a->limit - a->start) == b->offset);
}

static void
add_mapping(struct maps *m, const struct legacy_mapping *new)
{
	struct legacy_mapping *last = m->n ? &m->v[m->n - 1] : NULL;

	if (last && adjacent(last, new)) {
		last->limit = new->limit;
		if (new->path.n)
			last->path = new->path;
		if (new->key.n)
			last->key = new->key;
		return;
	}
	m->v = mem_grow(m->v, &m->cap, m->n + 1, sizeof *m->v);
	m->v[m->n++] = *new;
}

/* Moves the main program to the front. */
static void
find_main(struct maps *m)
{
	static const char huge[] = "/anon_hugepage";
	struct legacy_mapping t;
	size_t i;

	for (i = 0; i < m->n; i++)
		if (program_may_be(m->v[i].path))
			break;
	if (i < m->n) {
		t = m->v[0];
		m->v[0] = m->v[i];
		m->v[i] = t;
	}
	if (m->n > 1 && text_begins(m->v[0].path, huge) && m->v[0].limit == m->v[1].start)
		memmove(m->v, m->v + 1, --m->n * sizeof *m->v);
	/* A program that is not relocated is loaded from here on, headers included. */
	if (m->n && m->v[0].offset && m->v[0].start - m->v[0].offset == 0x400000) {
		m->v[0].start = 0x400000;
		m->v[0].offset = 0;
	}
}

static int
by_start(const void *a, const void *b, void *arg)
{
	const struct legacy_mapping *v = arg;
	const size_t x = *(const size_t *)a, y = *(const size_t *)b;

	if (v[x].start != v[y].start)
		return v[x].start < v[y].start ? -1 : 1;
	return (x > y) - (x < y);
}

bool
maps_heading(struct text line)
{
	return text_begins(line, "MAPPED_LIBRARIES:") ||
	    text_begins(line, "--- Memory map: ---");
}

/* Handles a line that is not a mapping, at the beginning of the rest of the file, [p, end).
 * LINE_*. */
static int
read_other(struct legacy *rd, struct text line, const char *p, const char *end)
{
	int sure;

	line = words_trim(line);
	if (!line.n || *line.s == '#' || add_variable(&rd->maps, line))
		return LINE_OK;
	/* Some gperftools and Go's before 1.9 write it also after the samples of a CPU profile. */
	if (!rd->maps.n && maps_heading(line))
		return LINE_OK;
	if (legacy_kind_of(p, (size_t)(end - p), &sure) != LEGACY_NONE)
		return diag_fail(rd->d->diag, "another profile begins here: several were put "
		    "together with cat; merge them with prof-merge"), LINE_FATAL;
	if (!rd->maps.unknown++)
		diag_say(rd->d->diag, DIAG_WARN, "not a line of a memory map: %s "
		    "(further ones are not shown)", QUOTE(line));
	return LINE_OK;
}

static int
read_line(struct legacy *rd, const char *p, const char *lf, const char *end)
{
	struct text line = without_log((struct text){ p, (size_t)(lf - p) });
	struct maps *m = &rd->maps;
	struct legacy_mapping mapping;

	if (!replace(m, line, &line)) {
		diag_fail(rd->d->diag, "with its variables the memory map is larger than "
		    "%zu MiB", MOST >> 20);
		return LINE_FATAL;
	}
	switch (read_mapping(line, &mapping)) {
	case MAP_NONE:
		return read_other(rd, line, p, end);
	case MAP_MAPPING:
		add_mapping(m, &mapping);
		/* FALLTHROUGH */
	case MAP_OTHER:
		rd->has_maps = true;
	}
	return LINE_OK;
}

int
maps_read(struct legacy *rd, const char *p, const char *end)
{
	struct cursor *at = &rd->d->at;
	struct maps *m = &rd->maps;
	const char *lf;
	size_t i;

	for (; p < end; p = lf + 1) {
		if (!(lf = memchr(p, '\n', (size_t)(end - p))))
			lf = end;
		at->line = at->bytes ? (uint64_t)(p - rd->file.s) : at->line + 1;
		if (read_line(rd, p, lf, end) < 0)
			return -1;
	}
	find_main(m);
	m->order = mem_alloc(m->n + 1, sizeof *m->order);
	for (i = 0; i < m->n; i++)
		m->order[i] = i;
	system_sort(m->order, m->n, sizeof *m->order, by_start, m->v);
	return 0;
}

int
maps_put(struct legacy *rd)
{
	static const char *const key[] = { "start", "limit", "offset" };
	struct dict *dict = rd->d->dict;
	char tmp[FIELD_TEXT];
	size_t i;
	int k;

	for (i = 0; i < rd->maps.n; i++) {
		struct legacy_mapping *m = &rd->maps.v[i];
		const uint64_t n[] = { m->start, m->limit, m->offset };
		struct object_def object = NO_OBJECT;

		rd->attrs.n = 0;
		for (k = 0; k < 3; k++)
			if (n[k])
				attr_add(&rd->attrs, key[k], num_text_hex(tmp, n[k]));
		if (m->path.n)
			object.path = dict_str(dict, m->path);
		if (m->key.n)
			object.key = dict_str(dict, m->key);
		object.attrs = dict_str(dict, buf_as_text(&rd->attrs));
		if (decode_object_def(rd->d, &object, &m->object) < 0)
			return -1;
	}
	return 0;
}

uint32_t
maps_object(const struct legacy *rd, uint64_t addr)
{
	const struct maps *m = &rd->maps;
	const size_t n = PARTITION_POINT(i, 0, m->n, m->v[m->order[i]].start <= addr);

	return n && addr < m->v[m->order[n - 1]].limit ? m->v[m->order[n - 1]].object : NO_ID;
}

void
maps_free(struct maps *m)
{
	size_t i;

	for (i = 0; i < m->ntext; i++)
		free(m->text[i]);
	free(m->text);
	free(m->v);
	free(m->order);
	free(m->value);
	name_index_free(&m->names);
	buf_free(&m->line);
}
