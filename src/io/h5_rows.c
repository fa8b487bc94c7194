/* h5_rows.c - rows and labels in HDF5 files: .h5ad, counts of 10x, MATLAB 7.3, and any dataset of
 * numbers, FILE::PATH. */
#include "io/block.h"
#include "io/h5ad.h"
#include "io/h5_matrix.h"
#include "io/tenx.h"
#include "io/unicode.h"

#include <string.h>

enum { FIRST_BLOCK = 512, LAST_BLOCK = 4096, MOST_DEPTH = 8, MOST_FOUND = 64, MOST_SEEN = 4096 };

/* The signature is at offset 0, or at 512, 1024, .. where the file begins with a block of another
 * program, as those of MATLAB do. */
static int recognizes(const pen_input *input)
{
    static const char signature[] = "\x89HDF\r\n\x1a\n";
    const size_t length = sizeof signature - 1;

    if (input->size >= length && memcmp(input->data, signature, length) == 0)
        return 1;
    for (size_t at = FIRST_BLOCK; at <= LAST_BLOCK && at + length <= input->size; at *= 2)
        if (memcmp(input->data + at, signature, length) == 0)
            return 1;
    return 0;
}

struct job {
    const pen_input *input;
    const pen_read_options *options;
    pen_table *table;
    pen_block *block; /* NULL: all rows */
};

#ifdef PENUMBRA_HDF5

/* ---- which matrix ---- */

/* Matrices that were found by their paths. */
struct found {
    char *paths[MOST_FOUND];
    int64_t count;
    int64_t seen;           /* links: a damaged group may be in itself */
    const char *unreadable; /* the last link to what cannot be opened; or NULL */
};

/* Looks for matrices in a group and the groups in it; those of h5ad that are not about rows are
 * left out. */
static pen_status search(const pen_h5 *h5, const char *group, int depth, struct found *out)
{
    static const char *const others[] = { "obs", "var",    "varm",        "varp",
                                          "uns", "#refs#", "#subsystem#", NULL };
    char **names;
    int64_t count;

    PEN_TRY(pen_h5_names(h5, group, &names, &count));
    for (int64_t i = 0; i < count && out->count < MOST_FOUND && out->seen < MOST_SEEN; i++) {
        const char *path;
        pen_h5_matrix matrix;
        int is_matrix, skipped = 0;
        for (int k = 0; *group == '\0' && others[k]; k++)
            skipped |= strcmp(names[i], others[k]) == 0;
        if (skipped)
            continue;
        PEN_TRY(pen_h5_join(h5, group, names[i], &path));
        out->seen++;
        if (pen_h5_look(h5, path) == PEN_H5_UNREADABLE) {
            out->unreadable = path;
            continue;
        }
        PEN_TRY(pen_h5_find_matrix(h5, path, &matrix, &is_matrix));
        if (is_matrix && (matrix.sparse || (matrix.rows > 1 && matrix.cols > 1)))
            out->paths[out->count++] = (char *)(uintptr_t)path;
        else if (!is_matrix && depth < MOST_DEPTH && pen_h5_look(h5, path) == PEN_H5_GROUP)
            PEN_TRY(search(h5, path, depth + 1, out));
    }
    return PEN_OK;
}

/* Without the slashes with which users may begin. */
static const char *member_of(const pen_input *input)
{
    const char *member = input->member;

    while (member && *member == '/')
        member++;
    return member && *member ? member : NULL;
}

static int begins(const char *path, const char *start)
{
    return strncmp(path, start, strlen(start)) == 0;
}

/* Loom files hold genes x cells, as matrix and in layers. */
static pen_status refuse_loom(const pen_h5 *h5, const char *path)
{
    const int other = path && strcmp(path, "matrix") != 0 && !begins(path, "layers/");

    PEN_REQUIRE(
        h5->run,
        other || pen_h5_look(h5, "row_attrs") != PEN_H5_GROUP
            || pen_h5_look(h5, "col_attrs") != PEN_H5_GROUP
            || pen_h5_look(h5, "matrix") != PEN_H5_SET,
        PEN_BAD_FORMAT,
        "%s: this is a Loom file, whose rows are genes; "
        "anndata.io.read_loom(\"FILE\").write_h5ad(\"NEW.h5ad\") writes a file whose rows are "
        "cells",
        h5->name);
    return PEN_OK;
}

/* The matrix that is named, or X of h5ad, or the only one. */
static pen_status choose(const pen_h5 *h5, const pen_input *input, pen_h5_matrix *out)
{
    const char *path = member_of(input);
    struct found all = { .count = 0 };
    int found = 0;

    PEN_TRY(refuse_loom(h5, path));
    if (!path && pen_h5ad_is(h5) && pen_h5_look(h5, "X") != PEN_H5_NOTHING)
        path = "X";
    if (path && strcmp(path, "raw") == 0 && pen_h5_look(h5, "raw/X") != PEN_H5_NOTHING)
        path = "raw/X";
    if (path)
        PEN_TRY(pen_h5_find_matrix(h5, path, out, &found));
    if (found)
        return PEN_OK;
    PEN_TRY(search(h5, "", 0, &all));
    if (!path && all.count == 1) {
        PEN_TRY(pen_h5_find_matrix(h5, all.paths[0], out, &found));
        return PEN_OK;
    }
    if (!path && all.count == 0 && all.unreadable)
        return pen_h5_damaged(h5, all.unreadable);
    PEN_REQUIRE(h5->run, path || all.count > 0, PEN_BAD_DATA,
                "%s: there is no matrix of numbers in it", h5->name);
    return pen_h5_no_such(h5, path ? "matrix" : "matrices", path, all.paths, all.count);
}

/* ---- names and labels ---- */

/* Texts must be as many as there are rows (or columns). */
static pen_status check_count(const pen_h5 *h5, const char *what, int64_t count, int64_t expected)
{
    PEN_REQUIRE(h5->run, count == expected, PEN_BAD_FORMAT,
                "%s: there are %lld %s for a matrix of %lld", h5->name, (long long)count, what,
                (long long)expected);
    return PEN_OK;
}

/* The names of the columns of a matrix of h5ad; obsm has none. */
static pen_status h5ad_columns(const pen_h5 *h5, const pen_h5_matrix *matrix, pen_text **names)
{
    const char *const frame = strcmp(matrix->path, "X") == 0 || begins(matrix->path, "layers/")
                                  ? "var"
                              : begins(matrix->path, "raw/") ? "raw/var"
                                                             : NULL;
    int64_t count;

    *names = NULL;
    if (!frame || pen_h5_look(h5, frame) != PEN_H5_GROUP)
        return PEN_OK;
    PEN_TRY(pen_h5ad_index(h5, frame, names, &count));
    if (count == 0)
        *names = NULL;
    return *names ? check_count(h5, "names in var", count, matrix->cols) : PEN_OK;
}

static pen_status kept_columns(const pen_h5 *h5, const pen_read_options *options, int64_t rows,
                               pen_row_texts *out)
{
    const int64_t width = options->keep_count;
    pen_text *kept, *names, *texts;
    int64_t count;

    PEN_TRY(PEN_NEW(h5->run, kept, pen_times(rows, width)));
    PEN_TRY(PEN_NEW(h5->run, names, width));
    for (int64_t k = 0; k < width; k++) {
        PEN_TRY(
            pen_h5ad_column(h5, "obs", options->keep[k], &texts, &count, &(enum pen_labels){ 0 }));
        PEN_TRY(check_count(h5, "rows in obs", count, rows));
        names[k] = pen_text_of(options->keep[k]);
        for (int64_t i = 0; i < rows; i++)
            kept[i * width + k] = texts[i];
    }
    out->kept = kept;
    out->kept_names = names;
    out->kept_count = width;
    return PEN_OK;
}

/* The columns of obs that the options name, and the names of the rows. */
static pen_status h5ad_rows(const pen_h5 *h5, const pen_read_options *options, int64_t rows,
                            pen_row_texts *out)
{
    pen_text *texts;
    int64_t count;

    if (options->row_name_column)
        PEN_TRY(pen_h5ad_column(h5, "obs", options->row_name_column, &texts, &count,
                                &(enum pen_labels){ 0 }));
    else
        PEN_TRY(pen_h5ad_index(h5, "obs", &texts, &count));
    if (count > 0) {
        PEN_TRY(check_count(h5, "rows in obs", count, rows));
        out->names = texts;
    }
    if (options->label_column) {
        PEN_TRY(pen_h5ad_column(h5, "obs", options->label_column, &texts, &count, &out->kind));
        PEN_TRY(check_count(h5, "rows in obs", count, rows));
        out->labels = texts;
    }
    return options->keep_count > 0 ? kept_columns(h5, options, rows, out) : PEN_OK;
}

static pen_status read_list(const pen_h5 *h5, const char *group, const char *name, pen_text **texts,
                            int64_t *count)
{
    pen_h5_part all = { .count = INT64_MAX };
    const char *path;
    pen_h5_set set;

    *count = 0;
    PEN_TRY(pen_h5_join(h5, group, name, &path));
    if (pen_h5_look(h5, path) != PEN_H5_SET)
        return PEN_OK;
    PEN_TRY(pen_h5_open(h5, path, &set));
    const pen_status status = pen_h5_texts(h5, &set, &all, texts);
    *count = all.count;
    pen_h5_close(h5, &set);
    return status;
}

/* Cell Ranger 3 has features/name, version 2 gene_names. */
static pen_status tenx_names(const pen_h5 *h5, const pen_h5_matrix *matrix, pen_row_texts *out,
                             pen_text **columns)
{
    pen_text *texts;
    int64_t count;

    PEN_TRY(read_list(h5, matrix->path, "barcodes", &texts, &count));
    PEN_TRY(check_count(h5, "barcodes", count, matrix->rows));
    out->names = texts;
    PEN_TRY(read_list(h5, matrix->path, "features/name", columns, &count));
    if (count == 0)
        PEN_TRY(read_list(h5, matrix->path, "gene_names", columns, &count));
    if (count == 0)
        return PEN_OK;
    PEN_TRY(check_count(h5, "genes", count, matrix->cols));
    return pen_names_unique(h5->run, *columns, count);
}

static pen_status read_file(const pen_h5 *h5, void *context)
{
    const struct job *const job = context;
    pen_read_options options = *job->options;
    pen_row_texts texts = { .names = NULL };
    pen_text *columns = NULL;
    pen_h5_matrix matrix;
    const int is_h5ad = pen_h5ad_is(h5);
    const char *const named = options.label_column      ? options.label_column
                              : options.row_name_column ? options.row_name_column
                              : options.keep_count > 0  ? options.keep[0]
                                                        : NULL;

    if (!member_of(job->input) || named)
        PEN_TRY(pen_h5ad_check_age(h5));
    PEN_TRY(choose(h5, job->input, &matrix));
    PEN_REQUIRE(h5->run, is_h5ad || !named, PEN_UNKNOWN_NAME,
                "%s: no column \"%s\": it is no h5ad file; labels are read from FILE::PATH",
                h5->name, named);
    if (is_h5ad) {
        PEN_TRY(h5ad_columns(h5, &matrix, &columns));
        PEN_TRY(h5ad_rows(h5, &options, matrix.rows, &texts));
    } else if (matrix.sparse && pen_h5_is_tenx(h5, matrix.path)) {
        PEN_TRY(tenx_names(h5, &matrix, &texts, &columns));
    }
    options.label_column = options.row_name_column = NULL; /* of obs, not of the matrix */
    options.keep_count = 0;
    return pen_h5_read_matrix(h5, job->input, &options, &matrix, &texts, columns, job->table);
}

/* A block of a dense matrix: what stands beside the rows is not read with them. */
static pen_status read_file_block(const pen_h5 *h5, void *context)
{
    const struct job *const job = context;
    const pen_read_options *const options = job->options;
    const pen_row_texts none = { .names = NULL };
    pen_block *const block = job->block;
    pen_input here = *job->input;
    pen_text *columns = NULL;
    pen_h5_matrix matrix;

    PEN_REQUIRE(h5->run,
                !options->label_column && !options->row_name_column && options->keep_count == 0,
                PEN_BAD_ARGUMENT,
                "%s: columns of obs are not read in blocks; labels are read by themselves from "
                "FILE::obs/NAME",
                h5->name);
    if (!member_of(job->input))
        PEN_TRY(pen_h5ad_check_age(h5));
    PEN_TRY(choose(h5, job->input, &matrix));
    PEN_REQUIRE(h5->run, !matrix.sparse, PEN_BAD_FORMAT,
                "%s: the sparse matrix %s is not read in blocks", h5->name, matrix.path);
    if (pen_h5ad_is(h5))
        PEN_TRY(h5ad_columns(h5, &matrix, &columns));
    block->rows = matrix.rows;
    block->count = pen_min(block->count, matrix.rows - block->first);
    if (block->count == 0)
        return PEN_OK;
    here.first_row = matrix.first = block->first;
    matrix.rows = block->count;
    matrix.is_block = 1;
    return pen_h5_read_matrix(h5, &here, options, &matrix, &none, columns, job->table);
}

/* ---- labels ---- */

/* Rows of a char array of MATLAB, which the file has by columns. */
static pen_status char_texts(const pen_h5 *h5, const pen_h5_set *set, pen_h5_part *part,
                             pen_text **texts)
{
    const int64_t rows = set->dims[1], cols = set->dims[0], cells = pen_times(rows, cols);
    uint32_t *units;
    double *codes;

    PEN_REQUIRE(h5->run, set->kind == PEN_H5_NUMBERS && set->rank == 2, PEN_BAD_FORMAT,
                "%s: %s must be a char array with a row for each label", h5->name, set->path);
    pen_h5_part_of(part, rows);
    PEN_TRY(PEN_NEW(h5->run, *texts, rows));
    PEN_TRY(PEN_NEW(h5->run, codes, cells));
    PEN_TRY(PEN_NEW(h5->run, units, cells));
    PEN_TRY(pen_h5_load(h5, set, 0, cols, 0, rows, PEN_F64, codes));
    for (int64_t k = 0; k < cells; k++)
        units[k] = codes[k] > 0 && codes[k] < 0x10000 ? (uint32_t)codes[k] : 0;
    for (int64_t i = 0; i < rows; i++)
        PEN_TRY(pen_units_text(h5->run, units + i, rows, cols, &(*texts)[i]));
    return PEN_OK;
}

/* A dataset, of MATLAB or of any program. */
static pen_status set_texts(const pen_h5 *h5, const char *path, int is_block, pen_h5_part *part,
                            pen_text **texts, enum pen_labels *kind)
{
    const char *class;
    pen_h5_set set;
    int empty;

    part->rows = 0;
    PEN_TRY(pen_h5_matlab_class(h5, path, &class, &empty));
    PEN_REQUIRE(
        h5->run, !class || !is_block, PEN_BAD_FORMAT,
        "%s: the labels %s of MATLAB are not read in blocks: all of them tell whether -1 is "
        "a class",
        h5->name, path);
    if (empty)
        return PEN_OK;
    const int is_char = class && strcmp(class, "char") == 0;
    PEN_REQUIRE(h5->run, is_char || pen_h5_are_numbers(class), PEN_BAD_FORMAT,
                "%s: %s is of the class %s of MATLAB; labels must be numbers or characters, as of "
                "char(%s)",
                h5->name, path, class, path);
    PEN_TRY(pen_h5_open(h5, path, &set));
    *kind = set.kind != PEN_H5_NUMBERS || is_char ? PEN_LABELS_TEXT
            : class                               ? PEN_LABELS_LIBSVM
                                                  : PEN_LABELS_NUMBERS;
    const pen_status status =
        is_char ? char_texts(h5, &set, part, texts) : pen_h5_texts(h5, &set, part, texts);
    pen_h5_close(h5, &set);
    return status;
}

static pen_status read_label_file(const pen_h5 *h5, void *context)
{
    const struct job *const job = context;
    const char *const path = member_of(job->input);
    pen_block *const block = job->block;
    pen_h5_part part = { .first = block ? block->first : 0,
                         .count = block ? block->count : INT64_MAX };
    enum pen_labels kind = PEN_LABELS_TEXT;
    pen_text *texts;

    PEN_REQUIRE(h5->run, path, PEN_UNKNOWN_NAME, "%s: which labels? FILE::PATH names them%s",
                h5->name, pen_h5ad_is(h5) ? ", FILE::obs/NAME a column of obs" : "");
    if (pen_h5ad_is(h5) && begins(path, "obs/")) {
        PEN_TRY(pen_h5ad_part(h5, "obs", path + strlen("obs/"), &part, &texts, &kind));
    } else {
        if (pen_h5_look(h5, path) != PEN_H5_SET)
            PEN_TRY(pen_h5ad_check_age(h5));
        PEN_REQUIRE(h5->run, pen_h5_look(h5, path) == PEN_H5_SET, PEN_UNKNOWN_NAME,
                    "%s: no labels \"%s\"", h5->name, path);
        PEN_TRY(set_texts(h5, path, block != NULL, &part, &texts, &kind));
    }
    PEN_REQUIRE(h5->run, part.rows > 0, PEN_BAD_DATA, "%s: no labels", h5->name);
    if (block) {
        block->rows = part.rows;
        block->count = part.count;
    }
    if (part.count == 0)
        return PEN_OK;
    job->table->x = pen_dense(NULL, PEN_F64, part.count, 0, 0);
    return pen_table_label(h5->run, job->table, texts, part.count, job->options, kind);
}

#else
#define read_file       NULL
#define read_file_block NULL
#define read_label_file NULL
#endif

/* ---- the format ---- */

static pen_status read_rows(pen_run *run, const pen_input *input, const pen_read_options *options,
                            pen_table *table)
{
    struct job job = { input, options, table, NULL };
    return pen_h5_read(run, input, read_file, &job);
}

static pen_status read_block(pen_run *run, const pen_input *input, const pen_read_options *options,
                             pen_block *block, pen_table *table)
{
    struct job job = { input, options, table, block };
    return pen_h5_read(run, input, read_file_block, &job);
}

static pen_status read_labels(pen_run *run, const pen_input *input, const pen_read_options *options,
                              pen_table *table)
{
    struct job job = { input, options, table, NULL };
    return pen_h5_read(run, input, read_label_file, &job);
}

static pen_status read_label_block(pen_run *run, const pen_input *input,
                                   const pen_read_options *options, pen_block *block,
                                   pen_table *table)
{
    struct job job = { input, options, table, block };
    return pen_h5_read(run, input, read_label_file, &job);
}

static const char *const extensions[] = { ".h5ad", ".h5", ".hdf5", NULL };

const pen_format pen_format_hdf5 = { .name = "hdf5",
                                     .extensions = extensions,
                                     .recognizes = recognizes,
                                     .read = read_rows,
                                     .read_labels = read_labels,
                                     .read_block = read_block,
                                     .read_label_block = read_label_block,
                                     .has_columns = 1,
                                     .has_members = 1,
                                     .is_sure = 1 };
