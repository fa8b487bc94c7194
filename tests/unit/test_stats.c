/* test_stats.c - statistics of blocks: published numbers, fits as of all rows, bits, and errors. */
#include "check.h"
#include "kit/check_fit.h"
#include "kit/wine_blocks.h"
#include "stats/stats.h"

#include <pthread.h>

static double trace(const double *packed, int64_t d)
{
    double sum = 0;
    for (int64_t j = 0; j < d; j++)
        sum += packed[j * (j + 3) / 2];
    return sum;
}

static double norm(const double *packed, int64_t d)
{
    double sum = 0;
    for (int64_t i = 0; i < d; i++)
        for (int64_t j = 0; j <= i; j++, packed++)
            sum += (i == j ? 1 : 2) * *packed * *packed;
    return sqrt(sum);
}

/* ---- the object ---- */

static void test_published_sums(void **state)
{
    wine_blocks *b = wine_blocks_new();
    pen_stats *s = wine_merged(b, "fda");
    int64_t labelled = 0;

    (void)state;
    CHECK_CLOSE(trace(s->scatter, s->d), 17592296.3835, 1e-11, 0);
    CHECK_CLOSE(norm(s->scatter, s->d), 17558743.4054, 1e-11, 0);
    CHECK_CLOSE(s->scatter[12 * 13 / 2], 29128.3926267, 1e-11, 0);
    CHECK_CLOSE(trace(s->classes.within, s->d), 875882.434503, 1e-11, 0);
    CHECK(s->class_count == 3 && s->classes.rows[0] == 10 && s->classes.rows[1] == 12
              && s->classes.rows[2] == 8,
          "%lld classes", (long long)s->class_count);
    for (int64_t i = 0; i < s->kept; i++)
        labelled += s->row_class[i] >= 0;
    CHECK(s->kept == 45 && labelled == 30, "%lld rows, %lld labelled", (long long)s->kept,
          (long long)labelled);
    CHECK(s->block_count == WINE_BLOCKS && pen_stats_count(s) == WINES, "%lld blocks",
          (long long)s->block_count);
    CHECK(strcmp(pen_stats_merges(s), "canonical") == 0, "%s", pen_stats_merges(s));
    pen_stats_free(s);
    wine_blocks_free(b);
}

/* The rows kept are those of the file, and columns reach from the least to the greatest. */
static void test_rows_and_extremes(void **state)
{
    wine_blocks *b = wine_blocks_new();
    pen_stats *s = wine_merged(b, "self");

    (void)state;
    for (int64_t i = 0; i < s->kept; i++) {
        const int64_t row = b->first[s->row_id[2 * i]] + s->row_id[2 * i + 1];
        CHECK(memcmp(s->row_value + i * s->d, b->w->x + row * s->d, (size_t)s->d * 8) == 0,
              "row %lld", (long long)row);
        CHECK(s->row_class[i] == b->labels[row], "class of row %lld", (long long)row);
    }
    for (int64_t j = 0; j < s->d; j++) {
        double low = INFINITY, high = -INFINITY;
        for (int64_t i = 0; i < WINES; i++) {
            low = fmin(low, b->w->x[i * s->d + j]);
            high = fmax(high, b->w->x[i * s->d + j]);
        }
        CHECK(s->low[j] == low && s->high[j] == high, "column %lld", (long long)j);
    }
    pen_stats_free(s);
    wine_blocks_free(b);
}

static void test_published_distances(void **state)
{
    const double sigma[] = { 2.43015866176, 2.01829440687, 1.8663153719 };
    wine_blocks *b = wine_blocks_new();
    pen_stats *s = wine_merged_nearest(b, "self neighbors=7 scale=standard");

    (void)state;
    CHECK(s->near == 7 && s->near_rows == 30, "%lld of %lld", (long long)s->near,
          (long long)s->near_rows);
    for (int i = 0; i < 3; i++)
        CHECK_CLOSE(sqrt(s->near_distance2[i * 7 + 6]), sigma[i], 1e-11, 0);
    pen_stats_free(s);
    wine_blocks_free(b);
}

/* The scatter of standardized rows far from 0, in long double. */
static void exact_scatter(const double *x, int64_t n, int64_t d, double *packed)
{
    long double *mean = check_allocate(d, sizeof *mean);

    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < d; j++)
            mean[j] += x[i * d + j] / (long double)n;
    for (int64_t i = 0; i < d; i++)
        for (int64_t j = 0; j <= i; j++) {
            long double sum = 0;
            for (int64_t r = 0; r < n; r++)
                sum += (x[r * d + i] - mean[i]) * (x[r * d + j] - mean[j]);
            *packed++ = (double)sum;
        }
    free(mean);
}

static double distance(const double *a, const double *b, int64_t d)
{
    double *difference = check_allocate(d * (d + 1) / 2, sizeof *difference);

    for (int64_t i = 0; i < d * (d + 1) / 2; i++)
        difference[i] = a[i] - b[i];
    const double found = norm(difference, d) / norm(b, d);
    free(difference);
    return found;
}

/* Columns far from 0 lose the digits of their values, and not the squares of them. */
static void test_offsets(void **state)
{
    const double offsets[] = { 0, 1e4, 1e6, 1e8 }, errors[] = { 9.1e-16, 7.7e-13, 7.0e-11, 8.6e-9 };
    wine_blocks *b = wine_blocks_new();
    double exact[WINE_COLUMNS * (WINE_COLUMNS + 1) / 2];

    (void)state;
    for (int o = 0; o < 4; o++) {
        for (int i = 0; i < WINES * WINE_COLUMNS; i++)
            b->w->x[i] = b->w->z[i] + offsets[o];
        exact_scatter(b->w->x, WINES, WINE_COLUMNS, exact);
        pen_stats *s = wine_merged(b, "pca");
        const double found = distance(s->scatter, exact, WINE_COLUMNS);
        CHECK(found <= 4 * errors[o], "offset %g: %g", offsets[o], found);
        pen_stats_free(s);
    }
    wine_blocks_free(b);
}

/* ---- fits ---- */

struct fit {
    const char *text;
    int labels, pairs, nearest;
    double values[3];
};

static const struct fit fits[] = {
    { "pca scale=standard", 1, 0, 0, { 837.64134954, 444.461322571, 257.400815971 } },
    { "fda scale=standard", 1, 0, 0, { 25.1694414978, 6.86043682564 } },
    { "lfda ridge=0.01 scale=standard", 1, 0, 0, { 55.5005275798, 16.9288164059 } },
    { "lfda scaling_rows=all ridge=0.01 scale=standard",
      1,
      0,
      1,
      { 152.833427477, 45.4330225301 } },
    { "self total=covariance scale=standard", 1, 0, 1, { 59.870314875, 24.9082343372 } },
    { "ssdr scale=standard", 1, 1, 0, { 5.5739394668, -0.842060887139, -2.35804125253 } },
    { "rca ridge=0.01 scale=standard", 0, 1, 0, { 338.95817685, 156.352095385, 115.54779535 } },
    { "self beta=1", 1, 0, 0, { 0 } },
    { "self beta=0.3 scale=minmax pca=5", 1, 0, 1, { 0 } },
    { "self beta=auto ridge=auto scale=standard", 1, 0, 1, { 0 } },
    { "self-mix beta=0.3 scale=standard pca=0.99", 1, 0, 1, { 0 } },
    { "self-mix beta=1 gamma=0", 1, 0, 0, { 0 } },
    { "lfda scaling_rows=labelled affinity=heat scale=standard", 1, 0, 0, { 0 } },
    { "lfda scale=standard pca=6 row_steps=l2", 1, 0, 0, { 0 } },
    { "fda ridge=0.1 pca=0.9 scale=standard", 1, 0, 0, { 0 } },
    { "sda alpha=0 scale=standard", 1, 0, 0, { 0 } },
    { "stsd alpha=0 scale=standard", 1, 0, 0, { 0 } },
    { "lol scale=standard", 1, 0, 0, { 0 } },
    { "cmm scale=standard", 1, 1, 0, { 0 } },
    { "cmm scale=standard pca=7", 0, 1, 0, { 0 } },
    { "bwdr scale=standard", 1, 1, 0, { 0 } },
    { "wbdr scale=standard", 1, 1, 0, { 0 } },
    { "npssdr mu=0 scale=standard", 1, 1, 0, { 0 } },
    { "cfld scale=standard", 0, 1, 0, { 0 } },
    { "cfld total_rows=all scale=standard", 1, 1, 0, { 0 } },
    { "rca ridge=auto total_rows=chunk pca=8", 1, 1, 0, { 0 } },
    { "pca pca=rank scale=minmax row_steps=l2", 1, 0, 0, { 0 } },
    { "fda row_steps=total:100,log1p ridge=0.1", 1, 0, 0, { 0 } },
    { "lfda row_steps=log1p scale=standard pca=6", 1, 0, 0, { 0 } },
    { "pca row_steps=total:3,l2", 1, 0, 0, { 0 } },
    { "fda row_steps=snv,derivative:3 ridge=0.1", 1, 0, 0, { 0 } },
};

/* Class probabilities of all rows. */
static void check_same_classes(const pen_model *a, const pen_model *b, const pen_data *data,
                               const char *text)
{
    const int64_t c = pen_model_class_count(a);
    double *p = check_allocate(WINES * c, sizeof *p), *q = check_allocate(WINES * c, sizeof *q);
    int32_t of[WINES];
    pen_error err;

    CHECK(!model_text(a, "classifier") == !model_text(b, "classifier"), "%s: classifiers", text);
    if (model_text(a, "classifier")) {
        CHECK_OK(pen_predict(a, &data->x, NULL, of, p, NULL, &err), &err);
        CHECK_OK(pen_predict(b, &data->x, NULL, of, q, NULL, &err), &err);
        for (int64_t i = 0; i < WINES * c; i++)
            CHECK(fabs(p[i] - q[i]) <= 1e-7, "%s: probability %g, not %g", text, p[i], q[i]);
    }
    free(p), free(q);
}

static pen_model *fit_merged(const wine_blocks *b, const struct fit *f, pen_stats *s)
{
    pen_spec *spec = spec_of(f->text);
    pen_model *model;
    pen_error err;

    CHECK_OK(pen_stats_fit(spec, s, f->pairs ? &b->pairs : NULL, NULL, &model, &err), &err);
    pen_spec_free(spec);
    return model;
}

/* The fit of the rows, with the shares of the labels: statistics have no unlabelled rows to
 * count. */
static pen_model *fit_rows(const char *text, const pen_data *data)
{
    const int weighs = !strstr(text, "classifier=n") && !strstr(text, "classifier=means");
    char whole[160];

    snprintf(whole, sizeof whole, "%s%s", text, weighs ? " prior=labels" : "");
    return fit_data(whole, data);
}

static void test_fits(void **state)
{
    wine_blocks *b = wine_blocks_new();

    (void)state;
    for (int64_t i = 0; i < COUNT_OF(fits); i++) {
        const struct fit *const f = &fits[i];
        pen_data data = wine_blocks_data(b, f->labels, f->pairs);
        if (!f->labels)
            for (int r = 0; r < WINES; r++)
                b->labels[r] = -1;
        pen_model *all = fit_rows(f->text, &data);
        pen_stats *s = f->nearest ? wine_merged_nearest(b, f->text) : wine_merged(b, f->text);
        pen_model *model = fit_merged(b, f, s);
        check_merged_model(model, all, f->text);
        check_same_classes(model, all, &data, f->text);
        for (int c = 0; c < 3 && f->values[c] != 0; c++)
            CHECK_CLOSE(pen_model_tensor(model, "eigenvalues").values[c], f->values[c], 1e-10, 0);
        const char *const merges = model_text(model, "info.merges");
        CHECK(merges && strcmp(merges, "canonical") == 0, "%s: info merges", f->text);
        pen_model_free(model), pen_model_free(all), pen_stats_free(s);
        wine_labels(b->w, 6, b->labels);
    }
    wine_blocks_free(b);
}

/* Classifiers that know all rows by their mean and spread alone; one label a class; fewer rows than
 * columns. */
static void test_classifiers(void **state)
{
    static const char *const texts[] = { "self beta=1 dim=3 scale=standard classifier=nearest",
                                         "self beta=1 dim=3 scale=standard classifier=neighbors",
                                         "self beta=1 dim=3 scale=standard classifier=means",
                                         "self beta=1 dim=2 scale=standard classifier=logistic",
                                         "self beta=1 dim=2 scale=standard classifier=lda" };
    wine_blocks *b = wine_blocks_new();

    (void)state;
    for (int few = 0; few < 2; few++)
        for (int64_t i = 0; i < COUNT_OF(texts); i++) {
            const struct fit f = { .text = texts[i] };
            for (int r = 0; r < WINES; r++)
                b->labels[r] = !few                            ? b->labels[r]
                               : r == 0 || r == 70 || r == 177 ? b->w->classes[r]
                                                               : -1;
            pen_model *all = fit_rows(texts[i], &b->data);
            pen_stats *s = wine_merged(b, texts[i]);
            pen_model *model = fit_merged(b, &f, s);
            check_same_classes(model, all, &b->data, texts[i]);
            pen_model_free(model), pen_model_free(all), pen_stats_free(s);
        }
    wine_blocks_free(b);
}

/* Sums over classes alone, without the rows. */
static void test_classes_without_rows(void **state)
{
    static const char *const texts[] = { "fda ridge=0 classifier=none scale=standard",
                                         "fda ridge=0.5 classifier=none pca=6",
                                         "sda alpha=0 classifier=none scale=standard",
                                         "stsd alpha=0 classifier=none pca=6",
                                         "lol classifier=none scale=standard" };
    wine_blocks *b = wine_blocks_new();

    (void)state;
    for (int64_t i = 0; i < COUNT_OF(texts); i++) {
        const struct fit f = { .text = texts[i] };
        pen_model *all = fit_data(texts[i], &b->data);
        pen_stats *s = wine_merged(b, texts[i]);
        CHECK(s->parts == (PEN_PART_TOTAL | PEN_PART_CLASSES) && s->kept == 0, "%s: parts %d",
              texts[i], s->parts);
        pen_model *model = fit_merged(b, &f, s);
        check_merged_model(model, all, texts[i]);
        CHECK(pen_model_class_count(model) == 3
                  && strcmp(pen_model_class_name(model, 2), pen_model_class_name(all, 2)) == 0,
              "%s: classes", texts[i]);
        pen_model_free(model), pen_model_free(all), pen_stats_free(s);
    }
    wine_blocks_free(b);
}

/* Chunks in place of must-links, without their rows. */
static void test_chunks_without_rows(void **state)
{
    static const char *const texts[] = {
        "rca ridge=0.01 classifier=none scale=standard",
        "rca ridge=0.1 total_rows=chunk classifier=none pca=6",
        "cfld classifier=none scale=standard",
        "cfld total_rows=all classifier=none pca=5 scale=standard"
    };
    wine_blocks *b = wine_blocks_new();
    const pen_data data = wine_blocks_data(b, 0, 1);
    pen_data alone = data;
    pen_error err;

    (void)state;
    alone.cannot_link_count = 0;
    for (int64_t i = 0; i < COUNT_OF(texts); i++) {
        const struct fit f = { .text = texts[i] };
        pen_spec *spec = spec_of(texts[i]);
        pen_stats *s = wine_merged_chunks(b, texts[i]);
        pen_model *all = fit_data(texts[i], &alone), *model = fit_merged(b, &f, s), *none = NULL;
        CHECK(s->parts == (PEN_PART_TOTAL | PEN_PART_CHUNKS), "%s: parts %d", texts[i], s->parts);
        check_merged_model(model, all, texts[i]);
        if (i == 0)
            CHECK_CLOSE(pen_model_tensor(model, "eigenvalues").values[0], 338.95817685, 1e-10, 0);
        const double chunklets = model_number(model, "info.chunklets");
        CHECK(chunklets == 6, "%g chunklets", chunklets);
        CHECK_STATUS(pen_stats_fit(spec, s, &b->pairs, NULL, &none, &err), PEN_BAD_ARGUMENT,
                     "needs rows where pairs are given, or chunks", &err);
        CHECK_OK(pen_spec_set(spec, "sample_pairs", "9+0", &err), &err);
        CHECK_STATUS(pen_stats_fit(spec, s, NULL, NULL, &none, &err), PEN_BAD_ARGUMENT,
                     "needs rows where pairs are given, or chunks", &err);
        pen_model_free(model), pen_model_free(all), pen_stats_free(s), pen_spec_free(spec);
    }
    wine_blocks_free(b);
}

/* ---- bits ---- */

static void *bytes_of(const pen_stats *s, size_t *size)
{
    void *bytes;
    pen_error err;

    CHECK_OK(pen_stats_to_bytes(s, &bytes, size, &err), &err);
    return bytes;
}

static void check_same_bytes(const pen_stats *a, const pen_stats *b, const char *what)
{
    size_t of_a, of_b;
    void *const x = bytes_of(a, &of_a), *const y = bytes_of(b, &of_b);

    CHECK(of_a == of_b && memcmp(x, y, of_a) == 0, "%s: other bytes", what);
    pen_free(x);
    pen_free(y);
}

static pen_stats *merge(const pen_stats *const *list, int64_t count)
{
    pen_stats *out;
    pen_error err;

    CHECK_OK(pen_stats_merge(list, count, 0, NULL, &out, &err), &err);
    return out;
}

/* With blocks missing between others, which is told to be meant. */
static pen_stats *merge_some(const pen_stats *const *list, int64_t count)
{
    int64_t blocks = 0;
    pen_stats *out;
    pen_error err;

    for (int64_t i = 0; i < count; i++)
        blocks += list[i]->block_count;
    CHECK_OK(pen_stats_merge(list, count, blocks, NULL, &out, &err), &err);
    return out;
}

/* In any order; with subtrees merged by workers beforehand; with other numbers of threads. */
static void test_canonical_bits(void **state)
{
    static const int ends[][3] = { { 8, 10, 10 }, { 4, 8, 10 }, { 2, 8, 10 } };
    wine_blocks *b = wine_blocks_new();
    pen_rng rng = check_rng(1);
    const char *const text = "fda";
    pen_stats *list[WINE_BLOCKS], *all = wine_merged(b, text);

    (void)state;
    for (int j = 0; j < WINE_BLOCKS; j++)
        list[j] = wine_block_stats(b, text, j);
    for (int again = 0; again < 20; again++) {
        const pen_stats *shuffled[WINE_BLOCKS];
        for (int j = 0; j < WINE_BLOCKS; j++)
            shuffled[j] = list[j];
        for (int j = WINE_BLOCKS - 1; j > 0; j--) {
            const int64_t other = pen_rng_below(&rng, j + 1);
            const pen_stats *const moved = shuffled[j];
            shuffled[j] = shuffled[other];
            shuffled[other] = moved;
        }
        pen_stats *merged = merge(shuffled, WINE_BLOCKS);
        check_same_bytes(all, merged, "shuffled");
        pen_stats_free(merged);
    }
    for (int64_t e = 0; e < COUNT_OF(ends); e++) {
        pen_stats *part[3] = { NULL };
        int parts = 0, from = 0;
        for (; from < WINE_BLOCKS; parts++) {
            part[parts] = merge((const pen_stats *const *)list + from, ends[e][parts] - from);
            from = ends[e][parts];
        }
        /* subtrees: 8 | 2; 4 | 4 | 2; and 2 | 6 | 2, which are none */
        pen_stats *const last = part[parts - 1];
        part[parts - 1] = part[0];
        part[0] = last;
        pen_stats *merged = merge((const pen_stats *const *)part, parts);
        if (e < 2)
            check_same_bytes(all, merged, "subtrees");
        else
            CHECK(strcmp(pen_stats_merges(merged), "free") == 0, "%s", pen_stats_merges(merged));
        pen_stats_free(merged);
        for (int p = 0; p < parts; p++)
            pen_stats_free(part[p]);
    }
    /* 0 2 | 1 3 has the sizes of a tree, and is none */
    const pen_stats *const even[] = { list[0], list[2] }, *const odd[] = { list[1], list[3] };
    pen_stats *part[] = { merge_some(even, 2), merge_some(odd, 2) };
    pen_stats *merged = merge((const pen_stats *const *)part, 2);
    CHECK(strcmp(pen_stats_merges(merged), "free") == 0, "%s", pen_stats_merges(merged));
    pen_stats_free(part[0]), pen_stats_free(part[1]), pen_stats_free(merged);
    for (int j = 0; j < WINE_BLOCKS; j++)
        pen_stats_free(list[j]);
    pen_stats_free(all);
    wine_blocks_free(b);
}

/* One after another: the same lists, and sums within the bound of rounding. */
static void test_free_order(void **state)
{
    wine_blocks *b = wine_blocks_new();
    pen_rng rng = check_rng(2);
    pen_stats *all = wine_merged(b, "fda");
    double most = 0;

    (void)state;
    for (int64_t j = 0; j < all->d; j++) {
        const double deviation = sqrt(all->scatter[j * (j + 3) / 2] / WINES);
        most = fmax(most, fabs(all->mean[j]) / deviation);
    }
    for (int again = 0; again < 10; again++) {
        int order[WINE_BLOCKS];
        for (int j = 0; j < WINE_BLOCKS; j++) {
            const int64_t at = pen_rng_below(&rng, j + 1);
            order[j] = order[at];
            order[at] = j;
        }
        pen_stats *sum = wine_block_stats(b, "fda", order[0]);
        for (int j = 1; j < WINE_BLOCKS; j++) {
            pen_stats *const next = wine_block_stats(b, "fda", order[j]);
            const pen_stats *const two[] = { sum, next };
            pen_stats *const both = merge_some(two, 2);
            pen_stats_free(sum), pen_stats_free(next);
            sum = both;
        }
        const double off = distance(sum->scatter, all->scatter, all->d);
        CHECK(off <= 0x1p-52 * (16 + 8 * most), "off by %g", off);
        CHECK(memcmp(sum->row_value, all->row_value, (size_t)(all->kept * all->d) * 8) == 0
                  && memcmp(sum->row_id, all->row_id, (size_t)all->kept * 16) == 0
                  && memcmp(sum->blocks, all->blocks, sizeof(int64_t) * 3 * WINE_BLOCKS) == 0
                  && memcmp(sum->low, all->low, (size_t)all->d * 8) == 0,
              "lists depend on the order");
        pen_stats_free(sum);
    }
    pen_stats_free(all);
    wine_blocks_free(b);
}

static void test_threads(void **state)
{
    wine_blocks *b = wine_blocks_new();
    pen_spec *spec = spec_of("fda");
    const pen_stats_block block = { .id = 0 };
    pen_stats *s[2];
    pen_error err;

    (void)state;
    for (int t = 0; t < 2; t++) {
        const pen_control control = { .threads = t == 0 ? 1 : 3 };
        CHECK_OK(pen_stats_new(spec, &b->data, &block, &control, &s[t], &err), &err);
    }
    check_same_bytes(s[0], s[1], "threads");
    pen_stats_free(s[0]), pen_stats_free(s[1]);
    pen_spec_free(spec);
    wine_blocks_free(b);
}

/* ---- unusual blocks ---- */

static pen_stats *stats_of(const char *text, const pen_data *data, int64_t id)
{
    const pen_stats_block block = { .id = id };
    pen_spec *spec = spec_of(text);
    pen_stats *s;
    pen_error err;

    CHECK_OK(pen_stats_new(spec, data, &block, NULL, &s, &err), &err);
    pen_spec_free(spec);
    return s;
}

/* A block without rows changes nothing but the list of blocks. */
static void test_empty_block(void **state)
{
    wine_blocks *b = wine_blocks_new();
    const pen_data none = { .x = pen_dense(NULL, PEN_F64, 0, WINE_COLUMNS, WINE_COLUMNS) };
    pen_stats *all = stats_of("fda", &b->data, 5);

    (void)state;
    for (int64_t id = 3; id < 9; id += 4) {
        pen_stats *empty = stats_of("fda", &none, id);
        const pen_stats *const two[] = { all, empty };
        pen_stats *both = merge_some(two, 2);
        CHECK(memcmp(both->scatter, all->scatter, (size_t)all->packed * 8) == 0
                  && memcmp(both->mean, all->mean, (size_t)all->d * 8) == 0
                  && memcmp(both->classes.within, all->classes.within, (size_t)all->packed * 8) == 0
                  && memcmp(both->low, all->low, (size_t)all->d * 8) == 0 && both->kept == all->kept
                  && both->block_count == 2,
              "an empty block counts");
        pen_stats_free(both), pen_stats_free(empty);
    }
    pen_stats_free(all);
    wine_blocks_free(b);
}

/* Blocks that are missing are named, when sets are merged or at the latest by a fit, unless their
 * number is given. */
static void test_missing_blocks(void **state)
{
    static const struct {
        int64_t ids[3], count, blocks;
        const char *merge, *fit; /* "": they succeed */
    } cases[] = {
        { { 0, 1, 2 }, 3, 0, "", "" },
        { { 0, 1, 2 }, 3, 3, "", "" },
        { { 0, 1, 2 }, 3, 5, "blocks 3 to 4 are missing", "" },
        { { 0, 1, 2 }, 3, 2, "blocks must be the number of blocks, 3, got 2", "" },
        { { 0, 7 }, 2, 0, "blocks 1 to 6 are missing", "" },
        { { 0, 7 },
          2,
          8,
          "blocks 1 to 6 are missing: blocks have the numbers 0, 1, 2, .., unless it is said how "
          "many there are",
          "" },
        { { 0, 7 }, 2, 2, "", "" },
        { { 0, 2, 5 }, 3, 0, "block 1 is missing, and 2 others", "" },
        { { 3, 4 }, 2, 0, "", "blocks 0 to 2 are missing" }, /* half of a tree */
        { { 1 }, 1, 0, "", "block 0 is missing" },
        { { 1 }, 1, 1, "", "" },
        { { INT64_MAX, 0 }, 2, 0, "blocks 1 to 9223372036854775806 are missing", "" },
        { { 0, 1 }, 2, -1, "blocks must be at least 0", "" },
    };
    wine_blocks *b = wine_blocks_new();
    pen_spec *const spec = spec_of("pca");

    (void)state;
    for (int64_t i = 0; i < COUNT_OF(cases); i++) {
        pen_stats *list[3], *out = NULL, *again = NULL;
        pen_model *model = NULL;
        pen_error err = { .message = "" };
        void *bytes;
        size_t size;
        for (int64_t j = 0; j < cases[i].count; j++)
            list[j] = stats_of("pca", &b->data, cases[i].ids[j]);
        const pen_status merged = pen_stats_merge((const pen_stats *const *)list, cases[i].count,
                                                  cases[i].blocks, NULL, &out, &err);
        CHECK((merged == PEN_OK) == !*cases[i].merge && strstr(err.message, cases[i].merge)
                  && (merged == PEN_OK) == (out != NULL),
              "case %lld: \"%s\", expected \"%s\"", (long long)i, err.message, cases[i].merge);
        if (merged == PEN_OK) { /* as it is after a file */
            bytes = bytes_of(out, &size);
            CHECK_OK(pen_stats_from_bytes(bytes, size, &again, &err), &err);
            const pen_status fit = pen_stats_fit(spec, again, NULL, NULL, &model, &err);
            CHECK((fit == PEN_OK) == !*cases[i].fit && strstr(err.message, cases[i].fit),
                  "case %lld: \"%s\", expected \"%s\"", (long long)i, err.message, cases[i].fit);
            pen_free(bytes);
        }
        pen_model_free(model), pen_stats_free(out), pen_stats_free(again);
        for (int64_t j = 0; j < cases[i].count; j++)
            pen_stats_free(list[j]);
    }
    pen_spec_free(spec);
    wine_blocks_free(b);
}

struct many {
    pen_stats **list;
    pen_stats *merged;
    int64_t count;
};

static void *merge_many(void *context)
{
    struct many *const m = context;
    m->merged = merge((const pen_stats *const *)m->list, m->count);
    return NULL;
}

/* Many blocks that do not follow the tree are merged on a small stack. */
static void test_many_blocks(void **state)
{
    enum { N = 10000, STACK = 1 << 18 };
    struct many m = { check_allocate(N, sizeof *m.list), NULL, N };
    pthread_attr_t small;
    pthread_t thread;
    double row[1];
    const pen_data data = { .x = pen_dense(row, PEN_F64, 1, 1, 1) };

    (void)state;
    for (int64_t i = 0; i < N; i++) {
        row[0] = (double)i;
        m.list[i] = stats_of("pca", &data, i);
    }
    row[0] = N;
    pen_stats *const last = stats_of("pca", &data, N);
    const pen_stats *const two[] = { m.list[0], last };
    pen_stats *const ends = merge_some(two, 2);
    pen_stats_free(last), pen_stats_free(m.list[0]);
    m.list[0] = ends;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, STACK);
    CHECK(pthread_create(&thread, &small, merge_many, &m) == 0, "no thread");
    pthread_join(thread, NULL);
    pthread_attr_destroy(&small);
    CHECK(strcmp(pen_stats_merges(m.merged), "free") == 0 && pen_stats_count(m.merged) == N + 1,
          "%s", pen_stats_merges(m.merged));
    CHECK_CLOSE(m.merged->mean[0], N / 2, 1e-15, 0);
    CHECK_CLOSE(m.merged->scatter[0], (double)N * (N + 1) * (N + 2) / 12, 1e-13, 0);
    for (int64_t i = 0; i < N; i++)
        pen_stats_free(m.list[i]);
    pen_stats_free(m.merged), free(m.list);
}

/* Names of classes are put together in the order of classifiers; numbers as numbers. */
static void test_class_names(void **state)
{
    static const char *const first[] = { "b", "a" }, *const second[] = { "c" },
                             *const tens[] = { "10", "9" };
    const double x[] = { 1, 2, 4, 8, 7, 6 };
    const int32_t of[] = { 0, 1, 0 }, one[] = { 0, 0, -1 };
    const pen_data ab = { .x = pen_dense(x, PEN_F64, 3, 2, 2),
                          .labels = of,
                          .class_names = first,
                          .class_count = 2 },
                   c = { .x = pen_dense(x, PEN_F64, 3, 2, 2),
                         .labels = one,
                         .class_names = second,
                         .class_count = 1 },
                   ten = { .x = pen_dense(x, PEN_F64, 3, 2, 2),
                           .labels = of,
                           .class_names = tens,
                           .class_count = 2 };
    pen_stats *p = stats_of("fda", &c, 0), *q = stats_of("fda", &ab, 1),
              *r = stats_of("fda", &ten, 2);
    const pen_stats *const letters[] = { p, q }, *const numbers[] = { r },
                           *const mixed[] = { q, r };

    (void)state;
    pen_stats *both = merge(letters, 2), *alone = merge(numbers, 1), *four = merge(mixed, 2);
    CHECK(both->class_count == 3 && strcmp(both->class_names[0], "a") == 0
              && strcmp(both->class_names[1], "b") == 0 && strcmp(both->class_names[2], "c") == 0,
          "%lld classes", (long long)both->class_count);
    CHECK(both->classes.rows[0] == 1 && both->classes.rows[1] == 2 && both->classes.rows[2] == 2,
          "their rows");
    const int32_t of_kept[] = { 2, 2, 1, 0, 1 };
    for (int i = 0; i < 5; i++)
        CHECK(both->row_class[i] == of_kept[i], "class of kept row %d: %d", i, both->row_class[i]);
    CHECK(strcmp(alone->class_names[0], "9") == 0, "first is %s", alone->class_names[0]);
    static const char *const by_bytes[] = { "10", "9", "a", "b" };
    static const int64_t rows[] = { 2, 1, 1, 2 };
    for (int i = 0; i < 4; i++)
        CHECK(four->class_count == 4 && strcmp(four->class_names[i], by_bytes[i]) == 0
                  && four->classes.rows[i] == rows[i],
              "class %d of numbers and words: %s", i, four->class_names[i]);
    pen_stats_free(p), pen_stats_free(q), pen_stats_free(r);
    pen_stats_free(both), pen_stats_free(alone), pen_stats_free(four);
}

/* Bytes, floats and doubles of the same values give the same sums. */
static void test_types(void **state)
{
    enum { N = 2000, D = 7 };
    pen_rng rng = check_rng(3);
    uint8_t *u = check_allocate(N * D, sizeof *u);
    float *f = check_allocate(N * D, sizeof *f);
    double *x = check_allocate(N * D, sizeof *x);

    (void)state;
    for (int i = 0; i < N * D; i++) {
        u[i] = (uint8_t)pen_rng_below(&rng, 256);
        f[i] = (float)u[i];
        x[i] = (double)u[i];
    }
    const pen_data data[] = { { .x = pen_dense(u, PEN_U8, N, D, D) },
                              { .x = pen_dense(f, PEN_F32, N, D, D) },
                              { .x = pen_dense(x, PEN_F64, N, D, D) } };
    pen_stats *s[3];
    for (int t = 0; t < 3; t++)
        s[t] = stats_of("pca", &data[t], 0);
    for (int t = 0; t < 2; t++)
        CHECK(distance(s[t]->scatter, s[2]->scatter, D) <= 1e-14, "type %d", t);
    for (int t = 0; t < 2; t++)
        CHECK(s[t]->block_digest[0] == s[2]->block_digest[0], "type %d: other rows", t);
    for (int t = 0; t < 3; t++)
        pen_stats_free(s[t]);
    free(u), free(f), free(x);
}

/* Sparse rows give what dense ones give. */
static void test_sparse(void **state)
{
    enum { N = 50, D = 6 };
    pen_rng rng = check_rng(6);
    double x[N * D] = { 0 }, values[N * D];
    int64_t starts[N + 1] = { 0 };
    int32_t columns[N * D], labels[N];

    (void)state;
    for (int i = 0; i < N; i++) {
        starts[i + 1] = starts[i];
        labels[i] = i % 5 < 2 ? i % 5 : -1;
        for (int j = 0; j < D; j++)
            if (pen_rng_below(&rng, 3) == 0) {
                x[i * D + j] = 3 + check_normal(&rng);
                columns[starts[i + 1]] = j;
                values[starts[i + 1]++] = x[i * D + j];
            }
    }
    const pen_data dense = { .x = pen_dense(x, PEN_F64, N, D, D), .labels = labels },
                   sparse = { .x = pen_csr(values, PEN_F64, starts, columns, N, D),
                              .labels = labels };
    static const char *const texts[] = { "fda", "fda row_steps=l2" };
    for (int t = 0; t < 2; t++) {
        pen_stats *p = stats_of(texts[t], &dense, 0), *q = stats_of(texts[t], &sparse, 0);
        CHECK(distance(p->scatter, q->scatter, D) <= 1e-14, "%s: scatter", texts[t]);
        CHECK(distance(p->classes.within, q->classes.within, D) <= 1e-13, "%s: within", texts[t]);
        CHECK(p->kept == q->kept
                  && memcmp(p->row_value, q->row_value, (size_t)(p->kept * D) * 8) == 0,
              "%s: rows", texts[t]);
        CHECK(memcmp(p->low, q->low, D * 8) == 0, "%s: low", texts[t]);
        CHECK(p->block_digest[0] == q->block_digest[0], "%s: other rows", texts[t]);
        pen_stats_free(p), pen_stats_free(q);
    }
}

static int64_t digest_of(const pen_array *x, int threads)
{
    const pen_control control = { .threads = threads };
    const pen_data data = { .x = *x };
    const pen_stats_block block = { .id = 0 };
    pen_spec *spec = spec_of("pca");
    pen_stats *s;
    pen_error err;

    CHECK_OK(pen_stats_new(spec, &data, &block, &control, &s, &err), &err);
    const int64_t digest = s->block_digest[0];
    pen_stats_free(s), pen_spec_free(spec);
    return digest;
}

/* Which rows a block has: their values in their order, in whatever way they lie in memory. */
static void test_digest(void **state)
{
    enum { N = 3000, D = 5 };
    pen_rng rng = check_rng(8);
    double *x = check_allocate(N * D, sizeof *x), *columns = check_allocate(N * D, sizeof *x),
           *back = check_allocate(N * D, sizeof *x);
    int64_t *starts = check_allocate(N + 1, sizeof *starts);
    int32_t *of = check_allocate(N * D, sizeof *of);

    (void)state;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < D; j++) {
            x[i * D + j] = (double)pen_rng_below(&rng, 3); /* few bits, and zeros */
            columns[j * N + i] = x[i * D + j];
            back[(N - 1 - i) * D + j] = x[i * D + j];
        }
    for (int e = 0; e < N * D; e++) { /* zeros have entries, too */
        starts[e / D + 1] = e + 1;
        of[e] = e % D;
    }
    const pen_array plain = pen_dense(x, PEN_F64, N, D, D),
                    sparse = pen_csr(x, PEN_F64, starts, of, N, D);
    pen_array by_columns = pen_dense(columns, PEN_F64, N, D, 1),
              reversed = pen_dense(back + (N - 1) * D, PEN_F64, N, D, -D);
    by_columns.step = N;
    reversed.step = 1;
    const int64_t digest = digest_of(&plain, 1);
    CHECK(digest == digest_of(&plain, 3), "threads");
    CHECK(digest == digest_of(&by_columns, 1) && digest == digest_of(&reversed, 1), "strides");
    CHECK(digest == digest_of(&sparse, 1), "entries that are 0");
    for (int e = 0; e < N * D; e++) /* each value counts, and its place */
        if (e % 997 == 0) {
            const double was = x[e];
            x[e] = was + 1;
            CHECK(digest != digest_of(&plain, 1), "value %d", e);
            x[e] = was;
        }
    for (int r = 0; r + 1 < N; r += 500) {
        double *const p = x + r * D, *const q = p + D, was[D];
        if (memcmp(p, q, sizeof was) == 0)
            continue;
        memcpy(was, p, sizeof was), memcpy(p, q, sizeof was), memcpy(q, was, sizeof was);
        CHECK(digest != digest_of(&plain, 1), "rows %d and %d change places", r, r + 1);
        memcpy(was, p, sizeof was), memcpy(p, q, sizeof was), memcpy(q, was, sizeof was);
    }
    for (int e = 0; e < N * D; e++)
        x[e] = x[e] == 0 ? -0.0 : x[e];
    CHECK(digest == digest_of(&plain, 1) && digest == digest_of(&sparse, 1), "-0");
    free(x), free(columns), free(back), free(starts), free(of);
}

/* The second pass over a block has the rows of the first, which only their number does not say;
 * and so have the objects that are merged. */
static void test_rows_of_passes(void **state)
{
    wine_blocks *b = wine_blocks_new();
    pen_spec *spec = spec_of("self scale=standard");
    pen_data half[2] = { b->data, b->data };
    pen_stats *s[2], *near[2], *out;
    pen_error err;

    (void)state;
    for (int j = 0; j < 2; j++) {
        half[j].x = pen_dense(b->w->x + j * (WINES / 2) * WINE_COLUMNS, PEN_F64, WINES / 2,
                              WINE_COLUMNS, WINE_COLUMNS);
        half[j].labels = b->labels + j * (WINES / 2);
        s[j] = stats_of("self", &half[j], j);
    }
    pen_stats *const turned[2] = { stats_of("self", &half[1], 0), stats_of("self", &half[0], 1) };
    pen_stats *all = merge((const pen_stats *const *)s, 2),
              *other = merge((const pen_stats *const *)turned, 2);
    CHECK_STATUS(pen_stats_nearest(spec, all, &half[1], 0, NULL, &out, &err), PEN_BAD_DATA,
                 "block 0 has other rows than in the first pass", &err);
    for (int j = 0; j < 2; j++)
        CHECK_OK(pen_stats_nearest(spec, all, &half[j], j, NULL, &near[j], &err), &err);
    const pen_stats *const whole[] = { all, near[1], near[0] };
    pen_stats *both = merge(whole, 3);
    const pen_stats *const again[] = { both, near[0], near[1] };
    CHECK_STATUS(pen_stats_merge(again, 3, 0, NULL, &out, &err), PEN_BAD_ARGUMENT,
                 "the statistics have nearest rows already", &err);
    pen_stats_free(both);
    const pen_stats *const mixed[] = { other, near[0], near[1] };
    CHECK_STATUS(pen_stats_merge(mixed, 3, 0, NULL, &out, &err), PEN_BAD_DATA,
                 "block 0 has other rows in one pass than in the other", &err);
    for (int j = 0; j < 2; j++)
        pen_stats_free(s[j]), pen_stats_free(near[j]), pen_stats_free(turned[j]);
    pen_stats_free(all), pen_stats_free(other), pen_spec_free(spec);
    wine_blocks_free(b);
}

/* Fewer rows than columns, and no row kept. */
static void test_few_rows(void **state)
{
    enum { N = 9, D = 20 };
    sample s = sample_new(N, D);
    pen_rng rng = check_rng(4);

    (void)state;
    for (int i = 0; i < N * D; i++)
        s.x[i] = check_normal(&rng);
    for (int i = 0; i < N; i++)
        s.y[i] = -1;
    const pen_data data = { .x = pen_dense(s.x, PEN_F64, N, D, D) };
    pen_stats *stats = stats_of("pca", &data, 0);
    pen_spec *spec = spec_of("pca");
    pen_model *model, *all = fit_data("pca", &data);
    pen_error err;
    CHECK(stats->kept == 0, "%lld rows kept", (long long)stats->kept);
    CHECK_OK(pen_stats_fit(spec, stats, NULL, NULL, &model, &err), &err);
    check_merged_model(model, all, "9 rows of 20 columns");
    pen_model_free(model), pen_model_free(all), pen_spec_free(spec), pen_stats_free(stats);
    sample_free(&s);
}

/* ---- errors ---- */

static void check_merge_fails(const pen_stats *a, const pen_stats *b, pen_status code,
                              const char *phrase)
{
    const pen_stats *const two[] = { b, a };
    pen_stats *out = (pen_stats *)(uintptr_t)two;
    pen_error err;

    CHECK_STATUS(pen_stats_merge(two, 2, 0, NULL, &out, &err), code, phrase, &err);
    CHECK(out == NULL, "out is set");
}

static void test_merge_errors(void **state)
{
    static const char *const features[] = { "a", "b" }, *const others[] = { "a", "c" };
    static const char *const names[] = { "x", "y" };
    const double x[] = { 1, 2, 4, 8, 7, 6 };
    const int32_t of[] = { 0, 1, 0 };
    const pen_data plain = { .x = pen_dense(x, PEN_F64, 3, 2, 2), .labels = of };
    pen_data wide = { .x = pen_dense(x, PEN_F64, 2, 3, 3) }, named = plain, other = plain,
             classes = plain;

    (void)state;
    named.column_names = features;
    other.column_names = others;
    classes.class_names = names;
    classes.class_count = 2;
    pen_stats *s = stats_of("fda", &plain, 0), *again = stats_of("fda", &plain, 0),
              *w = stats_of("fda", &wide, 4), *f = stats_of("fda", &named, 1),
              *g = stats_of("fda", &other, 2), *l2 = stats_of("fda row_steps=l2", &plain, 3),
              *log = stats_of("fda row_steps=total:10,log1p", &plain, 7),
              *p = stats_of("fda classifier=none", &plain, 5), *c = stats_of("fda", &classes, 6);
    check_merge_fails(s, again, PEN_BAD_ARGUMENT, "block 0 is in both: merged twice?");
    check_merge_fails(s, w, PEN_BAD_DATA, "block 4 has 3 columns, block 0 has 2");
    check_merge_fails(f, g, PEN_BAD_DATA, "column 1 is \"b\" in block 1, \"c\" in block 2");
    check_merge_fails(s, f, PEN_BAD_DATA, "block 1 has column names, block 0 has none");
    check_merge_fails(s, l2, PEN_BAD_ARGUMENT, "block 0 has row_steps \"\", block 3 has \"l2\"");
    check_merge_fails(s, log, PEN_BAD_ARGUMENT,
                      "block 0 has row_steps \"\", block 7 has \"total:10,log1p\"");
    check_merge_fails(s, p, PEN_BAD_ARGUMENT,
                      "block 0 has the parts total, classes, rows; block 5 has total, classes");
    check_merge_fails(s, c, PEN_BAD_DATA, "block 6 has class names, block 0 has numbers");
    pen_stats_free(s), pen_stats_free(again), pen_stats_free(w), pen_stats_free(f);
    pen_stats_free(g), pen_stats_free(l2), pen_stats_free(log);
    pen_stats_free(p), pen_stats_free(c);
}

static void check_fit_error(const char *text, const pen_stats *s, const pen_data *pairs,
                            pen_status code, const char *phrase)
{
    pen_spec *spec = spec_of(text);
    pen_model *model = NULL;
    pen_error err;

    CHECK_STATUS(pen_stats_fit(spec, s, pairs, NULL, &model, &err), code, phrase, &err);
    CHECK(model == NULL, "%s: a model", text);
    pen_spec_free(spec);
}

static void test_fit_errors(void **state)
{
    static const char *const of_all_rows[] = {
        "sda scale=standard",
        "stsd scale=standard",
        "self-mix gamma=0.2 scale=standard neighbors=5",
        "self-ilpp graph=mutual scale=standard neighbors=5",
        "self-ilpp scale=standard neighbors=5",
        "npssdr scale=standard neighbors=100",
        "npssdr form=ratio scale=standard",
    };
    static const char *const of_rows[] = { "lpp", "ilpp", "clpp", "soda", "sodrpac" };
    static const int64_t outside[] = { 1, 178 }, dropped[] = { 1, 2 }, contrary[] = { 50, 1 };
    const pen_data far = { .must_link = outside, .must_link_count = 1 },
                   gone = { .cannot_link = dropped, .cannot_link_count = 1 };
    wine_blocks *b = wine_blocks_new();
    pen_stats *s = wine_merged(b, "self"), *sums = wine_merged(b, "fda classifier=none"),
              *near = wine_merged_nearest(b, "self neighbors=5 scale=standard");
    pen_data both = b->pairs;

    (void)state;
    both.cannot_link = contrary;
    both.cannot_link_count = 1;
    check_fit_error("fme", s, NULL, PEN_BAD_ARGUMENT, "fme has no statistics smaller");
    check_fit_error("fda kernel=rbf", s, NULL, PEN_BAD_ARGUMENT, "kernel must be none");
    check_fit_error("self", s, NULL, PEN_BAD_ARGUMENT, "self needs nearest, the distances");
    check_fit_error("lfda scaling_rows=all", s, NULL, PEN_BAD_ARGUMENT, "lfda needs nearest");
    check_fit_error("self", near, NULL, PEN_BAD_ARGUMENT, "other values of scale or pca");
    check_fit_error("self scale=standard neighbors=6", near, NULL, PEN_BAD_ARGUMENT,
                    "neighbors must be at most 5");
    check_fit_error("self", sums, NULL, PEN_BAD_ARGUMENT, "self needs rows");
    check_fit_error("fda", sums, NULL, PEN_BAD_ARGUMENT, "classifier lda needs the labelled rows");
    check_fit_error("fda row_steps=l2", s, NULL, PEN_BAD_ARGUMENT,
                    "have row_steps \"\", the fit has \"l2\"");
    check_fit_error("fda row_steps=log1p", s, NULL, PEN_BAD_ARGUMENT,
                    "the statistics have row_steps \"\", the fit has \"log1p\"");
    for (int64_t i = 0; i < COUNT_OF(of_all_rows); i++)
        check_fit_error(of_all_rows[i], near, strncmp(of_all_rows[i], "np", 2) ? NULL : &b->pairs,
                        PEN_BAD_ARGUMENT, "looks at every row, not only at statistics of them");
    for (int64_t i = 0; i < COUNT_OF(of_rows); i++)
        check_fit_error(of_rows[i], s, NULL, PEN_BAD_ARGUMENT, "no statistics smaller");
    check_fit_error("self beta=1 classifier=self-training", s, NULL, PEN_BAD_ARGUMENT,
                    "self-training");
    check_fit_error("ssdr", s, &far, PEN_BAD_PAIR, "row must be in 0 .. 177, got 178");
    check_fit_error("ssdr", s, &gone, PEN_BAD_PAIR, "row 2 was not kept");
    check_fit_error("ssdr", s, &both, PEN_CONTRADICTION, "rows 1 and 50 must link and cannot");
    check_fit_error("ssdr pair_weights=agreement", s, NULL, PEN_BAD_ARGUMENT,
                    "weights by agreement need the neighbors of all rows");
    check_fit_error("pca", s, &b->pairs, PEN_BAD_ARGUMENT, "pca does not learn from pairs");
    pen_stats_free(s), pen_stats_free(sums), pen_stats_free(near);
    for (int r = 0; r < WINES; r++)
        b->labels[r] = -1;
    s = wine_merged(b, "fda");
    check_fit_error("fda", s, NULL, PEN_NO_LABELS, "all 178 rows are unlabelled");
    pen_stats_free(s);
    b->labels[3] = 1;
    s = wine_merged(b, "fda");
    check_fit_error("fda", s, NULL, PEN_ONE_CLASS, "at least 2 classes");
    pen_stats_free(s);
    wine_blocks_free(b);
}

static void test_new_errors(void **state)
{
    double x[] = { 1, 2, 4, (double)NAN, 7, 6 };
    const int64_t far[] = { 3 }, chunks[] = { -2, 0, 0 };
    pen_data data = { .x = pen_dense(x, PEN_F64, 3, 2, 2) };
    pen_spec *spec = spec_of("fda"), *median = spec_of("fda row_steps=total:median"),
             *idf = spec_of("fda row_steps=idf"), *select = spec_of("fda row_steps=select:1"),
             *steps = spec_of("fda row_steps=log1p"), *kernel = spec_of("fda kernel=rbf");
    const pen_stats_block plain = { .id = 7 }, below = { .id = -1 },
                          keep = { .id = 1, .keep = far, .keep_count = 1 },
                          chunked = { .id = 1, .chunks = chunks },
                          parts = { .parts = PEN_PART_ROWS };
    pen_stats *s;
    pen_error err;

    (void)state;
    CHECK_STATUS(pen_stats_new(spec, &data, &plain, NULL, &s, &err), PEN_NOT_FINITE,
                 "got NaN at row 1, column 1 (counted from 0); block 7", &err);
    x[3] = 1;
    CHECK_STATUS(pen_stats_new(spec, &data, &below, NULL, &s, &err), PEN_BAD_ARGUMENT, "id", &err);
    CHECK_STATUS(pen_stats_new(spec, &data, &keep, NULL, &s, &err), PEN_BAD_ARGUMENT,
                 "in 0 .. 2, got 3", &err);
    CHECK_STATUS(pen_stats_new(spec, &data, &chunked, NULL, &s, &err), PEN_BAD_ARGUMENT, "a chunk",
                 &err);
    CHECK_STATUS(pen_stats_new(spec, &data, &parts, NULL, &s, &err), PEN_BAD_ARGUMENT, "parts",
                 &err);
    CHECK_STATUS(pen_stats_new(median, &data, &plain, NULL, &s, &err), PEN_BAD_ARGUMENT,
                 "total:median is learned from all rows", &err);
    CHECK_STATUS(pen_stats_new(idf, &data, &plain, NULL, &s, &err), PEN_BAD_ARGUMENT,
                 "idf is learned from all rows", &err);
    CHECK_STATUS(pen_stats_new(select, &data, &plain, NULL, &s, &err), PEN_BAD_ARGUMENT,
                 "select is learned from all rows", &err);
    x[3] = -2;
    CHECK_STATUS(pen_stats_new(steps, &data, &plain, NULL, &s, &err), PEN_BAD_DATA,
                 "row 1, column 1", &err);
    x[3] = 1;
    CHECK_STATUS(pen_stats_new(kernel, &data, &plain, NULL, &s, &err), PEN_BAD_ARGUMENT, "a kernel",
                 &err);
    CHECK_STATUS(pen_stats_merge(NULL, 1, 0, NULL, &s, &err), PEN_BAD_ARGUMENT, "list", &err);
    pen_spec_free(median), pen_spec_free(idf), pen_spec_free(select);
    pen_spec_free(spec), pen_spec_free(steps), pen_spec_free(kernel);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published_sums),
        cmocka_unit_test(test_rows_and_extremes),
        cmocka_unit_test(test_published_distances),
        cmocka_unit_test(test_offsets),
        cmocka_unit_test(test_fits),
        cmocka_unit_test(test_classifiers),
        cmocka_unit_test(test_classes_without_rows),
        cmocka_unit_test(test_canonical_bits),
        cmocka_unit_test(test_chunks_without_rows),
        cmocka_unit_test(test_free_order),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_empty_block),
        cmocka_unit_test(test_many_blocks),
        cmocka_unit_test(test_missing_blocks),
        cmocka_unit_test(test_class_names),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_sparse),
        cmocka_unit_test(test_digest),
        cmocka_unit_test(test_rows_of_passes),
        cmocka_unit_test(test_few_rows),
        cmocka_unit_test(test_merge_errors),
        cmocka_unit_test(test_fit_errors),
        cmocka_unit_test(test_new_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
