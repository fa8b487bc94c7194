/* test_noise.c - rounding is not mistaken for data: dependent columns and columns far from 0 do not
 * change the eigenvalues. */
#include "kit/check_fit.h"

#include "kit/wine.h"

enum { COLUMNS = WINE_COLUMNS, ADDED = 3, MORE = COLUMNS + ADDED };

/* The wines in the original units, with copies and sums appended as columns; and the same rows in
 * an orthonormal basis of their span, which keeps distances. */
static void dependent_rows(const wine *w, sample *rows, sample *inner)
{
    double *const some = zeros((int64_t)MORE * COLUMNS);

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
}

static void check_same_values(const char *text, const sample *s, const sample *as, double tolerance)
{
    pen_model *const model = fit_sample(text, s), *const right = fit_sample(text, as);
    const int64_t k = pen_model_dim(right);

    CHECK(pen_model_dim(model) == k, "%s: %lld dimensions, expected %lld", text,
          (long long)pen_model_dim(model), (long long)k);
    for (int64_t c = 0; c < k; c++) {
        const double value = model_values(model, "eigenvalues")[c],
                     wanted = model_values(right, "eigenvalues")[c];
        CHECK(fabs(value - wanted) <= tolerance * fabs(wanted),
              "%s: eigenvalue %lld is %.17g, wanted %.17g", text, (long long)c, value, wanted);
    }
}

/* Every method that divides by a scatter. */
TEST(dependent_columns)
{
    const text_list texts = text_list_of(
        "fda; fda ridge=auto; lfda ridge=auto; rca; rca ridge=auto; lpp origin=mean ridge=auto; "
        "ilpp origin=mean ridge=auto; self beta=0 ridge=auto; "
        "self-mix beta=0 gamma=0.5 origin=mean ridge=auto; self-ilpp origin=mean ridge=auto; "
        "ssda beta=0; sda alpha=0 ridge=0; sda alpha=0.1 ridge=0");
    wine *const w = wine_read();
    sample rows, inner, few;

    dependent_rows(w, &rows, &inner);
    for (int64_t t = 0; t < texts.count; t++)
        check_same_values(texts.text[t], &rows, &inner, 1e-8);
    /* if labels are too few, the scatter is shrunk over the dimensions of the span */
    few = sample_of(WINES, COLUMNS, inner.x, inner.y);
    for (int i = 0; i < WINES; i++)
        rows.y[i] = few.y[i] = i % 20 ? PEN_UNLABELLED : w->classes[i];
    check_same_values("fda ridge=auto", &rows, &few, 1e-8);
    check_same_values("lfda ridge=auto", &rows, &few, 1e-8);
}

/* Columns 0 and 1 differ little. Replacing column 1 by the exact difference keeps the eigenvalues,
 * without loss of digits. */
TEST(nearly_dependent_columns)
{
    static const char *const texts[] = { "fda ridge=auto", "fda", "rca ridge=auto", "ssda beta=0",
                                         "sda alpha=0 ridge=0" };
    wine *const w = wine_read();
    pen_rng rng = check_rng(5300);

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
    }
}

/* A last column near 1.7e15, with rounding errors comparable to its spread, does not affect the
 * other columns: the fit is nearly that with the column near 0. */
TEST(one_column_far_away)
{
    const text_list texts =
        text_list_of("pca; fda ridge=auto; fda ridge=0.5; rca ridge=auto; lfda ridge=auto; "
                     "fda pca=rank ridge=auto");
    pen_rng rng = check_rng(5350);

    for (int t = 0; t < 2 * texts.count; t++) {
        const int d = t % 2 ? 60 : 6;
        const char *const text = texts.text[t / 2];
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
        CHECK_CLOSE(model_values(model, "eigenvalues")[0], model_values(right, "eigenvalues")[0],
                    0.3, 0);
    }
}

TEST(equal_eigenvalues)
{
    wine *const w = wine_read();
    const pen_data data = { .x = pen_dense(w->x, PEN_F64, WINES, COLUMNS, COLUMNS),
                            .labels = w->classes };
    pen_model *const model = fit_data("rca", &data), *const other = fit_data("fda", &data);

    assert_string_equal(model_text(model, "info.equal_columns"),
                        "columns 3 to 13 have equal eigenvalues: their order and "
                        "directions within this span are arbitrary");
    assert_null(model_text(other, "info.equal_columns"));
}
