pdcfg resolv -- x
