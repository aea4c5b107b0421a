/* SPDX-License-Identifier: ISC */
/*
 * Reads each line of standard input as JSON text, and prints its values in one spelling,
 * strings as their bytes:
 *
 *	{"a":[1,"x\u00e9"]}	->	{s61:[n1,sC3A9,],}
 *
 * Malformed JSON ends with "wrong".  With an argument each line is one number: "int",
 * "u64", or the number of decimals to keep; it is printed as a whole number, with "~" if it
 * is rounded.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/json_read.h"

static unsigned char is_object[JSON_DEPTH + 1];

static void
print_string(char kind, struct text t)
{
	size_t i;

	putchar(kind);
	for (i = 0; i < t.n; i++)
		printf("%02X", (unsigned char)t.s[i]);
}

/* Prints a value that is neither object nor array, or the beginning of one. */
static bool
print_value(struct json_reader *j, size_t *depth)
{
	struct text t;
	bool b;

	switch (json_read_kind(j)) {
	case JSON_OBJECT:
	case JSON_ARRAY:
		is_object[*depth] = json_read_kind(j) == JSON_OBJECT;
		if (is_object[*depth])
			json_read_object(j);
		else
			json_read_array(j);
		if (j->why)
			return false;
		putchar(is_object[(*depth)++] ? '{' : '[');
		return true;
	case JSON_STRING:
		if (json_read_string(j, &t))
			print_string('s', t);
		break;
	case JSON_NUMBER:
		if (json_read_number(j, &t))
			printf("n%.*s", (int)t.n, t.s);
		break;
	case JSON_NULL:
		if (json_read_string(j, &t))
			putchar('0');
		break;
	default:
		if (json_read_bool(j, &b))
			putchar(b ? 't' : 'f');
	}
	return false;
}

static void
print_all(struct json_reader *j)
{
	struct text key;
	size_t depth = 0;

	if (!print_value(j, &depth))
		return;
	while (depth && !j->why) {
		const bool object = is_object[depth - 1];

		if (object ? json_read_key(j, &key) : json_read_item(j)) {
			if (object) {
				print_string('s', key);
				putchar(':');
			}
			if (!print_value(j, &depth))
				putchar(',');
		} else if (!j->why) {
			putchar(is_object[--depth] ? '}' : ']');
			if (depth)
				putchar(',');
		}
	}
}

/* Skips the same value as a whole: is that also an error? */
static bool
is_skipped(const char *p, size_t n)
{
	struct json_reader *j = malloc(sizeof *j);
	bool ok;

	json_read_begin(j, p, n);
	json_read_skip(j);
	ok = json_read_end(j) == 0;
	free(j);
	return ok;
}

/* Prints a number of the kind that the argument names. */
static void
print_number(const char *what, const char *p, size_t n)
{
	struct json_reader *j = malloc(sizeof *j);
	char tmp[NUM_TEXT];
	bool exact = true, ok;
	uint64_t u = 0;
	num v = 0;

	json_read_begin(j, p, n);
	if (strcmp(what, "u64") == 0)
		ok = json_read_u64(j, &u);
	else
		ok = strcmp(what, "int") == 0 ? json_read_int(j, &v) :
		    json_read_fixed(j, (unsigned)atoi(what), &v, &exact);
	ok &= json_read_end(j) == 0;
	*num_put_num(tmp, u ? (num)u : v) = '\0';
	printf("%s%s\n", exact ? "" : "~", ok ? tmp : "wrong");
	free(j);
}

int
main(int argc, char **argv)
{
	struct json_reader *j = malloc(sizeof *j);
	char *line = NULL;
	size_t cap = 0;
	ssize_t n;
	bool ok;

	while ((n = getline(&line, &cap, stdin)) > 0) {
		/* A copy of its own, so that reading beyond its end is detected. */
		char *copy = malloc((size_t)n);

		n -= line[n - 1] == '\n';
		memcpy(copy, line, (size_t)n);
		copy = realloc(copy, n ? (size_t)n : 1);
		if (argc > 1) {
			print_number(argv[1], copy, (size_t)n);
			free(copy);
			continue;
		}
		json_read_begin(j, copy, (size_t)n);
		print_all(j);
		ok = json_read_end(j) == 0;
		puts(ok ? "" : " wrong");
		if (ok != is_skipped(copy, (size_t)n))
			puts("skipping says something else");
		free(copy);
	}
	free(line);
	free(j);
	return 0;
}
