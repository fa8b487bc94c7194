/* test_io_matrix.c - rows in npz archives and Matrix Market files, as SciPy writes them. */
#include "fixture.h"

#include "core/file.h"
#include "kit/readings.h"

TEST(sparse_npz)
{
    static const struct {
        const char *file;
        pen_dtype dtype;
        enum fixture_kind kind;
        double divisor;
    } files[] = { { FIXTURE("csr.npz"), PEN_F32, FIXTURE_COUNTS, 1 },
                  { FIXTURE("csc.npz"), PEN_F64, FIXTURE_COUNTS, 1 },
                  { FIXTURE("csc_old.npz"), PEN_F64, FIXTURE_COUNTS, 1 },
                  { FIXTURE("csr_old.npz"), PEN_F64, FIXTURE_COUNTS, 1 },
                  { FIXTURE("coo.npz"), PEN_F64, FIXTURE_COUNTS, 1 },
                  { FIXTURE("bool.npz"), PEN_F64, FIXTURE_PATTERN, 1 },
                  /* each entry twice, in descending order: summed */
                  { FIXTURE("twice.npz"), PEN_F32, FIXTURE_COUNTS, 0.5 },
                  { FIXTURE("coo_twice.npz"), PEN_F32, FIXTURE_COUNTS, 0.5 } };
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        pen_table *const table = fixture_read(files[f].file, NULL);
        CHECK(table->x.starts && table->x.dtype == files[f].dtype, "%s: dtype %d", files[f].file,
              (int)table->x.dtype);
        fixture_check(files[f].file, &table->x, FIXTURE_ROWS, FIXTURE_COLS, files[f].kind,
                      files[f].divisor);
        pen_table_free(table);
    }
}

TEST(dense_npz)
{
    pen_table *table = fixture_read(FIXTURE("one.npz"), NULL);
    pen_error err;
    CHECK(!table->x.starts, "%s", "a dense array is sparse");
    fixture_check("one.npz", &table->x, FIXTURE_ROWS, FIXTURE_COLS, FIXTURE_COUNTS, 1);
    pen_table_free(table);
    table = fixture_read(FIXTURE("arrays.npz::X"), NULL);
    fixture_check("arrays.npz", &table->x, FIXTURE_ROWS, FIXTURE_COLS, FIXTURE_COUNTS, 1);
    pen_table_free(table);
    table = fixture_read(FIXTURE("arrays.npz::wide.npy"), NULL);
    assert_int_equal(table->x.rows, FIXTURE_COLS);
    pen_table_free(table);
    CHECK_OK(pen_read_labels(FIXTURE("arrays.npz::y"), NULL, &table, &err), &err);
    for (int i = 0; i < FIXTURE_ROWS; i++)
        assert_int_equal(table->labels[i], i % 3);
    pen_table_free(table);
}

TEST(refused_npz)
{
    fixture_refused(FIXTURE("arrays.npz"), NULL, PEN_UNKNOWN_NAME,
                    "has several arrays; FILE::NAME selects one: X, y, wide");
    fixture_refused(FIXTURE("arrays.npz::Z"), NULL, PEN_UNKNOWN_NAME,
                    "no array \"Z\"; the arrays are X, y, wide");
    fixture_refused(FIXTURE("dia.npz"), NULL, PEN_BAD_FORMAT,
                    "must be in the form csr, csc or coo, got dia; save matrix.tocsr()");
    fixture_refused(FIXTURE("symmetric.mtx::X"), NULL, PEN_UNKNOWN_NAME, "which is one array");
    fixture_refused(FIXTURE("none.npz::X"), NULL, PEN_FILE_ERROR, "none.npz: cannot be opened");
    fixture_refused(FIXTURE("arrays.npz::"), NULL, PEN_BAD_ARGUMENT, "a name must follow the ::");
}

/* The same values in the same places. */
static int is_same(const pen_array *a, const pen_array *b)
{
    int same = a->rows == b->rows && a->cols == b->cols;

    for (int64_t i = 0; same && i < a->rows; i++)
        for (int64_t j = 0; same && j < a->cols; j++)
            same = pen_value_at(a, i, j) == pen_value_at(b, i, j);
    return same;
}

/* Any changed byte and any truncation is refused or gives a table. Archives and gzip have
 * checksums: the table is unchanged, because only a name or a date differs. Returns the number of
 * tables. */
static int64_t check_damaged(const char *path, const pen_read_options *options)
{
    pen_table *const whole = fixture_read(path, options), *table;
    const int has_checksums = !strstr(path, ".mtx");
    int64_t count = 0;
    pen_bytes bytes;
    pen_error err;

    pen_run *const run = check_run(0, NULL);
    assert_int_equal(pen_bytes_read(run, path, &bytes), PEN_OK);
    pen_run_close(run);
    for (size_t at = 0; at < 2 * bytes.size; at++) {
        const size_t size = at < bytes.size ? bytes.size : at - bytes.size;
        unsigned char *const copy = check_allocate((int64_t)size + 1, 1);
        memcpy(copy, bytes.data, size);
        if (at < bytes.size)
            copy[at] ^= (unsigned char)(1 << at % 8);
        const pen_status status = pen_read_bytes(path, copy, size, options, &table, &err);
        if (status == PEN_OK)
            CHECK((!table->x.starts || fixture_is_csr(&table->x))
                      && (!has_checksums || is_same(&table->x, &whole->x)),
                  "%s: at %zu", path, at);
        count += status == PEN_OK;
        pen_table_free(table);
    }
    pen_table_free(whole);
    pen_bytes_free(&bytes);
    return count;
}

TEST(damaged)
{
    static const char *const files[] = {
        FIXTURE("csr.npz"),
        FIXTURE("csc.npz"),
        FIXTURE("coo.npz"),
        FIXTURE("one.npz"),
        FIXTURE("symmetric.mtx"),
        FIXTURE("rows.csv.gz"),
        FIXTURE("members.csv.gz"),
        TEST_DATA "/sparse_stored.npz",
        TEST_DATA "/sparse_deflated.npz",
        TEST_DATA "/sparse_fixed.npz",
        TEST_DATA "/sparse_types.npz",
    };
    const pen_read_options kind = { .label_column = "kind" };
    for (size_t f = 0; f < COUNT_OF(files); f++) {
        const int gzip = strstr(files[f], ".gz") != NULL;
        const int64_t count = check_damaged(files[f], gzip ? &kind : NULL);
        /* header bits without effect, and zeros at the end */
        CHECK(!gzip || count < (strstr(files[f], "members") ? 130 : 30),
              "%s: %d of the damaged files are read", files[f], (int)count);
    }
}

/* The matrix as text: entries, or only their positions; or all values of four columns, in
 * eighths. */
TEST(market)
{
    static const char *const heads[] = { "coordinate real", "coordinate pattern", "array real" };
    for (int kind = 0; kind < 3; kind++) {
        const int is_array = kind == 2, cols = is_array ? 4 : FIXTURE_COLS;
        char text[4096], *p = text;
        pen_table *table;
        pen_error err;
        p += sprintf(p, "%%%%MatrixMarket matrix %s general\n%%\n%d %d %s\n", heads[kind],
                     FIXTURE_ROWS, cols, is_array ? "" : "78");
        for (int j = 0; j < cols; j++)
            for (int i = 0; i < FIXTURE_ROWS; i++) {
                const double value = fixture_value(i, j);
                if (is_array)
                    p += sprintf(p, "%.6E\n", value / 8);
                else if (value > 0)
                    p += kind ? sprintf(p, "%d %d\n", i + 1, j + 1)
                              : sprintf(p, "%d %d %g\n", i + 1, j + 1, value);
            }
        CHECK_OK(pen_read_bytes("t.mtx", text, (size_t)(p - text), NULL, &table, &err), &err);
        assert_int_equal(table->x.starts != NULL, !is_array);
        fixture_check(heads[kind], &table->x, FIXTURE_ROWS, cols,
                      kind == 1 ? FIXTURE_PATTERN : FIXTURE_COUNTS, is_array ? 8 : 1);
        pen_table_free(table);
    }
    pen_table *const table = fixture_read(FIXTURE("symmetric.mtx"), NULL);
    assert_int_equal(table->x.rows, 10);
    for (int64_t i = 0; i < 10; i++)
        for (int64_t j = 0; j < 10; j++)
            assert_true(pen_value_at(&table->x, i, j) == fixture_value(i, j) + fixture_value(j, i));
    pen_table_free(table);
}

#define HEAD  "%%MatrixMarket matrix coordinate real general\n"
#define ARRAY "%%MatrixMarket matrix array real general\n"

TEST(market_texts)
{
    static const char *const readings[][3] = {
        { HEAD "2 3 3\n2 3 1e1\n1 1 -.5\n2 3 2\n", "-0.5 0 0/0 0 12" },
        { "%%matrixmarket MATRIX Coordinate Real General\r\n% a\r\n\r\n1 2 1\r\n%b\r\n 1\t2 3 "
          "\r\n\r\n",
          "0 3" },
        { "%%MatrixMarket matrix coordinate integer skew-symmetric\n3 3 1\n3 1 4\n",
          "0 0 -4/0 0 0/4 0 0" },
        { "%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n3\n", "1 2/2 3" },
        { "%%MatrixMarket matrix array integer skew-symmetric\n2 2\n5\n", "0 -5/5 0" },
        { ARRAY "2 3\n1\n2\n3\n4\n5\n6\n", "3 5/4 6 numbers 1,2", "drop=0" },
        { ARRAY "3 2\nnan\n2\n3\n4\n5\n6\n", "2.5 4/2 5/3 6 filled 1", "missing=mean" },
        { ARRAY "3 2\nnan\n2\n3\n4\n5\n6\n", "2 5/3 6 dropped 1", "missing=drop" },
        { ARRAY "1 1\nnan\n", "20 t.mtx: no rows left: column 0 has no value", "missing=drop" },
        { HEAD "2 3 2\n1 1 7\n2 3 4\n", "0 0/0 4 numbers 1,2", "drop=0" },
        { HEAD "3 2 3\n1 1 nan\n2 1 4\n2 2 1\n", "2 0/4 1/0 0 filled 1", "missing=mean" },
        { HEAD "3 2 3\n1 1 nan\n2 1 4\n2 2 1\n", "4 1/0 0 dropped 1", "missing=drop" },
        { HEAD "1 1 1\n1 1 nan\n", "20 t.mtx: no rows left: column 0 has no value",
          "missing=drop" },
        { HEAD "1 1 1\n1 1 nan\n", "51 t.mtx:3:3: value is missing, got \"nan\" +missing" },
        { HEAD "1 1 1\n1 1 inf\n", "51 t.mtx:3:3: value must be finite, got \"inf\"" },
        { HEAD "2 3 2\n1 1 7\n2 3 4\n",
          "20 t.mtx: no value columns besides the labels, the row names and columns left out",
          "drop=0,1,2" },
        { HEAD "2 3 2\n1 1 7\n", "51 t.mtx: it ends after 1 of 2 entries: truncated" },
        { HEAD "2 3 1\n1 1 7\n1 2 7\n", "51 t.mtx:4: more than the 1 entries" },
        { HEAD "2 3 1\n1 4 7\n",
          "51 t.mtx:3: an entry must begin with its row, 1 to 2, and its column, 1 to 3" },
        { HEAD "2 3 1\n0 1 7\n",
          "51 t.mtx:3: an entry must begin with its row, 1 to 2, and its column, 1 to 3" },
        { HEAD "2 3 1\n1 1 7 8\n", "51 t.mtx:3: expected 3 words" },
        { HEAD "2 3 1\n1 1 x\n", "51 t.mtx:3:3: value must be a number, got \"x\"" },
        { HEAD "2 3\n", "51 t.mtx:2: expected the numbers of rows, columns and entries" },
        { HEAD "2 3 -1\n", "51 t.mtx:2: expected the numbers of rows, columns and entries" },
        { HEAD "%\n", "51 t.mtx: the Matrix Market file ends before its line of sizes" },
        { HEAD "0 3 0\n", "20 t.mtx: no rows, the shape is 0 x 3" },
        { HEAD "0 3 0\n", " 0 x 3", "allow_empty=1" },
        { HEAD "0 0 0\n", "20 t.mtx: no columns, the shape is 0 x 0", "allow_empty=1" },
        { HEAD "3 0 0\n", "20 t.mtx: no columns, the shape is 3 x 0" },
        { HEAD "9999999999 9999999999 1\n1 1 1\n",
          "20 t.mtx: 9999999999 x 9999999999 is too large a shape for a file of 76 bytes" },
        { HEAD "3 3 999999999999\n1 1 1\n", "51 t.mtx: the Matrix Market file claims 999999999999 "
                                            "entries, but has only 69 bytes: truncated" },
        { "%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 0\n",
          "51 t.mtx:1: the field of a Matrix Market file must be real, integer or pattern, got "
          "\"complex\"" },
        { "%%MatrixMarket matrix coordinate real hermitian\n1 1 1\n1 1 1 0\n",
          "51 t.mtx:1: the symmetry of a Matrix Market file must be general, symmetric or "
          "skew-symmetric, got \"hermitian\"" },
        { "%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 2 5\n",
          "51 t.mtx:3: a symmetric matrix must not list entries above the diagonal" },
        { "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n1 1 5\n",
          "51 t.mtx:3: a skew-symmetric matrix must not list entries on or above the diagonal" },
        { "%%MatrixMarket matrix coordinate real symmetric\n2 3 1\n1 2 5\n",
          "51 t.mtx:2: a symmetric matrix must be square, got 2 x 3" },
        { ARRAY "2 2\n1\n2\n3\n", "51 t.mtx: it ends after 3 of 4 values: truncated" },
    };
    check_readings("t.mtx", readings, COUNT_OF(readings), pen_read_bytes);
}
