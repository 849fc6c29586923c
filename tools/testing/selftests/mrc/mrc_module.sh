#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The module and the network namespaces: they come and go, and nothing stays.

. "${0%/*}/mrc_lib.sh"

mrc_need ip mrc_tool modprobe
[ -f /sys/module/mrc/refcnt ] || mrc_skip_all "mrc is not a module"
PORT_HEX=12B7			# 4791

loaded()
{
	grep -q '^mrc ' /proc/modules
}

unload()
{
	! loaded || mrc_wait_until 30 rmmod mrc 2>/dev/null && ! loaded
}

# Is the UDP port open in that namespace?
udp_open()
{
	ip netns exec "$1" cat /proc/net/udp /proc/net/udp6 | grep -q ":$PORT_HEX "
}

udp_closed()
{
	! udp_open "$1"
}

# hold NAMESPACE COMMAND...: a mrc_tool that keeps something; sets held
hold()
{
	local ns=$1

	shift
	ip netns exec "$ns" mrc_tool "$@" >"$MRC_TMP/held" 2>&1 &
	held=$!
	mrc_wait_until 30 grep -q ready "$MRC_TMP/held" && return
	mrc_fail "$(cat "$MRC_TMP/held")"
}

let_go()
{
	kill -9 "$held"
	wait "$held" 2>/dev/null
	return 0
}

load_and_unload()
{
	local i

	for i in {1..50}; do
		modprobe mrc && unload || mrc_fail "round $i" || return
	done
	for i in {1..5}; do
		modprobe mrc && mrc_tool socket 4 >/dev/null && unload ||
			mrc_fail "round $i with a socket" || return
	done
	[ ! -e /proc/sys/net/mrc ] || mrc_fail "/proc/sys/net/mrc stays"
}

autoload()
{
	local f

	for f in 4 6; do
		unload || mrc_fail "cannot unload" || return
		[ "$(mrc_tool socket $f)" = ok ] || mrc_fail "socket() does not load it" || return
		loaded || return
	done
	unload || return
	ip -j mrc endpoint show >/dev/null || mrc_fail "ip mrc does not load it" || return
	loaded
}

busy_while_used()
{
	modprobe mrc && mrc_ns mrcbusy$$ || return
	hold mrcbusy$$ hold 4 || return
	rmmod mrc 2>/dev/null && { mrc_fail "rmmod with an open socket"; return; }
	let_go
	hold mrcbusy$$ pairs 3 6 || return
	rmmod mrc 2>/dev/null && { mrc_fail "rmmod with connections"; return; }
	let_go
	unload || return
	modprobe mrc
}

unload_with_endpoints()
{
	modprobe mrc && mrc_ns mrcep$$ || return
	ip -n mrcep$$ mrc endpoint add 127.0.0.1 plane 1 || return
	unload && modprobe mrc || return
	[ "$(ip -n mrcep$$ -j mrc endpoint show)" = "[]" ]
}

# Nobody uses MRC: no open port.
port_follows_sockets()
{
	local ns=mrcport$$

	modprobe mrc && mrc_ns $ns || return
	udp_closed $ns || mrc_fail "open without a socket" || return
	hold $ns hold 4 || return
	udp_open $ns || mrc_fail "not open with a socket" || return
	grep -q ":$PORT_HEX " /proc/net/udp && { mrc_fail "open in another namespace"; return; }
	let_go
	mrc_wait_until 20 udp_closed $ns || return
	# Again and again.
	hold $ns pairs 2 6 && udp_open $ns || return
	let_go
	mrc_wait_until 30 udp_closed $ns
}

# Another program has the UDP port.
port_is_taken()
{
	local ns=mrctaken$$ out

	modprobe mrc && mrc_ns $ns || return
	hold $ns udp 4791 || return
	for f in 4 6; do
		out=$(ip netns exec $ns mrc_tool socket $f)
		[ "$out" = EADDRINUSE ] || mrc_fail "socket() says $out" || return
	done
	[ "$(ip netns exec $ns cat /proc/net/udp /proc/net/udp6 | grep -c ":$PORT_HEX ")" = 1 ] ||
		mrc_fail "something is half open" || return
	[ "$(mrc_tool socket 4)" = ok ] || mrc_fail "another namespace suffers" || return
	let_go
	[ "$(ip netns exec $ns mrc_tool socket 6)" = ok ] || mrc_fail "not free again" || return
	mrc_wait_until 20 udp_closed $ns
}

# The namespace goes while sockets in it live.
netns_with_connections()
{
	local i ns

	modprobe mrc || return
	for i in {1..20}; do
		ns=mrcgone${i}x$$
		mrc_ns $ns || return
		ip -n $ns mrc endpoint add 127.0.0.1 plane 1 || return
		hold $ns pairs 3 $((i % 2 ? 4 : 6)) || return
		ip netns delete $ns || return
		# The last process takes it along.
		let_go
	done
}

# Two hosts, and one of them is gone in the middle of a transfer.
netns_with_a_transfer()
{
	local i ns

	modprobe mrc || return
	for i in 1 2 3; do
		mrc_planes 2 delay 1ms && mrc_endpoints 4 || return
		# So long a socket that lost its peer may outlive its process.
		for ns in "$A" "$B"; do
			ip netns exec "$ns" sh -c 'echo 1000 >/proc/sys/net/mrc/user_timeout' ||
				return
		done
		mrc_flow_start 10.1.2.2 -m 20000
		mrc_wait_until 20 mrc_active "$A" 2 || return
		case $i in
		1) ip netns delete "$R" ;;
		2) ip netns delete "$A" ; ip netns delete "$B" ;;
		3) ip -n "$A" link del p1 ; ip -n "$B" link del p2 ;;
		esac
		sleep 0.3
		mrc_end_jobs
	done
}

unload_at_last()
{
	mrc_cleanup_planes
	unload || mrc_fail "$(lsmod | grep mrc)" || return
	modprobe mrc
}

mrc_cleanup_planes()
{
	ip netns delete "$A" 2>/dev/null
	ip netns delete "$R" 2>/dev/null
	ip netns delete "$B" 2>/dev/null
	return 0
}

mrc_plan 9
mrc_run "load and unload 50 times" load_and_unload
mrc_run "socket() and ip mrc load it" autoload
mrc_run "cannot be unloaded while it is used" busy_while_used
mrc_run "unloaded with endpoints" unload_with_endpoints
mrc_run "the UDP port is open only while it is used" port_follows_sockets
mrc_run "the UDP port belongs to another program" port_is_taken
mrc_run "20 namespaces deleted with live connections" netns_with_connections
mrc_run "namespaces deleted during a transfer" netns_with_a_transfer
mrc_run "nothing keeps the module in the end" unload_at_last
mrc_end
