#!/bin/sh
# Fuzzes each target for some seconds, from its corpus: run.sh CC SECONDS. New finds of interest go to the scratch corpus, never to the committed one.
set -eu
cc=$1 seconds=$2
here=$(cd "$(dirname "$0")" && pwd)
top=$here/../..
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$cc" -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -std=gnu11 -DPDCFG_STATIC -I"$top/include" -I"$top/lib/core" -I"$top/lib/files" \
	$(pkg-config --cflags json-c) "$here/fuzz_argv.c" "$top"/lib/core/*.c "$top"/lib/core/derive/*.c "$top"/lib/files/*.c $(pkg-config --libs json-c) -o "$scratch/fuzz_argv"
mkdir "$scratch/corpus"
"$scratch/fuzz_argv" -max_total_time="$seconds" -max_len=4096 -dict="$here/argv.dict" -print_final_stats=1 "$scratch/corpus" "$here/corpus-argv" 2>&1 | tail -8
