// SPDX-License-Identifier: ISC
// Runs tasks.js while Node traces it, and writes tasks.trace.
const fs = require('fs');
const session = new (require('inspector').Session)();
const events = [];

session.connect();
session.on('NodeTracing.dataCollected', m => events.push(...m.params.value));
session.on('NodeTracing.tracingComplete', () =>
	fs.writeFileSync('tasks.trace', JSON.stringify({ traceEvents: events })));
session.post('NodeTracing.start', { traceConfig: {
	includedCategories: ['disabled-by-default-v8.cpu_profiler'] } }, () => {
	require('./tasks.js');
	session.post('NodeTracing.stop');
});
