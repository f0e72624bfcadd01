# The commands of svc. Everything they make lies in build/ and var/.
BUILD := build/release
export CCACHE_BASEDIR ?= $(CURDIR)
export CCACHE_NOHASHDIR ?= 1
JOBS ?= $(shell nproc)

.PHONY: help run test test-asan test-tsan routes docs format lint bench bench-keep prove prove-full package clean

help: ## This list.
	@sed -n 's/^\([a-z -]*\):.*## /\1\t/p' Makefile | expand -t 22

run: ## Build, prepare var/ the first time, serve on 127.0.0.1:8080 until Ctrl-C.
	@packaging/install-packages.sh build run
	@[ -e $(BUILD)/build.ninja ] || cmake --preset release
	@ninja -C $(BUILD) --quiet -j$(JOBS) program
	@exec packaging/run.sh

test: ## Install, build, run every test on SQLite and PostgreSQL.
	@packaging/install-packages.sh build run test
	@[ -e $(BUILD)/build.ninja ] || cmake --preset release
	ninja -C $(BUILD) -j$(JOBS)
	ctest --test-dir $(BUILD) --output-on-failure -j$$(($(JOBS) + 1))

test-asan test-tsan: test-%: ## The same under the sanitizers: address with undefined behaviour, threads.
	@packaging/install-packages.sh build run test
	cmake --preset $*
	ninja -C build/$* -j$(JOBS)
	ctest --preset $* -j2

routes: ## Every route: method, path, who may call it, module; then what the interface still misses.
	@[ -e $(BUILD)/build.ninja ] || cmake --preset release
	@ninja -C $(BUILD) --quiet -j$(JOBS) program
	@scratch=$$(mktemp -d) && trap 'rm -rf $$scratch' EXIT && cd $$scratch && \
	    $(CURDIR)/$(BUILD)/bin/svc migrate >/dev/null && $(CURDIR)/$(BUILD)/bin/svc routes | \
	    $(CURDIR)/tests/routes/missing_routes.py

docs: ## Write the pages of docs/ that the program makes from the code.
	@[ -e $(BUILD)/build.ninja ] || cmake --preset release
	@ninja -C $(BUILD) --quiet -j$(JOBS) program
	@tests/structure/made_docs.py $(BUILD)/bin/svc --write

format: ## Write the C++ as clang-format wants it, the browser code as prettier does (after a build, which installs it).
	@tests/structure/check_style.py --fix
	@cd base/web && ../../$(BUILD)/web/node_modules/.bin/prettier --log-level warn --write '**/*.{ts,tsx,mjs,css}' \
	  ../admin/*.css ../pages/themes/default/*.css

lint: ## clang-tidy over all of the C++, or over FILES="...".
	@packaging/install-packages.sh build test lint
	@tests/structure/lint.sh $(FILES)

bench: ## Measure against floors, compare with the committed report; the new one is build/bench/report.json.
	@packaging/install-packages.sh build run test bench
	@[ -e $(BUILD)/build.ninja ] || cmake --preset release
	ninja -C $(BUILD) -j$(JOBS)
	/usr/bin/python3 tests/bench/bench.py $(BUILD)
	/usr/bin/python3 tests/bench/compare.py build/bench/report.json tests/bench/report.json

bench-keep: ## Keep the last report of `make bench` as the committed one, and draw its curves into docs/.
	cp build/bench/report.json tests/bench/report.json
	/usr/bin/python3 tests/bench/curves.py tests/bench/report.json docs

prove prove-full: ## Show what docs/PROMISES.md promises, in minutes or (prove-full) hours.
	@packaging/install-packages.sh build run test prove
	@[ -e $(BUILD)/build.ninja ] || cmake --preset release
	ninja -C $(BUILD) -j$(JOBS)
	@tests/prove/prove.py $(BUILD) $(if $(findstring full,$@),--full); result=$$?; \
	    tests/prove/page.py build/prove/report.json > docs/PROMISES.md; exit $$result

package: ## Debian packages of both editions, in build/packages.
	@packaging/install-packages.sh build run package
	@packaging/build-packages.sh

clean: ## Remove build/; var/ with its data stays.
	rm -rf build
