// SPDX-License-Identifier: ISC

// Profiles of all kinds that Go's runtime has, with recursion, inlining and labels:
//
//	profiles DIRECTORY
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"sync"
	"time"
)

type tree struct{ left, right *tree }

func grow(depth int) *tree {
	if depth == 0 {
		return &tree{}
	}
	return &tree{grow(depth - 1), grow(depth - 1)}
}

func (t *tree) size() int {
	if t.left == nil {
		return 1
	}
	return 1 + t.left.size() + t.right.size()
}

func add(a, b int) int { return a + b } // inlined

func fib(n int) int {
	if n < 2 {
		return n
	}
	return add(fib(n-1), fib(n-2))
}

func work(lock *sync.Mutex, total *int) {
	for i := 0; i < 40; i++ {
		n := add(grow(13).size(), fib(30))
		lock.Lock()
		*total += n
		time.Sleep(time.Millisecond)
		lock.Unlock()
	}
}

func create(name string) *os.File {
	file, err := os.Create(filepath.Join(os.Args[1], name+".pb.gz"))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return file
}

func main() {
	var lock sync.Mutex
	var group sync.WaitGroup
	total := 0

	runtime.SetMutexProfileFraction(1)
	runtime.SetBlockProfileRate(1)
	runtime.MemProfileRate = 512
	pprof.StartCPUProfile(create("cpu"))
	for i := 0; i < 4; i++ {
		group.Add(1)
		go pprof.Do(context.Background(), pprof.Labels("worker", fmt.Sprint(i)),
			func(context.Context) {
				defer group.Done()
				work(&lock, &total)
			})
	}
	group.Wait()
	pprof.StopCPUProfile()
	for _, name := range []string{"heap", "allocs", "mutex", "block", "goroutine",
		"threadcreate"} {
		pprof.Lookup(name).WriteTo(create(name), 0)
	}
}
