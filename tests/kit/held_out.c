/* held_out.c - see held_out.h. */
#include "kit/held_out.h"

pen_model *held_out_fit(const held_out *t, const pen_spec *spec)
{
    const int64_t all = t->s->n, d = t->s->d;
    const int32_t *const known = t->labels ? t->labels : t->s->y;
    double *const x = check_allocate(all * d, sizeof *x);
    int32_t *const labels = check_allocate(all, sizeof *labels);
    int64_t n = 0;
    pen_model *model;
    pen_error err;

    for (int64_t i = 0; i < all; i++) {
        if (t->inductive && t->fold[i] == t->f)
            continue;
        memcpy(x + n * d, t->s->x + i * d, (size_t)d * sizeof *x);
        labels[n++] = t->fold[i] == t->f ? PEN_UNLABELLED : known[i];
    }
    const pen_data data = { .x = pen_dense(x, PEN_F64, n, d, d), .labels = labels };
    CHECK_OK(pen_fit(spec, &data, NULL, &model, &err), &err);
    return model;
}

void held_out_predict(const held_out *t, const pen_spec *spec, int of_fit, double *p, int32_t *told)
{
    const pen_array all = pen_dense(t->s->x, PEN_F64, t->s->n, t->s->d, t->s->d);
    pen_model *const model = held_out_fit(t, spec);
    const double *const shares = pen_model_tensor(model, "probabilities").values;
    const int64_t c = pen_model_class_count(model);
    pen_error err;

    if (model_text(model, "classifier") && !(of_fit && shares)) {
        CHECK_OK(pen_predict(model, &all, NULL, told, p, NULL, &err), &err);
    } else {
        memcpy(p, shares, (size_t)(all.rows * c) * sizeof *p);
        for (int64_t i = 0; i < all.rows * c; i++) {
            int32_t *const best = &told[i / c];
            *best = i % c == 0 || p[i] > p[i - i % c + *best] ? (int32_t)(i % c) : *best;
        }
    }
    pen_model_free(model);
}

int64_t held_out_take(const held_out *t, int64_t classes, const double *p, int64_t count,
                      double *p_held, int32_t *truth)
{
    for (int64_t i = 0; i < t->s->n; i++)
        if (t->fold[i] == t->f) {
            memcpy(p_held + count * classes, p + i * classes, (size_t)classes * sizeof *p);
            truth[count++] = t->s->y[i];
        }
    return count;
}

void temper(int64_t rows, int64_t classes, double T, double *p)
{
    for (; rows > 0; rows--, p += classes) {
        double sum = 0;
        for (int64_t c = 0; c < classes; c++)
            sum += p[c] = pow(fmax(p[c], 1e-4), 1 / T);
        for (int64_t c = 0; c < classes; c++)
            p[c] /= sum;
    }
}

double best_temperature(int64_t count, int64_t classes, const double *p, const int32_t *truth,
                        int64_t runs, double usual)
{
    double *const q = check_allocate(count * classes, sizeof *q), least = INFINITY, best = 0;

    for (int i = -16; i <= 20; i++) {
        const double T = exp(0.1 * i);
        double loss = pow(log(T / usual), 2);
        memcpy(q, p, (size_t)(count * classes) * sizeof *q);
        temper(count, classes, T, q);
        for (int64_t e = 0; e < count; e++)
            loss -= log(0.98 * q[e * classes + truth[e]] + 0.02 / (double)classes) / (double)runs;
        best = loss < least ? T : best;
        least = fmin(least, loss);
    }
    return best;
}

double usual_temperature(const char *classifier)
{
    static const struct {
        const char *name;
        double usual;
    } classifiers[] = {
        { "scores", 0.45 }, { "nearest", 0.7 }, { "lda", 2 }, { "self-training", 2 }
    };

    for (int64_t i = 0; i < COUNT_OF(classifiers); i++)
        if (strstr(classifier, classifiers[i].name))
            return classifiers[i].usual;
    return 1;
}
