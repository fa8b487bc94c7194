/* test_stats.c - statistics of blocks: published numbers, fits equal to those of all rows, bits,
 * and errors. */
#include "check.h"
#include "kit/check_fit.h"
#include "kit/text_list.h"
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

static pen_stats *stats_on(const char *text, const pen_data *data, int64_t id, int threads)
{
    const pen_stats_block block = { .id = id };
    const pen_control control = { .threads = threads };
    pen_spec *spec = spec_of(text);
    pen_stats *s;
    pen_error err;

    CHECK_OK(pen_stats_new(spec, data, &block, &control, &s, &err), &err);
    return keep_stats(s);
}

static pen_stats *stats_of(const char *text, const pen_data *data, int64_t id)
{
    return stats_on(text, data, id, 0);
}

/* ---- the object ---- */

TEST(published_sums)
{
    wine_blocks *b = wine_blocks_new();
    pen_stats *s = wine_merged(b, "fda");
    int64_t labelled = 0;

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
}

/* The kept rows equal the file's, and columns have their minimum and maximum. */
TEST(rows_and_extremes)
{
    wine_blocks *b = wine_blocks_new();
    pen_stats *s = wine_merged(b, "self");

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
}

TEST(published_distances)
{
    const double sigma[] = { 2.43015866176, 2.01829440687, 1.8663153719 };
    wine_blocks *b = wine_blocks_new();
    pen_stats *s = wine_merged_nearest(b, "self neighbors=7 scale=standard");

    CHECK(s->near == 7 && s->near_rows == 30, "%lld of %lld", (long long)s->near,
          (long long)s->near_rows);
    for (int i = 0; i < 3; i++)
        CHECK_CLOSE(sqrt(s->near_distance2[i * 7 + 6]), sigma[i], 1e-11, 0);
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
}

static double distance(const double *a, const double *b, int64_t d)
{
    double *difference = check_allocate(d * (d + 1) / 2, sizeof *difference);

    for (int64_t i = 0; i < d * (d + 1) / 2; i++)
        difference[i] = a[i] - b[i];
    const double found = norm(difference, d) / norm(b, d);
    return found;
}

/* Columns far from 0 keep the digits of their squares. */
TEST(offsets)
{
    const double offsets[] = { 0, 1e4, 1e6, 1e8 }, errors[] = { 9.1e-16, 7.7e-13, 7.0e-11, 8.6e-9 };
    wine_blocks *b = wine_blocks_new();
    double exact[WINE_COLUMNS * (WINE_COLUMNS + 1) / 2];

    for (int o = 0; o < 4; o++) {
        for (int i = 0; i < WINES * WINE_COLUMNS; i++)
            b->w->x[i] = b->w->z[i] + offsets[o];
        exact_scatter(b->w->x, WINES, WINE_COLUMNS, exact);
        pen_stats *s = wine_merged(b, "pca");
        const double found = distance(s->scatter, exact, WINE_COLUMNS);
        CHECK(found <= 4 * errors[o], "offset %g: %g", offsets[o], found);
    }
}

/* ---- fits ---- */

/* Kinds of statistics; few labels: one per class; NO_ROWS: class sums only; CHUNKS: instead of
 * must-links, without their rows. */
enum { LABELS = 1, PAIRS = 2, NEAREST = 4, FEW = 8, NO_ROWS = 16, CHUNKS = 32 };

static const struct fit {
    const char *text; /* in fits: a text_list */
    int of;
    double values[3]; /* eigenvalues */
} fits[] = {
    { "pca scale=standard", .of = LABELS,
      .values = { 837.64134954, 444.461322571, 257.400815971 } },
    { "fda scale=standard", .of = LABELS, .values = { 25.1694414978, 6.86043682564 } },
    { "lfda ridge=0.01 scale=standard", .of = LABELS, .values = { 55.5005275798, 16.9288164059 } },
    { "lfda scaling_rows=all ridge=0.01 scale=standard", .of = LABELS | NEAREST,
      .values = { 152.833427477, 45.4330225301 } },
    { "self total=covariance scale=standard", .of = LABELS | NEAREST,
      .values = { 59.870314875, 24.9082343372 } },
    { "ssdr scale=standard", .of = LABELS | PAIRS,
      .values = { 5.5739394668, -0.842060887139, -2.35804125253 } },
    { "rca ridge=0.01 scale=standard", .of = PAIRS,
      .values = { 338.95817685, 156.352095385, 115.54779535 } },
    { "rca ridge=0.01 classifier=none scale=standard", .of = CHUNKS, .values = { 338.95817685 } },
    { "self beta=1; self-mix beta=1 gamma=0; lfda scaling_rows=labelled affinity=heat "
      "scale=standard; lfda scaling_rows=all affinity=one; self affinity=one; self affinity=heat "
      "heat=2; lfda scale=standard pca=6 row_steps=l2; fda ridge=0.1 pca=0.9 scale=standard; sda "
      "alpha=0 scale=standard; stsd alpha=0 scale=standard; lol scale=standard; pca pca=rank "
      "scale=minmax row_steps=l2; fda row_steps=total:100,log1p ridge=0.1; lfda row_steps=log1p "
      "scale=standard pca=6; pca row_steps=total:3,l2; fda row_steps=snv,derivative:3 ridge=0.1; "
      "self beta=1 dim=3 scale=standard classifier=nearest; self beta=1 dim=3 scale=standard "
      "classifier=neighbors; self beta=1 dim=3 scale=standard classifier=means; self beta=1 dim=2 "
      "scale=standard classifier=logistic; self beta=1 dim=2 scale=standard classifier=lda",
      .of = LABELS },
    { "self beta=0.3 scale=minmax pca=5; self beta=auto ridge=auto scale=standard; self-mix "
      "beta=0.3 scale=standard pca=0.99; self beta=1 beta_within=0.5; self beta=0.5 beta_within=1; "
      "self affinity=heat; self affinity=knn classifier=none; self-ilpp beta=0 scale=standard",
      .of = LABELS | NEAREST },
    { "ssdr dim=2 closure=true scale=standard; npssdr dim=2 form=ratio beta=0 ridge=0.1; cmm "
      "scale=standard; bwdr scale=standard; wbdr scale=standard; npssdr mu=0 scale=standard; cfld "
      "total_rows=all scale=standard; rca ridge=auto total_rows=chunk pca=8",
      .of = LABELS | PAIRS },
    { "cmm scale=standard pca=7; cfld scale=standard", .of = PAIRS },
    { "self beta=1 dim=3 scale=standard classifier=nearest; self beta=1 dim=3 scale=standard "
      "classifier=neighbors; self beta=1 dim=3 scale=standard classifier=means; self beta=1 dim=2 "
      "scale=standard classifier=logistic; self beta=1 dim=2 scale=standard classifier=lda",
      .of = FEW },
    { "fda ridge=0 classifier=none scale=standard; fda ridge=0.5 classifier=none pca=6; sda "
      "alpha=0 classifier=none scale=standard; stsd alpha=0 classifier=none pca=6; lol "
      "classifier=none scale=standard",
      .of = LABELS | NO_ROWS },
    { "rca ridge=0.1 total_rows=chunk classifier=none pca=6; cfld classifier=none scale=standard; "
      "cfld total_rows=all classifier=none pca=5 scale=standard",
      .of = CHUNKS },
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
}

/* A fit succeeds with the passes that pen_spec_passes reports, and fails with fewer. */
static pen_model *fit_merged(const wine_blocks *b, const struct fit *f, pen_stats *s)
{
    pen_spec *spec = spec_of(f->text);
    const int passes = pen_spec_passes(spec);
    pen_model *model;
    pen_error err;

    CHECK(!(f->of & CHUNKS) == (passes == s->parts), "%s: passes %d, parts %d", f->text, passes,
          s->parts);
    CHECK(!(passes & PEN_PART_NEAREST) == !(f->of & NEAREST), "%s: passes %d", f->text, passes);
    if (f->of & NEAREST) {
        pen_stats *const less = wine_merged(b, f->text);
        CHECK_STATUS(pen_stats_fit(spec, less, NULL, NULL, &model, &err), PEN_BAD_ARGUMENT,
                     "needs nearest", &err);
    }
    CHECK_OK(pen_stats_fit(spec, s, f->of & PAIRS ? &b->pairs : NULL, NULL, &model, &err), &err);
    return model;
}

/* The fit of the rows, with priors of the labels: statistics have no unlabelled rows to count. */
static pen_model *fit_rows(const char *text, const pen_data *data)
{
    const int weighs = !strstr(text, "classifier=n") && !strstr(text, "classifier=means");
    char whole[160];

    snprintf(whole, sizeof whole, "%s%s", text, weighs ? " prior=labels" : "");
    return fit_data(whole, data);
}

/* The labels of the wines for statistics of these parts. */
static void label(wine_blocks *b, int of)
{
    wine_labels(b->w, 6, b->labels);
    for (int r = 0; r < WINES; r++)
        if (of & FEW)
            b->labels[r] = r == 0 || r == 70 || r == 177 ? b->w->classes[r] : -1;
        else if (!(of & LABELS))
            b->labels[r] = -1;
}

/* The warnings of sums without rows. */
static void check_sums_alone(const struct fit *f, const pen_stats *s, const pen_model *model)
{
    const int parts = PEN_PART_TOTAL | (f->of & CHUNKS ? PEN_PART_CHUNKS : PEN_PART_CLASSES);

    CHECK(s->parts == parts && s->kept == 0, "%s: parts %d", f->text, s->parts);
    if (f->of & CHUNKS) {
        assert_true(model_number(model, "info.chunklets") == 6);
        CHECK_CLOSE(trace(s->chunks.within, s->d) / 14, 14433.0941178, 1e-11, 0);
    } else
        assert_true(pen_model_class_count(model) == 3
                    && strcmp(pen_model_class_name(model, 2), "2") == 0);
}

static void check_blocks_fit(wine_blocks *b, const struct fit *f)
{
    label(b, f->of);
    pen_data data = wine_blocks_data(b, f->of & (LABELS | FEW), f->of & (PAIRS | CHUNKS));
    data.cannot_link_count = f->of & CHUNKS ? 0 : data.cannot_link_count;
    pen_model *all = fit_rows(f->text, &data);
    pen_stats *s = f->of & NEAREST  ? wine_merged_nearest(b, f->text)
                   : f->of & CHUNKS ? wine_merged_chunks(b, f->text)
                                    : wine_merged(b, f->text);
    pen_model *model = fit_merged(b, f, s);
    check_merged_model(model, all, f->text);
    check_same_classes(model, all, &data, f->text);
    if (f->of & (NO_ROWS | CHUNKS))
        check_sums_alone(f, s, model);
    for (int c = 0; c < 3 && f->values[c] != 0; c++)
        CHECK_CLOSE(pen_model_tensor(model, "eigenvalues").values[c], f->values[c], 1e-10, 0);
    const char *const merges = model_text(model, "info.merges");
    CHECK(merges && strcmp(merges, "canonical") == 0, "%s: info merges", f->text);
    pen_model_free(model);
}

TEST(all_fits)
{
    wine_blocks *b = wine_blocks_new();

    for (int64_t i = 0; i < COUNT_OF(fits); i++) {
        const text_list texts = text_list_of(fits[i].text);
        struct fit one = fits[i];
        for (int64_t t = 0; t < texts.count; t++) {
            one.text = texts.text[t];
            check_blocks_fit(b, &one);
        }
    }
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

static pen_stats *merge_of(const pen_stats *const *list, int64_t count, int64_t blocks)
{
    pen_stats *out;
    pen_error err;

    CHECK_OK(pen_stats_merge(list, count, blocks, NULL, &out, &err), &err);
    return keep_stats(out);
}

static pen_stats *merge(pen_stats *const *list, int64_t count)
{
    return merge_of((const pen_stats *const *)list, count, 0);
}

/* With missing blocks between others, declared by the caller. */
static pen_stats *merge_two(const pen_stats *a, const pen_stats *b)
{
    return merge_of((const pen_stats *const[]){ a, b }, 2, a->block_count + b->block_count);
}

static void check_merges(const pen_stats *s, const char *right)
{
    CHECK(strcmp(pen_stats_merges(s), right) == 0, "%s", pen_stats_merges(s));
}

/* In any order, and with subtrees merged first by workers. */
TEST(canonical_bits)
{
    /* subtrees: 8 | 2; 4 | 4 | 2; and 2 | 6 | 2, which are not subtrees */
    static const int ends[][3] = { { 8, 10, 10 }, { 4, 8, 10 }, { 2, 8, 10 } };
    wine_blocks *b = wine_blocks_new();
    pen_rng rng = check_rng(1);
    pen_stats *list[WINE_BLOCKS], *shuffled[WINE_BLOCKS], *all = wine_merged(b, "fda"), *merged;
    int64_t order[WINE_BLOCKS];

    for (int j = 0; j < WINE_BLOCKS; j++)
        list[j] = wine_block_stats(b, "fda", j);
    for (int again = 0; again < 20; again++) {
        pen_rng_permutation(&rng, WINE_BLOCKS, order);
        for (int j = 0; j < WINE_BLOCKS; j++)
            shuffled[j] = list[order[j]];
        merged = merge(shuffled, WINE_BLOCKS);
        check_same_bytes(all, merged, "shuffled");
    }
    for (int64_t e = 0; e < COUNT_OF(ends); e++) {
        pen_stats *part[3] = { NULL };
        int parts = 0;
        for (int from = 0; from < WINE_BLOCKS; from = ends[e][parts++])
            part[parts] = merge(list + from, ends[e][parts] - from);
        pen_stats *const first = part[0];
        part[0] = part[parts - 1];
        part[parts - 1] = first;
        merged = merge(part, parts);
        if (e < 2)
            check_same_bytes(all, merged, "subtrees");
        else
            check_merges(merged, "free");
    }
    /* 0 2 | 1 3 has the sizes of a tree, but is not one */
    pen_stats *part[] = { merge_two(list[0], list[2]), merge_two(list[1], list[3]) };
    merged = merge(part, 2);
    check_merges(merged, "free");
}

/* Sequentially: the same lists, and sums within the bound of rounding. */
TEST(any_merge_order)
{
    wine_blocks *b = wine_blocks_new();
    pen_rng rng = check_rng(2);
    pen_stats *all = wine_merged(b, "fda");
    double most = 0;

    for (int64_t j = 0; j < all->d; j++)
        most = fmax(most, fabs(all->mean[j]) / sqrt(all->scatter[j * (j + 3) / 2] / WINES));
    for (int again = 0; again < 10; again++) {
        int64_t order[WINE_BLOCKS];
        pen_rng_permutation(&rng, WINE_BLOCKS, order);
        pen_stats *sum = wine_block_stats(b, "fda", (int)order[0]);
        for (int j = 1; j < WINE_BLOCKS; j++) {
            pen_stats *const next = wine_block_stats(b, "fda", (int)order[j]);
            pen_stats *const both = merge_two(sum, next);
            sum = both;
        }
        const double off = distance(sum->scatter, all->scatter, all->d);
        CHECK(off <= 0x1p-52 * (16 + 8 * most), "off by %g", off);
        CHECK(memcmp(sum->row_value, all->row_value, (size_t)(all->kept * all->d) * 8) == 0
                  && memcmp(sum->row_id, all->row_id, (size_t)all->kept * 16) == 0
                  && memcmp(sum->blocks, all->blocks, sizeof(int64_t) * 3 * WINE_BLOCKS) == 0
                  && memcmp(sum->low, all->low, (size_t)all->d * 8) == 0,
              "lists depend on the order");
    }
}

/* ---- unusual blocks ---- */

/* A block without rows changes only the list of blocks. */
TEST(empty_block)
{
    wine_blocks *b = wine_blocks_new();
    const pen_data none = { .x = pen_dense(NULL, PEN_F64, 0, WINE_COLUMNS, WINE_COLUMNS) };
    pen_stats *all = stats_of("fda", &b->data, 5);

    for (int64_t id = 3; id < 9; id += 4) {
        pen_stats *empty = stats_of("fda", &none, id);
        pen_stats *both = merge_two(all, empty);
        CHECK(memcmp(both->scatter, all->scatter, (size_t)all->packed * 8) == 0
                  && memcmp(both->mean, all->mean, (size_t)all->d * 8) == 0
                  && memcmp(both->classes.within, all->classes.within, (size_t)all->packed * 8) == 0
                  && memcmp(both->low, all->low, (size_t)all->d * 8) == 0 && both->kept == all->kept
                  && both->block_count == 2,
              "an empty block counts");
    }
}

/* Missing blocks are named when sets are merged, at the latest by a fit, unless their number is
 * given. */
TEST(missing_blocks)
{
    static const struct {
        int64_t ids[3], count, blocks;
        const char *merge, *fit; /* "": success */
    } cases[] = {
        { { 0, 1, 2 }, 3, 0, "", "" },
        { { 0, 1, 2 }, 3, 3, "", "" },
        { { 0, 1, 2 }, 3, 5, "blocks 3 to 4 are missing", "" },
        { { 0, 1, 2 }, 3, 2, "blocks must be the number of blocks, 3, got 2", "" },
        { { 0, 7 }, 2, 0, "blocks 1 to 6 are missing", "" },
        { { 0, 7 }, 2, 8, "are missing: blocks must be numbered 0, 1, 2, .., unless", "" },
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
            keep_stats(out), keep_stats(again);
            const pen_status fit = pen_stats_fit(spec, again, NULL, NULL, &model, &err);
            CHECK((fit == PEN_OK) == !*cases[i].fit && strstr(err.message, cases[i].fit),
                  "case %lld: \"%s\", expected \"%s\"", (long long)i, err.message, cases[i].fit);
            pen_free(bytes);
        }
        pen_model_free(model);
    }
}

struct many {
    pen_stats **list;
    pen_stats *merged;
    int64_t count;
};

static void *merge_many(void *context)
{
    struct many *const m = context;
    m->merged = merge(m->list, m->count);
    return NULL;
}

/* Many blocks outside the tree are merged with a small stack. */
TEST(many_blocks)
{
    enum { N = 10000, STACK = 1 << 18 };
    struct many m = { check_allocate(N, sizeof *m.list), NULL, N };
    pthread_attr_t small;
    pthread_t thread;
    double row[1];
    const pen_data data = { .x = pen_dense(row, PEN_F64, 1, 1, 1) };

    for (int64_t i = 0; i < N; i++) {
        row[0] = (double)i;
        m.list[i] = stats_of("pca", &data, i);
    }
    row[0] = N;
    pen_stats *const last = stats_of("pca", &data, N);
    pen_stats *const ends = merge_two(m.list[0], last);
    m.list[0] = ends;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, STACK);
    CHECK(pthread_create(&thread, &small, merge_many, &m) == 0, "no thread");
    pthread_join(thread, NULL);
    pthread_attr_destroy(&small);
    check_merges(m.merged, "free");
    assert_int_equal(pen_stats_count(m.merged), N + 1);
    CHECK_CLOSE(m.merged->mean[0], N / 2, 1e-15, 0);
    CHECK_CLOSE(m.merged->scatter[0], (double)N * (N + 1) * (N + 2) / 12, 1e-13, 0);
}

/* The classes of s in order, the rows of each, and the classes of the kept rows. */
static void check_classes(const pen_stats *s, const char *right)
{
    char text[100] = "";

    for (int64_t c = 0; c < s->class_count; c++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s:%d ", s->class_names[c],
                 (int)s->classes.rows[c]);
    for (int64_t i = 0; i < s->kept; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), " %d", (int)s->row_class[i]);
    CHECK(strcmp(text, right) == 0, "\"%s\", not \"%s\"", text, right);
}

/* Class names are merged in the order of reading; numbers as numbers. */
TEST(class_names)
{
    static const char *const names[][2] = { { "c", "" }, { "b", "a" }, { "10", "9" } };
    static const double x[] = { 1, 2, 4, 8, 7, 6 };
    static const int32_t of[] = { 0, 1, 0 }, one[] = { 0, 0, -1 };
    pen_stats *s[3];

    for (int i = 0; i < 3; i++) {
        const pen_data data = { .x = pen_dense(x, PEN_F64, 3, 2, 2),
                                .labels = i ? of : one,
                                .class_names = names[i],
                                .class_count = i ? 2 : 1 };
        s[i] = stats_of("fda", &data, i);
    }
    pen_stats *const merged[] = { merge(s, 2), merge(s + 2, 1), merge_two(s[1], s[2]) };
    check_classes(merged[0], "a:1 b:2 c:2  2 2 1 0 1");
    check_classes(merged[1], "9:1 10:2  1 0 1");
    check_classes(merged[2], "10:2 9:1 a:1 b:2  3 2 3 0 1 0");
}

/* ---- memory layouts ---- */

enum { ROWS = 2000, COLUMNS = 5, ALL = ROWS * COLUMNS };

/* Bytes with zeros, as other types, column-major, reversed, and sparse with all entries or some. */
struct lying {
    uint8_t u[ALL];
    float f[ALL];
    double x[ALL], columns[ALL], back[ALL], values[ALL];
    int64_t starts[2][ROWS + 1];
    int32_t of[2][ALL], labels[ROWS];
    pen_array ways[7];
};

static struct lying *lying_rows(void)
{
    struct lying *const l = check_allocate(1, sizeof *l);
    pen_rng rng = check_rng(3);

    for (int e = 0; e < ALL; e++) {
        const int i = e / COLUMNS, j = e % COLUMNS;
        l->u[e] = (uint8_t)(pen_rng_below(&rng, 3) ? pen_rng_below(&rng, 256) : 0);
        l->x[e] = l->columns[j * ROWS + i] = l->back[(ROWS - 1 - i) * COLUMNS + j] = l->u[e];
        l->f[e] = (float)l->u[e];
        l->labels[i] = i % 5 < 2 ? i % 5 : -1;
        l->of[0][e] = j;
        l->starts[0][i + 1] = e + 1;
        l->starts[1][i + 1] += j ? 0 : l->starts[1][i];
        if (l->u[e]) {
            l->of[1][l->starts[1][i + 1]] = j;
            l->values[l->starts[1][i + 1]++] = l->x[e];
        }
    }
    const pen_array ways[] = {
        pen_dense(l->x, PEN_F64, ROWS, COLUMNS, COLUMNS),
        pen_dense(l->f, PEN_F32, ROWS, COLUMNS, COLUMNS),
        pen_dense(l->u, PEN_U8, ROWS, COLUMNS, COLUMNS),
        pen_dense(l->columns, PEN_F64, ROWS, COLUMNS, 1),
        pen_dense(l->back + (ROWS - 1) * COLUMNS, PEN_F64, ROWS, COLUMNS, -COLUMNS),
        pen_csr(l->x, PEN_F64, l->starts[0], l->of[0], ROWS, COLUMNS),
        pen_csr(l->values, PEN_F64, l->starts[1], l->of[1], ROWS, COLUMNS),
    };
    memcpy(l->ways, ways, sizeof ways);
    l->ways[3].step = ROWS;
    l->ways[4].step = 1;
    return l;
}

TEST(memory_layouts)
{
    static const char *const texts[] = { "fda", "fda row_steps=l2" };
    struct lying *const l = lying_rows();

    for (int t = 0; t < 2; t++) {
        pen_data data = { .x = l->ways[0], .labels = l->labels };
        pen_stats *const p = stats_on(texts[t], &data, 0, 1);
        for (int64_t w = 0; w < COUNT_OF(l->ways); w++) {
            data.x = l->ways[w];
            pen_stats *const q = stats_on(texts[t], &data, 0, 3);
            CHECK(distance(p->scatter, q->scatter, COLUMNS) <= 1e-14
                      && distance(p->classes.within, q->classes.within, COLUMNS) <= 1e-13,
                  "%s, way %d: scatters", texts[t], (int)w);
            CHECK(p->kept == q->kept
                      && memcmp(p->row_value, q->row_value, (size_t)(p->kept * COLUMNS) * 8) == 0
                      && memcmp(p->low, q->low, COLUMNS * 8) == 0
                      && p->block_digest[0] == q->block_digest[0],
                  "%s, way %d: rows", texts[t], (int)w);
            if (w == 0)
                check_same_bytes(p, q, "threads");
        }
    }
}

static int64_t digest_of(const pen_array *x)
{
    const pen_data data = { .x = *x };
    pen_stats *const s = stats_of("pca", &data, 0);
    const int64_t digest = s->block_digest[0];

    return digest;
}

static void swap_rows(double *p, double *q)
{
    double kept[COLUMNS];

    memcpy(kept, p, sizeof kept), memcpy(p, q, sizeof kept), memcpy(q, kept, sizeof kept);
}

/* Digests of blocks: their values in order; 0 has no sign. */
TEST(digest)
{
    struct lying *const l = lying_rows();
    const int64_t digest = digest_of(&l->ways[0]);

    for (int e = 0; e < ALL; e += 997) {
        l->x[e]++;
        CHECK(digest != digest_of(&l->ways[0]), "value %d", e);
        l->x[e]--;
    }
    for (int r = 0; r + 1 < ROWS; r += 500) {
        double *const p = l->x + r * COLUMNS;
        if (memcmp(p, p + COLUMNS, COLUMNS * sizeof *p) == 0)
            continue;
        swap_rows(p, p + COLUMNS);
        CHECK(digest != digest_of(&l->ways[0]), "rows %d and %d exchanged", r, r + 1);
        swap_rows(p, p + COLUMNS);
    }
    for (int e = 0; e < ALL; e++)
        l->x[e] = l->x[e] == 0 ? -0.0 : l->x[e];
    CHECK(digest == digest_of(&l->ways[0]) && digest == digest_of(&l->ways[5]), "-0");
}

/* The second pass over a block must have the rows of the first one, checked beyond their number; so
 * must objects to merge. */
TEST(passes_over_the_same_rows)
{
    wine_blocks *b = wine_blocks_new();
    pen_spec *spec = spec_of("self scale=standard");
    pen_data half[2] = { b->data, b->data };
    pen_stats *s[2], *near[2], *out;
    pen_error err;

    for (int j = 0; j < 2; j++) {
        half[j].x = pen_dense(b->w->x + j * (WINES / 2) * WINE_COLUMNS, PEN_F64, WINES / 2,
                              WINE_COLUMNS, WINE_COLUMNS);
        half[j].labels = b->labels + j * (WINES / 2);
        s[j] = stats_of("self", &half[j], j);
    }
    pen_stats *const turned[2] = { stats_of("self", &half[1], 0), stats_of("self", &half[0], 1) };
    pen_stats *all = merge(s, 2), *other = merge(turned, 2);
    CHECK_STATUS(pen_stats_nearest(spec, all, &half[1], 0, NULL, &out, &err), PEN_BAD_DATA,
                 "block 0 has different rows than in the first pass", &err);
    for (int j = 0; j < 2; j++) {
        CHECK_OK(pen_stats_nearest(spec, all, &half[j], j, NULL, &near[j], &err), &err);
        keep_stats(near[j]);
    }
    pen_stats *const whole[] = { all, near[1], near[0] };
    pen_stats *both = merge(whole, 3);
    const pen_stats *const again[] = { both, near[0], near[1] };
    CHECK_STATUS(pen_stats_merge(again, 3, 0, NULL, &out, &err), PEN_BAD_ARGUMENT,
                 "the statistics already have nearest rows", &err);
    const pen_stats *const mixed[] = { other, near[0], near[1] };
    CHECK_STATUS(pen_stats_merge(mixed, 3, 0, NULL, &out, &err), PEN_BAD_DATA,
                 "block 0 has different rows in the two passes", &err);
}

/* Fewer rows than columns, and no kept rows. */
TEST(few_rows)
{
    wine_blocks *b = wine_blocks_new();
    const pen_data data = { .x = pen_dense(b->w->z, PEN_F64, 9, WINE_COLUMNS, WINE_COLUMNS) };
    const struct fit f = { .text = "pca" };
    pen_stats *stats = stats_of("pca", &data, 0);
    pen_model *all = fit_data("pca", &data), *model = fit_merged(b, &f, stats);

    CHECK(stats->kept == 0, "%lld rows kept", (long long)stats->kept);
    check_merged_model(model, all, "9 rows of 13 columns");
    pen_model_free(model);
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

TEST(merge_errors)
{
    static const char *const features[] = { "a", "b" }, *const others[] = { "a", "c" };
    static const char *const names[] = { "x", "y" };
    static const double x[] = { 1, 2, 4, 8, 7, 6 };
    static const int32_t of[] = { 0, 1, 0 };
    const pen_data plain = { .x = pen_dense(x, PEN_F64, 3, 2, 2), .labels = of };
    pen_data named = plain, other = plain, classes = plain,
             wide = { .x = pen_dense(x, PEN_F64, 2, 3, 3) };
    const struct {
        const pen_data *data;
        const char *text;
        int64_t id;
        pen_status code;
        const char *phrase;
    } cases[] = {
        { &plain, "fda", 0, PEN_BAD_ARGUMENT, "block 0 is in both: merged twice?" },
        { &wide, "fda", 4, PEN_BAD_DATA, "block 4 has 3 columns, block 0 has 2" },
        { &named, "fda", 1, PEN_BAD_DATA, "block 1 has column names, block 0 has none" },
        { &plain, "fda row_steps=l2", 3, PEN_BAD_ARGUMENT,
          "block 0 has row_steps \"\", block 3 has \"l2\"" },
        { &plain, "fda row_steps=total:10,log1p", 7, PEN_BAD_ARGUMENT,
          "block 0 has row_steps \"\", block 7 has \"total:10,log1p\"" },
        { &plain, "fda classifier=none", 5, PEN_BAD_ARGUMENT,
          "block 0 has the parts total, classes, rows; block 5 has total, classes" },
        { &classes, "fda", 6, PEN_BAD_DATA, "block 6 has class names, block 0 has numbers" },
    };

    named.column_names = features;
    other.column_names = others;
    classes.class_names = names;
    classes.class_count = 2;
    pen_stats *const s = stats_of("fda", &plain, 0), *const f = stats_of("fda", &named, 1),
                     *const g = stats_of("fda", &other, 2);
    for (int64_t i = 0; i < COUNT_OF(cases); i++) {
        pen_stats *const b = stats_of(cases[i].text, cases[i].data, cases[i].id);
        check_merge_fails(s, b, cases[i].code, cases[i].phrase);
    }
    check_merge_fails(f, g, PEN_BAD_DATA, "column 1 is \"b\" in block 1, \"c\" in block 2");
}

static void check_fit_error(const char *text, const pen_stats *s, const pen_data *pairs,
                            pen_status code, const char *phrase)
{
    pen_spec *spec = spec_of(text);
    pen_model *model = NULL;
    pen_error err;

    CHECK_STATUS(pen_stats_fit(spec, s, pairs, NULL, &model, &err), code, phrase, &err);
    CHECK(model == NULL, "%s: a model", text);
    if (strstr(phrase, "every row") || strstr(phrase, "no statistics")
        || strstr(phrase, "self-training") || strstr(phrase, "by agreement"))
        assert_int_equal(pen_spec_passes(spec), 0);
}

TEST(fit_errors)
{
    static const int64_t outside[] = { 1, 178 }, dropped[] = { 1, 2 }, contrary[] = { 50, 1 };
    wine_blocks *b = wine_blocks_new();
    const pen_data far = { .must_link = outside, .must_link_count = 1 },
                   gone = { .cannot_link = dropped, .cannot_link_count = 1 };
    pen_data both = b->pairs;
    pen_stats *const s = wine_merged(b, "self"),
                     *const sums = wine_merged(b, "fda classifier=none"),
                     *const near = wine_merged_nearest(b, "self neighbors=5 scale=standard"),
                     *const chunks = wine_merged_chunks(b, "rca classifier=none");
    static const char every_row[] = "looks at every row, not only at statistics of them",
                      none_smaller[] = "cannot be fitted from statistics",
                      rows_or_chunks[] = "needs rows for pairs, or chunks";
    const struct {
        const char *text;
        const pen_stats *s;
        const char *phrase;
        const pen_data *pairs;
        pen_status code; /* 0: PEN_BAD_ARGUMENT */
    } cases[] = {
        { "fme", s, "fme cannot be fitted from statistics", NULL, 0 },
        { "fda kernel=rbf", s, "kernel must be none", NULL, 0 },
        { "self", s, "self needs nearest, the distances", NULL, 0 },
        { "lfda scaling_rows=all", s, "lfda needs nearest", NULL, 0 },
        { "self", near, "another scale, pca or statistics", NULL, 0 },
        { "self scale=standard neighbors=6", near, "neighbors must be at most 5", NULL, 0 },
        { "self", sums, "self needs rows", NULL, 0 },
        { "fda", sums, "classifier lda needs the labelled rows", NULL, 0 },
        { "fda row_steps=l2", s, "have row_steps \"\", the fit has \"l2\"", NULL, 0 },
        { "fda row_steps=log1p", s, "the statistics have row_steps \"\", the fit has \"log1p\"",
          NULL, 0 },
        { "sda", s, every_row, NULL, 0 },
        { "sda alpha=1e-9", s, every_row, NULL, 0 },
        { "stsd", s, every_row, NULL, 0 },
        { "self-mix gamma=0.25 scale=standard neighbors=5", near, every_row, NULL, 0 },
        { "npssdr", s, every_row, &b->pairs, 0 },
        { "self-ilpp graph=mutual scale=standard neighbors=5", near, every_row, NULL, 0 },
        { "npssdr form=ratio scale=standard", near, every_row, &b->pairs, 0 },
        { "lpp", s, none_smaller, NULL, 0 },
        { "self beta=1 classifier=self-training", s, "self-training", NULL, 0 },
        { "ssdr", s, "row must be in 0 .. 177, got 178", &far, PEN_BAD_PAIR },
        { "ssdr", s, "row 2 was not kept", &gone, PEN_BAD_PAIR },
        { "ssdr", s, "rows 1 and 50 must link and cannot", &both, PEN_CONTRADICTION },
        { "ssdr pair_weights=agreement", s, "weights by agreement need the neighbors of all rows",
          NULL, 0 },
        { "pca", s, "pca does not learn from pairs", &b->pairs, 0 },
        { "rca classifier=none", chunks, rows_or_chunks, &b->pairs, 0 },
        { "rca classifier=none sample_pairs=9+0", chunks, rows_or_chunks, NULL, 0 },
    };

    both.cannot_link = contrary;
    both.cannot_link_count = 1;
    for (int64_t i = 0; i < COUNT_OF(cases); i++)
        check_fit_error(cases[i].text, cases[i].s, cases[i].pairs,
                        cases[i].code ? cases[i].code : PEN_BAD_ARGUMENT, cases[i].phrase);
    for (int one = 0; one < 2; one++) {
        label(b, 0);
        b->labels[3] = one ? 1 : -1;
        pen_stats *const few = wine_merged(b, "fda");
        check_fit_error("fda", few, NULL, one ? PEN_ONE_CLASS : PEN_NO_LABELS,
                        one ? "at least 2 classes" : "all 178 rows are unlabelled");
    }
}

TEST(errors_of_new)
{
    static const int64_t far[] = { 3 }, numbers[] = { -2, 0, 0 };
    double x[] = { 1, 2, 4, 1, 7, 6 };
    const pen_data data = { .x = pen_dense(x, PEN_F64, 3, 2, 2) };
    const pen_stats_block plain = { .id = 7 }, below = { .id = -1 },
                          keep = { .id = 1, .keep = far, .keep_count = 1 },
                          chunked = { .id = 1, .chunks = numbers },
                          parts = { .parts = PEN_PART_ROWS };
    const struct {
        const char *text;
        const pen_stats_block *block;
        double value; /* of row 1, column 1 */
        pen_status code;
        const char *phrase;
    } cases[] = {
        { "fda", &plain, NAN, PEN_NOT_FINITE,
          "got NaN at row 1, column 1 (counted from 0); block 7" },
        { "fda", &below, 1, PEN_BAD_ARGUMENT, "id" },
        { "fda", &keep, 1, PEN_BAD_ARGUMENT, "in 0 .. 2, got 3" },
        { "fda", &chunked, 1, PEN_BAD_ARGUMENT, "a chunk" },
        { "fda", &parts, 1, PEN_BAD_ARGUMENT, "parts" },
        { "fda row_steps=total:median", &plain, 1, PEN_BAD_ARGUMENT,
          "total:median is learned from all rows" },
        { "fda row_steps=idf", &plain, 1, PEN_BAD_ARGUMENT, "idf is learned from all rows" },
        { "fda row_steps=select:1", &plain, 1, PEN_BAD_ARGUMENT,
          "select is learned from all rows" },
        { "fda row_steps=log1p", &plain, -2, PEN_BAD_DATA, "row 1, column 1" },
        { "fda kernel=rbf", &plain, 1, PEN_BAD_ARGUMENT, "a kernel" },
    };
    pen_stats *s;
    pen_error err;

    for (int64_t i = 0; i < COUNT_OF(cases); i++) {
        pen_spec *const spec = spec_of(cases[i].text);
        x[3] = cases[i].value;
        CHECK_STATUS(pen_stats_new(spec, &data, cases[i].block, NULL, &s, &err), cases[i].code,
                     cases[i].phrase, &err);
    }
    CHECK_STATUS(pen_stats_merge(NULL, 1, 0, NULL, &s, &err), PEN_BAD_ARGUMENT, "list", &err);
}
