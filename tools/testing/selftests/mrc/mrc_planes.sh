#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Planes: every one of them is found, proved and used, and shown as it is.

. "${0%/*}/mrc_lib.sh"

mrc_need ip tc mrcat mrc_msgs mrc_json
modprobe -q sch_netem

# Every plane carried bytes at both ends.
all_planes_carry()
{
	mrc_wait_until 20 mrc_all_carry "$A" "$1" 3 5000 &&
	mrc_wait_until 20 mrc_all_carry "$B" "$1" 4 5000
}

# The addresses that subflows show are those of their plane.
addresses_match()
{
	local plane from to fam=$1

	while read -r plane from to; do
		[ "$from" = "$(mrc_address 1 "$plane" "$fam")" ] &&
		[ "$to" = "$(mrc_address 2 "$plane" "$fam")" ] ||
			mrc_fail "plane $plane: $from -> $to" || return
	done < <(ip -n "$A" -j mrc subflow show | mrc_json plane local_address remote_address)
}

# planes_used N FAMILY
planes_used()
{
	local n=$1 fam=$2 id state active subflows

	mrc_planes "$n" rate 6mbit delay 1ms limit 1000 && mrc_endpoints "$fam" || return
	mrc_flow_start "$(mrc_address 2 1 "$fam")" -m 20000
	mrc_wait_until 20 mrc_active "$A" "$n" || { mrc_say "$(mrc_subflows "$A")"; return 1; }
	mrc_wait_until 20 mrc_active "$B" "$n" || { mrc_say "$(mrc_subflows "$B")"; return 1; }
	all_planes_carry "$n" || return
	addresses_match "$fam" || return
	read -r id state active subflows < <(ip -n "$A" -j mrc connection show |
		mrc_json id state subflows_active subflows)
	[ "$state $active $subflows" = "ESTABLISHED $n $n" ] ||
		mrc_fail "connection $id: $state $active $subflows" || return
	# Text and JSON, all of them and the one: they parse and agree.
	[ "$(ip -n "$A" mrc subflow show | wc -l)" = "$n" ] ||
		mrc_fail "text of subflow show: $(ip -n "$A" mrc subflow show)" || return
	[ "$(ip -n "$A" -j mrc subflow show conn "$id" | mrc_json id | wc -l)" = "$n" ] ||
		mrc_fail "subflow show conn $id" || return
	[ "$(ip -n "$A" -j mrc connection show id "$id" | mrc_json id)" = "$id" ] ||
		mrc_fail "connection show id $id" || return
	ip -n "$A" -j -p -s -d mrc subflow show | mrc_json || return
	ip -n "$B" -j -p -s -d mrc connection show | mrc_json || return
	mrc_flow_stop
}

# Nothing configured: it works all the same, over the route's address.
no_endpoint()
{
	local fam=$1

	mrc_planes 2 rate 6mbit delay 1ms || return
	mrc_flow_start "$(mrc_address 2 1 "$fam")"
	mrc_wait_until 20 mrc_active "$A" 1 && mrc_wait_until 20 mrc_active "$B" 1 || return
	mrc_flow_alive && mrc_flow_stop
}

# a has four planes, b two of them: only those pair.
common_planes_only()
{
	mrc_planes 4 rate 6mbit delay 1ms && mrc_endpoints || return
	ip -n "$B" mrc endpoint delete 10.3.2.2 &&
	ip -n "$B" mrc endpoint delete 10.4.2.2 || return
	mrc_flow_start 10.1.2.2
	mrc_wait_until 20 mrc_active "$A" 2 && mrc_wait_until 20 mrc_active "$B" 2 || return
	all_planes_carry 2 || return
	mrc_flow_stop
}

# Endpoints on one side: the connection still works.
endpoints_on_one_side()
{
	mrc_planes 2 delay 1ms && mrc_endpoints || return
	ip -n "$1" mrc endpoint flush || return
	mrc_msgs_between 10.1.2.2 -b -n 60 -m 20000
}

both_directions()
{
	mrc_planes 4 delay 1ms && mrc_endpoints || return
	mrc_msgs_between 10.1.2.2 -b -n 80 -m 20000 &&
	mrc_msgs_between 10.2.2.2 -u -b -n 80 -m 20000
}

many_connections()
{
	local i pids="" pid

	mrc_planes 4 delay 1ms && mrc_endpoints || return
	for i in 1 2 3 4 5 6; do
		ip netns exec "$B" mrc_msgs -l -p 710$i -b -n 30 -m 10000 -S $i \
			>"$MRC_TMP/many.b$i" 2>&1 &
		pids+=" $!"
		ip netns exec "$A" mrc_msgs -c 10.1.2.2 -p 710$i -b -n 30 -m 10000 -S $i \
			>"$MRC_TMP/many.a$i" 2>&1 &
		pids+=" $!"
	done
	for pid in $pids; do
		wait "$pid" || mrc_fail "$(cat "$MRC_TMP"/many.*)" || return
	done
}

mrcat_over_planes()
{
	mrc_planes 4 delay 1ms && mrc_endpoints || return
	mrc_file 1024
	mrc_cat_between 10.1.2.2 && mrc_cat_between 10.1.2.2 -u &&
	mrc_cat_between 10.1.2.2 -m 100
}

mrc_plan 11
mrc_run "one plane, v4" planes_used 1 4
mrc_run "one plane, v6" planes_used 1 6
mrc_run "four planes, v4" planes_used 4 4
mrc_run "four planes, v6" planes_used 4 6
mrc_run "no endpoint configured, v4" no_endpoint 4
mrc_run "no endpoint configured, v6" no_endpoint 6
mrc_run "only common planes pair" common_planes_only
mrc_run "endpoints on the sender only" endpoints_on_one_side "$B"
mrc_run "both directions, ordered and unordered" both_directions
mrc_run "several connections at once" many_connections
mrc_run "a file by mrcat" mrcat_over_planes
mrc_end
