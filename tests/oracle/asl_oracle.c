/* asl_oracle.c - alternating fuzzy assignment and ridge regression. Wang, Nie, Huang: ICDM 2014. */
#include "check.h"
#include "oracle/labels_family.h"

/* |f_i - e_k|^2 for row i in the coordinates of the method. */
static double to_corner(const label_oracle *o, const double *W, const double *b, int64_t i,
                        int64_t k)
{
    const int64_t c = o->classes, q = o->fit->q;
    double sum = 0;
    for (int64_t j = 0; j < c; j++) {
        double f = b[j] - (j == k);
        for (int64_t l = 0; l < q; l++)
            f += o->fit->x[i * q + l] * W[l * c + j];
        sum += f * f;
    }
    return sum;
}

static void assign(const fit_options *opt, label_oracle *o, const double *W, const double *b)
{
    const int64_t c = o->classes;
    const double exponent = option(opt, "exponent");

    for (int64_t i = 0; i < o->n; i++) {
        double least = INFINITY, sum = 0;
        int64_t nearest = 0;
        for (int64_t k = 0; k < c; k++) {
            const double far = to_corner(o, W, b, i, k);
            nearest = far < least ? k : nearest;
            least = fmin(least, far);
        }
        for (int64_t k = 0; k < c; k++) {
            const double share = exponent == 1 || least == 0
                                     ? k == nearest
                                     : pow(least / to_corner(o, W, b, i, k), 1 / (exponent - 1));
            o->F[i * c + k] = o->class[i] >= 0 ? o->class[i] == k : share;
            sum += o->F[i * c + k];
        }
        for (int64_t k = 0; k < c; k++)
            o->F[i * c + k] /= sum;
    }
}

/* Ridge regression with weights: rows [x, 1] and the penalty, over all rows or (`start`) the
 * labelled ones. */
static void regress(const fit_options *opt, const label_oracle *o, int start, double *W, double *b)
{
    const int64_t c = o->classes, q = o->fit->q, u = q + 1;
    const double exponent = option(opt, "exponent");
    double *system = zeros(u * u), *right = zeros(u * c), *row = zeros(u);

    for (int64_t i = 0; i < q; i++)
        system[i * u + i] = option(opt, "ridge");
    for (int64_t i = 0; i < o->n; i++)
        for (int64_t k = 0; k < c; k++) {
            const double weight = o->class[i] >= 0 ? o->class[i] == k
                                  : start          ? 0
                                                   : pow(o->F[i * c + k], exponent);
            memcpy(row, o->fit->x + i * q, (size_t)q * sizeof *row);
            row[q] = 1;
            for (int64_t p = 0; p < u; p++) {
                right[p * c + k] += weight * row[p];
                dense_add(u, weight * row[p], row, system + p * u);
            }
        }
    double *solved = dense_solve(u, c, system, right);
    memcpy(W, solved, (size_t)(q * c) * sizeof *W);
    memcpy(b, solved + q * c, (size_t)c * sizeof *b);
}

static double asl_objective(const fit_options *opt, const label_oracle *o, const double *W,
                            const double *b)
{
    const int64_t c = o->classes;
    const double exponent = option(opt, "exponent");
    double sum = option(opt, "ridge") * dense_dot(o->fit->q * c, W, W);

    for (int64_t i = 0; i < o->n * c; i++)
        sum += (o->F[i] > 0 ? pow(o->F[i], exponent) : 0) * to_corner(o, W, b, i / c, i % c);
    return sum;
}

void asl_oracle(const fit_options *opt, const double *distances, label_oracle *o)
{
    const int64_t c = o->classes, q = o->fit->q;
    double *W = zeros(q * c);

    o->bias = zeros(c);
    o->F = zeros(o->n * c);
    o->history = zeros(option_int(opt, "max_iter"));
    regress(opt, o, 1, W, o->bias);
    for (int64_t step = 0; step < option_int(opt, "max_iter"); step++) {
        assign(opt, o, W, o->bias);
        regress(opt, o, 0, W, o->bias);
        o->history[step] = asl_objective(opt, o, W, o->bias);
        o->iterations = step + 1;
        if (step > 0
            && o->history[step - 1] - o->history[step] <= option(opt, "tol") * o->history[step])
            break;
    }
    label_set_prediction(W, o);
}
