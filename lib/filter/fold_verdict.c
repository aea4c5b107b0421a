/* SPDX-License-Identifier: ISC */
/* Which functions are folded. */
#include "filter/folder.h"

#include "util/mem.h"

int
folder_overflow(struct folder *fd)
{
	return diag_fail_plain(fd->diag, "a sum of folded costs does not fit 128 bits");
}

static unsigned char *
verdict(struct folder *fd, uint64_t func)
{
	fd->verdict = mem_reach(fd->verdict, &fd->capverdict, func, 1, 0);
	return &fd->verdict[func];
}

bool
folder_ask(struct folder *fd, uint64_t func)
{
	bool fresh;
	uint32_t bare = dict_func_bare(fd->dict, func, &fresh);
	unsigned char v = *verdict(fd, bare);

	if (!(v & FOLDER_ASKED))
		v |= FOLDER_ASKED | (fd->folds(fd->arg, bare) ? FOLDER_FOLDS : 0);
	*verdict(fd, bare) = v;
	/* What was shared is counted of `bare`. */
	*verdict(fd, func) |= v & (FOLDER_ASKED | FOLDER_FOLDS);
	return v & FOLDER_FOLDS;
}

void
folder_forget(struct folder *fd)
{
	size_t i;

	for (i = 0; i < fd->capverdict; i++)
		fd->verdict[i] &= FOLDER_SHARED | FOLDER_ROOTED;
	fd->func_before = UINT64_MAX;
}

void
folder_count(struct folder *fd, uint32_t bare, unsigned what)
{
	unsigned char *v = verdict(fd, bare);

	if (!(*v & what))
		++*(what == FOLDER_SHARED ? &fd->nshared : &fd->nrooted);
	*v |= (unsigned char)what;
}
