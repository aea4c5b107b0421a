/* SPDX-License-Identifier: ISC */
/* Threads and processes, in the state of the current record. */
#include "perfdata.h"

#include <stdlib.h>

#include "util/mem.h"

enum { PROT_CODE = 4 };

#define KERNEL "[kernel.kallsyms]"

/* ---- processes and threads ---- */

struct maps *
pd_state_maps(struct perfdata *pd, uint32_t pid)
{
	struct perf_state *s = &pd->state;
	const uint64_t key = pid;

	if (!s->maps || pid != s->pid) {
		s->process = sums_row(&s->processes, &key);
		s->maps = mem_reach(s->maps, &s->capmaps, s->process, sizeof *s->maps, 0);
		s->pid = pid;
	}
	return &s->maps[s->process];
}

struct thread *
pd_state_thread(struct perfdata *pd, uint32_t tid)
{
	struct perf_state *s = &pd->state;
	const uint64_t key = tid;
	const size_t was = s->threads.n, row = sums_row(&s->threads, &key);

	s->thread = mem_reach(s->thread, &s->capthread, row, sizeof *s->thread, 0);
	if (row == was)
		s->thread[row] = (struct thread){ tid ? NO_ID : dict_str(pd->d->dict,
		    TEXT("swapper")), NO_ID, 0 };
	return &s->thread[row];
}

static void
set_comm(struct perfdata *pd, uint32_t tid, uint32_t comm)
{
	struct thread *t = pd_state_thread(pd, tid);

	t->comm = comm;
	t->labels = NO_ID;
}

static int
put_comm(struct perfdata *pd, struct perf_record *r)
{
	const uint32_t pid = bytes_u32(&r->body), tid = bytes_u32(&r->body);
	const struct text name = bytes_text(&r->body);

	if (name.n > NAME_MOST)
		return perf_fail(pd, "a thread's name of %zu bytes", name.n);
	if (r->misc & MISC_COMM_EXEC) {
		struct maps *maps = pd_state_maps(pd, pid);

		maps_exec(maps);
		perf_renew_maps(&pd->state, maps);
	}
	set_comm(pd, tid, dict_str(pd->d->dict, name));
	return 0;
}

static int
put_fork(struct perfdata *pd, struct perf_record *r)
{
	const uint32_t pid = bytes_u32(&r->body), parent = bytes_u32(&r->body);
	const uint32_t tid = bytes_u32(&r->body), from = bytes_u32(&r->body);
	struct maps *of;

	set_comm(pd, tid, pd_state_thread(pd, from)->comm);
	if (pid == parent || r->misc & MISC_FORK_EXEC)
		return 0;
	(void)pd_state_maps(pd, pid);	/* so that no process is added from here on */
	of = pd_state_maps(pd, parent);
	maps_copy(pd_state_maps(pd, pid), of);
	return 0;
}

/* ---- mapped files ---- */

/* Is it memory without a file, which may contain generated code? */
static bool
is_anonymous(struct text path)
{
	static const char *const begin[] = { "//anon", "/dev/zero", "/anon_hugepage", "/SYSV",
	    "/memfd:", "[heap]", "[stack", "[anon" };
	size_t i;

	for (i = 0; i < sizeof begin / sizeof *begin; i++)
		if (text_begins(path, begin[i]))
			return true;
	return path.n == 0;
}

struct mmap {
	uint32_t pid, prot;
	uint64_t start, size, offset;
	struct bytes build_id;
	struct text path;
};

static bool
read_mmap(struct perf_record *r, struct mmap *m)
{
	struct bytes *b = &r->body, id;

	m->pid = bytes_u32(b);
	bytes_skip(b, 4);
	m->start = bytes_u64(b);
	m->size = bytes_u64(b);
	m->offset = bytes_u64(b);
	m->prot = r->misc & MISC_MMAP_DATA ? 0 : PROT_CODE;
	if (r->type == R_MMAP2) {
		id = bytes_take(b, 24);
		if (r->misc & MISC_MMAP_BUILD_ID) {
			const uint8_t n = bytes_u8(&id);

			bytes_skip(&id, 3);
			m->build_id = bytes_take(&id, n < 20 ? n : 20);
		}
		m->prot = bytes_u32(b);
		bytes_skip(b, 4);
	}
	m->path = bytes_text(b);
	return !b->ended;
}

static uint32_t
find_place(struct perfdata *pd, const struct mmap *m, bool kernel)
{
	const uint32_t key = pd_places_key(pd, m->build_id);
	struct perf_places *p = &pd->places;
	struct buf path = { 0 };
	uint32_t place;

	/* In "[kernel.kallsyms]_text" the offset is the address of _text, 0 if that is
	 * secret. */
	if (kernel && text_begins(m->path, KERNEL) && m->path.n > strlen(KERNEL) && m->offset) {
		p->text = dict_str(pd->d->dict, (struct text){ m->path.s + strlen(KERNEL),
		    m->path.n - strlen(KERNEL) });
		p->text_addr = m->offset;
	}
	if (kernel)
		return pd_places_find(pd, text_begins(m->path, KERNEL) ?
		    TEXT(KERNEL) : m->path, key, PLACE_KERNEL);
	if (!is_anonymous(m->path))
		return pd_places_find(pd, m->path, key, PLACE_ELF);
	if (m->path.n && *m->path.s == '[')
		return pd_places_find(pd, m->path, key, PLACE_ANON);
	buf_printf(&path, "/tmp/perf-%u.map", m->pid);	/* perf's name for it */
	place = pd_places_find(pd, buf_as_text(&path), key, PLACE_ANON);
	buf_free(&path);
	return place;
}

static void
add_map(struct perfdata *pd, struct maps *to, uint64_t start, uint64_t size, uint64_t offset,
    uint32_t place)
{
	struct map map = { start, start + size, pd_places_shift(pd, place, start, offset), place,
	    pd->places.v[place].kind == PLACE_ANON };

	if (map.end < map.start)
		map.end = UINT64_MAX;
	maps_add(to, &map);
	perf_renew_maps(&pd->state, to);
}

/* Takes a record of a mapping.  In records with a build ID, the kernel's own maps have no
 * protection. */
static int
put_mmap(struct perfdata *pd, struct perf_record *r)
{
	const unsigned mode = r->misc & MISC_MODE;
	const bool kernel = mode == MODE_KERNEL;
	struct mmap m = { 0 };
	uint32_t place;

	if (!read_mmap(r, &m))
		return perf_fail(pd, "a mapping ends too early");
	if (!m.size || perf_is_guest(mode) || (!kernel && !(m.prot & PROT_CODE)))
		return 0;
	if (!kernel && jit_dump_is_name(m.path)) {
		(void)pd_state_maps(pd, m.pid);
		pd_generated_add(pd, pd->state.process, m.path);
		return 0;
	}
	place = find_place(pd, &m, kernel);
	if (kernel && place == pd->places.kernel)
		pd->places.kernel_start = m.start;
	add_map(pd, kernel ? &pd->state.kernel : pd_state_maps(pd, m.pid), m.start, m.size,
	    m.offset, place);
	return 0;
}

/* A function that the kernel has made, of a BPF program, or whose memory is its own again. */
static int
put_ksymbol(struct perfdata *pd, struct perf_record *r)
{
	struct bytes *b = &r->body;
	const uint64_t start = bytes_u64(b), size = bytes_u32(b);
	bool gone;
	struct text name;

	bytes_skip(b, 2);
	gone = bytes_u16(b) & KSYMBOL_GONE;
	name = bytes_text(b);
	if (name.n > NAME_MOST)
		return perf_fail(pd, "a symbol's name of %zu bytes", name.n);
	if (size && name.n && !b->ended)
		add_map(pd, &pd->state.kernel, start, size, 0, gone ?
		    pd_places_find(pd, TEXT(KERNEL), NO_ID, PLACE_KERNEL) :
		    pd_places_find(pd, name, NO_ID, PLACE_SYMBOL));
	return 0;
}

int
pd_state_record(struct perfdata *pd, struct perf_record *r)
{
	int ret;

	switch (r->type) {
	case R_COMM:
		ret = put_comm(pd, r);
		break;
	case R_FORK:
		ret = put_fork(pd, r);
		break;
	case R_MMAP: case R_MMAP2:
		ret = put_mmap(pd, r);
		break;
	case R_KSYMBOL:
		ret = put_ksymbol(pd, r);
		break;
	default:
		return 0;
	}
	return ret == 0 && r->body.ended ? perf_fail(pd, "a record of type %u ends too early",
	    r->type) : ret;
}

void
pd_state_free(struct perf_state *s)
{
	size_t i;

	for (i = 0; i < s->processes.n; i++)
		maps_clear(&s->maps[i]);
	maps_clear(&s->kernel);
	sums_free(&s->threads);
	sums_free(&s->processes);
	free(s->thread);
	free(s->maps);
}
