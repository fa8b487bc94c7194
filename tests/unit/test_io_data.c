/* test_io_data.c - published files in the original form, in the folder PENUMBRA_DATA (environment).
 * Other programs computed the expected sums and labels. */
#include "core/array.h"
#include "kit/readings.h"

struct published {
    const char *path, *label_column;
    int64_t rows, cols, class_count;
    double sum; /* sum of all values */
};

static void check_published(const char *folder, const struct published *p)
{
    char path[512];
    pen_table *t = NULL;
    pen_error err;
    double sum = 0;

    snprintf(path, sizeof path, "%s/raw/%s", folder, p->path);
    CHECK_OK(pen_read(path, &(pen_read_options){ .label_column = p->label_column }, &t, &err),
             &err);
    CHECK(t->x.rows == p->rows && t->x.cols == p->cols, "%s has %d x %d values", p->path,
          (int)t->x.rows, (int)t->x.cols);
    CHECK(t->class_count == p->class_count, "%s has %d classes", p->path, (int)t->class_count);
    for (int64_t i = 0; i < t->x.rows * t->x.cols; i++)
        sum += pen_value_at(&t->x, i / t->x.cols, i % t->x.cols);
    CHECK_CLOSE(sum, p->sum, 1e-12, 0);
    pen_table_free(t);
}

TEST(published_files_are_read)
{
    static const struct published files[] = {
        { "mfeat-mor.csv", NULL, 2000, 6, 0, 12632396.77968333 },
        { "pop_failures.dat", NULL, 540, 21, 0, 55304.21440434917 },
        { "pop_failures.dat", "20", 540, 20, 2, 54810.21440434917 },
        { "banana_train_data_1.asc", NULL, 400, 2, 0, -12.80821826756 },
        { "banana_train_labels_1.asc", NULL, 400, 1, 0, 34.0 },
        { "heart_scale", NULL, 270, 13, 1, -666.4008603 },
    };
    const char *folder = getenv("PENUMBRA_DATA");
    if (!folder || !*folder) {
        print_message("skipped: PENUMBRA_DATA is not set\n");
        skip();
    }
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        check_published(folder, &files[i]);
}
