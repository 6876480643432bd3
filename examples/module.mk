# SPDX-License-Identifier: MIT
# Small SDL programs: the polling sweep's and the game of the README.

EXAMPLES      := poll_each poll_once poll_check game sweep
EXAMPLE_FLAGS  = $(shell pkg-config --cflags sdl2)
EXAMPLE_LIBS   = $(shell pkg-config --libs sdl2)
EXAMPLE_SRC   := $(sort $(wildcard examples/*.c))
EXAMPLE_OBJ   := $(EXAMPLE_SRC:%.c=$(B)/%.o)
EXAMPLE_BIN   := $(EXAMPLES:%=$(B)/examples/%)

##: examples     build/examples/: the programs of examples/
.PHONY: examples examples-programs
examples-programs: $(EXAMPLE_BIN)
examples: examples-programs
	@ln -sfn $(FLAVOUR)/examples build/examples

$(B)/examples/%.o: examples/%.c $(STAMP)
	@mkdir -p $(@D)
	$(CC) $(BASE) $(CFLAGS) $(CPPFLAGS) $(EXAMPLE_FLAGS) -c -o $@ $<

$(B)/examples/poll_%: $(B)/examples/poll_%.o
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(EXAMPLE_LIBS)

$(B)/examples/game: $(patsubst %.c,$(B)/%.o,$(sort $(wildcard examples/game*.c)))
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(EXAMPLE_LIBS) -lm

$(B)/examples/sweep: $(B)/examples/sweep.o $(patsubst %.c,$(B)/%.o,$(wildcard cli/stats*.c)) $(B)/cli/errors.o
	$(CC) $(CFLAGS) $(SANITIZE) $(LDFLAGS) -o $@ $^ $(shell pkg-config --libs jansson) -lm

-include $(EXAMPLE_OBJ:.o=.d)

##: sweep        what polling costs: poll_each, poll_once and poll_check for N = 10 .. 100000
.PHONY: sweep
sweep: all examples
	$(B)/examples/sweep $(SWEEP_OPTIONS) $(LIB) $(CLI) $(B)/examples

include examples/timeouts/module.mk

##: pictures     draw the README's pictures anew, of the game above, in examples/pictures
.PHONY: pictures
pictures: deps-test
	+@$(MAKE) -s --no-print-directory -j$(JOBS) all examples
	@$(PYTHON) -B examples/draw_pictures.py $(B) examples/pictures
