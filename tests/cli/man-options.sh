# the manual page has every option that --help has, and no other
for c in check exec resolve explain rules help version; do pdcfg help $c; done | sed -n 's/^  \(-., \)\{0,1\}--\([a-z-]*\).*/\2/p' | sort -u > help
sed -n 's/^\.It .*Fl Fl \([a-z-]*\).*/\1/p' "$ROOT/docs/man/pdcfg.1" | sort -u > man
diff help man
