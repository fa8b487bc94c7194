/* test_clpp.c - clpp against printed numbers and the oracle: Cevikalp, Verbeek, Jurie, Klaeser:
 * VISAPP 2008. */
#include "kit/oracle_fit.h"
#include "kit/graph_golden.h"

/* Printed weights, if any, match the oracle; columns and values match the library. */
TEST(golden)
{
    const clpp_case *c;
    int64_t count = 0;
    for (; (c = clpp_case_at(count)); count++) {
        const graph_set *g = graph_set_named(c->set);
        const pen_data data = graph_set_data(g);
        graph_oracle *right = graph_oracle_fit(c->text, &data);
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
    CHECK(count == 4, "%lld cases", (long long)count);
}

TEST(matches_the_oracle)
{
    check_all_shapes(3601, 1,
                     "clpp: propagate_pairs=false; neighbors=2 heat=3 ridge=0.1 dim=2; "
                     "neighbors=9 propagate_pairs=false dim=1; neighbors=1 heat=100 dim=40; "
                     "scale=standard ridge=0; pca=3 propagate_pairs=false; "
                     "pca=rank scale=minmax dim=2; ridge=0 heat=6");
}

TEST(errors)
{
    pen_rng rng = check_rng(3608);
    linked l = linked_random(&rng, 20, 3, 2, 5, 5), equal = linked_copy(&l),
           groups = linked_copy(&l);
    const pen_data data = linked_data(&l);
    pen_model *model = NULL;
    CHECK_FIT_FAILS("clpp dim=4", &data, PEN_RANK_TOO_SMALL, "dim must be at most 3,");
    CHECK_FIT_FAILS("clpp max_pairs=60", &data, PEN_BAD_DATA, "more than max_pairs, 60");
    fit_data("clpp neighbors=19", &data);

    for (int64_t i = 0; i < 60; i++) {
        equal.s.x[i] = 0.1;
        groups.s.x[i] = (double)(i / 3 % 3); /* the five nearest rows are at distance 0 */
    }
    const pen_data equal_data = linked_data(&equal), group_data = linked_data(&groups);
    CHECK_FIT_FAILS("clpp", &equal_data, PEN_BAD_DATA, "heat auto: all neighbors are equal rows");
    CHECK_FIT_FAILS("clpp heat=1", &equal_data, PEN_RANK_TOO_SMALL, "all rows are equal");
    CHECK_FIT_FAILS("clpp", &group_data, PEN_BAD_DATA, "heat auto: all neighbors are equal rows");
    model = fit_data("clpp heat=1", &group_data);
    CHECK(pen_model_dim(model) == 1, "%lld dimensions", (long long)pen_model_dim(model));

    linked none = linked_random(&rng, 20, 3, 2, 0, 0);
    const pen_data none_data = linked_data(&none);
    CHECK_FIT_FAILS("clpp heat=1e-9", &none_data, PEN_BAD_DATA,
                    "heat 1e-09 is so small"); /* the kernel underflows: there are no weights */
    fit_data("clpp", &none_data);
    linked_add(&none, PEN_MUST_LINK, 0, 1); /* two rows with weights do not span three columns */
    const pen_data one_pair = linked_data(&none);
    CHECK_FIT_FAILS("clpp heat=1e-9 propagate_pairs=false ridge=0", &one_pair, PEN_SINGULAR_SCATTER,
                    NULL);
    fit_data("clpp heat=1e-9 propagate_pairs=false ridge=0.1", &one_pair);

    linked_add(&l, PEN_CANNOT_LINK, l.must[0], l.must[1]);
    const pen_data both = linked_data(&l);
    CHECK_FIT_FAILS("clpp", &both, PEN_CONTRADICTION, "must link and cannot link");
}
