pdcfg record -- x
