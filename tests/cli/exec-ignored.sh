# what is not shown is named before the command runs
printf '#!/bin/sh\necho ran\n' > python3; chmod +x python3
PATH="$PWD:$PATH" pdcfg exec -q --ignore 2417 -- python3 -m sglang.launch_server --model-path m --disaggregation-mode prefill --disaggregation-decode-enable-offload-kvcache
