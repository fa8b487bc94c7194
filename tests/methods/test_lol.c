/* test_lol.c - LOL against a worked example and a literal implementation, and general
 * properties. */
#include "kit/oracle_fit.h"
#include "kit/dense.h"

/* Lengths 8 and 2 within the classes along e1 and e3; the means differ by 3 along e2. */
TEST(worked_example)
{
    static const double x[] = { 0, 0, 0, 2, 0, 0, 4, 0, 0, 2, 3, -1, 2, 3, 1, 9, 9, 9 };
    static const int32_t y[] = { 7, 7, 7, 3, 3, PEN_UNLABELLED };
    static const double right[] = { 0, 1, 0, 1, 0, 0, 0, 0, 1 };
    sample s = sample_of(6, 3, x, y);
    pen_model *model = fit_sample("lol", &s);

    assert_int_equal(pen_model_dim(model), 3);
    assert_null(model_eigenvalues(model));
    for (int i = 0; i < 9; i++)
        CHECK_CLOSE(model_columns(model)[i], right[i], 0, 1e-14);
    for (int j = 0; j < 3; j++) /* the mean of all rows, labelled or not */
        CHECK_CLOSE(model_mean(model)[j],
                    (x[j] + x[3 + j] + x[6 + j] + x[9 + j] + x[12 + j] + x[15 + j]) / 6, 0, 1e-14);
}

struct literal {
    int64_t d, k;
    double *W;      /* [d x k] */
    double *values; /* [k] squared singular values; 0 for differences of means */
};

static double *class_means(const sample *s, int32_t label, int64_t *size)
{
    double *const mean = check_allocate(s->d, sizeof *mean);
    *size = 0;
    for (int64_t i = 0; i < s->n; i++)
        if (s->y[i] == label) {
            ++*size;
            for (int64_t j = 0; j < s->d; j++)
                mean[j] += s->x[i * s->d + j];
        }
    for (int64_t j = 0; j < s->d; j++)
        mean[j] /= (double)(*size ? *size : 1);
    return mean;
}

/* Adds a column unless v is in the span of the columns so far. */
static void add_column(struct literal *l, double *v, double value)
{
    const double before = dense_dot(l->d, v, v);

    for (int64_t c = 0; c < 3 * l->k; c++) {
        const double *const w = l->W + c % l->k * l->d;
        dense_add(l->d, -dense_dot(l->d, v, w), w, v);
    }
    const double after = dense_dot(l->d, v, v);
    if (l->k == l->d || after <= 1e-18 * before)
        return;
    for (int64_t j = 0; j < l->d; j++)
        l->W[l->k * l->d + j] = v[j] / sqrt(after);
    l->values[l->k++] = value;
}

/* Labels 0 .. classes - 1. W is stored by rows. */
static struct literal literal_lol(const sample *s, int64_t classes)
{
    const int64_t d = s->d;
    struct literal l = { .d = d };
    double *means[16], *S = check_allocate(d * d, sizeof *S), *v = check_allocate(d, sizeof *v),
                       *values = check_allocate(d, sizeof *values),
                       *vectors = check_allocate(d * d, sizeof *vectors);
    int64_t size[16];
    int done[16] = { 0 };

    l.W = check_allocate(d * d, sizeof *l.W);
    l.values = check_allocate(d, sizeof *l.values);
    for (int64_t c = 0; c < classes; c++)
        means[c] = class_means(s, (int32_t)c, &size[c]);
    for (int64_t rank = 0, largest = -1; rank < classes; rank++) {
        int64_t next = -1;
        for (int64_t c = 0; c < classes; c++)
            if (!done[c] && size[c] > 0 && (next < 0 || size[c] > size[next]))
                next = c;
        if (next < 0)
            break;
        done[next] = 1;
        if (rank == 0)
            largest = next;
        for (int64_t j = 0; j < d; j++)
            v[j] = means[next][j] - means[largest][j];
        if (rank > 0)
            add_column(&l, v, 0);
    }
    for (int64_t i = 0; i < s->n; i++)
        for (int64_t a = 0; a < d && s->y[i] >= 0; a++)
            for (int64_t b = 0; b < d; b++)
                S[a * d + b] +=
                    (s->x[i * d + a] - means[s->y[i]][a]) * (s->x[i * d + b] - means[s->y[i]][b]);
    dense_eigen(d, S, values, vectors);
    for (int64_t c = 0; c < d && values[c] > 1e-11 * values[0]; c++) {
        for (int64_t j = 0; j < d; j++)
            v[j] = vectors[j * d + c];
        add_column(&l, v, values[c]);
    }
    return l;
}

/* The columns match the literal implementation up to sign, and are orthonormal. */
static void check_literal(const char *text, const sample *s, int64_t classes)
{
    struct literal l = literal_lol(s, classes);
    pen_model *model = fit_sample(text, s);
    const double *const W = model_columns(model);
    const int64_t k = pen_model_dim(model);

    CHECK(k == l.k, "%s: %lld dimensions, got %lld", text, (long long)l.k, (long long)k);
    for (int64_t c = 0; c < k; c++) {
        double along = 0;
        for (int64_t j = 0; j < s->d; j++)
            along += W[j * k + c] * l.W[c * s->d + j];
        CHECK_CLOSE(fabs(along), 1, 0, 1e-8);
        for (int64_t b = 0; b <= c; b++) {
            double product = 0;
            for (int64_t j = 0; j < s->d; j++)
                product += W[j * k + b] * W[j * k + c];
            CHECK_CLOSE(product, b == c, 0, 1e-12);
        }
    }
    check_signs(model, text);
}

/* Classes of different sizes, the largest not first; two have the same size. */
static void relabel(sample *s, int64_t classes)
{
    for (int64_t i = 0; i < s->n; i++)
        if (s->y[i] >= 0)
            s->y[i] = (int32_t)(i % 7 < 3 ? 1 : i % classes);
}

TEST(matches_the_literal_implementation)
{
    pen_rng rng = check_rng(920);

    for (int round = 0; round < check_repeats(10); round++) {
        const int64_t d = 2 + (int64_t)(pen_rng_uniform(&rng) * 12), classes = 2 + round % 4;
        sample many = sample_random(&rng, 120, d, classes, 90),
               few = sample_random(&rng, 60, d + 12, classes, 12);
        relabel(&many, classes);
        relabel(&few, classes);
        check_literal("lol", &many, classes); /* S_w as a matrix */
        check_literal("lol", &few, classes);  /* S_w as the rows of a factor */
    }
}

/* Collinear means and a constant column give fewer dimensions, never an arbitrary column. */
TEST(dependent)
{
    pen_rng rng = check_rng(921);
    sample s = sample_random(&rng, 80, 5, 3, 60);
    double mean[3][5] = { { 0 } };
    int64_t size[3] = { 0 };

    relabel(&s, 3);
    for (int64_t i = 0; i < s.n; i++)
        for (int64_t j = 0; j < 5 && s.y[i] >= 0; j++) {
            size[s.y[i]] += j == 0;
            mean[s.y[i]][j] += s.x[i * 5 + j];
        }
    for (int64_t i = 0; i < s.n; i++) /* the mean of class c becomes (c, 0, 0, 0, 2) */
        for (int64_t j = 0; j < 5; j++)
            s.x[i * 5 + j] = j == 4       ? 2
                             : s.y[i] < 0 ? s.x[i * 5 + j]
                                          : s.x[i * 5 + j] - mean[s.y[i]][j] / (double)size[s.y[i]]
                                                + (j == 0 ? s.y[i] : 0);
    pen_model *model = fit_sample("lol", &s);
    assert_int_equal(pen_model_dim(model), 4);
    CHECK_CLOSE(model_columns(model)[0], 1, 0, 1e-12);
    for (int c = 0; c < 4; c++)
        CHECK_CLOSE(model_columns(model)[4 * 4 + c], 0, 0, 1e-12);
    check_rank("lol", &s, 4);
}

/* If all rows of a class are equal, only the differences of the means remain. */
TEST(no_scatter_within)
{
    static const double x[] = { 1, 2, 3, 1, 2, 3, 4, 2, 3, 4, 2, 3, 4, 2, 3 };
    static const int32_t y[] = { 0, 0, 1, 1, 1 };
    sample s = sample_of(5, 3, x, y);

    check_rank("lol", &s, 1);
    for (int i = 0; i < 15; i++)
        s.x[i] = x[i % 3];
    const pen_data data = sample_data(&s);
    CHECK_FIT_FAILS("lol", &data, PEN_RANK_TOO_SMALL, "nothing to project on");
}
