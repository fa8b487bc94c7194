/* fuzz_sparse.c - sparse matrices in npz files. An accepted matrix is consistent, and stays so
 * after writing and reading. */
#include "fuzz.h"

#include "io/numpy/npz.h"

static void promise_matrix(const pen_sparse *m)
{
    PROMISE(m->rows >= 0 && m->cols >= 0 && m->starts[0] == 0);
    for (int64_t i = 0; i < m->rows; i++)
        PROMISE(m->starts[i + 1] >= m->starts[i]);
    for (int64_t e = 0; e < m->starts[m->rows]; e++)
        PROMISE(m->columns[e] >= 0 && m->columns[e] < m->cols);
}

static void round_trip(const pen_sparse *m)
{
    const size_t entries = (size_t)m->starts[m->rows];
    struct memory memory = { NULL, 0, 0 };
    pen_sparse *back;
    pen_error err;
    pen_run *run;

    PROMISE(pen_run_open(NULL, NULL, &run) == PEN_OK);
    PROMISE(pen_npz_write_sparse(run, m, put_memory, &memory) == PEN_OK);
    pen_run_close(run);
    if (pen_read_graph_bytes("again.npz", memory.data, memory.size, &back, &err) != PEN_OK) {
        PROMISE(err.code == PEN_NO_MEMORY);
    } else {
        PROMISE(back->rows == m->rows && back->cols == m->cols);
        PROMISE(memcmp(back->starts, m->starts, ((size_t)m->rows + 1) * sizeof *m->starts) == 0);
        PROMISE(memcmp(back->columns, m->columns, entries * sizeof *m->columns) == 0);
        PROMISE(memcmp(back->values, m->values, entries * sizeof *m->values) == 0);
    }
    pen_sparse_free(back);
    free(memory.data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pen_sparse *matrix;
    pen_error err;

    const pen_status status = pen_read_graph_bytes("fuzz.npz", data, size, &matrix, &err);
    if (status != PEN_OK) {
        promise_failure(status, &err, matrix);
        return 0;
    }
    promise_matrix(matrix);
    round_trip(matrix);
    pen_sparse_free(matrix);
    return 0;
}
