/* test_typical_fit.c - typicality by all kinds of models: against the formula for the file, by
 * literal loops, and general properties. */
#include "kit/embedded.h"
#include "kit/sparse_sample.h"

enum { N = 150, D = 6, C = 3, NEW = 60 };

static const char *const ways[] = {
    "fme",
    "fme prior=none scale=none",
    "fda ridge=0.1 scale=standard",
    "self dim=2 classifier=means",
    "pca dim=3 classifier=nearest",
    "pca dim=2 row_steps=l2 classifier=logistic",
    "pca row_steps=total:100,log1p,select:4 classifier=self-training",
    "pca dim=1 row_steps=snv classifier=neighbors",
    "sda kernel=rbf classifier=lda",
    "fda ridge=0.1 kernel=polynomial kernel_landmarks=20 classifier=means",
    "none scale=minmax classifier=nearest",
};

/* Positive rows with some zeros, of separate classes. */
static sample rows_of_fit(uint64_t tag)
{
    pen_rng rng = check_rng(tag);
    sample s = sample_random(&rng, N, D, C, 40);

    for (int64_t i = 0; i < N * D; i++)
        s.x[i] = s.x[i] < 0 ? 0 : s.x[i] + 0.5;
    return s;
}

static void tell(const pen_model *model, const pen_array *x, double *typical)
{
    pen_error err;

    CHECK_OK(pen_predict(model, x, NULL, NULL, NULL, typical, &err), &err);
}

static int64_t measured(const pen_model *model)
{
    return pen_model_tensor(model, "typical_distances").rows;
}

/* The distance of a row, without row steps, from the contents of the file. */
static double literally(const pen_model *model, const double *x)
{
    const pen_matrix units = pen_model_tensor(model, "typical_units"),
                     rows = pen_model_tensor(model, "typical_rows"),
                     scale = pen_model_tensor(model, "scale");
    const int64_t k = pen_model_dim(model);
    const pen_array row = pen_dense(x, PEN_F64, 1, D, D);
    double u[D + 1], least[2] = { INFINITY, INFINITY }, length2 = 0, square = 1;
    pen_error err;

    CHECK_OK(pen_transform(model, &row, NULL, PEN_F64, u, k, &err), &err);
    for (int64_t j = 0; j < D; j++)
        length2 +=
            pow((scale.values ? scale.values[j] : 1) * (x[j] - model_values(model, "mean")[j]), 2);
    u[k] = sqrt(length2);
    for (int64_t j = 0; j <= k; j++) {
        u[j] = (u[j] - units.values[j]) * units.values[k + 1 + j];
        square += u[j] * u[j];
    }
    for (int64_t r = 0; r < rows.rows; r++) {
        const double sum = dense_distance2(k + 1, u, rows.values + r * (k + 1));
        least[1] = fmin(least[1], fmax(sum, least[0]));
        least[0] = fmin(least[0], sum);
    }
    return sqrt(least[least[0] <= 1e-12 * square]);
}

/* The number of fitted rows that are certainly as far as `own`, and that may be. */
static void count_as_far(const double *of_fit, double own, int64_t *low, int64_t *high)
{
    *low = *high = 0;
    for (int64_t j = 0; j < N; j++) {
        *low += of_fit[j] >= own * (1 + 1e-9) + 1e-12;
        *high += of_fit[j] >= own * (1 - 1e-9) - 1e-12;
    }
}

/* With enough rows for its columns, a fit measures its own rows as if they were new. */
TEST(the_formula_of_the_file)
{
    const text_list plain = text_list_of(
        "fme; fme prior=none scale=none; none classifier=nearest; fda ridge=0.1 scale=standard; "
        "self dim=2; pca dim=3 classifier=means");
    sample s = rows_of_fit(7101), other = rows_of_fit(7102);
    const pen_array x = sample_data(&other).x;

    for (int64_t w = 0; w < plain.count; w++) {
        pen_model *const model = fit_sample(plain.text[w], &s);
        const double *const of_fit = model_values(model, "typical_distances");
        double typical[N];
        assert_int_equal(measured(model), N);
        tell(model, &x, typical);
        for (int64_t i = 0; i < N; i++) {
            int64_t low, high;
            count_as_far(of_fit, literally(model, s.x + i * D), &low, &high);
            CHECK(low < high, "%s: the fit lacks the distance of row %d", plain.text[w], (int)i);
            count_as_far(of_fit, literally(model, other.x + i * D), &low, &high);
            CHECK(typical[i] >= (double)(1 + low) / (N + 1)
                      && typical[i] <= (double)(1 + high) / (N + 1),
                  "%s, row %d: %g, not %g", plain.text[w], (int)i, typical[i],
                  (double)(1 + low) / (N + 1));
        }
    }
}

/* Rows of the fit, other rows, zeros, and outliers. */
static void make_new(const sample *s, double x[NEW * D])
{
    pen_rng rng = check_rng(7103);

    for (int64_t i = 0; i < NEW * D; i++)
        x[i] = i / D % 3 == 0   ? s->x[i]
               : i / D % 3 == 1 ? fabs(check_normal(&rng))
               : i / D % 2      ? 0
                                : 1e6 * (1 + (double)(i * i % 11));
}

TEST(properties_of_any_row)
{
    sample s = rows_of_fit(7105);
    const pen_data data = sample_data(&s);
    double x[NEW * D], all[NEW], again[NEW];

    make_new(&s, x);
    const pen_array rows = pen_dense(x, PEN_F64, NEW, D, D);
    pen_array few = sparse_of(&rows, SOME_ZEROS), of_fit = sparse_of(&data.x, NO_ZEROS);
    for (int64_t w = 0; w < COUNT_OF(ways); w++) {
        const pen_control three = { .threads = 3 };
        pen_model *const model = fit_sample(ways[w], &s), *const read = through_file(model), *same;
        pen_spec *const spec = spec_of(ways[w]);
        const double least = 1 / (double)(1 + measured(model));
        const int steps = strstr(ways[w], "l2") || strstr(ways[w], "snv")
                          || strstr(ways[w], "total"); /* they lose the distance of a row */
        pen_error err;
        CHECK_OK(pen_fit(spec, &data, &three, &same, &err), &err);
        keep_model(same);
        tell(model, &rows, all);
        for (int64_t i = 0; i < NEW; i++) {
            const pen_array row = pen_dense(x + i * D, PEN_F64, 1, D, D);
            CHECK(all[i] >= least && all[i] <= 1, "%s, row %d: %g", ways[w], (int)i, all[i]);
            if (i % 6 == 2 && !steps)
                CHECK(all[i] == least, "%s, a far row: %g", ways[w], all[i]);
            tell(model, &row, again);
            CHECK(again[0] == all[i], "%s, row %d alone: %g, not %g", ways[w], (int)i, again[0],
                  all[i]);
        }
        tell(same, &rows, again);
        assert_memory_equal(all, again, sizeof all);
        CHECK_OK(pen_predict(read, &rows, &three, NULL, NULL, again, &err), &err);
        assert_memory_equal(all, again, sizeof all);
        if (strstr(ways[w], "snv"))
            continue;
        /* sparse rows: except at nearly the distance of another row, where rounding decides */
        const pen_data sparse = { .x = of_fit, .labels = s.y };
        const pen_model *const models[] = { model, fit_data(ways[w], &sparse) };
        for (int64_t i = 0; i < 2 * NEW; i++) {
            if (i % NEW == 0)
                tell(models[i / NEW], &few, again);
            CHECK_CLOSE(again[i % NEW], all[i % NEW], 0, 0.03);
        }
    }
}

enum { FEW = 120, WIDE = 40, MANY = 600 };

/* New rows of known classes are uniformly distributed, also if a fit has few rows for its columns,
 * which moves them closer together. Rows of an unknown class are not. */
TEST(known_and_unknown_classes)
{
    static const char *const methods[] = { "fme", "fda ridge=0.01", "sda", "self kernel=rbf dim=5",
                                           "pca dim=4 classifier=nearest" };
    static double x[(FEW + 2 * MANY) * WIDE];
    pen_rng rng = check_rng(7106);
    int32_t labels[FEW];

    for (int64_t i = 0; i < FEW + 2 * MANY; i++)
        for (int64_t j = 0; j < WIDE; j++)
            x[i * WIDE + j] =
                check_normal(&rng) + (j == (i < FEW + MANY ? i % C : C + j % 2) ? 6 : 0);
    for (int64_t i = 0; i < FEW; i++)
        labels[i] = i < 30 ? (int32_t)(i % C) : PEN_UNLABELLED;
    const pen_data data = { .x = pen_dense(x, PEN_F64, FEW, WIDE, WIDE), .labels = labels };
    const pen_array known = pen_dense(x + FEW * WIDE, PEN_F64, MANY, WIDE, WIDE),
                    unknown = pen_dense(x + (FEW + MANY) * WIDE, PEN_F64, MANY, WIDE, WIDE);
    for (int64_t w = 0; w <= COUNT_OF(methods); w++) {
        const char *const method = w < COUNT_OF(methods) ? methods[w] : "auto";
        double typical[2][MANY], mean[2] = { 0 }, low = 0;
        pen_model *const model = fit_data(method, &data);
        tell(model, &known, typical[0]);
        tell(model, &unknown, typical[1]);
        for (int i = 0; i < 2 * MANY; i++)
            mean[i / MANY] += typical[i / MANY][i % MANY] / MANY;
        for (int i = 0; i < MANY; i++)
            low += typical[0][i] <= 0.1 ? 1. / MANY : 0;
        CHECK(fabs(mean[0] - 0.5) < 0.15 && low > 0.02 && low < 0.2,
              "%s: a mean of %.3f, %.3f at most .1", method, mean[0], low);
        CHECK(mean[1] < 0.42, "%s: an unknown class has a mean of %.3f", method, mean[1]);
    }
}

TEST(models_without_an_answer)
{
    sample s = rows_of_fit(7107);
    const pen_array x = pen_dense(s.x, PEN_F64, N, D, D);
    pen_model *first = fit_sample("pca dim=4 classifier=none", &s), *second, *both;
    double z[N * 4], typical[N];
    pen_error err;

    CHECK_STATUS(pen_predict(first, &x, NULL, NULL, NULL, typical, &err), PEN_BAD_ARGUMENT,
                 "predicts no classes without a classifier", &err);
    CHECK(measured(first) == 0, "a model without predictions keeps rows");
    CHECK_OK(pen_transform(first, &x, NULL, PEN_F64, z, 4, &err), &err);
    pen_data data = sample_data(&s);
    data.x = pen_dense(z, PEN_F64, N, 4, 4);
    second = fit_data("fda ridge=0.1", &data);
    tell(second, &data.x, typical);
    CHECK_OK(pen_model_compose(first, second, &both, &err), &err);
    keep_model(both);
    CHECK_STATUS(pen_predict(both, &x, NULL, NULL, NULL, typical, &err), PEN_BAD_ARGUMENT,
                 "cannot tell how typical", &err);
}
