# what is known of a model by its name, or by --trait alone; the layers stand in a file only
pdcfg resolve --format json -- python3 -m sglang.launch_server --model-path deepseek-ai/DeepSeek-V3.1 | sed -n '/"model": {/,/"dtype"/p'
pdcfg resolve --format json --trait is_mla=true --trait architectures=A --trait index_topk=None -- python3 -m sglang.launch_server --model-path m | sed -n '/"model": {/,$p'
pdcfg resolve --format json -- python3 -m sglang.launch_server --model-path m | sed -n '/"model": {/,/"traits"/p'
