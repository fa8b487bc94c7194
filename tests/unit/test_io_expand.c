/* test_io_expand.c - gzip files as written by programs, and unusual ones (damaged:
 * test_io_matrix). */
#include "fixture.h"

#include "core/checksum.h"
#include "kit/readings.h"

TEST(whole)
{
    static const char *const files[] = {
        FIXTURE("rows.csv.gz"),
        FIXTURE("members.csv.gz"),
        FIXTURE("named.csv.gz"),
    };
    const pen_read_options options = { .label_column = "kind" };
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        pen_table *const table = fixture_read(files[f], &options);
        fixture_check(files[f], &table->x, FIXTURE_ROWS, FIXTURE_COLS, FIXTURE_COUNTS, 1);
        CHECK(fixture_numbered(table->column_names, "gene", FIXTURE_COLS), "%s: names", files[f]);
        for (int i = 0; i < FIXTURE_ROWS; i++) /* beta, alpha, gamma */
            assert_int_equal(table->labels[i], (i + (i % 3 == 0) - (i % 3 == 1)) % 3);
        pen_table_free(table);
    }
}

static void check_said(const void *bytes, size_t size, const char *said)
{
    char line[LINE_SIZE];

    read_line(pen_read_bytes, "t.csv.gz", bytes, size, NULL, line);
    CHECK(strstr(line, said), "\"%s\" lacks \"%s\"", line, said);
}

/* "1,2\n" stored, with header fields of every kind. */
#define STORED                                                                                     \
    "\1\4\0\xfb\xff"                                                                               \
    "1,2\n"
#define TAIL "\x33\x42\x21\x55\4\0\0\0"

TEST(headers)
{
    CHECK(pen_crc32(0, "1,2\n", 4) == 0x55214233, "the checksum is %x", pen_crc32(0, "1,2\n", 4));
    check_said(BYTES("\x1f\x8b\x08\0\0\0\0\0\0\3" STORED TAIL), "1 2");
    check_said(BYTES("\x1f\x8b\x08\x1e\0\0\0\0\0\3\3\0abcname\0remark\0\xd2\xc9" STORED TAIL),
               "1 2");
    check_said(BYTES("\x1f\x8b\x08\x1e\0\0\0\0\0\3\3\0abcname\0remark\0zz" STORED TAIL),
               "header crc mismatch");
    check_said(BYTES("\x1f\x8b\x08\0\0\0\0\0\0\3" STORED TAIL "\0\0"), "1 2");
    check_said(BYTES("\x1f\x8b\x08\0\0\0\0\0\0\3" STORED TAIL "x"),
               "51 t.csv.gz: the gzip file is damaged at byte 27: something follows its end");
    check_said(BYTES("\x1f\x8b\x08\0\0\0\0\0\0\3" STORED TAIL "\0x"),
               "damaged at byte 28: something follows its end");
    check_said(BYTES("\x1f\x8b\x08\0\0\0\0\0\0\3" STORED "\x34\x42\x21\x55\4\0\0\0"),
               "damaged at byte 23: incorrect data check");
    check_said(BYTES("\x1f\x8b\x08\0\0\0\0\0\0\3" STORED "\x33\x42\x21\x55\5\0\0\0"),
               "damaged at byte 27: incorrect length check");
    check_said(BYTES("\x1f\x8b\x07\0\0\0\0\0\0\3" STORED TAIL), "unknown compression method");
    check_said(BYTES("\x1f\x8b\x08\x20\0\0\0\0\0\3" STORED TAIL), "unknown header flags set");
    check_said(BYTES("\x1f\x8b\x08\4\0\0\0\0\0\3\xff\xff" STORED TAIL), "truncated after 29 bytes");
    check_said(BYTES("\x1f\x8b\x08\x08\0\0\0\0\0\3name"), "the gzip file is truncated");
    check_said(BYTES("\x1f\x8b\x08\0\0\0\0\0\0\3\1\0\0\xff\xff\0\0\0\0\0\0\0\0"),
               "the file is empty");
    check_said(BYTES("\x1f\x8b\x08\0\0\0\0\0\0\3\1\2\0\xfd\xff\x1f\x8b\xac\xd9\x40\x5b\2\0\0\0"),
               "the gzip file is damaged");
}

/* Labels and pairs as well; a file compressed twice is expanded only once. */
TEST(other_readers)
{
    static const char labels[] = "\x1f\x8b\x08\0\0\0\0\0\0\3\1\4\0\xfb\xff"
                                 "1\n2\n";
    char bytes[sizeof labels + 8];
    char line[LINE_SIZE];
    const uint32_t sum = pen_crc32(0, "1\n2\n", 4);
    size_t size = sizeof labels - 1;
    memcpy(bytes, labels, size);
    for (int i = 0; i < 4; i++)
        bytes[size++] = (char)(sum >> 8 * i & 255);
    for (int i = 0; i < 4; i++)
        bytes[size++] = i == 0 ? 4 : 0;
    read_line(pen_read_labels_bytes, "labels.txt.gz", bytes, size, NULL, line);
    assert_string_equal(line, " labels 0 1 classes 1,2");
}
