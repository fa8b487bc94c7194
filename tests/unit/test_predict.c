/* test_predict.c - models that predict classes: their files, which may have biases and may lack
 * eigenvalues, and their predictions. */
#define _POSIX_C_SOURCE 200809L

#include "check.h"
#include "oracle/class_mass_oracle.h"

#include <stdio.h>
#include <unistd.h>

enum { MOST = 1 << 16, D = 5, K = 4, CLASSES = 3 };

/* A file in memory, written by hand according to docs/model-file.md. */
struct file {
    char header[4096];
    double numbers[256];
    int64_t count;
    unsigned char bytes[MOST];
    size_t size;
};

static void add_text(struct file *f, const char *format, ...)
{
    const size_t used = strlen(f->header);
    va_list values;
    va_start(values, format);
    vsnprintf(f->header + used, sizeof f->header - used, format, values);
    va_end(values);
}

/* format: that and, in format 2, what the file needs. */
static void begin_format(struct file *f, const char *format, const char *class_names,
                         const char *normalize)
{
    memset(f, 0, sizeof *f);
    add_text(f,
             "{\"__metadata__\":{\"format\":%s,\"method\":\"hand-made\",\"parameters\":\"{"
             "\\\"normalize\\\":\\\"%s\\\"}\",",
             format, normalize);
    add_text(f, "\"info\":\"{\\\"objective\\\":[3,2.5]}\",\"class_names\":\"%s\"}", class_names);
}

static void begin_file(struct file *f, const char *class_names, const char *normalize)
{
    begin_format(f, "\"1\"", class_names, normalize);
}

static void add_tensor(struct file *f, const char *name, int64_t rows, int64_t cols,
                       const double *values)
{
    const int64_t count = rows * (cols ? cols : 1);
    char second[24] = "";

    if (cols)
        snprintf(second, sizeof second, ",%d", (int)cols);
    add_text(f, ",\"%s\":{\"dtype\":\"F64\",\"shape\":[%d%s],\"data_offsets\":[%d,%d]}", name,
             (int)rows, second, 8 * (int)f->count, 8 * (int)(f->count + count));
    memcpy(f->numbers + f->count, values, (size_t)count * sizeof *values);
    f->count += count;
}

/* Least significant byte first, on any machine. */
static void end_file(struct file *f)
{
    add_text(f, "}");
    while (strlen(f->header) % 8)
        add_text(f, " ");
    const size_t length = strlen(f->header);
    for (int i = 0; i < 8; i++)
        f->bytes[i] = (unsigned char)((uint64_t)length >> (8 * i));
    memcpy(f->bytes + 8, f->header, length);
    for (int64_t i = 0; i < f->count; i++) {
        uint64_t bits;
        memcpy(&bits, &f->numbers[i], sizeof bits);
        for (int b = 0; b < 8; b++)
            f->bytes[8 + length + 8 * (size_t)i + (size_t)b] = (unsigned char)(bits >> (8 * b));
    }
    f->size = 8 + length + 8 * (size_t)f->count;
}

static const char three_names[] = "[\\\"a\\\",\\\"b\\\",\\\"c\\\"]";

struct parts {
    double projection[D * K], mean[D], eigenvalues[K], bias[K];
};

static void random_parts(pen_rng *rng, struct parts *p)
{
    double *all[] = { p->projection, p->mean, p->eigenvalues, p->bias };
    const int counts[] = { D * K, D, K, K };

    for (int t = 0; t < 4; t++)
        for (int i = 0; i < counts[t]; i++)
            all[t][i] = check_normal(rng);
}

static pen_model *model_of(const struct file *f)
{
    pen_model *model = NULL;
    pen_error err;
    CHECK_OK(pen_model_from_bytes(f->bytes, f->size, &model, &err), &err);
    return model;
}

/* A model with a bias for each of three classes. */
static pen_model *predictor(const struct parts *p, const char *normalize)
{
    struct file f;
    begin_file(&f, three_names, normalize);
    add_tensor(&f, "projection", D, K, p->projection);
    add_tensor(&f, "mean", D, 0, p->mean);
    add_tensor(&f, "bias", CLASSES, 0, p->bias);
    end_file(&f);
    return model_of(&f);
}

/* ---- files ---- */

/* With and without eigenvalues and biases; the existing tensors survive pen_model_save and are read
 * back. */
static void tensors_are_optional(void **state)
{
    pen_rng rng = check_rng(91);
    struct parts p;
    (void)state;
    random_parts(&rng, &p);
    for (int kind = 0; kind < 4; kind++) {
        char path[] = "/tmp/penumbra-predict-XXXXXX";
        struct file f;
        pen_model *again = NULL;
        pen_error err;
        begin_file(&f, three_names, "none");
        add_tensor(&f, "projection", D, K, p.projection);
        add_tensor(&f, "mean", D, 0, p.mean);
        if (kind & 1)
            add_tensor(&f, "eigenvalues", K, 0, p.eigenvalues);
        if (kind & 2)
            add_tensor(&f, "bias", CLASSES, 0, p.bias);
        end_file(&f);
        pen_model *model = model_of(&f);
        assert_int_equal(close(mkstemp(path)), 0);
        CHECK_OK(pen_model_save(model, path, &err), &err);
        CHECK_OK(pen_model_load(path, &again, &err), &err);
        remove(path);
        const pen_model *both[] = { model, again };
        for (int i = 0; i < 2; i++) {
            const double *values = pen_model_tensor(both[i], "eigenvalues").values,
                         *bias = pen_model_tensor(both[i], "bias").values;
            CHECK((values != NULL) == (kind & 1), "eigenvalues of kind %d: %p", kind,
                  (const void *)values);
            CHECK((bias != NULL) == (kind >> 1), "bias of kind %d: %p", kind, (const void *)bias);
            assert_true(!values || memcmp(values, p.eigenvalues, sizeof p.eigenvalues) == 0);
            assert_true(!bias || memcmp(bias, p.bias, CLASSES * sizeof *bias) == 0);
            assert_memory_equal(pen_model_tensor(both[i], "projection").values, p.projection,
                                sizeof p.projection);
            assert_null(pen_model_tensor(both[i], "probabilities").values);
            assert_string_equal(model_text(both[i], "info"), "{\"objective\":[3,2.5]}");
        }
        pen_model_free(model);
        pen_model_free(again);
    }
}

static void refused(struct file *f, const char *phrase)
{
    pen_model *model = NULL;
    pen_error err;
    end_file(f);
    CHECK_STATUS(pen_model_from_bytes(f->bytes, f->size, &model, &err), PEN_BAD_FORMAT, phrase,
                 &err);
    assert_null(model);
}

static void begin_with_map(struct file *f, const struct parts *p, const char *class_names)
{
    begin_file(f, class_names, "none");
    add_tensor(f, "projection", D, K, p->projection);
    add_tensor(f, "mean", D, 0, p->mean);
}

static void other_files_are_refused(void **state)
{
    pen_rng rng = check_rng(92);
    struct parts p;
    struct file f;
    (void)state;
    random_parts(&rng, &p);
    begin_with_map(&f, &p, three_names);
    add_tensor(&f, "bias", CLASSES - 1, 0, p.bias);
    refused(&f, "expected a bias for each of 3 classes, got 2");
    begin_with_map(&f, &p, "[]");
    add_tensor(&f, "bias", CLASSES, 0, p.bias);
    refused(&f, "expected a bias for each of 0 classes, got 3");
    begin_with_map(&f, &p, "[\\\"a\\\",\\\"b\\\",\\\"c\\\",\\\"d\\\",\\\"e\\\"]");
    add_tensor(&f, "bias", K + 1, 0, p.mean);
    refused(&f, "the shapes of the tensors are inconsistent");
    begin_with_map(&f, &p, three_names);
    add_tensor(&f, "eigenvalues", K - 1, 0, p.eigenvalues);
    refused(&f, "the shapes of the tensors are inconsistent");
    begin_with_map(&f, &p, three_names);
    add_tensor(&f, "bias", CLASSES, 1, p.bias);
    refused(&f, "tensor \"bias\" must have 1 dimensions");
    begin_with_map(&f, &p, three_names);
    add_tensor(&f, "biases", CLASSES, 0, p.bias);
    refused(&f, "this file has others");
    begin_with_map(&f, &p, three_names);
    add_tensor(&f, "bias", CLASSES, 0, p.bias);
    add_tensor(&f, "bias", CLASSES, 0, p.bias);
    refused(&f, "its header has the key \"bias\" twice");
    begin_with_map(&f, &p, three_names);
    p.bias[1] = NAN;
    add_tensor(&f, "bias", CLASSES, 0, p.bias);
    refused(&f, "tensor \"bias\" has a value that is not finite");
    begin_with_map(&f, &p, three_names);
    f.count += CLASSES;
    refused(&f, "bytes of tensors, got");
    begin_file(&f, three_names, "none");
    add_tensor(&f, "projection", D, K, p.projection);
    refused(&f, "it has no tensor \"mean\"");
}

/* ---- predictions ---- */

/* Scores are the first dimensions of the embedding plus the biases, and the predicted class has the
 * largest score: for rows of any type, with or without score output, for single rows and batches,
 * for any number of threads. */
static void scores_are_dimensions_and_biases(void **state)
{
    enum { ROWS = 300, STRIDE = D + 2 };
    pen_rng rng = check_rng(93);
    float x[ROWS * STRIDE];
    double z[ROWS * K], scores[ROWS * CLASSES], alone[CLASSES];
    int32_t classes[ROWS], again[ROWS], one;
    int seen[CLASSES] = { 0 };
    struct parts p;
    pen_error err;
    (void)state;
    random_parts(&rng, &p);
    for (int i = 0; i < ROWS * STRIDE; i++)
        x[i] = (float)check_normal(&rng);
    for (int unit = 0; unit < 2; unit++) {
        const pen_array rows = pen_dense(x, PEN_F32, ROWS, D, STRIDE);
        const pen_control control = { .threads = 3 };
        pen_model *model = predictor(&p, unit ? "l2" : "none");
        CHECK_OK(pen_transform(model, &rows, NULL, PEN_F64, z, K, &err), &err);
        CHECK_OK(pen_predict(model, &rows, NULL, classes, scores, NULL, &err), &err);
        CHECK_OK(pen_predict(model, &rows, &control, again, NULL, NULL, &err), &err);
        assert_memory_equal(classes, again, sizeof classes);
        for (int i = 0; i < ROWS; i++) {
            const pen_array row = pen_dense(x + i * STRIDE, PEN_F32, 1, D, D);
            int best = 0;
            for (int c = 0; c < CLASSES; c++) {
                CHECK_CLOSE(scores[i * CLASSES + c], z[i * K + c] + p.bias[c], 0, 0);
                best = z[i * K + c] + p.bias[c] > z[i * K + best] + p.bias[best] ? c : best;
            }
            assert_int_equal(classes[i], best);
            seen[best]++;
            CHECK_OK(pen_predict(model, &row, NULL, &one, alone, NULL, &err), &err);
            assert_int_equal(one, best);
            assert_memory_equal(alone, scores + i * CLASSES, sizeof alone);
        }
        pen_model_free(model);
    }
    CHECK(seen[0] && seen[1] && seen[2], "classes predicted: %d %d %d times", seen[0], seen[1],
          seen[2]);
}

/* Of equal scores, the first one wins. */
static void the_first_of_equal_scores_wins(void **state)
{
    static const double x[2 * D] = { 0, 0, 0, 0, 0, 1, 0, 0, 0, 0 };
    struct parts p = { .bias = { 1, 2, 2 } };
    const pen_array rows = pen_dense(x, PEN_F64, 2, D, D);
    int32_t classes[2];
    pen_error err;
    (void)state;
    p.projection[0] = 1;
    pen_model *model = predictor(&p, "none");
    CHECK_OK(pen_predict(model, &rows, NULL, classes, NULL, NULL, &err), &err);
    assert_int_equal(classes[0], 1); /* scores 1, 2, 2 */
    assert_int_equal(classes[1], 0); /* scores 2, 2, 2 */
    pen_model_free(model);
}

/* ---- class masses ---- */

static const char needs_masses[] = "\"2\",\"needs\":\"[\\\"class_mass\\\"]\"";
static const double masses[2 * CLASSES] = { 20, 3, 0.5, 0.5, 0.3, 0.2 };

static void begin_with_masses(struct file *f, const struct parts *p, const char *format)
{
    begin_format(f, format, three_names, "none");
    add_tensor(f, "projection", D, K, p->projection);
    add_tensor(f, "mean", D, 0, p->mean);
    add_tensor(f, "bias", CLASSES, 0, p->bias);
}

/* Scores become shares, of single rows and of batches, also after saving and loading; the file
 * says that it needs that. */
static void class_masses_make_shares(void **state)
{
    enum { ROWS = 100 };
    char path[] = "/tmp/penumbra-predict-XXXXXX", start[200] = "";
    pen_rng rng = check_rng(95);
    double x[ROWS * D], z[ROWS * K], shares[ROWS * CLASSES], right[CLASSES], alone[CLASSES];
    int32_t classes[ROWS], one;
    int changed = 0;
    struct parts p;
    struct file f;
    pen_model *loaded = NULL;
    pen_error err;
    (void)state;
    random_parts(&rng, &p);
    for (int i = 0; i < ROWS * D; i++)
        x[i] = check_normal(&rng);
    const pen_array rows = pen_dense(x, PEN_F64, ROWS, D, D);
    begin_with_masses(&f, &p, needs_masses);
    add_tensor(&f, "class_mass", 2, CLASSES, masses);
    end_file(&f);
    pen_model *model = model_of(&f);
    assert_int_equal(close(mkstemp(path)), 0);
    CHECK_OK(pen_model_save(model, path, &err), &err);
    CHECK_OK(pen_model_load(path, &loaded, &err), &err);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(start, 1, sizeof start - 1, file), sizeof start - 1);
    fclose(file);
    remove(path);
    CHECK(strstr(start + 8, needs_masses), "no %s in %s", needs_masses, start + 8);
    assert_memory_equal(pen_model_tensor(model, "class_mass").values, masses, sizeof masses);
    assert_memory_equal(pen_model_tensor(loaded, "class_mass").values, masses, sizeof masses);
    CHECK_OK(pen_transform(model, &rows, NULL, PEN_F64, z, K, &err), &err);
    CHECK_OK(pen_predict(loaded, &rows, NULL, classes, shares, NULL, &err), &err);
    for (int i = 0; i < ROWS; i++) {
        const pen_array row = pen_dense(x + i * D, PEN_F64, 1, D, D);
        double scores[CLASSES];
        int best = 0, raw = 0;
        for (int c = 0; c < CLASSES; c++)
            scores[c] = z[i * K + c] + p.bias[c];
        class_mass_oracle_row(CLASSES, masses, scores, right);
        for (int c = 0; c < CLASSES; c++) {
            CHECK_CLOSE(shares[i * CLASSES + c], right[c], 1e-12, 1e-15);
            best = shares[i * CLASSES + c] > shares[i * CLASSES + best] ? c : best;
            raw = scores[c] > scores[raw] ? c : raw;
        }
        assert_int_equal(classes[i], best);
        changed += best != raw;
        CHECK_OK(pen_predict(model, &row, NULL, &one, alone, NULL, &err), &err);
        assert_memory_equal(alone, shares + i * CLASSES, sizeof alone);
    }
    CHECK(changed > 5, "%d rows are of another class than by their scores", changed);
    pen_model_free(model);
    pen_model_free(loaded);
}

static void refused_masses(const struct parts *p, int entry, double value, const char *phrase)
{
    double values[2 * CLASSES];
    struct file f;

    memcpy(values, masses, sizeof values);
    values[entry] = value;
    begin_with_masses(&f, p, needs_masses);
    add_tensor(&f, "class_mass", 2, CLASSES, values);
    refused(&f, phrase);
}

static void other_masses_are_refused(void **state)
{
    static const char range[] = "the mass of a class must be in [1e-12, 1e+200], got";
    pen_rng rng = check_rng(96);
    struct parts p;
    struct file f;
    pen_model *model = NULL;
    pen_error err;
    (void)state;
    random_parts(&rng, &p);
    refused_masses(&p, 0, 0, range);
    refused_masses(&p, 1, -3, range);
    refused_masses(&p, 2, 1e201, range);
    refused_masses(&p, 1, NAN, "tensor \"class_mass\" has a value that is not finite");
    refused_masses(&p, 3, 0, "the prior of a class must be > 0, got 0");
    refused_masses(&p, 4, 0.4, "the priors of the classes must sum to 1, got 1.1");
    begin_with_masses(&f, &p, needs_masses);
    refused(&f, "it has no tensor \"class_mass\"");
    begin_with_masses(&f, &p, needs_masses);
    add_tensor(&f, "class_mass", 2, CLASSES - 1, masses);
    refused(&f, "the shapes of the tensors are inconsistent");
    begin_with_masses(&f, &p, needs_masses);
    add_tensor(&f, "class_mass", 2 * CLASSES, 0, masses);
    refused(&f, "tensor \"class_mass\" must have 2 dimensions");
    begin_with_masses(&f, &p, "\"1\"");
    add_tensor(&f, "class_mass", 2, CLASSES, masses);
    refused(&f, "this file has others");
    begin_with_masses(&f, &p, "\"2\"");
    refused(&f, "its metadata has no \"needs\"");
    begin_with_masses(&f, &p, "\"2\",\"needs\":\"[2]\"");
    refused(&f, "metadata \"needs\" must be a list of strings");
    begin_with_masses(&f, &p, "\"2\",\"needs\":\"{}\"");
    refused(&f, "metadata \"needs\" must be a list of strings");
    begin_format(&f, needs_masses, three_names, "none");
    add_tensor(&f, "projection", D, K, p.projection);
    add_tensor(&f, "mean", D, 0, p.mean);
    add_tensor(&f, "class_mass", 2, CLASSES, masses);
    refused(&f, "the shapes of the tensors are inconsistent"); /* no bias */
    begin_with_masses(&f, &p, "\"2\",\"needs\":\"[\\\"class_mass\\\",\\\"magic\\\"]\"");
    end_file(&f);
    CHECK_STATUS(pen_model_from_bytes(f.bytes, f.size, &model, &err), PEN_NEWER_FORMAT,
                 "the model needs \"magic\", which this version", &err);
    assert_null(model);
}

static int stop(void *user, const char *phase, int64_t done, int64_t total)
{
    (void)user;
    (void)phase;
    (void)done;
    (void)total;
    return 1;
}

static void mistakes_are_named(void **state)
{
    const pen_control stopped = { .progress = stop };
    pen_rng rng = check_rng(94);
    double x[2 * D];
    int32_t classes[2];
    struct parts p;
    struct file f;
    pen_error err;
    (void)state;
    random_parts(&rng, &p);
    for (int i = 0; i < 2 * D; i++)
        x[i] = check_normal(&rng);
    const pen_array rows = pen_dense(x, PEN_F64, 2, D, D),
                    narrow = pen_dense(x, PEN_F64, 2, D - 1, D);
    begin_with_map(&f, &p, three_names);
    end_file(&f);
    pen_model *plain = model_of(&f), *model = predictor(&p, "none");
    CHECK_STATUS(pen_predict(plain, &rows, NULL, classes, NULL, NULL, &err), PEN_BAD_ARGUMENT,
                 "a model of hand-made predicts no classes", &err);
    CHECK_OK(pen_predict(model, &rows, NULL, NULL, NULL, NULL, &err), &err);
    CHECK_STATUS(pen_predict(model, &narrow, NULL, classes, NULL, NULL, &err), PEN_BAD_DATA,
                 "must have 5 columns", &err);
    CHECK_STATUS(pen_predict(model, &rows, &stopped, classes, NULL, NULL, &err), PEN_CANCELLED,
                 NULL, &err);
    x[7] = INFINITY;
    CHECK_STATUS(pen_predict(model, &rows, NULL, classes, NULL, NULL, &err), PEN_NOT_FINITE,
                 "row 1, column 2", &err);
    assert_int_equal(pen_predict(model, &rows, NULL, classes, NULL, NULL, NULL), PEN_NOT_FINITE);
    pen_model_free(plain);
    pen_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tensors_are_optional),
        cmocka_unit_test(other_files_are_refused),
        cmocka_unit_test(scores_are_dimensions_and_biases),
        cmocka_unit_test(the_first_of_equal_scores_wins),
        cmocka_unit_test(class_masses_make_shares),
        cmocka_unit_test(other_masses_are_refused),
        cmocka_unit_test(mistakes_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
