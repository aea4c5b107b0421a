// SPDX-License-Identifier: ISC

// The tasks of tasks.go, in Java, each in a thread: primes and sorted words.  README.md
// says how the recording beside this file was made.

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

class Tasks {
	private static final List<String> results = new ArrayList<>();

	static boolean isPrime(int n) {
		for (int i = 2; i * i <= n; i++)
			if (n % i == 0)
				return false;
		return n > 1;
	}

	static int countPrimes(int most) {
		int count = 0;
		for (int n = 0; n < most; n++)
			count += isPrime(n) ? 1 : 0;
		return count;
	}

	static String firstWord() {
		List<String> words = new ArrayList<>();
		for (int i = 0; i < 40000; i++)
			words.add("w" + i * 7919L % 1000003);
		words.sort(Comparator.comparing(word -> new StringBuilder(word).reverse().toString()));
		return words.get(0);
	}

	// The thread that comes second waits for the first one, which is slow to print.
	static void report(String result) {
		synchronized (results) {
			results.add(result);
			System.out.println(result);
			try {
				Thread.sleep(100);
			} catch (InterruptedException e) {
				throw new IllegalStateException(e);
			}
		}
	}

	public static void main(String[] args) throws InterruptedException {
		Thread primes = new Thread(() -> {
			for (int i = 0; i < 8; i++)
				report("primes " + countPrimes(500000));
		}, "primes");
		Thread words = new Thread(() -> {
			for (int i = 0; i < 8; i++)
				report("words " + firstWord());
		}, "words");
		primes.start();
		words.start();
		primes.join();
		words.join();
	}
}
