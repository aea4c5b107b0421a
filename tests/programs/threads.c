/* SPDX-License-Identifier: ISC */
/* Two threads that share functions, and each have one of their own. */
#include <pthread.h>
#include <stdio.h>

static pthread_barrier_t both;	/* so that neither ends before the other begins */

static unsigned
shared(unsigned n)
{
	return n ? n + shared(n - 1) : 0;
}

static void *
first(void *arg)
{
	unsigned *sum = arg, i;

	pthread_barrier_wait(&both);
	for (i = 0; i < 20; i++)
		*sum += shared(i);
	return NULL;
}

static void *
second(void *arg)
{
	unsigned *sum = arg, i;

	pthread_barrier_wait(&both);
	for (i = 0; i < 30; i++)
		*sum ^= shared(i);
	return NULL;
}

int
main(void)
{
	unsigned a = 0, b = 0;
	pthread_t t[2];

	pthread_barrier_init(&both, NULL, 2);
	pthread_create(&t[0], NULL, first, &a);
	pthread_create(&t[1], NULL, second, &b);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	printf("%u\n", a + b + shared(3));
	return 0;
}
