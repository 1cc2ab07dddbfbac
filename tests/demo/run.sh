#!/bin/sh
# A real PD pair, after the public deployments of DeepSeek-V3 with mooncake, in which somebody copied a decode flag to the prefill server.
pdcfg=$1
common='--model-path deepseek-ai/DeepSeek-V3 --trust-remote-code --disaggregation-transfer-backend mooncake --disaggregation-ib-device mlx5_0
--host 0.0.0.0 --tp-size 16 --dp-size 16 --enable-dp-attention --nnodes 2 --node-rank 0 --dist-init-addr 10.0.0.1:5000'
run() { # TITLE ARGS…
	title=$1; shift
	printf '\n== %s\n' "$title"
	printf '   pdcfg check --platform h100 -- python3 -m sglang.launch_server %s\n\n' "$*" | fold -s -w 78 | sed '2,$s/^/     /'
	"$pdcfg" check --no-env --platform h100 -- python3 -m sglang.launch_server "$@"
	status=$?
	printf '\n   (status %s)\n' "$status"
}
# shellcheck disable=SC2086
run "The prefill server, with a mistake in it" $common --disaggregation-mode prefill --disaggregation-decode-enable-offload-kvcache --hicache-storage-backend mooncake
first=$status
# shellcheck disable=SC2086
run "The same, with the fix that was offered" $common --disaggregation-mode prefill --hicache-storage-backend mooncake
second=$status
# shellcheck disable=SC2086
run "The decode server" $common --disaggregation-mode decode --disaggregation-decode-enable-offload-kvcache --hicache-storage-backend mooncake
third=$status
[ "$first $second $third" = "1 0 0" ] || { echo "the demo did not go as it should: $first $second $third"; exit 1; }
