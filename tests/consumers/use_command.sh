#!/bin/sh
# The documented cases through the command: use_command.sh PDCFG PYTHON
case_() {
	name=$1; shift
	"$pdcfg" check --no-env --format json "$@" | "$python" -c '
import json, sys
s = json.load(sys.stdin)["servers"][0]
f = next(f for f in s["findings"] if f["rule"] == s["first_refusal"])
print(sys.argv[1], f["id"], f["exception"], f["message"], sep="\t")' "$name"
}
pdcfg=$1 python=$2
launch="python3 -m sglang.launch_server --model-path m"
case_ replayssm-spec-on-prefill -- $launch --disaggregation-mode prefill --enable-linear-replayssm-spec
case_ mode-null --pd-required -- $launch
case_ offload-on-prefill -- $launch --disaggregation-mode prefill --disaggregation-decode-enable-offload-kvcache
case_ unified-memory-swa --trait is_hybrid_swa=true -- $launch --disaggregation-mode prefill --enable-unified-memory --attention-backend triton
case_ staging-decode --env SGLANG_DISAGG_STAGING_BUFFER=1 --trait is_mla=true -- $launch --disaggregation-mode decode
case_ staging-prefill --env SGLANG_DISAGG_STAGING_BUFFER=1 --trait is_mla=true -- $launch --disaggregation-mode prefill
