/* sparse.c - sparse matrices in .npz files. */
#include "core/arguments.h"
#include "io/npz.h"
#include "io/unzip.h"

#include <stdlib.h>
#include <string.h>

void pen_sparse_free(pen_sparse *matrix)
{
    free(matrix);
}

/* ---- reading ---- */

/* Opens an array of one dimension, of whole numbers or of any. */
static pen_status open_array(pen_run *run, const pen_input *archive, const char *name, int whole,
                             pen_npy *out)
{
    pen_input member;

    PEN_TRY(pen_unzip(run, archive, name, &member));
    PEN_REQUIRE(run, member.data, PEN_BAD_FORMAT,
                "%s: not a sparse matrix as scipy.sparse.save_npz writes it: there is no %s",
                archive->name, name);
    PEN_TRY(pen_npy_open(run, &member, out));
    PEN_TRY(pen_npy_fits(run, &member, out));
    PEN_REQUIRE(run, out->dims == 1 && (!whole || out->kind == 'i' || out->kind == 'u'),
                PEN_BAD_FORMAT, "%s: must be %s of one dimension", member.name,
                whole ? "whole numbers" : "an array");
    return PEN_OK;
}

static pen_status check_format(pen_run *run, const pen_input *archive)
{
    char form[PEN_FORM_SIZE];

    PEN_TRY(pen_unzip_form(run, archive, form));
    PEN_REQUIRE(
        run, *form, PEN_BAD_FORMAT,
        "%s: not a sparse matrix as scipy.sparse.save_npz writes it: there is no format.npy",
        archive->name);
    PEN_REQUIRE(run, strcmp(form, "csr") == 0, PEN_BAD_FORMAT,
                "%s: the sparse matrix must be in the form csr; save matrix.tocsr()",
                archive->name);
    return PEN_OK;
}

static pen_status copy_whole(pen_run *run, const pen_input *archive, const char *name,
                             const pen_npy *from, int64_t *to)
{
    for (int64_t i = 0; i < from->rows; i++)
        PEN_REQUIRE(run, pen_npy_whole(from, (size_t)i, to + i) == PEN_WHOLE && to[i] >= 0,
                    PEN_BAD_FORMAT, "%s: %s: number %lld (counted from 0) must be 0 or more",
                    archive->name, name, (long long)i);
    return PEN_OK;
}

/* The arrays agree with each other. */
static pen_status check_arrays(pen_run *run, const pen_input *archive, const pen_sparse *m,
                               int64_t entries)
{
    for (int64_t i = 0; i <= m->rows; i++)
        PEN_REQUIRE(run, i == 0 ? m->starts[0] == 0 : m->starts[i] >= m->starts[i - 1],
                    PEN_BAD_FORMAT,
                    "%s: indptr.npy: must begin with 0 and ascend, got %lld at %lld", archive->name,
                    (long long)m->starts[i], (long long)i);
    PEN_REQUIRE(run, m->starts[m->rows] == entries, PEN_BAD_FORMAT,
                "%s: indptr.npy: must end with %lld, the number of values, got %lld", archive->name,
                (long long)entries, (long long)m->starts[m->rows]);
    for (int64_t e = 0; e < entries; e++)
        PEN_REQUIRE(run, m->columns[e] < m->cols, PEN_BAD_FORMAT,
                    "%s: indices.npy: must be below %lld, the number of columns, got %lld",
                    archive->name, (long long)m->cols, (long long)m->columns[e]);
    return PEN_OK;
}

/* Room for the matrix in one block of memory. */
static pen_sparse *new_matrix(pen_run *run, int64_t rows, int64_t entries, int64_t **starts,
                              int64_t **columns, double **values)
{
    const int64_t head = (int64_t)((sizeof(pen_sparse) + 7) / 8);
    pen_sparse *const matrix = pen_keep(
        run, pen_plus(pen_plus(head, pen_plus(rows, 1)), pen_times(2, entries)), sizeof(int64_t));

    if (!matrix)
        return NULL;
    *starts = (int64_t *)(void *)matrix + head;
    *columns = *starts + rows + 1;
    *values = (double *)(void *)(*columns + entries);
    *matrix =
        (pen_sparse){ .rows = rows, .starts = *starts, .columns = *columns, .values = *values };
    return matrix;
}

static pen_status read_matrix(pen_run *run, const pen_input *archive, pen_sparse **out)
{
    pen_npy shape, starts, columns, values;
    int64_t sides[2], *to_starts, *to_columns;
    double *to_values;

    PEN_TRY(check_format(run, archive));
    PEN_TRY(open_array(run, archive, "shape.npy", 1, &shape));
    PEN_TRY(open_array(run, archive, "indptr.npy", 1, &starts));
    PEN_TRY(open_array(run, archive, "indices.npy", 1, &columns));
    PEN_TRY(open_array(run, archive, "data.npy", 0, &values));
    PEN_REQUIRE(run, shape.rows == 2, PEN_BAD_FORMAT,
                "%s: shape.npy: must be two numbers, got %lld", archive->name,
                (long long)shape.rows);
    PEN_TRY(copy_whole(run, archive, "shape.npy", &shape, sides));
    PEN_REQUIRE(run, starts.rows >= 1 && starts.rows - 1 == sides[0] && columns.rows == values.rows,
                PEN_BAD_FORMAT,
                "%s: %lld rows need %lld numbers in indptr.npy, got %lld; and as many indices as "
                "values, got %lld, %lld",
                archive->name, (long long)sides[0], (long long)pen_plus(sides[0], 1),
                (long long)starts.rows, (long long)columns.rows, (long long)values.rows);
    if (!(*out = new_matrix(run, sides[0], values.rows, &to_starts, &to_columns, &to_values)))
        return PEN_NO_MEMORY;
    (*out)->cols = sides[1];
    PEN_TRY(copy_whole(run, archive, "indptr.npy", &starts, to_starts));
    PEN_TRY(copy_whole(run, archive, "indices.npy", &columns, to_columns));
    for (int64_t e = 0; e < values.rows; e++)
        to_values[e] = pen_npy_value(&values, (size_t)e);
    return check_arrays(run, archive, *out, values.rows);
}

pen_status pen_sparse_read_bytes(const char *name, const void *data, size_t size, pen_sparse **out,
                                 pen_error *err)
{
    const pen_input archive = { .name = name, .data = data, .size = size };
    pen_run *run;

    *out = NULL;
    PEN_TRY(pen_run_open(NULL, err, &run));
    const pen_status status = read_matrix(run, &archive, out);
    pen_run_close(run);
    if (status != PEN_OK) {
        pen_sparse_free(*out);
        *out = NULL;
    }
    return status;
}

static pen_status read_path(pen_run *run, const char *path, pen_sparse **out)
{
    pen_bytes bytes;
    pen_input archive;

    PEN_TRY(pen_check_given(run, out, "out"));
    PEN_TRY(pen_check_given(run, path, "path"));
    PEN_TRY(pen_input_read(run, path, 0, &bytes, &archive));
    const pen_status status = read_matrix(run, &archive, out);
    pen_bytes_free(&bytes);
    if (status != PEN_OK) {
        pen_sparse_free(*out);
        *out = NULL;
    }
    return status;
}

pen_status pen_sparse_read(const char *path, pen_sparse **out, pen_error *err)
{
    if (out)
        *out = NULL;
    PEN_CALL(NULL, err, read_path(run, path, out));
}

/* ---- writing ---- */

static pen_status check(pen_run *run, const char *path, const pen_sparse *m)
{
    PEN_TRY(pen_check_given(run, path, "path"));
    PEN_TRY(pen_check_given(run, m, "matrix"));
    PEN_REQUIRE(run, pen_has_extension(path, ".npz"), PEN_UNKNOWN_NAME,
                "%s: the name must end in .npz", path);
    PEN_REQUIRE(run, m->rows >= 0 && m->cols >= 0 && m->rows < INT64_MAX / 16, PEN_BAD_ARGUMENT,
                "rows and cols must be >= 0, got %lld, %lld", (long long)m->rows,
                (long long)m->cols);
    PEN_TRY(pen_check_given(run, m->starts, "matrix.starts"));
    for (int64_t i = 0; i <= m->rows; i++)
        PEN_REQUIRE(run, i == 0 ? m->starts[0] == 0 : m->starts[i] >= m->starts[i - 1],
                    PEN_BAD_ARGUMENT, "starts must begin with 0 and ascend, got %lld at %lld",
                    (long long)m->starts[i], (long long)i);
    if (m->starts[m->rows] == 0)
        return PEN_OK;
    PEN_TRY(pen_check_given(run, m->columns, "matrix.columns"));
    PEN_TRY(pen_check_given(run, m->values, "matrix.values"));
    for (int64_t e = 0; e < m->starts[m->rows]; e++)
        PEN_REQUIRE(run, m->columns[e] >= 0 && m->columns[e] < m->cols, PEN_BAD_ARGUMENT,
                    "columns must be in [0, %lld], got %lld", (long long)m->cols - 1,
                    (long long)m->columns[e]);
    return PEN_OK;
}

static pen_status write_matrix(pen_run *run, const char *path, const pen_sparse *matrix)
{
    pen_output *output;

    PEN_TRY(check(run, path, matrix));
    PEN_TRY(pen_output_open(run, path, &output));
    return pen_output_close(output, pen_npz_write_sparse(matrix, pen_put_output, output));
}

pen_status pen_sparse_write(const char *path, const pen_sparse *matrix, pen_error *err)
{
    PEN_CALL(NULL, err, write_matrix(run, path, matrix));
}
