/* grid.h - combinations of the values that parameters have in their grids, the most useful first.
 *
 * Each parameter that varies has a list of values: first the one it has, then the others in the
 * order of its grid, which says how useful they are. The rank of a combination is the sum of those
 * of its values: 0 for the value that the spec has, 1, 3, 5, ... for the others. Combinations come
 * by rank: the spec itself, then the best other value of one parameter, of two, then of three or
 * the second best of one, and so on: second values gained about a quarter of what the first did
 * (docs/results.md). Of equal rank the one that departs more in an earlier parameter is first. */
#ifndef PEN_GRID_H
#define PEN_GRID_H

#include "model/spec.h"

typedef struct pen_grid_axis {
    const pen_param *param;
    const char **values; /* [count] the first is that of combination 0 */
    int64_t count;
} pen_grid_axis;

/* A combination, its values counted with the last axis varying first. */
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

/* The grid of a spec, over the parameters that have values of their own (pen_spec_set_grid), or,
 * where none has, over those that have a grid and are not set. Valid as long as the spec and the
 * memory of the run. PEN_BAD_ARGUMENT: more than PEN_MOST_COMBINATIONS. */
pen_status pen_grid_open(pen_run *run, const pen_spec *spec, pen_grid *out);

/* Combination `index`; 0 is the spec itself, but for parameters whose value is not among those
 * given. Free with pen_spec_free, also after a failure. */
pen_status pen_grid_spec(pen_run *run, const pen_grid *grid, int64_t index, pen_spec **out);

#endif
