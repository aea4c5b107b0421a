/* SPDX-License-Identifier: ISC */
#include "util/num.h"

const unsigned char num_nibble[256] = {
	['0'] = 1, ['1'] = 2, ['2'] = 3, ['3'] = 4, ['4'] = 5, ['5'] = 6, ['6'] = 7, ['7'] = 8,
	['8'] = 9, ['9'] = 10, ['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15,
	['f'] = 16,
};

const char num_pairs[201] =
    "00010203040506070809" "10111213141516171819" "20212223242526272829"
    "30313233343536373839" "40414243444546474849" "50515253545556575859"
    "60616263646566676869" "70717273747576777879" "80818283848586878889"
    "90919293949596979899";

char *
num_put_large(char *p, uint64_t v)
{
	char tmp[20], *q = tmp + sizeof tmp;

	for (; v >= 100; v /= 100) {
		q -= 2;
		memcpy(q, num_pairs + v % 100 * 2, 2);
	}
	if (v >= 10) {
		q -= 2;
		memcpy(q, num_pairs + v * 2, 2);
	} else {
		*--q = (char)('0' + v);
	}
	memcpy(p, q, (size_t)(tmp + sizeof tmp - q));
	return p + (tmp + sizeof tmp - q);
}

char *
num_put_num(char *p, num v)
{
	unsigned __int128 u = (unsigned __int128)v;
	char tmp[40], *q = tmp + sizeof tmp;
	size_t n;

	if (v < 0) {
		*p++ = '-';
		u = -u;
	}
	if (u <= UINT64_MAX)
		return num_put_u64(p, (uint64_t)u);
	for (; u; u /= 10)
		*--q = (char)('0' + (int)(u % 10));
	n = (size_t)(tmp + sizeof tmp - q);
	memcpy(p, q, n);
	return p + n;
}

char *
num_put_grouped(char *p, num v)
{
	char tmp[NUM_TEXT], *end = num_put_num(tmp, v), *q = tmp;

	if (*q == '-')
		*p++ = *q++;
	while (q < end) {
		*p++ = *q++;
		if (q < end && (end - q) % 3 == 0)
			*p++ = ',';
	}
	return p;
}

const char *
num_get_hex(const char *p, uint64_t *out)
{
	static const uint8_t digit[256] = {	/* its value + 1; 0: it is none */
		['0'] = 1, ['1'] = 2, ['2'] = 3, ['3'] = 4, ['4'] = 5, ['5'] = 6, ['6'] = 7,
		['7'] = 8, ['8'] = 9, ['9'] = 10,
		['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16,
		['A'] = 11, ['B'] = 12, ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16,
	};
	uint64_t v = 0;
	unsigned d1;

	for (; (d1 = digit[(unsigned char)*p]); p++) {
		if (v >> 60)
			return NULL;
		v = v << 4 | (d1 - 1);
	}
	*out = v;
	return p;
}

#define EACH(byte) ((byte) * UINT64_C(0x0101010101010101))

/* Converts eight digits at once, in the bytes of a word: false if they are something else. */
static bool
get_hex8(const char *p, uint64_t *out)
{
	uint64_t x, v, above9;

	memcpy(&x, p, sizeof x);
	if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
		x = __builtin_bswap64(x);
	v = (x & EACH(0x0f)) + 9 * (x >> 6 & EACH(1));	/* letters have that bit */
	above9 = (v + EACH(6)) >> 4 & EACH(1);
	if (v & EACH(0xf0) || v + EACH('0') + ('a' - '9' - 1) * above9 != x)
		return false;
	v = (v << 4 | v >> 8) & 0x00ff00ff00ff00ff;
	v = (v << 8 | v >> 16) & 0x0000ffff0000ffff;
	*out = (v << 16 | v >> 32) & 0xffffffff;
	return true;
}

bool
num_get_hex16(const char *p, uint64_t *out)
{
	uint64_t high, low;

	if (!get_hex8(p, &high) || !get_hex8(p + 8, &low))
		return false;
	*out = high << 32 | low;
	return true;
}

bool
num_is_address(const char *s, size_t n, uint64_t *out)
{
	char digits[20] = "";
	const char *q;

	if (n < 3 || n >= sizeof digits || memcmp(s, "0x", 2) != 0)
		return false;
	memcpy(digits, s + 2, n - 2);
	q = num_get_hex(digits, out);
	return q == digits + n - 2;
}

int
num_get_num(const char *p, size_t n, num *out)
{
	const char *end = p + n;
	const bool neg = n && *p == '-';
	uint64_t digits = 0;
	num v = 0;

	p += neg;
	if (end - p < 20) {	/* nearly always: fits 64 bits */
		for (; p < end; p++)
			digits = digits * 10 + (uint64_t)(*p - '0');
		*out = neg ? -(num)digits : (num)digits;
		return 0;
	}
	for (; p < end; p++) {
		int d = *p - '0';

		if (__builtin_mul_overflow(v, 10, &v) ||
		    __builtin_sub_overflow(v, d, &v))	/* downwards: holds NUM_MIN */
			return -1;
	}
	if (!neg && v == NUM_MIN)
		return -1;
	*out = neg ? v : -v;
	return 0;
}

bool
num_is_canonical(struct text t)
{
	const char *p = t.s, *end = t.s + t.n;

	if (p < end && *p == '-' && ++p < end && *p == '0')
		return false;
	if (p == end || (*p == '0' && end - p > 1))
		return false;
	for (; p < end; p++)
		if (*p < '0' || *p > '9')
			return false;
	return true;
}

num
num_nearest(num v, num parts, num *rest)
{
	num q = v / parts, left = v % parts;

	if (left < 0) {
		left += parts;
		q--;
	}
	if (left >= parts - left) {
		left -= parts;
		q++;
	}
	if (rest)
		*rest = left;
	return q;
}

num
num_gcd(num a, num b)
{
	while (b) {
		const num rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

void
num_add_whole(struct buf *b, num v)
{
	char tmp[NUM_TEXT];

	buf_text(b, num_text(tmp, v));
}

void
num_add_grouped(struct buf *b, num v)
{
	char tmp[NUM_TEXT];

	buf_text(b, num_text_grouped(tmp, v));
}

void
num_add_parts(struct buf *b, num v, uint64_t per, unsigned decimals)
{
	num whole = v / (num)per, part = v % (num)per, digits = 1;
	unsigned i;

	for (i = 0; i < decimals; i++)
		digits *= 10;
	part = ((part < 0 ? -part : part) * digits + per / 2) / (num)per;
	whole += part < digits ? 0 : v < 0 ? -1 : 1;	/* it was rounded up to one */
	part %= digits;
	buf_puts(b, v < 0 && !whole && part ? "-" : "");
	num_add_grouped(b, whole);
	buf_puts(b, decimals ? "." : "");
	for (digits /= 10; digits; digits /= 10)
		buf_putc(b, (char)('0' + (int)(part / digits % 10)));
}

void
num_add_percent(struct buf *b, num v, num total)
{
	const num most = NUM_MAX / 20002;
	const bool minus = (v < 0) != (total < 0);
	num n;

	if (total == 0) {
		buf_putc(b, '-');
	} else if (v > most || v < -most || total > most || total < -most) {
		const double percent = 100.0 * (double)v / (double)total;

		/* -0.00 is 0. */
		buf_printf(b, "%.2f", percent > -0.005 && percent < 0 ? 0 : percent);
	} else {
		total = total < 0 ? -total : total;
		n = ((v < 0 ? -v : v) * 20000 + total) / (2 * total);
		buf_add(b, "-", minus && n);
		num_add_whole(b, n / 100);
		buf_putc(b, '.');
		buf_add(b, num_pairs + 2 * (int)(n % 100), 2);
	}
}

void
num_add_change(struct buf *b, num old, num change)
{
	if (old == 0) {
		buf_puts(b, change ? "new" : "");
	} else if (change == -old) {
		buf_puts(b, "gone");
	} else {	/* old costs may also be negative */
		buf_add(b, "+", change > 0);
		num_add_percent(b, change, old < 0 ? -old : old);
	}
}

void
num_add_change_percent(struct buf *b, num old, num change)
{
	num_add_change(b, old, change);
	buf_puts(b, old && change != -old ? " %" : "");
}

void
num_add_change_after(struct buf *b, num old, num change)
{
	if (!old && !change)
		return;
	buf_puts(b, " (");
	num_add_change_percent(b, old, change);
	buf_putc(b, ')');
}
