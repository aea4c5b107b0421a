// SPDX-License-Identifier: ISC
// Functions of Rust's library beside our own that look like them: what rust-std.yaml
// has to tell apart.  The profiles beside this file were made from it, with rustc
// 1.95.0, whose default is the v0 mangling, and Valgrind 3.19:
//
//	rustc -g -o words words.rs
//	valgrind --tool=callgrind --toggle-collect=main ./words
//
//	RUSTC_BOOTSTRAP=1 rustc -g -O -Zunstable-options -C symbol-mangling-version=legacy ...
use std::collections::{BTreeMap, HashMap};
use std::fmt;

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Word {
    text: String,
    length: usize,
}

// The trait is core's, the type and the function are ours.
impl fmt::Display for Word {
    #[inline(never)]
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}/{}", self.text, self.length)
    }
}

impl From<&str> for Word {
    #[inline(never)]
    fn from(text: &str) -> Word {
        Word { text: text.to_string(), length: text.len() }
    }
}

// The trait is ours, the types are the library's: so is the function.
trait Weigh {
    fn weigh(&self) -> u64;
}

impl Weigh for Vec<Word> {
    #[inline(never)]
    fn weigh(&self) -> u64 {
        self.iter().map(|w| w.length as u64).sum()
    }
}

impl Weigh for [u64] {
    #[inline(never)]
    fn weigh(&self) -> u64 {
        self.iter().fold(0, |a, b| a.wrapping_mul(31).wrapping_add(*b))
    }
}

struct Random(u64);

impl Iterator for Random {
    type Item = u64;
    #[inline(never)]
    fn next(&mut self) -> Option<u64> {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        Some(self.0 >> 33)
    }
}

impl Drop for Random {
    #[inline(never)]
    fn drop(&mut self) {
        self.0 = 0;
    }
}

mod stdlike {
    // A module of ours whose name begins as the library's.
    #[inline(never)]
    pub fn core(n: u64) -> u64 {
        (0..n).filter(|i| i % 3 == 0).sum()
    }
}

#[inline(never)]
fn by_length(a: &Word, b: &Word) -> std::cmp::Ordering {
    a.length.cmp(&b.length).then_with(|| a.text.cmp(&b.text))
}

#[inline(never)]
fn largest<T: Ord + Clone>(of: &[T]) -> Option<T> {
    of.iter().max().cloned()
}

#[inline(never)]
fn count(words: &[Word]) -> HashMap<Word, u64> {
    let mut n = HashMap::new();
    for w in words {
        *n.entry(w.clone()).or_insert(0) += 1;
    }
    n
}

fn main() {
    let mut random = Random(7);
    let mut words: Vec<Word> = (0..400)
        .map(|_| Word::from(&format!("{:x}", random.next().unwrap() % 97)[..]))
        .collect();
    words.sort_by(by_length);
    let counted = count(&words);
    let sorted: BTreeMap<&Word, &u64> = counted.iter().collect();
    let numbers: Vec<u64> = random.by_ref().take(300).collect();
    let shown: Vec<String> = sorted.keys().take(3).map(|w| w.to_string()).collect();
    println!("{} {} {:?} {} {} {}", words.weigh(), numbers[..].weigh(),
        largest(&numbers), largest(&words).unwrap(), stdlike::core(100), shown.join(" "));
}
