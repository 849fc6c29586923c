#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The big transfer: MRC_BIG MiB (1024) by mrcat over four planes under 1 %
# loss, 1 % reordering, 0.1 % duplication and 0.1 % corruption.  Too long for
# every day, so it is not in TEST_PROGS:
#
#	scripts/vm -m 1024 -t 7200 -- env MRC_BIG=64 .../mrc_big.sh

. "${0%/*}/mrc_lib.sh"

mrc_need ip tc mrcat mrc_json
modprobe -q sch_netem
MIB=${MRC_BIG:-1024}
FAMILY=${MRC_BIG_FAMILY:-4}
SECONDS_MAX=${MRC_BIG_SECONDS:-7200}

memory()
{
	local free slab

	sync
	echo 3 >/proc/sys/vm/drop_caches
	sleep 1
	free=$(awk '$1 == "MemFree:" { print $2 }' /proc/meminfo)
	slab=$(awk '$1 == "Slab:" { print $2 }' /proc/meminfo)
	echo "$free $slab"
}

# memory_is_back FREE SLAB, kB.  Free pages on lists of a processor are in
# neither number and come and go by 15 MB; compacting drains them.
memory_is_back()
{
	local free slab

	echo 1 >/proc/sys/vm/compact_memory
	read -r free slab < <(memory)
	mrc_say "kB free: $1 before, $free after; slab: $2 before, $slab after"
	[ $(($1 - free)) -lt 20000 ] && [ $((slab - $2)) -lt 8000 ]
}

# The file is never stored: the same 1 MiB block goes again and again, each
# time with its number in front.
data()
{
	local i

	for ((i = 0; i < MIB; i++)); do
		printf '%016d' $i
		cat "$MRC_TMP/block"
	done
}

transfer()
{
	local server sent got

	head -c $((1024 * 1024 - 16)) /dev/urandom >"$MRC_TMP/block"
	ip netns exec "$B" timeout "$SECONDS_MAX" mrcat -l -d 7001 2>"$MRC_TMP/cat.b" |
		sha256sum >"$MRC_TMP/got" &
	server=$!
	mrc_wait_until 20 ip netns exec "$B" mrc_tool taken 7001 || return
	sleep 0.5
	data | tee >(sha256sum >"$MRC_TMP/sent") |
		ip netns exec "$A" timeout "$SECONDS_MAX" mrcat "$(mrc_address 2 1 "$FAMILY")" 7001 ||
		mrc_fail "sender: status $?" || return
	wait $server || mrc_fail "receiver: $(cat "$MRC_TMP/cat.b")" || return
	mrc_wait_until 20 test -s "$MRC_TMP/sent"
	sent=$(cat "$MRC_TMP/sent")
	got=$(cat "$MRC_TMP/got")
	[ -n "$sent$got" ] && [ "$sent" = "$got" ] && return
	mrc_fail "sha256: sent $sent received $got"
}

big()
{
	local p free slab

	mrc_planes 4 limit 10000 && mrc_endpoints "$FAMILY" || return
	# Once for all that is made at the first use.
	mrc_msgs_between "$(mrc_address 2 1 "$FAMILY")" -n 300 -m 30000 || return
	read -r free slab < <(memory)
	for ((p = 1; p <= 4; p++)); do
		mrc_netem $p delay 1ms loss 1% reorder 1% duplicate 0.1% corrupt 0.1% || return 4
	done
	transfer || return
	mrc_wait_until 15 memory_is_back "$free" "$slab"
}

mrc_plan 1
mrc_run "$MIB MiB over four planes under loss" big
mrc_end
