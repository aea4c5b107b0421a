/* SPDX-License-Identifier: ISC */
/* Functions that run before main() and after it, and others with such names. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((constructor)) static void
before(void)
{
	setbuf(stdout, NULL);
}

__attribute__((destructor)) static void
after(void)
{
	puts("after");
}

static void
at_exit(void)
{
	puts("exit");
}

__attribute__((noinline)) static void
init(void)
{
	puts("init");
}

__attribute__((noinline)) static void
call_init(void)
{
	init();
}

__attribute__((noinline)) static void
fini(void)
{
	puts("fini");
}

__attribute__((noinline)) void
_start_engine(void)
{
	fini();
}

int
main(int argc, char **argv)
{
	char *p = strdup(argv[0]), *q = malloc(100);

	atexit(at_exit);
	call_init();
	_start_engine();
	strcpy(q, p);
	printf("%d\n", strcmp(p, q) > 0 ? argc : (int)strlen(p));
	free(q);
	free(p);
	return 0;
}
