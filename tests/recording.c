/* SPDX-License-Identifier: ISC */
/*
 * Records itself as `perf record --call-graph dwarf` does: its registers and a copy of its
 * stack, wherever it asks for that.  glibc's own unwinder tells the stack of the same moment,
 * as a line of functions of this program, leaf first.
 *
 *	recording OUT BYTES [tiny]	BYTES: of the stack are copied; tiny: of as many
 *					frames as fit
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

/* ---- machines ---- */

#if defined __x86_64__
#define ARCH "x86_64"
#define ABI 2
#define MASK 0xff0fffull	/* of registers, as perf records them */
#define SP(u) (u)->uc_mcontext.gregs[REG_RSP]
#define PC(u) (u)->uc_mcontext.gregs[REG_RIP]
#elif defined __i386__
#define ARCH "i686"
#define ABI 1
#define MASK 0x1ffull
#define SP(u) (u)->uc_mcontext.gregs[REG_ESP]
#define PC(u) (u)->uc_mcontext.gregs[REG_EIP]
#elif defined __aarch64__
#define ARCH "aarch64"
#define ABI 2
#define MASK 0x1ffffffffull
#define SP(u) (u)->uc_mcontext.sp
#define PC(u) (u)->uc_mcontext.pc
#endif

/* In perf's order. */
static void
put_registers(char **p, const ucontext_t *u)
{
	uint64_t v;
	size_t i;
#if defined __aarch64__
	uint64_t order[33];

	for (i = 0; i < 31; i++)
		order[i] = u->uc_mcontext.regs[i];
	order[31] = SP(u);
	order[32] = PC(u);
#elif defined __x86_64__
	static const int order[] = { REG_RAX, REG_RBX, REG_RCX, REG_RDX, REG_RSI, REG_RDI,
	    REG_RBP, REG_RSP, REG_RIP, REG_EFL, -1, -1, REG_R8, REG_R9, REG_R10, REG_R11,
	    REG_R12, REG_R13, REG_R14, REG_R15 };
#else
	static const int order[] = { REG_EAX, REG_EBX, REG_ECX, REG_EDX, REG_ESI, REG_EDI,
	    REG_EBP, REG_ESP, REG_EIP };
#endif

	for (i = 0; i < sizeof order / sizeof *order; i++) {
#if defined __aarch64__
		v = order[i];
#else
		v = order[i] < 0 ? 0 : (uint64_t)(unsigned long)u->uc_mcontext.gregs[order[i]];
#endif
		memcpy(*p, &v, sizeof v);
		*p += sizeof v;
	}
}

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

static char *top;		/* of the stack */

static void
put_sample(const ucontext_t *u)
{
	static char body[1 << 16];
	const uint64_t pid = (uint64_t)getpid();
	const char *sp = (const char *)(uintptr_t)SP(u);
	size_t n = (size_t)(top - sp) & ~(size_t)7;
	uint64_t v[] = { (uint64_t)(unsigned long)PC(u), pid | pid << 32, now++, ABI }, size;
	char *p = body;

	if (n > most)
		n = most;
	size = n;
	memcpy(p, v, sizeof v);		/* address, thread, time, abi */
	p += sizeof v;
	put_registers(&p, u);
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
	put_sample(&u);
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

/* A frame whose address is computed, with jumps, and frames of 8 bytes. */
#if defined __x86_64__
void odd(void);
void tiny(int n);

__asm__ (".text\n.globl odd\n.type odd, @function\nodd: .cfi_startproc\n\tpush %rbx\n"
    /* def_cfa_expression: breg7 0, lit16, over, rot, plus, lit1, bra +1, lit0, skip +1, lit0,
     * swap, drop */
    "\t.cfi_escape 0x0f, 17, 0x77, 0, 0x40, 0x14, 0x17, 0x22, 0x31, 0x28, 1, 0, 0x30, 0x2f, "
    "1, 0, 0x30, 0x16, 0x13\n"
    "\tcall capture@PLT\n\tpop %rbx\n\t.cfi_def_cfa 7, 8\n\tret\n\t.cfi_endproc\n"
    "\t.size odd, .-odd\n");
__asm__ (".text\n.globl tiny\n.type tiny, @function\ntiny: .cfi_startproc\n\tdec %edi\n"
    "\tjz capture_here@PLT\n\tcall tiny\n\tret\n\t.cfi_endproc\n\t.size tiny, .-tiny\n");
#else
void NOINLINE
odd(void)
{
	capture();
	__asm__ volatile ("");
}

#define tiny(n) deep(n)
#endif

/* As capture(), of a stack that is not aligned. */
#if defined __x86_64__
__attribute__((force_align_arg_pointer))
#endif
void
capture_here(void)
{
	capture();
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
		    path) < 4 || mode[2] != 'x')
			continue;
		if (!*path)
			strcpy(path, "//anon");
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

/* As perf says it in a pipe. */
static void
put_arch(void)
{
	struct { uint64_t feature; uint32_t n; char s[20]; } body = { 6, 20, ARCH };

	put(80, 0, &body, sizeof body);
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
	put_arch();
	put_maps();
	sigaction(SIGUSR1, &on, NULL);
	if (argc > 3) {
		tiny(7000);
		return fclose(out);
	}
	deep(0);
	deep(40);
	sort();
	with_alloca(100);
	interrupted();
	many(1, 2, 3, 4, 5, 6, 7, argc);
	odd();
	return fclose(out);
}
