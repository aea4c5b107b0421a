/* SPDX-License-Identifier: ISC */
/* Syntax that the reader and the writer of reports share. */
#include "aprof.h"

#define P(name) POINT_##name

const struct aprof_layout aprof_layout[APROF_LAYOUTS] = {
	{ 0, 3, 0, { P(SIZE), P(AVG), P(OCC) } },
	{ 1, 6, 0, { P(SIZE), P(MIN), P(MAX), P(SUM), P(SQR), P(OCC) } },
	{ 2, 7, 0, { P(SIZE), P(MIN), P(MAX), P(SUM), P(OCC), P(REAL), P(SELF) } },
	{ 3, 9, 0, { P(SIZE), P(MIN), P(MAX), P(SUM), P(OCC), P(REAL), P(SELF),
	    P(SELFMIN), P(SELFMAX) } },
	{ 4, 11, 0, { P(SIZE), P(MIN), P(MAX), P(SUM), P(SQR), P(OCC), P(REAL), P(SELF),
	    P(SELFMIN), P(SELFMAX), P(SELFSQR) } },
	{ 5, 13, 0, { P(SIZE), P(MIN), P(MAX), P(SUM), P(SQR), P(OCC), P(REAL), P(SELF),
	    P(SELFMIN), P(SELFMAX), P(SELFSQR), P(RMS), P(RMSSQR) } },
	{ 6, 15, 0, { P(SIZE), P(MIN), P(MAX), P(SUM), P(SQR), P(OCC), P(REAL), P(SELF),
	    P(SELFMIN), P(SELFMAX), P(SELFSQR), P(RMS), P(RMSSQR), P(SYSCALLS),
	    P(THREADS) } },
	{ 6, 17, 11, { P(SIZE), P(MIN), P(MAX), P(SUM), P(SQR), P(OCC), P(REAL), P(SELF),
	    P(SELFMIN), P(SELFMAX), P(SELFSQR), P(RMS), P(RMSSQR), P(SYSCALLS),
	    P(THREADS), P(SELFSYSCALLS), P(SELFTHREADS) } },
};

const struct aprof_fact aprof_fact[APROF_FACTS] = {
	{ 'v', 0, "aprof.version", true },
	{ 'e', 0, "aprof.mtime", true },
	{ 'i', 5, "aprof.input", false },
	{ 't', 6, "aprof.memory", true },
	{ 'g', 5, "aprof.g", true },
	{ 'a', 0, "aprof.application", false },
	{ 'f', 0, "cmd", false },
};

bool
aprof_is_number(struct text key)
{
	const size_t n = sizeof APROF_NUMBER - 1;

	return key.s && key.n > n && memcmp(key.s, APROF_NUMBER, n) == 0;
}

bool
aprof_is_address(struct text t)
{
	const bool hex = t.n > 2 && t.s[0] == '0' && t.s[1] == 'x';
	size_t i = hex ? 2 : 0;
	char c;

	while (i < t.n && (c = t.s[i], (c >= '0' && c <= '9') ||
	    (hex && ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')))))
		i++;
	return t.n && i == t.n;
}

size_t
aprof_name_end(const char *s, size_t i, struct text *addr)
{
	size_t from;

	*addr = (struct text){ 0 };
	if (i < 3 || s[i] != '"' || s[i - 1] != ' ')
		return 0;
	if (s[i - 2] == '"')
		return i - 2;
	for (from = i - 1; from > 2 && s[from - 1] != ' ' && s[from - 1] != '"'; from--)
		;
	if (from < 3 || s[from - 1] != ' ' || s[from - 2] != '"')
		return 0;
	*addr = (struct text){ s + from, i - 1 - from };
	if (aprof_is_address(*addr))
		return from - 2;
	*addr = (struct text){ 0 };
	return 0;
}
