// SPDX-License-Identifier: ISC
// Instances of a template, several functions in a line, a lambda, a macro, and code that is
// not executed: for counts by line.
#include <cstdio>

#define TWICE(x) \
	do { \
		if ((x) > 100) \
			std::puts("large"); \
		sum += 2 * (x); \
	} while (0)

template <class T> T
larger(T a, T b)
{
	if (a < b)
		return b;

	return a;
}

struct shape { int n; explicit shape(int k) : n(k) {} ~shape() { if (n > 5) std::puts("big"); } };

static int
never(int x)
{
	for (int i = 0; i < 3; i++)
		x += i;
	return x;
}

int
main(int argc, char **)
{
	int sum = 0;

	for (int i = 0; i < 10; i++) {
		sum += larger(i, 3) + static_cast<int>(larger(1.5, static_cast<double>(i)));
		shape s(i);
		TWICE(i);
	}
	auto add = [&](int k) { return k + sum; };
	for (int i = 0; i < 4; i++) sum = add(i);
	if (argc > 3)
		sum = never(sum);
#if 0
	sum = 0;
#endif
	std::printf("%d\n", sum);
	return 0;
}
