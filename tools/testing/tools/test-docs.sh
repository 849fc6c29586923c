#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Do README and Documentation say what is true of the code?
#
# KTAP, and last `N passed, N failed[, N skipped]`.

cd "$(dirname "$0")/../../.." || exit 1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
n=0 bad=0 skipped=0
docs=Documentation/networking

# silent NAME COMMAND...: passes if the command says nothing and succeeds
silent()
{
	local name=$1 out

	shift
	n=$((n + 1))
	if out=$("$@" 2>&1) && [ -z "$out" ]; then
		echo "ok $n $name"
	else
		echo "not ok $n $name"
		sed 's/^/# /' <<<"$out" | head -n 20
		bad=$((bad + 1))
	fi
}

skip()
{
	n=$((n + 1))
	skipped=$((skipped + 1))
	echo "ok $n $1 # SKIP $2"
}

example_compiles()
{
	sed -n '/^```c$/,/^```$/{/^```/d;p}' README.md >"$tmp/example.c"
	[ "$(wc -l <"$tmp/example.c")" -ge 10 ] || echo "no example"
	# linux/mrc.h as it will be installed
	mkdir -p "$tmp/linux"
	cp include/uapi/linux/mrc.h "$tmp/linux/"
	gcc -O2 -Wall -Wextra -Werror -I"$tmp" -o "$tmp/example" "$tmp/example.c"
}

readme_links()
{
	local l

	for l in $(grep -o '](\([^)]*\))' README.md | tr -d '()]'); do
		[[ $l = *://* ]] || [ -e "$l" ] || echo "README.md: no $l"
	done
}

# Files are named by their path, or alone if they are in the same directory
# or in net/mrc.
rst_files()
{
	local f w

	for f in "$docs"/*.rst; do
		for w in $(grep -oE '[A-Za-z0-9_./-]+\.(rst|yaml|[ch])\b' "$f"); do
			[ -e "$w" ] || [ -e "$docs/$w" ] || [ -e "net/mrc/$w" ] ||
				echo "$f: no $w"
		done
	done
}

# named_in FILE LEAST WORD...: each word is in the file, and the code still
# has at least so many of them, or this test would look for nothing
named_in()
{
	local f=$1 least=$2 w

	shift 2
	[ $# -ge "$least" ] || echo "only $# names found in the code"
	for w in "$@"; do
		grep -qw -- "$w" "$f" || echo "$f does not name $w"
	done
}

# names FILE PREFIX: constants of this prefix, without it
names()
{
	sed -n "s/^\t$2\([A-Z0-9_]*\)[ \t]*[=,].*/\1/p" "$1"
}

opcodes()
{
	# shellcheck disable=SC2046
	named_in $docs/mrc-protocol.rst 21 \
		$(sed -n 's/^\tMRC_OP_[A-Z_]*\t*= \(0x[0-9a-f]*\),.*/\1/p' net/mrc/wire.h)
	# shellcheck disable=SC2046
	named_in $docs/mrc-protocol.rst 9 $(names net/mrc/wire.h MRC_OP_CM_)
}

# MRC_MIB_RX_BAD_TAG is MrcRxBadTag
counters()
{
	local -a all

	mapfile -t all < <(names net/mrc/mrc.h MRC_MIB_ | tr '[:upper:]' '[:lower:]' |
			   sed -E 's/(^|_)([a-z])/\u\2/g; s/^/Mrc/')
	named_in $docs/mrc.rst 30 "${all[@]}"
	diff <(printf '%s\n' "${all[@]}") \
		<(grep -o '"Mrc[A-Za-z0-9]*"' net/mrc/proc.c | tr -d '"')
}

# The protocol says what each reason to drop a packet is
drops()
{
	# shellcheck disable=SC2046
	named_in $docs/mrc-protocol.rst 10 \
		$(grep -oE 'RX_[A-Z_]+,.*(dropped|twice|aborted)' net/mrc/mrc.h |
		  sed 's/,.*//' | tr '[:upper:]' '[:lower:]' | sed -E 's/(^|_)([a-z])/\u\2/g; s/^/Mrc/')
}

states()
{
	# shellcheck disable=SC2046
	named_in $docs/mrc-protocol.rst 6 $(names include/uapi/linux/mrc.h MRC_SF_ |
					    grep -v ^F_)
	# shellcheck disable=SC2046
	named_in $docs/mrc-protocol.rst 10 $(names include/uapi/linux/mrc.h MRC_CONN_)
	# shellcheck disable=SC2046
	named_in $docs/mrc-protocol.rst 4 \
		$(names net/mrc/ev.h MRC_EV_ | grep -Ev '^(FB_|MIN|MAX)')
}

sysctls()
{
	local -a all

	mapfile -t all < <(sed -n 's/.*\.procname.*= "\([a-z_]*\)".*/\1/p' net/mrc/sysctl.c)
	named_in $docs/mrc-sysctl.rst 4 "${all[@]}"
	diff <(printf '%s\n' "${all[@]}" | sort) \
		<(sed -n 's/^\([a-z_]*\) - .*/\1/p' $docs/mrc-sysctl.rst)
}

options()
{
	# shellcheck disable=SC2046
	named_in $docs/mrc.rst 7 \
		$(sed -n 's/^\t\(MRC_[A-Z_]*\)\t*= [0-9]*,/\1/p' include/uapi/linux/mrc.h)
}

# value NAME FILE: a number that is defined there
value()
{
	sed -nE "s/^#define $1[ \t]+\(?([0-9]+).*/\1/p" "$2"
}

# Numbers that the documents tell
numbers()
{
	local p=$docs/mrc-protocol.rst

	named_in $p 4 "$(value MRC_CM_REQ_PADDED net/mrc/wire.h)" \
		"$(value MRC_CREDITS net/mrc/mrc.h)" \
		"$(value MRC_EVS_DEFAULT net/mrc/mrc.h)" \
		"$(value MRC_TW_MAX net/mrc/mrc.h)"
	grep -q "first after $(value MRC_PROBE_FIRST net/mrc/subflow.h) ms" $p ||
		echo "first interval of probes"
	grep -q "intervals up to $(value MRC_PROBE_MAX net/mrc/subflow.h) ms" $p ||
		echo "last interval of probes"
	grep -qw "$(value MRC_RTO_MIN net/mrc/subflow.h) ms to 1 s" $p || echo "RTO"
	grep -q "at least $(value MRC_SILENT_MIN net/mrc/subflow.h) ms" $p ||
		echo "silence"
	named_in $docs/mrc-sysctl.rst 1 "$(value MRC_UDP_PORT include/uapi/linux/mrc.h)"
}

rst_parses()
{
	local f

	for f in "$docs"/*.rst; do
		rst2html --halt=5 --report=2 "$f" >/dev/null
	done
}

echo "TAP version 13"
silent "the example of the README compiles" example_compiles
silent "files that the README points to exist" readme_links
silent "files that the documents name exist" rst_files
silent "every opcode is documented" opcodes
silent "every counter is documented, and has the name of its constant" counters
silent "every reason to drop a packet is documented" drops
silent "every state is documented" states
silent "every sysctl is documented, in order" sysctls
silent "every socket option is documented" options
silent "numbers are those of the headers" numbers
if command -v rst2html >/dev/null; then
	silent "the documents are valid reStructuredText" rst_parses
else
	skip "the documents are valid reStructuredText" "no rst2html"
fi
echo "1..$n"
line="$((n - bad - skipped)) passed, $bad failed"
[ "$skipped" -gt 0 ] && line+=", $skipped skipped"
echo "$line"
[ "$bad" = 0 ]
