/* given_folds.c - folds that the caller gives instead of dealt ones. */
#include "eval/given_folds.h"

#include "core/sort.h"

#include <stdlib.h>

/* The different numbers >= 0 of a run, ascending, in numbers [n]. */
static pen_status list_numbers(pen_run *run, int64_t r, int64_t n, const int32_t *given,
                               int32_t *numbers, int64_t *count)
{
    int64_t held = 0;

    for (int64_t i = 0; i < n; i++) {
        PEN_REQUIRE(run, given[i] >= -1, PEN_BAD_ARGUMENT,
                    "a fold must be >= 0, or -1: never held out, got %ld for row %lld in run %lld",
                    (long)given[i], (long long)i, (long long)r + 1);
        if (given[i] >= 0)
            numbers[held++] = given[i];
    }
    qsort(numbers, (size_t)held, sizeof *numbers, pen_by_int32);
    *count = 0;
    for (int64_t i = 0; i < held; i++)
        if (*count == 0 || numbers[i] != numbers[*count - 1])
            numbers[(*count)++] = numbers[i];
    PEN_REQUIRE(run, *count >= 1, PEN_BAD_ARGUMENT, "run %lld has no fold: it holds out no row",
                (long long)r + 1);
    return PEN_OK;
}

/* Rows of a group are held out together. */
static pen_status check_groups(pen_run *run, int64_t r, const pen_rows *x, const int32_t *folds)
{
    int64_t *first; /* [n] labelled row of the group */

    if (!x->group)
        return PEN_OK;
    PEN_TRY(PEN_FILLED(run, first, x->n, -1));
    for (int64_t i = 0; i < x->labelled; i++) {
        const int64_t row = x->members[i];
        int64_t *const of_group = &first[x->group[row]];
        *of_group = *of_group < 0 ? row : *of_group;
        PEN_REQUIRE(run, folds[row] == folds[*of_group], PEN_BAD_ARGUMENT,
                    "rows %lld and %lld are of one group, but run %lld holds out one without the "
                    "other",
                    (long long)*of_group, (long long)row, (long long)r + 1);
    }
    return PEN_OK;
}

static pen_status number_run(pen_run *run, int64_t r, const pen_rows *x, const int32_t *given,
                             const int32_t *numbers, int64_t count, int32_t *folds)
{
    int64_t *labelled;

    PEN_TRY(PEN_FILLED(run, labelled, count, 0));
    for (int64_t i = 0; i < x->n; i++)
        folds[i] = -1;
    for (int64_t i = 0; i < x->labelled; i++) {
        const int64_t row = x->members[i];
        if (given[row] < 0)
            continue;
        const int32_t *const at =
            bsearch(&given[row], numbers, (size_t)count, sizeof *numbers, pen_by_int32);
        folds[row] = (int32_t)(at - numbers);
        labelled[folds[row]]++;
    }
    for (int64_t f = 0; f < count; f++)
        PEN_REQUIRE(run, labelled[f] > 0, PEN_NO_LABELS,
                    "fold %ld of run %lld has no labelled row: there is nothing to hold out",
                    (long)numbers[f], (long long)r + 1);
    return check_groups(run, r, x, folds);
}

pen_status pen_folds_given(pen_run *run, const pen_protocol *protocol, const pen_rows *x,
                           int32_t *folds, int64_t *count)
{
    const int64_t n = x->n;
    const pen_mark_t mark = pen_mark(run);
    int32_t *numbers;

    *count = protocol->folds;
    PEN_TRY(PEN_NEW(run, numbers, n));
    for (int64_t r = 0; r < protocol->runs; r++) {
        const int32_t *const given = protocol->fold_of + r * n;
        int64_t there = 0;
        PEN_TRY(list_numbers(run, r, n, given, numbers, &there));
        *count = *count ? *count : there;
        PEN_REQUIRE(run, there == *count, PEN_BAD_ARGUMENT,
                    "all runs must have %lld folds, got %lld in run %lld", (long long)*count,
                    (long long)there, (long long)r + 1);
        PEN_TRY(number_run(run, r, x, given, numbers, there, folds + r * n));
    }
    pen_release(run, mark);
    return PEN_OK;
}
