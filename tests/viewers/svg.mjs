// SPDX-License-Identifier: ISC
// Drives a flame graph in headless Chromium:
//
//	node svg.mjs FILE WIDTH[dark] FRAGMENT SCRIPT
//
// opens FILE#FRAGMENT in a window of that width and runs SCRIPT, the body of an async
// function, behind the picture's own.  Prints what it returns as JSON, with `errors`,
// those of any script.  It has
//
//	rects, labels		what is drawn: arrays of elements
//	frame(NAME)		the rectangle whose frame has the name
//	press(KEY, OPTIONS)	a key
//	type(TEXT)		into the search field
//	wait()			until what was begun is done
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [file, window, fragment, script] = process.argv.slice(2);
const before = `<script><![CDATA[
	window.errors = [];
	addEventListener("error", e => errors.push(e.message));
]]></script>`;
const after = `<script><![CDATA[(async () => {
	const all = selector => [...document.querySelectorAll(selector)];
	const wait = () => new Promise(done => setTimeout(done, 100));
	const at = id => document.getElementById(id);
	const name = rect => {
		rect.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
		return rect.querySelector("title").textContent.split("\\n")[0];
	};
	const frame = wanted => all("#frames rect").find(rect => name(rect) === wanted);
	const press = (key, options) => (document.activeElement ?? document.documentElement).dispatchEvent(
		new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...options }));
	const type = text => {
		at("search").value = text;
		at("search").dispatchEvent(new Event("input"));
	};
	let result = {};
	try {
		await wait();
		result = await (async () => { ${script} })();
	} catch (error) {
		errors.push(String(error));
	}
	const answer = document.createElementNS("http://www.w3.org/2000/svg", "metadata");
	answer.textContent = "answer:" + btoa(unescape(encodeURIComponent(
	    JSON.stringify({ ...result, errors })))) + ";";
	document.documentElement.append(answer);
})();
]]></script></svg>`;

const dir = mkdtempSync(join(tmpdir(), 'svg-'));
try {
	const page = join(dir, 'page.svg');
	const svg = readFileSync(file, 'utf8');
	writeFileSync(page, svg.replace('</title>', () => `</title>${before}`)
	    .replace(/<\/svg>\s*$/, () => after));
	const dom = execFileSync('chromium', ['--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars',
		`--window-size=${parseInt(window)},600`,
		...(window.endsWith('dark') ? ['--blink-settings=preferredColorScheme=0'] : []),
		'--virtual-time-budget=60000', `--user-data-dir=${join(dir, 'user')}`,
		'--dump-dom', `${pathToFileURL(page)}#${fragment}`],
		{ encoding: 'utf8', maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'ignore'] });
	const [, answer] = dom.match(/answer:([A-Za-z0-9+/=]*);/) ?? [];
	if (!answer)
		throw new Error('no answer from the page');
	console.log(Buffer.from(answer, 'base64').toString());
} catch (error) {
	console.error(`svg: ${error.message}`);
	process.exitCode = 1;
} finally {
	rmSync(dir, { recursive: true, force: true });
}
