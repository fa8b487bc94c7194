/* test_allocation.c - a call that runs out of memory reports it, returns nothing, and leaks
 * nothing.
 *
 * The linker redirects malloc, calloc, realloc, aligned_alloc, and free of the library to this
 * file. Every public call is repeated with its first, second, third, ... allocation failing, until
 * no allocation is left to fail. */
#define _POSIX_C_SOURCE 200809L

#include "core/run.h"
#include "kit/folder.h"
#include "kit/joined.h"
#include "kit/public_calls.h"
#include "kit/sparse_sample.h"
#include "kit/text_list.h"

#include <stdio.h>
#include <unistd.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void __wrap_free(void *block);

/* ---- counting ---- */

enum { SLOTS = 1 << 14, EACH = 64 };

/* While `counting` is set, blocks are recorded in `live`, and allocation number `fail_at` fails.
 * Calls use one thread. */
static int counting;
static int64_t made, fail_at;
static void *live[SLOTS];
static int64_t live_count;

static int refuse(void)
{
    return counting && made++ == fail_at;
}

static void *note(void *block)
{
    if (!counting || !block)
        return block;
    if (live_count == SLOTS)
        abort();
    live[live_count++] = block;
    return block;
}

/* Blocks are mostly freed in reverse order. */
static void forget(const void *block)
{
    if (!counting || !block)
        return;
    for (int64_t i = live_count - 1; i >= 0; i--)
        if (live[i] == block) {
            live[i] = live[--live_count];
            return;
        }
}

void *__wrap_malloc(size_t size)
{
    return refuse() ? NULL : note(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
    return refuse() ? NULL : note(__real_calloc(count, size));
}

void *__wrap_realloc(void *block, size_t size)
{
    if (refuse())
        return NULL;
    forget(block);
    return note(__real_realloc(block, size));
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return refuse() ? NULL : note(__real_aligned_alloc(alignment, size));
}

void __wrap_free(void *block)
{
    forget(block);
    __real_free(block);
}

/* ---- the calls ---- */

/* Public functions called so far, by index in public_calls. */
static int called[64];

/* Allocation 0, 1, 2, ... fails until the call succeeds. The status is always PEN_NO_MEMORY,
 * nothing is returned or leaked, and no file is created. In calls with many allocations, only every
 * second, third, ... of the later ones fails. */
static void check_call(const char *what, const public_call *c)
{
    const bool writes = strstr(c->function, "write") || strstr(c->function, "save");
    pen_status status;
    pen_error err;
    bool failed;

    fail_at = 0;
    do {
        if (writes)
            unlink(given.path);
        given.made = c->release ? &err : NULL;
        made = live_count = 0;
        counting = 1;
        status = c->call(-1, &err);
        counting = 0;
        failed = made > fail_at;
        if (failed)
            CHECK(status == PEN_NO_MEMORY && err.code == status && strstr(err.message, "memory")
                      && !given.made && (!writes || access(given.path, F_OK) != 0),
                  "%s of %s, allocation %lld fails: status %d, \"%s\", made: %p", c->function, what,
                  (long long)fail_at, (int)status, status ? err.message : "", given.made);
        counting = 1;
        if (c->release)
            c->release(given.made);
        counting = 0;
        CHECK(live_count == 0, "%s of %s, allocation %lld of %lld fails: %lld blocks are leaked",
              c->function, what, (long long)fail_at, (long long)made, (long long)live_count);
        fail_at += 1 + fail_at / check_repeats(EACH);
    } while (failed && fail_at < 100000);
    CHECK(status == PEN_OK, "%s of %s: status %d %s", c->function, what, (int)status, err.message);
    CHECK(made > 0 || !c->release, "%s: is the program linked with the wrappers?", c->function);
}

/* Runs the calls of these functions, separated by blanks. */
static void check_public(const char *functions, const char *what)
{
    char name[40];
    for (int length; sscanf(functions, "%39s%n", name, &length) == 1; functions += length) {
        const public_call *const c = public_call_of(name);
        check_call(what, c);
        called[c - public_calls]++;
    }
}

static void *made_by(const char *function)
{
    pen_error err;
    CHECK_OK(public_call_of(function)->call(-1, &err), &err);
    return given.made;
}

/* ---- the tests ---- */

/* The folder contains only files of the test: no temporary file remains. */
static int set_up(void **state)
{
    given.control.threads = 1;
    return folder_make(state);
}

GROUP(set_up, folder_remove_empty);

TEST(specs)
{
    static const char *const texts[] = { "pca", "fda", "lfda", "self+rbf/lda" };

    for (int64_t i = 0; i < COUNT_OF(texts); i++) {
        given.text = texts[i];
        check_public("pen_spec_new", texts[i]);
    }
    given.spec = given.changed = spec_of("soda row_steps=log1p pca=3");
    check_public("pen_spec_copy pen_spec_split pen_spec_set pen_spec_set_number", "soda");
}

/* Kinds of rows, one bit each, so that a text can name the kinds that it is fitted to. */
enum {
    TALL = 1,
    WIDE = 2,
    LISTS = 4,      /* must-links and cannot-links instead of labels */
    WIDE_LISTS = 8, /* many rows with lists */
    BOTH = 16,      /* wide rows with labels and lists */
    SHARE = 32,     /* a sample of the pairs of labels, as bits */
    DRAWN = 64,     /* the same sample, as lists */
    MANY = 128,     /* lists of many rows, closed */
    SPARSE = 256,
    SPARSE_WIDE = 512,
    TIED = 1024,   /* eight distinct points, five rows each: many rows tie with the last neighbor */
    LARGE = 2048,  /* in single precision */
    SQUARE = 4096, /* a kernel matrix */
    KEPT = 8192,   /* the fit keeps its graphs */
    PAIRS = LISTS | TALL | WIDE_LISTS | MANY,
    EACH_SPARSE = SPARSE | SPARSE_WIDE
};

static const struct {
    const char *texts; /* a text_list */
    int sets;
} fits[] = {
    { "pca", TALL | WIDE | EACH_SPARSE },
    { "pca scale=minmax row_steps=l2; fda; fda ridge=0.1 pca=3 scale=standard "
      "column_scaling=orthonormal; lfda scaling_rows=all pca=rank; lfda scaling_rows=labelled "
      "ridge=1; self pca=0.9 scale=minmax row_steps=l2; self kernel=rbf kernel_ridge=0.01 dim=2; "
      "self kernel=laplacian kernel_landmarks=9 scale=standard pca=0.9 kernel_ridge=0.1 dim=1; lpp "
      "graph=mutual origin=mean column_scaling=orthonormal; ilpp graph=mutual; self-ilpp beta=0.3; "
      "self-mix beta=0.3 gamma=0.3 graph=mutual; rssdr neighborhood=mutual column_scaling=unit; "
      "saloe neighbors=3 pca=off max_iter=3; salwe neighbors=3 init=random restarts=2 max_iter=2; "
      "saloe neighbors=3 init=zero pca=rank alpha=1 max_iter=2; soda; tr-fsda graph=heat; fme; fme "
      "kernel=polynomial kernel_landmarks=random:9 scale=minmax row_steps=l2; soge dim=3 "
      "max_iter=3; asl max_iter=3; stsd tangent_dim=1; ssda",
      TALL },
    { "pca pca=2; fda ridge=0.1 scale=minmax; self row_steps=l2 scale=standard; sda kernel=rbf",
      EACH_SPARSE },
    { "pca kernel=precomputed", SQUARE },
    { "fda ridge=0.1; lfda pca=4; self scale=standard column_scaling=orthonormal; "
      "ilpp origin=mean ridge=0.1; self-mix origin=mean beta=0.2 gamma=0.2",
      WIDE },
    { "self; pca classifier=nearest; pca classifier=neighbors:3; pca classifier=means; "
      "pca classifier=lda; pca classifier=self-training; pca classifier=logistic",
      TALL | WIDE },
    { "self dim=2", LARGE },
    { "ilpp graph=mutual neighbors=6", TIED },
    { "saloe dim=1 max_iter=3", KEPT },
    { "bwdr; wbdr; ssdr", PAIRS | SHARE | DRAWN },
    { "wbdr threshold=0.9 pca=3; rca ridge=1",
      LISTS | TALL | MANY }, /* rca needs more rows than columns */
    { "cmm; cfld total_rows=all; cfld column_scaling=unit", PAIRS },
    { "rssdr space=relative:5", LISTS | TALL | WIDE_LISTS | EACH_SPARSE }, /* compares all rows */
    { "npssdr", LISTS | TALL | WIDE_LISTS | SHARE | DRAWN },
    { "npssdr form=ratio", LISTS | TALL | WIDE_LISTS },
    { "sodrpac; sodrpac lambda=cv dim=auto derive=unlinked pca=3; clpp", LISTS | TALL | BOTH },
};

static const char *const features[] = { "a", "b", "c", "d", "e" };
static const char *const class_names[] = { "x", "y", "z" };

static pen_data named(const sample *s)
{
    pen_data data = sample_data(s);
    data.column_names = features;
    data.class_names = class_names;
    data.class_count = 3;
    return data;
}

static pen_data linked(const sample *s, int labels)
{
    static const int64_t must[] = { 0, 1, 2, 3, 3, 4, 1, 0 }, cannot[] = { 0, 5, 1, 6, 5, 6 };
    pen_data data = sample_data(s);
    data.labels = labels ? data.labels : NULL;
    data.must_link = must;
    data.must_link_count = 4;
    data.cannot_link = cannot;
    data.cannot_link_count = 3;
    return data;
}

/* Fits these rows and makes the other calls that take rows. */
static void check_rows(int set, const char *more)
{
    static const double zeros[2 * 40];
    char text[128];

    for (int64_t i = 0; i < COUNT_OF(fits); i++) {
        const text_list texts = text_list_of(fits[i].texts);
        for (int64_t t = 0; fits[i].sets & set && t < texts.count; t++) {
            snprintf(text, sizeof text, "%s%s", texts.text[t], more);
            given.spec = spec_of(text);
            check_public("pen_fit", text);
        }
    }
    if (set & (TALL | WIDE | EACH_SPARSE)) {
        const pen_array queries = pen_dense(zeros, PEN_F64, 2, given.data.x.cols, 40);
        check_public("pen_rows_new pen_find_leaks pen_neighbors", "rows");
        given.queries = &queries;
        check_public("pen_neighbors", "queries");
        given.queries = NULL;
    }
}

TEST(rows_of_all_kinds)
{
    pen_rng rng = check_rng(601);
    sample tall = sample_random(&rng, 40, 5, 3, 25), wide = sample_random(&rng, 15, 40, 3, 9),
           many = sample_random(&rng, 600, 3, 3, 20), large = sample_random(&rng, 36000, 30, 3, 90),
           sparse = sparse_random(&rng, 40, 9, 3, 25),
           sparse_wide = sparse_random(&rng, 24, 40, 3, 15), tied = sample_new(40, 2),
           square = sample_new(9, 9);
    struct {
        int set;
        pen_data data;
        const char *more;
    } sets[] = {
        { TALL, named(&tall), "" },
        { WIDE, sample_data(&wide), "" },
        { LISTS, linked(&tall, 0), "" },
        { WIDE_LISTS, linked(&wide, 0), "" },
        { BOTH, linked(&wide, 1), " contradictions=drop" },
        { SHARE, named(&tall), " sample_pairs=50% seed=1" },
        { DRAWN, named(&tall), " sample_pairs=20+20" },
        { MANY, linked(&many, 0), " closure=true" },
        { SPARSE, sample_data(&sparse), "" },
        { SPARSE_WIDE, sample_data(&sparse_wide), "" },
        { TIED, sample_data(&tied), "" },
        { LARGE, sample_data(&large), "" },
        { SQUARE, sample_data(&square), "" },
        { KEPT, sample_data(&tall), "" },
    };

    for (int64_t i = 0; i < tied.n; i++) {
        tied.x[2 * i] = (double)(i % 4);
        tied.x[2 * i + 1] = (double)(i / 4 % 2);
    }
    for (int64_t i = 0; i < square.n * square.n; i++)
        square.x[i] = i % 10 == 0 ? 2 : 1;
    for (int64_t i = 0; i < COUNT_OF(sets); i++) {
        given.data = sets[i].data;
        given.control.keep_graphs = sets[i].set == KEPT;
        if (sets[i].set & EACH_SPARSE)
            given.data.x = sparse_of(&sets[i].data.x, SOME_ZEROS);
        if (sets[i].set == LARGE)
            given.data.x = recast(&large, PEN_F32, 0);
        check_rows(sets[i].set, sets[i].more);
    }
    given.control.keep_graphs = 0;
}

TEST(samples_and_folds)
{
    static const char *const ways[] = { "50%", "1", "3+4" };
    pen_rng rng = check_rng(603);
    sample s = sample_random(&rng, 50, 1, 3, 40);

    given.data = sample_data(&s);
    for (int i = 0; i < 3; i++) {
        given.text = ways[i];
        check_public("pen_sample_pairs", ways[i]);
    }
    given.text = "2";
    check_public("pen_sample_labels", "2");
    check_public("pen_deal_folds", "3 folds");
}

/* A method with a grid in all dimensions, with labels held out; two methods compared. */
TEST(trials)
{
    static const char *const evaluated[] = { "pca pca=2", "bwdr", "fme",
                                             "self kernel=rbf kernel_landmarks=8 beta=0.3" };
    static const char *const grid[] = { "scale=none,standard" };
    static const int64_t dims[] = { 1 };
    pen_rng rng = check_rng(603);
    sample s = sample_random(&rng, 20, 3, 2, 16);

    given.data = sample_data(&s);
    given.specs = &given.spec;
    given.spec_count = 1;
    given.trials = (pen_trials){ .folds = 2,
                                 .runs = 1,
                                 .grid = grid,
                                 .grid_count = 1,
                                 .dims = dims,
                                 .dim_count = 1,
                                 .keep_labels = "3",
                                 .shuffled = 1,
                                 .picture = 1 };
    for (int64_t i = 0; i < COUNT_OF(evaluated); i++) {
        pen_spec *const spec = spec_of(evaluated[i]);
        given.spec = spec;
        check_public("pen_compare", evaluated[i]);
    }
    pen_spec *const two[] = { spec_of("pca"), spec_of("bwdr") };
    given.specs = (const pen_spec *const *)two;
    given.spec_count = 2;
    given.trials = (pen_trials){ .folds = 2, .runs = 1, .seed = 3, .effort = 0.1 };
    check_public("pen_compare", "pca and bwdr");
}

/* ---- models ---- */

/* The description of a loaded model. */
static pen_status describe(int missing, pen_error *err)
{
    const pen_status status = public_call_of("pen_model_from_bytes")->call(missing, err);
    if (status != PEN_OK || pen_model_info(given.made))
        return status;
    pen_model_free(given.made);
    given.made = NULL;
    return pen_error_set(err, PEN_NO_MEMORY, "out of memory");
}

static void free_model(void *made_by_call)
{
    pen_model_free(made_by_call);
}

/* Makes every call with this model. */
static void check_model_calls(pen_model *model, const char *text)
{
    static const public_call info = { "pen_model_info", "", describe, free_model };

    given.model = model;
    given.path = in_folder("model.pen");
    check_public(
        "pen_transform pen_predict pen_suggest pen_model_save pen_model_to_bytes pen_model_load",
        text);
    unlink(given.path);
    given.bytes = made_by("pen_model_to_bytes");
    check_public("pen_model_from_bytes", text);
    check_call(text, &info);
    pen_free(given.bytes);
}

TEST(models)
{
    const text_list texts =
        text_list_of("self row_steps=l2; self kernel=rbf scale=standard kernel_landmarks=9 dim=2; "
                     "pca classifier=neighbors temperature=2; pca classifier=logistic pca=3 "
                     "pca_scale=unit; fme");
    pen_rng rng = check_rng(602);
    sample s = sample_random(&rng, 40, 5, 3, 25);

    given.data = named(&s);
    for (int64_t i = 0; i < texts.count; i++)
        check_model_calls(fit_data(texts.text[i], &given.data), texts.text[i]);
    pen_model *const member = fit_data("fme", &given.data);
    const pen_model *const members[] = { member, member };
    pen_model *const both = joined(members, 2);
    check_model_calls(both, "an ensemble");
}

TEST(composed)
{
    pen_rng rng = check_rng(605);
    sample s = sample_random(&rng, 30, 3, 3, 20);
    const pen_data reduced = { .x = pen_dense(s.x, PEN_F64, 30, 2, 3), .labels = s.y };

    given.model = fit_sample("self dim=2 scale=standard", &s);
    given.second = fit_data("fda classifier=lda", &reduced);
    check_public("pen_model_compose", "self:fda");
}

/* ---- statistics ---- */

/* Statistics of a block, of a second pass, of both, and of three blocks. */
TEST(statistics)
{
    static const int64_t keep[] = { 2 };
    pen_rng rng = check_rng(603);
    sample s = sample_random(&rng, 30, 3, 3, 20);
    pen_spec *const spec = spec_of("self neighbors=3 scale=standard pca=2 row_steps=l2");
    int64_t groups[30];

    for (int i = 0; i < 30; i++)
        groups[i] = i % 4 - 1;
    given.spec = spec;
    given.data = named(&s);
    given.block = (pen_stats_block){ .keep = keep,
                                     .keep_count = 1,
                                     .chunks = groups,
                                     .parts = PEN_PART_TOTAL | PEN_PART_CLASSES | PEN_PART_ROWS };
    given.path = in_folder("part.pens");
    check_public("pen_stats_new", "a block");
    given.stats[0] = made_by("pen_stats_new");
    check_public("pen_stats_nearest", "a block");
    given.stats[1] = made_by("pen_stats_nearest");
    given.stats_count = 2;
    check_public("pen_stats_merge", "two passes");
    given.stats[2] = made_by("pen_stats_merge");
    pen_stats_free(given.stats[0]), pen_stats_free(given.stats[1]);
    given.stats[0] = given.stats[2];
    check_public("pen_stats_fit pen_stats_to_bytes pen_stats_save pen_stats_load", "two passes");
    unlink(given.path);
    given.bytes = made_by("pen_stats_to_bytes");
    check_public("pen_stats_from_bytes", "two passes");
    pen_free(given.bytes);
    pen_stats_free(given.stats[0]);
    for (given.stats_count = 0; given.stats_count < 3; given.stats_count++) {
        given.block = (pen_stats_block){ .id = given.stats_count, .chunks = groups };
        given.stats[given.stats_count] = made_by("pen_stats_new");
    }
    check_public("pen_stats_merge", "three blocks");
    for (int b = 0; b < 3; b++)
        pen_stats_free(given.stats[b]);
    check_public("pen_fit_blocks", "two blocks");
}

/* ---- files ---- */

/* Creates a file with this text. */
static void put(const char *text)
{
    FILE *const file = fopen(given.path, "wb");
    CHECK(file && fputs(text, file) >= 0 && fclose(file) == 0, "%s cannot be written", given.path);
}

TEST(reading)
{
    static const char *const dropped[] = { "a" }, *const kept[] = { "b" },
                             *const none[] = { "none" }, *const selected[] = { "e", "c" };
    static const struct {
        const char *function, *name, *text;
        pen_read_options options;
    } cases[] = {
        { "pen_read", "plain.csv", "1,2\n3,4\n5,6\n", { 0 } },
        { "pen_read",
          "full.csv",
          ",height,\"a \"\"b\"\"\",kind\nr1,1,2,no\nr2,3,NA,yes\nr3,5,6,?\n",
          { .label_column = "kind", .missing = PEN_MISSING_MEAN } },
        { "pen_read", "drop.tsv", "1\t2\nNA\t4\n5\t6\n", { .missing = PEN_MISSING_DROP } },
        { "pen_read",
          "chosen.csv",
          "a,b,c,d,e\n1,2,3,4,5\n6,7,8,9,10\n",
          { .drop = dropped,
            .drop_count = 1,
            .carry = kept,
            .carry_count = 1,
            .select = selected,
            .select_count = 2 } },
        { "pen_read", "rows.libsvm", "1 1:0.5 3:2\n-1 2:1\n1 1:4\n", { .columns = 3 } },
        { "pen_read_labels",
          "labels.txt",
          "red\nblue\nnone\n\nred\n",
          { .unlabelled = none, .unlabelled_count = 1 } },
        { "pen_blocks_open", "blocks.csv", "a,b\n1,2\n3,4\n5,6\n", { 0 } },
        { "pen_read_pairs", "full.csv", "i;j;kind\r\n\"0\";1.0;-1\r\n\r\n2;3;1\r\n", { 0 } },
        { "pen_read_pairs", "empty.txt", "", { 0 } },
        { "pen_read_folds", "folds.txt", "0,1\n1,0\n0,0\n1,1\n", { 0 } },
    };

    for (int64_t i = 0; i < COUNT_OF(cases); i++) {
        given.path = in_folder(cases[i].name);
        given.options = cases[i].options;
        put(cases[i].text);
        check_public(cases[i].function, cases[i].name);
        if (strcmp(cases[i].function, "pen_blocks_open") == 0) {
            given.blocks = made_by("pen_blocks_open");
            check_public("pen_blocks_next", cases[i].name);
            pen_blocks_free(given.blocks);
        }
        unlink(given.path);
    }
    given.path = TEST_DATA "/sparse_deflated.npz";
    check_public("pen_read_graph", given.path);
}

/* Reads every written file. */
TEST(writing_and_arrays)
{
    static const double numbers[] = { 0, 1, -1, 1e300, 2, 1 }, pairs[] = { 0, 1, -1, 3, 2, 1 };
    static const char *const files[] = { "out.csv", "out.tsv", "out.npy" };
    char text[] = "a", *texts[] = { text, text };
    pen_error err;

    given.data = (pen_data){ .x = pen_dense(numbers, PEN_F64, 2, 3, 3) };
    given.options = (pen_read_options){ 0 };
    for (int i = 0; i < 3; i++) {
        given.path = in_folder(files[i]);
        given.table = (pen_table){ .x = given.data.x };
        if (i < 2) {
            given.table.carried = given.table.carried_names = given.table.row_names = texts;
            given.table.carried_count = 1;
            check_public("pen_write_classes", files[i]);
        }
        check_public("pen_write_pairs pen_write", files[i]);
        if (i == 2)
            check_public("pen_read", files[i]);
        unlink(given.path);
    }
    given.data.x.values = pairs;
    CHECK_OK(pen_write(given.path, &given.data.x, NULL, &err), &err);
    check_public("pen_read_pairs", given.path);
    unlink(given.path);
    given.path = in_folder("near.npz");
    check_public("pen_write_graph", given.path);
    unlink(given.path);
    given.rows = given.data.rows = made_by("pen_rows_new");
    fit_data("pca dim=1", &given.data);
    check_public("pen_rows_save pen_rows_load", "prepared rows");
    unlink(given.path);
    pen_rows_free(given.rows);
    given.data.rows = NULL;
}

TEST(every_function)
{
    for (int64_t i = 0; public_calls[i].function; i++)
        CHECK(called[i], "%s is not called", public_calls[i].function);
}
