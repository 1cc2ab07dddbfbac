pdcfg check --sglang-version 0.5.0 -- x
