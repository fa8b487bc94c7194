/* test_known_rows_fit.c - methods that use only labelled or paired rows, with many rows and
 * columns, against fits of the used columns as dense rows, or of the used rows alone. */
#include "kit/large_rows.h"
#include "kit/text_list.h"

#include <stdio.h>
#include <string.h>

enum { MANY = 8200, USED = 40, KNOWN = 90 };

/* Classes differ in one column each. */
static void part_classes(large_rows *t, const int32_t *y)
{
    for (int64_t i = 0; i < t->n; i++)
        for (int64_t e = t->starts[i]; e < t->starts[i + 1]; e++) {
            const int64_t at = large_place(t, t->columns[e]);
            if (y[i] == PEN_UNLABELLED || at != y[i] / 7)
                continue;
            t->values[e] += 4;
            t->dense[i * t->used + at] += 4;
        }
}

/* The fit used between 2 and `known` rows, or exactly that many. */
static void check_part(const pen_model *model, int64_t known, int exactly, const char *what)
{
    const char *const route = model_text(model, "info.route");
    const double part = model_number(model, "info.part");

    CHECK(route && strcmp(route, "gram") == 0, "%s: route %s", what, route ? route : "none");
    CHECK(part <= (double)known && part >= (exactly ? (double)known : 2), "%s: %g rows", what,
          part);
}

/* `text` is a format for the ridge, which is in units of the mean over all columns. */
static void compare(const large_rows *t, const pen_data *data, const char *text, int64_t known,
                    int exactly)
{
    char large[160], small[160];
    pen_data dense = *data;

    snprintf(large, sizeof large, text, 0.5);
    snprintf(small, sizeof small, text, 0.5 * (double)t->used / (double)t->d);
    dense.x = large_dense(t);
    pen_model *const model = large_fit(data, large, 3, PEN_OK, NULL), *const whole = large_fit(
                                                                          &dense, small, 1, PEN_OK,
                                                                          NULL);
    if (t->n > t->d || !data->x.starts) /* few threads divide the rows differently */
        large_same_bits(t, model, data, large);
    large_compare(t, model, whole, 1e-10, large);
    check_part(model, known, exactly, large);
}

static large_rows rows_of(pen_rng *rng, int wide)
{
    return large_new(rng, MANY + 300 * !wide, MANY + 300 * wide, USED);
}

TEST(labelled)
{
    const text_list texts = text_list_of(
        "fda ridge=%.17g; fda ridge=%.17g column_scaling=orthonormal; "
        "fda ridge=%.17g row_steps=l2; lfda ridge=%.17g; lfda ridge=%.17g scaling_rows=labelled; "
        "lfda ridge=%.17g scaling_rows=all; lfda ridge=%.17g affinity=knn scaling_rows=all");
    pen_rng rng = check_rng(1);

    for (int wide = 0; wide < 2; wide++) {
        large_rows t = rows_of(&rng, wide);
        int32_t *const y = large_labels(&rng, &t, KNOWN);
        part_classes(&t, y);
        const pen_data data = { .x = large_sparse(&t), .labels = y };
        for (int64_t i = 0; i < texts.count; i++)
            if (check_in_turn(i + wide, 2))
                compare(&t, &data, texts.text[i], KNOWN, 1);
    }
}

TEST(paired)
{
    enum { PAIRS = 70 };
    static const char *const texts[] = { "bwdr", "bwdr threshold=1 dim=3", "wbdr", "wbdr dim=2" };
    pen_rng rng = check_rng(2);
    int64_t must[2 * PAIRS], cannot[2 * PAIRS];
    double weights[PAIRS];

    for (int wide = 0; wide < 2; wide++) {
        large_rows t = rows_of(&rng, wide);
        int32_t *const y = large_labels(&rng, &t, 300);
        large_pairs(&rng, &t, 1, PAIRS, must);
        large_pairs(&rng, &t, 0, PAIRS, cannot);
        for (int i = 0; i < PAIRS; i++)
            weights[i] = 1 + (double)(must[2 * i] % 7 + must[2 * i + 1] % 7);
        const pen_data lists = { .x = large_sparse(&t),
                                 .must_link = must,
                                 .must_link_count = PAIRS,
                                 .cannot_link = cannot,
                                 .cannot_link_count = PAIRS };
        const pen_data labels = { .x = lists.x, .labels = y };
        pen_data weighted = lists;
        char text[64];
        weighted.must_link_weights = weights;
        for (int i = 0; i < (int)COUNT_OF(texts); i++) {
            if (!check_in_turn(i + i / 2 + wide, 2))
                continue;
            compare(&t, &lists, texts[i], 60, 0);
            snprintf(text, sizeof text, "%s closure=true", texts[i]);
            compare(&t, &weighted, text, 60, 0);
            snprintf(text, sizeof text, "%s sample_pairs=80+50", texts[i]);
            compare(&t, &labels, text, 260, 0);
            if (!strstr(texts[i], "dim")) /* most eigenvalues are equal: dim would separate them */
                compare(&t, &labels, texts[i], 300, 1);
        }
    }
}

/* Without unlabelled rows there are fewer rows than columns; the ridge uses the same units. */
TEST(alone)
{
    static const char *const texts[] = { "fda ridge=auto", "lfda ridge=auto",
                                         "lfda ridge=auto neighbors=3" };
    pen_rng rng = check_rng(3);
    large_rows t = rows_of(&rng, 0);
    int32_t *const y = large_labels(&rng, &t, KNOWN), labels[KNOWN + 1];
    int64_t starts[KNOWN + 2] = { 0 }, count = 0, entries = 0;
    int32_t *const columns = check_allocate(t.starts[t.n], sizeof *columns);
    double *const values = check_allocate(t.starts[t.n], sizeof *values);

    y[0] = 0; /* columns that vary in no other row */
    part_classes(&t, y);
    for (int64_t i = 0; i < t.n; i++) {
        if (y[i] == PEN_UNLABELLED)
            continue;
        for (int64_t e = t.starts[i]; e < t.starts[i + 1]; e++) {
            columns[entries] = t.columns[e];
            values[entries++] = t.values[e];
        }
        labels[count] = y[i];
        starts[++count] = entries;
    }
    const pen_data data = { .x = large_sparse(&t), .labels = y },
                   known = { .x = pen_csr(values, PEN_F64, starts, columns, count, t.d),
                             .labels = labels };
    for (int i = 0; i < (int)COUNT_OF(texts); i++) {
        pen_model *const model = large_fit(&data, texts[i], 2, PEN_OK, NULL);
        pen_model *const right = large_fit(&known, texts[i], 1, PEN_OK, NULL);
        const int64_t k = pen_model_dim(right);
        assert_int_equal(pen_model_dim(model), k);
        CHECK_CLOSE(model_number(model, "info.ridge"), model_number(right, "info.ridge"), 1e-12, 0);
        for (int64_t c = 0; c < k; c++)
            CHECK_CLOSE(model_values(model, "eigenvalues")[c],
                        model_values(right, "eigenvalues")[c], 1e-11, 0);
        const double apart = check_subspaces(t.d, 2, model_values(model, "projection"), k,
                                             model_values(right, "projection"), k);
        CHECK(apart <= 1e-10, "%s: %g apart", texts[i], apart);
    }
}

/* Dense bytes take the same route. */
TEST(dense_rows)
{
    pen_rng rng = check_rng(4);
    large_rows t = rows_of(&rng, 1);
    int32_t *const y = large_labels(&rng, &t, KNOWN);
    unsigned char *const x = check_allocate(t.n * t.d, 1);
    int64_t unlabelled = 0;

    memset(x, 0, (size_t)(t.n * t.d));
    for (int64_t i = 0; i < t.n * t.used; i++)
        t.dense[i] = (double)pen_rng_below(&rng, 200);
    for (int64_t i = 0; i < t.n; i++)
        for (int64_t j = 0; j < t.d; j++)
            if (large_place(&t, j) >= 0)
                x[i * t.d + j] = (unsigned char)t.dense[i * t.used + large_place(&t, j)];
    while (y[unlabelled] != PEN_UNLABELLED)
        unlabelled++;
    for (int64_t j = 0; j < t.d; j++) /* unused columns vary, which the methods ignore */
        if (large_place(&t, j) < 0)
            x[unlabelled * t.d + j] = 1;
    const pen_data data = { .x = pen_dense(x, PEN_U8, t.n, t.d, t.d), .labels = y };
    compare(&t, &data, "fda ridge=%.17g", KNOWN, 1);
    if (check_in_turn(1, 2))
        compare(&t, &data, "lfda ridge=%.17g", KNOWN, 1);
    large_fit(&data, "self-ilpp beta=0.5", 1, PEN_BAD_ARGUMENT,
              "8200 rows and 8500 columns are too many for self-ilpp without components; set "
              "pca to a number of components, such as 100, or to rank");
    large_fit(&data, "pca", 1, PEN_BAD_ARGUMENT, "set pca to a number of components");
}

TEST(refusals)
{
    pen_rng rng = check_rng(5);
    large_rows t = large_new(&rng, 8500, 8500, 20);
    int32_t *const none = large_labels(&rng, &t, 0), *const most = large_labels(&rng, &t, 8300);
    const pen_data unlabelled = { .x = large_sparse(&t), .labels = none },
                   many = { .x = unlabelled.x, .labels = most };

    large_fit(&unlabelled, "fda ridge=1", 1, PEN_NO_LABELS, "all 8500 rows are unlabelled");
    large_fit(&unlabelled, "wbdr", 1, PEN_NO_PAIRS, NULL);
    large_fit(&many, "self beta=0.5 dim=2 neighbors=1", 1, PEN_BAD_ARGUMENT,
              "a matrix of all 8500 columns would be formed; set pca");
    large_fit(&many, "fda ridge=1", 1, PEN_BAD_ARGUMENT, "set pca to a number of components");
    large_fit(&many, "fda ridge=0", 1, PEN_BAD_ARGUMENT, "set pca to a number of components");
    most[0] = PEN_UNLABELLED;
    for (int64_t i = 200; i < t.n; i++)
        most[i] = PEN_UNLABELLED;
    large_fit(&many, "fda ridge=0", 1, PEN_SINGULAR_SCATTER, "set ridge > 0");
}
