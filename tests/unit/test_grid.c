/* test_grid.c - combinations of parameter values: their order, and values set by the caller. */
#include "kit/compared.h"
#include "model/spec.h"

#include <stdio.h>

/* Three classes in five columns; half of the rows are labelled. */
static sample blobs(uint64_t tag)
{
    pen_rng rng = check_rng(tag);
    sample s = sample_new(60, 5);

    for (int64_t i = 0; i < 60; i++) {
        for (int64_t j = 0; j < 5; j++)
            s.x[5 * i + j] = check_normal(&rng) + (j == i % 3 ? 1.5 : 0);
        s.y[i] = i < 30 ? (int32_t)(i % 3) : PEN_UNLABELLED;
    }
    return s;
}

/* The values tried for a parameter; NULL: only its own. */
static const char *grid_of(const pen_spec *spec, const pen_param *param)
{
    const char *const given = pen_spec_given_grid(spec, param->name);

    return given || pen_spec_is_set(spec, param->name) ? given : param->grid;
}

/* The rank of a value in the grid of a parameter: 0 for its own value, 1, 3, 5, ... for the others
 * in their order; -1 if missing. */
static int rank_of(const char *grid, const char *own, const char *value)
{
    char text[128];
    int rank = 1;

    if (strcmp(own, value) == 0)
        return 0;
    for (; grid && *(grid += strspn(grid, " ")); grid += strcspn(grid, " ")) {
        snprintf(text, sizeof text, "%.*s", (int)strcspn(grid, " "), grid);
        if (strcmp(text, value) == 0)
            return rank;
        rank += strcmp(text, own) == 0 ? 0 : 2;
    }
    return -1;
}

/* The sum over the parameters; parameters that are set do not vary. */
static int rank_between(const char *text, const pen_spec *spec, const pen_spec *other)
{
    const pen_param *param;
    int sum = 0;

    for (param = pen_spec_method(spec)->params; param->name; param++) {
        char own[128], value[128];
        pen_spec_get(spec, param->name, own, sizeof own);
        pen_spec_get(other, param->name, value, sizeof value);
        const int rank = rank_of(grid_of(spec, param), own, value);
        CHECK(rank >= 0, "%s: %s is %s, which is not in its grid", text, param->name, value);
        sum += rank;
    }
    return sum;
}

static int same_values(const pen_spec *a, const pen_spec *b)
{
    const pen_param *param;
    int same = 1;

    for (param = pen_spec_method(a)->params; param->name; param++) {
        char first[128], second[128];
        pen_spec_get(a, param->name, first, sizeof first);
        pen_spec_get(b, param->name, second, sizeof second);
        same &= strcmp(first, second) == 0;
    }
    return same;
}

/* Every combination once: first the given one, then by the sum of ranks. */
TEST(grid_complete)
{
    static const char *const texts[] = { "self", "lfda",   "sda alpha=3", "rssdr scale=none",
                                         "pca",  "npssdr", "sodrpac",     "saloe" };
    enum { ROOM = 400 };
    for (size_t m = 0; m < sizeof texts / sizeof texts[0]; m++) {
        pen_spec *spec = spec_with_defaults(texts[m]), *specs[ROOM] = { NULL };
        const pen_param *param;
        int64_t product = 1;
        int before = 0;
        pen_grid grid;
        pen_run *const run = check_run(0, NULL);
        CHECK(pen_grid_open(run, spec, &grid) == PEN_OK, "%s: no grid", texts[m]);
        for (param = pen_spec_method(spec)->params; param->name; param++) {
            const char *values = grid_of(spec, param);
            char own[128];
            int64_t count = 0, has_own = 0;
            if (!values || strcmp(param->name, "kernel_gamma") == 0)
                continue;
            pen_spec_get(spec, param->name, own, sizeof own);
            for (; *(values += strspn(values, " ")); values += strcspn(values, " ")) {
                has_own |=
                    strcspn(values, " ") == strlen(own) && strncmp(values, own, strlen(own)) == 0;
                count++;
            }
            count += !has_own; /* beta of self is auto */
            product *= count;
        }
        CHECK(grid.size == product && product <= ROOM, "%s: %lld combinations", texts[m],
              (long long)grid.size);
        for (int64_t i = 0; i < grid.size; i++) {
            CHECK(pen_grid_spec(run, &grid, i, &specs[i]) == PEN_OK, "%s: no combination %lld",
                  texts[m], (long long)i);
            const int rank = rank_between(texts[m], spec, specs[i]);
            CHECK(rank >= before && (i > 0 || rank == 0), "%s: combination %lld has rank %d",
                  texts[m], (long long)i, rank);
            before = rank;
            for (int64_t j = 0; j < i; j++)
                CHECK(!same_values(specs[i], specs[j]),
                      "%s: combinations %lld and %lld are the same", texts[m], (long long)j,
                      (long long)i);
        }
        for (int64_t i = 0; i < grid.size; i++)
            pen_spec_free(specs[i]);
        pen_run_close(run);
    }
}

/* Only the caller's values are tried; setting the parameter removes them. */
TEST(grid_given)
{
    pen_spec *spec = spec_with_defaults("self"), *copy;
    sample s = blobs(9301);
    const pen_data data = sample_data(&s);
    const pen_protocol protocol = { .folds = 3, .runs = 1 };
    pen_tuning *tuning;
    pen_error err;
    double beta, before;
    CHECK_OK(pen_spec_number(spec, "beta", &before, &err), &err);
    CHECK_OK(pen_spec_set_grid(spec, "beta", "0.1,0.30 2e-1", &err), &err);
    assert_string_equal(pen_spec_given_grid(spec, "beta"), "0.1 0.3 0.2");
    assert_null(pen_spec_given_grid(spec, "ridge"));
    CHECK_OK(pen_spec_set_grid(spec, "scale", "none", &err), &err);
    CHECK_OK(pen_spec_set_grid(spec, "ridge", "auto", &err), &err);
    CHECK_OK(pen_spec_set(spec, "classifier", "lda", &err), &err);
    CHECK_OK(pen_spec_copy(spec, &copy, &err), &err);
    CHECK_OK(tune(copy, &data, &protocol, NULL, &tuning, &err), &err);
    assert_int_equal(tuning->count, 3);
    for (int64_t c = 0; c < 3; c++) {
        const pen_candidate *const found = &tuning->candidates[c];
        CHECK_OK(pen_spec_number(found->spec, "beta", &beta, &err), &err);
        CHECK(beta == 0.1 || beta == 0.2 || beta == 0.3, "beta %g was tried", beta);
    }
    pen_tuning_free(tuning), pen_spec_free(copy);
    CHECK_OK(pen_spec_number(spec, "beta", &beta, &err), &err);
    assert_true(beta == before);
    CHECK_OK(pen_spec_set(spec, "beta", "0.7", &err), &err);
    assert_null(pen_spec_given_grid(spec, "beta"));
    CHECK_OK(pen_spec_set_grid(spec, "row_steps", "none total:median,log1p  l2", &err), &err);
    assert_string_equal(pen_spec_given_grid(spec, "row_steps"), "none total:median,log1p l2");
}

TEST(grid_refused)
{
    static const struct {
        const char *name, *values, *why;
        pen_status status;
    } bad[] = {
        { "beta", "0.1 1.5", "beta must be in [0, 1] or auto, got 1.5", PEN_BAD_ARGUMENT },
        { "beta", "0.1 x", "beta must be in [0, 1] or auto, got \"x\"", PEN_BAD_ARGUMENT },
        { "beta", "0.1,1e-1", "the grid of beta has 0.1 twice", PEN_BAD_ARGUMENT },
        { "beta", " , ", "the grid of beta has no values", PEN_BAD_ARGUMENT },
        { "dim", "1 2", "dim has no grid", PEN_BAD_ARGUMENT },
        { "delta", "1 2", "unknown parameter \"delta\"", PEN_UNKNOWN_NAME },
        { "scale", "none,big", "scale must be one of", PEN_UNKNOWN_NAME },
    };
    pen_spec *spec = spec_with_defaults("self");
    char many[1000] = "";
    pen_tuning *tuning;
    pen_error err;
    sample s = blobs(9302);
    const pen_data data = sample_data(&s);
    CHECK_OK(pen_spec_set_grid(spec, "beta", "0.4", &err), &err);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK_STATUS(pen_spec_set_grid(spec, bad[i].name, bad[i].values, &err), bad[i].status,
                     bad[i].why, &err);
    assert_string_equal(pen_spec_given_grid(spec, "beta"), "0.4"); /* the old one stays */
    for (int i = 1; i <= PEN_MOST_GRID_VALUES; i++)
        snprintf(many + strlen(many), sizeof many - strlen(many), "%d ", i);
    CHECK_OK(pen_spec_set_grid(spec, "neighbors", many, &err), &err);
    CHECK_OK(pen_spec_set_grid(spec, "kernel_degree", many, &err), &err);
    CHECK_OK(pen_spec_set_grid(spec, "seed", many, &err), &err);
    CHECK_STATUS(tune(spec, &data, NULL, NULL, &tuning, &err), PEN_BAD_ARGUMENT,
                 "at most 100000 combinations", &err);
    snprintf(many + strlen(many), sizeof many - strlen(many), "101");
    CHECK_STATUS(pen_spec_set_grid(spec, "neighbors", many, &err), PEN_BAD_ARGUMENT,
                 "more than 100 values", &err);
}
