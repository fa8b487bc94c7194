/* embedding.h - embeds rows in a trial. */
#ifndef PEN_EMBEDDING_H
#define PEN_EMBEDDING_H

#include "eval/trials/trials.h"

/* Rows embedded by a method, in scratch memory. */
typedef struct pen_embedding {
    int64_t k;
    double *z;        /* [n x k] */
    double *rounding; /* [k] of z */
    /* [n x classes] scores of the classes in the fit, if the classifier of the spec is `scores`; or
     * NULL */
    int64_t classes;
    double *scores;
    double *fitted; /* the same from the fit, if it has all rows */
} pen_embedding;

/* Fits `spec` with `dim` dimensions (0: the method's own number) to the data of the trial, without
 * pairs if the method does not learn from pairs. Fits no classifier except `scores`. A nested
 * method, whose first columns are the solution for fewer dimensions, may give fewer. */
pen_status pen_trial_model(pen_run *run, const pen_trial *c, const pen_spec *spec, int64_t dim,
                           const pen_control *control, pen_model **out);

/* Embeds all rows by that model. all 0: only labelled rows and the stability sample; z of other
 * rows is unset. If the classifier of the spec is `scores`, the scores are the model's predictions
 * or, if the fit has all rows, the scores of the fit, unless the trials are `as_new` and the model
 * predicts. */
pen_status pen_trial_apply(pen_run *run, const pen_model *model, const pen_trial *c,
                           const pen_spec *spec, int all, const pen_control *control,
                           pen_embedding *out);

/* Does the fit have pairs, listed or sampled? */
int pen_has_pairs(const pen_spec *spec, const pen_data *data);

/* The data without pairs, if the method does not learn from pairs. */
pen_data pen_data_for(const pen_spec *spec, const pen_data *data);

/* pen_predict for probabilities p [x->rows x classes] only. */
pen_status pen_shares_predict(pen_run *run, const pen_model *model, const pen_array *x,
                              const pen_control *control, double *p);

#endif
