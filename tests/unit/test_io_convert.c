/* test_io_convert.c - tables written in every format and read again. */
#define _POSIX_C_SOURCE 200809L

#include "fixture.h"

#include "core/file.h"
#include "io/numpy/npz.h"

#include <math.h>
#include <unistd.h>

static char folder[] = "/tmp/penumbra-convert-XXXXXX";

static const char *made(const char *name, char path[100])
{
    snprintf(path, 100, "%s/%s", folder, name);
    return path;
}

static void write_whole(const char *path, const pen_table *table, const char *label)
{
    pen_error err;
    pen_table named = *table;

    named.label_name = (char *)(uintptr_t)label;
    CHECK_OK(pen_write(path, NULL, &named, &err), &err);
}

/* The same matrix, dense or sparse, from and to each kind of file. */
static void round_trips(void **state)
{
    static const struct {
        const char *name;
        int stays_sparse;
    } kinds[] = {
        { "a.csv", 0 }, { "a.tsv", 0 }, { "a.npy", 0 },
        { "a.npz", 1 }, { "a.svm", 0 }, { "a.libsvm", 0 },
    };
    static const char *const sources[] = { FIXTURE("csr.npz"), FIXTURE("csc.npz"),
                                           FIXTURE("one.npz"), FIXTURE("types.npz::bytes"),
                                           FIXTURE("types.npz::single") };
    (void)state;
    for (size_t s = 0; s < sizeof sources / sizeof *sources; s++)
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            char path[100];
            pen_table *const table = fixture_read(sources[s], NULL), *back;
            write_whole(made(kinds[k].name, path), table, NULL);
            back = fixture_read(path, NULL);
            fixture_check(path, &back->x, FIXTURE_ROWS, FIXTURE_COLS, FIXTURE_COUNTS, 1);
            CHECK(!kinds[k].stays_sparse || (table->x.starts != NULL) == (back->x.starts != NULL),
                  "%s of %s: dense and sparse", path, sources[s]);
            pen_table_free(table);
            pen_table_free(back);
            remove(path);
        }
}

/* Names, labels and kept columns go along. */
static void texts(void **state)
{
    static const char *const files[] = {
        "t.csv",
        "t.tsv",
    };
    static const char *const kept[] = { "gene3" };
    const pen_read_options options = { .label_column = "kind", .carry = kept, .carry_count = 1 },
                           again = { .label_column = "class", .carry = kept, .carry_count = 1 };
    pen_table *const table = fixture_read(FIXTURE("rows.csv.gz"), &options);
    (void)state;
    table->labels[5] = PEN_UNLABELLED;
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        char path[100];
        pen_table *back;
        write_whole(made(files[f], path), table, "class");
        back = fixture_read(path, &again);
        assert_int_equal(back->x.cols, FIXTURE_COLS - 1);
        for (int i = 0; i < FIXTURE_ROWS; i++) {
            char cell[20];
            snprintf(cell, sizeof cell, "%g", fixture_value(i, 3));
            CHECK(strcmp(back->carried[i], cell) == 0, "%s: row %d keeps %s", path, i,
                  back->carried[i]);
            assert_int_equal(back->labels[i], table->labels[i]);
        }
        assert_string_equal(back->class_names[2], "gamma");
        assert_string_equal(back->column_names[3], "gene4");
        pen_table_free(back);
        remove(path);
    }
    pen_table_free(table);
}

static void classes_of_libsvm(void **state)
{
    const pen_read_options options = { .label_column = "kind" };
    pen_table *const table = fixture_read(FIXTURE("rows.csv.gz"), &options), *back;
    char path[100];
    (void)state;
    table->labels[1] = PEN_UNLABELLED;
    write_whole(made("t.svm", path), table, NULL); /* words: their codes */
    back = fixture_read(path, NULL);
    for (int i = 0; i < FIXTURE_ROWS; i++)
        assert_int_equal(back->labels[i], table->labels[i]);
    assert_string_equal(back->class_names[1], "1");
    pen_table_free(back);
    char seven[] = "7", eight[] = "8", nine[] = "9", *const numbers[] = { seven, eight, nine };
    char **const names = table->class_names;
    table->class_names = (char **)(uintptr_t)numbers;
    write_whole(path, table, NULL);
    back = fixture_read(path, NULL);
    assert_string_equal(back->class_names[1], "8");
    table->class_names = names;
    pen_table_free(back);
    pen_table_free(table);
    remove(path);
}

/* Labels lie next to the rows, dense or sparse, stay with those that are left, and are a file of
 * labels. */
static void labels_of_npz(void **state)
{
    const pen_read_options options = { .label_column = "kind" },
                           drop = { .missing = PEN_MISSING_DROP };
    pen_table *const dense = fixture_read(FIXTURE("rows.csv.gz"), &options),
                     *const sparse = fixture_read(FIXTURE("csr.npz"), NULL), *back, *labels;
    double *const values = (double *)(uintptr_t)dense->x.values;
    char path[100];
    pen_error err;
    (void)state;
    dense->labels[5] = PEN_UNLABELLED;
    for (int f = 0; f < 2; f++) {
        pen_table table = *dense;
        table.x = f ? sparse->x : dense->x;
        write_whole(made("t.npz", path), &table, NULL);
        back = fixture_read(path, NULL);
        CHECK_OK(pen_read_labels(path, NULL, &labels, &err), &err);
        assert_int_equal(back->x.starts != NULL, f);
        assert_int_equal(back->class_count, dense->class_count);
        for (int i = 0; i < FIXTURE_ROWS; i++) {
            assert_int_equal(back->labels[i], dense->labels[i]);
            assert_int_equal(labels->labels[i], dense->labels[i]);
        }
        assert_string_equal(back->class_names[2], "gamma");
        pen_table_free(back);
        pen_table_free(labels);
    }
    values[2 * dense->x.stride] = (double)NAN;
    write_whole(path, dense, NULL);
    back = fixture_read(path, &drop);
    assert_int_equal(back->x.rows, FIXTURE_ROWS - 1);
    for (int i = 0; i < FIXTURE_ROWS - 1; i++)
        CHECK(strcmp(back->labels[i] < 0 ? "" : back->class_names[back->labels[i]],
                     dense->labels[i + (i >= 2)] < 0
                         ? ""
                         : dense->class_names[dense->labels[i + (i >= 2)]])
                  == 0,
              "label of row %d", i);
    pen_table_free(back);
    pen_table_free(dense);
    pen_table_free(sparse);
    remove(path);
}

static void check_names(const char *what, const pen_table *table, const pen_table *back)
{
    CHECK(back->row_names && back->column_names, "%s: no names", what);
    for (int64_t i = 0; i < table->x.rows; i++)
        CHECK(strcmp(back->row_names[i], table->row_names[i]) == 0, "%s: row %d is %s", what,
              (int)i, back->row_names[i]);
    for (int64_t j = 0; j < table->x.cols; j++)
        CHECK(strcmp(back->column_names[j], table->column_names[j]) == 0, "%s: column %d is %s",
              what, (int)j, back->column_names[j]);
}

/* Names lie next to the rows, too, dense or sparse, and columns go by them. */
static void names_of_npz(void **state)
{
    static const char *const dropped[] = { "gene3" }, *const selected[] = { "gene7", "gene2" };
    const pen_read_options options = { .name_column = "kind" },
                           drop = { .missing = PEN_MISSING_DROP, .drop = dropped, .drop_count = 1 },
                           some = { .select = selected, .select_count = 2 };
    pen_table *const dense = fixture_read(FIXTURE("rows.csv.gz"), &options),
                     *const sparse = fixture_read(FIXTURE("csr.npz"), NULL), *back;
    double *const values = (double *)(uintptr_t)dense->x.values;
    char path[100];
    (void)state;
    made("t.npz", path);
    for (int f = 0; f < 2; f++) {
        pen_table table = *dense;
        table.x = f ? sparse->x : dense->x;
        write_whole(path, &table, NULL);
        back = fixture_read(path, NULL);
        check_names(f ? "sparse" : "dense", dense, back);
        pen_table_free(back);
        back = fixture_read(path, &some);
        assert_true(back->x.cols == 2 && (back->x.starts != NULL) == f);
        assert_string_equal(back->column_names[0], "gene7");
        assert_true(back->column_numbers[1] == 2 && back->left_out_count == FIXTURE_COLS - 2);
        for (int i = 0; i < FIXTURE_ROWS; i++)
            assert_true(fixture_at(&back->x, i, 0) == fixture_value(i, 7)
                        && fixture_at(&back->x, i, 1) == fixture_value(i, 2));
        pen_table_free(back);
    }
    values[2 * dense->x.stride] = (double)NAN;
    write_whole(path, dense, NULL);
    back = fixture_read(path, &drop);
    assert_string_equal(back->row_names[2], dense->row_names[3]);
    assert_string_equal(back->row_names[FIXTURE_ROWS - 1], dense->row_names[2]);
    assert_string_equal(back->column_names[3], "gene4");
    pen_table_free(back);
    pen_table_free(dense);
    pen_table_free(sparse);
    remove(path);
}

/* As numpy.savez writes them, as characters and as bytes. */
static void names_by_numpy(void **state)
{
    pen_table *const table = fixture_read(FIXTURE("named.npz"), NULL);
    (void)state;
    fixture_check("named.npz", &table->x, FIXTURE_ROWS, FIXTURE_COLS, FIXTURE_COUNTS, 1);
    assert_string_equal(table->row_names[10], "c\xC3\xA9ll10");
    assert_string_equal(table->column_names[9], "gene9");
    assert_int_equal(table->labels[4], 1);
    pen_table_free(table);
}

static pen_status put_file(void *file, const void *bytes, size_t size)
{
    return fwrite(bytes, 1, size, file) == size ? PEN_OK : PEN_FILE_ERROR;
}

static void write_arrays(const char *path, const pen_npz_array *arrays, int count)
{
    FILE *const file = fopen(path, "wb");

    assert_non_null(file);
    assert_int_equal(pen_npz_write(arrays, count, put_file, file), PEN_OK);
    fclose(file);
}

/* An archive of labels alone is an array of rows, which are not their own labels; and there are as
 * many labels and names as rows, with those that are dropped, and as columns. */
static void labels_alone(void **state)
{
    static const char *const words[] = { "a", "", "c" };
    const double values[] = { 0, 1, 1, (double)NAN };
    const pen_array x = pen_dense(values, PEN_F64, 3, 1, 1),
                    more = pen_dense(values, PEN_F64, 4, 1, 1),
                    wide = pen_dense(values, PEN_F64, 2, 2, 2);
    const pen_npz_array rows = { "X.npy", .x = &more }, labels = { "labels.npy", .x = &x };
    const struct {
        pen_npz_array array;
        const char *said;
    } others[] = {
        { labels, "3 labels for 4 rows" },
        { { "row_names.npy", .texts = words, .count = 3 }, "3 row names for 4 rows" },
        { { "column_names.npy", .texts = words, .count = 3 }, "3 column names for 1 columns" },
        { { "row_names.npy", .x = &wide }, "names must be of one dimension, got the shape 2 x 2" },
    };
    const pen_read_options drop = { .missing = PEN_MISSING_DROP };
    char path[100];
    pen_table *table;
    pen_error err;
    (void)state;
    write_arrays(made("t.npz", path), &labels, 1);
    table = fixture_read(path, NULL);
    assert_int_equal(table->x.rows, 3);
    assert_null(table->labels);
    pen_table_free(table);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        write_arrays(path, (pen_npz_array[]){ others[i].array, rows }, 2);
        const pen_status status = pen_read(path, &drop, &table, &err);
        CHECK(status == (i < 3 ? PEN_BAD_DATA : PEN_BAD_FORMAT)
                  && strstr(err.message, others[i].said),
              "%d %s", (int)status, err.message);
    }
    remove(path);
}

static void check_refused(pen_status status, const pen_error *err, pen_status code,
                          const char *said)
{
    CHECK(status == code && strstr(err->message, said), "%d %s", (int)status,
          status ? err->message : "");
}

static void refused(void **state)
{
    const pen_read_options options = { .label_column = "kind" };
    pen_table *const table = fixture_read(FIXTURE("rows.csv.gz"), &options);
    char path[100];
    pen_error err;
    (void)state;
    check_refused(pen_write(made("t.npy", path), NULL, table, &err), &err, PEN_BAD_ARGUMENT,
                  ".npy holds no labels");
    check_refused(pen_write(made("t.xls", path), NULL, table, &err), &err, PEN_UNKNOWN_NAME,
                  "the name must end in");
    check_refused(pen_write(made("no/t.csv", path), NULL, table, &err), &err, PEN_FILE_ERROR,
                  "cannot be written");
    pen_table_free(table);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder); /* nothing was left in it */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trips),       cmocka_unit_test(texts),
        cmocka_unit_test(classes_of_libsvm), cmocka_unit_test(labels_of_npz),
        cmocka_unit_test(names_of_npz),      cmocka_unit_test(names_by_numpy),
        cmocka_unit_test(labels_alone),      cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
