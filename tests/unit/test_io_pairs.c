/* test_io_pairs.c - pair files: results and error messages. */
#include "kit/readings.h"

#define ANY    PEN_ANY_LINK
#define MUST   PEN_MUST_LINK
#define CANNOT PEN_CANNOT_LINK

static void add_list(char *line, const char *title, const int64_t *pairs, const double *weights,
                     int64_t count)
{
    CHECK((pairs == NULL) == (count == 0), "%s: %d pairs, and the list is %sNULL", title,
          (int)count, pairs ? "not " : "");
    if (count > 0)
        line_add(line, "%s%s", line[0] ? " " : "", title);
    CHECK(pairs || !weights, "%s: weights without pairs", title);
    for (int64_t i = 0; i < count; i++) {
        line_add(line, " %lld-%lld", (long long)pairs[2 * i], (long long)pairs[2 * i + 1]);
        if (weights)
            line_add(line, ":%g", weights[i]);
    }
}

/* "must 0-1 2-3 cannot 4-5", without a kind that has no pairs; or the code and the message. Reads
 * from memory of the exact size. */
static const char *pairs_line(const char *name, const void *bytes, size_t size, pen_link link,
                              int64_t rows, char line[LINE_SIZE])
{
    char *const exact = check_allocate((int64_t)size, 1);
    pen_pairs *table = (pen_pairs *)(void *)exact;
    pen_error err;

    if (size > 0)
        memcpy(exact, bytes, size);
    const pen_status status = pen_read_pairs_bytes(name, exact, size, link, rows, &table, &err);
    memset(exact, 0, size); /* the table has a copy */
    line[0] = '\0';
    CHECK((status == PEN_OK) == (table != NULL), "pairs, or none, with %d", (int)status);
    if (status != PEN_OK) {
        line_error(line, status, &err);
    } else {
        add_list(line, "must", table->must_link, table->must_link_weights, table->must_link_count);
        add_list(line, "cannot", table->cannot_link, table->cannot_link_weights,
                 table->cannot_link_count);
    }
    pen_pairs_free(table);
    return line;
}

static void check_pairs(const char *name, const void *bytes, size_t size, pen_link link,
                        int64_t rows, const char *expected)
{
    char line[LINE_SIZE];
    pairs_line(name, bytes, size, link, rows, line);
    CHECK(strcmp(line, expected) == 0,
          "%s\nas pairs of kind %d is read as\n    %s\nexpected\n    %s", (const char *)bytes,
          (int)link, line, expected);
}

struct reading {
    const char *text;
    pen_link link;
    const char *expected;
};

/* How messages begin, and whole ones. */
#define ROW(at)    "25 t.csv:" at ": row number must be in 0 .. 177, got "
#define WEIGHT(at) "25 t.csv:" at ": the weight of a pair must be a finite number >= 0, got "
#define TWICE(at)  "25 t.csv:" at ": a pair must be two different rows, got 5 twice"
#define KIND(at)                                                                                   \
    "51 t.csv:" at ": the kind of a pair must be 1 (must-link) or -1 (cannot-link), got "
#define NO_KIND                                                                                    \
    "51 t.csv:1:3: two columns do not give the kind of the pair; expected a third column of "      \
    "1 (must-link) or -1 (cannot-link) +one-link"

/* For 178 rows. */
static void check_all(const struct reading *readings, size_t count)
{
    for (size_t i = 0; i < count; i++)
        check_pairs("t.csv", readings[i].text, strlen(readings[i].text), readings[i].link, 178,
                    readings[i].expected);
}

TEST(layout_is_found)
{
    static const struct reading readings[] = {
        { "0,1\n5,2\n", MUST, "must 0-1 5-2" },
        { "0,1\n5,2\n", CANNOT, "cannot 0-1 5-2" },
        { "0,1,1\n5,2,-1\n3,4,+1\n7,6,-1\n", ANY, "must 0-1 3-4 cannot 5-2 7-6" },
        { "0,1,1\n", ANY, "must 0-1" },
        { "0,1,-1\n", ANY, "cannot 0-1" },
        { "0,1\r\n5,2", MUST, "must 0-1 5-2" },
        { "0,1\r5,2\r", MUST, "must 0-1 5-2" },
        { "0;1;1\n5;2;-1\n", ANY, "must 0-1 cannot 5-2" },
        { "0\t1\t1\n5\t2\t-1\n", ANY, "must 0-1 cannot 5-2" },
        { "0 1 1\n5 2 -1\n", ANY, "must 0-1 cannot 5-2" },
        { "  0    1\n  5  2  \n", MUST, "must 0-1 5-2" },
        { " 0 ,\t1\n5, 2\n", MUST, "must 0-1 5-2" },
        { "\n\n0,1\n \n5,2\n\n", MUST, "must 0-1 5-2" },
        { "i,j\n0,1\n", MUST, "must 0-1" },
        { "\"i\",\"j\",\"kind\"\r\n\"0\",\"1\",\"-1\"\r\n", ANY, "cannot 0-1" },
        { "row row\n0 1\n", MUST, "must 0-1" },
        { "\xEF\xBB\xBFi,j\n0,1\n", MUST, "must 0-1" },
        { "\xEF\xBB\xBF"
          "0,1\n",
          MUST, "must 0-1" },
        { "0.000000000000000000e+00 1.770000000000000000e+02\n", MUST, "must 0-177" },
        { "1e+02,3.0\n-0,+007\n", MUST, "must 100-3 0-7" },
        { "i , j , \"the kind\"\r\"12\" , 3 , -1.0e+00\r4 , 05.0 , \"+1\"\r", ANY,
          "must 4-5 cannot 12-3" },
        /* duplicate pairs are no error of the file */
        { "0,1\n1,0\n0,1\n", MUST, "must 0-1 1-0 0-1" },
        { "000000000000000000000000000005,1\n", MUST, "must 5-1" },
    };
    check_all(readings, COUNT_OF(readings));
}

TEST(weights_are_read)
{
    static const struct reading readings[] = {
        { "0,1,0.5\n5,2,2\n", MUST, "must 0-1:0.5 5-2:2" },
        { "0,1,1\n", CANNOT, "cannot 0-1:1" },
        { "0,1,1,0.5\n5,2,-1,0\n3,4,1,1e-3\n6,7,-1,3\n", ANY,
          "must 0-1:0.5 3-4:0.001 cannot 5-2:0 6-7:3" },
        { "i,j,kind,weight\n 1 ,0, -1, .25\n", ANY, "cannot 1-0:0.25" },
        { "0\t1\t0.5\n", MUST, "must 0-1:0.5" },
        { "0,1,-0\n", MUST, "must 0-1:-0" },
        { "0,1,0.5\n5,2\n", MUST, "51 t.csv:2:3: expected 3 cells, as in line 1, got 2" },
        { "0,1,0.5\n5,2,-0.5\n", MUST, WEIGHT("2:3") "\"-0.5\"" },
        { "0,1,nan\n", MUST, WEIGHT("1:3") "\"nan\"" },
        { "0,1,1,inf\n", ANY, WEIGHT("1:4") "\"inf\"" },
        { "0,1,1,1e999\n", ANY, WEIGHT("1:4") "\"1e999\"" },
        { "0,1,1,-1\n", ANY, WEIGHT("1:4") "\"-1\"" },
        { "0,1,0.5\n5,2,\n", MUST, WEIGHT("2:3") "\"\"" },
        { "0,1,1,2,3\n", ANY,
          "51 t.csv:1:5: a pair is two row numbers and optionally its kind and its weight, got 5 "
          "cells" },
    };
    check_all(readings, COUNT_OF(readings));
}

TEST(files_without_pairs)
{
    static const struct reading readings[] = {
        { "", ANY, "" },         { "", MUST, "" },
        { "\n \n", ANY, "" },    { "\xEF\xBB\xBF", CANNOT, "" },
        { "\n", MUST, "" },      { "i,j\n", MUST, "" },
        { "i,j,link", ANY, "" },
    };
    check_all(readings, COUNT_OF(readings));
    check_pairs("t.npy", "", 0, ANY, 0,
                "51 t.npy: an npy file begins with \\x93NUMPY, this one does not");
}

TEST(mistakes_are_named)
{
    static const struct reading readings[] = {
        { "0,1\n5,200\n", MUST, ROW("2:2") "\"200\"" },
        { "0,177\n5,178\n", MUST, ROW("2:2") "\"178\"" },
        { "0,1\n178,2\n", MUST, ROW("2:1") "\"178\"" },
        { "i,j\n\n0,-1\n", MUST, ROW("3:2") "\"-1\"" },
        { "0,1e300\n", MUST, ROW("1:2") "\"1e300\"" },
        { "0,9223372036854775808\n", MUST, ROW("1:2") "\"9223372036854775808\"" },
        { "0,1\n5,5\n", CANNOT, TWICE("2:2") },
        { "0,1,1\n5,5.0,-1\n", ANY, TWICE("2:2") },
        { "0,1\n1.5,2\n", MUST, "51 t.csv:2:1: row number must be a whole number, got \"1.5\"" },
        { "0,1\nx,2\n", MUST, "51 t.csv:2:1: row number must be a whole number, got \"x\"" },
        { "0,1\n2,\n", MUST, "51 t.csv:2:2: row number must be a whole number, got \"\"" },
        { "0,1\n2,NA\n", MUST, "51 t.csv:2:2: row number must be a whole number, got \"NA\"" },
        { "x,1\n0,1\n", MUST, "51 t.csv:1:1: row number must be a whole number, got \"x\"" },
        { "\"\",i,j\n1,0,2\n", ANY, "51 t.csv:1:1: row number must be a whole number, got \"\"" },
        { "0,1,1\n5,2,0\n", ANY, KIND("2:3") "\"0\"" },
        { "0,1,1\n5,2,must\n", ANY, KIND("2:3") "\"must\"" },
        { "0,1\n5\n", MUST, "51 t.csv:2:2: expected 2 cells, as in line 1, got 1" },
        { "i,j\n0,1\n\n5,2,1\n", MUST, "51 t.csv:4:3: expected 2 cells, as in line 1, got 3" },
        { "0,1,1\n5,2\n", ANY, "51 t.csv:2:3: expected 3 cells, as in line 1, got 2" },
        { "V1 V2\n1 0 2\n", MUST, "51 t.csv:2:3: expected 2 cells, as in line 1, got 3" },
        { "0,1\n\"5,2\n", MUST, "51 t.csv:2:1: missing closing quote" },
        { "0,1\n\"5\"2,1\n", MUST,
          "51 t.csv:2:1: only a delimiter or the end of the line may follow a closing quote" },
        { "\"i\n\n\",j\n0,1\n5,5\n", MUST, TWICE("5:2") },
        { "\xFF\xFE"
          "0",
          MUST,
          "51 t.csv: this is UTF-16 text; convert it to UTF-8: iconv -f UTF-16 -t UTF-8 t.csv "
          ">NEW" },
    };
    check_all(readings, COUNT_OF(readings));
    check_pairs("t.csv", "0,1\n2,\0\n", 8, MUST, 0,
                "51 t.csv: the content is neither text nor npy");
    check_pairs("t.npy", "0,1\n2,\0\n", 8, MUST, 0,
                "51 t.npy: an npy file begins with \\x93NUMPY, this one does not");
    check_pairs("t.npy", "0,1\n", 4, MUST, 0, "must 0-1");
}

/* A file of another kind than requested. */
TEST(other_files_are_recognized)
{
    static const struct reading readings[] = {
        { "0,1\n5,2\n", ANY, NO_KIND },
        { "i,j\n5,2\n", ANY, NO_KIND },
        { "0,1,1\n2,3,-1\n", MUST,
          "51 t.csv:2:3: the weight of a pair must be a finite number >= 0, got \"-1\", as in "
          "files with the kind of each pair +any-link" },
        { "0,1,-1\n", CANNOT,
          "51 t.csv:1:3: the weight of a pair must be a finite number >= 0, got \"-1\", as in "
          "files with the kind of each pair +any-link" },
        { "0,1,1,0.5\n", MUST,
          "51 t.csv:1:4: expected pairs of one kind in two columns, or three with weights, got "
          "four columns with the kind and the weight of each pair +any-link" },
        { "1\n2\n1\n", MUST,
          "51 t.csv:1:2: a pair is two row numbers, got 1 cell; is this a file of labels? "
          "+label-file" },
        { "\nclass\nb\na\n", ANY,
          "51 t.csv:2:2: a pair is two row numbers, got 1 cell; is this a file of labels? "
          "+label-file" },
        { "a,b,c,y\n1,2,3,x\n", ANY, KIND("2:3") "\"3\"" },
    };
    check_all(readings, COUNT_OF(readings));
}

/* Without the number of rows, every row number that fits an int64 is accepted. */
TEST(large_numbers_are_exact)
{
    static const char *const texts[][2] = {
        { "999999999999999999,1000000000000000000\n",
          "must 999999999999999999-1000000000000000000" },
        { "9007199254740993,9007199254740992\n", "must 9007199254740993-9007199254740992" },
        { "9223372036854775807,+9223372036854775806\n",
          "must 9223372036854775807-9223372036854775806" },
        { "9007199254740991.0,1e15\n", "must 9007199254740991-1000000000000000" },
        { "1,9223372036854775808\n",
          "25 t:1:2: row number must be in 0 .. 9223372036854775807, got \"9223372036854775808\"" },
        { "0,-9223372036854775809\n",
          "25 t:1:2: row number must not be negative, got \"-9223372036854775809\"" },
        { "0,1\n-3,2\n", "25 t:2:1: row number must not be negative, got \"-3\"" },
    };
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        check_pairs("t", texts[i][0], strlen(texts[i][0]), MUST, 0, texts[i][1]);
}

/* An npy file of integers [rows x cols] of this type, byte order, and value order. Returns its
 * size. */
static size_t make_npy(const char *descr, int fortran, int64_t rows, int64_t cols,
                       const int64_t *numbers, char *file)
{
    const size_t size = (size_t)(descr[2] - '0');
    char header[128], values[256], *p = values;

    for (int64_t k = 0; k < rows * cols; k++, p += size) {
        const int64_t number = numbers[fortran ? k % rows * cols + k / rows : k];
        const double real = (double)number;
        const float single = (float)number;
        uint64_t bits = (uint64_t)number;
        uint32_t low;
        memcpy(&low, &single, sizeof low);
        if (descr[1] == 'f' && size == 8)
            memcpy(&bits, &real, sizeof bits);
        else if (descr[1] == 'f')
            bits = low;
        for (size_t b = 0; b < size; b++)
            p[descr[0] == '>' ? size - 1 - b : b] = (char)(bits >> 8 * b);
    }
    snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': %s, 'shape': (%d, %d), }\n",
             descr, fortran ? "True" : "False", (int)rows, (int)cols);
    return npy_bytes(1, header, values, (size_t)(p - values), file);
}

static void check_npy(const char *descr, int fortran, int64_t rows, int64_t cols,
                      const int64_t *numbers, pen_link link, int64_t limit, const char *expected)
{
    char file[512];
    check_pairs("p.npy", file, make_npy(descr, fortran, rows, cols, numbers, file), link, limit,
                expected);
}

TEST(arrays_are_read)
{
    static const int64_t two[] = { 0, 1, 5, 2, 100, 3 },
                         three[] = { 0, 1, 1, 5, 2, -1, 3, 4, 1, 100, 6, -1 };
    static const char *const types[] = { "|i1", "<i2", ">i2", "<i4", ">i4", "<i8", ">i8", "<f4",
                                         ">f4", "<f8", ">f8", "|u1", "<u2", ">u4", "<u8" };
    for (size_t t = 0; t < COUNT_OF(types); t++)
        for (int fortran = 0; fortran < 2; fortran++) {
            check_npy(types[t], fortran, 3, 2, two, MUST, 101, "must 0-1 5-2 100-3");
            check_npy(types[t], fortran, 1, 2, two, CANNOT, 0, "cannot 0-1");
            check_npy(types[t], fortran, 0, 2, two, MUST, 0, "");
            check_npy(types[t], fortran, 0, 3, two, ANY, 0, "");
            check_npy(types[t], fortran, 0, 2, two, ANY, 0, "");
            if (types[t][1] != 'u')
                check_npy(types[t], fortran, 4, 3, three, ANY, 101,
                          "must 0-1 3-4 cannot 5-2 100-6");
        }
    check_npy("<i8", 0, 1, 2, (int64_t[]){ INT64_MAX, INT64_MAX - 1 }, MUST, 0,
              "must 9223372036854775807-9223372036854775806");
    check_npy("<u1", 0, 1, 3, (int64_t[]){ 7, 8, 1 }, ANY, 9, "must 7-8");
}

#define AT(code, pair, column) #code " p.npy: pair " #pair ", column " #column " (counted from 0): "

TEST(mistakes_in_arrays_are_named)
{
    static const int64_t far[] = { 0, 1, 5, 200 }, self[] = { 0, 1, 5, 5 }, minus[] = { -1, 2 },
                         kind[] = { 0, 1, 2 }, numbers[] = { 0, 1, 1, 0, 1, 0, 1, 0 },
                         minus_one[] = { 0, 1, -1 };
    static const struct {
        const char *descr;
        int fortran;
        int64_t rows, cols;
        const int64_t *numbers;
        pen_link link;
        int64_t limit;
        const char *expected;
    } arrays[] = {
        { "<i4", 0, 2, 2, far, MUST, 178,
          AT(25, 1, 1) "row number must be in 0 .. 177, got \"200\"" },
        { ">f4", 1, 2, 2, far, MUST, 178,
          AT(25, 1, 1) "row number must be in 0 .. 177, got \"200\"" },
        { "<i8", 0, 2, 2, self, MUST, 0,
          AT(25, 1, 1) "a pair must be two different rows, got 5 twice" },
        { "<i2", 0, 1, 2, minus, MUST, 0,
          AT(25, 0, 0) "row number must not be negative, got \"-1\"" },
        { "<u8", 0, 1, 2, minus, MUST, 9,
          AT(25, 0, 0) "row number must be in 0 .. 8, got \"18446744073709551615\"" },
        { "<u8", 0, 1, 2, minus, MUST, 0,
          AT(25, 0,
             0) "row number must be in 0 .. 9223372036854775807, got \"18446744073709551615\"" },
        { "<i8", 0, 1, 3, kind, ANY, 0,
          AT(51, 0, 2) "the kind of a pair must be 1 (must-link) or -1 (cannot-link), got \"2\"" },
        { "<i4", 0, 2, 2, numbers, ANY, 0,
          "51 p.npy: two columns do not give the kind of the pair; expected a third column of 1 "
          "(must-link) or -1 (cannot-link) +one-link" },
        { "<i4", 0, 1, 3, minus_one, MUST, 0,
          AT(51, 0, 2) "the weight of a pair must be a finite number >= 0, got \"-1\", as in files "
                       "with the kind of each pair +any-link" },
        { "<i4", 0, 5, 1, numbers, MUST, 0,
          "51 p.npy: a pair is two row numbers, got 1 cell; is this a file of labels? "
          "+label-file" },
        { "<i4", 0, 1, 5, numbers, ANY, 0,
          "51 p.npy: a pair is two row numbers and optionally its kind and its weight, got 5 "
          "cells" },
        { "<i4", 0, 4, 0, numbers, ANY, 0, "51 p.npy: a pair is two row numbers, got 0 cells" },
        { "|b1", 0, 1, 2, numbers, MUST, 0,
          "51 p.npy: must be integers, or whole floats, got the dtype b1" },
    };
    static const struct {
        double pair[2];
        const char *expected;
    } doubles[] = {
        { { 0, 1.5 }, AT(51, 0, 1) "row number must be a whole number, got \"1.5\"" },
        { { (double)NAN, 1 }, AT(51, 0, 0) "row number must be a whole number, got \"nan\"" },
        { { (double)INFINITY, 1 }, AT(51, 0, 0) "row number must be a whole number, got \"inf\"" },
        { { -1e300, 1 }, AT(25, 0, 0) "row number must not be negative, got \"-1e300\"" },
        { { 1, 0x1p53 },
          AT(25, 0, 1) "row number must be in 0 .. 9007199254740991, got \"9007199254740992\"" },
        { { 1, 0x1p53 - 1 }, "must 1-9007199254740991" },
    };
    char file[256], line[LINE_SIZE];
    for (size_t i = 0; i < COUNT_OF(arrays); i++)
        check_npy(arrays[i].descr, arrays[i].fortran, arrays[i].rows, arrays[i].cols,
                  arrays[i].numbers, arrays[i].link, arrays[i].limit, arrays[i].expected);
    for (size_t i = 0; i < COUNT_OF(doubles) && pen_low_byte_first(); i++) {
        const size_t size =
            npy_bytes(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2)}",
                      doubles[i].pair, sizeof doubles[i].pair, file);
        check_pairs("p.npy", file, size, MUST, 0, doubles[i].expected);
    }
    const size_t size = make_npy("<i4", 0, 4, 2, numbers, file);
    for (size_t length = 1; length < size; length++) {
        pairs_line("p.npy", file, length, MUST, 0, line);
        CHECK(strncmp(line, length < 6 ? "51 p.npy:1:2: " : "51 p.npy: ", 10) == 0,
              "%zu bytes are read as %s", length, line);
    }
    file[size] = 0;
    check_pairs("p.npy", file, size + 1, MUST, 0,
                "51 p.npy: 1 bytes follow the 4 x 2 values of the npy file");
}

TEST(files_are_read)
{
    const char *const path = "test_io_pairs.csv";
    pen_pairs *table = NULL;
    pen_error err;
    FILE *const file = fopen(path, "wb");
    assert_true(file && fputs("0,1,1\n2,3,-1\n2,2,1\n", file) >= 0 && fclose(file) == 0);
    CHECK_STATUS(pen_read_pairs(path, ANY, 4, &table, &err), PEN_BAD_PAIR,
                 "test_io_pairs.csv:3:2: a pair must be two different rows", &err);
    assert_null(table);
    remove(path);
    CHECK_STATUS(pen_read_pairs(path, ANY, 4, &table, &err), PEN_FILE_ERROR,
                 "test_io_pairs.csv: cannot be opened: ", &err);
    check_pairs("p", "", 0, (pen_link)2, 0, "10 link must be one of pen_link, got 2");
    check_pairs("p", "", 0, ANY, -1, "10 rows must be >= 0, got -1");
}
