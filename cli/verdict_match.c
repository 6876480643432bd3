/* SPDX-License-Identifier: MIT */
/* Which sites, threads, modules and conditions of the run a budget means. */
#include "cli/errors.h"
#include "cli/glob.h"
#include "cli/verdict_private.h"

#include <elf.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

bool verdict_thread_matches(const struct model_thread *thread, const char *pattern)
{
    if (strcmp(pattern, "all") == 0)
        return true;
    if (strcmp(pattern, "loop") == 0)
        return thread->polls;
    return fnmatch(pattern, thread->name, 0) == 0;
}

/* A place in which none of the threads can allocate: the budget would read 0 for ever. */
static const char *never_there(struct verdict *verdict, const struct budget *budget, bool polls,
                               bool others)
{
    if ((budget->places & (BUDGET_IN_POLL | BUDGET_BETWEEN)) != 0 && !polls)
        return verdict_text(verdict, "no thread '%s' polls: its place is 'other threads'",
                            budget->thread);
    if ((budget->places & BUDGET_OTHER) != 0 && !others)
        return verdict_text(verdict, "each thread '%s' polls: none is of 'other threads'",
                            budget->thread);
    return NULL;
}

const char *verdict_missing_thread(struct verdict *verdict, const struct budget *budget)
{
    const struct model *model = verdict->model;
    const char *names = NULL;
    bool polls = false;
    bool others = false;

    /* Whether there is a loop is asked elsewhere. */
    if (strcmp(budget->thread, "loop") == 0 || strcmp(budget->thread, "all") == 0)
        return NULL;
    for (size_t i = 0; i < model->thread_count; i++) {
        const struct model_thread *thread = &model->threads[i];

        if (verdict_thread_matches(thread, budget->thread)) {
            polls = polls || thread->polls;
            others = others || !thread->polls;
        }
        if (i < 8)
            names = verdict_text(verdict, "%s%s'%s'", names != NULL ? names : "",
                                 names != NULL ? ", " : "", thread->name);
    }
    if (polls || others)
        return never_there(verdict, budget, polls, others);
    return verdict_text(verdict, "no thread's name matches '%s'; there were %s%s", budget->thread,
                        names != NULL ? names : "none", model->thread_count > 8 ? " ..." : "");
}

const char *verdict_missing_module(struct verdict *verdict, const struct glob *glob)
{
    const struct model *model = verdict->model;
    const char *pattern;

    for (size_t i = 0; (pattern = glob_module(glob, i)) != NULL; i++) {
        bool found = false;

        for (size_t m = 0; m < model->module_count && !found; m++)
            found = fnmatch(pattern, model->modules[m].name, 0) == 0;
        if (!found)
            return verdict_text(
                verdict, "no module's name matches '%s'; 'allocreport info' lists them", pattern);
    }
    return NULL;
}

static const char *machine_name(uint32_t machine)
{
    static const struct {
        uint32_t machine;
        const char *name;
    } names[] = {
        {EM_X86_64, "x86_64"}, {EM_AARCH64, "aarch64"},       {EM_386, "i686"},
        {EM_ARM, "armv7l"},    {EM_RISCV, "riscv64"},         {EM_PPC64, "ppc64le"},
        {EM_S390, "s390x"},    {EM_LOONGARCH, "loongarch64"},
    };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i].machine == machine)
            return names[i].name;
    return "";
}

static const char *unmet_one(struct verdict *verdict, const char *what, const char *pattern,
                             const char *is)
{
    if (pattern == NULL || fnmatch(pattern, is, 0) == 0)
        return NULL;
    return verdict_text(verdict, "%s is '%s', not '%s'", what, is, pattern);
}

const char *verdict_unmet(struct verdict *verdict, const struct budget_when *when)
{
    const struct model *model = verdict->model;
    const char *unmet = unmet_one(verdict, "SDL's version", when->sdl, model->sdl_version);

    if (unmet == NULL)
        unmet = unmet_one(verdict, "the video driver", when->video, model->video_driver);
    if (unmet == NULL)
        unmet = unmet_one(verdict, "the machine", when->arch, machine_name(model->machine));
    return unmet;
}

/* --- patterns and sites ---------------------------------------------------------------------- */

struct lines {
    struct glob_line *lines;
    char **names; /* of those without a function; the others' belong to the model */
    size_t count, site;
};

static struct lines lines_of(struct model *model, const struct model_stack *stack)
{
    struct lines result = {.count = 0};
    struct model_line *lines = model_lines(model, stack, &result.count);
    struct model_line named;
    bool has_name = model_name(model, stack, &named);

    result.lines = xcalloc(result.count + 1, sizeof *result.lines);
    result.names = xcalloc(result.count + 1, sizeof *result.names);
    for (size_t i = 0; i < result.count; i++) {
        if (lines[i].function == NULL)
            result.names[i] = model_line_text(&lines[i]);
        result.lines[i] = (struct glob_line){
            .module = lines[i].module != NULL ? lines[i].module->name : "",
            .function = lines[i].function != NULL ? lines[i].function : result.names[i],
        };
        if (has_name && lines[i].frame == named.frame && lines[i].function == named.function &&
            lines[i].line == named.line)
            result.site = i;
    }
    free(lines);
    return result;
}

static void lines_free(struct lines *lines)
{
    for (size_t i = 0; i < lines->count; i++)
        free(lines->names[i]);
    free(lines->names);
    free(lines->lines);
}

static bool *new_row(struct verdict *verdict, const struct glob *glob)
{
    return glob != NULL ? verdict_memory(verdict, verdict->model->site_count, sizeof(bool)) : NULL;
}

static bool matches(const struct glob *glob, const struct lines *lines)
{
    return lines->count > 0 && glob_matches(glob, lines->lines, lines->count, lines->site);
}

void verdict_match(struct verdict *verdict)
{
    struct verdict_private *inner = verdict->private;
    const struct budget_file *file = verdict->file;
    bool any = file->allowance_count > 0;

    inner->budget_sites = verdict_memory(verdict, file->budget_count, sizeof(bool *));
    inner->allowance_sites = verdict_memory(verdict, file->allowance_count, sizeof(bool *));
    for (size_t i = 0; i < file->budget_count; i++) {
        inner->budget_sites[i] = new_row(verdict, file->budgets[i].site);
        any = any || inner->budget_sites[i] != NULL;
    }
    for (size_t i = 0; i < file->allowance_count; i++)
        inner->allowance_sites[i] = new_row(verdict, file->allowances[i].site);
    if (file->allowance_count > 0)
        inner->allowed = verdict_memory(verdict, verdict->model->site_count, sizeof(bool));

    for (size_t s = 0; any && s < verdict->model->site_count; s++) {
        struct lines lines = lines_of(inner->model, verdict->model->sites[s].stack);

        for (size_t i = 0; i < file->budget_count; i++)
            if (inner->budget_sites[i] != NULL)
                inner->budget_sites[i][s] = matches(file->budgets[i].site, &lines);
        for (size_t i = 0; i < file->allowance_count; i++) {
            inner->allowance_sites[i][s] = matches(file->allowances[i].site, &lines);
            inner->allowed[s] = inner->allowed[s] || inner->allowance_sites[i][s];
        }
        lines_free(&lines);
    }
}
