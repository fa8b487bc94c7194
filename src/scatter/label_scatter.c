/* label_scatter.c - labels as pairs: the scatters of all must-links and cannot-links implied by
 * labels, in closed form, and those of chunklets.
 *
 * Class c has weight n_c in S_W and N - n_c in S_B. Classes of equal size are multiplied together,
 * in one pass for both scatters. S_B is never computed as a total minus S_W: that would cancel. */
#include "scatter/chain_scatter.h"
#include "core/sort.h"
#include "scatter/class_scatter.h"
#include "scatter/pair_scatter.h"
#include "scatter/pair_terms.h"
#include "scatter/scatter.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

const char *const pen_total_rows_names[] = { "chunk", "all", NULL };

struct class_ {
    int64_t size, number;
};

/* The same classes in order of ascending size. */
static pen_status order_by_size(pen_run *run, const pen_view *x, pen_view *out)
{
    struct class_ *order;
    int64_t *members, *starts;

    PEN_TRY(PEN_NEW(run, order, x->classes));
    PEN_TRY(PEN_NEW(run, members, x->labelled));
    PEN_TRY(PEN_NEW(run, starts, x->classes + 1));
    for (int64_t c = 0; c < x->classes; c++)
        order[c] = (struct class_){ pen_class_size(x, c), c };
    qsort(order, (size_t)x->classes, sizeof *order, pen_by_two_int64);
    starts[0] = 0;
    for (int64_t c = 0; c < x->classes; c++) {
        memcpy(members + starts[c], x->members + x->starts[order[c].number],
               (size_t)order[c].size * sizeof *members);
        starts[c + 1] = starts[c] + order[c].size;
    }
    *out = *x;
    out->members = members;
    out->starts = starts;
    return PEN_OK;
}

/* Groups classes of equal size, with their weights in S_W and S_B. */
static pen_status group_classes(pen_run *run, const pen_view *ordered, double cannot, double must,
                                pen_weighted_groups *out)
{
    int64_t *ends;
    double *w, *b;

    *out = (pen_weighted_groups){ .count = 0 };
    PEN_TRY(PEN_NEW3(run, ends, w, b, ordered->classes));
    for (int64_t c = 0; c < ordered->classes; c++) {
        const int64_t size = pen_class_size(ordered, c);
        if (c > 0 && size == pen_class_size(ordered, c - 1))
            out->count--;
        ends[out->count] = ordered->starts[c + 1];
        w[out->count] = must * (double)size;
        b[out->count++] = cannot * (double)(ordered->labelled - size);
    }
    out->ends = ends;
    out->weights[0] = must != 0 ? w : b;
    out->weights[1] = b;
    return PEN_OK;
}

/* Records the ranks and rounding errors of the scatters. */
static void note(const pen_classes *classes, double cannot, double must, pen_sym *B, pen_sym *W)
{
    const pen_view *x = &classes->x;
    double squares = 0;

    for (int64_t c = 0; c < x->classes; c++)
        squares += (double)pen_class_size(x, c) * (double)pen_class_size(x, c);
    if (must != 0) {
        pen_sym_note(W, x->labelled - x->classes, DBL_EPSILON);
        pen_sym_add_floor(must < 0 ? -must * squares : must * squares, classes->rounding, W);
    }
    if (cannot != 0 && x->classes > 1) {
        const double all = (double)x->labelled * (double)x->labelled;
        pen_sym_note(B, x->labelled - 1, DBL_EPSILON);
        pen_sym_add_floor(cannot < 0 ? -cannot * all : cannot * all, classes->rounding, B);
    }
}

pen_status pen_scatter_labels_as_pairs(pen_run *run, const pen_view *x, double cannot, double must,
                                       pen_sym *B, pen_sym *W)
{
    pen_view ordered;
    pen_classes classes;
    pen_weighted_groups groups;

    if ((must != 0 ? W : B)->terms)
        return pen_term_of_labels(run, cannot, must, x, B, W);
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(order_by_size(run, x, &ordered));
    PEN_TRY(pen_classes_open(run, &ordered, &classes));
    PEN_TRY(group_classes(run, &ordered, cannot, must, &groups));
    PEN_TRY(pen_sym_add_gram_of_groups(run, "scatter of labels", PEN_F64, &groups, pen_classes_fill,
                                       &classes, must != 0 ? W : B,
                                       must != 0 && cannot != 0 ? B : NULL));
    if (cannot != 0)
        PEN_TRY(pen_scatter_between(run, cannot * (double)x->labelled, &classes, B));
    note(&classes, cannot, must, B, W);
    pen_release(run, mark);
    return PEN_OK;
}

/* The chunklets as classes, with their rows or with sums over them. */
static pen_status find_chunklets(pen_run *run, const pen_problem *problem, pen_view *chunklets)
{
    const pen_view *const x = &problem->rows;
    const pen_class_moments *const groups = x->moments ? x->moments->chunks : NULL;

    if (!groups)
        return pen_pairs_chunklets(run, x, problem->pairs, chunklets);
    *chunklets = *x;
    chunklets->class_moments = groups;
    chunklets->members = NULL;
    chunklets->starts = groups->starts;
    chunklets->classes = groups->count;
    chunklets->labelled = groups->starts[groups->count];
    return PEN_OK;
}

pen_status pen_scatter_chunklets(pen_run *run, const pen_problem *problem,
                                 enum pen_total_rows total, pen_sym *T, pen_sym *W,
                                 pen_view *chunklets)
{
    const pen_view *const x = &problem->rows;
    pen_chain_tree tree;
    pen_sym between;

    PEN_TRY(find_chunklets(run, problem, chunklets));
    pen_note(run, "chunklets", (double)chunklets->classes);
    pen_note(run, "chunklet_rows", (double)chunklets->labelled);
    const double each = 1 / (double)chunklets->labelled;
    PEN_TRY(pen_sym_zero(run, x->d, &between));
    if (problem->pairs->weighted) {
        PEN_TRY(pen_pairs_tree(run, x, problem->pairs, &tree));
        PEN_TRY(pen_scatter_weighted_chunklets(run, x, &tree, &between, W));
    } else {
        PEN_TRY(pen_scatter_classes(run, each, chunklets, &between, W));
    }
    if (total == PEN_TOTAL_ALL)
        return pen_scatter_total_precise(run, 1, x, PEN_TOTAL_COVARIANCE, T);
    pen_sym_add(&between, T);
    pen_sym_add(W, T);
    return PEN_OK;
}
