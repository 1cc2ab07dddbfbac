pdcfg exec --fail-level never -- sh -c 'echo ran'
