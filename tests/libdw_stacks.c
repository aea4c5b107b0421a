/* SPDX-License-Identifier: ISC */
/*
 * The stacks of a recording of `perf record --call-graph dwarf` as libdw unwinds them, with
 * an address space for each process: an oracle that has nothing in common with the library
 * but elfutils.  It takes plain files of this machine's byte order, and trusts them.
 *
 *	libdw_stacks FILE	prints TID TIME ADDRESS..., leaf first, of each sample whose
 *				user stack was copied; addresses are those of the files
 */
#define _GNU_SOURCE
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MMAP = 1, COMM = 3, FORK = 7, SAMPLE = 9, MMAP2 = 10 };
enum { IDENTIFIER = 0x10000, IP = 1, TID = 2, TIME = 4, ADDR = 8, ID = 0x40, STREAM = 0x200,
	CPU = 0x80, PERIOD = 0x100, CHAIN = 0x20, RAW = 0x400, REGS = 0x1000, STACK = 0x2000 };

struct record {
	uint32_t type;
	uint16_t misc, size;
	char body[];
};

struct timed {
	uint64_t time, order;
	const struct record *r;
};

struct map {
	uint64_t start, end, offset;
	const char *path;
};

struct file {
	char *path;
	GElf_Phdr *v;
	size_t n;
};

struct process {
	uint32_t pid;
	struct map *v;
	size_t n;
	struct process *before;	/* what it was before exec */
	Dwfl *dwfl;
	struct process *next;
};

/* Of the sample at hand. */
struct state {
	struct process *p;
	const uint64_t *regs;
	const char *stack;
	uint64_t sp, size, pc;
	uint32_t tid;
};

static struct process *processes;
static uint64_t sample_type, mask;
static unsigned machine;		/* an ELF header's; abi tells 32 bits */
static int narrow;

/* ---- processes ---- */

static struct process *
process(uint32_t pid)
{
	struct process *p;

	for (p = processes; p; p = p->next)
		if (p->pid == pid)
			return p;
	p = calloc(1, sizeof *p);
	p->pid = pid;
	p->next = processes;
	return processes = p;
}

static void
forget(struct process *p)
{
	if (p->dwfl)
		dwfl_end(p->dwfl);
	p->dwfl = NULL;
}

static void
put_map(struct process *p, struct map m)
{
	size_t i, n = 0;
	struct map *v = calloc(2 * p->n + 1, sizeof *v);

	for (i = 0; i < p->n; i++) {
		struct map a = p->v[i], b = a;

		if (a.start < m.start) {
			a.end = a.end < m.start ? a.end : m.start;
			v[n++] = a;
		}
		if (b.end > m.end) {
			if (b.start < m.end) {
				b.offset += m.end - b.start;
				b.start = m.end;
			}
			if (p->v[i].start >= m.start || p->v[i].end > m.end)
				if (b.start >= m.end)
					v[n++] = b;
		}
	}
	v[n++] = m;
	free(p->v);
	p->v = v;
	p->n = n;
	forget(p);
}

static const struct map *
find(struct process *p, uint64_t addr)
{
	size_t i;

	for (; p; p = p->before) {
		for (i = 0; i < p->n; i++)
			if (addr >= p->v[i].start && addr < p->v[i].end) {
				if (p->before)
					p->before = NULL;
				return &p->v[i];
			}
	}
	return NULL;
}

/* ---- libdw ---- */

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
	.section_address = dwfl_offline_section_address,
};

static const struct file *
file_of(const char *path)
{
	static struct file *files;
	static size_t n;
	struct file f = { .path = strdup(path) };
	size_t i;
	Elf *elf;
	int fd;

	for (i = 0; i < n; i++)
		if (strcmp(files[i].path, path) == 0)
			return &files[i];
	if ((fd = open(path, O_RDONLY)) >= 0 && (elf = elf_begin(fd, ELF_C_READ_MMAP, NULL))) {
		elf_getphdrnum(elf, &f.n);
		f.v = calloc(f.n + 1, sizeof *f.v);
		for (i = 0; i < f.n; i++)
			gelf_getphdr(elf, (int)i, &f.v[i]);
		elf_end(elf);
	}
	close(fd);
	files = realloc(files, (n + 1) * sizeof *files);
	files[n] = f;
	return &files[n++];
}

/* The address in its file of what is at an offset of it. */
static uint64_t
file_addr(const struct file *f, uint64_t offset)
{
	size_t i;

	for (i = 0; i < f->n; i++)
		if (f->v[i].p_type == PT_LOAD && offset - f->v[i].p_offset < f->v[i].p_filesz)
			return offset - f->v[i].p_offset + f->v[i].p_vaddr;
	return offset;
}

/* The module of an address, and the address in its file. */
static Dwfl_Module *
module(struct state *s, uint64_t addr, uint64_t *in_file)
{
	const struct map *m = find(s->p, addr);
	GElf_Addr bias;
	Dwfl_Module *mod;

	*in_file = m ? addr - m->start + m->offset : addr;
	if (!m || *m->path != '/')
		return NULL;
	*in_file = file_addr(file_of(m->path), *in_file);
	mod = dwfl_addrmodule(s->p->dwfl, addr);
	if (mod && dwfl_module_getelf(mod, &bias) && addr - bias == *in_file)
		return mod;
	mod = dwfl_report_elf(s->p->dwfl, m->path, m->path, -1, addr - *in_file, false);
	if (mod)
		dwfl_module_getelf(mod, &bias);
	return mod;
}

static uint64_t
reg(const struct state *s, unsigned perf)
{
	return mask >> perf & 1 ? s->regs[__builtin_popcountll(mask &
	    ((1ull << perf) - 1))] : 0;
}

static bool
set_registers(Dwfl_Thread *thread, void *arg)
{
	static const unsigned amd64[] = { 0, 3, 2, 1, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23,
	    8 }, i386[] = { 0, 2, 3, 1, 7, 6, 4, 5, 8 };
	const struct state *s = arg;
	Dwarf_Word v[33];
	unsigned i, n;

	if (machine == EM_AARCH64) {
		for (i = 0; i < 32; i++)
			v[i] = reg(s, i);
		dwfl_thread_state_register_pc(thread, s->pc);
		return dwfl_thread_state_registers(thread, 0, 32, v);
	}
	n = narrow ? 9 : 17;
	for (i = 0; i < n; i++)
		v[i] = reg(s, narrow ? i386[i] : amd64[i]);
	return dwfl_thread_state_registers(thread, 0, n, v);
}

static bool
read_memory(Dwfl *dwfl, Dwarf_Addr addr, Dwarf_Word *out, void *arg)
{
	const struct state *s = arg;
	const unsigned word = narrow ? 4 : 8;
	uint32_t half;

	(void)dwfl;
	if (addr < s->sp || s->size < word || addr - s->sp > s->size - word)
		return false;
	if (word == 8) {
		memcpy(out, s->stack + (addr - s->sp), 8);
		return true;
	}
	memcpy(&half, s->stack + (addr - s->sp), 4);
	*out = half;
	return true;
}

static struct state *now;	/* the callbacks keep the argument that came first */

static pid_t
next_thread(Dwfl *dwfl, void *arg, void **thread)
{
	(void)dwfl;
	if (*thread)
		return 0;
	*thread = arg;
	return (pid_t)now->p->pid;
}

static const Dwfl_Thread_Callbacks threads = {
	.next_thread = next_thread, .memory_read = read_memory,
	.set_initial_registers = set_registers,
};

static int
put_frame(Dwfl_Frame *frame, void *arg)
{
	struct state *s = arg;
	uint64_t in_file;
	Dwarf_Addr pc;
	bool exact;

	if (!dwfl_frame_pc(frame, &pc, NULL))
		return DWARF_CB_ABORT;
	module(s, pc, &in_file);
	if (!dwfl_frame_pc(frame, &pc, &exact))
		return DWARF_CB_ABORT;
	module(s, pc - !exact, &in_file);
	printf(" %" PRIx64, in_file);
	return DWARF_CB_OK;
}

static void
unwind(struct state *s)
{
	static struct state kept;	/* at one address: it is attached once */
	uint64_t in_file;
	bool fresh = !s->p->dwfl;
	Dwfl_Module *mod;

	kept = *s;
	now = &kept;
	if (fresh)
		s->p->dwfl = dwfl_begin(&callbacks);
	mod = module(&kept, s->pc, &in_file);
	if (fresh && mod)
		dwfl_attach_state(s->p->dwfl, NULL, (pid_t)s->p->pid, &threads, &kept);
	if (!mod || dwfl_getthread_frames(s->p->dwfl, (pid_t)s->p->pid, put_frame, &kept) < 0) {
		if (!mod)
			printf(" %" PRIx64, in_file);
	}
	if (!mod && fresh)
		forget(s->p);
}

/* ---- records ---- */

static uint64_t
take(const char **p)
{
	uint64_t v;

	memcpy(&v, *p, 8);
	*p += 8;
	return v;
}

static void
put_sample(const struct record *r)
{
	const char *p = r->body;
	struct state s = { 0 };
	uint64_t v, abi, time = 0;
	uint32_t pid = 0;

	p += sample_type & IDENTIFIER ? 8 : 0;
	p += sample_type & IP ? 8 : 0;
	if (sample_type & TID) {
		memcpy(&pid, p, 4);
		memcpy(&s.tid, p + 4, 4);
		p += 8;
	}
	time = sample_type & TIME ? take(&p) : 0;
	p += 8 * __builtin_popcountll(sample_type & (ADDR | ID | STREAM | CPU | PERIOD));
	if (sample_type & CHAIN) {
		v = take(&p);
		p += 8 * v;
	}
	if (sample_type & RAW) {
		memcpy(&v, p, 4);
		p += 4 + (uint32_t)v;
	}
	if (!(abi = take(&p)))
		return;
	narrow = abi == 1;
	s.regs = (const uint64_t *)(const void *)p;
	p += 8 * __builtin_popcountll(mask);
	s.size = take(&p);
	if (!s.size)
		return;
	s.stack = p;
	p += s.size;
	s.size = take(&p);
	s.p = process(pid);
	s.sp = reg(&s, machine == EM_AARCH64 ? 31 : 7);
	s.pc = reg(&s, machine == EM_AARCH64 ? 32 : 8);
	printf("%u %" PRIu64, s.tid, time);
	unwind(&s);
	printf("\n");
}

static void
put(const struct record *r)
{
	const char *p = r->body;
	struct process *c, *old;
	struct map m;
	uint32_t v[4];
	size_t i;

	memcpy(v, p, sizeof v);
	switch (r->type) {
	case MMAP: case MMAP2:
		p += 8;
		m.start = take(&p);
		m.end = m.start + take(&p);
		m.offset = take(&p);
		m.path = p + (r->type == MMAP2 ? 32 : 0);
		memcpy(&v[1], p + 24, 4);
		if ((r->misc & 7) == 1 || (r->type == MMAP2 ? !(v[1] & 4) : r->misc & 0x2000))
			return;
		put_map(process(v[0]), m);
		return;
	case COMM:
		if (!(r->misc & 0x2000))
			return;
		c = process(v[0]);
		forget(c);
		if (!c->n)
			return;
		old = malloc(sizeof *old);
		*old = *c;
		c->v = NULL;
		c->n = 0;
		c->before = old;
		return;
	case FORK:
		if (v[0] == v[1] || r->misc & 0x2000)
			return;
		c = process(v[0]);
		old = process(v[1]);
		forget(c);
		free(c->v);
		c->v = malloc((old->n + 1) * sizeof *c->v);
		for (i = 0; i < old->n; i++)
			c->v[i] = old->v[i];
		c->n = old->n;
		c->before = old->before;
		return;
	case SAMPLE:
		put_sample(r);
	}
}

static int
by_time(const void *pa, const void *pb)
{
	const struct timed *a = pa, *b = pb;

	return a->time != b->time ? (a->time > b->time) - (a->time < b->time) :
	    (a->order > b->order) - (a->order < b->order);
}

static uint64_t
time_of(const struct record *r)
{
	const unsigned after = 1 + (unsigned)__builtin_popcountll(sample_type & (ID | STREAM |
	    CPU | IDENTIFIER));
	const char *p = r->type != SAMPLE ? (const char *)r + r->size - 8 * after : r->body +
	    8 * __builtin_popcountll(sample_type & (IDENTIFIER | IP | TID));

	return sample_type & TIME ? take(&p) : 0;
}

int
main(int argc, char **argv)
{
	const int fd = argc > 1 ? open(argv[1], O_RDONLY) : -1;
	struct timed *v = NULL;
	const uint64_t *head, *attr;
	size_t n = 0, cap = 0, i;
	const char *p, *end;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return 2;
	p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	head = (const uint64_t *)(const void *)p;
	attr = (const uint64_t *)(const void *)(p + head[3]);
	sample_type = attr[3];
	mask = attr[10];
	machine = argc > 2 && strcmp(argv[2], "aarch64") == 0 ? EM_AARCH64 : EM_X86_64;
	end = head[6] ? p + head[5] + head[6] : p + st.st_size;
	for (p += head[5]; p < end; p += ((const struct record *)(const void *)p)->size) {
		const struct record *r = (const struct record *)(const void *)p;

		if (r->type >= 64 || r->size < 8)
			continue;
		if (n == cap)
			v = realloc(v, (cap = 2 * cap + 1000) * sizeof *v);
		v[n] = (struct timed){ attr[5] >> 18 & 1 || r->type == SAMPLE ?
		    time_of(r) : 0, n, r };
		n++;
	}
	qsort(v, n, sizeof *v, by_time);
	for (i = 0; i < n; i++)
		put(v[i].r);
	return 0;
}
