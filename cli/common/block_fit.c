/* block_fit.c - fits a model to files that are read in blocks. */
#define _POSIX_C_SOURCE 200809L

#include "common/fit_data.h"

#include "flags/input.h"
#include "common/progress.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { BLOCK_ROWS = 4096, PARAM_TEXT = 64 };

typedef struct source {
    const pen_spec *spec;
    fit_data *in;
    const char *const *paths;
    int64_t at; /* index of the next path */
    pen_blocks *blocks;
    pen_table *table;
    pen_table *labels; /* of all rows, from --labels; or NULL */
    int64_t first;     /* row of the block */
    int passes;
    pen_model *model;
} source;

/* ---- when to read in blocks ---- */

/* Reads 500M, 2G or 1.5GiB as bytes. Returns 0 for any other text. */
static double read_size(const char *text)
{
    static const char units[] = "kMGT";
    char *end;
    const double size = isdigit((unsigned char)*text) ? strtod(text, &end) : 0;

    if (size == 0 || size > 1e15)
        return 0;
    const char *const unit = *end ? strchr(units, *end == 'K' ? 'k' : *end) : NULL;
    end += unit != NULL;
    const int binary = unit && *end == 'i';
    end += binary;
    end += *end == 'B';
    if (*end)
        return 0;
    return unit ? size * pow(binary ? 1024 : 1000, (double)(unit - units + 1)) : size;
}

/* A flag that needs all rows in memory; or NULL. */
static const char *flag_of_all(const fit_data *in)
{
    static const char *const flags[] = { "keep-labels", "groups", "classes", "cache", NULL };
    int i = 0;

    while (flags[i] && !args_value(flags[i]))
        i++;
    /* blocks take labels from a column, or from one file by row number */
    if (args_value("labels")
        && (args_repeated("labels", 1) || args_value("label-column") || args_value("name-column")))
        return "labels";
    return in->graph ? "graph" : flags[i];
}

/* Whether the fit can use sums or principal components of blocks. */
static int is_possible(const pen_spec *spec, const char *const *paths, const fit_data *in)
{
    char pca[PARAM_TEXT];
    int possible = !flag_of_all(in)
                   && (pen_spec_passes(spec)
                       || (pen_spec_get(spec, "pca", pca, sizeof pca) && strcmp(pca, "off") != 0));

    if (possible && !paths[1]) { /* otherwise all rows are read at once */
        pen_blocks *blocks;
        possible = pen_blocks_open(*paths, &in->options, &blocks, &cli_error) == PEN_OK;
        pen_blocks_free(blocks);
    }
    return possible;
}

int block_fit_wanted(const pen_spec *spec, const char *const *paths, const fit_data *in,
                     int *wanted)
{
    const char *const given = getenv("PENUMBRA_MEMORY");
    const double memory = strtod(cli_system("memory"), NULL), /* 0: unknown */
        limit = given        ? read_size(given)
                : memory > 0 ? memory / 2
                             : (double)INFINITY;
    char file[CLI_PATH_SIZE];
    struct stat info;
    double bytes = 0;

    if (given && limit == 0)
        return cli_refuse("PENUMBRA_MEMORY must be a size such as 500M, 2G or 1.5GiB, got \"%s\"",
                          given);
    for (int64_t i = 0; paths[i]; i++)
        if (stat(cli_file_of(paths[i], file), &info) == 0 && S_ISREG(info.st_mode))
            bytes += (double)info.st_size;
    *wanted =
        (bytes > limit && given) || ((bytes > limit || paths[1]) && is_possible(spec, paths, in));
    return CLI_OK;
}

/* ---- blocks ---- */

static void go_back(void *user)
{
    source *const s = user;

    pen_table_free(s->table);
    pen_blocks_free(s->blocks);
    s->table = NULL;
    s->blocks = NULL;
    s->at = s->first = 0;
}

/* Reads the next block of the files into s->table, or NULL. */
static pen_status next_table(source *s, pen_error *err)
{
    s->first += s->table ? s->table->x.rows : 0;
    pen_table_free(s->table);
    s->table = NULL;
    while (s->blocks || s->paths[s->at]) {
        pen_status status = PEN_OK;
        if (!s->blocks)
            status = pen_blocks_open(s->paths[s->at++], &s->in->options, &s->blocks, err);
        if (status == PEN_OK)
            status = pen_blocks_next(s->blocks, BLOCK_ROWS, &s->table, err);
        if (status != PEN_OK || s->table)
            return status;
        pen_blocks_free(s->blocks);
        s->blocks = NULL;
    }
    return PEN_OK;
}

/* A pen_block_fn that prints warnings in the first pass. */
static pen_status next_rows(void *user, int64_t block, pen_data *rows, pen_error *err)
{
    source *const s = user;

    if (block == 0)
        go_back(s);
    const pen_status status = next_table(s, err);
    if (status != PEN_OK || !s->table)
        return status;
    const pen_table *const from = s->labels ? s->labels : s->table;
    *rows = (pen_data){ .x = s->table->x,
                        .labels = s->labels ? s->labels->labels + s->first : s->table->labels,
                        .class_names = (const char *const *)from->class_names,
                        .class_count = from->class_count,
                        .column_names = (const char *const *)s->table->column_names };
    s->passes += block == 0;
    if (s->passes == 1)
        s->in->labelled += cli_labelled(rows->labels, rows->x.rows);
    if (s->passes == 1 && block == 0 && rows->x.rows > 0)
        leaks_warn(s->table, rows);
    return PEN_OK;
}

/* Counts the rows, then reads labels and pairs, which refer to row numbers. */
static int read_labels(source *s)
{
    const char *const path = args_value("labels");
    pen_table all = { .x = { .rows = 0 } };
    pen_status read;

    while ((read = next_table(s, &cli_error)) == PEN_OK && s->table) {
        const int64_t columns = s->table->x.cols;
        const char *const reading = s->table->reading;
        if (reading && !s->in->data.reading)
            s->in->data.reading = strcpy(cli_alloc((int64_t)strlen(reading) + 1, 1), reading);
        if (all.x.rows > 0 && columns != all.x.cols)
            return cli_fail("%s: %lld columns, but the rows before have %lld; labels are read "
                            "with --labels, pairs with --pairs",
                            s->paths[s->at - 1], (long long)columns, (long long)all.x.cols);
        all.x.rows += s->table->x.rows;
        all.x.cols = columns;
        all.dropped_rows += s->table->dropped_rows;
    }
    if (read != PEN_OK)
        return input_failed();
    if (path) {
        CLI_TRY(input_all_rows("labels", path, s->paths[0], &all));
        CLI_TRY(input_labels(path, s->paths[0], &all, NULL, NULL, &s->labels));
    }
    CLI_TRY(pairs_read(s->paths[0], &all, &s->in->data));
    s->in->row_count = all.x.rows;
    s->in->column_count = all.x.cols;
    input_note_dropped(s->paths[0], all.dropped_rows, NULL);
    return CLI_OK;
}

/* ---- the fit ---- */

static pen_status fit(void *context, const pen_control *control)
{
    source *const s = context;
    return pen_fit_blocks(s->spec, next_rows, s, &s->in->data, control, &s->model, &cli_error);
}

int block_fit(const pen_spec *spec, const char *const *paths, fit_data *in)
{
    static source s;
    const char *const flag = flag_of_all(in);

    if (flag)
        return cli_refuse("--%s needs all rows in memory, but they are larger than PENUMBRA_MEMORY "
                          "and are read in blocks",
                          flag);
    s = (source){ .spec = spec, .in = in, .paths = paths };
    cli_own(&s, go_back);
    CLI_TRY(read_labels(&s));
    CLI_TRY(cli_work(NULL, fit, &s));
    cli_own(s.model, cli_free_model);
    in->where = ", read in blocks";
    return fit_finish(in, s.model, NULL);
}
