/* test_ilpp.c - ilpp against printed numbers and the oracle; its two scatters against double loops,
 * at sizes with several strips and groups of tiles. */
#include "kit/oracle_fit.h"
#include "scatter/scatter.h"

#include <stdio.h>

TEST(golden)
{
    static const struct {
        const char *text;
        double lambda[2], w[4];
    } cases[] = {
        { "ilpp neighbors=2",
          { 23.36023673, 2.511012157 },
          { 3.046008513, -0.2589176532, 0.6768861201, 0.9576895105 } },
        { "ilpp neighbors=2 graph=mutual",
          { 59.97120215, 6.08716631 },
          { 9.049469136, -0.7511340889, 0.8592809885, 2.757406561 } },
        { "ilpp neighbors=1",
          { 158.3987668, 5.726514541 },
          { 48.21725704, -2.355571436, 22.80907398, 4.970191496 } },
    };
    for (int64_t i = 0; i < COUNT_OF(cases); i++) {
        sample s = sample_golden(i + 1 < COUNT_OF(cases) ? 'A' : 'C');
        check_golden(cases[i].text, &s, 2, cases[i].lambda, cases[i].w);
    }
}

/* Half of the library's S_n and S_l, with this number of threads. */
static void library_scatters(const sample *s, const pen_locality *locality, int threads,
                             double *S_n, double *S_l)
{
    const pen_data data = { .x = pen_dense(s->x, PEN_F64, s->n, s->d, s->d) };
    const size_t size = (size_t)(s->d * s->d) * sizeof(double);
    pen_view rows;
    pen_sym N, L;

    pen_run *const run = check_run(threads, NULL);
    assert_int_equal(pen_rows_open(run, &data, 0, PEN_SCALE_NONE, &rows), PEN_OK);
    assert_int_equal(pen_sym_zero(run, s->d, &N), PEN_OK);
    assert_int_equal(pen_sym_zero(run, s->d, &L), PEN_OK);
    assert_int_equal(
        pen_scatter_locality(run, 0.5, &(pen_problem){ .rows = rows }, locality, &N, &L), PEN_OK);
    memcpy(S_n, N.a, size);
    memcpy(S_l, L.a, size);
    pen_run_close(run);
}

/* `size` [d x d]: the magnitude of the terms of each entry. */
static void check_scatter(int64_t d, const double *S, const double *right, const double *size,
                          const char *what)
{
    for (int64_t i = 0; i < d; i++)
        for (int64_t j = 0; j <= i; j++) {
            const double most = 1e-11 * sqrt(right[i * d + i] * right[j * d + j])
                                + 1e-14 * sqrt(size[i * d + i] * size[j * d + j]);
            CHECK(fabs(2 * S[i * d + j] - right[i * d + j]) <= most,
                  "%s: entry %lld, %lld is %.17g, expected %.17g", what, (long long)i, (long long)j,
                  2 * S[i * d + j], right[i * d + j]);
        }
}

static void check_scatters(const sample *s, int64_t neighbors, enum pen_affinity_graph graph,
                           enum pen_origin origin)
{
    static const int threads[] = { 1, 2, 5 };
    const pen_locality locality = { { .neighbors = neighbors }, graph, origin };
    double right_n[9], right_l[9], S_n[3][9], S_l[3][9];
    char what[100];
    assert_true(s->d <= 3);

    lpp_scatters(s->n, s->d, s->x, neighbors, graph == PEN_AFFINITY_MUTUAL,
                 origin == PEN_ORIGIN_MEAN, right_n, right_l);
    for (int t = 0; t < 3; t++) {
        library_scatters(s, &locality, threads[t], S_n[t], S_l[t]);
        snprintf(what, sizeof what, "%lld rows, %lld neighbors, graph %d, origin %d, S_n",
                 (long long)s->n, (long long)neighbors, (int)graph, (int)origin);
        check_scatter(s->d, S_n[t], right_n, right_n, what);
        what[strlen(what) - 1] = 'l';
        check_scatter(s->d, S_l[t], right_l, right_n, what);
        for (int64_t i = 0; i < s->d; i++)
            assert_true(
                memcmp(S_n[t] + i * s->d, S_n[0] + i * s->d, (size_t)(i + 1) * sizeof(double)) == 0
                && memcmp(S_l[t] + i * s->d, S_l[0] + i * s->d, (size_t)(i + 1) * sizeof(double))
                       == 0);
    }
}

TEST(scatters)
{
    static const int64_t sizes[] = { 1, 2, 3, 9, 20, 255, 256, 257, 600 },
                         neighbors[] = { 1, 2, 7, 300 };
    pen_rng rng = check_rng(1201);
    for (int64_t i = 0; i < COUNT_OF(sizes); i++)
        for (int64_t k = 0; k < COUNT_OF(neighbors); k++)
            for (int kind = 0; kind < 4; kind++) {
                if (sizes[i] > 20 && (i + k + kind) % 4 > 0)
                    continue;
                sample s = sample_random(&rng, sizes[i], 3, 1, 0);
                check_scatters(&s, neighbors[k], (enum pen_affinity_graph)(kind % 2),
                               (enum pen_origin)(kind / 2));
            }
    sample large = sample_random(&rng, check_many(4400), 2, 4, 0);
    check_scatters(&large, 7, PEN_AFFINITY_MUTUAL, PEN_ORIGIN_MEAN);
    sample several = sample_random(&rng, check_many(1100), 2, 4, 0);
    check_scatters(&several, 7, PEN_AFFINITY_DENSE, PEN_ORIGIN_ZERO);
    check_scatters(&several, 300, PEN_AFFINITY_MUTUAL, PEN_ORIGIN_ZERO);
}

/* Grid points: many rows tie with the last neighbor, and many coincide; a mutual graph includes all
 * of them. */
TEST(scatters_of_ties)
{
    static const int64_t sides[] = { 2, 4, 9, 25 }, neighbors[] = { 1, 3, 8, 40 };
    pen_rng rng = check_rng(1202);
    for (int64_t i = 0; i < COUNT_OF(sides); i++)
        for (int64_t k = 0; k < COUNT_OF(neighbors); k++) {
            sample s = sample_new(270, 2);
            for (int64_t j = 0; j < s.n * s.d; j++)
                s.x[j] = (double)pen_rng_below(&rng, sides[i]);
            check_scatters(&s, neighbors[k], PEN_AFFINITY_MUTUAL, PEN_ORIGIN_ZERO);
            check_scatters(&s, neighbors[k], PEN_AFFINITY_DENSE, PEN_ORIGIN_MEAN);
        }
}

/* Neither matrix is modified. */
TEST(weight_zero_costs_nothing)
{
    const pen_locality locality = { { .neighbors = 7 }, PEN_AFFINITY_DENSE, PEN_ORIGIN_ZERO };
    assert_int_equal(
        pen_scatter_locality(NULL, 0, &(pen_problem){ .pairs = NULL }, &locality, NULL, NULL),
        PEN_OK);
}

TEST(matches_the_oracle)
{
    check_all_shapes(1203, 2,
                     "ilpp: neighbors=2; neighbors=3 graph=mutual; graph=mutual; origin=mean; "
                     "origin=mean ridge=0.1; ridge=0.01 dim=1; "
                     "neighbors=100000 column_scaling=plain; "
                     "column_scaling=orthonormal neighbors=4; scale=standard; "
                     "scale=standard row_steps=l2 origin=mean; "
                     "origin=mean graph=mutual ridge=0.5 column_scaling=orthonormal");
}

/* A shift of the rows matters only with origin zero; for rows of mean zero both origins agree. */
TEST(origins)
{
    pen_rng rng = check_rng(1209);
    sample s = sample_random(&rng, 64, 3, 2, 0), moved = sample_new(128, 3);
    for (int64_t i = 0; i < s.n * s.d; i++) {
        moved.x[i] = s.x[i]; /* each row and its negative: the mean is 0 */
        moved.x[s.n * s.d + i] = -s.x[i];
    }
    check_same_fit("ilpp", &moved, "ilpp origin=mean", &moved, 1, 1, 1e-8);
    for (int64_t i = 0; i < moved.n * moved.d; i++)
        moved.x[i] += 8;
    pen_model *zero = fit_sample("ilpp", &moved), *mean = fit_sample("ilpp origin=mean", &moved);
    CHECK(model_eigenvalues(zero)[0] > 2 * model_eigenvalues(mean)[0],
          "eigenvalues %g and %g, despite a distant origin", model_eigenvalues(zero)[0],
          model_eigenvalues(mean)[0]);
    check_like_oracle("ilpp", &moved, 1e-8);
    check_like_oracle("ilpp origin=mean", &moved, 1e-10);
}

/* Floats and bytes use single precision. */
TEST(types)
{
    pen_rng rng = check_rng(1210);
    const int64_t enough =
        check_many(2700) > 900 ? check_many(2700) : 900; /* for a regular scatter */
    sample many = sample_random(&rng, enough, 400, 3, 0);
    pen_data data = sample_data(&many);
    sample_to_bytes(&many);
    pen_model *right = fit_data("ilpp graph=mutual origin=mean dim=3", &data);
    for (int type = PEN_F32; type <= PEN_U8; type++) {
        data.x = recast(&many, (pen_dtype)type, 3);
        pen_model *model = fit_data("ilpp graph=mutual origin=mean dim=3", &data);
        check_related(model, right, &(relation){ .columns = 1, .values = 1 }, 1e-9, "ilpp");
    }
}

/* The largest |entry| of a column is the root of its eigenvalue; otherwise the columns are those of
 * `weighted`. */
TEST(largest_entries)
{
    static const char *const texts[] = { "ilpp", "self-ilpp beta=0.3",
                                         "self-mix beta=0.2 gamma=0.4" };
    pen_rng rng = check_rng(1212);
    sample s = sample_random(&rng, 60, 5, 3, 12);
    for (int t = 0; t < COUNT_OF(texts); t++) {
        char text[80];
        snprintf(text, sizeof text, "%s column_scaling=largest", texts[t]);
        const pen_model *const model = fit_sample(text, &s), *const weighted =
                                                                 fit_sample(texts[t], &s);
        const int64_t k = pen_model_dim(model);
        for (int64_t c = 0; c < k; c++) {
            const double root = sqrt(model_eigenvalues(model)[c]);
            double largest = 0;
            for (int64_t j = 0; j < s.d; j++)
                largest = fmax(largest, fabs(model_columns(weighted)[j * k + c]));
            for (int64_t j = 0; j < s.d; j++)
                CHECK_CLOSE(model_columns(model)[j * k + c],
                            model_columns(weighted)[j * k + c] * root / largest, 1e-12, 1e-12);
        }
    }
}

TEST(degenerate_input)
{
    pen_rng rng = check_rng(1211);
    sample wide = sample_random(&rng, 10, 20, 2, 0), square = sample_random(&rng, 8, 8, 2, 0),
           copies = sample_new(60, 3), equal = sample_new(9, 2);
    const pen_data data[] = { sample_data(&wide), sample_data(&square), sample_data(&copies),
                              sample_data(&equal) };
    for (int64_t i = 0; i < copies.n * copies.d; i++)
        copies.x[i] = i < 3 * 10 ? check_normal(&rng) : copies.x[i - 3 * 10];
    for (int64_t i = 0; i < equal.n * equal.d; i++)
        equal.x[i] = 0.1;
    CHECK_FIT_FAILS("ilpp", &data[0], PEN_SINGULAR_SCATTER, "ridge");
    CHECK_FIT_FAILS("ilpp origin=mean", &data[0], PEN_SINGULAR_SCATTER, "ridge");
    fit_data("ilpp origin=mean ridge=0.01", &data[0]);
    fit_data("ilpp pca=2", &data[1]);
    CHECK_FIT_FAILS("ilpp", &data[1], PEN_SINGULAR_SCATTER, "ridge");
    fit_data("ilpp ridge=0.01", &data[1]);
    /* as many copies as neighbors: S_l = 0 */
    CHECK_FIT_FAILS("ilpp neighbors=5", &data[2], PEN_SINGULAR_SCATTER, NULL);
    fit_data("ilpp neighbors=5 ridge=0.1", &data[2]);
    CHECK_FIT_FAILS("ilpp neighbors=5 graph=mutual", &data[2], PEN_SINGULAR_SCATTER, NULL);
    fit_data("ilpp neighbors=6", &data[2]);
    CHECK_FIT_FAILS("ilpp", &data[3], PEN_SINGULAR_SCATTER, NULL);
    CHECK_FIT_FAILS("ilpp graph=mutual", &data[3], PEN_SINGULAR_SCATTER, NULL);
}
