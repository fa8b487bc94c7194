/* opened.c - runs, their notes, and opened rows. */
#include "kit/opened.h"

pen_run *open_run(int threads, pen_error *err)
{
    const pen_control control = { .threads = threads };
    pen_run *run;

    CHECK_CALL(pen_run_open(&control, err, &run));
    return run;
}

double note_of(const pen_run *run, const char *name)
{
    const pen_remark *remark;

    for (int i = 0; (remark = pen_note_at(run, i)); i++)
        if (strcmp(remark->name, name) == 0)
            return remark->number;
    return (double)NAN;
}

void open_rows(const pen_data *data, int threads, opened *o)
{
    *o = (opened){ .run = NULL };
    o->run = open_run(threads, &o->err);
    CHECK_OK(pen_rows_open(o->run, data, 0, PEN_SCALE_NONE, &o->p.rows), &o->err);
}

void open_pairs(const pen_data *data, int threads, const pen_pair_params *how, enum pen_order order,
                opened *o)
{
    open_rows(data, threads, o);
    CHECK_OK(pen_pairs_open(o->run, data, how, 0, &o->p.rows, order, &o->pairs), &o->err);
    o->p.pairs = &o->pairs;
}
