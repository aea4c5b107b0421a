#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: prof-cat view
# prof-cat --info: what there is in files.

load tools.bash

examples=$(realpath "$BATS_TEST_DIRNAME/../share/examples")

@test "a file's format, command, events with their totals, records and places" {
	prof-cat --info "$examples/wordcount.callgrind.zst" >got
	has -x 'format: callgrind' got
	has -x 'command: ./wordcount /usr/share/common-licenses/GPL-3' got
	has -x 'parts: 1' got
	has -x 'places: lines' got
	zstd -dc "$examples/wordcount.callgrind.zst" | awk '/^events:/ { split($0, name) }
		/^summary:/ { for (i = 2; i <= NF; i++) print "event: " name[i] ", " $i }' >want
	[ "$(wc -l <want)" -ge 9 ]
	sed -n 's/^event/&/p' got | sed ':a; s/\([0-9]\),\([0-9]\)/\1\2/; ta' | sort >events
	sort want | diff - events
	records=$(prof-cat "$examples/wordcount.callgrind.zst" | awk '$1 == "cost" { c++ } $1 == "call" { k++ }
		END { print c " costs, " k " calls" }')
	sed -n 's/,\([0-9]\)/\1/; s/^records: //p' got | diff - <(echo "$records")
	prof-cat --info "$examples/calc.perf.zst" >got
	has -x 'event: period (ns), 1,306,122,432' got
	has -x 'labels: event, comm, tid' got
	has -x 'records: 64 samples' got
	has -x 'places: functions only' got
	printf '%s\n' 'events: Ir' fn=f '1 3' cfn=g 'calls=1 2' '1 4' | prof-cat --info |
		has -x 'records: 1 cost, 1 call'
	prof-cat --info --addr "$examples/calc.perf.zst" | has -x 'places: addresses'
}

@test "several parts, and how much of the cost has no name" {
	printf '%s\n' 'thread: 1' 'events: Ir' 'fn=f' '1 5' 'thread: 2' 'events: Ir' 'fn=f' '1 7' >f.cg
	prof-cat --info f.cg f.cg >got
	has -x 'parts: 4' got
	has -x 'threads: 1, 2' got
	printf '%b\n' 'prof\t1' 'part\t1' 'meta\tcmd\ta\tb\\\\tc' 'meta\tcmd\tb\\\\tc\td' end | prof-cat --info |
		has -x 'command: a, b.*c, d'
	has -x 'event: Ir, 24' got
	printf '%s\n' 'a 1 1.0: 3 cycles: ' '	1f f+0x1 (/bin/x)' '' 'a 1 1.0: 1 cycles: ' '	2f [unknown] (/bin/x)' '' >f
	prof-cat --info f | has -x 'event: samples, 2, 50.00 % in functions without a name'
	prof-cat --info --where comm=a --events period f | has -x 'event: period (cycles), 4, 25.00 % in functions without a name'
	# Costs of different events are not added up.
	printf '%s\n' 'events: Ir' 'fn=f' '1 5' >ir.cg
	printf '%s\n' 'events: Dr' 'fn=f' '1 900' >dr.cg
	printf 'prof\t1\npart\t1\nevent\t0\tIr\t-\t-\t-\ncost\t-\t-\t1\t-\t15\nend\n' >nameless
	prof-cat --info dr.cg ir.cg nameless >got
	has -x 'event: Dr, 900' got
	has -x 'event: Ir, 20, 75.00 % in functions without a name' got
	# What has no total gets none.
	printf 'prof\t1\npart\t1\nevent\t0\tIr\t-\t-\t-\nend\n' | prof-cat --info | has -x 'event: Ir'
	printf 'prof\t1\npart\t1\nend\n' | prof-cat --info | diff - <(printf '%s\n' 'parts: 1' 'records: none' 'functions: 0' 'places: functions only')
	prof-cat --info /dev/null 2>err && return 1
	has 'empty' err
}
