# the command runs with its arguments, the environment, and the assignments in front of it
printf '#!/bin/sh\necho "ran $*"; echo "$A $B $C"; exit 7\n' > python3; chmod +x python3
printf 'B=2\n' > server.env
PATH="$PWD:$PATH" pdcfg exec -q --env-file server.env --env C=3 -- A=1 exec python3 -m sglang.launch_server --model-path m --tp-size 2
