pdcfg check --platform -- x
