/* test_class_picture.c - the two columns that show the classes of a projection, against a literal
 * version, and the tensor that stores them. */
#include "check.h"
#include "core/run.h"
#include "eval/measures/class_picture.h"
#include "kit/model_bytes.h"
#include "kit/wine.h"
#include "model/model.h"

#include <string.h>

GROUP(wines_open, NULL);

enum { ROWS = 150, COLUMNS = 6, NEAR = 10 };

typedef struct found {
    int exists;
    char method[8];
    double columns[2 * WINE_COLUMNS], shown;
} found;

static found find(int64_t n, int64_t k, const double *z, const int32_t *classes, int threads)
{
    const pen_control control = { .threads = threads };
    found out = { .exists = 0 };
    pen_picture picture;
    pen_error err;

    pen_run *const run = check_run(threads, &err);
    CHECK_OK(pen_picture_find(run, n, k, z, classes, &control, &picture), &err);
    assert_true(!picture.method == !picture.columns);
    if (picture.method) {
        out.exists = 1;
        out.shown = picture.shown;
        snprintf(out.method, sizeof out.method, "%s", picture.method);
        memcpy(out.columns, picture.columns, (size_t)(2 * k) * sizeof *out.columns);
    }
    pen_run_close(run);
    return out;
}

/* Classes differ in the last columns by less than the first columns vary. */
static void hide_classes(int64_t count, double *z, int32_t *classes)
{
    pen_rng rng = check_rng(1);

    for (int64_t i = 0; i < ROWS; i++) {
        classes[i] = (int32_t)(i % count);
        for (int64_t j = 0; j < COLUMNS; j++)
            z[i * COLUMNS + j] = check_normal(&rng) * (j < 2 ? 5 : 0.3);
        z[i * COLUMNS + 3] += cos(6.2832 * (double)classes[i] / (double)count);
        z[i * COLUMNS + 4] += sin(6.2832 * (double)classes[i] / (double)count);
    }
}

/* Adds the columns of z [n x 2], centered, and their covariance. */
static double *drawn_by(int64_t n, int64_t k, const double *z, const double *columns,
                        double covariance[3])
{
    double *p = check_allocate(2 * n, sizeof *p), mean[2] = { 0, 0 };

    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < 2 * k; j++) {
            p[2 * i + j % 2] += z[i * k + j / 2] * columns[j];
            mean[j % 2] += z[i * k + j / 2] * columns[j] / (double)n;
        }
    memset(covariance, 0, 3 * sizeof *covariance);
    for (int64_t i = 0; i < n; i++) {
        p[2 * i] -= mean[0];
        p[2 * i + 1] -= mean[1];
        covariance[0] += p[2 * i] * p[2 * i] / (double)n;
        covariance[1] += p[2 * i] * p[2 * i + 1] / (double)n;
        covariance[2] += p[2 * i + 1] * p[2 * i + 1] / (double)n;
    }
    return p;
}

/* The fraction of neighbors of the same class, by Mahalanobis distances. */
static double shown_by(int64_t n, int64_t k, const double *z, const int32_t *classes,
                       const double *columns)
{
    double s[3], same = 0, *const p = drawn_by(n, k, z, columns, s);

    for (int64_t i = 0; i < n; i++) {
        char *taken = check_allocate(n, 1);
        taken[i] = 1;
        for (int nearer = 0; nearer < NEAR; nearer++) {
            int64_t best = -1;
            double least = INFINITY;
            for (int64_t o = 0; o < n; o++) {
                const double x = p[2 * o] - p[2 * i], y = p[2 * o + 1] - p[2 * i + 1];
                const double distance =
                    (x * x * s[2] - 2 * x * y * s[1] + y * y * s[0]) / (s[0] * s[2] - s[1] * s[1]);
                if (!taken[o] && distance < least) {
                    least = distance;
                    best = o;
                }
            }
            taken[best] = 1;
            same += classes[best] == classes[i];
        }
    }
    return same / (double)(n * NEAR);
}

/* Uncorrelated coordinates of deviation 1, the first along the class means farthest apart, with a
 * positive largest entry in each column. */
static void check_axes(int64_t n, int64_t k, const double *z, const int32_t *classes,
                       const double *columns)
{
    double s[3], between[3] = { 0 }, *const p = drawn_by(n, k, z, columns, s);

    CHECK_CLOSE(s[0], 1, 1e-9, 0);
    CHECK_CLOSE(s[1], 0, 0, 1e-9);
    CHECK_CLOSE(s[2], 1, 1e-9, 0);
    for (int32_t c = 0; c < 8; c++) {
        double x = 0, y = 0, count = 0;
        for (int64_t i = 0; i < n; i++)
            if (classes[i] == c) {
                x += p[2 * i];
                y += p[2 * i + 1];
                count++;
            }
        between[0] += count != 0 ? x * x / count : 0;
        between[1] += count != 0 ? x * y / count : 0;
        between[2] += count != 0 ? y * y / count : 0;
    }
    CHECK_CLOSE(between[1], 0, 0, 1e-9 * (double)n);
    CHECK(between[0] >= between[2], "%g across, %g up", between[0], between[2]);
    for (int c = 0; c < 2; c++) {
        int64_t most = 0;
        for (int64_t j = 1; j < k; j++)
            if (fabs(columns[2 * j + c]) > fabs(columns[2 * most + c]))
                most = j;
        CHECK(columns[2 * most + c] > 0, "column %d: %g", c, columns[2 * most + c]);
    }
}

static void columns_of(const char *text, int64_t n, int64_t k, const double *z,
                       const int32_t *classes, double *columns)
{
    const pen_data data = { .x = pen_dense(z, PEN_F64, n, k, k), .labels = classes };
    pen_spec *const spec = spec_with_defaults(text);
    pen_model *model;
    pen_error err;

    CHECK_OK(pen_fit(spec, &data, NULL, &model, &err), &err);
    memcpy(columns, pen_model_tensor(model, "projection").values,
           (size_t)(2 * k) * sizeof *columns);
    pen_model_free(model);
}

/* SELF or FDA, or a picture better than both. */
static void check_literal(int64_t n, int64_t k, const double *z, const int32_t *classes)
{
    const found ours = find(n, k, z, classes, 1);
    const char *method = "";
    double best = -1;

    assert_true(ours.exists);
    for (int m = 0; m < 2; m++) {
        const char *const name = m ? "fda" : "self";
        double columns[2 * WINE_COLUMNS];
        columns_of(m ? "fda dim=2" : "self dim=2", n, k, z, classes, columns);
        const double shown = shown_by(n, k, z, classes, columns);
        method = shown > best ? name : method;
        best = fmax(best, shown);
        if (strcmp(ours.method, name) == 0)
            CHECK_CLOSE(check_subspaces(k, 2, ours.columns, 2, columns, 2), 0, 0, 1e-6);
    }
    CHECK_CLOSE(shown_by(n, k, z, classes, ours.columns), ours.shown, 1e-12, 0);
    check_axes(n, k, z, classes, ours.columns);
    CHECK(strcmp(ours.method, "nca") == 0 ? ours.shown > best
                                          : strcmp(ours.method, method) == 0 && ours.shown == best,
          "%s shows %g, %s %g", ours.method, ours.shown, method, best);
}

TEST(better_than_both)
{
    double z[ROWS * COLUMNS];
    int32_t classes[ROWS];

    check_literal(WINES, WINE_COLUMNS, wines->z, wines->classes);
    for (int64_t count = 3; count <= 7; count += 2) {
        hide_classes(count, z, classes);
        check_literal(ROWS, COLUMNS, z, classes);
    }
}

TEST(classes_hidden_by_components)
{
    double z[ROWS * COLUMNS], first[2 * COLUMNS] = { 0 };
    int32_t classes[ROWS];

    hide_classes(5, z, classes);
    first[0] = first[3] = 1;
    const double hidden = shown_by(ROWS, COLUMNS, z, classes, first);
    const found ours = find(ROWS, COLUMNS, z, classes, 1),
                again = find(ROWS, COLUMNS, z, classes, 4);
    CHECK(ours.shown > hidden + 0.3, "shown: %g, by the first columns %g", ours.shown, hidden);
    assert_memory_equal(ours.columns, again.columns, 2 * COLUMNS * sizeof *ours.columns);
    hide_classes(2, z, classes); /* two classes also have two coordinates */
    const found two = find(ROWS, COLUMNS, z, classes, 1);
    CHECK(two.exists && two.shown > 0.9, "shown: %g", two.shown);
}

/* The picture does not depend on the order of the rows, although it uses only some of them. */
TEST(order_of_rows)
{
    enum { MANY = 1300 };
    double *const z = check_allocate(MANY * COLUMNS, sizeof *z), *const back = check_allocate(
                                                                     MANY * COLUMNS, sizeof *back);
    int32_t classes[MANY], classes_back[MANY];
    pen_rng rng = check_rng(2);

    for (int64_t i = 0; i < MANY; i++) {
        classes[i] = (int32_t)(i % 6);
        for (int64_t j = 0; j < COLUMNS; j++)
            z[i * COLUMNS + j] = check_normal(&rng) + (j == classes[i] ? 2.5 : 0);
    }
    for (int64_t i = 0; i < MANY; i++) {
        classes_back[i] = classes[MANY - 1 - i];
        memcpy(back + i * COLUMNS, z + (MANY - 1 - i) * COLUMNS, COLUMNS * sizeof *z);
    }
    const found one = find(MANY, COLUMNS, z, classes, 1),
                other = find(MANY, COLUMNS, back, classes_back, 1);
    assert_string_equal(one.method, "nca");
    assert_string_equal(other.method, "nca");
    for (int j = 0; j < 2 * COLUMNS; j++)
        CHECK_CLOSE(one.columns[j], other.columns[j], 1e-6, 1e-6);
}

TEST(no_picture)
{
    double z[ROWS * COLUMNS], constant[ROWS * COLUMNS] = { 0 };
    int32_t classes[ROWS], one[ROWS] = { 0 };

    hide_classes(3, z, classes);
    assert_false(find(ROWS, 1, z, classes, 1).exists);
    assert_false(find(ROWS, COLUMNS, z, one, 1).exists);
    assert_false(find(3, COLUMNS, z, classes, 1).exists);
    assert_false(find(ROWS, COLUMNS, constant, classes, 1).exists);
}

TEST(files_store_the_picture)
{
    const pen_data data = { .x = pen_dense(wines->x, PEN_F64, WINES, WINE_COLUMNS, WINE_COLUMNS),
                            .labels = wines->classes };
    pen_model *const model = fit_data("self dim=3 classifier=none", &data), *copy;
    pen_error err;
    model_file f;

    assert_null(pen_model_tensor(model, "picture").values);
    model->picture = calloc(6, sizeof *model->picture);
    for (int j = 0; j < 6; j++)
        model->picture[j] = j - 2.5;
    f.bytes = model_bytes(model, &f.size);
    CHECK_OK(pen_model_from_bytes(f.bytes, f.size, &copy, &err), &err);
    const pen_matrix kept = pen_model_tensor(copy, "picture");
    assert_true(kept.rows == 3 && kept.cols == 2);
    assert_memory_equal(kept.values, model->picture, 6 * sizeof *model->picture);
    for (int c = 0; c < 2; c++)
        check_file_refused(
            model_file_changed(&f, "\"shape\":[3,2]", c ? "\"shape\":[2,3]" : "\"shape\":[6,1]"),
            PEN_BAD_FORMAT, "inconsistent");
    check_file_refused(model_file_with(&f, (f.size - model_file_header(&f)) / 8 - 2, NAN),
                       PEN_BAD_FORMAT, "finite");
    pen_model_free(copy);
}
