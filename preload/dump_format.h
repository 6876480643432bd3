/* SPDX-License-Identifier: MIT */
/*
 * dump_format.h: the layout of a dump, shared by the recorder, which writes it, and the reporter,
 * which reads it. FORMAT.md beside this file says the same in prose. No functions stand here.
 *
 * A dump is one header of DUMP_HEADER_SIZE bytes, then chunks, back to back, up to header.used.
 * Each chunk opens with struct dump_chunk and says its type, its size and the size of one record,
 * so that a reader skips types it does not know and trailing fields that are newer than itself.
 *
 * All integers are little-endian, of fixed width and naturally aligned; text is bytes without
 * terminating NUL unless said. Times are nanoseconds of CLOCK_MONOTONIC since
 * header.start_monotonic_ns. Bytes are requested bytes.
 *
 * The file is a shared mapping of a running program: it may be read at any instant, also after that
 * program was killed. Counters only grow, and a record is complete before the count that covers it
 * is raised.
 *
 * Windows. The polls of a thread cut its time into windows. Window 0 is startup: all before the
 * first poll of the process begins. The n-th poll of a thread ends window first_window + n - 1; the
 * window that is open after the last poll holds shutdown. A thread that never polls counts in the
 * windows of the first thread that polled.
 */
#ifndef DUMP_FORMAT_H
#define DUMP_FORMAT_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#define DUMP_MAGIC                                                                                 \
    "\x89"                                                                                         \
    "ALLOC\r\n" /* 8 bytes; like PNG's, it shows text-mode damage */
#define DUMP_VERSION        2u
#define DUMP_READER_MINIMUM 1u /* a reader that knows this version can use the dump */
#define DUMP_BYTE_ORDER     0x01020304u
#define DUMP_HEADER_SIZE    4096u
#define DUMP_CHUNK_MAGIC    0x4b4e4843u /* "CHNK" */
#define DUMP_ALIGN          64u         /* chunks start at multiples of this: one cache line */

/* header.state */
enum dump_state {
    DUMP_RUNNING = 1, /* still running, or killed: the reader tells by the process */
    DUMP_ENDED = 2,   /* the program ended by exit or return from main */
    DUMP_EXITED = 3,  /* the program ended by _exit or quick_exit */
    DUMP_EXECED = 4   /* the program replaced itself by another */
};

/* header.loss[]: what was not booked as it should be. Everything else is exact. */
enum dump_loss {
    DUMP_LOSS_STACKS = 0, /* allocations booked to their call site: the table of stacks was full */
    DUMP_LOSS_COUNTERS = 1, /* allocations in the thread's totals but in no site's: no room */
    DUMP_LOSS_LIVE = 2,     /* blocks whose release cannot be matched: no room, or alignment < 8 */
    DUMP_LOSS_NESTED = 3,   /* by signal handlers while the recorder was at work: too many */
    DUMP_LOSS_LOOPS = 4,    /* polls booked to the thread but to no loop: too many loops */
    DUMP_LOSS_THREADS = 5,  /* allocations of threads for which there was no room */
    DUMP_LOSS_NO_SPACE = 6, /* times the file could not grow */
    DUMP_LOSS_UNWIND = 7,   /* stacks that end early since the unwinder failed */
    DUMP_LOSS_UNKNOWN = 8,  /* releases of blocks that the recorder never saw allocated */
    DUMP_LOSS_VERIFY = 9,   /* stacks that the self-check found wrong */
    DUMP_LOSS_COUNT = 16
};

/*
 * header.blind: why the program's loop, or what it allocates, was not seen, and the words by which
 * outputs name it. Those of the first kind hold while no poll was seen, those of the second when
 * polls were seen and not one allocation. They are told when a program ends (and, where it is
 * killed, not at all): a reader takes them only as far as the counts agree.
 */
#define DUMP_BLIND_WORDS(WORD)                                                                     \
    WORD(NO_SDL, 1, "no-sdl")         /* no SDL is in the process */                               \
    WORD(SDL_1, 2, "sdl-1.2")         /* SDL 1.2 alone, and no poll by the names it has */         \
    WORD(SDL_UNUSED, 3, "sdl-unused") /* an SDL is there, not one function of it was called */     \
    WORD(SDL_EARLY, 4, "sdl-early")   /* set up before the recorder, or made without a table */    \
    WORD(SDL_VARIABLE, 5, "sdl-variable")  /* SDL_DYNAMIC_API was changed by the program */        \
    WORD(SDL_REFILLED, 6, "sdl-refilled")  /* its table was filled again by somebody else */       \
    WORD(SDL_NO_VIDEO, 7, "sdl-no-video")  /* set up, but not for video: audio or joysticks */     \
    WORD(NOT_POLLED, 8, "not-polled")      /* set up, and no poll yet */                           \
    WORD(PEEPS_ALONE, 9, "peeps-alone")    /* events are fetched, but never pumped */              \
    WORD(OWN_MALLOC, 32, "own-malloc")     /* the program exports a malloc */                      \
    WORD(MALLOC_FIRST, 33, "malloc-first") /* so does an object that stands before the recorder */ \
    WORD(DEEPBIND, 34, "deepbind")         /* objects are bound to another malloc */               \
    WORD(HIDDEN_MALLOC, 35, "hidden-malloc") /* it has one that it does not export */              \
    WORD(MALLOC_UNSEEN, 36, "malloc-unseen") /* for a reason that is not known */

enum dump_blind {
    DUMP_BLIND_NO = 0, /* not told, or not so */
#define DUMP_BLIND_NUMBER(name, number, word) DUMP_BLIND_##name = number,
    DUMP_BLIND_WORDS(DUMP_BLIND_NUMBER)
#undef DUMP_BLIND_NUMBER
};
#define DUMP_BLIND_ALLOCATIONS 32u /* from here on: polls were seen, allocations were not */

/* header.facts */
#define DUMP_FACT_SDL1          0x1u    /* a libSDL-1.2 is mapped */
#define DUMP_FACT_SDL2          0x2u    /* a libSDL2 is */
#define DUMP_FACT_SDL3          0x4u    /* a libSDL3 is */
#define DUMP_FACT_SDL_TEXT      0x8u    /* the program itself has SDL's text: it is linked in */
#define DUMP_FACT_ASKED         0x10u   /* an SDL asked for its table to be filled */
#define DUMP_FACT_TABLE         0x20u   /* a table of SDL is the recorder's */
#define DUMP_FACT_TABLE_WAITS   0x40u   /* one is found, and SDL has not filled it */
#define DUMP_FACT_REFILLED      0x80u   /* a slot of such a table is no longer the recorder's */
#define DUMP_FACT_VARIABLE      0x100u  /* SDL_DYNAMIC_API or SDL3_DYNAMIC_API was changed */
#define DUMP_FACT_UNFILLED      0x200u  /* a mapped SDL has not been used, as far as can be told */
#define DUMP_FACT_OWN_MALLOC    0x400u  /* the program exports malloc */
#define DUMP_FACT_MALLOC_FIRST  0x800u  /* an object before the recorder does */
#define DUMP_FACT_DEEPBIND      0x1000u /* an object is bound to another malloc */
#define DUMP_FACT_HIDDEN_MALLOC 0x2000u /* the program has a malloc that it does not export */
#define DUMP_FACT_SEARCHED      0x4000u /* the program's text was searched, as it is at its end */

/* header.runtimes: what manages memory of its own in the process, so that objects made in it are
 * not seen one by one. */
#define DUMP_RUNTIME_GHC        0x1u
#define DUMP_RUNTIME_LUAJIT     0x2u
#define DUMP_RUNTIME_MONO       0x4u
#define DUMP_RUNTIME_DOTNET     0x8u
#define DUMP_RUNTIME_CPYTHON    0x10u /* with its own pools: not under PYTHONMALLOC=malloc */
#define DUMP_RUNTIME_JAVA       0x20u
#define DUMP_RUNTIME_GO         0x40u
#define DUMP_RUNTIME_BOEHM      0x80u /* libgc */
#define DUMP_RUNTIME_JAVASCRIPT 0x100u
#define DUMP_RUNTIME_ALLOCATOR                                                                     \
    0x200u /* jemalloc, mimalloc or tcmalloc, linked into the program                              \
            */

struct dump_header {
    uint8_t magic[8];
    uint32_t version;        /* DUMP_VERSION of the writer */
    uint32_t reader_minimum; /* readers older than this must refuse */
    uint32_t byte_order;     /* DUMP_BYTE_ORDER */
    uint32_t header_size;    /* DUMP_HEADER_SIZE */
    uint32_t machine;        /* ELF e_machine of the program */
    uint32_t page_size;
    uint64_t used;     /* bytes of the file that hold header and chunks */
    uint64_t reserved; /* bytes of the file whose blocks are reserved */
    uint32_t pid;
    uint32_t parent_pid;
    uint32_t state;             /* enum dump_state */
    uint32_t forked_from;       /* pid of the process whose fork made this one, or 0 */
    uint64_t start_realtime_ns; /* CLOCK_REALTIME at start: nanoseconds since 1970 */
    uint64_t start_monotonic_ns;
    uint64_t first_poll_ns;     /* begin of the first poll; 0: none yet */
    uint64_t last_ns;           /* the last poll's end or the program's end, whichever is later */
    uint32_t stack_depth;       /* frames kept of each stack */
    uint32_t sample;            /* one stack of so many was taken; 1: all */
    uint64_t live_peak_bytes;   /* most bytes in use at one time; exact for one thread, else within
                                   DUMP_LIVE_SLACK for each further thread */
    uint64_t live_bytes;        /* in use, as last published by the threads */
    uint64_t primary_thread;    /* dump_thread.id of the first thread that polled; 0: none */
    uint64_t timeline_width_ns; /* of one bucket of the primary thread's time line */
    uint64_t frames_elsewhere;  /* presents made by threads that do not poll */
    uint64_t recorder_bytes; /* the recorder's own memory outside this file, at the program's end */
    uint64_t loss[DUMP_LOSS_COUNT];
    char recorder_version[32]; /* NUL padded */
    uint32_t blind;            /* enum dump_blind, as it was told last */
    uint32_t facts;            /* DUMP_FACT_*: what that rests on */
    uint32_t runtimes;         /* DUMP_RUNTIME_* */
    uint32_t subsystems;       /* SDL_INIT_* flags with which SDL was set up, as far as was seen */
    uint8_t spare[DUMP_HEADER_SIZE - 328];
};
#define DUMP_LIVE_SLACK 65536u

enum dump_chunk_type {
    DUMP_INFO = 1,      /* struct dump_info, variable */
    DUMP_MODULE = 2,    /* struct dump_module, variable */
    DUMP_FRAME = 3,     /* struct dump_frame; a frame's number is its place over all FRAME chunks */
    DUMP_STACK = 4,     /* struct dump_stack, variable */
    DUMP_THREAD = 5,    /* struct dump_thread */
    DUMP_COUNTER = 6,   /* struct dump_counter */
    DUMP_LOOP = 7,      /* struct dump_loop */
    DUMP_HISTOGRAM = 8, /* struct dump_histogram */
    DUMP_TIMELINE = 9,  /* struct dump_bucket, in order of time */
    DUMP_WORST = 10,    /* struct dump_worst, in no order */
    DUMP_EVENT = 11,    /* struct dump_event, in no order */
    DUMP_PATCH = 12     /* struct dump_patch, in no order */
};

struct dump_chunk {
    uint32_t magic; /* DUMP_CHUNK_MAGIC */
    uint32_t type;  /* enum dump_chunk_type */
    uint64_t size;  /* bytes, this header included; a multiple of DUMP_ALIGN */
    uint32_t
        record_size; /* bytes of one record; 0: variable, each record opens with its own size */
    uint32_t owner;  /* dump_thread.id of the thread that writes it, or 0 */
    uint64_t count;  /* records that are complete */
    uint64_t filled; /* bytes of those records, after this header */
    uint64_t spare[3];
};

enum dump_info_key {
    DUMP_INFO_PROGRAM = 1,     /* path of the executable */
    DUMP_INFO_ARGUMENTS = 2,   /* argv, each followed by a NUL */
    DUMP_INFO_DIRECTORY = 3,   /* working directory at start */
    DUMP_INFO_SDL_VERSION = 4, /* "2.26.5" */
    DUMP_INFO_SDL_PATH = 5,    /* the library that answers the polls */
    DUMP_INFO_VIDEO_DRIVER = 6,
    DUMP_INFO_AUDIO_DRIVER = 7,
    DUMP_INFO_SUBSYSTEMS = 8, /* "video audio events" */
    DUMP_INFO_LIBC = 9,       /* "glibc 2.36" */
    DUMP_INFO_ALLOCATOR = 10, /* path of the object whose malloc is beneath the recorder */
    DUMP_INFO_UNWINDER = 11,  /* what walks the stacks, or why nothing does */
    DUMP_INFO_BYPASS = 12,    /* path of the first object whose malloc is not the recorder's */
    DUMP_INFO_PATH = 13,      /* where a dump is to stand that stands on a tmpfs at first */
    DUMP_INFO_NAMESPACES = 14 /* and in which namespaces that holds: "pid:[N] mnt:[N]" */
};

/* A later record of the same key replaces an earlier one. */
struct dump_info {
    uint32_t size; /* of this record with its value, a multiple of 8 */
    uint16_t key;  /* enum dump_info_key */
    uint16_t spare;
    uint32_t length; /* bytes of value */
    char value[4];   /* really `length` bytes */
};

/* dump_module.flags */
#define DUMP_MODULE_EXECUTABLE 1u /* the program itself */
#define DUMP_MODULE_ANONYMOUS  2u /* no file: JIT code; offsets are absolute addresses */
#define DUMP_MODULE_VDSO       4u

struct dump_module {
    uint32_t size;  /* of this record with its path, a multiple of 8 */
    uint32_t id;    /* counts from 1; an object of the same path and build-id that comes again
                       keeps it, and start, end and bias are those of the last time */
    uint64_t start; /* first mapped address */
    uint64_t end;   /* first address behind it */
    uint64_t bias;  /* address minus offset; an offset is the address that the ELF file states */
    uint64_t loaded_ns;   /* when it was first seen */
    uint64_t unloaded_ns; /* when it was seen to be gone; 0: still there */
    uint32_t flags;
    uint32_t build_id_length; /* 0: has none */
    uint8_t build_id[32];
    uint32_t path_length;
    char path[4]; /* really `path_length` bytes */
};

/* dump_frame.flags */
#define DUMP_FRAME_EXACT 1u /* offset is that of an instruction, not of the one after a call */

struct dump_frame {
    uint64_t offset; /* return address, in the module's own addresses: look up offset - 1 */
    uint32_t module; /* dump_module.id; 0: unknown, offset is an absolute address */
    uint32_t flags;
};

/* dump_stack.flags */
#define DUMP_STACK_IN_POLL   1u   /* allocated inside a poll */
#define DUMP_STACK_DEEPER    2u   /* the stack had more frames than were kept */
#define DUMP_STACK_BROKEN    4u   /* the unwinder failed before the outermost frame */
#define DUMP_STACK_EARLY     8u   /* made before the unwinder was ready: the innermost frame only */
#define DUMP_STACK_CALL_SITE 16u  /* the table of stacks was full: the innermost frames only */
#define DUMP_STACK_POLL      32u  /* not an allocation: the stack of a loop's poll */
#define DUMP_STACK_UNSAMPLED 64u  /* not sampled: no frames */
#define DUMP_STACK_HANDLER   128u /* by a handler that interrupted the recorder: as for EARLY */

/* A site: one call stack that allocates, once for in poll and once for outside. */
struct dump_stack {
    uint32_t size; /* of this record with its frames, a multiple of 8 */
    uint32_t id;   /* counts from 1 */
    uint32_t flags;
    uint32_t frames;
    uint32_t frame[2]; /* really `frames` numbers of frames, innermost first */
};

struct dump_amount {
    uint64_t allocations; /* that succeeded, reallocations included */
    uint64_t bytes;       /* requested by them */
    uint64_t reallocations;
    uint64_t frees;       /* releases of known blocks, by free or realloc */
    uint64_t freed_bytes; /* requested bytes of those blocks */
};

/* What an amount was when the window `window` began: a boundary of phases. */
struct dump_mark {
    uint64_t window;
    uint64_t polls; /* dump_counter.polls at that time; 0 in a thread */
    struct dump_amount amount;
};

/* The boundaries, in windows: of the first poll, then the begin and two later cuts of the steady
 * phase. They move while the program warms up (see FORMAT.md, "Phases"). */
#define DUMP_BOUNDARIES 4u
enum dump_boundary {
    DUMP_AT_FIRST_POLL = 0,
    DUMP_AT_STEADY = 1,
    DUMP_AT_CUT = 2,
    DUMP_AT_LAST_CUT = 3
};

/*
 * An amount with its history. Marks are written when the tally is next touched after a boundary was
 * set, so a reader must do that for those not touched since:
 *   for each boundary b: the mark with window == b if there is one; else, if b > window, `now`;
 *   else it is not known and the nearest earlier boundary's mark stands for it.
 * What was counted in `window` is now - window_start.
 */
struct dump_tally {
    uint64_t window;   /* the last window in which it was touched */
    uint32_t schedule; /* dump_clock.schedule when the marks were last brought up to date */
    uint32_t spare;
    struct dump_amount now;
    struct dump_amount window_start;
    struct dump_mark mark[DUMP_BOUNDARIES];
};

struct dump_clock {
    uint64_t window;       /* that is open now; 0: startup */
    uint64_t first_window; /* that this thread's first poll ended or will end */
    uint64_t boundary[DUMP_BOUNDARIES];
    uint32_t schedule; /* odd while boundaries change; no two clocks have the same */
    uint32_t warm;     /* 0 warming up, 1 warm-up's end is known, 2 steady */
};

/* dump_thread.flags */
#define DUMP_THREAD_POLLS    1u
#define DUMP_THREAD_MAIN     2u
#define DUMP_THREAD_PRESENTS 4u

/* dump_thread.presents[]: what ended a frame */
enum dump_present_kind {
    DUMP_PRESENT_RENDER = 0,        /* SDL_RenderPresent */
    DUMP_PRESENT_GL_SWAP = 1,       /* SDL_GL_SwapWindow */
    DUMP_PRESENT_SURFACE = 2,       /* SDL_UpdateWindowSurface */
    DUMP_PRESENT_SURFACE_RECTS = 3, /* SDL_UpdateWindowSurfaceRects */
    DUMP_PRESENT_GPU = 4,           /* SDL_SubmitGPUCommandBuffer */
    DUMP_PRESENT_EGL = 5,           /* eglSwapBuffers, by the program itself */
    DUMP_PRESENT_GLX = 6,           /* glXSwapBuffers, by the program itself */
    DUMP_PRESENT_MARKED = 7,        /* by the program's mark, or one SDL_AppIterate */
    DUMP_PRESENT_GLFW = 8,          /* glfwSwapBuffers */
    DUMP_PRESENT_KINDS = 9
};

/* One thread, or several that lived one after the other and were never alive together. */
struct dump_thread {
    uint32_t id;  /* counts from 1 */
    uint32_t tid; /* of the last one */
    uint32_t flags;
    uint32_t threads; /* that have used this record */
    char name[16];    /* NUL padded, as last seen */
    uint64_t first_ns;
    struct dump_clock clock; /* of a thread that polls */
    struct dump_tally in_poll;
    struct dump_tally outside; /* all the rest, startup too */
    uint64_t drains;
    uint64_t frames;        /* that ended on this thread or were noticed by it */
    uint64_t peeps;         /* SDL_PeepEvents(SDL_GETEVENT) */
    uint64_t events_peeped; /* that they returned */
    uint64_t heap_growths;  /* windows in which the program break rose or this thread's block was
                               mapped */
    uint64_t mapped_blocks; /* allocations that libc's malloc served by a mapping of their own */
    uint64_t minor_faults;  /* of the process, since first_poll_ns, as last sampled */
    uint64_t major_faults;
    uint64_t sampled_ns; /* when they were sampled */
    uint64_t presents[DUMP_PRESENT_KINDS];
};

struct dump_counter {
    uint32_t site;   /* dump_stack.id */
    uint32_t thread; /* dump_thread.id */
    struct dump_tally tally;
    uint64_t temporary_poll; /* blocks released in the window in which they were made */
    uint64_t temporary_poll_bytes;
    uint64_t temporary_frame; /* the same for frames (drains where nothing presents) */
    uint64_t temporary_frame_bytes;
    uint64_t polls;        /* windows after startup in which it allocated */
    uint64_t first_window; /* in which it allocated; startup does not count: 0 = never */
    uint64_t last_window;
    uint64_t gap_least; /* windows from one that allocates to the next one that does */
    uint64_t gap_most;
    uint64_t gap_last;
    uint64_t gaps_growing; /* gaps at least half as long again as the one before */
    uint64_t most_bytes;   /* in one window after startup, of the windows that are over */
    uint64_t most_window;
    uint64_t spare[2];
};

/* dump_loop.polls[] */
enum dump_poll_kind {
    DUMP_POLL_EVENT = 0,
    DUMP_WAIT_EVENT = 1,
    DUMP_WAIT_TIMEOUT = 2,
    DUMP_PUMP = 3,
    DUMP_MARKED = 4,  /* by the program itself */
    DUMP_ITERATE = 5, /* SDL 3 calls the program: one SDL_AppIterate */
    DUMP_GLFW = 6,    /* glfwPollEvents, glfwWaitEvents, glfwWaitEventsTimeout */
    DUMP_SYSTEM = 7,  /* poll, epoll_wait and their kin */
    DUMP_POLL_KINDS = 8
};

/* One poll site: a stack that polls, on one thread. Its windows are those that its polls ended. */
struct dump_loop {
    uint32_t id;             /* counts from 1 */
    uint32_t thread;         /* dump_thread.id */
    uint32_t stack;          /* dump_stack.id of a DUMP_STACK_POLL */
    uint32_t replaced_waits; /* of `waits`: that were not SDL's own (ALLOCREPORT_PATCH=wait); no
                                more than fit */
    uint64_t polls[DUMP_POLL_KINDS];
    uint64_t null_polls;
    uint64_t empty_polls; /* returned no event; a pump is neither empty nor with an event */
    uint64_t event_polls; /* returned an event */
    uint64_t allocating_windows;
    uint64_t allocating_polls; /* that allocated inside the poll */
    uint64_t first_window;
    uint64_t last_window;
    uint64_t first_ns;   /* begin of its first poll */
    uint64_t last_ns;    /* end of its last poll */
    uint64_t poll_ns;    /* time inside its polls */
    uint64_t between_ns; /* time between the poll before and its polls */
    struct dump_amount in_poll;
    struct dump_amount between;
    /* SDL_WaitEvent, and SDL_WaitEventTimeout with a time that is not 0: */
    uint64_t waits;
    uint64_t wait_ns;       /* time inside them */
    uint64_t wait_switches; /* times that the thread went to sleep in them: voluntary context
                               switches */
    uint64_t wait_cpu_ns;   /* processor time of the thread in them */
};

/* What one histogram counts. Windows and polls are one loop's; frames and drains are a thread's. */
enum dump_series {
    DUMP_SERIES_WINDOW_BYTES = 0, /* of the whole window: between and in poll */
    DUMP_SERIES_WINDOW_ALLOCATIONS = 1,
    DUMP_SERIES_POLL_BYTES = 2,  /* in poll only */
    DUMP_SERIES_POLL_NS = 3,     /* time inside the poll */
    DUMP_SERIES_INTERVAL_NS = 4, /* from one poll's begin to the next one's, same thread */
    DUMP_SERIES_LOOP_COUNT = 5,
    DUMP_SERIES_FRAME_BYTES = 5,
    DUMP_SERIES_FRAME_ALLOCATIONS = 6,
    DUMP_SERIES_FRAME_NS = 7,
    DUMP_SERIES_DRAIN_BYTES = 8,
    DUMP_SERIES_DRAIN_ALLOCATIONS = 9,
    DUMP_SERIES_COUNT = 10
};

/* Which polls one histogram counts. The steady ones are EARLIER and LATER together. */
enum dump_slot { DUMP_SLOT_WARMUP = 0, DUMP_SLOT_EARLIER = 1, DUMP_SLOT_LATER = 2, DUMP_SLOTS = 3 };

/*
 * Buckets as in an HDR histogram with 4 bits of mantissa: value v < 16 falls in bucket v; else with
 * e = floor(log2 v), in bucket 16 * (e - 3) + (v >> (e - 4)) % 16. A bucket is at most 1/16 of its
 * least value wide. Values of 2^48 and more fall in the last bucket.
 */
#define DUMP_HISTOGRAM_BUCKETS 720u /* 16 * (47 - 3) + 15 + 1 */
struct dump_histogram {
    uint32_t thread;
    uint32_t loop; /* dump_loop.id; 0 for frames and drains */
    uint32_t series;
    uint32_t slot;
    uint64_t count;
    uint64_t sum;
    uint64_t least; /* if count > 0 */
    uint64_t most;
    uint64_t bucket[DUMP_HISTOGRAM_BUCKETS];
};

/* One bucket of the time line. When all are used, neighbours are added in pairs and the width
 * doubles. */
#define DUMP_TIMELINE_BUCKETS 512u
struct dump_bucket {
    uint64_t polls;
    uint64_t drains;
    uint64_t frames;
    uint64_t in_poll_allocations;
    uint64_t in_poll_bytes;
    uint64_t between_allocations;
    uint64_t between_bytes;
    uint64_t poll_ns;
    uint64_t most_bytes;  /* of one window */
    uint64_t most_window; /* the one that had them */
    uint64_t live_bytes;  /* in use at its last poll */
    uint64_t spare;
};

#define DUMP_WORST_POLLS 16u
#define DUMP_WORST_SITES 8u
/* dump_worst.flags */
#define DUMP_WORST_STEADY 1u /* in the list of the steady polls; else in that of all */

struct dump_worst_site {
    uint32_t site;
    uint32_t spare;
    uint64_t allocations;
    uint64_t bytes;
};

/* One of the polls whose windows allocated most bytes; unused while window is 0. */
struct dump_worst {
    uint64_t window;
    uint64_t end_ns;
    uint64_t poll_ns;
    uint64_t interval_ns;
    uint64_t allocations;
    uint64_t bytes;
    uint64_t in_poll_allocations;
    uint64_t in_poll_bytes;
    uint32_t loop;
    uint32_t flags;
    uint32_t sites;     /* places of site[] that are used */
    uint32_t all_sites; /* that allocated in it; at least so many */
    struct dump_worst_site site[DUMP_WORST_SITES];
};

/* dump_event.kind */
enum dump_event_kind {
    DUMP_EVENT_NONE = 0,    /* the drains that brought no event */
    DUMP_EVENT_SEVERAL = 1, /* the drains that brought events of several of the records below */
    DUMP_EVENT_UNKNOWN = 2, /* events whose type is not known */
    DUMP_EVENT_OTHER = 3,   /* events of types for which there was no record left */
    DUMP_EVENT_TYPE = 4     /* events of one type */
};

/*
 * What the drains of one thread allocated that brought events of one type. Allocations and bytes
 * are those made in the polls of these drains, whatever else these brought: a drain counts at each
 * type that it brought, once. The drains that brought nothing else are `alone` (in NONE and SEVERAL
 * these fields are 0). Hence
 *   drains of NONE and of SEVERAL + alone_drains of all others = drains that were booked
 *   <= dump_thread.drains: the last drain may not be, a wait and the polls behind it are one.
 */
#define DUMP_EVENTS 64u /* records of one thread, at most */
struct dump_event {
    uint32_t thread; /* dump_thread.id */
    uint32_t kind;   /* enum dump_event_kind */
    uint32_t type;   /* the event's first word */
    uint32_t sdl;    /* by whose numbers: SDL's major version; 0: not SDL's */
    uint64_t events; /* that polls and SDL_PeepEvents(SDL_GETEVENT) returned */
    uint64_t drains;
    uint64_t allocations;
    uint64_t bytes;
    uint64_t most_bytes; /* of one drain */
    uint64_t alone_drains;
    uint64_t alone_allocations;
    uint64_t alone_bytes;
    uint64_t spare[2];
};

/* dump_patch.modes: ALLOCREPORT_PATCH */
#define DUMP_PATCH_POLL 1u
#define DUMP_PATCH_WAIT 2u

/* dump_patch.spilled[]: why a request inside a poll went to the heap */
enum dump_spill {
    DUMP_SPILL_ALIGNMENT = 0, /* of more than 16 bytes */
    DUMP_SPILL_SIZE = 1,      /* larger than the largest class of the reserve */
    DUMP_SPILL_EMPTY = 2,     /* the reserve had no block of its class left */
    DUMP_SPILL_OTHER = 3,     /* a signal handler's, or of an operator new of the program's own */
    DUMP_SPILLS = 4
};

/*
 * The patched poll of one thread: what was asked for inside its polls, and what of that reached the
 * heap. requests = served + all of spilled[] = dump_thread.in_poll.now.allocations, up to loss
 * (NESTED) and to polls before the patch had its reserve. Refills and what is held are in no other
 * count of the dump.
 */
struct dump_patch {
    uint32_t thread; /* dump_thread.id */
    uint32_t modes;  /* DUMP_PATCH_* */
    uint64_t requests;
    uint64_t served; /* without a call of the allocator */
    uint64_t spilled[DUMP_SPILLS];
    struct dump_tally heap; /* the allocator's calls inside polls: spilled requests, and releases
                               (their blocks as large as they could be used) */
    uint64_t releases; /* blocks given back inside polls, those that served reallocations replaced
                          too */
    uint64_t missing_bytes; /* of the largest class that had no block left; 0: none */
    uint64_t missing;       /* requests that found that class empty */
    uint64_t refills;       /* times that blocks were got for the reserve, between polls */
    uint64_t refilled;      /* blocks that were got so */
    uint64_t given_back;    /* blocks given to the allocator between polls: freed in polls, or too
                               many */
    uint64_t held_blocks;   /* in the reserve */
    uint64_t held_bytes;
    uint64_t held_most_bytes;
    uint64_t limit_bytes;  /* ALLOCREPORT_RESERVE */
    uint64_t queue_events; /* that SDL's queue was given room for beforehand */
    uint64_t spare[6];
};

/*
 * Not of a dump: what each process of a run tells the launcher that named a file for it
 * (ALLOCREPORT_CENSUS). Records are appended, a process's later one replaces its earlier one.
 */
#define DUMP_CENSUS_MAGIC 0x534e4543u /* "CENS" */
struct dump_census {
    uint32_t magic; /* DUMP_CENSUS_MAGIC */
    uint32_t size;  /* of this record */
    uint32_t pid;
    uint32_t parent_pid;
    uint32_t forked_from; /* as in the header, as are those below */
    uint32_t state;
    uint64_t start_monotonic_ns;
    uint32_t blind;
    uint32_t facts;
    uint32_t runtimes;
    uint32_t subsystems;
    uint64_t polls;
    uint64_t peeps;
    uint64_t presents;
    uint64_t allocations;
    char program[256]; /* path of the executable, NUL padded; cut where it is longer */
    char bypass[176];  /* DUMP_INFO_BYPASS */
};

static_assert(sizeof(struct dump_header) == DUMP_HEADER_SIZE, "header fills its page");
static_assert(offsetof(struct dump_header, blind) == 312, "blind");
static_assert(sizeof(struct dump_census) == 512, "census");
static_assert(offsetof(struct dump_header, used) == 32, "used");
static_assert(offsetof(struct dump_header, loss) == 152, "loss");
static_assert(sizeof(struct dump_chunk) == DUMP_ALIGN, "chunk header is one line");
static_assert(offsetof(struct dump_info, value) == 12, "info");
static_assert(offsetof(struct dump_module, path) == 92, "module");
static_assert(sizeof(struct dump_frame) == 16, "frame");
static_assert(offsetof(struct dump_stack, frame) == 16, "stack");
static_assert(sizeof(struct dump_amount) == 40, "amount");
static_assert(sizeof(struct dump_mark) == 56, "mark");
static_assert(sizeof(struct dump_tally) == 320, "tally");
static_assert(sizeof(struct dump_clock) == 56, "clock");
static_assert(sizeof(struct dump_thread) == 880, "thread");
static_assert(sizeof(struct dump_loop) == 280, "loop");
static_assert(sizeof(struct dump_counter) == 448, "counter");
static_assert(sizeof(struct dump_loop) == 280, "loop");
static_assert(offsetof(struct dump_loop, waits) == 248, "loop waits");
static_assert(sizeof(struct dump_histogram) == 48 + 8 * DUMP_HISTOGRAM_BUCKETS, "histogram");
static_assert(sizeof(struct dump_bucket) == 96, "bucket");
static_assert(sizeof(struct dump_event) == 96, "event");
static_assert(sizeof(struct dump_patch) == 512, "patch");
static_assert(offsetof(struct dump_patch, heap) == 56, "patch heap");
static_assert(offsetof(struct dump_patch, releases) == 376, "patch releases");
static_assert(sizeof(struct dump_worst) == 80 + 24 * DUMP_WORST_SITES, "worst");

#endif
