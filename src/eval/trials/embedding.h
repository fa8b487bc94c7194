/* embedding.h - rows as a trial embeds them. */
#ifndef PEN_EMBEDDING_H
#define PEN_EMBEDDING_H

#include "eval/trials/trials.h"

/* Rows as a method embeds them, in scratch memory. */
typedef struct pen_embedding {
    int64_t k;
    double *z;        /* [n x k] */
    double *rounding; /* [k] of z */
    /* [n x classes] or NULL: where the classifier of the spec is `scores`, those of the classes in
     * the labels of the fit */
    int64_t classes;
    double *scores;
    double *fitted; /* likewise, those of the rows of the fit, where it has all rows */
} pen_embedding;

/* Fit `spec` with `dim` dimensions (0: the number the method takes by itself) to the data of the
 * trial, without pairs if the method does not learn from pairs. No classifier is fitted but
 * `scores`. A method whose first columns are the answer for fewer dimensions gives fewer where it
 * has no more. */
pen_status pen_trial_model(pen_run *run, const pen_trial *c, const pen_spec *spec, int64_t dim,
                           const pen_control *control, pen_model **out);

/* Embed all rows by that model; all 0: those with labels and the stability sample alone, and z of
 * others is unset. If the classifier of the spec is `scores`, the scores are those that the model
 * predicts, or, unless the trials are `as_new` and it does, those of the fit if it has all rows. */
pen_status pen_trial_apply(pen_run *run, const pen_model *model, const pen_trial *c,
                           const pen_spec *spec, int all, const pen_control *control,
                           pen_embedding *out);

/* Are there pairs, or is a sample of them drawn? */
int pen_has_pairs(const pen_spec *spec, const pen_data *data);

/* The data without pairs, if the method does not learn from pairs. */
pen_data pen_data_for(const pen_spec *spec, const pen_data *data);

/* pen_predict, of which the probabilities p [x->rows x classes] alone are wanted. */
pen_status pen_shares_predict(pen_run *run, const pen_model *model, const pen_array *x,
                              const pen_control *control, double *p);

#endif
