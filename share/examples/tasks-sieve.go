// SPDX-License-Identifier: ISC

// The tasks of tasks.go, with another way to find primes.
//
//	tasks-sieve FILE
package main

import (
	"context"
	"fmt"
	"os"
	"runtime/pprof"
	"sort"
)

// sieve says of each number below most whether it is a multiple.
func sieve(most int) []bool {
	multiple := make([]bool, most)
	for i := 2; i*i < most; i++ {
		if multiple[i] {
			continue
		}
		for k := i * i; k < most; k += i {
			multiple[k] = true
		}
	}
	return multiple
}

func countPrimes(most int) int {
	count := 0
	for n, multiple := range sieve(most) {
		if n > 1 && !multiple {
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
