/* stats_rows.c - what becomes of a row before it is counted. */
#include "stats/stats_rows.h"

#include "core/number.h"
#include "model/spec.h"

#include <stdio.h>
#include <string.h>

void pen_stats_steps_text(const pen_stats *s, char text[PEN_STEPS_TEXT])
{
    const pen_row_params *const row = &s->row;
    char total[PEN_NUMBER_SIZE], list[PEN_STEPS_TEXT + 2] = ", no row steps";
    int used = 0;

    pen_number_write(row->total, total);
    if (row->total > 0)
        used += snprintf(list, sizeof list, ", row_total %s", total);
    if (row->log1p)
        used += snprintf(list + used, sizeof list - (size_t)used, ", log1p");
    if (row->snv)
        used += snprintf(list + used, sizeof list - (size_t)used, ", snv");
    if (row->derivative > 0)
        snprintf(list + used, sizeof list - (size_t)used, ", derivative %lld",
                 (long long)row->derivative);
    memcpy(text, list + 2, PEN_STEPS_TEXT);
}

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
                "%s is learned from all rows, and these are in blocks: leave it out of row_steps, "
                "or give rows that have taken this step",
                row->total < 0 ? "total:median"
                : row->idf     ? "idf"
                               : "select");
    return PEN_OK;
}

void pen_stats_note_steps(const pen_spec *spec, pen_stats *s)
{
    s->unit = spec->common.row.l2;
    s->row = spec->common.row;
}

void pen_stats_copy_steps(const pen_stats *from, pen_stats *to)
{
    to->unit = from->unit;
    to->row = from->row;
}

pen_status pen_stats_check_rows(pen_run *run, const pen_spec *spec, const pen_stats *s,
                                const char *what)
{
    char have[PEN_STEPS_TEXT], asked[PEN_STEPS_TEXT];
    pen_stats of_spec = { .parts = 0 };

    pen_stats_note_steps(spec, &of_spec);
    pen_stats_steps_text(s, have);
    pen_stats_steps_text(&of_spec, asked);
    PEN_REQUIRE(run, s->unit == of_spec.unit, PEN_BAD_ARGUMENT,
                "the statistics have normalize %s, %s has normalize %s", s->unit ? "l2" : "none",
                what, of_spec.unit ? "l2" : "none");
    PEN_REQUIRE(run, strcmp(have, asked) == 0, PEN_BAD_ARGUMENT,
                "the statistics have %s, %s has %s", have, what, asked);
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
