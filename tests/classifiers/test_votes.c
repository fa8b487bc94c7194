/* test_votes.c - stored rows that vote with their probabilities: against a literal version, for any
 * number of threads and batches, in a model and its file. */
#include "kit/dense.h"
#include "kit/embedded.h"
#include "kit/voting.h"
#include "model/model.h"

enum { MOST_N = 3000, MOST_K = 40, MOST_C = 20, NEW = 130 };

struct rows {
    int64_t n, k, c;
    double z[MOST_N * MOST_K], p[MOST_N * MOST_C], x[NEW * MOST_K];
};

/* Distances within clusters: ordinary, often 0, or too small for single precision. */
enum spread { NORMAL, COPIES, TIGHT };

/* Rows in clusters. Some new rows are stored rows, some are far from all. */
static void draw(pen_rng *rng, int64_t n, int64_t k, int64_t c, enum spread spread, struct rows *to)
{
    to->n = n, to->k = k, to->c = c;
    for (int64_t i = 0; i < n; i++) {
        const int64_t cloud = pen_rng_below(rng, 2 * c);
        double sum = 0;
        for (int64_t j = 0; j < k; j++)
            to->z[i * k + j] =
                (j % (2 * c) == cloud ? 9 : 0)
                + (spread == COPIES ? (double)pen_rng_below(rng, 2)
                                    : (spread == TIGHT ? 1e-4 : 1) * check_normal(rng));
        for (int64_t a = 0; a < c; a++)
            sum += to->p[i * c + a] = (double)pen_rng_below(rng, 5) / 7 + (a == cloud / 2);
        sum += sum == 0 ? to->p[i * c] = 1 : 0;
        for (int64_t a = 0; a < c; a++)
            to->p[i * c + a] /= sum;
    }
    for (int64_t i = 0; i < NEW; i++) {
        const double far = i % 7 == 6 ? 1e5 : i % 7 == 5 ? 30 : 1;
        for (int64_t j = 0; j < k; j++)
            to->x[i * k + j] =
                i % 3 ? far * 3 * check_normal(rng)
                      : to->z[i % n * k + j] + (double)(i % 2) * 1e-5 * check_normal(rng);
    }
}

/* u [n x k] in the units of the stored rows, rounded to float for stored rows. */
static double *in_units(const struct rows *r, int64_t n, const double *z, int stored)
{
    double *const center = dense_mean(r->n, r->k, r->z, NULL), *const u = zeros(n * r->k);
    const double unit = dense_unit(r->n, r->k, r->z, center);

    for (int64_t i = 0; i < n * r->k; i++) {
        u[i] = (z[i] - center[i % r->k]) / unit;
        u[i] = stored ? (double)(float)u[i] : u[i];
    }
    return u;
}

static void literally(const struct rows *r, int64_t neighbors, double *p)
{
    const int64_t n = r->n, k = r->k, c = r->c;
    double *const stored = in_units(r, n, r->z, 1), *const u = in_units(r, NEW, r->x, 0);
    double *const away = zeros(n);

    memset(p, 0, (size_t)(NEW * c) * sizeof *p);
    for (int64_t i = 0; i < NEW; i++) {
        double voters = 0;
        for (int64_t s = 0; s < n; s++) {
            away[s] = 0;
            for (int64_t j = 0; j < k; j++)
                away[s] += pow(u[i * k + j] - stored[s * k + j], 2);
        }
        for (; voters < (double)neighbors && voters < (double)n; voters += 1) {
            int64_t best = 0;
            for (int64_t s = 1; s < n; s++) /* equal up to rounding: the lower row */
                best = away[s] < away[best] * (1 - 1e-12) ? s : best;
            away[best] = INFINITY;
            for (int64_t a = 0; a < c; a++)
                p[i * c + a] += r->p[best * c + a];
        }
        for (int64_t a = 0; a < c; a++)
            p[i * c + a] /= voters;
    }
}

/* p [NEW x c] and classes of the new rows, in batches. */
static void apply(pen_run *run, const pen_classifier *classifier, const struct rows *r,
                  int64_t batch, double *p, int32_t *classes)
{
    for (int64_t i = 0; i < NEW; i += batch)
        assert_int_equal(pen_classifier_apply(run, classifier, pen_min(batch, NEW - i),
                                              r->x + i * r->k, r->k, p + i * r->c, classes + i),
                         PEN_OK);
}

/* The same bits in two threads, in batches, and row by row. */
static void read_new(const struct rows *r, int64_t neighbors, double *p, int32_t *classes)
{
    static const int64_t ways[][2] = { { 1, NEW }, { 2, NEW }, { 2, 37 }, { 1, 1 } };
    static double q[NEW * MOST_C];
    int32_t others[NEW];

    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        pen_run *const run = check_run((int)ways[w][0], NULL);
        pen_classifier classifier;
        assert_int_equal(
            pen_classifier_fit_votes(run, r->n, r->k, r->z, r->c, r->p, neighbors, &classifier),
            PEN_OK);
        apply(run, &classifier, r, ways[w][1], w > 0 ? q : p, w > 0 ? others : classes);
        pen_run_close(run);
        if (w > 0) {
            assert_memory_equal(q, p, (size_t)(NEW * r->c) * sizeof *p);
            assert_memory_equal(others, classes, sizeof others);
        }
    }
}

TEST(matches_the_literal_version)
{
    static const struct {
        int64_t n, k, c, neighbors;
        enum spread spread;
    } sizes[] = { { 1, 1, 2, 5, NORMAL },      { 7, 3, 2, 40, NORMAL },
                  { 200, 2, 2, 1, NORMAL },    { 400, 9, 10, 10, NORMAL },
                  { 300, 30, 3, 5, NORMAL },   { 400, 6, 3, 7, COPIES },
                  { 300, 1, 2, 9, COPIES },    { 2000, 12, 20, 5, NORMAL },
                  { 3000, 40, 4, 10, NORMAL }, { 3000, 4, 2, 10, NORMAL },
                  { 3000, 4, 2, 60, NORMAL },  { 2500, 8, 5, 5, COPIES },
                  { 1500, 6, 3, 5, TIGHT } };
    static struct rows r;
    static double p[NEW * MOST_C], right[NEW * MOST_C];
    int32_t classes[NEW];
    pen_rng rng = check_rng(5251);

    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        const int64_t c = sizes[s].c;
        draw(&rng, sizes[s].n, sizes[s].k, c, sizes[s].spread, &r);
        read_new(&r, sizes[s].neighbors, p, classes);
        literally(&r, sizes[s].neighbors, right);
        for (int64_t i = 0; i < NEW * c; i++)
            CHECK(fabs(p[i] - right[i]) <= 1e-6, "case %zu: p of row %lld is %.9g, expected %.9g",
                  s, (long long)(i / c), p[i], right[i]);
        for (int64_t i = 0; i < NEW; i++) {
            double sum = 0;
            for (int64_t a = 0; a < c; a++) {
                sum += p[i * c + a];
                assert_true(p[i * c + a] < p[i * c + classes[i]]
                            || (p[i * c + a] == p[i * c + classes[i]] && a >= classes[i]));
            }
            CHECK_CLOSE(sum, 1, 0, 1e-14);
        }
    }
}

/* Equal stored rows, a distant stored row, rows at the limits of a double, and refused input. */
TEST(degenerate_rows)
{
    static struct rows r;
    static double p[NEW * MOST_C];
    int32_t class;
    pen_rng rng = check_rng(5252);
    pen_run *run = check_run(1, NULL);
    pen_classifier classifier;

    draw(&rng, 20, 3, 2, NORMAL, &r);
    for (int form = 0; form < 3; form++) {
        for (int64_t i = 0; i < 60; i++)
            r.z[i] = form == 0 ? 0.1 : form == 1 && i < 57 ? r.z[i] : 1e300;
        assert_int_equal(pen_classifier_fit_votes(run, 20, 3, r.z, 2, r.p, 4, &classifier), PEN_OK);
        for (int ends = 0; ends < 2; ends++) {
            const double x[] = { ends ? 1e308 : 0.1, ends ? -1e308 : 0.1, 0 };
            assert_int_equal(pen_classifier_apply(run, &classifier, 1, x, 3, p, &class), PEN_OK);
            CHECK_CLOSE(p[0] + p[1], 1, 0, 1e-14);
            for (int a = 0; a < 2 && form == 0; a++) /* equal distances: the first rows */
                CHECK_CLOSE(p[a], (r.p[a] + r.p[2 + a] + r.p[4 + a] + r.p[6 + a]) / 4, 0, 1e-7);
        }
    }
    r.z[0] = (double)NAN;
    assert_int_equal(pen_classifier_fit_votes(run, 20, 3, r.z, 2, r.p, 4, &classifier),
                     PEN_BAD_DATA);
    pen_run_close(run);
    run = check_run(1, NULL);
    assert_int_equal(pen_classifier_fit_votes(run, 20, 3, r.z, 2, r.p, 0, &classifier),
                     PEN_BAD_ARGUMENT);
    pen_run_close(run);
}

/* Many rows are searched with filtered tiles, few rows without. All classifiers that store rows
 * must give the same bits, even if rows are too far away for the filter. */
TEST(filtered_or_not)
{
    static const enum pen_classifier_kind kinds[] = { PEN_CLASSIFIER_NEAREST,
                                                      PEN_CLASSIFIER_NEIGHBORS };
    static struct rows r;
    static double p[2][NEW * MOST_C];
    static int32_t labels[MOST_N];
    int32_t classes[2][NEW];
    pen_rng rng = check_rng(5254);

    for (int form = 0; form < 12; form++) {
        const int64_t n = 2400, k = 5, c = 1 + form % 4 * 2;
        draw(&rng, n, k, c, (enum spread)(form % 3), &r);
        for (int64_t i = 0; i < n; i++)
            labels[i] = i % 5 ? (int32_t)pen_rng_below(&rng, form == 7 ? 1 : c) : -1;
        for (int64_t j = 0; j < k; j++) {
            r.x[7 * k + j] *= form % 2 ? 1e22 : 1e160;
            r.z[1 * k + j] *= form > 8 ? 1e30 : 1;
        }
        const pen_embedded_rows e = { .z = r.z, .n = n, .k = k, .labels = labels, .classes = c };
        for (size_t kind = 0; kind < 3; kind++) {
            const pen_classifier_params params = { .kind = kinds[kind % 2], .neighbors = 7 };
            pen_run *const run = check_run(2, NULL);
            pen_classifier classifier;
            assert_int_equal(kind < 2
                                 ? pen_classifier_fit(run, &e, &params, &classifier)
                                 : pen_classifier_fit_votes(run, n, k, r.z, c, r.p, 7, &classifier),
                             PEN_OK);
            apply(run, &classifier, &r, NEW, p[0], classes[0]);
            apply(run, &classifier, &r, 37, p[1], classes[1]);
            assert_memory_equal(p[0], p[1], (size_t)(NEW * c) * sizeof **p);
            assert_memory_equal(classes[0], classes[1], sizeof *classes);
            pen_run_close(run);
        }
    }
}

/* A model and a loaded copy predict the same bits, with or without a temperature. */
TEST(models_and_files)
{
    enum { N = 50, C = 3 };
    pen_rng rng = check_rng(5253);
    sample s = sample_random(&rng, N, 4, C, 20);
    const pen_array x = sample_data(&s).x;
    double p[2][N * C], q[N * C];
    pen_error err;

    for (int tempered = 0; tempered < 2; tempered++) {
        pen_model *const model = fit_voting("pca dim=2 classifier=none", &s, NULL, 5);
        model->temperature = tempered ? 0.5 : 0;
        pen_model *const copy = through_file(model);
        CHECK_OK(pen_predict(model, &x, NULL, NULL, p[tempered], NULL, &err), &err);
        CHECK_OK(pen_predict(copy, &x, NULL, NULL, q, NULL, &err), &err);
        assert_memory_equal(q, p[tempered], sizeof q);
        check_same_model(copy, model, "a copy");
        assert_string_equal(model_text(copy, "classifier"), "neighbors");
    }
    for (int64_t i = 0; i < N; i++)
        pen_temper(C, 0.5, p[0] + i * C);
    check_all_close("tempered", N * C, p[1], p[0], 1e-12);
}
