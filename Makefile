# libpdcfg. "make help" lists the targets.

version := $(shell sed -n 's/^\#define PDCFG_VERSION_\(MAJOR\|MINOR\|PATCH\) *//p' include/pdcfg/pdcfg.h | paste -sd.)
abi     := 0

DESTDIR    ?=
prefix     ?= /usr/local
bindir     ?= $(prefix)/bin
includedir ?= $(prefix)/include
libdir     ?= $(prefix)/lib
mandir     ?= $(prefix)/share/man
docdir     ?= $(prefix)/share/doc/libpdcfg

CC         ?= cc
CXX        ?= c++
OBJCOPY    ?= objcopy
PKG_CONFIG ?= pkg-config
PYTHON     ?= $(firstword $(wildcard /usr/bin/python3) python3)
# PDCFG_TERSE=1: small; without the texts that only explain; codes, messages and exceptions stay
CFLAGS     ?= $(if $(PDCFG_TERSE),-Os,-O2) -g
WERROR     ?= -Werror
warn       := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wwrite-strings $(WERROR)
base       := -std=c11 $(warn) -Iinclude -Ilib/core -Ilib/files
hidden     := -fvisibility=hidden
base       += $(if $(PDCFG_TERSE),-DPDCFG_TERSE)

json_cflags = $(shell $(PKG_CONFIG) --cflags json-c yaml-0.1)
json_libs   = $(shell $(PKG_CONFIG) --libs json-c yaml-0.1)

# objects live in a folder named by what made them, so that changing flags never mixes them
conf := $(firstword $(shell echo '$(CC) $(CPPFLAGS) $(base) $(CFLAGS) $(LDFLAGS)' | cksum))
B    := build/$(conf)

core_c  := $(sort $(wildcard lib/core/*.c lib/core/derive/*.c))
files_c := $(sort $(wildcard lib/files/*.c))
shared_c := lib/core/number.c lib/core/text.c # the readers have their own copy: the core exports nothing of these
cli_c   := $(sort $(wildcard src/cli/*.c))
unit_c  := $(sort $(wildcard tests/unit/*.c tests/files/test_*.c))
defs    := $(sort $(wildcard lib/core/*.def lib/core/fields/*.def lib/core/steps/*.def))
gen     := lib/core/generated

so       := libpdcfg.so.$(version)
files_so := libpdcfg-files.so.$(version)

.DELETE_ON_ERROR:
.SUFFIXES:

all: lib files build/pdcfg ## the libraries and the command
lib: build/$(so) build/libpdcfg.a build/libpdcfg.pc ## the core library alone; needs a C compiler and nothing else
files: build/$(files_so) build/libpdcfg-files.a build/libpdcfg-files.pc ## the readers of files; needs json-c and libyaml

$(B)/: ; @mkdir -p $@

# ---- generated files: committed, so that a build from a checkout needs no generator, and rewritten when a .def changes ----

$(B)/gen-tables: lib/gen/tables.c lib/gen/block.h $(shared_c) $(defs) lib/core/norows.h lib/core/rows_end.h lib/core/cond.h | $(B)/
	$(CC) -std=gnu11 -Iinclude -Ilib/core -O0 -o $@ lib/gen/tables.c $(shared_c) -lm

# the stamp tells make; the files themselves only change when their contents do
$(gen)/.stamp: $(defs) lib/gen/tables.c lib/gen/block.h lib/core/norows.h lib/core/rows_end.h include/pdcfg/pdcfg.h
	@$(MAKE) --no-print-directory $(B)/gen-tables
	@set -e; for o in cells:$(gen)/cells.h tables:$(gen)/tables.inc keys:include/pdcfg/keys.h setters.h:include/pdcfg/setters.h setters:$(gen)/setters.inc map:lib/libpdcfg.map; do \
	  f=$${o#*:}; $(B)/gen-tables $${o%%:*} > $$f.new || { rm -f $$f.new; exit 1; }; \
	  if cmp -s $$f.new $$f; then rm $$f.new; else mv $$f.new $$f; echo "  GEN  $$f"; fi; done
	@touch $@
$(gen)/texts.inc: $(gen)/.stamp lib/gen/texts.c lib/gen/block.h
	@mkdir -p $(B) && $(CC) -std=gnu11 -Iinclude -Ilib/core -O0 -o $(B)/gen-texts lib/gen/texts.c
	@$(B)/gen-texts > $@.new || { rm -f $@.new; exit 1; }; if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; echo "  GEN  $@"; fi; touch $@
$(gen)/gates.inc: $(gen)/.stamp $(gen)/texts.inc lib/gen/gates.c lib/core/eval.c $(wildcard lib/core/derive/*.c)
	@$(MAKE) --no-print-directory $(B)/gen-gates
	@$(B)/gen-gates > $@.new 2> $(B)/gates.txt || { rm -f $@.new; exit 1; }; if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; echo "  GEN  $@"; fi; touch $@
$(B)/gen-gates: lib/gen/gates.c lib/core/eval.c lib/core/fields.c lib/core/rows.c lib/core/derive.c $(shared_c) $(wildcard lib/core/derive/*.c) $(gen)/.stamp | $(B)/
	$(CC) -std=c11 -DPDCFG_PROOF -Iinclude -Ilib/core -O1 -o $@ $(filter %.c,$^)

# what was built last stands in build/ itself, under its plain name, and is replaced at once: somebody may be running it
define publish
@cmp -s $< $@ || { echo "  NEW  $@"; mkdir -p $(@D) && cp $< $@.new && mv $@.new $@; }
endef

# ---- the core ----

$(B)/pic/%.o: %.c $(gen)/.stamp $(gen)/gates.inc
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(base) $(hidden) $(CFLAGS) -fPIC -MMD -MP -c $< -o $@
$(B)/static/%.o: %.c $(gen)/.stamp $(gen)/gates.inc
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(base) $(hidden) $(CFLAGS) -DPDCFG_STATIC -fPIC -MMD -MP -c $< -o $@

# hundreds of functions of one call each: no frame to unwind
$(B)/pic/lib/core/setters.o $(B)/static/lib/core/setters.o: private base += -fno-asynchronous-unwind-tables

$(B)/$(so): $(core_c:%.c=$(B)/pic/%.o) lib/libpdcfg.map
	$(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-soname,libpdcfg.so.$(abi) -Wl,--version-script=lib/libpdcfg.map -Wl,-z,defs -Wl,-z,noexecstack -o $@ $(filter %.o,$^)
# one object with only the interface global: an agent cannot clash with inner names, nor re-export the interface
$(B)/libpdcfg.a: $(core_c:%.c=$(B)/static/%.o) lib/libpdcfg.map
	sed -n 's/^\t\(pdcfg_[a-z0-9_]*\);$$/\1/p' lib/libpdcfg.map > $(B)/api.txt
	$(CC) $(CFLAGS) -r -nostdlib $(if $(findstring -flto,$(CFLAGS)),-flinker-output=nolto-rel) -o $(B)/pdcfg-all.o $(filter %.o,$^)
	$(OBJCOPY) --keep-global-symbols=$(B)/api.txt $(B)/pdcfg-all.o
	rm -f $@ && $(AR) rcsD $@ $(B)/pdcfg-all.o

build/$(so): $(B)/$(so)
	$(publish)
	@ln -sf $(so) build/libpdcfg.so.$(abi) && ln -sf libpdcfg.so.$(abi) build/libpdcfg.so
build/libpdcfg.a: $(B)/libpdcfg.a
	$(publish)
define fill_pc
@sed -e 's,@prefix@,$(prefix),' -e 's,@libdir@,$(libdir),' -e 's,@includedir@,$(includedir),' -e 's,@version@,$(version),' \
    -e 's,^\(lib\|include\)dir=$(prefix)/,\1dir=$${prefix}/,' $< > $@
endef
build/libpdcfg.pc: pkgconfig/libpdcfg.pc.in | $(B)/
	$(fill_pc)
.PHONY: build/$(so) build/libpdcfg.a build/libpdcfg.pc

# ---- the readers of files ----

$(B)/pic/lib/files/%.o $(B)/static/lib/files/%.o: private base += $(json_cflags)

$(B)/$(files_so): $(files_c:%.c=$(B)/pic/%.o) $(shared_c:%.c=$(B)/pic/%.o) lib/libpdcfg-files.map $(B)/$(so)
	$(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-soname,libpdcfg-files.so.$(abi) -Wl,--version-script=lib/libpdcfg-files.map -Wl,-z,defs -Wl,-z,noexecstack -o $@ $(filter %.o,$^) $(B)/$(so) $(json_libs)
$(B)/libpdcfg-files.a: $(files_c:%.c=$(B)/static/%.o) $(shared_c:%.c=$(B)/static/%.o) lib/libpdcfg-files.map
	sed -n 's/^\t\(pdcfg_[a-z0-9_]*\);$$/\1/p' lib/libpdcfg-files.map > $(B)/api-files.txt
	$(CC) $(CFLAGS) -r -nostdlib $(if $(findstring -flto,$(CFLAGS)),-flinker-output=nolto-rel) -o $(B)/pdcfg-files-all.o $(filter %.o,$^)
	$(OBJCOPY) --keep-global-symbols=$(B)/api-files.txt $(B)/pdcfg-files-all.o
	rm -f $@ && $(AR) rcsD $@ $(B)/pdcfg-files-all.o
build/$(files_so): $(B)/$(files_so)
	$(publish)
	@ln -sf $(files_so) build/libpdcfg-files.so.$(abi) && ln -sf libpdcfg-files.so.$(abi) build/libpdcfg-files.so
build/libpdcfg-files.a: $(B)/libpdcfg-files.a
	$(publish)
build/libpdcfg-files.pc: pkgconfig/libpdcfg-files.pc.in | $(B)/
	$(fill_pc)
.PHONY: build/$(files_so) build/libpdcfg-files.a build/libpdcfg-files.pc

# ---- the command; it uses inner parts of the readers, so it is linked from objects ----

$(B)/cli/%.o: %.c $(gen)/.stamp
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(base) -DPDCFG_STATIC $(json_cflags) $(CFLAGS) -MMD -MP -c $< -o $@
$(B)/pdcfg: $(cli_c:%.c=$(B)/cli/%.o) $(files_c:%.c=$(B)/cli/%.o) $(shared_c:%.c=$(B)/cli/%.o) $(B)/libpdcfg.a
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) $(B)/libpdcfg.a $(json_libs)
build/pdcfg: $(B)/pdcfg
	$(publish)
.PHONY: build/pdcfg

# ---- tests ----

check_cflags = $(shell $(PKG_CONFIG) --cflags check)
check_libs   = $(shell $(PKG_CONFIG) --libs check)

$(B)/unit/%.o: %.c $(gen)/.stamp $(gen)/gates.inc
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) -std=gnu11 $(filter-out -Wpedantic,$(warn)) -Iinclude -Ilib/core -Ilib/files -Itests/unit -Itests/files -DPDCFG_STATIC $(check_cflags) $(json_cflags) $(CFLAGS) -MMD -MP -c $< -o $@
# the allocations of our own objects can be made to fail
$(B)/unit-tests: $(unit_c:%.c=$(B)/unit/%.o) $(core_c:%.c=$(B)/static/%.o) $(files_c:%.c=$(B)/cli/%.o)
	$(CC) $(CFLAGS) $(LDFLAGS) -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc -o $@ $^ $(check_libs) $(json_libs)
$(B)/conformance: $(B)/cli/tests/conformance/main.o $(files_c:%.c=$(B)/cli/%.o) $(shared_c:%.c=$(B)/cli/%.o) $(B)/libpdcfg.a
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) $(B)/libpdcfg.a $(json_libs)
build/tests/conformance: $(B)/conformance
	$(publish)
.PHONY: build/tests/conformance

check: check-deps ## every test; installs what it lacks when root
	@$(MAKE) --no-print-directory all build/tests/conformance
	@$(MAKE) --no-print-directory check-unit check-cli check-conformance check-fuzz-corpus check-install check-headers check-symbols check-data check-gen check-style
	@echo "All checks passed."
check-unit: $(B)/unit-tests ## the unit tests, and every rule's examples
	$(B)/unit-tests
check-cli: build/pdcfg ## the command's golden tests
	@tests/cli/run.sh
check-conformance: build/tests/conformance ## the measured cases that the repository keeps
	build/tests/conformance --quiet --known tests/conformance/known.txt $(sort $(wildcard tests/conformance/*.jsonl))
# in its own folder of objects; build/ keeps the full library
check-terse: ## the terse build: its size, and the measured cases
	@$(MAKE) --no-print-directory PDCFG_TERSE=1 check-terse-size check-terse-cases
terse_limit := 600000
check-terse-size: $(B)/$(so)
	@strip -o $(B)/stripped.so $< && n=$$(wc -c < $(B)/stripped.so) && echo "terse: $$n bytes of at most $(terse_limit)" && test $$n -le $(terse_limit)
check-terse-cases: $(B)/conformance
	$(B)/conformance --quiet --known tests/conformance/known.txt $(VECTORS)
fuzz_targets := argv model config_yaml launch setters
check-fuzz-corpus: $(fuzz_targets:%=$(B)/replay-%) ## what the fuzz targets are known to stumble over
	@set -e; for t in $(fuzz_targets); do $(B)/replay-$$t tests/fuzz/corpus-$$t/*; done
$(fuzz_targets:%=$(B)/replay-%): $(B)/replay-%: $(B)/unit/tests/fuzz/fuzz_%.o $(B)/unit/tests/fuzz/replay.o $(core_c:%.c=$(B)/static/%.o) $(files_c:%.c=$(B)/cli/%.o)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(json_libs) -lm
# the library and both archives, installed under a scratch DESTDIR and used from C, C++, Python
check-install: all
	@tests/consumers/run.sh "$(MAKE)" "$(PYTHON)" "$(PKG_CONFIG)" "$(CC)" "$(CXX)"
check-headers:
	$(CC) -std=c99 -Wall -Wextra -Wpedantic -Werror -Iinclude -fsyntax-only tests/consumers/header.c
	$(CXX) -std=c++11 -Wall -Wextra -Wpedantic -Wold-style-cast -Werror -Iinclude -fsyntax-only tests/consumers/header.cc
check-symbols: build/$(so) build/$(files_so)
	nm -D --defined-only build/$(so) | awk '$$2 != "A" {print $$3}' | LC_ALL=C sort | diff -u tests/abi/symbols.txt -
	nm -D --defined-only build/$(files_so) | awk '$$2 != "A" {print $$3}' | LC_ALL=C sort | diff -u tests/abi/symbols-files.txt -
	@$(numbers) | diff -u tests/abi/numbers.txt -
numbers = printf '\#include <pdcfg/pdcfg.h>\n' | $(CC) -E -dM -Iinclude -x c - | sed -n 's/^\#define \(PDCFG_[A-Za-z0-9_]*\) \(-\{0,1\}[0-9][0-9]*\)$$/\1 \2/p' | grep -v '^PDCFG_VERSION_' | LC_ALL=C sort
# .data and .bss would be state shared by everybody who uses the library
check-data: lib
	@size -A $(core_c:%.c=$(B)/pic/%.o) | awk '/:$$/ {f=$$1} $$1 ~ /^\.(data|bss|tdata|tbss)$$/ && $$2 > 0 {print "writable data in", f, $$1, $$2; bad = 1} END {exit bad}'
check-gen: ## generated files are up to date
	@rm -rf $(B)/before && mkdir -p $(B)/before && cp $(generated) $(B)/before && rm -f $(gen)/.stamp && $(MAKE) --no-print-directory -s regen > $(B)/regen.log 2>&1 || { cat $(B)/regen.log; exit 1; }
	@for f in $(generated); do cmp -s $$f $(B)/before/$${f##*/} || { echo "$$f was not up to date; it is now: commit it"; bad=1; }; done; [ -z "$$bad" ]
generated := $(gen)/cells.h $(gen)/tables.inc $(gen)/texts.inc $(gen)/gates.inc $(gen)/setters.inc include/pdcfg/keys.h include/pdcfg/setters.h lib/libpdcfg.map docs/rules.md docs/man/pdcfg-rules.7
check-style:
	@! grep -nE '\b(strcpy|strcat|sprintf|gets|strtok|atoi|atof|setlocale|getenv|abort|exit|printf|fprintf|puts)\(' $(core_c) || { echo "not in the core"; exit 1; }
	@! grep -nP '[ \t]+$$' $(core_c) $(files_c) $(cli_c) $(defs) include/pdcfg/*.h || { echo "trailing blanks"; exit 1; }

sanitize = $(MAKE) --no-print-directory CFLAGS="-O1 -g -fno-omit-frame-pointer $(1)" LDFLAGS="$(1)"
check-asan: deps ## the unit and command tests under AddressSanitizer
	$(call sanitize,-fsanitize=address) check-unit check-cli
check-ubsan: deps ## under UndefinedBehaviorSanitizer
	$(call sanitize,-fsanitize=undefined -fno-sanitize-recover=all) check-unit check-cli
check-tsan: deps ## many threads on one const handle, under ThreadSanitizer
	$(call sanitize,-fsanitize=thread) run-threads
run-threads: $(B)/threads
	$(B)/threads
$(B)/threads: tests/threads/main.c $(B)/libpdcfg.a
	$(CC) -std=c11 $(CFLAGS) $(LDFLAGS) -Iinclude -o $@ $< $(B)/libpdcfg.a -pthread
check-valgrind: deps $(B)/unit-tests build/pdcfg ## under valgrind
	PDCFG_TESTS_SHORT=1 valgrind -q --error-exitcode=9 --leak-check=full $(B)/unit-tests
	valgrind -q --error-exitcode=9 --leak-check=full build/pdcfg rules > /dev/null
check-oom: deps $(B)/unit-tests ## every allocation failed in turn
	CK_RUN_CASE=oom $(B)/unit-tests
check-abi: deps build/$(so) check-symbols ## against the stored dump and the frozen consumers
	tests/abi/run.sh "$(CC)" build
VECTORS ?= $(sort $(wildcard tests/conformance/*.jsonl))
conformance: build/tests/conformance ## the measured cases of VECTORS="FILE.jsonl…", with every disagreement
	build/tests/conformance --known tests/conformance/known.txt $(VECTORS)
bench: $(B)/bench build/pdcfg build/$(so) ## speed and size, printed
	@$(B)/bench build/pdcfg tests/files/configs/$(notdir $(firstword $(shell ls -S tests/files/configs/*.json)))
	@strip -o $(B)/stripped.so build/$(so) && size $(B)/stripped.so
$(B)/bench: $(B)/unit/tests/bench/main.o $(core_c:%.c=$(B)/static/%.o) $(files_c:%.c=$(B)/cli/%.o)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(json_libs)
fuzz-smoke: deps ## half a minute of each fuzz target
	tests/fuzz/run.sh "$(FUZZ_CC)" 30 $(fuzz_targets)
FUZZ_CC ?= clang

demo: demo-deps ## build, and check a real PD pair with a mistake in it
	@$(MAKE) --no-print-directory -s build/pdcfg
	@tests/demo/run.sh build/pdcfg

# ---- what a fresh machine lacks ----

demo_packages  := gcc make pkg-config libc6-dev libjson-c-dev libyaml-dev binutils
check_packages := $(demo_packages) g++ check python3 python3-cffi
all_packages   := $(check_packages) clang libclang-rt-14-dev valgrind abigail-tools

deps: ## install every Debian package that any target uses
	@.ci/deps $(all_packages)
check-deps:
	@.ci/deps $(check_packages)
demo-deps:
	@.ci/deps $(demo_packages)

# ---- generated documents and golden lists ----

$(B)/gen-docs: lib/gen/docs.c $(B)/libpdcfg.a
	$(CC) -std=gnu11 -Iinclude -O1 -o $@ lib/gen/docs.c $(B)/libpdcfg.a
regen: $(gen)/gates.inc $(B)/gen-docs ## rewrite what is generated and committed
	@for o in rules.md:docs/rules.md man:docs/man/pdcfg-rules.7; do f=$${o#*:}; $(B)/gen-docs $${o%%:*} > $$f.new && if cmp -s $$f.new $$f; then rm $$f.new; else mv $$f.new $$f; echo "  GEN  $$f"; fi; done
accept-symbols: build/$(so) build/$(files_so) ## take the present interface as the golden one
	nm -D --defined-only build/$(so) | awk '$$2 != "A" {print $$3}' | LC_ALL=C sort > tests/abi/symbols.txt
	nm -D --defined-only build/$(files_so) | awk '$$2 != "A" {print $$3}' | LC_ALL=C sort > tests/abi/symbols-files.txt
	@$(numbers) > tests/abi/numbers.txt
	if command -v abidw >/dev/null; then ACCEPT=1 tests/abi/run.sh "$(CC)" build; fi
new-code: ## a free number for a new rule
	@while :; do n=$$(shuf -i 1000-9999 -n 1); grep -rqE "\b$$n\b" lib/core/steps lib/core/fields || { echo $$n; break; }; done

# ---- install ----

install: all ## DESTDIR and prefix are honoured
	install -d $(DESTDIR)$(bindir) $(DESTDIR)$(libdir)/pkgconfig $(DESTDIR)$(includedir)/pdcfg $(DESTDIR)$(mandir)/man1 $(DESTDIR)$(mandir)/man3 $(DESTDIR)$(mandir)/man7
	install -m755 build/pdcfg $(DESTDIR)$(bindir)/
	install -m755 build/$(so) build/$(files_so) $(DESTDIR)$(libdir)/
	for l in libpdcfg libpdcfg-files; do ln -sf $$l.so.$(version) $(DESTDIR)$(libdir)/$$l.so.$(abi); ln -sf $$l.so.$(abi) $(DESTDIR)$(libdir)/$$l.so; done
	install -m644 build/libpdcfg.a build/libpdcfg-files.a $(DESTDIR)$(libdir)/
	install -m644 build/libpdcfg.pc build/libpdcfg-files.pc $(DESTDIR)$(libdir)/pkgconfig/
	install -m644 include/pdcfg/*.h include/pdcfg/*.hpp $(DESTDIR)$(includedir)/pdcfg/
	install -m644 docs/man/*.1 $(DESTDIR)$(mandir)/man1/
	install -m644 docs/man/*.3 $(DESTDIR)$(mandir)/man3/
	install -m644 docs/man/*.7 $(DESTDIR)$(mandir)/man7/
uninstall:
	rm -f $(DESTDIR)$(bindir)/pdcfg $(DESTDIR)$(libdir)/libpdcfg.* $(DESTDIR)$(libdir)/libpdcfg-files.* $(DESTDIR)$(libdir)/pkgconfig/libpdcfg.pc $(DESTDIR)$(libdir)/pkgconfig/libpdcfg-files.pc
	rm -rf $(DESTDIR)$(includedir)/pdcfg
	rm -f $(DESTDIR)$(mandir)/man1/pdcfg.1 $(DESTDIR)$(mandir)/man3/libpdcfg.3 $(DESTDIR)$(mandir)/man7/pdcfg-rules.7
clean: ## remove build/
	rm -rf build $(gen)/.stamp
help: ## this list
	@sed -n 's/^\([a-z][a-z-]*\):.* ## /  \1\t/p' Makefile | expand -t 20
.PHONY: all lib files check check-unit check-cli check-conformance check-terse check-terse-size check-terse-cases check-fuzz-corpus check-install check-headers check-symbols check-data check-gen check-style check-asan check-ubsan \
	check-tsan run-threads check-valgrind check-oom check-abi conformance bench fuzz-smoke demo deps check-deps demo-deps regen accept-symbols new-code install uninstall clean help
-include $(shell find $(B) -name '*.d' 2>/dev/null)
