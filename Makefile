# Everything this project does, by one word. `make help` lists the words.

SHELL = /bin/sh
PREFIX ?= /usr/local
DESTDIR ?=
FUZZ_SECONDS ?= 60
HOURS ?= 1
SANITIZE_SECONDS ?= 150
SEED ?=
SEARCHES ?= --tests
SWIFT ?= swift

SWIFT_SOURCES = Sources Tests Package.swift Benchmarks Examples

# The command carries the Swift standard library, SQLite, libedit, zlib and, where all archives are installed, the C
# library in itself: without a dynamic loader it starts in half the time, and it runs where no Swift is. The
# linker is the toolchain's own. Generic types that the compiler knows are made by calls, not from their
# mangled names: the latter searches every conformance of Foundation for each of them at the start.
ARCHIVES = .build/archives
COMPLETIONS = .build/completions
RELEASE_FLAGS = -c release --static-swift-stdlib -Xswiftc -use-ld=lld \
  -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors \
  --disable-local-rpath
BUILT = .build/release/graphstore

# The command that demo and install take. Another one than that of `make build` is taken as it is.
COMMAND = $(BUILT)
READY = $(if $(filter $(BUILT),$(COMMAND)),build)

# graphstore-postgresql is the command with stores on a PostgreSQL server. It links the system's libpq, and so has a build of
# its own.
POSTGRESQL_BUILD = .build/postgresql
POSTGRESQL_BUILT = $(POSTGRESQL_BUILD)/release/graphstore-postgresql
POSTGRESQL_COMMAND = $(POSTGRESQL_BUILT)
POSTGRESQL_READY = $(if $(filter $(POSTGRESQL_BUILT),$(POSTGRESQL_COMMAND)),postgresql)

# The tests have a build of their own. As in debug builds nothing is optimized and assertions are checked; but the argument
# parser does not check the declarations of all commands anew at every start, which takes nine tenths of the time of a
# command that a test runs.
TEST_BUILD = .build/tests/release
# Where libpq is there, this build has the stores on a PostgreSQL server too: a trait changes the flags of every target, so
# that a second build for the tests that need a server would cost as much as all others. Where it is not, nothing needs it.
POSTGRESQL_TRAIT = --traits PostgreSQL
PLAIN_TEST_FLAGS = --scratch-path .build/tests -c release -Xswiftc -Onone -Xswiftc -enable-testing \
  -Xswiftc -no-whole-module-optimization -Xswiftc -enable-batch-mode
LIBPQ := $(shell .ci/system-packages --check libpq && echo yes)
export TEST_FLAGS = $(PLAIN_TEST_FLAGS) $(if $(LIBPQ),$(POSTGRESQL_TRAIT))

.PHONY: help demo demo-postgresql test test-postgresql examples build postgresql install install-postgresql package bench bench-postgresql fuzz campaign sanitize docs format lint spec clean system-packages

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' Makefile

demo: $(READY) ## this machine's packages as a store, and answers about them
	@GRAPHSTORE=$(COMMAND) sh Examples/packages/demo.sh

demo-postgresql: $(POSTGRESQL_READY) ## a PostgreSQL server for two minutes, with a store on it that two programs write
	.ci/system-packages postgresql
	@GRAPHSTORE=$(POSTGRESQL_COMMAND) .ci/postgresql sh Examples/postgresql/demo.sh

# Built as for a campaign: what `swift test` builds by itself is another build, and each would throw away the other's.
test: system-packages ## every test
	$(SWIFT) build --build-tests $(TEST_FLAGS)
	SWIFT=$(SWIFT) .ci/test $(TEST_FLAGS)

# By the build of `make test` where libpq was there already; else all is built anew, once. With them go the suites that are
# written over any type of store: beside a server they run over the stores on it.
test-postgresql: system-packages ## the tests of stores on a PostgreSQL server, beside a server of their own
	.ci/system-packages postgresql
	$(SWIFT) build --build-tests $(PLAIN_TEST_FLAGS) $(POSTGRESQL_TRAIT)
	.ci/postgresql $(SWIFT) test --skip-build $(PLAIN_TEST_FLAGS) $(POSTGRESQL_TRAIT) \
	  --filter GraphStorePostgreSQLTests --filter "$$(.ci/store-suites)"

examples: system-packages ## the packages of Examples/, built with the build tool plugin, and run
	.ci/example staff Staff StaffByHand

build: system-packages ## the command in release mode: .build/release/graphstore
	path=$$(.ci/link-archives $(ARCHIVES)) && PKG_CONFIG_PATH="$$path:$$PKG_CONFIG_PATH" \
	  $(SWIFT) build --product graphstore $(RELEASE_FLAGS) $$(cat $(ARCHIVES)/flags)

postgresql: system-packages ## the command with stores on a PostgreSQL server: .build/postgresql/release/graphstore-postgresql
	.ci/system-packages libpq
	$(SWIFT) build --product graphstore-postgresql $(POSTGRESQL_TRAIT) --scratch-path $(POSTGRESQL_BUILD) $(RELEASE_FLAGS)

# What can fail is made first, and the command comes last: where it is, everything is.
install: $(READY) ## the command, its completions and manual page, the models and their schema under PREFIX (and DESTDIR)
	mkdir -p $(COMPLETIONS)
	$(COMMAND) completions bash >$(COMPLETIONS)/bash
	$(COMMAND) completions zsh >$(COMPLETIONS)/zsh
	$(COMMAND) completions fish >$(COMPLETIONS)/fish
	$(COMMAND) manual >$(COMPLETIONS)/graphstore.1
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(DESTDIR)$(PREFIX)/share/graphstore/models"
	install -d "$(DESTDIR)$(PREFIX)/share/bash-completion/completions"
	install -d "$(DESTDIR)$(PREFIX)/share/zsh/site-functions"
	install -d "$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d"
	install -d "$(DESTDIR)$(PREFIX)/share/doc/graphstore" "$(DESTDIR)$(PREFIX)/share/man/man1"
	install -m 644 Models/*.json "$(DESTDIR)$(PREFIX)/share/graphstore/models"
	install -m 644 README.md LICENSE "$(DESTDIR)$(PREFIX)/share/doc/graphstore"
	install -m 644 $(COMPLETIONS)/bash "$(DESTDIR)$(PREFIX)/share/bash-completion/completions/graphstore"
	install -m 644 $(COMPLETIONS)/zsh "$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_graphstore"
	install -m 644 $(COMPLETIONS)/fish "$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/graphstore.fish"
	install -m 644 $(COMPLETIONS)/graphstore.1 "$(DESTDIR)$(PREFIX)/share/man/man1/graphstore.1"
	install -m 755 -s $(COMMAND) "$(DESTDIR)$(PREFIX)/bin/graphstore"

# Beside the command, which looks for it there and hands over addresses on servers.
install-postgresql: $(POSTGRESQL_READY) ## graphstore-postgresql under PREFIX (and DESTDIR)
	install -d "$(DESTDIR)$(PREFIX)/bin"
	install -m 755 -s $(POSTGRESQL_COMMAND) "$(DESTDIR)$(PREFIX)/bin/graphstore-postgresql"

package: $(READY) ## a package for Debian and a tarball of the command, with checksums: .build/packages
	.ci/package $(COMMAND) .build/packages

bench: build ## the table of Benchmarks/; BENCH=F1 (or F1,C2) for some of its rows
	.ci/system-packages bench
	@Benchmarks/run

bench-postgresql: ## the rows of that table about stores on a PostgreSQL server, beside one of their own
	.ci/system-packages postgresql
	@.ci/postgresql Benchmarks/run

fuzz: ## made-up text for the reader of predicates, for FUZZ_SECONDS (60), by SEED (a fresh one)
	.ci/fuzz $(FUZZ_SECONDS) $(SEED)

campaign: system-packages ## searches for lost data, wrong answers and crashes, for HOURS (1), by SEED (a fresh one)
	$(SWIFT) build --build-tests $(TEST_FLAGS)
	$(TEST_BUILD)/graphstore-campaign $(SEARCHES) --hours $(HOURS) $(if $(SEED),--seed $(SEED))

sanitize: system-packages ## the tests of rows, objects, stores, predicates and imports under each sanitizer, for SANITIZE_SECONDS (150)
	.ci/sanitize address $(SANITIZE_SECONDS)
	.ci/sanitize thread $(SANITIZE_SECONDS)

docs: system-packages ## the library's pages: .build/docs/index.html
	.ci/docs

format: ## lays every Swift file out by .swift-format
	$(SWIFT) format --in-place --parallel --recursive $(SWIFT_SOURCES)

lint: ## fails when a Swift file is not laid out by .swift-format
	$(SWIFT) format lint --strict --parallel --recursive $(SWIFT_SOURCES)

spec: ## which rules of Tests/Specification tests cite
	@.ci/spec-coverage

clean: ## removes everything that was built
	rm -rf .build Benchmarks/.build

system-packages:
	@.ci/system-packages build
