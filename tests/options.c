/* SPDX-License-Identifier: ISC */
/*
 * Runs several conversions in one process, each with options of its own:
 *
 *	options [FILE FORMAT OUTPUT [OPTION...] ,]...
 *
 * Each is like prof-to FORMAT OPTION... -o OUTPUT FILE, with the options of formats, --syms
 * and --no-demangle.  All options are read and all encoders made before the first file is
 * read, and all files are read before the first encoder ends.
 */
#include <err.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "codec/input_set.h"
#include "codec/unsupported.h"
#include "symbol/symbol_lists.h"
#include "symbol/symbolize.h"
#include "util/mem.h"

struct job {
	const char *path, *syms;
	struct opt own[3];
	struct opts given;
	struct diag diag;
	struct dict *dict;
	struct schema *schema;
	struct executables executables;
	struct symbolizer *names;
	struct output *out;
	struct pipeline p;
};

static void
no_memory(size_t size)
{
	errx(1, "%zu bytes wanted", size);
}

static void
check(struct job *j, int r)
{
	if (r < 0)
		errx(1, "%s", buf_str(&j->diag.error));
}

/* args: FILE FORMAT OUTPUT, then options, n in all. */
static void
begin(struct job *j, char **args, int n)
{
	const struct codec *to = codec_find(args[1]), *const *c;
	struct encode e;

	j->path = args[0];
	j->dict = dict_new();
	j->schema = schema_new();
	j->given.diag = &j->diag;
	j->own[0] = (struct opt){ .name = "syms", .kind = OPT_TEXT, .to = &j->syms };
	j->own[1] = (struct opt){ .name = "no-demangle", .to = &j->executables.mangled };
	opts_add(&j->given, "symbols", j->own);
	opts_add_group(&j->given, to->name, to->options);
	for (c = codec_table; *c; c++)
		opts_add_group(&j->given, (*c)->name, (*c)->read_options);
	check(j, opts_parse(&j->given, n - 2, args + 2));
	j->out = out_open(args[2], ZIP_NONE, &j->diag);
	e = (struct encode){ .out = j->out, .dict = j->dict, .diag = &j->diag,
	    .names = &j->names, .given = &j->given };
	codec_encode(to, &e, &j->p);
}

static void
read_file(struct job *j)
{
	struct input_set s = { .dict = j->dict, .schema = j->schema, .diag = &j->diag,
	    .given = &j->given, .executables = &j->executables, .out = j->p.first };
	struct record prof = rec_make(REC_PROF);

	prof.col[0].t = TEXT("1");
	if (j->syms)
		check(j, input_set_symbols(&s, symbols_nm(&j->executables, j->syms, &j->diag)));
	check(j, sink_put(s.out, &prof));
	check(j, input_set_read(&s, j->path, NULL, NULL));
	j->names = s.names;
	input_set_end(&s);
}

static void
end(struct job *j)
{
	struct record r = rec_make(REC_END);

	check(j, sink_put(j->p.first, &r));
	pipeline_free(&j->p);
	check(j, out_close(j->out, true));
	opts_free(&j->given);
	symbolize_free(j->names);
	dict_free(j->dict);
	schema_free(j->schema);
}

int
main(int argc, char **argv)
{
	struct job *job;
	int i, n, jobs = 0;

	mem_failed = no_memory;
	job = mem_alloc((size_t)argc, sizeof *job);
	for (i = 1; i < argc; i += n + 1) {
		for (n = 0; i + n < argc && strcmp(argv[i + n], ",") != 0; n++)
			;
		if (n < 3)
			errx(1, "expected FILE FORMAT OUTPUT");
		begin(&job[jobs++], argv + i, n);
	}
	for (i = 0; i < jobs; i++)
		read_file(&job[i]);
	for (i = 0; i < jobs; i++)
		end(&job[i]);
	free(job);
	return 0;
}
