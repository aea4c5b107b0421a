/* SPDX-License-Identifier: ISC */
/*
 * Records itself as `perf record --call-graph dwarf` does: its registers and a copy of its
 * stack, wherever it asks for that.  glibc's own unwinder tells the stack of the same moment,
 * as a line of functions of this program, leaf first.
 *
 *	recording OUT BYTES	BYTES: of the stack are copied
 */
#define _GNU_SOURCE
#include <alloca.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))
#define MASK 0xff0fffull	/* of registers, as perf records them on x86-64 */

static FILE *out;
static size_t most;
static uint64_t now = 1000;

/* ---- the recording ---- */

struct head {
	uint32_t type;
	uint16_t misc, size;
};

static void
put(uint32_t type, uint16_t misc, const void *body, size_t n)
{
	struct head h = { type, misc, (uint16_t)(sizeof h + n) };

	fwrite(&h, sizeof h, 1, out);
	fwrite(body, n, 1, out);
}

/* perf's order of registers: those of general use, then the program counter. */
static void
put_registers(char **p, const greg_t *g)
{
	static const int order[] = { REG_RAX, REG_RBX, REG_RCX, REG_RDX, REG_RSI, REG_RDI,
	    REG_RBP, REG_RSP, REG_RIP, REG_EFL, -1, -1, REG_R8, REG_R9, REG_R10, REG_R11,
	    REG_R12, REG_R13, REG_R14, REG_R15 };
	uint64_t v;
	size_t i;

	for (i = 0; i < sizeof order / sizeof *order; i++) {
		v = order[i] < 0 ? 0 : (uint64_t)g[order[i]];
		memcpy(*p, &v, sizeof v);
		*p += sizeof v;
	}
}

static char *top;		/* of the stack */

static void
put_sample(const greg_t *g)
{
	static char body[1 << 16];
	const uint64_t pid = (uint64_t)getpid();
	const char *sp = (const char *)g[REG_RSP];
	size_t n = (size_t)(top - sp) & ~(size_t)7;
	uint64_t v[] = { (uint64_t)g[REG_RIP], pid | pid << 32, now++, 2 }, size;
	char *p = body;

	if (n > most)
		n = most;
	size = n;
	memcpy(p, v, sizeof v);		/* address, thread, time, abi */
	p += sizeof v;
	put_registers(&p, g);
	memcpy(p, &size, 8);
	memcpy(p + 8, sp, n);
	memcpy(p + 8 + n, &size, 8);
	put(9, 2, body, (size_t)(p + 16 + n - body));
}

/* ---- what glibc says ---- */

static void
tell(void *const *at, int n, int exact)
{
	Dl_info me, d;
	int i;

	dladdr((void *)tell, &me);
	for (i = 0; i < n; i++)
		if (dladdr((char *)at[i] - (i != exact), &d) && d.dli_fbase == me.dli_fbase)
			printf("%s ", d.dli_sname ? d.dli_sname : "?");
	printf("\n");
}

/* Records the stack of its caller, and tells it. */
void NOINLINE
capture(void)
{
	void *at[256];
	ucontext_t u;

	getcontext(&u);
	put_sample(u.uc_mcontext.gregs);
	tell(at, backtrace(at, 256), 0);
}

/* The same of what a signal has interrupted. */
void
on_signal(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	(void)info;
	(void)context;
	capture();
}

/* ---- the program ---- */

int NOINLINE
order(const void *a, const void *b)
{
	static int calls;

	if (++calls == 5)
		capture();
	return *(const int *)a - *(const int *)b;
}

void NOINLINE
sort(void)
{
	int v[20], i;

	for (i = 0; i < 20; i++)
		v[i] = (i * 7) % 20;
	qsort(v, 20, sizeof *v, order);		/* through another library */
}

int NOINLINE
deep(int n)
{
	volatile char room[64];

	room[n % 64] = (char)n;
	if (n)
		return deep(n - 1) + room[0];
	capture();
	return room[0];
}

int NOINLINE
with_alloca(int n)
{
	volatile char *p = alloca((size_t)n);

	p[0] = 1;
	return deep(3) + p[0];
}

void NOINLINE
interrupted(void)
{
	raise(SIGUSR1);
	__asm__ volatile ("");
}

void NOINLINE
many(long a, long b, long c, long d, long e, long f, long g, long h)
{
	volatile long sum = a + b + c + d + e + f + g + h;

	capture();
	(void)sum;
}

/* ---- the frame ---- */

static void
put_maps(void)
{
	char line[4096], path[4096], body[5000];
	FILE *f = fopen("/proc/self/maps", "r");
	unsigned long start, end, offset;
	char mode[8];

	while (fgets(line, sizeof line, f)) {
		uint64_t v[4];
		size_t n;

		*path = '\0';
		if (sscanf(line, "%lx-%lx %7s %lx %*s %*s %4095s", &start, &end, mode, &offset,
		    path) < 4 || mode[2] != 'x' || *path != '/')
			continue;
		v[0] = (uint64_t)getpid() | (uint64_t)getpid() << 32;
		v[1] = start;
		v[2] = end - start;
		v[3] = offset;
		memset(body, 0, sizeof body);
		memcpy(body, v, sizeof v);
		strcpy(body + sizeof v, path);
		n = (sizeof v + strlen(path) + 8) & ~(size_t)7;
		put(1, 2, body, n);
	}
	fclose(f);
}

/* One event, without ids, and where it is; the size of the data is not known: 0. */
static void
put_header(void)
{
	const uint64_t sample = 1 | 2 | 4 | 0x1000 | 0x2000;
	uint64_t head[13] = { 0x32454c4946524550, 104, 144, 104, 144, 248, 0 };
	uint64_t attr[18] = { 1 | 128ull << 32, 0, 1000, sample };

	attr[10] = MASK;
	fwrite(head, sizeof head, 1, out);
	fwrite(attr, sizeof attr, 1, out);
}

int
main(int argc, char **argv)
{
	struct sigaction on = { .sa_sigaction = on_signal, .sa_flags = SA_SIGINFO };

	if (argc < 3 || !(out = fopen(argv[1], "wb")))
		return 2;
	most = (size_t)atol(argv[2]);
	top = (char *)__builtin_frame_address(0) + 1024;
	put_header();
	put_maps();
	sigaction(SIGUSR1, &on, NULL);
	deep(0);
	deep(40);
	sort();
	with_alloca(100);
	interrupted();
	many(1, 2, 3, 4, 5, 6, 7, argc);
	return fclose(out);
}
