pdcfg exec -- sh -c 'echo ran'
