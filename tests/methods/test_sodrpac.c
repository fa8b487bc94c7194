/* test_sodrpac.c - sodrpac against printed numbers, the oracle and the example of the paper: Tong,
 * Suzuki: PAKDD 2010. */
#include "kit/oracle_fit.h"
#include "kit/graph_golden.h"

TEST(golden)
{
    const sodrpac_case *c;
    int64_t count = 0;
    for (; (c = sodrpac_case_at(count)); count++) {
        const graph_set *g = graph_set_named(c->set);
        const pen_data data = graph_set_data(g);
        graph_oracle *right = graph_oracle_fit(c->text, &data);
        int64_t shared = 0;
        check_entries("SC", g->d * g->d, right->SC, c->SC, 1e-8, __FILE__, __LINE__);
        check_entries("SN", g->d * g->d, right->SN, c->SN, 1e-8, __FILE__, __LINE__);
        check_entries("SM", g->d * g->d, right->SM, c->SM, 1e-8, __FILE__, __LINE__);
        check_printed_fit(c->text, &data, g->dim, c->values, c->columns, 1e-8);
        check_like(c->text, &data, NULL, 1e-8); /* and the numbers in its info */
        for (const char *p = g->shared; p; p = strchr(p, ' ') ? strchr(p, ' ') + 1 : NULL)
            shared++;
        assert_int_equal(right->shared, shared);
    }
    CHECK(count == 4, "%lld cases", (long long)count);
}

TEST(matches_the_oracle)
{
    check_all_shapes(3501, 1,
                     "sodrpac: lambda=2 pair_terms=balanced; lambda=1 pair_terms=sum gamma=4; "
                     "pair_terms=sum lambda=0.03 gamma=0.5 derive=unlinked dim=1; "
                     "snn_neighbors=6 manifold_neighbors=2 gamma=20 lambda=8; "
                     "snn_neighbors=1 manifold_neighbors=9 dim=40; scale=standard lambda=0.5; "
                     "pca=3 gamma=9; pca=rank scale=minmax dim=2; derive=unlinked pair_terms=sum");
}

/* Must-links alone derive no cannot-link, and the info reports it. */
TEST(without_cannot_links)
{
    pen_rng rng = check_rng(3511);
    linked l = linked_random(&rng, 40, 4, 3, 20, 0), none = linked_random(&rng, 40, 4, 3, 0, 0);
    memcpy(none.s.x, l.s.x, 160 * sizeof *l.s.x);
    const pen_data data = linked_data(&l), none_data = linked_data(&none);
    pen_model *model = fit_data("sodrpac", &data), *without = fit_data("sodrpac", &none_data);
    check_same_bits(model, without, "sodrpac");
    CHECK(info_number(model, "cannot_links_transformed") == 0
              && info_number(model, "must_links") > 0,
          "%s", pen_model_info(model));
    check_like("sodrpac", &none_data, NULL, 1e-8);
    /* with one neighbor no neighbors are shared: nothing to maximize or minimize */
    CHECK_FIT_FAILS("sodrpac lambda=0 snn_neighbors=1", &data, PEN_NO_PAIRS,
                    "nothing to learn from");
    CHECK_FIT_FAILS("sodrpac gamma=1e-9 snn_neighbors=1", &none_data, PEN_NO_PAIRS,
                    "nothing to learn from");
}

/* If kernels underflow, rows have no weight in the manifold and derived cannot-links have weight 0;
 * the info reports both. */
TEST(narrow_kernels)
{
    pen_rng rng = check_rng(3512);
    linked l = linked_random(&rng, 40, 4, 3, 10, 12);
    const pen_data data = linked_data(&l);
    pen_model *model = fit_data("sodrpac gamma=1e-9", &data),
              *plain = fit_data("sodrpac gamma=1e-9 lambda=0", &data);
    CHECK(info_number(model, "isolated") == 40, "%s", pen_model_info(model));
    check_same_bits(model, plain, "sodrpac gamma=1e-9"); /* the manifold is empty */
    CHECK(info_number(model, "derived_by_c") > 0
              && info_number(model, "cannot_links_transformed") > 12,
          "%s", pen_model_info(model));
    check_like("sodrpac gamma=1e-9", &data, NULL, 1e-8);
    check_like("sodrpac gamma=0.003", &data, NULL, 1e-8);
}

TEST(errors)
{
    pen_rng rng = check_rng(3513);
    linked l = linked_random(&rng, 20, 3, 2, 5, 5), equal = linked_copy(&l), flat = linked_copy(&l);
    const pen_data data = linked_data(&l);
    CHECK_FIT_FAILS("sodrpac manifold_neighbors=20", &data, PEN_BAD_ARGUMENT,
                    "manifold_neighbors must be in [1, 19], the number of other rows, got 20");
    CHECK_FIT_FAILS("sodrpac dim=4", &data, PEN_RANK_TOO_SMALL, "dim must be at most 3,");
    CHECK_FIT_FAILS("sodrpac max_pairs=4", &data, PEN_BAD_DATA, "pairs are more than max_pairs, 4");
    CHECK_FIT_FAILS("sodrpac max_pairs=10", &data, PEN_BAD_DATA, "more than max_pairs, 10");
    for (int64_t i = 0; i < 60; i++)
        equal.s.x[i] = 0.1;
    for (int64_t i = 0; i < 20; i++) {
        flat.s.x[3 * i] = 0.3;
        flat.s.x[3 * i + 2] = 2 * flat.s.x[3 * i + 1];
    }
    const pen_data equal_data = linked_data(&equal), flat_data = linked_data(&flat);
    CHECK_FIT_FAILS("sodrpac", &equal_data, PEN_RANK_TOO_SMALL, "all rows are equal");
    CHECK_FIT_FAILS("sodrpac gamma=1", &equal_data, PEN_RANK_TOO_SMALL, "nothing to project on");
    CHECK_FIT_FAILS("sodrpac dim=2", &flat_data, PEN_RANK_TOO_SMALL, "dim must be at most 1,");

    linked_add(&l, PEN_CANNOT_LINK, l.must[1], l.must[0]);
    const pen_data both = linked_data(&l);
    CHECK_FIT_FAILS("sodrpac", &both, PEN_CONTRADICTION, "must link and cannot link");
    check_like("sodrpac contradictions=drop", &both, NULL, 1e-8);
}

enum { PER_CLUSTER = 60, SEEDS = 15 };

/* Three vertically elongated clusters side by side: red, blue, red; classes 0, 1, 0. */
static linked subclasses(pen_rng *rng)
{
    linked l = { .s = sample_new(3 * PER_CLUSTER, 2) };
    for (int64_t i = 0; i < l.s.n; i++) {
        const int64_t cluster = i / PER_CLUSTER;
        l.s.x[2 * i] = 3 * (double)(cluster - 1) + 0.6 * check_normal(rng);
        l.s.x[2 * i + 1] = 4 * check_normal(rng);
        l.s.y[i] = cluster % 2 == 1;
    }
    return l;
}

/* Another row of the cluster at nearly the same height as row i. */
static int64_t next_to(pen_rng *rng, const linked *l, int64_t i, int64_t cluster)
{
    for (int64_t turn = 0;; turn++) {
        const int64_t j = cluster * PER_CLUSTER + pen_rng_below(rng, PER_CLUSTER);
        if (j != i && fabs(l->s.x[2 * i + 1] - l->s.x[2 * j + 1]) < 0.3 + 0.01 * (double)turn)
            return j;
    }
}

/* Must-links between the red clusters, cannot-links between a red one and the blue one: five each,
 * all nearly horizontal. */
static void draw_level(pen_rng *rng, linked *l)
{
    for (int p = 0; p < 5; p++) {
        const int64_t red = pen_rng_below(rng, PER_CLUSTER), side = 2 * pen_rng_below(rng, 2);
        const int64_t end = side * PER_CLUSTER + pen_rng_below(rng, PER_CLUSTER);
        linked_add(l, PEN_MUST_LINK, red, next_to(rng, l, red, 2));
        linked_add(l, PEN_CANNOT_LINK, end, next_to(rng, l, end, 1));
    }
}

/* The angle in degrees between the first direction and the horizontal. */
static double angle(const char *text, const linked *l)
{
    const pen_data data = linked_data(l);
    pen_model *model = fit_data(text, &data);
    const double *w = model_columns(model);
    const double degrees = atan2(fabs(w[1]), fabs(w[0])) * 180 / acos(-1);
    return degrees;
}

TEST(motivating_example)
{
    static const char *const texts[] = { "sodrpac lambda=1 dim=1", "sodrpac dim=1", "ssdr dim=1",
                                         "cmm dim=1" };
    double angles[4][SEEDS];
    for (int seed = 0; seed < SEEDS; seed++) {
        pen_rng rng = { pen_rng_derive(2010, (uint64_t)seed) };
        linked l = subclasses(&rng);
        draw_level(&rng, &l);
        for (int t = 0; t < 4; t++)
            angles[t][seed] = angle(texts[t], &l);
    }
    for (int t = 0; t < 4; t++)
        dense_sort(SEEDS, angles[t]);
    for (int t = 0; t < 2; t++)
        CHECK(angles[t][SEEDS / 2] < 10 && angles[t][SEEDS - 1] < 15,
              "%s: %g degrees from level, %g at most", texts[t], angles[t][SEEDS / 2],
              angles[t][SEEDS - 1]);
    for (int t = 2; t < 4; t++)
        CHECK(angles[t][0] > 60, "%s: %g degrees from level", texts[t], angles[t][0]);
}

/* Progress is reported while pairs are derived and joined, and a stop works in both phases. */
struct stop {
    const char *in;
    int asked;
};

static int stop_in(void *user, const char *phase, int64_t done, int64_t total)
{
    struct stop *const s = user;
    assert_true(done >= 0 && done <= total);
    s->asked += strcmp(phase, s->in) == 0;
    return s->asked > 0;
}

TEST(derivation_can_be_stopped)
{
    static const char *const phases[] = { "derived pairs", "edges" };
    pen_rng rng = check_rng(1790);
    sample s = sample_random(&rng, 600, 4, 2, 500);
    const pen_data data = sample_data(&s);
    pen_spec *const spec = spec_of("sodrpac");
    for (int i = 0; i < COUNT_OF(phases); i++) {
        struct stop stop = { phases[i], 0 };
        const pen_control control = { .threads = 1, .progress = stop_in, .user = &stop };
        pen_model *model = NULL;
        pen_error err;
        CHECK_STATUS(pen_fit(spec, &data, &control, &model, &err), PEN_CANCELLED, "cancelled",
                     &err);
        assert_null(model);
        assert_int_equal(stop.asked, 1);
    }
}
