/* SPDX-License-Identifier: MIT */
#include "preload/walk.h"

#include "preload/objects.h"
#include "preload/rules.h"

#include <stddef.h>

struct walker {
    struct ar_walk *walk;
    struct ar_spans *spans;
    struct ar_span *span; /* of the stack that frame.sp is on */
    struct ar_frame frame;
    uintptr_t start;    /* the stack pointer that offsets count from */
    uintptr_t fp_place; /* the stack word that holds frame.fp; 0: a register still does */
    bool fp_noted;
};

static bool readable(struct walker *walker, uintptr_t address)
{
    return address % sizeof(uintptr_t) == 0 && address >= walker->span->low &&
           ar_span_covers(walker->span, address);
}

static bool read_word(void *context, uintptr_t address, uintptr_t *word)
{
    if (!readable(context, address))
        return false;
    *word = *(const uintptr_t *)address;
    return true;
}

static void note_relative(struct walker *walker, uintptr_t place)
{
    struct ar_walk *walk = walker->walk;

    if (walk->relative_count == AR_FRAMES_MOST + 2) {
        walk->memorable = false;
        return;
    }
    walk->relative[walk->relative_count].offset = (int32_t)(place - walker->start);
    walk->relative[walk->relative_count].before = walk->plain_count;
    walk->relative[walk->relative_count].value = *(const uintptr_t *)place - walker->start;
    walk->relative_count++;
}

/* The way now depends on the frame pointer, and so on the word that it was read from. */
static void use_frame_pointer(struct walker *walker)
{
    if (walker->fp_noted)
        return;
    walker->fp_noted = true;
    if (walker->fp_place != 0)
        note_relative(walker, walker->fp_place);
    else
        walker->walk->memorable = false;
}

static bool find_cfa(struct walker *walker, const struct ar_rule *rule, uintptr_t *cfa)
{
    uintptr_t word = walker->frame.fp + (uintptr_t)(intptr_t)rule->word;

    switch (rule->base) {
    case AR_BASE_SP:
        *cfa = walker->frame.sp + (uintptr_t)(intptr_t)rule->cfa;
        return true;
    case AR_BASE_FP:
        use_frame_pointer(walker);
        *cfa = walker->frame.fp + (uintptr_t)(intptr_t)rule->cfa;
        return true;
    default:
        use_frame_pointer(walker);
        if (!readable(walker, word))
            return false;
        note_relative(walker, word);
        *cfa = *(const uintptr_t *)word + (uintptr_t)(intptr_t)rule->cfa;
        return true;
    }
}

static bool leave_simply(struct walker *walker, const struct ar_rule *rule)
{
    struct ar_walk *walk = walker->walk;
    uintptr_t cfa;
    uintptr_t place;

    if (!find_cfa(walker, rule, &cfa) || cfa <= walker->frame.sp)
        return false;
    place = cfa + (uintptr_t)(intptr_t)rule->ra;
    if (!readable(walker, place))
        return false;
    walk->plain[walk->plain_count].offset = (int32_t)(place - walker->start);
    walk->plain[walk->plain_count].value = *(const uintptr_t *)place;
    walk->plain_count++;
    walker->frame.ip = *(const uintptr_t *)place;
    if (rule->fp != AR_FP_SAME) {
        place = rule->base == AR_BASE_FP_WORD ? walker->frame.fp : cfa;
        place += (uintptr_t)(intptr_t)rule->fp;
        if (!readable(walker, place))
            return false;
        walker->frame.fp = *(const uintptr_t *)place;
        walker->fp_place = place;
        walker->fp_noted = false;
    }
    walker->frame.sp = cfa;
    walker->frame.exact = false;
    return true;
}

static bool leave_slowly(struct walker *walker)
{
    struct ar_frame before = walker->frame;
    int left;

    walker->walk->memorable = false;
    left = ar_unwind_step(&walker->frame, read_word, walker);
    if (left <= 0) {
        walker->walk->outermost = left == 0;
        return false;
    }
    /* A signal's handler may have a stack of its own; otherwise a walk goes outwards on one. */
    if (walker->frame.exact)
        walker->span = ar_span_of(walker->spans, walker->frame.sp);
    return walker->frame.exact || walker->frame.sp > before.sp;
}

/* Do the bytes before `ip` call something? It may be no code at all, and no memory. */
static bool follows_call(uintptr_t ip)
{
#if defined(__x86_64__) || defined(__i386__)
    uint8_t code[7];

    if (ip < sizeof code || !ar_span_peek(ip - sizeof code, code, sizeof code))
        return false;
    /* call rel32, or call through a register or a word in memory: 2, 3, 6 or 7 bytes from its 0xff
     * on */
    return code[2] == 0xe8 || (code[5] == 0xff && (code[6] & 0x38) == 0x10) ||
           (code[4] == 0xff && (code[5] & 0x38) == 0x10) ||
           (code[1] == 0xff && (code[2] & 0x38) == 0x10) ||
           (code[0] == 0xff && (code[1] & 0x38) == 0x10);
#else
    uint32_t code;

    if (ip < sizeof code || !ar_span_peek(ip - sizeof code, &code, sizeof code))
        return false;
    return (code & 0xfc000000u) == 0x94000000u || (code & 0xfffffc1fu) == 0xd63f0000u; /* bl, blr */
#endif
}

/* Code without a table (assembly, a JIT's) may keep a frame pointer: its words must look like one.
 */
static bool leave_by_guess(struct walker *walker)
{
    struct ar_tables tables = {0};
    uintptr_t fp = walker->frame.fp;
    uintptr_t ip;

    walker->walk->memorable = false;
    if (fp == 0) {
        walker->walk->outermost = true; /* where a program starts, the ABI has it zero */
        return false;
    }
    /* The frame pointer may be anything: what was a stack's once may be nobody's now, so the kernel
     * is asked anew for all that lies above. */
    walker->span->high = (walker->frame.sp & ~(uintptr_t)4095) + 4096;
    if (fp < walker->frame.sp || fp % sizeof(uintptr_t) != 0 || !readable(walker, fp) ||
        !readable(walker, fp + sizeof(uintptr_t)))
        return false;
    ip = ((const uintptr_t *)fp)[1];
    if (!ar_objects_tables(ip - 1, &tables) && !follows_call(ip))
        return false;
    walker->frame =
        (struct ar_frame){ip, fp + 2 * sizeof(uintptr_t), *(const uintptr_t *)fp, false};
    walker->fp_place = fp;
    walker->fp_noted = false;
    return true;
}

static bool leave(struct walker *walker, bool slowly)
{
    struct ar_rule rule;

    if (slowly)
        return leave_slowly(walker);
    rule = ar_rules_for(walker->frame.ip, walker->frame.exact);
    switch (rule.kind) {
    case AR_RULE_SIMPLE:
        return leave_simply(walker, &rule);
    case AR_RULE_OUTERMOST:
        walker->walk->outermost = true;
        return false;
    case AR_RULE_SLOW:
        return leave_slowly(walker);
    case AR_RULE_GUESS:
        return leave_by_guess(walker);
    default:
        return false;
    }
}

static void walk_from(struct ar_walk *walk, struct ar_frame frame, struct ar_spans *spans,
                      unsigned most, bool slowly)
{
    struct walker walker = {.walk = walk, .spans = spans, .frame = frame, .start = frame.sp};

    walker.span = ar_span_of(spans, frame.sp);
    /* The hook has saved its caller's frame pointer in the word below its return address. */
    walker.fp_place = frame.sp - 2 * sizeof(uintptr_t);
    walk->count = walk->plain_count = walk->relative_count = 0;
    walk->exact = 0;
    walk->outermost = walk->broken = false;
    walk->memorable = true;
    for (;;) {
        if (walker.frame.ip == 0) {
            walk->outermost = true;
            return;
        }
        if (walker.frame.exact && walk->count < 32)
            walk->exact |= UINT32_C(1) << walk->count;
        walk->addresses[walk->count++] = walker.frame.ip;
        if (walk->count == most)
            return;
        if (!leave(&walker, slowly))
            break;
    }
    walk->broken = !walk->outermost;
    walk->memorable = walk->memorable && !walk->broken;
}

void ar_walk(struct ar_walk *walk, struct ar_frame frame, struct ar_spans *spans, unsigned most)
{
    walk_from(walk, frame, spans, most, false);
}

void ar_walk_slowly(struct ar_walk *walk, struct ar_frame frame, struct ar_spans *spans,
                    unsigned most)
{
    walk_from(walk, frame, spans, most, true);
}
