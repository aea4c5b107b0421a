/* SPDX-License-Identifier: ISC */
// Names as templates make them: long, with blanks, commas, quotes.
#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace {

template <typename Key, typename Value>
struct counter {
	std::map<Key, std::vector<Value>> all;

	void add(const Key &k, Value v) { all[k].push_back(v); }

	std::size_t operator()(const Key &k) const
	{
		auto it = all.find(k);
		return it == all.end() ? 0 : it->second.size();
	}
};

}

int
main()
{
	counter<std::string, std::pair<int, std::unique_ptr<int>> *> c;
	std::vector<std::string> words;
	std::size_t sum = 0;

	for (int i = 0; i < 60; i++)
		words.push_back("word" + std::to_string((i * 7919) % 23));
	std::sort(words.begin(), words.end(),
	    [](const std::string &a, const std::string &b) { return b < a; });
	for (auto &w : words)
		c.add(w, nullptr);
	for (auto &w : words)
		sum += c(w);
	std::printf("%zu\n", sum);
}
