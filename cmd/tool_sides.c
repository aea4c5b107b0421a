/* SPDX-License-Identifier: ISC */
#include "tool_sides.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "filter/filter.h"
#include "rules/rules.h"
#include "sum/noise.h"

/* ---- their files ---- */

bool
sides_are_given(const struct tool *t)
{
	return t->nfirst > 0 && t->nfirst < t->nfiles;
}

/* Returns the number of profiles among files, and sets the last executable, which has the
 * names of the files after it.  Executables alone stand for the profiles that they left. */
static size_t
count_profiles(char *const *files, size_t n, const char **exe)
{
	size_t i, profiles = 0;

	for (i = 0; i < n; i++) {
		if (tool_is_exe(files[i]))
			*exe = files[i];
		else
			profiles++;
	}
	return profiles ? profiles : n;
}

/* `exe`: the last executable before these operands; NULL: none. */
static void
set_side(struct tool *t, struct side *s, const char *exe, char **operands, int n)
{
	size_t i = 0;
	int k;

	if (exe && !tool_is_exe(operands[0]))
		s->files = tool_expand(t, exe, s->files, &s->nfiles, &s->capfiles);
	for (k = 0; k < n; k++)
		s->files = tool_expand(t, operands[k], s->files, &s->nfiles, &s->capfiles);
	s->runs = count_profiles(s->files, s->nfiles, &s->exe);
	while (i + 1 < s->nfiles && tool_is_exe(s->files[i]))
		i++;
	if (tool_drops_fact("diff"))	/* that is, the sides' names */
		buf_puts(&s->name, s->word);
	else if (s->runs > 1)
		buf_printf(&s->name, "%s and %zu more", s->files[i], s->runs - 1);
	else
		buf_puts(&s->name, s->files[i]);
}

/* After "--" an option would be taken for a file. */
static void
check_new_files(struct tool *t)
{
	int i;

	for (i = t->nfirst; i < t->nfiles; i++)
		if (t->files[i][0] == '-' && t->files[i][1])
			tool_misuse(t, "%s: options go before '--'; a file of that name is "
			    "./%s", t->files[i], t->files[i]);
}

/* A baseline that is missing is told from one that is damaged: its job has to make it. */
static void
check_baseline(struct tool *t, const char *path)
{
	if (access(path, F_OK) == 0)
		return;
	diag_fail_plain(&t->diag, "--baseline: %s: %s: keep one with prof-cat -o %s OLD...",
	    path, strerror(errno), path);
	exit(tool_end(t, NULL, -1, EXIT_TROUBLE));
}

/* All operands are new. */
static void
take_baseline(struct sides *s)
{
	char *baseline[] = { (char *)(uintptr_t)s->baseline };
	struct tool *t = s->tool;

	if (sides_are_given(t))
		tool_misuse(t, "--baseline: all files are new: '--' cannot separate them");
	if (!t->nfiles)
		tool_misuse(t, "--baseline: expected the new files, found none");
	check_baseline(t, s->baseline);
	set_side(t, &s->side[SIDE_OLD], NULL, baseline, 1);
	set_side(t, &s->side[SIDE_NEW], NULL, t->files, t->nfiles);
}

/* Returns how many operands are the old side's: the first profile, and executables before
 * it. */
static int
count_old(struct tool *t)
{
	const char *exe = NULL;
	const size_t n = count_profiles(t->files, (size_t)t->nfiles, &exe);
	int first;

	if (n < 2 && exe)
		tool_misuse(t, "expected two profiles, found %zu: %s is an executable", n, exe);
	if (n != 2)
		tool_misuse(t, "expected two files, found %zu%s", n,
		    n > 2 ? "; for several runs: OLD... -- NEW..." : "");
	for (first = 1; first + 1 < t->nfiles && tool_is_exe(t->files[first - 1]); first++)
		;
	return first;
}

static void
take_operands(struct sides *s)
{
	struct tool *t = s->tool;
	int first = t->nfirst;

	if (sides_are_given(t))
		check_new_files(t);
	else
		first = count_old(t);
	set_side(t, &s->side[SIDE_OLD], NULL, t->files, first);
	set_side(t, &s->side[SIDE_NEW], s->side[SIDE_OLD].exe, t->files + first,
	    t->nfiles - first);
}

void
sides_find(struct sides *s)
{
	s->side[SIDE_OLD].word = "old";
	s->side[SIDE_NEW].word = "new";
	if (s->baseline)
		take_baseline(s);
	else
		take_operands(s);
	s->several = s->side[SIDE_OLD].runs + s->side[SIDE_NEW].runs > 2;
	s->tool->compares_runs = s->several;
}

/* ---- their sums ---- */

/* Sums a side's files, or computes the means of several runs.  For points, the cost is
 * used. */
static int
read_side(struct sides *sides, size_t which)
{
	struct tool *t = sides->tool;
	struct side *s = &sides->side[which];
	struct loss loss = { 0 };
	struct pipeline p = tool_filters(t);
	int r;

	pipeline_add(&p, &sides->measured[which].sink);
	if (sides->rename)
		pipeline_add(&p, rules_match(sides->rename, s->word, t->dict, &t->diag));
	pipeline_add(&p, filter_flatten(FLATTEN_POINTS, NULL, t->dict, &loss, &t->diag));
	pipeline_add(&p, filter_labels(sides->keep_labels, &loss));
	pipeline_add(&p, merge_sink(s->merge));
	t->files = s->files;
	t->nfiles = (int)s->nfiles;
	r = tool_run(t, &p);
	if (r == 0 && t->none.n)
		r = diag_fail_plain(&t->diag, "%s: the %s profile has nothing to compare",
		    buf_str(&s->name), s->word);
	if (r == 0 && sides->several && merge_runs(s->merge) < NOISE_LEAST_RUNS)
		r = diag_fail_plain(&t->diag, "%s: comparing runs needs at least two %s "
		    "profiles, found %ju", buf_str(&s->name), s->word,
		    (uintmax_t)merge_runs(s->merge));
	if (r == 0)
		r = loss_tell(&loss, "a difference", false, &t->diag);
	pipeline_free(&p);
	loss_free(&loss);
	return r;
}

/* Costs that were measured differently are compared, but not in silence. */
static int
check_measured(struct sides *s)
{
	struct buf differences = { 0 };
	struct diag *d = &s->tool->diag;
	int r = 0;

	measurement_compare(s->measured, &differences);
	if (differences.n && s->strict)
		r = diag_fail_plain(d, "--strict: the sides were measured differently: %s",
		    buf_str(&differences));
	else if (differences.n)
		diag_say(d, DIAG_WARN, "the sides were measured differently: %s",
		    buf_str(&differences));
	buf_free(&differences);
	return r;
}

int
sides_read(struct sides *s, const struct merge_how *how)
{
	size_t i;
	int r = 0;

	for (i = 0; i < SIDES; i++) {
		s->side[i].merge = merge_new(how);
		measurement_init(&s->measured[i], s->tool->dict);
	}
	for (i = 0; i < SIDES && r == 0; i++)
		r = read_side(s, i);
	return r < 0 ? r : check_measured(s);
}

void
sides_free(struct sides *s)
{
	struct side *side;

	for (side = s->side; side < s->side + SIDES; side++) {
		merge_free(side->merge);
		buf_free(&side->name);
		while (side->nfiles)
			free(side->files[--side->nfiles]);
		free(side->files);
		measurement_free(&s->measured[side - s->side]);
	}
}
