/* SPDX-License-Identifier: ISC */
/* Metadata of the part: the machine and the command, by the header; the rate and the duration
 * of sampling. */
#include "perfdata.h"

#include <inttypes.h>

/* ---- sections ---- */

static int
put_string(struct perfdata *pd, const char *key, const char *prefix, struct buf *keep,
    struct bytes b)
{
	const struct text value = bytes_sized_text(&b);
	struct buf own = { 0 }, *to = keep ? keep : &own;
	int ret;

	if (!value.n)
		return 0;
	to->n = 0;
	buf_puts(to, prefix);
	buf_text(to, value);
	ret = meta_put(pd->d->out, key, buf_as_text(to));
	buf_free(&own);
	return ret;
}

static int
put_command(struct perfdata *pd, struct bytes b)
{
	struct buf line = { 0 };
	uint32_t n = bytes_u32(&b);
	int ret;

	for (; n && !b.ended; n--) {
		buf_puts(&line, line.n ? " " : "");
		buf_text(&line, bytes_sized_text(&b));
	}
	ret = line.n ? meta_put(pd->d->out, "cmd", buf_as_text(&line)) : 0;
	buf_free(&line);
	return ret;
}

/* Two numbers: of processors that are available, and of those that were online. */
static int
put_cpus(struct perfdata *pd, struct bytes b)
{
	uint32_t online;

	bytes_skip(&b, 4);
	online = bytes_u32(&b);
	return online ? meta_put_num(pd->d->out, "cpus", online) : 0;
}

static int
put_memory(struct perfdata *pd, struct bytes b)
{
	const uint64_t n = bytes_u64(&b);
	struct buf text = { 0 };
	int ret;

	buf_printf(&text, "%" PRIu64 " kB", n);
	ret = n ? meta_put(pd->d->out, "memory", buf_as_text(&text)) : 0;
	buf_free(&text);
	return ret;
}

int
pd_facts_section(struct perfdata *pd, uint64_t feature, struct bytes b)
{
	struct perf_facts *f = &pd->facts;

	switch (feature) {
	case F_HOSTNAME:
		return put_string(pd, "hostname", "", &f->host, b);
	case F_OSRELEASE:
		return put_string(pd, "os release", "", &f->release, b);
	case F_VERSION:
		return put_string(pd, "creator", "perf ", NULL, b);
	case F_ARCH:
		return put_string(pd, "arch", "", &f->arch, b);
	case F_NRCPUS:
		return put_cpus(pd, b);
	case F_CPUDESC:
		return put_string(pd, "cpu model", "", NULL, b);
	case F_TOTAL_MEM:
		return put_memory(pd, b);
	case F_CMDLINE:
		return put_command(pd, b);
	default:
		return 0;
	}
}

/* ---- samples ---- */

/* Samples of threads that waited are written at the end, at times of their own making. */
void
pd_facts_sample(struct perfdata *pd, const struct perf_sample *s)
{
	struct perf_facts *f = &pd->facts;

	f->samples++;
	if (!s->attr || !s->time || perf_attr_is_off_cpu(s->attr))
		return;
	if (!f->first || s->time < f->first)
		f->first = s->time;
	if (s->time > f->last)
		f->last = s->time;
}

/* Puts how often an event was sampled. */
static int
put_sampling(struct perfdata *pd, const struct perf_attr *a)
{
	struct buf text = { 0 };
	int ret;

	buf_text(&text, buf_as_text(&a->name));
	buf_printf(&text, a->flags & ATTR_FREQUENCY ? ": %" PRIu64 " samples per second" :
	    ": every %" PRIu64, a->period);
	ret = meta_put(pd->d->out, "sampling", buf_as_text(&text));
	buf_free(&text);
	return ret;
}

/* Reports a loss: a warning, with a hint, and metadata. */
static int
report_lost(struct perfdata *pd, struct buf *loss, const char *hint)
{
	diag_say(pd->d->diag, DIAG_WARN, "%s were lost%s", buf_str(loss), hint);
	return meta_put(pd->d->out, "lost", buf_as_text(loss));
}

static int
report_losses(struct perfdata *pd)
{
	const num samples = pd->facts.lost_samples, all = samples + pd->facts.samples;
	struct buf b = { 0 };
	int ret = 0;

	if (pd->facts.lost_records) {
		num_add_grouped(&b, pd->facts.lost_records);
		buf_puts(&b, " records");
		ret = report_lost(pd, &b, ": perf was too slow, or its buffers too small (perf "
		    "record -m)");
	}
	if (samples && ret == 0) {
		b.n = 0;
		num_add_grouped(&b, samples);
		buf_puts(&b, " samples of ");
		num_add_grouped(&b, all);
		buf_puts(&b, " (");
		num_add_percent(&b, samples, all);
		buf_puts(&b, " %)");
		ret = report_lost(pd, &b, "");
	}
	buf_free(&b);
	return ret;
}

int
pd_facts_end(struct perfdata *pd)
{
	const uint64_t ns = pd->facts.last - pd->facts.first;
	struct buf text = { 0 };
	int ret = 0;
	size_t i;

	for (i = 0; i < pd->events.n && ret == 0; i++)
		if (pd->events.v[i].samples && pd->events.v[i].period)
			ret = put_sampling(pd, &pd->events.v[i]);
	buf_printf(&text, "%" PRIu64 ".%06" PRIu64 " ms", ns / 1000000, ns % 1000000);
	if (ret == 0 && ns)
		ret = meta_put(pd->d->out, "duration", buf_as_text(&text));
	buf_free(&text);
	return ret < 0 ? -1 : report_losses(pd);
}

void
pd_facts_free(struct perf_facts *f)
{
	buf_free(&f->host);
	buf_free(&f->release);
	buf_free(&f->arch);
}
