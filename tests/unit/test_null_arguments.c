/* test_null_arguments.c - every public function with NULL for each required argument, and with
 * sizes that exceed any memory. */
#include "kit/check_fit.h"
#include "model/spec.h"

enum { N = 12, D = 3 };

/* The arguments of the calls below. */
static struct {
    double x[N * D], z[N * D], scores[N * 2];
    int32_t labels[N], classes[N];
    int64_t index[N * 2], pairs[4];
    pen_data data;
    pen_array rows;
    pen_spec *spec;
    pen_model *model; /* a predicting model */
    pen_pairs *drawn;
} given;

static int set_up(void **state)
{
    pen_rng rng = check_rng(3101);
    (void)state;
    for (int i = 0; i < N * D; i++)
        given.x[i] = check_normal(&rng);
    for (int i = 0; i < N; i++)
        given.labels[i] = i % 2;
    given.rows = pen_dense(given.x, PEN_F64, N, D, D);
    given.data = (pen_data){ .x = given.rows, .labels = given.labels };
    given.pairs[1] = 1;
    given.pairs[3] = 2;
    given.spec = spec_of("fda");
    given.model = fit_data("fme neighbors=3", &given.data);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    pen_model_free(given.model);
    pen_spec_free(given.spec);
    return 0;
}

/* A call that must return PEN_BAD_ARGUMENT and name the missing argument, with and without a
 * pen_error. */
#define MISSING(name, call_with_error, call)                                                       \
    do {                                                                                           \
        CHECK_STATUS(call_with_error, PEN_BAD_ARGUMENT, name " must not be NULL", &err);           \
        assert_int_equal(call, PEN_BAD_ARGUMENT);                                                  \
    } while (0)

static void specs(void **state)
{
    pen_spec *out = given.spec;
    pen_error err;
    char text[8] = "x";
    (void)state;
    MISSING("out", pen_spec_new("fda", NULL, &err), pen_spec_new("fda", NULL, NULL));
    MISSING("spec", pen_spec_copy(NULL, &out, &err), pen_spec_copy(NULL, &out, NULL));
    assert_null(out);
    MISSING("out", pen_spec_copy(given.spec, NULL, &err), pen_spec_copy(given.spec, NULL, NULL));
    MISSING("spec", pen_spec_set(NULL, "dim", "1", &err), pen_spec_set(NULL, "dim", "1", NULL));
    MISSING("name", pen_spec_set(given.spec, NULL, "1", &err),
            pen_spec_set(given.spec, NULL, "1", NULL));
    MISSING("text", pen_spec_set(given.spec, "dim", NULL, &err),
            pen_spec_set(given.spec, "dim", NULL, NULL));
    MISSING("spec", pen_spec_set_number(NULL, "dim", 1, &err),
            pen_spec_set_number(NULL, "dim", 1, NULL));
    MISSING("name", pen_spec_set_number(given.spec, NULL, 1, &err),
            pen_spec_set_number(given.spec, NULL, 1, NULL));
    MISSING("spec", pen_spec_set_number(NULL, "dim", 1, &err),
            pen_spec_set_number(NULL, "dim", 1, NULL));
    MISSING("name", pen_spec_set_number(given.spec, NULL, 1, &err),
            pen_spec_set_number(given.spec, NULL, 1, NULL));
    assert_int_equal(pen_spec_get(NULL, "dim", text, sizeof text), 0);
    assert_int_equal(pen_spec_get(given.spec, NULL, text, sizeof text), 0);
    assert_int_equal(pen_spec_get(given.spec, "no such", text, sizeof text), 0);
    assert_string_equal(text, "");
    assert_int_equal(pen_spec_get(given.spec, "dim", NULL, 0), strlen("all"));
    assert_int_equal(pen_spec_get(given.spec, "dim", text, 2), strlen("all"));
    assert_string_equal(text, "a");
    pen_spec_free(NULL);
}

static void statistics(void **state)
{
    const pen_stats_block block = { .id = 1 };
    pen_stats *s, *out;
    pen_model *model = NULL;
    pen_spec *parts[2];
    void *bytes;
    size_t size;
    pen_error err;
    (void)state;
    CHECK_OK(pen_stats_new(given.spec, &given.data, &block, NULL, &s, &err), &err);
    const pen_stats *const list[] = { NULL };
    MISSING("spec", pen_stats_new(NULL, &given.data, &block, NULL, &out, &err),
            pen_stats_new(NULL, &given.data, &block, NULL, &out, NULL));
    MISSING("data", pen_stats_new(given.spec, NULL, &block, NULL, &out, &err),
            pen_stats_new(given.spec, NULL, &block, NULL, &out, NULL));
    MISSING("block", pen_stats_new(given.spec, &given.data, NULL, NULL, &out, &err),
            pen_stats_new(given.spec, &given.data, NULL, NULL, &out, NULL));
    const pen_stats_block later = { .id = 1, .reserved = { [7] = 1 } };
    CHECK_STATUS(pen_stats_new(given.spec, &given.data, &later, NULL, &out, &err), PEN_BAD_ARGUMENT,
                 "block.reserved must be zero", &err);
    MISSING("out", pen_stats_new(given.spec, &given.data, &block, NULL, NULL, &err),
            pen_stats_new(given.spec, &given.data, &block, NULL, NULL, NULL));
    MISSING("spec", pen_stats_nearest(NULL, s, &given.data, 1, NULL, &out, &err),
            pen_stats_nearest(NULL, s, &given.data, 1, NULL, &out, NULL));
    MISSING("all", pen_stats_nearest(given.spec, NULL, &given.data, 1, NULL, &out, &err),
            pen_stats_nearest(given.spec, NULL, &given.data, 1, NULL, &out, NULL));
    MISSING("data", pen_stats_nearest(given.spec, s, NULL, 1, NULL, &out, &err),
            pen_stats_nearest(given.spec, s, NULL, 1, NULL, &out, NULL));
    MISSING("list", pen_stats_merge(NULL, 1, 0, NULL, &out, &err),
            pen_stats_merge(NULL, 1, 0, NULL, &out, NULL));
    MISSING("a member of list", pen_stats_merge(list, 1, 0, NULL, &out, &err),
            pen_stats_merge(list, 1, 0, NULL, &out, NULL));
    MISSING("spec", pen_stats_fit(NULL, s, NULL, NULL, &model, &err),
            pen_stats_fit(NULL, s, NULL, NULL, &model, NULL));
    MISSING("stats", pen_stats_fit(given.spec, NULL, NULL, NULL, &model, &err),
            pen_stats_fit(given.spec, NULL, NULL, NULL, &model, NULL));
    MISSING("out", pen_stats_fit(given.spec, s, NULL, NULL, NULL, &err),
            pen_stats_fit(given.spec, s, NULL, NULL, NULL, NULL));
    MISSING("stats", pen_stats_save(NULL, "x", &err), pen_stats_save(NULL, "x", NULL));
    MISSING("path", pen_stats_save(s, NULL, &err), pen_stats_save(s, NULL, NULL));
    MISSING("path", pen_stats_load(NULL, &out, &err), pen_stats_load(NULL, &out, NULL));
    MISSING("out", pen_stats_load("x", NULL, &err), pen_stats_load("x", NULL, NULL));
    MISSING("stats", pen_stats_to_bytes(NULL, &bytes, &size, &err),
            pen_stats_to_bytes(NULL, &bytes, &size, NULL));
    MISSING("bytes", pen_stats_to_bytes(s, NULL, &size, &err),
            pen_stats_to_bytes(s, NULL, &size, NULL));
    MISSING("size", pen_stats_to_bytes(s, &bytes, NULL, &err),
            pen_stats_to_bytes(s, &bytes, NULL, NULL));
    MISSING("bytes", pen_stats_from_bytes(NULL, 9, &out, &err),
            pen_stats_from_bytes(NULL, 9, &out, NULL));
    MISSING("out", pen_stats_from_bytes("x", 9, NULL, &err),
            pen_stats_from_bytes("x", 9, NULL, NULL));
    assert_int_equal(pen_stats_info(NULL, NULL, 0), 0);
    assert_int_equal(pen_spec_passes(NULL), 0);
    MISSING("spec", pen_spec_split(NULL, &parts[0], &parts[1], &err),
            pen_spec_split(NULL, &parts[0], &parts[1], NULL));
    MISSING("components", pen_spec_split(given.spec, NULL, &parts[1], &err),
            pen_spec_split(given.spec, NULL, &parts[1], NULL));
    MISSING("rest", pen_spec_split(given.spec, &parts[0], NULL, &err),
            pen_spec_split(given.spec, &parts[0], NULL, NULL));
    MISSING("next", pen_fit_blocks(given.spec, NULL, NULL, NULL, NULL, &model, &err),
            pen_fit_blocks(given.spec, NULL, NULL, NULL, NULL, &model, NULL));
    pen_stats_free(NULL);
    pen_stats_free(s);
}

static void methods(void **state)
{
    (void)state;
    assert_null(pen_method_named(NULL));
}

static void models(void **state)
{
    pen_model *out = given.model;
    pen_suggestion found;
    int64_t count;
    pen_error err;
    (void)state;
    MISSING("spec", pen_fit(NULL, &given.data, NULL, &out, &err),
            pen_fit(NULL, &given.data, NULL, &out, NULL));
    assert_null(out);
    out = given.model;
    MISSING("data", pen_fit(given.spec, NULL, NULL, &out, &err),
            pen_fit(given.spec, NULL, NULL, &out, NULL));
    assert_null(out);
    MISSING("out", pen_fit(given.spec, &given.data, NULL, NULL, &err),
            pen_fit(given.spec, &given.data, NULL, NULL, NULL));
    MISSING("model", pen_transform(NULL, &given.rows, NULL, PEN_F64, given.z, D, &err),
            pen_transform(NULL, &given.rows, NULL, PEN_F64, given.z, D, NULL));
    MISSING("x", pen_transform(given.model, NULL, NULL, PEN_F64, given.z, D, &err),
            pen_transform(given.model, NULL, NULL, PEN_F64, given.z, D, NULL));
    MISSING("z", pen_transform(given.model, &given.rows, NULL, PEN_F64, NULL, D, &err),
            pen_transform(given.model, &given.rows, NULL, PEN_F64, NULL, D, NULL));
    MISSING("model", pen_predict(NULL, &given.rows, NULL, given.classes, NULL, NULL, &err),
            pen_predict(NULL, &given.rows, NULL, given.classes, NULL, NULL, NULL));
    MISSING("x", pen_predict(given.model, NULL, NULL, given.classes, NULL, NULL, &err),
            pen_predict(given.model, NULL, NULL, given.classes, NULL, NULL, NULL));
    MISSING("model",
            pen_suggest(NULL, &(pen_data){ .x = given.rows }, 1, NULL, &found, &count, &err),
            pen_suggest(NULL, &(pen_data){ .x = given.rows }, 1, NULL, &found, &count, NULL));
    MISSING("data", pen_suggest(given.model, NULL, 1, NULL, &found, &count, &err),
            pen_suggest(given.model, NULL, 1, NULL, &found, &count, NULL));
    MISSING("out",
            pen_suggest(given.model, &(pen_data){ .x = given.rows }, 1, NULL, NULL, &count, &err),
            pen_suggest(given.model, &(pen_data){ .x = given.rows }, 1, NULL, NULL, &count, NULL));
    MISSING("count",
            pen_suggest(given.model, &(pen_data){ .x = given.rows }, 1, NULL, &found, NULL, &err),
            pen_suggest(given.model, &(pen_data){ .x = given.rows }, 1, NULL, &found, NULL, NULL));
    MISSING("model", pen_model_save(NULL, "m.pen", &err), pen_model_save(NULL, "m.pen", NULL));
    MISSING("path", pen_model_save(given.model, NULL, &err),
            pen_model_save(given.model, NULL, NULL));
    void *bytes = &err;
    size_t size = 7;
    MISSING("model", pen_model_to_bytes(NULL, &bytes, &size, &err),
            pen_model_to_bytes(NULL, &bytes, &size, NULL));
    assert_null(bytes);
    assert_int_equal(size, 0);
    MISSING("bytes", pen_model_to_bytes(given.model, NULL, &size, &err),
            pen_model_to_bytes(given.model, NULL, &size, NULL));
    bytes = &err;
    MISSING("size", pen_model_to_bytes(given.model, &bytes, NULL, &err),
            pen_model_to_bytes(given.model, &bytes, NULL, NULL));
    assert_null(bytes);
    pen_free(NULL);
    out = given.model;
    MISSING("path", pen_model_load(NULL, &out, &err), pen_model_load(NULL, &out, NULL));
    assert_null(out);
    MISSING("out", pen_model_load("m.pen", NULL, &err), pen_model_load("m.pen", NULL, NULL));
    out = given.model;
    MISSING("bytes", pen_model_from_bytes(NULL, 100, &out, &err),
            pen_model_from_bytes(NULL, 100, &out, NULL));
    assert_null(out);
    MISSING("out", pen_model_from_bytes("bytes", 5, NULL, &err),
            pen_model_from_bytes("bytes", 5, NULL, NULL));
}

static void accessors(void **state)
{
    (void)state;
    assert_null(model_text(NULL, "method"));
    assert_null(pen_model_tensor(NULL, "projection").values);
    assert_null(pen_model_tensor(NULL, "mean").values);
    assert_null(pen_model_tensor(NULL, "eigenvalues").values);
    assert_null(pen_model_tensor(NULL, "bias").values);
    assert_null(pen_model_tensor(NULL, "class_mass").values);
    assert_null(pen_model_tensor(NULL, "probabilities").values);
    assert_null(pen_model_class_name(NULL, 0));
    assert_null(pen_model_column_name(NULL, 0));
    assert_null(model_text(NULL, "parameters"));
    assert_null(pen_model_info(NULL));
    assert_int_equal(pen_model_columns(NULL), 0);
    assert_int_equal(pen_model_dim(NULL), 0);
    assert_true(!pen_model_member(NULL, 0) && !pen_model_graph(NULL, 0, NULL));
    assert_int_equal(pen_model_value(given.model, NULL, NULL, NULL), 0);
    assert_int_equal(pen_model_value(given.model, "method", NULL, NULL), 1);
    assert_int_equal(pen_model_class_count(NULL), 0);
    pen_model_free(NULL);
    pen_table_free(NULL);
    pen_pairs_free(NULL);
    pen_comparison_free(NULL);
    assert_null(pen_comparison_json(NULL));
    assert_null(pen_comparison_text(NULL, 0));
    assert_null(pen_comparison_spec(NULL, 0));
}

/* A fit, a trial, and every other function that takes data reject it in the same way. */
static void check_data_refused(const pen_data *data, pen_status code, const char *phrase)
{
    const pen_spec *const specs = given.spec;
    pen_model *model;
    pen_comparison *comparison;
    pen_error err;

    CHECK_STATUS(pen_fit(given.spec, data, NULL, &model, &err), code, phrase, &err);
    assert_null(model);
    CHECK_STATUS(pen_compare(&specs, 1, data, NULL, NULL, &comparison, &err), code, phrase, &err);
    assert_null(comparison);
}

static void data_refused(void **state)
{
    static const char *const holed[] = { "a", NULL, "c" };
    pen_data data = given.data;
    (void)state;
    check_data_refused(NULL, PEN_BAD_ARGUMENT, "data must not be NULL");
    data.x.values = NULL;
    check_data_refused(&data, PEN_BAD_ARGUMENT, "x.values must not be NULL");
    data = given.data;
    data.reserved[7] = 1;
    check_data_refused(&data, PEN_BAD_ARGUMENT, "data.reserved must be zero");
    data = given.data;
    data.class_count = -1;
    check_data_refused(&data, PEN_BAD_ARGUMENT, "class_count must be in [0, 2147483647], got -1");
    data.class_count = INT64_MAX;
    data.class_names = holed;
    check_data_refused(&data, PEN_BAD_ARGUMENT, "class_count must be in");
    data.class_count = 3;
    check_data_refused(&data, PEN_BAD_ARGUMENT,
                       "class_names: name 1 (counted from 0) must be UTF-8, got NULL");
    data.class_names = NULL;
    check_data_refused(&data, PEN_BAD_ARGUMENT,
                       "class_names must not be NULL where class_count is 3");
    data = given.data;
    data.column_names = holed;
    check_data_refused(&data, PEN_BAD_ARGUMENT, "column_names: name 1");
    data = given.data;
    data.must_link_count = -1;
    check_data_refused(&data, PEN_BAD_ARGUMENT, "must_link_count must be in [0,");
    data.must_link_count = 2;
    check_data_refused(&data, PEN_BAD_ARGUMENT,
                       "must_link must not be NULL where must_link_count is 2");
    data.must_link = given.pairs;
    data.must_link_count = INT64_MAX / 2 + 2; /* twice this count overflows */
    check_data_refused(&data, PEN_BAD_ARGUMENT, "must_link_count must be in [0,");
    data = given.data;
    data.cannot_link_count = 1;
    check_data_refused(&data, PEN_BAD_ARGUMENT,
                       "cannot_link must not be NULL where cannot_link_count is 1");
}

static void files_read(void **state)
{
    pen_table *table = NULL;
    pen_pairs *pairs = NULL;
    pen_error err;
    (void)state;
    MISSING("path", pen_read(NULL, NULL, &table, &err), pen_read(NULL, NULL, &table, NULL));
    MISSING("out", pen_read("x", NULL, NULL, &err), pen_read("x", NULL, NULL, NULL));
    MISSING("path", pen_read_labels(NULL, NULL, &table, &err),
            pen_read_labels(NULL, NULL, &table, NULL));
    MISSING("out", pen_read_labels("x", NULL, NULL, &err), pen_read_labels("x", NULL, NULL, NULL));
    MISSING("path", pen_read_pairs(NULL, PEN_ANY_LINK, 0, &pairs, &err),
            pen_read_pairs(NULL, PEN_ANY_LINK, 0, &pairs, NULL));
    MISSING("out", pen_read_pairs("x", PEN_ANY_LINK, 0, NULL, &err),
            pen_read_pairs("x", PEN_ANY_LINK, 0, NULL, NULL));
}

static void files_written(void **state)
{
    static const char *const holed[] = { "a", NULL, "c" };
    char **const names = (char **)(uintptr_t)holed;
    pen_array none = given.rows;
    pen_table table = { .x = given.rows, .column_names = names };
    pen_error err;
    (void)state;
    none.values = NULL;
    MISSING("path", pen_write(NULL, &given.rows, NULL, &err),
            pen_write(NULL, &given.rows, NULL, NULL));
    MISSING("values of rows to write", pen_write("-", &none, NULL, &err),
            pen_write("-", &none, NULL, NULL));
    CHECK_STATUS(pen_write("-", NULL, NULL, &err), PEN_BAD_ARGUMENT, "must not both be NULL", &err);
    CHECK_STATUS(pen_write("-", NULL, &table, &err), PEN_BAD_ARGUMENT, "column_names: name 1",
                 &err);
    table = (pen_table){ .x = given.rows, .row_names = names };
    CHECK_STATUS(pen_write("-", NULL, &table, &err), PEN_BAD_ARGUMENT, "row_names: name 1", &err);
    table.x.rows = 0;
    CHECK_STATUS(pen_write("-", &given.rows, &table, &err), PEN_BAD_ARGUMENT,
                 "z must have the 0 rows of its table", &err);
    none = pen_dense(given.x, PEN_F64, INT64_MAX / 2, 1, INT64_MAX / 2);
    CHECK_STATUS(pen_write("-", &none, NULL, &err), PEN_BAD_ARGUMENT, "more than memory can hold",
                 &err);
    pen_blocks_rewind(NULL);
    assert_int_equal(pen_blocks_rows(NULL), 0);
    pen_blocks_free(NULL);
    MISSING("path", pen_write_pairs(NULL, &(pen_pairs){ 0 }, &err),
            pen_write_pairs(NULL, &(pen_pairs){ 0 }, NULL));
    MISSING("pairs", pen_write_pairs("-", NULL, &err), pen_write_pairs("-", NULL, NULL));
    const pen_class_rows rows = { .n = N,
                                  .class_count = 2,
                                  .classes = given.labels,
                                  .probabilities = given.scores,
                                  .class_names = holed };
    pen_class_rows bad[6] = { rows, rows, rows, rows, rows, rows };
    static const char *const messages[6] = { "class_names: name 1",
                                             "classes must not be NULL",
                                             "probabilities must not be NULL",
                                             "class_names must not be NULL",
                                             "more than memory can hold",
                                             "rows.reserved must be zero" };
    MISSING("path", pen_write_classes(NULL, &rows, &err), pen_write_classes(NULL, &rows, NULL));
    MISSING("rows", pen_write_classes("-", NULL, &err), pen_write_classes("-", NULL, NULL));
    bad[1].classes = NULL;
    bad[2].probabilities = NULL;
    bad[3].class_names = NULL;
    bad[4].class_count = INT64_MAX / 2;
    bad[5].reserved[0] = 1;
    for (int i = 0; i < 6; i++)
        CHECK_STATUS(pen_write_classes("-", &bad[i], &err), PEN_BAD_ARGUMENT, messages[i], &err);
}

static void samples(void **state)
{
    pen_error err;
    (void)state;
    MISSING("labels", pen_sample_labels(NULL, N, "2", 0, given.classes, &err),
            pen_sample_labels(NULL, N, "2", 0, given.classes, NULL));
    MISSING("text", pen_sample_labels(given.labels, N, NULL, 0, given.classes, &err),
            pen_sample_labels(given.labels, N, NULL, 0, given.classes, NULL));
    MISSING("out", pen_sample_labels(given.labels, N, "2", 0, NULL, &err),
            pen_sample_labels(given.labels, N, "2", 0, NULL, NULL));
    CHECK_STATUS(pen_sample_labels(given.labels, -1, "2", 0, given.classes, &err), PEN_BAD_ARGUMENT,
                 "n must be >= 1, got -1", &err);
    MISSING("labels", pen_sample_pairs(NULL, N, "3", 0, NULL, &given.drawn, &err),
            pen_sample_pairs(NULL, N, "3", 0, NULL, &given.drawn, NULL));
    MISSING("text", pen_sample_pairs(given.labels, N, NULL, 0, NULL, &given.drawn, &err),
            pen_sample_pairs(given.labels, N, NULL, 0, NULL, &given.drawn, NULL));
    MISSING("out", pen_sample_pairs(given.labels, N, "3", 0, NULL, NULL, &err),
            pen_sample_pairs(given.labels, N, "3", 0, NULL, NULL, NULL));
}

static void samples_too_large(void **state)
{
    static const char *const many[] = { "67",   "999999999999999999",   "31+0",
                                        "0+37", "999999999999999999+1", "1+999999999999999999" };
    pen_error err;
    (void)state;
    for (int64_t i = 0; i < COUNT_OF(many); i++)
        CHECK_STATUS(pen_sample_pairs(given.labels, N, many[i], 0, NULL, &given.drawn, &err),
                     PEN_BAD_ARGUMENT, "must be in", &err);
    CHECK_OK(pen_sample_labels(given.labels, N, "999999999999999999", 0, given.classes, &err),
             &err);
    assert_memory_equal(given.classes, given.labels, sizeof given.labels);
}

static void neighbors_and_folds(void **state)
{
    pen_error err;
    pen_array none = given.rows;
    (void)state;
    none.values = NULL;
    MISSING("x", pen_neighbors(NULL, NULL, 2, NULL, given.index, NULL, &err),
            pen_neighbors(NULL, NULL, 2, NULL, given.index, NULL, NULL));
    MISSING("x.values", pen_neighbors(&none, NULL, 2, NULL, given.index, NULL, &err),
            pen_neighbors(&none, NULL, 2, NULL, given.index, NULL, NULL));
    MISSING("index", pen_neighbors(&given.rows, NULL, 2, NULL, NULL, NULL, &err),
            pen_neighbors(&given.rows, NULL, 2, NULL, NULL, NULL, NULL));
    MISSING("labels", pen_deal_folds(NULL, NULL, N, 2, 1, 0, given.classes, &err),
            pen_deal_folds(NULL, NULL, N, 2, 1, 0, given.classes, NULL));
    MISSING("fold", pen_deal_folds(given.labels, NULL, N, 2, 1, 0, NULL, &err),
            pen_deal_folds(given.labels, NULL, N, 2, 1, 0, NULL, NULL));
}

/* Sizes whose products overflow. */
static void counts_too_large(void **state)
{
    static const int64_t counts[] = {
        INT64_MIN,     -1,       0, INT64_C(1) << 32, INT64_MAX / 2, INT64_MAX / 2 + 1,
        INT64_MAX - 1, INT64_MAX
    };
    pen_error err;
    (void)state;
    for (int64_t i = 0; i < COUNT_OF(counts); i++) {
        const int64_t k = counts[i];
        CHECK_STATUS(pen_neighbors(&given.rows, NULL, k, NULL, given.index, NULL, &err),
                     PEN_BAD_ARGUMENT, "neighbors must be in [1, 11]", &err);
        CHECK_STATUS(pen_deal_folds(given.labels, NULL, N, k, 1, 0, given.classes, &err),
                     PEN_BAD_ARGUMENT, "folds must be in [2, 12]", &err);
    }
}

static void trials(void **state)
{
    const pen_spec *const holed[] = { given.spec, NULL };
    const pen_trials reserved = { .reserved = { 0, 1 } };
    pen_comparison *comparison = NULL;
    pen_error err;
    (void)state;
    MISSING("out", pen_compare(NULL, 0, &given.data, NULL, NULL, NULL, &err),
            pen_compare(NULL, 0, &given.data, NULL, NULL, NULL, NULL));
    CHECK_STATUS(pen_compare(holed, 2, &given.data, NULL, NULL, &comparison, &err),
                 PEN_BAD_ARGUMENT, "specs[1] must not be NULL", &err);
    assert_null(comparison);
    CHECK_STATUS(pen_compare(holed, 1, &given.data, &reserved, NULL, &comparison, &err),
                 PEN_BAD_ARGUMENT, "trials.reserved must be zero", &err);
}

static void trials_too_many(void **state)
{
    static const int64_t runs[] = { INT64_MIN, -1, 100001, INT64_C(122978293824730345), INT64_MAX };
    static const int64_t dims[][2] = { { 1, INT64_MAX }, { -1, 1 }, { 2, 2 } },
                         counts[] = { INT64_MIN, -1, 0, INT64_MAX };
    const pen_spec *const specs = given.spec;
    pen_comparison *comparison;
    pen_error err;
    (void)state;
    for (int64_t i = 0; i < COUNT_OF(runs); i++) {
        const pen_trials many = { .folds = 2, .runs = runs[i] }, folds = { .folds = runs[i] };
        CHECK_STATUS(pen_compare(&specs, 1, &given.data, &many, NULL, &comparison, &err),
                     PEN_BAD_ARGUMENT, "runs must be in [1, 100000]", &err);
        CHECK_STATUS(pen_compare(&specs, 1, &given.data, &folds, NULL, &comparison, &err),
                     PEN_BAD_ARGUMENT, "folds must be", &err);
    }
    for (int64_t i = 0; i < COUNT_OF(counts); i++) {
        const pen_trials trials = { .dims = dims[0], .dim_count = counts[i] };
        CHECK_STATUS(pen_compare(&specs, 1, &given.data, &trials, NULL, &comparison, &err),
                     PEN_BAD_ARGUMENT, "dim_count must be in", &err);
        if (counts[i] > 0 || counts[i] == 0)
            CHECK_STATUS(pen_compare(&specs, counts[i], &given.data, NULL, NULL, &comparison, &err),
                         PEN_BAD_ARGUMENT, "count must be in", &err);
    }
    for (int64_t i = 0; i < COUNT_OF(dims); i++) {
        const pen_trials trials = { .dims = dims[i], .dim_count = 2 };
        CHECK_STATUS(pen_compare(&specs, 1, &given.data, &trials, NULL, &comparison, &err),
                     PEN_BAD_ARGUMENT, "dims must be ascending whole numbers >= 1", &err);
    }
}

/* Integer parameters up to the largest value: a result or an error, but no crash. */
static void parameters_too_large(void **state)
{
    static const double values[] = { 4294967296, 1e12, 0x1p52, 0x1p53 };
    int64_t tried = 0;
    (void)state;
    for (int64_t m = 0; pen_method_at(m); m++) {
        const pen_param *param;
        for (param = pen_method_at(m)->params; param->name; param++)
            for (int64_t v = 0; param->type == PEN_PARAM_INT && v < COUNT_OF(values); v++) {
                pen_spec *spec = NULL;
                pen_model *model = NULL;
                pen_error err;
                CHECK_OK(pen_spec_new(pen_method_at(m)->name, &spec, &err), &err);
                if (pen_spec_set_number(spec, param->name, values[v], &err) == PEN_OK
                    && strcmp(param->name, "max_iter") != 0) {
                    const pen_status status = pen_fit(spec, &given.data, NULL, &model, &err);
                    CHECK(status == PEN_OK || *err.message, "%s %s: no message",
                          pen_method_at(m)->name, param->name);
                    CHECK((status == PEN_OK) == (model != NULL), "%s %s: a model or an error",
                          pen_method_at(m)->name, param->name);
                    tried++;
                }
                pen_model_free(model);
                pen_spec_free(spec);
            }
    }
    CHECK(tried > 50, "only %lld fits", (long long)tried);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(specs),
        cmocka_unit_test(methods),
        cmocka_unit_test(statistics),
        cmocka_unit_test(models),
        cmocka_unit_test(accessors),
        cmocka_unit_test(data_refused),
        cmocka_unit_test(files_read),
        cmocka_unit_test(files_written),
        cmocka_unit_test(samples),
        cmocka_unit_test(samples_too_large),
        cmocka_unit_test(neighbors_and_folds),
        cmocka_unit_test(counts_too_large),
        cmocka_unit_test(trials),
        cmocka_unit_test(trials_too_many),
        cmocka_unit_test(parameters_too_large),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
