pdcfg explain choice-disaggregation-mode
