// SPDX-License-Identifier: ISC

// Tasks of two kinds, each a label of the samples in its CPU profile.  README.md
// says how the profile beside this file was made.
//
//	tasks FILE
package main

import (
	"context"
	"fmt"
	"os"
	"runtime/pprof"
	"sort"
)

func isPrime(n int) bool {
	for i := 2; i*i <= n; i++ {
		if divides(i, n) {
			return false
		}
	}
	return n > 1
}

func divides(i, n int) bool {
	return n%i == 0
}

func countPrimes(most int) int {
	count := 0
	for n := 0; n < most; n++ {
		if isPrime(n) {
			count++
		}
	}
	return count
}

func sortWords(n int) int {
	words := make([]string, n)
	for i := range words {
		words[i] = fmt.Sprintf("%07d", i*7919%1000003)
	}
	sort.Strings(words)
	return len(words[n/2])
}

func run(kind string, task func(int) int, size int) {
	labels := pprof.Labels("kind", kind, "size", fmt.Sprint(size))
	pprof.Do(context.Background(), labels, func(context.Context) {
		fmt.Println(kind, size, task(size))
	})
}

func main() {
	file, err := os.Create(os.Args[1])
	if err == nil {
		err = pprof.StartCPUProfile(file)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for i := 0; i < 3; i++ {
		run("primes", countPrimes, 1000000)
		run("words", sortWords, 300000)
	}
	pprof.StopCPUProfile()
}
