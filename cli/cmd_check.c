/* SPDX-License-Identifier: MIT */
#include "cli/command.h"
#include "cli/errors.h"
#include "cli/gate.h"
#include "cli/request.h"

struct check_values {
    struct request_options common;
    struct gate_options gate;
    bool self_test;
};

static const struct option_spec options[] = {
    GATE_OPTIONS(check_values),
    REQUEST_JSON(check_values),
    {.name = "update",
     .type = OPTION_FLAG,
     .help = "rewrite the baseline from this dump, and print what changed",
     .offset = offsetof(struct check_values, gate.update)},
    {.name = "tighten",
     .type = OPTION_FLAG,
     .help = "lower the baseline where this dump is lower, and nowhere else",
     .offset = offsetof(struct check_values, gate.tighten)},
    {.name = "ci",
     .type = OPTION_FLAG,
     .help = "rewrite the baseline even where the variable CI is set",
     .offset = offsetof(struct check_values, gate.ci)},
    {.name = "self-test",
     .type = OPTION_FLAG,
     .help = "see whether the recorder sees what it must on this machine; no DUMP",
     .offset = offsetof(struct check_values, self_test)},
    REQUEST_COLOUR(check_values),
    {.name = NULL},
};

/* What the options say together; false: printed what is wrong. */
static bool agree(const struct check_values *values, int count)
{
    const struct gate_options *gate = &values->gate;

    if (values->self_test && count > 0)
        error("option '--self-test' takes no dump: it makes its own");
    else if (!values->self_test && count == 0)
        error("check: an argument is missing; usage: allocreport check [options] DUMP");
    else if (gate->update && gate->tighten)
        error("options '--update' and '--tighten': one of the two");
    else if ((gate->update || gate->tighten) && gate->baseline == NULL)
        error("option '--%s': which baseline? give it with --baseline",
              gate->update ? "update" : "tighten");
    else if (values->common.json && gate->format != OUT_VERDICT_TEXT)
        error("options '--json' and '--format': one of the two");
    else
        return true;
    return false;
}

static int check_run(const void *data, int count, char **operands)
{
    struct check_values values = *(const struct check_values *)data;
    struct out_request request;
    struct gate gate;

    if (!agree(&values, count))
        return EXIT_USAGE;
    if (values.common.json)
        values.gate.format = OUT_VERDICT_JSON;
    if (values.self_test) {
        struct term term = term_of(stdout, (enum term_colour)values.common.colour);
        return gate_self_test(&term);
    }

    int status = gate_open(&gate, &values.gate);
    if (status != EXIT_FINE)
        return status;
    status = request_open(&request, &values.common, operands[0]);
    if (status == EXIT_FINE) {
        status = values.gate.update || values.gate.tighten ? gate_update(&gate, &request)
                                                           : gate_judge(&gate, &request, NULL);
        request_close(&request);
    }
    gate_close(&gate);
    return status;
}

const struct command command_check = {
    .name = "check",
    .operands = "DUMP",
    .summary = "compare a dump with budgets and a baseline: a gate for CI",
    .notes = "Exit status: 0 passes, 1 exceeded, 2 usage or budget file, 3 dump or baseline\n"
             "that cannot be read, 4 inconclusive, 5 only better, under --strict.",
    .options = options,
    .values_size = sizeof(struct check_values),
    .least = 0,
    .most = 1,
    .run = check_run,
};

static const struct option_spec no_options[] = {{.name = NULL}};

static int self_test_child_run(const void *data, int count, char **operands)
{
    (void)data;
    (void)count;
    (void)operands;
    return gate_self_test_child();
}

const struct command command_self_test_child = {
    .name = "self-test-child",
    .operands = "",
    .summary = "what 'check --self-test' runs: one byte in each poll",
    .options = no_options,
    .values_size = 1,
    .least = 0,
    .most = 0,
    .hidden = true,
    .run = self_test_child_run,
};
