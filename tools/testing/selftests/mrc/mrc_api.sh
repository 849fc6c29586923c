#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The socket API, case by case: see mrc_api_*.c.

. "${0%/*}/mrc_lib.sh"

PROGRAMS="mrc_api_bind mrc_api_conn mrc_api_msg mrc_api_wait mrc_api_opt"

mrc_need ip $PROGRAMS
NS=mrcapi$$
mrc_ns $NS || exit 1

# A device behind which nobody answers, for HOLE_V4 and HOLE_V6
ip -n $NS link add hole0 type veth peer name hole1 &&
ip -n $NS addr add 198.51.100.1/24 dev hole0 &&
ip -n $NS addr add 2001:db8:1::1/64 dev hole0 nodad &&
ip -n $NS link set hole0 up &&
ip -n $NS link set hole1 up &&
ip -n $NS neigh add 198.51.100.2 lladdr 02:00:00:00:00:99 dev hole0 nud permanent &&
ip -n $NS neigh add 2001:db8:1::2 lladdr 02:00:00:00:00:99 dev hole0 nud permanent || exit 1

mrc_programs $NS $PROGRAMS
