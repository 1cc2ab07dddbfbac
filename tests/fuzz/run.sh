#!/bin/sh
# Fuzzes each target for some seconds, from its corpus: run.sh CC SECONDS [TARGET…]. What is found on the way goes to a scratch corpus, never to the
# committed one; an input that breaks something is left in the current directory. FUZZ_KEEP=DIR keeps the programs and the corpora in DIR/TARGET.
set -eu
cc=$1 seconds=$2
shift 2
[ $# -gt 0 ] || set -- argv model config_yaml launch setters
here=$(cd "$(dirname "$0")" && pwd)
top=$here/../..
scratch=${FUZZ_KEEP:-$(mktemp -d)}
[ -n "${FUZZ_KEEP:-}" ] || trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch"
packages='json-c yaml-0.1'
flags="-g -O2 -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -std=gnu11 -DPDCFG_STATIC
	-I$top/include -I$top/lib/core -I$top/lib/files $(pkg-config --cflags $packages)"
objects=
for c in "$top"/lib/core/*.c "$top"/lib/core/derive/*.c "$top"/lib/files/*.c; do
	o=$scratch/$(echo "${c#"$top"/}" | tr / -).o
	"$cc" $flags -c "$c" -o "$o"
	objects="$objects $o"
done
for target; do
	"$cc" $flags -fsanitize=fuzzer "$here/fuzz_$target.c" $objects $(pkg-config --libs $packages) -o "$scratch/fuzz_$target"
	mkdir -p "$scratch/$target"
	dict=
	[ ! -f "$here/$target.dict" ] || dict=-dict=$here/$target.dict
	echo "fuzz_$target, $seconds s"
	status=0
	"$scratch/fuzz_$target" -max_total_time="$seconds" -timeout=10 -max_len=4096 $dict -print_final_stats=1 "$scratch/$target" "$here/corpus-$target" >"$scratch/$target.log" 2>&1 || status=$?
	tail -8 "$scratch/$target.log"
	[ "$status" = 0 ] || { grep -E 'ERROR|not so|runtime error|SUMMARY' "$scratch/$target.log"; exit 1; }
done
