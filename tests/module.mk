# SPDX-License-Identifier: MIT
# What the tests are built from. `make check` at the end of the Makefile runs them.

UNIT_SRC := $(sort $(wildcard tests/unit/test_*.c))
FUZZ_SRC := $(sort $(wildcard tests/fuzz/fuzz_*.c))
E2E_SRC  := $(sort $(wildcard tests/e2e/*.bats))

# Unit programs take what they need of the reporter but its commands, or of the recorder but its entry
# points. The recorder's objects are compiled once more for that, as an ordinary program's, hence
# sanitised too.
TEST_CLI_OBJ  := $(patsubst %.c,$(B)/%.o,$(filter-out cli/main.c cli/cmd_%,$(CLI_SRC)))
TEST_CORE_OBJ := $(patsubst preload/%.c,$(B)/core/%.o,$(filter-out preload/hook_%,$(LIB_SRC)))
TEST_CLI      := $(B)/unit/cli.a
TEST_CORE_LIB := $(B)/unit/core.a
UNIT_CLI      := $(patsubst tests/%.c,$(B)/%,$(filter-out tests/unit/test_rec_%,$(UNIT_SRC)))
UNIT_CORE     := $(patsubst tests/%.c,$(B)/%,$(filter tests/unit/test_rec_%,$(UNIT_SRC)))
UNIT_BIN      := $(UNIT_CLI) $(UNIT_CORE)
FUZZ_BIN      := $(FUZZ_SRC:tests/%.c=$(B)/%)

.PHONY: unit-programs fuzz-programs
unit-programs: $(UNIT_BIN)
fuzz-programs: $(FUZZ_BIN)

$(B)/core/%.o: preload/%.c $(STAMP)
	@mkdir -p $(@D)
	$(CC) $(BASE) $(CFLAGS) $(SANITIZE) $(CPPFLAGS) -c -o $@ $<

$(TEST_CLI): $(TEST_CLI_OBJ)
$(TEST_CORE_LIB): $(TEST_CORE_OBJ)
$(TEST_CLI) $(TEST_CORE_LIB):
	@mkdir -p $(@D)
	@rm -f $@
	$(AR) rcs $@ $^

$(B)/unit/%.o: tests/unit/%.c $(STAMP)
	@mkdir -p $(@D)
	$(CC) $(BASE) $(CFLAGS) $(SANITIZE) $(CPPFLAGS) $(CLI_FLAGS) $(shell pkg-config --cflags cmocka) -c -o $@ $<

# Other sources of tests/unit are helpers of all unit programs.
UNIT_HELP := $(patsubst tests/%.c,$(B)/%.o,$(filter-out $(UNIT_SRC),$(sort $(wildcard tests/unit/*.c))))

$(UNIT_CLI): %: %.o $(UNIT_HELP) $(TEST_CLI)
	$(CC) $(CFLAGS) $(SANITIZE) $(LDFLAGS) -o $@ $^ $(CLI_LIBS) $(shell pkg-config --libs cmocka)

$(UNIT_CORE): %: %.o $(TEST_CORE_LIB)
	$(CC) $(CFLAGS) $(SANITIZE) $(LDFLAGS) -pthread -o $@ $^ $(LIB_LIBS) $(shell pkg-config --libs cmocka)

# The fuzz targets as programs that replay files.
$(B)/fuzz/%.o: tests/fuzz/%.c $(STAMP)
	@mkdir -p $(@D)
	$(CC) $(BASE) $(CFLAGS) $(SANITIZE) $(CPPFLAGS) $(CLI_FLAGS) -DREPLAY -c -o $@ $<

$(FUZZ_BIN): %: %.o $(UNIT_HELP) $(TEST_CLI)
	$(CC) $(CFLAGS) $(SANITIZE) $(LDFLAGS) -o $@ $^ $(CLI_LIBS)

# Small programs that the tests record, and an independent counter to compare with. No sibling calls
# and no built-in malloc: each function named in a test stands in the stack.
PROG_LIB_C := $(sort $(wildcard tests/progs/*plugin.c tests/progs/count_preload.c))
PROG_C     := $(filter-out $(PROG_LIB_C),$(sort $(wildcard tests/progs/*.c)))
PROG_CXX   := $(sort $(wildcard tests/progs/*.cpp))
PROG_BIN   := $(PROG_C:tests/%.c=$(B)/%) $(PROG_CXX:tests/%.cpp=$(B)/%)
PROG_SO    := $(addprefix $(B)/progs/,count_preload.so plugin_first.so plugin_second.so late_plugin.so)
PROG_FLAGS  = -I. -D_GNU_SOURCE -Wall -Wextra $(if $(WERROR),-Werror) -O1 -g -fno-builtin \
              -fno-optimize-sibling-calls -MMD -MP $(shell pkg-config --cflags sdl2)
PROG_LIBS   = -Wl,--as-needed $(shell pkg-config --libs sdl2) -pthread -ldl

.PHONY: test-programs
test-programs: $(PROG_BIN) $(PROG_SO)

$(B)/progs/%: tests/progs/%.c $(STAMP)
	@mkdir -p $(@D)
	$(CC) -std=gnu11 $(PROG_FLAGS) -MF $@.d -o $@ $< $(PROG_LIBS)

$(B)/progs/%: tests/progs/%.cpp $(STAMP)
	@mkdir -p $(@D)
	$(CXX) -std=gnu++17 -fsized-deallocation $(PROG_FLAGS) -MF $@.d -o $@ $< $(PROG_LIBS)

$(B)/progs/count_preload.so: tests/progs/count_preload.c $(STAMP)
	@mkdir -p $(@D)
	$(CC) $(BASE) -O2 -g -fno-builtin -fPIC -shared -MF $@.d -o $@ $< -ldl

$(B)/progs/plugin_%.so: tests/progs/plugin.c $(STAMP)
	@mkdir -p $(@D)
	$(CC) $(BASE) -DPLUGIN=plugin_$* -O1 -g -fno-builtin -fPIC -shared -MF $@.d -o $@ $<

$(B)/progs/late_plugin.so: tests/progs/late_plugin.c $(STAMP)
	@mkdir -p $(@D)
	$(CC) -std=gnu11 $(PROG_FLAGS) -fPIC -shared -MF $@.d -o $@ $< $(PROG_LIBS)

-include $(wildcard $(B)/unit/*.d $(B)/core/*.d $(B)/fuzz/*.d $(B)/progs/*.d)

# TESTS names sources: unit programs run plain and sanitised, the recorder's also under the thread
# sanitiser; fuzz targets run sanitised.
TESTS     ?= $(UNIT_SRC) $(FUZZ_SRC) $(E2E_SRC)
TEST_UNIT  = $(patsubst tests/%.c,%,$(filter tests/unit/%.c,$(TESTS)))
TEST_REC  = $(filter unit/test_rec_%,$(TEST_UNIT))
TEST_FUZZ  = $(patsubst tests/%.c,%,$(filter tests/fuzz/%.c,$(TESTS)))
TEST_E2E   = $(filter %.bats,$(TESTS))
UNKNOWN    = $(filter-out tests/unit/%.c tests/fuzz/%.c %.bats,$(TESTS))
PLAIN      = $(TEST_UNIT:%=$(B)/%)
SANITISED  = $(patsubst %,build/sanitize/%,$(TEST_UNIT) $(TEST_FUZZ))
THREADED   = $(TEST_REC:%=build/tsan/%)
TAP        = $(PLAIN) $(SANITISED) $(THREADED) $(TEST_E2E)

# Each in a flavour of its own.
SANITISED_MAKE = $(MAKE) FLAVOUR=sanitize SANITIZE='-fsanitize=address,undefined -fno-sanitize-recover=all' \
                 CFLAGS='-O1 -g -fno-omit-frame-pointer'
THREADED_MAKE  = $(MAKE) FLAVOUR=tsan SANITIZE='-fsanitize=thread' CFLAGS='-O1 -g -Wno-tsan'
