/* SPDX-License-Identifier: ISC */
#include "symbol/mapping.h"

#include "stream/field.h"

static uint64_t
get_addr(struct text attrs, const char *key)
{
	struct buf scratch = { 0 };
	struct text t = attr_get(attrs, key, &scratch);
	struct field f = { 0 };
	const bool good = t.s && field_get_addr(t, &f) && f.has == HAS_N;

	buf_free(&scratch);
	return good ? f.n : 0;
}

struct mapping
mapping_of(struct text attrs)
{
	struct mapping m = { .start = get_addr(attrs, "start"),
	    .limit = get_addr(attrs, "limit"), .offset = get_addr(attrs, "offset") };

	m.loaded = m.limit > m.start;
	return m;
}

bool
mapping_addr(const struct mapping *m, const struct symbols *symbols, uint64_t addr,
    uint64_t *in_file)
{
	*in_file = addr;
	return !m->loaded || (addr >= m->start && addr < m->limit && symbols &&
	    symbols_addr(symbols, addr - m->start + m->offset, in_file));
}
