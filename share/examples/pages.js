// SPDX-License-Identifier: ISC
// Renders pages and keeps them: for profiles of the heap.
'use strict';

class Page {
	constructor(title) {
		this.title = title;
		this.words = new Array(200).fill(title);
	}
}

const cache = new Map();
globalThis.cache = cache;	// in use to the end

function render(n) {
	return new Page(`page ${n}`);
}

// Each tenth page has others in it.
function nested(n, depth) {
	return depth ? nested(n, depth - 1) : render(n);
}

function load(count) {
	for (let n = 0; n < count; n++)
		cache.set(n, n % 10 ? render(n) : nested(n, 5));
}

load(2000);
(() => {
	cache.index = new Array(100000).fill(0);
})();
