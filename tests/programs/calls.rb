# SPDX-License-Identifier: ISC
# Calls whose number is known, in two threads.
class Calls
  def fib(n)
    n < 2 ? n : fib(n - 1) + fib(n - 2)
  end

  def self.strings(n)
    n.times { |i| [i].map { |x| x.to_s } }
  end
end

Calls.strings(50)
Calls.new.fib(8)
Thread.new { Calls.new.fib(5) }.join
