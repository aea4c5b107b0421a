/* SPDX-License-Identifier: ISC */
/* Formats of JSON, in which the numbers of some keys are summed, wherever they are. */
#include "count.h"
#include "is_json.h"

static bool
has(struct text t, const char *s)
{
	return memmem(t.s, t.n, s, strlen(s)) != NULL;
}

static void
skip_blanks(struct text *t)
{
	while (t->n && *t->s && strchr(" \t\r\n", *t->s))
		t->s++, t->n--;
}

/* What follows the next such key: false if there is none. */
static bool
next(struct text *t, const char *key)
{
	const char *p;

	while ((p = memmem(t->s, t->n, key, strlen(key)))) {
		const char *end = p + strlen(key);

		*t = (struct text){ end, (size_t)(t->s + t->n - end) };
		skip_blanks(t);
		if (t->n && *t->s == ':') {
			t->s++, t->n--;
			skip_blanks(t);
			return true;
		}
	}
	return false;
}

/* Takes a whole number, which nothing but the end of its place follows. */
static bool
number(struct text *t, wide *sum)
{
	size_t n = 0;

	while (n < t->n && ((t->s[n] >= '0' && t->s[n] <= '9') || (!n && t->s[n] == '-')))
		n++;
	if (!count_add(sum, (struct text){ t->s, n }))
		return false;
	*t = (struct text){ t->s + n, t->n - n };
	skip_blanks(t);
	return t->n && strchr(",]}", *t->s);
}

/* Adds up a list of whole numbers: how many there are, or -1. */
static long
list(struct text t, wide *sum)
{
	long n = 0;

	if (!t.n || *t.s != '[')
		return -1;
	do {
		t.s++, t.n--;
		skip_blanks(&t);
		if (!n && t.n && *t.s == ']')
			return 0;
		if (!number(&t, sum))
			return -1;
		n++;
	} while (*t.s == ',');
	return *t.s == ']' ? n : -1;
}

/* How many numbers, of any kind, a list has: -1 if there is anything else. */
static long
length(struct text t)
{
	const char *end = t.n && *t.s == '[' ? memchr(t.s, ']', t.n) : NULL;
	long n = 1;

	for (t.s++; end && t.s < end; t.s++)
		if (*t.s == ',')
			n++;
		else if (strchr("[{}\"", *t.s))
			return -1;
	return end ? n : -1;
}

/* The number of times that a key is there. */
static size_t
times(struct text t, const char *key)
{
	size_t n = 0;

	while (next(&t, key))
		n++;
	return n;
}

/* No key may be within a text, nor have another spelling. */
static bool
is_plain(struct text t)
{
	return is_json(t) && !has(t, "\\");
}

static bool
add_all(struct text t, const char *key, wide *sum)
{
	while (next(&t, key))
		if (!number(&t, sum))
			return false;
	return true;
}

/* Each sample is one, if there are times of them. */
bool
count_cpuprofile(struct text input, struct counts *c)
{
	struct count *samples = &c->kind[COUNT_SAMPLE];
	struct text t = input, deltas = input;
	wide ids = 0;
	long n;

	if (!is_plain(input) || times(input, "\"samples\"") != 1 ||
	    times(input, "\"timeDeltas\"") != 1 || has(input, "\"prof\"") ||
	    times(input, "\"nodes\"") != 1)
		return false;
	*samples = (struct count){ .known = true, .added_up = true, .sums = 2 };
	(void)next(&t, "\"samples\"");
	(void)next(&deltas, "\"timeDeltas\"");
	n = list(t, &ids);
	samples->sum[1] = (wide)n;
	return n > 0 && length(deltas) == n;
}

/* The same of a profile in one event: chunks count if their names are right, and durations of
 * events if there is no profile. */
bool
count_trace(struct text input, struct counts *c)
{
	return has(input, "\"CpuProfile\"") && times(input, "\"cpuProfile\"") == 1 &&
	    !has(input, "\"ProfileChunk\"") && !has(input, "\"X\"") && !has(input, "\"B\"") &&
	    count_cpuprofile(input, c);
}

bool
count_heapprofile(struct text input, struct counts *c)
{
	struct count *samples = &c->kind[COUNT_SAMPLE];

	*samples = (struct count){ .known = true, .added_up = true, .sums = 1 };
	return is_plain(input) && add_all(input, "\"selfSize\"", &samples->sum[0]) &&
	    times(input, "\"head\"") == 1;
}

/* Weights of what is sampled, if they are whole numbers. */
bool
count_speedscope(struct text input, struct counts *c)
{
	struct count *samples = &c->kind[COUNT_SAMPLE];
	struct text t = input;

	*samples = (struct count){ .known = true, .added_up = true, .sums = 1 };
	if (!is_plain(input) || has(input, "\"prof\"") || has(input, "\"evented\"") ||
	    times(input, "\"profiles\"") != 1 ||
	    times(input, "\"weights\"") != times(input, "\"type\""))
		return false;
	while (next(&t, "\"weights\""))
		if (list(t, &samples->sum[0]) < 0)
			return false;
	return true;
}

bool
count_dhat(struct text input, struct counts *c)
{
	struct count *samples = &c->kind[COUNT_SAMPLE];

	*samples = (struct count){ .known = true, .added_up = true, .sums = 3 };
	return is_plain(input) && times(input, "\"pps\"") == 1 &&
	    add_all(input, "\"tb\"", &samples->sum[0]) &&
	    add_all(input, "\"tbk\"", &samples->sum[1]);
}

/* The number of times that a key has a list. */
static size_t
lists(struct text t, const char *key)
{
	size_t n = 0;

	while (next(&t, key))
		n += t.n && *t.s == '[';
	return n;
}

/* Are all lists those of keys that gcov writes? */
static bool
has_only_lists_of_gcov(struct text input)
{
	size_t n = 0, i;

	for (i = 0; i < input.n; i++)
		n += input.s[i] == '[';
	return n == lists(input, "\"files\"") + lists(input, "\"functions\"") +
	    lists(input, "\"lines\"") + lists(input, "\"branches\"");
}

/* Executions and entries of gcov, if nothing else has their keys. */
bool
count_coverage(struct text input, struct counts *c)
{
	struct count *costs = &c->kind[COUNT_COST];

	*costs = (struct count){ .known = true, .added_up = true, .sums = 3 };
	return is_plain(input) && times(input, "\"data\"") == 0 &&
	    times(input, "\"files\"") == 1 && times(input, "\"lines\"") == 1 &&
	    times(input, "\"functions\"") == 1 && times(input, "\"file\"") == 1 &&
	    times(input, "\"count\"") == times(input, "\"line_number\"") &&
	    times(input, "\"execution_count\"") == times(input, "\"name\"") &&
	    has_only_lists_of_gcov(input) &&
	    add_all(input, "\"count\"", &costs->sum[0]) &&
	    add_all(input, "\"execution_count\"", &costs->sum[1]);
}

/* Each stack is a sample, unless all have weights, which are whole numbers; times of the
 * processor are others. */
bool
count_firefox(struct text input, struct counts *c)
{
	struct count *samples = &c->kind[COUNT_SAMPLE];
	const size_t stacks = lists(input, "\"stack\""), weights = lists(input, "\"weight\"");
	struct text t = input;
	long n;

	*samples = (struct count){ .known = true, .added_up = true, .sums = 1 };
	if (!is_plain(input) || has(input, "tracing-ms") || has(input, "bytes") ||
	    times(input, "\"samples\"") != stacks || (weights && weights != stacks) ||
	    lists(input, "\"duration\"") || lists(input, "\"threadCPUDelta\""))
		return false;
	while (weights && next(&t, "\"weight\""))
		if (list(t, &samples->sum[0]) < 0)
			return false;
	while (!weights && next(&t, "\"stack\"")) {
		if ((n = length(t)) < 0)
			return false;
		samples->sum[0] += (wide)n;
	}
	return true;
}

/* Adds up the samples of a list of stacks: how many frames, these, how many samples. */
static bool
add_stacks(struct text t, wide *sum)
{
	wide frames = 0, ignored = 0;
	bool is_length = true;

	if (!t.n || *t.s != '[')
		return false;
	for (t.s++, t.n--, skip_blanks(&t); t.n && *t.s != ']'; ) {
		wide n = 0;

		if (!number(&t, &n))
			return false;
		if (frames)
			frames--, ignored += n;
		else if (is_length)
			frames = n, is_length = false;
		else
			*sum += n, is_length = true;
		if (t.n && *t.s == ',')
			t.s++, t.n--, skip_blanks(&t);
	}
	return t.n && is_length;
}

/* Samples without a stack are in the number of all, the first key of this name; there is none
 * behind the stacks, which would count instead. */
bool
count_stackprof(struct text input, struct counts *c)
{
	struct count *samples = &c->kind[COUNT_SAMPLE];
	struct text t = input, all = input, head = input;
	wide n = 0;

	*samples = (struct count){ .known = true, .added_up = true, .sums = 1 };
	if (!is_plain(input) || times(input, "\"raw\"") != 1 || times(input, "\"frames\"") != 1 ||
	    times(input, "\"metadata\"") || !next(&t, "\"raw\"") || !next(&all, "\"frames\""))
		return false;
	head.n -= all.n;
	if (times(head, "\"samples\"") != 1 || times(t, "\"samples\"") ||
	    !next(&head, "\"samples\"") || !number(&head, &n) ||
	    !add_stacks(t, &samples->sum[0]))
		return false;
	if (samples->sum[0] < n)
		samples->sum[0] = n;
	return true;
}
