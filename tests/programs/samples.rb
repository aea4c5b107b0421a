# SPDX-License-Identifier: ISC
# For stackprof: nearly all time is in leaf, called from line 12 by middle.
require 'stackprof'

def leaf(n)
  x = 0
  x += 1 while x < n
  x
end

def middle(n)
  leaf(n) + leaf(n / 2)
end

StackProf.run(mode: :cpu, out: ARGV[0], interval: 1000, raw: true) { 60.times { middle(100000) } }
