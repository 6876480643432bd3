/* SPDX-License-Identifier: MIT */
/* The settings of a budget: what it is about. */
#include "cli/budget_read.h"
#include "cli/cadence.h"

#include <string.h>

static const char *const scopes[] = {"startup", "warmup",  "steady", "shutdown",
                                     "process", "warm-up", NULL};
static const char *const pers[] = {"run", "poll", "drain", "frame", "second", NULL};
static const char *const places[] = {"in poll", "between polls", "other threads", NULL};
static const char *const cadences[] = {[CADENCE_STARTUP] = "startup",
                                       [CADENCE_WARMUP] = "warm-up",
                                       [CADENCE_ONCE] = "once",
                                       [CADENCE_GROWTH] = "growth",
                                       [CADENCE_BURST] = "burst",
                                       [CADENCE_PERIODIC] = "periodic",
                                       [CADENCE_EVERY_POLL] = "every poll",
                                       [CADENCE_SHUTDOWN] = "shutdown",
                                       NULL};
const char *const budget_settings[] = {"scope", "thread",  "site",    "where", "per",
                                       "when",  "cadence", "growing", NULL};
enum setting { SCOPE, THREAD, SITE, WHERE, PER, WHEN, CADENCE, GROWING };

static int read_when(struct budget_reader *reader, const struct budget_yaml *yaml,
                     struct budget_when *when)
{
    static const char *const words[] = {"sdl", "video", "arch", NULL};

    when->mark = yaml->mark;
    if (yaml->kind != BUDGET_YAML_MAPPING || yaml->count == 0)
        return budget_yaml_error(reader->source, yaml->mark,
                                 "'when' has one or more of sdl, video, arch: {video: dummy}");
    for (size_t i = 0; i < yaml->count; i += 2) {
        int word = budget_word(reader, yaml->children[i], "condition", words);
        const char *text = word >= 0 ? budget_text(reader, yaml->children[i + 1]) : NULL;

        if (text == NULL)
            return -1;
        *(word == 0 ? &when->sdl : word == 1 ? &when->video : &when->arch) = text;
    }
    return 0;
}

/* A word, or several in a list: as bits. */
static int read_bits(struct budget_reader *reader, const struct budget_yaml *yaml, const char *what,
                     const char *const *words, unsigned *bits)
{
    size_t count = yaml->kind == BUDGET_YAML_SEQUENCE ? yaml->count : 1;

    if (count == 0)
        return budget_yaml_error(reader->source, yaml->mark, "the list is empty: of which %s?",
                                 what);
    for (size_t i = 0; i < count; i++) {
        const struct budget_yaml *one =
            yaml->kind == BUDGET_YAML_SEQUENCE ? yaml->children[i] : yaml;
        int word = budget_word(reader, one, what, words);

        if (word < 0)
            return -1;
        *bits |= 1u << word;
    }
    return 0;
}

int budget_per(struct budget_reader *reader, const struct budget_yaml *yaml, enum budget_per *per)
{
    int word = budget_word(reader, yaml, "unit to count by", pers);

    *per = word < 0 ? BUDGET_PER_NONE : (enum budget_per)word;
    return word < 0 ? -1 : 0;
}

static int read_scope(struct budget_reader *reader, const struct budget_yaml *value,
                      enum budget_scope *scope)
{
    int word = budget_word(reader, value, "scope", scopes);

    if (word < 0)
        return -1;
    *scope = word == BUDGET_SCOPES ? BUDGET_WARMUP : (enum budget_scope)word;
    return 0;
}

static int read_setting(struct budget_reader *reader, const struct budget_yaml *value,
                        enum setting setting, struct budget *budget)
{
    switch (setting) {
    case SCOPE:
        return read_scope(reader, value, &budget->scope);
    case THREAD:
        budget->thread = budget_text(reader, value);
        budget->thread_mark = value->mark;
        return budget->thread != NULL ? 0 : -1;
    case SITE:
        budget->site = budget_site(reader, value);
        budget->site_text = budget->site != NULL ? budget_text(reader, value) : NULL;
        budget->site_mark = value->mark;
        return budget->site != NULL ? 0 : -1;
    case WHERE:
        return read_bits(reader, value, "place", places, &budget->places);
    case PER:
        return budget_per(reader, value, &budget->per);
    case WHEN:
        return read_when(reader, value, &budget->when);
    case GROWING:
        return budget_flag(reader, value, &budget->sustained);
    default:
        return read_bits(reader, value, "cadence", cadences, &budget->cadences);
    }
}

static int setting_of(const struct budget_yaml *key)
{
    for (int i = 0; budget_settings[i] != NULL; i++)
        if (strcmp(budget_settings[i], key->text) == 0)
            return i;
    return -1;
}

bool budget_is_setting(const struct budget_yaml *key)
{
    return setting_of(key) >= 0;
}

/* Settings that leave nothing over which any limit could be exceeded. */
static int check_settings(struct budget_reader *reader, const struct budget_yaml *yaml,
                          const struct budget *budget)
{
    const struct budget_yaml *where = budget_yaml_get(yaml, "where");
    const struct budget_yaml *cadence = budget_yaml_get(yaml, "cadence");
    const unsigned never_steady =
        1u << CADENCE_STARTUP | 1u << CADENCE_WARMUP | 1u << CADENCE_SHUTDOWN;

    if (where != NULL && (budget->places & BUDGET_OTHER) != 0 &&
        strcmp(budget->thread, "loop") == 0)
        return budget_yaml_error(reader->source, where->mark,
                                 "'other threads' are none of the loop: leave out 'thread: loop'");
    if (cadence != NULL && budget->scope == BUDGET_STEADY &&
        (budget->cadences & ~never_steady) == 0)
        return budget_yaml_error(reader->source, cadence->mark,
                                 "sites of such a cadence never allocate in the steady phase: say "
                                 "another 'scope'");
    return 0;
}

int budget_read_settings(struct budget_reader *reader, const struct budget_yaml *yaml,
                         struct budget *budget)
{
    budget->scope = BUDGET_STEADY;
    budget->thread_mark = budget->mark;
    for (size_t i = 0; i < yaml->count; i += 2) {
        int setting = setting_of(yaml->children[i]);

        if (setting >= 0 &&
            read_setting(reader, yaml->children[i + 1], (enum setting)setting, budget) != 0)
            return -1;
    }
    if (budget->thread == NULL)
        budget->thread = (budget->places & BUDGET_OTHER) != 0 ? "all" : "loop";
    /* Most of the other scopes is no poll. */
    if (budget_yaml_get(yaml, "per") == NULL)
        budget->per = budget->scope == BUDGET_STEADY || budget->scope == BUDGET_WARMUP
                          ? BUDGET_PER_POLL
                          : BUDGET_PER_NONE;
    return check_settings(reader, yaml, budget);
}
