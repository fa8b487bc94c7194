/* test_model_file.c - what the classifier of model files rejects: inconsistent tensors, headers
 * with duplicate keys, false entries, or strings with NUL. The files are written by hand. */
#define _POSIX_C_SOURCE 200809L

#include "kit/check_fit.h"
#include "kit/joined.h"
#include "kit/model_bytes.h"

#include "core/checksum.h"

#include <stdio.h>
#include <unistd.h>

enum { MOST = 1 << 16, NUMBERS = 6 };

/* The parts of a valid header. */
#define PARAMETERS "\"parameters\":\"{\\\"normalize\\\":\\\"none\\\"}\""
#define INFO       "\"info\":\"{}\""
#define CLASSES    "\"class_names\":\"[\\\"a\\\"]\""
#define METADATA                                                                                   \
    "\"__metadata__\":{\"format\":\"1\",\"method\":\"hand-made\"," PARAMETERS "," INFO "," CLASSES \
    "}"
#define PROJECTION  "\"projection\":{\"dtype\":\"F64\",\"shape\":[2,1],\"data_offsets\":[0,16]}"
#define MEAN        "\"mean\":{\"dtype\":\"F64\",\"shape\":[2],\"data_offsets\":[16,32]}"
#define EIGENVALUES "\"eigenvalues\":{\"dtype\":\"F64\",\"shape\":[1],\"data_offsets\":[32,40]}"
#define BIAS        "\"bias\":{\"dtype\":\"F64\",\"shape\":[1],\"data_offsets\":[40,48]}"
#define WHOLE       "{" METADATA "," PROJECTION "," MEAN "," EIGENVALUES "," BIAS "}"

static const double numbers[NUMBERS] = { 0.5, -2, 3, 1e-300, 7, 0.125 };

struct bytes {
    unsigned char data[MOST];
    size_t size;
};

static void add_bytes(struct bytes *b, const void *data, size_t size)
{
    assert_true(size <= MOST - b->size);
    memcpy(b->data + b->size, data, size);
    b->size += size;
}

/* Least significant byte first, on any machine. */
static void add_u64(struct bytes *b, uint64_t value)
{
    for (int i = 0; i < 8; i++) {
        const unsigned char byte = (unsigned char)(value >> (8 * i));
        add_bytes(b, &byte, 1);
    }
}

static void add_number(struct bytes *b, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    add_u64(b, bits);
}

static struct bytes file_of(const char *header, size_t length, const double *values)
{
    struct bytes b = { .size = 0 };
    add_u64(&b, length);
    add_bytes(&b, header, length);
    for (int i = 0; i < NUMBERS; i++)
        add_number(&b, values[i]);
    return b;
}

static void check_refused(const struct bytes *b, const char *phrase)
{
    pen_model *model = NULL;
    pen_error err;
    /* exact size, so that a memory checker detects a read past the end */
    unsigned char *const exact = check_allocate((int64_t)b->size, 1);

    memcpy(exact, b->data, b->size);
    CHECK_STATUS(pen_model_from_bytes(exact, b->size, &model, &err), PEN_BAD_FORMAT, phrase, &err);
    assert_null(model);
    free(exact);
}

static void check_header_refused(const char *header, const char *phrase)
{
    const struct bytes b = file_of(header, strlen(header), numbers);
    check_refused(&b, phrase);
}

static void check_accepted(const char *header)
{
    const struct bytes b = file_of(header, strlen(header), numbers);
    pen_model *model = NULL;
    pen_error err;

    CHECK_OK(pen_model_from_bytes(b.data, b.size, &model, &err), &err);
    pen_model_free(model);
}

/* The text with the first occurrence of `from` replaced. */
static void replace(const char *text, const char *from, const char *to, char *out, size_t size)
{
    const char *const at = strstr(text, from);
    CHECK(at, "there is no %s in %s", from, text);
    snprintf(out, size, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

static void check_refused_with(const char *from, const char *to, const char *phrase)
{
    char header[8192];
    replace(WHOLE, from, to, header, sizeof header);
    check_header_refused(header, phrase);
}

static void check_accepted_with(const char *from, const char *to)
{
    char header[8192];
    replace(WHOLE, from, to, header, sizeof header);
    check_accepted(header);
}

/* ---- the checksum ---- */

static const char *temporary(void)
{
    static char path[64];
    snprintf(path, sizeof path, "/tmp/penumbra-model-%ld.pen", (long)getpid());
    return path;
}

static pen_model *fit_small(void)
{
    static const double x[] = { 1, 2, 3, 5, 4, 9, 0, 1 };
    static const int32_t y[] = { 0, 1, 1, 0 };
    static const char *const names[] = { "first", "second \"class\" of \xC3\xA4" };
    const pen_data data = {
        .x = pen_dense(x, PEN_F64, 4, 2, 2), .labels = y, .class_names = names, .class_count = 2
    };
    pen_spec *spec;
    pen_model *model;
    pen_error err;

    CHECK_OK(pen_spec_new("pca", &spec, &err), &err);
    CHECK_OK(pen_fit(spec, &data, NULL, &model, &err), &err);
    pen_spec_free(spec);
    return model;
}

static struct bytes written(const pen_model *model)
{
    struct bytes b;
    pen_error err;

    CHECK_OK(pen_model_save(model, temporary(), &err), &err);
    FILE *const file = fopen(temporary(), "rb");
    assert_non_null(file);
    b.size = fread(b.data, 1, sizeof b.data, file);
    fclose(file);
    remove(temporary());
    return b;
}

/* The CRC-32 of all bytes, its own digits zeros, as Python's zlib would take it. */
static void a_written_file_has_its_checksum(void **state)
{
    pen_model *const model = fit_small();
    struct bytes b = written(model);
    char noted[80];
    (void)state;

    snprintf(noted, sizeof noted, "%s%.8s\"", CRC_START, (const char *)b.data + 8 + 26);
    assert_memory_equal(b.data + 8, noted, strlen(noted));
    memset(b.data + 8 + 26, '0', 8);
    snprintf(noted, sizeof noted, "%s%08lx\"", CRC_START,
             (unsigned long)pen_crc32(0, b.data, b.size));
    b = written(model);
    assert_memory_equal(b.data + 8, noted, strlen(noted));
    pen_model_free(model);
}

/* The number after the projection and the mean is a factor of a column. */
static void factors_are_not_negative(void **state)
{
    pen_model *const model = fit_small();
    struct bytes b = written(model);
    const model_file f = { b.data, b.size };
    (void)state;

    check_file_refused(model_file_with(&f, 4 + 2, -0.5), PEN_BAD_FORMAT,
                       "a scale must be >= 0, got -0.5");
    pen_model_free(model);
}

/* A kernel model with row steps, a classifier, means for gaps and a member, whose header a
 * prediction depends on as much as on its tensors. */
static pen_model *fit_whole(const sample *s)
{
    static const char *const texts[] = {
        "pca kernel=rbf row_steps=total:100,log1p,select:3 kernel_landmarks=4 dim=2 "
        "classifier=nearest "
        "temperature=2",
        "fda ridge=1 row_steps=idf classifier=lda",
    };
    static const double fill[] = { 1, 2, 3, 4, 5 };
    pen_model *parts[2];
    pen_data data = sample_data(s);

    data.fill = fill;
    for (int i = 0; i < 2; i++)
        parts[i] = fit_data(texts[i], &data);
    pen_model *const out = joined((const pen_model *const *)parts, 2);
    pen_model_free(parts[0]);
    pen_model_free(parts[1]);
    return out;
}

/* The embeddings and the probabilities of the rows. */
static void answers_of(const pen_model *model, const sample *s, double *z, double *p)
{
    const pen_array x = pen_dense(s->x, PEN_F64, s->n, s->d, s->d);
    int32_t classes[64];
    pen_error err;

    CHECK_OK(pen_transform(model, &x, NULL, PEN_F64, z, 2, &err), &err);
    CHECK_OK(pen_predict(model, &x, NULL, classes, p, NULL, &err), &err);
}

static void every_flipped_bit_is_detected(void **state)
{
    pen_rng rng = check_rng(907);
    sample s = sample_random(&rng, 12, 5, 2, 12);
    double z[2][64], p[2][64];
    size_t size, accepted = 0;
    pen_error err;
    (void)state;

    for (int64_t i = 0; i < s.n * s.d; i++)
        s.x[i] = fabs(s.x[i]);
    pen_model *const model = fit_whole(&s);
    unsigned char *const bytes = model_bytes(model, &size);
    s.x[7] = (double)NAN; /* a mean of the fit takes its place */
    answers_of(model, &s, z[0], p[0]);
    for (size_t bit = 0; bit < 8 * size; bit++) {
        pen_model *changed = NULL;
        bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        if (pen_model_from_bytes(bytes, size, &changed, &err) == PEN_OK) {
            accepted++;
            answers_of(changed, &s, z[1], p[1]);
            CHECK(memcmp(z[0], z[1], (size_t)(2 * s.n) * sizeof(double)) == 0
                      && memcmp(p[0], p[1], (size_t)(2 * s.n) * sizeof(double)) == 0,
                  "bit %zu of %zu is flipped, and predictions are others", bit, 8 * size);
        }
        pen_model_free(changed);
        bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
    /* the name of the checksum: the file is one without it */
    CHECK(accepted > 0 && accepted <= 8 * strlen("crc32"), "%zu flipped bits", accepted);
    free(bytes);
    pen_model_free(model);
    sample_free(&s);
}

static void the_message_names_the_file(void **state)
{
    pen_model *const model = fit_small();
    pen_model *again = NULL;
    struct bytes b = written(model);
    pen_error err;
    (void)state;

    b.data[b.size - 1] ^= 1;
    FILE *const file = fopen(temporary(), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(b.data, 1, b.size, file), b.size);
    assert_int_equal(fclose(file), 0);
    CHECK_STATUS(pen_model_load(temporary(), &again, &err), PEN_BAD_FORMAT,
                 "damaged: the CRC-32 of its ", &err);
    CHECK(strncmp(err.message, temporary(), strlen(temporary())) == 0, "%s", err.message);
    remove(temporary());
    pen_model_free(model);
}

/* Files of version 0.1.0 have one of their tensors. */
static void checksums_as_they_may_be_written(void **state)
{
    static const char *const bad[] = { "\"\"",
                                       "\"crc32:\"",
                                       "\"crc32:1234567\"",
                                       "\"crc32:123456789\"",
                                       "\"crc32:1234567G\"",
                                       "\"CRC32:12345678\"",
                                       "\"sha256:12345678\"",
                                       "305419896",
                                       "null",
                                       "[]" };
    const struct bytes b = file_of(WHOLE, strlen(WHOLE), numbers);
    char member[80];
    (void)state;

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        snprintf(member, sizeof member, "%s,\"checksum\":%s", INFO, bad[i]);
        check_refused_with(INFO, member, "damaged: the checksum of the tensors is crc32:");
    }
    const unsigned long crc = pen_crc32(0, b.data + b.size - 8 * NUMBERS, 8 * NUMBERS);
    snprintf(member, sizeof member, "%s,\"checksum\":\"crc32:%08lx\"", INFO, crc);
    check_accepted_with(INFO, member);
    snprintf(member, sizeof member, "%s,\"checksum\":\"crc32:%08lx\"", INFO, crc ^ 1);
    check_refused_with(INFO, member, "damaged: the checksum of the tensors is crc32:");
}

/* pen_model_to_bytes gives the bytes of the file, and a model of them the same embedding. */
static void check_in_memory(const pen_model *model, const struct bytes *file, const sample *s)
{
    const int64_t k = pen_model_dim(model);
    const pen_array x = pen_dense(s->x, PEN_F64, s->n, s->d, s->d);
    double *const z = check_allocate(2 * s->n * k, sizeof *z);
    pen_model *again;
    pen_error err;
    size_t size;
    void *bytes;

    CHECK_OK(pen_model_to_bytes(model, &bytes, &size, &err), &err);
    CHECK(size == file->size && memcmp(bytes, file->data, size) == 0,
          "%s: other bytes than in the file", model_text(model, "method"));
    CHECK_OK(pen_model_from_bytes(bytes, size, &again, &err), &err);
    pen_free(bytes);
    CHECK_OK(pen_transform(model, &x, NULL, PEN_F64, z, k, &err), &err);
    CHECK_OK(pen_transform(again, &x, NULL, PEN_F64, z + s->n * k, k, &err), &err);
    assert_memory_equal(z, z + s->n * k, (size_t)(s->n * k) * sizeof *z);
    pen_model_free(again);
    free(z);
}

/* The metadata of a fit can be read back, for every method. */
static void models_of_all_methods(void **state)
{
    pen_rng rng = check_rng(901);
    sample s = sample_random(&rng, 40, 4, 3, 24);
    (void)state;

    for (int64_t m = 0; pen_method_at(m); m++) {
        pen_model *const model = fit_sample(pen_method_at(m)->name, &s), *again;
        const struct bytes b = written(model);
        pen_error err;
        CHECK_OK(pen_model_from_bytes(b.data, b.size, &again, &err), &err);
        assert_string_equal(pen_model_info(again), pen_model_info(model));
        check_in_memory(model, &b, &s);
        assert_memory_equal(pen_model_tensor(again, "projection").values,
                            pen_model_tensor(model, "projection").values,
                            (size_t)(4 * pen_model_dim(model)) * sizeof(double));
        pen_model_free(again);
        pen_model_free(model);
    }
    sample_free(&s);
}

/* Written by version 0.1.0, which had no checksum. */
static void an_old_file(void **state)
{
    static const double rows[] = { 1.5, 2, 7, 5.5 },
                        embedded[] = { 0.36374532707520535, -0.3637453270752053,
                                       -0.5629927729806725, 0.5629927729806723 };
    const pen_array x = pen_dense(rows, PEN_F64, 2, 2, 2);
    pen_model *model;
    pen_error err;
    double z[4];
    int32_t classes[2];
    (void)state;

    CHECK_OK(pen_model_load(TEST_DATA "/model-0.1.0.pen", &model, &err), &err);
    CHECK_OK(pen_transform(model, &x, NULL, PEN_F64, z, 2, &err), &err);
    for (int i = 0; i < 4; i++)
        CHECK_CLOSE(z[i], embedded[i], 1e-12, 0);
    CHECK_OK(pen_predict(model, &x, NULL, classes, NULL, NULL, &err), &err);
    assert_int_equal(classes[0], 0);
    assert_int_equal(classes[1], 1);
    assert_string_equal(pen_model_class_name(model, 1), "b");
    assert_string_equal(pen_model_column_name(model, 0), "length");
    pen_model_free(model);
}

/* Written by version 0.1.0, of two methods, of which the second learned from the embedding of the
 * first: a projection as any other. */
static void an_old_file_of_two_methods(void **state)
{
    static const double rows[] = { 1, 2, 6, 2, 3, 8 },
                        embedded[] = { -5.51882433771235, 6.939341609564489, -3.376592502505894 };
    const pen_array x = pen_dense(rows, PEN_F64, 3, 2, 2);
    pen_model *model;
    pen_error err;
    double z[3], p[6];
    int32_t classes[3];
    (void)state;

    CHECK_OK(pen_model_load(TEST_DATA "/chain-0.1.0.pen", &model, &err), &err);
    assert_string_equal(model_text(model, "method"), "self:rca");
    CHECK_OK(pen_transform(model, &x, NULL, PEN_F64, z, 1, &err), &err);
    CHECK_OK(pen_predict(model, &x, NULL, classes, p, NULL, &err), &err);
    for (int i = 0; i < 3; i++) {
        CHECK_CLOSE(z[i], embedded[i], 1e-12, 0);
        assert_int_equal(classes[i], i == 1);
    }
    CHECK_CLOSE(p[5], 3.75421788985337e-29, 0, 1e-9);
    assert_true(model_number(model, "parameters.self.beta") == 0.5);
    pen_model_free(model);
}

/* ---- JSON ---- */

static void duplicate_keys(void **state)
{
    (void)state;
    check_accepted(WHOLE);
    check_refused_with(MEAN, MEAN "," MEAN, "its header has the key \"mean\" twice");
    check_refused_with(METADATA, METADATA "," METADATA,
                       "its header has the key \"__metadata__\" twice");
    check_refused_with("\"shape\":[2]", "\"shape\":[2],\"shape\":[2]",
                       "its header has the key \"shape\" twice");
    check_refused_with("\"dtype\":\"F64\"", "\"dtype\":\"F64\",\"dtype\":\"F64\"",
                       "its header has the key \"dtype\" twice");
    check_refused_with(INFO, INFO "," INFO, "its header has the key \"info\" twice");
    check_refused_with(INFO, INFO ",\"x\":\"1\",\"y\":\"2\",\"x\":\"3\"",
                       "its header has the key \"x\" twice");
    /* the same key, escaped */
    check_refused_with(INFO, "\"info\":\"{}\",\"\\u0069nfo\":\"{}\"",
                       "its header has the key \"info\" twice");
    check_refused_with(
        PARAMETERS,
        "\"parameters\":\"{\\\"normalize\\\":\\\"none\\\",\\\"normalize\\\":\\\"l2\\\"}\"",
        "metadata \"parameters\" has the key \"normalize\" twice");
    check_refused_with(INFO, INFO ",\"reading\":\"[1]\"",
                       "reading must be a JSON object of values and lists of values");
    check_refused_with(INFO, INFO ",\"reading\":\"{\\\"drop\\\":[[1]]}\"",
                       "reading must be a JSON object of values and lists of values");
    check_refused_with(INFO, INFO ",\"reading\":\"{drop}\"", "reading is not valid JSON");
    check_refused_with(INFO, "\"info\":\"{\\\"a\\\":[{\\\"b\\\":1,\\\"b\\\":2}]}\"",
                       "metadata \"info\" has the key \"b\" twice");
    check_accepted_with(
        INFO, "\"info\":\"{\\\"a\\\":[{\\\"b\\\":1},{\\\"b\\\":2}],\\\"b\\\":3,\\\"B\\\":4}\"");
}

static void strings_with_nul(void **state)
{
    static const char with_nul[] =
        "{\"a\0b\":1," METADATA "," PROJECTION "," MEAN "," EIGENVALUES "," BIAS "}";
    const struct bytes b = file_of(with_nul, sizeof with_nul - 1, numbers);
    (void)state;

    check_refused(&b, "its header has a NUL in a string");
    check_refused_with("hand-made", "hand\\u0000made", "its header has a NUL in a string");
    check_refused_with(CLASSES, "\"class_names\":\"[\\\"a\\\\u0000b\\\"]\"",
                       "metadata \"class_names\" has a NUL in a string");
    /* a backslash and five characters, no escape */
    check_accepted_with(CLASSES, "\"class_names\":\"[\\\"a\\\\\\\\u0000b\\\"]\"");
    check_accepted_with(CLASSES, "\"class_names\":\"[\\\"\\\\u00e4\\\\ud83d\\\\ude00\\\"]\"");
}

static void malformed_strings(void **state)
{
    (void)state;
    check_refused_with(CLASSES, "\"class_names\":\"[\\\"\\\\ud800\\\"]\"",
                       "metadata \"class_names\" is not valid JSON");
    check_refused_with(CLASSES, "\"class_names\":\"[\\\"\\\\udc00x\\\"]\"",
                       "metadata \"class_names\" is not valid JSON");
    check_refused_with(CLASSES, "\"class_names\":\"[\\\"\\\\ud800\\\\u0041\\\"]\"",
                       "metadata \"class_names\" is not valid JSON");
    check_refused_with("hand-made", "\\ud800", "its header is not valid JSON");
    check_refused_with("hand-made", "\xFF", "its header is not in UTF-8");
    check_refused_with("hand-made", "\xC3", "its header is not in UTF-8");
    /* NUL as two bytes */
    check_refused_with("hand-made", "\xC0\x80", "its header is not in UTF-8");
    /* half of a surrogate pair */
    check_refused_with("hand-made", "\xED\xA0\x80", "its header is not in UTF-8");
    check_refused_with("hand-made", "\xF4\x90\x80\x80", "its header is not in UTF-8");
    check_header_refused(WHOLE "\xE2\x82", "its header is not in UTF-8"); /* truncated */
    check_accepted_with("hand-made", "\xE2\x82\xAC\xF0\x9F\x98\x80");
    check_refused_with(CLASSES, "\"class_names\":\"[\\\"a\\\"] x\"",
                       "metadata \"class_names\" is not valid JSON");
    check_refused_with(CLASSES, "\"class_names\":\"[1]\"", "must be a list of strings");
    check_refused_with(CLASSES, "\"class_names\":\"{}\"", "must be a list of strings");
    check_header_refused(WHOLE "]", "its header is not valid JSON");
    check_header_refused(WHOLE WHOLE, "its header is not valid JSON");
    check_accepted(WHOLE "   ");
}

/* Deeper nesting than the stack allows. */
static void deep_nesting(void **state)
{
    enum { DEPTH = 20000 };
    char *const deep = check_allocate(2 * DEPTH + 3000, 1);
    (void)state;

    for (int pairs = 0; pairs < 2; pairs++) {
        const size_t from = (size_t)sprintf(deep, "{\"a\":");
        memset(deep + from, '[', DEPTH);
        memset(deep + from + DEPTH, ']', DEPTH);
        strcpy(deep + from + (pairs ? 2 : 1) * DEPTH, pairs ? "," METADATA "}" : "");
        check_header_refused(deep, "its header is not valid JSON");
    }
    free(deep);
}

/* ---- missing and inconsistent tensors ---- */

static void inconsistent_shapes(void **state)
{
    static const char *const shapes[] = { "[-2,1]",
                                          "[0,1]",
                                          "[2,0]",
                                          "[2.5,1]",
                                          "[4294967296,4294967296]",
                                          "[1152921504606846976,16]",
                                          "[3,2]",
                                          "[9007199254740993,1]",
                                          "[1e308,1e308]",
                                          "[1e999,1]",
                                          "[null,1]",
                                          "[\"2\",1]",
                                          "[2]",
                                          "[2,1,1]",
                                          "[]",
                                          "2",
                                          "{\"0\":2,\"1\":1}",
                                          "[true,true]" };
    char to[80];
    (void)state;

    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        snprintf(to, sizeof to, "\"shape\":%s", shapes[i]);
        check_refused_with("\"shape\":[2,1]", to, "tensor \"projection\"");
    }
    check_refused_with("\"shape\":[2,1]", "\"shape\":[1,2]",
                       "the shapes of the tensors are inconsistent");
}

static void inconsistent_offsets(void **state)
{
    static const char *const offsets[] = { "[-16,0]",
                                           "[16,0]",
                                           "[0,17]",
                                           "[0,15]",
                                           "[0,8]",
                                           "[0.5,16.5]",
                                           "[40,56]",
                                           "[0]",
                                           "[0,16,0]",
                                           "[0,null]",
                                           "[1e300,1e300]",
                                           "[-8,8]",
                                           "[18446744073709551600,18446744073709551616]",
                                           "[9223372036854775792,9223372036854775808]",
                                           "\"0,16\"" };
    char to[120];
    (void)state;

    for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
        snprintf(to, sizeof to, "\"data_offsets\":%s", offsets[i]);
        check_refused_with(
            "\"data_offsets\":[0,16]", to,
            "tensor \"projection\" must have data_offsets that match its shape and the file");
    }
    check_refused_with("\"data_offsets\":[16,32]", "\"data_offsets\":[8,24]",
                       "the tensors overlap");
    check_refused_with("\"data_offsets\":[16,32]", "\"data_offsets\":[0,16]",
                       "the tensors overlap");
    check_refused_with("," EIGENVALUES, "", "expected 40 bytes of tensors, got 48"); /* a gap */
    check_refused_with("," BIAS, "", "expected 40 bytes of tensors, got 48");
    check_refused_with("," MEAN, "", "it has no tensor \"mean\"");
    check_refused_with("," BIAS,
                       ",\"more\":{\"dtype\":\"F64\",\"shape\":[1],\"data_offsets\":[40,48]}",
                       "this file has others");
}

/* Any order in the file is valid: the offsets define the positions. */
static void tensors_in_another_order(void **state)
{
    static const char other[] =
        "{\"bias\":{\"dtype\":\"F64\",\"shape\":[1],\"data_offsets\":[0,8]},"
        "\"mean\":{\"dtype\":\"F64\",\"shape\":[2],\"data_offsets\":[32,48]}," METADATA ","
        "\"projection\":{\"dtype\":\"F64\",\"shape\":[2,1],\"data_offsets\":[8,24]},"
        "\"eigenvalues\":{\"dtype\":\"F64\",\"shape\":[1],\"data_offsets\":[24,32]}}";
    const struct bytes b = file_of(other, strlen(other), numbers);
    pen_model *model;
    pen_error err;
    (void)state;

    CHECK_OK(pen_model_from_bytes(b.data, b.size, &model, &err), &err);
    CHECK_CLOSE(pen_model_tensor(model, "bias").values[0], numbers[0], 0, 0);
    CHECK_CLOSE(pen_model_tensor(model, "projection").values[1], numbers[2], 0, 0);
    CHECK_CLOSE(pen_model_tensor(model, "eigenvalues").values[0], numbers[3], 0, 0);
    CHECK_CLOSE(pen_model_tensor(model, "mean").values[0], numbers[4], 0, 0);
    pen_model_free(model);
}

static void unsupported_types(void **state)
{
    static const char *const types[] = { "F32", "I64", "f64", "F64 ", "", "BF16" };
    char to[40];
    (void)state;

    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        snprintf(to, sizeof to, "\"dtype\":\"%s\"", types[i]);
        check_refused_with("\"dtype\":\"F64\"", to, "tensor \"projection\" must be of dtype F64");
    }
    check_refused_with("\"dtype\":\"F64\"", "\"dtype\":64",
                       "tensor \"projection\" must be of dtype F64");
    check_refused_with("\"dtype\":\"F64\",", "", "tensor \"projection\" must be of dtype F64");
}

static void invalid_numbers(void **state)
{
    static const char *const owner[NUMBERS] = { "projection", "projection",  "mean",
                                                "mean",       "eigenvalues", "bias" };
    const double bad[] = { (double)NAN, (double)INFINITY, -(double)INFINITY };
    char phrase[80];
    (void)state;

    for (int i = 0; i < NUMBERS; i++)
        for (int j = 0; j < 3; j++) {
            double values[NUMBERS];
            memcpy(values, numbers, sizeof values);
            values[i] = bad[j];
            const struct bytes b = file_of(WHOLE, strlen(WHOLE), values);
            snprintf(phrase, sizeof phrase, "tensor \"%s\" has a value that is not finite",
                     owner[i]);
            check_refused(&b, phrase);
        }
}

static void classes_and_biases(void **state)
{
    (void)state;
    check_refused_with(CLASSES, "\"class_names\":\"[]\"",
                       "expected a bias for each of 0 classes, got 1");
    check_refused_with(CLASSES, "\"class_names\":\"[\\\"a\\\",\\\"b\\\"]\"",
                       "expected a bias for each of 2 classes, got 1");
    check_refused_with(INFO, INFO ",\"column_names\":\"[\\\"a\\\"]\"",
                       "expected 2 column names, got 1");
    check_refused_with(INFO, INFO ",\"column_names\":\"[\\\"a\\\",\\\"b\\\",\\\"c\\\"]\"",
                       "expected 2 column names, got 3");
    check_refused_with(INFO, INFO ",\"column_names\":\"[\\\"a\\\",2]\"",
                       "metadata \"column_names\" must be a list of strings");
}

/* A file of version 0.1.0, as it was written for columns of words. */
static void columns_of_words(void **state)
{
    (void)state;
    check_refused_with("\"format\":\"1\"",
                       "\"format\":\"2\",\"needs\":\"[\\\"one_hot\\\"]\",\"one_hot\":\"[{"
                       "\\\"column\\\":\\\"sky\\\",\\\"first\\\":0,\\\"categories\\\":["
                       "\\\"rain\\\",\\\"sun\\\"]}]\"",
                       "the model is of columns of words: fit it again, to what python -m "
                       "penumbra.convert FILE --one-hot COLUMNS writes");
}

/* ---- headers of another length ---- */

static void headers_of_wrong_length(void **state)
{
    static const uint64_t lengths[] = {
        UINT64_MAX, UINT64_MAX - 7, (uint64_t)1 << 63, ((uint64_t)1 << 63) - 1, (uint64_t)1 << 32,
        100000001,  60000
    };
    struct bytes b = file_of(WHOLE, strlen(WHOLE), numbers);
    (void)state;

    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        for (int j = 0; j < 8; j++)
            b.data[j] = (unsigned char)(lengths[i] >> (8 * j));
        check_refused(&b, "its header does not fit a file of");
    }
    b = file_of(WHOLE, strlen(WHOLE), numbers);
    add_bytes(&b, "", 1);
    check_refused(&b, "expected 48 bytes of tensors, got 49");
    for (b.size = 0; b.size < 8 + strlen(WHOLE) + 8 * NUMBERS; b.size++)
        check_refused(&b, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_written_file_has_its_checksum),
        cmocka_unit_test(factors_are_not_negative),
        cmocka_unit_test(every_flipped_bit_is_detected),
        cmocka_unit_test(the_message_names_the_file),
        cmocka_unit_test(checksums_as_they_may_be_written),
        cmocka_unit_test(models_of_all_methods),
        cmocka_unit_test(an_old_file),
        cmocka_unit_test(an_old_file_of_two_methods),
        cmocka_unit_test(duplicate_keys),
        cmocka_unit_test(strings_with_nul),
        cmocka_unit_test(malformed_strings),
        cmocka_unit_test(deep_nesting),
        cmocka_unit_test(inconsistent_shapes),
        cmocka_unit_test(inconsistent_offsets),
        cmocka_unit_test(tensors_in_another_order),
        cmocka_unit_test(unsupported_types),
        cmocka_unit_test(invalid_numbers),
        cmocka_unit_test(classes_and_biases),
        cmocka_unit_test(columns_of_words),
        cmocka_unit_test(headers_of_wrong_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
