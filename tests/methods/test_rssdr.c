/* test_rssdr.c - rssdr against printed numbers and the oracle. */
#include "kit/oracle_fit.h"
#include "oracle/reconstruct_family.h"

#include "core/run.h"
#include "linalg/reduce.h"
#include "scatter/scatter.h"
#include "solve/ratio.h"

#include <stdio.h>

struct golden {
    const char *set; /* of kit/pairs_golden.h */
    double alpha, beta;
    int64_t k;
    double pca;
    int64_t p, dim, landmarks, landmark[4];
    double distances[10]; /* squared, from row 0 */
    int64_t nearest[40];  /* [n x k] */
    double weights[4];    /* of row 0 */
    double traces[4];     /* S_C, S_M, S_F, S_R */
    double columns[6], values[2];
};

/* clang-format off */
static const struct golden golden_fits[] = {
    { .set = "s1", .alpha = 0.1, .beta = 0.1, .k = 3, .pca = 0.98, .p = 2, .dim = 1,
      .landmarks = 0, .landmark = { 0 },
      .distances = { 0.0, 52.88440725, 77.53001426, 68.21964852, 27.92715015, 75.07660813,
        7.926582147, 52.18995082 },
      .nearest = { 6, 4, 7, 7, 3, 4, 5, 3, 7, 1, 7, 5, 1, 7, 6, 3, 2, 1, 0, 4, 7, 1, 3, 4 },
      .weights = { 1.243053883, 0.1690083518, -0.4120622349 },
        .traces = { 19.5846, 7.3961, 136.1589, 3.14473103 },
      .columns = { 0.4236167515, 0.1589982722 }, .values = { 5.544117403 } },
    { .set = "s2", .alpha = 0.05, .beta = 0.5, .k = 3, .pca = 0.98, .p = 3, .dim = 2,
      .landmarks = 4, .landmark = { 0, 2, 5, 6 },
      .distances = { 0.0, 62.98682533, 14.84332496, 121.9323948, 19.18918408, 19.29318147,
        58.12505928, 28.27734715, 64.64345506, 72.08588949 },
      .nearest = { 2, 4, 5, 9, 6, 7, 4, 5, 0, 9, 1, 6, 2, 5, 0, 7, 2, 4, 8, 9, 1, 5, 2, 1, 6, 9, 1,
        1, 6, 8 },
      .weights = { 1.138885135, 0.008036377599, -0.1469215127 },
        .traces = { 60.5833, 37.4624, 475.0536, 12.22810796 },
      .columns = { 0.2826735188, 0.02880925167, -0.04163645809, 0.03490138656, -0.03811124095,
        0.3817257266 }, .values = { 4.007782404, 1.260346056 } },
    { .set = "s3", .alpha = 0.02, .beta = 2.0, .k = 4, .pca = (double)INFINITY, .p = 3, .dim = 2,
      .landmarks = 0, .landmark = { 0 },
      .distances = { 0.0, 62.12144458, 27.79197196, 67.56609273, 1.133086633, 30.93645381,
        2.922109454, 59.72073992, 42.87933572, 28.17092712 },
      .nearest = { 4, 6, 2, 9, 7, 8, 5, 9, 6, 0, 4, 9, 7, 9, 1, 8, 0, 6, 9, 5, 8, 9, 7, 1, 0, 4, 2,
        9, 1, 8, 5, 9, 5, 7, 9, 1, 5, 8, 7, 4 },
      .weights = { 0.8432370984, 0.1955621348, 0.06222118201, -0.1010204152 },
        .traces = { 38.2114, 12.6737, 275.7685, 4.196816324 },
      .columns = { 0.06828613379, 0.3069504017, 0.3282581037, -0.2030163675, 0.4870638464,
        -0.1923918989 }, .values = { 4.252313162, 0.6529789203 } },
};
/* clang-format on */

/* The rows as a method receives them. */
static void open_rows(pen_run *run, const pen_data *data, double pca, pen_pair_set *pairs,
                      pen_reduction *components, pen_view *out)
{
    pen_view rows;

    assert_int_equal(pen_rows_open(run, data, 0, PEN_SCALE_NONE, &rows), PEN_OK);
    assert_int_equal(pen_pairs_open(run, data, &(pen_pair_params){ .closure = 0 }, 0, &rows,
                                    PEN_ORDER_MUST_LINKS, pairs),
                     PEN_OK);
    assert_int_equal(
        pen_rows_components(run, &rows, &(pen_components){ .pca = pca }, components, out), PEN_OK);
}

static void check_columns(const struct golden *g, int64_t d, const double *values, const double *W)
{
    for (int64_t c = 0; c < g->dim; c++)
        CHECK_CLOSE(values[c], g->values[c], 1e-8, 0);
    check_up_to_sign(g->set, d, g->dim, W, g->dim, g->columns, g->dim, 1e-8);
}

static void check_neighborhoods(pen_run *run, const struct golden *g, const pen_view *x,
                                pen_reconstruction *A)
{
    const int64_t n = x->n;
    pen_relative space;
    pen_neighbor *nearest;
    double work[20];

    assert_int_equal(pen_relative_open(run, x, g->landmarks > 0 ? g->landmark : NULL, g->landmarks,
                                       PEN_RELATIVE_BYTES, &space),
                     PEN_OK);
    for (int64_t j = 0; j < n; j++)
        CHECK_CLOSE(pen_relative_distance2_from(&space, 0, pen_relative_row(&space, 0, work), j,
                                                work + space.m),
                    g->distances[j], 1e-8, 0);
    assert_int_equal(PEN_NEW(run, nearest, n * g->k), PEN_OK);
    assert_int_equal(pen_relative_nearest(run, &space, g->k, nearest), PEN_OK);
    for (int64_t i = 0; i < n * g->k; i++)
        CHECK(nearest[i].row == g->nearest[i], "neighbor %lld of row %lld is %lld, expected %lld",
              (long long)(i % g->k), (long long)(i / g->k), (long long)nearest[i].row,
              (long long)g->nearest[i]);
    assert_int_equal(pen_reconstruct_relative(run, &space, g->k, nearest, 1e-3, A), PEN_OK);
    for (int64_t c = 0; c < g->k; c++)
        CHECK_CLOSE(A->weight[c], g->weights[c], 1e-8, 0);
}

static void check_parts(const struct golden *g, const linked *l)
{
    const pen_data data = linked_data(l);
    pen_reduction components;
    pen_pair_set pairs;
    pen_view x;
    pen_neighbor *nearest;
    pen_graph graph;
    pen_reconstruction A;
    pen_sym parts[4], Num, Den;

    pen_run *const run = check_run(0, NULL);
    open_rows(run, &data, g->pca, &pairs, &components, &x);
    CHECK(x.d == g->p, "%lld components", (long long)x.d);
    check_neighborhoods(run, g, &x, &A);
    for (int i = 0; i < 4; i++)
        assert_int_equal(pen_sym_zero(run, x.d, &parts[i]), PEN_OK);
    assert_int_equal(
        pen_graph_neighbors(run, &(pen_problem){ .rows = x }, "neighbors", g->k, &nearest), PEN_OK);
    assert_int_equal(pen_graph_of_neighbors(run, x.n, g->k, nearest, PEN_JOIN_UNION, &graph),
                     PEN_OK);
    assert_int_equal(pen_scatter_pairs(run, 1, 1, &(pen_problem){ .rows = x, .pairs = &pairs },
                                       &parts[0], &parts[1]),
                     PEN_OK);
    assert_int_equal(pen_scatter_non_neighbors(run, 1, &x, &graph, &parts[2]), PEN_OK);
    assert_int_equal(pen_scatter_reconstruction(run, 1, &x, &A, &parts[3]), PEN_OK);
    for (int i = 0; i < 4; i++)
        CHECK_CLOSE(pen_sym_trace(&parts[i]), g->traces[i], 1e-8, 0);

    assert_int_equal(pen_sym_copy(run, &parts[0], &Num), PEN_OK);
    assert_int_equal(pen_sym_copy(run, &parts[1], &Den), PEN_OK);
    assert_int_equal(pen_scatter_non_neighbors(run, g->alpha, &x, &graph, &Num), PEN_OK);
    assert_int_equal(pen_scatter_reconstruction(run, g->beta, &x, &A, &Den), PEN_OK);
    const pen_request request = { .wanted = g->dim, .columns = x.d, .spanned = x.d };
    pen_projection map = { .k = 0 };
    assert_int_equal(pen_solve_ratio(run, &Num, &Den, &(pen_ridge){ .amount = 1e-9 },
                                     PEN_COLUMNS_PLAIN, &request, &map),
                     PEN_OK);
    double W[6] = { 0 };
    for (int64_t i = 0; i < x.d; i++)
        for (int64_t j = 0; j < l->s.d; j++)
            for (int64_t c = 0; c < g->dim; c++)
                W[j * g->dim + c] += components.V[j * x.d + i] * map.W[i * g->dim + c];
    check_columns(g, l->s.d, map.eigenvalues, W);
    pen_run_close(run);
}

/* Step by step: the oracle and a fit with all rows as reference rows. */
TEST(golden)
{
    for (int64_t i = 0; i < COUNT_OF(golden_fits); i++) {
        const struct golden *g = &golden_fits[i];
        const linked l = linked_golden(g->set);
        const pen_data data = linked_data(&l);
        char text[128], with_landmarks[192];

        check_parts(g, &l);
        snprintf(text, sizeof text, "rssdr alpha=%g beta=%g neighbors=%d dim=%d pca=%s", g->alpha,
                 g->beta, (int)g->k, (int)g->dim, g->pca < 1 ? "0.98" : "rank");
        snprintf(with_landmarks, sizeof with_landmarks, "%s space=relative:%d", text,
                 (int)g->landmarks);
        rssdr_oracle *o =
            rssdr_oracle_fit(g->landmarks > 0 ? with_landmarks : text, &data, g->landmark);
        double W[6];
        for (int64_t c = 0; c < l.s.d * g->dim; c++)
            W[c] = o->W[c / g->dim * o->p + c % g->dim];
        check_columns(g, l.s.d, o->values, W);
        if (g->landmarks > 0)
            continue;
        pen_model *model = fit_data(text, &data);
        check_columns(g, l.s.d, model_eigenvalues(model), model_columns(model));
        check_signs(model, text);
    }
}

TEST(matches_the_oracle)
{
    const text_list texts = text_list_of(
        "rssdr: alpha=2 beta=3 neighbors=4 pca=rank; "
        "neighborhood=mutual beta=1 reconstruction_ridge=0.1; column_scaling=unit ridge=0.01; "
        "pca=rank space=relative:9 seed=4 beta=0.5; space=plain beta=0.5 neighborhood=mutual; "
        "pca=rank space=relative:1; "
        "pca=rank space=relative:2 seed=3 neighborhood=mutual ridge=0.01; alpha=0");
    pen_rng rng = check_rng(801);

    for (int64_t i = 0; i < texts.count; i++)
        for (int which = 0; which < check_repeats(4); which++) {
            linked l = which % 4 == 1 ? linked_random(&rng, 14, 22, 3, 9, 11)
                                      : linked_random(&rng, which % 4 == 2 ? 75 : 50,
                                                      which % 4 == 3 ? 3 : 6, 3, 30, 35);
            const pen_data data = linked_data(&l);
            check_like(texts.text[i], &data, NULL, 1e-8);
        }
}

/* All rows as landmarks equal no landmarks; fewer are selected by the seed; labels act as pairs. */
TEST(landmarks)
{
    pen_rng rng = check_rng(803);
    linked l = linked_random(&rng, 60, 5, 3, 30, 30);
    const pen_data data = linked_data(&l);
    pen_model *exact = fit_data("rssdr", &data), *all = fit_data("rssdr space=relative:60", &data);
    pen_model *some = fit_data("rssdr space=relative:20", &data),
              *same = fit_data("rssdr space=relative:20 seed=0", &data);
    pen_model *others = fit_data("rssdr space=relative:20 seed=1", &data);

    check_same_bits(exact, all, "rssdr space=relative:60");
    check_same_bits(some, same, "rssdr space=relative:20");
    CHECK(model_eigenvalues(some)[0] != model_eigenvalues(exact)[0],
          "20 landmarks of 60 rows have no effect");
    CHECK(model_eigenvalues(some)[0] != model_eigenvalues(others)[0], "the seed has no effect");
    CHECK_CLOSE(model_eigenvalues(some)[0], model_eigenvalues(exact)[0], 0.2, 0);
    CHECK_FIT_FAILS("rssdr space=relative:61", &data, PEN_BAD_ARGUMENT,
                    "space must have at most 60 landmarks, the number of rows, got relative:61");
}

TEST(errors)
{
    pen_rng rng = check_rng(806);
    linked l = linked_random(&rng, 30, 4, 2, 20, 20);
    pen_data data = linked_data(&l), no_must = data, no_cannot = data;

    no_must.must_link_count = no_cannot.cannot_link_count = 0;
    CHECK_FIT_FAILS("rssdr beta=0", &no_must, PEN_NO_PAIRS,
                    "nothing to minimize: no must-links, and beta is 0");
    CHECK_FIT_FAILS("rssdr alpha=0", &no_cannot, PEN_NO_PAIRS,
                    "nothing to maximize: no cannot-links, and alpha is 0");
    fit_data("rssdr", &no_must);
    fit_data("rssdr", &no_cannot);
    CHECK_FIT_FAILS("rssdr dim=5 pca=rank", &data, PEN_RANK_TOO_SMALL, "dim must be at most 4,");
    CHECK_FIT_FAILS("rssdr pca=1.5", &data, PEN_BAD_ARGUMENT, "1.5");
}

TEST(little_information)
{
    pen_rng rng = check_rng(807);
    linked l = linked_random(&rng, 40, 5, 2, 2, 20), wide = linked_random(&rng, 12, 40, 2, 5, 5);
    const pen_data data = linked_data(&l), wide_data = linked_data(&wide);

    /* two must-links and no reconstruction: the ridge defines the result, or the denominator is
     * singular */
    CHECK_FIT_FAILS("rssdr beta=0 ridge=0", &data, PEN_SINGULAR_SCATTER, "singular");
    pen_model *model = fit_data("rssdr beta=0", &data);
    CHECK(info_number(model, "denominator_smallest") < 1e-10 && model_eigenvalues(model)[0] > 1e6,
          "%s", pen_model_info(model));
    model = fit_data("rssdr", &data);
    CHECK(info_number(model, "denominator_smallest") > 1e-6, "%s", pen_model_info(model));
    model = fit_data("rssdr neighbors=11", &wide_data); /* all pairs are neighbors: S_F is 0 */
    CHECK(pen_model_dim(model) <= 5, "%lld dimensions of 5 cannot-links",
          (long long)pen_model_dim(model));

    /* every row has many duplicates: neighbors are equal, the residual is 0, and the identity is
     * the denominator */
    for (int64_t i = 0; i < l.s.n; i++)
        memcpy(l.s.x + i * 5, l.s.x + i % 2 * 5, 5 * sizeof *l.s.x);
    linked_add(&l, PEN_CANNOT_LINK, 0, 1);
    const pen_data two = linked_data(&l);
    CHECK_FIT_FAILS("rssdr ridge=0", &two, PEN_SINGULAR_SCATTER, "set ridge > 0");
    model = fit_data("rssdr", &two);
    CHECK_CLOSE(model_eigenvalues(model)[0], 1, 1e-12, 0);
}
