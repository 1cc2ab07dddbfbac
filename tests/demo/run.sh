#!/bin/sh
# A real PD pair, after the public deployments of DeepSeek-V3 with mooncake,
# in which somebody copied a decode flag to the prefill server.
pdcfg=$1
common='--model-path deepseek-ai/DeepSeek-V3 --trust-remote-code
--disaggregation-transfer-backend mooncake --disaggregation-ib-device mlx5_0
--tp-size 16 --dp-size 16 --enable-dp-attention --nnodes 2 --node-rank 0
--hicache-storage-backend mooncake'
prefill='--host 10.0.0.1 --dist-init-addr 10.0.0.1:5000
--disaggregation-mode prefill'
decode='--host 10.0.1.1 --dist-init-addr 10.0.1.1:5000
--disaggregation-mode decode'
offload=--disaggregation-decode-enable-offload-kvcache

run() { # TITLE ARGS…
	title=$1; shift
	printf '\n== %s\n' "$title"
	set -- python3 -m sglang.launch_server "$@"
	printf '%s' "   pdcfg check --platform h100 -- $*" |
		fold -s -w 70 | sed -e '2,$s/^/     /' -e 's/ *$//' -e '$!s/$/ \\/'
	printf '\n\n'
	"$pdcfg" check --no-env --platform h100 -- "$@"
	status=$?
	printf '\n   (status %s)\n' "$status"
}

# shellcheck disable=SC2086
run "The prefill server, with a mistake in it" $common $prefill $offload
first=$status
# shellcheck disable=SC2086
run "The same, with the fix that was offered" $common $prefill
second=$status
# shellcheck disable=SC2086
run "The decode server" $common $decode $offload
third=$status
[ "$first $second $third" = "1 0 0" ] || {
	echo "the demo did not go as it should: $first $second $third"
	exit 1
}
