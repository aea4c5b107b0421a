#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# of: prof-merge
# The scripts of share/fleet, with GNU Parallel and with a Slurm of three nodes.

load tools.bash

PATH=$repo/share/fleet:$PATH

# 64 profiles: 61 runs of five Python programs, and three programs under Valgrind.
setup_file() {
	mkdir "$BATS_FILE_TMPDIR/runs"
	cd "$BATS_FILE_TMPDIR/runs"
	python3 - <<-'END'
		import cProfile, csv, difflib, io, json, re, textwrap
		text = [f"line {n * n} of the text" for n in range(61)]
		programs = [
		    lambda n: json.loads(json.dumps(text[:n], indent=1)),
		    lambda n: list(csv.reader(io.StringIO("\n".join(text[:n])))),
		    lambda n: list(difflib.ndiff(text[:n], text[:9])),
		    lambda n: [re.sub(str(i), "x", text[i]) for i in range(n)],
		    lambda n: textwrap.fill(" ".join(text[:n])),
		]
		for n in range(61):
		    p = cProfile.Profile()
		    p.runcall(programs[n % 5], n)
		    p.dump_stats(f"{n:02}.pstats")
	END
	cp "$repo"/share/examples/wordcount*grind.zst .
	prof-merge --quiet . >../want
	find "$PWD" -type f | sort >../names
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	runs=$BATS_FILE_TMPDIR/runs
	want=$BATS_FILE_TMPDIR/want
	names=$BATS_FILE_TMPDIR/names
}

# Slurm's daemons write their state until they end, in a directory that is then removed.
teardown() {
	local pid
	[ -d slurm ] || return 0
	for pid in $(cat slurm/*.pid); do
		kill "$pid" 2>/dev/null || continue
		timeout 30 tail --pid="$pid" -f /dev/null || kill -9 "$pid" || :
	done
}

# instead CASE: a prof-merge comes first in PATH which does that for some files.
instead() {
	mkdir -p instead
	printf '#!/bin/bash\nlast=${*: -1}\n%s\nexec "%s" "$@"\n' "$1" "$PROF_BIN/prof-merge" \
		>instead/prof-merge
	chmod +x instead/prof-merge
	PATH=$PWD/instead:$PATH
}

@test "a directory that perf has written is one profile, and others are what they are" {
	mkdir -p one.data/kcore_dir two.data three
	printf 'PERFILE2rest' >one.data/data
	printf '2ELIFREPrest' >two.data/data
	touch one.data/data.{0,1,10} one.data/data.old one.data/kcore_dir/kallsyms two.data/data.0
	# No directory of perf's.
	touch three/data three/data.0
	find "$PWD" -type f | sort | fleet-plan work 100
	cat work/1/*.list | sort >got
	printf "$PWD/%s\n" one.data/data one.data/data.old three/data three/data.0 two.data/data |
		same got -
}

@test "a tree of merges has the bytes of one process, whatever the fan" {
	[ "$(wc -l <"$names")" = 64 ]
	has -x 'meta	runs	64' "$want"
	local fan last
	for fan in 3:4 8:2 100:1; do
		last=${fan#*:} fan=${fan%:*}
		fleet-plan work-$fan $fan <"$names"
		silent fleet-parallel work-$fan -j 2 >out
		zstd -qdc work-$fan/"$last"/000000.prof.zst | cmp - "$want"
		[ "$(tail -n 1 out)" = "the sum is $PWD/work-$fan/$last/000000.prof.zst" ]
	done
	has -x 'level 1: 22 of 22 sums' <(fleet-report work-3)
	# A folder is a name, too, and a name may be relative to a folder of any name.
	mkdir 'back\tslash'
	ln -s "$runs" 'back\tslash/here'
	{ echo here/00.pstats; echo "$runs"; } | (cd 'back\tslash' && fleet-plan ../work-folder 2)
	fleet-parallel work-folder
	prof-merge --quiet "$runs" "$runs"/00.pstats |
		cmp - <(zstd -qdc work-folder/1/000000.prof.zst)
}

@test "options are for the levels that need them" {
	local o
	for o in --by=object --by=source,function --op=max '--by=file --op=min' \
		'--rules=recursion --by=function'; do
		rm -rf work
		echo "$o"
		# shellcheck disable=SC2086
		fleet-plan work 7 $o <"$names"
		fleet-parallel work
		# shellcheck disable=SC2086
		prof-merge --quiet $o "$runs" | cmp - <(zstd -qdc work/3/000000.prof.zst)
	done
	exits_with 2 '--op=median: give' fleet-plan other 7 --op=median <"$names"
	exits_with 2 '--by: give --by=LIST' fleet-plan other 7 --by line <"$names"
	exits_with 2 'it has a plan' fleet-plan work <"$names"
	exits_with 2 'no names' fleet-plan other </dev/null
	[ ! -e other ]
}

@test "profiles that cannot be read are named, and the others summed" {
	mkdir bad
	head -c 600 "$runs"/07.pstats >bad/cut
	echo hello >bad/text
	{ cat "$names"; printf "$PWD/bad/%s\n" cut text gone; } | fleet-plan work 8
	run -1 fleet-parallel work
	echo "$output" >out
	zstd -qdc work/3/000000.prof.zst | cmp - "$want"
	diff <(grep 'left out' out | sed 's/ byte .*//; s/; .prof-cat --list-formats.*//') - <<-END
		prof-merge: warning: left out: $PWD/bad/cut:
		prof-merge: warning: left out: $PWD/bad/text: unknown format
		prof-merge: warning: left out: $PWD/bad/gone: No such file or directory
	END
	# Nothing is left to do, and what could not be read is not forgotten.
	run -1 fleet-parallel work
	[ "$(grep -c 'left out' <<<"$output")" = 3 ]
}

@test "directories of any name are planned, summed and reported, and nothing else is touched" {
	cp -r "$repo/share/fleet" 'it; touch hit'
	cp "$runs"/0?.pstats . && rm 07.pstats && echo hello >text
	prof-merge --quiet 0?.pstats >sum
	mkdir work.new && echo mine >work.new/notes
	local dir n=0
	for dir in 'a b' 'c; touch hit; d' '-e' '100%a' $'t\tb' "q'uo\"te" '$(touch hit)' work; do
		n=$((n + 1))
		echo "$dir"
		printf '%s\n' "$PWD"/0?.pstats text | "it; touch hit/fleet-plan" "$dir" 4
		status=0
		'it; touch hit/fleet-parallel' "$dir" -j 2 >out || status=$?
		[ "$status" = 1 ]
		run -1 fleet-report "$dir"
		has 'left out: text: unknown format' <(printf '%s\n' "$output" | sed "s,$PWD/,,")
		zstd -qdc -- "$PWD/$dir/2/000000.prof.zst" | cmp - sum
	done
	[ "$n" = 8 ]
	[ ! -e hit ]
	[ "$(ls -A work.new)" = notes ]
	[ -z "$(find . -name '*.new.*')" ]
	exits_with 2 'No such file' fleet-report gone
	exits_with 2 'newline' fleet-plan $'two\nlines' <"$names"
}

@test "a process that is killed is noticed, and its share redone" {
	fleet-plan work 8 <"$names"
	instead 'case $* in */2/*) ;; */000003.prof.zst*) mkdir killed && { echo half >work/1/000003.prof.zst.half; kill -9 $$; } ;; esac'
	fleet-parallel work
	[ -d killed ]
	zstd -qdc work/2/000000.prof.zst | cmp - "$want"
}

@test "another run makes what is missing, and no more" {
	mkdir 1 && cd 1
	fleet-plan work 8 <"$names"
	instead 'case $* in */1/000005.prof.zst*) kill -9 $$ ;; esac'
	exits_with 2 'work/1/000005.list' fleet-parallel work
	has -x 'level 1: 7 of 8 sums' out
	has -x 'level 2: 0 of 1 sums' out
	has 'there is no sum yet' out
	instead 'echo "$last" >>made'
	fleet-parallel work
	[ "$(wc -l <made)" = 2 ]
	has 'runs/47.pstats$' made
	has 'work/1/000007.prof.zst$' made
	zstd -qdc work/2/000000.prof.zst | cmp - "$want"
	# A sum that cannot be read is none to leave out.
	echo x >work/1/000002.prof.zst
	rm work/2/000000.prof.zst
	exits_with 2 'work/1/000002.prof.zst: unknown format' fleet-parallel work
}

# A Slurm of one's own: three nodes of one processor on this machine.
start_slurm() {
	local n dir=$PWD/slurm host port me
	port=$((20000 + RANDOM % 10000))
	host=$(hostname) host=${host%%.*} me=$(id -un) PATH=$PATH:/usr/sbin
	mkdir -p slurm/state slurm/n1 slurm/n2 slurm/n3
	head -c 1024 /dev/urandom >slurm/key
	chmod 400 slurm/key
	munged --force --key-file="$dir/key" --socket="$dir/munge" --pid-file="$dir/munged.pid" \
		--log-file="$dir/munged.log" --seed-file="$dir/seed" 3>&- 2>/dev/null
	echo CgroupPlugin=cgroup/v1 >slurm/cgroup.conf	# it wants one, but needs none
	cat >slurm/slurm.conf <<-END
		ClusterName=prof
		SlurmctldHost=$host(127.0.0.1)
		SlurmctldPort=$port
		AuthInfo=socket=$dir/munge
		SlurmUser=$me
		SlurmdUser=$me
		StateSaveLocation=$dir/state
		SlurmdSpoolDir=$dir/%n
		SlurmctldPidFile=$dir/ctld.pid
		SlurmdPidFile=$dir/%n.pid
		SlurmctldLogFile=$dir/ctld.log
		SlurmdLogFile=$dir/%n.log
		ProctrackType=proctrack/linuxproc
		TaskPlugin=task/none
		SelectType=select/cons_tres
		SelectTypeParameters=CR_CPU
		MailProg=/bin/true
		NodeName=n[1-3] NodeHostname=$host NodeAddr=127.0.0.1 Port=[$((port + 1))-$((port + 3))] CPUs=1 State=UNKNOWN
		PartitionName=p Nodes=n[1-3] Default=YES MaxTime=INFINITE State=UP
	END
	export SLURM_CONF=$dir/slurm.conf
	slurmctld 3>&-
	for n in n1 n2 n3; do
		slurmd -N $n 3>&-
	done
	for ((n = 0; n < 100; n++)); do
		[ "$(sinfo -h -N -o %t | grep -c idle)" != 3 ] || return 0
		sleep 0.2
	done
	tail slurm/*.log
	return 1
}

@test "a tree of Slurm's job arrays; the share of a node that dies is redone" {
	local pid share step job
	start_slurm
	fleet-plan work 16 <"$names"
	# What the second node has first never ends.
	instead '[ "$SLURMD_NODENAME" != n2 ] || ! mkdir dead || { echo $$ $PPID >dead/pids; exec sleep 1000; }'
	TASKS=3 fleet-slurm work >out 2>err 3>&- &
	until [ -s dead/pids ]; do sleep 0.2; done
	read -r pid share <dead/pids
	read -r _ _ _ step _ <"/proc/$share/stat"
	kill -9 "$(cat slurm/n2.pid)" "$step" "$share" "$pid"
	rm slurm/n2.pid
	scontrol update NodeName=n2 State=DOWN Reason=died
	# It would wait for two minutes.
	job=$(sed -n 's/.*requeue job JobId=\([0-9_]*\).* due to failure of node n2/\1/p' slurm/ctld.log)
	[ -n "$job" ]
	scontrol update JobId="$job" StartTime=now
	wait $! || { cat out err slurm/ctld.log; return 1; }
	zstd -qdc work/2/000000.prof.zst | cmp - "$want"
	[ "$(head -n 1 out)" = 'level 1: 4 of 4 sums' ]
	# Another run submits what is missing.
	rm work/1/000001.prof.zst work/2/000000.prof.zst
	touch before
	fleet-slurm work
	[ "$(find work -name '*.zst' -newer before | sort | tr '\n' ' ')" = 'work/1/000001.prof.zst work/2/000000.prof.zst ' ]
	zstd -qdc work/2/000000.prof.zst | cmp - "$want"
}
