/* SPDX-License-Identifier: ISC */
#include "io/temporary.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* Opens a file that never has a name or, if that is not possible, one that is unlinked at
 * once. */
int
temporary_file(struct buf *name)
{
	const char *dir = getenv("TMPDIR");
	struct buf path = { 0 };
	int fd = -1;

	if (!dir || !*dir)
		dir = "/tmp";
	name->n = 0;
	buf_printf(name, "temporary file in %s", dir);
#ifdef O_TMPFILE
	fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
#endif
	if (fd < 0) {
		buf_printf(&path, "%s/prof.XXXXXX", dir);
		buf_putc(&path, '\0');
		if ((fd = mkostemp(path.s, O_CLOEXEC)) >= 0)
			unlink(path.s);
		buf_free(&path);
	}
	return fd;
}
