/* test_clpp.c - locality preserving projections with pairs propagated to neighborhoods, compared
 * with printed numbers, the oracle and the definition: Cevikalp, Verbeek, Jurie, Klaeser: VISAPP
 * 2008. */
#include "kit/oracle_fit.h"
#include "kit/graph_golden.h"

#include <stdio.h>

static pen_data data_of_set(const graph_set *g)
{
    return (pen_data){
        .x = pen_dense(g->x, PEN_F64, g->n, g->d, g->d),
        .must_link = g->must,
        .must_link_count = g->must_count,
        .cannot_link = g->cannot,
        .cannot_link_count = g->cannot_count,
    };
}

/* Printed weights, if any, match the oracle, which matches the library (unit/test_graph.c); columns
 * and values match the library. */
static void golden(void **state)
{
    const clpp_case *c;
    int64_t count = 0;
    (void)state;
    for (; (c = clpp_case_at(count)); count++) {
        const graph_set *g = graph_set_named(c->set);
        const pen_data data = data_of_set(g);
        graph_oracle *right = keep(graph_oracle_fit(c->text, &data));
        int64_t edges = 0, printed = 0;
        CHECK_CLOSE(right->heat, c->heat, 1e-9, 0);
        for (const char *p = c->weights; *p; printed++) {
            char *end;
            const int64_t i = strtoll(p, &end, 10), j = strtoll(end + 1, &end, 10);
            CHECK_CLOSE(right->signed_weights[i * g->n + j], strtod(end + 1, &end), 1e-9, 0);
            p = *end ? end + 1 : end;
        }
        for (int64_t i = 0; i < g->n * g->n; i++)
            edges += right->signed_weights[i] != 0;
        CHECK(printed == 0 || edges == 2 * printed, "%s: %lld edges, %lld are printed", c->text,
              (long long)edges / 2, (long long)printed);
        check_printed_fit(c->text, &data, g->dim, c->values, c->columns, 1e-8);
        check_like(c->text, &data, NULL, 1e-8);
    }
    CHECK(count == 6, "%lld cases", (long long)count);
}

static void matches_the_oracle(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "clpp",
        "clpp propagate_pairs=false",
        "clpp neighbors=2 heat=3 ridge=0.1 dim=2",
        "clpp neighbors=9 propagate_pairs=false dim=1",
        "clpp neighbors=1 heat=100 dim=40",
        "clpp scale=standard ridge=0",
        "clpp pca=3 propagate_pairs=false",
        "clpp pca=rank scale=minmax dim=2",
    };
    check_all_shapes(3601, texts, COUNT_OF(texts), 1);
}

/* Lattice points in more columns than rows: ties between equally distant rows are broken by row
 * order, as always. */
static void lattice_of_many_columns(void **state)
{
    pen_rng rng = check_rng(3610);
    (void)state;
    for (int repeat = 0; repeat < 3; repeat++) {
        linked l = linked_random(&rng, 25, 30, 3, 3, 4);
        for (int64_t i = 0; i < 25 * 30; i++)
            l.s.x[i] = (double)pen_rng_below(&rng, 2);
        const pen_data data = linked_data(&l);
        check_like("clpp", &data, NULL, 1e-8);
    }
}

/* The sum over pairs of B_ij (z_i - z_j)^2 divided by the sum over rows of |B|_i z_i^2, z centered:
 * this is the eigenvalue, in [-2, 2], and the minimum. */
static double ratio(const graph_oracle *g, int64_t n, const double *z)
{
    double above = 0, below = 0;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            const double weight = g->signed_weights[i * n + j];
            above += weight * (z[i] - z[j]) * (z[i] - z[j]) / 2;
            below += fabs(weight) * z[i] * z[i];
        }
    return above / below;
}

static void pen_embed(const linked *l, const double *mean, const double *w, int64_t stride,
                      double *z)
{
    for (int64_t i = 0; i < l->s.n; i++) {
        z[i] = 0;
        for (int64_t c = 0; c < l->s.d; c++)
            z[i] += (l->s.x[i * l->s.d + c] - mean[c]) * w[c * stride];
    }
}

static void smallest_ratios(void **state)
{
    static const char *const texts[] = { "clpp ridge=0",
                                         "clpp ridge=0 propagate_pairs=false neighbors=3" };
    pen_rng rng = check_rng(3602);
    (void)state;
    for (int which = 0; which < 6; which++) {
        linked l = linked_random(&rng, 45, 5, 3, 4 + 20 * (which / 2), 5 + 20 * (which / 2));
        const pen_data data = linked_data(&l);
        graph_oracle *g = keep(graph_oracle_fit(texts[which % 2], &data));
        pen_model *model = keep(fit_data(texts[which % 2], &data));
        const double *values = model_eigenvalues(model);
        double z[45], w[5];
        CHECK(pen_model_dim(model) == 5, "%lld dimensions", (long long)pen_model_dim(model));
        for (int64_t j = 0; j < 5; j++) {
            pen_embed(&l, model_mean(model), model_columns(model) + j, 5, z);
            CHECK_CLOSE(ratio(g, 45, z), values[j], 1e-9, 1e-9);
            CHECK(fabs(values[j]) <= 2 && (j == 0 || values[j] >= values[j - 1]),
                  "value %lld is %g", (long long)j, values[j]);
        }
        for (int turn = 0; turn < 200; turn++) {
            for (int c = 0; c < 5; c++)
                w[c] = check_normal(&rng);
            pen_embed(&l, model_mean(model), w, 1, z);
            CHECK(ratio(g, 45, z) >= values[0] - 1e-12 && ratio(g, 45, z) <= values[4] + 1e-12,
                  "a direction of ratio %g", ratio(g, 45, z));
        }
    }
}

/* No pairs: plain locality preserving projections of centered rows, w'X'(D - A)X w over w'X'DX w;
 * W'X'DX W = I. */
static void without_pairs(void **state)
{
    enum { N = 50, D = 4 };
    pen_rng rng = check_rng(3603);
    (void)state;
    for (int on = 0; on < 2; on++) {
        linked l = linked_random(&rng, N, D, 3, 0, 0);
        const pen_data data = linked_data(&l);
        pen_model *model = keep(fit_data(
            on ? "clpp ridge=0 heat=6" : "clpp ridge=0 heat=6 propagate_pairs=false", &data));
        const double *w = model_columns(model), *values = model_eigenvalues(model);
        double *distances = keep(table_distances(N, D, l.s.x)), x[N * D], degree[N * N] = { 0 };
        int *nearest = keep(table_nearest(N, distances, 5)),
            *joined = keep(table_union(N, nearest));
        double *heat = keep(table_heat(N, joined, distances, 6)),
               *laplacian = keep(table_laplacian(N, heat));
        for (int i = 0; i < N * N; i++)
            degree[i / N * N + i / N] += heat[i];
        for (int i = 0; i < N * D; i++)
            x[i] = l.s.x[i] - model_mean(model)[i % D];
        double *A = keep(table_scatter(N, D, x, laplacian)),
               *C = keep(table_scatter(N, D, x, degree));
        double *WCW = keep(dense_project(D, D, C, w)), *WAW = keep(dense_project(D, D, A, w));
        for (int i = 0; i < D * D; i++) { /* both diagonal: these are the eigenvectors */
            CHECK_CLOSE(WCW[i], i / D == i % D, 0, 1e-10);
            CHECK_CLOSE(WAW[i], i / D == i % D ? values[i / D] : 0, 0, 1e-10);
        }
        CHECK(values[0] > 0 && values[D - 1] <= 2, "values %g to %g", values[0], values[D - 1]);
    }
}

/* ---- degenerate or invalid input ---- */

static void errors(void **state)
{
    static const refused values[] = {
        { "heat", "0", "heat" },
        { "ridge", "-1", "ridge" },
        { "neighbors", "0", "neighbors" },
        { "max_pairs", "0", "max_pairs" },
    };
    pen_rng rng = check_rng(3608);
    linked l = linked_random(&rng, 20, 3, 2, 5, 5), equal = linked_copy(&l),
           groups = linked_copy(&l);
    const pen_data data = linked_data(&l);
    pen_model *model = NULL;
    (void)state;

    CHECK_FIT_FAILS("clpp dim=4", &data, PEN_RANK_TOO_SMALL, "3");
    CHECK_FIT_FAILS("clpp max_pairs=60", &data, PEN_BAD_DATA, "more than max_pairs, 60");
    pen_model_free(fit_data("clpp neighbors=19", &data));

    for (int64_t i = 0; i < 60; i++) {
        equal.s.x[i] = 0.1;
        groups.s.x[i] = (double)(i / 3 % 3); /* three points: the nearest five are at distance 0 */
    }
    const pen_data equal_data = linked_data(&equal), group_data = linked_data(&groups);
    CHECK_FIT_FAILS("clpp", &equal_data, PEN_BAD_DATA, "heat auto: all neighbors are equal rows");
    CHECK_FIT_FAILS("clpp heat=1", &equal_data, PEN_RANK_TOO_SMALL, "all rows are equal");
    CHECK_FIT_FAILS("clpp", &group_data, PEN_BAD_DATA, "heat auto: all neighbors are equal rows");
    model = keep(fit_data("clpp heat=1", &group_data));
    CHECK(pen_model_dim(model) == 1, "%lld dimensions", (long long)pen_model_dim(model));

    linked none = linked_random(&rng, 20, 3, 2, 0, 0);
    const pen_data none_data = linked_data(&none);
    CHECK_FIT_FAILS("clpp heat=1e-9", &none_data, PEN_BAD_DATA,
                    "heat 1e-09 is so small"); /* the kernel underflows: no weights at all */
    pen_model_free(fit_data("clpp", &none_data));
    linked_add(&none, PEN_MUST_LINK, 0, 1); /* two rows with weights do not span three columns */
    const pen_data one_pair = linked_data(&none);
    CHECK_FIT_FAILS("clpp heat=1e-9 propagate_pairs=false ridge=0", &one_pair, PEN_SINGULAR_SCATTER,
                    NULL);
    pen_model_free(fit_data("clpp heat=1e-9 propagate_pairs=false ridge=0.1", &one_pair));

    linked_add(&l, PEN_CANNOT_LINK, l.must[0], l.must[1]);
    const pen_data both = linked_data(&l);
    CHECK_FIT_FAILS("clpp", &both, PEN_CONTRADICTION, "must link and cannot link");
    check_refused("clpp heat=auto", values, COUNT_OF(values));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden),
        cmocka_unit_test(matches_the_oracle),
        cmocka_unit_test(lattice_of_many_columns),
        cmocka_unit_test(smallest_ratios),
        cmocka_unit_test(without_pairs),
        cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
