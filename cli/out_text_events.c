/* SPDX-License-Identifier: MIT */
/* The polls by event: what drains allocated in their polls, by the types that they brought. */
#include "cli/out_text.h"
#include "cli/table.h"

static const struct table_column columns[] = {
    {"event", TABLE_LEFT},         {"events", TABLE_RIGHT},      {"drains", TABLE_RIGHT},
    {"allocs/drain", TABLE_RIGHT}, {"bytes/drain", TABLE_RIGHT}, {"max bytes", TABLE_RIGHT},
    {"alone", TABLE_RIGHT},        {"allocs", TABLE_RIGHT},      {"bytes", TABLE_RIGHT},
};

static void each_cell(struct table *table, uint64_t amount, uint64_t drains)
{
    table_cell(table, drains > 0 ? format_cell((double)amount / (double)drains).text : "");
}

static void event_row(struct table *table, const struct model_event *event)
{
    bool summed = event->kind == DUMP_EVENT_NONE || event->kind == DUMP_EVENT_SEVERAL;

    table_cell(table, event->name);
    table_cell(table, summed ? "" : format_count(event->events).text);
    table_cell(table, format_count(event->drains).text);
    each_cell(table, event->allocations, event->drains);
    each_cell(table, event->bytes, event->drains);
    table_cell(table, format_count(event->most_bytes).text);
    table_cell(table, summed ? "" : format_count(event->alone_drains).text);
    each_cell(table, event->alone_allocations, summed ? 0 : event->alone_drains);
    each_cell(table, event->alone_bytes, summed ? 0 : event->alone_drains);
}

void out_text_events(const struct out_request *request)
{
    const struct model *model = request->model;
    const struct term *term = &request->term;

    if (!model->knows_events) {
        out_text_say(term, TERM_BAD, "this dump says nothing of events: its recorder is older");
        return;
    }
    fprintf(term->out, "%swhat drains allocate in their polls, by the events that they bring%s\n\n",
            term_on(term, TERM_DIM), term_off(term, TERM_DIM));
    struct table *table = table_new(columns, sizeof columns / sizeof columns[0], 0);
    for (size_t i = 0; i < model->event_count; i++)
        event_row(table, &model->events[i]);
    table_print(table, term);
    fprintf(term->out,
            "\n%sa drain counts at each type that it brings; alone: the drains that bring nothing "
            "else%s\n",
            term_on(term, TERM_DIM), term_off(term, TERM_DIM));
}
