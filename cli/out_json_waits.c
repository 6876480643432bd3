/* SPDX-License-Identifier: MIT */
/* SDL's waits. The names are documented in allocreport-report(1). */
#include "cli/out_json.h"

json_t *out_json_waits(const struct model_waits *waits)
{
    json_t *object = json_object();

    out_json_set_number(object, "count", waits->count);
    out_json_set_number(object, "replaced", waits->replaced);
    out_json_set_number(object, "nanoseconds", waits->ns);
    out_json_set_number(object, "wakeups", waits->switches);
    out_json_set_number(object, "cpu_nanoseconds", waits->cpu_ns);
    out_json_set(object, "wakeups_per_second", json_real(model_waits_wakeups(waits)));
    out_json_set_number(object, "step_nanoseconds", model_waits_step_ns(waits));
    out_json_set(object, "in_steps", json_boolean(model_waits_in_steps(waits)));
    return object;
}
