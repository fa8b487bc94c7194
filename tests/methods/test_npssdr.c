/* test_npssdr.c - reconstruction from neighbors combined with pairs, as a difference and as a
 * ratio, against printed numbers and the oracle. */
#include "kit/oracle_fit.h"

struct golden {
    const char *set, *text;
    int64_t d, dim;
    double values[2], columns[6];
};

/* clang-format off */
static const struct golden golden_fits[] = {
    { "s1", "npssdr neighbors=3 dim=1", 2, 1, { -7.785328427 }, { 0.2312192165, 0.9729016774 } },
    { "s1", "npssdr form=ratio neighbors=3 beta=1 dim=1", 2, 1, { 3.335136376 },
      { 0.4255766857, 0.1688752084 } },
    { "s2", "npssdr neighbors=3 alpha=1 beta=20 mu=1 dim=2", 3, 2, { -3.595184293, -33.74289558 },
      { 0.3635701737, 0.812729496, -0.3885284816, -0.311907178, 0.8466772395, -0.4921226257 } },
    { "s2", "npssdr form=ratio neighbors=3 beta=1 dim=2", 3, 2, { 2.684242968, 0.6950512249 },
      { 0.2473083386, 0.03230002005, -0.006436528446, 0.04106167566, -0.08637465457,
        0.3227905519 } },
    { "s3", "npssdr neighbors=3 dim=2", 3, 2, { -0.1505226263, -4.891009961 },
      { 0.02492848662, -0.4408090861, -0.01563038528, 0.8972520005, 0.9995670371, 0.0250239323 } },
    { "s3", "npssdr form=ratio neighbors=3 beta=1 dim=2", 3, 2, { 6.146996385, 0.7569083449 },
      { -0.1075433953, 0.3792220491, 0.54023192, -0.2272803993, 0.4672142608, 0.0652965558 } },
};
/* clang-format on */

TEST(golden)
{
    for (int64_t i = 0; i < COUNT_OF(golden_fits); i++) {
        const struct golden *g = &golden_fits[i];
        linked l = linked_golden(g->set);
        const pen_data data = linked_data(&l);
        check_printed_fit(g->text, &data, g->dim, g->values, g->columns, 1e-8);
    }
}

TEST(matches_the_oracle)
{
    const text_list texts = text_list_of(
        "npssdr: alpha=3 beta=2 mu=10 neighbors=3 reconstruction_ridge=0.1; alpha=0 beta=0; "
        "form=ratio; form=ratio beta=1 ridge=0.1 neighbors=9");
    pen_rng rng = check_rng(811);

    for (int64_t i = 0; i < texts.count; i++)
        for (int which = 0; which < check_repeats(4); which++) {
            linked l = which % 4 == 1 ? linked_random(&rng, 14, 22, 3, 9, 11)
                                      : linked_random(&rng, 50, which % 4 == 3 ? 3 : 6, 3, 30, 35);
            /* a linearly dependent column */
            for (int64_t c = 0; which % 4 == 2 && c < l.s.n; c++)
                l.s.x[c * 6 + 5] = l.s.x[c * 6] - 2 * l.s.x[c * 6 + 1];
            const pen_data data = linked_data(&l);
            check_like(texts.text[i], &data, NULL, 1e-8);
        }
}

TEST(errors)
{
    pen_rng rng = check_rng(815);
    linked l = linked_random(&rng, 40, 5, 2, 20, 3);
    pen_data data = linked_data(&l), none = data, no_cannot = data, no_must = data;

    none.must_link_count = none.cannot_link_count = no_cannot.cannot_link_count =
        no_must.must_link_count = 0;
    fit_data("npssdr", &none); /* the smallest reconstruction residual */
    CHECK_FIT_FAILS("npssdr mu=0", &none, PEN_NO_PAIRS, "nothing to learn from");
    CHECK_FIT_FAILS("npssdr mu=0 beta=0 alpha=0", &data, PEN_NO_PAIRS, "nothing to learn from");
    CHECK_FIT_FAILS("npssdr form=ratio", &no_cannot, PEN_NO_PAIRS,
                    "nothing to maximize: the ratio needs cannot-links");
    CHECK_FIT_FAILS("npssdr form=ratio beta=0", &no_must, PEN_NO_PAIRS,
                    "nothing to minimize: no must-links, and beta is 0");
    CHECK_FIT_FAILS("npssdr form=ratio dim=4", &data, PEN_RANK_TOO_SMALL, "dim must be at most 3");
    CHECK_FIT_FAILS("npssdr dim=6", &data, PEN_RANK_TOO_SMALL, "dim must be at most 5");
    CHECK_FIT_FAILS("npssdr neighbors=9 reconstruction_ridge=0", &data, PEN_SINGULAR_SCATTER,
                    "set reconstruction_ridge above 0, got 0");
    for (int64_t i = 0; i < l.s.n * l.s.d; i++)
        l.s.x[i] = (double)(i / l.s.d % 2);
    l.must_count = 0;
    linked_add(&l, PEN_CANNOT_LINK, 0, 1);
    /* every row has many duplicates: the reconstruction residuals are 0, and the identity is the
     * denominator */
    const pen_data two = linked_data(&l);
    CHECK_FIT_FAILS("npssdr form=ratio ridge=0", &two, PEN_SINGULAR_SCATTER, "set ridge > 0");
    pen_model *model = fit_data("npssdr form=ratio", &two);
    CHECK_CLOSE(model_eigenvalues(model)[0], 1, 1e-12, 0);
}
