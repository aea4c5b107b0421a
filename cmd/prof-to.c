/* SPDX-License-Identifier: ISC */
/* prof-to: encode profiles in a format. */
#include "filter/filter.h"
#include "tool.h"
#include "util/suggest.h"

#include <string.h>

static bool strict, estimate;
static const char *records, *layout;
static uint64_t version = UINT64_MAX;

static const struct opt opts[] = {
	{ "strict", 0, OPT_FLAG, NULL, &strict,
	    "what the format cannot hold is an error", NULL },
	{ "estimate", 0, OPT_FLAG, NULL, &estimate,
	    "estimate the stacks of folded from costs and calls", NULL },
	{ "layout", 0, OPT_CHOICE, "LAYOUT", &layout,
	    "byte order and word size of gmon: little64, ...",
	    "little32|little64|big32|big64" },
	{ "aprof-version", 0, OPT_COUNT, "N", &version,
	    "the version of aprof reports, 0 to 6", NULL },
	{ "records", 0, OPT_CHOICE, "KIND", &records,
	    "the records that a table is of: cost, call, ...",
	    "cost|call|jump|sample|point|vprof|raw|total" },
	OPT_END
};

static struct tool tool = {
	.name = "prof-to",
	.usage = "FORMAT [options] [FILE...]",
	.says = "Encode profiles in a format.",
	.example = "prof-grep -x main callgrind.out.1 | prof-to callgrind > main.callgrind",
	.heading = "encoding",
	.opts = opts,
	.writes = true,
};

int
main(int argc, char **argv)
{
	const struct codec *format;
	struct encode e;
	struct sink *encoder;
	int r;

	tool_begin(&tool, argc, argv);
	if (!tool.nfiles)
		tool_misuse(&tool, "no format given; known are %s", codec_names(true));
	format = codec_find(tool.files[0]);
	if (!format)
		tool_misuse(&tool, "unknown format '%s'%s; known are %s", tool.files[0],
		    suggest_say(suggest_in(text_of(tool.files[0]), codec_names(true), ", ")),
		    codec_names(true));
	if (!format->encode)
		tool_misuse(&tool, "%s cannot be written", format->name);
	if (records && format != &codec_tsv)
		tool_misuse(&tool, "--records is for tsv");
	if (layout && !strstr(format->name, "gmon"))
		tool_misuse(&tool, "--layout is for gmon");
	if (version != UINT64_MAX && format != &codec_aprof)
		tool_misuse(&tool, "--aprof-version is for aprof");
	if (version != UINT64_MAX && version > 6)
		tool_misuse(&tool, "--aprof-version: there are versions 0 to 6");
	if (estimate && format != &codec_folded)
		tool_misuse(&tool, "--estimate is for folded");
	tool.files++;
	tool.nfiles--;
	e = tool_output(&tool);
	e.strict = strict;
	e.layout = layout;
	if (version != UINT64_MAX)
		e.version = (int)version;
	e.records = records ? rec_find(text_of(records)) : NULL;
	encoder = format->encode(&e);
	if (estimate)
		encoder = filter_estimate(tool.dict, encoder, &tool.diag);
	r = tool_run(&tool, encoder);
	return tool_end(&tool, encoder, r, EXIT_DONE);
}
