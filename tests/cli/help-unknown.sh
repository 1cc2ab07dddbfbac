pdcfg help chekc
