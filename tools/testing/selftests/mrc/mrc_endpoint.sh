#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# ip mrc endpoint: what it takes, what it refuses and says, who may, and what
# it does to a connection that is under way.

. "${0%/*}/mrc_lib.sh"

mrc_need ip mrc_json mrc_msgs mrc_tool
NS=mrcep$$ NS2=mrcepb$$

fresh()
{
	ip netns delete $NS 2>/dev/null
	ip netns delete $NS2 2>/dev/null
	mrc_ns $NS $NS2
}

mrc()
{
	ip -n $NS "$@"
}

endpoints()
{
	mrc -j mrc endpoint show
}

# refused COMMAND...: one line, status not 0, nothing changed
refused()
{
	local before out status

	before=$(endpoints)
	out=$(mrc mrc endpoint "$@" 2>&1)
	status=$?
	[ $status -ne 0 ] || mrc_fail "\"$*\" is taken" || return
	[ "$(wc -l <<<"$out")" = 1 ] && [ -n "$out" ] ||
		mrc_fail "\"$*\" does not say one line: $out" || return
	[ "$before" = "$(endpoints)" ] || mrc_fail "\"$*\" changed something"
}

add_show_delete()
{
	local line

	fresh || return
	[ "$(endpoints)" = "[]" ] || mrc_fail "empty: $(endpoints)" || return
	mrc mrc endpoint add 127.0.0.1 dev lo plane 3 id 7 ev 16 backup || return
	endpoints | mrc_json || return
	line=$(endpoints | mrc_json id address plane evs)
	[ "$line" = "7 127.0.0.1 3 16" ] || mrc_fail "shows $line" || return
	endpoints | grep -q backup || mrc_fail "no flag backup: $(endpoints)" || return
	mrc mrc endpoint add ::1 plane 255 fullmesh || return
	[ "$(endpoints | mrc_json address | sort | tr '\n' ' ')" = "127.0.0.1 ::1 " ] ||
		mrc_fail "$(endpoints)" || return
	[ "$(mrc mrc endpoint show | wc -l)" = 2 ] || mrc_fail "$(mrc mrc endpoint show)" || return
	[ "$(mrc -j mrc endpoint show id 7 | mrc_json id)" = 7 ] || mrc_fail "show id 7" || return
	mrc mrc endpoint delete id 7 && mrc mrc endpoint delete ::1 || return
	[ "$(endpoints)" = "[]" ] || mrc_fail "not empty: $(endpoints)"
}

flush()
{
	local i

	fresh || return
	mrc mrc endpoint flush || return
	for i in 1 2 3; do
		mrc mrc endpoint add 127.0.0.$i plane $i || return
	done
	[ "$(endpoints | mrc_json id | wc -l)" = 3 ] || return
	[ "$(endpoints | mrc_json id | sort -u | wc -l)" = 3 ] || mrc_fail "ids are not unique" || return
	mrc mrc endpoint flush || return
	[ "$(endpoints)" = "[]" ] || mrc_fail "not empty: $(endpoints)"
}

bad_input()
{
	fresh && mrc mrc endpoint add 127.0.0.1 plane 1 id 1 || return
	refused add 300.1.1.1 &&
	refused add 1.2.3 &&
	refused add gibberish &&
	refused add 1.2.3.4.5 &&
	refused add ::g &&
	refused add &&
	refused add 127.0.0.2 plane -1 &&
	refused add 127.0.0.2 plane 256 &&
	refused add 127.0.0.2 plane x &&
	refused add 127.0.0.2 plane &&
	refused add 127.0.0.2 dev nosuch &&
	refused add 127.0.0.2 id 0 &&
	refused add 127.0.0.2 id 256 &&
	refused add 127.0.0.2 ev 0 &&
	refused add 127.0.0.2 ev 100000 &&
	refused add 127.0.0.2 nonsense &&
	refused add 127.0.0.1 plane 2 &&
	refused add 127.0.0.1 plane 1 &&
	refused add 127.0.0.2 id 1 &&
	refused add 0.0.0.0 &&
	refused add :: &&
	refused add 224.0.0.1 &&
	refused add ff02::1 &&
	refused add 255.255.255.255 &&
	refused delete 127.0.0.2 &&
	refused delete ::1 &&
	refused delete id 2 &&
	refused delete &&
	refused show id 99 &&
	refused nonsense
}

as_many_as_there_may_be()
{
	local i

	fresh || return
	for ((i = 1; i <= 16; i++)); do
		mrc mrc endpoint add 127.0.0.$i plane $i || return
	done
	refused add 127.0.0.17 plane 17 || return
	mrc mrc endpoint delete 127.0.0.5 && mrc mrc endpoint add 127.0.0.17 plane 17 || return
	[ "$(endpoints | mrc_json id | sort -u | wc -l)" = 16 ]
}

own_in_each_netns()
{
	fresh && mrc mrc endpoint add 127.0.0.1 plane 1 || return
	[ "$(ip -n $NS2 -j mrc endpoint show)" = "[]" ] ||
		mrc_fail "seen from another namespace" || return
	ip -n $NS2 mrc endpoint add 127.0.0.1 plane 9 || return
	[ "$(endpoints | mrc_json plane)" = 1 ] || mrc_fail "changed from another namespace" || return
	ip -n $NS2 mrc endpoint flush || return
	[ "$(endpoints | mrc_json plane)" = 1 ] || mrc_fail "flushed from another namespace" || return
	# So do connections.
	ip netns exec $NS mrc_tool pairs 2 4 >"$MRC_TMP/pairs" &
	mrc_wait_until 20 grep -q ready "$MRC_TMP/pairs" || return
	[ "$(mrc -j mrc connection show | mrc_json id | wc -l)" = 4 ] ||
		mrc_fail "$(mrc mrc connection show)" || return
	[ "$(ip -n $NS2 -j mrc connection show)" = "[]" ] || mrc_fail "connections leak"
}

nobody_may_look_but_not_touch()
{
	local before out

	fresh && mrc mrc endpoint add 127.0.0.1 plane 1 id 1 || return
	before=$(endpoints)
	out=$(ip netns exec $NS mrc_tool nobody ip-mrc -j endpoint show 2>&1) ||
		mrc_fail "may not look: $out" || return
	[ "$out" = "$before" ] || mrc_fail "sees $out" || return
	for args in "add 127.0.0.2" "delete id 1" "delete 127.0.0.1" flush; do
		out=$(ip netns exec $NS mrc_tool nobody ip-mrc endpoint $args 2>&1) &&
			{ mrc_fail "may $args"; return; }
		[ "$(wc -l <<<"$out")" = 1 ] || mrc_fail "says $out" || return
	done
	[ "$(endpoints)" = "$before" ] || mrc_fail "changed: $(endpoints)"
}

# Endpoints come and go while data flow.
during_a_transfer()
{
	local fam=$1 a3 i

	mrc_planes 3 rate 6mbit delay 1ms limit 1000 && mrc_endpoints "$fam" || return
	a3=$(mrc_address 1 3 "$fam")
	ip -n "$A" mrc endpoint delete "$a3" || return
	mrc_flow_start "$(mrc_address 2 1 "$fam")" -m 20000
	mrc_wait_until 20 mrc_active "$A" 2 || return
	for i in 1 2 3; do
		ip -n "$A" mrc endpoint add "$a3" dev p3 plane 3 || return
		mrc_wait_until 20 mrc_active "$A" 3 && mrc_wait_until 20 mrc_active "$B" 3 || return
		mrc_wait_until 20 mrc_more_than "$A" 3 20000 || return
		ip -n "$A" mrc endpoint delete "$a3" || return
		mrc_wait_until 20 mrc_subflow_is_not "$A" 3 ACTIVE &&
		mrc_wait_until 20 mrc_subflow_is_not "$B" 3 ACTIVE || return
		mrc_flow_alive || return
	done
	mrc_flow_stop
}

# All of them at once, and the one that carried the handshake.
flush_during_a_transfer()
{
	mrc_planes 2 rate 6mbit delay 1ms limit 1000 && mrc_endpoints || return
	mrc_flow_start 10.1.2.2 -m 20000
	mrc_wait_until 20 mrc_active "$A" 2 || return
	ip -n "$A" mrc endpoint delete 10.1.1.1 || return
	sleep 0.5
	mrc_flow_alive || return
	ip -n "$A" mrc endpoint add 10.1.1.1 dev p1 plane 1 || return
	mrc_wait_until 20 mrc_subflow_is "$A" 1 ACTIVE || return
	mrc_flow_stop
}

batch_of_changes()
{
	local i

	fresh || return
	ip netns exec $NS mrc_msgs -n 100000000 -m 3000 -T "$MRC_TMP/batch.stop" >"$MRC_TMP/batch" 2>&1 &
	for i in {1..40}; do
		mrc mrc endpoint add 127.0.0.1 plane 1 && mrc mrc endpoint add 127.0.0.2 plane 2 &&
		mrc mrc endpoint flush || return
	done
	: >"$MRC_TMP/batch.stop"
	wait $! || mrc_fail "$(cat "$MRC_TMP/batch")"
}

mrc_plan 10
mrc_run "add, show, delete" add_show_delete
mrc_run "flush" flush
mrc_run "bad input: one line, nothing changed" bad_input
mrc_run "as many as there may be" as_many_as_there_may_be
mrc_run "every network namespace has its own" own_in_each_netns
mrc_run "unprivileged: may look, not touch" nobody_may_look_but_not_touch
mrc_run "added and removed during a transfer, v4" during_a_transfer 4
mrc_run "added and removed during a transfer, v6" during_a_transfer 6
mrc_run "the first one removed during a transfer" flush_during_a_transfer
mrc_run "changed all the time during a transfer" batch_of_changes
mrc_end
