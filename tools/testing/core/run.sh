#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Run test programs one after the other; sum up their KTAP output.
# usage: run.sh PROGRAM...
pass=0
fail=0
out=$(mktemp) || exit 1
trap 'rm -f "$out"' EXIT
for t in "$@"; do
	echo "# $(basename "$t")"
	timeout 300 "$t" >"$out" 2>&1
	rc=$?
	cat "$out"
	pass=$((pass + $(grep -c '^ok ' "$out")))
	bad=$(grep -c '^not ok ' "$out")
	fail=$((fail + bad))
	# A program that a sanitizer stopped says nothing about the rest.
	if [ $rc -ne 0 ] && [ "$bad" -eq 0 ]; then
		echo "not ok - $(basename "$t") ended with status $rc"
		fail=$((fail + 1))
	fi
done
echo "$pass passed, $fail failed"
[ $fail -eq 0 ]
