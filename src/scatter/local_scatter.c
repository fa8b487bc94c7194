/* local_scatter.c - the local scatters of labelled rows.
 *
 * With G_c = 1/2 sum_{i,j in c} A_ij (x_i - x_j)(x_i - x_j)' and S_c the scatter of class c,
 *
 *   S_lw = sum_c 1/n_c G_c
 *   S_lb = S_b + sum_c (1/n_c - 1/n') (n_c S_c - G_c) */
#include "neighbors/seek.h"
#include "scatter/affinity.h"
#include "scatter/scatter.h"

#include <float.h>

const char *const pen_scaling_names[] = { "classwise", "labelled", "all", NULL };

static pen_status scale_locally(pen_run *run, const pen_rows *x, int64_t neighbors,
                                enum pen_scaling scaling, double *sigma)
{
    const pen_subset labelled = { x->members, x->labelled };

    if (scaling != PEN_SCALING_CLASSWISE)
        return scaling == PEN_SCALING_ALL
                   ? pen_seek_scaling(run, x, labelled, neighbors, sigma)
                   : pen_neighbors_scaling(run, x, labelled, labelled, neighbors, sigma);
    for (int64_t c = 0; c < x->classes; c++) {
        const pen_subset class = { x->members + x->starts[c], pen_class_size(x, c) };
        PEN_TRY(pen_neighbors_scaling(run, x, class, class, neighbors, sigma + x->starts[c]));
    }
    return PEN_OK;
}

static pen_status add(pen_run *run, double weight, const pen_rows *x, pen_affinity *affinity,
                      pen_sym *B, pen_sym *C)
{
    double *ratio; /* (1/n_c - 1/n') / (1/n_c) */

    PEN_TRY(PEN_NEW(run, ratio, x->classes));
    for (int64_t c = 0; c < x->classes; c++)
        ratio[c] = 1 - (double)pen_class_size(x, c) / (double)x->labelled;
    PEN_TRY(pen_scatter_between(run, weight, &affinity->classes, B));
    PEN_TRY(pen_affinity_scatter(run, weight, affinity, ratio, B, C));
    pen_sym_note(B, x->labelled - 1, DBL_EPSILON);
    return PEN_OK;
}

pen_status pen_scatter_local(pen_run *run, double weight, const pen_rows *x, int64_t neighbors,
                             enum pen_scaling scaling, pen_sym *B, pen_sym *C)
{
    pen_affinity affinity;

    if (weight == 0)
        return PEN_OK;
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_affinity_open(run, x, &affinity));
    PEN_TRY(scale_locally(run, x, neighbors, scaling, affinity.sigma));
    PEN_TRY(add(run, weight, x, &affinity, B, C));
    pen_release(run, mark);
    return PEN_OK;
}

pen_status pen_scatter_local_scaled(pen_run *run, double weight, const pen_rows *x,
                                    const double *sigma, pen_sym *B, pen_sym *C)
{
    pen_affinity affinity;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_affinity_open(run, x, &affinity));
    for (int64_t i = 0; i < x->labelled; i++)
        affinity.sigma[i] = sigma[x->members[i]];
    PEN_TRY(add(run, weight, x, &affinity, B, C));
    pen_release(run, mark);
    return PEN_OK;
}
