/* test_io_write.c - rows written as text and npy, and read again. */
#define _POSIX_C_SOURCE 200809L

#include "test_io.h"

#include <unistd.h>

static char base[] = "/tmp/penumbra-write-XXXXXX";

/* The path with that extension of a name no other test has. */
static const char *path_of(const char *extension, char path[64])
{
    snprintf(path, 64, "%s%s", base, extension);
    return path;
}

static int set_up(void **state)
{
    const int fd = mkstemp(base);
    (void)state;
    return fd < 0 || close(fd) != 0;
}

static int tear_down(void **state)
{
    static const char *const extensions[] = { "", ".csv", ".tsv", ".npy", ".NPY" };
    char path[64];
    (void)state;
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
        unlink(path_of(extensions[i], path));
    return 0;
}

static void check_file(const char *path, const char *expected, size_t size)
{
    char found[1024] = "";
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t got = fread(found, 1, sizeof found - 1, file);
    fclose(file);
    CHECK(got == size && memcmp(found, expected, size) == 0, "the file is\n%s\nexpected\n%s", found, expected);
}

static void check_text(const char *extension, const pen_array *z, const char *const *columns, const char *const *rows, const char *expected)
{
    char path[64];
    pen_error err;
    CHECK_OK(pen_write(path_of(extension, path), z, columns, rows, &err), &err);
    check_file(path, expected, strlen(expected));
}

static void text_is_written(void **state)
{
    static const double values[] = { 1, 0.1, 77, -2.5e-7, 1e30, 77 };
    static const float singles[] = { 0.1f, 3 };
    static const char *const plain[] = { "a", "b" }, *const special[] = { "x,\"y\"", " z" }, *const rows[] = { "r\n1", "" };
    const pen_array z = pen_dense(values, PEN_F64, 2, 2, 3), f = pen_dense(singles, PEN_F32, 1, 2, 2);
    (void)state;
    check_text(".csv", &z, NULL, NULL, "1,0.1\n-2.5e-7,1e30\n");
    check_text(".csv", &z, plain, NULL, "a,b\n1,0.1\n-2.5e-7,1e30\n");
    check_text(".csv", &z, plain, plain, ",a,b\na,1,0.1\nb,-2.5e-7,1e30\n");
    check_text(".csv", &z, special, rows, ",\"x,\"\"y\"\"\",\" z\"\n\"r\n1\",1,0.1\n\"\",-2.5e-7,1e30\n");
    check_text(".tsv", &z, special, NULL, "\"x,\"\"y\"\"\"\t\" z\"\n1\t0.1\n-2.5e-7\t1e30\n");
    check_text("", &z, NULL, plain, "a,1,0.1\nb,-2.5e-7,1e30\n");
    check_text(".csv", &f, NULL, NULL, "0.1,3\n");
    check_text(".csv", &(pen_array){ NULL, PEN_F64, 0, 2, 2 }, plain, NULL, "a,b\n");
}

static void npy_is_written(void **state)
{
    static const float values[] = { 1, 2, 77, 3, 4, 77 };
    static const float packed[] = { 1, 2, 3, 4 };
    const pen_array z = pen_dense(values, PEN_F32, 2, 2, 3);
    char path[64], expected[144];
    pen_error err;
    (void)state;
    const int used = snprintf(expected, sizeof expected, "\x93NUMPY\x01%c%c%c{'descr': '%cf4', 'fortran_order': False, 'shape': (2, 2), }",
                              0, 118, 0, pen_low_byte_first() ? '<' : '>');
    memset(expected + used, ' ', (size_t)(127 - used));
    expected[127] = '\n';
    memcpy(expected + 128, packed, sizeof packed);
    CHECK_OK(pen_write(path_of(".NPY", path), &z, NULL, NULL, &err), &err);
    check_file(path, expected, sizeof expected);
}

/* Random rows with random names come back, to the bit, from every format. */
static void what_is_written_is_read(void **state)
{
    static const char *const extensions[] = { ".csv", ".tsv", ".npy" };
    enum { ROWS = 40, COLS = 7 };
    pen_rng rng = check_rng(4);
    double values[ROWS * COLS];
    float singles[ROWS * COLS];
    char names[ROWS][8];
    const char *list[ROWS];
    (void)state;
    for (int i = 0; i < ROWS * COLS; i++) {
        values[i] = ldexp(check_normal(&rng), (int)pen_rng_below(&rng, 400) - 200);
        singles[i] = (float)check_normal(&rng);
    }
    for (int i = 0; i < ROWS; i++) {
        for (int k = 0; k < 6; k++)
            names[i][k] = ",;\t\"\n\r ab1"[pen_rng_below(&rng, 10)];
        snprintf(names[i] + 5, 3, "%c", 'a' + i % 26);
        list[i] = names[i];
    }
    for (int k = 0; k < 6; k++) {
        const int is_npy = k % 3 == 2, is_float = k >= 3;
        const pen_array z = pen_dense(is_float ? (void *)singles : (void *)values, is_float ? PEN_F32 : PEN_F64, ROWS, COLS, COLS);
        const pen_read_options options = { .header = PEN_HEADER_YES, .delimiter = k % 3 ? '\t' : ',' };
        char path[64];
        pen_table *table = NULL;
        pen_error err;
        CHECK_OK(pen_write(path_of(extensions[k % 3], path), &z, list, list, &err), &err);
        CHECK_OK(pen_read(path, &options, &table, &err), &err);
        assert_int_equal(table->x.dtype, is_npy && is_float ? PEN_F32 : PEN_F64);
        for (int i = 0; i < ROWS * COLS; i++)
            CHECK(is_float ? (float)table_value(&table->x, i) == singles[i] : table_value(&table->x, i) == values[i], "value %d changed",
                  i);
        for (int i = 0; !is_npy && i < ROWS; i++)
            assert_string_equal(table->row_names[i], names[i]);
        for (int j = 0; !is_npy && j < COLS; j++)
            assert_string_equal(table->column_names[j], names[j]);
        pen_table_free(table);
    }
}

static void mistakes_are_named(void **state)
{
    static const double values[] = { 1, 2 };
    char path[64];
    pen_error err;
    pen_array z = pen_dense(values, PEN_U8, 1, 2, 2);
    (void)state;
    CHECK_STATUS(pen_write(path_of(".csv", path), &z, NULL, NULL, &err), PEN_BAD_ARGUMENT, "must be PEN_F64 or PEN_F32, got 2", &err);
    z = pen_dense(values, PEN_F64, 1, 2, 1);
    CHECK_STATUS(pen_write(path, &z, NULL, NULL, &err), PEN_BAD_ARGUMENT, "stride >= cols, got 1, 2, 1", &err);
    z = pen_dense(NULL, PEN_F64, 1, 2, 2);
    CHECK_STATUS(pen_write(path, &z, NULL, NULL, &err), PEN_BAD_ARGUMENT, "must not be NULL", &err);
    z = pen_dense(values, PEN_F64, 1, 2, 2);
    CHECK_STATUS(pen_write(NULL, &z, NULL, NULL, &err), PEN_BAD_ARGUMENT, "must not be NULL", &err);
    CHECK_STATUS(pen_write(path, NULL, NULL, NULL, &err), PEN_BAD_ARGUMENT, "must not be NULL", &err);
    CHECK_STATUS(pen_write("/nowhere/z.csv", &z, NULL, NULL, &err), PEN_FILE_ERROR, "/nowhere/z.csv: cannot be written: No such file",
                 &err);
    CHECK_STATUS(pen_read(NULL, NULL, NULL, &err), PEN_BAD_ARGUMENT, "must not be NULL", &err);
    assert_int_equal(pen_write(path, NULL, NULL, NULL, NULL), PEN_BAD_ARGUMENT);
    pen_table_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_written),
        cmocka_unit_test(npy_is_written),
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(mistakes_are_named),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
