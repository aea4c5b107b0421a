/* SPDX-License-Identifier: ISC */
/* Lines of perf script's output that belong to no event. */
#include "line_words.h"

static bool
begins_with_any(const char *p, const char *end, const char *const *list)
{
	for (; *list; list++)
		if (perf_begins(p, end, *list))
			return true;
	return false;
}

bool
perf_is_message(const char *p, const char *end)
{
	static const char *const begins[] = { "Warning:", "WARNING:", "Processed ",
	    "Check IO/CPU overload!", "[ perf record: ", "PERF_RECORD_",
	    "no symbols found in ", "Failed to open ", "addr2line: ",
	    "Samples for '", NULL };
	const char *q;

	p = perf_skip_blanks(p, end);
	if (begins_with_any(p, end, begins))
		return true;
	/* With -D and --show-mmap-events: "0x1f8 [0x60]: PERF_RECORD_MMAP ..." */
	for (q = p; q < end; q = perf_skip_blanks(perf_word_end(q, end), end))
		if (perf_begins(q, end, "PERF_RECORD_"))
			return true;
	return false;
}

bool
perf_is_report(const char *p, const char *end)
{
	static const char *const begins[] = { "# To display the perf.data header info",
	    "# Samples: ", "# Total Lost Samples: ", "# Event count (approx.): ",
	    "# Overhead ", "# Children ", NULL };

	return begins_with_any(p, end, begins);
}
