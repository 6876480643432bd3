# SPDX-License-Identifier: MIT
# What the tests are built from. `make check` at the end of the Makefile runs them.

UNIT_SRC := $(sort $(wildcard tests/unit/test_*.c))
FUZZ_SRC := $(sort $(wildcard tests/fuzz/fuzz_*.c))
E2E_SRC  := $(sort $(wildcard tests/e2e/*.bats))
SURVIVE  := $(filter tests/e2e/attacks.bats tests/e2e/survive_%,$(E2E_SRC))

# Unit programs take what they need of the reporter but its commands, or of the recorder but its entry
# points. The recorder's objects are compiled once more for that, as an ordinary program's, hence
# sanitised too.
TEST_CLI_OBJ  := $(patsubst %.c,$(B)/%.o,$(filter-out cli/main.c cli/cmd_%,$(CLI_SRC)))
TEST_CORE_OBJ := $(patsubst preload/%.c,$(B)/core/%.o,$(filter-out preload/hook_%,$(LIB_SRC)))
TEST_CLI      := $(B)/unit/cli.a
TEST_CORE_LIB := $(B)/unit/core.a
UNIT_CLI      := $(patsubst tests/%.c,$(B)/%,$(filter-out tests/unit/test_rec_% tests/unit/test_timeouts%,$(UNIT_SRC)))
UNIT_CORE     := $(patsubst tests/%.c,$(B)/%,$(filter tests/unit/test_rec_%,$(UNIT_SRC)))
UNIT_TIMEOUTS := $(patsubst tests/%.c,$(B)/%,$(filter tests/unit/test_timeouts%,$(UNIT_SRC)))
UNIT_BIN      := $(UNIT_CLI) $(UNIT_CORE) $(UNIT_TIMEOUTS)
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

$(B)/unit/test_timeouts_clock: $(TIMEOUTS_CLOCK:%.c=$(B)/%.o)
$(UNIT_TIMEOUTS:=.o): CLI_FLAGS += $(shell pkg-config --cflags sdl2)
$(UNIT_TIMEOUTS): %: %.o $(TIMEOUTS_CORE_OBJ)
	$(CC) $(CFLAGS) $(SANITIZE) $(LDFLAGS) -o $@ $^ $(TIMEOUTS_LIBS) $(shell pkg-config --libs cmocka)

# The fuzz targets as programs that replay files.
$(B)/fuzz/%.o: tests/fuzz/%.c $(STAMP)
	@mkdir -p $(@D)
	$(CC) $(BASE) $(CFLAGS) $(SANITIZE) $(CPPFLAGS) $(CLI_FLAGS) -DREPLAY -c -o $@ $<

$(FUZZ_BIN): %: %.o $(UNIT_HELP) $(TEST_CLI)
	$(CC) $(CFLAGS) $(SANITIZE) $(LDFLAGS) -o $@ $^ $(CLI_LIBS)

# Small programs that the tests record, and an independent counter to compare with. No sibling calls
# and no built-in malloc: each function named in a test stands in the stack.
PROG_LIB_C := $(sort $(wildcard tests/progs/*plugin.c tests/progs/count_*.c tests/progs/survive_later.c))
PROG_C     := $(filter-out $(PROG_LIB_C),$(sort $(wildcard tests/progs/*.c)))
PROG_CXX   := $(sort $(wildcard tests/progs/*.cpp))
PROG_BIN   := $(B)/progs/blind_hidden $(PROG_C:tests/%.c=$(B)/%) $(PROG_CXX:tests/%.cpp=$(B)/%)
PROG_SO    := $(addprefix $(B)/progs/,count_preload.so count_polls.so survive_later.so plugin_first.so plugin_second.so late_plugin.so blind_plugin.so)
PROG_FLAGS  = -I. -D_GNU_SOURCE -Wall -Wextra $(if $(WERROR),-Werror) -O1 -g -fno-builtin \
              -fno-optimize-sibling-calls -MMD -MP $(shell pkg-config --cflags sdl2)
PROG_LIBS   = -Wl,--as-needed $(shell pkg-config --libs sdl2 x11) -pthread -ldl

.PHONY: test-programs
test-programs: $(PROG_BIN) $(PROG_SO)

$(B)/progs/%: tests/progs/%.c $(STAMP)
	@mkdir -p $(@D)
	$(CC) -std=gnu11 $(PROG_FLAGS) -MF $@.d -o $@ $< $(PROG_LIBS)

$(B)/progs/%: tests/progs/%.cpp $(STAMP)
	@mkdir -p $(@D)
	$(CXX) -std=gnu++17 -fsized-deallocation $(PROG_FLAGS) -MF $@.d -o $@ $< $(PROG_LIBS)

$(B)/progs/blind_hidden: tests/progs/blind_malloc.c $(STAMP)
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -DHIDDEN $(PROG_FLAGS) -MF $@.d -o $@ $< $(PROG_LIBS)

$(B)/progs/count_preload.so $(B)/progs/count_polls.so $(B)/progs/survive_later.so: $(B)/progs/%.so: tests/progs/%.c $(STAMP)
	@mkdir -p $(@D)
	$(CC) $(BASE) -O2 -g -fno-builtin -fPIC -shared -MF $@.d -o $@ $< -ldl

$(B)/progs/plugin_%.so: tests/progs/plugin.c $(STAMP)
	@mkdir -p $(@D)
	$(CC) $(BASE) -DPLUGIN=plugin_$* -O1 -g -fno-builtin -fPIC -shared -MF $@.d -o $@ $<

$(B)/progs/late_plugin.so $(B)/progs/blind_plugin.so: $(B)/progs/%.so: tests/progs/%.c $(STAMP)
	@mkdir -p $(@D)
	$(CC) -std=gnu11 $(PROG_FLAGS) -fPIC -shared -MF $@.d -o $@ $< $(PROG_LIBS)

# The ways to bind SDL. Debian's SDL 2 where it can be had so; else stand-ins of SDL 2, SDL 3 and
# sdl2-compat, which have SDL's table of functions and are found beside the programs.
comma      := ,
BIND       := $(B)/progs/bind
BIND_H     := $(wildcard tests/progs/bind/*.h)
BIND_GAME  := tests/progs/bind/game.c
BIND_SDL   := tests/progs/bind/sdl.c
BIND_FLAGS  = -std=gnu11 -I. -D_GNU_SOURCE -Wall -Wextra $(if $(WERROR),-Werror) -O1 -g -fno-builtin -fPIC \
              -fno-optimize-sibling-calls -Wl,-rpath,'$$$$ORIGIN'
BIND_SO     = -shared -DPLUGIN
STATIC_SDL2 = -l:libSDL2.a $(filter-out -lSDL2,$(shell pkg-config --static --libs sdl2))
OLD_2       = -DSDL_MAJOR=2 -DTABLE_HIDDEN -DTABLE_WAITS -DSLOTS=672 -s

# bind: name, flags, sources, libraries, libraries of this list
define bind
BIND_BIN += $(BIND)/$1
$(BIND)/$1: $3 $(BIND_H) $(STAMP) $(addprefix $(BIND)/,$5)
	@mkdir -p $$(@D)
	$$(CC) $(BIND_FLAGS) $2 -o $$@ $3 $4 $(addprefix $(BIND)/,$5) -ldl
endef
$(eval $(call bind,host,,tests/progs/bind/host.c))
$(eval $(call bind,lazy,-DSDL_MAJOR=2 -Wl$(comma)-z$(comma)lazy,$(BIND_GAME),-lSDL2))
$(eval $(call bind,now,-DSDL_MAJOR=2 -Wl$(comma)-z$(comma)now,$(BIND_GAME),-lSDL2))
$(eval $(call bind,no_plt,-DSDL_MAJOR=2 -fno-plt,$(BIND_GAME),-lSDL2))
$(eval $(call bind,no_pie,-DSDL_MAJOR=2 -fno-pic -no-pie,$(BIND_GAME),-lSDL2))
$(eval $(call bind,by_dlsym,-DSDL_MAJOR=2 -DBY_DLSYM='"libSDL2-2.0.so.0"',$(BIND_GAME)))
$(eval $(call bind,plugin.so,-DSDL_MAJOR=2 $(BIND_SO),$(BIND_GAME),-lSDL2))
$(eval $(call bind,static,-DSDL_MAJOR=2,$(BIND_GAME),$(STATIC_SDL2)))
$(eval $(call bind,static_stripped,-DSDL_MAJOR=2 -s,$(BIND_GAME),$(STATIC_SDL2)))
$(eval $(call bind,static_exported,-DSDL_MAJOR=2 -rdynamic,$(BIND_GAME),$(STATIC_SDL2)))
$(eval $(call bind,exported.so,-DSDL_MAJOR=2 $(BIND_SO),$(BIND_GAME) $(BIND_SDL)))
$(eval $(call bind,symbolic.so,-DSDL_MAJOR=2 $(BIND_SO) -Wl$(comma)-Bsymbolic,$(BIND_GAME) $(BIND_SDL)))
$(eval $(call bind,local.so,-DSDL_MAJOR=2 $(BIND_SO) -DTABLE_HIDDEN,$(BIND_GAME) $(BIND_SDL)))
$(eval $(call bind,hidden.so,-DSDL_MAJOR=2 $(BIND_SO) -DTABLE_HIDDEN -s,$(BIND_GAME) $(BIND_SDL)))
$(eval $(call bind,old,$(OLD_2),$(BIND_GAME) $(BIND_SDL)))
$(eval $(call bind,old.so,$(OLD_2) $(BIND_SO),$(BIND_GAME) $(BIND_SDL)))
$(eval $(call bind,override.so,-DSDL_MAJOR=2 -shared,$(BIND_SDL)))
$(eval $(call bind,libSDL3.so.0,-DSDL_MAJOR=3 -shared -Wl$(comma)-soname$(comma)libSDL3.so.0,$(BIND_SDL)))
$(eval $(call bind,dynamic3,-DSDL_MAJOR=3,$(BIND_GAME),,libSDL3.so.0))
$(eval $(call bind,by_dlsym3,-DSDL_MAJOR=3 -DBY_DLSYM='"libSDL3.so.0"',$(BIND_GAME)))
$(eval $(call bind,static3,-DSDL_MAJOR=3 -DTABLE_HIDDEN -s,$(BIND_GAME) $(BIND_SDL)))
$(eval $(call bind,only3,-DSDL_MAJOR=3,tests/progs/bind/sdl3_game.c,,libSDL3.so.0))
$(eval $(call bind,libcompat.so.0,-DSDL_MAJOR=2 -DCOMPAT -shared -Wl$(comma)-soname$(comma)libcompat.so.0,$(BIND_SDL)))
$(eval $(call bind,compat,-DSDL_MAJOR=2,$(BIND_GAME),,libcompat.so.0))
$(eval $(call bind,compat_by_dlsym,-DSDL_MAJOR=2 -DBY_DLSYM='"libcompat.so.0"',$(BIND_GAME)))
$(eval $(call bind,libplain.so.0,-DSDL_MAJOR=2 -DNO_TABLE -shared -Wl$(comma)-soname$(comma)libplain.so.0,$(BIND_SDL)))
$(eval $(call bind,plain,-DSDL_MAJOR=2,$(BIND_GAME),,libplain.so.0))
$(eval $(call bind,plain_by_dlsym,-DSDL_MAJOR=2 -DBY_DLSYM='"libplain.so.0"',$(BIND_GAME)))
$(eval $(call bind,libswap.so,-DLIBRARY -shared -Wl$(comma)-soname$(comma)libswap.so,tests/progs/bind/swaps.c))
$(eval $(call bind,librender.so,-DRENDERER -shared -Wl$(comma)-soname$(comma)librender.so,tests/progs/bind/swaps.c,,libswap.so))
$(eval $(call bind,swaps,,tests/progs/bind/swaps.c,,librender.so libplain.so.0 libswap.so))

test-programs: $(BIND_BIN)

-include $(wildcard $(B)/unit/*.d $(B)/core/*.d $(B)/fuzz/*.d $(B)/progs/*.d)

##: games        install real games and run each with and without the recorder; GAMES="blobby ffplay" runs some
.PHONY: games
games: all test-programs
	@$(PYTHON) -B tests/games/run.py --install $(GAMES)

##: check-lib32  build the 32-bit recorder and test it with 32-bit programs
.PHONY: check-lib32
check-lib32: lib32 all
	@ALLOCREPORT_BUILD=$(abspath $(B)) prove -f -o -e tests/run tests/lib32/lib32.bats

# TESTS names sources: unit programs run plain and sanitised, the recorder's and the timeouts' also
# under the thread sanitiser; fuzz targets run sanitised.
TESTS     ?= $(UNIT_SRC) $(FUZZ_SRC) $(E2E_SRC)
TEST_UNIT  = $(patsubst tests/%.c,%,$(filter tests/unit/%.c,$(TESTS)))
TEST_RACES = $(filter unit/test_rec_% unit/test_timeouts%,$(TEST_UNIT))
TEST_FUZZ  = $(patsubst tests/%.c,%,$(filter tests/fuzz/%.c,$(TESTS)))
TEST_E2E   = $(filter %.bats,$(TESTS))
UNKNOWN    = $(filter-out tests/unit/%.c tests/fuzz/%.c %.bats,$(TESTS))
PLAIN      = $(TEST_UNIT:%=$(B)/%)
SANITISED  = $(patsubst %,build/sanitize/%,$(TEST_UNIT) $(TEST_FUZZ))
THREADED   = $(TEST_RACES:%=build/tsan/%)
TAP        = $(PLAIN) $(SANITISED) $(THREADED) $(TEST_E2E)

# Each in a flavour of its own.
SANITISED_MAKE = $(MAKE) FLAVOUR=sanitize SANITIZE='-fsanitize=address,undefined -fno-sanitize-recover=all' \
                 CFLAGS='-O1 -g -fno-omit-frame-pointer'
THREADED_MAKE  = $(MAKE) FLAVOUR=tsan SANITIZE='-fsanitize=thread' CFLAGS='-O1 -g -Wno-tsan'
