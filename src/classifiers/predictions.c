/* predictions.c - accuracy, Brier score and log-loss of predicted classes. */
#include "classifiers/predictions.h"

#include <math.h>

/* The place of T = 1. */
enum { ONE = 16 };

static const double MIXED = 0.02;         /* weight of the equal probabilities in the mixture */
static const double BRIER_WEIGHT = 0.001; /* decides only between nearly equal accuracies */

double pen_temperature_at(int i)
{
    return exp((double)(i - ONE) / 10);
}

void pen_predictions_open(int64_t classes, pen_predictions *out)
{
    *out = (pen_predictions){ .classes = classes };
}

/* q_y(T) of pen_temper, and the sum of all squares. The p at the floor, often most of them, are
 * counted together. */
static double tempered(int64_t above, const double *logs, double floors, double own, double T,
                       double *squares)
{
    const double least = floors > 0 ? exp((log(PEN_SHARE_FLOOR) - own) / T) : 0;
    double sum = floors * least, square = floors * least * least;

    for (int64_t a = 0; a < above; a++) {
        const double one = exp((logs[a] - own) / T);
        sum += one;
        square += one * one;
    }
    *squares = square / (sum * sum);
    return 1 / sum;
}

static void add_to_bin(double p, int right, pen_calibration_bin *bins)
{
    const int64_t at = pen_min((int64_t)(p * PEN_CALIBRATION_BINS), PEN_CALIBRATION_BINS - 1);

    bins[at].rows++;
    bins[at].predicted += p;
    bins[at].right += right;
}

void pen_predictions_add(pen_predictions *to, const double *p, int32_t predicted, int32_t truth,
                         double *q)
{
    const int64_t c = to->classes;
    int64_t above = 0;

    to->rows++;
    to->right += predicted == truth;
    for (int64_t a = 0; a < c; a++) {
        to->brier[PEN_TEMPERATURES] += (p[a] - (a == truth)) * (p[a] - (a == truth));
        if (p[a] > PEN_SHARE_FLOOR)
            q[above++] = log(p[a]);
    }
    const double own = log(fmax(p[truth], PEN_SHARE_FLOOR)),
                 told = log(fmax(p[predicted], PEN_SHARE_FLOOR));
    for (int t = 0; t < PEN_TEMPERATURES; t++) {
        const double T = pen_temperature_at(t);
        double squares;
        const double of_truth = tempered(above, q, (double)(c - above), own, T, &squares);
        to->tempered_loss[t] -= log(of_truth);
        to->mixed_loss[t] -= log((1 - MIXED) * of_truth + MIXED / (double)c);
        to->brier[t] += squares - 2 * of_truth + 1;
        if (to->bins)
            add_to_bin(of_truth * exp((told - own) / T), predicted == truth, to->bins[t]);
        if (t == ONE)
            to->tempered_loss[PEN_TEMPERATURES] -= log(of_truth);
    }
    if (to->bins)
        add_to_bin(p[predicted], predicted == truth, to->bins[PEN_TEMPERATURES]);
}

void pen_predictions_merge(const pen_predictions *from, pen_predictions *to)
{
    to->rows += from->rows;
    to->right += from->right;
    for (int t = 0; t <= PEN_TEMPERATURES; t++) {
        to->brier[t] += from->brier[t];
        to->tempered_loss[t] += from->tempered_loss[t];
    }
    for (int t = 0; t < PEN_TEMPERATURES; t++)
        to->mixed_loss[t] += from->mixed_loss[t];
}

double pen_predictions_accuracy(const pen_predictions *answer)
{
    return (double)answer->right / (double)answer->rows;
}

double pen_predictions_score(const pen_predictions *answer)
{
    return pen_predictions_accuracy(answer) - BRIER_WEIGHT * pen_predictions_brier(answer, 0);
}

double pen_usual_temperature(enum pen_classifier_kind kind)
{
    switch (kind) {
    case PEN_CLASSIFIER_SCORES:
        return 0.45;
    case PEN_CLASSIFIER_NEAREST:
        return 0.7;
    case PEN_CLASSIFIER_LDA:
    case PEN_CLASSIFIER_SELF_TRAINING:
        return 2;
    default:
        return 1;
    }
}

double pen_predictions_temperature(const pen_predictions *answer, int64_t runs, double usual)
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

static int is_certain(int64_t classes, const double *p)
{
    for (int64_t a = 0; a < classes; a++)
        if (p[a] > 0 && p[a] < 1)
            return 0;
    return 1;
}

double pen_temperature_like(int64_t n, int64_t classes, const double *p, const double *to,
                            double usual)
{
    double least = (double)INFINITY, best = usual;

    for (int t = 0; t < PEN_TEMPERATURES; t++) {
        const double T = pen_temperature_at(t);
        double loss = 0;
        for (int64_t i = 0; i < n; i++) {
            double sum = 0, own = 0;
            if (is_certain(classes, to + i * classes))
                continue;
            for (int64_t a = i * classes; a < (i + 1) * classes; a++) {
                const double power = log(fmax(p[a], PEN_SHARE_FLOOR)) / T;
                sum += exp(power);
                own += to[a] * power;
            }
            loss += log(sum) - own;
        }
        if (loss > 0 && loss < least) {
            least = loss;
            best = T;
        }
    }
    return best;
}

int pen_temperature_place(double temperature)
{
    int at = 0;

    while (at + 1 < PEN_TEMPERATURES && pen_temperature_at(at) < temperature)
        at++;
    return temperature > 0 ? at : PEN_TEMPERATURES;
}

double pen_predictions_log_loss(const pen_predictions *answer, double temperature)
{
    return answer->tempered_loss[pen_temperature_place(temperature)] / (double)answer->rows;
}

double pen_predictions_brier(const pen_predictions *answer, double temperature)
{
    return answer->brier[pen_temperature_place(temperature)] / (double)answer->rows;
}
