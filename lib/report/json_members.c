/* SPDX-License-Identifier: ISC */
#include "report/json_members.h"

#include <math.h>

#include "util/json.h"

static bool
is_first(const struct buf *b)
{
	return b->n && (b->s[b->n - 1] == '{' || b->s[b->n - 1] == '[');
}

void
json_item(struct buf *b)
{
	buf_puts(b, is_first(b) ? "" : ",");
}

void
json_member(struct buf *b, const char *key)
{
	json_item(b);
	json_string(b, text_of(key));
	buf_putc(b, ':');
}

void
json_text_member(struct buf *b, const char *key, struct text t)
{
	json_member(b, key);
	json_string(b, t);
}

void
json_bool_member(struct buf *b, const char *key, bool is)
{
	json_member(b, key);
	buf_puts(b, is ? "true" : "false");
}

void
json_num_member(struct buf *b, const char *key, num n)
{
	json_member(b, key);
	json_num(b, n);
}

void
json_value_member(struct buf *b, const char *key, struct value v)
{
	json_member(b, key);
	if (v.kind == WHOLE)
		json_num(b, v.n);
	else if (v.kind == RATIO && isfinite(v.ratio))
		buf_printf(b, "%.6g", v.ratio);
	else
		buf_puts(b, "null");
}

void
json_known_member(struct buf *b, const char *key, bool known, num n)
{
	json_value_member(b, key, (struct value){ .kind = known ? WHOLE : ABSENT, .n = n });
}

void
json_share_member(struct buf *b, const char *key, struct value v, num total)
{
	json_member(b, key);
	if (v.kind == WHOLE && total)
		num_add_percent(b, v.n, total);
	else
		buf_puts(b, "null");
}

void
json_change_member(struct buf *b, const char *key, num old, num change)
{
	json_share_member(b, key, (struct value){ .kind = change == -old ? ABSENT : WHOLE,
	    .n = change }, old < 0 ? -old : old);
}

void
json_rounded_member(struct buf *b, const char *key, double v, int decimals)
{
	json_member(b, key);
	buf_printf(b, "%.*f", decimals, v);
}

void
json_array(struct buf *b, const char *key)
{
	json_member(b, key);
	buf_putc(b, '[');
}

void
json_object(struct buf *b)
{
	json_item(b);
	buf_putc(b, '{');
}

void
json_rows(struct buf *b, const char *key)
{
	buf_puts(b, ",\n");
	json_string(b, text_of(key));
	buf_puts(b, ": [");
}

void
json_row(struct buf *b)
{
	buf_puts(b, is_first(b) ? "\n{" : ",\n{");
}
