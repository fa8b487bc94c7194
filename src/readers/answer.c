/* answer.c - accuracy, Brier score and log-loss of predicted classes. */
#include "readers/answer.h"

#include <math.h>

/* The place of T = 1. */
enum { ONE = 16 };

static const double MIXED = 0.02;         /* how much of the equal probabilities is mixed in */
static const double BRIER_WEIGHT = 0.001; /* decides between equal accuracies, and hardly else */

double pen_temperature_at(int i)
{
    return exp((double)(i - ONE) / 10);
}

void pen_answer_open(int64_t classes, pen_answer *out)
{
    *out = (pen_answer){ .classes = classes };
}

/* q_y(T) as pen_temper has it. The p at the floor, often most of them, are counted together. */
static double tempered(int64_t above, const double *logs, double floors, double own, double T)
{
    double sum = floors > 0 ? floors * exp((log(PEN_SHARE_FLOOR) - own) / T) : 0;

    for (int64_t a = 0; a < above; a++)
        sum += exp((logs[a] - own) / T);
    return 1 / sum;
}

void pen_answer_add(pen_answer *to, const double *p, int32_t predicted, int32_t truth, double *q)
{
    const int64_t c = to->classes;
    int64_t above = 0;

    to->rows++;
    to->right += predicted == truth;
    for (int64_t a = 0; a < c; a++) {
        to->brier += (p[a] - (a == truth)) * (p[a] - (a == truth));
        if (p[a] > PEN_SHARE_FLOOR)
            q[above++] = log(p[a]);
    }
    const double own = log(fmax(p[truth], PEN_SHARE_FLOOR));
    for (int t = 0; t < PEN_TEMPERATURES; t++) {
        const double of_truth = tempered(above, q, (double)(c - above), own, pen_temperature_at(t));
        to->tempered_loss[t] -= log(of_truth);
        to->mixed_loss[t] -= log((1 - MIXED) * of_truth + MIXED / (double)c);
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

    out->accuracy = (double)answer->right / rows;
    out->brier = answer->brier / rows;
    out->score = out->accuracy - BRIER_WEIGHT * out->brier;
    out->log_loss = answer->tempered_loss[ONE] / rows;
}

double pen_usual_temperature(enum pen_reader_kind kind)
{
    switch (kind) {
    case PEN_READER_SCORES:
        return 0.45;
    case PEN_READER_NEAREST:
        return 0.7;
    case PEN_READER_LDA:
    case PEN_READER_SELF_TRAINING:
        return 2;
    default:
        return 1;
    }
}

double pen_answer_temperature(const pen_answer *answer, int64_t runs, double usual)
{
    double least = (double)INFINITY, best = usual;

    for (int t = 0; t < PEN_TEMPERATURES; t++) {
        const double T = pen_temperature_at(t), off = log(T / usual),
                     J = answer->mixed_loss[t] / (double)runs + off * off;
        if (J < least) {
            least = J;
            best = T;
        }
    }
    return best;
}

double pen_answer_log_loss(const pen_answer *answer, double temperature)
{
    int at = 0;

    while (at + 1 < PEN_TEMPERATURES && pen_temperature_at(at) < temperature)
        at++;
    return answer->tempered_loss[at] / (double)answer->rows;
}
