/* folds.c - folds for cross-validation, and pen_deal_folds. */
#include "core/folds.h"

#include "core/arguments.h"
#include "core/duplicate_rows.h"
#include "core/rng.h"
#include "core/row_order.h"

/* Limits of pen_folds_some. */
enum { MOST_LABELLED = 1000, LEAST_LABELLED = 3 };

pen_status pen_folds_deal(pen_run *run, const pen_view *x, const int64_t *order, int64_t k,
                          int stratified, uint64_t seed, int32_t *fold)
{
    pen_rng rng = { seed };
    pen_view rows = *x; /* not stratified: all labelled rows are one class */
    int64_t *turn, *members, count = 0;
    const int64_t one[] = { 0, x->labelled };
    int32_t *class_of;

    PEN_REQUIRE(run, x->labelled > 0, PEN_NO_LABELS,
                "all %lld rows are unlabelled: there is nothing to hold out", (long long)x->n);
    PEN_REQUIRE(run, k >= 2 && k <= x->labelled, PEN_BAD_ARGUMENT,
                "folds must be in [2, %lld], the number of labelled rows, got %lld",
                (long long)x->labelled, (long long)k);
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW2(run, turn, members, x->labelled));
    PEN_TRY(pen_rows_classes(run, x, &class_of));
    for (int64_t i = 0; i < x->n; i++) {
        const int64_t row = order ? order[i] : i;
        fold[row] = -1;
        if (class_of[row] >= 0)
            members[count++] = row;
    }
    if (stratified)
        PEN_TRY(pen_rows_arrange(run, order, &rows));
    else
        rows = (pen_view){ .members = members, .starts = one, .classes = 1 };
    if (x->group)
        PEN_TRY(pen_folds_deal_groups(run, x, members, class_of, k, stratified, &rng, fold));
    for (int64_t c = 0; c < rows.classes && !x->group; c++) {
        pen_rng_permutation(&rng, pen_class_size(&rows, c), turn);
        for (int64_t i = rows.starts[c]; i < rows.starts[c + 1]; i++)
            fold[rows.members[rows.starts[c] + turn[i - rows.starts[c]]]] = (int32_t)(i % k);
    }
    pen_release(run, mark);
    return PEN_OK;
}

pen_status pen_folds_select(pen_run *run, const pen_view *x, const int32_t *fold, int32_t number,
                            int keep, int32_t **labels, pen_view *out)
{
    PEN_TRY(pen_rows_classes(run, x, labels));
    for (int64_t i = 0; i < x->n; i++)
        if ((fold[i] == number) != keep)
            (*labels)[i] = PEN_UNLABELLED;
    *out = *x;
    return pen_rows_label(run, *labels, x->n, out);
}

int64_t pen_folds_divide(const pen_view *x, const int32_t *fold, int32_t number, int64_t *places,
                         int32_t *classes)
{
    int64_t known = 0, end = x->labelled;

    for (int64_t c = 0; c < x->classes; c++)
        for (int64_t i = x->starts[c]; i < x->starts[c + 1]; i++) {
            const int64_t at = fold[x->members[i]] == number ? --end : known++;
            places[at] = i;
            classes[at] = (int32_t)c;
        }
    return known;
}

/* If labelled rows have copies, makes each row and its copies a group, because a copy in another
 * fold would reveal the class. group [x->n]: room. */
static pen_status join_copies(pen_run *run, int64_t *group, pen_view *x)
{
    char *seen;
    int copies = 0;

    PEN_TRY(PEN_FILLED(run, seen, x->n, 0));
    PEN_TRY(pen_duplicates_find(run, x, x->n, group));
    for (int64_t i = 0; i < x->labelled; i++) {
        copies |= seen[group[x->members[i]]];
        seen[group[x->members[i]]] = 1;
    }
    x->group = copies ? group : NULL;
    return PEN_OK;
}

pen_status pen_folds_some(pen_run *run, const pen_view *x, const int64_t *order, int64_t folds,
                          int32_t *fold, pen_view *out, int64_t *count)
{
    const int64_t parts = (x->labelled + MOST_LABELLED - 1) / MOST_LABELLED;
    pen_view single = *x;
    int64_t most, *group;
    int32_t *labels;

    *out = *x;
    *count = 0;
    single.group = NULL;
    PEN_TRY(PEN_NEW(run, group, x->n));
    if (!x->group)
        PEN_TRY(join_copies(run, group, out));
    PEN_TRY(pen_folds_most(run, out, &most));
    if (x->classes < 2 || most < LEAST_LABELLED)
        return PEN_OK;
    if (parts > 1) {
        PEN_TRY(pen_folds_deal(run, &single, order, parts, 1, 0, fold));
        single = *out;
        PEN_TRY(pen_folds_select(run, &single, fold, 0, 1, &labels, out));
        PEN_TRY(pen_folds_most(run, out, &most));
    }
    *count = most < 2 && out->group ? 0 : pen_max(2, pen_min(folds, most));
    return PEN_OK;
}

static pen_status folds(pen_run *run, const int32_t *labels, const int32_t *groups, int64_t n,
                        int64_t k, int stratified, uint64_t seed, int32_t *fold)
{
    pen_view x = { .n = 0 };

    PEN_TRY(pen_check_given(run, labels, "labels"));
    PEN_TRY(pen_check_given(run, fold, "fold"));
    PEN_TRY(pen_rows_label(run, labels, n, &x));
    PEN_TRY(pen_rows_group(run, groups, &x));
    return pen_folds_deal(run, &x, NULL, k, stratified, seed, fold);
}

pen_status pen_deal_folds(const int32_t *labels, const int32_t *groups, int64_t n, int64_t k,
                          int stratified, uint64_t seed, int32_t *fold, pen_error *err)
{
    PEN_CALL(NULL, err, folds(run, labels, groups, n, k, stratified, seed, fold));
}
