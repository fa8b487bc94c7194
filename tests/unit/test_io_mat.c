/* test_io_mat.c - variables of MATLAB files, as SciPy writes them, compressed or not. */
#include "fixture.h"

#include "core/file.h"
#include "test_io.h"

static void matrices(void **state)
{
    static const struct {
        const char *file;
        int sparse;
        pen_dtype dtype;
        enum fixture_kind kind;
        double divisor;
    } files[] = { { FIXTURE("packed.mat::fea"), 0, PEN_F64, FIXTURE_COUNTS, 4 },
                  { FIXTURE("packed.mat::sparse"), 1, PEN_F64, FIXTURE_COUNTS, 1 },
                  { FIXTURE("packed.mat::yes"), 0, PEN_U8, FIXTURE_PATTERN, 1 },
                  { FIXTURE("packed.mat::bytes"), 0, PEN_U8, FIXTURE_COUNTS, 1 },
                  { FIXTURE("packed.mat::small"), 0, PEN_F64, FIXTURE_COUNTS, 1 },
                  { FIXTURE("packed.mat::single"), 0, PEN_F32, FIXTURE_COUNTS, 1 },
                  { FIXTURE("plain.mat"), 0, PEN_F64, FIXTURE_COUNTS, 1 },
                  { FIXTURE("big.mat"), 0, PEN_F64, FIXTURE_COUNTS, 1 } };
    (void)state;
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        pen_table *const table = fixture_read(files[f].file, NULL);
        CHECK((table->x.starts != NULL) == files[f].sparse && table->x.dtype == files[f].dtype,
              "%s: dtype %d", files[f].file, (int)table->x.dtype);
        fixture_check(files[f].file, &table->x, FIXTURE_ROWS, FIXTURE_COLS, files[f].kind,
                      files[f].divisor);
        pen_table_free(table);
    }
}

static void labels(void **state)
{
    static const char *const files[] = { FIXTURE("packed.mat::gnd"), FIXTURE("packed.mat::kinds"),
                                         FIXTURE("packed.mat::texts"), FIXTURE("plain.mat::gnd"),
                                         FIXTURE("signs.mat::y") };
    (void)state;
    for (int f = 0; f < 5; f++) {
        pen_table *table;
        pen_error err;
        CHECK_OK(pen_read_labels(files[f], NULL, &table, &err), &err);
        assert_int_equal(table->x.rows, FIXTURE_ROWS);
        assert_int_equal(table->class_count, f == 4 ? 2 : 3);
        for (int i = 0; i < FIXTURE_ROWS; i++) {
            const int beta_first = (i + (i % 3 == 0) - (i % 3 == 1)) % 3,
                      wanted = f == 4             ? i % 2 == 0
                               : f == 1 || f == 2 ? beta_first
                                                  : i % 3;
            CHECK(table->labels[i] == wanted, "%s: row %d has %d", files[f], i,
                  (int)table->labels[i]);
        }
        pen_table_free(table);
    }
}

static void refused(void **state)
{
    pen_table *table;
    pen_error err;
    (void)state;
    fixture_refused(FIXTURE("packed.mat"), NULL, PEN_UNKNOWN_NAME,
                    "which of its variables? FILE::NAME names one of fea, gnd, sparse, yes, bytes, "
                    "small, single");
    fixture_refused(FIXTURE("packed.mat::X"), NULL, PEN_UNKNOWN_NAME, "no variable \"X\"");
    fixture_refused(FIXTURE("packed.mat::strange"), NULL, PEN_BAD_FORMAT,
                    "expected a matrix of real numbers");
    fixture_refused(FIXTURE("packed.mat::cube"), NULL, PEN_BAD_FORMAT,
                    "expected a matrix of real numbers");
    fixture_refused(FIXTURE("packed.mat::s"), NULL, PEN_BAD_FORMAT,
                    "expected a matrix of real numbers");
    assert_int_equal(pen_read_labels(FIXTURE("packed.mat::fea"), NULL, &table, &err),
                     PEN_BAD_FORMAT);
    assert_int_equal(pen_read_labels(FIXTURE("packed.mat"), NULL, &table, &err), PEN_UNKNOWN_NAME);
}

/* Any bit may change: of what is compressed the checksum says so. */
static void damaged(void **state)
{
    static const char *const files[] = { FIXTURE("packed.mat"), FIXTURE("plain.mat"),
                                         FIXTURE("big.mat") };
    static const char *const members[] = { "::fea", "::sparse", "::kinds", "::gnd" };
    (void)state;
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        pen_bytes bytes;
        pen_run *run;
        assert_int_equal(pen_run_open(NULL, NULL, &run), PEN_OK);
        assert_int_equal(pen_bytes_read(run, files[f], &bytes), PEN_OK);
        pen_run_close(run);
        for (size_t at = 128; at < 2 * bytes.size; at++) {
            const size_t size = at < bytes.size ? bytes.size : at - bytes.size;
            unsigned char *const copy = check_allocate((int64_t)size, 1);
            char name[40];
            pen_table *table;
            pen_error err;
            snprintf(name, sizeof name, "t.mat%s", members[at % 4]);
            memcpy(copy, bytes.data, size);
            if (at < bytes.size)
                copy[at] ^= (unsigned char)(1 << at % 8);
            if (pen_read_bytes(name, copy, size, NULL, &table, &err) == PEN_OK)
                CHECK(!table->x.starts || fixture_is_csr(&table->x), "%s: at %zu", name, at);
            pen_table_free(table);
            (void)pen_read_labels_bytes(name, copy, size, NULL, &table, &err);
            pen_table_free(table);
            free(copy);
        }
        pen_bytes_free(&bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrices),
        cmocka_unit_test(labels),
        cmocka_unit_test(refused),
        cmocka_unit_test(damaged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
