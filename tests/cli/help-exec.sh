pdcfg exec --help
