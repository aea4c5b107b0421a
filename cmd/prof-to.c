/* SPDX-License-Identifier: ISC */
/* prof-to: encode profiles in a format. */
#include "tool.h"
#include "tools.h"

#include <fcntl.h>
#include <string.h>

#include "codec/unsupported.h"
#include "filter/filter.h"
#include "util/suggest.h"

static bool strict, losses, estimate;

static const struct opt opts[] = {
	{ "strict", 0, OPT_FLAG, NULL, &strict,
	    "fail if the format cannot hold everything", NULL },
	{ "losses", 0, OPT_FLAG, NULL, &losses,
	    "list what would be dropped, and convert nothing", NULL },
	{ "estimate", 0, OPT_FLAG, NULL, &estimate,
	    "estimate the stacks of a call graph (svg, folded)", NULL },
	OPT_END
};

static void take_format(struct tool *t);
static void help_of(struct tool *t, bool all, struct buf *b);

static struct tool tool = {
	.name = "prof-to",
	.usage = "FORMAT [options] [FILE...]",
	.summary = "Convert profiles to another format, or draw them.",
	.example = "prof-to svg -o flame.svg cpu.pprof",
	.heading = "encoding",
	.opts = opts,
	.writes = true,
	.formats = true,
	.take = take_format,
	.help_of = help_of,
};

static const struct codec *format;

/* Names of the formats that pass a test, separated by commas. */
static const char *
formats_that(bool (*passes)(const struct codec *c, const void *arg), const void *arg)
{
	static struct buf b;
	const struct codec *const *c;

	b.n = 0;
	for (c = codec_table; *c; c++)
		if ((*c)->encode && passes(*c, arg))
			buf_printf(&b, "%s%s", b.n ? ", " : "", (*c)->name);
	return buf_str(&b);
}

/* Has the format this option?  Several may. */
static bool
has_option(const struct codec *c, const void *name)
{
	const struct opt *o;

	for (o = c->options ? c->options->opts : NULL; o && o->name; o++)
		if (strcmp(o->name, name) == 0)
			return true;
	return false;
}

static bool
takes_stacks(const struct codec *c, const void *arg)
{
	(void)arg;
	return codec_takes_stacks(c);
}

/* ---- help ---- */

#define HELP_WIDTH 78		/* a terminal has 80 columns */
#define HELP_AT 12		/* column where a list begins */

/* Adds a word to a list, which began at *line with HELP_AT columns. */
static void
add_word(struct buf *b, size_t *line, const char *word)
{
	if (b->n > *line + HELP_AT)
		buf_puts(b, ", ");
	if (b->n - *line + strlen(word) >= HELP_WIDTH) {
		b->s[b->n - 1] = '\n';
		*line = b->n;
		buf_pad(b, HELP_AT);
	}
	buf_puts(b, word);
}

/* Adds the features with this support. */
static void
add_features(struct buf *b, const struct codec *c, enum support support)
{
	size_t line = b->n;
	int i;

	buf_printf(b, "  %-*s", HELP_AT - 2, support_name[support]);
	for (i = 0; i < FEATURES; i++)
		if (c->supports[i] == support)
			add_word(b, &line, feature_name[i]);
	buf_putc(b, '\n');
}

static bool
has_features(const struct codec *c, enum support support)
{
	int i;

	for (i = 0; i < FEATURES && c->supports[i] != support; i++)
		;
	return i < FEATURES;
}

static void
add_supports(struct buf *b, const struct codec *c)
{
	int i;

	buf_puts(b, "holds:\n");
	for (i = 1; i <= SUPPORTS; i++)		/* "no" comes last */
		if (has_features(c, (enum support)(i % SUPPORTS)))
			add_features(b, c, (enum support)(i % SUPPORTS));
	if (c->needs)
		buf_printf(b, "%-*s%s\n", HELP_AT, "needs:", c->needs);
}

/* Adds a format as a word, with its other name. */
static void
add_name(struct buf *b, size_t *line, const struct codec *c)
{
	struct buf word = { 0 };

	buf_puts(&word, c->name);
	if (c->alias)
		buf_printf(&word, " (%s)", c->alias);
	add_word(b, line, buf_str(&word));
	buf_free(&word);
}

/* Adds the formats that are written, by their purpose. */
static void
add_formats(struct buf *b)
{
	const struct codec *const *c;
	int i;

	for (i = 1; i <= PURPOSES; i++) {		/* profilers come last */
		const enum purpose purpose = (enum purpose)(i % PURPOSES);
		size_t line = b->n;

		buf_printf(b, "%-*s", HELP_AT, purpose_name[purpose]);
		for (c = codec_table; *c; c++)
			if ((*c)->encode && (*c)->purpose == purpose)
				add_name(b, &line, *c);
		buf_putc(b, '\n');
	}
	buf_puts(b, "\nprof-to FORMAT --help: what the format holds, and its options\n\n");
}

static void
help_of(struct tool *t, bool all, struct buf *b)
{
	const struct codec *c = t->nfiles ? codec_find(t->files[0]) : NULL;
	size_t i;

	t->options.table->own = !c || !c->options;
	for (i = t->format_from; i < t->format_to; i++) {
		struct opt_table *table = &t->options.table[i];

		table->own = c && table->group == c->options;
		table->hidden = c ? !table->own : !all;
	}
	if (!c) {
		add_formats(b);
		return;
	}
	if (!c->encode && !c->decode)
		return;
	buf_printf(b, "%s: %s\n", c->name, c->summary);
	add_supports(b, c);
	buf_putc(b, '\n');
}

/* ---- the format ---- */

/* The first operand. */
static void
take_format(struct tool *t)
{
	const char *name = *t->files;

	if (!t->nfiles)
		tool_misuse(t, "no format given; known formats: %s",
		    codec_names(CODEC_WRITE));
	if (!(format = codec_find(name)))
		tool_misuse(t, "unknown format '%s'%s; known formats: %s", name,
		    suggest_suffix(codec_suggest(name, CODEC_WRITE)), codec_names(CODEC_WRITE));
	if (!format->encode)
		tool_misuse(t, "%s cannot be written", format->name);
	t->files++;
	t->nfiles--;
}

/* Checks that options belong to the format. */
static void
check_options(const struct codec *c)
{
	size_t i;

	for (i = tool.format_from; i < tool.format_to; i++) {
		const struct opt *given = tool.options.table[i].given;

		if (given && !has_option(c, given->name))
			tool_misuse(&tool, "--%s is only for %s", given->name,
			    formats_that(has_option, given->name));
	}
	if (estimate && !codec_takes_stacks(c))
		tool_misuse(&tool, "--estimate is only for %s",
		    formats_that(takes_stacks, NULL));
}

/* With --losses, the encoder writes to nowhere, and the list goes to the output; otherwise
 * the encoder has the output. */
static struct encode
open_output(void)
{
	struct encode e;

	tool.zip = losses ? ZIP_NONE : format->zip;
	e = tool_output(&tool);
	e.strict = strict;
	if (losses) {
		e.losses = e.out;
		e.out = out_fd(open("/dev/null", O_WRONLY | O_CLOEXEC), "/dev/null", &tool.diag);
	}
	return e;
}

int
prof_to(int argc, char **argv)
{
	struct pipeline p;
	struct encode e;
	int r;

	tool_begin(&tool, argc, argv);
	check_options(format);
	p = tool_filters(&tool);
	if (estimate) {
		tool_show_progress(&tool);
		pipeline_add(&p, filter_estimate(tool.dict, &tool.diag));
	}
	e = open_output();
	codec_encode(format, &e, &p);
	r = tool_run(&tool, &p);
	r = tool_end(&tool, &p, r, EXIT_DONE);
	if (losses)
		out_close(e.out, true);
	return r;
}
