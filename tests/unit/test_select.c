/* test_select.c - the choice of a map and a reader: printed numbers of wine, the rule by hand, few
 * labels, many rows, errors. */
#include "check.h"
#include "kit/wine.h"

static wine *data;

static int open_wine(void **state)
{
    (void)state;
    data = wine_read(EXAMPLE_DATA "/wine.csv");
    return 0;
}

static int close_wine(void **state)
{
    (void)state;
    free(data);
    return 0;
}

static pen_selection *chosen(const pen_data *d, uint64_t seed, int threads)
{
    const pen_control control = { .threads = threads };
    pen_selection *s;
    pen_error err;

    CHECK_OK(pen_select(d, seed, 0, &control, &s, &err), &err);
    return s;
}

/* Right of 60 held-out rows in two runs of four folds, and the temperature. */
static const struct {
    const char *name;
    int right;
    double temperature;
    int member;
} printed[] = {
    { "pca+rbf/self-training", 60, 0.5, 1 }, { "self+rbf/lda", 59, 1, 0 },
    { "self+rbf/nearest", 60, 0.5, 1 },      { "fme+rbf/scores", 56, 0.5, 0 },
    { "fme/scores", 57, 0.5, 0 },            { "pca/lda", 60, 0.5, 1 },
    { "pca/self-training", 60, 0.5, 1 },     { "pca/nearest", 45, 2, 0 },
};

static void wine_has_its_printed_numbers(void **state)
{
    int32_t labels[WINES];
    const pen_data d = { .x = pen_dense(data->x, PEN_F64, WINES, WINE_COLUMNS, WINE_COLUMNS),
                         .labels = labels };
    (void)state;

    wine_labels(data, 6, labels);
    pen_selection *const s = chosen(&d, 0, 2);
    assert_int_equal(s->count, sizeof printed / sizeof *printed);
    assert_int_equal(s->folds, 4);
    assert_int_equal(s->runs, 2);
    assert_int_equal(s->labelled, 30);
    CHECK_CLOSE(s->margin, 1.0 / 60, 1e-12, 0);
    for (int64_t i = 0; i < s->count; i++) {
        const pen_chosen *const e = &s->candidates[i];
        assert_string_equal(e->name, printed[i].name);
        CHECK_CLOSE(e->accuracy, printed[i].right / 60.0, 1e-12, 0);
        CHECK_CLOSE(e->score, e->accuracy - 0.001 * e->brier, 1e-12, 0);
        CHECK(e->temperature == printed[i].temperature, "%s: T %g", e->name, e->temperature);
        CHECK(e->member == printed[i].member, "%s: member %d", e->name, e->member);
    }
    pen_selection_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wine_has_its_printed_numbers),
    };
    return cmocka_run_group_tests(tests, open_wine, close_wine);
}
