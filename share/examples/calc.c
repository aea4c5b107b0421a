/* SPDX-License-Identifier: ISC */
/*
 * A calculator: reads lines "name = sum", prints the value of the last one.
 *
 * README.md says how the profiles beside this file, and the symbols of the program
 * as nm prints them, were made from it.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct variable {
	struct variable *next;
	char name[16];
	double value;
};

static struct variable *variables;
static const char *at;			/* what is left of the line */

static double sum(void);

static struct variable *
find(const char *name)
{
	struct variable *v;
	int i;

	for (v = variables; v; v = v->next) {
		for (i = 0; name[i] && v->name[i] == name[i]; i++)
			;
		if (v->name[i] == name[i])
			return v;
	}
	v = calloc(1, sizeof *v);
	if (!v)
		exit(1);
	strcpy(v->name, name);
	v->next = variables;
	return variables = v;
}

static void
read_name(char name[16])
{
	int n = 0;

	for (; isalnum((unsigned char)*at) && n < 15; at++)
		name[n++] = *at;
	name[n] = '\0';
	while (*at == ' ')
		at++;
}

/* A number, the name of a variable, or a sum in parentheses. */
static double
atom(void)
{
	char name[16];
	double x;
	char *end;

	while (*at == ' ')
		at++;
	if (*at == '(') {
		at++;
		x = sum();
		at += *at == ')';
	} else if (isalpha((unsigned char)*at)) {
		read_name(name);
		return find(name)->value;
	} else {
		x = strtod(at, &end);
		at = end;
	}
	while (*at == ' ')
		at++;
	return x;
}

static double
product(void)
{
	double x = atom();

	while (*at == '*') {
		at++;
		x *= atom();
	}
	return x;
}

static double
sum(void)
{
	double x = product();

	while (*at == '+' || *at == '-')
		x = *at++ == '+' ? x + product() : x - product();
	return x;
}

static double
assign(void)
{
	struct variable *v;
	char name[16];

	read_name(name);
	at += *at == '=';
	v = find(name);
	return v->value = sum();
}

int
main(void)
{
	char line[256];
	double last = 0;

	while (fgets(line, sizeof line, stdin)) {
		at = line;
		last = assign();
	}
	printf("%g\n", last);
	return 0;
}
