/* test_classifiers.c - classifiers against literal versions; invariance under rotation, origin,
 * unit, order of rows and classes, threads and batches; degenerate rows. */
#include "classifiers/class_mass.h"
#include "kit/dense.h"
#include "kit/read_rows.h"
#include "oracle/classifier_oracle.h"

enum { MOST_N = 90, MOST_K = 40, MOST_C = 5, NEW = 20 };

static const enum pen_classifier_kind kinds[] = {
    PEN_CLASSIFIER_NEAREST, PEN_CLASSIFIER_NEIGHBORS,     PEN_CLASSIFIER_MEANS,
    PEN_CLASSIFIER_LDA,     PEN_CLASSIFIER_SELF_TRAINING, PEN_CLASSIFIER_LOGISTIC
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* Rows in clusters, one per class; every `step`-th row has a label. Also new rows. */
struct clouds {
    double z[MOST_N * MOST_K], x[NEW * MOST_K];
    int32_t labels[MOST_N];
    pen_embedded_rows e;
};

static void draw_row(pen_rng *rng, int64_t k, int64_t class, double *z)
{
    for (int64_t j = 0; j < k; j++)
        z[j] = check_normal(rng) + (j % MOST_C == class ? 2 : 0) + (j == 0 ? (double)class / 2 : 0);
}

static void draw(pen_rng *rng, int64_t n, int64_t k, int64_t classes, int64_t step,
                 struct clouds *to)
{
    for (int64_t i = 0; i < n; i++) {
        const int64_t class = pen_rng_below(rng, classes);
        draw_row(rng, k, class, to->z + i * k);
        to->labels[i] = i % step == 0 ? (int32_t) class : -1;
    }
    for (int64_t i = 0; i < NEW; i++)
        draw_row(rng, k, i % classes, to->x + i * k);
    to->e =
        (pen_embedded_rows){ .z = to->z, .n = n, .k = k, .labels = to->labels, .classes = classes };
}

/* The largest gradient entry of the logistic regression of e. Biases of three labelled classes sum
 * to 0 in classifier units, at the mean of the labelled rows. */
static double gradient_of(const pen_embedded_rows *e)
{
    const pen_classifier_params params = { .kind = PEN_CLASSIFIER_LOGISTIC,
                                           .prior = PEN_PRIOR_LABELS };
    double *const center = dense_mean(e->n, e->k, e->z, e->labels), sum = 0, size = 0;
    pen_classifier classifier;
    pen_error err;
    pen_run *run = check_run(2, &err);

    CHECK_OK(pen_classifier_fit(run, e, &params, &classifier), &err);
    const double gradient = classifier_oracle_gradient(e, &classifier);
    for (int64_t c = 0; c < e->classes; c++) {
        double bias = classifier.bias[c];
        for (int64_t j = 0; j < e->k; j++)
            bias += center[j] * classifier.weights[j * e->classes + c];
        sum += bias;
        size = fmax(size, fabs(bias));
    }
    CHECK(e->classes < 3 || isinf(sum) || fabs(sum) <= 1e-11 * (1 + size), "biases sum to %g", sum);
    assert_null(classifier.rows);
    assert_null(classifier.center);
    pen_run_close(run);
    return gradient;
}

/* ---- against literal versions ---- */

/* Fewer and more rows than dimensions, unlabelled classes, either prior. */
TEST(matches_the_oracle)
{
    static const int64_t sizes[][4] = { /* n, k, classes, step */
                                        { 60, 3, 3, 4 }, { 90, 40, 4, 5 }, { 90, 12, 3, 8 },
                                        { 40, 1, 2, 3 }, { 30, 5, 5, 6 },  { 80, 40, 5, 1 },
                                        { 90, 7, 2, 1 }, { 50, 30, 2, 9 }, { 20, 2, 1, 4 }
    };
    static struct clouds clouds;
    double p[NEW * MOST_C], right[NEW * MOST_C];
    int32_t classes[NEW];
    pen_rng rng = check_rng(5201);
    for (int repeat = 0; repeat < check_repeats(54); repeat++) {
        const int64_t *const s = sizes[repeat % 9];
        draw(&rng, s[0], s[1], s[2], s[3], &clouds);
        for (int kind = 0; kind < KINDS; kind++) {
            const pen_classifier_params params = { .kind = kinds[kind],
                                                   .neighbors = 1 + repeat % 7,
                                                   .prior = repeat % 2 ? PEN_PRIOR_UNIFORM
                                                                       : PEN_PRIOR_LABELS };
            const char *const name = pen_classifier_names[params.kind];
            if (params.kind == PEN_CLASSIFIER_LOGISTIC) {
                const double gradient = gradient_of(&clouds.e);
                CHECK(gradient <= 2e-9, "the gradient is %g", gradient);
                continue;
            }
            const read_result result = read_well(&clouds.e, &params, 1, NEW, clouds.x, p, classes);
            const classifier_oracle o =
                classifier_oracle_read(&clouds.e, &params, NEW, clouds.x, right);
            check_all_close(name, NEW * s[2], p, right, 1e-10);
            if (!isnan(result.rho))
                CHECK_CLOSE(result.rho, o.rho, 1e-10, 1e-12);
            if (params.kind == PEN_CLASSIFIER_SELF_TRAINING) {
                CHECK_CLOSE(result.rounds, o.refits, 0, 0);
                CHECK_CLOSE(result.pseudo, o.refits ? (double)o.pseudo[o.refits - 1] : 0, 0, 0);
            }
            for (int i = 0; i < NEW; i++)
                for (int64_t c = 0; c < s[2]; c++)
                    CHECK(p[i * s[2] + c] <= p[i * s[2] + classes[i]], "%s: row %d has class %d",
                          name, i, (int)classes[i]);
        }
    }
}

/* lda of labelled rows alone: other rows change only the divisor. */
TEST(labelled_rows_alone)
{
    static struct clouds clouds;
    static double z[MOST_N * MOST_K], p[NEW * MOST_C], alone[NEW * MOST_C];
    const pen_classifier_params params = { .kind = PEN_CLASSIFIER_LDA, .prior = PEN_PRIOR_LABELS };
    int32_t labels[MOST_N];
    pen_rng rng = check_rng(5202);
    int64_t l = 0;
    draw(&rng, 90, 20, 4, 3, &clouds);
    for (int64_t i = 0; i < 90; i++)
        if (clouds.labels[i] >= 0) {
            memcpy(z + l * 20, clouds.z + i * 20, 20 * sizeof *z);
            labels[l++] = clouds.labels[i];
        }
    const pen_embedded_rows e = { .z = z, .n = l, .k = 20, .labels = labels, .classes = 4 };
    read_well(&clouds.e, &params, 1, NEW, clouds.x, p, NULL);
    read_well(&e, &params, 1, NEW, clouds.x, alone, NULL);
    check_all_close("lda", NEW * 4, alone, p, 1e-12);
    for (int kind = PEN_CLASSIFIER_NEAREST; kind <= PEN_CLASSIFIER_LOGISTIC; kind++)
        for (int prior = PEN_PRIOR_AUTO; prior <= PEN_PRIOR_UNIFORM; prior++) {
            const pen_classifier_params asked = { .kind = (enum pen_classifier_kind)kind,
                                                  .prior = prior };
            assert_int_equal(pen_classifier_needs_all(&asked),
                             kind != PEN_CLASSIFIER_LDA || prior == PEN_PRIOR_AUTO);
        }
}

/* Logistic regression reaches its minimum for many rows, classes and dimensions, for separable
 * classes, and for rows far from all others. */
TEST(logistic_minima)
{
    static const int64_t sizes[][3] = {
        { 1300, 10, 8 }, { 30, 300, 3 }, { 400, 2, 2 }, { 100, 30, 40 }, { 200, 210, 2 }
    };
    pen_rng rng = check_rng(5203);
    for (int s = 0; s < 5; s++)
        for (int far = 0; far < 3; far++) {
            const int64_t n = sizes[s][0], k = sizes[s][1], c = sizes[s][2];
            double *z = check_allocate(n * k, sizeof *z);
            int32_t *labels = check_allocate(n, sizeof *labels);
            for (int64_t i = 0; i < n; i++) {
                labels[i] = (int32_t)(i % c);
                for (int64_t j = 0; j < k; j++)
                    z[i * k + j] = check_normal(&rng) * (i % 50 == 7 && far == 1 ? 1e5 : 1)
                                   + (far == 2 && j == labels[i] % k ? 1e6 : 0);
            }
            const pen_embedded_rows e = { .z = z, .n = n, .k = k, .labels = labels, .classes = c };
            const double gradient = gradient_of(&e);
            CHECK(gradient <= 1e-8, "%lld x %lld, %lld classes, %d: the gradient is %g",
                  (long long)n, (long long)k, (long long)c, far, gradient);
        }
}

/* ---- invariances ---- */

/* z -> unit (reflected z + origin). */
static void move(int64_t n, int64_t k, const double *v, const double how[2], double *z)
{
    const double length2 = dense_dot(k, v, v);

    for (int64_t i = 0; i < n; i++) {
        const double dot = dense_dot(k, v, z + i * k);
        for (int64_t j = 0; j < k; j++)
            z[i * k + j] =
                how[0] * (z[i * k + j] - 2 * dot * v[j] / length2 + how[1] * (double)(j % 3 - 1));
    }
}

/* Rows in reverse order and renumbered classes. */
static void reorder(const struct clouds *from, const int32_t *names, struct clouds *to)
{
    const int64_t n = from->e.n, k = from->e.k;

    *to = *from;
    to->e.z = to->z;
    to->e.labels = to->labels;
    for (int64_t i = 0; names && i < n; i++) {
        const int32_t label = from->labels[n - 1 - i];
        memcpy(to->z + i * k, from->z + (n - 1 - i) * k, (size_t)k * sizeof *to->z);
        to->labels[i] = label < 0 ? -1 : names[label];
    }
}

TEST(coordinates_and_orders)
{
    static const double moves[][2] = { { 1, 0 },      { 1, 100 },    { 1e-3, 0 },
                                       { 1e150, 10 }, { 1e-150, 0 }, { 1e-290, 0 } };
    static const int32_t names[] = { 2, 0, 3, 1 };
    static struct clouds one, other;
    double p[NEW * MOST_C], right[NEW * MOST_C], back[NEW * MOST_C], v[MOST_K];
    int32_t classes[NEW], of_one[NEW];
    pen_rng rng = check_rng(5205);
    for (int64_t k = 6; k <= 36; k += 30) {
        draw(&rng, 80, k, 4, 4, &one);
        for (int64_t j = 0; j < k; j++)
            v[j] = check_normal(&rng);
        for (int kind = 0; kind < KINDS; kind++) {
            const pen_classifier_params params = { .kind = kinds[kind], .neighbors = 3 };
            read_well(&one.e, &params, 1, NEW, one.x, right, of_one);
            for (size_t m = 0; m < sizeof moves / sizeof *moves; m++) {
                reorder(&one, names, &other);
                move(80, k, v, moves[m], other.z);
                move(NEW, k, v, moves[m], other.x);
                read_well(&other.e, &params, 1, NEW, other.x, p, classes);
                for (int i = 0; i < NEW * 4; i++)
                    back[i] = p[i / 4 * 4 + names[i % 4]];
                check_all_close(pen_classifier_names[params.kind], NEW * 4, back, right, 1e-9);
                for (int i = 0; i < NEW; i++)
                    assert_int_equal(classes[i], names[of_one[i]]);
            }
        }
    }
}

/* The same bits on 1, 2 and 5 threads, and for a row alone, elsewhere, or with a stride. */
TEST(threads_and_batches)
{
    enum { N = 700, K = 21, C = 3, STRIDE = 25 };
    static double z[N * K], apart[N * STRIDE], p[N * C], again[N * C], row[K];
    int32_t labels[N], classes[N], others[N], class;
    pen_rng rng = check_rng(5207);
    pen_error err;
    for (int64_t i = 0; i < N; i++) {
        const int64_t of = pen_rng_below(&rng, C);
        draw_row(&rng, K, of, z + i * K);
        labels[i] = i % 2 ? (int32_t)of : -1;
        memcpy(apart + i * STRIDE, z + i * K, K * sizeof *z);
    }
    const pen_embedded_rows e = { .z = z, .n = N, .k = K, .labels = labels, .classes = C };
    for (int kind = 0; kind < KINDS; kind++) {
        const pen_classifier_params params = { .kind = kinds[kind], .neighbors = 5 };
        static const int threads[] = { 2, 5 };
        pen_classifier classifier;

        read_well(&e, &params, 1, N, z, p, classes);
        for (int t = 0; t < 2; t++) {
            read_well(&e, &params, threads[t], N, z, again, others);
            assert_memory_equal(again, p, sizeof p);
            assert_memory_equal(others, classes, sizeof classes);
        }
        pen_run *run = check_run(2, &err);
        CHECK_OK(pen_classifier_fit(run, &e, &params, &classifier), &err);
        CHECK_OK(pen_classifier_apply(run, &classifier, N, apart, STRIDE, again, NULL), &err);
        assert_memory_equal(again, p, sizeof p);
        CHECK_OK(pen_classifier_apply(run, &classifier, N, z, K, NULL, others), &err);
        assert_memory_equal(others, classes, sizeof classes);
        for (int i = 0; i < N; i += 13) {
            memcpy(row, z + i * K, sizeof row);
            CHECK_OK(pen_classifier_apply(run, &classifier, 1, row, K, again, &class), &err);
            assert_memory_equal(again, p + i * C, C * sizeof *p);
            assert_int_equal(class, classes[i]);
        }
        pen_run_close(run);
    }
}

/* ---- degenerate rows ---- */

/* p [m x C] is finite, sums to 1 in each row, and is 0 for unlabelled classes. */
static void check_shares(const char *name, const pen_embedded_rows *e, int64_t m, const double *p,
                         const int32_t *classes)
{
    for (int64_t i = 0; i < m; i++) {
        double sum = 0;
        for (int64_t c = 0; c < e->classes; c++) {
            const double share = p[i * e->classes + c];
            int present = 0;
            for (int64_t j = 0; j < e->n; j++)
                present |= e->labels[j] == c;
            sum += share;
            CHECK(share >= 0 && (present || share == 0), "%s: p is %g", name, share);
        }
        CHECK_CLOSE(sum, 1, 0, 1e-12);
        CHECK(classes[i] >= 0 && classes[i] < e->classes && p[i * e->classes + classes[i]] > 0,
              "%s: class %d", name, (int)classes[i]);
    }
}

/* One label per class, one labelled class, equal rows, equal labelled rows, then two rows at the
 * limits of a double. */
TEST(degenerate_rows)
{
    enum { N = 12, K = 3, C = 4, ALL = N + 2 };
    static const int32_t labels[][N] = {
        { 0, 1, 2, 3, -1, -1, -1, -1, -1, -1, -1, -1 }, /* one label per class */
        { 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1, -1 }, /* one class */
        { 2, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1 },
        { 0, 0, 0, 3, 3, 3, -1, -1, -1, -1, -1, -1 }, /* unlabelled classes */
        { 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3 },       /* all of them */
    };
    double z[ALL * K] = { 0 }, p[ALL * C], right[N * C];
    int32_t classes[ALL];
    pen_rng rng = check_rng(5208);
    for (int j = 0; j < K; j++) {
        z[N * K + j] = (j % 2 ? 1 : -1) * 1e200;
        z[(N + 1) * K + j] = 1e300;
    }
    for (int t = 0; t < 4 * 5 * KINDS; t++) {
        const int form = t / KINDS / 5, kind = t % KINDS;
        const pen_classifier_params params = { .kind = kinds[kind],
                                               .neighbors = 40,
                                               .prior =
                                                   form % 2 ? PEN_PRIOR_LABELS : PEN_PRIOR_AUTO };
        const pen_embedded_rows e = {
            .z = z, .n = N, .k = K, .labels = labels[t / KINDS % 5], .classes = C
        };
        const char *const name = pen_classifier_names[params.kind];
        for (int i = 0; i < N * K; i++) /* any, all equal, equal in pairs, 1e9 away */
            z[i] = form == 1   ? 0.1 + i % K
                   : form == 2 ? 0.7 * (i / K % 2) + i % K
                               : check_normal(&rng) + (form == 3 && i >= N * K - K) * 1e9;
        read_well(&e, &params, 1, ALL, z, p, classes);
        check_shares(name, &e, ALL, p, classes);
        if (params.kind == PEN_CLASSIFIER_LOGISTIC || form == 3
            || (params.kind >= PEN_CLASSIFIER_LDA && params.prior == PEN_PRIOR_AUTO))
            continue;
        classifier_oracle_read(&e, &params, N, z, right);
        check_all_close(name, N * C, p, right, 1e-10);
    }
}

/* If all rows are equal, p are the class fractions, or equal ones if nothing is known of the other
 * rows. */
TEST(equal_rows)
{
    static const int32_t labels[] = { 0, 0, 0, 1, 2, 2, -1, -1 };
    static const double fractions[] = { 0.5, 1. / 6, 1. / 3 };
    double z[16], p[24];
    for (int i = 0; i < 16; i++)
        z[i] = i % 2 ? 1e6 + 0.1 : -3;
    const pen_embedded_rows e = { .z = z, .n = 8, .k = 2, .labels = labels, .classes = 3 };
    for (int kind = 0; kind < 2 * KINDS; kind++) {
        const int weighted = kind < KINDS && kinds[kind] >= PEN_CLASSIFIER_LDA;
        const pen_classifier_params params = { .kind = kinds[kind % KINDS],
                                               .neighbors = 6,
                                               .prior = kind < KINDS ? PEN_PRIOR_LABELS
                                                                     : PEN_PRIOR_AUTO };
        read_well(&e, &params, 1, 8, z, p, NULL);
        for (int i = 0; i < 24; i++)
            CHECK_CLOSE(p[i],
                        weighted ? fractions[i % 3]
                        : params.kind == PEN_CLASSIFIER_NEIGHBORS
                            ? (6 * fractions[i % 3] + 1. / 6) / 6.5
                            : 1. / 3,
                        0, 1e-9);
    }
}

/* Equal distances select the lower row; equal p select the lower class. */
TEST(ties)
{
    static const double z[] = { 1, -1, 1, -1, 3, 0 };
    static const int32_t labels[] = { 2, 1, 1, 0, 0, -1 };
    const pen_embedded_rows e = { .z = z, .n = 6, .k = 1, .labels = labels, .classes = 3 };
    double x[] = { 0, 1, -1 }, p[9];
    int32_t classes[3];

    pen_classifier_params params = { .kind = PEN_CLASSIFIER_NEAREST };
    read_well(&e, &params, 1, 3, x, p, classes);
    assert_int_equal(classes[0], 2);
    assert_int_equal(classes[1], 2);
    assert_int_equal(classes[2], 1);
    CHECK_CLOSE(p[0], 1. / 3, 0, 1e-15);
    CHECK(p[4] == p[5] && p[3] < p[4], "row 1: %g %g %g", p[3], p[4], p[5]);
    /* two votes: rows 0 and 1, although rows 2 and 3 are equally near */
    params = (pen_classifier_params){ .kind = PEN_CLASSIFIER_NEIGHBORS, .neighbors = 2 };
    read_well(&e, &params, 1, 3, x, p, classes);
    CHECK_CLOSE(p[0], (0 + 1. / 6) / 2.5, 0, 1e-15);
    CHECK_CLOSE(p[1], (1 + 1. / 6) / 2.5, 0, 1e-15);
    CHECK_CLOSE(p[2], (1 + 1. / 6) / 2.5, 0, 1e-15);
    assert_int_equal(classes[0], 1);
}

/* ---- errors ---- */

static void refused(const pen_embedded_rows *e, const pen_classifier_params *params,
                    const double *x, pen_status code, const char *phrase)
{
    double p[NEW * MOST_C];
    const read_result r = read_rows(e, params, 1, 2, x, p, NULL);
    CHECK(r.status == code && r.err.code == code && strstr(r.err.message, phrase),
          "status %d, \"%s\", expected %d, \"%s\"", (int)r.status, r.err.message, (int)code,
          phrase);
}

TEST(errors)
{
    static struct clouds clouds;
    pen_rng rng = check_rng(5210);
    draw(&rng, 30, 4, 3, 2, &clouds);
    for (int kind = 0; kind < KINDS; kind++) {
        const pen_classifier_params params = { .kind = kinds[kind], .neighbors = 3 };
        struct clouds bad;
        reorder(&clouds, NULL, &bad);
        for (int i = 0; i < 30; i++)
            bad.labels[i] = -1;
        refused(&bad.e, &params, bad.x, PEN_NO_LABELS, "labelled rows");
        bad.labels[7] = 3;
        refused(&bad.e, &params, bad.x, PEN_BAD_ARGUMENT, "class of row 7 must be below 3");
        bad.labels[7] = 1;
        bad.z[30] = (double)NAN;
        refused(&bad.e, &params, bad.x, PEN_BAD_DATA, "not finite");
        bad.z[30] = 1e308;
        bad.z[34] = -1e308;
        bad.labels[7] = -1;
        bad.labels[8] = 1;
        refused(&bad.e, &params, bad.x, PEN_BAD_DATA, "overflow");
        for (int i = 0; i < 30 * 4; i++)
            bad.z[i] = clouds.z[i] * 1e-310;
        memcpy(bad.labels, clouds.labels, sizeof bad.labels);
        if (params.kind >= PEN_CLASSIFIER_LDA)
            refused(&bad.e, &params, bad.x, PEN_BAD_DATA, "class scores overflow");
        bad = clouds;
        bad.x[5] = (double)NAN;
        refused(&clouds.e, &params, bad.x, PEN_NOT_FINITE, "row 1");
    }
    const pen_classifier_params others[] = {
        { .kind = PEN_CLASSIFIER_AUTO },
        { .kind = PEN_CLASSIFIER_SCORES },
        { .kind = PEN_CLASSIFIER_NEIGHBORS, .neighbors = 0 },
    };
    static const char *const phrases[] = { "one of nearest to logistic", "one of nearest",
                                           "neighbors must be >= 1, got 0" };
    for (int i = 0; i < 3; i++)
        refused(&clouds.e, &others[i], clouds.x, PEN_BAD_ARGUMENT, phrases[i]);
    assert_string_equal(pen_classifier_names[PEN_CLASSIFIER_SELF_TRAINING], "self-training");
    assert_string_equal(pen_classifier_names[PEN_CLASSIFIER_NONE], "none");
    assert_null(pen_classifier_names[PEN_CLASSIFIER_NONE + 1]);
}

/* A caller can stop each application and each long fit. */
TEST(cancelling)
{
    enum { N = 3000, K = 30, C = 3 };
    double *z = check_allocate(N * K, sizeof *z), *p = check_allocate(N * C, sizeof *p);
    int32_t *labels = check_allocate(N, sizeof *labels);
    pen_rng rng = check_rng(5211);
    for (int64_t i = 0; i < N; i++) {
        labels[i] = i % 2 ? (int32_t)(i % C) : -1;
        draw_row(&rng, K, i % C, z + i * K);
    }
    const pen_embedded_rows e = { .z = z, .n = N, .k = K, .labels = labels, .classes = C };
    for (int kind = 0; kind < KINDS; kind++) {
        const pen_classifier_params params = { .kind = kinds[kind], .neighbors = 3 };
        const int slow = params.kind >= PEN_CLASSIFIER_LDA;
        pen_classifier classifier;
        for (int apply = !slow; apply < 2; apply++) {
            struct check_stop stop = { .at = -1 };
            const pen_control control = {
                .threads = 1, /* one thread: the first report differs from the last */
                .progress = check_stop_at,
                .user = &stop
            };
            pen_error err;
            pen_run *run;
            CHECK_OK(pen_run_open(&control, &err, &run), &err);
            if (apply)
                CHECK_OK(pen_classifier_fit(run, &e, &params, &classifier), &err);
            stop.at = stop.reports;
            CHECK_STATUS(apply ? pen_classifier_apply(run, &classifier, N, z, K, p, NULL)
                               : pen_classifier_fit(run, &e, &params, &classifier),
                         PEN_CANCELLED, NULL, &err);
            pen_run_close(run);
        }
    }
}
