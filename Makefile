# make demo      clean the export in Examples/ and look at the outcome
# make check     the short answer, before a commit
# make test      everything that must hold: Swift, C and command-line tests
# make install   the command, its man page and completions (PREFIX=/usr/local)
# make help      the rest

PREFIX ?= /usr/local
SWIFT ?= swift
RELEASE := .build/release/assay
# The libraries that few runs need go in, and the C++ runtime: to load them took a tenth of the time that the command needs to start.
ifeq ($(shell uname -s),Linux)
CXX_RUNTIME := .build/static
endif

.PHONY: help demo build check test test-docs test-examples test-swift test-core test-command test-core-sanitized test-tsan test-libassay test-python test-bindings test-integration format check-format check-thresholds rivals bench-build bench bench-full figures install uninstall clean docs conformance dist test-dist torture torture-driver fuzz site check-workflows

help:
	@sed -n '/^$$/q; s/^# //p' Makefile
	@echo "make build     the command, optimized: $(RELEASE)"
	@echo "make format    swift-format and clang-format over all sources"
	@echo "make bench     throughput beside rivals, a quarter of an hour (bench-full: half an hour, files up to 10 GB)"
	@echo "make figures   the documents' tables, from the latest results"
	@echo "make rivals    install those rivals: RE2, Hyperscan, Polars, DuckDB and others"

SWIFT_RELEASE = $(if $(CXX_RUNTIME),PKG_CONFIG_PATH="$(CURDIR)/$(CXX_RUNTIME):$$PKG_CONFIG_PATH") \
  SWIFT="$(SWIFT)" sh Scripts/swift-release.sh

build:
	@sh Scripts/install-dependencies.sh build
	@[ -z "$(CXX_RUNTIME)" ] || sh Scripts/static-libraries.sh $(CXX_RUNTIME)
	$(SWIFT_RELEASE) --product assay

demo: build
	@sh Scripts/demo.sh $(RELEASE)

test: check-format test-swift test-core test-command test-docs test-examples test-libassay test-python check-thresholds

# The short answer, in about two minutes where things are built: format, the C core, the Swift library's core tests, the
# command on its example, and the documents' links.
check: check-format build
	@sh Scripts/install-dependencies.sh test
	cmake -S . -B build/core -DCMAKE_BUILD_TYPE=RelWithDebInfo
	cmake --build build/core --parallel
	ctest --test-dir build/core --output-on-failure --parallel 2 --exclude-regex 'test_work|test_utf8|test_pattern_agreement'
	$(SWIFT) build --build-tests
	$(SWIFT) test --skip-build --filter 'AssayTests|AssayRulesTests'
	ASSAY=$(RELEASE) python3 -m unittest discover -s Tests/CommandTests -p 'test_clean.py'

test-swift:
	@sh Scripts/install-dependencies.sh test
	$(SWIFT) build --build-tests
	$(SWIFT) test --skip-build
	sh Scripts/check-apple-code.sh
	python3 Scripts/check-compiler-messages.py
	python3 Scripts/check-api.py

# The C core alone, as C and C++ projects build it: with cmake, tested by ctest, installed, and used through pkg-config.
test-core:
	@sh Scripts/install-dependencies.sh test
	cmake -S . -B build/core -DCMAKE_BUILD_TYPE=RelWithDebInfo
	cmake --build build/core --parallel
	ctest --test-dir build/core --output-on-failure --parallel 2
	sh Scripts/test-installed-core.sh

# The same under the address and undefined-behaviour sanitizers.
test-core-sanitized:
	@sh Scripts/install-dependencies.sh test
	cmake -S . -B build/core-sanitized -DCMAKE_BUILD_TYPE=RelWithDebInfo -DASSAY_SANITIZE="address;undefined"
	cmake --build build/core-sanitized --parallel
	ctest --test-dir build/core-sanitized --output-on-failure --parallel 2

# The command, libassay and the Swift tests that have many threads, under the thread sanitizer. Half an hour on two busy cores.
test-tsan:
	@sh Scripts/install-dependencies.sh test
	sh Scripts/test-tsan.sh

test-command: torture-driver
	@sh Scripts/install-dependencies.sh test
	ASSAY=$(RELEASE) python3 -m unittest discover -s Tests/CommandTests
	ASSAY=$(RELEASE) python3 Tests/Torture/torture.py --minutes 0 --step 40 --times 40 --files 2000

# What the documents say is true: commands run, rule files pass, links lead somewhere, options are in the man page.
test-docs: build
	@sh Scripts/install-dependencies.sh test
	python3 Scripts/check-docs.py --assay $(RELEASE) --modules .build/debug/Modules
	python3 Tests/Conformance/conformance.py --assay $(RELEASE) --check types

# Instructions and allocations beside what was recorded; times are never looked at.
check-thresholds: build
	python3 Scripts/check-thresholds.py

# The example package, as somebody would build it who copied it.
test-examples:
	@sh Scripts/install-dependencies.sh test
	sh Scripts/check-examples.sh

# libassay, installed elsewhere and used from C and C++; its interface is compared with Tests/LibassayTests/abi.txt.
test-libassay:
	sh Scripts/test-libassay.sh

# The Python package beside pyarrow, Polars, pandas and DuckDB.
test-python:
	sh Scripts/test-python.sh

# Rust, Java, Node.js and Go over libassay, of which those are tested whose tools are here.
test-bindings:
	@sh Scripts/install-dependencies.sh test
	sh Scripts/test-bindings.sh

# What needs heavy programs: Spark, a JVM, PostgreSQL, an HTTP server; and the bindings.
test-integration: build
	ASSAY=$(CURDIR)/$(RELEASE) sh Scripts/test-integration.sh

check-format:
	@sh Scripts/install-dependencies.sh test
	@sh Scripts/format.sh check

format:
	@sh Scripts/install-dependencies.sh test
	@sh Scripts/format.sh write

docs:
	sh Release/docs.sh

# What the benchmarks compare Assay with. Without it they show it as absent.
rivals:
	@sh Benchmarks/rivals/install.sh

# The manifest looks for installed rivals, so what it said last time does not count.
bench-build: build
	$(SWIFT) build -c release --package-path Benchmarks --manifest-cache none --disable-build-manifest-caching

bench: bench-build
	Benchmarks/.build/release/assay-benchmarks --results Benchmarks/Results
	sh Scripts/bench-python.sh Benchmarks/Results

bench-full: bench-build
	Benchmarks/.build/release/assay-benchmarks --full --results Benchmarks/Results
	sh Scripts/bench-python.sh Benchmarks/Results

# The tables of figures in the documents; test-docs compares them with the results.
figures:
	python3 Benchmarks/figures.py --update README.md
	python3 Benchmarks/figures.py --update Docs/performance.md

# A release: Release/dist/dist.sh says what it makes. On Debian 12 only.
dist: build
	sh Release/dist/dist.sh

# That release, tried where nothing else is installed. As root, with debootstrap.
test-dist:
	sh Release/dist/test.sh

# What cleans many files in one process, for those mutated files.
torture-driver: build
	$(SWIFT_RELEASE) --product TortureDriver

# Kills, faults and mutated files, and a table of what was tried.
TORTURE_MINUTES ?= 60
torture: torture-driver
	@sh Scripts/install-dependencies.sh test
	ASSAY=$(RELEASE) python3 Tests/Torture/torture.py --minutes $(TORTURE_MINUTES)

# Each libFuzzer program, under the address and undefined-behaviour sanitizers. What they have learned stays in build/fuzz.
FUZZ_SECONDS ?= 60
fuzz:
	@sh Scripts/install-dependencies.sh test
	sh Scripts/fuzz.sh $(FUZZ_SECONDS)

# The documents as a site that needs no network: build/site/index.html.
site:
	sh Release/site/site.sh

# The workflows and issue forms, by the schemas that check-jsonschema ships. Skips without the network, and says so.
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

# Built-in types beside test suites and other libraries, a million values and more: Docs/conformance.md. Row rules beside cel-python, and
# guesses of `assay infer` beside other tools: Docs/profile.md.
conformance: build
	sh Tests/Conformance/run.sh $(RELEASE)
