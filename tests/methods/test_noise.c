/* test_noise.c - rounding is not taken for data: orders of rows and columns and changes in the last
 * digit leave the classes as they are, dependent columns the eigenvalues. */
#include "kit/check_fit.h"

#include "kit/wine.h"

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

static void predict(const char *method, const char *classifier, const sample *s, int32_t *classes)
{
    const pen_data data = sample_data(s);
    pen_model *const model = fit_by(method, "classifier", classifier, &data);
    pen_error err;

    CHECK_OK(pen_predict(model, &data.x, NULL, classes, NULL, NULL, &err), &err);
    pen_model_free(model);
}

/* cfld, wbdr: as many labels as leave each class one point. */
static void same_classes(void **state)
{
    static const char *const methods[] = { "cfld", "wbdr", "fda", "none" }, *const classifiers[] = {
        "nearest", "neighbors", "means", "lda", "self-training", "logistic"
    };
    int rows[4][N], columns[4][D];
    (void)state;

    for (int i = 0; i < N; i++)
        rows[0][i] = rows[2][i] = i, rows[1][i] = N - 1 - i, rows[3][i] = i * 7 % N;
    for (int j = 0; j < D; j++)
        columns[0][j] = columns[1][j] = columns[3][j] = j, columns[2][j] = j * 3 % D;
    for (int t = 0; t < 6 * 24; t++) {
        const char *const method = methods[t % 4], *const classifier = classifiers[t / 4 % 6];
        sample s = clouds(5100 + (uint64_t)t / 24, t / 24 % 2 ? 1e4 : 0);
        pen_rng rng = check_rng(5190);
        int32_t usual[N], classes[N];
        predict(method, classifier, &s, usual);
        for (int how = 1; how < 4; how++) {
            sample other = arranged(&s, rows[how], columns[how], how == 3 ? &rng : NULL);
            predict(method, classifier, &other, classes);
            for (int i = 0; i < N; i++)
                CHECK(classes[i] == usual[rows[how][i]],
                      "%s, %s, rows %d, change %d: row %d has class %d, not %d", method, classifier,
                      t / 24, how, rows[how][i], (int)classes[i], (int)usual[rows[how][i]]);
            sample_free(&other);
        }
        sample_free(&s);
    }
}

/* ---- columns that depend on each other ---- */

enum { COLUMNS = WINE_COLUMNS, ADDED = 3, MORE = COLUMNS + ADDED };

/* The wines in the units of their columns, with columns after them that are copies and sums; and
 * the same rows in an orthonormal basis of their span, where distances are the same. */
static void dependent_rows(const wine *w, sample *rows, sample *inner)
{
    double *const some = check_allocate((int64_t)MORE * COLUMNS, sizeof *some);

    *rows = sample_new(WINES, MORE);
    *inner = sample_new(WINES, COLUMNS);
    for (int i = 0; i < WINES; i++) {
        const double *const z = w->z + i * COLUMNS;
        double *const to = rows->x + i * MORE;
        memcpy(to, z, COLUMNS * sizeof *to);
        to[COLUMNS] = z[4], to[COLUMNS + 1] = 3 * z[0], to[COLUMNS + 2] = z[1] + z[2] - z[3];
        rows->y[i] = inner->y[i] = w->classes[i];
    }
    for (int c = 0; c < COLUMNS; c++)
        for (int j = 0; j < MORE; j++)
            some[j * COLUMNS + c] = rows->x[c * 13 * MORE + j];
    double *const basis = check_basis(MORE, COLUMNS, some, COLUMNS);
    for (int i = 0; i < WINES; i++)
        for (int j = 0; j < MORE; j++)
            for (int c = 0; c < COLUMNS; c++)
                inner->x[i * COLUMNS + c] += rows->x[i * MORE + j] * basis[j * COLUMNS + c];
    free(some), free(basis);
}

static void check_same_values(const char *text, const sample *s, const sample *as, double tolerance)
{
    pen_model *const model = fit_sample(text, s), *const right = fit_sample(text, as);
    const int64_t k = pen_model_dim(right);

    CHECK(pen_model_dim(model) == k, "%s: %lld dimensions, expected %lld", text,
          (long long)pen_model_dim(model), (long long)k);
    for (int64_t c = 0; c < k; c++) {
        const double value = pen_model_tensor(model, "eigenvalues").values[c],
                     wanted = pen_model_tensor(right, "eigenvalues").values[c];
        CHECK(fabs(value - wanted) <= tolerance * fabs(wanted),
              "%s: eigenvalue %lld is %.17g, wanted %.17g", text, (long long)c, value, wanted);
    }
    pen_model_free(model), pen_model_free(right);
}

/* Every method that divides by a scatter. */
static void dependent_columns(void **state)
{
    static const char *const texts[] = {
        "fda",
        "fda ridge=auto",
        "lfda ridge=auto",
        "rca",
        "rca ridge=auto",
        "lpp origin=mean ridge=auto",
        "ilpp origin=mean ridge=auto",
        "self beta=0 ridge=auto",
        "self-mix beta=0 gamma=0.5 origin=mean ridge=auto",
        "self-ilpp origin=mean ridge=auto",
        "ssda beta=0",
        "sda alpha=0 ridge=0",
        "sda alpha=0.1 ridge=0",
    };
    wine *const w = wine_read();
    sample rows, inner, few;
    (void)state;

    dependent_rows(w, &rows, &inner);
    for (int64_t t = 0; t < COUNT_OF(texts); t++)
        check_same_values(texts[t], &rows, &inner, 1e-8);
    /* where labels are too few the scatter is shrunk, over the dimensions of the span */
    few = sample_of(WINES, COLUMNS, inner.x, inner.y);
    for (int i = 0; i < WINES; i++)
        rows.y[i] = few.y[i] = i % 20 ? PEN_UNLABELLED : w->classes[i];
    check_same_values("fda ridge=auto", &rows, &few, 1e-8);
    check_same_values("lfda ridge=auto", &rows, &few, 1e-8);
    sample_free(&rows), sample_free(&inner), sample_free(&few);
    free(w);
}

/* Columns 1 and 0 differ by little; with their difference in place of column 1, which is exact, the
 * eigenvalues are the same, and no digit is lost. */
static void nearly_dependent_columns(void **state)
{
    static const char *const texts[] = { "fda ridge=auto", "fda", "rca ridge=auto", "ssda beta=0",
                                         "sda alpha=0 ridge=0" };
    wine *const w = wine_read();
    pen_rng rng = check_rng(5300);
    (void)state;

    for (int t = 0; t < 5 * 3; t++) {
        const double apart = t % 3 == 0 ? 1e-6 : t % 3 == 1 ? 1e-7 : 3e-8;
        sample near = sample_of(WINES, COLUMNS, w->x, w->classes),
               apart_from = sample_of(WINES, COLUMNS, w->x, w->classes);
        for (int i = 0; i < WINES; i++) {
            double *const x = near.x + i * COLUMNS, *const y = apart_from.x + i * COLUMNS;
            x[1] = x[0] + apart * check_normal(&rng);
            y[1] = (x[1] - x[0]) / apart;
        }
        check_same_values(texts[t / 3], &near, &apart_from, 1e-8);
        sample_free(&near), sample_free(&apart_from);
    }
    free(w);
}

/* A last column near 1.7e15, whose rounding is a part of its spread, takes no digits from the
 * others: the fit is nearly that of the same rows with the column near 0. */
static void one_column_far_away(void **state)
{
    static const char *const texts[] = { "pca",
                                         "fda ridge=auto",
                                         "fda ridge=0.5",
                                         "rca ridge=auto",
                                         "lfda ridge=auto",
                                         "fda pca=rank ridge=auto" };
    pen_rng rng = check_rng(5350);
    (void)state;

    for (int t = 0; t < 2 * COUNT_OF(texts); t++) {
        const int d = t % 2 ? 60 : 6;
        const char *const text = texts[t / 2];
        sample near = sample_new(40, d), far = sample_new(40, d);
        for (int i = 0; i < 40 * d; i++) {
            near.y[i / d] = far.y[i / d] = i / d % 2;
            near.x[i] = i % d < d - 1 ? check_normal(&rng) + (i % d == 0 ? i / d % 2 : 0)
                                      : rint(32 * check_normal(&rng)) / 4;
            far.x[i] = near.x[i] + (i % d < d - 1 ? 0 : 1.7e15);
        }
        pen_model *const model = fit_sample(text, &far), *const right = fit_sample(text, &near);
        CHECK(strstr(text, "lfda") || pen_model_dim(model) == pen_model_dim(right),
              "%s: %lld dimensions, not %lld", text, (long long)pen_model_dim(model),
              (long long)pen_model_dim(right));
        CHECK_CLOSE(pen_model_tensor(model, "eigenvalues").values[0],
                    pen_model_tensor(right, "eigenvalues").values[0], 0.3, 0);
        pen_model_free(model), pen_model_free(right);
        sample_free(&near), sample_free(&far);
    }
}

/* ---- what is arbitrary ---- */

static void equal_eigenvalues(void **state)
{
    wine *const w = wine_read();
    const pen_data data = { .x = pen_dense(w->x, PEN_F64, WINES, COLUMNS, COLUMNS),
                            .labels = w->classes };
    pen_model *const model = fit_data("rca", &data), *const other = fit_data("fda", &data);
    (void)state;

    assert_string_equal(model_text(model, "info.equal_columns"),
                        "columns 3 to 13 have equal eigenvalues: their order and "
                        "directions within this span are arbitrary");
    assert_null(model_text(other, "info.equal_columns"));
    pen_model_free(model), pen_model_free(other);
    free(w);
}

/* A row that no landmark is near gets the shares of the classes, also through a file. */
static void far_rows(void **state)
{
    static const char *const methods[] = { "pca", "sda", "fme" }, *const classifiers[] = {
        "auto", "nearest", "means", "lda", "logistic"
    };
    sample s = clouds(5400, 0);
    const pen_data data = sample_data(&s);
    double far[D] = { 1e6 }, p[LABELS];
    const pen_array row = pen_dense(far, PEN_F64, 1, D, D);
    int32_t class;
    pen_error err;
    (void)state;

    s.y[0] = s.y[3] = 2;
    s.y[7] = 0;
    s.y[8] = 0; /* 2, 2 and 4 labels */
    for (int t = 0; t < 15; t++) {
        char text[80];
        void *bytes;
        size_t size;
        /* those that expect shares are told to expect those of the labels, too */
        const int weighs = classifiers[t % 5][0] != 'n' && strcmp(classifiers[t % 5], "means") != 0;
        snprintf(text, sizeof text, "%s kernel=rbf classifier=%s%s", methods[t / 5],
                 classifiers[t % 5], weighs ? " prior=labels" : "");
        pen_model *const model = fit_data(text, &data), *again;
        CHECK_OK(pen_model_to_bytes(model, &bytes, &size, &err), &err);
        CHECK_OK(pen_model_from_bytes(bytes, size, &again, &err), &err);
        CHECK_OK(pen_predict(again, &row, NULL, &class, p, NULL, &err), &err);
        CHECK(class == 2 && fabs(p[0] - 0.25) + fabs(p[1] - 0.25) + fabs(p[2] - 0.5) < 1e-12,
              "%s: class %d, shares %g %g %g", text, (int)class, p[0], p[1], p[2]);
        pen_free(bytes);
        pen_model_free(model), pen_model_free(again);
    }
    sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_classes),
        cmocka_unit_test(dependent_columns),
        cmocka_unit_test(nearly_dependent_columns),
        cmocka_unit_test(equal_eigenvalues),
        cmocka_unit_test(one_column_far_away),
        cmocka_unit_test(far_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
