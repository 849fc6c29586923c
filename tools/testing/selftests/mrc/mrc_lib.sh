#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What the shell tests of MRC share.  To be sourced:
#
#	. "${0%/*}/mrc_lib.sh"
#	mrc_plan 2
#	mrc_run "first thing" function arguments
#	mrc_run "second thing" function arguments
#	mrc_end
#
# A test function runs in a subshell with its own background jobs, which end
# with it.  It succeeds, fails (mrc_fail tells why) or returns 4 (mrc_skip).
# Namespaces are made by mrc_ns and mrc_planes and go when the script ends.

KSFT_FAIL=1
KSFT_SKIP=4

MRC_DIR=$(cd "${BASH_SOURCE[0]%/*}" && pwd)
PATH=$MRC_DIR:$PATH
MRC_TMP=$(mktemp -d "${TMPDIR:-/tmp}/mrc.XXXXXX") || exit 1

# Names that no other run uses
A=mrca$$ R=mrcr$$ B=mrcb$$
MRC_PLANES=0
MRC_NETEM=

mrc_number=0
mrc_failed=0
mrc_planned=0

mrc_cleanup()
{
	local ns

	trap '' EXIT INT TERM
	for ns in $(ip netns list 2>/dev/null | cut -d' ' -f1); do
		[[ $ns == mrc[a-z0-9]*$$ ]] || continue
		ip netns pids "$ns" 2>/dev/null | xargs -r kill -9 2>/dev/null
		ip netns delete "$ns"
	done
	rm -rf "$MRC_TMP"
}
trap mrc_cleanup EXIT
trap 'exit 1' INT TERM

# ------------------------------------------------------------------- KTAP

mrc_plan()
{
	mrc_planned=$1
	echo "TAP version 13"
	echo "1..$1"
}

mrc_skip_all()
{
	echo "TAP version 13"
	echo "1..0 # SKIP $*"
	exit $KSFT_SKIP
}

mrc_say()
{
	echo "# ${*//$'\n'/$'\n# '}"
}

mrc_fail()
{
	mrc_say "$*"
	return $KSFT_FAIL
}

mrc_skip()
{
	mrc_say "SKIP $*"
	return $KSFT_SKIP
}

# Ends the jobs of a test function that has ended.
mrc_end_jobs()
{
	local pid

	# mrc_msgs and timeout make process groups of their own.
	for pid in $(jobs -p); do
		kill -9 -- "$pid" "-$pid" 2>/dev/null
	done
	wait 2>/dev/null
}

# mrc_run DESCRIPTION COMMAND...
mrc_run()
{
	local desc=$1 status start

	shift
	mrc_number=$((mrc_number + 1))
	start=$SECONDS
	(trap mrc_end_jobs EXIT; "$@")
	status=$?
	[ $((SECONDS - start)) -lt 5 ] || mrc_say "took $((SECONDS - start)) s"
	case $status in
	0) echo "ok $mrc_number $desc" ;;
	4) echo "ok $mrc_number $desc # SKIP" ;;
	*)
		echo "not ok $mrc_number $desc"
		mrc_failed=$((mrc_failed + 1))
		;;
	esac
}

mrc_end()
{
	if [ "$mrc_number" -ne "$mrc_planned" ]; then
		mrc_say "planned $mrc_planned tests, but ran $mrc_number"
		exit 1
	fi
	[ "$mrc_failed" -eq 0 ]
	exit
}

# mrc_programs NAMESPACE PROGRAM...: all the tests of these C programs
mrc_programs()
{
	local ns=$1 program total=0

	shift
	for program; do
		total=$((total + $("$program" -c)))
	done
	mrc_plan $total
	for program; do
		ip netns exec "$ns" "$program" -o $mrc_number || mrc_failed=$((mrc_failed + 1))
		mrc_number=$((mrc_number + $("$program" -c)))
	done
	mrc_end
}

mrc_need()
{
	local what

	for what; do
		command -v "$what" >/dev/null || mrc_skip_all "$what is missing"
	done
	[ "$(id -u)" = 0 ] || mrc_skip_all "needs root"
	modprobe mrc 2>/dev/null || grep -q '^mrc ' /proc/modules || [ -d /sys/module/mrc ] ||
		mrc_skip_all "no mrc module"
}

# mrc_wait_until SECONDS COMMAND...: polls; fails after that time
mrc_wait_until()
{
	# Only against a hang: an emulated machine under load is slow.
	local end=$((SECONDS + 4 * $1 + 1))

	shift
	until "$@"; do
		if [ "$SECONDS" -ge "$end" ]; then
			mrc_say "never came true: $*"
			return 1
		fi
		sleep 0.1
	done
}

# ------------------------------------------------------------- namespaces

# mrc_ns NAME...: network namespaces with a loopback device
mrc_ns()
{
	local ns

	for ns; do
		ip netns add "$ns" && ip -n "$ns" link set lo up || return
	done
}

# A plane P joins a and b through a router, which can hurt it:
#
#	namespace a           namespace r              namespace b
#	p$P ----- veth ------ a$P   b$P ------ veth ------ p$P
#	10.P.1.1              10.P.1.254                   10.P.2.2
#	fd00:P:1::1           fd00:P:1::254                fd00:P:2::2
#	                            10.P.2.254, fd00:P:2::254
#
# mrc_planes_half P NAMESPACE SIDE NUMBER ROUTER_DEVICE
mrc_planes_half()
{
	local p=$1 ns=$2 side=$3 host=$4 dev=$5

	ip link add "p$p" netns "$ns" type veth peer name "$dev" netns "$R" || return
	# Packets as a wire would carry them: netem counts each of them.
	if command -v ethtool >/dev/null; then
		ip netns exec "$ns" ethtool -K "p$p" tso off gso off gro off >/dev/null 2>&1
		ip netns exec "$R" ethtool -K "$dev" tso off gso off gro off >/dev/null 2>&1
	fi
	ip -n "$ns" addr add "10.$p.$side.$host/24" dev "p$p" &&
	ip -n "$ns" addr add "fd00:$p:$side::$host/64" dev "p$p" nodad &&
	ip -n "$ns" link set "p$p" up &&
	ip -n "$R" addr add "10.$p.$side.254/24" dev "$dev" &&
	ip -n "$R" addr add "fd00:$p:$side::254/64" dev "$dev" nodad &&
	ip -n "$R" link set "$dev" up &&
	mrc_routes "$p" "$ns" "$side"
}

# The kernel forgets routes by gateway when a link goes down.
mrc_routes()
{
	ip -n "$2" route replace "10.$1.0.0/16" via "10.$1.$3.254" &&
	ip -n "$2" route replace "fd00:$1::/32" via "fd00:$1:$3::254"
}

# mrc_planes N [NETEM]: planes 1..N; NETEM is what every plane does
mrc_planes()
{
	local n=$1 p f

	shift
	MRC_PLANES=0
	MRC_NETEM=$*
	for f in "$A" "$R" "$B"; do
		ip netns delete "$f" 2>/dev/null
	done
	mrc_ns "$A" "$R" "$B" || return
	ip netns exec "$R" sh -c '
		echo 1 >/proc/sys/net/ipv4/ip_forward &&
		echo 1 >/proc/sys/net/ipv6/conf/all/forwarding' || return
	for f in "$A" "$B" "$R"; do
		ip netns exec "$f" sh -c '
			echo 1 >/proc/sys/net/ipv6/conf/all/keep_addr_on_down
			echo 1 >/proc/sys/net/ipv6/conf/default/keep_addr_on_down
			echo 0 >/proc/sys/net/ipv6/conf/default/accept_dad'
	done
	for ((p = 1; p <= n; p++)); do
		mrc_planes_half $p "$A" 1 1 "a$p" &&
		mrc_planes_half $p "$B" 2 2 "b$p" || return
		MRC_PLANES=$p
		mrc_netem $p || return
	done
}

# mrc_netem P [NETEM...]: what plane P does in both directions beside MRC_NETEM
mrc_netem()
{
	local p=$1 dev

	shift
	for dev in "a$p" "b$p"; do
		if [ -z "$MRC_NETEM$*" ]; then
			tc -n "$R" qdisc del dev "$dev" root 2>/dev/null
			continue
		fi
		tc -n "$R" qdisc replace dev "$dev" root netem $MRC_NETEM "$@" || return
	done
	return 0
}

# mrc_address SIDE PLANE [6]: address of host a (1) or b (2)
mrc_address()
{
	if [ "${3:-4}" = 6 ]; then
		echo "fd00:$2:$1::$1"
	else
		echo "10.$2.$1.$1"
	fi
}

# mrc_endpoints [4|6]: both hosts' addresses, each in its plane
mrc_endpoints()
{
	local p

	for ((p = 1; p <= MRC_PLANES; p++)); do
		ip -n "$A" mrc endpoint add "$(mrc_address 1 $p "$1")" dev "p$p" plane $p &&
		ip -n "$B" mrc endpoint add "$(mrc_address 2 $p "$1")" dev "p$p" plane $p || return
	done
}

mrc_no_endpoints()
{
	ip -n "$A" mrc endpoint flush && ip -n "$B" mrc endpoint flush
}

# ------------------------------------------------------------ what MRC says

# mrc_counter NAMESPACE NAME: a counter of /proc/net/mrc_snmp
mrc_counter()
{
	# shellcheck disable=SC2016
	ip netns exec "$1" awk -v name="mrc$2" '
		tolower($1) == tolower(name) { print $2; found = 1 }
		END { exit !found }' /proc/net/mrc_snmp
}

# mrc_subflows NAMESPACE: a line "plane state bytes_sent bytes_received" each
mrc_subflows()
{
	ip-mrc -n "$1" -j subflow show | mrc_json plane state bytes_sent bytes_received
}

# mrc_subflow_is NAMESPACE PLANE STATE
mrc_subflow_is()
{
	mrc_subflows "$1" | grep -q "^$2 $3 "
}

mrc_subflow_is_not()
{
	! mrc_subflow_is "$@"
}

# mrc_active NAMESPACE N: exactly N subflows, all of them ACTIVE
mrc_active()
{
	mrc_subflows "$1" | awk -v n="$2" '
		$2 == "ACTIVE" { active++ }
		END { exit !(NR == n && active == n) }'
}

# mrc_bytes NAMESPACE PLANE: bytes sent over it so far, 0 without subflow
mrc_bytes()
{
	mrc_subflows "$1" | awk -v p="$2" '$1 == p { n += $3 } END { print n + 0 }'
}

# mrc_all_carry NAMESPACE N FIELD BYTES: each of planes 1..N has carried more;
# FIELD of mrc_subflows: 3 sent, 4 received
mrc_all_carry()
{
	mrc_subflows "$1" | awk -v n="$2" -v f="$3" -v min="$4" '
		{ sum[$1] += $f }
		END { for (p = 1; p <= n; p++) if (sum[p] <= min) exit 1 }'
}

# mrc_more_than NAMESPACE PLANE BYTES: has it sent more?
mrc_more_than()
{
	[ "$(mrc_bytes "$1" "$2")" -gt "$3" ]
}

# -------------------------------------------------------------- transfers

# mrc_flow_start ADDRESS [OPTIONS of mrc_msgs]: messages from a to b, each of
# them checked, until mrc_flow_stop; ends by itself after 150 s at the latest
mrc_flow_start()
{
	local to=$1

	shift
	rm -f "$MRC_TMP"/stop "$MRC_TMP"/flow.*
	ip netns exec "$B" mrc_msgs -l -t 400 "$@" -T "$MRC_TMP/stop" \
		>"$MRC_TMP/flow.b" 2>&1 &
	mrc_flow_b=$!
	ip netns exec "$A" mrc_msgs -c "$to" -t 400 "$@" -T "$MRC_TMP/stop" \
		>"$MRC_TMP/flow.a" 2>&1 &
	mrc_flow_a=$!
}

mrc_flow_alive()
{
	kill -0 "$mrc_flow_a" 2>/dev/null && kill -0 "$mrc_flow_b" 2>/dev/null && return
	mrc_fail "the transfer ended: a: $(cat "$MRC_TMP/flow.a") b: $(cat "$MRC_TMP/flow.b")"
}

# Fails unless all that a sent arrived.
mrc_flow_stop()
{
	local status=0 sent got

	: >"$MRC_TMP/stop"
	wait "$mrc_flow_a" || status=1
	wait "$mrc_flow_b" || status=1
	sent=$(sed -n 's/^sent //p' "$MRC_TMP/flow.a")
	got=$(sed -n 's/^received //p' "$MRC_TMP/flow.b")
	if [ $status -ne 0 ] || [ -z "$sent" ] || [ "$sent" != "$got" ]; then
		mrc_say "a: $(cat "$MRC_TMP/flow.a")"
		mrc_say "b: $(cat "$MRC_TMP/flow.b")"
		mrc_fail "the transfer failed"
		return
	fi
	mrc_say "transferred $got"
}

# mrc_msgs_between ADDRESS [OPTIONS of mrc_msgs]: a fixed amount from a to b
mrc_msgs_between()
{
	local to=$1 status=0 server

	shift
	ip netns exec "$B" mrc_msgs -l "$@" >"$MRC_TMP/msgs.b" 2>&1 &
	server=$!
	ip netns exec "$A" mrc_msgs -c "$to" "$@" >"$MRC_TMP/msgs.a" 2>&1 || status=1
	wait $server || status=1
	[ $status -eq 0 ] && return
	mrc_say "a: $(cat "$MRC_TMP/msgs.a")"
	mrc_say "b: $(cat "$MRC_TMP/msgs.b")"
	mrc_fail "the transfer failed"
}

# mrc_file SIZE_IN_KIB: a file of that size whose content does not repeat
mrc_file()
{
	head -c $(($1 * 1024)) /dev/urandom >"$MRC_TMP/file"
}

# mrc_cat_between ADDRESS [OPTIONS of mrcat]: the file from a to b by mrcat
mrc_cat_between()
{
	local to=$1 status=0 server

	shift
	rm -f "$MRC_TMP/copy"
	ip netns exec "$B" timeout 300 mrcat -l "$@" 7001 \
		>"$MRC_TMP/copy" 2>"$MRC_TMP/cat.b" </dev/null &
	server=$!
	mrc_wait_until 20 ip netns exec "$B" mrc_tool taken 7001 ||
		mrc_fail "b: $(cat "$MRC_TMP/cat.b")" || return
	sleep 0.3
	ip netns exec "$A" timeout 300 mrcat "$@" "$to" 7001 \
		<"$MRC_TMP/file" >/dev/null 2>"$MRC_TMP/cat.a" || status=1
	wait $server || status=1
	if [ $status -ne 0 ]; then
		mrc_say "a: $(cat "$MRC_TMP/cat.a")"
		mrc_say "b: $(cat "$MRC_TMP/cat.b")"
		mrc_fail "mrcat failed"
		return
	fi
	[ "$(sha256sum <"$MRC_TMP/file")" = "$(sha256sum <"$MRC_TMP/copy")" ] ||
		mrc_fail "sha256 differs"
}
