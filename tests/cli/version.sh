pdcfg --version
