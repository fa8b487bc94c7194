/* test_first.c - every method with minimal supervision: one label per class, two of one class, one
 * must-link, one cannot-link, weights near 0, and any ridge. Columns have lengths of one order of
 * magnitude, or the error names what is missing. */
#include "kit/pairs_fit.h"

enum { N = 40, D = 4, MOST_RATIO = 1000 };

/* The labels of the first rows, and pairs: must-link and cannot-link. */
static const struct first {
    const char *name;
    int32_t labels[4];
    int64_t must, cannot;
    double weight;
} firsts[] = {
    { "1 label a class", { 0, 1, 2, -1 }, 0, 0, 1 },
    { "2 and 1 labels", { 0, 0, 1, -1 }, 0, 0, 1 },
    { "2, 1 and 1 labels", { 0, 0, 1, 2 }, 0, 0, 1 },
    { "2 labels of each of 2 classes", { 0, 0, 1, 1 }, 0, 0, 1 },
    { "3 labels of one class", { 0, 0, 0, -1 }, 0, 0, 1 },
    { "one must-link", { -1, -1, -1, -1 }, 1, 0, 1 },
    { "one cannot-link", { -1, -1, -1, -1 }, 0, 1, 1 },
    { "one of each", { -1, -1, -1, -1 }, 1, 1, 1 },
    { "one of each, of no weight", { -1, -1, -1, -1 }, 1, 1, 1e-300 },
    { "one must-link and a class", { 0, 0, -1, -1 }, 1, 0, 1 },
};

static const char *const variants[] = { "self beta=0",         "self-ilpp beta=0",
                                        "self-mix beta=0",     "rca total_rows=chunk",
                                        "cfld total_rows=all", "npssdr form=ratio",
                                        "fda pca=rank",        "fda kernel=rbf" };

static void check_columns(const char *text, const char *first, const pen_model *model)
{
    const int64_t k = pen_model_dim(model), d = pen_model_columns(model);
    const double *const w = model_values(model, "projection");
    double least = INFINITY, most = 0;

    CHECK(w && k > 0, "%s, %s: no columns", text, first);
    for (int64_t c = 0; c < k; c++) {
        double length2 = 0;
        for (int64_t j = 0; j < d; j++)
            length2 += pow(w[j * k + c], 2);
        CHECK(isfinite(length2) && length2 > 0, "%s, %s: column %lld has the squared length %g",
              text, first, (long long)c, length2);
        least = fmin(least, sqrt(length2));
        most = fmax(most, sqrt(length2));
    }
    CHECK(most <= MOST_RATIO * least, "%s, %s: columns of lengths %g to %g", text, first, least,
          most);
}

/* What is missing: labels, pairs, a second chunklet; or the products underflow. */
static int is_told(pen_status status, const char *message, double weight)
{
    return status == PEN_NO_LABELS || status == PEN_ONE_CLASS || status == PEN_NO_PAIRS
           || (status == PEN_RANK_TOO_SMALL && strstr(message, "1 chunklet"))
           || (weight < 1 && strstr(message, "products underflow"));
}

/* Returns the number of ridges that give a model. */
static int check_first(const char *method, const double *x, const struct first *f)
{
    static const char *const ridges[] = { NULL, "auto", "0.1", "5" };
    const int64_t must[] = { 0, 1 }, cannot[] = { 2, 3 };
    int32_t labels[N];
    int models = 0;

    for (int64_t i = 0; i < N; i++)
        labels[i] = i < 4 ? f->labels[i] : PEN_UNLABELLED;
    const pen_data data = { .x = pen_dense(x, PEN_F64, N, D, D),
                            .labels = labels,
                            .must_link = must,
                            .must_link_count = f->must,
                            .must_link_weights = f->weight < 1 ? &f->weight : NULL,
                            .cannot_link = cannot,
                            .cannot_link_count = f->cannot,
                            .cannot_link_weights = f->weight < 1 ? &f->weight : NULL };
    for (size_t r = 0; r < COUNT_OF(ridges); r++) {
        char text[80];
        snprintf(text, sizeof text, "%s scale=none", method);
        pen_spec *spec = spec_with_defaults(text);
        pen_model *model = NULL;
        pen_error err;
        if (!ridges[r] || pen_spec_set(spec, "ridge", ridges[r], &err) == PEN_OK) {
            const pen_status status = pen_fit(spec, &data, NULL, &model, &err);
            CHECK(status == PEN_OK || is_told(status, err.message, f->weight),
                  "%s ridge=%s, %s: %s", method, ridges[r] ? ridges[r] : "default", f->name,
                  err.message);
            if (model)
                check_columns(method, f->name, model);
            models += model != NULL;
        }
        pen_model_free(model);
    }
    return models;
}

static void check_firsts(const char *text, const pen_method *method, const double *x)
{
    const int pairs = (method->traits & (PEN_MUST_LINKS | PEN_CANNOT_LINKS)) != 0;
    int models = 0;

    for (size_t f = 0; f < COUNT_OF(firsts); f++)
        if (pairs || firsts[f].must + firsts[f].cannot == 0)
            models += check_first(text, x, &firsts[f]);
    CHECK(models > 0, "%s: every fit to the first labels and pairs fails", text);
}

TEST(minimal_supervision)
{
    pen_rng rng = check_rng(3201);
    sample s = sample_random(&rng, N, D, 3, 0);

    for (int64_t m = 0; pen_method_at(m); m++) {
        const pen_method *method = pen_method_at(m);
        const char *name = method->name;
        check_firsts(name, method, s.x);
        for (size_t v = 0; v < COUNT_OF(variants); v++)
            if (strncmp(variants[v], name, strlen(name)) == 0 && variants[v][strlen(name)] == ' ')
                check_firsts(variants[v], method, s.x);
    }
}

/* One must-link, e = (x_0 - x_1)/2: rho = 1/2, so W W' is the inverse of ee' + |e|^2/d I. */
TEST(one_must_link)
{
    pen_rng rng = check_rng(3202);
    linked l = linked_random(&rng, N, D, 3, 0, 0);
    double e[D], length2 = 0;

    linked_add(&l, PEN_MUST_LINK, 0, 1);
    for (int j = 0; j < D; j++) {
        e[j] = (l.s.x[j] - l.s.x[D + j]) / 2;
        length2 += e[j] * e[j];
    }
    const pen_data data = linked_data(&l);
    pen_model *model = fit_data("rca ridge=auto", &data);
    const double *w = model_values(model, "projection");
    CHECK_CLOSE(info_number(model, "shrinkage"), 0.5, 1e-12, 0);
    for (int i = 0; i < D; i++)
        for (int j = 0; j < D; j++) {
            double sum = 0; /* (W W' C)[i][j] */
            for (int c = 0; c < D * D; c++)
                sum += w[i * D + c / D] * w[c % D * D + c / D]
                       * (e[c % D] * e[j] + (c % D == j) * length2 / D);
            CHECK_CLOSE(sum, i == j, 1e-9, 1e-9);
        }
}
