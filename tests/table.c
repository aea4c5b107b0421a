/* SPDX-License-Identifier: ISC */
/* Prints the table of records in the form of prof-stream(5). */
#include <stdio.h>

#include "stream/record.h"

int
main(void)
{
	unsigned i, k;

	for (i = 0; i < REC_KINDS; i++) {
		const struct rec_def *def = &rec_table[i];

		printf("%s", def->tag);
		for (k = 0; k < def->ncol; k++)
			printf(" %s:%s:%s", def->col[k].name,
			    col_type_name[def->col[k].type],
			    col_role_name[def->col[k].role]);
		printf("%s%s%s\n", def->tail & REC_VALUES ? " values" : "",
		    def->tail & REC_ATTRS ? " attrs" : "",
		    def->tail & REC_LIST ? " list" : "");
	}
	return 0;
}
