// SPDX-License-Identifier: ISC
// Zoom, search and the line about the frame under the pointer.  Frames come callers
// first, from left to right.  What is shown is in the URL's fragment: zoom=FRAME,
// search=REGEX.  Text of the profile is only ever set as text.
(function () {
"use strict";
var root = document.documentElement, at = function (id) { return document.getElementById(id); };
var frames = at("frames"), labels = at("labels"), input = at("search");
var x = [], w = [], y = [], kind = [], names = [], costs = [], parent = [], n = 0;
var shorter = Object.create(null);	// by name: without what it can spare but scopes
var zoomed = 0, cell = 7.25, matched = null, matches = [], hint = at("name").textContent;

function add(i, left, top, width, colour, name, cost) {
	x[i] = left;
	y[i] = top;
	w[i] = width;
	kind[i] = colour;
	names[i] = name;
	costs[i] = cost;
	n++;
}

// Percent, in the numbers of narrow frames.
function units(rect, name) {
	return Math.round(parseFloat(rect.getAttribute(name)) * 1e4);
}

// Narrow frames are lines that say their number, the others take the numbers left.
function read() {
	var rects = frames.querySelectorAll("rect"), open = [], i, next = 0;
	at("narrow").textContent.split("\n").forEach(function (line) {
		var f = /^(\d+) (\d+) (\d+) (\d+) (\w+) ([^\t]*)\t(.*)$/.exec(line);
		if (f)
			add(+f[1], +f[2], +f[3], +f[4], f[5], f[6], f[7]);
	});
	for (i = 0; i < rects.length; i++) {
		var r = rects[i], s = r.firstChild.textContent, cut = s.lastIndexOf("\n");
		while (names[next] !== undefined)
			next++;
		add(next, units(r, "x"), +r.getAttribute("y"), units(r, "width"),
		    r.getAttribute("class"), s.slice(0, cut), s.slice(cut + 1));
	}
	at("short").textContent.split("\n").forEach(function (line) {
		var tab = line.indexOf("\t");
		shorter[line.slice(0, tab)] = line.slice(tab + 1);
	});
	for (i = 0; i < n; i++) {
		open.length = rank(i);
		parent[i] = open.length ? open[open.length - 1] : -1;
		open.push(i);
	}
	frames.textContent = "";
}

// How many callers a frame has.
function rank(i) {
	return Math.abs(y[i] - y[0]) / 16;
}

// As abbreviate() does: without types and arguments, scopes, brackets, the middle.
function fit(s, room) {
	var whole = s, at, head = Math.floor((room - 1) / 2);
	if (s.length <= room)
		return s;
	s = whole = shorter[s] || s;
	while (s.length + 3 > room && whole.length > room && (at = s.indexOf("::")) >= 0)
		s = s.slice(at + 2);
	if (s !== whole && s.length + 3 <= room)
		s = "\u2026::" + s;
	if (s.length > room)
		s = s.replace(/<\u2026>|\(\u2026\)/g, "");
	return s.length <= room ? s : s.slice(0, head) + "\u2026" + s.slice(s.length - (room - 1 - head));
}

// Of a difference the change first, or just a sign where there is no room.
function label(i, room) {
	var change = /^([-+])?\S+ .*?\((new|gone|[-+][\d.]+ %)\); old /.exec(costs[i]);
	if (!change)
		return fit(names[i], room);
	if (change[2].length + 1 + names[i].length <= room)
		return change[2] + " " + names[i];
	return change[1] + (room > 4 ? fit(names[i], room - 1) : "");
}

function element(name, attributes) {
	var e = document.createElementNS(root.namespaceURI, name), k;
	for (k in attributes)
		e.setAttribute(k, attributes[k]);
	return e;
}

// Only what can be seen is made: of frames narrower than a pixel the first in each.
function draw() {
	var from = x[zoomed], to = from + (w[zoomed] || 1), width = root.clientWidth || innerWidth;
	var scale = width / (to - from), rects = document.createDocumentFragment();
	var texts = document.createDocumentFragment(), last = {}, above = {}, i, left, right, e, room;
	for (i = parent[zoomed]; i >= 0; i = parent[i])
		above[i] = true;
	for (i = 0; i < n; i++) {
		left = (Math.max(x[i], from) - from) * scale;
		right = (Math.min(x[i] + w[i], to) - from) * scale;
		if (right <= left || right - left < 1 && Math.floor(left) === last[y[i]])
			continue;
		last[y[i]] = Math.floor(left);
		e = element("rect", { x: left, y: y[i], width: Math.max(right - left, 1), height: 15,
		    class: kind[i] + (matches[i] ? " m" : "") + (above[i] ? " p" : "") });
		e.frame = i;
		rects.appendChild(e);
		room = Math.floor((right - left - 6) / cell);
		if (room < 4)
			continue;
		e = element("text", { x: left + 3, y: y[i] + 10.5 });
		e.textContent = label(i, room);
		texts.appendChild(e);
	}
	frames.textContent = "";
	frames.appendChild(rects);
	labels.textContent = "";
	labels.appendChild(texts);
}

function zoom(i) {
	zoomed = i >= 0 && i < n ? i : 0;
	at("reset").setAttribute("display", zoomed ? "inline" : "none");
}

// A match below another one is part of it.
function search(pattern) {
	var re = null, sum = 0, end = -1, count = 0, i, is;
	if (pattern === matched)
		return;
	matched = pattern;
	try {
		re = pattern && new RegExp(pattern, /[A-Z]/.test(pattern) ? "" : "i");
	} catch (e) {
		at("matched").textContent = "not a regular expression";
		return;
	}
	for (i = 0; i < n; i++) {
		is = matches[i] = Boolean(re) && re.test(names[i]);
		count += is;
		if (is && x[i] >= end) {
			sum += w[i];
			end = x[i] + w[i];
		}
	}
	root.classList.toggle("found", Boolean(re));
	at("matched").textContent = !re ? "" : "matched " + (w[0] ? 100 * sum / w[0] : 0).toFixed(2) +
	    " %, " + count + (count === 1 ? " frame" : " frames");
}

function state() {
	var s = {};
	location.hash.slice(1).split("&").forEach(function (pair) {
		var eq = pair.indexOf("=");
		if (eq > 0)
			try {
				s[pair.slice(0, eq)] = decodeURIComponent(pair.slice(eq + 1));
			} catch (e) {}
	});
	return s;
}

// typing: each letter replaces the one before, so that "back" leaves the search.
function go(zoom, pattern, typing) {
	var hash = (zoom ? "zoom=" + zoom : "") + (zoom && pattern ? "&" : "") +
	    (pattern ? "search=" + encodeURIComponent(pattern) : "");
	if (location.hash.slice(1) === hash)
		return;
	if (!typing) {
		location.hash = hash;
		return;
	}
	history.replaceState(null, "", "#" + hash);
	show();
}

function show() {
	var s = state();
	if (document.activeElement !== input)
		input.value = s.search || "";
	search(s.search || "");
	zoom(parseInt(s.zoom, 10) || 0);
	draw();
}

function about(i, rect) {
	var room = Math.floor((root.clientWidth - 20) / cell);
	if (rect && i !== undefined && !rect.firstChild)
		rect.appendChild(element("title", {})).textContent = names[i] + "\n" + costs[i];
	at("name").textContent = i === undefined ? hint : fit(names[i], room);
	at("cost").textContent = i === undefined ? "" : fit(costs[i], room);
}

frames.addEventListener("click", function (e) {
	if (e.target.frame !== undefined)
		go(e.target.frame, input.value);
});
frames.addEventListener("mouseover", function (e) { about(e.target.frame, e.target); });
frames.addEventListener("mouseleave", function () { about(); });
at("reset").addEventListener("click", function () { go(0, input.value); });
input.addEventListener("input", function () { go(zoomed, input.value, true); });
addEventListener("hashchange", show);
addEventListener("resize", draw);
addEventListener("scroll", function () {
	at("head").setAttribute("transform", "translate(0," + scrollY + ")");
});
addEventListener("keydown", function (e) {
	if ((e.ctrlKey || e.metaKey) && e.key === "f" || e.key === "F3" ||
	    e.key === "/" && e.target !== input) {
		input.focus();
		input.select();
		e.preventDefault();
	} else if (e.key === "Escape") {
		if (input.value) {
			input.value = "";
			go(zoomed, "");
		} else {
			go(0, "");
		}
		input.blur();
	}
});
read();
at("controls").removeAttribute("display");
(function () {
	var t = labels.appendChild(element("text", {}));
	t.textContent = "mmmmmmmmmmmmmmmmmmmm";
	cell = t.getComputedTextLength() / 20 || cell;
})();
show();
})();
