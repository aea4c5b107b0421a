/* SPDX-License-Identifier: ISC */
#include "symbol/symbol_lists.h"

#include <stdlib.h>
#include <string.h>

#include "util/mem.h"
#include "util/num.h"

/* ---- nm ---- */

/* Reads "ADDRESS TYPE NAME", with nm -S "ADDRESS SIZE TYPE NAME"; skips other lines, of
 * undefined symbols. */
static bool
nm_line(void *arg, char *line, struct symbol *sym)
{
	const char *p, *q;

	(void)arg;
	*sym = (struct symbol){ .limit = UINT64_MAX, .func = true };
	p = num_get_hex(line, &sym->addr);
	if (!p || p == line || *p++ != ' ')
		return false;
	if ((q = num_get_hex(p, &sym->size)) && q > p + 1 && *q == ' ')
		p = q + 1;
	else
		sym->size = 0;
	if (!*p || p[1] != ' ' || !p[2])
		return false;
	sym->global = *p == 'T' || *p == 'W' || *p == 'i';
	sym->text = *p != 'i';	/* an indirect function */
	sym->name = p + 2;
	return sym->global || *p == 't';
}

struct symbols *
symbols_nm(struct executables *x, const char *path, struct diag *d)
{
	return symbols_listed(x, path, SYMBOLS_LISTED, nm_line, NULL, d);
}

/* ---- a kernel ---- */

/* Reads "ADDRESS TYPE NAME", and for a module a TAB and "[MODULE]".  A symbol reaches to
 * the next one, of any type.  If several are at one address, perf takes the last, which is
 * the most specific one (__x64_sys_read, not __ia32_sys_read).  No symbol is stated to be a
 * function: marks such as "$x", which modules have on ARM64, are known by their names. */
static bool
kallsyms_line(void *module, char *line, struct symbol *sym)
{
	static const char types[] = "tTwWdDbB";
	const char *p, *of = NULL;
	char *tab;

	*sym = (struct symbol){ .limit = UINT64_MAX, .text = true };
	p = strnlen(line, 16) == 16 && num_get_hex16(line, &sym->addr) ? line + 16 :
	    num_get_hex(line, &sym->addr);
	if (!p || *p != ' ' || !p[1] || p[2] != ' ' || !p[3] || !sym->addr)
		return false;
	if (!memchr(types, p[1], sizeof types - 1))
		return false;
	sym->global = p[1] < 'a';
	sym->name = p + 3;
	if ((tab = strchr(line, '\t'))) {
		*tab = '\0';
		of = tab + 1;
	}
	return module ? of && strcmp(of, module) == 0 : !of;
}

struct symbols *
symbols_kallsyms(struct executables *x, const char *path, const char *module,
    struct diag *d)
{
	struct symbols *s = symbols_listed(x, path, SYMBOLS_LISTED_IN_ORDER, kallsyms_line,
	    (void *)module, d);

	if (s)
		symbols_join_names(s);
	return s;
}

/* ---- generated code ---- */

/* Reads a number in hex: perf also takes "0x" before it, which .NET and box64 write. */
static const char *
get_made(const char *p, uint64_t *out)
{
	return num_get_hex(p[0] == '0' && (p[1] | 0x20) == 'x' ? p + 2 : p, out);
}

/* Reads "ADDRESS SIZE NAME", and the name up to the end of the line. */
static bool
made_line(void *arg, char *line, struct symbol *sym)
{
	const char *p;

	(void)arg;
	*sym = (struct symbol){ .limit = UINT64_MAX, .text = true, .func = true, .global = true };
	if (!(p = get_made(line, &sym->addr)) || *p++ != ' ' ||
	    !(p = get_made(p, &sym->size)) || *p++ != ' ')
		return false;
	sym->name = p;
	return sym->size && *p;
}

struct symbols *
symbols_made(struct executables *x, const char *path, struct diag *d)
{
	struct symbols *s = symbols_listed(x, path, SYMBOLS_LISTED_IN_ORDER, made_line, NULL, d);

	if (s)
		symbols_join_names(s);
	return s;
}
