/* SPDX-License-Identifier: ISC */
/* Decides which functions are folded. */
#include "filter/fold_state.h"

#include "util/mem.h"

int
fold_overflow(struct fold *fd)
{
	return diag_fail_plain(fd->diag, "a sum of folded costs does not fit 128 bits");
}

static unsigned char *
verdict(struct fold *fd, uint64_t func)
{
	fd->verdict = mem_reach(fd->verdict, &fd->capverdict, func, 1, 0);
	return &fd->verdict[func];
}

bool
fold_ask(struct fold *fd, uint64_t func)
{
	bool fresh;
	uint32_t bare = dict_func_bare(fd->dict, func, &fresh);
	unsigned char v = *verdict(fd, bare);

	if (!(v & FOLD_ASKED))
		v |= FOLD_ASKED | (fd->folds(fd->arg, bare) ? FOLD_FOLDS : 0);
	*verdict(fd, bare) = v;
	/* Shared costs are counted for `bare`. */
	*verdict(fd, func) |= v & (FOLD_ASKED | FOLD_FOLDS);
	return v & FOLD_FOLDS;
}

void
fold_forget(struct fold *fd)
{
	size_t i;

	for (i = 0; i < fd->capverdict; i++)
		fd->verdict[i] &= FOLD_SHARED | FOLD_ROOTED;
	fd->func_before = NOT_YET;
}

void
fold_count(struct fold *fd, uint32_t bare, unsigned what)
{
	unsigned char *v = verdict(fd, bare);

	if (!(*v & what))
		++*(what == FOLD_SHARED ? &fd->nshared : &fd->nrooted);
	*v |= (unsigned char)what;
}
