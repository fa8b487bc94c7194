/* matrix_set.h - named square sparse matrices that outlive the call that made them.
 *
 * A call keeps matrices only on request (pen_run_collect); otherwise keeping costs nothing. Names
 * are string literals; a later matrix of the same name replaces the earlier one. */
#ifndef PEN_MATRIX_SET_H
#define PEN_MATRIX_SET_H

#include "core/run.h"

typedef struct pen_matrix_set pen_matrix_set;

/* An empty set, or NULL if out of memory; pen_matrix_set_free frees it. */
pen_matrix_set *pen_matrix_set_new(void);
void pen_matrix_set_free(pen_matrix_set *set);

/* Matrix `index`, and its name unless `name` is NULL; NULL: no such matrix, or no set. */
const pen_sparse *pen_matrix_set_at(const pen_matrix_set *set, int64_t index, const char **name);

/* A matrix in one block of memory that the set owns. */
typedef struct pen_kept_matrix {
    int64_t *starts, *columns; /* [n + 1], [entries] */
    double *values;            /* [entries] */
} pen_kept_matrix;

/* Adds a matrix, for the caller to fill, to the set of the run, which must have one. */
pen_status pen_run_keep_matrix(pen_run *run, const char *name, int64_t n, int64_t entries,
                               pen_kept_matrix *out);

#endif
