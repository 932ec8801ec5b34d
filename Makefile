# make demo      clean the export in Examples/ and show the outputs
# make test      the tests for every change: format, C, Swift, the command; 6 minutes from a fresh clone
# make test-all  all other tests: Python, bindings, macros, memcheck, torture, examples, documents
# make install   the command, its man page and completions (PREFIX=/usr/local)
# make help      the rest

PREFIX ?= /usr/local
SWIFT ?= swift
RELEASE := .build/release/assay
# The command contains the C++ runtime and the libraries that few runs need, because loading them took a tenth of its
# start-up time.
ifeq ($(shell uname -s),Linux)
CXX_RUNTIME := .build/static
endif

# Scripts/run-targets.py sets BUILT=1, because it runs each prerequisite target once, before the targets that need it.
command := $(if $(BUILT),,build)
library := $(if $(BUILT),,libassay)
export ASSAY_LIBASSAY ?= $(CURDIR)/build/libassay

.PHONY: help demo build build-tests libassay test test-all \
  check-format check-prose test-core test-links test-swift test-abi test-command \
  test-core-slow test-cross test-without-pcre2 test-installed-core test-environments test-swift-slow test-macros \
  test-command-slow \
  test-docs test-package test-examples test-libassay wheel \
  test-python test-bindings test-integration test-torture check-thresholds conformance corpus \
  test-exhaustive test-core-sanitized test-tsan torture torture-driver fuzz format check-workflows \
  core rivals bench-build bench bench-full bench-engines figures install uninstall clean docs site dist sign test-dist

help:
	@sed -n '/^$$/q; s/^# //p' Makefile
	@echo "make build     the command, optimized: $(RELEASE)"
	@echo "make format    swift-format and clang-format over all sources"
	@echo "make bench     throughput beside other tools, half an hour (bench-full: an hour, files up to 10 GB)"
	@echo "make bench-engines  150 patterns beside PCRE2, RE2, Hyperscan and Rust's regex, four minutes"
	@echo "make figures   the documents' tables, from the latest results"
	@echo "make rivals    install those rivals: RE2, Hyperscan, Polars, DuckDB and others"
	@echo "CONTRIBUTING.md lists all targets with their times."

SWIFT_RELEASE = $(if $(CXX_RUNTIME),PKG_CONFIG_PATH="$(CURDIR)/$(CXX_RUNTIME):$$PKG_CONFIG_PATH") \
  SWIFT="$(SWIFT)" sh Scripts/swift-release.sh
SWIFT_TESTS = SWIFT="$(SWIFT)" sh Scripts/swift-tests.sh
TEST_BUILD := .build/tests/release

# -- builds: one for tests, one release build, one build of the C core

build:
	@sh Scripts/install-dependencies.sh build
	@[ -z "$(CXX_RUNTIME)" ] || sh Scripts/static-libraries.sh $(CXX_RUNTIME)
	$(SWIFT_RELEASE) --product assay

build-tests:
	@sh Scripts/install-dependencies.sh build
	$(SWIFT_TESTS) build

# Without a number, make starts a compiler for each file at once.
PROCESSORS := $(shell getconf _NPROCESSORS_ONLN)

build/core/Makefile: CMakeLists.txt
	@sh Scripts/install-dependencies.sh core
	cmake -S . -B build/core -DCMAKE_BUILD_TYPE=RelWithDebInfo -DASSAY_WERROR=ON

core: build/core/Makefile
	cmake --build build/core --parallel $(PROCESSORS)

libassay:
	sh Scripts/build-libassay.sh build/libassay

# The process that cleans many mutated files, for the torture tests.
torture-driver: $(command)
	$(SWIFT_RELEASE) --product TortureDriver

demo: build
	@sh Scripts/demo.sh $(RELEASE)

# -- make test

test:
	@sh Scripts/install-dependencies.sh test
	@python3 Scripts/run-targets.py test

check-format:
	@sh Scripts/install-dependencies.sh test
	@sh Scripts/format.sh check

# Constructions in documents, comments, messages and commits that are hard to read, long lines, and the form of commit
# messages.
check-prose:
	python3 -B -m unittest discover --quiet -s Tests/ScriptTests -p 'test_*.py'
	python3 Scripts/check-prose.py
	python3 Scripts/check-commits.py

# The C core alone, as C and C++ projects build it.
test-core: core
	ctest --test-dir build/core --output-on-failure --parallel 2

# Links, paths, figures, commands and rule files of the documents, and the options in the man page. test-docs compiles
# the Swift examples.
test-links: $(if $(BUILT),,build-tests)
	python3 Scripts/check-docs.py --assay $(TEST_BUILD)/assay

test-swift: $(if $(BUILT),,build-tests)
	@sh Scripts/suites.sh
	$(SWIFT_TESTS) test --skip-build

# The tests of libassay, with the test build.
test-abi: $(if $(BUILT),,build-tests)
	sh Scripts/test-abi.sh

test-command: $(if $(BUILT),,build-tests)
	ASSAY=$$(sh Scripts/link-test-command.sh) python3 Tests/CommandTests/run.py

# -- make test-all

test-all:
	@sh Scripts/install-dependencies.sh all
	@python3 Scripts/run-targets.py test-all

# With ASSAY_SLOW_TESTS tests take their long form.
test-core-slow: core
	ASSAY_SLOW_TESTS=1 ctest --test-dir build/core --output-on-failure --parallel 2

# The C core with unsigned chars, with musl, for ARM64 in qemu and for WebAssembly in Node.js. Skips platforms without
# installed tools.
test-cross:
	@sh Scripts/install-dependencies.sh core
	sh Scripts/cross-core.sh

# The C core without PCRE2: its tests, and its verdicts compared with those of PCRE2.
test-without-pcre2: core
	cmake -S . -B build/without-pcre2 -DCMAKE_BUILD_TYPE=RelWithDebInfo -DASSAY_PCRE2=OFF
	cmake --build build/without-pcre2 --parallel $(PROCESSORS)
	ctest --test-dir build/without-pcre2 --output-on-failure --parallel 2
	python3 Tests/CAssayTests/compare_builds.py build/core/libassay-core.so build/without-pcre2/libassay-core.so

# The C core, installed and used through pkg-config and CMake.
test-installed-core: core
	sh Scripts/test-installed-core.sh build/core

# The Python environments of the targets below.
test-environments:
	@sh Scripts/install-dependencies.sh all
	sh Scripts/python-environment.sh python python-integration conformance

test-swift-slow:
	@sh Scripts/suites.sh
	$(SWIFT_TESTS) build
	ASSAY_SLOW_TESTS=1 $(SWIFT_TESTS) test --skip-build

# The macros, the compiler's messages about mistakes, the recorded API, and the code for Apple's frameworks.
test-macros:
	@sh Scripts/install-dependencies.sh build
	ASSAY_TARGETS=macros $(SWIFT_TESTS) build
	ASSAY_TARGETS=macros $(SWIFT_TESTS) test --skip-build
	sh Scripts/check-apple-code.sh
	python3 Scripts/check-compiler-messages.py
	python3 Scripts/check-api.py

test-command-slow: $(command)
	@sh Scripts/install-dependencies.sh all
	ASSAY=$(RELEASE) ASSAY_SLOW_TESTS=1 python3 Tests/CommandTests/run.py

# The Swift examples of the documents compile, and the documented types agree with the command's.
test-docs: $(if $(BUILT),,build test-macros)
	python3 Scripts/check-docs.py --modules $(TEST_BUILD)/Modules
	python3 Tests/Conformance/conformance.py --assay $(RELEASE) --check types

# The packages that a program with Assay gets, for each trait, and a build of a program with Assay alone.
test-package:
	@sh Scripts/install-dependencies.sh build
	sh Scripts/test-package.sh

# The example packages, built from a copy.
test-examples:
	@sh Scripts/install-dependencies.sh build
	sh Scripts/check-examples.sh

# libassay, installed elsewhere and used from C and C++; its interface is compared with Tests/LibassayTests/abi.txt.
test-libassay: $(library)
	sh Scripts/test-libassay.sh

# The wheel that the tests of the Python package install.
wheel: $(library)
	sh Scripts/build-wheel.sh

# The Python package with pyarrow, Polars, pandas and DuckDB.
test-python: $(if $(BUILT),,wheel)
	sh Scripts/test-python.sh

# Rust, Java, Node.js and Go over libassay. Skips languages whose tools are not installed.
test-bindings: $(library)
	@sh Scripts/install-dependencies.sh all
	sh Scripts/test-bindings.sh

# Spark, a JVM, PostgreSQL, an HTTP server.
test-integration: $(command) $(if $(BUILT),,wheel)
	ASSAY=$(CURDIR)/$(RELEASE) sh Scripts/test-integration.sh

# Kills, faults, repeated runs and mutated files in a minute; `make torture` takes an hour.
test-torture: $(if $(BUILT),,torture-driver)
	@sh Scripts/install-dependencies.sh all
	ASSAY=$(RELEASE) python3 Tests/Torture/torture.py --minutes 0 --step 40 --times 40 --files 2000

# Instructions and allocations, compared with the recorded ones. Times are never compared.
check-thresholds: $(command) $(library)
	@sh Scripts/install-dependencies.sh all
	python3 Scripts/check-thresholds.py

# Compares built-in types, telephone numbers, row rules, guesses and stray quotes with other libraries and tools:
# Docs/conformance.md, Docs/profile.md.
conformance: $(command) core
	sh Tests/Conformance/run.sh $(RELEASE)

# -- tests that take longer, or that need other builds

# Rules of `assay infer` for 750 tables of PyPI packages must accept each good row. Compares their types with DuckDB,
# Polars and pandas: Docs/profile.md. Downloads 150 MB.
corpus: $(command)
	@sh Scripts/install-dependencies.sh all
	sh Scripts/python-environment.sh corpus-python
	python3 Tests/Corpus/fetch.py
	python3 Tests/Corpus/run.py --assay $(RELEASE)
	python3 Tests/Corpus/run.py --assay $(RELEASE) --mutations 500
	build/corpus-python/bin/python -W ignore Tests/Corpus/compare_types.py --assay $(RELEASE) --check

# A million small patterns on all short values, with every engine. Half an hour.
test-exhaustive: core
	ASSAY_SLOW_TESTS=all ctest --test-dir build/core -R exhaustive --timeout 7200 --output-on-failure \
	  --parallel $(PROCESSORS)

# The C core under the address and undefined-behaviour sanitizers.
test-core-sanitized:
	@sh Scripts/install-dependencies.sh core
	cmake -S . -B build/core-sanitized -DCMAKE_BUILD_TYPE=RelWithDebInfo -DASSAY_WERROR=ON \
	  -DASSAY_SANITIZE="address;undefined"
	cmake --build build/core-sanitized --parallel $(PROCESSORS)
	ctest --test-dir build/core-sanitized --output-on-failure --parallel 2

# The C core, the command, libassay and the Swift tests with many threads, under the thread sanitizer. Half an hour on
# two busy cores.
test-tsan:
	@sh Scripts/install-dependencies.sh all
	sh Scripts/test-tsan.sh

# Kills, faults and mutated files, and a table of the attempts.
TORTURE_MINUTES ?= 60
torture: torture-driver
	@sh Scripts/install-dependencies.sh all
	ASSAY=$(RELEASE) python3 Tests/Torture/torture.py --minutes $(TORTURE_MINUTES)

# Each libFuzzer program, under the address and undefined-behaviour sanitizers. Their corpora stay in build/fuzz.
FUZZ_SECONDS ?= 60
fuzz:
	@sh Scripts/install-dependencies.sh core
	sh Scripts/fuzz.sh $(FUZZ_SECONDS)

format:
	@sh Scripts/install-dependencies.sh test
	@sh Scripts/format.sh write

docs:
	sh Release/docs.sh

# Installs the tools and libraries that the benchmarks compare with Assay. Results list missing ones as absent.
rivals:
	@sh Benchmarks/rivals/install.sh

# No manifest cache, because the manifest searches for installed rivals.
bench-build: build
	$(SWIFT_RELEASE) --product StagesDriver
	$(SWIFT) build -c release --package-path Benchmarks --manifest-cache none --disable-build-manifest-caching

bench: bench-build
	sh Scripts/bench.sh --results Benchmarks/Results

bench-full: bench-build
	sh Scripts/bench.sh --full --results Benchmarks/Results

# Needs a C++ compiler; builds the C core itself.
bench-engines:
	$(firstword $(wildcard Benchmarks/.rivals/bin/python) python3) Benchmarks/bench.py --case engines \
	  --results Benchmarks/Results

# Updates the tables of figures in the documents; test-docs compares them with the results.
figures:
	python3 Benchmarks/figures.py --update README.md
	python3 Benchmarks/figures.py --update Docs/performance.md

# Makes a release, on Debian 12 only. Release/dist/dist.sh lists its files.
dist: build
	sh Release/dist/dist.sh

# Signs the checksums of that release. Release/README.md names the key.
sign:
	sh Release/dist/sign.sh

# Tests that release on systems without other software. Needs root and debootstrap.
test-dist:
	sh Release/dist/test.sh

# Makes a site of the documents that works without a network: build/site/index.html.
site:
	sh Release/site/site.sh

# Checks the workflows and issue forms with the schemas of check-jsonschema, with zizmor, and against the pins of
# .github/pins.md. Without a network it uses the tools of an earlier run, and reports missing ones.
check-workflows:
	sh Scripts/check-workflows.sh

install: build
	sh Scripts/install.sh $(RELEASE) "$(DESTDIR)$(PREFIX)"

uninstall:
	rm -f "$(DESTDIR)$(PREFIX)/bin/assay" "$(DESTDIR)$(PREFIX)/share/man/man1/assay.1" \
	  "$(DESTDIR)$(PREFIX)/share/bash-completion/completions/assay" \
	  "$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_assay" \
	  "$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/assay.fish"
	rm -rf "$(DESTDIR)$(PREFIX)/share/doc/assay"

clean:
	rm -rf .build build Benchmarks/.build
