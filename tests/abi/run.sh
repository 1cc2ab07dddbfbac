#!/bin/sh
# The interface against what was promised: the stored dump, and programs built from the released headers. run.sh CC BUILD
set -eu
cc=$1 build=$2
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
dump() { abidw --headers-dir "$here/../../include" --drop-private-types --no-corpus-path --no-comp-dir-path --no-show-locs "$1"; }
for l in libpdcfg libpdcfg-files; do
	dump "$build/$l.so" > "$scratch/$l.abi"
	if [ "${ACCEPT:-}" = 1 ]; then cp "$scratch/$l.abi" "$here/$l.abi"; fi
	abidiff --harmless --no-added-syms "$here/$l.abi" "$scratch/$l.abi" || { echo "$l breaks its interface"; exit 1; }
	echo "ok - $l agrees with the stored dump"
done
for release in "$here"/*.*/; do
	[ -d "$release" ] || continue
	"$cc" -std=c99 -I"$release/include" "$release/consumer.c" -o "$scratch/consumer" -L"$build" -lpdcfg
	LD_BIND_NOW=1 LD_LIBRARY_PATH=$build "$scratch/consumer" > "$scratch/out"
	diff -u "$release/consumer.expected" "$scratch/out"
	echo "ok - a program built from the headers of $(basename "$release")"
done
