/* SPDX-License-Identifier: ISC */
/*
 * The maps of bpftrace (src/output/text.cpp, src/output.cpp before 0.24):
 *
 *	@[
 *	    spin+22
 *	    main+42
 *	, hot]: 77
 *
 * The parts of a key are separated by ", ", a stack among them is an empty one or lines of
 * frames.  In JSON a key is the same text, with "," between its parts.
 */
#include "words.h"

#include "stacks.h"

/* Returns the key and all after it in the line "@name[KEY..."; absent: it is another line. */
static struct text
map_key(struct text line)
{
	size_t i = 1;

	if (!line.n || *line.s != '@')
		return (struct text){ 0 };
	while (i < line.n && (is_digit(line.s[i]) || line.s[i] == '_' ||
	    ((line.s[i] | 0x20) >= 'a' && (line.s[i] | 0x20) <= 'z')))
		i++;
	return i < line.n && line.s[i] == '[' ? text_after(line, i + 1) : (struct text){ 0 };
}

/* Does a stack follow the line, which is the beginning of a key or goes on with it? */
static bool
stack_follows(struct text line)
{
	line = words_trim(line);
	return !line.n || line.s[line.n - 1] == ',';
}

/* Is it what bpftrace prints about itself, or a script before it begins? */
static bool
is_remark(struct text line)
{
	return text_begins(line, "Attach") || text_begins(line, "Lost ") ||
	    text_begins(line, "Tracing ") || text_begins(line, "^C");
}

static enum sight
see(struct text line)
{
	const struct text key = map_key(line);

	if (key.s)
		return stack_follows(key) ? LINE_OWN : LINE_LIKELY;
	if (text_begins(line, "{\"type\": \"map\", \"data\": {\"@") ||
	    text_begins(line, "{\"type\": \"attached_probes\""))
		return LINE_OWN;
	return *line.s == '@' || text_begins(line, "{\"type\": \"") || is_remark(line) ?
	    LINE_LIKELY : LINE_FOREIGN;
}

/* ---- frames ---- */

/* Takes " (OBJECT)" off the end of a frame of ustack(perf). */
static struct text
take_object(struct text *t)
{
	const char *open = find_last(*t, " (");
	struct text object;

	if (!open || !text_ends(*t, ")"))
		return (struct text){ 0 };
	object = text_between(open + 2, t->s + t->n - 1);
	*t = text_between(t->s, open);
	return text_is(object, "[unknown]") ? (struct text){ 0 } : object;
}

/* Takes "@FILE:LINE" off the end. */
static void
take_place(struct text *t, struct frame *f)
{
	const char *at = find_last(*t, "@");
	struct text place = at ? text_between(at + 1, t->s + t->n) : (struct text){ 0 };

	if (!at || at == t->s)
		return;
	split_line(place, &f->file, &f->line);
	if (f->line.s)
		*t = text_between(t->s, at);
	else
		f->file = (struct text){ 0 };
}

/* Splits "name+12", "0x1234", "[inlined] name@file.c:7" or, of kstack(perf) and
 * ustack(perf), "	1234 name+12 (object)". */
static void
split(struct text line, struct frame *f)
{
	const bool perf = line.n && *line.s == '\t';
	struct text t = words_trim(line), rest = t, addr = words_first(&rest);
	size_t i;

	for (i = 0; i < addr.n && is_hex(addr.s[i]); i++)
		;
	if (perf && rest.n && i == addr.n) {
		t = rest;
		f->object = take_object(&t);
	}
	f->inlined = take(&t, "[inlined] ");
	take_place(&t, f);
	f->name = if_any(without_offset(t, "+", is_digit));
}

/* ---- keys ---- */

/* Takes a part off a key: up to the separator, or all. */
static struct text
take_part(struct text *key, bool json)
{
	const char *p = key->s, *end = p + key->n;
	struct text part;

	for (; (p = memchr(p, ',', (size_t)(end - p))); p++)
		if (json || p + 1 == end || p[1] == ' ')
			break;
	part = text_between(key->s, p ? p : end);
	if (!p)
		*key = (struct text){ 0 };
	else
		*key = text_between(p + 1 + (!json && p + 1 < end), end);
	return part;
}

/* Reads parts of a key that are in one line.  The last one is a stack if lines follow. */
static void
read_parts(struct reader *rd, struct text key, bool more, bool json)
{
	while (key.s) {
		const struct text part = take_part(&key, json);

		if (!part.n || (!key.s && more))
			rd->has_stack = true;
		if (part.n)
			stacks_add_key(rd, part);
	}
}

/* Takes note of a map that was printed before: its entries come one after another. */
static void
see_print(struct reader *rd)
{
	const struct text name = buf_as_text(&rd->section);
	size_t at;

	if (rd->in_map)
		return;
	rd->in_map = true;
	if (name_index_find(&rd->maps, name, &at))
		rd->drop[DROP_AGAIN]++;
	else
		name_index_add(&rd->maps, name, 0);
}

/* Ends an entry of a map; the number is absent if its value is none. */
static int
end_entry(struct reader *rd, struct text number)
{
	if (number.s && rd->has_stack) {
		see_print(rd);
		return stacks_end(rd, number);
	}
	rd->drop[number.s ? DROP_STACKLESS : DROP_TABLES]++;
	stacks_forget(rd);
	return LINE_OK;
}

/* Begins a map, or another entry of it. */
static void
begin_map(struct reader *rd, struct text name)
{
	rd->in_map &= text_eq(buf_as_text(&rd->section), name);
	stacks_set_section(rd, name, NULL);
}

/* ---- text ---- */

/* Reads the part of a line that belongs to a key, and perhaps the end of it. */
static int
read_key(struct reader *rd, struct text t)
{
	const bool more = stack_follows(t);
	const char *end = more ? NULL : find_last(t, "]:");
	struct text number;

	if (!more && !end) {
		stacks_forget(rd);
		return BAD("expected the rest of a key, a ',' or ']:', found %s", QUOTE(t));
	}
	rd->open = more;
	if (more)
		t = words_trim(t);
	read_parts(rd, more ? t : text_between(t.s, end), more, false);
	if (more)
		return LINE_OK;
	number = words_trim(text_between(end + 2, t.s + t.n));
	return end_entry(rd, is_number(number) ? number : (struct text){ 0 });
}

/* Reads a line that is not in a key. */
static int
read_other(struct reader *rd, struct text line)
{
	const struct text key = map_key(line);
	struct text t = line;
	uint64_t lost;

	if (key.s) {
		begin_map(rd, text_between(line.s, key.s - 1));
		return read_key(rd, key);
	}
	if (take(&t, "Lost ") && text_ends(t, " events")) {
		if (take_digits(&t, 10, &lost))
			rd->drop[DROP_LOST] += lost;
	} else if (*line.s == '@') {
		/* "@total: 7" and "@dist:", with its distribution after it. */
		rd->drop[text_ends(line, ":") ? DROP_TABLES : DROP_STACKLESS]++;
	} else if (words_trim(line).n && !is_remark(line) &&
	    !(text_ends(line, "|") && (*line.s == '[' || *line.s == '('))) {
		stacks_drop_line(rd, line);
	}
	return LINE_OK;
}

/* ---- JSON ---- */

static void
read_json_map(struct reader *rd, struct text name)
{
	rd->in_map = false;
	begin_map(rd, name);
}

/* Reads a key: lines of parts, and between them those of stacks. */
static int
read_json_key(struct reader *rd, struct text key)
{
	bool first = true;
	int ret = LINE_OK;

	while (key.s && !ret) {
		const char *lf = memchr(key.s, '\n', key.n);
		struct text line = { key.s, lf ? (size_t)(lf - key.s) : key.n };

		key = lf ? text_after(key, line.n + 1) : (struct text){ 0 };
		if (first)
			read_parts(rd, line, lf != NULL, true);
		else if (line.n && *line.s == ',')
			read_parts(rd, text_after(line, 1), lf != NULL, true);
		else if (line.n)
			ret = stacks_add_line(rd, line);
		first = false;
	}
	return ret;
}

static int
read(struct reader *rd, struct text line)
{
	if (!rd->open && line.n && *line.s == '{')
		return stacks_read_json(rd, line, read_json_map, read_json_key, end_entry);
	if (!rd->open)
		return line.n ? read_other(rd, line) : (rd->in_map = false, LINE_OK);
	if (map_key(line).s) {
		stacks_forget(rd);
		return BAD("expected a frame, or the rest of a key, found %s", QUOTE(line));
	}
	if (line.n && *line.s == ',')
		return read_key(rd, text_after(line, 1 + (line.n > 1 && line.s[1] == ' ')));
	if (text_begins(line, "]:"))
		return read_key(rd, line);
	if (!words_trim(line).n) {
		stacks_forget(rd);
		return BAD("expected a frame, or the rest of a key, found an empty line");
	}
	return stacks_add_line(rd, line);
}

const struct dialect stacks_bpftrace = {
	.name = "bpftrace", .see = see, .read = read, .split = split,
};
