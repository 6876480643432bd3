/* SPDX-License-Identifier: MIT */
#include "preload/process.h"

#include "preload/blind.h"
#include "preload/census.h"
#include "preload/clock.h"
#include "preload/config.h"
#include "preload/early.h"
#include "preload/heapwatch.h"
#include "preload/info.h"
#include "preload/live.h"
#include "preload/lock.h"
#include "preload/log.h"
#include "preload/mapfile.h"
#include "preload/memory.h"
#include "preload/modules.h"
#include "preload/outfile.h"
#include "preload/patch.h"
#include "preload/polls.h"
#include "preload/real.h"
#include "preload/record.h"
#include "preload/rules.h"
#include "preload/sdl_info.h"
#include "preload/sdl_table.h"
#include "preload/sites.h"
#include "preload/sys.h"
#include "preload/unwind.h"

#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

extern void
    *__libc_stack_end; /* the loader's: where the kernel put argc, argv and the environment */

/* A pointer that the loader fills in; while it is NULL, this library is not relocated. */
static void *volatile relocated = (void *)&relocated;
static bool recording;
static bool unwinding;
static bool ended;

/* Before libc's own start (.preinit_array), `environ` is not set and the stack has it. */
static char *const *initial_environment(void)
{
    long argc;

    if (environ != NULL)
        return environ;
    argc = *(long *)__libc_stack_end;
    return argc > 0 && argc < 1000000 ? (char *const *)__libc_stack_end + argc + 2 : NULL;
}

static void program_name(char *name, size_t size)
{
    struct ar_text text = ar_text_in(name, size);
    const char *base = strrchr(ar_modules_program(), '/');

    ar_text_add(&text, base != NULL && base[1] != '\0' ? base + 1 : "program");
}

static void make_dump(void)
{
    char name[256];
    struct ar_held held;
    bool made;

    program_name(name, sizeof name);
    ar_info_describe_process();
    held = ar_lock();
    made = ar_mapfile_make(ar_config.out, name);
    ar_unlock(held);
    if (!made)
        return;
    if (ar_mapfile_is_elsewhere())
        ar_info_describe_place(ar_mapfile_path());
    made = ar_threads_enter_file();
    ar_mapfile_made();
    if (!made)
        return;
    ar_blind_dump_made();
    if (ar_config.verbose)
        ar_log("recording to", ar_mapfile_path());
}

static bool start_tables(void)
{
    return ar_mapfile_start() && ar_live_start() && ar_sites_start();
}

/* Everything of the parent's is let go, nothing of it is written to. */
static bool start_in_child(void)
{
    uint32_t parent = ar_header()->pid;

    ar_lock_reset();
    ar_unwind_reset();
    ar_mapfile_abandon();
    ar_threads_reset();
    ar_modules_reset();
    ar_polls_reset();
    ar_info_reset();
    ar_sdl_info_reset();
    ar_sdl_table_reset();
    ar_early_reset();
    ar_live_reset();
    ended = false;
    if (!ar_config.follow_fork || !ar_mapfile_start() || !ar_sites_start()) {
        ar_state = NULL;
        return false;
    }
    ar_header()->forked_from = parent;
    ar_state_reset();
    if (ar_config.always)
        make_dump();
    return true;
}

/* Where address space is scarce, it is the program's. */
static void give_up(void)
{
    ar_log("nothing is recorded", "no memory");
    ar_mapfile_abandon();
    ar_live_stop();
}

/* The first step: all that needs no dlopen. */
static void start_recording(void)
{
    ar_log_start();
    if (!ar_real_preloaded())
        return; /* SDL has loaded it; sdl_table.c says so when it is asked to fill a table */
    if (!ar_real_start()) {
        ar_log("nothing is recorded", "no allocator was found behind this library");
        return;
    }
    if (getauxval(AT_SECURE) != 0)
        return; /* its user is not who runs it: no file of theirs, and nothing of its memory in one
                 */
    ar_config_start(initial_environment());
    ar_outfile_start();
    ar_modules_start();
    ar_heapwatch_start();
    ar_thread_on_fork = start_in_child;
    ar_record_on_first_poll = make_dump;
    if (!ar_rules_start() || !start_tables() || !ar_state_start())
        give_up();
}

/* The second step: dlopen would start libc, if that is still to come, without its environment. */
static void start_unwinding(void)
{
    if (ar_state == NULL)
        return;
    ar_clock_start();
    if (!ar_unwind_start())
        ar_log("call sites only, no stacks", ar_unwind_description());
    /* Registered early, these run innermost: no handler of the program's runs between them. */
    pthread_atfork(ar_unwind_before_fork, ar_unwind_after_fork, ar_unwind_after_fork);
    ar_patch_start();
    if (ar_config.always)
        make_dump();
}

/* Not before libc has been started (its `environ` tells), nor, outside of the constructor, where a
 * sanitizer's runtime intercepts dlopen and others before it can serve them. */
static bool may_load(bool constructed)
{
    return constructed || (environ != NULL && !ar_unwind_sanitizer());
}

static void start(bool constructed)
{
    int saved = errno;

    ar_self.foreign = true;
    if (!recording && (constructed || !ar_unwind_sanitizer())) {
        recording = true;
        start_recording();
    }
    if (recording && !unwinding && may_load(constructed)) {
        unwinding = true;
        start_unwinding();
    }
    ar_self.foreign = false;
    errno = saved;
}

bool ar_process_ready(void)
{
    if (ar_real.malloc != NULL)
        return true;
    if (relocated == NULL || _r_debug.r_state != RT_CONSISTENT || ar_self.foreign)
        return false;
    start(false);
    return ar_real.malloc != NULL;
}

__attribute__((constructor(101))) static void constructor(void)
{
    start(true);
    if (recording && ar_real.malloc != NULL) {
        ar_blind_start();
        ar_sdl_table_start();
        ar_census_tell();
    }
}

__attribute__((destructor)) static void destructor(void)
{
    ar_process_end(DUMP_ENDED);
}

/* The path as a person would type it. */
static const char *shown_path(void)
{
    const char *path = ar_mapfile_path();
    char directory[4096];
    long length = ar_syscall(SYS_getcwd, (long)directory, sizeof directory, 0, 0, 0, 0);

    if (length > 1 && strncmp(path, directory, (size_t)length - 1) == 0 && path[length - 1] == '/')
        return path + length;
    return path;
}

/* Nothing was recorded of a program that uses SDL. */
static void say_why(void)
{
    const char *word = ar_blind_word();
    char name[256];
    char buffer[128];
    struct ar_text text = ar_text_in(buffer, sizeof buffer);

    if (word == NULL)
        return;
    program_name(name, sizeof name);
    ar_text_add(&text, "no poll was seen, nothing is recorded (");
    ar_text_add(&text, word);
    ar_text_add(&text, "); see allocreport-blind(7)");
    ar_log(name, buffer);
}

static void write_last_line(void)
{
    char buffer[AR_LOG_LINE_MOST];
    struct ar_text text = ar_text_in(buffer, sizeof buffer);
    uint64_t polls;
    uint64_t bytes;

    ar_polls_summary(&polls, &bytes);
    if (polls == 0) {
        ar_text_add(&text, "no poll was seen");
    } else {
        uint64_t tenths = bytes / polls * 10 + bytes % polls * 10 / polls;

        ar_text_add_grouped(&text, polls);
        ar_text_add(&text, polls == 1 ? " poll, " : " polls, ");
        ar_text_add_grouped(&text, tenths / 10);
        ar_text_add(&text, ".");
        ar_text_add_number(&text, tenths % 10);
        ar_text_add(&text, " bytes per poll");
    }
    ar_text_add(&text, "; next: allocreport report ");
    ar_text_add(&text, shown_path());
    ar_log(shown_path(), buffer);
}

/* Brings the dump to where it is to stay, while no other thread records. */
static void settle(const struct ar_thread *self, enum dump_state state)
{
    struct ar_settling settling = ar_mapfile_begin_settle();
    struct ar_held held = ar_lock();

    if (settling.pages != NULL) {
        ar_state_pause();
        ar_threads_quiet(self);
    }
    ar_header()->last_ns = ar_clock_ns() - ar_header()->start_monotonic_ns;
    ar_header()->recorder_bytes = ar_pages_resident();
    __atomic_store_n(&ar_header()->state, state, __ATOMIC_RELEASE);
    ar_mapfile_end_settle(&settling);
    if (settling.pages != NULL)
        ar_state_resume();
    ar_unlock(held);
}

void ar_process_freeze(void)
{
    struct ar_held held;

    if (ar_sys_is_frozen())
        return;
    held = ar_lock();
    if (ar_state != NULL && ar_mapfile_exists())
        ar_mapfile_reserve();
    __atomic_store_n(&ar_sys_frozen, true, __ATOMIC_RELAXED);
    ar_unlock(held);
}

/* Is there a dump of this process that goes on? A vfork's child has another number. */
static bool is_recorded(void)
{
    return ar_state != NULL && __atomic_load_n(&ar_state->generation, __ATOMIC_RELAXED) != 0 &&
           !ended && (ar_sys_is_frozen() || ar_sys_getpid() == ar_header()->pid);
}

bool ar_process_exec_begins(void)
{
    struct ar_thread *thread;

    if (!is_recorded())
        return false;
    thread = ar_thread_enter((uintptr_t)__builtin_frame_address(0));
    if (thread != NULL) {
        ar_thread_publish_live(thread);
        ar_polls_ended(thread);
        ar_thread_leave(thread);
    } else {
        ar_record_lose_pending();
    }
    ar_threads_sync();
    ar_header()->last_ns = ar_clock_ns() - ar_header()->start_monotonic_ns;
    __atomic_store_n(&ar_header()->state, DUMP_EXECED, __ATOMIC_RELEASE);
    return true;
}

void ar_process_exec_failed(void)
{
    __atomic_store_n(&ar_header()->state, DUMP_RUNNING, __ATOMIC_RELEASE);
}

void ar_process_end(enum dump_state state)
{
    struct ar_thread *thread;

    if (!is_recorded())
        return;
    ended = true;
    thread = ar_thread_enter((uintptr_t)__builtin_frame_address(0));
    if (thread != NULL) {
        ar_thread_publish_live(thread);
        ar_polls_ended(thread);
    } else {
        ar_record_lose_pending();
    }
    if (ar_mapfile_exists())
        ar_threads_sync();
    ar_blind_ended(state == DUMP_ENDED);
    if (ar_mapfile_exists())
        settle(thread, state);
    else
        ar_header()->state = state;
    ar_census_tell();
    if (ar_config.quiet)
        ;
    else if (ar_mapfile_exists())
        write_last_line();
    else
        say_why();
    if (thread != NULL)
        ar_thread_leave(thread);
}
