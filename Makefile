# culumi: `make` builds, `make demo` shows, `make check` tests. Everything that is missing is installed first.

PRESET ?= release
B      := build/$(PRESET)

CC     := $(if $(filter fuzz clang,$(PRESET)),clang-14,gcc)
WARN   := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wswitch-enum -Wstrict-prototypes -Wmissing-prototypes -Werror
BASE   := -std=gnu11 -D_GNU_SOURCE -Isrc -isystem build/gen -g -fno-omit-frame-pointer
LIBS   := -luv -lyaml -lprotobuf-c -lcrypto -lz -lzstd -lm -lpthread -ldl

# Release builds are hardened; tests/support/hardening.sh reads the result off the programs. Fibers switch stacks, which a
# shadow stack cannot follow: of CET only branch tracking is on.
HARDEN_x86_64  := -fcf-protection=branch
HARDEN_aarch64 := -mbranch-protection=bti
HARDEN := -fPIE -fstack-protector-strong -fstack-clash-protection -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 $(HARDEN_$(shell uname -m))
HARDEN_LINK := -pie -Wl,-z,relro,-z,now,-z,noexecstack,-z,separate-code

# Programs do not tell where they were built, so that two builds give the same bytes.
MODE_release := -O2 -DNDEBUG $(HARDEN) -ffile-prefix-map=$(CURDIR)=.
MODE_clang   := $(MODE_release)
MODE_asan    := -O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined -Wno-stringop-overflow
# Instrumented code hides from gcc which variables are set: its guesses about them are off here, not elsewhere.
MODE_tsan    := -O1 -fsanitize=thread -Wno-maybe-uninitialized
MODE_fuzz    := -O1 -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined
MODE_cov     := -O0 --coverage
MODE         := $(MODE_$(PRESET))
CFLAGS       := $(BASE) $(MODE)
LDFLAGS      := $(MODE) $(if $(filter release,$(PRESET)),$(HARDEN_LINK))

PROTOS   := $(wildcard proto/*.proto)
GEN_C    := $(PROTOS:proto/%.proto=build/gen/pb/%.pb-c.c)
GEN_H    := $(GEN_C:.c=.h)
SRC      := $(filter-out src/cli/main.c,$(shell find src -name '*.c' | LC_ALL=C sort))
OBJ      := $(SRC:%.c=$(B)/%.o)
PAGES    := $(notdir $(patsubst %/,%,$(dir $(wildcard pages/*/page.html))))
PAGE_C   := $(PAGES:%=build/gen/pages/%.c)
GEN_OBJ  := $(GEN_C:build/gen/%.c=$(B)/gen/%.o) $(PAGE_C:build/gen/%.c=$(B)/gen/%.o)
LIB      := $(B)/libculumi.a
UNIT     := $(patsubst %.c,$(B)/%,$(wildcard tests/unit/test_*.c))
FUZZ     := $(patsubst %.c,$(B)/%,$(filter-out tests/fuzz/fuzz_main.c,$(wildcard tests/fuzz/fuzz_*.c)))
SUPPORT  := $(wildcard tests/support/*.c)
HOSTS    := $(notdir $(patsubst %/,%,$(dir $(wildcard hosts/*/main.c))))

PACKAGES := gcc make pkg-config linux-libc-dev libuv1-dev libyaml-dev libprotobuf-c-dev protobuf-c-compiler libssl-dev zlib1g-dev libzstd-dev
# Loaded at the first request to a server: the download of a plugin, an asset that lies elsewhere. Everything else works without it.
# libpq5: at the first connection to a database that holds stacks.
OPTIONAL_PACKAGES := libcurl4 libpq5
TEST_PACKAGES := libcmocka-dev clang-format-14 python3 openssl git $(OPTIONAL_PACKAGES)

.PHONY: help check-backends test-servers all programs deps test-deps demo check check-unit check-fuzz lint format crash e2e interop bench bench-programs soak clean install uninstall
.DEFAULT_GOAL := all
# As many compilers as there are processors, unless make was given a number.
PARALLEL = $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc 2>/dev/null || echo 2))
.SECONDARY:

all: deps
	@$(MAKE) --no-print-directory $(PARALLEL) programs

# What can be asked for, as the documents have it.
help:
	@sed -n 's/^    \(make.*\)/  \1/p' README.md CONTRIBUTING.md

# The second make sees packages that the first has just installed.
HOST_PROGRAMS := $(HOSTS:%=$(B)/hosts/pulumi-language-%)
HOST_SCRIPTS  := $(wildcard hosts/*/bin/*)
INSTALLED     := build/bin/culumi $(addprefix build/bin/,$(notdir $(HOST_PROGRAMS) $(HOST_SCRIPTS)))

programs: $(B)/pulumi $(HOSTS:%=$(B)/pulumi-language-%) $(if $(filter release,$(PRESET)),build/bin/pulumi $(INSTALLED))

# Tests run beside each other, each from a make of its own: a program that is there and new enough is left as it is, and one that is not is
# put in its place at once.
$(B)/pulumi build/bin/pulumi: %/pulumi: %/culumi
	@ln -sf culumi $@

$(HOSTS:%=$(B)/pulumi-language-%): $(B)/%: $(B)/hosts/%
	@ln -sf hosts/$* $@

define PLACE_RULE
build/bin/$(notdir $(1)): $(1)
	@mkdir -p build/bin
	@cp -f $(1) $$@.new
	@mv -f $$@.new $$@
endef
$(foreach program,$(B)/culumi $(HOST_PROGRAMS) $(HOST_SCRIPTS),$(if $(filter release,$(PRESET)),$(eval $(call PLACE_RULE,$(program)))))

deps:
	@tools/install-packages $(PACKAGES)

test-deps:
	@tools/install-packages $(PACKAGES) $(TEST_PACKAGES)

# --- compiling: one short line a file; make V=1 shows the commands ---

Q     := $(if $(V),,@)
brief = $(if $(V),@:,@printf '  %-5s %s\n' $(1) $@)

build/gen/pb/%.pb-c.c build/gen/pb/%.pb-c.h: proto/%.proto
	@mkdir -p build/gen/pb
	$(call brief,PROTO)
	$(Q)protoc-c --proto_path=proto --c_out=build/gen/pb $<

$(B)/src/%.o: src/%.c | $(GEN_H)
	@mkdir -p $(@D)
	$(call brief,CC)
	$(Q)$(CC) $(CFLAGS) $(WARN) -MD -MP -c $< -o $@

# Built-in templates: one file that the program has inside; see templates/README.md
TEMPLATES := $(shell find templates -type f | LC_ALL=C sort)

build/gen/templates.pack: tools/pack-templates $(TEMPLATES) $(shell find templates -type d)
	@mkdir -p $(@D)
	$(call brief,PACK)
	$(Q)tools/pack-templates templates >$@.new && mv $@.new $@

$(B)/src/template/template_pack_data.o build/analyze/src/template/template_pack_data.gcc: build/gen/templates.pack

$(B)/gen/%.o: build/gen/%.c | $(GEN_H)
	@mkdir -p $(@D)
	$(call brief,CC)
	$(Q)$(CC) $(CFLAGS) -w -c $< -o $@

# --- pages: pages/NAME becomes one text, see pages/README.md ---

build/gen/embed-page: tools/embed-page.c
	@mkdir -p $(@D)
	$(call brief,LINK)
	$(Q)gcc -std=gnu11 -D_GNU_SOURCE -O1 $(WARN) $< -lcrypto -o $@

build/gen/pages/%.c: build/gen/embed-page $(wildcard pages/*/*)
	@mkdir -p $(@D)
	$(call brief,PAGE)
	$(Q)build/gen/embed-page pages $* >$@.new
	@mv $@.new $@

# --- end of pages ---

$(LIB): $(OBJ) $(GEN_OBJ)
	@rm -f $@
	$(call brief,AR)
	$(Q)ar rcs $@ $^

$(B)/culumi: $(B)/src/cli/main.o $(LIB)
	$(call brief,LINK)
	$(Q)$(CC) $(LDFLAGS) $^ $(LIBS) -o $@

# --- language hosts: hosts/NAME/*.c become build/bin/pulumi-language-NAME; hosts/NAME/bin/* are installed beside them ---

$(B)/hosts/%.o: hosts/%.c | $(GEN_H)
	@mkdir -p $(@D)
	$(call brief,CC)
	$(Q)$(CC) $(CFLAGS) $(WARN) -Ihosts -MD -MP -c $< -o $@

# A text that this file has inside.
$(B)/hosts/python/sdk/pysdk_utilities.o: hosts/python/sdk/utilities.py

define HOST_RULE
$(B)/hosts/pulumi-language-$(1): $(patsubst %.c,$(B)/%.o,$(shell find hosts/common hosts/pcl hosts/$(1) -name '*.c')) $(LIB)
	$$(call brief,LINK)
	$$(Q)$$(CC) $$(LDFLAGS) $$^ $$(LIBS) -o $$@
endef
$(foreach host,$(HOSTS),$(eval $(call HOST_RULE,$(host))))

# --- tests ---

$(B)/tests/%.o: tests/%.c | $(GEN_H)
	@mkdir -p $(@D)
	$(call brief,CC)
	$(Q)$(CC) $(CFLAGS) $(WARN) -Wno-missing-prototypes -Itests -Ihosts -MD -MP -c $< -o $@

YAML_OBJ := $(patsubst %.c,$(B)/%.o,$(filter-out hosts/yaml/main.c,$(shell find hosts/yaml -name "*.c" | LC_ALL=C sort)) hosts/common/code.c hosts/common/loader.c hosts/common/names.c $(wildcard hosts/pcl/*.c))

$(filter $(B)/tests/unit/test_yaml_host%,$(UNIT)): $(B)/tests/unit/%: $(B)/tests/unit/%.o $(YAML_OBJ) $(LIB)
	$(call brief,LINK)
	$(Q)$(CC) $(LDFLAGS) $^ -lcmocka $(LIBS) -o $@

# Tests of the engine's rules share a world without programs, plugins, sockets and files.
WORLD_OBJ := $(patsubst %.c,$(B)/%.o,$(wildcard tests/unit/engine_*.c))

$(filter $(B)/tests/unit/test_plan_% $(B)/tests/unit/test_exec_% $(B)/tests/unit/test_record_%,$(UNIT)): $(B)/tests/unit/%: $(B)/tests/unit/%.o $(WORLD_OBJ) $(LIB)
	$(call brief,LINK)
	$(Q)$(CC) $(LDFLAGS) $^ -lcmocka $(LIBS) -o $@

$(B)/tests/fuzz/fuzz_yaml_program: %: %.o $(B)/tests/fuzz/fuzz_main.o $(YAML_OBJ) $(LIB)
	$(call brief,LINK)
	$(Q)$(CC) $(LDFLAGS) $^ $(LIBS) -o $@

# The other hosts as one library: a test takes of it what it needs.
HOST_LIB := $(B)/hosts/libhosts.a

$(HOST_LIB): $(patsubst %.c,$(B)/%.o,$(filter-out %/main.c,$(shell find hosts/common hosts/pcl hosts/go hosts/nodejs hosts/python -name '*.c' | LC_ALL=C sort)))
	@rm -f $@
	$(call brief,AR)
	$(Q)ar rcs $@ $^

# Texts that are in every SDK as they are.
$(B)/hosts/nodejs/sdk/ts_texts.o build/analyze/hosts/nodejs/sdk/ts_texts.gcc: hosts/nodejs/sdk/utilities.ts hosts/nodejs/sdk/postinstall.js

# Programs as all four languages print them.
PRINTER_OBJ := $(B)/hosts/yaml/serve/yaml_program.o

$(B)/tests/unit/test_import_program $(B)/tests/unit/test_pcl $(B)/tests/unit/test_policy_relay $(filter $(B)/tests/unit/test_sdk%,$(UNIT)): %: %.o $(PRINTER_OBJ) $(HOST_LIB) $(LIB)
	$(call brief,LINK)
	$(Q)$(CC) $(LDFLAGS) $^ -lcmocka $(LIBS) -o $@

$(B)/tests/fuzz/fuzz_pcl: %: %.o $(B)/tests/fuzz/fuzz_main.o $(PRINTER_OBJ) $(HOST_LIB) $(LIB)
	$(call brief,LINK)
	$(Q)$(CC) $(LDFLAGS) $^ $(LIBS) -o $@

$(B)/tests/fuzz/fuzz_host_files $(B)/tests/fuzz/fuzz_import_program $(B)/tests/fuzz/fuzz_sdk: %: %.o $(B)/tests/fuzz/fuzz_main.o $(HOST_LIB) $(LIB)
	$(call brief,LINK)
	$(Q)$(CC) $(LDFLAGS) $^ $(LIBS) -o $@

# With a server of blobs; it comes before the library, because the suite has a kind of backend that the program has not.
$(B)/tests/unit/test_backend_suite $(B)/tests/unit/test_backend_object $(B)/tests/unit/test_http_connections: %: %.o $(patsubst %.c,$(B)/%.o,$(wildcard tests/loopback/*.c)) $(LIB)
	$(call brief,LINK)
	$(Q)$(CC) $(LDFLAGS) $^ -lcmocka $(LIBS) -o $@

$(B)/tests/backends/%: $(B)/tests/backends/%.o $(LIB)
	$(call brief,LINK)
	$(Q)$(CC) $(LDFLAGS) $^ -lcmocka $(LIBS) -o $@

$(B)/tests/unit/%: $(B)/tests/unit/%.o $(LIB)
	$(call brief,LINK)
	$(Q)$(CC) $(LDFLAGS) $^ -lcmocka $(LIBS) -o $@

$(B)/tests/fuzz/%: $(B)/tests/fuzz/%.o $(B)/tests/fuzz/fuzz_main.o $(LIB)
	$(call brief,LINK)
	$(Q)$(CC) $(LDFLAGS) $^ $(LIBS) -o $@

# --- fuzzing guided by coverage: make fuzz T=json [SECONDS=60], make fuzz-all [SECONDS=60], make fuzz-rota SECONDS=7200; see tests/fuzz/README.md ---

.PHONY: fuzz fuzz-all fuzz-programs-guided fuzz-rota
SECONDS   ?= 60
# cmocka: one target has the fixture of unit tests.
FUZZ_PACKAGES := $(PACKAGES) libcmocka-dev clang-14 libclang-rt-14-dev
FUZZ_NAMES := $(patsubst tests/fuzz/fuzz_%.c,%,$(filter-out tests/fuzz/fuzz_main.c,$(wildcard tests/fuzz/fuzz_*.c)))

build/fuzz/bin/host_files build/fuzz/bin/import_program build/fuzz/bin/sdk: $(HOST_LIB)
build/fuzz/bin/pcl: $(HOST_LIB) $(PRINTER_OBJ)

build/fuzz/bin/%: build/fuzz/tests/fuzz/fuzz_%.o $(YAML_OBJ) $(LIB)
	@mkdir -p $(@D)
	$(call brief,LINK)
	$(Q)$(CC) $(LDFLAGS) -fsanitize=fuzzer $< $(if $(filter host_files import_program pcl sdk,$*),$(if $(filter pcl,$*),$(PRINTER_OBJ)) $(HOST_LIB),$(YAML_OBJ)) $(LIB) $(LIBS) -o $@

fuzz:
	@tools/install-packages $(FUZZ_PACKAGES)
	@$(MAKE) --no-print-directory $(PARALLEL) PRESET=fuzz build/fuzz/bin/$(T)
	@tools/fuzz $(T) $(SECONDS)

fuzz-programs-guided:
	@tools/install-packages $(FUZZ_PACKAGES)
	@$(MAKE) --no-print-directory $(PARALLEL) PRESET=fuzz $(FUZZ_NAMES:%=build/fuzz/bin/%)

fuzz-rota: fuzz-programs-guided
	@JOBS=$(JOBS) tools/fuzz-rota $(SECONDS) $(or $(SLICE),600) $(FUZZ_NAMES)

fuzz-all: fuzz-programs-guided
	@failed=""; for name in $(FUZZ_NAMES); do tools/fuzz $$name $(SECONDS) || failed="$$failed $$name"; done; \
		if [ -n "$$failed" ]; then echo "something was found:$$failed"; exit 1; fi

# --- end of fuzzing ---

$(B)/tests/bench/%: $(B)/tests/bench/%.o $(LIB)
	$(call brief,LINK)
	$(Q)$(CC) $(LDFLAGS) $^ $(LIBS) -o $@

# --- scenarios: a scripted program and provider around the real command line; see tests/support ---

.PHONY: scenario check-support bad-input commands terminal pages plugins system crash
SUPPORT_OBJ  := $(SUPPORT:%.c=$(B)/%.o)
SCENARIO_BIN := $(if $(filter release,$(PRESET)),build/bin/pulumi,$(B)/pulumi)
SCENARIOS    ?= tests/scenario
JOBS         ?= 2

$(B)/support/scripted: $(SUPPORT_OBJ) $(LIB)
	@mkdir -p $(@D)
	$(call brief,LINK)
	$(Q)$(CC) $(LDFLAGS) $^ $(LIBS) -o $@

# make scenario [ALL=1] [SCENARIOS=tests/scenario/alias] [ARGS=-v]
scenario: programs $(B)/support/scripted
	@$(B)/support/scripted -bin $(SCENARIO_BIN) -j $(JOBS) $(if $(ALL),,-known tests/scenario/known-failing) $(ARGS) $(SCENARIOS)

bad-input: programs $(B)/support/scripted
	@CLI=$(SCENARIO_BIN) SCRIPTED=$(B)/support/scripted tools/run-tests bad-input tests/scenario/bad_input.sh

# make commands; a transcript is written anew by
# CLI=build/bin/pulumi SCRIPTED=build/release/support/scripted tests/commands/play.py -bless FILE
commands: programs $(B)/support/scripted
	@CLI=$(SCENARIO_BIN) SCRIPTED=$(B)/support/scripted tools/run-tests commands tests/commands/play.py tests/commands/table.py

# What import prints, and that it changes nothing; see tests/codegen
.PHONY: codegen
codegen: programs $(B)/support/scripted
	@CLI=$(SCENARIO_BIN) SCRIPTED=$(B)/support/scripted tools/run-tests codegen tests/codegen/roundtrip.py

# Questions and the live display, seen through a terminal of its own; see tests/terminal
terminal: programs $(B)/support/scripted
	-@tools/install-packages tmux
	@CLI=$(SCENARIO_BIN) HOSTS=$(B)/hosts SCRIPTED=$(B)/support/scripted tools/run-tests terminal $(filter-out %/screen.py,$(wildcard tests/terminal/*.py))

# make pages [SHOTS=DIR]: the pages in a browser without a window; without one they are skipped, with the reason
pages: programs
	-@tools/install-packages chromium
	@CLI=$(SCENARIO_BIN) HOSTS=$(B)/hosts tools/run-tests pages tests/pages/graph.py tests/pages/report.py tests/pages/trace.py

# The pictures of README.md: two pages in a browser, and an update at a terminal
.PHONY: pictures
pictures: programs
	@tools/install-packages chromium
	@CLI=$(SCENARIO_BIN) HOSTS=$(B)/hosts tests/pages/pictures.py docs/pictures
	@CLI=$(SCENARIO_BIN) HOSTS=$(B)/hosts tools/record-screen docs/pictures/up.svg

plugins: programs $(B)/support/scripted
	@CLI=$(SCENARIO_BIN) HOSTS=$(B)/hosts SCRIPTED=$(B)/support/scripted tools/run-tests plugins tests/scenario/plugins.sh tests/scenario/install.sh tests/scenario/assets.sh tests/scenario/templates.py tests/scenario/convert.sh

system: programs $(B)/support/scripted
	@CLI=$(SCENARIO_BIN) HOSTS=$(abspath $(B)/hosts) SCRIPTED=$(B)/support/scripted tools/run-tests system tests/scenario/system.sh

# Stacks on servers that others wrote; what is not installed is skipped. make test-servers installs them.
POSTGRES_TESTS := $(B)/tests/backends/test_postgres_store $(B)/tests/backends/test_postgres_backend $(B)/tests/unit/test_backend_suite

check-backends: programs $(B)/support/scripted $(POSTGRES_TESTS)
	@tests/backends/with-postgres tools/run-tests backends $(POSTGRES_TESTS)
	@CLI=$(SCENARIO_BIN) SCRIPTED=$(B)/support/scripted SUITE=$(B)/tests/unit/test_backend_suite tools/run-tests backends $(wildcard tests/backends/*.sh)

# Stacks that go to the reference and back: make check-reference REFERENCE=/path/to/pulumi [PLACES="file s3"]
PLACES ?= file s3 gs azblob postgres service

.PHONY: check-reference
check-reference: programs $(B)/support/scripted
	@for place in $(PLACES); do \
		PLACE=$$place CLI=$(SCENARIO_BIN) SCRIPTED=$(B)/support/scripted REFERENCE=$(REFERENCE) \
			tools/run-tests reference-$$place tests/backends/reference || exit 1; \
	done

test-servers:
	@tools/install-packages postgresql-15
	@tools/install-servers

# Does the runner of scenarios notice what it should? Are the programs built and installed as they should be?
check-support: programs $(B)/support/scripted
	@CLI=$(SCENARIO_BIN) SCRIPTED=$(B)/support/scripted PROGRAMS="build/bin/culumi $(HOSTS:%=build/bin/pulumi-language-%)" \
		tools/run-tests support tests/support/self_test.sh tests/support/hardening.sh tests/support/install.sh tests/support/dist.sh tests/support/tarball.sh tests/support/packages.sh

# make crash [SHORT=1] [SEED=1] [STORIES=tests/crash/update.yaml] [ARGS=-v]
# make crash PLACE=s3 [SHORT=1]: the same for stacks that are elsewhere (s3, gs, azblob, postgres, service), without faults of the disk
CRASH_OBJ := $(patsubst %.c,$(B)/%.o,$(wildcard tests/crash/*.c)) $(filter-out %/scripted.o,$(SUPPORT_OBJ))
STORIES   ?= $(wildcard tests/crash/*.yaml)

$(B)/support/crash: $(CRASH_OBJ) $(LIB)
	@mkdir -p $(@D)
	$(call brief,LINK)
	$(Q)$(CC) $(LDFLAGS) $^ $(LIBS) -o $@

# Stands between the command line and the system; see tests/crash/preload.
$(B)/support/calls.so: tests/crash/preload/calls.c
	@mkdir -p $(@D)
	$(call brief,LINK)
	$(Q)$(CC) $(BASE) $(WARN) -Wno-missing-prototypes -O1 -fPIC -shared $< -ldl -o $@

crash: programs $(B)/support/scripted $(B)/support/crash $(B)/support/calls.so
	@$(if $(PLACE),SHOWS_CLAIMS=1 PLACE=$(PLACE) SHORT=$(SHORT) CLI=$(SCENARIO_BIN) SCRIPTED=$(B)/support/scripted tools/run-tests crash-$(PLACE) tests/backends/crash \
		,$(B)/support/crash -bin $(SCENARIO_BIN) -plugins $(B)/support/scripted -library $(B)/support/calls.so -seed $(SEED) -j $(JOBS) $(if $(SHORT),-short) $(ARGS) $(STORIES))

# make attack [SHORT=1] [PRESET=asan]: hostile HTTP/2 peers, providers, hosts and policy packs, see tests/attack; archives and names that want
# out. The short form leaves those to make plugins.
.PHONY: attack
attack: programs $(if $(SHORT),,plugins)
	@tests/attack/attack $(SCENARIO_BIN) $(if $(SHORT),--short)

# Shows what it is like to use it; needs nothing but what the build needs.
demo: deps
	@$(MAKE) --no-print-directory $(PARALLEL) PRESET=release programs
	@tools/demo

-include $(SUPPORT_OBJ:.o=.d) $(CRASH_OBJ:.o=.d)

# --- end of scenarios ---

# Runtimes of programs and peers, where a machine has none; what Debian does not have in time is left out by the tests, with the reason.
.PHONY: runtimes
runtimes:
	-@command -v node >/dev/null && command -v npm >/dev/null || tools/install-packages nodejs npm
	-@python3 -c 'import venv, ensurepip' 2>/dev/null || tools/install-packages python3 python3-venv

# --- end to end: real programs on the SDKs of the registries; see tests/e2e/README.md ---

# make e2e [SHORT=1] [E2E="nodejs/latest errors"]; a language that cannot be had is skipped
e2e: programs runtimes $(B)/support/scripted
	@SCRIPTED=$(abspath $(B)/support/scripted) tools/e2e $(if $(SHORT),--short) $(E2E)

# A thousand operations from one process; make endurance [OPERATIONS=1000]. make e2e has a short form.
.PHONY: endurance
endurance: programs runtimes $(B)/support/scripted
	@OPERATIONS=$(or $(OPERATIONS),1000) E2E_TIMEOUT=7200 SCRIPTED=$(abspath $(B)/support/scripted) tools/e2e python/latest endurance

# --- end of end to end ---

# --- soak: random programs, faults and schedules around the real command line; see tests/soak ---

.PHONY: soak-short
SOAK_WITH  := --bin $(SCENARIO_BIN) --scripted $(B)/support/scripted --jobs $(JOBS)
SEED       ?= 1
MINUTES    ?= 30
# Debian's Python, if the first one on PATH cannot read YAML.
WITH_YAML  := python3 -c "import yaml" 2>/dev/null || { tools/install-packages python3-yaml && PATH=/usr/bin:$$PATH; }

# make soak [SEED=1] [MINUTES=30] [JOBS=2] [PRESET=asan]
soak: programs $(B)/support/scripted
	@tests/soak/crowd --bin $(SCENARIO_BIN) --scripted $(B)/support/scripted --count 100000
	@$(WITH_YAML); tests/soak/schedules $(SOAK_WITH) --seed $(SEED) --count 1000 --seconds $$(($(MINUTES) * 20))
	@tests/soak/soak $(SOAK_WITH) --seed $(SEED) --count 1000000 --seconds $$(($(MINUTES) * 40))

soak-short: programs $(B)/support/scripted
	@tests/soak/crowd --bin $(SCENARIO_BIN) --scripted $(B)/support/scripted --count 20000
	@$(WITH_YAML); tests/soak/schedules $(SOAK_WITH) --seed 1 --count 3
	@tests/soak/soak $(SOAK_WITH) --seed 1 --count 33

# --- end of soak ---

# --- interop: rpc against the gRPC of Go, Node.js and Python; see tests/interop/run ---

$(B)/tests/interop/peer: $(B)/tests/interop/peer.o $(B)/tests/interop/peer_calls.o $(LIB)
	$(call brief,LINK)
	$(Q)$(CC) $(LDFLAGS) $^ $(LIBS) -o $@

interop: runtimes $(B)/tests/interop/peer
	@tests/interop/run $(B)/tests/interop/peer

-include $(wildcard $(B)/tests/interop/*.d $(B)/tests/loopback/*.d $(B)/tests/backends/*.d)

# --- end of interop ---

# --- figures: see docs/performance.md ---

BENCH := $(patsubst %.c,$(B)/%,$(wildcard tests/bench/*.c))

bench: programs $(BENCH) $(B)/tests/interop/peer $(B)/support/scripted
	@tests/bench/run $(B)
	@tests/bench/programs $(B)

# make bench-programs [RUNS=10]
bench-programs: programs
	@tests/bench/programs $(B)

unit-programs: $(UNIT)
fuzz-programs: $(FUZZ)
backend-programs: $(POSTGRES_TESTS)

# make check-unit [T="urn json"] [PRESET=asan]
UNIT_WANTED := $(if $(T),$(T:%=$(B)/tests/unit/test_%),$(UNIT))

check-unit: $(UNIT_WANTED)
	@tools/run-tests unit $(UNIT_WANTED)

check-fuzz: fuzz-programs
	@tools/run-tests fuzz $(FUZZ)

check: test-deps
	@tools/check

# --- installing: make install [PREFIX=/usr/local] [DESTDIR=] ---

PREFIX ?= /usr/local

install: all
	@PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" tools/install $(INSTALLED)

uninstall:
	@PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" tools/install --remove

# --- documentation: make docs renders docs/ as a site in build/docs; make check-docs [DOCS="docs/tour.md"] runs what it tells people to type ---

.PHONY: docs check-docs
docs: programs
	@tools/install-packages cmark-gfm python3
	@tools/make-docs

# DOCS_NETWORK=1 also runs what installs from registries
check-docs: programs
	@CLI=$(SCENARIO_BIN) HOSTS=$(B)/hosts tools/run-tests docs tests/docs/run.py

# --- packages: make dist (sources), make deb (programs, for Debian), make tarball (programs, for every Linux) ---

.PHONY: dist deb
dist:
	@tools/make-dist

deb: all
	@tools/install-packages dpkg-dev binutils
	@tools/make-deb $(INSTALLED)

# make tarball [OLD_LIBC_MIRROR=URL]: programs for every Linux with glibc 2.31 or newer. They are linked with that version, so that the linker itself
# refuses what is newer, and have the other libraries inside; what is loaded at first use still is.
.PHONY: tarball tarball-programs
OLD_LIBC  := build/tarball/sysroot
ARCHIVES   = $(foreach name,uv_a yaml protobuf-c crypto z zstd,$(shell $(CC) -print-file-name=lib$(name).a))
# gcc looks beside itself first: -B puts the old library before that.
LINK_OLD   = $(CC) --sysroot=$(abspath $(OLD_LIBC)) -B$(abspath $(OLD_LIBC))/usr/lib/$(shell $(CC) -print-multiarch)/ -static-libgcc $(LDFLAGS) $^ $(ARCHIVES) -lm -lpthread -ldl -o $@
PORTABLE  := build/tarball/bin/culumi $(HOSTS:%=build/tarball/bin/pulumi-language-%)

$(OLD_LIBC):
	$(call brief,FETCH)
	@mkdir -p $(@D)
	$(Q)tools/old-libc $@

build/tarball/bin/culumi: $(B)/src/cli/main.o $(LIB) | $(OLD_LIBC)
	@mkdir -p $(@D)
	$(call brief,LINK)
	$(Q)$(LINK_OLD)

define PORTABLE_RULE
build/tarball/bin/pulumi-language-$(1): $(patsubst %.c,$(B)/%.o,$(shell find hosts/common hosts/pcl hosts/$(1) -name '*.c')) $(LIB) | $(OLD_LIBC)
	@mkdir -p $$(@D)
	$$(call brief,LINK)
	$$(Q)$$(LINK_OLD)
endef
$(foreach host,$(HOSTS),$(eval $(call PORTABLE_RULE,$(host))))

tarball-programs: $(PORTABLE)

tarball: deps
	@tools/install-packages binutils
	@$(MAKE) --no-print-directory $(PARALLEL) PRESET=release tarball-programs
	@tools/make-tarball $(PORTABLE) $(HOST_SCRIPTS)

# --- looking for mistakes in other ways; see docs/debugging.md ---

.PHONY: cov tsan analyze clang compile_commands.json

# Which lines the tests run: make cov [RUN="check-unit scenario"]
cov:
	@$(MAKE) --no-print-directory $(PARALLEL) PRESET=cov programs unit-programs build/cov/support/scripted
	@find build/cov -name '*.gcda' -delete
	@env --default-signal=HUP $(MAKE) --no-print-directory PRESET=cov $(or $(RUN),check-unit scenario)
	@tools/coverage build/cov | tee build/cov/report

# Races between the engine's thread and its helpers: make tsan [SCENARIOS=tests/scenario/alias]
TSAN_SCENARIOS := $(addprefix tests/scenario/,basic parallel hook kill pending provider)
export TSAN_OPTIONS ?= suppressions=$(abspath tools/tsan-suppressions) halt_on_error=1 second_deadlock_stack=1
tsan:
	@$(MAKE) --no-print-directory $(PARALLEL) PRESET=tsan programs unit-programs build/tsan/support/scripted
	@$(MAKE) --no-print-directory PRESET=tsan check-unit
	@env --default-signal=HUP $(MAKE) --no-print-directory PRESET=tsan scenario SCENARIOS="$(or $(filter-out tests/scenario,$(SCENARIOS)),$(TSAN_SCENARIOS))"

# What gcc and clang-tidy say without running anything. A file is looked at again when it has changed.
ANALYZED := $(shell find src hosts -name '*.c' | LC_ALL=C sort)
analyze:
	@tools/install-packages clang-tidy-14
	@$(MAKE) --no-print-directory $(PARALLEL) -k $(ANALYZED:%.c=build/analyze/%.gcc) $(ANALYZED:%.c=build/analyze/%.tidy)

# gcc 12 does not see that NULL from a fallible call means that its results were written; what it says about uninitialized values
# and NULL was wrong for that reason wherever it was looked at. The others are left out by file, with a reason.
ANALYZER_OFF := -Wno-analyzer-use-of-uninitialized-value -Wno-analyzer-null-dereference -Wno-analyzer-null-argument -Wno-maybe-uninitialized
# A batch counts its users, and is freed by the last.
build/analyze/src/backend/journal_file.gcc: ANALYZER_OFF += -Wno-analyzer-use-after-free

# -O1: the analyzer follows calls between functions of a file, not what the optimiser made of them.
build/analyze/%.gcc: %.c | $(GEN_H)
	@mkdir -p $(@D)
	$(call brief,SCAN)
	$(Q)gcc $(BASE) -O1 $(WARN) -Ihosts -fanalyzer $(ANALYZER_OFF) -MD -MP -MT $@ -MF $@.d -c $< -o $@

build/analyze/%.tidy: %.c .clang-tidy | $(GEN_H)
	@mkdir -p $(@D)
	$(call brief,TIDY)
	$(Q)clang-tidy-14 --quiet --warnings-as-errors='*' $< -- $(BASE) -Ihosts 2>$@.err || { cat $@.err; false; }
	@touch $@

# Everything by the other compiler: make clang
clang:
	@tools/install-packages $(PACKAGES) clang-14
	@$(MAKE) --no-print-directory $(PARALLEL) PRESET=clang programs unit-programs fuzz-programs build/clang/support/scripted build/clang/support/crash

# For editors: how each file is compiled, by the rules above.
compile_commands.json:
	@$(MAKE) --no-print-directory -nB V=1 PRESET=$(PRESET) programs unit-programs fuzz-programs $(B)/support/scripted $(B)/support/crash \
		| tools/compile-commands >$@.new
	@mv $@.new $@

# --- end of looking for mistakes ---

lint: programs
	@tools/lint

format:
	clang-format-14 -i $$(git ls-files '*.c' '*.h')

clean:
	rm -rf build

-include $(ANALYZED:%.c=build/analyze/%.gcc.d)
-include $(OBJ:.o=.d) $(WORLD_OBJ:.o=.d) $(UNIT:%=%.d) $(FUZZ:%=%.d) $(patsubst %.c,$(B)/%.d,$(shell find hosts -name '*.c'))
