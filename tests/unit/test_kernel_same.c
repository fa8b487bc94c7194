/* test_kernel_same.c - invariances of fits with a kernel: threads, batches, types and layouts of
 * rows, files, preprocessing by the caller. (Order of rows: test_order.) */
#include "kit/embedded.h"

#include <stdio.h>

enum { D = 4 };

static void fit_text(char text[200], const char *method, const char *kernel)
{
    snprintf(text, 200, "%s kernel=%s", method, kernel);
}

/* Five threads, strided columns, a file in between, strided results, and each row alone. */
TEST(bits)
{
    const text_list kernels = text_list_of(
        "linear; rbf kernel_gamma=0.1; rbf; laplacian kernel_gamma=0.1; "
        "polynomial kernel_gamma=0.1; cosine; rbf kernel_gamma=0.1 kernel_landmarks=12; "
        "rbf kernel_landmarks=random:12 scale=standard; "
        "polynomial kernel_degree=2 scale=minmax row_steps=l2 pca=0.999");
    pen_rng rng = check_rng(3303);
    sample s = sample_random(&rng, check_many(200), D, 3, 30), turned = sample_new(D, s.n);
    const pen_control many = { .threads = 5 }, one = { .threads = 1 };
    const pen_data data = sample_data(&s);
    pen_data across = data;
    for (int64_t i = 0; i < s.n * D; i++)
        turned.x[i % D * s.n + i / D] = s.x[i];
    across.x = (pen_array){ turned.x, PEN_F64, s.n, D, 1, s.n, NULL, NULL };
    for (int64_t i = 0; i < kernels.count; i++) {
        char text[200];
        pen_error err;
        pen_model *model, *by_many, *again;
        size_t size;
        fit_text(text, "self dim=3", kernels.text[i]);
        pen_spec *const spec = spec_of(text);
        CHECK_OK(pen_fit(spec, &data, &one, &model, &err), &err);
        CHECK_OK(pen_fit(spec, &data, &many, &by_many, &err), &err);
        pen_model *const columns = fit_data(text, &across);
        unsigned char *const bytes = model_bytes(model, &size);
        CHECK_OK(pen_model_from_bytes(bytes, size, &again, &err), &err);
        pen_model *const others[] = { by_many, columns, again };
        double *const z = embedded(model, &data.x), *const w = check_allocate(s.n * 4, sizeof *w);
        for (int other = 0; other < 3; other++) {
            CHECK_OK(pen_transform(others[other], other == 1 ? &across.x : &data.x, &many, PEN_F64,
                                   w, 4, &err),
                     &err);
            check_same_model(model, others[other], text);
            for (int64_t row = 0; row < s.n; row++)
                assert_memory_equal(z + row * 3, w + row * 4, 3 * sizeof *z);
        }
        for (int64_t row = 0; row < s.n; row += 7) {
            double *const alone = embedded_rows(model, 1, D, s.x + row * D);
            assert_memory_equal(z + row * 3, alone, 3 * sizeof *z);
        }
        pen_model_free(model), pen_model_free(by_many), pen_model_free(again);
    }
}

/* Floats and bytes equal the doubles of the same values. */
TEST(types)
{
    static const pen_dtype dtypes[] = { PEN_F32, PEN_U8 };
    const text_list of_bytes = text_list_of(
        "linear; rbf; laplacian; polynomial; cosine; rbf scale=standard; rbf scale=minmax; "
        "rbf row_steps=l2; rbf kernel_landmarks=10");
    pen_rng rng = check_rng(3306);
    sample s = sample_random(&rng, 60, D, 3, 30);
    sample_to_bytes(&s);
    for (int64_t i = 0; i < of_bytes.count; i++)
        for (int t = 0; t < 2; t++) {
            char text[200];
            pen_data data = sample_data(&s);
            fit_text(text, "self dim=2", of_bytes.text[i]);
            pen_model *const right = fit_sample(text, &s);
            data.x = recast(&s, dtypes[t], 3);
            pen_model *const model = fit_data(text, &data);
            double *const z = embedded(model, &data.x), *const w = embedded_rows(right, 60, D, s.x);
            const double apart = products_apart(60, 2, z, w);
            CHECK(apart <= 1e-9, "%s as type %d: %.3g apart", text, (int)dtypes[t], apart);
        }
}

/* (x - origin) / spread of columns, as by the standard or the min-max scaler. */
static sample scaled(const sample *s, int minmax)
{
    sample out = sample_of(s->n, s->d, s->x, s->y);

    for (int64_t j = 0; j < s->d; j++) {
        double mean = 0, square = 0, low = INFINITY, high = -INFINITY;
        for (int64_t i = 0; i < s->n; i++) {
            const double v = s->x[i * s->d + j];
            mean += v / (double)s->n;
            low = fmin(low, v);
            high = fmax(high, v);
        }
        for (int64_t i = 0; i < s->n; i++)
            square += pow(s->x[i * s->d + j] - mean, 2) / (double)s->n;
        for (int64_t i = 0; i < s->n; i++)
            out.x[i * s->d + j] =
                (s->x[i * s->d + j] - (minmax ? low : mean)) / (minmax ? high - low : sqrt(square));
    }
    return out;
}

/* Embeddings of rows of a and of the equivalent rows of b have the same products. */
static void check_alike(const char *text_a, const sample *a, const char *text_b, const sample *b)
{
    pen_model *const of_a = fit_sample(text_a, a), *const of_b = fit_sample(text_b, b);
    const int64_t k = pen_model_dim(of_b);

    assert_int_equal(pen_model_dim(of_a), k);
    double *const z = embedded_rows(of_a, b->n, a->d, a->x), *const w = embedded_rows(of_b, b->n,
                                                                                      b->d, b->x);
    const double apart = products_apart(b->n, k, z, w);
    CHECK(apart <= 1e-8, "%s, %s: %.3g apart", text_a, text_b, apart);
}

TEST(preprocessed_before)
{
    static const char *const methods[] = { "self dim=2", "lpp dim=2 neighbors=5", "pca dim=2" };
    /* the origin as well */
    static const char *const others[] = { "linear", "rbf kernel_gamma=0.3",
                                          "polynomial kernel_gamma=0.5 kernel_degree=2", "cosine",
                                          "rbf kernel_landmarks=20" };
    pen_rng rng = check_rng(3307);
    sample s = sample_random(&rng, 50, D, 3, 25), unit = sample_of(50, D, s.x, s.y),
           standard = scaled(&s, 0), minmax = scaled(&s, 1);
    normalize_rows(50, D, unit.x);
    sample both = scaled(&unit, 0);
    const struct {
        const char *options;
        const sample *rows;
    } ways[] = { { "scale=standard", &standard },
                 { "scale=minmax", &minmax },
                 { "row_steps=l2", &unit },
                 { "row_steps=l2 scale=standard", &both } };
    for (int64_t m = 0; m < COUNT_OF(methods); m++)
        for (int64_t i = 0; i < COUNT_OF(others); i++) {
            char text[200], with[256];
            fit_text(text, methods[m], others[i]);
            if (m == 1 && i != 3 && i != 0) /* S_n of as many dimensions as rows is singular */
                continue;
            for (int64_t w = 0; w < COUNT_OF(ways); w++) {
                snprintf(with, sizeof with, "%s %s", text, ways[w].options);
                check_alike(with, &s, text, ways[w].rows);
            }
        }
}
