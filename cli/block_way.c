/* block_way.c - which parameters a method can be fitted with from sums of its rows.
 *
 * The library knows when a method asks for what is not there, so a few made-up rows are fitted.
 * Rows of the file would not do: the first ones may have no labels, or a constant column. */
#define _POSIX_C_SOURCE 200809L

#include "block_way.h"

#include "flags/input.h"

enum { PARAM_TEXT = 128, ROWS = 60, COLUMNS = 6, CLASSES = 3 };

/* Their values may fit the file, but not the few rows: here they have their defaults. */
static const char *const of_sizes[] = {
    "dim",
    "pca",
    "neighbors",
};

typedef struct made_up {
    double x[ROWS * COLUMNS];
    int32_t labels[ROWS];
} made_up;

/* Rows of full rank, above 0 as row steps need it, in classes that are apart. */
static void make_up(made_up *rows)
{
    uint32_t state = 1;

    for (int i = 0; i < ROWS; i++) {
        rows->labels[i] = i % CLASSES;
        for (int j = 0; j < COLUMNS; j++) {
            state = state * 1664525 + 1013904223;
            rows->x[i * COLUMNS + j] = (state >> 8) / 0x1p24 + (j == i % CLASSES ? 4 : 0);
        }
    }
}

static pen_status set_defaults(pen_spec *spec, pen_error *err)
{
    const pen_method *const method = pen_spec_method(spec);
    const pen_param *param;
    char text[PARAM_TEXT];
    pen_spec *usual;
    pen_status status = pen_spec_new(method->name, &usual, err);

    for (param = method->params; status == PEN_OK && param->name; param++)
        for (size_t s = 0; s < sizeof of_sizes / sizeof *of_sizes; s++)
            if (status == PEN_OK && cli_same_name(param->name, of_sizes[s])) {
                pen_spec_get(usual, param->name, text, sizeof text);
                status = pen_spec_set(spec, param->name, text, err);
            }
    pen_spec_free(usual);
    return status;
}

/* The statistics of a block with the distances to its nearest rows. */
static pen_status add_nearest(const pen_spec *spec, const pen_data *data,
                              const pen_control *control, pen_stats **sums, pen_error *err)
{
    pen_stats *near = NULL, *both = NULL;

    pen_status status = pen_stats_nearest(spec, *sums, data, 0, control, &near, err);
    const pen_stats *const list[] = { *sums, near };
    if (status == PEN_OK)
        status = pen_stats_merge(list, 2, 0, control, &both, err);
    pen_stats_free(near);
    if (status == PEN_OK) {
        pen_stats_free(*sums);
        *sums = both;
    }
    return status;
}

/* PEN_BAD_ARGUMENT: not from sums. */
static pen_status fit_sums(const pen_spec *spec, const pen_data *data, const pen_control *control,
                           pen_error *err)
{
    const int nearest = pen_method_parts(pen_spec_method(spec)) & PEN_PART_NEAREST;
    const pen_stats_block block = { .id = 0 };
    pen_stats *sums = NULL;
    pen_model *model = NULL;

    pen_status status = pen_stats_new(spec, data, &block, control, &sums, err);
    if (status == PEN_OK)
        status = pen_stats_fit(spec, sums, NULL, control, &model, err);
    if (status == PEN_BAD_ARGUMENT && sums && nearest
        && add_nearest(spec, data, control, &sums, err) == PEN_OK)
        status = pen_stats_fit(spec, sums, NULL, control, &model, err);
    pen_model_free(model);
    pen_stats_free(sums);
    return status;
}

/* A value that no fit takes is an error of the fit to come, which names it. */
static int is_refused_at_all(const pen_spec *spec, const pen_data *data, const pen_control *control)
{
    pen_model *model = NULL;
    pen_error err;

    const pen_status status = pen_fit(spec, data, control, &model, &err);
    pen_model_free(model);
    return status == PEN_BAD_ARGUMENT;
}

int block_way_sums(const cli_args *args, const pen_spec *spec, int labelled, int threads,
                   int *enough)
{
    const pen_control control = { .threads = threads };
    pen_spec *usual = NULL;
    made_up rows;
    pen_error err;

    *enough = 0;
    if (!pen_method_parts(pen_spec_method(spec)))
        return CLI_OK;
    make_up(&rows);
    const pen_data data = { .x = pen_dense(rows.x, PEN_F64, ROWS, COLUMNS, COLUMNS),
                            .labels = labelled ? rows.labels : NULL };
    pen_status status = pen_spec_copy(spec, &usual, &err);
    if (status == PEN_OK)
        status = set_defaults(usual, &err);
    if (status == PEN_OK)
        *enough = fit_sums(usual, &data, &control, &err) != PEN_BAD_ARGUMENT
                  || is_refused_at_all(usual, &data, &control);
    pen_spec_free(usual);
    return status == PEN_OK ? CLI_OK : input_failed(args, &err);
}
