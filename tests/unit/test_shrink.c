/* test_shrink.c - files that shrink while they are read. This program replaces pread by a version
 * that truncates the file before, between, or after its parts. */
#define _XOPEN_SOURCE 700

#include "kit/folder.h"
#include "kit/readings.h"

#include <unistd.h>

enum { LENGTH = 40000, PART = 9999 };

static struct {
    int64_t when; /* truncate before this call, counted from 0; negative: never */
    off_t length; /* new length */
    const char *path;
    int64_t calls;
} plan;

ssize_t pread(int fd, void *bytes, size_t size, off_t offset)
{
    if (plan.calls++ == plan.when && truncate(plan.path, plan.length) != 0)
        return -1;
    return lseek(fd, offset, SEEK_SET) == offset ? read(fd, bytes, size < PART ? size : PART) : -1;
}

GROUP(folder_make, folder_remove);

static void make_file(const char *path)
{
    FILE *const file = fopen(path, "wb");

    assert_non_null(file);
    for (int i = 0; i < LENGTH / 8; i++)
        fprintf(file, "1,%05d\n", i);
    assert_int_equal(fclose(file), 0);
}

TEST(shorter_files_are_errors)
{
    static const struct {
        int64_t when;
        off_t length;
        pen_status expected;
    } plans[] = {
        { -1, 0, PEN_OK },
        { 0, 0, PEN_FILE_ERROR },
        { 0, LENGTH - 1, PEN_FILE_ERROR },
        /* after everything was read */
        { 2, 100, PEN_FILE_ERROR },
        { 2, LENGTH - 9, PEN_FILE_ERROR },
        { 5, 0, PEN_OK },
    };
    char expected[256];
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++)
        for (int map = 0; map < 2; map++) {
            const char *const path = in_folder("rows.csv");
            pen_table *table = NULL;
            pen_error err;
            make_file(path);
            plan.when = plans[i].when;
            plan.length = plans[i].length;
            plan.path = path;
            plan.calls = 0;
            const pen_status status =
                pen_read(path, &(pen_read_options){ .map = map }, &table, &err);
            assert_int_equal(status, plans[i].expected);
            snprintf(expected, sizeof expected,
                     "%s: became shorter while it was read: byte ", path);
            if (status != PEN_OK)
                CHECK(strncmp(err.message, expected, strlen(expected)) == 0, "plan %d: %s", (int)i,
                      err.message);
            assert_true((table != NULL) == (status == PEN_OK));
            assert_true(!table || table->x.rows == LENGTH / 8);
            pen_table_free(table);
        }
}

/* Pairs, labels, and models, which are never mapped. */
TEST(pairs_labels_models)
{
    const char *const path = in_folder("rows.csv");
    pen_pairs *pairs;
    pen_table *table;
    pen_model *model;
    pen_error err;
    make_file(path);
    for (int what = 0; what < 3; what++) {
        plan.when = 1;
        plan.length = LENGTH / 2 - 1000 * what;
        plan.path = path;
        plan.calls = 0;
        const pen_status status = what == 0   ? pen_read_pairs(path, PEN_MUST_LINK, 0, &pairs, &err)
                                  : what == 1 ? pen_read_labels(path, NULL, &table, &err)
                                              : pen_model_load(path, &model, &err);
        CHECK(status == PEN_FILE_ERROR && strstr(err.message, ": became shorter while it was read"),
              "%d: %s", what, err.message);
    }
}
