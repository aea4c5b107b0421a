/* SPDX-License-Identifier: ISC */
#include "ticks.h"

void leaf(unsigned n);

ALONE void
same(unsigned n)
{
	work(n);
	leaf(n / 2);
}

void
second(unsigned n)
{
	same(n);
	same(n / 4);
}
