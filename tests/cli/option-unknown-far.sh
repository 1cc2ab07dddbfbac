pdcfg check --tp 8 -- x
