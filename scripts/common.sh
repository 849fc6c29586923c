# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What the scripts share: where things are, how they complain.

set -euo pipefail

TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
CACHE=${MRC_CACHE:-${HOME:-/root}/.cache/mrc}
BUILD=$TOP/build
ME=${0##*/}
export TOP CACHE BUILD ME

# die STATUS MESSAGE: one line, and out
die()
{
	local status=$1

	shift
	echo "$ME: $*" >&2
	exit "$status"
}

# usage_if_help "$@": the comment at the head of the script is its manual
usage_if_help()
{
	case ${1-} in
	-h|--help)
		sed -n '3,/^[^#]/{/^#/!q;s/^# \{0,1\}//;p}' "$0"
		exit 0
	esac
}

# quietly LOG COMMAND...: output to a log, shown only if the command fails
quietly()
{
	local log=$1

	shift
	mkdir -p "${log%/*}"
	"$@" >"$log" 2>&1 </dev/null && return
	tail -n 40 "$log" >&2
	die 1 "failed: $* (log: $log)"
}

# Release of the 6.1 kernel that the VM runs; scripts/deps has noted it.
vm_kver()
{
	cat "$CACHE/kver-6.1" 2>/dev/null || die 1 "run scripts/deps first"
}
