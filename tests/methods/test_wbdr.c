/* test_wbdr.c - compressing the span of the must-links, compared with printed numbers, the oracle,
 * and the propositions of the paper: Long, Meng, Sioutis: IEEE Access 8 (2020). */
#include "kit/oracle_fit.h"
#include "model/spec.h"

#include <stdio.h>

static void golden(void **state)
{
    (void)state;
    check_pair_golden("wbdr");
}

static void matches_the_oracle(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "wbdr",
        "wbdr threshold=0.5",
        "wbdr threshold=0.95",
        "wbdr threshold=0.01 dim=3",
        "wbdr target=1",
        "wbdr target=mean",
        "wbdr target=0.3 threshold=0.8",
        "wbdr dim=1",
        "wbdr dim=2",
        "wbdr dim=40",
        "wbdr scale=standard",
        "wbdr scale=minmax threshold=0.7",
        "wbdr pca=3",
        "wbdr pca=0.9 scale=standard dim=2",
        "wbdr pca=rank target=mean",
    };
    check_all_shapes(601, texts, COUNT_OF(texts), 4);
}

/* Without must-links nothing is compressed: the columns are eigenvectors of the cannot-links'
 * scatter. */
static void no_must_links(void **state)
{
    (void)state;
    pen_rng rng = check_rng(602);
    linked l = linked_random(&rng, 40, 5, 3, 0, 30);
    const pen_data data = linked_data(&l);
    pair_oracle *f =
        keep(pair_oracle_fit("bwdr threshold=1", &data)); /* for the eigenvalues of S_B */
    pen_model *model = keep(fit_data("wbdr", &data));

    CHECK(pen_model_dim(model) == 5, "%lld dimensions", (long long)pen_model_dim(model));
    for (int j = 0; j < 5; j++) {
        double square = 0;
        for (int i = 0; i < 5; i++)
            square += model_columns(model)[5 * i + j] * model_columns(model)[5 * i + j];
        CHECK_CLOSE(square, 1, 1e-12, 0);
        CHECK_CLOSE(model_eigenvalues(model)[j], f->lambda[j], 1e-9, 0);
    }
}

/* P' S P [k x k] of a model and a scatter. */
static double *projected(const pen_model *model, const double *s)
{
    return dense_project(pen_model_columns(model), pen_model_dim(model), s, model_columns(model));
}

/* w' s w of a random direction w. */
static double along_any(pen_rng *rng, int64_t k, const double *s)
{
    double *w = keep(random_orthonormal(rng, k, 1)), *square = keep(dense_project(k, 1, s, w));
    const double value = *square;
    return value;
}

/* Propositions 4 and 6: with all dimensions P is the compressing map followed by a rotation, so
 * that must-links differ by at most the level in any direction (or by the largest uncompressed
 * eigenvalue), and by K times that in any K. */
static void at_most_the_level_in_any_direction(void **state)
{
    (void)state;
    static const char *const texts[] = { "wbdr", "wbdr threshold=0.6",
                                         "wbdr threshold=0.3 target=0.5",
                                         "wbdr target=mean threshold=0.9" };
    pen_rng rng = check_rng(603);

    for (int64_t t = 0; t < COUNT_OF(texts); t++) {
        /* at first fewer must-links than directions */
        linked l = linked_random(&rng, 60, 6, 3, t == 0 ? 4 : 50, 60);
        const pen_data data = linked_data(&l);
        pair_oracle *f = keep(pair_oracle_fit(texts[t], &data));
        pen_model *model = keep(fit_data(texts[t], &data));
        double *within = keep(projected(model, f->SW));
        const double most = fmax(f->level, f->i < 6 ? f->lambda[f->i] : 0);
        CHECK(pen_model_dim(model) == 6, "%s: %lld dimensions", texts[t],
              (long long)pen_model_dim(model));
        CHECK(!strcmp(texts[t], "wbdr") || f->i < 6, "%s: nothing is left uncompressed", texts[t]);
        for (int repeat = 0; repeat < check_repeats(20); repeat++) {
            const double value = along_any(&rng, 6, within);
            CHECK(value <= most * (1 + 1e-9), "%s: a direction has %.17g, more than %.17g",
                  texts[t], value, most);
        }
        for (int64_t k = 1; k <= 6; k++) {
            double *u = keep(random_orthonormal(&rng, 6, k)),
                   *any = keep(dense_project(6, k, within, u));
            CHECK(trace(k, any) <= (double)k * most * (1 + 1e-9), "%s: %lld directions have %.17g",
                  texts[t], (long long)k, trace(k, any));
        }
    }
}

/* Corollary 5: compressing all directions gives every one of them the level; P' S_W P = level I and
 * P' S_B P is diagonal, descending. */
static void the_level_in_every_direction(void **state)
{
    (void)state;
    static const char *const texts[] = { "wbdr", "wbdr target=2", "wbdr target=mean dim=3" };
    pen_rng rng = check_rng(604);

    for (int64_t t = 0; t < COUNT_OF(texts); t++) {
        linked l = linked_random(&rng, 60, 6, 3, 50, 60);
        const pen_data data = linked_data(&l);
        pair_oracle *f = keep(pair_oracle_fit(texts[t], &data));
        pen_model *model = keep(fit_data(texts[t], &data));
        const int64_t k = pen_model_dim(model);
        const double *mu = model_eigenvalues(model);
        double *between = keep(projected(model, f->SB)), *within = keep(projected(model, f->SW));
        CHECK(f->i == 6, "%s: %lld directions compressed", texts[t], (long long)f->i);
        for (int64_t i = 0; i < k * k; i++) {
            CHECK_CLOSE(within[i], i % (k + 1) == 0 ? f->level : 0, 1e-9, 1e-9 * f->level);
            CHECK_CLOSE(between[i], i % (k + 1) == 0 ? mu[i / k] : 0, 1e-9, 1e-9 * mu[0]);
        }
        for (int64_t j = 1; j < k; j++)
            CHECK(mu[j] > 0 && mu[j] <= mu[j - 1], "%s: eigenvalue %lld is %g after %g", texts[t],
                  (long long)j, mu[j], mu[j - 1]);
        CHECK_CLOSE(along_any(&rng, k, within), f->level, 1e-9, 0);
    }
}

/* Theorem 7: no other directions of the compressed space have a larger cannot-link scatter. */
static void no_other_directions_do_better(void **state)
{
    (void)state;
    static const char *const texts[] = { "wbdr", "wbdr threshold=0.5", "wbdr target=mean" };
    pen_rng rng = check_rng(605);
    char text[64];

    for (int64_t t = 0; t < COUNT_OF(texts); t++)
        for (int64_t k = 1; k <= 5; k++) {
            linked l = linked_random(&rng, 60, 7, 3, t == 2 ? 4 : 50, 60);
            const pen_data data = linked_data(&l);
            snprintf(text, sizeof text, "%s dim=%lld", texts[t], (long long)k);
            pair_oracle *f = keep(pair_oracle_fit(text, &data));
            pen_model *model = keep(fit_data(text, &data));
            double *own = keep(projected(model, f->SB)),
                   *between = keep(dense_project(7, 7, f->SB, f->V)), sum = 0;
            for (int64_t j = 0; j < k; j++)
                sum += model_eigenvalues(model)[j];
            CHECK_CLOSE(trace(k, own), sum, 1e-9, 0);
            for (int repeat = 0; repeat < check_repeats(20); repeat++) {
                double *u = keep(random_orthonormal(&rng, 7, k)),
                       *any = keep(dense_project(7, k, between, u));
                CHECK(sum >= trace(k, any) * (1 - 1e-9),
                      "%s: random directions leave %.17g, the model %.17g", text, trace(k, any),
                      sum);
            }
        }
}

/* Features in other units: with the whole spectrum, and full rank, all distances change by one
 * factor. */
static void units_make_no_difference(void **state)
{
    (void)state;
    pen_rng rng = check_rng(606);
    linked l = linked_random(&rng, 60, 5, 3, 50, 60), other = linked_copy(&l);
    for (int64_t i = 0; i < 60 * 5; i++)
        other.s.x[i] *= pow(2, (double)(i % 5) - 2);
    const pen_data data = linked_data(&l), other_data = linked_data(&other);
    pen_model *one = keep(fit_data("wbdr dim=3", &data)),
              *two = keep(fit_data("wbdr dim=3", &other_data));
    double *a = keep(embedded_distances(one, &l)), *b = keep(embedded_distances(two, &other)),
           factor = b[1] / a[1];

    CHECK(fabs(factor - 1) > 1e-3, "the factor is %g", factor);
    for (int64_t i = 0; i < 60 * 60; i++)
        CHECK_CLOSE(b[i], factor * a[i], 1e-8, 1e-8 * b[1]);
}

/* Features of different size, one of them a sum of others: where must-links are strongly
 * compressed, the rounding errors of that feature, which stay uncompressed, must not become a
 * column. */
static void no_columns_of_noise(void **state)
{
    (void)state;
    static const char *const texts[] = { "wbdr", "wbdr target=1", "wbdr target=0.001" };
    pen_rng rng = check_rng(625);

    for (int repeat = 0; repeat < check_repeats(20); repeat++) {
        linked l = linked_random(&rng, 60, 6, 3, 60, 70);
        if (repeat % 2 == 1)
            linked_label(&rng, &l, 30);
        for (int64_t i = 0; i < 60; i++) {
            double *x = l.s.x + 6 * i;
            for (int c = 0; repeat % 4 >= 2 && c < 6; c++)
                x[c] *= pow(10, c - 1);
            x[5] = x[1] - 2 * x[3];
        }
        const pen_data data = linked_data(&l);
        for (int64_t t = 0; t < COUNT_OF(texts); t++) {
            pen_model *model = keep(fit_data(texts[t], &data));
            CHECK(pen_model_dim(model) == 5,
                  "%s: %lld dimensions of rows of rank 5, the last with the eigenvalue %g of %g",
                  texts[t], (long long)pen_model_dim(model),
                  model_eigenvalues(model)[pen_model_dim(model) - 1], model_eigenvalues(model)[0]);
        }
    }
}

static void errors(void **state)
{
    (void)state;
    pen_rng rng = check_rng(623);
    linked l = linked_random(&rng, 30, 4, 2, 20, 0);
    pen_data data = linked_data(&l);

    CHECK_FIT_FAILS("wbdr", &data, PEN_NO_PAIRS, "cannot");
    data.must_link_count = 0;
    data.must_link = NULL;
    CHECK_FIT_FAILS("wbdr", &data, PEN_NO_PAIRS, NULL);
    linked_add(&l, PEN_CANNOT_LINK, 7, 9);
    for (int64_t i = 0; i < 4; i++)
        l.s.x[7 * 4 + i] = l.s.x[9 * 4 + i];
    data = linked_data(&l);
    CHECK_FIT_FAILS("wbdr", &data, PEN_RANK_TOO_SMALL, NULL); /* the one cannot-link has length 0 */
}

static void parameters(void **state)
{
    static const refused values[] = {
        { "threshold", "0", "(0, 1]" },
        { "threshold", "1.01", "1.01" },
        { "target", "-2.5", "target" },
        { "target", "most", "most" },
    };
    (void)state;
    pen_error err;
    double value = 0;
    pen_spec *spec = keep(spec_of("wbdr"));

    CHECK_OK(pen_spec_number(spec, "threshold", &value, &err), &err);
    CHECK_CLOSE(value, 1, 0, 0);
    check_refused("wbdr", values, COUNT_OF(values));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden),
        cmocka_unit_test(matches_the_oracle),
        cmocka_unit_test(no_must_links),
        cmocka_unit_test(at_most_the_level_in_any_direction),
        cmocka_unit_test(the_level_in_every_direction),
        cmocka_unit_test(no_other_directions_do_better),
        cmocka_unit_test(units_make_no_difference),
        cmocka_unit_test(no_columns_of_noise),
        cmocka_unit_test(errors),
        cmocka_unit_test(parameters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
