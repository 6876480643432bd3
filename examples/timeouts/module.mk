# SPDX-License-Identifier: MIT
# The timeouts: one program of all implementations. libuv's and libevent's are built where those are
# installed.

TIMEOUTS_YARDSTICKS := $(shell for p in libuv libevent_pthreads; do pkg-config --exists $$p && echo $$p; done)
TIMEOUTS_OTHERS      = examples/timeouts/way_libuv.c examples/timeouts/way_libevent.c
TIMEOUTS_BUILT       = $(foreach p,$(TIMEOUTS_YARDSTICKS),examples/timeouts/way_$(p:%_pthreads=%).c)
TIMEOUTS_CLOCK       = examples/timeouts/jumping_clock.c
TIMEOUTS_SRC        := $(filter-out $(TIMEOUTS_OTHERS) $(TIMEOUTS_CLOCK),$(sort $(wildcard examples/timeouts/*.c))) $(TIMEOUTS_BUILT)
TIMEOUTS_OBJ        := $(TIMEOUTS_SRC:%.c=$(B)/%.o)
TIMEOUTS_CORE_OBJ   := $(filter-out %/timeouts.o,$(TIMEOUTS_OBJ))
TIMEOUTS_PKGS        = sdl2 $(TIMEOUTS_YARDSTICKS)
TIMEOUTS_LIBS        = -pthread $(shell pkg-config --libs $(TIMEOUTS_PKGS))
TIMEOUTS             = $(B)/examples/timeouts/timeouts $(B)/examples/timeouts/jumping_clock.so

examples-programs: $(TIMEOUTS)

$(B)/examples/timeouts/%.o: examples/timeouts/%.c $(STAMP)
	@mkdir -p $(@D)
	$(CC) $(BASE) $(CFLAGS) $(SANITIZE) $(CPPFLAGS) -pthread $(shell pkg-config --cflags $(TIMEOUTS_PKGS)) -c -o $@ $<

$(B)/examples/timeouts/timeouts: $(TIMEOUTS_OBJ)
	$(CC) $(CFLAGS) $(SANITIZE) $(LDFLAGS) -o $@ $^ $(TIMEOUTS_LIBS)

$(B)/examples/timeouts/%.so: examples/timeouts/%.c $(STAMP)
	@mkdir -p $(@D)
	$(CC) $(BASE) $(CFLAGS) -fPIC -shared -MF $(@:.so=.so.d) -o $@ $<

-include $(TIMEOUTS_OBJ:.o=.d) $(TIMEOUTS_CLOCK:%.c=$(B)/%.d) $(TIMEOUTS_CLOCK:%.c=$(B)/%.so.d)
##: bench-timeouts what timeouts cost, by nine implementations; QUICK=1 takes a minute
.PHONY: bench-timeouts
bench-timeouts: all examples
	@$(PYTHON) -B examples/timeouts/bench.py $(if $(QUICK),--quick) $(BENCH_OPTIONS) $(abspath $(B))
