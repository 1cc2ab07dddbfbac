pdcfg exec --fail-level never
