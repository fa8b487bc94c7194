/* test_cmm.c - the margin between cannot-links and must-links, compared with printed numbers, the
 * oracle, and its limits: Wang, Chen, Li, Zhang: CIKM 2008. */
#include "kit/oracle_fit.h"

#include <stdio.h>

static void golden(void **state)
{
    (void)state;
    check_pair_golden("cmm");
}

static void matches_the_oracle(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "cmm",
        "cmm dim=1",
        "cmm dim=3",
        "cmm dim=40",
        "cmm scale=standard",
        "cmm scale=minmax dim=2",
        "cmm pca=3",
        "cmm pca=0.9 scale=standard",
    };
    check_all_shapes(801, texts, COUNT_OF(texts), 4);
}

/* Few pairs: the directions orthogonal to all of them have the value 0 and are ordered by variance,
 * as the principal components of the remaining parts of the rows. */
static void directions_orthogonal_to_all_pairs(void **state)
{
    (void)state;
    enum { N = 60, D = 9 };
    pen_rng rng = check_rng(802);
    linked l = linked_random(&rng, N, D, 3, 0, 0);
    linked_add(&l, PEN_MUST_LINK, 0, 3);
    linked_add(&l, PEN_MUST_LINK, 1, 4);
    linked_add(&l, PEN_CANNOT_LINK, 7, 10);
    const pen_data data = linked_data(&l);
    pair_oracle *f = keep(pair_oracle_fit("cmm", &data));
    pen_model *model = keep(fit_data("cmm", &data));
    const double *values = model_eigenvalues(model);
    double *variance = keep(dense_project(D, D, f->St, model_columns(model))),
           *apart = keep(dense_project(D, D, f->SB, model_columns(model)));
    double *together = keep(dense_project(D, D, f->SW, model_columns(model)));

    CHECK(pen_model_dim(model) == D, "%lld dimensions", (long long)pen_model_dim(model));
    CHECK(values[0] > 0 && values[7] < 0 && values[8] < 0, "eigenvalues %g .. %g, %g", values[0],
          values[7], values[8]);
    for (int j = 1; j < 7; j++) {
        CHECK(fabs(values[j]) <= 1e-12 * values[0], "eigenvalue %d is %g", j, values[j]);
        CHECK_CLOSE(apart[j * D + j], 0, 0, 1e-9);
        CHECK_CLOSE(together[j * D + j], 0, 0, 1e-9);
        for (int i = 1; i < j; i++)
            CHECK_CLOSE(variance[i * D + j], 0, 0, 1e-9);
        CHECK(j == 1 || variance[j * D + j] <= variance[(j - 1) * D + j - 1],
              "column %d has the variance %g", j, variance[j * D + j]);
    }
}

/* Without cannot-links and with fewer must-links than dimensions, the best directions have the
 * value 0: must-links do not differ there. */
static void must_links_only(void **state)
{
    (void)state;
    pen_rng rng = check_rng(803);
    linked l = linked_random(&rng, 40, 6, 2, 3, 0);
    const pen_data data = linked_data(&l);
    pair_oracle *f = keep(pair_oracle_fit("cmm dim=3", &data));
    pen_model *model = keep(fit_data("cmm dim=3", &data));
    double *within = keep(dense_project(6, 3, f->SW, model_columns(model)));

    for (int j = 0; j < 3; j++)
        CHECK(fabs(model_eigenvalues(model)[j]) <= 1e-9, "eigenvalue %d is %g", j,
              model_eigenvalues(model)[j]);
    for (int i = 0; i < 9; i++)
        CHECK_CLOSE(within[i], 0, 0, 1e-9);
}

/* ssdr with large weights equals cmm. */
static void heavy_weights_of_ssdr(void **state)
{
    (void)state;
    pen_rng rng = check_rng(804);
    linked l = linked_random(&rng, 40, 5, 3, 40, 40);
    const pen_data data = linked_data(&l);
    pen_model *cmm = keep(fit_data("cmm", &data)),
              *ssdr = keep(fit_data("ssdr alpha=1e9 beta=1e9", &data));

    for (int64_t j = 0; j < 5; j++)
        CHECK_CLOSE(model_eigenvalues(ssdr)[j] / 1e9, model_eigenvalues(cmm)[j], 1e-6, 1e-6);
    for (int64_t i = 0; i < 25; i++)
        CHECK_CLOSE(model_columns(ssdr)[i], model_columns(cmm)[i], 0, 1e-6);
}

static void errors(void **state)
{
    (void)state;
    pen_rng rng = check_rng(813);
    linked l = linked_random(&rng, 30, 4, 2, 0, 0);
    pen_data data = linked_data(&l);

    CHECK_FIT_FAILS("cmm", &data, PEN_NO_PAIRS, NULL);
    for (int64_t i = 1; i < 30; i++)
        l.s.y[i] = PEN_UNLABELLED;
    data.labels = l.s.y; /* a single labelled row forms no pair */
    CHECK_FIT_FAILS("cmm", &data, PEN_NO_PAIRS, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden),
        cmocka_unit_test(matches_the_oracle),
        cmocka_unit_test(directions_orthogonal_to_all_pairs),
        cmocka_unit_test(must_links_only),
        cmocka_unit_test(heavy_weights_of_ssdr),
        cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
