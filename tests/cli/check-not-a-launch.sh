pdcfg check -- ls -l
