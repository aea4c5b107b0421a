# SPDX-License-Identifier: ISC
"""What compare.py records: programs, each made by a command, and recordings, each by one
more.  A recording is of `perf record ARGUMENTS`, run in a directory of its own programs;
%s is the file."""

SPIN = r"""
#include <stdint.h>
#define OWN __attribute__((noinline, noclone))
static volatile uint64_t sink;
OWN void leaf(unsigned n) { for (unsigned i = 0; i < n; i++) sink += i * i; }
OWN void one(unsigned n) { leaf(n); sink++; }
OWN void two(unsigned n) { one(n / 2); leaf(n); sink++; }
OWN void work(unsigned n) { for (unsigned i = 0; i < n; i++) { one(9000); two(9000); } }
"""

SOURCES = {
    "spin.c": SPIN + "int main(void) { work(%d); return 0; }" % 9000,
    "threads.c": SPIN + r"""
#include <pthread.h>
#include <sys/prctl.h>
static void *run(void *n) { prctl(PR_SET_NAME, n ? "one (of) 2" : "two: x"); work(3000); return n; }
int main(void) {
    pthread_t t[4];
    for (long i = 0; i < 4; i++) pthread_create(&t[i], 0, run, (void *)(i & 1));
    for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
    return 0;
}""",
    "forks.c": SPIN + r"""
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
    for (int i = 0; i < 12; i++) {
        char *p = mmap(0, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (fork() == 0) { for (int k = 0; k < 1 << 20; k += 4096) p[k] = 1; work(200); _exit(0); }
        if (vfork() == 0) { execl("/bin/true", "true", (char *)0); _exit(1); }
        work(50);
    }
    while (wait(0) > 0) ;
    return 0;
}""",
    "noreturn.c": SPIN + r"""
#include <stdlib.h>
__attribute__((noinline, noreturn)) void last(void) { work(6000); exit(0); }
__attribute__((noinline)) void caller(int n) { sink += n; last(); }
__attribute__((noinline)) void innocent(void) { sink = 7; }
int main(int n, char **v) { (void)v; caller(n); }""",
    "deep.c": SPIN + r"""
OWN int down(int n) { int r = n ? down(n - 1) : (work(6000), 0); sink++; return r + 1; }
int main(void) { return down(300) == 0; }""",
    "signals.c": SPIN + r"""
#include <signal.h>
#include <sys/time.h>
static void handler(int n) { (void)n; leaf(200000); }
int main(void) {
    struct itimerval t = { { 0, 3000 }, { 0, 3000 } };
    signal(SIGPROF, handler);
    setitimer(ITIMER_PROF, &t, 0);
    work(6000);
    return 0;
}""",
    "throw.cc": r"""
#include <map>
#include <stdexcept>
#include <string>
namespace app {
struct Base { virtual ~Base() {} virtual int run(int n) = 0; };
template <typename T> struct Derived : Base {
    __attribute__((noinline)) int run(int n) override {
        if (n % 7 == 0) throw std::runtime_error("seven");
        std::map<int, std::string> m;
        for (int i = 0; i < 40; i++) m[i * n % 97] += std::to_string(i);
        return (int)m.size() + (int)sizeof(T);
    }
};
__attribute__((noinline)) int call(Base &b, int n) {
    try { return b.run(n); } catch (const std::exception &e) { return -1; }
}
}
int main() {
    app::Derived<long> a; app::Derived<char> b; long sum = 0;
    for (int i = 0; i < 50000; i++) sum += app::call(i & 1 ? (app::Base &)a : b, i);
    return sum == 1;
}""",
    "vdso.c": r"""
#include <string.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
static char a[4096], b[4096];
static int by(const void *x, const void *y) { return *(const char *)x - *(const char *)y; }
int main(void) {
    struct timespec t; long n = 0;
    for (int i = 0; i < 300000; i++) {
        clock_gettime(CLOCK_MONOTONIC, &t); n += t.tv_nsec + getppid();
        memcpy(a, b, sizeof a); n += (long)strlen(b) + memcmp(a, b, 999);
        if (i % 500 == 0) { for (int k = 0; k < 4096; k++) a[k] = (char)rand(); qsort(a, 4096, 1, by); }
    }
    return n == 1;
}""",
    "lib.c": SPIN + "void library(unsigned n) { work(n); }",
    "useslib.c": r"""
#include <dlfcn.h>
void library(unsigned n);
int main(void) {
    void (*f)(unsigned);
    library(900);
    for (int i = 0; i < 3; i++) {
        void *h = dlopen("./plugin.so", RTLD_NOW);
        f = (void (*)(unsigned))dlsym(h, "library"); f(500); dlclose(h);
    }
    return 0;
}""",
    "faults.c": r"""
#include <stdlib.h>
#include <sys/mman.h>
__attribute__((noinline)) void touch(char *p) { for (long k = 0; k < 1 << 22; k += 4096) p[k] = 1; }
int main(void) {
    for (int i = 0; i < 4; i++) {
        char *p = mmap(0, 1 << 22, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        touch(p); munmap(p, 1 << 22);
    }
    return 0;
}""",
    "bare.c": r"""
static volatile unsigned sink;
__attribute__((noinline)) void leaf(unsigned n) { for (unsigned i = 0; i < n; i++) sink += i; }
__attribute__((noinline)) void work(void) { for (int i = 0; i < 3000; i++) { leaf(60000); sink++; } }
__attribute__((force_align_arg_pointer)) void _start(void) {
    work(); __asm__ volatile("movl $1, %eax; xorl %ebx, %ebx; int $0x80");
}""",
    "gen.c": r"""
/* Generates code, and uses its memory again: with a jitdump if there is an argument. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
static uint64_t now(void) {
    struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}
/* push rbp; mov rbp, rsp; mov ecx, 40000000; 1: dec ecx; jnz 1b; pop rbp; ret */
static const unsigned char code[] = { 0x55, 0x48, 0x89, 0xe5, 0xb9, 0, 0x5a, 0x62, 2, 0xff, 0xc9, 0x75,
    0xfc, 0x5d, 0xc3 };
int main(void) {
    char name[64]; uint32_t head[6] = { 0x4a695444, 1, 40, 62, 0, (uint32_t)getpid() };
    uint64_t rest[2] = { now(), 0 };
    char *p = mmap(0, 8192, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    snprintf(name, sizeof name, "jit-%d.dump", getpid());
    FILE *f = fopen(name, "w+");
    fwrite(head, 4, 6, f); fwrite(rest, 8, 2, f); fflush(f);
    mmap(0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fileno(f), 0);
    for (int i = 0; i < 8; i++) {
        char *at = p + (i & 1) * 7; size_t n;
        memcpy(at, code, sizeof code);
        snprintf(name, sizeof name, "made %d", i % 5); n = strlen(name) + 1;
        uint32_t size = (uint32_t)(56 + n + sizeof code), a[] = { 0, size }, b[] = { head[5], head[5] };
        uint64_t t = now(), c[] = { (uint64_t)at, (uint64_t)at, sizeof code, (uint64_t)i };
        fwrite(a, 4, 2, f); fwrite(&t, 8, 1, f); fwrite(b, 4, 2, f); fwrite(c, 8, 4, f);
        fwrite(name, 1, n, f); fwrite(code, 1, sizeof code, f); fflush(f);
        ((void (*)(void))at)();
    }
    return 0;
}""",
    "hot.js": r"""
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
function spin(n) { let s = 0; for (let i = 0; i < n; i++) s += Math.sqrt(i) % 7; return s; }
class A { run(n) { return JSON.stringify([...Array(n).keys()].map(x => ({ x }))).length; } }
let t = 0; const a = new A();
for (let i = 0; i < 25; i++) t += fib(24) + spin(1e5) + a.run(2000);
console.log(t);""",
    "hot.py": r"""
import json, re
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
for i in range(6):
    fib(20); json.loads(json.dumps([{"a": k, "b": str(k)} for k in range(3000)]))
    re.sub(r"(\w+)-\1", "x", "ab-ab " * 5000); sorted(range(50000), key=lambda v: -v)""",
    "hot.go": r"""
package main
import ("fmt"; "sort"; "strings")
func fib(n int) int { if n < 2 { return n }; return fib(n-1) + fib(n-2) }
func main() {
    c := make(chan int)
    for i := 0; i < 4; i++ {
        go func() { s := make([]string, 0); for k := 0; k < 30000; k++ { s = append(s, strings.Repeat("x", k%17)) }
            sort.Strings(s); c <- fib(29) }()
    }
    t := 0; for i := 0; i < 4; i++ { t += <-c }; fmt.Println(t)
}""",
}

CC = "gcc -g -O1 -fno-omit-frame-pointer -o"
PROGRAMS = {
    "spin": CC + " spin spin.c",
    "spin-o2": "gcc -O2 -o spin-o2 spin.c",
    "stripped": CC + " stripped spin.c && strip stripped",
    "static": CC + " static spin.c -static",
    "static-pie": CC + " static-pie spin.c -static-pie",
    "no-pie": CC + " no-pie spin.c -no-pie",
    "linked": CC + " linked spin.c && objcopy --only-keep-debug linked linked.debug && strip linked"
              " && objcopy --add-gnu-debuglink=linked.debug linked",
    "no-build-id": CC + " no-build-id spin.c -Wl,--build-id=none",
    "threads": CC + " threads threads.c -pthread",
    "forks": CC + " forks forks.c",
    "noreturn": CC + " noreturn noreturn.c",
    "deep": CC + " deep deep.c",
    "signals": CC + " signals signals.c",
    "throw": "g++ -g -O1 -fno-omit-frame-pointer -o throw throw.cc",
    "throw-o2": "g++ -g -O2 -o throw-o2 throw.cc",
    "vdso": CC + " vdso vdso.c",
    "lib.so": "gcc -g -O1 -fno-omit-frame-pointer -shared -fPIC -o lib.so lib.c && cp lib.so plugin.so",
    "useslib": CC + " useslib useslib.c ./lib.so -Wl,-rpath,.",
    "faults": CC + " faults faults.c",
    "bare32": "gcc -m32 -O1 -fno-omit-frame-pointer -fno-pic -nostdlib -static -o bare32 bare.c",
    "bare": "gcc -O1 -fno-omit-frame-pointer -nostdlib -static -o bare bare.c",
    "gen": CC + " gen gen.c",
    "go": "GOCACHE=$PWD/go.cache GO111MODULE=off go build -o go hot.go",
}

FP = "-F 4999 -e cpu-clock -g "
DWARF = "-F 1999 -e cpu-clock --call-graph dwarf "
BUILD = "sh -c 'for i in 1 2 3; do gcc -O2 -c -o /dev/null throw.cc && ld --version; done'"

# Name: the arguments of `perf record`, or a command with %s.
RECORDINGS = {
    "fp": FP + "./spin",
    "dwarf": DWARF + "./spin",
    "flat": "-F 4999 -e cpu-clock ./spin",
    "period": "-c 500000 -e cpu-clock -g ./spin",
    "task-clock": "-F 4999 -e task-clock -g ./spin",
    "default": "./spin",
    "user": "-F 4999 -e cpu-clock:u -g ./vdso",
    "kernel": "-F 4999 -e cpu-clock:k -g ./vdso",
    "faults": "-e page-faults -c 1 -g ./faults",
    "faults-addr": "-e page-faults -c 1 -d -g ./faults",
    "events": "-F 1999 -e cpu-clock -e page-faults -e context-switches -g ./forks",
    "group": "-F 1999 -e '{cpu-clock,page-faults}' -g ./faults",
    "group-s": "-F 4999 -e '{cpu-clock,page-faults}:S' -g ./faults",
    "group-s-threads": "-F 4999 -e '{cpu-clock,page-faults}:S' ./threads",
    "all": "-F 999 -e cpu-clock -g -a sh -c './spin & ./vdso & sleep 0.1; wait'",
    "all-cpu": "-F 999 -e cpu-clock -a -C 0 ./forks",
    "per-thread": "--per-thread -T " + FP + "./spin",
    "no-inherit": "-i " + FP + "./forks",
    "attach": "for i in 1 2 3 4 5 6 7 8 9; do ./threads; done & "
              "perf record -q -o %s -F 4999 -e cpu-clock -g -p $! sleep 0.2; wait",
    "threads": FP + "./threads",
    "threads-dwarf": DWARF + "./threads",
    "forks": FP + "./forks",
    "exec": FP + "sh -c 'for i in 1 2 3 4 5 6 7 8 9; do /bin/ls >/dev/null; ./bare; /bin/true; done'",
    "build": FP + BUILD,
    "build-dwarf": DWARF + BUILD,
    "noreturn": FP + "./noreturn",
    "noreturn-dwarf": DWARF + "./noreturn",
    "deep": FP + "./deep",
    "deep-dwarf": DWARF + "./deep",
    "deep-dwarf-large": "-F 499 -e cpu-clock --call-graph dwarf,65528 ./deep",
    "signals": FP + "./signals",
    "signals-dwarf": DWARF + "./signals",
    "throw": FP + "./throw",
    "throw-o2": FP + "./throw-o2",
    "throw-dwarf": DWARF + "./throw-o2",
    "vdso": FP + "./vdso",
    "o2": FP + "./spin-o2",
    "stripped": FP + "./stripped",
    "stripped-dwarf": DWARF + "./stripped",
    "debuglink": FP + "./linked",
    "static": FP + "./static",
    "static-dwarf": DWARF + "./static",
    "static-pie": FP + "./static-pie",
    "no-pie": FP + "./no-pie",
    "no-build-id": FP + "./no-build-id",
    "32-bit": FP + "./bare32",
    "so": FP + "./useslib",
    "so-dwarf": DWARF + "./useslib",
    "odd-path": "mkdir -p 'a b(c)é' && cp spin 'a b(c)é/sp in' && perf record -q -o %s " + FP +
                "'./a b(c)é/sp in'",
    "deleted": "cp spin gone && perf record -q -o %s " + FP + "./gone; rm gone",
    "replaced": "cp spin other && perf record -q -o %s " + FP + "./other; cp vdso other",
    "zstd": "-z " + FP + "./spin",
    "pipe": "perf record -q -o - " + FP + "./forks >%s",
    "pipe-zstd": "perf record -q -z -o - " + FP + "./forks >%s",
    "build-id-mmap": "--buildid-mmap " + FP + "./forks",
    "directory": "--threads " + FP + "./threads",
    "namespaces": "--namespaces --all-cgroups " + FP + "./forks",
    "switches": "--switch-events --sample-cpu " + FP + "./threads",
    "many-fields": "-d --phys-data --data-page-size --code-page-size -T -W " + FP + "./vdso",
    "monotonic": "-k mono " + FP + "./spin",
    "overwrite": "--overwrite -m 64 --tail-synthesize " + FP + "./spin",
    "small-buffer": "-m 1 -F 20000 -e cpu-clock -g ./threads",
    "node": "perf record -q -o %s " + FP + "node --perf-basic-prof hot.js",
    "node-inject": "perf record -q -k mono -o %s.raw " + FP + "node --perf-prof hot.js && "
                   "perf inject -j -i %s.raw -o %s",
    "gen-inject": "perf record -q -k mono -o %s.raw " + FP + "./gen && perf inject -j -i %s.raw -o %s",
    "python": FP + "python3 hot.py",
    "python-dwarf": "-F 499 -e cpu-clock --call-graph dwarf python3 hot.py",
    "perl": FP + "perl -e 'for (1 .. 300000) { $h{$_ %% 999} .= $_; @a = sort keys %%h if $_ %% 9999 == 0 }'",
    "go": FP + "./go",
}

# Recordings that are read as they are, while perf needs what it has made of them.
RAW = {"node-inject": "node-raw", "gen-inject": "gen-raw"}
