/* test_io_write.c - rows, labels, pairs, and classes written as text and npy, and read back. */
#define _POSIX_C_SOURCE 200809L

#include "test_io.h"

#include <unistd.h>

static char base[] = "/tmp/penumbra-write-XXXXXX";

/* A path with the given extension, unique to this test. */
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
    CHECK(got == size && memcmp(found, expected, size) == 0, "the file is\n%s\nexpected\n%s", found,
          expected);
}

static void check_text(const char *extension, const pen_array *z, const char *const *columns,
                       const char *const *rows, const char *expected)
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
    static const char *const plain[] = { "a", "b" }, *const special[] = { "x,\"y\"", " z" },
                             *const rows[] = { "r\n1", "" };
    const pen_array z = pen_dense(values, PEN_F64, 2, 2, 3),
                    f = pen_dense(singles, PEN_F32, 1, 2, 2);
    (void)state;
    check_text(".csv", &z, NULL, NULL, "1,0.1\n-2.5e-7,1e30\n");
    check_text(".csv", &z, plain, NULL, "a,b\n1,0.1\n-2.5e-7,1e30\n");
    check_text(".csv", &z, plain, plain, ",a,b\na,1,0.1\nb,-2.5e-7,1e30\n");
    check_text(".csv", &z, special, rows,
               ",\"x,\"\"y\"\"\",\" z\"\n\"r\n1\",1,0.1\n\"\",-2.5e-7,1e30\n");
    check_text(".tsv", &z, special, NULL, "\"x,\"\"y\"\"\"\t\" z\"\n1\t0.1\n-2.5e-7\t1e30\n");
    check_text("", &z, NULL, plain, "a,1,0.1\nb,-2.5e-7,1e30\n");
    check_text(".csv", &f, NULL, NULL, "0.1,3\n");
    check_text(".csv", &(pen_array){ .dtype = PEN_F64, .cols = 2, .stride = 2 }, plain, NULL,
               "a,b\n");
}

static void npy_is_written(void **state)
{
    static const float values[] = { 1, 2, 77, 3, 4, 77 };
    static const float packed[] = { 1, 2, 3, 4 };
    const pen_array z = pen_dense(values, PEN_F32, 2, 2, 3);
    char path[64], expected[144];
    pen_error err;
    (void)state;
    const int used =
        snprintf(expected, sizeof expected,
                 "\x93NUMPY\x01%c%c%c{'descr': '%cf4', 'fortran_order': False, 'shape': (2, 2), }",
                 0, 118, 0, pen_low_byte_first() ? '<' : '>');
    memset(expected + used, ' ', (size_t)(127 - used));
    expected[127] = '\n';
    memcpy(expected + 128, packed, sizeof packed);
    CHECK_OK(pen_write(path_of(".NPY", path), &z, NULL, NULL, &err), &err);
    check_file(path, expected, sizeof expected);
}

/* Random rows with random names are read back to the bit from every format. */
static void written_rows_are_read(void **state)
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
        const pen_array z = pen_dense(is_float ? (void *)singles : (void *)values,
                                      is_float ? PEN_F32 : PEN_F64, ROWS, COLS, COLS);
        const pen_read_options options = { .header = PEN_HEADER_YES,
                                           .delimiter = k % 3 ? '\t' : ',' };
        char path[64];
        pen_table *table = NULL;
        pen_error err;
        CHECK_OK(pen_write(path_of(extensions[k % 3], path), &z, list, list, &err), &err);
        CHECK_OK(pen_read(path, &options, &table, &err), &err);
        assert_int_equal(table->x.dtype, is_npy && is_float ? PEN_F32 : PEN_F64);
        for (int i = 0; i < ROWS * COLS; i++)
            CHECK(is_float ? (float)table_value(&table->x, i) == singles[i]
                           : table_value(&table->x, i) == values[i],
                  "value %d changed", i);
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
    CHECK_STATUS(pen_write(path_of(".csv", path), &z, NULL, NULL, &err), PEN_BAD_ARGUMENT,
                 "must be PEN_F64 or PEN_F32, got 2", &err);
    z = pen_dense(values, PEN_F64, 1, 2, 1);
    CHECK_STATUS(pen_write(path, &z, NULL, NULL, &err), PEN_BAD_ARGUMENT,
                 "stride >= cols or a step, got 1, 2, 1", &err);
    z = pen_dense(NULL, PEN_F64, 1, 2, 2);
    CHECK_STATUS(pen_write(path, &z, NULL, NULL, &err), PEN_BAD_ARGUMENT, "must not be NULL", &err);
    z = pen_dense(values, PEN_F64, 1, 2, 2);
    CHECK_STATUS(pen_write(NULL, &z, NULL, NULL, &err), PEN_BAD_ARGUMENT, "must not be NULL", &err);
    CHECK_STATUS(pen_write(path, NULL, NULL, NULL, &err), PEN_BAD_ARGUMENT, "must not be NULL",
                 &err);
    CHECK_STATUS(pen_write("/nowhere/z.csv", &z, NULL, NULL, &err), PEN_FILE_ERROR,
                 "/nowhere/z.csv: cannot be written: No such file", &err);
    CHECK_STATUS(pen_read(NULL, NULL, NULL, &err), PEN_BAD_ARGUMENT, "must not be NULL", &err);
    assert_int_equal(pen_write(path, NULL, NULL, NULL, NULL), PEN_BAD_ARGUMENT);
    pen_table_free(NULL);
}

/* ---- labels ---- */

static void check_labels(const char *extension, const int32_t *labels, int64_t n,
                         const char *const *names, int64_t count, const char *expected)
{
    char path[64];
    pen_error err;
    CHECK_OK(pen_write_labels(path_of(extension, path), labels, n, names, count, &err), &err);
    check_file(path, expected, strlen(expected));
}

static void labels_are_written(void **state)
{
    static const int32_t labels[] = { 1, -1, 0, 2, -7 };
    static const char *const plain[] = { "setosa", "versicolor", "virginica" }, *const special[] = {
        "a,\"b\"", " c ", "d\te"
    };
    (void)state;
    check_labels(".csv", labels, 5, plain, 3, "versicolor\n-1\nsetosa\nvirginica\n-7\n");
    check_labels(".csv", labels, 5, plain, 2, "versicolor\n-1\nsetosa\n2\n-7\n");
    check_labels("", labels, 5, plain, 1, "1\n-1\nsetosa\n2\n-7\n");
    check_labels(".tsv", labels, 5, NULL, 0, "1\n-1\n0\n2\n-7\n");
    check_labels(".csv", labels, 4, special, 3, "\" c \"\n-1\n\"a,\"\"b\"\"\"\n\"d\te\"\n");
    check_labels(".tsv", labels, 4, special, 3, "\" c \"\n-1\n\"a,\"\"b\"\"\"\n\"d\te\"\n");
    check_labels(".csv", NULL, 0, plain, 3, "");
    /* labels that would be read as several cells */
    check_labels(".txt", (const int32_t[]){ 0, 1, 2, 3 }, 4,
                 (const char *const[]){ "a;b", "New York", "1 2", "01" }, 4,
                 "\"a;b\"\nNew York\n\"1 2\"\n01\n");
}

static void labels_are_written_as_npy(void **state)
{
    static const int32_t labels[] = { 1, -1, 70000 };
    static const char *const names[] = { "a", "NA" };
    char path[64], expected[128 + sizeof labels];
    pen_error err;
    (void)state;
    const int used =
        snprintf(expected, sizeof expected,
                 "\x93NUMPY\x01%c%c%c{'descr': '%ci4', 'fortran_order': False, 'shape': (3,), }", 0,
                 118, 0, pen_low_byte_first() ? '<' : '>');
    memset(expected + used, ' ', (size_t)(127 - used));
    expected[127] = '\n';
    memcpy(expected + 128, labels, sizeof labels);
    CHECK_OK(pen_write_labels(path_of(".npy", path), labels, 3, names, 2, &err), &err);
    check_file(path, expected, sizeof expected);
    memcpy(strchr(expected + 10, '('), "(0,), } ", 8);
    CHECK_OK(pen_write_labels(path, NULL, 0, NULL, 0, &err), &err);
    check_file(path, expected, 128);
}

/* Random labels with random names are read back as the same classes, from npy as class numbers. */
static void written_labels_are_read(void **state)
{
    static const char *const extensions[] = { ".csv", ".tsv", "", ".npy" };
    enum { ROWS = 60, CLASSES = 5 };
    pen_rng rng = check_rng(72);
    (void)state;
    for (int repeat = 0; repeat < check_repeats(60); repeat++) {
        const int is_npy = repeat % 4 == 3;
        char names[CLASSES][8], path[64];
        const char *list[CLASSES];
        int32_t labels[ROWS];
        pen_table *table = NULL;
        pen_error err;
        for (int c = 0; c < CLASSES; c++) {
            for (int k = 0; k < 6; k++)
                names[c][k] = ",;\t\"\n\r 1ab\x7F"[pen_rng_below(&rng, 11)];
            snprintf(names[c] + (c % 2 ? 0 : 5), 3, "%c%s", 'p' + c, c % 2 ? "" : " ");
            list[c] = names[c];
        }
        for (int i = 0; i < ROWS; i++)
            labels[i] = i < CLASSES ? i : (int32_t)pen_rng_below(&rng, CLASSES + 1) - 1;
        CHECK_OK(pen_write_labels(path_of(extensions[repeat % 4], path), labels, ROWS, list,
                                  CLASSES, &err),
                 &err);
        CHECK_OK(
            pen_read_labels(path, &(pen_read_options){ .header = PEN_HEADER_NO }, &table, &err),
            &err);
        assert_int_equal(table->x.rows, ROWS);
        assert_int_equal(table->class_count, CLASSES);
        for (int i = 0; i < ROWS; i++) {
            char number[16];
            snprintf(number, sizeof number, "%d", (int)labels[i]);
            const char *found =
                table->labels[i] < 0 ? "none" : table->class_names[table->labels[i]];
            const char *expected = labels[i] < 0 ? "none" : is_npy ? number : names[labels[i]];
            CHECK(strcmp(found, expected) == 0, "label %d is \"%s\", expected \"%s\"", i, found,
                  expected);
        }
        pen_table_free(table);
    }
}

/* Names that would be read as a missing label are rejected, and an existing file does not
 * change. */
static void mistakes_in_labels_are_named(void **state)
{
    static const int32_t labels[] = { 1, -1, 1 };
    static const char *const bad[] = { "-1", "NA", "nan", "?", "", "-1.0", "None" },
                             *const good[] = { "x", "y" };
    char path[64];
    pen_error err;
    (void)state;
    check_labels(".csv", labels, 3, good, 2, "y\n-1\ny\n");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char *const names[] = { "x", bad[i] }, *const unused[] = { bad[i], "x" };
        char message[128];
        snprintf(message, sizeof message,
                 "a class must not be named \"%s\", which means unlabelled", bad[i]);
        CHECK_STATUS(pen_write_labels(path_of(".csv", path), labels, 3, names, 2, &err),
                     PEN_BAD_ARGUMENT, message, &err);
        check_file(path, "y\n-1\ny\n", 7);
        CHECK_OK(pen_write_labels(path_of(".tsv", path), labels, 3, unused, 2, &err), &err);
    }
    CHECK_STATUS(pen_write_labels(NULL, labels, 3, NULL, 0, &err), PEN_BAD_ARGUMENT,
                 "must not be NULL", &err);
    CHECK_STATUS(pen_write_labels(path, NULL, 3, NULL, 0, &err), PEN_BAD_ARGUMENT,
                 "must not be NULL", &err);
    CHECK_STATUS(pen_write_labels(path, labels, -3, NULL, 0, &err), PEN_BAD_ARGUMENT,
                 "n must be >= 0, got -3", &err);
    CHECK_STATUS(pen_write_labels(path, labels, 3, NULL, -1, &err), PEN_BAD_ARGUMENT,
                 "class_count must be in [0, 2147483647], got -1", &err);
    CHECK_STATUS(pen_write_labels("/nowhere/y.txt", labels, 3, NULL, 0, &err), PEN_FILE_ERROR,
                 "/nowhere/y.txt: cannot be written: No such file", &err);
    assert_int_equal(pen_write_labels("/dev/full", labels, 3, NULL, 0, NULL), PEN_FILE_ERROR);
}

/* ---- classes ---- */

struct classes {
    int64_t n, count;
    const int32_t *of_row, *given;
    const char *const *names, *const *row_names;
    const double *scores;
};

static pen_status write_classes(const char *extension, const struct classes *c, pen_error *err)
{
    char path[64];
    return pen_write_classes(path_of(extension, path), c->n, c->of_row, c->count, c->names,
                             c->given, c->scores, c->row_names, err);
}

static void check_classes(const char *extension, const struct classes *c, const char *expected)
{
    char path[64];
    pen_error err;
    CHECK_OK(write_classes(extension, c, &err), &err);
    check_file(path_of(extension, path), expected, strlen(expected));
}

static void classes_are_written(void **state)
{
    static const int32_t of_row[] = { 1, 0, 1 }, given[] = { 0, 1, 7 };
    static const double scores[] = { 0.1, 0.9, 1, -2.5e-7, 0, 1e30 };
    static const char *const names[] = { "setosa", "b,\"c\"" },
                             *const rows[] = { "r 1", "", "x\ty" }, *const word[] = { "0", "NA" };
    (void)state;
    check_classes(".csv", &(struct classes){ 3, 2, of_row, NULL, NULL, NULL, NULL },
                  "class\n1\n0\n1\n");
    check_classes(".csv", &(struct classes){ 3, 2, of_row, NULL, names, NULL, NULL },
                  "class\n\"b,\"\"c\"\"\"\nsetosa\n\"b,\"\"c\"\"\"\n");
    check_classes("", &(struct classes){ 3, 2, of_row, given, word, NULL, NULL },
                  "class,given\nNA,0\n0,1\nNA,1\n");
    check_classes(".csv", &(struct classes){ 3, 2, of_row, NULL, NULL, NULL, scores },
                  "class,0,1\n1,0.1,0.9\n0,1,-2.5e-7\n1,0,1e30\n");
    check_classes(".tsv", &(struct classes){ 3, 2, of_row, given, names, rows, scores },
                  "\tclass\tgiven\tsetosa\t\"b,\"\"c\"\"\"\nr "
                  "1\t\"b,\"\"c\"\"\"\t0\t0.1\t0.9\n\"\"\tsetosa\t1\t1\t-2.5e-7\n"
                  "\"x\ty\"\t\"b,\"\"c\"\"\"\t1\t0\t1e30\n");
    check_classes(".csv", &(struct classes){ 0, 2, NULL, NULL, names, NULL, scores },
                  "class,setosa,\"b,\"\"c\"\"\"\n");
}

/* Names are read back as labels and row names; scores are exact to the bit. */
static void written_classes_are_read(void **state)
{
    enum { ROWS = 50, CLASSES = 4 };
    pen_rng rng = check_rng(73);
    (void)state;
    for (int repeat = 0; repeat < check_repeats(40); repeat++) {
        const char *const extension = repeat % 2 ? ".tsv" : ".csv";
        const pen_read_options options = { .header = PEN_HEADER_YES,
                                           .delimiter = repeat % 2 ? '\t' : ',',
                                           .label_column = "class" };
        char names[CLASSES][8], path[64];
        const char *list[CLASSES], *rows[ROWS];
        int32_t of_row[ROWS], given[ROWS];
        double scores[ROWS * CLASSES];
        pen_table *table = NULL;
        pen_error err;
        for (int c = 0; c < CLASSES; c++) {
            for (int k = 0; k < 6; k++)
                names[c][k] = ",;\t\"\n\r 1ab\x7F"[pen_rng_below(&rng, 11)];
            snprintf(names[c] + 5, 3, "%c", 'p' + c);
            list[c] = names[c];
        }
        for (int i = 0; i < ROWS; i++) {
            rows[i] = list[pen_rng_below(&rng, CLASSES)];
            of_row[i] = i < CLASSES ? i : (int32_t)pen_rng_below(&rng, CLASSES);
            given[i] = (int32_t)pen_rng_below(&rng, 2);
        }
        for (int i = 0; i < ROWS * CLASSES; i++)
            scores[i] = ldexp(check_normal(&rng), (int)pen_rng_below(&rng, 400) - 200);
        CHECK_OK(write_classes(
                     extension,
                     &(struct classes){ ROWS, CLASSES, of_row, given, list, rows, scores }, &err),
                 &err);
        CHECK_OK(pen_read(path_of(extension, path), &options, &table, &err), &err);
        assert_int_equal(table->x.rows, ROWS);
        assert_int_equal(table->x.cols, 1 + CLASSES);
        for (int c = 0; c < CLASSES; c++)
            assert_string_equal(table->column_names[1 + c], names[c]);
        for (int i = 0; i < ROWS; i++) {
            assert_string_equal(table->row_names[i], rows[i]);
            assert_string_equal(table->class_names[table->labels[i]], names[of_row[i]]);
            CHECK(table_value(&table->x, i * (1 + CLASSES)) == given[i], "given %d changed", i);
            for (int c = 0; c < CLASSES; c++)
                CHECK(table_value(&table->x, i * (1 + CLASSES) + 1 + c) == scores[i * CLASSES + c],
                      "score %d of row %d changed", c, i);
        }
        pen_table_free(table);
    }
}

/* An existing file does not change. */
static void mistakes_in_classes_are_named(void **state)
{
    static const int32_t good[] = { 0, 1 }, low[] = { 0, -2 }, high[] = { 2, 0 };
    char path[64];
    pen_error err;
    (void)state;
    check_classes(".csv", &(struct classes){ 2, 2, good, NULL, NULL, NULL, NULL }, "class\n0\n1\n");
    CHECK_STATUS(
        write_classes(".csv", &(struct classes){ 2, 2, low, NULL, NULL, NULL, NULL }, &err),
        PEN_BAD_ARGUMENT, "class of row 1 must be in [-1, 1], got -2", &err);
    CHECK_STATUS(
        write_classes(".csv", &(struct classes){ 2, 2, high, NULL, NULL, NULL, NULL }, &err),
        PEN_BAD_ARGUMENT, "class of row 0 must be in [-1, 1], got 2", &err);
    CHECK_STATUS(
        write_classes(".csv", &(struct classes){ 2, 2, NULL, NULL, NULL, NULL, NULL }, &err),
        PEN_BAD_ARGUMENT, "classes must not be NULL", &err);
    CHECK_STATUS(
        write_classes(".csv", &(struct classes){ -2, 2, good, NULL, NULL, NULL, NULL }, &err),
        PEN_BAD_ARGUMENT, "got -2, 2", &err);
    CHECK_STATUS(
        write_classes(".csv", &(struct classes){ 2, 0, good, NULL, NULL, NULL, NULL }, &err),
        PEN_BAD_ARGUMENT, "got 2, 0", &err);
    unlink(path_of(".NPY", path));
    CHECK_STATUS(
        write_classes(".NPY", &(struct classes){ 2, 2, good, NULL, NULL, NULL, NULL }, &err),
        PEN_UNKNOWN_NAME, "classes with scores are written as text", &err);
    assert_int_equal(access(path_of(".NPY", path), F_OK), -1);
    check_file(path_of(".csv", path), "class\n0\n1\n", 10);
    CHECK_STATUS(pen_write_classes(NULL, 2, good, 2, NULL, NULL, NULL, NULL, &err),
                 PEN_BAD_ARGUMENT, "must not be NULL", &err);
    CHECK_STATUS(pen_write_classes("/nowhere/c.csv", 2, good, 2, NULL, NULL, NULL, NULL, &err),
                 PEN_FILE_ERROR, "/nowhere/c.csv: cannot be written: No such file", &err);
    assert_int_equal(pen_write_classes("/dev/full", 2, good, 2, NULL, NULL, NULL, NULL, NULL),
                     PEN_FILE_ERROR);
}

static void check_list(const int64_t *pairs, const double *weights, int64_t count,
                       const int64_t *found, const double *found_weights, int64_t found_count)
{
    assert_int_equal(found_count, count);
    if (count > 0)
        assert_memory_equal(found, pairs, (size_t)(2 * count) * sizeof *pairs);
    for (int64_t i = 0; found_weights && i < count; i++)
        CHECK(found_weights[i] == (weights ? weights[i] : 1), "pair %lld weighs %g", (long long)i,
              found_weights[i]);
}

static void pairs_are_written(void **state)
{
    static const char *const extensions[] = { ".csv", ".tsv", ".npy" };
    int64_t must[] = { 0, 5, 7, 2 }, cannot[] = { 3, 4 };
    double weights[] = { 0.1, 2.5e-7 };
    char path[64];
    pen_error err;
    (void)state;

    for (int kind = 0; kind < 4;
         kind++) { /* weights of must-links, or none; cannot-links, or none */
        const pen_pair_table given = { .must_link = must,
                                       .must_link_count = 2,
                                       .cannot_link = kind % 2 ? cannot : NULL,
                                       .cannot_link_count = kind % 2,
                                       .must_link_weights = kind / 2 ? weights : NULL };
        for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++) {
            pen_pair_table *back = NULL;
            CHECK_OK(pen_write_pairs(path_of(extensions[i], path), &given, &err), &err);
            CHECK_OK(pen_read_pairs(path, PEN_ANY_LINK, 8, &back, &err), &err);
            assert_int_equal(back->must_link_weights != NULL, kind / 2);
            check_list(must, given.must_link_weights, 2, back->must_link, back->must_link_weights,
                       back->must_link_count);
            check_list(cannot, NULL, kind % 2, back->cannot_link, back->cannot_link_weights,
                       back->cannot_link_count);
            pen_pair_table_free(back);
        }
        if (kind == 3)
            check_file(path_of(".tsv", path), "0\t5\t1\t0.1\n7\t2\t1\t2.5e-7\n3\t4\t-1\t1\n", 32);
    }
    CHECK_STATUS(
        pen_write_pairs(path_of(".csv", path), &(pen_pair_table){ .must_link_count = 1 }, &err),
        PEN_BAD_ARGUMENT, "pairs must not be NULL where their count is 1", &err);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_written),
        cmocka_unit_test(npy_is_written),
        cmocka_unit_test(written_rows_are_read),
        cmocka_unit_test(mistakes_are_named),
        cmocka_unit_test(labels_are_written),
        cmocka_unit_test(labels_are_written_as_npy),
        cmocka_unit_test(written_labels_are_read),
        cmocka_unit_test(mistakes_in_labels_are_named),
        cmocka_unit_test(classes_are_written),
        cmocka_unit_test(written_classes_are_read),
        cmocka_unit_test(mistakes_in_classes_are_named),
        cmocka_unit_test(pairs_are_written),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
