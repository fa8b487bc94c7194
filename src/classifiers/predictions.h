/* predictions.h - measures of predictions for rows with known classes, and the temperature of their
 * probabilities.
 *
 * A pen_predictions sums over rows, of any number of trials; sums of several are merged in the
 * order of the trials. */
#ifndef PEN_ANSWER_H
#define PEN_ANSWER_H

#include "classifiers/classifier.h"

enum { PEN_CALIBRATION_BINS = 10 };

/* Held-out rows whose predicted class has a probability in [i, i + 1) / PEN_CALIBRATION_BINS. */
typedef struct pen_calibration_bin {
    double predicted; /* mean of these probabilities; NaN without rows, like the next field */
    double right;     /* fraction of rows of the predicted class */
    int64_t rows;
} pen_calibration_bin;

enum { PEN_TEMPERATURES = 37 };

/* e^((i - 16) / 10) for i in 0 .. PEN_TEMPERATURES - 1: from 0.2 to 7.4. */
double pen_temperature_at(int i);

/* Rows by the probability of their predicted class; sums instead of means. */
typedef pen_calibration_bin pen_bins[PEN_CALIBRATION_BINS];

/* Lists by T end with an entry for unchanged p. */
typedef struct pen_predictions {
    int64_t classes;
    int64_t rows;                               /* the number of rows */
    int64_t right;                              /* rows whose predicted class is the true one, y */
    double brier[PEN_TEMPERATURES + 1];         /* sums over rows of sum_c (q_c(T) - [c = y])^2 */
    double tempered_loss[PEN_TEMPERATURES + 1]; /* sums of -ln q_y(T), last -ln q_y(1) */
    double mixed_loss[PEN_TEMPERATURES];        /* sums of -ln(0.98 q_y(T) + 0.02 / classes) */
    pen_bins *bins; /* [PEN_TEMPERATURES + 1], owned by the caller; NULL: not wanted */
} pen_predictions;

/* No rows. */
void pen_predictions_open(int64_t classes, pen_predictions *out);

/* Adds a row: p [classes], not tempered, its predicted and its true class. q [classes]: work.
 * Cost: PEN_TEMPERATURES exponentials for each p above PEN_SHARE_FLOOR. */
void pen_predictions_add(pen_predictions *to, const double *p, int32_t predicted, int32_t truth,
                         double *q);

/* Adds the rows of other predictions of the same classes, without the bins. */
void pen_predictions_merge(const pen_predictions *from, pen_predictions *to);

/* For at least one row: the accuracy, and accuracy - 0.001 Brier score, which ranks candidates. */
double pen_predictions_accuracy(const pen_predictions *answer);
double pen_predictions_score(const pen_predictions *answer);

/* The temperature without data to measure it: 0.45 for scores, 0.7 for nearest, 2 for lda and
 * self-training, 1 for others, found on 30 sets. */
double pen_usual_temperature(enum pen_classifier_kind kind);

/* The one of the PEN_TEMPERATURES with the smallest
 *
 *   sum over labelled rows of the mean over runs of -ln(0.98 q_y(T) + 0.02 / classes)
 *     + ln(T / usual)^2,
 *
 * the first of equal ones. The predictions sum over all runs, each of which holds out each labelled
 * row once. The mixture bounds what a single confident error adds, so that it does not choose T
 * alone; the square keeps a few rows from doing so. Without rows: the one nearest to `usual`. */
double pen_predictions_temperature(const pen_predictions *answer, int64_t runs, double usual);

/* The one of the PEN_TEMPERATURES at which p [n x classes] has the smallest cross-entropy with `to`
 * [n x classes], over rows for which `to` is not certain; `usual` if it is certain for all. */
double pen_temperature_like(int64_t n, int64_t classes, const double *p, const double *to,
                            double usual);

/* The place of one of the PEN_TEMPERATURES in the lists; 0, no T: the place of unchanged p. */
int pen_temperature_place(double temperature);

/* The means of -ln q_y and of sum_c (q_c - [c = y])^2 at one of the PEN_TEMPERATURES, or 0. */
double pen_predictions_log_loss(const pen_predictions *answer, double temperature);
double pen_predictions_brier(const pen_predictions *answer, double temperature);

#endif
