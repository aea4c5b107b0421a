/* SPDX-License-Identifier: ISC */
/*
 * The program of demo.sh: adds up the orders of customers, who are found by their number.
 * With -DINDEX they are found by a hash table instead of a search.
 *
 * shop [ORDERS]
 */
#include <stdio.h>
#include <stdlib.h>

#define CUSTOMERS 2000

struct customer {
	unsigned number;
	unsigned long spent;
};

static struct customer customers[CUSTOMERS];
static unsigned state = 1;

static unsigned
random_number(void)
{
	state = state * 1103515245 + 12345;
	return state >> 8;
}

#ifdef INDEX
static struct customer *slots[4 * CUSTOMERS];

static struct customer *
find(unsigned number)
{
	size_t i = number * 2654435761u % (4 * CUSTOMERS);

	while (slots[i] && slots[i]->number != number)
		i = (i + 1) % (4 * CUSTOMERS);
	return slots[i];
}

static void
add_to_index(struct customer *c)
{
	size_t i = c->number * 2654435761u % (4 * CUSTOMERS);

	while (slots[i])
		i = (i + 1) % (4 * CUSTOMERS);
	slots[i] = c;
}
#else
static struct customer *
find(unsigned number)
{
	size_t i;

	for (i = 0; i < CUSTOMERS; i++)
		if (customers[i].number == number)
			return &customers[i];
	return NULL;
}
#endif

static void
take_order(unsigned number, unsigned amount)
{
	struct customer *c = find(number);

	if (c)
		c->spent += amount;
}

static int
format_amounts(unsigned n)
{
	char text[64];
	int length = 0;

	while (n--)
		length += snprintf(text, sizeof text, "%u.%02u", n, n % 100);
	return length;
}

int
main(int argc, char **argv)
{
	const unsigned orders = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 2000000;
	unsigned i;

	for (i = 0; i < CUSTOMERS; i++) {
		customers[i].number = random_number();
#ifdef INDEX
		add_to_index(&customers[i]);
#endif
	}
	for (i = 0; i < orders; i++)
		take_order(customers[random_number() % CUSTOMERS].number, i % 100);
	printf("%d characters\n", format_amounts(orders));
	return 0;
}
