/* local_scatter.c - the local scatters of labelled rows.
 *
 * With G_c = 1/2 sum_{i,j in c} A_ij (x_i - x_j)(x_i - x_j)' and S_c the scatter of class c,
 *
 *   S_lw = sum_c 1/n_c G_c
 *   S_lb = S_b + sum_c (1/n_c - 1/n') (n_c S_c - G_c) */
#include "neighbors/seek.h"
#include "scatter/affinity.h"
#include "scatter/local_terms.h"
#include "scatter/scatter.h"

#include <float.h>
#include <math.h>

const char *const pen_scaling_names[] = { "classwise", "labelled", "all", NULL };
const char *const pen_affinity_kind_names[] = { "local", "heat", "knn", "one", NULL };

/* ---- scales ---- */

/* The squared distances of the labelled rows, in the order of members, to their k-th neighbors. */
static pen_status find_reach(pen_run *run, const pen_rows *x, const pen_class_affinity *how,
                             enum pen_scaling scaling, double *reach2)
{
    const pen_subset labelled = { x->members, x->labelled };

    if (scaling != PEN_SCALING_CLASSWISE)
        return scaling == PEN_SCALING_ALL
                   ? pen_seek_reach(run, x, labelled, how->neighbors, reach2)
                   : pen_neighbors_reach(run, x, labelled, labelled, how->neighbors, reach2);
    for (int64_t c = 0; c < x->classes; c++) {
        const pen_subset class = { x->members + x->starts[c], pen_class_size(x, c) };
        PEN_TRY(pen_neighbors_reach(run, x, class, class, how->neighbors, reach2 + x->starts[c]));
    }
    return PEN_OK;
}

/* The width of the heat kernel, given or the mean of reach2. */
static double find_heat(const pen_rows *x, double given, const double *reach2)
{
    double heat = given;
    for (int64_t i = 0; given == 0 && i < x->labelled; i++)
        heat += reach2[i] / (double)x->labelled;
    return heat;
}

pen_status pen_scatter_local_scale(pen_run *run, const pen_rows *x, const pen_class_affinity *how,
                                   enum pen_scaling scaling, pen_affinity_scale *out)
{
    double *reach2, *by_row, heat = 0;

    *out = (pen_affinity_scale){ .kind = how->kind };
    if (how->kind == PEN_AFFINITY_ONE)
        return PEN_OK;
    PEN_TRY(PEN_NEW(run, by_row, x->n));
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, reach2, x->labelled));
    if (pen_affinity_seeks(how))
        PEN_TRY(find_reach(run, x, how, scaling, reach2));
    if (how->kind == PEN_AFFINITY_HEAT)
        heat = find_heat(x, how->heat, reach2);
    for (int64_t i = 0; i < x->labelled; i++)
        by_row[x->members[i]] = how->kind == PEN_AFFINITY_HEAT    ? sqrt(heat)
                                : how->kind == PEN_AFFINITY_LOCAL ? sqrt(reach2[i])
                                                                  : reach2[i];
    pen_release(run, mark);
    if (how->kind == PEN_AFFINITY_HEAT)
        pen_note(run, "heat", heat);
    *(how->kind == PEN_AFFINITY_KNN ? &out->reach2 : &out->sigma) = by_row;
    return PEN_OK;
}

/* ---- scatters ---- */

static pen_status add(pen_run *run, double between, double within, const pen_rows *x,
                      pen_affinity *affinity, pen_sym *B, pen_sym *C)
{
    double *ratio; /* (1/n_c - 1/n') / (1/n_c) */

    PEN_TRY(PEN_NEW(run, ratio, x->classes));
    for (int64_t c = 0; c < x->classes; c++)
        ratio[c] = 1 - (double)pen_class_size(x, c) / (double)x->labelled;
    if (between != 0)
        PEN_TRY(pen_scatter_between(run, between, &affinity->classes, B));
    PEN_TRY(pen_affinity_scatter(run, between, within, affinity, ratio, B, C));
    if (between != 0)
        pen_sym_note(B, x->labelled - 1, DBL_EPSILON);
    return PEN_OK;
}

pen_status pen_scatter_local_scaled(pen_run *run, double between, double within, const pen_rows *x,
                                    const pen_affinity_scale *scale, pen_sym *B, pen_sym *C)
{
    pen_affinity affinity;
    double *reach2;

    if (between == 0 && within == 0)
        return PEN_OK;
    if ((between != 0 ? B : C)->terms)
        return pen_local_terms(run, between, within, x, scale, B, C);
    if (scale->kind == PEN_AFFINITY_ONE)
        return pen_scatter_classes_weighted(run, between, within, x, B, C);
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_affinity_open(run, x, &affinity));
    PEN_TRY(PEN_NEW(run, reach2, x->labelled));
    affinity.binary = scale->kind == PEN_AFFINITY_KNN;
    affinity.reach2 = affinity.binary ? reach2 : NULL;
    for (int64_t i = 0; i < x->labelled; i++) {
        affinity.sigma[i] = affinity.binary ? 0 : scale->sigma[x->members[i]];
        reach2[i] = affinity.binary ? scale->reach2[x->members[i]] : 0;
    }
    PEN_TRY(add(run, between, within, x, &affinity, B, C));
    pen_release(run, mark);
    return PEN_OK;
}

pen_status pen_scatter_local(pen_run *run, double between, double within, const pen_rows *x,
                             const pen_class_affinity *affinity, enum pen_scaling scaling,
                             pen_sym *B, pen_sym *C)
{
    pen_affinity_scale scale;

    if (between == 0 && within == 0)
        return PEN_OK;
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_scatter_local_scale(run, x, affinity, scaling, &scale));
    PEN_TRY(pen_scatter_local_scaled(run, between, within, x, &scale, B, C));
    if (!(between != 0 ? B : C)->terms) /* which are used later */
        pen_release(run, mark);
    return PEN_OK;
}
