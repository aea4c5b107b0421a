/* SPDX-License-Identifier: ISC */
#include "codec/json_document.h"

int
document_open(struct document *doc, struct decode *d)
{
	const char *p;
	size_t n;

	doc->d = d;
	doc->base = 0;
	if (in_all(d->in, &p, &n) < 0) {
		json_read_begin(&doc->j, "", 0);
		return -1;
	}
	json_read_begin(&doc->j, p, n);
	return 0;
}

void
document_place_offset(struct document *doc, uint64_t offset)
{
	doc->d->at.line = offset;
	doc->d->at.bytes = true;
}

void
document_place(struct document *doc, const char *at)
{
	document_place_offset(doc, document_offset(doc, at));
}

const char *
document_at(struct document *doc)
{
	json_read_kind(&doc->j);	/* skips blanks */
	return doc->j.at;
}

struct text
document_text(struct document *doc)
{
	struct dict *dict = doc->d->dict;
	struct text t;

	return json_read_string(&doc->j, &t) ? dict_text(dict, dict_str(dict, t)) :
	    (struct text){ 0 };
}

int
document_close(struct document *doc, int r)
{
	struct diag *diag = doc->d->diag;
	const bool reported = diag->error.n || diag->stopped;

	if (json_read_end(&doc->j) < 0 && !reported)
		r = DOCUMENT_FAIL(doc, doc->j.at, "%s%s", doc->j.cut ?
		    "the file is truncated: " : "", doc->j.why);
	doc->d->at.bytes = false;
	doc->d->at.line = 0;
	return r;
}

int
document_reread(struct document *doc, const char *at, int (*read)(void *), void *arg)
{
	struct json_reader was = doc->j;
	int ret;

	doc->j.at = at;
	doc->j.depth = 0;
	ret = read(arg);
	was.text = doc->j.text;		/* which may have grown */
	if (doc->j.why)
		return -1;
	doc->j = was;
	return ret;
}
