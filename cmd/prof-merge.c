/* SPDX-License-Identifier: ISC */
/* prof-merge: sum profiles into one, in normal form. */
#include "tool.h"

#include <string.h>

#include "merge.h"

static const char *by, *op = "sum";

static const struct opt opts[] = {
	{ "by", 'b', OPT_TEXT, "LIST", &by,
	    "tell apart by function, file, object, line, ...", NULL },
	{ "op", 0, OPT_CHOICE, "OP", &op,
	    "what becomes of the costs of several runs: sum, min, max, median",
	    "sum|min|max|median" },
	OPT_END
};

static struct tool tool = {
	.name = "prof-merge",
	.usage = "[options] [FILE...]",
	.says = "Sum profiles into one, in normal form.",
	.example = "prof-merge callgrind.out.* | prof-top",
	.opts = opts,
	.writes = true,
};

int
main(int argc, char **argv)
{
	struct merge_how how = { 0 };
	struct merge *merge;
	struct sink *out;
	int r;

	tool_begin(&tool, argc, argv);
	if (by_parse(by, how.by, &how.nby, &tool.diag) < 0)
		tool_misuse(&tool, "%s", buf_str(&tool.diag.error));
	how.op = strcmp(op, "min") == 0 ? MERGE_MIN : strcmp(op, "max") == 0 ? MERGE_MAX :
	    strcmp(op, "median") == 0 ? MERGE_MEDIAN : MERGE_SUM;
	how.dict = tool.dict;
	how.diag = &tool.diag;
	merge = merge_new(&how);
	out = tool_stream(&tool);
	/* At once: who dies on the way has begun what it has not ended. */
	r = merge_begin(merge, out);
	out_flush(tool.out);
	if (r == 0)
		r = tool_run(&tool, merge_sink(merge));
	if (r == 0)
		r = merge_write(merge, out);
	merge_free(merge);
	return tool_end(&tool, out, r, EXIT_DONE);
}
