pdcfg check --format json --only choice-disaggregation-mode,argparse-unrecognized -- sglang serve m --disaggregation-mode prefil --tpp 3
