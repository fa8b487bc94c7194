/* h5_matrix.c - dense matrices are read by blocks of rows, sparse ones by blocks of entries. */
#include "io/h5_matrix.h"

#ifdef PENUMBRA_HDF5

#include "io/dense_rows.h"

#include <string.h>

enum { TILE_BYTES = 1 << 22 };

/* ---- what it is ---- */

static int has(const pen_h5 *h5, const char *group, const char *const *names)
{
    for (int i = 0; names[i]; i++) {
        const char *path;
        if (pen_h5_join(h5, group, names[i], &path) != PEN_OK
            || pen_h5_look(h5, path) != PEN_H5_SET)
            return 0;
    }
    return 1;
}

int pen_h5_is_tenx(const pen_h5 *h5, const char *group)
{
    static const char *const names[] = { "data", "indices", "indptr", "shape", "barcodes", NULL };
    return pen_h5_look(h5, group) == PEN_H5_GROUP && has(h5, group, names);
}

static int is_word(const char *text, const char *word)
{
    return text && strcmp(text, word) == 0;
}

/* shape is an attribute, by two names, or a dataset. */
static pen_status find_sides(const pen_h5 *h5, const char *group, int64_t sides[2])
{
    int64_t count = 0;
    const char *path;
    pen_h5_set set;

    PEN_TRY(pen_h5_whole_attribute(h5, group, "shape", 2, sides, &count));
    if (count == 0)
        PEN_TRY(pen_h5_whole_attribute(h5, group, "h5sparse_shape", 2, sides, &count));
    PEN_TRY(pen_h5_join(h5, group, "shape", &path));
    if (count == 0 && pen_h5_look(h5, path) == PEN_H5_SET) {
        PEN_TRY(pen_h5_open(h5, path, &set));
        count = set.kind == PEN_H5_NUMBERS && set.rank == 1 ? set.dims[0] : 0;
        const pen_status status = count == 2 ? pen_h5_load_whole(h5, &set, 0, 2, sides) : PEN_OK;
        pen_h5_close(h5, &set);
        PEN_TRY(status);
    }
    PEN_REQUIRE(h5->run, count == 2 && sides[0] >= 0 && sides[1] >= 0, PEN_BAD_FORMAT,
                "%s: the sparse matrix %s has no shape of two numbers", h5->name, group);
    return PEN_OK;
}

/* MATLAB writes the number of rows, and the starts of columns. */
static pen_status find_matlab(const pen_h5 *h5, const char *group, pen_h5_matrix *out)
{
    const char *path;
    int64_t count;
    pen_h5_set set;

    PEN_TRY(pen_h5_whole_attribute(h5, group, "MATLAB_sparse", 1, &out->rows, &count));
    PEN_REQUIRE(h5->run, count == 1 && out->rows >= 0, PEN_BAD_FORMAT,
                "%s: the sparse matrix %s does not say its number of rows", h5->name, group);
    PEN_TRY(pen_h5_join(h5, group, "jc", &path));
    PEN_TRY(pen_h5_open(h5, path, &set));
    out->cols = set.dims[0] - 1;
    pen_h5_close(h5, &set);
    out->by_columns = 1;
    out->indices = "ir";
    out->starts = "jc";
    return PEN_OK;
}

static pen_status find_sparse(const pen_h5 *h5, const char *group, pen_h5_matrix *out, int *found)
{
    static const char *const usual[] = { "data", "indices", "indptr", NULL }, *const matlab[] = {
        "data", "ir", "jc", NULL
    };
    const char *form;
    int64_t sides[2] = { 0, 0 };

    *found = 1;
    out->sparse = 1;
    if (has(h5, group, matlab))
        return find_matlab(h5, group, out);
    *found = has(h5, group, usual);
    if (!*found)
        return PEN_OK;
    out->indices = "indices";
    out->starts = "indptr";
    PEN_TRY(find_sides(h5, group, sides));
    if (pen_h5_is_tenx(h5, group)) {
        out->rows = sides[1];
        out->cols = sides[0];
        return PEN_OK;
    }
    PEN_TRY(pen_h5_text_attribute(h5, group, "encoding-type", &form));
    if (!form)
        PEN_TRY(pen_h5_text_attribute(h5, group, "h5sparse_format", &form));
    out->by_columns = is_word(form, "csc_matrix") || is_word(form, "csc");
    PEN_REQUIRE(h5->run, out->by_columns || is_word(form, "csr_matrix") || is_word(form, "csr"),
                PEN_BAD_FORMAT,
                "%s: the sparse matrix %s must say that it is csr_matrix or csc_matrix "
                "(encoding-type)",
                h5->name, group);
    out->rows = sides[0];
    out->cols = sides[1];
    return PEN_OK;
}

pen_status pen_h5_matlab_class(const pen_h5 *h5, const char *path, const char **class, int *empty)
{
    int64_t is_empty = 0, count;

    PEN_TRY(pen_h5_text_attribute(h5, path, "MATLAB_class", class));
    if (*class)
        PEN_TRY(pen_h5_whole_attribute(h5, path, "MATLAB_empty", 1, &is_empty, &count));
    *empty = is_empty != 0;
    return PEN_OK;
}

int pen_h5_are_numbers(const char *class)
{
    static const char *const numbers[] = { "double", "single", "logical", "int8",
                                           "uint8",  "int16",  "uint16",  "int32",
                                           "uint32", "int64",  "uint64",  NULL };

    for (int i = 0; class && numbers[i]; i++)
        if (strcmp(class, numbers[i]) == 0)
            return 1;
    return !class;
}

/* The dataset is the shape. Without two sides, of which one is 0, rows and columns stay 0. */
static pen_status find_empty(const pen_h5 *h5, const char *path, pen_h5_matrix *out)
{
    int64_t sides[2] = { 0, 0 };
    pen_h5_set set;

    PEN_TRY(pen_h5_open(h5, path, &set));
    const pen_status status =
        set.rank == 1 && set.dims[0] == 2 ? pen_h5_load_whole(h5, &set, 0, 2, sides) : PEN_OK;
    pen_h5_close(h5, &set);
    if (status == PEN_OK && pen_min(sides[0], sides[1]) == 0) {
        out->rows = sides[0];
        out->cols = sides[1];
    }
    return status;
}

pen_status pen_h5_find_matrix(const pen_h5 *h5, const char *path, pen_h5_matrix *out, int *found)
{
    const enum pen_h5_object what = pen_h5_look(h5, path);
    const char *class;
    pen_h5_set set;
    int empty;

    *out = (pen_h5_matrix){ .path = path };
    *found = 0;
    if (what == PEN_H5_GROUP)
        return find_sparse(h5, path, out, found);
    if (what == PEN_H5_UNREADABLE)
        return pen_h5_damaged(h5, path);
    if (what != PEN_H5_SET)
        return PEN_OK;
    PEN_TRY(pen_h5_open(h5, path, &set));
    pen_h5_close(h5, &set);
    PEN_TRY(pen_h5_matlab_class(h5, path, &class, &empty));
    *found =
        set.kind == PEN_H5_NUMBERS && (set.rank == 1 || set.rank == 2) && pen_h5_are_numbers(class);
    if (*found && empty)
        return find_empty(h5, path, out);
    out->transposed = class && set.rank == 2;
    out->rows = set.dims[out->transposed];
    out->cols = set.dims[!out->transposed];
    return PEN_OK;
}

/* ---- dense ---- */

struct dense {
    const pen_h5 *h5;
    pen_h5_set set;
    int64_t first; /* row of the matrix */
    int64_t cols;
    char *tile; /* [columns of a tile x rows of a block], as in the file */
};

static pen_status load_rows(pen_run *run, void *context, int64_t first, int64_t count, void *values)
{
    const struct dense *const d = context;

    (void)run;
    return pen_h5_load(d->h5, &d->set, d->first + first, count, 0, d->cols, d->set.dtype, values);
}

/* Rows of the table are columns in the file: some columns of the table at a time. */
static pen_status load_columns(pen_run *run, void *context, int64_t first, int64_t count,
                               void *values)
{
    const struct dense *const d = context;
    const int64_t item = d->set.dtype == PEN_F64   ? 8
                         : d->set.dtype == PEN_F32 ? 4
                                                   : 1,
                  wide = pen_max(1, TILE_BYTES / pen_times(count, item));
    const pen_mark_t mark = pen_mark(run);
    char *tile;

    PEN_TRY(PEN_NEW(run, tile, pen_times(pen_min(wide, d->cols), pen_times(count, item))));
    for (int64_t j = 0; j < d->cols; j += wide) {
        const int64_t some = pen_min(wide, d->cols - j);
        PEN_TRY(pen_h5_load(d->h5, &d->set, j, some, d->first + first, count, d->set.dtype, tile));
        for (int64_t i = 0; i < count; i++)
            for (int64_t c = 0; c < some; c++)
                memcpy((char *)values + (i * d->cols + j + c) * item, tile + (c * count + i) * item,
                       (size_t)item);
    }
    pen_release(run, mark);
    return PEN_OK;
}

static pen_status read_dense(const pen_h5 *h5, const pen_input *input,
                             const pen_read_options *options, const pen_h5_matrix *matrix,
                             const pen_row_texts *texts, const pen_text *column_names,
                             pen_table *table)
{
    struct dense d = { .h5 = h5, .first = matrix->first, .cols = matrix->cols };

    PEN_TRY(pen_h5_open(h5, matrix->path, &d.set));
    const pen_dense_source source = { .rows = matrix->rows,
                                      .cols = matrix->cols,
                                      .dtype = d.set.dtype,
                                      .load = matrix->transposed ? load_columns : load_rows,
                                      .context = &d,
                                      .is_block = matrix->is_block,
                                      .column_names = column_names };
    const pen_status status = pen_table_dense(h5->run, input, options, &source, texts, table);
    pen_h5_close(h5, &d.set);
    return status;
}

/* ---- sparse ---- */

struct sparse {
    const pen_h5 *h5;
    pen_h5_set data, indices;
};

static pen_status load_entries(pen_run *run, void *context, int64_t first, int64_t count,
                               int64_t *rows, int64_t *indices, double *values)
{
    const struct sparse *const s = context;

    (void)run;
    (void)rows;
    PEN_TRY(pen_h5_load_whole(s->h5, &s->indices, first, count, indices));
    return values ? pen_h5_load(s->h5, &s->data, first, count, 0, 1, PEN_F64, values) : PEN_OK;
}

static pen_status load_starts(const pen_h5 *h5, const pen_h5_matrix *matrix, const char *path,
                              int64_t **starts)
{
    const int64_t majors = matrix->by_columns ? matrix->cols : matrix->rows;
    pen_h5_set set;

    PEN_TRY(pen_h5_open(h5, path, &set));
    pen_status status = PEN_OK;
    if (set.kind != PEN_H5_NUMBERS || set.rank != 1 || set.dims[0] - 1 != majors)
        status = pen_fail(h5->run, PEN_BAD_FORMAT, "%s: %s must have %lld numbers, got %lld",
                          h5->name, path, (long long)pen_plus(majors, 1), (long long)set.dims[0]);
    if (status == PEN_OK)
        status = PEN_NEW(h5->run, *starts, set.dims[0]);
    if (status == PEN_OK)
        status = pen_h5_load_whole(h5, &set, 0, set.dims[0], *starts);
    pen_h5_close(h5, &set);
    return status;
}

static pen_status open_part(const pen_h5 *h5, const pen_h5_matrix *matrix, const char *name,
                            pen_h5_set *out)
{
    const char *path;

    PEN_TRY(pen_h5_join(h5, matrix->path, name, &path));
    PEN_TRY(pen_h5_open(h5, path, out));
    if (out->kind == PEN_H5_NUMBERS && out->rank == 1)
        return PEN_OK;
    pen_h5_close(h5, out);
    return pen_fail(h5->run, PEN_BAD_FORMAT, "%s: %s must be numbers of one dimension", h5->name,
                    path);
}

static pen_status read_sparse(const pen_h5 *h5, const pen_input *input,
                              const pen_read_options *options, const pen_h5_matrix *matrix,
                              const pen_row_texts *texts, const pen_text *column_names,
                              pen_table *table)
{
    struct sparse s = { .h5 = h5 };
    const char *path;
    int64_t *starts;

    PEN_TRY(pen_h5_join(h5, matrix->path, matrix->starts, &path));
    PEN_TRY(load_starts(h5, matrix, path, &starts));
    PEN_TRY(open_part(h5, matrix, matrix->indices, &s.indices));
    PEN_TRY(open_part(h5, matrix, "data", &s.data));
    PEN_REQUIRE(h5->run, s.indices.dims[0] == s.data.dims[0], PEN_BAD_FORMAT,
                "%s: %s has %lld indices and %lld values", h5->name, matrix->path,
                (long long)s.indices.dims[0], (long long)s.data.dims[0]);
    const pen_entries entries = { .rows = matrix->rows,
                                  .cols = matrix->cols,
                                  .count = s.data.dims[0],
                                  .by_columns = matrix->by_columns,
                                  .dtype = s.data.dtype,
                                  .starts = starts,
                                  .load = load_entries,
                                  .context = &s,
                                  .column_names = column_names };
    return pen_table_sparse(h5->run, input, options, &entries, texts, table);
}

pen_status pen_h5_read_matrix(const pen_h5 *h5, const pen_input *input,
                              const pen_read_options *options, const pen_h5_matrix *matrix,
                              const pen_row_texts *texts, const pen_text *column_names,
                              pen_table *table)
{
    return matrix->sparse ? read_sparse(h5, input, options, matrix, texts, column_names, table)
                          : read_dense(h5, input, options, matrix, texts, column_names, table);
}

#endif
