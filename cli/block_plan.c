/* block_plan.c - whether a fit reads its rows in blocks, and the memory it takes then.
 *
 * The bound is the sum of what may be there at one time: a block as text and as values, its
 * statistics, those of the tree of merges, the rows that are kept, and the matrices of the fit. */
#define _POSIX_C_SOURCE 200809L

#include "block_plan.h"

#include "input.h"
#include "memory_limit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    PARAM_TEXT = 64,
    SMALL_SHARE = 16
}; /* a value takes a byte of the file at least, and 8 or so in memory */

/* ---- are they read in blocks? ---- */

static double item_of(pen_dtype dtype)
{
    return dtype == PEN_F64 ? 8 : dtype == PEN_F32 ? 4 : 1;
}

/* Memory of the whole table; *is_mapped: the file would be mapped, which a limit of what is
 * resident allows. A text is there besides its values. */
static double table_bytes(const block_rows *rows, double file, int *is_mapped)
{
    const pen_array *const x = &rows->table->x;
    const double told = (double)pen_blocks_rows(rows->blocks),
                 text = (double)pen_blocks_bytes(rows->blocks) + 1,
                 count = told >= 0 ? told : (double)x->rows * fmax(1, file / text),
                 values = count * (double)x->cols * item_of(x->dtype);

    *is_mapped = told >= 0 && fabs(values - file) < 1e5;
    return values + (told >= 0 ? 0 : file);
}

int block_plan_wanted(const cli_args *args, const char *path, const learning *in, int *wanted)
{
    const double file = block_rows_file_size(path);
    int given = 0, there = 0, is_mapped = 0;
    double limit = 0;
    block_rows rows;

    *wanted = 0;
    int status = memory_limit(args, &limit, &given);
    if (status != CLI_OK || file == 0 || (!given && file < limit / SMALL_SHARE))
        return status;
    pen_blocks *blocks = NULL; /* what cannot be read in blocks is read as ever */
    if (!given && pen_blocks_open(path, &in->options, &blocks, NULL) != PEN_OK)
        return CLI_OK;
    pen_blocks_free(blocks);
    status = block_rows_open(args, path, &in->options, &rows);
    if (status == CLI_OK)
        status = block_rows_next(&rows, &there);
    if (status == CLI_OK && there) {
        const double bytes = table_bytes(&rows, file, &is_mapped), d = (double)rows.table->x.cols;
        const int resident =
            !given && limit == (double)pen_memory_limit() && is_mapped && !memory_is_of_addresses();
        *wanted = !resident && memory_base(in->threads) + bytes + 80 * d * d > limit;
    }
    block_rows_free(&rows);
    return status;
}

/* ---- what there is ---- */

/* Go over all blocks. */
static int count_all(block_rows *rows, block_plan *plan)
{
    class_list classes = { .names = NULL };
    int there = 1, status;

    plan->rows = 0;
    while ((status = block_rows_next(rows, &there)) == CLI_OK && there) {
        const pen_table *const table = rows->table;
        plan->rows += table->x.rows;
        plan->columns = table->x.cols;
        plan->dropped += table->dropped_rows;
        plan->labelled += block_rows_labelled(table);
        if (!class_list_add(&classes, table))
            return cli_say(rows->args->command, CLI_FAILED, "out of memory for names of classes");
    }
    plan->classes = classes.count;
    class_list_free(&classes);
    return status;
}

/* npy and HDF5 tell their rows and have no labels in them. */
static int look(const learning *in, block_rows *rows, double most, block_plan *plan)
{
    label_count labels = { .rows = 0 };
    int there = 0;

    int status = block_rows_next(rows, &there);
    if (status != CLI_OK)
        return status;
    plan->rows = pen_blocks_rows(rows->blocks);
    plan->columns = there ? rows->table->x.cols : 0;
    if (plan->rows < 0 || in->options.missing == PEN_MISSING_DROP) {
        block_rows_rewind(rows);
        status = count_all(rows, plan);
    }
    block_rows_rewind(rows);
    if (status == CLI_OK)
        status = block_rows_labels(rows, plan->rows, plan->dropped, most, &labels);
    if (labels.rows > 0) {
        plan->labelled = labels.labelled;
        plan->classes = labels.classes;
    }
    return status;
}

/* ---- which way ---- */

/* The number of components that --pca asks for, at most; 0: it is off. */
static int64_t components_of(const pen_spec *spec, int64_t columns)
{
    char pca[PARAM_TEXT], most[PARAM_TEXT];

    if (!params_text(spec, "pca", pca, sizeof pca) || strcmp(pca, "off") == 0)
        return 0;
    const double wanted = strtod(pca, NULL), /* 0: rank */
        at_most = params_text(spec, "pca_most", most, sizeof most) ? strtod(most, NULL) : 0;
    return (int64_t)fmin((double)columns, fmin(wanted >= 1 ? wanted : (double)columns,
                                               at_most >= 1 ? at_most : (double)columns));
}

/* The statistics of a block with the distances to its nearest rows. */
static pen_status with_nearest(const pen_spec *spec, const pen_data *data,
                               const pen_control *control, pen_stats **sums, pen_error *err)
{
    pen_stats *near = NULL, *both = NULL;

    pen_status status = pen_stats_nearest(spec, *sums, data, 0, control, &near, err);
    const pen_stats *const list[] = { *sums, near };
    if (status == PEN_OK)
        status = pen_stats_merge(list, 2, control, &both, err);
    pen_stats_free(near);
    if (status == PEN_OK) {
        pen_stats_free(*sums);
        *sums = both;
    }
    return status;
}

/* The parameters decide whether sums are enough. So the first block is fitted: other errors, as of
 * labels that are in later blocks, do not count. */
static int try_sums(const cli_args *args, const pen_spec *spec, block_rows *rows, int threads,
                    int *enough)
{
    const pen_stats_block first = { .id = 0 };
    const pen_control control = { threads, NULL, NULL };
    const int nearest = pen_method_parts(pen_spec_method(spec)) & PEN_PART_NEAREST;
    pen_spec *all_dims = NULL;
    pen_stats *sums = NULL;
    pen_model *model = NULL;
    pen_error err;
    int there;

    const int read = block_rows_next(rows, &there);
    if (read != CLI_OK)
        return read;
    pen_status status = pen_spec_copy(spec, &all_dims, &err);
    if (status == PEN_OK)
        status = pen_spec_set(all_dims, "dim", "all", &err);
    if (status == PEN_OK)
        status = pen_stats_new(all_dims, &rows->data, &first, &control, &sums, &err);
    if (status == PEN_OK) {
        pen_status fit = pen_stats_fit(all_dims, sums, NULL, &control, &model, &err);
        if (fit == PEN_BAD_ARGUMENT && nearest
            && with_nearest(all_dims, &rows->data, &control, &sums, &err) == PEN_OK)
            fit = pen_stats_fit(all_dims, sums, NULL, &control, &model, &err);
        *enough = fit != PEN_BAD_ARGUMENT;
    }
    pen_model_free(model);
    pen_stats_free(sums);
    pen_spec_free(all_dims);
    block_rows_rewind(rows);
    return status == PEN_OK ? CLI_OK : input_failed(args, &err);
}

/* Methods with sums over rows are merged; others take components. */
static int choose_way(const cli_args *args, const pen_spec *spec, block_rows *rows, int threads,
                      block_plan *plan)
{
    const int parts = pen_method_parts(pen_spec_method(spec));
    int enough = 0, status = CLI_OK;

    if (parts)
        status = try_sums(args, spec, rows, threads, &enough);
    plan->way = enough ? BLOCK_MERGE : BLOCK_COORDINATES;
    plan->components = components_of(spec, plan->columns);
    if (status != CLI_OK || enough || plan->components > 0)
        return status;
    return cli_say(args->command, CLI_USAGE,
                   "%s: the rows are read in blocks, and %s with these parameters looks at all of "
                   "them together: --pca K fits it to K components, 8 K bytes a row%s",
                   input_name(rows->path), pen_method_name(pen_spec_method(spec)),
                   parts & PEN_PART_LISTS ? "; or split the rows into files, see penumbra stats "
                                            "--lists"
                                          : "");
}

/* ---- how much ---- */

/* Of the statistics of l kept rows of d columns, in bytes. */
static double object_bytes(const block_plan *p, double levels)
{
    const double d = (double)p->columns, c = (double)p->classes, l = (double)p->kept;

    return levels * (8 * d * d + 40 * d + 8 * c * d) + 2 * l * (8 * d + 40);
}

/* base: what the process took before. */
static double bound_of(const block_plan *p, const block_rows *rows, int threads, double base)
{
    const double d = (double)p->columns, r = BLOCK_ROWS, l = (double)p->kept,
                 q = (double)p->components, n = (double)p->rows, levels = ceil(log2(n / r + 1)) + 4,
                 workers = threads > 0 ? threads : pen_default_threads();
    const double block = r * (16 * d + 200) + 2 * (double)pen_blocks_bytes(rows->blocks),
                 sums = 24 * d * d + workers * (r * d * 2 + 4e6), /* panels of a product */
        fit = 96 * d * d + 5 * l * (8 * d + 40);

    return base + 8e6 + block + sums + object_bytes(p, levels) + fit
           + (p->way == BLOCK_COORDINATES ? n * (8 * q + 4) : 0);
}

/* What takes the most of it. */
static const char *advice_of(const block_plan *p, const pen_spec *spec)
{
    const double d = (double)p->columns, l = (double)p->kept;
    const int needed = pen_method_parts(pen_spec_method(spec)) & PEN_PART_ROWS;

    if (p->way == BLOCK_COORDINATES)
        return "fewer components (--pca), or more memory";
    if (l * 8 > 16 * d && l > BLOCK_ROWS)
        return needed ? "the labelled rows are kept: fewer labels, or more memory"
                      : "the labelled rows are kept for the reader of classes, which --reader none "
                        "leaves out";
    return "more memory, or fewer columns (--drop)";
}

static int report(const cli_args *args, const pen_spec *spec, const char *path, double limit,
                  const block_plan *p)
{
    char bound[MEMORY_TEXT], most[MEMORY_TEXT];

    memory_text(limit, most);
    memory_text(p->bytes * 1.005, bound); /* three digits, rounded up */
    if (p->bytes > limit)
        return cli_say(args->command, CLI_FAILED,
                       "%s: %lld rows of %lld columns in blocks of %d rows take up to %s in all, "
                       "and the limit is %s: %s",
                       input_name(path), (long long)p->rows, (long long)p->columns, BLOCK_ROWS,
                       bound, most, advice_of(p, spec));
    if (args_value(args, "quiet"))
        return CLI_OK;
    return cli_say(
        args->command, CLI_OK,
        "%s: %lld rows of %lld columns do not fit into %s: read in blocks of %d rows, at "
        "most %s in all%s",
        input_name(path), (long long)p->rows, (long long)p->columns, most, BLOCK_ROWS, bound,
        p->way == BLOCK_COORDINATES ? ", before the fit to their components" : "");
}

/* Labelled rows are kept for the method, or for its reader. */
static int keeps_rows(const pen_spec *spec)
{
    char reader[PARAM_TEXT];

    return pen_method_parts(pen_spec_method(spec)) & PEN_PART_ROWS
           || !params_text(spec, "reader", reader, sizeof reader) || strcmp(reader, "none") != 0;
}

int block_plan_make(const cli_args *args, const pen_spec *spec, block_rows *rows, learning *in,
                    block_plan *out)
{
    *out = (block_plan){ .way = BLOCK_MERGE };
    const double base = memory_base(in->threads);
    double limit;
    int given, status = memory_limit(args, &limit, &given);
    if (status == CLI_OK)
        status = look(in, rows, limit - base, out);
    if (status == CLI_OK)
        status = choose_way(args, spec, rows, in->threads, out);
    const pen_table like = { .x = { .rows = out->rows }, .dropped_rows = out->dropped };
    if (status == CLI_OK)
        status = pairs_read(args, rows->path, &like, &in->pairs);
    if (status == CLI_OK)
        status = pairs_set(args, &in->pairs, &in->data);
    if (status != CLI_OK)
        return status;
    if (out->way == BLOCK_MERGE)
        out->kept = (keeps_rows(spec) ? out->labelled : 0)
                    + 2 * (in->data.must_link_count + in->data.cannot_link_count);
    out->bytes = bound_of(out, rows, in->threads, base);
    return report(args, spec, rows->path, limit, out);
}
