/* measures.c - see measures.h. */
#include "kit/measures.h"

#include "kit/compared.h"

#include "core/row_order.h"
#include "neighbors/relative.h"

static void find_relative(const pen_array *x, int64_t k, int64_t *index)
{
    const pen_data data = { .x = *x };
    int64_t *landmarks;
    pen_neighbor found[MEASURES_LISTS];
    pen_relative space;
    pen_view rows;

    pen_run *const run = check_run(0, NULL);
    assert_int_equal(pen_rows_open(run, &data, 0, PEN_SCALE_NONE, &rows), PEN_OK);
    assert_int_equal(pen_rows_draw(run, &rows, 9, 3, &landmarks), PEN_OK);
    assert_int_equal(pen_relative_open(run, &rows, landmarks, 9, PEN_RELATIVE_BYTES, &space),
                     PEN_OK);
    assert_int_equal(pen_relative_nearest(run, &space, k, found), PEN_OK);
    for (int64_t i = 0; i < rows.n * k; i++)
        index[i] = found[i].row;
    pen_run_close(run);
}

void measure(pen_data data, const pen_array *queries, struct measures *out)
{
    static const int64_t dims[] = { 1, 2 };
    const pen_trials trials = { .folds = 3, .runs = 1, .inductive = 1 };
    const int64_t k = MEASURES_NEIGHBORS;
    struct scores scores;
    pen_leaks *leaks;
    pen_error err;

    memset(out, 0, sizeof *out);
    CHECK_OK(pen_neighbors(&data.x, NULL, k, NULL, out->index, out->distance, &err), &err);
    CHECK_OK(pen_neighbors(&data.x, queries, k, NULL, out->of_some, NULL, &err), &err);
    find_relative(&data.x, k, out->relative);
    CHECK_OK(pen_find_leaks(&data, &leaks, &err), &err);
    out->leaks = leaks->count;
    if (leaks->count > 0)
        out->leak = leaks->list[0];
    pen_leaks_free(leaks);
    CHECK_OK(evaluate(spec_of("self"), &data, &trials, dims, 2, NULL, &scores, &err), &err);
    assert_int_equal(scores.trials * scores.dim_count, MEASURES_SCORES);
    memcpy(out->accuracy, scores.accuracy, sizeof out->accuracy);
}
