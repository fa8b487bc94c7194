/* graph_file.c - sparse matrices in .npz files. */
#include "core/arguments.h"
#include "core/array.h"
#include "io/numpy/npz.h"
#include "io/read.h"
#include "io/table/row_table.h"

#include <stdlib.h>
#include <string.h>

void pen_sparse_free(pen_sparse *matrix)
{
    free(matrix);
}

/* ---- reading ---- */

/* Copies the matrix into one block of memory. */
static pen_status copy_rows(pen_run *run, const pen_array *x, pen_sparse **out)
{
    const int64_t head = (int64_t)((sizeof(pen_sparse) + 7) / 8), count = x->starts[x->rows];

    *out = pen_keep(run, pen_plus(pen_plus(head, pen_plus(x->rows, 1)), pen_times(2, count)),
                    sizeof(int64_t));
    if (!*out)
        return PEN_NO_MEMORY;
    int64_t *const starts = (int64_t *)(void *)*out + head, *const columns = starts + x->rows + 1;
    double *const values = (double *)(void *)(columns + count);
    **out = (pen_sparse){ x->rows, x->cols, starts, columns, values };
    memcpy(starts, x->starts, (size_t)(x->rows + 1) * sizeof *starts);
    for (int64_t e = 0; e < count; e++) {
        columns[e] = x->columns[e];
        values[e] = pen_load_value(x->dtype, x->values, e);
    }
    return PEN_OK;
}

/* Reads a graph like sparse rows, but an edge must occur only once. */
static pen_status fill(pen_run *run, const pen_input *archive, pen_table *table, pen_sparse **out)
{
    static const pen_read_options options = { .allow_empty = 1 };
    int64_t count;

    PEN_TRY(pen_npz_read_sparse(run, archive, &options, table, &count));
    const int64_t twice = count - table->x.starts[table->x.rows];
    PEN_REQUIRE(run, twice == 0, PEN_BAD_FORMAT,
                "%s: %lld entries have the same place as another entry", archive->name,
                (long long)twice);
    return copy_rows(run, &table->x, out);
}

static pen_status read_matrix(pen_run *run, const pen_input *archive, pen_sparse **out)
{
    pen_table *table;

    PEN_TRY(pen_table_new(run, &table));
    const pen_status status = fill(run, archive, table, out);
    pen_table_free(table);
    return status;
}

static pen_status read_any(pen_run *run, const char *path, const pen_input *archive,
                           pen_sparse **out)
{
    pen_bytes bytes;
    pen_input file;

    PEN_TRY(pen_check_given(run, out, "out"));
    PEN_TRY(pen_check_given(run, path, "path"));
    PEN_TRY(pen_input_read(run, path, archive, 0, &bytes, &file));
    const pen_status status = read_matrix(run, &file, out);
    pen_bytes_free(&bytes);
    return status;
}

pen_status pen_read_graph_bytes(const char *name, const void *data, size_t size, pen_sparse **out,
                                pen_error *err)
{
    const pen_input archive = { .name = name, .data = data, .size = size };

    PEN_MAKE(NULL, err, out, pen_sparse_free, read_any(run, name, &archive, out));
}

pen_status pen_read_graph(const char *path, pen_sparse **out, pen_error *err)
{
    PEN_MAKE(NULL, err, out, pen_sparse_free, read_any(run, path, NULL, out));
}

/* ---- writing ---- */

static pen_status check(pen_run *run, const char *path, const pen_sparse *m)
{
    PEN_TRY(pen_check_given(run, path, "path"));
    PEN_TRY(pen_check_given(run, m, "matrix"));
    PEN_REQUIRE(run, pen_has_extension(path, ".npz"), PEN_UNKNOWN_NAME,
                "%s: the name must end in .npz", path);
    PEN_REQUIRE(run,
                m->rows >= 0 && m->cols >= 0 && m->rows < INT64_MAX / 16 && m->cols <= INT32_MAX,
                PEN_BAD_ARGUMENT, "rows must be >= 0, and cols in [0, 2^31), got %lld, %lld",
                (long long)m->rows, (long long)m->cols);
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
    return pen_output_close(output, pen_npz_write_sparse(run, matrix, pen_put_output, output));
}

pen_status pen_write_graph(const char *path, const pen_sparse *matrix, pen_error *err)
{
    PEN_CALL(NULL, err, write_matrix(run, path, matrix));
}
