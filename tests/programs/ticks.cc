/* SPDX-License-Identifier: ISC */
/* Names that only C++ has. */
#include <map>
#include <vector>

#include "ticks.h"

volatile unsigned sink;

namespace shapes {

template<typename T, int N> struct Box {
	T side[N];
	__attribute__((noinline)) T grow(T by);
	bool operator<(const Box &) const;
};

template<typename T, int N> T
Box<T, N>::grow(T by)
{
	work(6000);
	for (T &s : side)
		s += by;
	return side[0];
}

template<typename T, int N> bool
Box<T, N>::operator<(const Box &b) const
{
	work(50);
	return side[0] < b.side[0];
}

namespace {
__attribute__((noinline)) void
hidden(std::vector<Box<int, 2>> &v)
{
	work(2000);
	for (auto &b : v)
		b.grow(1);
}
}

__attribute__((noinline)) void area(int n) { work((unsigned)n); }
__attribute__((noinline)) void area(double n) { work((unsigned)n * 2); }

}

int
main()
{
	std::vector<shapes::Box<int, 2>> v(4);
	shapes::Box<double, 3> d = {};
	std::map<shapes::Box<double, 3>, int> seen;
	auto each = [](unsigned n) __attribute__((noinline)) { work(n); };

	while (left(300)) {
		shapes::hidden(v);
		d.grow(0.5);
		seen[d]++;
		if (seen.size() > 20)
			seen.clear();
		shapes::area(3000);
		shapes::area(2000.0);
		each(5000);
	}
	return 0;
}
