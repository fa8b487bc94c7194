/* projection.h - one small linear projection learned from the probabilities of an ensemble. */
#ifndef PEN_PROJECTION_H
#define PEN_PROJECTION_H

#include "methods/auto.h"

/* The input of a projection. */
typedef struct pen_projection_rows {
    const pen_data *data;  /* n rows */
    const double *p;       /* [n x classes] of an ensemble; 1 and 0 in labelled rows */
    const pen_array *more; /* further labelled rows, only for the classifier; or NULL */
    const int32_t *more_classes;
    pen_row_params steps; /* the row steps */
    double temperature;   /* for the nearest rows */
    int is_sample;        /* 1: n rows are a sample */
    const char *members;  /* names in the ensemble, for the model's info */
} pen_projection_rows;

/* Rows in principal components, and their class probabilities. */
typedef struct pen_known_rows {
    int64_t n, q, classes;
    const double *z, *variance; /* [n x q], [q] */
    const double *p;            /* [n x classes] as above */
    const int64_t *but;         /* [but_count] rows to exclude; NULL: none */
    int64_t but_count;
} pen_known_rows;

/* The choice. */
typedef struct pen_projection_choice {
    double ridge, agreement; /* NaN: no row to classify */
    int64_t k, votes;
} pen_projection_choice;

/* Sets n, q, z and variance for rows after these steps. Cost: principal components. */
pen_status pen_known_rows_open(pen_run *run, const pen_data *data, const pen_row_params *steps,
                               const pen_control *control, pen_known_rows *out);

/* Chooses as described below, on rows of the data. */
pen_status pen_projection_choose(pen_run *run, const pen_data *data, const pen_known_rows *all,
                                 uint64_t seed, pen_projection_choice *out);

/* Classifies `rows` [count] by a projection of these rows and its classifier:
 * told [count x classes], not tempered. */
pen_status pen_projection_tell(pen_run *run, const pen_known_rows *all,
                               const pen_projection_choice *choice, int64_t count,
                               const int64_t *rows, double *told);

/* A model of these rows: columns of solve/class_columns.h, from their principal components.
 *
 * The choice agrees best with p on left-out rows. For each of five folds, drawn by the seed of the
 * spec, the other folds give columns with every ridge of a path, in several numbers, and the
 * nearest 1, 5, 10 or 20 rows vote with their p on the classes of the fold. The fewest columns
 * within half a percent of the best agreement are taken: classes - 1 (at least two), 15, 30 or 60;
 * or the `dim` of a spec of auto. The classifier is these nearest rows plus the further ones,
 * tempered, unless the spec has another one; an ensemble gets none. PEN_RANK_TOO_SMALL: `dim` is
 * above the rank. Errors of pen_fit. Cost: principal components, and for each ridge and fold
 * products of the rows. */
pen_status pen_projection_learn(pen_run *run, const pen_projection_rows *rows, const pen_spec *spec,
                                const pen_control *control, pen_model **out);

#endif
