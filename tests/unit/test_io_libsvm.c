/* test_io_libsvm.c - libsvm files. */
#include "kit/readings.h"

#include "core/array.h"

TEST(rows_are_read_or_refused)
{
    static const char *const readings[][3] = {
        { "+1 1:0.5 3:-2e-3\n-1 2:1\n", "0.5 0 -0.002/0 1 0 labels 0 -1 marks -1:1 classes 1" },
        { "# head\n\n1 1:1 # tail 2:3\r\n2 2:2", "1 0/0 2 labels 0 1 classes 1,2" },
        { "3 qid:7 1:5\n", "5 labels 0 classes 3" },
        { "1\n2 2:1\n", "0 0/0 1 labels 0 1 classes 1,2" },
        { "1 1:2\n", "2 0 0 labels 0 classes 1", "columns=3" },
        { "1 4:2\n", "0 0 0 2 labels 0 classes 1", "columns=3" },
        { "1 4:2\n", "0 0 0 2 labels 0 classes 1", "columns=-1" },
        { "cat 1:1\n? 1:2\n", "1/2 labels 0 -1 marks ?:1 classes cat" },
        /* as in other files */
        { "-1 1:1\n+1 1:2\n? 1:3\n", "1/2/3 labels -1 0 -1 marks -1:1,?:1 classes 1" },
        { "-1 1:1\n+1 1:2\n? 1:3\n", "1/2/3 labels 0 1 -1 marks ?:1 classes -1,1", "unlabelled=?" },
        { "1 1:NA 2:3\n2 1:5 2:1\n", "5 3/5 1 labels 0 1 classes 1,2 filled 1", "missing=mean" },
        { "1 1:7 2:nan\n2 2:1\n", "0 1 labels 0 classes 2 dropped 1", "missing=drop" },
        { "1 1:1\n1 2:NA\n", "51 t.svm:2:2: value is missing, got \"NA\" +missing" },
        { "1 1:inf\n", "51 t.svm:1:1: value must be finite, got \"inf\"" },
        { "1 1:x\n", "51 t.svm:1:1: value must be a number, got \"x\"" },
        { "1 1:1\n1 0:1\n", "51 t.svm:2: indices must be >= 1, got \"0:1\"; dump_svmlight_file of "
                            "scikit-learn counts from 1 with zero_based=False" },
        { "1 2:1 1:1\n", "51 t.svm:1: indices must be in ascending order, got 1 after 2" },
        { "1 2:1 2:1\n", "51 t.svm:1: indices must be in ascending order, got 2 after 2" },
        { "1:1 2:1\n", "51 t.svm:1: a line must begin with a label, got \"1:1\"" },
        { "1 5\n", "1 5" },
        { "1 1:1 qid:2\n", "51 t.svm:1: expected index:value, got \"qid:2\"" },
        { "1 1.5:1\n", "20 t.svm: no rows, only a header" },
        { "1\n2\n", "1/2" },
        { "# nothing\n", "20 t.svm: no rows, only a header" },
        { "1 99999999999:1\n",
          "20 t.svm:1:99999999999: index 99999999999 means 99999999999 columns: 1 row of them "
          "takes 800 GB, the limit for a file of 16 bytes is 4.29 GB" },
        { "1 1:1\n1 1000000000:1\n2 3:1",
          "20 t.svm:2:1000000000: index 1000000000 means 1000000000 columns: 1 row of them takes 8 "
          "GB, the limit for a file of 26 bytes is 4.29 GB" },
        /* equal numbers are one class, in any notation */
        { "+1 1:1\n1.0 1:2\n01 1:3\n-1 1:4\n", "1/2/3/4 labels 0 0 0 -1 marks -1:1 classes 1" },
        { "1 99999999999999999999:1\n", "20 t.svm: no rows, only a header" },
        { "1 1:5\n", "5 0 0 labels 0 classes 1 numbers 0,2,3", "columns=3 drop=1" },
        { "1 1:5 2:nan 3:7\n0 3:4\n", "5 7/0 4 labels 1 0 classes 0,1 numbers 0,2", "drop=1" },
        { "1 1:5 2:nan 3:7\n0 3:4\n",
          "11 t.svm: no column to drop \"3\": the file has no header; columns are numbered from 0 "
          "to 2",
          "drop=3" },
        { "1 1:5 2:nan 3:7\n0 3:4\n",
          "11 t.svm: no column \"1\": all columns of a libsvm file are values", "carry=1" },
    };
    static const char *const by_content[][3] = {
        { "1 3:2\n", "0 0 2 labels 0 classes 1" },
        { "1 2 3\n", "1 2 3" },
        { "1\n2\n", "1/2" },
        { "a b:1\n1 2\n", "1 2 columns a,b:1" },
    };
    check_readings("t.svm", readings, COUNT_OF(readings), pen_read_bytes);
    check_readings("t", by_content, COUNT_OF(by_content), pen_read_bytes);
}

/* The caller sets the number of columns. The file need not use all, but they must fit in memory. */
TEST(columns_must_fit)
{
    const pen_read_options options = { .columns = INT64_C(1) << 60 };
    pen_table *table;
    pen_error err;

    CHECK_STATUS(pen_read_bytes("t", "1 1:1\n", 6, &options, &table, &err), PEN_NO_MEMORY,
                 "t: out of memory: 1 rows of 1152921504606846976 columns take 9.22 EB, the limit ",
                 &err);
}

/* Documents of 52 words out of 11960, like the semi-supervised learning book; every hundredth
 * document lacks the word of its own number. */
enum { DOCUMENTS = 1500, WORDS = 52, COLUMNS = 11960, STEP = COLUMNS / WORDS };

static char *documents(size_t *size)
{
    char *const text = check_allocate(DOCUMENTS * (WORDS + 1), 16), *p = text;

    for (int i = 0; i < DOCUMENTS; i++) {
        p += sprintf(p, "%d", i % 2);
        for (int w = 1; w <= WORDS; w++)
            p += i % 100 == 7 && w == i / 100 + 1 ? sprintf(p, " %d:nan", w * STEP)
                                                  : sprintf(p, " %d:%d", w * STEP, i % 5 + 1);
        p += sprintf(p, "\n");
    }
    *size = (size_t)(p - text);
    return text;
}

TEST(many_rows_are_sparse)
{
    static const char *const second[] = { "459" }; /* word 2, from 0 */
    size_t size;
    char *const text = documents(&size);
    pen_read_options options = { .missing = PEN_MISSING_MEAN };
    pen_table *table = NULL;
    pen_error err;

    CHECK_OK(pen_read_bytes("t.svm", text, size, &options, &table, &err), &err);
    assert_true(table->x.rows == DOCUMENTS && table->x.cols == COLUMNS && table->x.starts
                && table->x.starts[DOCUMENTS] == DOCUMENTS * WORDS);
    assert_int_equal(table->filled_cells, 15);
    for (int i = 0; i < DOCUMENTS; i++)
        for (int w = 1; w <= WORDS; w++) {
            const double value = pen_value_at(&table->x, i, w * STEP - 1);
            /* of the 1499 values among the first 15 words, all but one 3 are present */
            const double right = i % 100 == 7 && w == i / 100 + 1
                                     ? (3.0 * DOCUMENTS - 3) / (DOCUMENTS - 1)
                                     : i % 5 + 1;
            CHECK(fabs(value - right) < 1e-13, "row %d, word %d is %.17g, expected %.17g", i, w,
                  value, right);
            assert_true(pen_value_at(&table->x, i, w * STEP - 2) == 0);
        }
    pen_table_free(table);
    options = (pen_read_options){ .missing = PEN_MISSING_DROP, .drop = second, .drop_count = 1 };
    CHECK_OK(pen_read_bytes("t.svm", text, size, &options, &table, &err), &err);
    assert_true(table->x.rows == DOCUMENTS - 14 && table->x.cols == COLUMNS - 1);
    assert_int_equal(table->dropped_rows, 14); /* row 107 lacks no value that is read */
    assert_true(table->labels[7] == 0 && pen_value_at(&table->x, 7, STEP - 1) == 8 % 5 + 1);
    assert_true(pen_value_at(&table->x, 0, 2 * STEP - 1) == 0
                && pen_value_at(&table->x, 0, 3 * STEP - 2) == 1);
    pen_table_free(table);
}

/* A file that lists a quarter of the cells, or has few cells, is read as dense rows. */
TEST(other_rows_are_dense)
{
    enum { ROWS = 1100, WIDE = 1000 };
    char *const text = check_allocate(ROWS * WIDE, 8);
    pen_table *table = NULL;
    pen_error err;

    for (int listed = WIDE / 4 - 1; listed <= WIDE / 4; listed++) {
        char *p = text;
        for (int i = 0; i < ROWS; i++) {
            p += sprintf(p, "1");
            for (int j = 0; j < listed - 1; j++)
                p += sprintf(p, " %d:1", j + 1);
            p += sprintf(p, " %d:1\n", WIDE);
        }
        CHECK_OK(pen_read_bytes("t.svm", text, (size_t)(p - text), NULL, &table, &err), &err);
        assert_int_equal(table->x.starts != NULL, listed < WIDE / 4);
        assert_true(pen_value_at(&table->x, 7, 0) == 1 && pen_value_at(&table->x, 7, 900) == 0);
        pen_table_free(table);
    }
    CHECK_OK(pen_read_bytes("t.svm", "1 9000:1\n", 9, NULL, &table, &err), &err);
    assert_true(table->x.starts == NULL && table->x.cols == 9000);
    pen_table_free(table);
}
