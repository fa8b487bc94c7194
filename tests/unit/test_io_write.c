/* test_io_write.c - writes rows, coordinates, pairs and classes as text and npy, and reads them
 * again. */
#define _POSIX_C_SOURCE 200809L

#include "core/array.h"
#include "kit/folder.h"
#include "kit/readings.h"

#include <unistd.h>

GROUP(folder_make, folder_remove);

enum { MOST_BYTES = 1 << 14 };

static size_t read_file(const char *path, char found[MOST_BYTES])
{
    FILE *const file = fopen(path, "rb");
    assert_non_null(file);
    const size_t got = fread(found, 1, MOST_BYTES - 1, file);
    found[got] = '\0';
    fclose(file);
    return got;
}

static void check_file(const char *path, const char *expected, size_t size)
{
    char found[MOST_BYTES];
    const size_t got = read_file(path, found);
    CHECK(got == size && memcmp(found, expected, size) == 0, "the file is\n%s\nexpected\n%s", found,
          expected);
}

static pen_table table_of(const pen_array *x, const char *const *columns, const char *const *rows)
{
    return (pen_table){ .x = *x,
                        .column_names = (char **)(uintptr_t)columns,
                        .row_names = (char **)(uintptr_t)rows };
}

static void check_text(const char *name, const pen_array *z, const char *const *columns,
                       const char *const *rows, const char *expected)
{
    const pen_table table = table_of(z, columns, rows);
    const char *const path = in_folder(name);
    pen_error err;
    CHECK_OK(pen_write(path, NULL, &table, &err), &err);
    check_file(path, expected, strlen(expected));
}

TEST(text_is_written)
{
    static const double values[] = { 1, 0.1, 77, -2.5e-7, 1e30, 77 };
    static const float singles[] = { 0.1f, 3 };
    static const char *const plain[] = { "a", "b" }, *const special[] = { "x,\"y\"", " z" },
                             *const rows[] = { "r\n1", "" };
    const pen_array z = pen_dense(values, PEN_F64, 2, 2, 3),
                    f = pen_dense(singles, PEN_F32, 1, 2, 2);
    check_text("t.csv", &z, NULL, NULL, "1,0.1\n-2.5e-7,1e30\n");
    check_text("t.csv", &z, plain, NULL, "a,b\n1,0.1\n-2.5e-7,1e30\n");
    check_text("t.csv", &z, plain, plain, ",a,b\na,1,0.1\nb,-2.5e-7,1e30\n");
    check_text("t.csv", &z, special, rows,
               ",\"x,\"\"y\"\"\",\" z\"\n\"r\n1\",1,0.1\n\"\",-2.5e-7,1e30\n");
    check_text("t.tsv", &z, special, NULL, "\"x,\"\"y\"\"\"\t\" z\"\n1\t0.1\n-2.5e-7\t1e30\n");
    check_text("t", &z, NULL, plain, ",column0,column1\na,1,0.1\nb,-2.5e-7,1e30\n");
    check_text("t.csv", &f, NULL, NULL, "0.1,3\n");
    check_text("t.csv", &(pen_array){ .dtype = PEN_F64, .cols = 2, .stride = 2 }, plain, NULL,
               "a,b\n");
}

TEST(npy_is_written)
{
    static const float values[] = { 1, 2, 77, 3, 4, 77 };
    static const float packed[] = { 1, 2, 3, 4 };
    const pen_array z = pen_dense(values, PEN_F32, 2, 2, 3);
    const char *const path = in_folder("t.NPY");
    char expected[144];
    pen_error err;
    const int used =
        snprintf(expected, sizeof expected,
                 "\x93NUMPY\x01%c%c%c{'descr': '%cf4', 'fortran_order': False, 'shape': (2, 2), }",
                 0, 118, 0, pen_low_byte_first() ? '<' : '>');
    memset(expected + used, ' ', (size_t)(127 - used));
    expected[127] = '\n';
    memcpy(expected + 128, packed, sizeof packed);
    CHECK_OK(pen_write(path, &z, NULL, &err), &err);
    check_file(path, expected, sizeof expected);
}

/* Random rows with random names survive writing and reading in every format, bit for bit. */
TEST(written_rows_are_read)
{
    static const char *const files[] = { "t.csv", "t.tsv", "t.npy" };
    enum { ROWS = 40, COLS = 7 };
    pen_rng rng = check_rng(4);
    double values[ROWS * COLS];
    float singles[ROWS * COLS];
    char names[ROWS][8];
    const char *list[ROWS];
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
        const pen_read_options options = { .header = 1, .delimiter = k % 3 ? '\t' : ',' };
        const char *const path = in_folder(files[k % 3]);
        pen_table *table = NULL;
        pen_error err;
        const pen_table written = table_of(&z, list, list);
        CHECK_OK(pen_write(path, NULL, &written, &err), &err);
        CHECK_OK(pen_read(path, &options, &table, &err), &err);
        assert_int_equal(table->x.dtype, is_npy && is_float ? PEN_F32 : PEN_F64);
        for (int i = 0; i < ROWS * COLS; i++)
            CHECK(is_float ? (float)pen_value_at(&table->x, i / COLS, i % COLS) == singles[i]
                           : pen_value_at(&table->x, i / COLS, i % COLS) == values[i],
                  "value %d changed", i);
        for (int i = 0; !is_npy && i < ROWS; i++)
            assert_string_equal(table->row_names[i], names[i]);
        for (int j = 0; !is_npy && j < COLS; j++)
            assert_string_equal(table->column_names[j], names[j]);
        pen_table_free(table);
    }
}

#define ARRAY(type, of, n, d, s)                                                                   \
    {                                                                                              \
        .values = (of), .dtype = (type), .rows = (n), .cols = (d), .stride = (s)                   \
    }

TEST(mistakes_are_named)
{
    static const double values[] = { 1, 2 };
    static int32_t label[] = { PEN_UNLABELLED };
    static const pen_table of_two = { .x = ARRAY(PEN_F64, values, 2, 1, 1) },
                           labelled = { .x = ARRAY(PEN_F64, values, 1, 2, 2), .labels = label };
    static const struct {
        const char *path;
        pen_array z;
        const pen_table *table;
        pen_status code;
        const char *said;
    } rows[] = {
        { "no.csv", ARRAY((pen_dtype)3, values, 1, 2, 2), NULL, PEN_BAD_ARGUMENT,
          "must be a pen_dtype, got 3" },
        { "no.csv", ARRAY(PEN_F64, values, 1, 2, 1), NULL, PEN_BAD_ARGUMENT,
          "stride >= cols or a step, got 1, 2, 1" },
        { "no.csv", ARRAY(PEN_F64, NULL, 1, 2, 2), NULL, PEN_BAD_ARGUMENT, "must not be NULL" },
        { "no.csv", ARRAY(PEN_F64, values, 1, 2, 2), &of_two, PEN_BAD_ARGUMENT,
          "z must have the 2 rows of its table, got 1" },
        { "/nowhere/z.csv", ARRAY(PEN_F64, values, 1, 2, 2), NULL, PEN_FILE_ERROR,
          "/nowhere/z.csv: cannot be written: No such file" },
        { "no.npy", { .cols = 0 }, &labelled, PEN_BAD_ARGUMENT, ".npy holds no labels" },
        { "no.xls", { .cols = 0 }, &labelled, PEN_UNKNOWN_NAME, "the name must end in" },
    };
    pen_error err;
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        CHECK_STATUS(
            pen_write(rows[i].path, rows[i].z.cols ? &rows[i].z : NULL, rows[i].table, &err),
            rows[i].code, rows[i].said, &err);
}

static void check_file_text(const char *path, const char *expected)
{
    check_file(path, expected, strlen(expected));
}

/* Coordinates follow names and kept columns; labels are omitted; floats stay floats. */
TEST(coordinates_are_written)
{
    static const double values[] = { 7, 8 };
    static const float coordinates[] = { 0.1f, 2, 3, 4 };
    char a[] = "a", b[] = "b", kind[] = "kind";
    char *names[] = { a, b }, *kinds[] = { kind };
    int32_t labels[] = { 0, -1 };
    pen_table rows = { .x = pen_dense(values, PEN_F64, 2, 1, 1),
                       .labels = labels,
                       .class_names = names,
                       .class_count = 1,
                       .row_names = names };
    const pen_array z = pen_dense(coordinates, PEN_F32, 2, 2, 2);
    const char *const path = in_folder("t.csv"), *const tabs = in_folder("t.tsv");
    pen_error err;
    CHECK_OK(pen_write(path, &z, NULL, &err), &err);
    check_file_text(path, "z1,z2\n0.1,2\n3,4\n");
    CHECK_OK(pen_write(path, &z, &rows, &err), &err);
    check_file_text(path, ",z1,z2\na,0.1,2\nb,3,4\n");
    CHECK_OK(pen_write(path, NULL, &rows, &err), &err);
    check_file_text(path, ",label,column0\na,a,7\nb,,8\n");
    rows.carried = names;
    rows.carried_names = kinds;
    rows.carried_count = 1;
    CHECK_OK(pen_write(tabs, &z, &rows, &err), &err);
    check_file_text(tabs, "\tkind\tz1\tz2\na\ta\t0.1\t2\nb\tb\t3\t4\n");
    CHECK_STATUS(pen_write(in_folder("t.npy"), &z, &rows, &err), PEN_BAD_ARGUMENT,
                 ".npy holds no carried columns", &err);
}

static void check_classes(const char *name, const pen_class_rows *rows, const char *expected)
{
    pen_error err;
    CHECK_OK(pen_write_classes(in_folder(name), rows, &err), &err);
    check_file(in_folder(name), expected, strlen(expected));
}

TEST(classes_are_written)
{
    static const int32_t of_row[] = { 1, PEN_UNLABELLED, 0 }, labels[] = { 0, 1, PEN_UNLABELLED };
    static const double p[] = { 0.1, 0.9, 1, 0, 2.0 / 3, -1e30 / 3 };
    static const char *const names[] = { "setosa", "b,\"c\"" }, *const marks[] = { "NA", "x" },
                             *const rows[] = { "r 1", "", "x\ty" };
    pen_class_rows all = {
        .n = 3, .class_count = 2, .classes = of_row, .probabilities = p, .class_names = names
    };
    check_classes(
        "t.csv", &all,
        "row,class,probability,label\n0,\"b,\"\"c\"\"\",0.9,\n1,,,\n2,setosa,0.666667,\n");
    all.labels = labels;
    all.label_names = marks;
    all.label_count = 2;
    all.every = 1;
    check_classes("t", &all,
                  "row,class,probability,label,p_setosa,\"p_b,\"\"c\"\"\"\n0,\"b,\"\"c\"\"\",0.9,"
                  "NA,0.1,0.9\n1,,,x,,\n2,setosa,0.666667,,0.666667,-3.33333e29\n");
    all.row_names = rows;
    all.every = 0;
    check_classes("t.tsv", &all,
                  "name\tclass\tprobability\tlabel\nr "
                  "1\t\"b,\"\"c\"\"\"\t0.9\tNA\n\"\"\t\t\tx\n\"x\ty\"\tsetosa\t0.666667\t\n");
    all.n = 0;
    check_classes("t.csv", &all, "name,class,probability,label\n");
}

/* Passes the rows of `user`, a few at a time. */
struct in_parts {
    const pen_class_rows *all;
    int64_t first;
};

static pen_status next_part(void *user, pen_class_rows *rows)
{
    struct in_parts *const part = user;
    const int64_t from = part->first, left = part->all->n - from;

    rows->n = left < 7 ? left : 7;
    rows->classes = part->all->classes + from;
    rows->probabilities = part->all->probabilities + from * rows->class_count;
    part->first += rows->n;
    return PEN_OK;
}

static pen_status no_part(void *user, pen_class_rows *rows)
{
    return PEN_CANCELLED;
}

/* Rows in parts give the same file, whose classes are read as labels by row number. If a part
 * fails, the old file stays. */
TEST(written_classes_are_read)
{
    enum { ROWS = 50 };
    static const char *const names[] = { " a", "b,\"c\"", "d\n;\t" };
    const pen_table of_rows = { .x = { .rows = ROWS } };
    const pen_read_options by_row = { .rows = &of_rows };
    char whole[MOST_BYTES];
    pen_rng rng = check_rng(73);
    int32_t of_row[ROWS];
    double p[ROWS * 3];
    pen_error err;
    for (int i = 0; i < ROWS; i++)
        of_row[i] = i < 3 ? i : (int32_t)pen_rng_below(&rng, 3);
    for (int i = 0; i < ROWS * 3; i++)
        p[i] = pen_rng_uniform(&rng);
    const pen_class_rows all = {
        .n = ROWS, .class_count = 3, .classes = of_row, .probabilities = p, .class_names = names
    };
    for (int tabs = 0; tabs < 2; tabs++) {
        const char *const path = in_folder(tabs ? "t.tsv" : "t.csv");
        struct in_parts parts = { &all, 0 };
        pen_class_rows some = all;
        pen_table *labels = NULL;
        CHECK_OK(pen_write_classes(path, &all, &err), &err);
        CHECK_OK(pen_read_labels(path, &by_row, &labels, &err), &err);
        for (int i = 0; i < ROWS; i++)
            assert_string_equal(labels->class_names[labels->labels[i]], names[of_row[i]]);
        pen_table_free(labels);
        const size_t size = read_file(path, whole);
        some.next = next_part;
        some.user = &parts;
        CHECK_OK(next_part(&parts, &some), &err);
        CHECK_OK(pen_write_classes(path, &some, &err), &err);
        check_file(path, whole, size);
        some = all;
        some.next = no_part;
        assert_int_equal(pen_write_classes(path, &some, &err), PEN_CANCELLED);
        check_file(path, whole, size);
    }
}

TEST(mistakes_in_classes_are_named)
{
    static const int32_t good[] = { 0, 1 }, low[] = { 0, -2 }, high[] = { 2, 0 };
    static const double p[] = { 1, 0, 0, 1 };
    static const char *const names[] = { "a", "b" };
    static const char text[] = "row,class,probability,label\n0,a,1,\n1,b,1,\n";
    const pen_class_rows fine = {
        .n = 2, .class_count = 2, .classes = good, .probabilities = p, .class_names = names
    };
    pen_class_rows bad[5] = { fine, fine, fine, fine, fine };
    static const char *const messages[5] = { "class of row 1 must be in [-1, 1], got -2",
                                             "class of row 0 must be in [-1, 1], got 2",
                                             "classes must not be NULL", "got -2, 2", "got 2, 0" };
    pen_error err;
    bad[0].classes = low;
    bad[1].classes = high;
    bad[2].classes = NULL;
    bad[3].n = -2;
    bad[4].class_count = 0;
    check_classes("t.csv", &fine, text);
    for (int i = 0; i < 5; i++)
        CHECK_STATUS(pen_write_classes(in_folder("t.csv"), &bad[i], &err), PEN_BAD_ARGUMENT,
                     messages[i], &err);
    CHECK_STATUS(pen_write_classes(in_folder("c.NPY"), &fine, &err), PEN_UNKNOWN_NAME,
                 "must be written as text", &err);
    assert_int_equal(access(in_folder("c.NPY"), F_OK), -1);
    check_file(in_folder("t.csv"), text, strlen(text)); /* as it was */
    CHECK_STATUS(pen_write_classes("/nowhere/c.csv", &fine, &err), PEN_FILE_ERROR,
                 "/nowhere/c.csv: cannot be written: No such file", &err);
    assert_int_equal(pen_write_classes("/dev/full", &fine, NULL), PEN_FILE_ERROR);
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

TEST(pairs_are_written)
{
    static const char *const files[] = { "t.csv", "t.tsv", "t.npy" };
    int64_t must[] = { 0, 5, 7, 2 }, cannot[] = { 3, 4 };
    double weights[] = { 0.1, 2.5e-7 };
    pen_error err;

    for (int kind = 0; kind < 4;
         kind++) { /* weights of must-links, or none; cannot-links, or none */
        const pen_pairs given = { .must_link = must,
                                  .must_link_count = 2,
                                  .cannot_link = kind % 2 ? cannot : NULL,
                                  .cannot_link_count = kind % 2,
                                  .must_link_weights = kind / 2 ? weights : NULL };
        for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
            const char *const path = in_folder(files[i]);
            pen_pairs *back = NULL;
            CHECK_OK(pen_write_pairs(path, &given, &err), &err);
            CHECK_OK(pen_read_pairs(path, PEN_ANY_LINK, 8, &back, &err), &err);
            assert_int_equal(back->must_link_weights != NULL, kind / 2);
            check_list(must, given.must_link_weights, 2, back->must_link, back->must_link_weights,
                       back->must_link_count);
            check_list(cannot, NULL, kind % 2, back->cannot_link, back->cannot_link_weights,
                       back->cannot_link_count);
            pen_pairs_free(back);
        }
        if (kind == 3)
            check_file(in_folder("t.tsv"), "0\t5\t1\t0.1\n7\t2\t1\t2.5e-7\n3\t4\t-1\t1\n", 32);
    }
    CHECK_STATUS(pen_write_pairs(in_folder("t.csv"), &(pen_pairs){ .must_link_count = 1 }, &err),
                 PEN_BAD_ARGUMENT, "pairs must not be NULL if their count is 1", &err);
}
