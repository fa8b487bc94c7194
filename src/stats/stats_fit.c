/* stats_fit.c - pen_stats_fit: a model from merged statistics, as from all rows. */
#include "core/arguments.h"
#include "model/model.h"
#include "stats/stats_source.h"

static pen_status fit(pen_run *run, const pen_spec *spec, const pen_stats *stats,
                      const pen_data *pairs, const pen_control *control, pen_model **out)
{
    pen_stats_source f;
    pen_error err;

    PEN_TRY(pen_check_given(run, spec, "spec"));
    PEN_TRY(pen_check_given(run, stats, "stats"));
    PEN_TRY(pen_check_given(run, out, "out"));
    PEN_TRY(pen_stats_source_open(run, spec, stats, pairs, &f));
    return pen_model_fit_moments(spec, &f.data, &f.moments, control, out, &err) == PEN_OK
               ? PEN_OK
               : pen_fail_as(run, &err);
}

pen_status pen_stats_fit(const pen_spec *spec, const pen_stats *stats, const pen_data *pairs,
                         const pen_control *control, pen_model **out, pen_error *err)
{
    pen_run *run;

    if (out)
        *out = NULL;
    PEN_TRY(pen_run_open(control, err, &run));
    const pen_status status = fit(run, spec, stats, pairs, control, out);
    pen_run_close(run);
    return status;
}
