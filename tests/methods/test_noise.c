/* test_noise.c - rounding is not taken for data: orders of rows and columns and changes in the last
 * digit leave the classes as they are, dependent columns the eigenvalues. */
#include "kit/check_fit.h"

#include <float.h>

/* A fit with the defaults of the library. */
static pen_model *fit_by(const char *method, const char *name, const char *value,
                         const pen_data *data)
{
    pen_model *model = NULL;
    pen_spec *spec;
    pen_error err;

    CHECK_OK(pen_spec_new(method, &spec, &err), &err);
    if (name)
        CHECK_OK(pen_spec_set(spec, name, value, &err), &err);
    CHECK_OK(pen_fit(spec, data, NULL, &model, &err), &err);
    pen_spec_free(spec);
    return model;
}

/* ---- classes ---- */

enum { N = 40, D = 8, LABELS = 3, KNOWN = 6 };

static sample clouds(uint64_t tag, double origin)
{
    pen_rng rng = check_rng(tag);
    sample s = sample_new(N, D);

    for (int i = 0; i < N; i++) {
        s.y[i] = i < KNOWN ? i % LABELS : PEN_UNLABELLED;
        for (int j = 0; j < D; j++)
            s.x[i * D + j] = origin + check_normal(&rng) + (i < KNOWN && j == i % LABELS ? 2 : 0);
    }
    return s;
}

/* Row i of `to` is row rows[i], its column j column columns[j], values changed in the last digit if
 * `rng` is given. */
static sample arranged(const sample *s, const int *rows, const int *columns, pen_rng *rng)
{
    sample to = sample_new(N, D);

    for (int i = 0; i < N; i++) {
        to.y[i] = s->y[rows[i]];
        for (int j = 0; j < D; j++) {
            const double value = s->x[rows[i] * D + columns[j]];
            to.x[i * D + j] =
                rng ? value * (1 + (pen_rng_uniform(rng) < 0.5 ? -1 : 1) * 1e-15) : value;
        }
    }
    return to;
}

static void predict(const char *method, const char *reader, const sample *s, int32_t *classes)
{
    const pen_data data = sample_data(s);
    pen_model *const model = fit_by(method, "reader", reader, &data);
    pen_error err;

    CHECK_OK(pen_predict(model, &data.x, classes, NULL, NULL, &err), &err);
    pen_model_free(model);
}

/* cfld, wbdr: as many labels as leave each class one point. */
static void same_classes(void **state)
{
    static const char *const methods[] = { "cfld", "wbdr", "fda", "none" }, *const readers[] = {
        "nearest", "neighbors", "means", "lda", "self-training", "logistic"
    };
    int rows[4][N], columns[4][D];
    (void)state;

    for (int i = 0; i < N; i++)
        rows[0][i] = rows[2][i] = i, rows[1][i] = N - 1 - i, rows[3][i] = i * 7 % N;
    for (int j = 0; j < D; j++)
        columns[0][j] = columns[1][j] = columns[3][j] = j, columns[2][j] = j * 3 % D;
    for (int t = 0; t < 6 * 24; t++) {
        const char *const method = methods[t % 4], *const reader = readers[t / 4 % 6];
        sample s = clouds(5100 + (uint64_t)t / 24, t / 24 % 2 ? 1e4 : 0);
        pen_rng rng = check_rng(5190);
        int32_t usual[N], classes[N];
        predict(method, reader, &s, usual);
        for (int how = 1; how < 4; how++) {
            sample other = arranged(&s, rows[how], columns[how], how == 3 ? &rng : NULL);
            predict(method, reader, &other, classes);
            for (int i = 0; i < N; i++)
                CHECK(classes[i] == usual[rows[how][i]],
                      "%s, %s, rows %d, change %d: row %d has class %d, not %d", method, reader,
                      t / 24, how, rows[how][i], (int)classes[i], (int)usual[rows[how][i]]);
            sample_free(&other);
        }
        sample_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_classes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
