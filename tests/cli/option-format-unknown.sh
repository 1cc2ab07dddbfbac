pdcfg check --format xml -- x
