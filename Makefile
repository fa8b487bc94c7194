# make              build the library and the command in build/; name missing packages
# make deps         install the Debian packages that building and testing need
# make demo         learn from a few labels of real data, and draw build/demo/few_labels.png
# make test         run all tests
# make wheel        build the Python package as a self-contained wheel: build/wheel/*.whl
# make wheels       build the wheels of all platforms, and check what they need: build/wheels/*.whl
# make python       build the wheel and test the Python package (make test includes this)
# make docs         build the site: build/docs/html/index.html
# make test-docs    build the site and test its links, search, screens and words
# make sanitize     compile with clang, and run the tests under AddressSanitizer and
#                   UndefinedBehaviorSanitizer
# make tsan         run the tests of the library under ThreadSanitizer, on four threads
#                   (test_allocation on one)
# make kernels      test the library and the command with BLAS kernels of older CPUs
#                   (OPENBLAS_CORETYPE)
# make valgrind     test the library under valgrind
# make aarch64      compile for 64-bit Arm, and run quick tests under an emulator
# make bench        compare speed and memory with the limits of the machine, as tables
#                   (PENUMBRA_DATA: a folder with mnist70000/X.npy, y.npy)
# make bench-peers  compare with scikit-learn, FAISS and metric-learn in one run (installs them;
#                   without PENUMBRA_DATA only neighbors of generated rows); PEER_ROWS: number of
#                   rows to search, 20000; 0: all
# make bench-dask   fits by Dask workers to rows in files: bits, time, bytes and memory of four
#                   processes and of one; DASK: arguments of bench/dask_scale.py, such as --full
# make bench-papers recompute the tables of the papers. Like the targets below, this writes pages
#                   of bench/results (PENUMBRA_DATA: the folder of docs/results.md; at least three
#                   hours of processor time); PAPERS: only some of the programs. Results are kept
#                   in build/papers, so that a stopped run continues; results of other data or
#                   programs are not used. To start over, remove that folder
# make paper-figures   redraw the figures of the papers in docs/figures (docs/paper-figures.md;
#                   same folder; without it only figures of generated rows); FIGURES: only some
#                   papers. Numbers are kept in build/figures in the same way
# make bench-auto   compare `fit` without METHOD with scikit-learn and umap-learn (same folder; an
#                   hour on two cores); AUTO: arguments of bench/auto_table.py. This target and the
#                   next two write their page only with BEFORE, an earlier penumbra command to
#                   compare with. With arguments no target writes its page, except AUTO=--scale,
#                   which writes the page of many rows
# make bench-readme recompute the table of accuracies of README.md: digits (a minute), auto_table
# make bench-shares the accuracy of each prior if one class has more rows or more labels (same
#                   folder; half an hour on two cores); SHARES: arguments of
#                   bench/shares_table.py
# make bench-spectra   `fit` without METHOD on spectra; SPECTRA: arguments of bench/spectra_table.py
# make bench-typical   how well `typical` detects rows of a class that is not in the fit, compared
#                   with scikit-learn (same folder; ten minutes); TYPICAL: arguments of
#                   bench/typical_table.py
# make bench-pairs  wrong pairs; weights and dimensions chosen by held-out pairs
# make bench-classifiers   classifiers on the embeddings of some methods: docs/classifiers.md
# make bench-defaults  every method with its defaults and grid values, and PCA (same folder)
# make bench-python    compare the Python package with scikit-learn, umap-learn and metric-learn:
#                   time, memory, accuracy (same folder)
# make bench-kernels   compare kernels on two data sets with projections, UMAP and a support vector
#                   machine (same folder)
# make bench-refit  compare refits to prepared rows after new labels with fits to plain rows; REFIT:
#                   numbers of rows instead of 20000 100000
# make bench-page   plots of many rows in a browser without a graphics card: the time to the first
#                   picture, and per frame; PAGE: numbers of rows instead of 20000 100000 1000000
# make bench-explore   `penumbra.explore` in a browser: the time to the first picture, and from a
#                   label to the resulting positions; EXPLORE: numbers of rows instead of
#                   20000 100000
# make bench-suggest   compare labels of suggested rows with labels of random rows (same folder; 20
#                   minutes on two cores); SUGGEST: arguments of bench/suggest.py
# make install      install libraries, headers, command, manual pages, completions, CMake and
#                   pkg-config files (PREFIX=/usr/local)
# make dist         write the source of the last commit: build/dist/penumbra-VERSION.tar.gz
# make deb          build the Debian packages: build/debian/*.deb; name missing packages.
#                   tools/check-debian builds, tests and removes the packages in a clean Debian
# make publish      check and upload what is in build/wheels (CONTRIBUTING.md, Releases)
# make format       run clang-format on all C files
#
# Targets that build or test install missing Debian packages, except `make` and `make install`.
# WERROR=1 makes warnings errors. FLAGS are arguments for cmake.
BUILD ?= build
PREFIX ?= /usr/local
WERROR ?=
FLAGS ?=
comma := ,
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
PAPERS ?= self_table1 self_table2 self_table3 bwdr_table2 bwdr_table3 sodrpac_fig3 sodrpac_fig4 \
    sodrpac_fig5 rssdr_fig2 rssdr_claims sale_table1
FIGURES ?= rssdr self sodrpac bwdr sale
MAKEFLAGS += --no-print-directory
export CC FLAGS JOBS

# $(call build,FOLDER,FLAGS): configure (quietly unless that fails) and build
build = mkdir -p $(1) && { cmake -S . -B $(1) $(if $(WERROR),-DPENUMBRA_WERROR=ON) $(2) $(FLAGS) \
    >$(1)/configure.log 2>&1 || { cat $(1)/configure.log; exit 1; }; } && \
    cmake --build $(1) --parallel $(JOBS)
# $(call page,NAME,ARGUMENTS): write the page, unless arguments limit the run.
page = bench/page.py $(if $(strip $(2)),,--as $(1))
# The same for a page with results of an earlier command
page_before = $(if $(BEFORE),$(call page,$(1),$(2)),bench/page.py)
also = $(if $(BEFORE),--also "before=$(BEFORE)")
# $(call ctest,FOLDER,ARGUMENTS)
ctest = cd $(1) && $(2) ctest --output-on-failure -j$(JOBS) --output-junit $(abspath $(1))/tests.xml
# -O2 would gain less than the sanitizers cost.
sanitizer = -DPENUMBRA_TESTS=ON -DPENUMBRA_SANITIZE=$(1) -DCMAKE_BUILD_TYPE=None \
    -DCMAKE_C_FLAGS="-O1 -g1"
long_sessions = (compare|interrupt|shrinking|strings|widths|memory|large.*)
long_tests = compare|direct|select|trials
tsan_options = TSAN_OPTIONS="die_after_fork=0 suppressions=$(CURDIR)/tests/tsan.supp"
VENV = $(CURDIR)/$(BUILD)/venv/bin/python
venv = tools/make-venv $(BUILD)/venv tests/python/requirements.txt python/tests/requirements.txt
wheel_flags = $(if $(WERROR),-DPENUMBRA_WERROR=ON)
# tools/test-python reports a missing wheel.
make_wheel = { tools/make-wheel $(BUILD) $(wheel_flags) || true; }

.PHONY: all library deps demo test wheel wheels python docs test-docs sanitize tsan kernels \
    valgrind aarch64 bench bench-peers bench-dask bench-papers paper-figures bench-auto \
    bench-readme bench-shares bench-spectra bench-typical bench-pairs bench-classifiers \
    bench-defaults bench-python bench-kernels bench-refit bench-page bench-explore bench-suggest \
    bench-package install dist deb publish format clean

all:
	@tools/check-deps
	@$(call build,$(BUILD))

library: deps
	@$(call build,$(BUILD))

deps:
	@tools/install-deps

demo: library
	@sh examples/demo.sh $(BUILD)

# Downloads and compilation run in parallel.
test: deps
	@tools/install-deps abigail-tools chromium mandoc zsh fish
	@$(venv) & venv=$$!; \
	    tools/other-blas $(BUILD)/blas; \
	    $(call build,$(BUILD)) --target penumbra_objects && $(make_wheel); status=$$?; \
	    wait $$venv; exit $$status
	@$(call build,$(BUILD),-DPENUMBRA_TESTS=ON -DPENUMBRA_OTHER_BLAS=$(CURDIR)/$(BUILD)/blas \
	    -DPENUMBRA_VENV_PYTHON="$$(test -x $(VENV) && echo $(VENV))")
	@status=0; ($(call ctest,$(BUILD))) || status=1; \
	    PENUMBRA=$(CURDIR)/$(BUILD)/penumbra tools/test-python $(BUILD) || status=1; exit $$status

# The wheels of a commit have the same bytes each time.
wheel wheels: export SOURCE_DATE_EPOCH ?= \
    $(or $(shell git log -1 --format=%ct 2>/dev/null),$(shell date +%s))
wheel: deps
	@tools/make-wheel $(BUILD) $(wheel_flags)

wheels: wheel
	@tools/make-wheels $(BUILD) $(wheel_flags)

python: deps
	@tools/install-deps chromium
	@$(venv) & venv=$$!; $(make_wheel); wait $$venv
	@tools/test-python $(BUILD)

docs: wheel
	@tools/make-docs $(BUILD)

test-docs: docs
	@tools/install-deps chromium
	@$(venv)
	@cd $(BUILD) && rm -f tests-docs.xml && PENUMBRA_SITE="$(CURDIR)/$(BUILD)/docs/html" \
	    "$(VENV)" -m pytest -q -n $(JOBS) -p no:cacheprovider -p no:zarr \
	    --rootdir "$(CURDIR)/tests/docs" --junit-xml tests-docs.xml "$(CURDIR)/tests/docs"

# clang has additional warnings. The tests left out are about size, time or process limits; trials,
# which allocate so often that they take minutes; and comparisons of a page, whose code other
# sessions run.
sanitize: deps
	@tools/install-deps clang libclang-rt-dev
	@$(call build,$(BUILD)-sanitize,-DCMAKE_C_COMPILER=clang -DPENUMBRA_BENCH=ON \
	    $(call sanitizer,address$(comma)undefined))
	@$(call ctest,$(BUILD)-sanitize,PENUMBRA_TEST_EFFORT=0.1) \
	    -E '^(page_cli|cli_$(long_sessions)|house_.*)$$|^test_($(long_tests))$$'

tsan: deps
	@$(call build,$(BUILD)-tsan,$(call sanitizer,thread)) --target threaded_tests
	@$(call ctest,$(BUILD)-tsan,$(tsan_options) PENUMBRA_TEST_EFFORT=0.1) -L threads

kernels: deps
	@$(call build,$(BUILD),-DPENUMBRA_TESTS=ON)
	@tools/kernel-sets $(BUILD)

valgrind: deps
	@$(call build,$(BUILD),-DPENUMBRA_TESTS=ON)
	@sh tools/valgrind-tests $(BUILD)

aarch64: deps
	@tools/aarch64-tests $(BUILD)-aarch64 $(if $(WERROR),-DPENUMBRA_WERROR=ON) $(FLAGS)

bench: deps
	@$(call build,$(BUILD)-bench,-DPENUMBRA_BENCH=ON)
	@sh bench/run.sh $(BUILD)-bench

bench-peers: deps
	@$(call build,$(BUILD)-bench,-DPENUMBRA_BENCH=ON)
	@sh tools/make-venv $(BUILD)-bench/venv bench/requirements.txt
	@sh bench/run.sh $(BUILD)-bench peers

bench-dask: deps
	@tools/make-wheel $(BUILD)
	@tools/make-venv $(BUILD)-bench/dask bench/dask-requirements.txt
	@$(BUILD)-bench/dask/bin/pip install --quiet --disable-pip-version-check --no-deps \
	    --force-reinstall $(BUILD)/wheel/*.whl
	@$(BUILD)-bench/dask/bin/python bench/dask_scale.py $(DASK)

bench-refit: deps
	@$(call build,$(BUILD)-bench,-DPENUMBRA_BENCH=ON)
	@python3 $(call page,refit,$(REFIT)) bench/refit.py $(BUILD)-bench $(REFIT)

# Many small fits compute the numbers, one thread each, in one process per core.
bench-papers: library
	@sh tools/make-venv $(BUILD)-bench/venv bench/requirements.txt
	@mkdir -p $(BUILD)/papers
	@failed=; for table in $(PAPERS); do \
	    echo; echo "$$table"; \
	    OPENBLAS_NUM_THREADS=1 PENUMBRA=$(CURDIR)/$(BUILD)/penumbra \
	        $(BUILD)-bench/venv/bin/python bench/page.py --as $$table bench/papers/$$table.py \
	        --keep $(BUILD)/papers/$$table.json \
	        $$(test $$table = sale_table1 && echo --variants) || failed="$$failed $$table"; \
	done; test -z "$$failed" || { echo "not as in the papers:$$failed" >&2; exit 1; }

# gnuplot draws two examples.
paper-figures: library
	@tools/make-wheel $(BUILD)
	@sh tools/make-venv $(BUILD)-bench/figures bench/papers/figures/requirements.txt
	@$(BUILD)-bench/figures/bin/pip install --quiet --disable-pip-version-check --no-deps \
	    --force-reinstall $(BUILD)/wheel/*.whl
	@failed=; for paper in $(FIGURES); do \
	    OPENBLAS_NUM_THREADS=1 PENUMBRA=$(CURDIR)/$(BUILD)/penumbra \
	        $(BUILD)-bench/figures/bin/python bench/papers/figures/$$paper.py \
	        --numbers $(BUILD)/figures || failed="$$failed $$paper"; \
	done; test -z "$$failed" || { echo "not drawn:$$failed" >&2; exit 1; }
	@case " $(FIGURES) " in *" sale "*) sh examples/adaptive.sh $(BUILD) && \
	    cp $(BUILD)/adaptive/saloe_motive.png $(BUILD)/adaptive/saloe_moons.png docs ;; esac

bench-auto: library
	@sh tools/make-venv $(BUILD)-bench/auto bench/auto-requirements.txt
	@PENUMBRA=$(CURDIR)/$(BUILD)/penumbra $(BUILD)-bench/auto/bin/python \
	    $(if $(filter --scale,$(AUTO)),$(call page,auto_scale,$(filter-out --scale,$(AUTO))) \
	        ,$(call page_before,auto_table,$(AUTO))) \
	    bench/auto_table.py --results $(BUILD)-bench/auto.jsonl \
	    --picture $(BUILD)-bench/calibration.svg $(also) $(AUTO)

bench-readme: library
	@tools/make-venv $(BUILD)/venv-demo examples/requirements.txt
	@mkdir -p $(BUILD)/demo/peers
	@$(BUILD)/venv-demo/bin/python bench/page.py --as digits examples/peers.py $(BUILD)/penumbra \
	    examples/data/digits.csv $(BUILD)/demo/peers
	@python3 bench/readme.py

bench-shares: library
	@sh tools/make-venv $(BUILD)-bench/auto bench/auto-requirements.txt
	@PENUMBRA=$(CURDIR)/$(BUILD)/penumbra $(BUILD)-bench/auto/bin/python \
	    $(call page_before,shares_table,$(SHARES)) \
	    bench/shares_table.py --results $(BUILD)-bench/shares.jsonl $(also) $(SHARES)

bench-spectra: library
	@sh tools/make-venv $(BUILD)-bench/spectra bench/spectra-requirements.txt
	@PENUMBRA=$(CURDIR)/$(BUILD)/penumbra $(BUILD)-bench/spectra/bin/python \
	    $(call page_before,spectra_table,$(SPECTRA)) \
	    bench/spectra_table.py $(if $(BEFORE),--before "$(BEFORE)") $(SPECTRA)

bench-typical: library
	@sh tools/make-venv $(BUILD)-bench/auto bench/auto-requirements.txt
	@PENUMBRA=$(CURDIR)/$(BUILD)/penumbra $(BUILD)-bench/auto/bin/python \
	    $(call page,typical_table,$(TYPICAL)) \
	    bench/typical_table.py --results $(BUILD)-bench/typical.jsonl $(TYPICAL)

bench-classifiers: library
	@PENUMBRA=$(CURDIR)/$(BUILD)/penumbra python3 bench/page.py --as classifiers \
	    bench/classifiers.py

bench-pairs: library
	@sh tools/make-venv $(BUILD)-bench/venv bench/requirements.txt
	@for table in noisy_pairs pairs_cv; do \
	    OPENBLAS_NUM_THREADS=1 PENUMBRA=$(CURDIR)/$(BUILD)/penumbra \
	        $(BUILD)-bench/venv/bin/python bench/page.py --as $$table bench/$$table.py || exit 1; \
	done

bench-defaults: deps
	@$(call build,$(BUILD)-bench,-DPENUMBRA_BENCH=ON)
	@sh tools/make-venv $(BUILD)-bench/venv bench/requirements.txt
	@$(BUILD)-bench/venv/bin/python bench/page.py --as defaults_table \
	    bench/defaults_table.py $(BUILD)-bench/bench/bench_defaults

bench-package: deps
	@tools/make-wheel $(BUILD)
	@tools/make-venv $(BUILD)-bench/python bench/python-requirements.txt
	@$(BUILD)-bench/python/bin/pip install --quiet --disable-pip-version-check --no-deps \
	    --force-reinstall $(BUILD)/wheel/*.whl

bench-kernels: bench-package
	@$(BUILD)-bench/python/bin/python bench/page.py --as kernels bench/kernels.py
	@$(BUILD)-bench/python/bin/python bench/page.py --as kernels_shapes \
	    bench/kernels.py --shapes --draws 10
	@OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 \
	    $(BUILD)-bench/python/bin/python bench/page.py --as kernels_cost bench/kernels.py --cost

bench-python: bench-package
	@tools/make-venv $(BUILD)-bench/venv bench/requirements.txt
	@PYTHON_PEERS=$(BUILD)-bench/venv/bin/python $(BUILD)-bench/python/bin/python \
	    bench/page.py --as python_peers bench/python_peers.py

bench-page: library
	@tools/install-deps chromium
	@tools/make-venv $(BUILD)-bench/page bench/page-requirements.txt
	@PENUMBRA=$(CURDIR)/$(BUILD)/penumbra $(BUILD)-bench/page/bin/python \
	    $(call page,page_speed,$(PAGE)) bench/page_speed.py "$$(command -v chromium)" $(PAGE)

bench-explore: bench-package
	@tools/install-deps chromium
	@$(BUILD)-bench/python/bin/pip install --quiet --disable-pip-version-check \
	    -r bench/explore-requirements.txt
	@$(BUILD)-bench/python/bin/python $(call page,explore_speed,$(EXPLORE)) \
	    bench/explore_speed.py "$$(command -v chromium)" $(EXPLORE)

bench-suggest: bench-package
	@$(BUILD)-bench/python/bin/python $(call page,suggest_table,$(SUGGEST)) \
	    bench/suggest.py --results $(BUILD)-bench/suggest.jsonl $(SUGGEST)

install: all
	@cmake --install $(BUILD) --prefix $(PREFIX)

dist:
	@tools/make-dist $(BUILD)/dist

deb:
	@tools/make-deb $(BUILD)/debian

publish:
	@git diff --quiet HEAD || { echo "publish: there are changes without a commit" >&2; exit 1; }
	@! grep -rn example.org pyproject.toml recipe debian
	@twine check --strict $(BUILD)/wheels/*.whl $(wildcard $(BUILD)/wheels/*.tar.gz)
	@twine upload --skip-existing $(BUILD)/wheels/*.whl $(wildcard $(BUILD)/wheels/*.tar.gz)

format:
	@git ls-files '*.c' '*.h' | xargs clang-format -i

clean:
	@rm -rf $(BUILD) $(addprefix $(BUILD)-,sanitize tsan aarch64 bench)
