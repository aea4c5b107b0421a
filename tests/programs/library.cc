// SPDX-License-Identifier: ISC
// Functions of the library beside our own that look like them: what cxx-std.yaml
// has to tell apart.  Names are long on purpose.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <unordered_map>
#include <vector>

#define KEEP __attribute__((noinline))

namespace text {

struct word {
	std::string s;
	unsigned n;

	KEEP bool operator<(const word &o) const { return s < o.s; }
	KEEP operator std::string() const { return s + "!"; }
	KEEP explicit operator std::vector<char>() const { return { s.begin(), s.end() }; }
};

KEEP bool
cmp(std::string const &a, std::string const &b)
{
	return b < a;
}

// Return types of the library, without and with those in front of the name.
KEEP std::vector<word>
make(unsigned n)
{
	std::vector<word> v;
	unsigned x = 7;

	for (unsigned i = 0; i < n; i++) {
		x = x * 1103515245 + 12345 & 0x7fffffff;
		v.push_back({ std::to_string(x % 97), i });
	}
	return v;
}

template <typename T>
KEEP std::map<T, std::vector<unsigned>>
index(const std::vector<word> &v)
{
	std::map<T, std::vector<unsigned>> m;

	for (auto &w : v)
		m[w.s].push_back(w.n);
	return m;
}

template <typename T>
KEEP std::ostream &
operator<<(std::ostream &o, const std::vector<T> &v)
{
	std::copy(v.begin(), v.end(), std::ostream_iterator<T>(o, " "));
	return o;
}

template <typename T>
KEEP bool
operator<(const std::vector<T> &a, const word &w)
{
	return a.size() < w.n;
}

template <typename T, typename Compare = std::less<T>>
struct heap {
	std::vector<T> v;

	KEEP void push(T t)
	{
		v.push_back(std::move(t));
		std::push_heap(v.begin(), v.end(), Compare());
	}
	KEEP std::unique_ptr<T> pop()
	{
		std::pop_heap(v.begin(), v.end(), Compare());
		std::unique_ptr<T> p(new T(v.back()));
		v.pop_back();
		return p;
	}
	template <typename U>
	KEEP std::size_t operator()(std::function<U(const T &)> f) const
	{
		std::size_t n = 0;

		for (auto &t : v)
			n += static_cast<std::size_t>(f(t));
		return n;
	}
};

}

namespace {

struct mine {
	std::unordered_map<std::string, std::set<int>> all;

	KEEP void add(const std::string &k, int i) { all[k].insert(i); }
};

// The name of a namespace that ends as the library's.
namespace mystd {

KEEP int
sort(std::vector<int> &v)
{
	std::sort(v.begin(), v.end(), std::greater<int>());
	return v.front();
}

}

KEEP std::string
caught(int i)
{
	try {
		if (i)
			throw std::runtime_error("i");
	} catch (const std::exception &e) {
		return e.what();
	}
	return {};
}

template <typename F>
KEEP auto
apply_each(F f, const std::vector<int> &v) -> decltype(f(v[0]))
{
	return std::accumulate(v.begin(), v.end(), f(0),
	    [&f](decltype(f(0)) a, int b) { return a + f(b); });
}

}

int
main()
{
	std::vector<text::word> words = text::make(200);
	std::vector<std::string> strings;
	std::vector<int> numbers(50);
	text::heap<text::word> heap;
	mine m;

	std::sort(words.begin(), words.end());
	for (auto &w : words) {
		strings.push_back(w);
		heap.push(w);
		m.add(w.s, static_cast<int>(w.n));
	}
	std::sort(strings.begin(), strings.end(), text::cmp);
	std::iota(numbers.begin(), numbers.end(), 1);

	std::ostringstream o;
	using text::operator<<;
	o << numbers << (numbers < words[3]) << text::index<std::string>(words).size();
	std::thread t([&o, &strings] { o << strings.front() << strings.back(); });
	t.join();
	std::printf("%zu %s %zu %s %d %ld %zu\n", o.str().size(), heap.pop()->s.c_str(),
	    heap(std::function<int(const text::word &)>(
	    [](const text::word &w) { return w.n % 2 == 0; })), caught(1).c_str(),
	    mystd::sort(numbers), apply_each([](int i) { return i * 2L; }, numbers),
	    static_cast<std::vector<char>>(words[0]).size());
}
