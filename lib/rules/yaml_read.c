/* SPDX-License-Identifier: ISC */
#include "rules/yaml_read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <yaml.h>

#include "util/match.h"
#include "util/mem.h"
#include "util/suggest.h"

/* Limits for a file, which is written by hand.  Each name of a profile is matched with each
 * pattern. */
#define LARGEST (1 << 20)	/* bytes */
#define MOST_PATTERNS 1000

struct yaml_state {
	char *input;
	yaml_parser_t parser;
	yaml_event_t event;	/* the current one */
};

/* ---- events ---- */

static struct yaml_place
place_of(yaml_mark_t m)
{
	return (struct yaml_place){ m.line, m.column };
}

struct yaml_place
yaml_place(const struct yaml_reader *y)
{
	return place_of(y->yaml->event.start_mark);
}

int
yaml_wrong(struct yaml_reader *y, struct yaml_place at, const char *fmt, ...)
{
	struct buf b = { 0 };
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&b, fmt, ap);
	va_end(ap);
	diag_fail_plain(y->diag, "%s:%zu:%zu: %s", y->path, at.line + 1, at.column + 1,
	    buf_str(&b));
	buf_free(&b);
	return -1;
}

int
yaml_wrong_within(struct yaml_reader *y, struct yaml_place at)
{
	struct buf why = { 0 };

	buf_text(&why, buf_as_text(&y->diag->error));
	y->diag->error.n = 0;
	yaml_wrong(y, at, "%s", buf_str(&why));
	buf_free(&why);
	return -1;
}

static int
bad_yaml(struct yaml_reader *y)
{
	const yaml_parser_t *p = &y->yaml->parser;
	const char *problem = p->problem ? p->problem : "cannot be parsed";

	if (p->error == YAML_MEMORY_ERROR)
		mem_fail(0);
	if (p->error == YAML_READER_ERROR)
		return diag_fail_plain(y->diag, "%s: byte %zu: not UTF-8: %s", y->path,
		    p->problem_offset, problem);
	return yaml_wrong(y, place_of(p->problem_mark), "not YAML: %s%s%s", problem,
	    p->context ? ", " : "", p->context ? p->context : "");
}

/* Returns a tag, which is an error: all values are text, and a tag asks for another
 * type. */
static const yaml_char_t *
tag_of(const yaml_event_t *e)
{
	switch (e->type) {
	case YAML_SCALAR_EVENT: return e->data.scalar.tag;
	case YAML_SEQUENCE_START_EVENT: return e->data.sequence_start.tag;
	case YAML_MAPPING_START_EVENT: return e->data.mapping_start.tag;
	default: return NULL;
	}
}

int
yaml_next(struct yaml_reader *y)
{
	yaml_event_delete(&y->yaml->event);
	if (!yaml_parser_parse(&y->yaml->parser, &y->yaml->event))
		return bad_yaml(y);
	if (y->yaml->event.type == YAML_ALIAS_EVENT)
		return yaml_wrong(y, yaml_place(y), "aliases are not allowed");
	if (tag_of(&y->yaml->event))
		return yaml_wrong(y, yaml_place(y), "tags are not allowed");
	return 0;
}

static bool
is(const struct yaml_reader *y, yaml_event_type_t type)
{
	return y->yaml->event.type == type;
}

bool
yaml_at(const struct yaml_reader *y, enum yaml_kind kind)
{
	static const yaml_event_type_t type[] = {
		[YAML_TEXT] = YAML_SCALAR_EVENT, [YAML_LIST] = YAML_SEQUENCE_START_EVENT,
		[YAML_LIST_END] = YAML_SEQUENCE_END_EVENT, [YAML_END] = YAML_STREAM_END_EVENT,
	};

	return is(y, type[kind]);
}

/* Is the value missing after its key?  '' is not missing. */
static bool
nothing(const struct yaml_reader *y)
{
	return is(y, YAML_SCALAR_EVENT) && !y->yaml->event.data.scalar.length &&
	    y->yaml->event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
}

static const char *
found(const struct yaml_reader *y)
{
	switch (y->yaml->event.type) {
	case YAML_SCALAR_EVENT:
		if (nothing(y))
			return "nothing";
		return diag_quote((const char *)y->yaml->event.data.scalar.value,
		    y->yaml->event.data.scalar.length);
	case YAML_MAPPING_START_EVENT:
		return "a mapping";
	case YAML_SEQUENCE_START_EVENT:
		return "a list";
	default:
		return "nothing";
	}
}

int
yaml_expected(struct yaml_reader *y, const char *what)
{
	return yaml_wrong(y, yaml_place(y), "expected %s, found %s", what, found(y));
}

/* ---- texts ---- */

const char *
yaml_keep(struct yaml_reader *y, struct text t)
{
	y->text = mem_grow(y->text, &y->captext, y->ntext + 1, sizeof *y->text);
	return y->text[y->ntext++] = mem_copy(t.s, t.n);
}

const char *
yaml_take_text(struct yaml_reader *y, const char *what)
{
	const char *s = (const char *)y->yaml->event.data.scalar.value;
	size_t n = y->yaml->event.data.scalar.length;

	if (!is(y, YAML_SCALAR_EVENT) || nothing(y)) {
		yaml_expected(y, what);
		return NULL;
	}
	if (memchr(s, '\0', n)) {
		yaml_wrong(y, yaml_place(y), "NUL is not allowed");
		return NULL;
	}
	s = yaml_keep(y, (struct text){ s, n });
	return yaml_next(y) < 0 ? NULL : s;
}

int
yaml_take_bool(struct yaml_reader *y, bool *out)
{
	struct text t = { NULL, 0 };

	if (is(y, YAML_SCALAR_EVENT))
		t = (struct text){ (const char *)y->yaml->event.data.scalar.value,
		    y->yaml->event.data.scalar.length };
	if (!text_is(t, "true") && !text_is(t, "false"))
		return yaml_expected(y, "true or false");
	*out = *t.s == 't';
	return yaml_next(y);
}

void
yaml_free_texts(struct yaml_texts *t)
{
	free(t->v);
	free(t->at);
}

static int
add_text(struct yaml_reader *y, const char *what, struct yaml_texts *t)
{
	struct yaml_place mark = yaml_place(y);
	const char *s = yaml_take_text(y, what);

	if (!s)
		return -1;
	t->v = mem_resize(t->v, t->n + 1, sizeof *t->v);
	t->at = mem_resize(t->at, t->n + 1, sizeof *t->at);
	t->v[t->n] = s;
	t->at[t->n++] = mark;
	return 0;
}

int
yaml_take_texts(struct yaml_reader *y, const char *what, struct yaml_texts *t)
{
	if (!is(y, YAML_SEQUENCE_START_EVENT))
		return add_text(y, what, t);
	if (yaml_next(y) < 0)
		return -1;
	while (!is(y, YAML_SEQUENCE_END_EVENT))
		if (add_text(y, what, t) < 0)
			return -1;
	return yaml_next(y);
}

/* A name has no line breaks, so $ never matches at one; and a block of text in YAML ends
 * with a line break that its author did not intend. */
static int
check_pattern(struct yaml_reader *y, const char *s, struct yaml_place mark)
{
	struct match *m;

	if (strchr(s, '\n'))
		return yaml_wrong(y, mark, "line breaks are not allowed in a pattern");
	if (!(m = match_new(&s, 1, 0, y->diag)))
		return yaml_wrong_within(y, mark);
	match_free(m);
	return 0;
}

int
yaml_take_patterns(struct yaml_reader *y, struct yaml_texts *t)
{
	const struct yaml_place mark = yaml_place(y);
	size_t i;

	if (yaml_take_texts(y, "a pattern or a list of patterns", t) < 0)
		return -1;
	if ((y->npatterns += t->n) > MOST_PATTERNS)
		return yaml_wrong(y, mark, "more than %d patterns in a file", MOST_PATTERNS);
	for (i = 0; i < t->n; i++)
		if (check_pattern(y, t->v[i], t->at[i]) < 0)
			return -1;
	return t->n ? 0 : yaml_wrong(y, mark, "an empty list of patterns");
}

/* ---- mappings ---- */

static int
unknown_key(struct yaml_reader *y, struct text t, const struct yaml_key *key)
{
	const char *names[YAML_KEYS];
	struct buf b = { 0 };
	size_t n;

	for (n = 0; key[n].name; n++)
		names[n] = key[n].name;
	suggest_add(&b, t, names, n);
	yaml_wrong(y, yaml_place(y), "unknown key %s%s", QUOTE(t),
	    buf_str(&b));
	buf_free(&b);
	return -1;
}

int
yaml_take_mapping(struct yaml_reader *y, const struct yaml_key *key, const char *what, void *to)
{
	bool seen[YAML_KEYS] = { false };
	struct text t;
	size_t i;

	if (!is(y, YAML_MAPPING_START_EVENT))
		return yaml_expected(y, what);
	if (yaml_next(y) < 0)
		return -1;
	while (!is(y, YAML_MAPPING_END_EVENT)) {
		if (!is(y, YAML_SCALAR_EVENT))
			return yaml_expected(y, "a key");
		t = (struct text){ (const char *)y->yaml->event.data.scalar.value,
		    y->yaml->event.data.scalar.length };
		for (i = 0; key[i].name && !text_is(t, key[i].name); i++)
			;
		if (!key[i].name)
			return unknown_key(y, t, key);
		y->key = yaml_place(y);
		if (seen[i])
			return yaml_wrong(y, y->key, "%s appears twice", key[i].name);
		seen[i] = true;
		if (yaml_next(y) < 0 || key[i].read(y, to, &key[i]) < 0)
			return -1;
	}
	return yaml_next(y);
}

int
yaml_take_document(struct yaml_reader *y, const struct yaml_key *key, const char *what,
    void *to)
{
	if (yaml_next(y) < 0 || yaml_next(y) < 0)
		return -1;
	if (yaml_at(y, YAML_END))
		return yaml_wrong(y, yaml_place(y), "expected %s, found nothing", what);
	if (yaml_next(y) < 0 || yaml_take_mapping(y, key, what, to) < 0 || yaml_next(y) < 0)
		return -1;
	return yaml_at(y, YAML_END) ? 0 : yaml_wrong(y, yaml_place(y), "more than one document");
}

int
yaml_read_text(struct yaml_reader *y, void *to, const struct yaml_key *key)
{
	const char **s = yaml_member(to, key);

	*s = yaml_take_text(y, key->what);
	return *s ? 0 : -1;
}

int
yaml_read_bool(struct yaml_reader *y, void *to, const struct yaml_key *key)
{
	return yaml_take_bool(y, yaml_member(to, key));
}

/* ---- the file ---- */

/* Reads the whole file; NULL with the diag set. */
static char *
slurp(const char *path, size_t *n, struct diag *d)
{
	char *s = mem_resize(NULL, LARGEST + 1, 1);
	FILE *f = fopen(path, "r");

	if (!f && errno == ENOMEM)	/* not what is wrong with the file */
		mem_fail(0);
	*n = f ? fread(s, 1, LARGEST + 1, f) : 0;
	if (!f || ferror(f))
		diag_fail_plain(d, "%s: %s", path, strerror(errno));
	else if (*n > LARGEST)
		diag_fail_plain(d, "%s: more than %d bytes", path, LARGEST);
	if (f)
		fclose(f);
	if (!d->error.n)
		return s;
	free(s);
	return NULL;
}

/* libyaml compares each directive with all before it. */
#define MOST_DIRECTIVES 100

/* Has the input more lines of directives, which begin with "%", than that? */
static bool
has_too_many_directives(const char *input, size_t size)
{
	size_t i, n = 0;

	/* Lines also end with CR and with NEL, LS and PS, of which these are the last bytes. */
	for (i = 0; i < size; i++)
		n += input[i] == '%' && (!i || memchr("\n\r\x85\xa8\xa9", input[i - 1], 5));
	return n > MOST_DIRECTIVES;
}

int
yaml_open(struct yaml_reader *y, const char *path, struct diag *d)
{
	size_t n;

	*y = (struct yaml_reader){ .path = path, .diag = d };
	y->yaml = mem_alloc(1, sizeof *y->yaml);
	if (!(y->yaml->input = slurp(path, &n, d))) {
		free(y->yaml);
		return -1;
	}
	if (has_too_many_directives(y->yaml->input, n)) {
		free(y->yaml->input);
		free(y->yaml);
		return diag_fail_plain(d, "%s: more than %d lines that begin with '%%'", path,
		    MOST_DIRECTIVES);
	}
	if (!yaml_parser_initialize(&y->yaml->parser))
		mem_fail(0);
	yaml_parser_set_input_string(&y->yaml->parser,
	    (const unsigned char *)y->yaml->input, n);
	yaml_parser_set_encoding(&y->yaml->parser, YAML_UTF8_ENCODING);
	return 0;
}

void
yaml_close(struct yaml_reader *y)
{
	yaml_event_delete(&y->yaml->event);
	yaml_parser_delete(&y->yaml->parser);
	free(y->yaml->input);
	free(y->yaml);
}
