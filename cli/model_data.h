/* SPDX-License-Identifier: MIT */
/*
 * model_data.h: the structs of the model: what a dump says, added up. model.h makes them and asks
 * them; include that one.
 *
 * Units: bytes are requested bytes; times are nanoseconds, since the start of the recording where
 * an instant is meant; windows are numbered as in the dump (0 = startup).
 *
 * Ownership: everything reachable from a struct model belongs to it and lives until model_close.
 * Text is NUL-terminated, never NULL unless said, and raw: control characters in it are for the
 * output to escape.
 */
#ifndef CLI_MODEL_DATA_H
#define CLI_MODEL_DATA_H

#include "cli/cadence.h"
#include "cli/model_patch.h"
#include "cli/model_waits.h"
#include "cli/stats.h"
#include "cli/symbols.h"
#include "preload/dump_format.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum model_phase {
    MODEL_STARTUP = 0,
    MODEL_WARMUP = 1,
    MODEL_STEADY = 2,
    MODEL_SHUTDOWN = 3,
    MODEL_PHASES = 4
};

/* The steady phase, cut in three where the recorder had boundaries: one of the two cuts leaves at
 * least a quarter of the polls on either side (FORMAT.md, "Phases"). Parts may be empty. */
#define MODEL_PARTS 3u

enum model_place {
    MODEL_IN_POLL = 0, /* on a thread that polls, inside a poll */
    MODEL_BETWEEN = 1, /* on a thread that polls, outside its polls */
    MODEL_OTHER = 2,   /* on threads that never poll */
    MODEL_PLACES = 3
};

struct model_amount {
    uint64_t allocations; /* that succeeded, reallocations included */
    uint64_t bytes;
    uint64_t reallocations;
    uint64_t frees;
    uint64_t freed_bytes;
};

/* place[] leaves the startup out, so that startup + in poll + between + other = all. */
struct model_totals {
    struct model_amount all;
    struct model_amount phase[MODEL_PHASES];
    struct model_amount place[MODEL_PLACES];
    struct model_amount cell[MODEL_PHASES][MODEL_PLACES];
};

/* bytes per poll x polls per second = bytes per second, all three from the same three integers. */
struct model_rate {
    uint64_t bytes;       /* in the windows of these polls: in them and between them */
    uint64_t allocations; /* in the same windows */
    uint64_t polls;
    uint64_t ns; /* of loop time */
};

struct model_module {
    uint32_t id; /* as in the dump */
    uint64_t start;
    uint64_t end;
    uint64_t bias;
    uint64_t loaded_ns;
    uint64_t unloaded_ns; /* 0: still there at the end */
    bool executable;
    bool anonymous;
    bool vdso;
    const char *path;
    const char *name;     /* the path's last part; "[anonymous]" or "[vdso]" without path */
    const char *build_id; /* in hexadecimal; "" if it has none */
    uint8_t build_id_bytes[32];
    size_t build_id_length;
};

/* One distinct return address. */
struct model_frame {
    uint32_t module; /* index into modules[], or MODEL_NONE: offset is an absolute address */
    bool exact;
    uint64_t offset;
    const struct symbol *symbol; /* NULL until symbolised; see model_lines */
};
#define MODEL_NONE UINT32_MAX

/* A stack as recorded: `count` numbers of frames[], innermost first. */
struct model_stack {
    uint32_t id;    /* dump_stack.id */
    uint32_t flags; /* DUMP_STACK_* */
    uint32_t count;
    const uint32_t *frames; /* indexes into model.frames[] */
};

/* One line of a symbolised stack: inlined functions have lines of their own. */
struct model_line {
    const struct model_module *module; /* NULL: unknown */
    const struct model_frame *frame;
    uint64_t offset;
    const char *function; /* short form; NULL: not known */
    const char *full;     /* with parameters; NULL: not known */
    const char *file;     /* NULL: not known */
    uint32_t line;        /* 0: not known */
    bool inlined;         /* into the next line */
};

struct model_thread {
    uint32_t id;
    uint32_t tid;
    uint32_t threads; /* that have used this record, one after the other */
    bool polls;
    bool main;
    bool presents;
    bool primary; /* the first thread that polled */
    char name[17];
    uint64_t first_ns;
    uint64_t poll_count;
    uint64_t steady_polls;
    uint64_t part_polls[MODEL_PARTS]; /* of the clock that it goes by, its own if it polls */
    uint64_t drains;
    uint64_t frames;
    uint64_t peeps;
    uint64_t events_peeped;
    uint64_t heap_growths;
    uint64_t mapped_blocks;
    struct model_amount all;
    struct model_amount phase[MODEL_PHASES];
    struct model_amount place[MODEL_PLACES];              /* after startup */
    struct model_amount cell[MODEL_PHASES][MODEL_PLACES]; /* BETWEEN is outside; or all in OTHER */
};

/* Polls by kind: count = empty + events + those that do not say: SDL_PumpEvents, SDL_AppIterate,
 * GLFW's. */
struct model_polls {
    uint64_t count;
    uint64_t by_function[DUMP_POLL_KINDS]; /* model_poll_function names them */
    uint64_t null;                         /* SDL_PollEvent(NULL) */
    uint64_t empty;                        /* returned no event (null polls among them) */
    uint64_t events;                       /* returned an event (null polls among them) */
    uint64_t peeps;                        /* SDL_PeepEvents(SDL_GETEVENT): beside the polls */
    uint64_t events_peeped;
    uint64_t drains;
    uint64_t steady;     /* polls of the steady phase */
    uint64_t allocating; /* polls whose window (between and in poll) allocated */
    uint64_t allocating_in_poll;
    uint64_t poll_ns; /* time inside polls */
};

/* One poll site. */
struct model_loop {
    uint32_t id;                     /* what --loop takes */
    uint32_t thread;                 /* index into threads[], or MODEL_NONE */
    const struct model_stack *stack; /* NULL: lost */
    uint64_t polls;
    uint64_t by_function[DUMP_POLL_KINDS];
    uint64_t null;
    uint64_t empty;
    uint64_t events;
    uint64_t allocating_windows;
    uint64_t allocating_polls;
    uint64_t first_window;
    uint64_t last_window;
    uint64_t first_ns;
    uint64_t last_ns;
    uint64_t poll_ns;
    uint64_t between_ns;
    struct model_waits waits;
    struct model_amount in_poll;
    struct model_amount between;
    struct model_rate rate; /* its windows; time from its first poll to its last, as of all polls */
    /* By DUMP_SERIES_WINDOW_BYTES .. INTERVAL_NS; NULL: nothing was counted. */
    const struct stats_histogram *all[DUMP_SERIES_LOOP_COUNT];
    const struct stats_histogram *steady[DUMP_SERIES_LOOP_COUNT];
};

struct model_frames {
    uint64_t count;       /* presents, or drains where nothing presents */
    uint64_t steady;      /* of these, in the steady phase */
    const char *kind;     /* "present" or "drain" */
    const char *function; /* "SDL_RenderPresent", ...; the one called most; NULL for drains */
    uint64_t presents[DUMP_PRESENT_KINDS]; /* calls; model_present_function names them */
    uint64_t elsewhere;                    /* presents by threads that do not poll */
};

struct model_bucket {
    uint64_t begin_ns;
    uint64_t end_ns;
    uint64_t polls;
    uint64_t drains;
    uint64_t frames;
    uint64_t in_poll_allocations;
    uint64_t in_poll_bytes;
    uint64_t between_allocations;
    uint64_t between_bytes;
    uint64_t poll_ns;
    uint64_t most_bytes;
    uint64_t most_window;
    uint64_t live_bytes;
};

struct model_worst_site {
    const struct model_site *site; /* NULL: lost */
    uint64_t allocations;
    uint64_t bytes;
};

struct model_worst {
    uint64_t window;
    uint64_t poll; /* counts from 1: the poll of its thread that ended the window */
    uint64_t end_ns;
    uint64_t poll_ns;
    uint64_t interval_ns;
    uint64_t allocations;
    uint64_t bytes;
    uint64_t in_poll_allocations;
    uint64_t in_poll_bytes;
    const struct model_loop *loop; /* NULL: lost */
    bool steady;
    uint32_t all_sites; /* that allocated in it; at least so many */
    uint32_t site_count;
    struct model_worst_site sites[DUMP_WORST_SITES]; /* most bytes first */
};

/* What drains allocated in their polls, by the types of the events that they brought: a drain
 * counts at each type that it brought. `alone`: the drains that brought nothing else. */
struct model_event {
    enum dump_event_kind kind;
    uint32_t type; /* of DUMP_EVENT_TYPE, as SDL `sdl` (its major version) numbers it */
    uint32_t sdl;
    const char *name; /* "mouse motion", "user event 0x8001", "no event" ... */
    uint64_t events;  /* that were returned */
    uint64_t drains;
    uint64_t allocations;
    uint64_t bytes;
    uint64_t most_bytes; /* of one drain */
    uint64_t alone_drains;
    uint64_t alone_allocations;
    uint64_t alone_bytes;
};

/* What one thread did at one site: the smallest part that sites are added up from. */
struct model_counter {
    uint32_t site;   /* index into sites[], or MODEL_NONE */
    uint32_t thread; /* index into threads[], or MODEL_NONE */
    struct model_amount all;
    struct model_amount phase[MODEL_PHASES];
    struct model_amount part[MODEL_PARTS]; /* of phase[MODEL_STEADY] */
    uint64_t temporary_poll;
    uint64_t temporary_poll_bytes;
    uint64_t temporary_frame;
    uint64_t temporary_frame_bytes;
    uint64_t polls; /* after startup, in which it allocated */
    uint64_t polls_steady;
    uint64_t first_window;
    uint64_t last_window;
    uint64_t gap_least;
    uint64_t gap_most;
    uint64_t gaps_growing;
    uint64_t most_bytes; /* in one window after startup */
    uint64_t most_window;
    uint64_t steady_window; /* the begin of the steady phase by the thread's clock */
};

/* A call stack that allocates; in poll and outside are two sites. */
struct model_site {
    uint32_t id;
    const struct model_stack *stack; /* never NULL; an unknown site has an empty one */
    bool in_poll;
    uint32_t counter;  /* its first place in counters[] */
    uint32_t counters; /* how many it has there: one for each thread */
    uint32_t thread;   /* index of the thread that allocated most here, or MODEL_NONE */
    struct model_amount all;
    struct model_amount phase[MODEL_PHASES];
    struct model_amount part[MODEL_PARTS]; /* of phase[MODEL_STEADY] */
    int64_t live_bytes;                    /* all.bytes - all.freed_bytes */
    int64_t live_blocks;
    int64_t growth_bytes; /* of live bytes over the steady phase */
    int64_t growth_blocks;
    uint64_t temporary; /* blocks freed in the poll's window that made them */
    uint64_t temporary_bytes;
    uint64_t temporary_frame; /* in the frame that made them */
    uint64_t temporary_frame_bytes;
    uint64_t polls; /* after startup, in how many it allocated */
    uint64_t polls_steady;
    uint64_t first_window; /* after startup; 0: never */
    uint64_t last_window;
    uint64_t most_bytes; /* the largest single poll */
    uint64_t most_window;
    struct cadence cadence;
};

struct model_note {
    bool bad;         /* the numbers suffer; else it is good to know */
    const char *text; /* one line, lower case, no full stop */
};

struct model {
    /* the file */
    const char *path;
    uint64_t file_size;
    uint64_t used; /* bytes of valid header and chunks that were read */
    uint64_t reserved;
    uint32_t version;
    uint32_t reader_minimum;
    bool damaged;        /* a valid prefix was used */
    uint64_t damaged_at; /* offset where reading stopped, if damaged */

    /* what ran */
    const char *program_path; /* "" if not known; so are the next ones */
    const char *program_name;
    size_t argument_count;
    const char *const *arguments; /* argv[0] first */
    const char *directory;
    const char *sdl_version;
    const char *sdl_path;
    const char *video_driver;
    const char *audio_driver;
    const char *subsystems;
    const char *libc;
    const char *allocator;
    const char *unwinder;
    const char *recorder_version;
    uint32_t pid;
    uint32_t parent_pid;
    uint32_t forked_from; /* 0: none */
    uint32_t machine;     /* ELF e_machine */
    uint32_t page_size;
    uint32_t state;             /* enum dump_state */
    bool running;               /* the state says running and the process is there */
    bool killed;                /* the state says running and the process is gone */
    uint64_t start_realtime_ns; /* since 1970 */
    uint64_t first_poll_ns;     /* 0: never polled */
    uint64_t last_poll_ns;      /* end of the primary thread's last poll */
    uint64_t last_ns;           /* end of what was recorded */
    uint32_t stack_depth;
    uint32_t sample; /* one stack of so many; 1: all */

    /* sums */
    struct model_totals totals;
    uint64_t live_peak_bytes;
    uint64_t live_bytes;  /* totals.all.bytes - freed_bytes, at least 0 */
    uint64_t live_blocks; /* allocations - frees, at least 0 */
    uint64_t recorder_bytes;
    struct model_polls polls;
    struct model_rate rate;   /* all polls; ns from the first poll's begin to the last one's end */
    struct model_rate steady; /* steady polls; ns is the sum of their intervals */
    struct model_frames frame_info;
    uint64_t heap_growths;  /* windows in which the program break rose */
    uint64_t mapped_blocks; /* blocks that malloc served by a mapping of their own */
    uint64_t minor_faults;  /* of the process since the first poll, as last sampled */
    uint64_t major_faults;
    uint64_t faults_ns; /* when they were sampled; 0: never */

    /* By enum dump_series, of all loops together; frames and drains of the primary thread. Never
     * NULL; empty ones have count 0. */
    const struct stats_histogram *all_polls[DUMP_SERIES_COUNT];
    const struct stats_histogram *steady_polls[DUMP_SERIES_COUNT];

    /* what is not seen, and why: numbers of blind.h, which has the words */
    unsigned blind;          /* no poll, or polls and not one allocation; 0: neither */
    size_t incomplete_count; /* where both were seen: what hides a part of the allocations */
    const unsigned *incomplete;
    uint32_t facts;     /* DUMP_FACT_* */
    uint32_t runtimes;  /* DUMP_RUNTIME_* */
    const char *bypass; /* path of an object that reaches another malloc, or "" */

    uint64_t loss[DUMP_LOSS_COUNT];
    bool lossy; /* any loss that makes sums differ or names poorer */
    size_t note_count;
    const struct model_note *notes;

    size_t module_count;
    struct model_module *modules;
    size_t frame_count;
    struct model_frame *frames;
    size_t stack_count;
    struct model_stack *stacks; /* sites' and loops' */
    size_t thread_count;
    struct model_thread *threads;
    uint32_t primary; /* index into threads[], or MODEL_NONE */
    size_t loop_count;
    struct model_loop *loops; /* most polls first */
    size_t counter_count;
    struct model_counter *counters; /* by site, then by thread */
    size_t site_count;
    struct model_site *sites; /* most bytes first */
    size_t bucket_count;
    struct model_bucket *buckets; /* the primary thread's time line, in order of time */
    uint64_t bucket_ns;           /* width of one */
    size_t worst_count;
    struct model_worst *worst; /* of all polls, most bytes first */
    size_t worst_steady_count;
    struct model_worst *worst_steady;
    bool knows_events; /* the recorder was new enough, and something polled */
    size_t event_count;
    struct model_event *events; /* types, most bytes first; then DUMP_EVENT_SEVERAL and NONE */

    struct model_waits waits; /* of all loops */
    struct model_patch patch; /* modes 0: nothing was patched */

    struct symbols *symbols;
    struct model_private *private;
};

#endif
