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
                  { FIXTURE("logical.mat"), 1, PEN_F64, FIXTURE_PATTERN, 1 },
                  { FIXTURE("texts.mat"), 0, PEN_F64, FIXTURE_COUNTS, 1 },
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

/* Texts of any characters, however the shape counts them, and whole numbers that no double
 * holds. */
static void texts(void **state)
{
    static const char *const wanted[] = { "\xc3\xbc", "b", "\xe6\xbc\xa2\xe5\xad\x97",
                                          "\xf0\x9f\x98\x80x" },
                             *const ids[] = { "720575940621039145", "720575940621039146",
                                              "720575940621039147" },
                             *const files[] = { FIXTURE("texts.mat::cells"),
                                                FIXTURE("texts.mat::chars"),
                                                FIXTURE("texts.mat::units"),
                                                FIXTURE("texts.mat::ids"),
                                                FIXTURE("texts.mat::unsigned") };
    static const char *const single[] = { FIXTURE("texts.mat::pairs"),
                                          FIXTURE("texts.mat::octave") };
    pen_table *table;
    pen_error err;
    (void)state;
    for (int f = 0; f < 5; f++) {
        CHECK_OK(pen_read_labels(files[f], NULL, &table, &err), &err);
        assert_int_equal(table->x.rows, FIXTURE_ROWS);
        assert_int_equal(table->class_count, f < 3 ? 4 : 3);
        for (int i = 0; i < FIXTURE_ROWS; i++)
            assert_string_equal(table->class_names[table->labels[i]],
                                f < 3 ? wanted[i % 4] : ids[i / 8]);
        pen_table_free(table);
    }
    for (int f = 0; f < 2; f++) {
        CHECK_OK(pen_read_labels(single[f], NULL, &table, &err), &err);
        assert_int_equal(table->x.rows, 1);
        assert_int_equal(strlen(table->class_names[0]), f == 0 ? 6 * 5 : 5);
        assert_memory_equal(table->class_names[0], wanted[3], 5);
        pen_table_free(table);
    }
}

/* Objects are passed over, and version 4 is named. */
static void other_forms(void **state)
{
    pen_table *table;
    pen_error err;
    (void)state;
    fixture_refused(FIXTURE("texts.mat::names"), NULL, PEN_BAD_FORMAT,
                    "\"names\" is an object (string, categorical, table, datetime, ..), which only "
                    "MATLAB can read; save numbers, or texts as cellstr(names)");
    assert_int_equal(pen_read_labels(FIXTURE("texts.mat::names"), NULL, &table, &err),
                     PEN_BAD_FORMAT);
    assert_non_null(strstr(err.message, "is an object"));
    fixture_refused(FIXTURE("texts.mat::no"), NULL, PEN_UNKNOWN_NAME,
                    "no variable \"no\"; there are ids, unsigned, fea");
    assert_int_equal(pen_read_labels(FIXTURE("texts.mat"), NULL, &table, &err), PEN_UNKNOWN_NAME);
    assert_non_null(
        strstr(err.message, "one of cells, chars, ids, unsigned, fea, units, pairs, octave"));
    fixture_refused(FIXTURE("version4.mat"), NULL, PEN_BAD_FORMAT,
                    "this is a MATLAB file, version 4; save it again with -v7");
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
                                         FIXTURE("big.mat"), FIXTURE("texts.mat"),
                                         FIXTURE("logical.mat") };
    static const char *const members[] = { "::fea",   "::sparse", "::kinds", "::gnd",
                                           "::cells", "::chars",  "::pairs", "::yes" };
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
            snprintf(name, sizeof name, "t.mat%s", members[at % 8]);
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
        cmocka_unit_test(matrices),    cmocka_unit_test(labels),  cmocka_unit_test(texts),
        cmocka_unit_test(other_forms), cmocka_unit_test(refused), cmocka_unit_test(damaged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
