# SPDX-License-Identifier: MIT
# allocreport: `make help` lists the targets.

VERSION := 0.1.0

# What a fresh machine needs, by Debian's package names. CI adds the second compiler and the checkers.
PACKAGES_BUILD := gcc g++ make pkg-config libunwind-dev libdw-dev libiberty-dev libjansson-dev libyaml-dev zlib1g-dev
# examples/timeouts builds their timers too where they are installed.
PACKAGES_YARDSTICKS := libuv1-dev libevent-dev
# What reads the exports in the tests.
PACKAGES_VIEWERS := golang-go python3-jsonschema cmark-gfm chromium gzip
PACKAGES_DEB   := $(PACKAGES_BUILD) debhelper dpkg-dev lintian
PACKAGES_TEST  := $(PACKAGES_BUILD) libsdl2-dev libcmocka-dev bats perl binutils chocolate-doom freedoom ffmpeg \
                  blobby libjemalloc2 man-db python3 python3-yaml locales strace xz-utils libdebuginfod1 \
                  gdb valgrind xvfb xdotool libx11-dev python3-pygame $(PACKAGES_YARDSTICKS) $(PACKAGES_VIEWERS) \
                  $(PACKAGES_DEB) git
PACKAGES_DEMO  := $(PACKAGES_BUILD) libsdl2-dev chocolate-doom freedoom
PACKAGES_CI    := $(PACKAGES_TEST) clang clang-format libclang-rt-dev shellcheck

CC       ?= cc
CXX      ?= c++
PYTHON   ?= python3
INSTALL  ?= install
CFLAGS   ?= -O2 -g
CXXFLAGS ?= -O2 -g
WERROR   ?=
FLAVOUR  ?= release
SANITIZE ?=

prefix        ?= /usr/local
bindir        ?= $(prefix)/bin
libdir        ?= $(prefix)/lib
libdir32      ?= $(prefix)/lib32
includedir    ?= $(prefix)/include
pkgconfigdir  ?= $(libdir)/pkgconfig
mandir        ?= $(prefix)/share/man
completiondir ?= $(prefix)/share/bash-completion/completions

B := build/$(FLAVOUR)

WARNINGS := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wwrite-strings \
            -Wpointer-arith -Wformat=2 -Wundef $(if $(WERROR),-Werror)
BASE     := -std=gnu11 -I. -D_GNU_SOURCE -DALLOCREPORT_VERSION='"$(VERSION)"' $(WARNINGS) -MMD -MP

LIB_REGISTERS := -mgeneral-regs-only
LIB_FLAGS := -O3 -flto=auto -fPIC -fvisibility=hidden -ftls-model=initial-exec -fasynchronous-unwind-tables -fno-builtin-malloc \
             -fno-builtin-calloc -fno-builtin-realloc -fno-builtin-free -fno-builtin-aligned_alloc \
             -fno-builtin-posix_memalign -fno-builtin-memalign -fno-builtin-valloc -fno-builtin-pvalloc
LIB_LINK  := -O3 -flto=auto -shared -Wl,-soname,liballocreport.so -Wl,-z,defs -Wl,-z,now -Wl,--exclude-libs,ALL
LIB_LIBS  := -ldl

CLI_PKGS  := libdw libelf jansson yaml-0.1 zlib
CLI_LIBS   = $(shell pkg-config --libs $(CLI_PKGS)) -liberty -lm
CLI_FLAGS  = $(shell pkg-config --cflags $(CLI_PKGS))

LIB_SRC := $(sort $(wildcard preload/*.c))
CLI_SRC := $(sort $(wildcard cli/*.c))
LIB_OBJ := $(LIB_SRC:%.c=$(B)/%.o)
CLI_OBJ := $(CLI_SRC:%.c=$(B)/%.o)
LIB := $(B)/liballocreport.so
CLI := $(B)/allocreport
PC  := $(B)/allocreport.pc

.DELETE_ON_ERROR:
.PHONY: all
all: build/liballocreport.so build/allocreport

build/liballocreport.so: $(LIB)
	@ln -sfn $(FLAVOUR)/liballocreport.so $@
build/allocreport: $(CLI)
	@ln -sfn $(FLAVOUR)/allocreport $@

# The stamp changes when a flag does, and everything is built again.
STAMP := $(B)/flags
FLAG_TEXT := $(CC) $(CXX) $(CFLAGS) $(CXXFLAGS) $(WERROR) $(SANITIZE) $(VERSION) $(LIB_FLAGS) $(LIB_REGISTERS) $(prefix) $(libdir) $(libdir32) $(includedir)
ifeq ($(findstring n,$(firstword -$(MAKEFLAGS))),) # what is only shown changes nothing
$(shell mkdir -p $(B); echo '$(subst ','\'',$(FLAG_TEXT))' | cmp -s - $(STAMP) || echo '$(subst ','\'',$(FLAG_TEXT))' >$(STAMP))
endif

# The library is never sanitised; its core is, inside the unit tests.
$(LIB): $(LIB_OBJ) preload/exports.map
	$(CC) $(CFLAGS) $(LDFLAGS) $(LIB_LINK) -Wl,--version-script=preload/exports.map -o $@ $(LIB_OBJ) $(LIB_LIBS)

##: lib32        build/lib32/liballocreport.so, for 32-bit programs on x86-64; `make install` installs it, too
# Needs gcc -m32 (gcc-multilib) and libunwind-x86.h (libunwind-dev:i386, after dpkg --add-architecture
# i386; or CPPFLAGS=-I and where it is). The library needs libunwind8:i386 to walk stacks.
CC32   ?= gcc -m32
LIB_32 := build/lib32/liballocreport.so
.PHONY: lib32
lib32:
	@echo 'int main(void) { return 0; }' | $(CC32) -x c -o /dev/null - || \
	    { echo 'make lib32: "$(CC32)" makes no programs: gcc-multilib is needed' >&2; exit 1; }
	@echo '#include <libunwind-x86.h>' | $(CC32) $(CPPFLAGS) -E -x c -o /dev/null - || \
	    { echo 'make lib32: libunwind-dev:i386 is needed (dpkg --add-architecture i386)' >&2; exit 1; }
	+@$(MAKE) -s --no-print-directory FLAVOUR=lib32 CC='$(CC32)' $(LIB_32)

# Its assembler names functions of the same file.
$(B)/preload/hook_dlsym.o $(B)/preload/atomic32.o: LIB_FLAGS += -fno-lto

$(B)/preload/%.o: preload/%.c $(STAMP)
	@mkdir -p $(@D)
	$(CC) $(BASE) $(CFLAGS) $(CPPFLAGS) $(LIB_FLAGS) $(LIB_REGISTERS) -c -o $@ $<

$(B)/preload/hook_glfw.o: LIB_REGISTERS = # it passes on a double

$(CLI): $(CLI_OBJ)
	$(CC) $(CFLAGS) $(SANITIZE) $(LDFLAGS) -o $@ $^ $(CLI_LIBS)

$(B)/cli/%.o: cli/%.c $(STAMP)
	@mkdir -p $(@D)
	$(CC) $(BASE) $(CFLAGS) $(SANITIZE) $(CPPFLAGS) $(CLI_FLAGS) -DALLOCREPORT_LIBDIR='"$(libdir)"' -DALLOCREPORT_LIBDIR32='"$(libdir32)"' -c -o $@ $<

# It holds the polls to paste.
$(B)/cli/fallback_texts.o: preload/allocreport_poll.h $(wildcard cli/fallback/*)

# It holds the HTML page's files; the scripts in the order in which they are needed.
HTML_SCRIPTS := $(patsubst %,cli/html/%.js,format page model summary chart timeline histogram worst flame \
                sites lifetimes compare facts main)
$(B)/cli/html/script.js: $(HTML_SCRIPTS)
	@mkdir -p $(@D)
	cat $^ >$@
$(B)/cli/html_files.o: $(B)/cli/html/script.js cli/html/page.html cli/html/style.css
$(B)/cli/html_files.o: BASE += -DHTML_SCRIPT='"$(B)/cli/html/script.js"'

$(PC): preload/allocreport.pc.in $(STAMP)
	sed -e 's|@prefix@|$(prefix)|' -e 's|@includedir@|$(includedir)|' -e 's|@libdir@|$(libdir)|' -e 's|@version@|$(VERSION)|' $< >$@

-include $(LIB_OBJ:.o=.d) $(CLI_OBJ:.o=.d)

include examples/module.mk
include tests/module.mk
include tests/bench/module.mk

##: help         what can be made
.PHONY: help
help:
	@echo 'make             build/liballocreport.so and build/allocreport'
	@sed -n 's/^##: \([a-z0-9-]*\)/make \1/p' $(MAKEFILE_LIST)

##: clean        remove build/
.PHONY: clean
clean:
	rm -rf build

# --- set-up: installs what is missing, and only then asks for root ------------------------------

JOBS ?= $(shell nproc)

##: deps-build   install what building needs
##: deps-test    install what `make check` needs
##: deps-demo    install what `make demo` needs
##: deps-ci      install what .ci/run needs
.PHONY: deps-build deps-test deps-demo deps-ci
deps-build:
	@.ci/packages $(PACKAGES_BUILD)
deps-test:
	@.ci/packages $(PACKAGES_TEST)
deps-demo:
	@.ci/packages $(PACKAGES_DEMO)
deps-ci:
	@.ci/packages $(PACKAGES_CI)

##: demo         record a real game for ten seconds and report
.PHONY: demo
demo: deps-demo
	+@$(MAKE) -s --no-print-directory -j$(JOBS) all
	@examples/demo

##: check        build and run all tests; TESTS="tests/unit/test_x.c tests/e2e/y.bats" runs some
.PHONY: check check-programs
check: deps-test
	+@$(MAKE) -s --no-print-directory -j$(JOBS) check-programs
	@ALLOCREPORT_BUILD=$(abspath $(B)) prove -f -o -j$(JOBS) -e tests/run $(TAP)

##: survive      the tests of what programs do to the recorder; FULL=1 in their full sizes
.PHONY: survive
survive: deps-test
	+@$(MAKE) -s --no-print-directory -j$(JOBS) all test-programs
	@ALLOCREPORT_BUILD=$(abspath $(B)) ALLOCREPORT_FULL=$(FULL) prove -f -o -e tests/run $(SURVIVE)

check-programs: all examples test-programs $(PLAIN)
	$(if $(UNKNOWN),@echo 'no such kind of test: $(UNKNOWN)'; exit 1)
	+$(if $(SANITISED),@$(SANITISED_MAKE) -s --no-print-directory $(SANITISED))
	+$(if $(THREADED),@$(THREADED_MAKE) -s --no-print-directory $(THREADED))

# --- install: mode, file and place of each, separated by colons; uninstall reads the same list ---

INSTALLED = 755:$(CLI):$(bindir)/allocreport \
            644:$(LIB):$(libdir)/liballocreport.so \
            644:preload/allocreport.h:$(includedir)/allocreport.h \
            644:preload/allocreport_poll.h:$(includedir)/allocreport_poll.h \
            644:$(PC):$(pkgconfigdir)/allocreport.pc \
            $(foreach page,$(sort $(wildcard cli/man/*.[157])),644:$(page):$(mandir)/man$(subst .,,$(suffix $(page)))/$(notdir $(page))) \
            644:cli/completion/allocreport.bash:$(completiondir)/allocreport
INSTALLED_32 = 644:$(LIB_32):$(libdir32)/liballocreport.so

##: install      into $(DESTDIR)$(prefix)
.PHONY: install
install: all $(PC)
	@set -e; for entry in $(INSTALLED) $(if $(wildcard $(LIB_32)),$(INSTALLED_32)); do \
	    to=$${entry##*:}; from=$${entry#*:}; from=$${from%:*}; \
	    echo "install $(DESTDIR)$$to"; \
	    $(INSTALL) -D -m "$${entry%%:*}" "$$from" "$(DESTDIR)$$to"; \
	done

##: uninstall    remove what install installed
.PHONY: uninstall
uninstall:
	@set -e; for entry in $(INSTALLED) $(INSTALLED_32); do \
	    to=$${entry##*:}; \
	    echo "remove $(DESTDIR)$$to"; \
	    rm -f "$(DESTDIR)$$to"; \
	    $(if $(DESTDIR),(cd "$(DESTDIR)" 2>/dev/null && rmdir -p --ignore-fail-on-non-empty ".$${to%/*}") 2>/dev/null || :;) \
	done

# --- packages: a source archive of the last commit, and Debian's of the tree as it is ------------

DIST := allocreport-$(VERSION)
DEB  := build/deb/$(DIST)
NO_ADDRESS := bogus-mail-host,bogus-mail-host-in-debian-changelog # the project has none

##: dist         build/allocreport-VERSION.tar.gz of the last commit
##: deb          a Debian package in build/deb/, looked at by lintian
.PHONY: dist deb
dist:
	@mkdir -p build
	git archive --format=tar.gz --prefix=$(DIST)/ -o build/$(DIST).tar.gz HEAD
deb:
	@.ci/packages $(PACKAGES_DEB)
	@rm -rf build/deb
	@mkdir -p $(DEB)
	@tar -cf - --exclude=./build --exclude=./.git . | tar -xf - -C $(DEB)
	@mv $(DEB)/.debian $(DEB)/debian
	@mkdir $(DEB)/debian/source
	@echo '3.0 (native)' >$(DEB)/debian/source/format
	cd $(DEB) && env -u MAKEFLAGS -u MAKELEVEL -u CFLAGS -u CXXFLAGS -u LDFLAGS dpkg-buildpackage -us -uc
	cd build/deb && lintian --fail-on error,warning --profile debian --suppress-tags $(NO_ADDRESS) *.changes

# --- format ---------------------------------------------------------------------------------------

FORMATTED = $(sort $(shell find preload cli examples tests -name '*.[ch]' -o -name '*.cpp'))

##: format       rewrite the sources as .clang-format says
##: format-check fail if that would change any
.PHONY: format format-check
format:
	clang-format -i $(FORMATTED)
format-check:
	clang-format --dry-run -Werror $(FORMATTED)
