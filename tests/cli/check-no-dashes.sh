pdcfg check --quiet
