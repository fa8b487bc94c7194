/* projection.h - one small linear projection that shows what an ensemble says of rows. */
#ifndef PEN_PROJECTION_H
#define PEN_PROJECTION_H

#include "core/rows.h"
#include "methods/auto.h"

/* What a projection is learned from. */
typedef struct pen_projection_rows {
    const pen_data *data; /* n rows */
    const double *p;      /* [n x classes] what an ensemble says; 1 and 0 where a row has a label */
    const pen_array *more; /* further rows with labels, for the classifier alone; NULL: none */
    const int32_t *more_classes;
    pen_row_params steps; /* that rows take before */
    double temperature;   /* of the nearest rows */
    int is_sample;        /* 1: of more rows */
    const char *members;  /* names of the ensemble, which the model's info has */
} pen_projection_rows;

/* Rows in principal components, and what is known of their classes. */
typedef struct pen_known_rows {
    int64_t n, q, classes;
    const double *z, *variance; /* [n x q], [q] */
    const double *p;            /* [n x classes] as above */
    const int64_t *but;         /* [but_count] rows that take no part; NULL: none */
    int64_t but_count;
} pen_known_rows;

/* What is chosen. */
typedef struct pen_projection_choice {
    double ridge, agreement; /* NaN: nothing to ask */
    int64_t k, votes;
} pen_projection_choice;

/* Sets n, q, z and variance, of rows after these steps. Cost: principal components. */
pen_status pen_known_rows_open(pen_run *run, const pen_data *data, const pen_row_params *steps,
                               const pen_control *control, pen_known_rows *out);

/* As below, of rows of the data. */
pen_status pen_projection_choose(pen_run *run, const pen_data *data, const pen_known_rows *all,
                                 uint64_t seed, pen_projection_choice *out);

/* What a projection of these rows and its classifier say of `rows` [count], by number:
 * told [count x classes], not tempered. */
pen_status pen_projection_tell(pen_run *run, const pen_known_rows *all,
                               const pen_projection_choice *choice, int64_t count,
                               const int64_t *rows, double *told);

/* A model of these rows: columns as of solve/class_columns.h, of their principal components.
 *
 * What is chosen agrees best with p on rows left out: without each of five folds of the rows,
 * drawn by its seed, columns are learned with every ridge of a path, in several numbers, and the
 * nearest 1, 5, 10 or 20 rows, which vote with their p, tell the classes of the fold. Of all that
 * agree within half a percent of the rows with the best the fewest columns are taken: classes - 1
 * (at least two), 15, 30 or 60; or the `dim` of a spec of auto. The classifier, unless the spec has
 * another one, are those nearest rows and the further ones, tempered; none for an ensemble.
 * PEN_RANK_TOO_SMALL: that dim is above the rank. Errors of pen_fit. Cost: principal components,
 * and for each ridge and fold products of the rows. */
pen_status pen_projection_learn(pen_run *run, const pen_projection_rows *rows, const pen_spec *spec,
                                const pen_control *control, pen_model **out);

#endif
