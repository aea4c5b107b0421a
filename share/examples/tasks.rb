# SPDX-License-Identifier: ISC

# The tasks of tasks.go, in Ruby: primes and sorted words.  README.md says how the profile
# beside this file was made.

def prime?(n)
  i = 2
  while i * i <= n
    return false if n % i == 0
    i += 1
  end
  n > 1
end

def count_primes(most)
  (0...most).count { |n| prime?(n) }
end

def sorted_words(count)
  words = Array.new(count) { |i| "w#{i * 7919 % 1000003}" }
  words.sort_by { |word| word.reverse }.first
end

def run_tasks
  puts "primes #{count_primes(100000)}"
  puts "words #{sorted_words(100000)}"
end

run_tasks
