/* test_fit_blocks.c - fits to rows in blocks: the bytes of manual merges, the model of all rows,
 * and failures (requirements: test_stats.c). */
#include "kit/embedded.h"
#include "kit/wine_blocks.h"

/* What no single block determines. */
TEST(all_rows)
{
    static const char *const texts[] = { "pca kernel=rbf", "pca row_steps=total:median",
                                         "fda row_steps=idf", "fda row_steps=select:5" };
    for (int64_t i = 0; i < COUNT_OF(texts); i++) {
        pen_spec *spec = spec_of(texts[i]), *parts[2];
        pen_error err;
        CHECK(pen_spec_passes(spec) == 0, "%s", texts[i]);
        CHECK_STATUS(pen_spec_split(spec, &parts[0], &parts[1], &err), PEN_BAD_ARGUMENT, NULL,
                     &err);
        assert_true(!parts[0] && !parts[1]);
    }
}

/* The wines as read from files: classes are numbered separately in each block. */
typedef struct feed {
    const wine_blocks *b;
    int64_t calls, fails_at, blocks; /* calls before an error, or -1; in the last pass, or in all */
    int passes;
    int32_t labels[WINES];
    const char *names[3];
} feed;

static pen_status next_block(void *user, int64_t block, pen_data *rows, pen_error *err)
{
    static const char *const names[] = { "a", "b", "c" };
    feed *const f = user;
    const wine_blocks *const b = f->b;

    f->passes += block == 0;
    if (f->calls++ == f->fails_at) {
        *err = (pen_error){ .code = PEN_FILE_ERROR, .message = "the disk is gone" };
        return PEN_FILE_ERROR;
    }
    if (block == (f->passes > 1 ? f->blocks : WINE_BLOCKS))
        return PEN_OK;
    const int64_t first = b->first[block], n = b->first[block + 1] - first;
    const int shift = (int)(block % 3);
    for (int c = 0; c < 3; c++)
        f->names[(c + shift) % 3] = names[c];
    for (int64_t i = 0; i < n; i++)
        f->labels[i] = b->labels[first + i] < 0 ? -1 : (b->labels[first + i] + shift) % 3;
    *rows = (pen_data){ .x = pen_dense(b->w->x + first * WINE_COLUMNS, PEN_F64, n, WINE_COLUMNS,
                                       WINE_COLUMNS),
                        .labels = f->labels,
                        .class_names = f->names,
                        .class_count = 3 };
    return PEN_OK;
}

static pen_status fit_blocks(const wine_blocks *b, const char *text, int pairs, feed *f,
                             const pen_control *control, pen_model **model, pen_error *err)
{
    pen_spec *spec = spec_of(text);

    f->b = b;
    const pen_status status =
        pen_fit_blocks(spec, next_block, f, pairs ? &b->pairs : NULL, control, model, err);
    return status;
}

/* The models embed all rows alike and predict classes of the same names. */
static void check_alike(const pen_model *model, const pen_model *all, const pen_array *x,
                        const char *text)
{
    double *const z = embedded(model, x), *const right = embedded(all, x);
    int32_t of[2][WINES];
    pen_error err;

    assert_int_equal(pen_model_dim(model), pen_model_dim(all));
    for (int64_t j = 0; j < WINES * pen_model_dim(all); j++)
        CHECK_CLOSE(z[j], right[j], 0, 1e-6);
    if (strstr(text, "classifier=none"))
        return;
    CHECK_OK(pen_predict(model, x, NULL, of[0], NULL, NULL, &err), &err);
    CHECK_OK(pen_predict(all, x, NULL, of[1], NULL, NULL, &err), &err);
    for (int64_t j = 0; j < WINES; j++)
        CHECK(strcmp(pen_model_class_name(model, of[0][j]), pen_model_class_name(all, of[1][j]))
                  == 0,
              "%s: row %lld", text, (long long)j);
}

/* The model of all rows, with the expected number of passes. */
TEST(matches_a_fit_of_all_rows)
{
    static const struct {
        const char *text;
        int pairs, passes;
    } cases[] = { { "fda scale=standard classifier=nearest", 0, 1 },
                  { "pca dim=4 scale=standard classifier=nearest", 0, 1 },
                  { "self beta=0.5 dim=2 scale=standard classifier=nearest", 0, 2 },
                  { "lfda scaling_rows=all dim=2 scale=standard pca=6 classifier=nearest", 0, 2 },
                  { "ssdr dim=2 scale=standard classifier=none", 1, 1 },
                  { "rca dim=2 ridge=0.1 scale=standard classifier=none", 1, 1 },
                  { "sda dim=2 pca=6 scale=standard classifier=nearest", 0, 2 },
                  { "fme dim=3 pca=5 scale=standard", 0, 2 } };
    wine_blocks *b = wine_blocks_new();

    for (int64_t i = 0; i < COUNT_OF(cases); i++) {
        static const char *const names[] = { "a", "b", "c" };
        feed f = { .fails_at = -1, .blocks = WINE_BLOCKS };
        pen_data data = wine_blocks_data(b, 1, cases[i].pairs);
        pen_model *model, *all;
        pen_error err;
        data.class_names = names;
        data.class_count = 3;
        all = fit_data(cases[i].text, &data);
        CHECK_OK(fit_blocks(b, cases[i].text, cases[i].pairs, &f, NULL, &model, &err), &err);
        CHECK(f.passes == cases[i].passes, "%s: %d passes", cases[i].text, f.passes);
        check_alike(model, all, &data.x, cases[i].text);
        pen_model_free(model);
    }
}

/* The tree of merges equals pen_stats_merge of all blocks at once, byte for byte. */
TEST(same_bytes)
{
    static const char *const texts[] = { "fda scale=standard", "self beta=0.5 dim=2 pca=5" };
    wine_blocks *b = wine_blocks_new();

    for (int64_t i = 0; i < COUNT_OF(texts); i++) {
        feed f = { .fails_at = -1, .blocks = WINE_BLOCKS, .b = b };
        pen_stats *list[2 * WINE_BLOCKS], *sums, *all;
        pen_spec *spec = spec_of(texts[i]);
        const int two = (pen_spec_passes(spec) & PEN_PART_NEAREST) != 0;
        pen_model *model[2];
        pen_error err;
        for (int j = 0; j < (1 + two) * WINE_BLOCKS; j++) {
            const pen_stats_block block = { .id = j % WINE_BLOCKS };
            pen_data data;
            CHECK_OK(next_block(&f, block.id, &data, &err), &err);
            CHECK_OK(j < WINE_BLOCKS
                         ? pen_stats_new(spec, &data, &block, NULL, &list[j], &err)
                         : pen_stats_nearest(spec, sums, &data, block.id, NULL, &list[j], &err),
                     &err);
            if (j == WINE_BLOCKS - 1)
                CHECK_OK(pen_stats_merge((const pen_stats *const *)list, WINE_BLOCKS, 0, NULL,
                                         &sums, &err),
                         &err);
        }
        CHECK_OK(pen_stats_merge((const pen_stats *const *)list, (1 + two) * WINE_BLOCKS, 0, NULL,
                                 &all, &err),
                 &err);
        CHECK_OK(pen_stats_fit(spec, all, NULL, NULL, &model[0], &err), &err);
        CHECK_OK(fit_blocks(b, texts[i], 0, &f, NULL, &model[1], &err), &err);
        check_same_model(model[0], model[1], texts[i]);
        pen_model_free(model[0]), pen_model_free(model[1]);
        for (int j = 0; j < (1 + two) * WINE_BLOCKS; j++)
            pen_stats_free(list[j]);
        pen_stats_free(sums), pen_stats_free(all);
    }
}

static int stop_now(void *user, const char *phase, int64_t done, int64_t total)
{
    int64_t *const calls = user;

    CHECK(done >= 0 && (total == 0 || done <= total), "%lld of %lld", (long long)done,
          (long long)total);
    return (*calls)-- == 0;
}

/* A fit ends with an error of the caller in any call, with different rows in the second pass, or
 * with a stop. */
TEST(failures_and_stops)
{
    static const struct {
        const char *text, *phrase;
        int64_t fails_at, blocks;
        pen_status code;
    } cases[] = {
        { "fda", "disk", 0, WINE_BLOCKS, PEN_FILE_ERROR },
        { "fda", "disk", WINE_BLOCKS, WINE_BLOCKS, PEN_FILE_ERROR },
        { "self dim=2", "disk", WINE_BLOCKS + 3, WINE_BLOCKS, PEN_FILE_ERROR },
        { "fme dim=3 pca=5", "disk", WINE_BLOCKS + 3, WINE_BLOCKS, PEN_FILE_ERROR },
        { "self dim=2", "same blocks", -1, 4, PEN_BAD_ARGUMENT },
        { "fme dim=3 pca=5", "fewer rows", -1, 4, PEN_BAD_DATA },
        { "fme", "set pca", -1, WINE_BLOCKS, PEN_BAD_ARGUMENT },
        { "fda kernel=rbf", "kernel", -1, WINE_BLOCKS, PEN_BAD_ARGUMENT },
    };
    wine_blocks *b = wine_blocks_new();
    int stopped = 0;

    for (int64_t i = 0; i < COUNT_OF(cases); i++) {
        feed f = { .fails_at = cases[i].fails_at, .blocks = cases[i].blocks };
        pen_model *model;
        pen_error err;
        CHECK_STATUS(fit_blocks(b, cases[i].text, 0, &f, NULL, &model, &err), cases[i].code,
                     cases[i].phrase, &err);
        assert_null(model);
    }
    for (int64_t after = 0; after < 40; after += 3) {
        feed f = { .fails_at = -1, .blocks = WINE_BLOCKS };
        int64_t calls = after;
        const pen_control control = { .progress = stop_now, .user = &calls };
        pen_model *model;
        pen_error err;
        const pen_status status = fit_blocks(b, "fme dim=3 pca=5", 0, &f, &control, &model, &err);
        CHECK(status == (calls < 0 ? PEN_CANCELLED : PEN_OK), "after %lld: %s", (long long)after,
              err.message);
        stopped += status == PEN_CANCELLED;
        pen_model_free(model);
    }
    assert_true(stopped >= 5);
    /* pairs of missing rows, or no rows at all */
    const int64_t far[] = { 0, WINES }, count = 1;
    const pen_data pairs = { .must_link = far, .must_link_count = count };
    pen_spec *spec = spec_of("ssdr dim=2");
    feed f = { .b = b, .fails_at = -1, .blocks = WINE_BLOCKS };
    pen_model *model;
    pen_error err;
    CHECK_STATUS(pen_fit_blocks(spec, next_block, &f, &pairs, NULL, &model, &err), PEN_BAD_PAIR,
                 "178", &err);
    f = (feed){ .b = b, .fails_at = -1, .passes = 1 };
    CHECK_STATUS(pen_fit_blocks(spec, next_block, &f, NULL, NULL, &model, &err), PEN_BAD_DATA,
                 "no blocks", &err);
}
