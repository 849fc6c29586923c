#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Planes that lose, reorder, double and corrupt packets: what arrives is what
# was sent.

. "${0%/*}/mrc_lib.sh"

mrc_need ip tc mrcat mrc_msgs mrc_json
modprobe -q sch_netem
SEED=${MRC_SEED:-$((RANDOM * 32768 + RANDOM))}

# hurt PLANES NETEM...: messages of all sizes while the planes do that
hurt()
{
	local n=$1 p

	shift
	mrc_planes "$n" delay 1ms limit 10000 && mrc_endpoints || return
	for ((p = 1; p <= n; p++)); do
		mrc_netem $p "$@" || return 4
	done
	mrc_msgs_between 10.1.2.2 -b -n 50 -m 20000 -S "$SEED" -t 100
}

# counter_grew NAMESPACE NAME
counter_grew()
{
	local n

	n=$(mrc_counter "$1" "$2") || mrc_fail "no counter $2" || return
	[ "$n" -gt 0 ] || mrc_fail "counter $2 is $n"
}

retransmits()
{
	hurt "$1" loss 10% && counter_grew "$A" TxRetrans
}

doubles()
{
	hurt "$1" duplicate 10% && counter_grew "$B" RxDup
}

unordered()
{
	mrc_planes 4 delay 1ms limit 10000 && mrc_endpoints || return
	for p in 1 2 3 4; do
		mrc_netem $p delay 1ms 1ms loss 2% reorder 10% 50% || return 4
	done
	mrc_msgs_between 10.1.2.2 -u -b -n 50 -m 20000 -S "$SEED" -t 100
}

# The handshake and the end of a connection under heavy loss.
connections()
{
	local i

	mrc_planes 1 delay 1ms && mrc_netem 1 loss 20% || return
	for i in 1 2 3 4 5 6; do
		mrc_msgs_between 10.1.2.2 -b -n 3 -m 3000 -S "$i" -p 720"$i" -t 60 || return
	done
}

# A window that closes and opens again while news of it gets lost.
slow_reader()
{
	mrc_planes 1 delay 1ms && mrc_netem 1 loss 10% || return
	mrc_msgs_between 10.1.2.2 -n 30 -m 20000 -S "$SEED" -d 20000 -r 30000 -t 100
}

everything()
{
	local p

	mrc_planes "$1" delay 1ms limit 10000 && mrc_endpoints "$2" || return
	for ((p = 1; p <= $1; p++)); do
		mrc_netem $p delay 1ms 500us loss 1% reorder 1% duplicate 0.1% corrupt 0.1% || return 4
	done
	mrc_file 2048
	mrc_cat_between "$(mrc_address 2 1 "$2")"
}

mrc_plan 17
mrc_say "seed $SEED; MRC_SEED=$SEED repeats the messages"
for n in 1 4; do
	mrc_run "loss 1 %, $n planes" hurt $n loss 1%
	mrc_run "loss 10 %, $n planes" retransmits $n
	mrc_run "reordering, $n planes" hurt $n delay 3ms reorder 25% 50%
	mrc_run "jitter, $n planes" hurt $n delay 3ms 2ms
	mrc_run "duplication, $n planes" doubles $n
	mrc_run "corruption, $n planes" hurt $n corrupt 2%
done
mrc_run "unordered messages, loss and reordering" unordered
mrc_run "connections under 20 % loss" connections
mrc_run "slow reader under loss" slow_reader
mrc_run "all at once, mrcat, four planes" everything 4 4
mrc_run "all at once, mrcat, one plane, v6" everything 1 6
mrc_end
