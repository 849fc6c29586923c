#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Message boundaries: every size that is special, both families, both
# directions, ordered and unordered, buffers smaller than a message.

. "${0%/*}/mrc_lib.sh"

mrc_need ip mrc_msgs
NS=mrcmsg$$
mrc_ns $NS || exit 1

SMALL=0,1,2,3,4,5,63,64,65,66,0,255,256,257
PAGES=1400,1420,1440,1448,1472,1500,4032,4095,4096,4097,8191,8192,8193,16384,32639,32640,32641
LARGE=65535,65536,65537,131072,3,0,262145
# Around a packet of 1500 bytes with its headers
MTU=1380,1390,1400,1410,1416,1420,1424,1428,1432,1436,1440,1444,1448,1452,1456,2800,2880,65537
HUGE=1048576,1,5242880,0,1048577
SEED=${MRC_SEED:-$((RANDOM * 32768 + RANDOM))}

msgs()
{
	ip netns exec $NS mrc_msgs -t 40 "$@" >"$MRC_TMP/out" && return
	mrc_fail "$(cat "$MRC_TMP/out")"
}

# msgs_mtu MTU ARGS...: packets of that size
msgs_mtu()
{
	ip -n $NS link set lo mtu "$1" || return
	shift
	msgs "$@"
}

mrc_plan 26
mrc_say "seed $SEED; MRC_SEED=$SEED repeats this run"

for v in "" -6; do
	mrc_run "small sizes ${v:-v4}" msgs $v -b -n 140 -z $SMALL
	mrc_run "sizes around pages and packets ${v:-v4}" msgs $v -b -n 68 -z $PAGES
	mrc_run "large sizes ${v:-v4}" msgs $v -b -n 14 -z $LARGE
	mrc_run "mixed sizes ${v:-v4}" msgs $v -b -n 100 -m 40000 -S $SEED
	mrc_run "unordered ${v:-v4}" msgs $v -u -b -n 100 -m 40000 -S $SEED
	mrc_run "packets of 1500 bytes ${v:-v4}" \
		msgs_mtu 1500 $v -b -n 68 -z $MTU
	ip -n $NS link set lo mtu 65536
done
mrc_run "messages of several MiB" msgs -n 5 -z $HUGE
mrc_run "messages of several MiB, both directions, v6" msgs -6 -b -n 5 -z $HUGE
mrc_run "messages larger than the receive buffer" msgs -n 3 -z 5242880,1,1048576 -r 65536
mrc_run "messages larger than the send buffer" msgs -n 3 -z 5242880,1,1048576 -w 65536
mrc_run "smallest buffers" msgs -b -n 100 -m 20000 -S $SEED -r 1 -w 1
mrc_run "smallest buffers, 1500-byte packets" msgs_mtu 1500 -b -n 100 -m 20000 -S $SEED -r 1 -w 1
ip -n $NS link set lo mtu 65536
mrc_run "smallest buffers, small messages" msgs -n 300 -m 50 -S $SEED -r 1 -w 1
mrc_run "reader slower than writer" msgs -n 60 -m 20000 -S $SEED -d 10000 -r 65536
mrc_run "reader slower than writer, unordered" msgs -u -n 60 -m 20000 -S $SEED -d 10000
mrc_run "reader takes 1000 bytes at a time" msgs -n 60 -m 60000 -S $SEED -R 1000
mrc_run "reader takes 7 bytes at a time" msgs -n 60 -m 2000 -S $SEED -R 7
mrc_run "unordered reader takes 1000 bytes at a time" msgs -u -n 60 -m 30000 -S $SEED -R 1000
mrc_run "many empty messages" msgs -b -n 1000 -z 0
mrc_run "many messages of one byte" msgs -b -n 1000 -z 1
mrc_end
