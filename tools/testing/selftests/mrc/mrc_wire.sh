#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Packets that nobody should send, thrown at a live connection: see mrc_wire.c.

. "${0%/*}/mrc_lib.sh"

mrc_need ip mrc_wire mrc_msgs
NS=mrcwire$$
mrc_ns $NS || exit 1
ip -n $NS link set lo mtu 1500
# Other addresses to send from
ip -n $NS addr add fd00:77::1/64 dev lo nodad
ip -n $NS addr add 10.77.0.1/24 dev lo

export MRC_SEED=${MRC_SEED:-$((RANDOM * 32768 + RANDOM))}
mrc_say "seed $MRC_SEED; MRC_SEED=$MRC_SEED repeats the fuzzing"
mrc_programs $NS mrc_wire
