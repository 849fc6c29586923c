#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Planes that die and come back during a transfer: it goes on, the subflow is
# left, and it is used again.

. "${0%/*}/mrc_lib.sh"

mrc_need ip tc mrcat mrc_msgs mrc_json
modprobe -q sch_netem

NETEM="rate 6mbit delay 1ms limit 1000"

# start N FAMILY: a transfer over N planes, all of them in use
start()
{
	mrc_planes "$1" $NETEM && mrc_endpoints "$2" || return
	mrc_flow_start "$(mrc_address 2 1 "$2")" -m 30000 -b
	mrc_wait_until 30 mrc_active "$A" "$1" &&
	mrc_wait_until 30 mrc_all_carry "$A" "$1" 3 20000
}

# left PLANE HOST...: the subflow is not ACTIVE at these hosts, data flow on
left()
{
	local p=$1 other before host

	shift
	for host; do
		mrc_wait_until 30 mrc_subflow_is_not "$host" "$p" ACTIVE || return
	done
	other=$((p % MRC_PLANES + 1))
	before=$(mrc_bytes "$A" $other)
	mrc_wait_until 30 mrc_more_than "$A" $other $((before + 100000)) || return
	mrc_flow_alive
}

# back PLANE: the subflow is ACTIVE at both hosts and carries data again
back()
{
	local before

	mrc_wait_until 60 mrc_subflow_is "$A" "$1" ACTIVE || { mrc_say "$(mrc_subflows "$A")"; return 1; }
	mrc_wait_until 60 mrc_subflow_is "$B" "$1" ACTIVE || { mrc_say "$(mrc_subflows "$B")"; return 1; }
	before=$(mrc_bytes "$A" "$1")
	mrc_wait_until 30 mrc_more_than "$A" "$1" $((before + 50000)) || return
	mrc_flow_alive
}

# black_hole PLANE FAMILY
black_hole()
{
	start 4 "$2" || return
	mrc_netem "$1" loss 100% && left "$1" "$A" "$B" &&
	mrc_netem "$1" && back "$1" && mrc_flow_stop
}

# Only the way from b to a: data arrive, SACKs do not.
one_way_hole()
{
	start 4 4 || return
	tc -n "$R" qdisc replace dev a2 root netem $NETEM loss 100% &&
	left 2 "$A" && mrc_netem 2 && back 2 && mrc_flow_stop
}

# The link ends at the router: host a loses its carrier.
carrier_of_a()
{
	start 4 4 || return
	ip -n "$R" link set a3 down && left 3 "$A" "$B" || return
	mrc_subflow_is "$A" 3 DOWN || mrc_fail "not DOWN but $(mrc_subflows "$A")" || return
	ip -n "$R" link set a3 up && mrc_routes 3 "$A" 1 && back 3 && mrc_flow_stop
}

carrier_of_b()
{
	start 4 4 || return
	ip -n "$R" link set b1 down && left 1 "$A" "$B" || return
	ip -n "$R" link set b1 up && mrc_routes 1 "$B" 2 && back 1 && mrc_flow_stop
}

own_device_down()
{
	local fam=$1

	start 4 "$fam" || return
	ip -n "$A" link set p2 down && left 2 "$A" "$B" || return
	mrc_subflow_is "$A" 2 DOWN || mrc_fail "not DOWN but $(mrc_subflows "$A")" || return
	ip -n "$A" link set p2 up && mrc_routes 2 "$A" 1 && back 2 && mrc_flow_stop
}

# carries_all FROM...: every plane sends again
carries_all()
{
	local p

	for ((p = 1; p <= MRC_PLANES; p++)); do
		back $p || return
	done
}

all_black()
{
	local n=$1 seconds=$2 p

	start "$n" 4 || return
	for ((p = 1; p <= n; p++)); do
		mrc_netem $p loss 100% || return
	done
	sleep "$seconds"
	mrc_flow_alive || return
	for ((p = 1; p <= n; p++)); do
		mrc_netem $p || return
	done
	carries_all && mrc_flow_stop
}

address_goes()
{
	start 4 4 || return
	ip -n "$A" addr del 10.4.1.1/24 dev p4 && left 4 "$A" "$B" || return
	ip -n "$A" addr add 10.4.1.1/24 dev p4 && mrc_routes 4 "$A" 1 && back 4 && mrc_flow_stop
}

device_goes()
{
	start 2 4 || return
	ip -n "$A" link del p2 && left 2 "$A" "$B" || return
	mrc_flow_stop
}

# The path that carried the handshake is not special.
first_plane_dies_for_good()
{
	start 2 4 || return
	mrc_netem 1 loss 100% && left 1 "$A" "$B" && mrc_flow_stop
}

# One after the other, quicker than anything can settle.
flapping()
{
	local p

	start 4 4 || return
	for p in 1 2 3 4 1 2 3 4 1 2 3 4; do
		mrc_netem $p loss 100% && sleep 0.2 && mrc_netem $p || return
	done
	carries_all && mrc_flow_stop
}

connect_over_a_dead_plane()
{
	mrc_planes 2 rate 6mbit delay 1ms && mrc_endpoints && mrc_netem 2 loss 100% || return
	mrc_flow_start 10.1.2.2 -m 20000
	mrc_wait_until 20 mrc_more_than "$A" 1 20000 || return
	mrc_subflow_is_not "$A" 2 ACTIVE || mrc_fail "ACTIVE without an answer" || return
	mrc_netem 2 && back 2 && mrc_flow_stop
}

mrc_plan 14
mrc_run "black hole, v4" black_hole 2 4
mrc_run "black hole of the first plane, v6" black_hole 1 6
mrc_run "black hole in one direction" one_way_hole
mrc_run "carrier loss at the sender" carrier_of_a
mrc_run "carrier loss at the receiver" carrier_of_b
mrc_run "own device down, v4" own_device_down 4
mrc_run "own device down, v6" own_device_down 6
mrc_run "all planes black for 1 s" all_black 4 1
mrc_run "the only plane black for 3 s" all_black 1 3
mrc_run "address removed and added" address_goes
mrc_run "device removed" device_goes
mrc_run "first plane dies for good" first_plane_dies_for_good
mrc_run "planes flap" flapping
mrc_run "plane dead at connect" connect_over_a_dead_plane
mrc_end
