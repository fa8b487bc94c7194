/* answer.c - accuracy, Brier score and log-loss of predicted classes. */
#include "readers/answer.h"

#include <math.h>
#include <string.h>

static const double MIXED = 0.02;         /* how much of the equal probabilities is mixed in */
static const double BRIER_WEIGHT = 0.001; /* decides between equal accuracies, and hardly else */

const double pen_temperatures[PEN_TEMPERATURES] = { 0.5, 1, 2, 4, 8 };

void pen_answer_open(int64_t classes, pen_answer *out)
{
    *out = (pen_answer){ .classes = classes };
}

void pen_answer_add(pen_answer *to, const double *p, int32_t predicted, int32_t truth, double *q)
{
    const int64_t c = to->classes;

    to->rows++;
    to->right += predicted == truth;
    for (int64_t a = 0; a < c; a++)
        to->brier += (p[a] - (a == truth)) * (p[a] - (a == truth));
    for (int t = 0; t < PEN_TEMPERATURES; t++) {
        memcpy(q, p, (size_t)c * sizeof *q);
        pen_temper(c, pen_temperatures[t], q);
        to->tempered_loss[t] -= log(q[truth]);
        to->mixed_loss[t] -= log((1 - MIXED) * q[truth] + MIXED / (double)c);
    }
}

void pen_answer_merge(const pen_answer *from, pen_answer *to)
{
    to->rows += from->rows;
    to->right += from->right;
    to->brier += from->brier;
    for (int t = 0; t < PEN_TEMPERATURES; t++) {
        to->tempered_loss[t] += from->tempered_loss[t];
        to->mixed_loss[t] += from->mixed_loss[t];
    }
}

void pen_answer_summarize(const pen_answer *answer, pen_answer_summary *out)
{
    const double rows = (double)answer->rows;
    int best = 0;

    for (int t = 0; t < PEN_TEMPERATURES; t++) {
        out->mixed_losses[t] = answer->mixed_loss[t] / rows;
        out->tempered_losses[t] = answer->tempered_loss[t] / rows;
        if (out->mixed_losses[t] < out->mixed_losses[best])
            best = t;
    }
    out->accuracy = (double)answer->right / rows;
    out->brier = answer->brier / rows;
    out->score = out->accuracy - BRIER_WEIGHT * out->brier;
    out->temperature = pen_temperatures[best];
    out->mixed_loss = out->mixed_losses[best];
    out->log_loss = out->tempered_losses[1];
    out->tempered_log_loss = out->tempered_losses[best];
}
