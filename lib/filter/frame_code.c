/* SPDX-License-Identifier: ISC */
#include "filter/frame_code.h"

#include <string.h>

/* What a linker makes has no lines: "strcmp@plt". */
static bool
is_stub(struct text name)
{
	return name.n >= 4 && memcmp(name.s + name.n - 4, "@plt", 4) == 0;
}

struct symbolizer *
frame_code(struct objects *o, struct dict *dict, uint32_t func, uint32_t addr,
    uint64_t *in_file)
{
	const uint32_t object = dict_def(dict, REC_FUNC, func)[FUNC_OBJECT];
	struct symbolizer *s = objects_find(o, object);
	struct field at = { 0 };

	return s && symbols_has_lines(symbolize_symbols(s)) &&
	    !is_stub(dict_func_name(dict, func)) &&
	    field_get_addr(dict_text(dict, addr), &at) && (at.has & HAS_N) &&
	    objects_locate(o, func, at.n, in_file) ? s : NULL;
}
