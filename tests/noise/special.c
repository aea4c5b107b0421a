/* SPDX-License-Identifier: ISC */
/* Values of the functions of statistics, for tests/noise.bats. */
#include "util/special.h"
#include <math.h>
#include <stdio.h>
int
main(void)
{
	double x, t;

	for (x = 0.25; x < 40; x *= 1.7)
		printf("gamma %.17g %.17g %.17g %.17g\n", x, special_digamma(x),
		    special_trigamma(x), special_trigamma_inverse(special_trigamma(x)));
	for (t = -4; t < 40; t += 1.3)
		printf("t %.17g %.17g %.17g %.17g %.17g\n", t, special_t_above(t, 1),
		    special_t_above(t, 2), special_t_above(t, 4),
		    special_t_above(t, INFINITY));
	return 0;
}
