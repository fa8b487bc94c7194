/* test_blocks.c - files read in blocks of rows have the same bits as the whole (texts:
 * test_io_text.c, test_io_layout.c); heads of any length; refused files. */
#define _POSIX_C_SOURCE 200809L

#include "fixture.h"
#include "in_blocks.h"
#include "kit/folder.h"

#include <unistd.h>

static char *path;

static int set_up(void **state)
{
    const int status = folder_make(state);
    path = in_folder("rows.csv");
    return status;
}

GROUP(set_up, folder_remove);

/* A number that identifies rows and columns. */
static double value_of(int64_t i, int64_t j)
{
    return (double)((i * 7919 + j * 104729) % 100003) / 64 - 500;
}

/* An array with a header as written by NumPy. */
static void write_npy(const char *descr, int fortran, int64_t rows, int64_t cols, size_t item,
                      int64_t hole)
{
    FILE *const file = fopen(path, "wb");
    char header[118];

    CHECK(file != NULL, "%s", path);
    memset(header, ' ', sizeof header);
    header[snprintf(header, sizeof header,
                    "{'descr': '%s', 'fortran_order': %s, 'shape': (%lld, %lld), }", descr,
                    fortran ? "True" : "False", (long long)rows, (long long)cols)] = ' ';
    header[sizeof header - 1] = '\n';
    fwrite("\x93NUMPY\1\0v\0", 1, 10, file);
    fwrite(header, 1, sizeof header, file);
    for (int64_t k = 0; k < rows * cols; k++) {
        const int64_t i = fortran ? k % rows : k / cols, j = fortran ? k / rows : k % cols;
        const double value = i == hole ? (double)NAN : value_of(i, j);
        const float single = (float)value;
        const unsigned char byte = (unsigned char)((i * 31 + j) % 256);
        fwrite(item == 8   ? (const void *)&value
               : item == 4 ? (const void *)&single
                           : (const void *)&byte,
               item, 1, file);
    }
    CHECK(fclose(file) == 0, "%s", path);
}

TEST(arrays)
{
    static const struct {
        const char *descr;
        size_t item;
    } types[] = { { "<f8", 8 }, { "<f4", 4 }, { "|u1", 1 }, { "|i1", 1 }, { "|b1", 1 } };
    static const char *const dropped[] = { "1", "-1" };
    const pen_read_options without = { .drop = dropped, .drop_count = 2 },
                           holes = { .missing = PEN_MISSING_DROP };
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (int fortran = 0; fortran < 2; fortran++) {
            write_npy(types[t].descr, fortran, check_many(9001), 5, types[t].item, -1);
            in_blocks_check(path, NULL);
            in_blocks_check(path, &without);
        }
    for (int64_t hole = 0; hole < 3; hole++) {
        write_npy("<f8", 0, 3, 4, 8, hole);
        in_blocks_check(path, &holes);
        in_blocks_check(path, NULL);
    }
    write_npy("<f8", 0, 1, 4, 8, 0);
    in_blocks_check(path, &holes);
}

TEST(damaged_arrays)
{
    FILE *file;
    write_npy("<f8", 0, 20, 3, 8, -1);
    CHECK(truncate(path, 500) == 0, "%s", path);
    in_blocks_check(path, NULL);
    write_npy("<f8", 0, 20, 3, 8, -1);
    file = fopen(path, "ab");
    CHECK(file && fputc(1, file) == 1 && fclose(file) == 0, "%s", path);
    in_blocks_check(path, NULL);
    CHECK(truncate(path, 20) == 0, "%s", path);
    in_blocks_check(path, NULL);
    CHECK(truncate(path, 0) == 0, "%s", path);
    in_blocks_check(path, NULL);
}

/* Text rows with quoted line breaks, comments and blank lines, after `before` lines of comments. */
static void write_text(int64_t rows, int64_t cols, int64_t before, const char *end)
{
    FILE *const file = fopen(path, "wb");

    CHECK(file != NULL, "%s", path);
    for (int64_t i = 0; i < before; i++)
        fprintf(file, "# %lld: nothing, \"of use%s", (long long)i, end);
    for (int64_t j = 0; j < cols; j++)
        fprintf(file, "\"column%s%lld\",", j % 3 ? " " : "\n", (long long)j);
    fprintf(file, "class%s", end);
    for (int64_t i = 0; i < rows; i++) {
        for (int64_t j = 0; j < cols; j++)
            fprintf(file, j == 1 && i % 5 == 0 ? "\"%.17g\"," : "%.17g,", value_of(i, j));
        fprintf(file, i % 3 ? "b%s" : "\"a,\n\"\"c\" # \"%s", end);
        fputs(i % 11 ? "" : end, file);
        fputs(i % 13 ? "" : "  # between\n", file);
    }
    CHECK(fclose(file) == 0, "%s", path);
}

TEST(texts)
{
    static const char *const ends[] = { "\n", "\r\n", "\r" };
    const pen_read_options labelled = { .label_column = "class", .comment = '#' }, kept = {
        .carry = &labelled.label_column, .carry_count = 1, .comment = '#'
    };
    for (int e = 0; e < 3; e++) {
        write_text(check_many(5000), 3, 0, ends[e]);
        in_blocks_check(path, &labelled);
        in_blocks_check(path, &kept);
        write_text(300, 2, 9000, ends[e]); /* the head is far from the start */
        in_blocks_check(path, &labelled);
        write_text(40, 9000, 2, ends[e]); /* a line is longer than the head */
        in_blocks_check(path, &labelled);
    }
}

/* An unclosed quote or a malformed row is reported with its line, wherever it is. */
TEST(wrong_texts)
{
    static const int64_t places[] = { 0, 1, 6, 7, 8, 5000, 9998, 9999 };
    static const char *const rows[] = { "1,\"2\n", "1\n", "1,x\n", "1,\"2\"3\n", "1,2,3\n" };
    for (size_t p = 0; p < sizeof places / sizeof *places; p++)
        for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
            FILE *const file = fopen(path, "wb");
            CHECK(file != NULL, "%s", path);
            fputs("a,b\n", file);
            for (int64_t i = 0; i < 10000; i++)
                fputs(i == places[p] ? rows[r] : "1.5,2.25\n", file);
            CHECK(fclose(file) == 0, "%s", path);
            in_blocks_check(path, NULL);
        }
}

static void check_refused(const char *name, const pen_read_options *options, pen_status code,
                          const char *message)
{
    pen_blocks *blocks = NULL;
    pen_table *block = NULL;
    pen_error err;

    pen_status status = pen_blocks_open(name, options, &blocks, &err);
    if (status == PEN_OK)
        status = pen_blocks_next(blocks, 5, &block, &err);
    CHECK(status == code && !block && strstr(err.message, message), "%s: %d %s", name, (int)status,
          status ? err.message : "");
    pen_blocks_free(blocks);
}

TEST(refusals)
{
    const pen_read_options mean = { .missing = PEN_MISSING_MEAN }, turned = { .transpose = 1 };
    pen_blocks *blocks = NULL;
    pen_table *block = NULL;
    pen_error err;
    write_npy("<f8", 0, 3, 4, 8, -1);
    check_refused(path, &mean, PEN_BAD_ARGUMENT, "missing mean");
    check_refused(path, &turned, PEN_BAD_ARGUMENT, "a transposed text");
    check_refused("-", NULL, PEN_FILE_ERROR, "regular file");
    check_refused("/tmp", NULL, PEN_FILE_ERROR, "regular file");
    check_refused(FIXTURE("rows.csv.gz"), NULL, PEN_BAD_FORMAT, "expand it first");
    check_refused(FIXTURE("arrays.npz"), NULL, PEN_BAD_FORMAT, "cannot be read in blocks");
    check_refused(FIXTURE("symmetric.mtx"), NULL, PEN_BAD_FORMAT, "cannot be read in blocks");
    write_npy("<f8", 0, 3, 4, 8, -1);
    assert_int_equal(pen_blocks_open(path, NULL, &blocks, &err), PEN_OK);
    assert_int_equal(pen_blocks_next(blocks, 0, &block, &err), PEN_BAD_ARGUMENT);
    assert_int_equal(pen_blocks_next(blocks, 2, &block, &err), PEN_OK);
    assert_int_equal(pen_blocks_rows(blocks), 3);
    pen_table_free(block);
    CHECK(truncate(path, 200) == 0, "%s", path);
    assert_int_equal(pen_blocks_next(blocks, 2, &block, &err), PEN_FILE_ERROR);
    pen_blocks_free(blocks);
}
