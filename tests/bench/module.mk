# SPDX-License-Identifier: MIT
# What the recorder costs, measured beside its peers. Nothing here is part of the tests: times are
# shown, never asserted.

BENCH_LIB_C  := $(addprefix tests/bench/,counting.c frames.c)
BENCH_HELP_C := $(addprefix tests/bench/,bench.c path.c)
BENCH_C      := $(filter-out $(BENCH_LIB_C) $(BENCH_HELP_C),$(sort $(wildcard tests/bench/*.c)))
BENCH_BIN    := $(BENCH_C:tests/%.c=$(B)/%)
BENCH_SO     := $(BENCH_LIB_C:tests/%.c=$(B)/%.so)
BENCH_FLAGS   = -O2 -g -fno-builtin-malloc -fno-builtin-calloc -fno-builtin-free \
                -fno-builtin-realloc $(shell pkg-config --cflags sdl2)

PACKAGES_BENCH := $(PACKAGES_BUILD) libsdl2-dev python3 heaptrack valgrind libjemalloc2 freedoom \
                  chocolate-doom woof-doom libsdl2-tests python3-pygame crawl-tiles

$(B)/bench/%.o: tests/bench/%.c $(STAMP)
	@mkdir -p $(@D)
	$(CC) $(BASE) $(BENCH_FLAGS) -c -o $@ $<

$(BENCH_BIN): %: %.o $(BENCH_HELP_C:tests/%.c=$(B)/%.o)
	$(CC) $(LDFLAGS) -o $@ $^ -pthread $(shell pkg-config --libs sdl2)

$(B)/bench/%.so: tests/bench/%.c $(STAMP)
	@mkdir -p $(@D)
	$(CC) $(BASE) $(BENCH_FLAGS) -fPIC -fvisibility=hidden -shared -MF $(@:.so=.d) -o $@ $< -ldl

-include $(wildcard $(B)/bench/*.d)

##: bench        what the recorder costs, beside its peers; QUICK=1 takes a minute
##: bench-deps   install the peers and programs that `make bench` measures
.PHONY: bench bench-deps bench-programs
bench-programs: $(BENCH_BIN) $(BENCH_SO)
bench: all bench-programs
	@$(PYTHON) -B tests/bench/bench.py $(if $(QUICK),--quick) $(BENCH_OPTIONS) $(abspath $(B))
bench-deps:
	@.ci/packages $(PACKAGES_BENCH)

##: bench-waits  wake-ups and latency of waits for events, plain and patched
.PHONY: bench-waits
bench-waits: all test-programs
	@$(PYTHON) -B tests/bench/waits.py $(abspath $(B))
