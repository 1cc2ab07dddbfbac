pdcfg check launch.sh
