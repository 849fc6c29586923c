#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Tests of mrcat that need neither root nor the mrc module: bad arguments, and
# copying over a stand-in for the socket (mrcat_shim.c, preloaded).
#
# usage: $0 [MRCAT]		KTAP, then "N passed, N failed"

here=$(cd "$(dirname "$0")" && pwd)
root=$here/../../..
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

if [ $# -gt 0 ]; then
	mrcat=$1
	[ "${mrcat#/}" = "$mrcat" ] && mrcat=$OLDPWD/$mrcat
else
	make -s -C "$root/tools/mrcat" OUT="$work" >make.log 2>&1 || { cat make.log; exit 1; }
	mrcat=$work/mrcat
fi

number=0
passed=0
failed=0

# result STATUS NAME: one KTAP line; on failure what was printed goes before it
result()
{
	number=$((number + 1))
	if [ "$1" -eq 0 ]; then
		passed=$((passed + 1))
		echo "ok $number $2"
	else
		failed=$((failed + 1))
		[ -s err ] && sed 's/^/# /' err
		echo "not ok $number $2"
	fi
}

# one_line PATTERN: err is exactly one line "mrcat: ..." that matches
one_line()
{
	[ "$(wc -l <err)" -eq 1 ] && grep -q '^mrcat: ' err && grep -q -e "$1" err
}

# usage PATTERN ARG...: mrcat refuses these arguments
usage()
{
	local pattern=$1

	shift
	timeout 10 "$mrcat" "$@" >out 2>err </dev/null
	[ $? -eq 2 ] && [ ! -s out ] && one_line "$pattern"
	result $? "refused: mrcat $*"
}

# fails PATTERN NAME COMMAND...: status 1 and one line
fails()
{
	local pattern=$1 name=$2

	shift 2
	timeout 10 "$@" >out 2>err
	[ $? -eq 1 ] && one_line "$pattern"
	result $? "$name"
}

shim()
{
	LD_PRELOAD=$work/shim.so "$@"
}

preload="env LD_PRELOAD=$work/shim.so"

# listen ARG...: a listener in the background; output in got, messages in lerr
listen()
{
	LD_PRELOAD=$work/shim.so timeout 20 "$mrcat" -l "$@" 127.0.0.1 7 >got 2>lerr &
	listener=$!
	listening "mrcat-$MRCAT_SHIM_ID-7"
}

listening()
{
	local i

	for ((i = 0; i < 100; i++)); do
		grep -q "@$1" /proc/net/unix && return
		sleep 0.05
	done
}

# ended STATUS SENDER LISTENER: the sender ended with STATUS; both as they should?
ended()
{
	local sender=$1 lstatus

	wait "$listener"
	lstatus=$?
	cat lerr >>err
	[ "$sender" -eq "$2" ] && [ "$lstatus" -eq "$3" ]
}

echo "KTAP version 1"

usage 'port is missing'
usage 'port is missing' 127.0.0.1
usage 'port is missing' -l
usage 'one argument too many' 127.0.0.1 7 8
usage 'one argument too many' -l 127.0.0.1 7 8
usage 'address is empty' '' 7
for bad in 0 65536 -1 +7 7x x '' ' 7' 0x7 99999999999999999999; do
	usage 'not a port' -- 127.0.0.1 "$bad"
done
for bad in 0 -1 x 1x 1kk 2G 2147483648 99999999999999999999 ''; do
	usage '-m: .* not a size' -m "$bad" 127.0.0.1 7
done
for bad in 0 -1 x 1.5 ''; do
	usage '-n: .* not a number' -n "$bad" 127.0.0.1 7
	usage '-i: .* not a number' -i "$bad" 127.0.0.1 7
done
for bad in 0 -1 x 1x nan inf ''; do
	usage '-w: .* not a number' -w "$bad" 127.0.0.1 7
done
for bad in '' :7 '[::1' '[::1]7' '[]:7'; do
	usage '-s: ' -s "$bad" 127.0.0.1 7
done
for bad in 127.0.0.1: 127.0.0.1:x 127.0.0.1:65536 '[::1]:'; do
	usage 'not a port' -s "$bad" 127.0.0.1 7
done
usage '-4 and -6' -4 -6 127.0.0.1 7
usage '-k needs -l' -k 127.0.0.1 7
usage 'do not go with -l' -l -s 127.0.0.1 7
usage 'do not go with -l' -l -w 3 7
usage '-n does not go with -d' -d -n 3 127.0.0.1 7
usage '-x is not an option' -x 127.0.0.1 7
usage '-m needs a value' -l 7 -m

timeout 10 "$mrcat" -h >out 2>err </dev/null
[ $? -eq 0 ] && grep -q '^usage: mrcat' out && [ ! -s err ]
result $? "help goes to standard output"

fails 'Name or service\|not known\|failure in name' "a name that does not exist" \
	"$mrcat" host.invalid 7
fails 'not supported\|not known\|family' "an address of the other family" \
	"$mrcat" -6 127.0.0.1 7
fails 'needs a file' "-n with a pipe" sh -c "echo x | '$mrcat' -n 2 127.0.0.1 7"
fails '/nosuch/file: ' "-P with a path that does not exist" \
	"$mrcat" -P /nosuch/file 127.0.0.1 7

if ! ${CC:-cc} -shared -fPIC -O2 -D_GNU_SOURCE -I"$root/include/uapi" \
     -o shim.so "$here/mrcat_shim.c" -ldl 2>err; then
	result 1 "mrcat_shim.c builds"
	echo "1..$number"
	echo "$passed passed, $failed failed"
	exit 1
fi
export MRCAT_SHIM_ID=$$
head -c 3000001 /dev/urandom >file
head -c 5 file >small

export MRCAT_SHIM_NO_MODULE=1
fails 'is the mrc module loaded' "without the module: connect" $preload "$mrcat" 127.0.0.1 7
fails 'is the mrc module loaded' "without the module: listen" $preload "$mrcat" -l 7
unset MRCAT_SHIM_NO_MODULE
shim "$mrcat" -q 127.0.0.1 7 >out 2>err
[ $? -eq 1 ] && [ ! -s err ]
result $? "-q prints nothing"
fails 'connect to 127.0.0.1:7: Connection refused' "nobody listens" $preload "$mrcat" 127.0.0.1 7

listen
shim "$mrcat" 127.0.0.1 7 <file >back 2>err
ended $? 0 0 && cmp file got 2>>err && [ ! -s back ]
result $? "a file arrives"

listen -u -m 100k
shim "$mrcat" -u -n 3 127.0.0.1 7 <file >/dev/null 2>err
ended $? 0 0 && cat file file file | cmp - got 2>>err
result $? "three copies arrive, unordered"

listen
shim "$mrcat" -m 1 127.0.0.1 7 <small >/dev/null 2>err
ended $? 0 0 && cmp small got 2>>err
result $? "messages of one byte"

listen
shim "$mrcat" 127.0.0.1 7 </dev/null >/dev/null 2>err
ended $? 0 0 && [ ! -s got ] && [ ! -s err ]
result $? "an empty input"

listen <small
shim "$mrcat" 127.0.0.1 7 <file >back 2>err
# a job in the background has /dev/null as input: nothing comes back
ended $? 0 0 && cmp file got 2>>err && [ ! -s back ]
result $? "a listener does not send /dev/null"

{ LD_PRELOAD=$work/shim.so timeout 20 "$mrcat" -l 127.0.0.1 7 <&3 >got 2>lerr & } 3<file
listener=$!
listening "mrcat-$MRCAT_SHIM_ID-7"
shim "$mrcat" 127.0.0.1 7 <small >back 2>err
ended $? 0 0 && cmp small got 2>>err && cmp file back 2>>err
result $? "both directions at once"

{ LD_PRELOAD=$work/shim.so timeout 20 "$mrcat" -l 127.0.0.1 7 <&3 >got 2>lerr & } 3<file
listener=$!
listening "mrcat-$MRCAT_SHIM_ID-7"
shim "$mrcat" -d 127.0.0.1 7 <small >back 2>err
ended $? 0 0 && [ ! -s got ] && cmp file back 2>>err
result $? "-d fetches without sending"

listen
shim "$mrcat" 127.0.0.1 7 </ >/dev/null 2>err
ended $? 1 1 && grep -q 'read standard input: Is a directory' err && grep -q 'receive: ' lerr
result $? "an input that cannot be read: both sides fail"

listen
mkfifo typed
exec 3<>typed
LD_PRELOAD=$work/shim.so "$mrcat" 127.0.0.1 7 <typed >/dev/null 2>err &
sender=$!
echo abc >&3
for ((i = 0; i < 100; i++)); do
	[ -s got ] && break
	sleep 0.05
done
{
	kill -9 "$sender"
	wait "$sender"
} 2>/dev/null
exec 3>&-
ended 0 0 1 && [ "$(cat got)" = abc ]
result $? "what is typed is sent at once; a killed sender is no clean end"

listen -u
shim "$mrcat" 127.0.0.1 7 <file >/dev/null 2>err
ended 1 1 1 && grep -q 'both sides need -u' lerr
result $? "-u on one side only is found out"

LD_PRELOAD=$work/shim.so timeout 20 "$mrcat" -l -u 127.0.0.1 7 2>lerr > >(cat >/dev/null) &
listener=$!
listening "mrcat-$MRCAT_SHIM_ID-7"
shim "$mrcat" -u 127.0.0.1 7 <file >/dev/null 2>err
ended 1 1 1 && grep -q 'must be a file' lerr
result $? "-u needs a file to write to"

LD_PRELOAD=$work/shim.so timeout 20 "$mrcat" -l 127.0.0.1 7 >/dev/full 2>lerr &
listener=$!
listening "mrcat-$MRCAT_SHIM_ID-7"
shim "$mrcat" 127.0.0.1 7 <file >/dev/null 2>err
ended $? 1 1 && grep -q 'write standard output: No space' lerr
result $? "a full disk: both sides fail"

# The connector's output is a pipe that nobody reads, so the listener's send() blocks
# when its own output fails.
mkfifo unread
exec 4<>unread
{ LD_PRELOAD=$work/shim.so timeout 20 "$mrcat" -l 127.0.0.1 7 <&3 >/dev/full 2>lerr & } 3<file
listener=$!
listening "mrcat-$MRCAT_SHIM_ID-7"
LD_PRELOAD=$work/shim.so timeout 20 "$mrcat" 127.0.0.1 7 <file >unread 2>err &
sender=$!
ended 1 1 1
result $? "a failure ends a blocked send()"
kill "$sender"
wait "$sender" 2>/dev/null
exec 4>&-

LD_PRELOAD=$work/shim.so timeout 20 "$mrcat" -l 127.0.0.1 7 >&- 2>lerr &
listener=$!
listening "mrcat-$MRCAT_SHIM_ID-7"
shim "$mrcat" 127.0.0.1 7 <file >/dev/null 2>err
ended $? 1 1 && grep -q 'write standard output: Bad file' lerr
result $? "a closed standard output is no success"

LD_PRELOAD=$work/shim.so timeout 20 "$mrcat" -l -k 127.0.0.1 7 >got 2>lerr &
listener=$!
listening "mrcat-$MRCAT_SHIM_ID-7"
shim "$mrcat" 127.0.0.1 7 <small >/dev/null 2>err &&
	shim "$mrcat" 127.0.0.1 7 <small >/dev/null 2>>err
status=$?
kill "$listener"
wait "$listener" 2>/dev/null
[ $status -eq 0 ] && cat small small | cmp - got 2>>err
result $? "-k takes one connection after the other"

listen -g
shim "$mrcat" -p -P json 127.0.0.1 7 <file >/dev/null 2>err
ended $? 0 0 && grep -q '^mrcat: longest gap [0-9.]* ms at [0-9.]* s$' lerr &&
	grep -q '3.0 MB \[####################\] 100%.*1:50% 2:50%' err
result $? "-p shows bytes, a bar and shares, -g the longest gap"

cat >check.py <<'END'
import json, sys
lines = [json.loads(line) for line in open("json")]
assert {line["plane"] for line in lines} == {1, 2}, lines
for line in lines:
    assert line["state"] == "active" and line["time"] > 0, line
    assert line["rtt_us"] in (100, 101) and line["retrans"] == 0, line
assert lines[-1]["sent"] == 3000001, lines[-1]
END
if command -v python3 >/dev/null; then
	python3 check.py 2>err
	result $? "-P writes JSON lines"
else
	number=$((number + 1))
	echo "ok $number -P writes JSON lines # SKIP no python3"
fi

echo "1..$number"
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
