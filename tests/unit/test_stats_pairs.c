/* test_stats_pairs.c - passes over pairs of blocks: published numbers, fits as of all rows, bits,
 * and errors. */
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
    { "soda scale=standard", 1, 0, { 0 } },
    { "soda scale=standard pca=off", 1, 0, { 0 } },
    { "soda scale=standard pca=6 alpha=0.5 neighbors=8 prior=uniform", 1, 0, { 0 } },
    { "soda scale=minmax alpha=0 ridge=0.1", 1, 0, { 0 } },
    { "npssdr scale=standard", 1, 1, { 0 } },
    { "npssdr neighbors=9 alpha=0 beta=0 pca=6", 1, 0, { 0 } },
    { "npssdr normalize=l2 neighbors=2 mu=300 reader=none", 0, 1, { 0 } },
    { "npssdr scale=minmax lle_ridge=0.1 mu=20 pca=rank", 1, 1, { 0 } },
    { "npssdr form=ratio beta=3 scale=standard", 1, 1, { 0 } },
    { "npssdr form=ratio pca=7 neighbors=3 ridge=0.01", 1, 0, { 0 } },
    { "lpp scale=standard", 0, 0, { 0 } },
    { "lpp scale=standard origin=zero", 0, 0, { 0 } },
    { "lpp scale=standard graph=mutual", 0, 0, { 0 } },
    { "lpp scale=standard graph=mutual origin=zero pca=5", 0, 0, { 0 } },
    { "ilpp scale=standard graph=mutual", 1, 0, { 0 } },
    { "ilpp scale=standard pca=6 ridge=0.1", 1, 0, { 0 } },
    { "self-ilpp beta=0.3 scale=standard", 1, 0, { 0 } },
    { "self-ilpp beta=0.3 scale=standard graph=mutual origin=zero", 1, 0, { 0 } },
    { "self-mix beta=0.2 gamma=0.3 scale=standard pca=7", 1, 0, { 0 } },
    { "sda row_total=100 log1p=true scale=standard", 1, 0, { 0 } },
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

/* ---- bits ---- */

static void check_same_bytes(const pen_stats *a, const pen_stats *b, const char *what)
{
    void *p, *q;
    size_t of_p, of_q;
    pen_error err;

    CHECK_OK(pen_stats_bytes(a, &p, &of_p, &err), &err);
    CHECK_OK(pen_stats_bytes(b, &q, &of_q, &err), &err);
    CHECK(of_p == of_q && memcmp(p, q, of_p) == 0, "%s differ", what);
    pen_model_bytes_free(p), pen_model_bytes_free(q);
}

/* Tasks in another order give the same bytes; so do those of threads. */
static void test_orders(void **state)
{
    static const char *const texts[] = { "sodrpac scale=standard", "lpp scale=standard",
                                         "soda scale=standard", "npssdr scale=standard" };
    wine_blocks *b = wine_blocks_new(WINE);

    (void)state;
    for (int64_t i = 0; i < COUNT_OF(texts); i++) {
        pen_stats *in_order = wine_merged_edges(b, texts[i], i == 0, 0),
                  *lists = wine_merged_lists(b, texts[i], 0);
        CHECK(strcmp(pen_stats_merges(in_order), "canonical") == 0, "%s", texts[i]);
        for (unsigned seed = 1; seed < 4; seed++) {
            pen_stats *shuffled = wine_merged_lists(b, texts[i], seed);
            check_same_bytes(lists, shuffled, "lists");
            pen_stats_free(shuffled);
            shuffled = wine_merged_edges(b, texts[i], i == 0, seed);
            check_same_bytes(in_order, shuffled, texts[i]);
            pen_stats_free(shuffled);
        }
        pen_stats_free(in_order), pen_stats_free(lists);
    }
    wine_blocks_free(b);
}

static pen_stats *merge_two(const pen_stats *a, const pen_stats *b)
{
    const pen_stats *const both[] = { a, b };
    pen_stats *out;
    pen_error err;

    CHECK_OK(pen_stats_merge(both, 2, NULL, &out, &err), &err);
    return out;
}

/* Lists may be merged in any way; edges that are not merged along the tree say so. */
static void test_parts_of_passes(void **state)
{
    const char *const text = "sda scale=standard";
    wine_blocks *b = wine_blocks_new(WINE);
    pen_spec *spec = spec_of(text);
    pen_stats *all = wine_merged(b, text), *tasks[3], *graph;
    pen_error err;

    (void)state;
    for (int t = 0; t < 3; t++)
        tasks[t] = wine_task(b, text, all, t);
    pen_stats *p = merge_two(tasks[2], tasks[0]), *q = merge_two(p, tasks[1]),
              *r = merge_two(tasks[0], tasks[1]), *s = merge_two(r, tasks[2]);
    check_same_bytes(q, s, "lists");
    CHECK(pen_stats_tasks(q, PEN_PART_LISTS, NULL) == 3 && q->list_blocks == 3,
          "%lld blocks have lists", (long long)q->list_blocks);
    pen_stats_free(p), pen_stats_free(q), pen_stats_free(r), pen_stats_free(s);

    pen_stats *lists = wine_merged_lists(b, text, 0);
    CHECK_OK(pen_stats_graph(spec, lists, NULL, NULL, &graph, &err), &err);
    for (int t = 0; t < 3; t++) {
        pen_stats_free(tasks[t]);
        tasks[t] = wine_task(b, text, graph, t);
    }
    p = merge_two(tasks[0], tasks[1]), q = merge_two(p, tasks[2]);
    r = merge_two(tasks[1], tasks[2]), s = merge_two(r, tasks[0]);
    CHECK(strcmp(pen_stats_merges(q), "canonical") == 0 && strcmp(pen_stats_merges(s), "free") == 0,
          "%s, %s", pen_stats_merges(q), pen_stats_merges(s));
    for (int64_t i = 0; i < q->packed; i++)
        CHECK_CLOSE(q->edge_scatter[i], s->edge_scatter[i], 1e-12, 1e-9);
    pen_stats_free(p), pen_stats_free(q), pen_stats_free(r), pen_stats_free(s);
    for (int t = 0; t < 3; t++)
        pen_stats_free(tasks[t]);
    pen_stats_free(all), pen_stats_free(lists), pen_stats_free(graph), pen_spec_free(spec);
    wine_blocks_free(b);
}

/* ---- small blocks ---- */

/* Blocks without rows, and of one; rows that are equal. */
static void test_empty_blocks(void **state)
{
    static const int64_t rows[] = { 0, 1, 5, 0, 6 };
    static const char *const texts[] = { "lpp graph=mutual neighbors=2 ridge=0.01",
                                         "lpp neighbors=2 ridge=0.01" };
    sample s = { .n = 12, .d = 2 };
    pen_stats *list[16];
    pen_error err;

    (void)state;
    s.x = check_allocate(24, sizeof *s.x);
    for (int i = 0; i < 24; i++)
        s.x[i] = (double)((i * i * 7 + 3 * i) % 11) + (i % 2 ? 0.25 * i : 0);
    memcpy(s.x + 4, s.x, 2 * sizeof *s.x);
    for (int64_t t = 0; t < COUNT_OF(texts); t++) {
        pen_spec *spec = spec_of(texts[t]);
        pen_data data[5];
        int64_t at = 0, count = 0;
        pen_stats *all, *lists, *graph, *edges;
        for (int j = 0; j < 5; j++, at += rows[j - 1]) {
            const pen_stats_block block = { .id = 3 * j };
            data[j] = (pen_data){ .x = pen_dense(s.x + 2 * at, PEN_F64, rows[j], 2, 2) };
            CHECK_OK(pen_stats_new(spec, &data[j], &block, NULL, &list[j], &err), &err);
        }
        CHECK_OK(pen_stats_merge((const pen_stats *const *)list, 5, NULL, &all, &err), &err);
        for (int j = 0; j < 5; j++)
            pen_stats_free(list[j]);
        for (int pass = 0; pass < 2; pass++) {
            count = 0;
            if (pass == 1)
                CHECK_OK(pen_stats_graph(spec, lists, NULL, NULL, &graph, &err), &err);
            for (int j = 0; j < 5; j++)
                for (int k = j; k < 5; k++) { /* the second block first makes no difference */
                    const pen_stats_pair pair = { &data[k], k == j ? NULL : &data[j], 3 * k,
                                                  3 * j };
                    CHECK_OK(pass ? pen_stats_edges(spec, graph, &pair, NULL, &list[count], &err)
                                  : pen_stats_lists(spec, all, &pair, NULL, &list[count], &err),
                             &err);
                    count++;
                }
            list[count] = pass ? lists : all;
            CHECK_OK(pen_stats_merge((const pen_stats *const *)list, count + 1, NULL,
                                     pass ? &edges : &lists, &err),
                     &err);
            for (int64_t i = 0; i <= count; i++)
                pen_stats_free(list[i]);
        }
        const pen_data whole = { .x = pen_dense(s.x, PEN_F64, 12, 2, 2) };
        pen_model *model, *wanted = fit_data(texts[t], &whole);
        CHECK_OK(pen_stats_fit(spec, edges, NULL, NULL, &model, &err), &err);
        check_merged_model(model, wanted, texts[t]);
        pen_model_free(model), pen_model_free(wanted);
        pen_stats_free(edges), pen_stats_free(graph), pen_spec_free(spec);
    }
    free(s.x);
}

enum { GRID = 30, GRID_BLOCKS = 5 };

/* A pass over the blocks of a grid: all pairs of them, or each with its neighbors. */
static pen_stats *grid_pass(const pen_spec *spec, const double *x, const int64_t *first,
                            const pen_stats *from)
{
    const int residual = (pen_stats_parts(from) & PEN_PART_LISTS) != 0;
    pen_stats *list[GRID_BLOCKS * GRID_BLOCKS + 1], *all;
    double rows[2 * GRID];
    int64_t count = 0, others;
    pen_error err;

    for (int j = 0; j < GRID_BLOCKS; j++)
        for (int k = j; k < (residual ? j + 1 : GRID_BLOCKS); k++) {
            pen_data data[GRID_BLOCKS];
            for (int b = 0; b < GRID_BLOCKS; b++)
                data[b] = (pen_data){ .x = pen_dense(x + 2 * first[b], PEN_F64,
                                                     first[b + 1] - first[b], 2, 2) };
            const pen_stats_pair pair = { &data[j], k == j ? NULL : &data[k], 2 * j, 2 * k };
            if (!residual) {
                CHECK_OK(pen_stats_lists(spec, from, &pair, NULL, &list[count++], &err), &err);
                continue;
            }
            CHECK_OK(pen_stats_wanted(spec, from, 2 * j, &others, NULL, &err), &err);
            for (int b = 0; b < GRID_BLOCKS; b++)
                CHECK_OK(pen_stats_fetch(spec, from, 2 * j, &data[b], 2 * b, rows, &err), &err);
            const pen_data rest = { .x = pen_dense(rows, PEN_F64, others, 2, 2) };
            CHECK_OK(pen_stats_residuals(spec, from, &data[j], 2 * j, others ? &rest : NULL, NULL,
                                         &list[count++], &err),
                     &err);
        }
    list[count] = (pen_stats *)(uintptr_t)from;
    CHECK_OK(pen_stats_merge((const pen_stats *const *)list, count + 1, NULL, &all, &err), &err);
    for (int64_t i = 0; i < count; i++)
        pen_stats_free(list[i]);
    return all;
}

/* Many rows are as near as the last neighbor, some are equal: which ones are taken depends on the
 * order of rows alone. Blocks may be without rows. */
static void test_tied_neighbors(void **state)
{
    static const int64_t first[] = { 0, 7, 7, 8, 19, GRID };
    static const char *const texts[] = { "npssdr neighbors=3", "npssdr neighbors=5 lle_ridge=0.1",
                                         "npssdr neighbors=29 mu=4" };
    double x[2 * GRID];
    pen_error err;

    (void)state;
    for (int i = 0; i < GRID; i++) {
        x[2 * i] = i * 7 % GRID % 5;
        x[2 * i + 1] = i * 7 % GRID / 6;
    }
    for (int64_t t = 0; t < COUNT_OF(texts); t++) {
        const pen_data whole = { .x = pen_dense(x, PEN_F64, GRID, 2, 2) };
        pen_spec *spec = spec_of(texts[t]);
        pen_stats *blocks[GRID_BLOCKS], *all;
        pen_model *model, *wanted = fit_data(texts[t], &whole);
        for (int j = 0; j < GRID_BLOCKS; j++) {
            const pen_data data = { .x = pen_dense(x + 2 * first[j], PEN_F64,
                                                   first[j + 1] - first[j], 2, 2) };
            const pen_stats_block block = { .id = 2 * j };
            CHECK_OK(pen_stats_new(spec, &data, &block, NULL, &blocks[j], &err), &err);
        }
        CHECK_OK(pen_stats_merge((const pen_stats *const *)blocks, GRID_BLOCKS, NULL, &all, &err),
                 &err);
        pen_stats *lists = grid_pass(spec, x, first, all),
                  *merged = grid_pass(spec, x, first, lists);
        CHECK_OK(pen_stats_fit(spec, merged, NULL, NULL, &model, &err), &err);
        check_merged_model(model, wanted, texts[t]);
        for (int j = 0; j < GRID_BLOCKS; j++)
            pen_stats_free(blocks[j]);
        pen_stats_free(all), pen_stats_free(lists), pen_stats_free(merged);
        pen_model_free(model), pen_model_free(wanted), pen_spec_free(spec);
    }
}

/* ---- errors ---- */

static void check_fit_error(const char *text, const pen_stats *s, const pen_data *pairs,
                            pen_status code, const char *phrase)
{
    pen_spec *spec = spec_of(text);
    pen_model *model = NULL;
    pen_error err;

    CHECK_STATUS(pen_stats_fit(spec, s, pairs, NULL, &model, &err), code, phrase, &err);
    pen_spec_free(spec);
}

static void test_fit_errors(void **state)
{
    wine_blocks *b = wine_blocks_new(WINE);
    const char *const text = "clpp scale=standard";
    pen_stats *all = wine_merged(b, text), *lists = wine_merged_lists(b, text, 0),
              *edges = wine_merged_edges(b, text, 1, 0), *few = wine_task(b, text, all, 3),
              *some = merge_two(all, few);

    (void)state;
    check_fit_error(text, all, &b->pairs, PEN_BAD_ARGUMENT, "clpp needs lists: run the first pass");
    check_fit_error(text, lists, &b->pairs, PEN_BAD_ARGUMENT, "clpp needs edges: run the second");
    check_fit_error(text, some, &b->pairs, PEN_BAD_ARGUMENT, "lists of blocks 0 and 0 are missing");
    check_fit_error(text, edges, NULL, PEN_BAD_ARGUMENT, "the edges in these statistics are those");
    check_fit_error("clpp scale=standard neighbors=3", edges, &b->pairs, PEN_BAD_ARGUMENT,
                    "those of another graph");
    check_fit_error("clpp scale=standard neighbors=6", edges, &b->pairs, PEN_BAD_ARGUMENT,
                    "neighbors must be at most 5");
    check_fit_error("clpp scale=minmax", edges, &b->pairs, PEN_BAD_ARGUMENT, "digest");
    check_fit_error("sodrpac scale=standard lambda=cv", edges, &b->pairs, PEN_BAD_ARGUMENT,
                    "looks at every row");
    pen_stats_free(all), pen_stats_free(lists), pen_stats_free(edges), pen_stats_free(few);
    pen_stats_free(some);
    wine_blocks_free(b);
}

/* Callers that run every pair of blocks get the same model. */
static void test_soft_pairs(void **state)
{
    wine_blocks *b = wine_blocks_new(WINE);
    const char *const text = "soda scale=standard";
    const struct fit fit = { text, 1, 0, { 0 } };
    const pen_data data = wine_blocks_data(b, 1, 0),
                   p = { .x = pen_dense(b->w->x, PEN_F64, 1, WINE_COLUMNS, WINE_COLUMNS) },
                   q = { .x = pen_dense(b->w->x + WINE_COLUMNS, PEN_F64, 6, WINE_COLUMNS,
                                        WINE_COLUMNS) };
    pen_stats *list[WINE_BLOCKS + 2], *shares, *s;
    pen_spec *soda = spec_of(text);
    pen_error err;

    (void)state;
    list[0] = wine_merged_lists(b, text, 0);
    CHECK_OK(pen_stats_graph(soda, list[0], NULL, NULL, &shares, &err), &err);
    CHECK_OK(pen_stats_edges(soda, shares, &(pen_stats_pair){ &p, &q, 0, 1 }, NULL, &list[1], &err),
             &err);
    for (int j = 0; j < WINE_BLOCKS; j++)
        list[j + 2] = wine_task(b, text, shares, j);
    CHECK_OK(pen_stats_merge((const pen_stats *const *)list, WINE_BLOCKS + 2, NULL, &s, &err),
             &err);
    pen_model *all = fit_data(text, &data), *model = fit_merged(b, &fit, s);
    check_merged_model(model, all, text);
    for (int j = 0; j < WINE_BLOCKS + 2; j++)
        pen_stats_free(list[j]);
    pen_model_free(all), pen_model_free(model), pen_stats_free(s), pen_stats_free(shares);
    pen_spec_free(soda);
    wine_blocks_free(b);
}

static void test_soft_errors(void **state)
{
    wine_blocks *b = wine_blocks_new(WINE);
    const char *const text = "soda scale=standard";
    pen_stats *lists = wine_merged_lists(b, text, 0), *s = wine_merged_edges(b, text, 0, 0),
              *out = NULL, *shares;
    const pen_data one = { .x = pen_dense(b->w->x, PEN_F64, 1, WINE_COLUMNS, WINE_COLUMNS) };
    pen_spec *soda = spec_of(text), *sda = spec_of("sda scale=standard");
    pen_error err;

    (void)state;
    CHECK_OK(pen_stats_graph(soda, lists, NULL, NULL, &shares, &err), &err);
    pen_stats *block = wine_task(b, text, shares, 3), *some = merge_two(lists, block);
    check_fit_error(text, lists, NULL, PEN_BAD_ARGUMENT, "soda needs soft: run the last pass");
    check_fit_error(text, some, NULL, PEN_BAD_ARGUMENT, "soft classes of block 0 are missing");
    check_fit_error("soda scale=standard alpha=0.5", s, NULL, PEN_BAD_ARGUMENT, "of other labels");
    CHECK_STATUS(pen_stats_edges(sda, shares, &(pen_stats_pair){ .a = &one }, NULL, &out, &err),
                 PEN_BAD_ARGUMENT, "sda needs a graph, and these statistics have shares", &err);
    const pen_stats *const twice[] = { block, block }, *const with[] = { lists, shares };
    CHECK_STATUS(pen_stats_merge(twice, 2, NULL, &out, &err), PEN_BAD_ARGUMENT,
                 "the task (3, 3) is in both", &err);
    CHECK_STATUS(pen_stats_merge(with, 2, NULL, &out, &err), PEN_BAD_ARGUMENT,
                 "a file of shares is not merged", &err);
    pen_stats_free(lists), pen_stats_free(s), pen_stats_free(shares), pen_stats_free(block);
    pen_stats_free(some);
    pen_spec_free(soda), pen_spec_free(sda);
    wine_blocks_free(b);
}

/* The i-th row of another block that rows of block j want. */
static int64_t number_of(const wine_blocks *b, const int64_t *wanted, int64_t i)
{
    return b->first[wanted[2 * i]] + wanted[2 * i + 1];
}

/* The rows wanted are the neighbors in other blocks, once, in order; and fetched as they are. */
static void test_wanted(void **state)
{
    wine_blocks *b = wine_blocks_new(WINE);
    const char *const text = "npssdr scale=standard neighbors=3";
    pen_stats *lists = wine_merged_lists(b, "npssdr scale=standard", 0);
    pen_spec *spec = spec_of(text);
    static int64_t wanted[2 * 3 * WINES];
    static double rows[3 * WINES * WINE_COLUMNS];
    int64_t count, seen = 0;
    pen_error err;

    (void)state;
    for (int64_t j = 0; j < WINE_BLOCKS; j++) {
        char want[WINES] = { 0 };
        int64_t distinct = 0;
        for (int64_t i = b->first[j]; i < b->first[j + 1]; i++)
            for (int64_t c = 0; c < 3; c++)
                want[lists->list_row[i * lists->list_width + c]] = 1;
        CHECK_OK(pen_stats_wanted(spec, lists, j, &count, NULL, &err), &err);
        CHECK_OK(pen_stats_wanted(spec, lists, j, &count, wanted, &err), &err);
        for (int64_t i = 0; i < WINES; i++)
            distinct += want[i] && !(i >= b->first[j] && i < b->first[j + 1]);
        CHECK(count == distinct, "%lld of %lld rows", (long long)count, (long long)distinct);
        for (int64_t i = 0; i < count; i++)
            CHECK(want[number_of(b, wanted, i)] && wanted[2 * i] != j
                      && (i == 0 || number_of(b, wanted, i) > number_of(b, wanted, i - 1)),
                  "row %lld", (long long)number_of(b, wanted, i));
        for (int64_t k = WINE_BLOCKS - 1; k >= 0; k--) {
            const pen_data from = { .x = pen_dense(b->w->x + b->first[k] * WINE_COLUMNS, PEN_F64,
                                                   b->first[k + 1] - b->first[k], WINE_COLUMNS,
                                                   WINE_COLUMNS) };
            CHECK_OK(pen_stats_fetch(spec, lists, j, &from, k, rows, &err), &err);
        }
        for (int64_t i = 0; i < count; i++)
            CHECK(memcmp(rows + i * WINE_COLUMNS, b->w->x + number_of(b, wanted, i) * WINE_COLUMNS,
                         WINE_COLUMNS * sizeof *rows)
                      == 0,
                  "row %lld", (long long)number_of(b, wanted, i));
        seen += count;
    }
    CHECK(seen > WINES, "%lld rows only", (long long)seen);
    pen_stats_free(lists), pen_spec_free(spec);
    wine_blocks_free(b);
}

/* What a task of block 0, one row, says to other rows than its neighbors. */
static void test_other_rows(void **state)
{
    wine_blocks *b = wine_blocks_new(WINE);
    pen_stats *lists = wine_merged_lists(b, "npssdr scale=standard", 0),
              *all = wine_merged(b, "npssdr scale=standard"), *out = NULL;
    pen_spec *spec = spec_of("npssdr scale=standard");
    const pen_data own = { .x = pen_dense(b->w->x, PEN_F64, 1, WINE_COLUMNS, WINE_COLUMNS) };
    int64_t wanted[10], count;
    double rows[5 * WINE_COLUMNS];
    pen_data others = { .x = pen_dense(rows, PEN_F64, 5, WINE_COLUMNS, WINE_COLUMNS) };
    pen_error err;

    (void)state;
    CHECK_OK(pen_stats_wanted(spec, lists, 0, &count, wanted, &err), &err);
    assert_int_equal(count, 5);
    for (int64_t i = 0; i < 5; i++) /* the first two change places */
        memcpy(rows + i * WINE_COLUMNS,
               b->w->x + number_of(b, wanted, i < 2 ? 1 - i : i) * WINE_COLUMNS,
               WINE_COLUMNS * sizeof *rows);
    CHECK_STATUS(pen_stats_residuals(spec, lists, &own, 0, &others, NULL, &out, &err), PEN_BAD_DATA,
                 "or the rows of other blocks are in another order", &err);
    others.x.rows = 4;
    CHECK_STATUS(pen_stats_residuals(spec, lists, &own, 0, &others, NULL, &out, &err), PEN_BAD_DATA,
                 "block 0 wants 5 rows of other blocks, and got 4", &err);
    CHECK_STATUS(pen_stats_residuals(spec, lists, &own, 0, NULL, NULL, &out, &err), PEN_BAD_DATA,
                 "and got 0", &err);
    others.x = pen_dense(rows, PEN_F64, 5, WINE_COLUMNS - 1, WINE_COLUMNS);
    CHECK_STATUS(pen_stats_residuals(spec, lists, &own, 0, &others, NULL, &out, &err), PEN_BAD_DATA,
                 "have 12 columns, the statistics have 13", &err);
    rows[3] = (double)NAN;
    others.x = pen_dense(rows, PEN_F64, 5, WINE_COLUMNS, WINE_COLUMNS);
    CHECK_STATUS(pen_stats_residuals(spec, lists, &own, 0, &others, NULL, &out, &err),
                 PEN_NOT_FINITE, "", &err);
    CHECK_STATUS(pen_stats_residuals(spec, lists, &own, 99, &others, NULL, &out, &err),
                 PEN_BAD_ARGUMENT, "block 99 is not in the statistics", &err);
    CHECK_STATUS(pen_stats_residuals(spec, lists, &own, 1, &others, NULL, &out, &err), PEN_BAD_DATA,
                 "block 1 had 6 rows in the first pass, and has 1", &err);
    CHECK_STATUS(pen_stats_fetch(spec, lists, 1, &own, 3, rows, &err), PEN_BAD_DATA,
                 "block 3 had 12 rows in the first pass, and has 1", &err);
    CHECK_STATUS(pen_stats_wanted(spec, all, 0, &count, NULL, &err), PEN_BAD_ARGUMENT,
                 "rows are reconstructed from those in lists, which", &err);
    pen_stats_free(lists), pen_stats_free(all), pen_spec_free(spec);
    wine_blocks_free(b);
}

/* The sums of ten blocks are those of one. */
static void test_one_block(void **state)
{
    wine_blocks *b = wine_blocks_new(WINE);
    const char *const text = "npssdr neighbors=4 lle_ridge=1e-6";
    pen_stats *ten = wine_merged_edges(b, text, 0, 0), *sums, *list, *lists, *one;
    const pen_data all = { .x = b->data.x };
    const pen_stats_block block = { .id = 7 };
    pen_spec *spec = spec_of(text);
    int64_t count;
    pen_error err;

    (void)state;
    CHECK_OK(pen_stats_new(spec, &all, &block, NULL, &sums, &err), &err);
    const pen_stats_pair rows = { .a = &all, .block_a = 7 };
    CHECK_OK(pen_stats_lists(spec, sums, &rows, NULL, &list, &err), &err);
    lists = merge_two(sums, list);
    CHECK_OK(pen_stats_wanted(spec, lists, 7, &count, NULL, &err), &err);
    assert_int_equal(count, 0);
    CHECK_OK(pen_stats_residuals(spec, lists, &all, 7, NULL, NULL, &one, &err), &err);
    CHECK_CLOSE(ten->residual_noise[0], one->residual_noise[0], 1e-9, 0);
    CHECK(one->residual_noise[0] >= 4 * WINES, "%g", one->residual_noise[0]);
    for (int64_t i = 0, at = 0; i < WINE_COLUMNS; i++)
        for (int64_t j = 0; j <= i; j++, at++)
            CHECK_CLOSE(ten->residual_scatter[at], one->residual_scatter[at], 1e-10,
                        1e-10
                            * sqrt(one->residual_scatter[i * (i + 3) / 2]
                                   * one->residual_scatter[j * (j + 3) / 2]));
    pen_stats_free(ten), pen_stats_free(sums), pen_stats_free(list), pen_stats_free(lists);
    pen_stats_free(one), pen_spec_free(spec);
    wine_blocks_free(b);
}

static void check_wanted_error(const char *text, const pen_stats *s, const char *phrase)
{
    pen_spec *spec = spec_of(text);
    int64_t count;
    pen_error err;

    CHECK_STATUS(pen_stats_wanted(spec, s, 0, &count, NULL, &err), PEN_BAD_ARGUMENT, phrase, &err);
    pen_spec_free(spec);
}

static void test_residual_errors(void **state)
{
    wine_blocks *b = wine_blocks_new(WINE);
    const char *const text = "npssdr scale=standard";
    pen_stats *all = wine_merged(b, text), *lists = wine_merged_lists(b, text, 0),
              *s = wine_merged_edges(b, text, 0, 0), *list = wine_task(b, text, all, 1),
              *few = merge_two(all, list), *block = wine_task(b, text, lists, 3),
              *other = wine_task(b, "npssdr scale=standard neighbors=4", lists, 4),
              *some = merge_two(lists, block), *out = NULL;
    pen_spec *spec = spec_of(text);
    const pen_data one = { .x = pen_dense(b->w->x, PEN_F64, 1, WINE_COLUMNS, WINE_COLUMNS) };
    pen_error err;

    (void)state;
    check_wanted_error("npssdr scale=minmax", lists, "with other values of scale or pca");
    check_wanted_error("npssdr scale=standard neighbors=6", lists, "neighbors must be at most 5");
    check_wanted_error("npssdr scale=standard neighbors=178", lists, "in [1, 177]");
    check_wanted_error("sda scale=standard", lists, "sda does not reconstruct rows");
    check_wanted_error(text, few, "lists of blocks 0 and 0 are missing");
    check_fit_error(text, all, &b->pairs, PEN_BAD_ARGUMENT, "npssdr needs lists: run the first");
    check_fit_error(text, lists, &b->pairs, PEN_BAD_ARGUMENT, "npssdr needs residuals: run the");
    check_fit_error(text, some, &b->pairs, PEN_BAD_ARGUMENT, "residuals of block 0 are missing");
    check_fit_error("npssdr scale=standard neighbors=4", s, NULL, PEN_BAD_ARGUMENT,
                    "those of neighbors 5 and lle_ridge 0.001, the fit has 4 and 0.001");
    check_fit_error("npssdr scale=standard lle_ridge=2", s, NULL, PEN_BAD_ARGUMENT, "5 and 2");
    check_fit_error("npssdr scale=none", s, NULL, PEN_BAD_ARGUMENT, "other values of scale or pca");
    const pen_stats *const twice[] = { block, block }, *const with[] = { block, other },
                           *const again[] = { some, block };
    CHECK_STATUS(pen_stats_merge(twice, 2, NULL, &out, &err), PEN_BAD_ARGUMENT,
                 "the task (3, 3) is in both", &err);
    CHECK_STATUS(pen_stats_merge(with, 2, NULL, &out, &err), PEN_BAD_ARGUMENT,
                 "residuals of block 3 were found with neighbors 5", &err);
    CHECK_STATUS(pen_stats_merge(again, 2, NULL, &out, &err), PEN_BAD_ARGUMENT,
                 "the statistics have residuals already", &err);
    CHECK_STATUS(pen_stats_graph(spec, lists, NULL, NULL, &out, &err), PEN_BAD_ARGUMENT,
                 "npssdr has no graph", &err);
    CHECK_STATUS(pen_stats_edges(spec, lists, &(pen_stats_pair){ .a = &one }, NULL, &out, &err),
                 PEN_BAD_ARGUMENT, "npssdr has no edges", &err);
    pen_stats_free(all), pen_stats_free(lists), pen_stats_free(s), pen_stats_free(list);
    pen_stats_free(few), pen_stats_free(block), pen_stats_free(other), pen_stats_free(some);
    pen_spec_free(spec);
    wine_blocks_free(b);
}

static void check_merge_error(const pen_stats *a, const pen_stats *b, const char *phrase)
{
    const pen_stats *const both[] = { a, b };
    pen_stats *out = NULL;
    pen_error err;

    CHECK_STATUS(pen_stats_merge(both, 2, NULL, &out, &err), PEN_BAD_ARGUMENT, phrase, &err);
    CHECK(!out, "%s: out is set", phrase);
}

static void test_merge_errors(void **state)
{
    wine_blocks *b = wine_blocks_new(WINE);
    const char *const text = "sda scale=standard";
    pen_stats *all = wine_merged(b, text), *lists = wine_merged_lists(b, text, 0),
              *one = wine_task(b, text, all, 1), *two = wine_task(b, text, all, 2),
              *more = wine_task(b, "sda scale=standard neighbors=6", all, 2),
              *units = wine_task(b, "sda scale=minmax", all, 2),
              *block = wine_block_stats(b, text, 3), *graph, *other;
    pen_spec *spec = spec_of(text), *fewer = spec_of("sda scale=standard neighbors=4");
    pen_error err;

    (void)state;
    CHECK_OK(pen_stats_graph(spec, lists, NULL, NULL, &graph, &err), &err);
    CHECK_OK(pen_stats_graph(fewer, lists, NULL, NULL, &other, &err), &err);
    pen_stats *p = wine_task(b, text, graph, 1), *q = wine_task(b, text, other, 2),
              *again = wine_task(b, text, graph, 1);
    check_merge_error(one, one, "the task (0, 1) is in both: merged twice?");
    check_merge_error(one, more, "lists have 5 nearest rows after the task (0, 1), and 6 after");
    check_merge_error(one, units, "measured differently");
    check_merge_error(one, p, "belong to sums of rows");
    check_merge_error(lists, two, "the statistics have lists already");
    check_merge_error(lists, lists, "merge the sums of all blocks first");
    check_merge_error(block, two, "the lists are those of 10 blocks, and the sums are of 1 others");
    check_merge_error(graph, two, "a graph is not merged");
    check_merge_error(p, q, "the tasks (0, 1) and (0, 2) have edges of different graphs");
    check_merge_error(p, again, "the task (0, 1) is in both");
    pen_stats_free(all), pen_stats_free(lists), pen_stats_free(one), pen_stats_free(two);
    pen_stats_free(more), pen_stats_free(units), pen_stats_free(block), pen_stats_free(graph);
    pen_stats_free(other), pen_stats_free(p), pen_stats_free(q), pen_stats_free(again);
    pen_spec_free(spec), pen_spec_free(fewer);
    wine_blocks_free(b);
}

static void check_task_error(const char *text, const pen_stats *from, const pen_stats_pair *pair,
                             pen_status code, const char *phrase)
{
    const int edges = pen_stats_parts(from) & PEN_PART_GRAPH;
    pen_spec *spec = spec_of(text);
    pen_stats *out = NULL;
    pen_error err;

    CHECK_STATUS(edges ? pen_stats_edges(spec, from, pair, NULL, &out, &err)
                       : pen_stats_lists(spec, from, pair, NULL, &out, &err),
                 code, phrase, &err);
    CHECK(!out, "%s: out is set", phrase);
    pen_spec_free(spec);
}

static void test_task_errors(void **state)
{
    wine_blocks *b = wine_blocks_new(WINE);
    pen_stats *all = wine_merged(b, "sda"), *lists = wine_merged_lists(b, "lpp", 0), *graph;
    const pen_data one = { .x = pen_dense(b->w->x, PEN_F64, 1, WINE_COLUMNS, WINE_COLUMNS) },
                   six = { .x = pen_dense(b->w->x, PEN_F64, 6, WINE_COLUMNS, WINE_COLUMNS) },
                   thin = { .x = pen_dense(b->w->x, PEN_F64, 6, 12, WINE_COLUMNS) };
    pen_spec *lpp = spec_of("lpp"), *pca = spec_of("pca"), *none = spec_of("sda alpha=0"),
             *more = spec_of("sda neighbors=6");
    pen_error err;

    (void)state;
    CHECK_OK(pen_stats_graph(lpp, lists, NULL, NULL, &graph, &err), &err);
    check_task_error("pca", all, &(pen_stats_pair){ .a = &one }, PEN_BAD_ARGUMENT,
                     "pca has no passes over pairs of blocks");
    check_task_error("sda kernel=rbf", all, &(pen_stats_pair){ .a = &one }, PEN_BAD_ARGUMENT,
                     "kernel must be none");
    check_task_error("sda normalize=l2", all, &(pen_stats_pair){ .a = &one }, PEN_BAD_ARGUMENT,
                     "the statistics have normalize none, this pass has normalize l2");
    check_task_error("sda", all, &(pen_stats_pair){ .a = &one, .block_a = 10 }, PEN_BAD_ARGUMENT,
                     "block 10 is not in the statistics");
    check_task_error("sda", all, &(pen_stats_pair){ .a = &six }, PEN_BAD_DATA,
                     "block 0 had 1 rows in the first pass, and has 6");
    check_task_error("sda", all, &(pen_stats_pair){ &one, &thin, 0, 1 }, PEN_BAD_DATA,
                     "block 1 has 12 columns, the statistics have 13");
    check_task_error("sda", all, &(pen_stats_pair){ &one, &one, 0, 0 }, PEN_BAD_ARGUMENT,
                     "block 0 is given twice");
    check_task_error("lpp scale=standard", graph, &(pen_stats_pair){ .a = &one }, PEN_BAD_ARGUMENT,
                     "the graph was made with other values of scale or pca");
    b->w->x[WINE_COLUMNS + 2] = (double)NAN;
    const pen_data bad = { .x = pen_dense(b->w->x + WINE_COLUMNS, PEN_F64, 6, WINE_COLUMNS,
                                          WINE_COLUMNS) };
    check_task_error("sda", all, &(pen_stats_pair){ &one, &bad, 0, 1 }, PEN_NOT_FINITE, "block 1");
    pen_stats *out = NULL;
    CHECK_STATUS(pen_stats_graph(pca, lists, NULL, NULL, &out, &err), PEN_BAD_ARGUMENT,
                 "pca has no passes", &err);
    CHECK_STATUS(pen_stats_graph(lpp, all, NULL, NULL, &out, &err), PEN_BAD_ARGUMENT,
                 "the graph is made of lists", &err);
    CHECK_STATUS(pen_stats_edges(lpp, lists, &(pen_stats_pair){ .a = &one }, NULL, &out, &err),
                 PEN_BAD_ARGUMENT, "needs the graph of all rows", &err);
    pen_stats *sda = wine_merged_lists((b->w->x[WINE_COLUMNS + 2] = 1, b), "sda", 0);
    CHECK_STATUS(pen_stats_graph(none, sda, NULL, NULL, &out, &err), PEN_BAD_ARGUMENT,
                 "with these parameters sda has no graph", &err);
    CHECK_STATUS(pen_stats_graph(more, sda, NULL, NULL, &out, &err), PEN_BAD_ARGUMENT,
                 "neighbors must be at most 5", &err);
    pen_stats_free(all), pen_stats_free(lists), pen_stats_free(graph), pen_stats_free(sda);
    pen_spec_free(lpp), pen_spec_free(pca), pen_spec_free(none);
    pen_spec_free(more);
    wine_blocks_free(b);
}

/* Passes are over the rows of the first one, which only their number does not say. */
static void test_rows_of_passes(void **state)
{
    static const char *const other = "block 1 has other rows than in the first pass";
    wine_blocks *b = wine_blocks_new(WINE);
    double swapped[6 * WINE_COLUMNS], rows[WINES * WINE_COLUMNS];
    pen_stats *all = wine_merged(b, "sda"), *lists = wine_merged_lists(b, "sda", 0),
              *of_soda = wine_merged_lists(b, "soda", 0),
              *of_npssdr = wine_merged_lists(b, "npssdr", 0), *graph, *shares, *out = NULL;
    const size_t row = WINE_COLUMNS * sizeof *swapped;
    const double *const at = b->w->x + WINE_COLUMNS; /* block 1 has rows 1 to 6 */
    memcpy(swapped, at, 6 * row);
    memcpy(swapped, at + WINE_COLUMNS, row), memcpy(swapped + WINE_COLUMNS, at, row);
    const pen_data one = { .x = pen_dense(b->w->x, PEN_F64, 1, WINE_COLUMNS, WINE_COLUMNS) },
                   next = { .x = pen_dense(at + WINE_COLUMNS, PEN_F64, 6, WINE_COLUMNS,
                                           WINE_COLUMNS) },
                   turned = { .x = pen_dense(swapped, PEN_F64, 6, WINE_COLUMNS, WINE_COLUMNS) };
    const pen_stats_pair wrong[] = { { .a = &next, .block_a = 1 },
                                     { .a = &turned, .block_a = 1 },
                                     { &one, &next, 0, 1 },
                                     { &turned, &one, 1, 0 } };
    pen_spec *sda = spec_of("sda"), *soda = spec_of("soda"), *npssdr = spec_of("npssdr");
    pen_error err;

    (void)state;
    CHECK_OK(pen_stats_graph(sda, lists, NULL, NULL, &graph, &err), &err);
    CHECK_OK(pen_stats_graph(soda, of_soda, NULL, NULL, &shares, &err), &err);
    for (int t = 0; t < 4; t++) {
        check_task_error("sda", all, &wrong[t], PEN_BAD_DATA, other);
        check_task_error("sda", graph, &wrong[t], PEN_BAD_DATA, other);
        CHECK_STATUS(pen_stats_edges(soda, shares, &wrong[t], NULL, &out, &err), PEN_BAD_DATA,
                     other, &err);
    }
    CHECK_STATUS(pen_stats_residuals(npssdr, of_npssdr, &turned, 1, NULL, NULL, &out, &err),
                 PEN_BAD_DATA, other, &err);
    CHECK_STATUS(pen_stats_fetch(npssdr, of_npssdr, 0, &turned, 1, rows, &err), PEN_BAD_DATA, other,
                 &err);
    pen_stats *list = wine_task(b, "sda", all, 0);
    all->block_digest[1] ^= 1;
    const pen_stats *const with[] = { all, list };
    CHECK_STATUS(pen_stats_merge(with, 2, NULL, &out, &err), PEN_BAD_DATA,
                 "block 1 has other rows in one pass than in another", &err);
    pen_stats_free(all), pen_stats_free(lists), pen_stats_free(of_soda), pen_stats_free(of_npssdr);
    pen_stats_free(graph), pen_stats_free(shares), pen_stats_free(list);
    pen_spec_free(sda), pen_spec_free(soda), pen_spec_free(npssdr);
    wine_blocks_free(b);
}

/* ---- files ---- */

static void check_lie(const pen_stats *s, const char *phrase)
{
    pen_stats *out = NULL;
    size_t size;
    void *bytes;
    pen_error err;

    CHECK_OK(pen_stats_bytes(s, &bytes, &size, &err), &err);
    CHECK_STATUS(pen_stats_parse(bytes, size, &out, &err), PEN_BAD_FORMAT, phrase, &err);
    pen_model_bytes_free(bytes);
}

#define CHECK_LIE(s, member, lie, phrase)                                                          \
    do {                                                                                           \
        const double as_was = (s)->member;                                                         \
        (s)->member = lie;                                                                         \
        check_lie(s, phrase);                                                                      \
        (s)->member = as_was;                                                                      \
    } while (0)

#define CHECK_WHOLE_LIE(s, member, lie, phrase)                                                    \
    do {                                                                                           \
        const int64_t as_was = (s)->member;                                                        \
        (s)->member = lie;                                                                         \
        check_lie(s, phrase);                                                                      \
        (s)->member = as_was;                                                                      \
    } while (0)

static void test_soft_lies(void **state)
{
    wine_blocks *b = wine_blocks_new(WINE);
    pen_stats *lists = wine_merged_lists(b, "soda", 0), *s = wine_merged_edges(b, "soda", 0, 0),
              *shares;
    pen_spec *soda = spec_of("soda");
    pen_error err;

    (void)state;
    CHECK_OK(pen_stats_graph(soda, lists, NULL, NULL, &shares, &err), &err);
    CHECK_LIE(shares, share[4], -0.5, "must not be negative, nor above 1");
    CHECK_LIE(shares, share[4], 1.5, "must not be negative, nor above 1");
    CHECK_LIE(shares, share[4], (double)NAN, "not finite");
    CHECK_WHOLE_LIE(shares, blocks[1], 2, "has other rows than the blocks");
    CHECK_WHOLE_LIE(s, soft_task[0], 1, "\"soft_task\" must name");
    CHECK_LIE(s, soft_mass[1], -1, "\"soft_mass\" has a value below 0");
    CHECK_LIE(s, soft_mass[1], 2.0 * WINES, "\"soft_mass\" is more than the rows");
    CHECK_LIE(s, soft_within[0], -1, "\"soft_within\" has a negative sum of squares");
    pen_stats_free(lists), pen_stats_free(s), pen_stats_free(shares);
    pen_spec_free(soda);
    wine_blocks_free(b);
}

static void test_residual_lies(void **state)
{
    wine_blocks *b = wine_blocks_new(WINE);
    pen_stats *s = wine_merged_edges(b, "npssdr", 0, 0);

    (void)state;
    CHECK_WHOLE_LIE(s, residual_task[0], 1, "\"residual_task\" must name pairs of blocks");
    CHECK_WHOLE_LIE(s, residual_task[1], 1, "\"residual_task\" must name single blocks");
    CHECK_LIE(s, residual_check[0], 0, "less than one neighbor");
    CHECK_LIE(s, residual_check[1], -1, "a ridge below 0");
    CHECK_LIE(s, residual_check[2], -1, "has no digest");
    CHECK_LIE(s, residual_check[2], 1e300, "has no digest");
    CHECK_LIE(s, residual_noise[0], -1, "\"residual_noise\" has a value below 0");
    CHECK_LIE(s, residual_scatter[0], -1, "\"residual_scatter\" has a negative sum of squares");
    CHECK_LIE(s, residual_scatter[1], (double)NAN, "not finite");
    pen_stats_free(s);
    wine_blocks_free(b);
}

static void test_lying_files(void **state)
{
    wine_blocks *b = wine_blocks_new(WINE);
    pen_stats *s = wine_merged_edges(b, "sda", 0, 0), *lists = wine_merged_lists(b, "lpp", 0), *g,
              *graph;
    pen_spec *sda = spec_of("sda"), *lpp = spec_of("lpp");
    pen_error err;

    (void)state;
    CHECK_OK(pen_stats_graph(sda, s, NULL, NULL, &g, &err), &err);
    CHECK_OK(pen_stats_graph(lpp, lists, NULL, NULL, &graph, &err), &err);
    CHECK_WHOLE_LIE(s, list_task[2], 9, "\"list_task\" must name pairs of blocks once, in order");
    CHECK_WHOLE_LIE(s, list_task[2 * WINE_TASKS - 1], 10, "a block that is not there");
    CHECK_WHOLE_LIE(s, list_block[2], 3, "\"list_block\" must name the blocks of the tasks");
    CHECK_LIE(s, list_length[2], -1, "\"list_length\" must not be negative");
    CHECK_WHOLE_LIE(s, list_row[7], 1, "name other rows, nearest first");
    CHECK_WHOLE_LIE(s, list_row[7], WINES, "name other rows, nearest first");
    CHECK_WHOLE_LIE(s, list_row[7], -1, "name other rows, nearest first");
    CHECK_LIE(s, list_distance2[7], 0, "name other rows, nearest first");
    CHECK_WHOLE_LIE(s, edge_task[0], 1, "\"edge_task\" must name pairs of blocks once, in order");
    CHECK_LIE(s, edge_squares[3], -1, "\"edge_squares\" has a value below 0");
    CHECK_LIE(s, edge_scatter[3], (double)NAN, "not finite");
    CHECK_WHOLE_LIE(g, graph_first[0], 1, "\"graph_first\" must go on");
    CHECK_WHOLE_LIE(g, graph_first[5], 9999, "\"graph_first\" must be ascending");
    CHECK_WHOLE_LIE(g, graph_first[WINES], g->edges - 1, "must be ascending");
    CHECK_WHOLE_LIE(g, graph_other[0], 0, "\"graph_other\" must name later rows");
    CHECK_WHOLE_LIE(g, graph_other[g->edges - 1], WINES, "\"graph_other\" must name later rows");
    CHECK_WHOLE_LIE(g, blocks[1], 2, "the graph is of other rows than the blocks");
    CHECK_LIE(graph, graph_sigma[1], -1, "\"graph_sigma\" has a value below 0");
    pen_stats_free(s), pen_stats_free(lists), pen_stats_free(g), pen_stats_free(graph);
    pen_spec_free(sda), pen_spec_free(lpp);
    wine_blocks_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lists_are_neighbors),
        cmocka_unit_test(test_published_edges),
        cmocka_unit_test(test_fits),
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_parts_of_passes),
        cmocka_unit_test(test_empty_blocks),
        cmocka_unit_test(test_tied_neighbors),
        cmocka_unit_test(test_fit_errors),
        cmocka_unit_test(test_soft_pairs),
        cmocka_unit_test(test_soft_errors),
        cmocka_unit_test(test_wanted),
        cmocka_unit_test(test_other_rows),
        cmocka_unit_test(test_one_block),
        cmocka_unit_test(test_residual_errors),
        cmocka_unit_test(test_merge_errors),
        cmocka_unit_test(test_task_errors),
        cmocka_unit_test(test_rows_of_passes),
        cmocka_unit_test(test_lying_files),
        cmocka_unit_test(test_soft_lies),
        cmocka_unit_test(test_residual_lies),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
