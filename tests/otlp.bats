#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: codec
# OpenTelemetry's profiles: messages that protoc has written, and Go's profile of the same
# samples.

load tools.bash

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
}

# encode [MESSAGE]: the text of a message, ProfilesData unless it is an old one's, as bytes.
encode() {
	protoc --proto_path="$TESTS/programs" --encode="${1-Data}" otlp.proto
}

# prefixed FILE...: the files, each after its length in 4 bytes.
prefixed() {
	perl -e 'for (@ARGV) { local (@ARGV, $/) = $_; print pack "N/a*", <> }' "$@"
}

# All fields that are read; two profiles of a resource, and one of another.
everything() {
	cat <<-'E'
	resource {
	  of {
	    attribute { key: "service.name" value { string: "shop" } }
	    attribute { key: "process.pid" value { int: 77 } }
	    attribute { key: "process.command_line" value { string: "shop -v" } }
	    attribute { key: "all" value { list {
	      value { int: -1 } value { double: 0.1 } value { string: "a\"b" } value { bool: false }
	      value { bytes: "\001\377" } value { } value { map { value { key: "k" value { index: 1 } } } }
	    } } }
	  }
	  schema: "https://example.org/1"
	  scope {
	    library { name: "profiler" version: "1.2" attribute { key: "on" value { bool: true } } }
	    schema: "https://example.org/2"
	    profile {
	      type { type: 1 unit: 2 }
	      sample { stack: 1 attribute: [1, 2, 6] value: [5, 7] time: [1000, 2000] }
	      sample { stack: 2 attribute: [1, 2, 7] link: 1 time: [1000, 2000, 3000] }
	      sample { value: -4 }
	      time: 1700000000000000000 duration: 5000000000
	      period_type { type: 1 unit: 2 } period: 10000000
	      id: "0123456789abcdef" dropped: 3 payload_format: "jfr" payload: "FLR"
	      attribute: 3
	    }
	    profile {
	      type { type: 14 unit: 10 }
	      sample { stack: 2 attribute: 2 value: 64 }
	    }
	  }
	}
	resource { scope { profile { sample { stack: 2 time: 5 } } } }
	tables {
	  mapping { }
	  mapping { start: 4096 limit: 8192 offset: 16 file: 3 attribute: [8, 4] }
	  location { }
	  location { mapping: 1 address: 4112 line { function: 1 line: 7 column: 3 }
	    line { function: 2 line: 20 } attribute: 5 }
	  location { mapping: 1 address: 4200 }
	  location { line { function: 3 line: 9 } }
	  function { }
	  function { name: 4 system: 5 file: 6 start: 5 }
	  function { name: 7 file: 6 }
	  function { system: 7 }
	  link { }
	  link { trace: "\001\002\003\004\005\006\007\010\011\012\013\014\015\016\017\020"
	    span: "\377\002\003\004\005\006\007\010" }
	  string: "" string: "cpu" string: "nanoseconds" string: "/nowhere/shop"
	  string: "Cart::add(int)" string: "_ZN4Cart3addEi" string: "cart.cc" string: "main"
	  string: "thread.id" string: "size" string: "By" string: "cloud"
	  string: "process.executable.build_id.gnu" string: "profile.frame.type" string: "space"
	  string: "thread.name" string: "process.executable.build_id.htlhash"
	  attribute { }
	  attribute { key: 8 value { int: 12 } }
	  attribute { key: 9 value { int: 128 } unit: 10 }
	  attribute { key: 11 value { bool: true } }
	  attribute { key: 12 value { string: "abcdef01" } }
	  attribute { key: 13 value { string: "native" } }
	  attribute { key: 15 value { string: "a=b" } }
	  attribute { key: 15 value { index: 7 } }
	  attribute { key: 16 value { string: "77" } }
	  stack { }
	  stack { location: [1, 3] }
	  stack { location: [2, 1, 3] }
	}
	E
}

@test "everything in a message is in the stream" {
	everything | encode >x
	[ "$(prof-cat --probe x)" = 'x: otlp' ]
	prof-cat x 2>err | diff <(bars <<-'E'
	prof|1
	part|1|positions=addr,line
	meta|format|otlp
	meta|creator|profiler 1.2
	meta|otlp.resource|service.name|shop
	meta|pid|77
	meta|cmd|shop -v
	meta|otlp.resource|all|[-1,0.1,"a\\"b",false,"01ff",null,{"k":"cpu"}]
	meta|otlp.scope|on|true
	meta|otlp.resource_schema|https://example.org/1
	meta|otlp.scope_schema|https://example.org/2
	meta|otlp.profile_id|30313233343536373839616263646566
	meta|otlp.time_unix_nano|1700000000000000000
	meta|otlp.duration_nano|5000000000
	meta|otlp.dropped_attributes_count|3
	meta|otlp.original_payload_format|jfr
	meta|otlp.period|10000000|cpu|nanoseconds
	meta|otlp.attribute|cloud|true
	event|0|cpu|ns|-|-|calls=absent
	meta|otlp.unit|size|By
	func|0|main|-|-|-
	ctx|0|-|0|-|9|-
	object|0|/nowhere/shop|abcdef01|start=0x1000|limit=0x2000|offset=0x10|process.executable.build_id.htlhash=77
	file|0|cart.cc
	func|1|Cart::add(int)|0|0|_ZN4Cart3addEi|start=5
	func|2|main|0|0|-
	ctx|1|0|2|0|20|0x1010|profile.frame.type=native
	ctx|2|1|1|0|7:3|0x1010|inlined=1
	sample|2|12|tid=12|size=128|comm=a=b
	func|3|-|-|0|-
	ctx|3|2|3|-|-|0x1068
	sample|3|3|tid=12|size=128|comm=main|trace_id=0102030405060708090a0b0c0d0e0f10|span_id=ff02030405060708
	sample|-|-4
	part|1|positions=addr,line
	meta|format|otlp
	meta|creator|profiler 1.2
	meta|otlp.resource|service.name|shop
	meta|pid|77
	meta|cmd|shop -v
	meta|otlp.resource|all|[-1,0.1,"a\\"b",false,"01ff",null,{"k":"cpu"}]
	meta|otlp.scope|on|true
	meta|otlp.resource_schema|https://example.org/1
	meta|otlp.scope_schema|https://example.org/2
	event|0|space|B|-|-|calls=absent
	meta|otlp.unit|size|By
	sample|3|64|size=128
	part|2|positions=addr,line
	meta|format|otlp
	event|0|samples|-|-|-|calls=absent
	sample|3|1
	end
	E
	) -
	has 'x: the times of 6 observations are dropped: values of one stack are summed$' err
	has 'x: the original payload of 1 profile is dropped$' err
}

@test "the same samples cost what go tool pprof says" {
	go tool pprof -top -nodecount=1000 -nodefraction=0 -edgefraction=0 -unit=ns \
		-sample_index=cpu "$TESTS/../share/examples/tasks.pprof.gz" 2>/dev/null |
		sed -n '/ flat%/,$p' | sed '1d; s/ (\(partial-\)\?inline)$//' |
		awk '{ sub(/ns$/, "", $1); sub(/ns$/, "", $4); print $6 "\t" $1 "\t" $4 }' | sort >want
	[ "$(wc -l <want)" -gt 20 ]
	prof-top --tsv -n 0 "$TESTS/../share/examples/tasks.otlp" | awk -F '\t' 'NR > 1 {
		print $1 "\t" $5 "\t" $6 }' | sort | diff want -
}

@test "what protoc decodes has the same sums" {
	protoc --proto_path="$TESTS/programs" --decode=Data otlp.proto \
		<"$TESTS/../share/examples/tasks.otlp" |
		awk '/^      sample {/ { on = 1 } on && /value:/ { n += $2; k++ } /^      }/ { on = 0 }
			END { print k, n }' >want
	prof-cat "$TESTS/../share/examples/tasks.otlp" | awk -F '\t' '$1 == "sample" { n += $3; k++ }
		END { print k, n }' | diff want -
}

# Two samples, whose attribute 1 is a label, as text of a message.
tables='tables { string: ["", "cpu", "k", "f"] attribute { } attribute { key: 2 value { int: 1 } }
	link { } link { span: "a" } function { } function { name: 3 } location { }
	location { line { function: 1 } } stack { } stack { location: 1 } }'

# samples FILE: as the stream has them.
samples() {
	prof-cat --quiet --from otlp "$1" | awk -F '\t' '$1 == "sample" { $1 = ""; print substr($0, 2) }'
}

@test "versions whose samples differ are distinguished" {
	# 1.8 and 1.9: values are field 2.
	echo 'resource { scope { profile { type { type: 1 }
		sample { stack: 1 value: [3, 4] attribute: 1 link: 1 }
		sample { stack: 1 value: 5 } } } }' "$tables" | encode OldData >old
	samples old | diff - <(printf '%s\n' '0 7 k=1 span_id=61' '0 5')
	# As many values as times: nothing says that they are no attributes but another sample.
	echo 'resource { scope { profile { sample { stack: 1 value: 1 time: 9 }
		sample { stack: 1 value: [6, 7] } } } }' "$tables" | encode OldData >old
	samples old | diff - <(printf '%s\n' '0 1' '0 13')
	# Only 1.8 has comments, before the other fields of a profile.
	echo 'resource { scope { profile { sample { value: 1 } comment: [1, 3] id: "0123456789abcdef"
		attribute: 1 } } }' "$tables" | encode OldData >old
	prof-cat old | grep '^meta' | diff - <(bars <<-'E'
	meta|format|otlp
	meta|otlp.profile_id|30313233343536373839616263646566
	meta|comment|cpu
	meta|comment|f
	meta|otlp.attribute|k|1
	E
	)
	# Since 1.10: attributes are. Times alone count.
	echo 'resource { scope { profile { sample { stack: 1 attribute: 1 time: [8, 9] } } } }' \
		"$tables" | encode >new
	samples new | diff - <(echo '0 2 k=1')
	echo 'resource { scope { profile { sample { stack: 1 attribute: 1 time: 9 } } } }' \
		"$tables" | encode >new
	samples new | diff - <(echo '0 1 k=1')
	# That is a guess, where these could be values; it is none where they cannot be attributes:
	# not in the table, none, or the same twice.
	prof-cat new 2>&1 >/dev/null | has 'warning: new: attributes of samples may be values: versions 1.8 and 1.9'
	while read -r values times sum; do
		echo "resource { scope { profile { sample { stack: 1 value: [$values] time: [$times] } } } }" \
			"$tables" | encode OldData >old
		prof-cat old 2>err | grep '^sample' | cut -f 3- | diff - <(echo "$sum")
		lacks err warning
	done <<<$'2 9 2\n0 9 0\n1,1 8,9 2'
	# What is certain in one sample is so in all.
	echo 'resource { scope { profile { sample { stack: 1 attribute: [1, 1] time: [9, 8] }
		sample { stack: 1 attribute: 1 value: 4 } } } }' "$tables" | encode >certain
	samples certain | cut -d ' ' -f 2 | diff - <(printf '%s\n' 2 4)
	# 1.7: refused, and so is what had no dictionary, or both.
	echo 'resource { scope { profile { sample { from: 1 n: 2 value: 3 } } } }' "$tables" |
		encode OlderData >older
	exits_with 2 "prof-cat: older: byte 10: a sample of version 1.7 or before of OpenTelemetry's protocol; versions 1.8 and later can be read" prof-cat older
	echo 'resource { scope { profile { } } }' | encode >none
	fails_with "none: byte [0-9]*: no dictionary: the file is truncated, or of a version before 1.7" \
		prof-cat --from otlp none
	cat old new >both
	fails_with 'both: byte [0-9]*: a second dictionary: .* merge them with prof-merge' prof-cat both
	{
		echo 'resource { scope { profile { sample { stack: 1 attribute: 1 link: 1 value: 3 } } } }' |
			encode
		echo 'resource { scope { profile { sample { stack: 1 value: 3 attribute: 1 } } } }' \
			"$tables" | encode OldData
	} >both
	fails_with "both: byte 0: samples of different versions of OpenTelemetry's protocol" prof-cat both
}

@test "malformed input is an error with its place" {
	while IFS='|' read -r says text; do
		echo "$says"
		echo "$text" "$tables" | encode >bad
		run -2 prof-cat --from otlp bad
		grep -Eqx "prof-cat: bad: byte [0-9]+: $says" <<<"${lines[-1]}"
	done <<-'E'
	a sample with neither a value nor a time|resource { scope { profile { sample { stack: 1 } } } }
	a sample with 2 values at 1 time|resource { scope { profile { sample { stack: 1 link: 1 value: [1, 2] time: 1 } } } }
	stack 2 of a table of 2|resource { scope { profile { sample { stack: 2 value: 1 } } } }
	stack -1 of a table of 2|resource { scope { profile { sample { stack: -1 value: 1 } } } }
	attribute 9 of a table of 2|resource { scope { profile { sample { attribute: 9 value: 1 } } } }
	link 2 of a table of 2|resource { scope { profile { sample { link: 2 value: 1 } } } }
	string 4 of a table of 4|resource { scope { profile { type { unit: 4 } } } }
	string 5 of a table of 4|resource { scope { profile { type { unit: 1 } period_type { type: 5 } } } }
	E
	while IFS='|' read -r says change; do
		echo "$says"
		echo 'resource { scope { profile { sample { stack: 1 value: 1 } } } }' "$tables" |
			sed "$change" | encode >bad
		run -2 prof-cat --from otlp bad
		grep -Eqx "prof-cat: bad: byte [0-9]+: $says" <<<"${lines[-1]}"
	done <<-'E'
	the first string is not empty|s/""/"x"/
	location 2 of a table of 2|s/stack { location: 1/stack { location: 2/
	function 2 of a table of 2|s/line { function: 1/line { function: 2/
	a line with a negative number|s/line { function: 1/line { function: 1 line: -2/
	mapping 1 of a table of 0|s/location { line/location { mapping: 1 line/
	string 7 of a table of 4|s/name: 3/name: 7/
	E
	# Lists in lists, sixteen deep and one more.
	value='int: 1'
	for i in $(seq 17); do
		[ "$i" != 17 ] || last=$value
		value="list { value { $value } }"
	done
	for v in "$last" "$value"; do
		echo 'resource { scope { profile { sample { attribute: 1 value: 1 link: 1 } } } }' \
			"$tables" | sed "s/int: 1/$v/" | encode >deep.${#v}
	done
	samples deep.${#last} | tr -d '[]' | diff - <(echo '- 1 k=1 span_id=61')
	[ "$(samples deep.${#last} | tr -cd '[' | wc -c)" = 16 ]
	fails_with 'byte [0-9]*: a value in more than 16 lists' prof-cat deep.${#value}
	# A number that is no message, and a cut at each byte.
	printf '\010\001' >bad
	fails_with 'byte 0: a number in place of a message|no dictionary' prof-cat --from otlp bad
	everything | encode >all
	for i in $(seq 1 7 $(($(wc -c <all) - 1))); do
		head -c "$i" all >cut
		run -2 prof-cat --from otlp cut
		grep -q 'the file is truncated' <<<"$output"
	done
}

@test "a field of another type has a place in the file" {
	# A location whose line is a number.
	perl -e 'print pack "H*", "0a11120f120d0a04080110021205080122010512292a002a036370752a0b6e616e6f" .
		"7365636f6e64732a046d61696e1200120218073a003a030a01010a00"' >bad
	run -2 prof-cat --from otlp bad
	[[ ${lines[-1]} =~ ^prof-cat:\ bad:\ byte\ ([0-9]+): ]]
	[ "${BASH_REMATCH[1]}" = 52 ]
}

@test "a list without numbers is an empty stack" {
	perl -e 'require "$ENV{TESTS}/cost/shapes.pl"; print otlp(otlp_sample(1), otlp_place(1),
		pb(3, pb_n(1, 1)), "", pb(7, pb_packed(1)))' >x
	prof-cat x | has '^sample	-	1$'
}

@test "stacks of places with many inlined functions do not grow quadratically" {
	shape otlp:inlined-often 1000 >x
	[ "$(limited 200000 prof-cat x | grep -c '^ctx.*inlined=1')" = 999000 ]
	shape otlp:inlined-often 20000 >x
	exits_with 2 'x: more than 1000000 inlined frames in stacks, too many for a file of this size' \
		limited 300000 prof-cat x
	# Nor are contexts held as records until the event is known.
	exits_with 2 'x: more than 1000000 inlined frames' limited 200000 prof-top x
}

@test "one long string that is the name of many functions is rejected" {
	shape otlp:long-name 1000 >x
	[ "$(prof-cat x | grep -c '^func.*ffffff')" = 1000 ]
	shape otlp:long-name 30000 >x
	exits_with 2 ' bytes, too much for a file of this size: one string is used for many of them' \
		brief 5 limited 500000 prof-merge x
}

@test "no other format is taken for it, nor it for another" {
	for f in "$TESTS"/../share/examples/* "$PROF_BUILD"/lib/codec/*/*.o; do
		case $f in
		*.otlp) [ "$(prof-cat --probe "$f")" = "$f: otlp" ] ;;
		*) run -1 grep -q ': otlp' <<<"$(prof-cat --probe "$f")" ;;
		esac
	done
	# Text whose first line is empty: "[" would be a length.
	printf '\n[:python_version < "3.8"]\n\n[doc]\nSphinx\n' >x
	run -1 prof-cat --probe x
	[ "$output" = 'x: unknown' ]
	# Gzipped, as exporters send it.
	gzip -c "$TESTS/../share/examples/tasks.otlp" >x.gz
	[ "$(prof-cat --probe x.gz)" = 'x.gz: otlp, gzip' ]
	# Several messages, each after its length, as the Collector's file exporter writes them.
	everything | encode >all
	echo 'resource { scope { profile { sample { stack: 1 value: 2 } } } }' "$tables" | encode >one
	prefixed all one >x
	[ "$(prof-cat --probe x)" = 'x: otlp' ]
	prof-cat x 2>/dev/null | grep -E '^(part|sample)' >got
	# A message is parts of its own, with their contexts in one stream.
	grep -c '^sample' got | diff - <(prof-cat --quiet all one | grep -c '^sample')
	prof-cat all one 2>/dev/null | grep -E '^(part|sample)' | diff - got
	n=$(wc -c <x)
	head -c -1 x >cut
	exits_with 2 "cut: byte $((n - $(wc -c <one) - 4)): the file is truncated: the last message ends early" \
		prof-cat cut
	prof-cat --lenient cut 2>/dev/null | grep -E '^(part|sample)' |
		diff - <(sed '$d' got | sed '$d')
	# A dictionary may come first.
	{
		echo "$tables" | encode
		echo 'resource { scope { profile { sample { stack: 1 value: 2 } } } }' | encode
	} >x
	[ "$(prof-cat --probe x)" = 'x: otlp' ]
	samples x | diff - <(echo '0 2')
}
