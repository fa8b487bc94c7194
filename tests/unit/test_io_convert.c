/* test_io_convert.c - writes tables in every format and reads them again. */
#include "fixture.h"

#include "io/numpy/npz.h"
#include "kit/folder.h"
#include "kit/readings.h"

#include <math.h>

static void write_whole(const char *path, const pen_table *table, const char *label)
{
    pen_error err;
    pen_table named = *table;

    named.label_name = (char *)(uintptr_t)label;
    CHECK_OK(pen_write(path, NULL, &named, &err), &err);
}

/* The same dense or sparse matrix between all kinds of files. */
TEST(round_trips)
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
    for (size_t s = 0; s < sizeof sources / sizeof *sources; s++)
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            const char *const path = in_folder(kinds[k].name);
            pen_table *const table = fixture_read(sources[s], NULL), *back;
            write_whole(path, table, NULL);
            back = fixture_read(path, NULL);
            fixture_check(path, &back->x, FIXTURE_ROWS, FIXTURE_COLS, FIXTURE_COUNTS, 1);
            CHECK(!kinds[k].stays_sparse || (table->x.starts != NULL) == (back->x.starts != NULL),
                  "%s of %s: dense and sparse", path, sources[s]);
            pen_table_free(table);
            pen_table_free(back);
            remove(path);
        }
}

/* The line of the file, with columns in other positions. */
static const char *file_line(const char *path, const char *words, char line[LINE_SIZE])
{
    read_words to;
    pen_table *const table = fixture_read(path, read_options(words, &to)), plain = *table;

    plain.column_numbers = NULL;
    table_line(&plain, line);
    pen_table_free(table);
    return line;
}

/* Rows with labels or names, and some columns as text. */
static pen_table *rows_as(const char *words)
{
    read_words to;
    return fixture_read(FIXTURE("rows.csv.gz"), read_options(words, &to));
}

/* Names, labels and kept columns are converted as well. */
TEST(texts)
{
    pen_table *const table = rows_as("label=kind carry=gene3");
    pen_table plain = *table;
    char line[LINE_SIZE], expected[LINE_SIZE];
    table->labels[5] = PEN_UNLABELLED;
    plain.column_numbers = NULL;
    table_line(&plain, expected);
    for (int f = 0; f < 2; f++) {
        const char *const path = in_folder(f ? "t.csv" : "t.tsv");
        write_whole(path, table, "class");
        assert_string_equal(file_line(path, "label=class carry=gene3", line), expected);
        remove(path);
    }
    pen_table_free(table);
}

TEST(classes_of_libsvm)
{
    pen_table *const table = rows_as("label=kind"), *back;
    char seven[] = "7", eight[] = "8", nine[] = "9", *const numbers[] = { seven, eight, nine };
    const char *const path = in_folder("t.svm");
    char **const names = table->class_names;
    table->labels[1] = PEN_UNLABELLED;
    for (int words = 0; words < 2; words++) { /* class codes are written */
        table->class_names = words ? names : (char **)(uintptr_t)numbers;
        write_whole(path, table, NULL);
        back = fixture_read(path, NULL);
        assert_memory_equal(back->labels, table->labels, FIXTURE_ROWS * sizeof *back->labels);
        assert_string_equal(back->class_names[1], words ? "1" : "8");
        pen_table_free(back);
    }
    pen_table_free(table);
    remove(path);
}

/* An archive stores labels and names with the rows, dense or sparse, of the kept rows only, and
 * selects columns by name: it is read like a text of the same rows. Its labels are also a label
 * file. */
TEST(archives_are_read_as_texts)
{
    static const char *const ways[] = { "missing=drop", "missing=mean", "select=gene7,gene2",
                                        "missing=drop drop=gene3" };
    pen_table *const sparse = fixture_read(FIXTURE("csr.npz"), NULL);
    const char *const npz = in_folder("t.npz"), *const csv = in_folder("t.csv");
    char line[LINE_SIZE], expected[LINE_SIZE], words[60];
    for (int f = 0; f < 4; f++) {
        const int labels = f % 2, is_sparse = f / 2;
        pen_table *const rows = rows_as(labels ? "label=kind" : "name=kind"), *back;
        pen_table table = *rows;
        pen_error err;
        if (labels)
            rows->labels[5] = PEN_UNLABELLED;
        ((double *)(uintptr_t)rows->x.values)[2 * rows->x.stride] = (double)NAN;
        if (is_sparse)
            table.x = sparse->x;
        write_whole(npz, &table, NULL);
        write_whole(csv, &table, "class");
        for (size_t w = 0; w < COUNT_OF(ways); w++) {
            snprintf(words, sizeof words, "%s%s", ways[w], labels ? " label=class" : "");
            file_line(csv, words, expected);
            CHECK(strcmp(file_line(npz, ways[w], line), expected) == 0, "%s:\n%s\nas text\n%s",
                  words, line, expected);
        }
        back = fixture_read(npz, read_options("missing=drop", &(read_words){ .text = "" }));
        assert_int_equal(back->x.starts != NULL, is_sparse);
        pen_table_free(back);
        if (labels) {
            CHECK_OK(pen_read_labels(npz, NULL, &back, &err), &err);
            assert_memory_equal(back->labels, rows->labels, FIXTURE_ROWS * sizeof *back->labels);
            assert_string_equal(back->class_names[2], "gamma");
            pen_table_free(back);
        }
        pen_table_free(rows);
    }
    pen_table_free(sparse);
    remove(npz), remove(csv);
}

/* Written as by numpy.savez, as characters and as bytes. */
TEST(names_by_numpy)
{
    pen_table *const table = fixture_read(FIXTURE("named.npz"), NULL);
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

/* An archive of labels alone is an array of rows, which are not their own labels. Numbers of labels
 * and names must match all rows, including dropped ones, and all columns. */
TEST(labels_alone)
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
        { { "row_names.npy", .x = &wide }, "names must have one dimension, got the shape 2 x 2" },
    };
    const pen_read_options drop = { .missing = PEN_MISSING_DROP };
    const char *const path = in_folder("t.npz");
    pen_table *table;
    pen_error err;
    write_arrays(path, &labels, 1);
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

GROUP(folder_make, folder_remove_empty);
