/* SPDX-License-Identifier: ISC */
/* prof-cat: decode profiles of any format to the canonical stream. */
#include "symbol/symbols.h"
#include "tool.h"
#include "tools.h"
#include "view/info.h"

static bool list_formats, probe, info;

static const struct opt opts[] = {
	{ "probe", 0, OPT_FLAG, NULL, &probe, "print the format of each file", NULL },
	{ "info", 0, OPT_FLAG, NULL, &info, "summarise each file", NULL },
	{ "list-formats", 0, OPT_FLAG, NULL, &list_formats, "list the formats", NULL },
	OPT_END
};

static const struct opt more[] = {
	TOOL_JOBS,
	OPT_END
};

static struct tool tool = {
	.name = "prof-cat",
	.usage = "[options] [FILE...]",
	.summary = "Decode profiles of any format to the stream of records.",
	.example = "prof-cat callgrind.out.123 | prof-grep main | prof-to callgrind",
	.heading = "formats",
	.opts = opts,
	.more = more,
	.writes = true,
	.pages = true,
};

static int
print_formats(void)
{
	struct output *out = tool_output(&tool).out;
	const struct codec *const *c;

	for (c = codec_table; *c; c++)
		out_printf(out, "%s\t%s\t%s%s%s\n", (*c)->name,
		    (*c)->decode && (*c)->encode ? "read,write" :
		    (*c)->decode ? "read" : "write", (*c)->summary,
		    (*c)->patterns ? "\t" : "", (*c)->patterns ? (*c)->patterns : "");
	return tool_end(&tool, NULL, 0, EXIT_DONE);
}

/* Prints "NAME: FORMAT" of a file; EXIT_NO if the format is unknown, -1 with the diag set
 * if the file cannot be read. */
static int
print_probe(struct output *out, const char *path)
{
	struct input *in = tool_open(&tool, path);
	const struct codec *c = NULL;
	const char *p;
	long n = in && codec_probe(in, &c) == 0 ? in_peek(in, &p) : -1;

	if (n >= 0) {
		tool_put_name(&tool, in_name(in));
		out_printf(out, ": %s%s%s\n",
		    in_packed_cut(in) ? "truncated" : n == 0 ? "empty" : c ? c->name :
		    symbols_is_elf(p, (size_t)n) ? "executable" : "unknown",
		    in_zip(in) != ZIP_NONE ? ", " : "",
		    in_zip(in) != ZIP_NONE ? zip_name(in_zip(in)) : "");
	}
	in_close(in);
	return n < 0 ? -1 : c ? EXIT_DONE : EXIT_NO;
}

static int
print_probes(void)
{
	struct output *out = tool_output(&tool).out;
	int i, r, status = EXIT_DONE;

	for (i = 0; i < tool.nfiles; i++) {
		r = print_probe(out, tool.files[i]);
		if (r < 0) {	/* the other files are still probed */
			tool_say_error(&tool);
			r = EXIT_TROUBLE;
		}
		status = r > status ? r : status;
	}
	return tool_end(&tool, NULL, 0, status);
}

static int
print_info(void)
{
	struct info *i = info_new(tool.dict, &tool.diag);
	struct pipeline p = tool_filters(&tool);
	struct encode e;
	int r;

	pipeline_add(&p, info_sink(i));
	r = tool_run(&tool, &p);
	if (r == 0) {
		e = tool_output(&tool);
		info_print(i, e.out, e.width);
	}
	pipeline_free(&p);
	info_free(i);
	return tool_end(&tool, NULL, r, EXIT_DONE);
}

int
prof_cat(int argc, char **argv)
{
	struct pipeline p;
	int r;

	tool_begin(&tool, argc, argv);
	if (list_formats)
		return print_formats();
	if (probe)
		return print_probes();
	if (info)
		return print_info();
	p = tool_filters(&tool);
	tool_stream(&tool, &p);
	r = tool_run(&tool, &p);
	return tool_end(&tool, &p, r, EXIT_DONE);
}
