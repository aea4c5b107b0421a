/* SPDX-License-Identifier: ISC */
/* Calls along which gprof propagates time: shared callees, recursion, two cycles. */
#include <stdlib.h>

#include "ticks.h"

volatile unsigned sink;

void second(unsigned n);
void even(unsigned n);

/* Another one is in ticks2.c. */
ALONE void
same(unsigned n)
{
	work(n);
}

void
leaf(unsigned n)
{
	work(n);
}

ALONE void
recursive(unsigned n)
{
	work(3000);
	if (n)
		recursive(n - 1);
	else
		leaf(9000);
}

ALONE void
odd(unsigned n)
{
	work(2000);
	leaf(1000);
	if (n)
		even(n - 1);
}

void
even(unsigned n)
{
	leaf(7000);
	if (n)
		odd(n - 1);
}

ALONE void ring2(unsigned n), ring3(unsigned n);

ALONE void
ring1(unsigned n)
{
	work(4000);
	if (n)
		ring2(n - 1);
}

ALONE void
ring2(unsigned n)
{
	work(8000);
	leaf(1000);
	if (n)
		ring3(n - 1);
}

ALONE void
ring3(unsigned n)
{
	leaf(2000);
	if (n)
		ring1(n - 1);
	else
		even(1);	/* one cycle calls the other */
}

int
main(int argc, char **argv)
{
	int ms = argc > 1 ? atoi(argv[1]) : 300;

	while (left(ms)) {
		same(20000);
		second(20000);
		recursive(9);
		even(3);
		odd(4);
		ring1(7);
		ring3(2);
	}
	return 0;
}
