/* held_out.h - trials by public calls: the fit without held-out labels or rows, its predictions of
 * all rows, and the temperature that fits them. */
#ifndef TEST_HELD_OUT_H
#define TEST_HELD_OUT_H

#include "kit/check_fit.h"

/* Hides the labels of fold f, or leaves out its rows. */
typedef struct held_out {
    const sample *s;
    const int32_t *labels; /* [s->n] -1 also for hidden labels; NULL: those of the sample */
    const int32_t *fold;   /* [s->n] */
    int32_t f;
    int inductive;
} held_out;

/* The fit without the held-out part; free it with pen_model_free. */
pen_model *held_out_fit(const held_out *t, const pen_spec *spec);

/* Predictions of all rows by the fit without the held-out part: p [s->n x classes] and classes told
 * [s->n]. If the model predicts no class, or of_fit is 1 and the fit has classes of its rows, those
 * of the fit. */
void held_out_predict(const held_out *t, const pen_spec *spec, int of_fit, double *p,
                      int32_t *told);

/* Appends p and classes of the held-out rows after `count` others; returns the new number. */
int64_t held_out_take(const held_out *t, int64_t classes, const double *p, int64_t count,
                      double *p_held, int32_t *truth);

/* p [rows x classes] at temperature T, as docs/evaluation.md defines it. */
void temper(int64_t rows, int64_t classes, double T, double *p);

/* The temperature of least loss of p [count x classes] against the classes truth [count], for a
 * classifier with the default `usual` and this number of runs. */
double best_temperature(int64_t count, int64_t classes, const double *p, const int32_t *truth,
                        int64_t runs, double usual);

/* The default temperature of "self/lda" or "classifier=lda". */
double usual_temperature(const char *classifier);

#endif
