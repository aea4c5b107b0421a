/* SPDX-License-Identifier: ISC */
/* The sources of the programs that profiles are of, which may be read wherever they are. */
#include "tool.h"

#include <string.h>

#include "symbol/sources.h"

static struct sources *sources;	/* made when a source is not at its path */
static struct text command;

/* Adds the program at the beginning of a command line. */
static void
add_command(struct text cmd)
{
	struct buf program = { 0 };

	buf_add(&program, cmd.s, cmd.n ? strcspn(cmd.s, " ") : 0);
	sources_add_owned(sources, buf_str(&program));
	buf_free(&program);
}

static void
add_programs(const struct tool *t)
{
	struct buf path = { 0 };
	uint32_t i;
	int k;

	if (tool_exe())
		sources_add(sources, tool_exe());
	for (k = 0; k < t->nfiles; k++)
		if (tool_is_exe(t->files[k]))
			sources_add(sources, t->files[k]);
	add_command(command);
	for (i = 0; i < dict_count(t->dict, REC_OBJECT); i++) {
		path.n = 0;
		buf_text(&path, dict_object_path(t->dict, i));
		sources_add_owned(sources, buf_str(&path));
	}
	buf_free(&path);
}

void
tool_find_sources(struct text cmd)
{
	command = cmd;
}

bool
tool_is_source(void *arg, const struct stat *st)
{
	if (!sources) {
		sources = sources_new();
		add_programs(arg);
	}
	return sources_has(sources, st);
}

void
tool_forget_sources(void)
{
	sources_free(sources);
	sources = NULL;
}
