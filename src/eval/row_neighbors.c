/* row_neighbors.c - pen_neighbors and pen_neighbors_relative. */
#include "core/arguments.h"
#include "neighbors/seek.h"

#include <math.h>

/* What is asked for. */
struct request {
    const pen_array *x;
    int64_t k;
    pen_space space;
    int64_t *index;
    double *distance;
};

static pen_status check(pen_run *run, const struct request *r)
{
    const int64_t n = r->x ? r->x->rows : 0;

    PEN_TRY(pen_check_given(run, r->x, "x"));
    PEN_TRY(pen_check_given(run, r->index, "index"));
    PEN_TRY(pen_array_check(run, r->x, "x"));
    PEN_REQUIRE(run, n >= 2, PEN_BAD_DATA, "x must have at least 2 rows, got %lld", (long long)n);
    PEN_REQUIRE(run, r->k >= 1 && r->k <= n - 1, PEN_BAD_ARGUMENT,
                "neighbors must be in [1, %lld], the number of other rows, got %lld",
                (long long)n - 1, (long long)r->k);
    PEN_REQUIRE(run, r->space.landmarks >= 0, PEN_BAD_ARGUMENT,
                "landmarks must be in [0, %lld], the number of rows, got %lld", (long long)n,
                (long long)r->space.landmarks);
    return PEN_OK;
}

static pen_status find_neighbors(pen_run *run, const struct request *r)
{
    const pen_common unprocessed = { .dim = 0 };
    pen_data data = { .on_contradiction = PEN_CONTRADICTION_ERROR };
    pen_neighbor_source source = { .space = r->space };
    pen_neighbor *found;
    pen_rows rows;

    PEN_TRY(check(run, r));
    data.x = *r->x;
    PEN_TRY(pen_rows_open(run, &data, &unprocessed, &rows));
    PEN_TRY(pen_rows_need_squares(run, &rows, 0));
    rows.neighbors = &source;
    PEN_TRY(PEN_NEW(run, found, pen_times(rows.n, r->k)));
    PEN_TRY(pen_seek_nearest(run, &rows, "neighbors", r->k, found));
    for (int64_t i = 0; i < rows.n * r->k; i++) {
        r->index[i] = found[i].row;
        if (r->distance)
            r->distance[i] = sqrt(found[i].distance2);
    }
    return PEN_OK;
}

static pen_status answer(const struct request *r, const pen_control *control, pen_error *err)
{
    pen_run *run;

    PEN_TRY(pen_run_open(control, err, &run));
    const pen_status status = find_neighbors(run, r);
    pen_run_close(run);
    return status;
}

pen_status pen_neighbors(const pen_array *x, int64_t k, const pen_control *control, int64_t *index,
                         double *distance, pen_error *err)
{
    const struct request r = { x, k, { .kind = PEN_SPACE_PLAIN }, index, distance };
    return answer(&r, control, err);
}

pen_status pen_neighbors_relative(const pen_array *x, int64_t k,
                                  const pen_relative_options *options, const pen_control *control,
                                  int64_t *index, double *distance, pen_error *err)
{
    const pen_relative_options all = { 0 }, *const o = options ? options : &all;
    const struct request r = {
        .x = x,
        .k = k,
        .space = { .kind = PEN_SPACE_RELATIVE,
                   .landmarks = o->landmarks,
                   .seed = (int64_t)o->seed,
                   .mode = o->plain ? PEN_LANDMARKS_PLAIN : PEN_LANDMARKS_CORRECTED },
        .index = index,
        .distance = distance,
    };
    return answer(&r, control, err);
}
