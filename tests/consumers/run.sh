#!/bin/sh
# An installed copy under a scratch DESTDIR, used as its users use it: run.sh MAKE PYTHON PKG_CONFIG CC CXX
set -eu
make=$1 python=$2 pkg_config=$3 cc=$4 cxx=$5
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
count=0
ok() { count=$((count + 1)); echo "ok $count - $1"; }
same() { # NAME COMMAND…: it prints what is expected
	name=$1; shift
	"$@" > "$scratch/out" || { echo "not ok - $name failed"; cat "$scratch/out"; exit 1; }
	diff -u "${expected:-$here/expected.txt}" "$scratch/out" || { echo "not ok - $name"; exit 1; }
	ok "$name"
}

"$make" --no-print-directory -s install DESTDIR="$scratch/root" prefix=/opt/pdcfg >/dev/null
root=$scratch/root/opt/pdcfg
export PKG_CONFIG_PATH="$root/lib/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$scratch/root"
shared=$("$pkg_config" --cflags --libs libpdcfg)
static="-Wl,-Bstatic $("$pkg_config" --static --cflags --libs libpdcfg) -Wl,-Bdynamic"
export LD_LIBRARY_PATH="$root/lib"

"$cxx" -std=c++11 -Wall -Wextra -Wpedantic -Werror "$here/agent.cc" -o "$scratch/launcher" $shared
same "C++11 launcher, shared library, pkg-config" "$scratch/launcher"
"$cc" -std=c99 -Wall -Wextra -Wpedantic -Werror "$here/agent.c" -o "$scratch/agent-shared" $shared
same "C99 agent, shared library" "$scratch/agent-shared"
unset LD_LIBRARY_PATH
"$cc" -std=c99 -Wall -Wextra -Werror "$here/agent.c" -o "$scratch/agent" $static
same "C agent, static" "$scratch/agent"
"$cxx" -std=c++11 -Wall -Wextra -Werror "$here/agent.cc" -o "$scratch/agentxx" $static
same "C++ agent, static" "$scratch/agentxx"
if ldd "$scratch/agent" | grep pdcfg; then echo "not ok - the static agent needs the shared library"; exit 1; fi
ok "the static agent needs no libpdcfg.so"

"$cc" -shared -fPIC "$here/plugin.c" -o "$scratch/plugin.so" $static
if nm -D --defined-only "$scratch/plugin.so" | grep ' pdcfg_'; then echo "not ok - the plugin re-exports the library"; exit 1; fi
ok "an agent that is a shared object does not re-export pdcfg_*"
"$cc" -rdynamic "$here/host.c" -o "$scratch/host" "$scratch/plugin.so" -Wl,-rpath,"$scratch"
"$scratch/host" >/dev/null || { echo "not ok - the plugin called another pdcfg_validate"; exit 1; }
ok "and calls its own copy"

same "Python, ctypes" "$python" "$here/use_ctypes.py" "$root/lib/libpdcfg.so.0"
"$cc" -E -P -DPDCFG_CDEF -I"$root/include" "$root/include/pdcfg/pdcfg.h" > "$scratch/cdef.h"
sed -n 's/^\(#define PDCFG_[A-Za-z0-9_]* -\{0,1\}[0-9][0-9]*\).*$/\1/p' "$root/include/pdcfg/pdcfg.h" "$root/include/pdcfg/keys.h" >> "$scratch/cdef.h"
same "Python, cffi, the header as its own cdef" "$python" "$here/use_cffi.py" "$root/lib/libpdcfg.so.0" "$scratch/cdef.h"

grep -v '^mode-none' "$here/expected.txt" > "$scratch/expected-command.txt" # a command line cannot say None
expected=$scratch/expected-command.txt
same "the command" sh "$here/use_command.sh" "$root/bin/pdcfg" "$python"
expected=
[ -z "$(find "$root" -name '*.hpp' | grep -v pdcfg.hpp)" ]
"$make" --no-print-directory -s uninstall DESTDIR="$scratch/root" prefix=/opt/pdcfg >/dev/null
left=$(find "$scratch/root" -type f -o -type l | head -3)
[ -z "$left" ] || { echo "not ok - uninstall leaves $left"; exit 1; }
ok "uninstall leaves nothing"
echo "1..$count"
