/* test_allocation.c - a call that runs out of memory reports it, returns nothing, and leaks
 * nothing.
 *
 * The linker redirects the library's malloc, calloc, realloc, aligned_alloc, and free to this file.
 * Every public call is repeated with its first, second, third, ... allocation failing until no
 * allocation is left to fail. */
#define _POSIX_C_SOURCE 200809L

#include "classifiers/classifier.h"
#include "core/row_order.h"
#include "kernels/kernel_gamma.h"
#include "kernels/kernel_map.h"
#include "kernels/landmarks.h"
#include "kit/compared.h"
#include "kit/joined.h"
#include "kit/sparse_sample.h"

#include <stdio.h>
#include <sys/stat.h>
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
 * The calls run on one thread. */
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

/* Blocks are mostly freed in reverse order of allocation. */
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

static const pen_control ONE_THREAD = { .threads = 1 };

/* The inputs of a call, set before it runs. */
static struct {
    const char *text, *path;
    pen_spec *spec;
    pen_data data;
    pen_model *model, *second;
    unsigned char *bytes;
    size_t size;
    double *z;
    pen_read_options options;
    const char *const *names;
    pen_link link;
    int carried;
    pen_stats *stats[3];
    int64_t stats_count;
    const int64_t *groups;
} given;

/* A call: returns its status and sets *out to what it creates, if anything. */
typedef pen_status (*call_fn)(void **out, pen_error *err);

static pen_status call_spec(void **out, pen_error *err)
{
    pen_spec *spec = (pen_spec *)(void *)&given;
    const pen_status status = pen_spec_new(given.text, &spec, err);
    *out = spec;
    return status;
}

static void free_spec(void *made_by_call)
{
    pen_spec_free(made_by_call);
}

static pen_status call_fit(void **out, pen_error *err)
{
    pen_model *model = (pen_model *)(void *)&given;
    const pen_status status = pen_fit(given.spec, &given.data, &ONE_THREAD, &model, err);
    *out = model;
    return status;
}

static void free_model(void *made_by_call)
{
    pen_model_free(made_by_call);
}

static pen_status call_transform(void **out, pen_error *err)
{
    *out = NULL;
    return pen_transform(given.model, &given.data.x, &ONE_THREAD, PEN_F64, given.z,
                         pen_model_dim(given.model), err);
}

static pen_status call_predict(void **out, pen_error *err)
{
    int32_t classes[64];
    *out = NULL;
    return pen_predict(given.model, &given.data.x, &ONE_THREAD, classes, given.z, NULL, err);
}

static pen_status call_about(void **out, pen_error *err)
{
    pen_model *copy;
    const pen_status status = pen_model_from_bytes(given.bytes, given.size, &copy, err);
    *out = copy;
    if (status != PEN_OK || pen_model_info(copy))
        return status;
    pen_model_free(copy);
    *out = NULL;
    return pen_error_set(err, PEN_NO_MEMORY, "out of memory");
}

static pen_status call_suggest(void **out, pen_error *err)
{
    pen_suggestion found[3];
    int64_t count;
    *out = NULL;
    return pen_suggest(given.model, &(pen_data){ .x = given.data.x, .labels = given.data.labels },
                       3, &ONE_THREAD, found, &count, err);
}

static pen_status call_write_classes(void **out, pen_error *err)
{
    static const int32_t classes[] = { 0, 1, 0 };
    static const double p[] = { 1, 0, 0, 1, 1, 0 };
    static const char *const names[] = { "a", "b" };
    const pen_class_rows rows = { .n = 3,
                                  .class_count = 2,
                                  .classes = classes,
                                  .probabilities = p,
                                  .class_names = names,
                                  .every = 1 };
    *out = NULL;
    return pen_write_classes(given.path, &rows, err);
}

/* ---- trials ---- */

/* One method with a grid; all dimensions; labels set aside. */
static pen_status call_tune(void **out, pen_error *err)
{
    static const char *const grid[] = { "scale=none,standard" };
    static const int64_t dims[] = { 1 };
    const pen_trials trials = { .folds = 2,
                                .runs = 1,
                                .grid = grid,
                                .grid_count = 1,
                                .dims = dims,
                                .dim_count = 1,
                                .keep_labels = "3",
                                .shuffled = 1 };
    const pen_spec *const spec = given.spec;
    pen_comparison *comparison = (pen_comparison *)(void *)&given;
    const pen_status status =
        pen_compare(&spec, 1, &given.data, &trials, &ONE_THREAD, &comparison, err);
    *out = comparison;
    return status;
}

static pen_status call_compare(void **out, pen_error *err)
{
    static const char *const names[] = { "pca", "bwdr" };
    const pen_trials trials = { .folds = 2, .runs = 1, .seed = 3, .effort = 1 };
    pen_comparison *comparison = (pen_comparison *)(void *)&given;
    const pen_status status =
        compare_named(names, 2, &given.data, &trials, &ONE_THREAD, &comparison, err);
    *out = comparison;
    return status;
}

static void free_comparison(void *made_by_call)
{
    pen_comparison_free(made_by_call);
}

static pen_status call_folds(void **out, pen_error *err)
{
    int32_t fold[64];
    *out = NULL;
    return pen_deal_folds(given.data.labels, NULL, given.data.x.rows, 3, 1, 0, fold, err);
}

static pen_status call_save(void **out, pen_error *err)
{
    *out = NULL;
    return pen_model_save(given.model, given.path, err);
}

static pen_status call_bytes(void **out, pen_error *err)
{
    size_t size;
    *out = &given;
    return pen_model_to_bytes(given.model, out, &size, err);
}

static void free_bytes(void *made_by_call)
{
    pen_free(made_by_call);
}

static pen_status call_load(void **out, pen_error *err)
{
    pen_model *model = (pen_model *)(void *)&given;
    const pen_status status = pen_model_load(given.path, &model, err);
    *out = model;
    return status;
}

static pen_status call_parse(void **out, pen_error *err)
{
    pen_model *model = (pen_model *)(void *)&given;
    const pen_status status = pen_model_from_bytes(given.bytes, given.size, &model, err);
    *out = model;
    return status;
}

static pen_status call_compose(void **out, pen_error *err)
{
    pen_model *model = (pen_model *)(void *)&given;
    const pen_status status = pen_model_compose(given.model, given.second, &model, err);
    *out = model;
    return status;
}

static pen_status call_stats(void **out, pen_error *err)
{
    pen_stats *stats = (pen_stats *)(void *)&given;
    const int64_t keep[] = { 2 };
    const pen_stats_block block = {
        .id = 0,
        .keep = keep,
        .keep_count = 1,
        .chunks = given.groups,
        .parts = PEN_PART_TOTAL | PEN_PART_CLASSES | PEN_PART_ROWS,
    };
    const pen_status status =
        pen_stats_new(given.spec, &given.data, &block, &ONE_THREAD, &stats, err);
    *out = stats;
    return status;
}

static void free_stats(void *made_by_call)
{
    pen_stats_free(made_by_call);
}

static pen_status call_nearest_stats(void **out, pen_error *err)
{
    pen_stats *stats = (pen_stats *)(void *)&given;
    const pen_status status =
        pen_stats_nearest(given.spec, given.stats[0], &given.data, 0, &ONE_THREAD, &stats, err);
    *out = stats;
    return status;
}

static pen_status call_merge(void **out, pen_error *err)
{
    pen_stats *stats = (pen_stats *)(void *)&given;
    const pen_status status = pen_stats_merge((const pen_stats *const *)given.stats,
                                              given.stats_count, 0, &ONE_THREAD, &stats, err);
    *out = stats;
    return status;
}

static pen_status call_stats_fit(void **out, pen_error *err)
{
    pen_model *model = (pen_model *)(void *)&given;
    const pen_status status =
        pen_stats_fit(given.spec, given.stats[0], NULL, &ONE_THREAD, &model, err);
    *out = model;
    return status;
}

static pen_status call_stats_bytes(void **out, pen_error *err)
{
    size_t size;
    *out = &given;
    return pen_stats_to_bytes(given.stats[0], out, &size, err);
}

static pen_status call_stats_save(void **out, pen_error *err)
{
    *out = NULL;
    return pen_stats_save(given.stats[0], given.path, err);
}

static pen_status call_stats_load(void **out, pen_error *err)
{
    pen_stats *stats = (pen_stats *)(void *)&given;
    const pen_status status = pen_stats_load(given.path, &stats, err);
    *out = stats;
    return status;
}

static pen_status call_read(void **out, pen_error *err)
{
    pen_table *table = (pen_table *)(void *)&given;
    const pen_status status = pen_read(given.path, &given.options, &table, err);
    *out = table;
    return status;
}

static pen_status call_read_labels(void **out, pen_error *err)
{
    pen_table *table = (pen_table *)(void *)&given;
    const pen_status status = pen_read_labels(given.path, &given.options, &table, err);
    *out = table;
    return status;
}

static void free_table(void *made_by_call)
{
    pen_table_free(made_by_call);
}

static pen_status call_read_pairs(void **out, pen_error *err)
{
    pen_pairs *table = (pen_pairs *)(void *)&given;
    const pen_status status = pen_read_pairs(given.path, given.link, 0, &table, err);
    *out = table;
    return status;
}

static void free_pairs(void *made_by_call)
{
    pen_pairs_free(made_by_call);
}

static pen_status call_sample_pairs(void **out, pen_error *err)
{
    pen_pairs *pairs = NULL;
    const pen_status status = pen_sample_pairs(given.data.labels, given.data.x.rows, given.path, 0,
                                               &ONE_THREAD, &pairs, err);
    *out = pairs;
    return status;
}

static pen_status call_neighbors(void **out, pen_error *err)
{
    int64_t index[3 * 40];
    *out = NULL;
    return pen_neighbors(&given.data.x, NULL, 3, &ONE_THREAD, index, given.z, err);
}

/* Of dense rows among those that are given. */
static pen_status call_neighbors_of(void **out, pen_error *err)
{
    static const double zeros[2 * 40];
    const pen_array queries = pen_dense(zeros, PEN_F64, 2, given.data.x.cols, given.data.x.cols);
    int64_t index[3 * 2];
    *out = NULL;
    return pen_neighbors(&given.data.x, &queries, 3, &ONE_THREAD, index, NULL, err);
}

static pen_status call_fit_graphs(void **out, pen_error *err)
{
    const pen_control control = { .threads = 1, .keep_graphs = 1 };
    pen_model *model = (pen_model *)(void *)&given;
    const pen_status status = pen_fit(given.spec, &given.data, &control, &model, err);
    *out = model;
    return status;
}

static pen_status call_sparse_read(void **out, pen_error *err)
{
    pen_sparse *matrix;
    const pen_status status = pen_read_graph(given.path, &matrix, err);
    pen_sparse_free(matrix);
    *out = NULL;
    return status;
}

static pen_status call_sparse_write(void **out, pen_error *err)
{
    static const int64_t starts[] = { 0, 1, 2 }, columns[] = { 1, 0 };
    static const double values[] = { 0.5, 0.5 };
    const pen_sparse matrix = {
        .rows = 2, .cols = 2, .starts = starts, .columns = columns, .values = values
    };
    *out = NULL;
    return pen_write_graph(given.path, &matrix, err);
}

static pen_status call_sample_labels(void **out, pen_error *err)
{
    int32_t kept[64];
    *out = NULL;
    return pen_sample_labels(given.data.labels, given.data.x.rows, "2", 0, kept, err);
}

static pen_status call_write(void **out, pen_error *err)
{
    char text[] = "a", *texts[64];
    pen_table rows = { .x = given.data.x };

    if (given.carried)
        rows.carried = rows.carried_names = rows.row_names = texts, rows.carried_count = 1;
    *out = NULL;
    for (int i = 0; i < 64; i++)
        texts[i] = text;
    return pen_write(given.path, &given.data.x, &rows, err);
}

/* Landmarks, coordinates and the gamma of a kernel of given.data, and a draw of its rows. */
static pen_status map_kernel(pen_run *run)
{
    pen_kernel kernel = { .kind = PEN_KERNEL_RBF };
    const int64_t *landmarks;
    int64_t count, *drawn;
    double captured, *F, *phi;
    pen_sym penalty;
    pen_rows x;
    pen_kernel_map map;

    PEN_TRY(pen_rows_open(run, &given.data, 0, PEN_SCALE_NONE, &x));
    PEN_TRY(pen_kernel_gamma(run, &kernel, &x, 0, &kernel.gamma));
    PEN_TRY(pen_rows_draw(run, &x, 9, 0, &drawn));
    PEN_TRY(
        pen_landmarks_cholesky(run, &kernel, &x, NULL, 9, 0, &landmarks, &count, &F, &captured));
    PEN_TRY(pen_kernel_map_open(run, &kernel, &x, count, landmarks, &map));
    PEN_TRY(PEN_NEW(run, phi, pen_times(x.n, map.q)));
    PEN_TRY(pen_kernel_map_rows(run, &map, &x, phi, &captured));
    PEN_TRY(pen_kernel_map_cholesky(run, &kernel, &x, NULL, 9, 0, &map, &phi, &captured));
    PEN_TRY(pen_kernel_map_penalty(run, &map, 0.1, &penalty));
    x.values = pen_dense(x.values.values, PEN_F64, 5, 5, 5);
    return pen_kernel_check_square(run, &x);
}

static pen_status call_kernel(void **out, pen_error *err)
{
    pen_run *run;

    *out = NULL;
    PEN_TRY(pen_run_open(&ONE_THREAD, err, &run));
    const pen_status status = map_kernel(run);
    pen_run_close(run);
    return status;
}

/* A classifier of the rows of given.data as an embedding, applied to them. */
static pen_classifier_params classifier_to_fit;

static pen_status fit_and_apply_classifier(pen_run *run)
{
    const pen_array *const x = &given.data.x;
    const pen_embedded_rows e = {
        .z = x->values, .n = x->rows, .k = x->cols, .labels = given.data.labels, .classes = 3
    };
    int32_t classes[64];
    pen_classifier classifier;

    PEN_TRY(pen_classifier_fit(run, &e, &classifier_to_fit, &classifier));
    return pen_classifier_apply(run, &classifier, e.n, e.z, e.k, NULL, classes);
}

static pen_status call_classifier(void **out, pen_error *err)
{
    pen_run *run;

    *out = NULL;
    PEN_TRY(pen_run_open(&ONE_THREAD, err, &run));
    const pen_status status = fit_and_apply_classifier(run);
    pen_run_close(run);
    return status;
}

static pen_status call_find_leaks(void **out, pen_error *err)
{
    return pen_find_leaks(&given.data, (pen_leaks **)out, err);
}

static void free_leaks(void *leaks)
{
    pen_leaks_free(leaks);
}

/* Allocation 0, 1, 2, ... of the call fails until the call makes no more: the status is always
 * PEN_NO_MEMORY, nothing is returned, nothing leaks, and no file is created. In calls with many
 * allocations, only every second, third, ... of the later ones fails. */
static void check_call(const char *what, call_fn call, void (*release)(void *), int writes)
{
    pen_status status;
    pen_error err;
    void *out;
    int failed;

    fail_at = 0;
    do {
        if (writes)
            unlink(given.path);
        made = live_count = 0;
        counting = 1;
        status = call(&out, &err);
        counting = 0;
        failed = made > fail_at;
        if (failed) {
            CHECK(status == PEN_NO_MEMORY, "%s, allocation %lld fails: status %d %s", what,
                  (long long)fail_at, (int)status, status ? err.message : "");
            CHECK(err.code == PEN_NO_MEMORY && strstr(err.message, "memory"),
                  "%s, allocation %lld fails: the error is %d \"%s\"", what, (long long)fail_at,
                  (int)err.code, err.message);
            CHECK(out == NULL, "%s, allocation %lld fails: something is given back", what,
                  (long long)fail_at);
            CHECK(!writes || access(given.path, F_OK) != 0,
                  "%s, allocation %lld fails: %s is there", what, (long long)fail_at, given.path);
        }
        counting = 1;
        if (release)
            release(out);
        counting = 0;
        CHECK(live_count == 0, "%s, allocation %lld of %lld fails: %lld blocks are left over", what,
              (long long)fail_at, (long long)made, (long long)live_count);
        fail_at += 1 + fail_at / EACH;
    } while (failed && fail_at < 100000);
    CHECK(status == PEN_OK, "%s: status %d %s", what, (int)status, err.message);
    CHECK(made > 0 || writes || !release,
          "%s makes no allocation: is it still linked with the wrappers?", what);
}

/* ---- the tests ---- */

static char folder[128];

static const char *in_folder(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* The folder contains only what the test put there: no temporary file is left. */
static int make_folder(void **state)
{
    (void)state;
    const char *above = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%.80s/penumbra-allocation-%ld", above ? above : "/tmp",
             (long)getpid());
    return mkdir(folder, 0700);
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

static void specs(void **state)
{
    (void)state;
    static const char *const methods[] = { "pca", "fda", "lfda", "self" };
    for (int i = 0; i < 4; i++) {
        given.text = methods[i];
        check_call(methods[i], call_spec, free_spec, 0);
    }
}

static void fits(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "pca",
        "pca pca=2 scale=standard",
        "pca scale=minmax row_steps=l2",
        "fda",
        "fda ridge=0.1 pca=3 scale=standard column_scaling=orthonormal",
        "lfda",
        "lfda scaling_rows=all pca=rank",
        "lfda scaling_rows=labelled ridge=1",
        "self",
        "self pca=0.9 scale=minmax row_steps=l2",
        "self beta=1 total=covariance",
        "lpp",
        "lpp graph=mutual origin=mean column_scaling=orthonormal",
        "ilpp",
        "ilpp graph=mutual",
        "self-ilpp beta=0.3",
        "self-mix beta=0.3 gamma=0.3 graph=mutual",
        "rssdr neighborhood=mutual column_scaling=unit",
        "saloe neighbors=3 pca=off max_iter=3",
        "salwe neighbors=3 init=random restarts=2 max_iter=2",
        "saloe neighbors=3 init=zero pca=rank alpha=1 max_iter=2",
        "soda",
        "tr-fsda graph=heat",
        "fme",
        "soge dim=3 max_iter=3",
        "asl max_iter=3",
        "stsd tangent_dim=1",
        "ssda",
        "self kernel=rbf kernel_ridge=0.01 dim=2",
        "self kernel=laplacian kernel_landmarks=9 scale=standard pca=0.9 kernel_ridge=0.1 dim=1",
        "fme kernel=polynomial kernel_landmarks=random:9 scale=minmax row_steps=l2",
    };
    static const char *const wide_texts[] = { "pca",
                                              "fda ridge=0.1",
                                              "lfda pca=4",
                                              "self",
                                              "self scale=standard column_scaling=orthonormal",
                                              "ilpp origin=mean ridge=0.1",
                                              "self-mix origin=mean beta=0.2 gamma=0.2" };
    static const char *const features[] = { "a", "b", "c", "d", "e" }, *const classes[] = { "x",
                                                                                            "y",
                                                                                            "z" };
    pen_rng rng = check_rng(601);
    sample tall = sample_random(&rng, 40, 5, 3, 25), wide = sample_random(&rng, 15, 40, 3, 9),
           large = sample_random(&rng, 36000, 30, 3, 90), tied = sample_new(40, 2);

    for (int64_t i = 0; i < COUNT_OF(texts); i++) {
        given.spec = spec_of(texts[i]);
        given.data = sample_data(&tall);
        given.data.column_names = features;
        given.data.class_names = classes;
        given.data.class_count = 3;
        check_call(texts[i], call_fit, free_model, 0);
        pen_spec_free(given.spec);
    }
    for (int64_t i = 0; i < COUNT_OF(wide_texts); i++) {
        given.spec = spec_of(wide_texts[i]);
        given.data = sample_data(&wide);
        check_call(wide_texts[i], call_fit, free_model, 0);
        pen_spec_free(given.spec);
    }
    given.spec = spec_of("saloe dim=1");
    given.data = sample_data(&tall);
    check_call("keep_graphs", call_fit_graphs, free_model, 0);
    pen_spec_free(given.spec);
    /* eight distinct points, five rows each: many rows tie with the last neighbor */
    for (int64_t i = 0; i < tied.n; i++) {
        tied.x[2 * i] = (double)(i % 4);
        tied.x[2 * i + 1] = (double)(i / 4 % 2);
    }
    given.spec = spec_of("ilpp graph=mutual neighbors=6");
    given.data = sample_data(&tied);
    check_call("ilpp of rows with many ties", call_fit, free_model, 0);
    pen_spec_free(given.spec);
    given.spec = spec_of("self dim=2");
    given.data = sample_data(&large);
    given.data.x = recast(&large, PEN_F32, 0);
    check_call("self in single precision", call_fit, free_model, 0);
    recast_free(&given.data.x);
    pen_spec_free(given.spec);
    sample_free(&tall);
    sample_free(&wide);
    sample_free(&tied);
    sample_free(&large);
}

/* Every call that has code of its own for sparse rows. */
static void sparse_rows(void **state)
{
    (void)state;
    static const char *const texts[] = { "pca",
                                         "self row_steps=l2 scale=standard",
                                         "fda ridge=0.1 scale=minmax",
                                         "pca pca=2",
                                         "sda kernel=rbf",
                                         "rssdr space=relative:5" };
    pen_rng rng = check_rng(608);
    sample tall = sparse_random(&rng, 40, 9, 3, 25), wide = sparse_random(&rng, 24, 40, 3, 15);
    double distance[3 * 40];

    given.z = distance;
    for (int shape = 0; shape < 2; shape++) {
        const sample *const s = shape ? &wide : &tall;
        const pen_array x = pen_dense(s->x, PEN_F64, s->n, s->d, s->d);
        pen_array sparse = sparse_of(&x, SOME_ZEROS);
        given.data = sample_data(s);
        given.data.x = sparse;
        for (int64_t i = 0; i < COUNT_OF(texts); i++) {
            given.spec = spec_of(texts[i]);
            check_call(texts[i], call_fit, free_model, 0);
            pen_spec_free(given.spec);
        }
        check_call("pen_neighbors", call_neighbors, NULL, 0);
        check_call("pen_neighbors of queries", call_neighbors_of, NULL, 0);
        check_call("pen_find_leaks", call_find_leaks, free_leaks, 0);
        sparse_free(&sparse);
    }
    sample_free(&tall);
    sample_free(&wide);
}

/* Of two models like given.model. */
static void check_members(void)
{
    pen_model *const alone = given.model;
    const pen_model *const models[] = { alone, alone };

    given.model = joined(models, 2);
    check_call("file of members", call_bytes, free_bytes, 0);
    pen_model_free(given.model);
    given.model = alone;
}

static void trials(void **state)
{
    (void)state;
    static const char *const evaluated[] = { "self", "pca pca=2", "bwdr", "fme",
                                             "self kernel=rbf kernel_landmarks=8 beta=0.3" };
    pen_rng rng = check_rng(603);
    sample s = sample_random(&rng, 20, 3, 2, 20), many = sample_random(&rng, 20, 3, 2, 16);

    given.data = sample_data(&many);
    for (int64_t i = 0; i < COUNT_OF(evaluated); i++) {
        given.spec = spec_of(evaluated[i]);
        check_call(evaluated[i], call_tune, free_comparison, 0);
        pen_spec_free(given.spec);
    }
    check_call("compare", call_compare, free_comparison, 0);
    given.data = sample_data(&s);
    check_call("pen_deal_folds", call_folds, NULL, 0);
    given.model = fit_sample("fme", &s);
    given.z = check_allocate(20 * 2, sizeof(double));
    check_call("predict", call_predict, NULL, 0);
    check_call("suggest", call_suggest, NULL, 0);
    check_members();
    free(given.z);
    pen_model_free(given.model);
    sample_free(&s), sample_free(&many);
}

/* Pairs stored as lists and as bits, pairs with labels, samples of labels; few pairs and many; more
 * columns than rows. */
static void fits_of_pairs(void **state)
{
    (void)state;
    static const char *const texts[] = { "bwdr",
                                         "bwdr threshold=0.5 target=mean",
                                         "wbdr",
                                         "wbdr threshold=0.9 pca=3",
                                         "ssdr",
                                         "ssdr alpha=3 dim=2",
                                         "cmm",
                                         "cfld total_rows=all",
                                         "cfld column_scaling=unit",
                                         "rca ridge=1",
                                         "rssdr space=relative:5",
                                         "npssdr",
                                         "npssdr form=ratio" };
    static const int64_t must[] = { 0, 1, 2, 3, 3, 4, 1, 0 }, cannot[] = { 0, 5, 1, 6, 5, 6 };
    static const char *const ways[] = {
        "", "", " sample_pairs=50% seed=1", " sample_pairs=20+20", "", " closure=true"
    };
    char text[128];
    pen_rng rng = check_rng(602);
    sample tall = sample_random(&rng, 40, 4, 3, 30), wide = sample_random(&rng, 9, 14, 3, 7),
           many = sample_random(&rng, 600, 3, 3, 20);

    for (int64_t i = 0; i < COUNT_OF(texts); i++)
        for (int way = 0; way < 6; way++) {
            snprintf(text, sizeof text, "%s%s", texts[i], ways[way]);
            given.spec = spec_of(text);
            given.data = sample_data(way == 4 ? &wide : way == 5 ? &many : &tall);
            /* rca needs more rows than columns, and rssdr and npssdr compare all rows */
            if (way == 4 ? strstr(texts[i], "rca") || strstr(texts[i], "pca")
                         : way == 5 && (strstr(texts[i], "rssdr") || strstr(texts[i], "npssdr")))
                given.data.x.rows = 0; /* skipped */
            if (way != 1 && way < 2)
                given.data.labels = NULL;
            if (way == 0 || way > 3) {
                given.data.labels = NULL;
                given.data.must_link = must;
                given.data.must_link_count = 4;
                given.data.cannot_link = cannot;
                given.data.cannot_link_count = 3;
            }
            if (given.data.x.rows > 0)
                check_call(texts[i], call_fit, free_model, 0);
            pen_spec_free(given.spec);
        }
    sample_free(&tall);
    sample_free(&wide);
    sample_free(&many);
}

/* Neighbor graphs with pairs from lists, from labels, and from both; more columns than rows. */
static void fits_of_graphs(void **state)
{
    static const char *const texts[] = { "sodrpac", "sodrpac lambda=0 derive=unlinked pca=3",
                                         "clpp", "clpp propagate_pairs=false" };
    static const int64_t must[] = { 0, 1, 2, 3, 3, 4, 1, 0 }, cannot[] = { 0, 5, 1, 6, 5, 6 };
    char text[128];
    pen_rng rng = check_rng(605);
    sample tall = sample_random(&rng, 40, 5, 3, 10), wide = sample_random(&rng, 15, 40, 3, 9);
    (void)state;

    for (int64_t i = 0; i < COUNT_OF(texts); i++)
        for (int way = 0; way < 3; way++) {
            snprintf(text, sizeof text, "%s contradictions=drop", texts[i]);
            given.spec = spec_of(text);
            given.data = sample_data(way == 2 ? &wide : &tall);
            if (way != 1) {
                given.data.must_link = must;
                given.data.must_link_count = 4;
                given.data.cannot_link = cannot;
                given.data.cannot_link_count = 3;
            }
            if (way == 0)
                given.data.labels = NULL;
            check_call(texts[i], call_fit, free_model, 0);
            pen_spec_free(given.spec);
        }
    sample_free(&tall);
    sample_free(&wide);
}

static void samples(void **state)
{
    (void)state;
    static const char *const ways[] = { "50%", "1", "3+4" };
    pen_rng rng = check_rng(603);
    sample s = sample_random(&rng, 50, 1, 3, 40);

    given.data = sample_data(&s);
    for (int i = 0; i < 3; i++) {
        given.path = ways[i];
        check_call("pen_sample_pairs", call_sample_pairs, free_pairs, 0);
    }
    check_call("pen_sample_labels", call_sample_labels, NULL, 0);
    check_call("pen_find_leaks", call_find_leaks, free_leaks, 0);
    sample_free(&s);
}

static void neighbors(void **state)
{
    (void)state;
    pen_rng rng = check_rng(604);
    sample s = sample_random(&rng, 40, 5, 2, 0);
    double distance[3 * 40];

    given.data = sample_data(&s);
    given.z = distance;
    check_call("pen_neighbors", call_neighbors, NULL, 0);
    given.path = TEST_DATA "/sparse_deflated.npz";
    check_call("pen_read_graph", call_sparse_read, NULL, 0);
    given.path = in_folder("near.npz");
    check_call("pen_write_graph", call_sparse_write, NULL, 1);
    unlink(given.path);
    sample_free(&s);
}

static void kernels(void **state)
{
    enum { N = 150, D = 5 };
    sample s = sample_new(N, D);
    (void)state;

    for (int64_t i = 0; i < N * D; i++) /* its first rows are a kernel */
        s.x[i] = (double)(i % D + i / D) / (double)(1 + i / D / 5) + (i % D == i / D ? 10 : 0);
    given.data = sample_data(&s);
    check_call("kernels", call_kernel, NULL, 0);
    sample_free(&s);
}

/* More and fewer labelled rows than columns. */
static void classifiers(void **state)
{
    enum { N = 60 };
    pen_rng rng = check_rng(7120);
    (void)state;
    for (int64_t d = 4; d <= 24; d += 20) {
        sample s = sample_random(&rng, N, d, 3, 20);
        given.data = sample_data(&s);
        for (int kind = PEN_CLASSIFIER_NEAREST; kind <= PEN_CLASSIFIER_LOGISTIC; kind++) {
            classifier_to_fit =
                (pen_classifier_params){ .kind = (enum pen_classifier_kind)kind, .neighbors = 3 };
            check_call(pen_classifier_names[kind], call_classifier, NULL, 0);
        }
        sample_free(&s);
    }
}

static unsigned char *bytes_of(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    CHECK(file != NULL, "%s cannot be opened", path);
    unsigned char *bytes = check_allocate(1, 1 << 16);
    *size = fread(bytes, 1, 1 << 16, file);
    fclose(file);
    return bytes;
}

/* This fit, and every call with its model. */
static void check_model_calls(const char *text)
{
    pen_error err;

    given.spec = spec_of(text);
    check_call(text, call_fit, free_model, 0);
    pen_spec_free(given.spec);
    given.model = fit_data(text, &given.data);
    given.path = in_folder("model.pen");
    check_call("pen_transform", call_transform, NULL, 0);
    check_call("pen_predict", call_predict, NULL, 0);
    check_call("pen_model_save", call_save, NULL, 1);
    CHECK_OK(pen_model_save(given.model, given.path, &err), &err);
    given.bytes = bytes_of(given.path, &given.size);
    check_call("pen_model_load", call_load, free_model, 0);
    check_call("pen_model_from_bytes", call_parse, free_model, 0);
    check_call("pen_model_info", call_about, free_model, 0);
    check_call("pen_model_to_bytes", call_bytes, free_bytes, 0);
    unlink(given.path);
    free(given.bytes);
    pen_model_free(given.model);
}

/* Of a block, of several, and of a second pass. */
static void statistics(void **state)
{
    static const char *const features[] = { "a", "b", "c" }, *const classes[] = { "x", "y", "z" };
    pen_rng rng = check_rng(603);
    sample s = sample_random(&rng, 30, 3, 3, 20);
    int64_t groups[30];
    void *made_by_call;
    pen_error err;
    (void)state;

    for (int i = 0; i < 30; i++)
        groups[i] = i % 4 - 1;
    given.data = sample_data(&s);
    given.data.column_names = features;
    given.data.class_names = classes;
    given.data.class_count = 3;
    given.groups = groups;
    given.spec = spec_of("self neighbors=3 scale=standard pca=2 row_steps=l2");
    given.path = in_folder("part.pens");
    given.model = fit_data("self dim=2 scale=standard", &given.data);
    pen_data reduced = { .x = pen_dense(s.x, PEN_F64, 30, 2, 3), .labels = s.y };
    given.second = fit_data("fda classifier=lda", &reduced);
    check_call("pen_model_compose", call_compose, free_model, 0);
    pen_model_free(given.model), pen_model_free(given.second);
    check_call("pen_stats_new", call_stats, free_stats, 0);
    CHECK_OK(call_stats(&made_by_call, &err), &err);
    given.stats[0] = made_by_call;
    check_call("pen_stats_nearest", call_nearest_stats, free_stats, 0);
    CHECK_OK(call_nearest_stats(&made_by_call, &err), &err);
    given.stats[1] = made_by_call;
    given.stats_count = 2;
    check_call("pen_stats_merge of two passes", call_merge, free_stats, 0);
    CHECK_OK(call_merge(&made_by_call, &err), &err);
    pen_stats_free(given.stats[0]), pen_stats_free(given.stats[1]);
    given.stats[0] = made_by_call;
    check_call("pen_stats_fit", call_stats_fit, free_model, 0);
    check_call("pen_stats_to_bytes", call_stats_bytes, free_bytes, 0);
    check_call("pen_stats_save", call_stats_save, NULL, 1);
    CHECK_OK(pen_stats_save(given.stats[0], given.path, &err), &err);
    check_call("pen_stats_load", call_stats_load, free_stats, 0);
    unlink(given.path);
    pen_stats_free(given.stats[0]);
    for (int64_t b = 0; b < 3; b++) {
        const pen_stats_block block = { .id = b, .chunks = groups };
        CHECK_OK(pen_stats_new(given.spec, &given.data, &block, NULL, &given.stats[b], &err), &err);
    }
    given.stats_count = 3;
    check_call("pen_stats_merge", call_merge, free_stats, 0);
    for (int b = 0; b < 3; b++)
        pen_stats_free(given.stats[b]);
    pen_spec_free(given.spec);
    sample_free(&s);
}

static void models(void **state)
{
    (void)state;
    static const char *const features[] = { "a", "b", "c", "d", "e" }, *const classes[] = { "x",
                                                                                            "y",
                                                                                            "z" };
    pen_rng rng = check_rng(602);
    sample s = sample_random(&rng, 40, 5, 3, 25);
    double z[40 * 5];

    given.data = sample_data(&s);
    given.data.column_names = features;
    given.data.class_names = classes;
    given.data.class_count = 3;
    given.z = z;
    check_model_calls("self row_steps=l2");
    check_model_calls("self kernel=rbf scale=standard kernel_landmarks=9 dim=2");
    check_model_calls("pca classifier=neighbors temperature=2");
    check_model_calls("pca classifier=logistic pca=3 pca_scale=unit");
    sample_free(&s);
}

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    CHECK(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0, "%s cannot be written",
          path);
}

static void check_reading(const char *name, const char *text, pen_read_options options)
{
    given.path = in_folder(name);
    given.options = options;
    if (text)
        put(given.path, text);
    check_call(name, call_read, free_table, 0);
    unlink(given.path);
}

static void reading(void **state)
{
    (void)state;
    static const char *const dropped[] = { "a" }, *const kept[] = { "b" },
                             *const selected[] = { "e", "c" };
    static const float numbers[] = { 1, 2, 3, 4, 5, 6 };
    const pen_array f32 = pen_dense(numbers, PEN_F32, 3, 2, 2);
    pen_error err;

    check_reading("plain.csv", "1,2\n3,4\n5,6\n", (pen_read_options){ 0 });
    check_reading("full.csv", ",height,\"a \"\"b\"\"\",kind\nr1,1,2,no\nr2,3,NA,yes\nr3,5,6,?\n",
                  (pen_read_options){ .label_column = "kind", .missing = PEN_MISSING_MEAN });
    check_reading("drop.tsv", "1\t2\nNA\t4\n5\t6\n",
                  (pen_read_options){ .missing = PEN_MISSING_DROP });
    check_reading("chosen.csv", "a,b,c,d,e\n1,2,3,4,5\n6,7,8,9,10\n",
                  (pen_read_options){ .drop = dropped,
                                      .drop_count = 1,
                                      .carry = kept,
                                      .carry_count = 1,
                                      .select = selected,
                                      .select_count = 2 });
    check_reading("rows.libsvm", "1 1:0.5 3:2\n-1 2:1\n1 1:4\n",
                  (pen_read_options){ .columns = 3 });
    CHECK_OK(pen_write(in_folder("rows.npy"), &f32, NULL, &err), &err);
    check_reading("rows.npy", NULL, (pen_read_options){ 0 });

    given.path = in_folder("labels.txt");
    static const char *const none[] = { "none" };
    given.options = (pen_read_options){ .unlabelled = none, .unlabelled_count = 1 };
    put(given.path, "red\nblue\nnone\n\nred\n");
    check_call("pen_read_labels", call_read_labels, free_table, 0);
    unlink(given.path);
}

static void check_reading_pairs(const char *name, const char *text, pen_link link)
{
    given.path = in_folder(name);
    given.link = link;
    put(given.path, text);
    check_call(name, call_read_pairs, free_pairs, 0);
    unlink(given.path);
}

static void reading_pairs(void **state)
{
    static const double pairs[] = { 0, 1, -1, 3, 2, 1 };
    const pen_array array = pen_dense(pairs, PEN_F64, 2, 3, 3);
    pen_error err;
    (void)state;

    check_reading_pairs("plain.csv", "0,1\n2,3\n", PEN_MUST_LINK);
    check_reading_pairs("full.csv", "i;j;kind\r\n\"0\";1.0;-1\r\n\r\n2;3;1\r\n", PEN_ANY_LINK);
    check_reading_pairs("empty.txt", "", PEN_ANY_LINK);
    given.path = in_folder("pairs.npy");
    given.link = PEN_ANY_LINK;
    CHECK_OK(pen_write(given.path, &array, NULL, &err), &err);
    check_call("pairs.npy", call_read_pairs, free_pairs, 0);
    unlink(given.path);
}

static void writing(void **state)
{
    (void)state;
    static const double numbers[] = { 1, 0.5, 3, 1e300 };
    static const int32_t labels[] = { 1, -1 };
    static const char *const names[] = { "a", "b,c" };
    static const char *const files[] = { "out.csv", "out.tsv", "out.npy" };

    given.data.x = pen_dense(numbers, PEN_F64, 2, 2, 2);
    given.data.labels = labels;
    for (int i = 0; i < 3; i++) {
        given.path = in_folder(files[i]);
        given.names = i < 2 ? names : NULL;
        given.carried = i < 2;
        check_call(files[i], call_write, NULL, 1);
        unlink(given.path);
        if (!strstr(given.path, ".npy"))
            check_call(files[i], call_write_classes, NULL, 1);
        unlink(given.path);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fits_of_pairs), cmocka_unit_test(fits_of_graphs),
        cmocka_unit_test(samples),       cmocka_unit_test(neighbors),
        cmocka_unit_test(kernels),       cmocka_unit_test(classifiers),
        cmocka_unit_test(trials),        cmocka_unit_test(specs),
        cmocka_unit_test(fits),          cmocka_unit_test(models),
        cmocka_unit_test(sparse_rows),   cmocka_unit_test(reading),
        cmocka_unit_test(reading_pairs), cmocka_unit_test(writing),
        cmocka_unit_test(statistics),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
