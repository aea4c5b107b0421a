/* SPDX-License-Identifier: ISC */
/*
 * Which files beside a recording belong to it, as perf may write a directory: its file `data`
 * has the header, and there may be others.
 */
#include "perfdata.h"

#include <sys/stat.h>

bool
pd_beside_is_file(const struct perfdata *pd)
{
	return in_regular(pd->d->in) && !in_standard(pd->d->in);
}

bool
pd_beside_is_data(const struct perfdata *pd)
{
	return pd_beside_is_file(pd) && text_is(text_base_name(text_of(in_name(pd->d->in))),
	    "data");
}

void
pd_beside_add_directory(const struct perfdata *pd, struct buf *path)
{
	const char *name = in_name(pd->d->in);

	buf_add(path, name, (size_t)(text_base_name(text_of(name)).s - name));
}

bool
pd_beside_is_own(const struct perfdata *pd, const struct stat *st)
{
	struct stat first;

	return S_ISREG(st->st_mode) && stat(in_name(pd->d->in), &first) == 0 &&
	    first.st_uid == st->st_uid;
}

bool
pd_beside_find_kallsyms(const struct perfdata *pd, struct buf *path)
{
	struct stat st;

	path->n = 0;
	if (!pd_beside_is_data(pd))
		return false;
	pd_beside_add_directory(pd, path);
	buf_puts(path, "kcore_dir/kallsyms");
	return lstat(buf_str(path), &st) == 0 && pd_beside_is_own(pd, &st);
}
