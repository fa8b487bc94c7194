/* block_rows.c - the rows of a file in blocks, with their labels. */
#define _POSIX_C_SOURCE 200809L

#include "block_rows.h"

#include "flags/input.h"
#include "label_size.h"
#include "memory_limit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { OF_NAME = 120 }; /* bytes of the name of a row, where it is, and what finds it */

int block_rows_open(const cli_args *args, const char *path, const pen_read_options *options,
                    block_rows *out)
{
    pen_error err;

    *out = (block_rows){ .args = args, .path = path, .number = -1 };
    return pen_blocks_open(path, options, &out->blocks, &err) == PEN_OK ? CLI_OK
                                                                        : input_failed(args, &err);
}

/* The labels of the block: its own, or those of the file that has them for all rows. */
static void set_data(block_rows *rows)
{
    const pen_table *const table = rows->table, *const from = rows->labels       ? rows->labels
                                                              : rows->all_labels ? rows->all_labels
                                                                                 : table;
    const int32_t *const labels =
        from == rows->all_labels && from ? from->labels + rows->first : from->labels;

    rows->data = (pen_data){ .x = table->x,
                             .labels = labels,
                             .class_names = (const char *const *)from->class_names,
                             .class_count = from->class_count,
                             .column_names = (const char *const *)table->column_names };
}

static int next_labels(block_rows *rows)
{
    pen_error err;

    pen_table_free(rows->labels);
    rows->labels = NULL;
    return pen_blocks_next(rows->label_blocks, BLOCK_ROWS, &rows->labels, &err) == PEN_OK
               ? CLI_OK
               : input_failed(rows->args, &err);
}

/* The labels of the block, one for each of its rows. */
static int match_labels(block_rows *rows)
{
    const int status = rows->label_blocks ? next_labels(rows) : CLI_OK;

    if (status != CLI_OK || !rows->label_blocks
        || (rows->labels && rows->labels->x.rows == rows->table->x.rows))
        return status;
    return cli_say(rows->args->command, CLI_FAILED, "%s: has changed while it was read",
                   input_name(args_value(rows->args, "labels")));
}

int block_rows_columns(block_rows *rows, int64_t *columns)
{
    pen_error err;

    block_rows_rewind(rows);
    if (pen_blocks_next(rows->blocks, 1, &rows->table, &err) != PEN_OK)
        return input_failed(rows->args, &err);
    *columns = rows->table ? rows->table->x.cols : 0;
    block_rows_rewind(rows);
    return CLI_OK;
}

int block_rows_next(block_rows *rows, int *there)
{
    const int64_t before = rows->table ? rows->table->x.rows : 0;
    pen_error err;

    pen_table_free(rows->table);
    rows->table = NULL;
    if (pen_blocks_next(rows->blocks, BLOCK_ROWS, &rows->table, &err) != PEN_OK)
        return input_failed(rows->args, &err);
    *there = rows->table != NULL;
    if (!*there)
        return CLI_OK;
    const int status = match_labels(rows);
    if (status != CLI_OK)
        return status;
    rows->first += before;
    rows->number++;
    set_data(rows);
    return CLI_OK;
}

void block_rows_rewind(block_rows *rows)
{
    pen_table_free(rows->table);
    rows->table = NULL;
    rows->first = 0;
    rows->number = -1;
    pen_blocks_rewind(rows->blocks);
    if (rows->label_blocks)
        pen_blocks_rewind(rows->label_blocks);
}

void block_rows_free(block_rows *rows)
{
    pen_table_free(rows->table);
    pen_table_free(rows->labels);
    pen_table_free(rows->all_labels);
    pen_blocks_free(rows->label_blocks);
    pen_blocks_free(rows->blocks);
}

/* ---- labels of a file of their own ---- */

int label_count_add(const cli_args *args, const pen_table *table, label_count *all)
{
    all->rows += table->x.rows;
    for (int64_t i = 0; table->labels && i < table->x.rows; i++)
        all->labelled += table->labels[i] >= 0;
    if (!class_list_add(&all->classes, (const char *const *)table->class_names, table->class_count)
        || !class_list_add(&all->marks, (const char *const *)table->marks, table->mark_count))
        return cli_say(args->command, CLI_FAILED, "out of memory for names of classes");
    for (int64_t m = 0; m < table->mark_count; m++) {
        const int64_t at = class_list_find(&all->marks, table->marks[m]);
        all->mark_rows[at < LABEL_MARKS ? at : LABEL_MARKS - 1] += table->mark_rows[m];
    }
    return CLI_OK;
}

void label_count_note(const cli_args *args, const char *path, label_count *all)
{
    const int64_t marks = all->marks.count < LABEL_MARKS ? all->marks.count : LABEL_MARKS;
    const pen_table table = { .class_names = all->classes.names,
                              .class_count = all->classes.count,
                              .marks = all->marks.names,
                              .mark_rows = all->mark_rows,
                              .mark_count = marks };
    input_note_labels(args, path, &table);
}

void label_count_free(label_count *all)
{
    class_list_free(&all->classes);
    class_list_free(&all->marks);
}

/* Go over all labels. */
static int count_labels(block_rows *rows, const char *path, label_count *out)
{
    int status = next_labels(rows);

    while (status == CLI_OK && rows->labels) {
        status = label_count_add(rows->args, rows->labels, out);
        if (status == CLI_OK)
            status = next_labels(rows);
    }
    pen_blocks_rewind(rows->label_blocks);
    if (status == CLI_OK)
        label_count_note(rows->args, path, out);
    return status;
}

/* The names of the rows, which lines of labels may have, in `most` bytes with what finds them. */
static int list_names(block_rows *rows, double most, pen_table *all)
{
    double bytes = 0;
    int there, status;

    block_rows_rewind(rows);
    while ((status = block_rows_next(rows, &there)) == CLI_OK && there && rows->table->row_names) {
        const int64_t count = rows->table->x.rows;
        char **const names =
            realloc(all->row_names, (size_t)(all->x.rows + count + 1) * sizeof *names);
        all->row_names = names ? names : all->row_names;
        for (int64_t i = 0; names && i < count && bytes <= most; i++) {
            bytes += (double)strlen(rows->table->row_names[i]) + OF_NAME;
            if (!(names[all->x.rows] = strdup(rows->table->row_names[i])))
                bytes = INFINITY;
            else
                all->x.rows++;
        }
        if (!names || bytes > most)
            return cli_say(rows->args->command, CLI_FAILED,
                           "%s: out of memory for the names of the rows, which labels may have",
                           input_name(rows->path));
    }
    block_rows_rewind(rows);
    return status;
}

/* At once. */
static int read_labels(block_rows *rows, const char *path, int64_t count, double most,
                       label_count *out)
{
    const double bytes = label_size(path, count);
    pen_table all = { .row_names = NULL };
    char wanted[MEMORY_TEXT], there[MEMORY_TEXT];

    if (bytes > most)
        return cli_say(
            rows->args->command, CLI_FAILED,
            "%s: the labels may take %s, and there are %s for them: an npy file of whole "
            "numbers is read in blocks",
            input_name(path), memory_text(bytes, wanted), memory_text(fmax(0, most), there));
    int status = list_names(rows, most - bytes, &all);
    const int64_t names = all.x.rows;
    all.x.rows = count;
    if (status == CLI_OK)
        status = input_labels(rows->args, path, rows->path, &all, &rows->all_labels);
    if (status == CLI_OK)
        status = label_count_add(rows->args, rows->all_labels, out);
    for (int64_t i = 0; i < names; i++)
        free(all.row_names[i]);
    free(all.row_names);
    return status;
}

/* rows->label_blocks, unless the first of them cannot be read so: NULL, for all to be read. */
static void open_labels(block_rows *rows, const char *path, const pen_read_options *options)
{
    pen_error err;

    pen_status status = pen_blocks_open_labels(path, options, &rows->label_blocks, &err);
    if (status == PEN_OK)
        status = pen_blocks_next(rows->label_blocks, 1, &rows->labels, &err);
    pen_table_free(rows->labels);
    rows->labels = NULL;
    if (status == PEN_OK) {
        pen_blocks_rewind(rows->label_blocks);
        return;
    }
    pen_blocks_free(rows->label_blocks);
    rows->label_blocks = NULL;
}

int block_rows_labels(block_rows *rows, int64_t count, int64_t dropped, double most,
                      label_count *out)
{
    const char *const path = args_value(rows->args, "labels");
    const pen_table like = { .dropped_rows = dropped };
    pen_read_options options;

    *out = (label_count){ .rows = 0 };
    if (!path)
        return CLI_OK;
    int status = input_all_rows(rows->args, "labels", path, rows->path, &like);
    if (status == CLI_OK)
        status = input_label_options(rows->args, &options);
    if (status != CLI_OK)
        return status;
    open_labels(rows, path, &options);
    status = rows->label_blocks ? count_labels(rows, path, out)
                                : read_labels(rows, path, count, most, out);
    if (status == CLI_OK && out->rows != count)
        status = cli_say(rows->args->command, CLI_FAILED, "%s: %lld labels for %lld rows of %s",
                         input_name(path), (long long)out->rows, (long long)count,
                         input_name(rows->path));
    return status;
}

double block_rows_file_size(const char *path)
{
    char file[CLI_PATH_SIZE];
    struct stat info;

    return stat(cli_file_of(path, file), &info) == 0 && S_ISREG(info.st_mode) ? (double)info.st_size
                                                                              : 0;
}
