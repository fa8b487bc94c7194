/* answer.h - what predictions of rows whose classes are known are worth, and how far their
 * probabilities are to be tempered.
 *
 * A pen_answer sums over rows, of any number of trials; sums of several are merged in the order of
 * the trials. */
#ifndef PEN_ANSWER_H
#define PEN_ANSWER_H

#include "readers/reader.h"

enum { PEN_TEMPERATURES = 5 };
extern const double pen_temperatures[PEN_TEMPERATURES]; /* 1/2, 1, 2, 4, 8 */

typedef struct pen_answer {
    int64_t classes;
    int64_t rows;                           /* the number of rows */
    int64_t right;                          /* those whose predicted class is the true one, y */
    double brier;                           /* sum over rows of sum_c (p_c - [c = y])^2 */
    double tempered_loss[PEN_TEMPERATURES]; /* sums of -ln q_y(T) */
    double mixed_loss[PEN_TEMPERATURES];    /* sums of -ln(0.98 q_y(T) + 0.02 / classes) */
} pen_answer;

/* The means over the rows. */
typedef struct pen_answer_summary {
    double accuracy, brier;
    double score;       /* accuracy - 0.001 brier: what candidates are compared by */
    double temperature; /* T of the least mixed loss, the first of equal ones */
    /* at that T, and at all of them: the mixture bounds what one row that is surely wrong adds, so
     * that it does not choose T alone. For choosing T only */
    double mixed_loss, mixed_losses[PEN_TEMPERATURES];
    /* for reports: -ln q_y(1), the log-loss with probabilities below PEN_SHARE_FLOOR counted as
     * that, so that it is finite; and -ln q_y at the chosen T, that of tempered predictions */
    double log_loss, tempered_log_loss, tempered_losses[PEN_TEMPERATURES]; /* at all T */
} pen_answer_summary;

/* No rows. */
void pen_answer_open(int64_t classes, pen_answer *out);

/* Adds a row: p [classes], not tempered, its predicted and its true class. q [classes]: work. */
void pen_answer_add(pen_answer *to, const double *p, int32_t predicted, int32_t truth, double *q);

/* Adds the rows of another answer with the same classes. */
void pen_answer_merge(const pen_answer *from, pen_answer *to);

/* Of at least one row. */
void pen_answer_summarize(const pen_answer *answer, pen_answer_summary *out);

#endif
