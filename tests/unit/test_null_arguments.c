/* test_null_arguments.c - every public function with NULL for each required argument, and with
 * sizes beyond any memory. */
#include "kit/public_calls.h"
#include "model/spec.h"

enum { N = 12, D = 3 };

static double x[N * D];
static int32_t labels[N];
static const char *const holed[] = { "a", NULL, "c" };
static const int64_t pairs[4] = { 0, 1, 0, 2 };

static int set_up(void **state)
{
    pen_rng rng = check_rng(3101);
    pen_error err;

    for (int i = 0; i < N * D; i++)
        x[i] = check_normal(&rng);
    for (int i = 0; i < N; i++)
        labels[i] = i % 2;
    given.data = (pen_data){ .x = pen_dense(x, PEN_F64, N, D, D), .labels = labels };
    CHECK_OK(pen_rows_new(&given.data.x, NULL, &given.rows, &err), &err);
    given.text = "2";
    given.path = "no such folder/file.csv";
    given.spec = given.changed = spec_of("fda");
    given.specs = &given.spec;
    given.spec_count = 1;
    given.model = given.second = fit_data("fme neighbors=3", &given.data);
    given.bytes = labels;
    given.size = sizeof labels;
    CHECK_OK(pen_stats_new(given.spec, &given.data, &given.block, NULL, &given.stats[0], &err),
             &err);
    given.stats_count = 1;
    CHECK_OK(pen_blocks_open(EXAMPLE_DATA "/wine.csv", NULL, &given.blocks, &err), &err);
    return 0;
}

static int tear_down(void **state)
{
    pen_stats_free(given.stats[0]);
    pen_blocks_free(given.blocks);
    pen_rows_free(given.rows);
    return 0;
}

GROUP(set_up, tear_down);

/* Expects PEN_BAD_ARGUMENT with a message that names the missing argument, with and without a
 * pen_error. The output is NULL, unless it is the missing argument. */
TEST(required_arguments)
{
    pen_error err;

    for (const public_call *c = public_calls; c->function; c++) {
        int length, missing = 0, untouched = 0;
        for (const char *name = c->required; *name; name += length + (name[length] == ' ')) {
            char phrase[80];
            length = (int)strcspn(name, " ");
            snprintf(phrase, sizeof phrase, "%.*s must not be NULL", length, name);
            given.made = &err;
            check_status(c->call(missing, &err), PEN_BAD_ARGUMENT, phrase, &err, c->function,
                         __FILE__, __LINE__);
            assert_true(!given.made || given.made == &err);
            untouched += given.made != NULL;
            assert_int_equal(c->call(missing++, NULL), PEN_BAD_ARGUMENT);
        }
        CHECK(untouched == (c->release ? 1 : missing), "%s sets its output", c->function);
    }
}

/* Functions without a status accept NULL objects, and unknown names and indices. */
TEST(functions_without_status)
{
    char text[8] = "x";
    const struct {
        const char *function;
        int holds;
    } all[] = {
        { "pen_version", strcmp(pen_version(), PEN_VERSION) == 0 },
        { "pen_system", pen_system(NULL, 0) > 0 },
        { "pen_method_at", !pen_method_at(-1) },
        { "pen_method_named", !pen_method_named(NULL) },
        { "pen_spec_method", !pen_spec_method(NULL) },
        { "pen_spec_get", !pen_spec_get(NULL, "dim", text, sizeof text) },
        { "pen_spec_get", !pen_spec_get(given.spec, NULL, text, sizeof text) },
        { "pen_spec_get", !pen_spec_get(given.spec, "no such", text, sizeof text) && !text[0] },
        { "pen_spec_get", pen_spec_get(given.spec, "dim", NULL, 0) == strlen("all") },
        { "pen_spec_get", pen_spec_get(given.spec, "dim", text, 2) == strlen("all") },
        { "pen_spec_get of too little room", strcmp(text, "a") == 0 },
        { "pen_spec_passes", pen_spec_passes(NULL) == 0 },
        { "pen_rows_memory", pen_rows_memory(NULL) == 0 },
        { "pen_rows_free", (pen_rows_free(NULL), 1) },
        { "pen_model_columns", pen_model_columns(NULL) == 0 },
        { "pen_model_dim", pen_model_dim(NULL) == 0 },
        { "pen_model_column_name", !pen_model_column_name(NULL, 0) },
        { "pen_model_class_count", pen_model_class_count(NULL) == 0 },
        { "pen_model_class_name", !pen_model_class_name(NULL, 0) },
        { "pen_model_member", !pen_model_member(NULL, 0) },
        { "pen_model_graph", !pen_model_graph(NULL, 0, NULL) },
        { "pen_model_tensor", !pen_model_tensor(NULL, "projection").values },
        { "pen_model_tensor", !pen_model_tensor(given.model, NULL).values },
        { "pen_model_info", !pen_model_info(NULL) },
        { "pen_model_value", !pen_model_value(NULL, "method", NULL, NULL) },
        { "pen_model_value", !pen_model_value(given.model, NULL, NULL, NULL) },
        { "pen_model_value", pen_model_value(given.model, "method", NULL, NULL) },
        { "pen_comparison_json", !pen_comparison_json(NULL) },
        { "pen_comparison_text", !pen_comparison_text(NULL, 0) },
        { "pen_comparison_spec", !pen_comparison_spec(NULL, 0) },
        { "pen_blocks_rows", pen_blocks_rows(NULL) == 0 },
        { "pen_blocks_rewind", (pen_blocks_rewind(NULL), 1) },
        { "pen_stats_info", pen_stats_info(NULL, NULL, 0) == 0 },
        { "pen_blocks_free", (pen_blocks_free(NULL), 1) },
        { "pen_comparison_free", (pen_comparison_free(NULL), 1) },
        { "pen_folds_free", (pen_folds_free(NULL), 1) },
        { "pen_free", (pen_free(NULL), 1) },
        { "pen_leaks_free", (pen_leaks_free(NULL), 1) },
        { "pen_model_free", (pen_model_free(NULL), 1) },
        { "pen_pairs_free", (pen_pairs_free(NULL), 1) },
        { "pen_sparse_free", (pen_sparse_free(NULL), 1) },
        { "pen_spec_free", (pen_spec_free(NULL), 1) },
        { "pen_stats_free", (pen_stats_free(NULL), 1) },
        { "pen_table_free", (pen_table_free(NULL), 1) },
    };
    FILE *const symbols = fopen(TEST_DATA "/../../tools/symbols.txt", "r");
    char symbol[80];

    assert_non_null(symbols);
    for (int64_t i = 0; i < COUNT_OF(all); i++)
        CHECK(all[i].holds, "%s, row %lld", all[i].function, (long long)i);
    while (fscanf(symbols, "%79s", symbol) == 1) { /* one of these, or in public_calls */
        int64_t i = 0;
        while (i < COUNT_OF(all) && strcmp(all[i].function, symbol) != 0)
            i++;
        if (i == COUNT_OF(all))
            public_call_of(symbol);
    }
    fclose(symbols);
}

/* A fit, a trial, and every other function that takes data refuse it in the same way. */
TEST(data_refused)
{
    const pen_array rows = pen_dense(x, PEN_F64, N, D, D);
    const struct {
        const char *phrase;
        pen_data data;
    } cases[] = {
        { "x.values must not be NULL", { .x = pen_dense(NULL, PEN_F64, N, D, D) } },
        { "data.reserved must be zero", { .x = rows, .reserved = { [7] = 1 } } },
        { "class_count must be in [0, 2147483647], got -1", { .x = rows, .class_count = -1 } },
        { "class_count must be in", { .x = rows, .class_names = holed, .class_count = INT64_MAX } },
        { "class_names: name 1 (counted from 0) must be UTF-8, got NULL",
          { .x = rows, .class_names = holed, .class_count = 3 } },
        { "class_names must not be NULL if class_count is 3", { .x = rows, .class_count = 3 } },
        { "column_names: name 1", { .x = rows, .column_names = holed } },
        { "must_link_count must be in [0,", { .x = rows, .must_link_count = -1 } },
        { "must_link must not be NULL if must_link_count is 2",
          { .x = rows, .must_link_count = 2 } },
        { "must_link_count must be in [0,", /* twice this count overflows */
          { .x = rows, .must_link = pairs, .must_link_count = INT64_MAX / 2 + 2 } },
        { "cannot_link must not be NULL if cannot_link_count is 1",
          { .x = rows, .cannot_link_count = 1 } },
    };
    pen_model *model;
    pen_comparison *comparison;
    pen_error err;

    for (int64_t i = 0; i < COUNT_OF(cases); i++) {
        pen_data data = cases[i].data;
        data.labels = labels;
        CHECK_STATUS(pen_fit(given.spec, &data, NULL, &model, &err), PEN_BAD_ARGUMENT,
                     cases[i].phrase, &err);
        CHECK_STATUS(pen_compare(&given.spec, 1, &data, NULL, NULL, &comparison, &err),
                     PEN_BAD_ARGUMENT, cases[i].phrase, &err);
        assert_true(!model && !comparison);
    }
}

TEST(writing_refused)
{
    static const double p[N * 2];
    char **const names = (char **)(uintptr_t)holed;
    const pen_array rows = given.data.x, empty = pen_dense(x, PEN_F64, 0, D, D),
                    none = pen_dense(NULL, PEN_F64, N, D, D),
                    vast = pen_dense(x, PEN_F64, INT64_MAX / 2, 1, INT64_MAX / 2);
    const struct {
        const char *phrase;
        const pen_array *z;
        pen_table table;
    } tables[] = {
        { "values of rows to write must not be NULL", &none, { .x = rows } },
        { "column_names: name 1", NULL, { .x = rows, .column_names = names } },
        { "row_names: name 1", NULL, { .x = rows, .row_names = names } },
        { "z must have the 0 rows of its table", &rows, { .x = empty } },
        { "more than memory can hold", &vast, { .x = vast } },
    };
    const struct {
        const char *phrase;
        pen_class_rows rows;
    } classes[] = {
        { "class_names: name 1",
          { .n = N,
            .class_count = 2,
            .classes = labels,
            .probabilities = p,
            .class_names = holed } },
        { "classes must not be NULL",
          { .n = N, .class_count = 2, .probabilities = p, .class_names = holed } },
        { "probabilities must not be NULL",
          { .n = N, .class_count = 2, .classes = labels, .class_names = holed } },
        { "class_names must not be NULL",
          { .n = N, .class_count = 2, .classes = labels, .probabilities = p } },
        { "more than memory can hold",
          { .n = N,
            .class_count = INT64_MAX / 2,
            .classes = labels,
            .probabilities = p,
            .class_names = holed } },
        { "rows.reserved must be zero", { .n = N, .reserved = { 1 } } },
    };
    pen_error err;

    for (int64_t i = 0; i < COUNT_OF(tables); i++)
        CHECK_STATUS(pen_write("-", tables[i].z, &tables[i].table, &err), PEN_BAD_ARGUMENT,
                     tables[i].phrase, &err);
    CHECK_STATUS(pen_write("-", NULL, NULL, &err), PEN_BAD_ARGUMENT, "must not both be NULL", &err);
    for (int64_t i = 0; i < COUNT_OF(classes); i++)
        CHECK_STATUS(pen_write_classes("-", &classes[i].rows, &err), PEN_BAD_ARGUMENT,
                     classes[i].phrase, &err);
}

/* Sizes whose products overflow. */
TEST(sizes_too_large)
{
    static const int64_t counts[] = {
        INT64_MIN,     -1,       0, INT64_C(1) << 32, INT64_MAX / 2, INT64_MAX / 2 + 1,
        INT64_MAX - 1, INT64_MAX
    };
    static const char *const many[] = { "67",   "999999999999999999",   "31+0",
                                        "0+37", "999999999999999999+1", "1+999999999999999999" };
    int64_t index[2 * N];
    int32_t out[N];
    pen_pairs *drawn;
    pen_error err;

    for (int64_t i = 0; i < COUNT_OF(counts); i++) {
        CHECK_STATUS(pen_neighbors(&given.data.x, NULL, counts[i], NULL, index, NULL, &err),
                     PEN_BAD_ARGUMENT, "neighbors must be in [1, 11]", &err);
        CHECK_STATUS(pen_deal_folds(labels, NULL, N, counts[i], 1, 0, out, &err), PEN_BAD_ARGUMENT,
                     "folds must be in [2, 12]", &err);
    }
    for (int64_t i = 0; i < COUNT_OF(many); i++)
        CHECK_STATUS(pen_sample_pairs(labels, N, many[i], 0, NULL, &drawn, &err), PEN_BAD_ARGUMENT,
                     "must be in", &err);
    CHECK_STATUS(pen_sample_labels(labels, -1, "2", 0, out, &err), PEN_BAD_ARGUMENT,
                 "n must be >= 1, got -1", &err);
    CHECK_OK(pen_sample_labels(labels, N, "999999999999999999", 0, out, &err), &err);
    assert_memory_equal(out, labels, sizeof labels);
}

TEST(trials_refused)
{
    static const int64_t vast[] = { 1, INT64_MAX }, negative[] = { -1, 1 }, equal[] = { 2, 2 };
    static const char in_runs[] = "runs must be in [1, 100000]", in_folds[] = "folds must be",
                      in_dims[] = "dim_count must be in", in_count[] = "count must be in",
                      ascending[] = "dims must be ascending whole numbers >= 1";
    const pen_spec *const with_hole[] = { given.spec, NULL };
    const struct {
        const char *phrase;
        int64_t count;
        pen_trials trials;
    } cases[] = {
        { "specs[1] must not be NULL", 2, { 0 } },
        { "trials.reserved must be zero", 1, { .reserved = { 0, 1 } } },
        { in_runs, 1, { .folds = 2, .runs = -1 } },
        { in_runs, 1, { .folds = 2, .runs = 100001 } },
        { in_runs, 1, { .folds = 2, .runs = INT64_MAX } },
        { in_folds, 1, { .folds = -1 } },
        { in_folds, 1, { .folds = INT64_C(122978293824730345) } },
        { in_folds, 1, { .folds = INT64_MAX } },
        { in_dims, 1, { .dims = vast, .dim_count = -1 } },
        { in_dims, 1, { .dims = vast, .dim_count = 0 } },
        { in_dims, 1, { .dims = vast, .dim_count = INT64_MAX } },
        { in_count, 0, { 0 } },
        { in_count, INT64_MAX, { 0 } },
        { ascending, 1, { .dims = vast, .dim_count = 2 } },
        { ascending, 1, { .dims = negative, .dim_count = 2 } },
        { ascending, 1, { .dims = equal, .dim_count = 2 } },
    };
    pen_comparison *comparison;
    pen_error err;

    for (int64_t i = 0; i < COUNT_OF(cases); i++) {
        CHECK_STATUS(pen_compare(with_hole, cases[i].count, &given.data, &cases[i].trials, NULL,
                                 &comparison, &err),
                     PEN_BAD_ARGUMENT, cases[i].phrase, &err);
        assert_null(comparison);
    }
    given.block.reserved[7] = 1;
    CHECK_STATUS(public_call_of("pen_stats_new")->call(-1, &err), PEN_BAD_ARGUMENT,
                 "block.reserved must be zero", &err);
}

/* Integer parameters up to the largest value give a result or an error. */
static void try_parameter(const char *method, const pen_param *param, double value, int64_t *tried)
{
    pen_spec *const spec = spec_with_defaults(method);
    pen_model *model = NULL;
    pen_error err;

    if (pen_spec_set_number(spec, param->name, value, &err) == PEN_OK
        && strcmp(param->name, "max_iter") != 0) {
        const pen_status status = pen_fit(spec, &given.data, NULL, &model, &err);
        CHECK(status == PEN_OK || *err.message, "%s %s: no message", method, param->name);
        CHECK((status == PEN_OK) == (model != NULL), "%s %s: a model or an error", method,
              param->name);
        ++*tried;
    }
    pen_model_free(model);
}

TEST(parameters_too_large)
{
    static const double values[] = { 4294967296, 1e12, 0x1p52, 0x1p53 };
    int64_t tried = 0;

    for (int64_t m = 0; pen_method_at(m); m++)
        for (const pen_param *param = pen_method_at(m)->params; param->name; param++)
            for (int64_t v = 0; param->type == PEN_PARAM_INT && v < COUNT_OF(values); v++)
                try_parameter(pen_method_at(m)->name, param, values[v], &tried);
    CHECK(tried > 50, "only %lld fits", (long long)tried);
}
