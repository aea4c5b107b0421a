/* SPDX-License-Identifier: ISC */
#include "stream/codec.h"

#include <fcntl.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/suggest.h"

/* All formats, in the order in which they are listed and probed: codec_NAME. */
#define FORMATS(X) \
	X(callgrind) X(cachegrind) X(aprof) X(folded) X(pprof) X(pprof_legacy) X(otlp) \
	X(perf) X(perfdata) X(jfr) X(macos_sample) X(instruments) X(stacks) \
	X(pstats) X(tachyon) X(stackprof) X(coverage) X(rprof) X(ghc) \
	X(massif) X(dhat) X(heaptrack) X(heapprofile) \
	X(gmon) X(gmon_bsd44) X(gmon_bsd) X(xprof) X(prof) X(tsv) X(json) X(text) \
	X(svg) X(dot) X(speedscope) X(firefox) X(cpuprofile) X(trace)

#define DECLARE(name) extern const struct codec codec_##name;
#define REFER(name) &codec_##name,

FORMATS(DECLARE)

const struct codec *const codec_table[] = { FORMATS(REFER) NULL };

const struct codec *
codec_find(const char *name)
{
	const struct codec *const *c;

	for (c = codec_table; *c; c++)
		if (strcmp((*c)->name, name) == 0 ||
		    ((*c)->alias && strcmp((*c)->alias, name) == 0))
			break;
	return *c;
}

/* Calls the probes that are weak, or the others, and returns the best result. */
static int
probe_head(const char *p, size_t n, bool weak, int most, const struct codec **best)
{
	const struct codec *const *c;

	for (c = codec_table; *c; c++) {
		int sure;

		if (!(*c)->probe || weak != ((*c)->probe_most > 0) ||
		    (weak && (*c)->probe_most <= most))
			continue;
		sure = (*c)->probe(p, n);
		if (sure > most) {
			most = sure;
			*best = *c;
		}
	}
	return most;
}

static int
probe_whole(struct input *in, const char *head, size_t nhead, const struct codec **best)
{
	const struct codec *const *c;
	const char *p = NULL;
	size_t n;

	for (c = codec_table; *c && !*best; c++) {
		if (!(*c)->probe_whole || (*c)->probe(head, nhead) != PROBE_WHOLE)
			continue;
		if (!p && in_all(in, &p, &n) < 0)
			return -1;
		head = p;
		if ((*c)->probe_whole(p, n))
			*best = *c;
	}
	return 0;
}

int
codec_probe(struct input *in, const struct codec **best)
{
	const char *p;
	long n = in_peek(in, &p);
	int most;

	*best = NULL;
	if (n <= 0)
		return n < 0 ? -1 : 0;
	most = probe_head(p, (size_t)n, false, 0, best);
	probe_head(p, (size_t)n, true, most, best);
	return *best ? 0 : probe_whole(in, p, (size_t)n, best);
}

/* Do the first bytes of a file make it sure that it is of the format?  A link does not count,
 * as in any directory. */
static bool
is_of(const struct codec *c, const char *path)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat st;
	char head[64];
	ssize_t n;
	bool is;

	if (fd < 0)
		return false;
	is = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    (n = read(fd, head, sizeof head)) > 0 && c->probe(head, (size_t)n) > 0;
	close(fd);
	return is;
}

bool
codec_find_dir_file(const char *dir, struct buf *file)
{
	const struct codec *const *c;

	for (c = codec_table; *c; c++) {
		if (!(*c)->dir_file)
			continue;
		file->n = 0;
		buf_printf(file, "%s%s%s", dir, dir[strlen(dir) - 1] == '/' ? "" : "/",
		    (*c)->dir_file);
		if (is_of(*c, buf_str(file)))
			return true;
	}
	return false;
}

static bool
has_use(const struct codec *c, enum codec_use use)
{
	return use == CODEC_WRITE ? c->encode != NULL : c->decode != NULL;
}

const char *
codec_names(enum codec_use use)
{
	static struct buf text[2];	/* constant texts, the same in each call */
	const struct codec *const *c;
	struct buf *b = &text[use];

	b->n = 0;
	for (c = codec_table; *c; c++)
		if (has_use(*c, use))
			buf_printf(b, "%s%s", b->n ? ", " : "", (*c)->name);
	return buf_str(b);
}

static bool
is_synonym(const struct codec *c, const char *word)
{
	const char *list = c->synonyms;
	struct text t;

	while (list_next(&list, &t))
		if (strlen(word) == t.n && strncasecmp(word, t.s, t.n) == 0)
			return true;
	return false;
}

const char *
codec_suggest(const char *word, enum codec_use use)
{
	const struct codec *const *c;

	for (c = codec_table; *c; c++)
		if (has_use(*c, use) && is_synonym(*c, word))
			return (*c)->name;
	return suggest_in(text_of(word), codec_names(use), ", ");
}

const char *const purpose_name[PURPOSES] = {
	[PURPOSE_PROFILER] = "profilers", [PURPOSE_PICTURE] = "pictures",
	[PURPOSE_VIEWER] = "viewers", [PURPOSE_TABLE] = "tables",
};

const char *const feature_name[FEATURES] = {
	[FEATURE_LINES] = "cost by line", [FEATURE_ADDRS] = "cost by address",
	[FEATURE_COUNTERS] = "cost by counter", [FEATURE_FUNCTIONS] = "functions",
	[FEATURE_FILES] = "files", [FEATURE_OBJECTS] = "objects",
	[FEATURE_KEYS] = "keys", [FEATURE_CALLS] = "calls",
	[FEATURE_INCLUSIVE] = "inclusive cost", [FEATURE_JUMPS] = "jumps",
	[FEATURE_CONTEXTS] = "contexts", [FEATURE_SAMPLES] = "samples",
	[FEATURE_POINTS] = "points", [FEATURE_VALUES] = "values at sites",
	[FEATURE_PARTS] = "several parts", [FEATURE_EVENTS] = "several events",
	[FEATURE_UNITS] = "units", [FEATURE_FACTS] = "metadata",
	[FEATURE_TOTAL] = "total", [FEATURE_END] = "end marked",
};

const char *const support_name[SUPPORTS] = {
	[SUPPORT_NO] = "no", [SUPPORT_YES] = "yes", [SUPPORT_IN_COMMENTS] = "comments",
	[SUPPORT_SOME] = "some", [SUPPORT_ONE] = "one", [SUPPORT_TWO] = "two",
	[SUPPORT_THREE] = "three", [SUPPORT_JOINED] = "joined",
};
