/* SPDX-License-Identifier: ISC */
/* Formats of lines: folded stacks, Callgrind's and Cachegrind's, perf script's, and others. */
#include "count.h"

static bool
begins(struct text t, const char *s)
{
	return t.n >= strlen(s) && memcmp(t.s, s, strlen(s)) == 0;
}

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Is there something that is to be read in a way of its own? */
static bool
has(struct text t, const char *s)
{
	return memmem(t.s, t.n, s, strlen(s)) != NULL;
}

/* The last word of a line is its count, if the line before that does not end with a
 * number, too. */
bool
count_folded(struct text input, struct counts *c)
{
	struct count *samples = &c->kind[COUNT_SAMPLE];
	struct text line, word;
	const char *blank;

	samples->known = true;
	samples->sums = 1;
	while (input.n) {
		line = count_word(&input, '\n');
		if (!line.n || begins(line, "# "))
			continue;
		blank = last_byte(line.s, ' ', line.n);
		if (!blank || blank == line.s || is_digit(blank[-1]))
			return false;
		word = (struct text){ blank + 1, (size_t)(line.s + line.n - blank - 1) };
		if (!count_add(&samples->sum[0], word))
			return false;
		samples->records++;
	}
	return true;
}

/* A number of Callgrind's may be hexadecimal. */
static bool
add_cost(wide *sum, struct text word)
{
	const bool minus = begins(word, "-");
	const char *const digits = "0123456789abcdef", *d;
	size_t i = minus;
	wide n = 0;

	if (word.n < i + 3 || memcmp(word.s + i, "0x", 2) != 0)
		return count_add(sum, word);
	for (i += 2; i < word.n; i++) {
		if (!word.s[i] || !(d = strchr(digits, word.s[i])))
			return false;
		n = 16 * n + (wide)(d - digits);
	}
	*sum += minus ? -n : n;
	return true;
}

/* Adds the numbers of a line after those that are its positions. */
static bool
add_costs(struct text line, size_t positions, struct count *c)
{
	size_t i;

	for (i = 0; line.s; i++) {
		const struct text word = count_word(&line, ' ');

		if (i >= positions + COUNT_SUMS || !word.n || (i >= positions &&
		    !add_cost(&c->sum[i - positions], word)))
			return false;
	}
	c->records++;
	return i >= positions;
}

/* How many words has a line? */
static size_t
words(struct text line)
{
	size_t n = 0;

	for (; line.s; n++)
		count_word(&line, ' ');
	return n;
}

/* A line of costs begins with a position; the one after `calls=` is the call's, the one
 * after `jump=` the jump's if it has no costs. */
bool
count_callgrind(struct text input, struct counts *c)
{
	struct count *cost = &c->kind[COUNT_COST], *of = cost;
	size_t positions = 1;
	bool began = false;

	if (has(input, "xtree") || has(input, "\nrec=") || has(input, "stackprof") ||
	    has(input, "\r") || has(input, "\n=") || has(input, "calls=0 ") ||
	    has(input, "calls=0\n"))
		return false;
	cost->known = c->kind[COUNT_CALL].known = c->kind[COUNT_CALL].calls_known = true;
	cost->sums = c->kind[COUNT_CALL].sums = UINT32_MAX;
	while (input.n) {
		struct text line = count_word(&input, '\n');

		if (begins(line, "positions:")) {
			if (began)
				return false;
			began = true;
			positions = 1 + has(line, "instr line");
		} else if (begins(line, "calls=")) {
			line = (struct text){ line.s + 6, line.n - 6 };
			of = &c->kind[COUNT_CALL];
			if (!add_cost(&of->calls, count_word(&line, ' ')))
				return false;
		} else if (begins(line, "jump=") || begins(line, "jcnd=")) {
			of = &c->kind[COUNT_JUMP];
		} else if (line.n && (is_digit(*line.s) || *line.s == '+' || *line.s == '-' ||
		    *line.s == '*')) {
			if (of == &c->kind[COUNT_JUMP] && words(line) > positions)
				of = cost;
			if (!add_costs(line, positions, of))
				return false;
			of = cost;
		} else if (line.n && of != cost) {
			return false;
		}
	}
	return of == cost;
}

bool
count_cachegrind(struct text input, struct counts *c)
{
	struct count *cost = &c->kind[COUNT_COST];
	bool body = false;

	if (has(input, "\r"))
		return false;
	cost->known = true;
	cost->sums = UINT32_MAX;
	while (input.n) {
		const struct text line = count_word(&input, '\n');

		if (begins(line, "desc:") || begins(line, "cmd:"))
			body = false;
		else if (begins(line, "events:"))
			body = true;
		else if (body && line.n && is_digit(*line.s) && !add_costs(line, 1, cost))
			return false;
	}
	return true;
}

/* Does it end with a colon, but for blanks? */
static bool
ends_open(struct text line)
{
	while (line.n && line.s[line.n - 1] == ' ')
		line.n--;
	return line.n && line.s[line.n - 1] == ':';
}

/* A paragraph is an event and its stack, if the first line has nothing of the stack. */
bool
count_perf(struct text input, struct counts *c)
{
	struct count *samples = &c->kind[COUNT_SAMPLE];
	bool within = false;

	/* What perf says besides is no event. */
	if (has(input, "PERF_") || has(input, "\r") || has(input, "W") || has(input, "Proc") ||
	    has(input, "Check") || has(input, "[ perf") || has(input, "no sym") ||
	    has(input, "Fail") || has(input, "addr2") || has(input, "Samples"))
		return false;
	samples->known = true;
	while (input.n) {
		const struct text line = count_word(&input, '\n');

		if (begins(line, "#"))
			continue;
		if (line.n && (within ? *line.s != ' ' && *line.s != '\t' : !ends_open(line)))
			return false;
		samples->records += line.n && !within;
		within = line.n;
	}
	return true;
}

/* Points are the lines of p and q. */
bool
count_aprof(struct text input, struct counts *c)
{
	struct count *points = &c->kind[COUNT_POINT];

	points->known = true;
	while (input.n) {
		const struct text line = count_word(&input, '\n');

		points->records += begins(line, "p ") || begins(line, "q ");
	}
	return true;
}

/* The lines of threads, below which is what they have. */
bool
count_macos_sample(struct text input, struct counts *c)
{
	struct count *samples = &c->kind[COUNT_SAMPLE];
	const char *first = memmem(input.s, input.n, "Call graph:", 11);
	bool graph = false;

	/* A second one counts only in a report of its own. */
	if (!first || has(input, "\r") || has((struct text){ first + 1,
	    (size_t)(input.s + input.n - first - 1) }, "Call graph:"))
		return false;
	*samples = (struct count){ .known = true, .added_up = true, .sums = 1 };
	while (input.n) {
		struct text line = count_word(&input, '\n');

		if (begins(line, "Call graph:"))
			graph = true;
		else if (begins(line, "Total number") || begins(line, "Binary Images"))
			graph = false;
		if (!graph || line.n < 5 || !begins(line, "    ") || !is_digit(line.s[4]))
			continue;
		line = (struct text){ line.s + 4, line.n - 4 };
		if (!count_add(&samples->sum[0], count_word(&line, ' ')))
			return false;
	}
	return true;
}

/* Returns the number that ends the line, after "]: " or 8 blanks; absent: there is none. */
static struct text
stack_value(struct text line)
{
	const char *at = memmem(line.s, line.n, "]: ", 3);
	struct text t = { 0 };
	size_t i;

	if (begins(line, "        "))
		t = (struct text){ line.s + 8, line.n - 8 };
	else if (at && (*line.s == ']' || *line.s == ','))
		t = (struct text){ at + 3, (size_t)(line.s + line.n - at - 3) };
	for (i = 0; i < t.n && is_digit(t.s[i]); i++)
		;
	return i && i == t.n ? t : (struct text){ 0 };
}

/* Of bpftrace's maps of one stack and names, and of bcc's profile: nothing else may be there. */
bool
count_stacks(struct text input, struct counts *c)
{
	static const char title[] = "Sampling at 49 Hertz of all threads by user + kernel stack";
	struct count *samples = &c->kind[COUNT_SAMPLE];
	const bool bcc = begins(input, title);
	bool open = false, process = false;

	if ((!bcc && !begins(input, "@[\n")) || has(input, "\r") || has(input, "\t") ||
	    has(input, "--"))
		return false;
	*samples = (struct count){ .known = true, .sums = 1 };
	while (input.n) {
		struct text line = count_word(&input, '\n'), value = stack_value(line);

		if (value.s && bcc == (*line.s == ' ') && (bcc ? process : open)) {
			if (!count_add(&samples->sum[0], value))
				return false;
			samples->records++;
			open = process = false;
		} else if (!bcc && !open && text_is(line, "@[")) {
			open = true;
		} else if (bcc && !process && begins(line, "    -                ") &&
		    line.s[line.n - 1] == ')') {
			process = true;
		} else if (bcc ? line.n && !begins(line, title) : !open) {
			if (!bcc || process || !begins(line, "    ") || line.n < 5 ||
			    line.s[4] == ' ' || line.s[4] == '-' || is_digit(line.s[4]))
				return false;
		} else if (open && (!begins(line, "    ") || line.n < 6 || line.s[4] == ' ')) {
			return false;
		}
	}
	return !open && !process;
}

/* Each line of one recording is a sample, but for files, and those of no function. */
bool
count_rprof(struct text input, struct counts *c)
{
	struct count *samples = &c->kind[COUNT_SAMPLE];
	struct text head = count_word(&input, '\n'), interval = head, colons;
	const bool memory = begins(head, "memory");
	wide each = 0, n = 0;
	int i;

	while (interval.s && (interval.n = (size_t)(head.s + head.n - interval.s)) &&
	    !begins(interval, "sample.interval="))
		interval.s++;
	if (has(input, "\r") || !interval.n)
		return false;
	interval = (struct text){ interval.s + 16, interval.n - 16 };
	if (!count_add(&each, interval))
		return false;
	while (input.n) {
		struct text line = count_word(&input, '\n');

		if (line.n && (*line.s == 's' || (*line.s >= 'G' && *line.s <= 'm')))
			return false;
		if (begins(line, "#File "))
			continue;
		colons = line;
		for (i = 0; memory && i < 5; i++)
			count_word(&colons, ':');
		n += colons.n > 0;
	}
	*samples = (struct count){ .known = true, .records = (uint64_t)n, .sums = 3 };
	samples->sum[0] = n * each;
	samples->sum[1] = n;
	return true;
}

/* Is it one of the columns that a table's first line names? */
static bool
has_column(struct text head, const char *name)
{
	while (head.s)
		if (text_is(count_word(&head, '\t'), name))
			return true;
	return false;
}

/* Each line after the first is a record. */
bool
count_tsv(struct text input, struct counts *c)
{
	const struct text head = count_word(&input, '\n');
	const bool stack = has_column(head, "stack"), place = has_column(head, "function") &&
	    has_column(head, "addr"), call = place && has_column(head, "callee") &&
	    has_column(head, "tline") && has_column(head, "count");
	struct count *records = &c->kind[call ? COUNT_CALL : stack ? COUNT_SAMPLE : COUNT_COST];

	if (stack == place || has_column(head, "of") || has_column(head, "size") ||
	    has_column(head, "site") || has_column(head, "followed"))
		return false;
	*records = (struct count){ .known = true };
	for (; input.n; records->records++)
		(void)count_word(&input, '\n');
	return true;
}

/* The first line of a tree has all of it: that of the peak, else the last one's. */
bool
count_massif(struct text input, struct counts *c)
{
	struct count *samples = &c->kind[COUNT_SAMPLE];
	bool peak = false, snapshot = false;

	/* Snapshots that are events are another thing. */
	if (has(input, "xtree") || has(input, "\r"))
		return false;
	*samples = (struct count){ .added_up = true, .sums = 1 };
	while (input.n && !peak) {
		struct text line = count_word(&input, '\n');

		peak = text_is(line, "heap_tree=peak");
		if (begins(line, "snapshot="))
			snapshot = true;
		if (!peak && !text_is(line, "heap_tree=detailed"))
			continue;
		if (!snapshot)
			return false;
		snapshot = false;
		line = count_word(&input, '\n');
		(void)count_word(&line, ':');
		samples->known = true;
		samples->sum[0] = 0;
		if (!begins(line, " ") || !(line.s++, line.n--, count_add(&samples->sum[0],
		    count_word(&line, ' '))))
			return false;
	}
	return samples->known;
}

/* Below a procedure are its counters, "ID VALUE", and what values were seen how often. */
bool
count_xprof(struct text input, struct counts *c)
{
	struct count *cost = &c->kind[COUNT_COST], *seen = &c->kind[COUNT_VPROF];

	if (has(input, "\r") || has(input, "  ") || has(input, "\t"))
		return false;
	*cost = (struct count){ .known = true, .added_up = true, .sums = 1 };
	*seen = (struct count){ .known = true, .added_up = true, .calls_known = true };
	while (input.n) {
		struct text line = count_word(&input, '\n');
		const struct text first = count_word(&line, ' ');

		if (first.n && is_digit(*first.s)) {
			if (!count_add(&cost->sum[0], line))
				return false;
		} else if (begins(first, "VP_")) {
			(void)count_word(&line, ' ');
			if (!count_add(&seen->calls, count_word(&line, ' ')))
				return false;
		}
	}
	return true;
}

/* ---- heaptrack ---- */

/* Takes a number in hex and the blank after it. */
static bool
take_hex(struct text *t, uint64_t *n)
{
	const struct text word = count_word(t, ' ');
	size_t i;

	for (*n = i = 0; i < word.n; i++) {
		const char c = word.s[i];

		if (i == 16 || !((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f')))
			return false;
		*n = *n * 16 + (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
	}
	return i > 0;
}

struct blocks {
	uint64_t size[4096];	/* by kind of allocation */
	size_t kinds;
	uint64_t last;		/* the one that was just allocated; UINT64_MAX */
};

/* An allocation, or that one is freed: allocations, bytes, leaks, the peak, temporary ones. */
static bool
count_block(struct text line, struct blocks *b, wide sum[5])
{
	const bool freed = *line.s == '-';
	uint64_t n;

	line = (struct text){ line.s + 2, line.n - 2 };
	if (!take_hex(&line, &n) || n >= b->kinds)
		return false;
	sum[0] += !freed;
	sum[1] += freed ? 0 : b->size[n];
	sum[2] += freed ? -(wide)b->size[n] : b->size[n];
	if (!freed && sum[2] > sum[3])
		sum[3] = sum[2];
	sum[4] += freed && b->last == n;
	b->last = freed ? UINT64_MAX : n;
	return true;
}

bool
count_heaptrack(struct text input, struct counts *c)
{
	struct count *samples = &c->kind[COUNT_SAMPLE];
	struct blocks b = { .last = UINT64_MAX };
	bool in_command = false;

	*samples = (struct count){ .known = true, .added_up = true, .sums = 31 };
	while (input.n) {
		const struct text line = count_word(&input, '\n');
		struct text rest = { line.s + 2, line.n - 2 };

		in_command = (in_command || begins(line, "X ")) && !begins(line, "I");
		if (in_command || line.n < 3)
			continue;
		if (begins(line, "a ") && (b.kinds == 4096 || !take_hex(&rest, &b.size[b.kinds++])))
			return false;
		if ((begins(line, "+ ") || begins(line, "- ")) &&
		    !count_block(line, &b, samples->sum))
			return false;
	}
	return true;
}
