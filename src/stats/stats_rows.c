/* stats_rows.c - the row steps before statistics. */
#include "stats/stats_rows.h"

#include "model/spec.h"

#include <string.h>

int pen_stats_steps_possible(const pen_spec *spec)
{
    const pen_row_params *const row = &spec->common.row;

    return spec->common.kernel.kind == PEN_KERNEL_NONE && row->total >= 0 && !row->idf
           && row->select == 0;
}

pen_status pen_stats_check_steps(pen_run *run, const pen_spec *spec)
{
    const pen_row_params *const row = &spec->common.row;

    PEN_REQUIRE(run, spec->common.kernel.kind == PEN_KERNEL_NONE, PEN_BAD_ARGUMENT,
                "a kernel needs the rows, not statistics of them: kernel must be none");
    PEN_REQUIRE(run, pen_stats_steps_possible(spec), PEN_BAD_ARGUMENT,
                "%s is learned from all rows, but these are in blocks: leave it out of row_steps, "
                "or give rows after this step",
                row->total < 0 ? "total:median"
                : row->idf     ? "idf"
                               : "select");
    return PEN_OK;
}

pen_status pen_stats_check_rows(pen_run *run, const pen_spec *spec, const pen_stats *s,
                                const char *what)
{
    char have[PEN_PARAM_SIZE], asked[PEN_PARAM_SIZE];

    pen_text_write(&pen_row_steps_form, &s->row, have);
    pen_text_write(&pen_row_steps_form, &spec->common.row, asked);
    PEN_REQUIRE(run, strcmp(have, asked) == 0, PEN_BAD_ARGUMENT,
                "the statistics have row_steps \"%s\", %s has \"%s\"", have, what, asked);
    return PEN_OK;
}

pen_status pen_stats_take_steps(pen_run *run, const pen_spec *spec, pen_array *x)
{
    pen_row_steps steps;
    pen_array after;

    if (!pen_row_params_any(&spec->common.row) || x->rows == 0)
        return PEN_OK;
    PEN_TRY(pen_row_steps_learn(run, &spec->common.row, x, &steps));
    PEN_TRY(pen_row_steps_apply(run, &steps, x, 0, x->rows, &after));
    *x = after;
    return PEN_OK;
}

pen_moments pen_stats_moments(const pen_spec *spec, const pen_stats *s)
{
    return (pen_moments){ .method = spec->method->name,
                          .merges = pen_stats_merges(s),
                          .n = pen_stats_count(s),
                          .unit = s->row.l2,
                          .low = s->low,
                          .high = s->high,
                          .mean = s->mean,
                          .scatter = s->scatter };
}
