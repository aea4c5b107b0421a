/* SPDX-License-Identifier: ISC */
#ifdef HAVE_ELFUTILS
#include "symbol/elfutils.h"

LIBRARY_FUNCTIONS(libdw, LIBDW);
LIBRARY_FUNCTIONS(libelf, LIBELF);

static struct library dw = LIBRARY_INIT(libdw, LIBDW, "libdw.so.1");
static struct library elf = LIBRARY_INIT(libelf, LIBELF, "libelf.so.1");

const char *
elfutils_load(void)
{
	const char *why = library_load(&elf);

	return why ? why : library_load(&dw);
}
#endif
