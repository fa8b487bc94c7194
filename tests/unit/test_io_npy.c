/* test_io_npy.c - npy files, built byte by byte from the format specification. */
#define _POSIX_C_SOURCE 200809L

#include "core/array.h"
#include "kit/folder.h"
#include "kit/readings.h"

#include <math.h>
#include <unistd.h>

static void check_npy(bytes_reader reader, int version, const char *header, const void *values,
                      size_t size, const char *words, const char *expected)
{
    char file[1024];
    read_words to;
    const size_t length = npy_bytes(version, header, values, size, file);

    check_line(reader, "t.npy", file, length, read_options(words, &to), expected);
}

#define NPY(type, shape)    "{'descr': '" type "', 'fortran_order': False, 'shape': (" shape ")}"
#define TURNED(type, shape) "{'descr': '" type "', 'fortran_order': True, 'shape': (" shape ")}"

/* An array, options as text, and the result. */
struct array {
    const char *header;
    const void *values;
    size_t size;
    const char *words, *expected;
};

static void check_arrays(const struct array *arrays, size_t count, bytes_reader reader)
{
    for (size_t i = 0; i < count; i++)
        check_npy(reader, 1, arrays[i].header, arrays[i].values, arrays[i].size, arrays[i].words,
                  arrays[i].expected);
}

/* The bytes of an integer in the given type, least significant first. */
static void encode(char kind, int size, int n, unsigned char *bytes)
{
    uint64_t bits = (uint64_t)(int64_t)n;
    const double real = n;
    const float single = (float)n;
    uint32_t low;

    memcpy(&low, &single, sizeof low);
    if (kind == 'f' && size == 8)
        memcpy(&bits, &real, sizeof bits);
    else if (kind == 'f')
        bits = low;
    for (int i = 0; i < size; i++)
        bytes[i] = (unsigned char)(bits >> 8 * i);
}

/* Random integers [rows x cols] of one type are read in both byte orders and both value orders,
 * into the documented type. */
static void check_type(pen_rng *rng, const char *type, char mark, int fortran, int64_t rows,
                       int64_t cols)
{
    const int size = type[1] - '0',
              lowest = type[0] == 'f'   ? -1000
                       : type[0] == 'i' ? -100
                                        : 0,
              range = type[0] == 'b'   ? 2
                      : type[0] == 'f' ? 2000
                                       : 200;
    unsigned char *values = check_allocate(rows * cols, (size_t)size);
    char *file = check_allocate(rows * cols * size + 256, 1), header[128];
    double *expected = check_allocate(rows * cols, sizeof *expected);
    pen_table *table = NULL;
    pen_error err;

    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++) {
            const int n = lowest + (int)pen_rng_below(rng, range);
            unsigned char bytes[8], *to = values + (fortran ? j * rows + i : i * cols + j) * size;
            encode(type[0], size, n, bytes);
            expected[i * cols + j] = n;
            for (int b = 0; b < size; b++)
                to[b] = bytes[mark == '>' ? size - 1 - b : b];
        }
    snprintf(header, sizeof header, "{'descr': '%c%s', 'fortran_order': %s, 'shape': (%d, %d), }",
             mark, type, fortran ? "True" : "False", (int)rows, (int)cols);
    const size_t length = npy_bytes(1, header, values, (size_t)(rows * cols * size), file);
    CHECK_OK(pen_read_bytes("t.npy", file, length, NULL, &table, &err), &err);
    CHECK(table->x.rows == rows && table->x.cols == cols && table->x.stride == cols,
          "%s: wrong shape", header);
    const pen_dtype dtype = strcmp(type, "f4") == 0   ? PEN_F32
                            : strcmp(type, "u1") == 0 ? PEN_U8
                                                      : PEN_F64;
    CHECK(table->x.dtype == dtype, "%s is read as dtype %d", header, (int)table->x.dtype);
    for (int64_t i = 0; i < rows * cols; i++)
        CHECK(pen_value_at(&table->x, i / cols, i % cols) == expected[i],
              "%s: value %d is %g, expected %g", header, (int)i,
              pen_value_at(&table->x, i / cols, i % cols), expected[i]);
    pen_table_free(table);
}

TEST(every_type_is_read)
{
    static const char *const types[] = { "f4", "f8", "i1", "i2", "i4", "i8",
                                         "u1", "u2", "u4", "u8", "b1" };
    pen_rng rng = check_rng(2);
    pen_table *half;
    pen_error err;
    char file[128];
    for (size_t t = 0; t < COUNT_OF(types); t++)
        for (int marks = 0; marks < 2; marks++)
            for (int fortran = 0; fortran < 2; fortran++) {
                check_type(&rng, types[t], "<>"[marks], fortran, 3, 2);
                check_type(&rng, types[t], "<>"[marks], fortran, 130, 67);
                check_type(&rng, types[t], "<>"[marks], fortran, 1, 5);
                check_type(&rng, types[t], "<>"[marks], fortran, 5, 1);
            }
    const size_t size = npy_bytes(1, NPY("<f2", "1, 1"), "\0\0", 2, file);
    CHECK_OK(pen_read_bytes("t.npy", file, size, NULL, &half, &err), &err);
    assert_int_equal(half->x.dtype, PEN_F32); /* values_are_read checks its values */
    pen_table_free(half);
}

TEST(headers_of_every_style)
{
    static const struct {
        int version;
        const char *header, *expected;
    } headers[] = {
        { 1, "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 1), }       \n", "7/8" },
        { 2, "{'descr': '|u1', 'fortran_order': False, 'shape': (1, 2), }\n", "7 8" },
        { 3, "{\"shape\":(2,),\"fortran_order\":True,\"descr\":\"u1\"}", "7/8" },
        { 1, "  {'descr' : '<u1' , 'fortran_order' :False,'shape': ( 2L , 1L )}", "7/8" },
        { 1, NPY(">u2", "1,"), "1800" },
        { 4, "{}", "51 t.npy: the npy version must be 1, 2 or 3, got 4.0" },
        { 1, NPY("|u1", "3, 1"),
          "51 t.npy: the npy header claims 3 x 1 values of 1 bytes, the file has 2 bytes for "
          "them" },
        { 1, NPY("|u1", "1, 1"), "51 t.npy: 1 bytes follow the 1 x 1 values of the npy file" },
        { 1, NPY("<f8", "4294967296, 4294967297"),
          "51 t.npy: the npy header claims 4294967296 x 4294967297 values of 8 bytes, the file has "
          "2 bytes for them" },
        { 1, NPY("<f8", "99999999999999999999, 1"),
          "51 t.npy: npy header: the shape must be whole numbers in parentheses, got "
          "\"(99999999999999999999, 1)}\"" },
        { 1, NPY("|u1", ""), "51 t.npy: expected an array of 1 or 2 dimensions, got the shape ()" },
        { 1, NPY("|u1", "1, 2, 1"),
          "51 t.npy: expected an array of 1 or 2 dimensions, got the shape (1, 2, 1)" },
        { 1, NPY("|u1", "0, 3"), "20 t.npy: no rows, the shape is 0 x 3" },
        { 1, NPY("|u1", "3, 0"), "20 t.npy: no columns, the shape is 3 x 0" },
        { 1, NPY("|u1", "-1, 3"),
          "51 t.npy: npy header: the shape must be whole numbers in parentheses, got \"(-1, "
          "3)}\"" },
        { 1, NPY("|u1", "2"),
          "51 t.npy: npy header: the shape must be whole numbers in parentheses, got \"(2)}\"" },
        { 1, NPY("|O", "2,"),
          "51 t.npy: npy header: this is an array of Python objects, which only Python can read; "
          "save values with .astype(float), labels with .astype(str)" },
        { 1, NPY("<U3", "1,"),
          "51 t.npy: npy header: dtype must be numbers, got texts, which only labels may be" },
        { 1, NPY("<U0", "1,"),
          "51 t.npy: npy header: dtype must be f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 or b1, got "
          "\"<U0\"" },
        { 1, NPY("<f16", "2,"),
          "51 t.npy: npy header: dtype must be f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 or b1, got "
          "\"<f16\"" },
        { 1, "{'descr': [('a', '<f8'), ('b', '<i4')], 'fortran_order': False, 'shape': (2,)}",
          "51 t.npy: npy header: dtype must be a number, got a record of several fields" },
        { 1, "{'descr': '|u1', 'fortran_order': 0, 'shape': (2,)}",
          "51 t.npy: npy header: fortran_order must be True or False, got \"0, 'shape': (2,)}\"" },
        { 1, "{'descr': '|u1', 'shape': (2,)}",
          "51 t.npy: npy header: it must be {'descr': .., 'fortran_order': .., 'shape': ..}, got "
          "\"{'descr': '|u1', 'shape': (2,)}\"" },
        { 1, "{'descr': '|u1', 'descr': '|u1'}",
          "51 t.npy: npy header: it must be {'descr': .., 'fortran_order': .., 'shape': ..}, got "
          "\"{'descr': '|u1', 'descr': '|u1'}\"" },
        { 1, "{'order': 1}",
          "51 t.npy: npy header: it must be {'descr': .., 'fortran_order': .., 'shape': ..}, got "
          "\"{'order': 1}\"" },
        { 1, "{'descr': '|u1', 'fortran_order': False, 'shape': (2,)} x",
          "51 t.npy: npy header: nothing may follow the '}', got \"x\"" },
        { 1, "{'descr': '|u1", "51 t.npy: npy header: expected a quoted string, got \"|u1\"" },
        { 1, "",
          "51 t.npy: npy header: it must be {'descr': .., 'fortran_order': .., 'shape': ..}, got "
          "\"\"" },
    };
    for (size_t i = 0; i < COUNT_OF(headers); i++)
        check_npy(pen_read_bytes, headers[i].version, headers[i].header, "\x07\x08", 2, NULL,
                  headers[i].expected);
}

/* A truncated file is refused with a message and without reading past its end. */
TEST(every_cut_is_refused)
{
    char file[256], line[LINE_SIZE];
    const double values[2] = { 1, 2 };
    const size_t size = npy_bytes(2, "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 1), }",
                                  values, sizeof values, file);
    for (size_t length = 6; length < size; length++) { /* the first bytes identify the format */
        read_line(pen_read_bytes, "t.npy", file, length, NULL, line);
        CHECK(strncmp(line, "51 t.npy: ", 10) == 0, "%zu bytes are read as %s", length, line);
    }
}

TEST(values_are_read)
{
    static const double x[6] = { 1, (double)NAN, 2, 8, 4, 4 },
                        bad[6] = { 1, (double)NAN, 2, (double)NAN, 3, (double)NAN },
                        eight[] = { 1, 2, 3, 4, 5, 6, 7, (double)NAN };
    static const float y[6] = { 1, NAN, 2, 8, 4, 4 };
    static const struct array arrays[] = {
        { NPY("<i8", "2,"), BYTES("\0\0\0\0\0\0\0\x80\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F"), NULL,
          "-9.22337204e+18/9.22337204e+18" },
        { NPY("<u8", "1,"), BYTES("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"), NULL, "1.84467441e+19" },
        /* half precision: largest, smallest normal, smallest subnormal, 1/3, -0 */
        { NPY("<f2", "1, 5"), BYTES("\xFF\x7B\x00\x04\x01\x00\x55\x35\x00\x80"), NULL,
          "65504 6.10351562e-05 5.96046448e-08 0.333251953 -0" },
        { TURNED(">f2", "2, 2"), BYTES("\x3C\x00\xC5\x00\x40\x00\x00\x00"), NULL, "1 2/-5 0" },
        { NPY("<f2", "1, 1"), BYTES("\x00\xFC"), NULL,
          "51 t.npy: row 0, column 0 (counted from 0): value must be finite, got -inf" },
        /* blocks may have no rows */
        { NPY("<f8", "0, 3"), "", 0, "allow_empty=1", " 0 x 3" },
        { TURNED(">f4", "0, 3"), "", 0, "allow_empty=1 drop=-1", " 0 x 2" },
        { NPY("|u1", "0, 3"), "", 0, "allow_empty=1", " 0 x 3" },
        { NPY("|i1", "0, 0"), "", 0, "allow_empty=1", "20 t.npy: no columns, the shape is 0 x 0" },
    };
    /* in native byte order */
    static const struct array native[] = {
        { NPY("<f8", "2, 4"), eight, sizeof eight, "drop=0,-1", "2 3/6 7 numbers 1,2" },
        { TURNED("<f8", "2, 4"), eight, sizeof eight, "drop=0,-1", "3 5/4 6 numbers 1,2" },
        { NPY("<f8", "3, 2"), x, sizeof x, NULL,
          "51 t.npy: row 0, column 1 (counted from 0): value is missing, got nan +missing" },
        { NPY("<f8", "3, 2"), x, sizeof x, "missing=mean", "1 6/2 8/4 4 filled 1" },
        { NPY("<f4", "3, 2"), y, sizeof y, "missing=mean", "1 6/2 8/4 4 filled 1" },
        { NPY("<f8", "3, 2"), x, sizeof x, "missing=drop", "2 8/4 4 dropped 1" },
        { NPY("<f4", "3, 2"), y, sizeof y, "missing=drop", "2 8/4 4 dropped 1" },
        { NPY("<f8", "3, 2"), bad, sizeof bad, "missing=mean", "1 0/2 0/3 0" },
        { NPY("<f8", "3, 2"), bad, sizeof bad, "missing=drop",
          "20 t.npy: no rows left: column 1 has no value" },
    };
    check_arrays(arrays, COUNT_OF(arrays), pen_read_bytes);
    if (pen_low_byte_first())
        check_arrays(native, COUNT_OF(native), pen_read_bytes);
}

/* Numbers; zero-padded texts of fixed width, as bytes or as characters of four bytes; one column
 * per class, in either memory order. */
TEST(labels_are_read)
{
    static const double whole[4] = { 3, (double)NAN, -1, 10 }, half[2] = { 1, 1.5 };
    static const int64_t large[3] = { INT64_MAX, INT64_MAX - 1, -1 };
    static const char wide[] = "\xE9\0\0\0b\0\0\0"      /* e acute, b */
                               "\x00\xF6\x01\0\0\0\0\0" /* one emoji */
                               "\xE9\0\0\0b\0\0\0";
    static const struct array arrays[] = {
        { NPY("|i1", "4,"), BYTES("\x0A\x09\xFF\x0A"), NULL,
          " labels 1 0 -1 1 marks -1:1 classes 9,10" },
        { NPY("|b1", "2,"), BYTES("\1\0"), NULL, " labels 1 0 classes 0,1" },
        { NPY("|u1", "2, 1"), BYTES("\xFF\0"), NULL, " labels 1 0 classes 0,255" },
        { NPY("|u1", "1, 2"), BYTES("\1\0"), NULL, " labels 0 classes 0" },
        { NPY("<i8", "0,"), "", 0, "allow_empty=1", " labels" },
        { NPY("<i8", "0,"), "", 0, NULL, "20 t.npy: no labels, the shape is 0 x 1" },
        { NPY("|S3", "3,"), BYTES("b\0\0a b-1\0"), NULL,
          " labels 1 0 -1 marks -1:1 classes a b,b" },
        { NPY("<U2", "3,"), wide, 24, NULL,
          " labels 0 1 0 classes \xC3\xA9"
          "b,\xF0\x9F\x98\x80" },
        { NPY(">U2", "2, 1"), BYTES("\0\0\0B\0\0\0\0\0\0\0A\0\0\0\0"), NULL,
          " labels 1 0 classes A,B" },
        { NPY("<U1", "1,"), BYTES("\x00\xD8\0\0"), NULL,
          "51 t.npy: row 0 (counted from 0): a label must be valid text without a NUL character" },
        { NPY("|S3", "1,"), BYTES("a\0b"), NULL,
          "51 t.npy: row 0 (counted from 0): a label must be valid text without a NUL character" },
        { NPY("|S2", "1,"), BYTES("b\xE9"), NULL,
          "51 t.npy: row 0 (counted from 0): the bytes of a label must be UTF-8; "
          "numpy.char.decode(labels, \"cp1252\") converts text from western Windows" },
        { NPY("|S1", "1, 3"), BYTES("a\0b"), NULL,
          "51 t.npy: labels must be one column of texts, got the shape 1 x 3" },
        { NPY("|S4", "1,"), BYTES("a\0b"), NULL,
          "51 t.npy: the npy header claims 1 x 1 values of 4 bytes, the file has 3 bytes for "
          "them" },
        { NPY("|u1", "2, 3"), BYTES("\0\0\1\1\0\0"), NULL, " labels 1 0 classes 0,2" },
        { TURNED("|u1", "2, 3"), BYTES("\0\1\0\0\1\0"), NULL, " labels 1 0 classes 0,2" },
        { NPY("|u1", "2, 3"), BYTES("\0\0\1\1\0\1"), NULL,
          "51 t.npy: row 1 (counted from 0): exactly one of the 3 columns must be 1, got 2" },
        { NPY("|u1", "2, 3"), BYTES("\0\0\0\1\0\0"), NULL,
          "51 t.npy: row 0 (counted from 0): exactly one of the 3 columns must be 1, got 0" },
        { NPY("|u1", "2, 3"), BYTES("\0\0\7\1\0\0"), NULL,
          "51 t.npy: row 0 (counted from 0): labels in 3 columns must be 1 for the class of the "
          "row and 0 for others, got 7" },
    };
    static const struct array native[] = {
        { NPY("<f8", "4,"), whole, sizeof whole, NULL,
          " labels 0 -1 -1 1 marks -1:1 classes 3,10" },
        { NPY("<i8", "3,"), large, sizeof large, NULL,
          " labels 1 0 -1 marks -1:1 classes 9223372036854775806,9223372036854775807" },
        { NPY("<f8", "2,"), half, sizeof half, NULL,
          "51 t.npy: row 1 (counted from 0): a label must be a whole number or NaN, got 1.5" },
    };
    check_arrays(arrays, COUNT_OF(arrays), pen_read_labels_bytes);
    if (pen_low_byte_first())
        check_arrays(native, COUNT_OF(native), pen_read_labels_bytes);
}

enum { LARGE_ROWS = (PEN_MAPPED_FROM / 8) / 2 };

/* A sparse file of zeros that uses no disk space. */
static void make_large(const char *path)
{
    FILE *const file = fopen(path, "wb");
    char header[129];

    assert_non_null(file);
    snprintf(header, sizeof header, "%-127s\n",
             "..........{'descr': '<f8', 'fortran_order': False, 'shape': (1048576, 2)}");
    memcpy(header, "\x93NUMPY\x01\x00\x76\x00", 10);
    assert_int_equal(fwrite(header, 1, 128, file), 128);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(truncate(path, 128 + 16 * (off_t)LARGE_ROWS), 0);
}

/* Rows in native layout are not copied. If mapped, they start on a page, after the header. */
GROUP(folder_make, folder_remove);

TEST(native_rows_are_used_in_place)
{
    const char *const path = in_folder("large.npy");
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    pen_table *read = NULL, *mapped = NULL;
    pen_error err;
    if (!pen_low_byte_first())
        skip();
    make_large(path);
    CHECK_OK(pen_read(path, NULL, &read, &err), &err);
    CHECK_OK(pen_read(path, &(pen_read_options){ .map = 1 }, &mapped, &err), &err);
    assert_int_equal(unlink(path), 0); /* the map survives removal of the file */
    assert_true(read->mapped == 0 && read->x.rows == LARGE_ROWS && mapped->mapped == 1
                && mapped->x.rows == LARGE_ROWS);
    assert_int_equal((uintptr_t)mapped->x.values % page, 128);
    assert_memory_equal(read->x.values, mapped->x.values, 16 * (size_t)LARGE_ROWS);
    pen_table_free(read);
    pen_table_free(mapped);
}
