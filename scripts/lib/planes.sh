#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Two hosts joined by planes, in network namespaces.  To be sourced.
#
#	. planes.sh
#	planes_up 4			# or: planes_up 4 "rate 1gbit delay 50us limit 1000"
#	planes_endpoints		# or: planes_endpoints 6
#	ip netns exec a ping 10.1.2.2
#	planes_cut 2			# plane 2 swallows every packet, both ways
#	planes_heal 2
#	planes_netem 3 loss 1%		# added to what planes_up was given
#	planes_link 3 down		# carrier loss at host a
#	planes_down
#
# A plane P:
#
#	namespace a            namespace r               namespace b
#	p$P ------ veth ------ a$P   b$P ------ veth ------ p$P
#	10.P.1.1               10.P.1.254                  10.P.2.2
#	fd00:P:1::1            fd00:P:1::254               fd00:P:2::2
#	                             10.P.2.254
#	                             fd00:P:2::254
#
# netem shapes both of the router's devices, so that it sees what crosses a
# plane in each direction, and no host sees the queue as its own.  Offloads are
# off, so that netem counts packets.
#
# PLANES_A, PLANES_R and PLANES_B name the namespaces; set them before planes_up
# to have several rigs at once (on one machine they need names of their own).

: "${PLANES_A:=a}" "${PLANES_R:=r}" "${PLANES_B:=b}"
PLANES_NETEM="rate 100mbit delay 100us limit 100"
PLANES_COUNT=0

_planes_die()
{
	echo "planes: $*" >&2
	return 1
}

# _planes_wire P HOST_NS SIDE HOST_NUMBER ROUTER_DEV: one host's half of a plane
_planes_wire()
{
	local p=$1 ns=$2 side=$3 host=$4 dev=$5
	local h=plh$5 r=plr$5

	ip link add "$h" type veth peer name "$r" || return
	ethtool -K "$h" tso off gso off gro off >/dev/null || return
	ethtool -K "$r" tso off gso off gro off >/dev/null || return
	ip -batch - <<-END || return
		link set $h netns $ns name p$p
		link set $r netns $PLANES_R name $dev
	END
	ip -n "$ns" -batch - <<-END || return
		address add 10.$p.$side.$host/24 dev p$p
		address add fd00:$p:$side::$host/64 dev p$p nodad
		link set p$p up
		route add 10.$p.0.0/16 via 10.$p.$side.254
	END
	ip -n "$PLANES_R" -batch - <<-END || return
		address add 10.$p.$side.254/24 dev $dev
		address add fd00:$p:$side::254/64 dev $dev nodad
		link set $dev up
	END
	ip -n "$ns" route add "fd00:$p::/32" via "fd00:$p:$side::254"
}

# planes_up N [NETEM]: the namespaces and planes 1..N
planes_up()
{
	local p

	command -v ethtool >/dev/null || { _planes_die "ethtool is missing"; return; }
	PLANES_NETEM=${2:-$PLANES_NETEM}
	ip -batch - <<-END || return
		netns add $PLANES_A
		netns add $PLANES_R
		netns add $PLANES_B
	END
	ip -n "$PLANES_A" link set lo up || return
	ip -n "$PLANES_B" link set lo up || return
	ip netns exec "$PLANES_R" sh -c '
		echo 1 >/proc/sys/net/ipv4/ip_forward &&
		echo 1 >/proc/sys/net/ipv6/conf/all/forwarding &&
		echo 1 >/proc/sys/net/ipv6/conf/all/keep_addr_on_down' || return
	for ((p = 1; p <= $1; p++)); do
		_planes_wire $p "$PLANES_A" 1 1 "a$p" &&
		_planes_wire $p "$PLANES_B" 2 2 "b$p" || return
		PLANES_COUNT=$p
		planes_netem $p || return
	done
}

# planes_endpoints [4|6]: tell MRC on both hosts which address is in which plane
planes_endpoints()
{
	local p

	for ((p = 1; p <= PLANES_COUNT; p++)); do
		if [ "${1:-4}" = 6 ]; then
			ip -n "$PLANES_A" mrc endpoint add "fd00:$p:1::1" dev "p$p" plane "$p" &&
			ip -n "$PLANES_B" mrc endpoint add "fd00:$p:2::2" dev "p$p" plane "$p"
		else
			ip -n "$PLANES_A" mrc endpoint add "10.$p.1.1" dev "p$p" plane "$p" &&
			ip -n "$PLANES_B" mrc endpoint add "10.$p.2.2" dev "p$p" plane "$p"
		fi || return
	done
}

# planes_netem P [NETEM]: what plane P does besides; nothing more without NETEM
planes_netem()
{
	local p=$1

	shift
	tc -n "$PLANES_R" -batch - <<-END
		qdisc replace dev a$p root netem $PLANES_NETEM $*
		qdisc replace dev b$p root netem $PLANES_NETEM $*
	END
}

planes_cut()
{
	planes_netem "$1" loss 100%
}

planes_heal()
{
	planes_netem "$1"
}

# planes_link P up|down: carrier of host a's device
planes_link()
{
	ip -n "$PLANES_R" link set "a$1" "$2"
}

planes_down()
{
	ip netns delete "$PLANES_A" 2>/dev/null
	ip netns delete "$PLANES_B" 2>/dev/null
	ip netns delete "$PLANES_R" 2>/dev/null
	PLANES_COUNT=0
}
