/* SPDX-License-Identifier: ISC */
/* The files that a tool reads: its operands, the files of directories among them,
 * symbols. */
#include "tool_parts.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "codec/input_set.h"
#include "io/directory.h"
#include "io/interrupt.h"
#include "io/progress.h"
#include "io/snapshot.h"
#include "symbol/symbolize.h"
#include "symbol/symbol_lists.h"
#include "util/mem.h"

/* The operands, if there is a directory among them: copies. */
static struct {
	char **path;
	size_t n, cap;
} listed;
static char **readable;		/* those that tool_leave_out() has kept */
static int reading, read_before;	/* number of the file being read; number of files
					 * read before */

/* An output file in the directory would be read as a profile the next time. */
static void
refuse_output(struct tool *t, const char *folder, char **path, size_t n)
{
	struct stat in, out;
	size_t i;

	if (!tool_given.output || stat(tool_given.output, &out) < 0)
		return;
	for (i = 0; i < n; i++)
		if (stat(path[i], &in) == 0 && in.st_dev == out.st_dev &&
		    in.st_ino == out.st_ino)
			tool_misuse(t, "%s: the output file is in the directory %s, "
			    "which is read: write it elsewhere", tool_given.output, folder);
}

char **
tool_expand(struct tool *t, const char *path, char **list, size_t *n, size_t *cap)
{
	const size_t before = *n;

	list = directory_expand(path, codec_find_dir_file, list, n, cap, &t->diag);
	if (directory_is(path))
		refuse_output(t, path, list + before, *n - before);
	if (*n > INT_MAX)
		diag_fail_plain(&t->diag, "too many files: %zu", *n);
	if (t->diag.error.n)
		tool_fail(t);
	return list;
}

/* Replaces a directory by its files, and no operand by standard input. */
void
tool_list_files(struct tool *t)
{
	static char dash[] = "-", *standard[] = { dash };
	int i;

	if (!t->nfiles) {
		t->files = standard;
		t->nfiles = 1;
	}
	for (i = 0; i < t->nfiles && !directory_is(t->files[i]); i++)
		;
	if (i == t->nfiles)
		return;
	for (i = 0; i < t->nfiles; i++)
		listed.path = tool_expand(t, t->files[i], listed.path, &listed.n,
		    &listed.cap);
	t->files = listed.path;
	t->nfiles = (int)listed.n;
}

/* Reading the tool's own output would never end. */
static bool
is_output(const struct tool *t, const char *path)
{
	struct stat in, out;

	return out_stat(t->out, &out) == 0 && S_ISREG(out.st_mode) &&
	    (strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, &in) : stat(path, &in)) == 0 &&
	    in.st_dev == out.st_dev && in.st_ino == out.st_ino;
}

/* Returns an operand that is the same file; NULL: none. */
static const char *
named_too(const char *path, char **files, int n)
{
	struct stat a, b;
	int i;

	for (i = 0; i < n && stat(path, &a) == 0; i++)
		if (stat(files[i], &b) == 0 && a.st_dev == b.st_dev &&
		    a.st_ino == b.st_ino)
			return files[i];
	return NULL;
}

/*
 * Decodes the gmon.out of an executable named alone: the one in the current directory,
 * where the program writes it, otherwise the one next to the executable.  Not if it is also
 * an operand, which would count it twice: the operands are in the wrong order.
 */
static int
decode_gmon(struct tool *t, struct input_set *s, const char *exe, char **files, int n)
{
	const char *slash = strrchr(exe, '/');
	struct buf path = { 0 };
	const char *named;
	int r;

	if (slash && access("gmon.out", F_OK) < 0)
		buf_add(&path, exe, (size_t)(slash + 1 - exe));
	buf_puts(&path, "gmon.out");
	if (access(buf_str(&path), F_OK) < 0) {
		buf_free(&path);
		return diag_fail_plain(&t->diag, "%s: an executable, but no gmon.out is "
		    "in this directory or next to it", exe);
	}
	if ((named = named_too(buf_str(&path), files, n))) {
		buf_free(&path);
		return diag_fail_plain(&t->diag, "%s: name the executable before "
		    "its profiles (%s comes before it)", exe, named);
	}
	diag_say(&t->diag, DIAG_NOTE, "reading %s for %s", buf_str(&path), exe);
	r = input_set_read(s, buf_str(&path), NULL, NULL);
	t->names = s->names;	/* others, if the file is an executable */
	buf_free(&path);
	return r < 0 ? -1 : r == FILE_EXE ? diag_fail_plain(&t->diag,
	    "gmon.out: an executable, not a profile") : 0;
}

/* Reads the symbols that options name. */
static int
read_symbols(struct tool *t, struct input_set *s)
{
	if (tool_given.exe)
		return input_set_symbols(s, symbols_open(&t->executables,
		    tool_given.exe, &t->diag));
	return tool_given.syms ? input_set_symbols(s, symbols_nm(&t->executables, tool_given.syms,
	    &t->diag)) : 0;
}

static size_t
mebibytes(uint64_t n)
{
	return n > SIZE_MAX >> 20 ? 0 : (size_t)n << 20;
}

/* Seven lines, unless --max-whole is given: a small compressed file must not take half a
 * gigabyte. */
#define WHOLE_LINES 7

static size_t
max_whole(void)
{
	return mebibytes(tool_given.max_whole != UINT64_MAX ? tool_given.max_whole :
	    tool_given.max_line > UINT64_MAX / WHOLE_LINES ? 0 :
	    WHOLE_LINES * tool_given.max_line);
}

struct input *
tool_open(struct tool *t, const char *path)
{
	struct input *in = in_open(path, &t->diag);

	if (in)
		in_limit(in, mebibytes(tool_given.max_line), max_whole());
	return in;
}

/* Does it look like an executable?  Does not read from a pipe, which could not be read
 * again. */
bool
tool_is_exe(const char *path)
{
	struct stat st;
	char magic[4];
	bool elf;
	int fd;

	if (stat(path, &st) < 0 || !S_ISREG(st.st_mode) ||
	    (fd = open(path, O_RDONLY | O_CLOEXEC)) < 0)
		return false;
	elf = read(fd, magic, 4) == 4 && symbols_is_elf(magic, 4);
	close(fd);
	return elf;
}

const char *
tool_exe(void)
{
	return tool_given.exe;
}

static int
count_profiles(char **files, int n)
{
	int i, profiles = 0;

	for (i = 0; i < n; i++)
		profiles += !tool_is_exe(files[i]);
	return profiles;
}

static const struct codec *
from(void)
{
	return tool_given.from ? codec_find(tool_given.from) : NULL;
}

/* Returns a file of this directory that has the name which a format's producer gives it;
 * NULL: none. */
static const char *
usual_file(struct buf *b)
{
	const struct codec *const *c;
	char *name, *more;

	for (c = codec_table; *c; c++) {
		b->n = 0;
		buf_add(b, (*c)->patterns ? (*c)->patterns : "",
		    (*c)->patterns ? strlen((*c)->patterns) + 1 : 1);
		for (name = strtok_r(b->s, " ", &more); name;
		    name = strtok_r(NULL, " ", &more))
			if (!strchr(name, '*') && access(name, R_OK) == 0)
				return name;
	}
	return NULL;
}

void
tool_refuse_terminal(struct tool *t, const char *path)
{
	struct buf b = { 0 };
	const char *file;

	if (strcmp(path, "-") != 0 || !isatty(STDIN_FILENO))
		return;
	file = t->take ? NULL : usual_file(&b);
	if (file)
		tool_misuse(t, "standard input is a terminal, not a profile: to read %s, type "
		    "'%s %s'", file, t->name, file);
	tool_misuse(t, "standard input is a terminal, not a profile");
}

static int
decode_files(struct tool *t, struct input_set *s, char **files, int n)
{
	const char *exe = NULL;	/* one without a profile after it yet */
	const bool several = t->of_several || count_profiles(files, n) > 1;
	int i, r;

	t->any = false;
	for (i = 0; i < n; i++) {
		/* Decode before the symbols of the next one replace these. */
		if (exe && tool_is_exe(files[i])) {
			if (decode_gmon(t, s, exe, files, i) < 0)
				return -1;
			t->any = true;
		}
		reading = i;
		t->diag.say = i < read_before ? NULL : t->say;	/* it was reported
									 * before */
		tool_refuse_terminal(t, files[i]);
		progress_file();
		r = input_set_read(s, files[i], from(), several ? files[i] : NULL);
		t->names = s->names;	/* encoders may need them */
		if (r < 0)
			return -1;
		t->any |= r == FILE_DONE;
		exe = r == FILE_EXE ? files[i] : NULL;
	}
	if (exe)
		return decode_gmon(t, s, exe, files, n);
	return t->any || t->one_by_one || t->none_will_do ? 0 : diag_fail_plain(&t->diag,
	    "all files are empty");
}

static struct input_set
make_input_set(struct tool *t, struct sink *sink)
{
	return (struct input_set){ .dict = t->dict, .schema = t->schema, .out = sink,
	    .diag = &t->diag, .given = &t->options,
	    .executables = &t->executables, .by_addr = t->by_addr || tool_given.inlined,
	    .lines = t->lines, .inlined = tool_given.inlined,
	    .no_labels = t->no_labels, .lenient = tool_given.lenient,
	    .jobs = t->jobs, .by_lines = getenv("PROF_BY_LINES") != NULL,
	    .max_line = mebibytes(tool_given.max_line), .max_whole = max_whole() };
}

static int
decode_all(struct tool *t, struct sink *sink)
{
	struct input_set s = make_input_set(t, sink);
	struct record r = rec_make(REC_PROF);
	int ret, i;

	for (i = 0; i < t->nfiles; i++)	/* before anything is written */
		if (t->out && is_output(t, t->files[i]))
			return diag_fail_plain(&t->diag, "%s: the input file is the "
			    "output file", strcmp(t->files[i], "-") ? t->files[i] :
			    "standard input");
	r.col[0].t = TEXT("1");
	if (sink_put(sink, &r) < 0)
		return -1;
	symbolize_free(t->names);	/* of the previous call */
	t->names = NULL;
	ret = read_symbols(t, &s);
	t->names = s.names;
	if (ret == 0)
		ret = decode_files(t, &s, t->files, t->nfiles);
	input_set_end(&s);
	if (ret < 0)
		return -1;
	r = rec_make(REC_END);
	return sink_put(sink, &r);
}

int
tool_run(struct tool *t, struct pipeline *p)
{
	int r;

	t->none.n = 0;
	t->diag.stopped = false;
	if (t->shows)
		interrupt_begin();
	r = decode_all(t, p->first);
	snapshots_end();
	if (t->shows)
		interrupt_end();
	progress_clear();
	if (r == 0 && interrupt_came())
		diag_say(&t->diag, DIAG_NOTE, "interrupted: the result covers the input "
		    "read so far");
	/* If files are read one by one, the caller counts the rest. */
	if (t->none.n && !t->one_by_one)
		diag_say(&t->diag, DIAG_NOTE, "--where keeps nothing: %s",
		    buf_str(&t->none));
	return r;
}

void
tool_read_quietly(struct tool *t)
{
	read_before = t->nfiles;
	progress_hide();
}

/* Can the file be read a second time? */
static bool
is_regular(const char *path)
{
	struct stat st;

	return strcmp(path, "-") != 0 && (stat(path, &st) < 0 || S_ISREG(st.st_mode));
}

/* Lists the files that can be read, in a new array: operands stay the same. */
static int
list_readable(struct tool *t, struct input_set *s)
{
	char **kept = mem_alloc((size_t)t->nfiles + 1, sizeof *kept);
	int i, n = 0;

	for (i = 0; i < t->nfiles; i++) {
		t->diag.say = NULL;	/* reported when the files are summed */
		if (input_set_read(s, t->files[i], from(), t->files[i]) >= 0)
			kept[n++] = t->files[i];
		t->diag.say = t->say;
		if (t->diag.error.n)
			diag_demote(&t->diag, DIAG_WARN, "left out: ");
	}
	free(readable);
	t->files = readable = kept;
	return n;
}

int
tool_leave_out(struct tool *t)
{
	struct sink nowhere = { .put = sink_drop };
	struct input_set s = make_input_set(t, &nowhere);
	struct buf error = t->diag.error;
	int i, left = 0, n;

	for (i = 0; i < t->nfiles && is_regular(t->files[i]); i++)
		;
	if (i < t->nfiles) {
		diag_say(&t->diag, DIAG_WARN, "--keep-going: '%s' is not a regular file, "
		    "and cannot be read again", t->files[i]);
		return 0;
	}
	t->diag.error = (struct buf){ 0 };
	n = list_readable(t, &s);
	left = t->nfiles - n;
	t->nfiles = n;
	t->diag.say = NULL;
	input_set_end(&s);
	t->diag.say = t->say;
	symbolize_free(s.names);
	progress_end();
	read_before = reading;
	if (left)
		buf_free(&error);
	else
		t->diag.error = error;
	return left;
}

void
tool_free_files(void)
{
	size_t i;

	for (i = 0; i < listed.n; i++)
		free(listed.path[i]);
	free(listed.path);
	free(readable);
}
