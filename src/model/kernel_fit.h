/* kernel_fit.h - the kernel in a fit: turns rows into coordinates, and columns in these coordinates
 * into a model. */
#ifndef PEN_KERNEL_FIT_H
#define PEN_KERNEL_FIT_H

#include "methods/method_params.h"
#include "model/explain.h"
#include "model/model.h"

typedef struct pen_kernel_fit {
    pen_kernel_map map;
    pen_view x;       /* rows as the kernel sees them: scale (u v - origin) */
    double *phi;      /* [n x q] coordinates */
    double captured;  /* fraction of the trace that the landmarks explain */
    pen_sym *penalty; /* kernel_ridge T'T, or NULL */
} pen_kernel_fit;

/* PEN_BAD_ARGUMENT: parameters of a kernel are set without a kernel. */
pen_status pen_kernel_fit_check(pen_run *run, const pen_common *common);

/* The number of landmarks for n rows. */
int64_t pen_kernel_fit_landmarks(const pen_kernel_params *params, int64_t n);

/* The maximum number of columns that `pca` or the method sees: the d of the rows, or with a kernel
 * the number of landmarks. */
int64_t pen_kernel_fit_columns(const pen_kernel_params *params, int64_t n, int64_t d);

/* Replaces the rows of a fit by their coordinates in the space of the kernel, with the same
 * classes, in scratch memory or shared through the cache of the run. Notes gamma, landmarks and the
 * fraction they explain. The origin of the rows is 0, the column means (scale standard or auto) or
 * the column minima (scale minmax). PEN_BAD_ARGUMENT: landmarks; precomputed values with row_steps
 * l2 or scale. PEN_BAD_DATA: a precomputed matrix that is not a kernel; errors of the kernel map.
 */
pen_status pen_kernel_fit_open(pen_run *run, const pen_common *common, const pen_data *data,
                               pen_view *rows, pen_kernel_fit *out);

/* Writes a warning if the landmarks explain less than half of the kernel. */
void pen_kernel_fit_warn(const pen_kernel_fit *kernel, char text[PEN_EXPLANATION_SIZE]);

/* Folds columns W [q x k] of centered coordinates into the model: its projection, mean, landmarks
 * and kernel. */
pen_status pen_kernel_fit_fold(pen_run *run, const pen_kernel_fit *kernel, const double *mean,
                               const double *W, pen_model *model);

#endif
