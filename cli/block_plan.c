/* block_plan.c - whether a fit reads its rows in blocks, and the memory it takes then.
 *
 * The bound is the sum of what may be there at one time: a block as text and as values, its
 * statistics, those of the tree of merges, the rows that are kept, and the matrices of the fit. */
#define _POSIX_C_SOURCE 200809L

#include "block_plan.h"

#include "block_way.h"
#include "flags/input.h"
#include "memory_limit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    PARAM_TEXT = 128,
    SMALL_SHARE = 16,  /* a value takes a byte of the file at least, and 8 or so in memory */
    PACKED_SHARE = 64, /* the same of a file that may be compressed, to a fourth */
    LOOK_VALUES = 1 << 20,
    MORE_OBJECTS = 4 /* than a level of the tree has: a block, and those that are merged */
};

/* ---- are they read in blocks? ---- */

static double item_of(pen_dtype dtype)
{
    return dtype == PEN_F64 ? 8 : dtype == PEN_F32 ? 4 : 1;
}

/* Memory of the whole table; *is_mapped: the file would be mapped, which a limit of what is
 * resident allows. A text is there besides its values. */
static double table_bytes(const pen_blocks *blocks, const pen_table *table, double file,
                          int *is_mapped)
{
    const pen_array *const x = &table->x;
    const double told = (double)pen_blocks_rows(blocks),
                 text = (double)pen_blocks_bytes(blocks) + 1,
                 some = (double)x->rows + (double)table->dropped_rows,
                 count = told >= 0 ? told : some * fmax(1, file / text),
                 values = count * (double)x->cols * item_of(x->dtype);

    *is_mapped = told >= 0 && fabs(values - file) < 1e5;
    return values + (told >= 0 ? 0 : file);
}

/* Its first rows: few of many columns. `options` may ask for means of all rows: what has gaps is
 * as large as what is filled. */
static pen_status peek(const char *path, const pen_read_options *options, pen_blocks **blocks,
                       pen_table **table, pen_error *err)
{
    pen_read_options some = *options;

    if (some.missing == PEN_MISSING_MEAN)
        some.missing = PEN_MISSING_DROP;
    pen_status status = pen_blocks_open(path, &some, blocks, err);
    if (status == PEN_OK)
        status = pen_blocks_next(*blocks, 1, table, err);
    if (status != PEN_OK || !*table || pen_blocks_rows(*blocks) >= 0)
        return status;
    const int64_t wide = (*table)->x.cols, rows = LOOK_VALUES / (wide > 0 ? wide : 1) + 1;
    pen_table_free(*table);
    *table = NULL;
    pen_blocks_rewind(*blocks);
    return pen_blocks_next(*blocks, rows < BLOCK_ROWS ? rows : BLOCK_ROWS, table, err);
}

int block_plan_wanted(const cli_args *args, const char *path, const learning *in, int *wanted)
{
    const double file = block_rows_file_size(path);
    int given = 0, is_mapped = 0;
    double limit = 0;
    pen_blocks *blocks = NULL;
    pen_table *table = NULL;
    pen_error err;

    *wanted = 0;
    const int status = memory_limit(args, &limit, &given);
    if (status != CLI_OK || file == 0 || (!given && file < limit / SMALL_SHARE))
        return status;
    const double base = memory_base(in->threads);
    if (peek(path, &in->options, &blocks, &table, &err) != PEN_OK) {
        /* read as ever, or not at all: block_fit says why */
        *wanted = given && base + PACKED_SHARE * file > limit;
    } else if (table) {
        const double bytes = table_bytes(blocks, table, file, &is_mapped),
                     d = (double)table->x.cols;
        const int resident = !given && is_mapped && !memory_is_of_addresses()
                             && limit == (double)pen_memory_limit(),
                  needs_all = in->options.missing == PEN_MISSING_MEAN;
        *wanted = !resident && (given || !needs_all) && base + bytes + 80 * d * d > limit;
    }
    pen_table_free(table);
    pen_blocks_free(blocks);
    return CLI_OK;
}

/* ---- what there is ---- */

/* Go over all blocks. */
static int count_all(block_rows *rows, block_plan *plan, label_count *labels)
{
    int there = 1, status;

    while ((status = block_rows_next(rows, &there)) == CLI_OK && there) {
        plan->columns = rows->table->x.cols;
        plan->dropped += rows->table->dropped_rows;
        status = label_count_add(rows->args, rows->table, labels);
        if (status != CLI_OK)
            return status;
    }
    plan->rows = labels->rows;
    label_count_note(rows->args, rows->path, labels);
    return status;
}

/* An npy file tells its rows and has no labels in it: this pass is over others. */
static int needs_count(const learning *in, const block_plan *plan)
{
    return plan->rows < 0 || in->options.missing == PEN_MISSING_DROP;
}

static int count_rows(const cli_args *args, const learning *in, block_rows *rows, double most,
                      block_plan *plan)
{
    label_count inside = { .rows = 0 }, labels = inside;
    int status = CLI_OK;

    if (needs_count(in, plan)) {
        block_rows_rewind(rows);
        status = count_all(rows, plan, &inside);
    }
    block_rows_rewind(rows);
    if (status == CLI_OK && !args_value(args, "quiet"))
        input_note_dropped(args, rows->path, plan->dropped, NULL);
    if (status == CLI_OK)
        status = block_rows_labels(rows, plan->rows, plan->dropped, most, &labels);
    const label_count *const from = labels.rows > 0 ? &labels : &inside;
    plan->labelled = from->labelled;
    plan->classes = from->classes.count;
    plan->name_bytes = from->classes.bytes;
    label_count_free(&labels);
    label_count_free(&inside);
    return status;
}

/* ---- which way ---- */

/* The number of components that --pca asks for, at most; 0: it is off. */
static int64_t components_of(const pen_spec *spec, int64_t columns)
{
    char pca[PARAM_TEXT];

    if (!params_text(spec, "pca", pca, sizeof pca) || strcmp(pca, "off") == 0)
        return 0;
    const char *const most = strchr(pca, ':');
    const double wanted = strtod(pca, NULL), /* 0: rank */
        at_most = most ? strtod(most + 1, NULL) : 0;
    return (int64_t)fmin((double)columns, fmin(wanted >= 1 ? wanted : (double)columns,
                                               at_most >= 1 ? at_most : (double)columns));
}

static int is_any_given(const cli_args *args, const char *const *names)
{
    for (; *names; names++)
        if (args_value(args, *names))
            return 1;
    return 0;
}

/* Labels, or pairs: the rows of the fit are more than numbers. */
static int has_labels(const cli_args *args)
{
    static const char *const names[] = { "labels",      "label-column", "must-link",
                                         "cannot-link", "pairs",        NULL };
    return is_any_given(args, names);
}

/* Kernels, and row steps that are learned, take all rows. */
static int check_blocks(const cli_args *args, const pen_spec *spec, const block_rows *rows)
{
    static const double no_value = 0;
    const pen_data none = { .x = pen_dense(&no_value, PEN_F64, 0, 1, 1) };
    const pen_stats_block block = { .id = 0 };
    pen_stats *sums = NULL;
    pen_error err;

    const pen_status status = pen_stats_new(spec, &none, &block, NULL, &sums, &err);
    pen_stats_free(sums);
    if (status != PEN_BAD_ARGUMENT)
        return CLI_OK;
    return cli_say(args->command, CLI_USAGE, "%s: the rows are read in blocks: %s",
                   input_name(rows->path), err.message);
}

/* Methods with sums over rows are merged; others take components. */
static int choose_way(const cli_args *args, const pen_spec *spec, block_rows *rows, int threads,
                      block_plan *plan)
{
    int enough = 0;

    int status = check_blocks(args, spec, rows);
    if (status == CLI_OK)
        status = block_way_sums(args, spec, has_labels(args), threads, &enough);
    plan->way = enough ? BLOCK_MERGE : BLOCK_COORDINATES;
    plan->components = components_of(spec, plan->columns);
    if (status != CLI_OK || enough || plan->components > 0)
        return status;
    return cli_say(args->command, CLI_USAGE,
                   "%s: the rows are read in blocks, and %s with these parameters looks at all of "
                   "them together: --pca K fits it to K components, 8 K bytes a row",
                   input_name(rows->path), pen_spec_method(spec)->name);
}

/* ---- how much ---- */

static int classifier_is(const pen_spec *spec, const char *name)
{
    char text[PARAM_TEXT];

    return params_text(spec, "classifier", text, sizeof text) && strcmp(text, name) == 0;
}

/* Of the classes in the objects that are there at one time: the names, and the sums where the
 * method has them. An object of few rows has few classes. */
static double class_bytes(const block_plan *p, const pen_spec *spec, double levels)
{
    const int sums =
        p->way == BLOCK_MERGE && pen_method_parts(pen_spec_method(spec)) & PEN_PART_CLASSES;
    const double c = (double)p->classes, d = (double)p->columns,
                 each = c > 0 ? 64 + 1.5 * p->name_bytes / c + (sums ? 8 * d + 16 : 0) : 0;
    double there = 4 * c;

    for (double k = 0; k < levels - MORE_OBJECTS; k++)
        there += fmin(c, BLOCK_ROWS * exp2(k));
    return there * each + (sums ? 3 * 8 * c * d : 0);
}

/* What logistic regression computes of each kept row for each class. */
static double classifier_bytes(const block_plan *p, const pen_spec *spec)
{
    const double d = (double)p->columns, c = (double)p->classes, l = (double)p->labelled;

    return p->way == BLOCK_MERGE && classifier_is(spec, "logistic") ? 8 * c * (7 * l + 16 * (d + 1))
                                                                    : 0;
}

/* base: what the process took before. */
static double bound_of(const block_plan *p, const pen_spec *spec, const block_rows *rows,
                       int threads, double base)
{
    const double d = (double)p->columns, r = BLOCK_ROWS, l = (double)p->kept,
                 q = (double)p->components, n = fmax(0, (double)p->rows),
                 levels = ceil(log2(n / r + 1)) + MORE_OBJECTS,
                 workers = threads > 0 ? threads : pen_default_threads();
    const double block = r * (16 * d + 200) + 2 * (double)pen_blocks_bytes(rows->blocks),
                 sums = 24 * d * d + workers * (r * d * 2 + 4e6), /* panels of a product */
        objects = levels * (8 * d * d + 40 * d) + 2 * l * (8 * d + 40),
                 fit = 96 * d * d + 5 * l * (8 * d + 40);

    return base + 8e6 + block + sums + objects + class_bytes(p, spec, levels) + fit
           + classifier_bytes(p, spec) + (p->way == BLOCK_COORDINATES ? n * (8 * q + 4) : 0);
}

/* What takes the most of it. */
static const char *advice_of(const block_plan *p, const pen_spec *spec)
{
    const double d = (double)p->columns, l = (double)p->kept;
    const int needed = pen_method_parts(pen_spec_method(spec)) & PEN_PART_ROWS;

    if (p->way == BLOCK_COORDINATES)
        return "the components take most of it";
    if (classifier_bytes(p, spec) > p->bytes / 2)
        return "the classifier logistic takes most of it";
    if (l * 8 > 16 * d && l > BLOCK_ROWS && (double)p->pair_rows > l / 2)
        return "the rows of pairs are kept: fewer pairs, or more memory";
    if (l * 8 > 16 * d && l > BLOCK_ROWS)
        return needed ? "the labelled rows are kept: fewer labels, or more memory"
                      : "the labelled rows are kept for the classifier";
    if (p->classes > BLOCK_ROWS)
        return "there are many classes, each of which has a name: fewer labels, or more memory";
    return "the columns take most of it";
}

/* Before the rows are counted: they take no less. */
static int check_least(const cli_args *args, const char *path, double limit, double least,
                       const block_plan *p)
{
    char bound[MEMORY_TEXT], most[MEMORY_TEXT];

    if (least <= limit)
        return CLI_OK;
    return cli_say(args->command, CLI_FAILED,
                   "%s: rows of %lld columns in blocks of %d rows take at least %s in all, and the "
                   "limit is %s",
                   input_name(path), (long long)p->columns, BLOCK_ROWS, memory_text(least, bound),
                   memory_text(limit, most));
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

/* Labelled rows are kept for the method, or for its classifier. */
static int keeps_rows(const pen_spec *spec)
{
    return pen_method_parts(pen_spec_method(spec)) & PEN_PART_ROWS || !classifier_is(spec, "none");
}

/* Everything that the bound depends on. Labels and pairs stay in memory, so what the process takes
 * is measured after they were read. */
static int look_at_all(const cli_args *args, const pen_spec *spec, block_rows *rows, learning *in,
                       double most, block_plan *p)
{
    int status = count_rows(args, in, rows, most, p);
    const pen_table like = { .x = { .rows = p->rows }, .dropped_rows = p->dropped };
    if (status == CLI_OK)
        status = pairs_read(args, rows->path, &like, &in->pairs);
    if (status == CLI_OK)
        status = pairs_set(args, &in->pairs, &in->data);
    if (status != CLI_OK)
        return status;
    p->pair_rows = 2 * (in->data.must_link_count + in->data.cannot_link_count);
    if (p->way == BLOCK_MERGE)
        p->kept = (keeps_rows(spec) ? p->labelled : 0) + p->pair_rows;
    p->bytes = fmax(memory_peak(), bound_of(p, spec, rows, in->threads, memory_base(in->threads)));
    return CLI_OK;
}

int block_plan_make(const cli_args *args, const pen_spec *spec, block_rows *rows, learning *in,
                    block_plan *out)
{
    const double base = memory_base(in->threads);
    double limit;
    int given;

    *out = (block_plan){ .way = BLOCK_MERGE };
    int status = memory_limit(args, &limit, &given);
    if (status == CLI_OK)
        status = block_rows_columns(rows, &out->columns);
    if (status == CLI_OK)
        status = choose_way(args, spec, rows, in->threads, out);
    if (status != CLI_OK)
        return status;
    out->rows = pen_blocks_rows(rows->blocks);
    if (has_labels(args) || needs_count(in, out))
        status =
            check_least(args, rows->path, limit, bound_of(out, spec, rows, in->threads, base), out);
    if (status == CLI_OK)
        status = look_at_all(args, spec, rows, in, limit - base, out);
    return status == CLI_OK ? report(args, spec, rows->path, limit, out) : status;
}
