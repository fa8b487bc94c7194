/* row_neighbors.c - pen_neighbors. */
#include "core/arguments.h"
#include "neighbors/neighbors.h"

#include <math.h>

static pen_status find_neighbors(pen_run *run, const pen_array *x, int64_t k, int64_t *index,
                                 double *distance)
{
    const pen_common unprocessed = { .dim = 0 };
    pen_data data = { .on_contradiction = PEN_CONTRADICTION_ERROR };
    pen_neighbor *found;
    pen_rows rows;

    PEN_TRY(pen_check_given(run, x, "x"));
    PEN_TRY(pen_check_given(run, index, "index"));
    PEN_TRY(pen_array_check(run, x, "x"));
    PEN_REQUIRE(run, x->rows >= 2, PEN_BAD_DATA, "x must have at least 2 rows, got %lld",
                (long long)x->rows);
    PEN_REQUIRE(run, k >= 1 && k <= x->rows - 1, PEN_BAD_ARGUMENT,
                "neighbors must be in [1, %lld], the number of other rows, got %lld",
                (long long)x->rows - 1, (long long)k);
    data.x = *x;
    PEN_TRY(pen_rows_open(run, &data, &unprocessed, &rows));
    PEN_TRY(pen_rows_need_squares(run, &rows, 0));
    const pen_subset all = { NULL, x->rows };
    PEN_TRY(PEN_NEW(run, found, pen_times(x->rows, k)));
    PEN_TRY(pen_neighbors_nearest(run, &rows, all, all, k, found));
    for (int64_t i = 0; i < x->rows * k; i++) {
        index[i] = found[i].row;
        if (distance)
            distance[i] = sqrt(found[i].distance2);
    }
    return PEN_OK;
}

pen_status pen_neighbors(const pen_array *x, int64_t k, const pen_control *control, int64_t *index,
                         double *distance, pen_error *err)
{
    pen_run *run;

    PEN_TRY(pen_run_open(control, err, &run));
    const pen_status status = find_neighbors(run, x, k, index, distance);
    pen_run_close(run);
    return status;
}
