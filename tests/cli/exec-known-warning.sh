# only a note about how something is written: one line, and the command runs
printf '#!/bin/sh\necho ran\n' > python3; chmod +x python3
PATH="$PWD:$PATH" pdcfg exec --only argparse-abbreviation-accepted -- python3 -m sglang.launch_server --model-path deepseek-ai/DeepSeek-V3.1 --tp 8
