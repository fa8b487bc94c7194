# make          build the library and the command into build/
# make demo     learn from a few labels of real data, and draw it: build/demo/few_labels.png
# make test     all tests
# make sanitize the tests again under AddressSanitizer and UndefinedBehaviorSanitizer
# make tsan     the tests of the library under ThreadSanitizer, with four threads (but test_allocation, which has one)
# make kernels  the tests of library and command with other kernels of the BLAS (OPENBLAS_CORETYPE)
# make valgrind the tests of the library under valgrind
# make bench    speed against the machine's own limits (PENUMBRA_DATA: a folder with mnist70000/X.npy, y.npy)
# make bench-papers  tables of the papers, computed anew (PENUMBRA_DATA: the folder of docs/results.md); PAPERS: some of the programs only
# make bench-auto  what `fit auto` takes beside every method as it is (the same folder); AUTO: arguments of bench/auto_table.py
# make install  library, header, command, pkg-config file, CMake package (PREFIX=/usr/local)
# make format   clang-format on all C files
#
# Each installs the Debian packages it needs where they are missing.
BUILD ?= build
PREFIX ?= /usr/local
PAPERS ?= self_table1 self_table2 bwdr_table2 bwdr_table3 sodrpac_fig3 sale_table1
CMAKE = cmake -S . -B
MAKEFLAGS += --no-print-directory

.PHONY: all deps demo test sanitize tsan kernels valgrind bench bench-papers bench-auto install format clean

all: deps
	@mkdir -p $(BUILD)
	@$(CMAKE) $(BUILD) >$(BUILD)/configure.log || { cat $(BUILD)/configure.log; exit 1; }
	@cmake --build $(BUILD) --parallel

deps:
	@tools/install-deps

demo: all
	@sh examples/demo.sh $(BUILD)

test: deps
	@mkdir -p $(BUILD)
	@sh tools/make-venv $(BUILD)/venv tests/python/requirements.txt
	@tools/other-blas $(BUILD)/blas
	@$(CMAKE) $(BUILD) -DPENUMBRA_TESTS=ON -DPENUMBRA_OTHER_BLAS=$(CURDIR)/$(BUILD)/blas -DPENUMBRA_VENV_PYTHON="$$(test -x $(BUILD)/venv/bin/python && echo $(CURDIR)/$(BUILD)/venv/bin/python)" >$(BUILD)/configure.log || { cat $(BUILD)/configure.log; exit 1; }
	@cmake --build $(BUILD) --parallel
	@cd $(BUILD) && ctest --output-on-failure -j2 --output-junit $(CURDIR)/$(BUILD)/tests.xml

sanitize: deps
	@$(CMAKE) $(BUILD)-sanitize -DPENUMBRA_TESTS=ON -DCMAKE_BUILD_TYPE=RelWithDebInfo -DPENUMBRA_SANITIZE=address,undefined >/dev/null
	@cmake --build $(BUILD)-sanitize --parallel
	@cd $(BUILD)-sanitize && PENUMBRA_TEST_EFFORT=0.2 ctest --output-on-failure -j2 --output-junit $(CURDIR)/$(BUILD)-sanitize/tests.xml

tsan: deps
	@$(CMAKE) $(BUILD)-tsan -DPENUMBRA_TESTS=ON -DCMAKE_BUILD_TYPE=RelWithDebInfo -DPENUMBRA_SANITIZE=thread >/dev/null
	@cmake --build $(BUILD)-tsan --parallel
	@cd $(BUILD)-tsan && TSAN_OPTIONS=die_after_fork=0 PENUMBRA_TEST_EFFORT=0.1 ctest --output-on-failure -j2 -R '^test_' -E '^test_allocation$$' --output-junit $(CURDIR)/$(BUILD)-tsan/tests.xml

kernels: deps
	@$(CMAKE) $(BUILD) -DPENUMBRA_TESTS=ON >/dev/null
	@cmake --build $(BUILD) --parallel
	@tools/kernel-sets $(BUILD)

valgrind: deps
	@$(CMAKE) $(BUILD) -DPENUMBRA_TESTS=ON >/dev/null
	@cmake --build $(BUILD) --parallel
	@sh tools/valgrind-tests $(BUILD)

bench: deps
	@$(CMAKE) $(BUILD)-bench -DPENUMBRA_BENCH=ON >/dev/null
	@cmake --build $(BUILD)-bench --parallel
	@sh bench/run.sh $(BUILD)-bench

bench-papers: all
	@sh tools/make-venv $(BUILD)-bench/venv bench/requirements.txt
	@failed=; for table in $(PAPERS); do \
	    echo; echo "$$table"; \
	    PENUMBRA=$(CURDIR)/$(BUILD)/penumbra $(BUILD)-bench/venv/bin/python bench/papers/$$table.py \
	        $$(test $$table = sale_table1 && echo --variants) || failed="$$failed $$table"; \
	done; test -z "$$failed" || { echo "not as in the papers:$$failed" >&2; exit 1; }

bench-auto: all
	@sh tools/make-venv $(BUILD)-bench/venv bench/requirements.txt
	@PENUMBRA=$(CURDIR)/$(BUILD)/penumbra $(BUILD)-bench/venv/bin/python bench/auto_table.py $(AUTO)

install: all
	@cmake --install $(BUILD) --prefix $(PREFIX)

format:
	@git ls-files '*.c' '*.h' | xargs clang-format -i

clean:
	@rm -rf $(BUILD) $(BUILD)-sanitize $(BUILD)-tsan $(BUILD)-bench
