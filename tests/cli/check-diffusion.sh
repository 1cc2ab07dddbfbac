pdcfg check -- sglang serve m --model-type diffusion
