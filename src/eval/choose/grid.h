/* grid.h - combinations of parameter values from grids, the most useful first.
 *
 * Each varied parameter has a list of values: first its own value, then other values in the order
 * of its grid, the most useful first. The rank of a combination is the sum of the ranks of its
 * values: 0 for the value of the spec, 1, 3, 5, ... for the other values. Combinations come by
 * rank: the spec itself, then the best other value of one parameter, of two, then of three or the
 * second best of one, and so on: second values gained about a quarter as much as first values
 * (docs/results.md). Among ties, a combination that departs more in an earlier parameter comes
 * first. */
#ifndef PEN_GRID_H
#define PEN_GRID_H

#include "model/spec.h"

typedef struct pen_grid_axis {
    const pen_param *param;
    const char **values; /* [count] the first belongs to combination 0 */
    int64_t count;
} pen_grid_axis;

/* A combination, numbered with the last axis varying fastest. */
typedef struct pen_ranked {
    int64_t rank, minus_index;
} pen_ranked;

typedef struct pen_grid {
    const pen_spec *spec;
    pen_grid_axis *axes; /* [axis_count] */
    int64_t axis_count;
    int64_t size;      /* the number of combinations */
    pen_ranked *order; /* [size] */
} pen_grid;

enum { PEN_MOST_COMBINATIONS = 100000 };

/* The grid of a spec, over the parameters with values from pen_spec_set_grid or, if there are none,
 * over unset parameters that have a default grid. Valid as long as the spec and the memory of the
 * run. PEN_BAD_ARGUMENT: more than PEN_MOST_COMBINATIONS. */
pen_status pen_grid_open(pen_run *run, const pen_spec *spec, pen_grid *out);

/* Combination `index`; 0 is the spec itself, except for parameters whose value is not among the
 * given values. Free with pen_spec_free, also after a failure. */
pen_status pen_grid_spec(pen_run *run, const pen_grid *grid, int64_t index, pen_spec **out);

#endif
