#!/bin/sh
# Golden tests of the command. Each NAME.sh beside this file is run by sh in an empty folder, with pdcfg in the PATH and a clean environment;
# what it prints must be NAME.stdout and NAME.stderr (no file: nothing), and its status NAME.exit, all to the letter.
#
#	run.sh [--accept] [NAME]...
#
# --accept writes what came out instead of comparing. PDCFG_DIR is where the built command is (build/ of this checkout).
# What grows with every new rule is written as N: the numbers of rules, and the list of those not evaluated in JSON.

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
bin=$(cd "${PDCFG_DIR:-$root/build}" && pwd) || exit 2
accept=no
[ "$1" = --accept ] && { accept=yes; shift; }
[ $# -gt 0 ] || set -- $(cd "$here" && ls *.sh | sed -e '/^run\.sh$/d' -e 's/\.sh$//')
[ -x "$bin/pdcfg" ] || { echo "run.sh: $bin/pdcfg is not built" >&2; exit 2; }

scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
count=0 failed=0

steady() {
	sed -e 's/^  [0-9]* of [0-9]* rules wer*[eas]* not evaluated$/  N of N rules not evaluated/' -e 's/^  most needed: .*/  most needed: N/' \
	    -e 's/, [0-9]* rules of SGLang/, N rules of SGLang/' -e 's/--require \([a-z]*\): [0-9]* rules/--require \1: N rules/' \
	    -e 's/"not_evaluated": *[0-9]*/"not_evaluated": N/' "$1" |
	awk '/"unevaluated": *\[$/ { match($0, /[^ ]/); end = substr($0, 1, RSTART - 1) "]"; print $0 " N"; skip = 1; next }
	     skip { if (index($0, end) == 1) { skip = 0; print } next } { print }'
}

compare() { # what came out, the golden file
	[ -e "$2" ] || : > "$scratch/empty"
	if [ -e "$2" ]; then diff -u "$2" "$1"; else diff -u "$scratch/empty" "$1"; fi
}

keep() {
	if [ -s "$1" ]; then cp "$1" "$2"; else rm -f "$2"; fi
}

for name; do
	count=$((count + 1))
	mkdir "$scratch/work"
	(cd "$scratch/work" && env -i PATH="$bin:/usr/bin:/bin" HOME="$scratch" LANG=C.UTF-8 TERM=dumb ROOT="$root" sh "$here/$name.sh" \
		< /dev/null > "$scratch/out" 2> "$scratch/err")
	echo $? > "$scratch/exit"
	steady "$scratch/out" > "$scratch/stdout"
	steady "$scratch/err" > "$scratch/stderr"
	rm -rf "$scratch/work"
	if [ $accept = yes ]; then
		keep "$scratch/stdout" "$here/$name.stdout"
		keep "$scratch/stderr" "$here/$name.stderr"
		cp "$scratch/exit" "$here/$name.exit"
		echo "ok $count - $name (accepted)"
		continue
	fi
	if { compare "$scratch/stdout" "$here/$name.stdout" && compare "$scratch/stderr" "$here/$name.stderr" &&
	     compare "$scratch/exit" "$here/$name.exit"; } > "$scratch/diff"; then
		echo "ok $count - $name"
	else
		echo "not ok $count - $name"
		sed 's/^/# /' "$scratch/diff"
		failed=$((failed + 1))
	fi
done
echo "1..$count"
echo "$((count - failed)) passed, $failed failed"
[ $failed -eq 0 ]
