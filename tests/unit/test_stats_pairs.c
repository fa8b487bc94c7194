/* test_stats_pairs.c - passes over pairs of blocks: published numbers, fits as of all rows, bits, and
 * errors. */
#include "check.h"
#include "kit/check_fit.h"
#include "kit/wine_blocks.h"
#include "stats/stats.h"

#define WINE EXAMPLE_DATA "/wine.csv"

/* ---- lists ---- */

/* The lists are the bits of a search of all rows in the same units: those of the merged sums. */
static void test_lists_are_neighbors(void **state)
{
    const char *const text = "sda neighbors=5 scale=standard";
    wine_blocks *b = wine_blocks_new(WINE);
    pen_stats *s = wine_merged_lists(b, text, 0);
    double *z = check_allocate(WINES * WINE_COLUMNS, sizeof *z);
    int64_t sum = 0;

    (void)state;
    CHECK(s->list_width == 5 && s->listed == WINES && s->list_tasks == WINE_TASKS,
          "%lld lists of %lld", (long long)s->listed, (long long)s->list_width);
    for (int64_t j = 0; j < WINE_COLUMNS; j++) {
        const double deviation = sqrt(s->scatter[j * (j + 3) / 2] / WINES);
        for (int64_t i = 0; i < WINES; i++)
            z[i * WINE_COLUMNS + j] = b->w->x[i * WINE_COLUMNS + j] / deviation;
    }
    for (int64_t i = 0; i < WINES; i++)
        for (int64_t c = 0; c < 5; c++) {
            const int64_t row = s->list_row[i * 5 + c];
            double distance2 = 0;
            int64_t nearer = 0;
            for (int64_t j = 0; j < WINE_COLUMNS; j++)
                distance2 += pow(z[i * WINE_COLUMNS + j] - z[row * WINE_COLUMNS + j], 2);
            for (int64_t r = 0; r < WINES; r++) {
                double there = 0;
                for (int64_t j = 0; j < WINE_COLUMNS; j++)
                    there += pow(z[i * WINE_COLUMNS + j] - z[r * WINE_COLUMNS + j], 2);
                nearer += r != i && there < distance2 * (1 - 1e-12);
            }
            CHECK_CLOSE(s->list_distance2[i * 5 + c], distance2, 1e-12, 0);
            CHECK(row != i && nearer == c, "row %lld: %lld are nearer than number %lld",
                  (long long)i, (long long)nearer, (long long)c);
            sum += row;
        }
    CHECK(sum == 79907, "the row numbers add up to %lld", (long long)sum);
    pen_stats_free(s);
    wine_blocks_free(b);
    free(z);
}

static void test_published_edges(void **state)
{
    const char *const text = "sda neighbors=5 scale=standard";
    wine_blocks *b = wine_blocks_new(WINE);
    pen_stats *lists = wine_merged_lists(b, text, 0), *s = wine_merged_edges(b, text, 0, 0), *graph;
    pen_spec *spec = spec_of(text);
    double trace = 0;
    pen_error err;

    (void)state;
    CHECK_OK(pen_stats_graph(spec, lists, NULL, NULL, &graph, &err), &err);
    CHECK(pen_stats_graph_edges(graph) == 634, "%lld edges",
          (long long)pen_stats_graph_edges(graph));
    for (int64_t j = 0; j < WINE_COLUMNS; j++) {
        const int64_t at = j * (j + 3) / 2;
        trace += s->edge_scatter[at] / (s->scatter[at] / WINES);
    }
    CHECK_CLOSE(trace, 3732.97670648, 1e-11, 0);
    pen_stats_free(s), pen_stats_free(lists), pen_stats_free(graph);
    pen_spec_free(spec);
    wine_blocks_free(b);
}

/* ---- fits ---- */

static const struct fit {
    const char *text;
    int labels, pairs;
    double values[2];
} fits[] = {
    { "sda scale=standard", 1, 0, { 0.778250222983, 0.562626921573 } },
    { "sda graph=heat neighbors=7 pca=6", 1, 0, { 0 } },
    { "sda pca=rank scale=minmax normalize=l2", 1, 0, { 0 } },
    { "sda alpha=3 reader=none scale=standard", 1, 0, { 0 } },
    { "clpp scale=standard", 1, 1, { 0 } },
    { "clpp scale=standard propagate=false pca=7", 0, 1, { 0 } },
    { "sodrpac scale=standard", 1, 1, { 0 } },
    { "sodrpac scale=standard scaling=balanced lambda=3 only_if_no_enemy=true", 0, 1, { 0 } },
    { "sodrpac scale=standard gamma=auto/4 snn_neighbors=6 pca=8", 0, 1, { 0 } },
    { "lpp scale=standard", 0, 0, { 0 } },
    { "lpp scale=standard origin=zero", 0, 0, { 0 } },
    { "lpp scale=standard graph=mutual", 0, 0, { 0 } },
    { "lpp scale=standard graph=mutual origin=zero pca=5", 0, 0, { 0 } },
    { "ilpp scale=standard graph=mutual", 1, 0, { 0 } },
    { "ilpp scale=standard pca=6 ridge=0.1", 1, 0, { 0 } },
    { "self-ilpp beta=0.3 scale=standard", 1, 0, { 0 } },
    { "self-ilpp beta=0.3 scale=standard graph=mutual origin=zero", 1, 0, { 0 } },
    { "self-mix beta=0.2 gamma=0.3 scale=standard pca=7", 1, 0, { 0 } },
};

static pen_model *fit_merged(const wine_blocks *b, const struct fit *f, const pen_stats *s)
{
    pen_spec *spec = spec_of(f->text);
    pen_model *model;
    pen_error err;

    CHECK_OK(pen_stats_fit(spec, s, f->pairs ? &b->pairs : NULL, NULL, &model, &err), &err);
    pen_spec_free(spec);
    return model;
}

static void test_fits(void **state)
{
    wine_blocks *b = wine_blocks_new(WINE);

    (void)state;
    for (int64_t i = 0; i < COUNT_OF(fits); i++) {
        const struct fit *const f = &fits[i];
        const pen_data data = wine_blocks_data(b, f->labels, f->pairs);
        if (!f->labels)
            for (int r = 0; r < WINES; r++)
                b->labels[r] = -1;
        pen_model *all = fit_data(f->text, &data);
        pen_stats *s = wine_merged_edges(b, f->text, f->pairs, 0);
        pen_model *model = fit_merged(b, f, s);
        check_merged_model(model, all, f->text);
        for (int c = 0; c < 2 && f->values[c] != 0; c++)
            CHECK_CLOSE(pen_model_eigenvalues(model)[c], f->values[c], 1e-10, 0);
        pen_model_free(model), pen_model_free(all), pen_stats_free(s);
        wine_labels(b->w, 6, b->labels);
    }
    wine_blocks_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lists_are_neighbors),
        cmocka_unit_test(test_published_edges),
        cmocka_unit_test(test_fits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
