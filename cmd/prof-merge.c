/* SPDX-License-Identifier: ISC */
/* prof-merge: sum profiles into one, in normal form. */
#include "tool.h"
#include "tools.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/progress.h"
#include "io/workers.h"
#include "filter/filter.h"
#include "sum/merge.h"
#include "util/mem.h"

#define MANY_FILES 16
#define MOST_JOBS 256

static const char *by, *keep_labels;
static int op = MERGE_SUM;
static uint64_t jobs;
static bool keep_going;

static const struct opt opts[] = {
	{ "by", 'b', OPT_TEXT, "LIST", &by,
	    "group by function, file, object, line, ...", BY_CHOICES },
	{ "op", 0, OPT_ENUM, "OP", &op,
	    "sum, or for runs min, max, median, mean or stats",
	    "sum|min|max|median|mean|stats" },
	TOOL_KEEP_LABELS(&keep_labels),
	{ "jobs", 'j', OPT_COUNT, "N", &jobs,
	    "read files in N processes", NULL },
	{ "keep-going", 'k', OPT_FLAG, NULL, &keep_going,
	    "omit unreadable files, and exit with status 1", NULL },
	OPT_END
};

static struct tool tool = {
	.name = "prof-merge",
	.usage = "[options] [FILE...]",
	.summary = "Sum profiles into one, in normal form.",
	.example = "prof-merge callgrind.out.* | prof-top",
	.heading = "merging",
	.opts = opts,
	.writes = true,
	.writes_at_end = true,
};

static struct merge_how how;
static struct workers workers;
static char **paths;		/* of their output; ends with NULL */

/* The status of a worker, about its files. */
enum { LEFT_OUT = 0x10, NONE_READ = 0x20 };
static unsigned outcome;		/* the same for this process's files */

/* The sum of the tool's files, with the pipelines into it and from it to the output. */
struct merging {
	struct merge *merge;
	struct pipeline in, out;
	struct loss loss;
};

/* Does the operation make means?  A point has none. */
static bool
makes_means(void)
{
	return op >= MERGE_MEAN;
}

static struct pipeline
make_input(struct merging *m)
{
	struct pipeline p = tool_filters(&tool);

	if (makes_means())
		pipeline_add(&p, filter_flatten(FLATTEN_POINTS, NULL, tool.dict, &m->loss,
		    &tool.diag));
	if (how.op != MERGE_SUM)
		pipeline_add(&p, filter_labels(keep_labels, &m->loss));
	pipeline_add(&p, merge_sink(m->merge));
	return p;
}

static void
make_pipelines(struct merging *m)
{
	*m = (struct merging){ .merge = merge_new(&how) };
	m->in = make_input(m);
	tool_stream(&tool, &m->out);
}

/* Sums the tool's files.  With --keep-going, sums again without the files that cannot be
 * read, since some of their records were summed. */
static int
sum_files(struct merging *m)
{
	int r;

	while ((r = tool_run(&tool, &m->in)) < 0 && keep_going && !workers.v &&
	    !tool.diag.stopped && tool_leave_out(&tool)) {
		outcome |= LEFT_OUT;
		pipeline_free(&m->in);
		m->merge = merge_again(m->merge);
		loss_free(&m->loss);
		m->in = make_input(m);
	}
	if (r == 0 && !tool.any)
		outcome |= NONE_READ;
	return r;
}

/* Ends workers, after their output was summed. */
static int
end_workers(void)
{
	if (workers_end(&workers, &tool.diag) < 0)
		return -1;
	outcome = workers.any & LEFT_OUT;
	return workers.all & NONE_READ && !keep_going ? diag_fail_plain(&tool.diag,
	    "all files are empty") : 0;
}

/* Sums the tool's files into its output; returns the exit status. */
static int
merge_files(struct merging *m)
{
	/* Write it at once: a worker that dies must leave a visibly truncated stream. */
	int r = merge_begin(m->merge, m->out.first);

	out_flush(tool.out);
	if (r == 0)
		r = sum_files(m);
	if (workers.v && end_workers() < 0)
		r = -1;
	if (r == 0)
		r = loss_tell(&m->loss, "statistics of runs", false, &tool.diag);
	if (r == 0)
		r = merge_write(m->merge, m->out.first);
	pipeline_free(&m->in);
	merge_free(m->merge);
	loss_free(&m->loss);
	return tool_end(&tool, &m->out, r, outcome & LEFT_OUT ? EXIT_NO : EXIT_DONE);
}

/* Reads the i-th share of the files. */
static void
work(void *arg, size_t i, int fd)
{
	const size_t n = (size_t)tool.nfiles, jobs_n = *(const size_t *)arg;
	struct merging m;

	workers = (struct workers){ 0 };	/* those of the parent */
	tool.files += n * i / jobs_n;
	tool.nfiles = (int)(n * (i + 1) / jobs_n - n * i / jobs_n);
	tool.of_several = true;
	tool.none_will_do = true;	/* all files of a share may be empty */
	if (i)	/* one worker shows the progress of all */
		progress_hide();
	tool_be_worker(fd);
	make_pipelines(&m);
	_exit(merge_files(&m) == EXIT_TROUBLE ? EXIT_TROUBLE : (int)outcome);
}

/*
 * Returns how many processes read files: as many as requested, otherwise one per processor
 * if there are enough files to pay for starting them.  One if a file affects later ones, or
 * if all files are needed to decide what to keep.  One for runs, too: a worker's total of 0
 * would not count.
 */
static size_t
count_jobs(void)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	size_t n = jobs ? (size_t)jobs : tool.nfiles < MANY_FILES || processors < 1 ? 1 :
	    (size_t)processors;
	int i;

	if (n > (size_t)tool.nfiles)
		n = (size_t)tool.nfiles;
	for (i = 0; i < tool.nfiles && n > 1; i++)
		if (tool_is_exe(tool.files[i]))
			n = 1;
	if (how.op != MERGE_SUM || tool_needs_all() || n < 2)
		return 1;
	if (n > workers_most())
		n = workers_most();
	return n > MOST_JOBS ? MOST_JOBS : n;
}

static int
start_workers(void)
{
	size_t n = count_jobs(), i;
	int r;

	if (n == 1)
		return 0;
	r = workers_start(&workers, n, work, &n, &tool.diag);
	paths = mem_alloc(workers.n + 1, sizeof *paths);
	for (i = 0; i < workers.n; i++)
		paths[i] = mem_copy(workers.v[i].path, strlen(workers.v[i].path));
	tool_read_workers(&tool, paths, (int)workers.n);
	return r;
}

static void
free_paths(void)
{
	size_t i;

	for (i = 0; paths && paths[i]; i++)
		free(paths[i]);
	free(paths);
}

int
prof_merge(int argc, char **argv)
{
	struct merging m;
	size_t i;
	int status;

	tool_begin(&tool, argc, argv);
	if (group_by_parse(by, how.group_by, &how.ngroup_by, &tool.diag) < 0)
		tool_misuse(&tool, "%s", buf_str(&tool.diag.error));
	tool.lines = group_by_has(how.group_by, how.ngroup_by, BY_FILE);
	tool_check_labels(&tool, keep_labels);
	if (keep_labels && op == MERGE_SUM)
		diag_say(&tool.diag, DIAG_WARN, "--keep-labels has no effect without "
		    "--op: a sum keeps all labels");
	/* A share of one file also belongs to several. */
	for (i = 0; i < how.ngroup_by; i++) {
		tool.of_several |= how.group_by[i] == BY_SOURCE;
		if (how.group_by[i] == BY_COMM)
			tool_misuse(&tool, "--by: cannot group by comm: a sum keeps the "
			    "labels of samples; use prof-top --by comm");
	}
	tool.none_will_do = keep_going;
	how.op = (enum merge_op)op;
	tool.compares_runs = how.op != MERGE_SUM;
	how.dict = tool.dict;
	how.diag = &tool.diag;
	if (start_workers() < 0) {
		if (workers.v)
			workers_end(&workers, &tool.diag);
		return tool_end(&tool, NULL, -1, EXIT_DONE);
	}
	make_pipelines(&m);
	status = merge_files(&m);
	free_paths();
	return status;
}
