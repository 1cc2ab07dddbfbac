pdcfg check --format sarif -- x
