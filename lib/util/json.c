/* SPDX-License-Identifier: ISC */
#include "util/json.h"

#include "util/printable.h"

void
json_string(struct buf *b, struct text t)
{
	const unsigned char *p = (const unsigned char *)t.s, *end;
	size_t n;

	if (!t.s) {
		buf_puts(b, "null");
		return;
	}
	buf_putc(b, '"');
	for (end = p + t.n; p < end; p += n) {
		n = printable_utf8(p, (size_t)(end - p));
		if (n == 0) {
			buf_printf(b, "\\udc%02x", *p);
			n = 1;
		} else if (*p == '"' || *p == '\\') {
			buf_putc(b, '\\');
			buf_putc(b, (char)*p);
		} else if (n < 4 && printable_is_control(p, n)) {
			buf_printf(b, "\\u%04x", n == 1 ? *p : n == 2 ?
			    (*p & 0x1fu) << 6 | (p[1] & 0x3fu) :
			    (*p & 0xfu) << 12 | (p[1] & 0x3fu) << 6 | (p[2] & 0x3fu));
		} else {
			buf_add(b, p, n);
		}
	}
	buf_putc(b, '"');
}

void
json_num(struct buf *b, num n)
{
	const num most = (num)1 << 53;
	bool quote = n > most || n < -most;

	buf_puts(b, quote ? "\"" : "");
	num_add_whole(b, n);
	buf_puts(b, quote ? "\"" : "");
}

void
json_int(struct buf *b, struct text t)
{
	num n;

	if (!t.s) {
		buf_puts(b, "null");
	} else if (num_get_num(t.s, t.n, &n) == 0) {
		json_num(b, n);
	} else {
		buf_putc(b, '"');
		buf_text(b, t);
		buf_putc(b, '"');
	}
}

void
json_decimal(struct buf *b, num n, unsigned decimals)
{
	char tmp[NUM_TEXT];
	const char *p = tmp;
	size_t digits, whole;

	digits = (size_t)(num_put_num(tmp, n) - tmp);
	if (*p == '-') {
		buf_putc(b, '-');
		p++, digits--;
	}
	for (; decimals && p[digits - 1] == '0'; decimals--)
		if (--digits == 0) {	/* it was 0 */
			buf_putc(b, '0');
			return;
		}
	whole = digits > decimals ? digits - decimals : 0;
	buf_add(b, whole ? p : "0", whole ? whole : 1);
	if (!decimals)
		return;
	buf_putc(b, '.');
	for (; digits < decimals; decimals--)
		buf_putc(b, '0');
	buf_add(b, p + whole, digits - whole);
}

void
json_comma(struct buf *b, size_t i)
{
	if (i)
		buf_puts(b, i % 32 ? "," : ",\n");
}
