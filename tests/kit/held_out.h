/* held_out.h - a trial by public calls: the fit without what is held out, what it says of all rows,
 * and the temperature that suits such probabilities. */
#ifndef TEST_HELD_OUT_H
#define TEST_HELD_OUT_H

#include "kit/check_fit.h"

/* The labels of fold f are hidden, or its rows left out. */
typedef struct held_out {
    const sample *s;
    const int32_t *labels; /* [s->n] -1 also where a trial drops them; NULL: those of the sample */
    const int32_t *fold;   /* [s->n] */
    int32_t f;
    int inductive;
} held_out;

/* The fit of what is not held out. Free with pen_model_free. */
pen_model *held_out_fit(const held_out *t, const pen_spec *spec);

/* By the fit of what is not held out p [s->n x classes] and the classes told [s->n] of all rows:
 * those that the model predicts; or, where it predicts none, or of_fit is 1 and it has some, those
 * of the rows of the fit. */
void held_out_predict(const held_out *t, const pen_spec *spec, int of_fit, double *p,
                      int32_t *told);

/* Adds p of the rows that are held out, and their classes, after `count` others; returns how many
 * there are then. */
int64_t held_out_take(const held_out *t, int64_t classes, const double *p, int64_t count,
                      double *p_held, int32_t *truth);

/* p [rows x classes] at temperature T, as docs/evaluation.md has them. */
void temper(int64_t rows, int64_t classes, double T, double *p);

/* The temperature of the least loss of p [count x classes] where the classes are truth [count]; of
 * a classifier whose usual one is `usual`, in this number of runs. */
double best_temperature(int64_t count, int64_t classes, const double *p, const int32_t *truth,
                        int64_t runs, double usual);

/* The usual one of "self/lda" or "classifier=lda". */
double usual_temperature(const char *classifier);

#endif
