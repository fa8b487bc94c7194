/* public_calls.c - see public_calls.h. */
#include "kit/public_calls.h"

struct given given;

/* Results, and small inputs. */
static double numbers[CALL_ROWS * CALL_COLUMNS];
static int32_t classes[CALL_ROWS];
static int64_t indices[CALL_ROWS * 3], count;
static pen_suggestion suggestions[3];
static pen_spec *rest;
static int64_t links[] = { 0, 1 }, starts[] = { 0, 1, 2 }, columns[] = { 1, 0 };
static double weights[] = { 0.5, 0.5 };
static const int32_t told[] = { 0, 1, 0 };
static const double shares[] = { 1, 0, 0, 1, 1, 0 };
static const char *const names[] = { "a", "b" };
static const pen_pairs pairs = { .must_link = links, .must_link_count = 1 };
static const pen_sparse graph = { 2, 2, starts, columns, weights };
static const pen_class_rows rows = { .n = 3,
                                     .class_count = 2,
                                     .classes = told,
                                     .probabilities = shares,
                                     .class_names = names,
                                     .every = 1 };

/* given.data, of doubles, in two blocks. */
static pen_status next_block(void *user, int64_t block, pen_data *out, pen_error *err)
{
    const pen_array *const x = &given.data.x;
    const int64_t half = x->rows / 2;
    (void)user, (void)err;

    *out = given.data;
    out->x = pen_dense((const double *)x->values + block * half * x->stride, PEN_F64, half,
                       block < 2 ? x->cols : 0, x->stride);
    out->labels += block * half;
    return PEN_OK;
}

/* Rewinds, so that every call reads the same block. */
static pen_blocks *first_block(void)
{
    pen_blocks_rewind(given.blocks);
    return given.blocks;
}

static void free_split(pen_spec *components)
{
    pen_spec_free(components);
    pen_spec_free(rest);
    rest = NULL;
}

#define G          given
#define DATA       given.data
#define OUT        ((void *)&given.made)
#define IF(at, is) (missing == (at) ? NULL : (is))

/* Calls that make an object, and the functions that free it. */
#define MAKERS(X)                                                                                  \
    X(pen_spec_new, "out", pen_spec_free, (G.text, IF(0, OUT), err))                               \
    X(pen_spec_copy, "spec out", pen_spec_free, (IF(0, G.spec), IF(1, OUT), err))                  \
    X(pen_spec_split, "spec components rest", free_split,                                          \
      (IF(0, G.spec), IF(1, OUT), IF(2, &rest), err))                                              \
    X(pen_rows_new, "x out", pen_rows_free, (IF(0, &DATA.x), &G.control, IF(1, OUT), err))         \
    X(pen_rows_load, "path x out", pen_rows_free,                                                  \
      (IF(0, G.path), IF(1, &DATA.x), &G.control, IF(2, OUT), err))                                \
    X(pen_fit, "spec data out", pen_model_free,                                                    \
      (IF(0, G.spec), IF(1, &DATA), &G.control, IF(2, OUT), err))                                  \
    X(pen_fit_blocks, "spec next out", pen_model_free,                                             \
      (IF(0, G.spec), IF(1, next_block), NULL, NULL, &G.control, IF(2, OUT), err))                 \
    X(pen_model_compose, "first second out", pen_model_free,                                       \
      (IF(0, G.model), IF(1, G.second), IF(2, OUT), err))                                          \
    X(pen_model_load, "path out", pen_model_free, (IF(0, G.path), IF(1, OUT), err))                \
    X(pen_model_from_bytes, "bytes out", pen_model_free,                                           \
      (IF(0, G.bytes), G.size, IF(1, OUT), err))                                                   \
    X(pen_model_to_bytes, "model bytes size", pen_free,                                            \
      (IF(0, G.model), IF(1, OUT), IF(2, &G.size), err))                                           \
    X(pen_read, "path out", pen_table_free, (IF(0, G.path), &G.options, IF(1, OUT), err))          \
    X(pen_read_labels, "path out", pen_table_free, (IF(0, G.path), &G.options, IF(1, OUT), err))   \
    X(pen_read_pairs, "path out", pen_pairs_free,                                                  \
      (IF(0, G.path), PEN_ANY_LINK, 0, IF(1, OUT), err))                                           \
    X(pen_read_folds, "path out", pen_folds_free, (IF(0, G.path), 4, IF(1, OUT), err))             \
    X(pen_read_graph, "path out", pen_sparse_free, (IF(0, G.path), IF(1, OUT), err))               \
    X(pen_blocks_open, "path out", pen_blocks_free, (IF(0, G.path), &G.options, IF(1, OUT), err))  \
    X(pen_blocks_next, "blocks out", pen_table_free, (IF(0, first_block()), 2, IF(1, OUT), err))   \
    X(pen_sample_pairs, "labels text out", pen_pairs_free,                                         \
      (IF(0, DATA.labels), DATA.x.rows, IF(1, G.text), 0, &G.control, IF(2, OUT), err))            \
    X(pen_compare, "data out", pen_comparison_free,                                                \
      (G.specs, G.spec_count, IF(0, &DATA), &G.trials, &G.control, IF(1, OUT), err))               \
    X(pen_find_leaks, "data out", pen_leaks_free, (IF(0, &DATA), IF(1, OUT), err))                 \
    X(pen_stats_new, "spec data block out", pen_stats_free,                                        \
      (IF(0, G.spec), IF(1, &DATA), IF(2, &G.block), &G.control, IF(3, OUT), err))                 \
    X(pen_stats_nearest, "spec all data out", pen_stats_free,                                      \
      (IF(0, G.spec), IF(1, G.stats[0]), IF(2, &DATA), 0, &G.control, IF(3, OUT), err))            \
    X(pen_stats_merge, "list out", pen_stats_free,                                                 \
      (IF(0, (const pen_stats *const *)G.stats), G.stats_count, 0, &G.control, IF(1, OUT), err))   \
    X(pen_stats_fit, "spec stats out", pen_model_free,                                             \
      (IF(0, G.spec), IF(1, G.stats[0]), NULL, &G.control, IF(2, OUT), err))                       \
    X(pen_stats_load, "path out", pen_stats_free, (IF(0, G.path), IF(1, OUT), err))                \
    X(pen_stats_from_bytes, "bytes out", pen_stats_free,                                           \
      (IF(0, G.bytes), G.size, IF(1, OUT), err))                                                   \
    X(pen_stats_to_bytes, "stats bytes size", pen_free,                                            \
      (IF(0, G.stats[0]), IF(1, OUT), IF(2, &G.size), err))

/* Calls that fill or change an argument, or write a file. */
#define OTHERS(X)                                                                                  \
    X(pen_spec_set, "spec name text", (IF(0, G.changed), IF(1, "row_steps"), IF(2, "l2"), err))    \
    X(pen_spec_set_number, "spec name", (IF(0, G.changed), IF(1, "dim"), 2, err))                  \
    X(pen_transform, "model x z",                                                                  \
      (IF(0, G.model), IF(1, &DATA.x), &G.control, PEN_F64, IF(2, numbers), CALL_COLUMNS, err))    \
    X(pen_predict, "model x",                                                                      \
      (IF(0, G.model), IF(1, &DATA.x), &G.control, classes, numbers, NULL, err))                   \
    X(pen_suggest, "model data out count",                                                         \
      (IF(0, G.model), IF(1, &DATA), 3, &G.control, IF(2, suggestions), IF(3, &count), err))       \
    X(pen_model_save, "model path", (IF(0, G.model), IF(1, G.path), err))                          \
    X(pen_rows_save, "rows path", (IF(0, G.rows), IF(1, G.path), err))                             \
    X(pen_stats_save, "stats path", (IF(0, G.stats[0]), IF(1, G.path), err))                       \
    X(pen_write, "path", (IF(0, G.path), &DATA.x, &G.table, err))                                  \
    X(pen_write_pairs, "path pairs", (IF(0, G.path), IF(1, &pairs), err))                          \
    X(pen_write_classes, "path rows", (IF(0, G.path), IF(1, &rows), err))                          \
    X(pen_write_graph, "path matrix", (IF(0, G.path), IF(1, &graph), err))                         \
    X(pen_sample_labels, "labels text out",                                                        \
      (IF(0, DATA.labels), DATA.x.rows, IF(1, G.text), 0, IF(2, classes), err))                    \
    X(pen_deal_folds, "labels fold",                                                               \
      (IF(0, DATA.labels), NULL, DATA.x.rows, 3, 1, 0, IF(1, classes), err))                       \
    X(pen_neighbors, "x index",                                                                    \
      (IF(0, &DATA.x), G.queries, 3, &G.control, IF(1, indices), numbers, err))

#define CALL(function, ...)                                                                        \
    static pen_status call_##function(int missing, pen_error *err)                                 \
    {                                                                                              \
        return function __VA_ARGS__;                                                               \
    }
#define CALL_AND_FREE(function, required, release, arguments)                                      \
    CALL(function, arguments)                                                                      \
    static void free_##function(void *made)                                                        \
    {                                                                                              \
        release(made);                                                                             \
    }
#define CALL_ALONE(function, required, arguments) CALL(function, arguments)
MAKERS(CALL_AND_FREE)
OTHERS(CALL_ALONE)

#define MAKER_ROW(function, required, release, arguments)                                          \
    { #function, required, call_##function, free_##function },
#define OTHER_ROW(function, required, arguments) { #function, required, call_##function, NULL },
const public_call public_calls[] = { MAKERS(MAKER_ROW) OTHERS(OTHER_ROW){ 0 } };

const public_call *public_call_of(const char *function)
{
    const public_call *c = public_calls;
    while (c->function && strcmp(c->function, function) != 0)
        c++;
    CHECK(c->function, "no call of %s", function);
    return c;
}
