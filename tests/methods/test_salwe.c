/* test_salwe.c - salwe against printed numbers, the oracle and the definition: Nie, Wang, Wang, Li:
 * IEEE Transactions on Knowledge and Data Engineering (2021). */
#include "kit/sale_fit.h"

static const char method[] = "salwe";

/* Every row is joined to all others, every labelled row to its whole class, so that the initial
 * weights do not depend on coordinates either. */
static const char complete[] =
    "salwe pca=off dim=2 tol=0 max_iter=5 neighbors=39 within_neighbors=40";

TEST(golden)
{
    check_sale_golden('B');
}

TEST(matches_the_oracle)
{
    check_all_sale_shapes(method, 4201);
    check_sale_lattice(method, 4219);
    check_sale_many_rows(method, 4218);
}

TEST(fits)
{
    check_sale_starts(method, 4202);
    check_sale_seeds(method, 4203);
    check_sale_stops(method, 4205);
}

/* If weights start independently of coordinates, invertible maps of the rows keep the embedding. */
TEST(any_coordinates)
{
    pen_rng rng = check_rng(4211);
    for (int repeat = 0; repeat < check_repeats(3); repeat++) {
        sample s = sample_random(&rng, 40, 4, 3, 20);
        double m[16];
        for (int i = 0; i < 16; i++)
            m[i] = (i % 5 == 0 ? 2 : 0) + check_normal(&rng);
        sample mapped = sample_times(&s, m);
        pen_model *model = fit_sample(complete, &s), *other = fit_sample(complete, &mapped);
        check_sale_embedded(other, &mapped, model, &s, 1e-8);
    }
}

/* salwe equals saloe on whitened rows. */
TEST(equals_saloe_of_whitened_rows)
{
    static const char *const texts[] = {
        complete, "saloe pca=off dim=2 tol=0 max_iter=5 neighbors=39 within_neighbors=40"
    };
    pen_rng rng = check_rng(4213);
    sample s = sample_random(&rng, 40, 4, 3, 20), white = sample_new(40, 4);
    sale *f = sale_fit(complete, &s);
    memcpy(white.y, s.y, 40 * sizeof *s.y);
    memcpy(white.x, f->x, 160 * sizeof *f->x);
    pen_model *model = fit_sample(texts[0], &s), *other = fit_sample(texts[1], &white),
              *plain = fit_sample(texts[1], &s);
    check_sale_embedded(model, &s, other, &white, 1e-8);
    CHECK(check_subspaces(4, 2, model_columns(plain), 2, model_columns(model), 2) > 1e-3,
          "saloe of the rows does not differ");
}

TEST(few_rows)
{
    check_sale_classes(method, 4214);
    check_sale_few_rows(method);
}

TEST(errors)
{
    check_sale_errors(method, 4215);
}
