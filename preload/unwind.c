/* SPDX-License-Identifier: MIT */
#include "preload/unwind.h"

#include "preload/lock.h"
#include "preload/objects.h"
#include "preload/pipes.h"
#include "preload/sys.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#include <libunwind.h>

#define TEXT_OF(name)     #name
#define NAME_OF(function) TEXT_OF(function) /* unw_step is a macro for the machine's own name */

#if defined(__x86_64__)
#define LIBRARY        "libunwind-x86_64.so.8"
#define FRAME_POINTER  UNW_X86_64_RBP
#define RETURN_ADDRESS UNW_X86_64_RIP
#elif defined(__aarch64__)
#define LIBRARY        "libunwind-aarch64.so.8"
#define FRAME_POINTER  UNW_AARCH64_X29
#define RETURN_ADDRESS UNW_AARCH64_X30
#elif defined(__i386__)
#define LIBRARY        "libunwind-x86.so.8"
#define FRAME_POINTER  UNW_X86_EBP
#define RETURN_ADDRESS UNW_X86_EIP
#endif

/*
 * A rule is found by stepping from a frame whose registers are marks: the stack pointer is SP_MARK,
 * the frame pointer FP_MARK, and the n-th word that is read from their stack is WORD_MARK + n *
 * WORD_SPAN. What comes out as the next stack pointer says what it was computed from. The marks are
 * no addresses of user space, so that no memory is ever mistaken for them; of 32 bits, addresses
 * far from where programs and libraries are mapped.
 */
#if UINTPTR_MAX > UINT32_MAX
#define SP_MARK    UINT64_C(0x1000000000000000)
#define FP_MARK    UINT64_C(0x2000000000000000)
#define WORD_MARK  UINT64_C(0x3000000000000000)
#define WORD_SPAN  UINT64_C(0x0000000100000000)
#define MARK_REACH UINT64_C(0x0000000010000000) /* offsets are smaller than this */
#else
#define SP_MARK    UINT64_C(0x80000000)
#define FP_MARK    UINT64_C(0x84000000)
#define WORD_MARK  UINT64_C(0x88000000)
#define WORD_SPAN  UINT64_C(0x02000000)
#define MARK_REACH UINT64_C(0x01000000)
#endif
#define WORDS_MOST 8u

struct query {
    struct ar_frame frame;
    ar_read_word *read; /* NULL: registers are marks */
    void *context;
    struct ar_tables tables;    /* of the module that is being asked about */
    uint64_t words[WORDS_MOST]; /* the addresses of marked words that were read, in order */
    unsigned word_count;
    bool unusual;  /* it needed something that a rule cannot say */
    bool no_table; /* the code has none: what libunwind does then is follow the frame pointer */
};

static struct {
    unw_addr_space_t (*create_addr_space)(unw_accessors_t *, int);
    int (*set_caching_policy)(unw_addr_space_t, unw_caching_policy_t);
    int (*init_remote)(unw_cursor_t *, unw_addr_space_t, void *);
    int (*step)(unw_cursor_t *);
    int (*get_reg)(unw_cursor_t *, int, unw_word_t *);
    int (*get_save_loc)(unw_cursor_t *, int, unw_save_loc_t *);
    int (*search_unwind_table)(unw_addr_space_t, unw_word_t, unw_dyn_info_t *, unw_proc_info_t *,
                               int, void *);
} unwinder;

static unw_addr_space_t space;
static bool ready;
static const char *description = "none: it was not started";
static struct ar_lock_word busy; /* libunwind is used by one thread at a time */
static unw_cursor_t cursor;      /* 1 KiB: too much for a small stack */

/* Tables as linkers write them: a sorted array of pairs of 32-bit offsets from the header. */
struct eh_frame_header {
    uint8_t version;
    uint8_t frame_encoding;
    uint8_t count_encoding;
    uint8_t table_encoding;
    int32_t frame;
    uint32_t count;
};
#define ENCODING_COUNT 0x03 /* DW_EH_PE_udata4 */
#define ENCODING_TABLE 0x3b /* DW_EH_PE_datarel | DW_EH_PE_sdata4 */

static int find_proc_info(unw_addr_space_t as, unw_word_t ip, unw_proc_info_t *info, int need,
                          void *arg)
{
    struct query *query = arg;
    const struct eh_frame_header *header;
    unw_dyn_info_t table = {0};
    int result;

    query->no_table = true;
    if (!ar_objects_tables((uintptr_t)ip, &query->tables) || query->tables.eh_frame_header == 0)
        return -UNW_ENOINFO;
    header = (const struct eh_frame_header *)query->tables.eh_frame_header;
    if (header->version != 1 || header->count_encoding != ENCODING_COUNT ||
        header->table_encoding != ENCODING_TABLE)
        return -UNW_ENOINFO;
    table.format = UNW_INFO_FORMAT_REMOTE_TABLE;
    table.start_ip = query->tables.start;
    table.end_ip = query->tables.end;
    table.u.rti.segbase = query->tables.eh_frame_header;
    table.u.rti.table_data = query->tables.eh_frame_header + sizeof *header;
    table.u.rti.table_len = header->count * 8 / sizeof(unw_word_t);
    result = unwinder.search_unwind_table(as, ip, &table, info, need, arg);
    query->no_table = result < 0;
    return result;
}

static void put_unwind_info(unw_addr_space_t as, unw_proc_info_t *info, void *arg)
{
    (void)as, (void)info, (void)arg;
}

static int no_dynamic_info(unw_addr_space_t as, unw_word_t *list, void *arg)
{
    (void)as, (void)list, (void)arg;
    return -UNW_ENOINFO;
}

static bool near_mark(uint64_t value, uint64_t mark)
{
    return value - (mark - MARK_REACH) < 2 * MARK_REACH;
}

static int read_marked(struct query *query, uint64_t address, unw_word_t *value)
{
    for (unsigned i = 0; i < query->word_count; i++) {
        if (query->words[i] == address) {
            *value = WORD_MARK + i * WORD_SPAN;
            return 0;
        }
    }
    if (query->word_count == WORDS_MOST)
        return -UNW_EINVAL;
    query->words[query->word_count] = address;
    *value = WORD_MARK + query->word_count * WORD_SPAN;
    query->word_count++;
    return 0;
}

static int access_mem(unw_addr_space_t as, unw_word_t address, unw_word_t *value, int write,
                      void *arg)
{
    struct query *query = arg;
    uintptr_t word;

    (void)as;
    if (write)
        return -UNW_EINVAL;
    if (ar_objects_readable(&query->tables, (uintptr_t)address, sizeof word)) {
        memcpy(value, (const void *)(uintptr_t)address, sizeof *value);
        return 0;
    }
    if (query->read != NULL) {
        if (!query->read(query->context, (uintptr_t)address, &word))
            return -UNW_EINVAL;
        *value = word;
        return 0;
    }
    if (near_mark(address, SP_MARK) || near_mark(address, FP_MARK) ||
        address - (WORD_MARK - MARK_REACH) < WORDS_MOST * WORD_SPAN)
        return read_marked(query, address, value);
    return -UNW_EINVAL;
}

static int access_reg(unw_addr_space_t as, unw_regnum_t number, unw_word_t *value, int write,
                      void *arg)
{
    struct query *query = arg;

    (void)as;
    if (write)
        return -UNW_EREADONLYREG;
    if (number == UNW_REG_IP)
        *value = query->frame.ip - !query->frame.exact;
    else if (number == UNW_REG_SP)
        *value = query->read != NULL ? query->frame.sp : SP_MARK;
    else if (number == FRAME_POINTER)
        *value = query->read != NULL ? query->frame.fp : FP_MARK;
    else {
        query->unusual = true;
        return -UNW_EBADREG;
    }
    return 0;
}

static int access_fpreg(unw_addr_space_t as, unw_regnum_t number, unw_fpreg_t *value, int write,
                        void *arg)
{
    (void)as, (void)number, (void)value, (void)write, (void)arg;
    return -UNW_EBADREG;
}

static int resume(unw_addr_space_t as, unw_cursor_t *at, void *arg)
{
    (void)as, (void)at, (void)arg;
    return -UNW_EINVAL;
}

static int get_proc_name(unw_addr_space_t as, unw_word_t address, char *name, size_t size,
                         unw_word_t *offset, void *arg)
{
    (void)as, (void)address, (void)name, (void)size, (void)offset, (void)arg;
    return -UNW_EUNSPEC;
}

bool ar_unwind_sanitizer(void)
{
    static const char *const names[] = {"__asan_init", "__tsan_init", "__msan_init",
                                        "__hwasan_init"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (dlsym(RTLD_DEFAULT, names[i]) != NULL)
            return true;
    return false;
}

static bool find_functions(void *library)
{
    const struct {
        void *to;
        const char *name;
    } wanted[] = {
        {&unwinder.create_addr_space, NAME_OF(unw_create_addr_space)},
        {&unwinder.set_caching_policy, NAME_OF(unw_set_caching_policy)},
        {&unwinder.init_remote, NAME_OF(unw_init_remote)},
        {&unwinder.step, NAME_OF(unw_step)},
        {&unwinder.get_reg, NAME_OF(unw_get_reg)},
        {&unwinder.get_save_loc, NAME_OF(unw_get_save_loc)},
        {&unwinder.search_unwind_table, NAME_OF(UNW_OBJ(dwarf_search_unwind_table))},
    };

    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        void *found = dlsym(library, wanted[i].name);

        if (found == NULL)
            return false;
        memcpy(wanted[i].to, &found, sizeof found);
    }
    return true;
}

bool ar_unwind_start(void)
{
    static unw_accessors_t accessors = {
        .find_proc_info = find_proc_info,
        .put_unwind_info = put_unwind_info,
        .get_dyn_info_list_addr = no_dynamic_info,
        .access_mem = access_mem,
        .access_reg = access_reg,
        .access_fpreg = access_fpreg,
        .resume = resume,
        .get_proc_name = get_proc_name,
    };
    struct ar_next_pipe next = ar_pipes_next();
    void *library =
        dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL | (ar_unwind_sanitizer() ? 0 : RTLD_DEEPBIND));

    if (library == NULL) {
        description = "none: " LIBRARY " is not installed";
        return false;
    }
    if (!find_functions(library)) {
        description = "none: " LIBRARY " lacks a function";
        return false;
    }
    space = unwinder.create_addr_space(&accessors, 0);
    if (space == NULL) {
        description = "none: " LIBRARY " makes no address space";
        return false;
    }
    unwinder.set_caching_policy(space, UNW_CACHE_NONE);
    description = LIBRARY;
    ready = true;
    /* At its first use libunwind makes a pipe, by which it would validate addresses. The accessors
     * do that without, and a program's descriptors are its own. */
    ar_unwind_rule((uintptr_t)__builtin_return_address(0), false);
    ar_pipes_close(&next);
    return true;
}

bool ar_unwind_ready(void)
{
    return ready;
}

bool ar_unwind_may_ask(void)
{
    return ready && !ar_sys_is_frozen(); /* libunwind blocks signals */
}

static struct ar_held held_at_fork;

void ar_unwind_before_fork(void)
{
    held_at_fork = ar_lock_word(&busy);
}

void ar_unwind_after_fork(void)
{
    ar_unlock_word(&busy, held_at_fork);
}

/* What that thread left half done stays unused: rules that are known go on to serve. */
void ar_unwind_reset(void)
{
    if (ar_lock_word_held(&busy)) {
        space = NULL;
        description = "none: forked while another thread was inside " LIBRARY;
    }
    ar_lock_word_reset(&busy);
}

const char *ar_unwind_description(void)
{
    return description;
}

static int32_t offset_from(uint64_t value, uint64_t mark)
{
    return (int32_t)(value - mark);
}

/* Where this frame has saved register `number`: an offset from `base`. */
static bool saved_at(int number, uint64_t base, int32_t *offset)
{
    unw_save_loc_t place;

    if (unwinder.get_save_loc(&cursor, number, &place) < 0)
        return false;
    if (place.type == UNW_SLT_REG || place.type == UNW_SLT_NONE) {
        *offset = AR_FP_SAME;
        return true;
    }
    if (place.type != UNW_SLT_MEMORY || !near_mark(place.u.addr, base))
        return false;
    *offset = (int32_t)(place.u.addr - base);
    return true;
}

static struct ar_rule rule_from_cursor(struct query *query)
{
    struct ar_rule rule = {.kind = AR_RULE_SLOW};
    unw_word_t cfa;

    if (query->unusual || unwinder.get_reg(&cursor, UNW_REG_SP, &cfa) < 0)
        return rule;
    if (near_mark(cfa, SP_MARK)) {
        rule.base = AR_BASE_SP;
        rule.cfa = offset_from(cfa, SP_MARK);
    } else if (near_mark(cfa, FP_MARK)) {
        rule.base = AR_BASE_FP;
        rule.cfa = offset_from(cfa, FP_MARK);
    } else if (near_mark(cfa, WORD_MARK) && near_mark(query->words[0], FP_MARK)) {
        rule.base = AR_BASE_FP_WORD;
        rule.word = offset_from(query->words[0], FP_MARK);
        rule.cfa = offset_from(cfa, WORD_MARK);
    } else {
        return rule;
    }
    if (saved_at(RETURN_ADDRESS, cfa, &rule.ra) && rule.ra != AR_FP_SAME &&
        saved_at(FRAME_POINTER, rule.base == AR_BASE_FP_WORD ? FP_MARK : cfa, &rule.fp))
        rule.kind = AR_RULE_SIMPLE;
    return rule;
}

/* A signal's frame returns to code that calls rt_sigreturn: it is known by these bytes. */
static bool returns_from_signal(struct query *query)
{
#if defined(__x86_64__)
    static const uint8_t code[] = {0x48, 0xc7, 0xc0, 0x0f, 0,
                                   0,    0,    0x0f, 0x05}; /* mov $15, syscall */
#elif defined(__i386__)
    static const uint8_t code[] = {0xb8, 0xad, 0, 0, 0, 0xcd, 0x80}; /* mov $173; int $128 */
#else
    static const uint8_t code[] = {0x68, 0x11, 0x80, 0xd2,
                                   0x01, 0,    0,    0xd4}; /* mov x8, #139; svc */
#endif

    return ar_objects_tables(query->frame.ip, &query->tables) &&
           ar_objects_readable(&query->tables, query->frame.ip, sizeof code) &&
           memcmp((const void *)query->frame.ip, code, sizeof code) == 0;
}

/* No call returns to where a function begins: that address was put on the stack by hand, as its
 * outermost (makecontext, and coroutines that do as it does). */
static bool begins_function(const struct query *asked)
{
    struct query query = {.tables = asked->tables};
    unw_proc_info_t info;

    return !asked->frame.exact && find_proc_info(space, asked->frame.ip, &info, 0, &query) >= 0 &&
           info.start_ip == asked->frame.ip;
}

struct ar_rule ar_unwind_rule(uintptr_t ip, bool exact)
{
    struct query query = {.frame = {.ip = ip, .exact = exact}};
    struct ar_rule rule = {.kind = AR_RULE_NONE};
    struct ar_held held;

    ar_objects_tables(ip - !exact, &query.tables); /* before the lock: it may take the loader's */
    held = ar_lock_word(&busy);

    if (space != NULL && unwinder.init_remote(&cursor, space, &query) >= 0) {
        bool signal = returns_from_signal(&query);
        int stepped = unwinder.step(&cursor);

        if (signal)
            rule.kind = AR_RULE_SLOW;
        else if (query.no_table)
            rule.kind = begins_function(&query) ? AR_RULE_OUTERMOST : AR_RULE_GUESS;
        else if (stepped == 0)
            rule.kind = AR_RULE_OUTERMOST;
        else if (stepped > 0)
            rule = rule_from_cursor(&query);
        else
            rule.kind = AR_RULE_SLOW; /* real registers may do where marks do not */
    }
    ar_unlock_word(&busy, held);
    return rule;
}

int ar_unwind_step(struct ar_frame *frame, ar_read_word *read, void *context)
{
    struct query query = {.frame = *frame, .read = read, .context = context};
    struct ar_held held;
    unw_word_t ip;
    unw_word_t sp;
    unw_word_t fp;
    int result = -1;

    if (!ar_unwind_may_ask())
        return -1;
    ar_objects_tables(frame->ip - !frame->exact, &query.tables);
    held = ar_lock_word(&busy);
    if (space != NULL && unwinder.init_remote(&cursor, space, &query) >= 0) {
        bool signal = returns_from_signal(&query);

        result = unwinder.step(&cursor);
        if (result > 0 && unwinder.get_reg(&cursor, UNW_REG_IP, &ip) >= 0 &&
            unwinder.get_reg(&cursor, UNW_REG_SP, &sp) >= 0) {
            if (unwinder.get_reg(&cursor, FRAME_POINTER, &fp) < 0)
                fp = 0;
            *frame = (struct ar_frame){(uintptr_t)ip, (uintptr_t)sp, (uintptr_t)fp, signal};
            result = 1;
        }
    }
    ar_unlock_word(&busy, held);
    return result < 0 ? -1 : result;
}
