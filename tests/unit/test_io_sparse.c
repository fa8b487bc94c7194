/* test_io_sparse.c - sparse matrices in npz files: written by SciPy, stored and with every kind of
 * compressed block; written by the library and read again (damaged: test_io_matrix). */
#include "check.h"
#include "kit/folder.h"

#include "io/table/gzip.h"

enum { ROWS = 30, COLS = 40 };

static const char *const files[] = { TEST_DATA "/sparse_stored.npz",
                                     TEST_DATA "/sparse_deflated.npz",
                                     TEST_DATA "/sparse_fixed.npz", TEST_DATA "/sparse_types.npz" };

/* Row i has i mod 5 entries; entry e is i/8 - e in column (7 i + 11 e) mod 40. */
static int is_expected(const pen_sparse *m)
{
    if (m->rows != ROWS || m->cols != COLS)
        return 0;
    for (int64_t i = 0; i < ROWS; i++) {
        if (m->starts[i + 1] - m->starts[i] != i % 5)
            return 0;
        for (int64_t e = 0; e < i % 5; e++) { /* in the file in another order */
            int64_t at = m->starts[i];
            while (at < m->starts[i + 1] && m->columns[at] != (7 * i + 11 * e) % COLS)
                at++;
            if (at == m->starts[i + 1] || m->values[at] != (double)i / 8 - (double)e
                || (at > m->starts[i] && m->columns[at - 1] >= m->columns[at]))
                return 0;
        }
    }
    return 1;
}

TEST(by_scipy)
{
    for (int f = 0; f < 4; f++) {
        pen_sparse *m;
        pen_error err;
        CHECK_OK(pen_read_graph(files[f], &m, &err), &err);
        CHECK(is_expected(m), "%s: the matrix differs", files[f]);
        pen_sparse_free(m);
    }
    pen_sparse_free(NULL);
}

/* SciPy before 1.0 wrote the form as text with characters of four bytes; one matrix in two
 * forms. */
TEST(old_form)
{
    pen_sparse *m, *by_columns;
    pen_error err;
    CHECK_OK(pen_read_graph(TEST_DATA "/files/csr_old.npz", &m, &err), &err);
    assert_true(m->rows == 24 && m->cols == 10 && m->values[0] == 4);
    CHECK_OK(pen_read_graph(TEST_DATA "/files/csc_old.npz", &by_columns, &err), &err);
    assert_memory_equal(by_columns->starts, m->starts, 25 * sizeof *m->starts);
    assert_memory_equal(by_columns->columns, m->columns, 78 * sizeof *m->columns);
    assert_memory_equal(by_columns->values, m->values, 78 * sizeof *m->values);
    pen_sparse_free(m);
    pen_sparse_free(by_columns);
}

GROUP(folder_make, folder_remove);

TEST(round_trip)
{
    static const int64_t starts[] = { 0, 2, 2, 3 }, columns[] = { 0, 4, 1 },
                         late[] = { 1, 2, 2, 3 }, falling[] = { 0, 2, 1, 3 }, out[] = { 4, 5, 1 };
    static const double values[] = { 0.1, -2, 1e300 };
    const char *const path = in_folder("graph.npz");
    pen_sparse m = { 3, 5, starts, columns, values }, *back;
    pen_error err;

    CHECK_OK(pen_write_graph(path, &m, &err), &err);
    CHECK_OK(pen_read_graph(path, &back, &err), &err);
    assert_int_equal(back->rows, 3);
    assert_int_equal(back->cols, 5);
    assert_memory_equal(back->starts, starts, sizeof starts);
    assert_memory_equal(back->columns, columns, sizeof columns);
    assert_memory_equal(back->values, values, sizeof values);
    pen_sparse_free(back);
    m = (pen_sparse){ 3, 5, starts, (const int64_t[]){ 4, 4, 1 }, values };
    CHECK_OK(pen_write_graph(path, &m, &err), &err);
    CHECK_STATUS(pen_read_graph(path, &back, &err), PEN_BAD_FORMAT, "1 entries have the same place",
                 &err);
    m = (pen_sparse){ 2, 1, (const int64_t[]){ 0, 0, 0 }, NULL, NULL };
    CHECK_OK(pen_write_graph(path, &m, &err), &err);
    CHECK_OK(pen_read_graph(path, &back, &err), &err);
    assert_int_equal(back->starts[2], 0);
    pen_sparse_free(back);

    m = (pen_sparse){ 3, 5, late, columns, values };
    CHECK_STATUS(pen_write_graph(path, &m, &err), PEN_BAD_ARGUMENT, "begin with 0", &err);
    m.starts = falling;
    CHECK_STATUS(pen_write_graph(path, &m, &err), PEN_BAD_ARGUMENT, "ascend", &err);
    m.starts = starts;
    m.columns = out;
    CHECK_STATUS(pen_write_graph(path, &m, &err), PEN_BAD_ARGUMENT, "[0, 4], got 5", &err);
    m.columns = NULL;
    CHECK_STATUS(pen_write_graph(path, &m, &err), PEN_BAD_ARGUMENT, "matrix.columns", &err);
    CHECK_STATUS(pen_write_graph("x.npy", &m, &err), PEN_UNKNOWN_NAME, "end in .npz", &err);
    CHECK_STATUS(pen_write_graph(NULL, &m, &err), PEN_BAD_ARGUMENT, "path", &err);
    CHECK_STATUS(pen_write_graph(path, NULL, &err), PEN_BAD_ARGUMENT, "matrix", &err);
    CHECK_STATUS(pen_read_graph(path, NULL, &err), PEN_BAD_ARGUMENT, "out", &err);
    remove(path);
    CHECK_STATUS(pen_read_graph(path, &back, &err), PEN_FILE_ERROR, "cannot be opened", &err);
}

/* Blocks that no compressor makes. */
TEST(odd_blocks)
{
    static const unsigned char stored[] = { 1, 2, 0, 0xFD, 0xFF, 'a', 'b' },
                               wrong[] = { 1, 2, 0, 0xFC, 0xFF, 'a', 'b' },
                               reserved[] = { 7, 0, 0, 0 };
    /* fixed codes: distance 1 points before the beginning */
    static const unsigned char before[] = { 0x03, 0x02, 0x00 };
    unsigned char to[8];
    assert_true(pen_inflate(stored, sizeof stored, to, 2));
    assert_memory_equal(to, "ab", 2);
    assert_false(pen_inflate(stored, sizeof stored, to, 1));
    assert_false(pen_inflate(stored, sizeof stored, to, 3));
    assert_false(pen_inflate(stored, sizeof stored - 1, to, 2));
    assert_false(pen_inflate(wrong, sizeof wrong, to, 2));
    assert_false(pen_inflate(reserved, sizeof reserved, to, 0));
    assert_false(pen_inflate(before, sizeof before, to, 3));
    assert_false(pen_inflate(stored, 0, to, 0));
}
