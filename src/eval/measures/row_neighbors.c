/* row_neighbors.c - pen_neighbors. */
#include "core/arguments.h"
#include "neighbors/neighbors.h"

#include <float.h>
#include <math.h>

/* The request. */
struct request {
    const pen_array *x;
    const pen_array *queries; /* or NULL: the rows of x */
    int64_t k;
    int64_t *index;
    double *distance;
};

static pen_status check(pen_run *run, const struct request *r)
{
    PEN_TRY(pen_check_given(run, r->x, "x"));
    PEN_TRY(pen_check_given(run, r->index, "index"));
    if (r->queries)
        PEN_TRY(pen_array_check(run, r->queries, "queries"));
    PEN_TRY(pen_array_check(run, r->x, "x"));
    const int64_t n = r->x->rows, most = r->queries ? n : n - 1;
    PEN_REQUIRE(run, most >= 1, PEN_BAD_DATA, "x must have at least 2 rows, got %lld",
                (long long)n);
    PEN_REQUIRE(run, !r->queries || r->queries->cols == r->x->cols, PEN_BAD_ARGUMENT,
                "queries must have the %lld columns of x, got %lld", (long long)r->x->cols,
                r->queries ? (long long)r->queries->cols : 0);
    PEN_REQUIRE(run, r->k >= 1 && r->k <= most, PEN_BAD_ARGUMENT,
                "neighbors must be in [1, %lld], the number of %srows, got %lld", (long long)most,
                r->queries ? "" : "other ", (long long)r->k);
    return PEN_OK;
}

/* Opens the rows of an array unscaled. */
static pen_status open_rows(pen_run *run, const pen_array *x, pen_view *out)
{
    const pen_data data = { .x = *x };

    PEN_TRY(pen_rows_open(run, &data, 0, PEN_SCALE_NONE, out));
    return pen_rows_need_squares(run, out, 0);
}

static void copy_lists(const struct request *r, int64_t n, const pen_neighbor *found)
{
    for (int64_t i = 0; i < n * r->k; i++) {
        r->index[i] = found[i].row;
        if (r->distance)
            r->distance[i] = sqrt(found[i].distance2);
    }
}

static pen_status find_neighbors(pen_run *run, const struct request *r)
{
    pen_neighbor *found;
    pen_view rows;

    PEN_TRY(check(run, r));
    PEN_TRY(open_rows(run, r->x, &rows));
    PEN_TRY(PEN_NEW(run, found, pen_times(rows.n, r->k)));
    const pen_subset all = { NULL, rows.n };
    PEN_TRY(pen_neighbors_nearest(run, &rows, all, all, r->k, found));
    copy_lists(r, rows.n, found);
    return PEN_OK;
}

/* Queries have the origin of x and may be too far from it for their squares. */
static pen_status check_reach(pen_run *run, pen_view *queries, pen_view *x)
{
    const double most_single = 1e15, most = 1e140;
    double *low, *high, largest = 0;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_rows_extremes(run, queries, &low, &high));
    for (int64_t j = 0; j < x->d; j++)
        largest = fmax(largest, fmax(fabs(low[j]), fabs(high[j])));
    pen_release(run, mark);
    PEN_REQUIRE(run, largest <= most, PEN_BAD_DATA,
                "queries are too far from the rows of x: one deviates from the mean of a column by "
                "%.3g, and the square of that overflows",
                largest);
    if (largest > most_single) {
        *x = pen_rows_precise(x);
        *queries = pen_rows_precise(queries);
    }
    return PEN_OK;
}

/* Makes both arrays dense, or both sparse if one of them is. */
static pen_status of_one_kind(pen_run *run, const struct request *r, pen_array *queries,
                              pen_array *x)
{
    *queries = *r->queries;
    *x = *r->x;
    if (!pen_is_sparse(queries) && !pen_is_sparse(x))
        return PEN_OK;
    PEN_TRY(pen_array_sparse(run, queries, queries));
    return pen_array_sparse(run, x, x);
}

/* Opens the queries in the units of x; in double if their types differ. */
static pen_status find_among(pen_run *run, const struct request *r)
{
    pen_view queries, rows;
    pen_array some, all;
    pen_neighbor *found;

    PEN_TRY(check(run, r));
    PEN_TRY(of_one_kind(run, r, &some, &all));
    PEN_TRY(open_rows(run, &some, &queries));
    PEN_TRY(open_rows(run, &all, &rows));
    if (queries.values.dtype != rows.values.dtype) {
        rows.work = PEN_F64;
        rows.epsilon = DBL_EPSILON;
    }
    const pen_array values = queries.values;
    queries = rows;
    queries.values = values;
    queries.n = values.rows;
    PEN_TRY(check_reach(run, &queries, &rows));
    PEN_TRY(PEN_NEW(run, found, pen_times(queries.n, r->k)));
    PEN_TRY(pen_neighbors_among(run, &queries, &rows, r->k, found));
    copy_lists(r, queries.n, found);
    return PEN_OK;
}

pen_status pen_neighbors(const pen_array *x, const pen_array *queries, int64_t k,
                         const pen_control *control, int64_t *index, double *distance,
                         pen_error *err)
{
    const struct request r = {
        .x = x, .queries = queries, .k = k, .index = index, .distance = distance
    };

    PEN_CALL(control, err, queries ? find_among(run, &r) : find_neighbors(run, &r));
}
