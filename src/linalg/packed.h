/* packed.h - symmetric matrices as lower triangles, row by row, the format of statistics. */
#ifndef PEN_PACKED_H
#define PEN_PACKED_H

#include "core/rows.h"
#include "linalg/sym.h"

/* The lower triangle of S [d (d + 1) / 2]. */
void pen_packed_of(const pen_sym *S, double *packed);

/* S += weight D A D with A packed [d (d + 1) / 2] and D the column scale of x. Cost: d^2. */
void pen_packed_add(const pen_view *x, double weight, const double *packed, pen_sym *S);

/* *out: BAB', packed, in scratch memory, with A packed and B `basis` [q x d]. Cost: d^2 q. */
pen_status pen_packed_project(pen_run *run, const double *packed, int64_t d, const double *basis,
                              int64_t q, const double **out);

#endif
