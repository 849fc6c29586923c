#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Tests of ip-mrc, its dispatcher and the netlink specification that need no
# kernel module: what is refused before the kernel is asked, options, help, and
# what is printed for the answers of a kernel that ip_mrc_shim.c plays.
#
#	test-ip-mrc.sh [DIR]	DIR holds ip-mrc and ip-dispatch if they are built

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

out=${1-}
if [ -z "$out" ]; then
	out=$tmp/out
	make -s -C "$root/tools/ip-mrc" OUT="$out" >"$tmp/log" 2>&1 || {
		sed 's/^/# /' "$tmp/log"
		echo "Bail out! ip-mrc does not build"
		exit 1
	}
fi
ip_mrc=$out/ip-mrc
n=0
passed=0
failed=0

# result NAME STATUS: one line of KTAP.
result() {
	n=$((n + 1))
	if [ "$2" -eq 0 ]; then
		passed=$((passed + 1))
		echo "ok $n $1"
	else
		failed=$((failed + 1))
		echo "not ok $n $1"
		[ -s "$tmp/stderr" ] && sed 's/^/# stderr: /' "$tmp/stderr"
		[ -s "$tmp/stdout" ] && sed 's/^/# stdout: /' "$tmp/stdout"
	fi
}

# run COMMAND...: its status, stdout and stderr.
run() {
	"$@" >"$tmp/stdout" 2>"$tmp/stderr" </dev/null
	status=$?
}

# refused NAME PATTERN ARG...: one line on stderr that fits, status 1, no stdout.
refused() {
	local name=$1 pattern=$2

	shift 2
	run "$ip_mrc" "$@"
	[ "$status" -eq 1 ] && [ ! -s "$tmp/stdout" ] &&
		[ "$(wc -l <"$tmp/stderr")" -eq 1 ] && grep -qE -e "$pattern" "$tmp/stderr"
	result "$name" $?
}

# usage NAME STATUS ARG...: the usage on stderr.
usage() {
	local name=$1 want=$2

	shift 2
	run "$ip_mrc" "$@"
	[ "$status" -eq "$want" ] && [ ! -s "$tmp/stdout" ] && grep -q '^Usage: ip ' "$tmp/stderr"
	result "$name" $?
}

# prints NAME EXPECTED ARG...: with the kernel played by the shim.
prints() {
	local name=$1 want=$2

	shift 2
	run env LD_PRELOAD="$tmp/shim.so" "$ip_mrc" "$@"
	[ "$status" -eq 0 ] && [ ! -s "$tmp/stderr" ] && [ "$(cat "$tmp/stdout")" = "$want" ]
	result "$name" $?
}

# kernel_refuses NAME LINE ARG...: the kernel's error, status 2.
kernel_refuses() {
	local name=$1 want=$2

	shift 2
	run env LD_PRELOAD="$tmp/shim.so" "$ip_mrc" "$@"
	[ "$status" -eq 2 ] && [ ! -s "$tmp/stdout" ] && [ "$(cat "$tmp/stderr")" = "$want" ]
	result "$name" $?
}

# dispatched NAME EXPECTED ARG...: who was called with what.
dispatched() {
	local name=$1 want=$2

	shift 2
	run env MRC_REAL_IP="$tmp/real-ip" "$tmp/bin/ip" "$@"
	[ "$status" -eq 0 ] && [ "$(cat "$tmp/stdout")" = "$want" ]
	result "$name" $?
}

echo "KTAP version 1"

# --- what is refused before the kernel is asked
refused address_300 'any valid address.*"300.1.1.1"' endpoint add 300.1.1.1
refused address_prefix 'any valid address' endpoint add 10.0.0.1/24
refused address_short 'any valid address' endpoint add 10.1
refused address_missing 'ADDRESS.*required' endpoint add
refused address_missing_with_others 'ADDRESS.*required' endpoint add plane 1
refused address_twice 'duplicate "ADDRESS"' endpoint add 10.0.0.1 10.0.0.2
refused address_v6_bad 'any valid address' endpoint add fe80::1::2
refused plane_negative '"-1" is wrong: plane is a number from 0 to 255' endpoint add 10.0.0.1 plane -1
refused plane_256 '"256" is wrong' endpoint add 10.0.0.1 plane 256
refused plane_huge 'is wrong' endpoint add 10.0.0.1 plane 99999999999999999999999
refused plane_garbage '"1x" is wrong' endpoint add 10.0.0.1 plane 1x
refused plane_empty '"" is wrong' endpoint add 10.0.0.1 plane ''
refused plane_plus '"\+1" is wrong' endpoint add 10.0.0.1 plane +1
refused plane_blank '" 1" is wrong' endpoint add 10.0.0.1 plane ' 1'
refused plane_hex_empty '"0x" is wrong' endpoint add 10.0.0.1 plane 0x
refused plane_no_value '"plane" needs a value' endpoint add 10.0.0.1 plane
refused plane_twice 'duplicate "plane"' endpoint add 10.0.0.1 plane 1 plane 1
refused id_0 'id is a number from 1 to 255' endpoint add 10.0.0.1 id 0
refused id_256 'id is a number from 1 to 255' endpoint add 10.0.0.1 id 256
refused id_twice 'duplicate "id"' endpoint add 10.0.0.1 id 1 id 2
refused ev_0 'ev is a number from 1 to 256' endpoint add 10.0.0.1 ev 0
refused ev_257 'ev is a number from 1 to 256' endpoint add 10.0.0.1 ev 257
refused dev_nosuch 'Cannot find device "nosuch"' endpoint add 10.0.0.1 dev nosuch
refused dev_long 'Cannot find device' endpoint add 10.0.0.1 dev a23456789012345678
refused dev_no_value '"dev" needs a value' endpoint add 10.0.0.1 dev
refused dev_twice 'duplicate "dev"' endpoint add 10.0.0.1 dev lo dev lo
refused backup_twice 'duplicate "backup"' endpoint add 10.0.0.1 backup backup
refused keyword_unknown '"foo" is wrong: unknown keyword' endpoint add 10.0.0.1 foo
refused delete_nothing 'ADDRESS" or "id" is required' endpoint delete
refused delete_both 'cannot be given together' endpoint delete 10.0.0.1 id 1
refused delete_bad_id 'id is a number' endpoint delete id x
refused show_keyword 'unknown keyword' endpoint show foo
refused show_id_no_value '"id" needs a value' endpoint show id
refused flush_keyword 'unknown keyword' endpoint flush all
refused endpoint_command 'Command "frob" is unknown' endpoint frob
refused connection_command 'Command "frob" is unknown' connection frob
refused connection_id 'id is a number' connection show id -7
refused subflow_command 'Command "frob" is unknown' subflow frob
refused subflow_conn 'conn is a number' subflow show conn 4294967296
refused subflow_keyword 'unknown keyword' subflow show id 1
refused object_unknown 'Object "frob" is unknown' frob
refused option_unknown 'Option "-x" is unknown' -x endpoint
refused option_dash 'Option "-" is unknown' - endpoint
refused option_value 'Option "-j=1" is unknown' -j=1 endpoint
refused option_batch 'not supported' -b file
refused color_bad 'color is' -c=blue endpoint
refused netns_no_value 'needs a value' -n
refused netns_nosuch 'Cannot open network namespace "no-such-ns"' -n no-such-ns endpoint
refused netns_path 'Invalid network namespace' -netns ../self endpoint

# --- help
usage help 0 help
usage help_option 0 -h
usage help_long_option 0 --help
usage help_endpoint 0 endpoint help
usage help_endpoint_add 0 endpoint add help
usage help_connection 0 connection help
usage help_subflow_show 0 subflow show help
usage no_object 1
run "$ip_mrc" -V
[ "$status" -eq 0 ] && grep -q '^ip-mrc' "$tmp/stdout"
result version $?

# --- the module is not there
if [ -d /sys/module/mrc ] || modinfo mrc >/dev/null 2>&1; then
	result 'no_module # SKIP mrc is installed' 0
else
	refused no_module 'the mrc module is not loaded: modprobe mrc' endpoint show
fi

# --- answers of the kernel, played by the shim
if ${CC:-cc} -shared -fPIC -Wall -Wextra -I"$root/include/uapi" -o "$tmp/shim.so" \
	"$here/ip_mrc_shim.c" 2>"$tmp/stderr"; then
	prints endpoint_text '10.0.1.1 dev lo plane 1 id 2 ev 32 backup
fd00::1 plane 0 id 3 fullmesh rawflags 0x80' endpoint
	prints endpoint_json '[{"id":2,"address":"10.0.1.1","ifindex":1,"dev":"lo","plane":1,"evs":32,"flags":["backup"]},{"id":3,"address":"fd00::1","plane":0,"flags":["fullmesh","0x80"]}]' -j endpoint show
	prints endpoint_abbreviated '10.0.1.1 dev lo plane 1 id 2 ev 32 backup' e sh i 2
	prints connection_text 'id 7 ESTABLISHED 10.0.1.1:40001 -> 10.0.1.2:5000 subflows 3/4 inflight 5
id 8 LISTEN [::]:5000' connection show
	prints connection_details 'id 7 ESTABLISHED 10.0.1.1:40001 -> 10.0.1.2:5000 subflows 3/4 inflight 5 scheduler spray bytes_sent 18446744073709551615
id 8 LISTEN [::]:5000' -d -s connection
	prints connection_json '[{"id":7,"state":"ESTABLISHED","local_address":"10.0.1.1","local_port":40001,"remote_address":"10.0.1.2","remote_port":5000,"scheduler":"spray","subflows":4,"subflows_active":3,"snd_packets":5,"bytes_sent":18446744073709551615},{"id":8,"state":"LISTEN","local_address":"::","local_port":5000}]' -json connection
	prints subflow_text 'conn 7 id 1 ACTIVE plane 1 10.0.1.1 -> 10.0.1.2 dev lo rtt 0.412/0.050ms cwnd 12000 inflight 3000 ev 32 initial
conn 7 id 2 99' subflow show conn 7
	prints subflow_stats 'conn 7 id 1 ACTIVE plane 1 10.0.1.1 -> 10.0.1.2 dev lo rtt 0.412/0.050ms cwnd 12000 inflight 3000 ev 32 initial pkts_lost 9
conn 7 id 2 99' -s -o subflow
	prints color_not_on_a_pipe '10.0.1.1 dev lo plane 1 id 2 ev 32 backup' -c endpoint show id 2
	prints color_always $'\e[35m10.0.1.1\e[0m dev \e[36mlo\e[0m plane 1 id 2 ev 32 backup' -c=always endpoint show id 2
	prints add '' endpoint add 10.0.1.9 plane 0xff dev lo ev 256 fullmesh id 255
	prints flush '' endpoint flush
	kernel_refuses extack 'Error: Endpoint exists already (address).' endpoint add 10.0.1.1
	kernel_refuses errno_only 'Error: No such file or directory.' endpoint delete id 77
	kernel_refuses json_no_output 'Error: Endpoint exists already (address).' -j endpoint add 10.0.1.1
	run env LD_PRELOAD="$tmp/shim.so" "$ip_mrc" -j -p connection
	python3 -c 'import json, sys; d = json.load(open(sys.argv[1])); assert len(d) == 2' "$tmp/stdout"
	result pretty_json_parses $?
	run sh -c 'LD_PRELOAD=$0 "$1" endpoint >/dev/full' "$tmp/shim.so" "$ip_mrc"
	[ "$status" -eq 1 ] && grep -q 'cannot write' "$tmp/stderr"
	result disk_full $?
else
	result shim_compiles 1
fi

# --- the dispatcher
mkdir "$tmp/bin"
cp "$out/ip-dispatch" "$tmp/bin/ip"
# shellcheck disable=SC2016
printf '#!/bin/sh\nprintf mrc; for a; do printf "<%%s>" "$a"; done\n' >"$tmp/bin/ip-mrc"
# shellcheck disable=SC2016
printf '#!/bin/sh\nprintf real; for a; do printf "<%%s>" "$a"; done\n' >"$tmp/real-ip"
chmod +x "$tmp/bin/ip-mrc" "$tmp/real-ip"

dispatched d_plain 'mrc<endpoint><show>' mrc endpoint show
dispatched d_bare 'mrc' mrc
dispatched d_json 'mrc<-j><endpoint>' -j mrc endpoint
dispatched d_netns 'mrc<-n><ns1><-j><-p><subflow>' -n ns1 -j -p mrc subflow
dispatched d_netns_long 'mrc<--netns><ns1><subflow>' --netns ns1 mrc subflow
dispatched d_netns_is_mrc 'real<-n><mrc><link>' -n mrc link
dispatched d_netns_mrc_mrc 'mrc<-n><mrc><endpoint>' -n mrc mrc endpoint
dispatched d_color 'mrc<-color=always><-s><endpoint>' -color=always -s mrc endpoint
dispatched d_resolve_has_no_value 'mrc<-r><endpoint>' -r mrc endpoint
dispatched d_rcvbuf_has_value 'real<-rc><mrc><link>' -rc mrc link
dispatched d_family_has_value 'real<-f><mrc><link>' -f mrc link
dispatched d_force_has_no_value 'mrc<-fo><endpoint>' -fo mrc endpoint
dispatched d_brief_has_no_value 'mrc<-br><endpoint>' -br mrc endpoint
dispatched d_batch 'real<-b><mrc>' -b mrc
dispatched d_dashes 'mrc<--><endpoint>' -- mrc endpoint
dispatched d_words_kept 'mrc<endpoint><add><a  b><*><><mrc>' mrc endpoint add 'a  b' '*' '' mrc
dispatched d_real 'real<-s><link><show><a  b><>' -s link show 'a  b' ''
dispatched d_real_nothing 'real'
dispatched d_real_option_only 'real<-V>' -V
dispatched d_real_no_value 'real<-n>' -n
dispatched d_real_mroute 'real<mr>' mr
dispatched d_real_mptcp 'real<mptcp><endpoint>' mptcp endpoint
dispatched d_netns_exec 'real<netns><exec><ns1><ip><mrc><endpoint>' netns exec ns1 ip mrc endpoint
dispatched d_device_named_mrc 'real<link><show><mrc>' link show mrc
run env MRC_REAL_IP="$tmp/bin/ip" timeout 10 "$tmp/bin/ip" -V
[ "$status" -ne 124 ]
result d_never_itself $?
rm "$tmp/bin/ip-mrc"
run env PATH=/usr/bin:/bin "$tmp/bin/ip" mrc endpoint
[ "$status" -eq 127 ] && grep -q 'not installed' "$tmp/stderr"
result d_not_installed $?

# --- the specification
run "$root/scripts/ynl-policy" --check
[ "$status" -eq 0 ]
result ynl_policy_check $?

echo "1..$n"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
