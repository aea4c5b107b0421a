/* SPDX-License-Identifier: ISC */
/* Two threads with a root and some work each. */
#include <pthread.h>

static volatile unsigned sink;

static void
spin(unsigned n)
{
	while (n--)
		sink += n;
}

static void *
worker(void *arg)
{
	(void)arg;
	spin(5000);
	return NULL;
}

int
main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, worker, NULL);
	pthread_join(t, NULL);
	spin(300);
	return 0;
}
