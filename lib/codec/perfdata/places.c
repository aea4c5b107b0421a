/* SPDX-License-Identifier: ISC */
/* Converts addresses to functions: by offset in a file, otherwise by the address itself. */
#include "perfdata.h"

#include <stdlib.h>
#include <sys/utsname.h>

#include "symbol/objects.h"
#include "util/hash.h"
#include "util/mem.h"

void
pd_places_init(struct perf_places *p)
{
	sums_init(&p->known, PLACE_KEYS, 0);
	p->nowhere = p->kernel = p->text = NO_ID;
	p->recent = mem_alloc(RECENT, sizeof *p->recent);
}

void
pd_places_free(struct perf_places *p)
{
	size_t i;

	for (i = 0; i < p->known.n; i++)
		jit_dump_free(p->v[i].dump);
	free(p->build);
	free(p->recent);
	free(p->v);
	sums_free(&p->known);
	name_index_free(&p->builds);
}

/* ---- build IDs ---- */

uint32_t
pd_places_key(struct perfdata *pd, struct bytes id)
{
	struct buf hex = { 0 };
	uint32_t key;

	if (!bytes_left(&id))
		return NO_ID;
	while (bytes_left(&id))
		buf_printf(&hex, "%02x", bytes_u8(&id));
	key = dict_str(pd->d->dict, buf_as_text(&hex));
	buf_free(&hex);
	return key;
}

/* Newer recordings have its size; otherwise zeros at the end do not belong to it. */
void
pd_places_record(struct perfdata *pd, struct perf_record *r)
{
	struct perf_places *p = &pd->places;
	struct bytes id;
	struct text path;
	size_t n = 20;

	bytes_skip(&r->body, 4);
	id = bytes_take(&r->body, 20);
	if (r->misc & MISC_BUILD_ID_SIZE) {
		const uint8_t size = bytes_u8(&r->body);

		n = size < n ? size : n;
		bytes_skip(&r->body, 3);
	} else {
		for (; n && !id.ended && memcmp(id.p + n - 4, "\0\0\0\0", 4) == 0; n -= 4)
			;
		bytes_skip(&r->body, 4);
	}
	path = bytes_text(&r->body);
	if (r->body.ended || name_index_add(&p->builds, path, p->nbuild) != p->nbuild)
		return;
	id.end = id.p + n;
	p->build = mem_grow(p->build, &p->capbuild, p->nbuild + 1, sizeof *p->build);
	p->build[p->nbuild++] = pd_places_key(pd, id);
}

/* ---- places ---- */

uint64_t
pd_places_shift(const struct perfdata *pd, uint32_t place, uint64_t start, uint64_t offset)
{
	return pd->places.v[place].kind == PLACE_ELF ? offset - start : 0;
}

uint32_t
pd_places_find(struct perfdata *pd, struct text path, uint32_t key, enum place_kind kind)
{
	struct perf_places *p = &pd->places;
	const size_t was = p->known.n;
	uint64_t id[PLACE_KEYS] = { dict_str(pd->d->dict, path), key };
	size_t at;

	if (key == NO_ID && name_index_find(&p->builds, path, &at))
		id[PLACE_BUILD] = p->build[at];
	at = sums_row(&p->known, id);
	if (at == was) {
		p->v = mem_grow(p->v, &p->cap, at + 1, sizeof *p->v);
		p->v[at] = (struct place){ .kind = kind, .path = (uint32_t)id[PLACE_PATH],
		    .key = (uint32_t)id[PLACE_BUILD], .object = NO_ID, .unknown = NO_ID };
	}
	if (kind == PLACE_KERNEL && path.n && *path.s == '[' && p->kernel == NO_ID)
		p->kernel = (uint32_t)at;
	return (uint32_t)at;
}

/* ---- functions ---- */

static int
put_unknown(struct perfdata *pd, uint32_t object, uint32_t *func)
{
	struct func_def f = NO_FUNC;

	if (*func != NO_ID)
		return 0;
	f.object = object;
	return decode_func(pd->d, &f, func);
}

/* Puts the only function of a place. */
static int
put_symbol(struct perfdata *pd, struct place *p)
{
	struct func_def f = NO_FUNC;

	f.name = p->path;
	f.object = p->object;
	f.attrs = dict_str(pd->d->dict, TEXT("kernel=1"));
	return decode_func(pd->d, &f, &p->unknown);
}

/* Was it recorded on this machine, with the running kernel? */
static bool
is_here(struct perfdata *pd)
{
	struct utsname u;

	return pd->facts.host.n && uname(&u) == 0 &&
	    text_is(buf_as_text(&pd->facts.host), u.nodename) &&
	    text_is(buf_as_text(&pd->facts.release), u.release);
}

/* Reports why a file of generated code cannot be read; of other machines, the objects
 * without names are reported. */
static struct jit_dump *
open_dump(struct perfdata *pd, struct text path)
{
	struct executables *x = pd->d->session->executables;
	const bool here = is_here(pd);
	struct jit_dump *dump = NULL;
	struct diag d = *pd->d->diag;
	struct buf file = { 0 };

	d.error = (struct buf){ 0 };
	if (object_file_find_dump(&file, x, path, here))
		dump = jit_dump_open(x, buf_str(&file), &d);
	else if (here)
		diag_say(pd->d->diag, DIAG_NOTE, "%s: generated code has no names: the "
		    "file does not exist, is not yours, is a link, or is not readable by "
		    "all users",
		    buf_str(&file));
	if (d.error.n)
		diag_say(pd->d->diag, DIAG_NOTE, "generated code has no names: %s",
		    buf_str(&d.error));
	buf_free(&d.error);
	buf_free(&file);
	return dump;
}

uint32_t
pd_places_find_dump(struct perfdata *pd, struct text path, struct jit_dump **dump)
{
	const size_t was = pd->places.known.n;
	const uint32_t place = pd_places_find(pd, path, NO_ID, PLACE_DUMP);

	if (place < was || !(*dump = open_dump(pd, path)))
		return NO_ID;
	pd->places.v[place].dump = *dump;
	return place;
}

/* A kernel is loaded elsewhere at each start: its symbols have moved by as much as the one
 * that the recording names. */
static void
find_shift(struct perfdata *pd, const struct symbolizer *names)
{
	struct perf_places *p = &pd->places;
	const struct symbols *s = symbolize_symbols(names);
	const struct text name = dict_text(pd->d->dict, p->text);
	size_t i;

	for (i = 0; name.s && i < symbols_count(s); i++)
		if (text_is(name, symbols_at(s, i)->name)) {
			p->shift = symbols_at(s, i)->addr - p->text_addr;
			return;
		}
}

static int settle(struct perfdata *pd, struct place *p);

/* Finds the names of the kernel, or a module.  Modules are loaded anywhere: after another
 * start there are no names for them. */
static struct symbolizer *
find_kernel(struct perfdata *pd, struct objects *objects, struct place *p)
{
	struct perf_places *all = &pd->places;
	struct place *kernel = all->kernel == NO_ID ? p : &all->v[all->kernel];
	struct buf list = { 0 };
	struct kernel_facts facts = { .here = is_here(pd),
	    .kept = pd_beside_find_kallsyms(pd, &list) ? buf_str(&list) : NULL };
	struct symbolizer *names;

	if (all->text != NO_ID) {
		facts.name = dict_text(pd->d->dict, all->text);
		facts.addr = all->text_addr;
	}
	names = p != kernel && (settle(pd, kernel) < 0 || all->shift) ? NULL :
	    objects_find_kernel(objects, p->object, &facts);
	buf_free(&list);
	if (p == kernel && names)
		find_shift(pd, names);
	return names;
}

static struct symbolizer *
find_names(struct perfdata *pd, struct objects *objects, struct place *p)
{
	switch (p->kind) {
	case PLACE_KERNEL:
		return find_kernel(pd, objects, p);
	case PLACE_ANON:
		return objects_find_made(objects, p->object, is_here(pd));
	case PLACE_DUMP:
		return objects_set(objects, p->object, jit_dump_take_symbols(p->dump));
	default:
		return objects_find(objects, p->object);
	}
}

/* Finds the names of a place at its first address, and puts its object, which is left out
 * if it has no address. */
static int
settle(struct perfdata *pd, struct place *p)
{
	struct input_set *s = pd->d->session;
	struct objects *objects = objects_of(s);
	struct object_def def = NO_OBJECT;

	if (p->object != NO_ID)
		return 0;
	def.path = p->path;
	def.key = p->key;
	if (decode_object_def(pd->d, &def, &p->object) < 0)
		return -1;
	if (p->kind == PLACE_SYMBOL)
		return put_symbol(pd, p);
	p->names = find_names(pd, objects, p);
	if (p->names && p->names != s->names && !s->lines)
		symbolize_without_files(p->names);
	return 0;
}

/* Sets *at to the address in the symbols of a place: false if they have none. */
static bool
symbol_address(struct perfdata *pd, const struct place *p, uint64_t *at)
{
	if (p->kind == PLACE_ELF)
		return p->names && symbols_addr(symbolize_symbols(p->names), *at, at);
	*at += p->kind == PLACE_KERNEL ? pd->places.shift : 0;
	return p->names;
}

const struct unwind_row *
pd_places_row(struct perfdata *pd, const struct map *map, enum unwind_machine machine,
    uint64_t addr)
{
	struct place *p = &pd->places.v[map->place];
	uint64_t at = addr + map->shift;

	return p->kind == PLACE_ELF && settle(pd, p) == 0 && symbol_address(pd, p, &at) ?
	    symbols_row(symbolize_symbols(p->names), machine, at) : NULL;
}

/* Is it the padding before a function of the kernel? */
static bool
is_padding(struct perfdata *pd, uint32_t func)
{
	const uint32_t name = dict_def(pd->d->dict, REC_FUNC, func)[FUNC_NAME];

	return name != NO_ID && text_begins(dict_text(pd->d->dict, name), "__pfx_");
}

/* Finds the function at an address in a place. */
static int
find_func(struct perfdata *pd, struct place *p, uint64_t at, struct function *f)
{
	uint64_t found;
	int ret = 0;

	if (settle(pd, p) < 0)
		return -1;
	if (symbol_address(pd, p, &at) &&
	    (ret = symbolize_func(p->names, pd->d->out, at, &found)) > 0)
		f->func = (uint32_t)found;
	else if (ret == 0 && (ret = put_unknown(pd, p->object, &p->unknown)) == 0)
		f->func = p->unknown;
	f->addr = pd->addrs ? at : 0;
	f->padding = ret >= 0 && p->kind == PLACE_KERNEL && is_padding(pd, f->func);
	return ret < 0 ? -1 : 0;
}

/* Returns the place of an address in the kernel's mode that no mapping has.  A kernel in the
 * upper half of memory has none of the lower: a processor's sample may have the program's
 * address in the kernel's mode. */
static uint32_t
unmapped_kernel(const struct perf_places *all, uint64_t addr)
{
	return all->kernel_start >> 63 && !(addr >> 63) ? NO_ID : all->kernel;
}

int
pd_places_func(struct perfdata *pd, const struct map *map, uint64_t addr, bool kernel,
    struct function *f)
{
	struct perf_places *all = &pd->places;
	const uint32_t place = map ? map->place : kernel ? unmapped_kernel(all, addr) : NO_ID;
	const uint64_t at = addr + (map ? map->shift : 0);
	struct recent *r;

	if (place == NO_ID) {
		const int ret = put_unknown(pd, NO_ID, &all->nowhere);

		*f = (struct function){ .func = all->nowhere, .addr = pd->addrs ? addr : 0 };
		return ret;
	}
	r = perf_recent(all, place, at);
	if (r->place != place + 1 || r->at != at) {
		if (find_func(pd, &all->v[place], at, &r->f) < 0)
			return -1;
		r->place = place + 1;
		r->at = at;
	}
	*f = r->f;
	return 0;
}
