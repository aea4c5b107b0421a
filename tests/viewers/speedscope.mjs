// SPDX-License-Identifier: ISC
// What speedscope makes of a profile, in headless Chromium:
//
//	node speedscope.mjs SPEEDSCOPE-PACKAGE FILE
//
// prints JSON: an array of profiles with name, unit, total and functions, each an array
// of name, file, self and inclusive weight.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [packageDir, file] = process.argv.slice(2);
const release = join(packageDir, 'dist', 'release');
const bundle = readdirSync(release).find(name => /^speedscope-.*\.js$/.test(name));

// The page opens a file that its own command line gives it; what it imports is watched.
const open = /(loadFileFromBase64:\((\w+),(\w+)\)=>\{this\.loadProfile\(\(\)=>)(\w+\(\2,\3\))\)/;
const source = readFileSync(join(release, bundle), 'utf8');
if (!open.test(source))
	throw new Error(`${bundle}: where does it open a profile?`);

const watch = `
	const functions = profile => {
		const list = [];
		profile.forEachFrame(f => list.push([f.name, f.file ?? null,
			f.getSelfWeight(), f.getTotalWeight()]));
		return list;
	};
	const profiles = group => group.profiles.map(p => ({ name: p.getName(),
		unit: p.getWeightUnit(), total: p.getTotalWeight(), functions: functions(p) }));
	const show = result => {
		const element = document.createElement('answer');
		element.textContent = btoa(unescape(encodeURIComponent(JSON.stringify(result))));
		document.documentElement.append(element);
	};
	window.watch = async promise => {
		const group = await promise.catch(error => ({ error: String(error) }));
		show(group.error ? group : profiles(group));
		return group;
	};
`;

const dir = mkdtempSync(join(tmpdir(), 'speedscope-'));
try {
	const profile = join(dir, 'profile.js');
	writeFileSync(profile, `speedscope.loadFileFromBase64(
		${JSON.stringify(basename(file))}, "${readFileSync(file).toString('base64')}")`);
	writeFileSync(join(dir, 'watch.js'), watch);
	writeFileSync(join(dir, 'speedscope.js'), source.replace(open, '$1window.watch($4))'));
	writeFileSync(join(dir, 'page.html'), `<!DOCTYPE html><meta charset="UTF-8"><body>
		<script src="watch.js"></script><script src="speedscope.js"></script>`);
	const url = `${pathToFileURL(join(dir, 'page.html'))}#localProfilePath=${profile}`;
	const page = execFileSync('chromium', ['--headless', '--no-sandbox', '--disable-gpu',
		'--virtual-time-budget=60000', `--user-data-dir=${join(dir, 'user')}`,
		'--dump-dom', url],
		{ encoding: 'utf8', maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'ignore'] });
	const [, answer] = page.match(/<answer>(.*)<\/answer>/) ?? [];
	if (!answer)
		throw new Error('no answer from the page');
	const result = JSON.parse(Buffer.from(answer, 'base64').toString());
	if (result.error)
		throw new Error(result.error);
	console.log(JSON.stringify(result));
} catch (error) {
	console.error(`speedscope: ${error.message}`);
	process.exitCode = 1;
} finally {
	rmSync(dir, { recursive: true, force: true });
}
