// SPDX-License-Identifier: ISC

// The tasks of tasks.go, in JavaScript: primes and sorted words.  README.md says how
// the profile beside this file was made.

function isPrime(n) {
	for (let i = 2; i * i <= n; i++)
		if (n % i === 0)
			return false;
	return n > 1;
}

function countPrimes(most) {
	let count = 0;
	for (let n = 0; n < most; n++)
		count += isPrime(n) ? 1 : 0;
	return count;
}

const tasks = [
	{ kind: 'primes', run() { return countPrimes(1000000); } },
	{ kind: 'words', run() {
		const words = Array.from({ length: 200000 }, (_, i) => `w${i * 7919 % 1000003}`);
		return words.sort((a, b) => (a < b ? -1 : 1))[0];
	} },
];

for (const task of tasks)
	console.log(task.kind, task.run());
