// SPDX-License-Identifier: ISC
// Allocates in ways that heaptrack tells apart: kept, freed at once, most in the middle, by a
// thread, by functions that are inlined, and with new.
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

static std::vector<std::string> kept;
static void *volatile leak;

__attribute__((noinline)) static void
build(int n)
{
	for (int i = 0; i < n; i++)
		kept.push_back(std::string(40 + i % 7, 'x'));
}

// A block is freed before another one is allocated; the pointer is volatile, so that the
// compiler leaves both.
__attribute__((noinline)) static void
churn(int n)
{
	while (n--) {
		void *volatile p = malloc(100 + n % 30);
		free(p);
	}
}

__attribute__((always_inline)) static inline void *
zeros(int n)
{
	return calloc(n, 3);
}

__attribute__((always_inline)) static inline void *
more_zeros(int n)
{
	return zeros(n + 1);
}

__attribute__((noinline)) static void
peak()
{
	void *volatile block[50];

	for (auto &b : block)
		b = more_zeros(1000);
	for (auto &b : block)
		free(b);
}

int
main()
{
	build(300);
	churn(1000);
	std::thread([] { churn(77); }).join();
	peak();
	kept.clear();
	build(20);
	leak = more_zeros(5);
	leak = realloc(strdup("in place"), 500);
	return 0;
}
