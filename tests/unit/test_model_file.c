/* test_model_file.c - refused model files: inconsistent tensors, duplicate keys, false entries,
 * damage; and files of version 0.1.0. */
#include "kit/folder.h"
#include "kit/joined.h"
#include "kit/model_bytes.h"

#include "core/checksum.h"

/* A model of one dimension, and one whose class scores become probabilities. */
enum { PLAIN, SHARES, FILES, IN_PLAIN = 6, IN_SHARES = 19 };

#define TENSOR(name, shape, offsets)                                                               \
    "'" name "':{'dtype':'F64','shape':" shape ",'data_offsets':" offsets "}"
#define PARAMETERS "'parameters':'{`normalize`:`none`}'"
#define INFO       "'info':'{}'"
#define CLASSES    "'class_names':'[`a`]'"
#define METADATA                                                                                   \
    "'__metadata__':{'format':'1','method':'hand-made'," PARAMETERS "," INFO "," CLASSES "}"
#define PROJECTION  TENSOR("projection", "[2,1]", "[0,16]")
#define MEAN        TENSOR("mean", "[2]", "[16,32]")
#define EIGENVALUES TENSOR("eigenvalues", "[1]", "[32,40]")
#define BIAS        TENSOR("bias", "[1]", "[40,48]")

#define NEEDS  "'needs':'[`class_mass`]'"
#define BIASES TENSOR("bias", "[3]", "[80,104]")
#define MASSES TENSOR("class_mass", "[2,3]", "[104,152]")

static const char *const headers[FILES] = {
    "{" METADATA "," PROJECTION "," MEAN "," EIGENVALUES "," BIAS "}",
    "{'__metadata__':{'format':'2'," NEEDS ",'method':'hand-made'," PARAMETERS "," INFO
    ",'class_names':'[`a`,`b`,`c`]'}," TENSOR("projection", "[2,3]", "[0,48]") "," TENSOR(
        "mean", "[2]", "[48,64]") "," TENSOR("scale", "[2]", "[64,80]") "," BIASES "," MASSES "}",
};
static const double in_plain[IN_PLAIN] = { 0.5, -2, 3, 1e-300, 7, 0.125 },
                    in_shares[IN_SHARES] = { 1, 2,   0, -1, 0.5, 3,   2,   1,   1,  2,
                                             0, 0.5, 1, 20, 3,   0.5, 0.5, 0.3, 0.2 };
static model_file files[FILES];
static char *path; /* of a file that a test writes */

static int set_up(void **state)
{
    files[PLAIN] = model_file_of(headers[PLAIN], IN_PLAIN, in_plain);
    files[SHARES] = model_file_of(headers[SHARES], IN_SHARES, in_shares);
    if (folder_make(state) != 0)
        return -1;
    path = in_folder("model.pen");
    return 0;
}

GROUP(set_up, folder_remove);

/* General JSON rules: test_json.c. */
TEST(metadata)
{
    static const char reading[] = "reading must be a JSON object of values and lists of values",
                      others[] = "this file has others",
                      strings[] = "metadata \"needs\" must be a list of strings";
    static const file_change changes[] = {
        { PLAIN, MEAN, MEAN, FINE, NULL },
        { SHARES, MASSES, MASSES, FINE, NULL },
        { PLAIN, BIAS "}", BIAS "}   ", FINE, NULL },
        { PLAIN, BIAS "}", BIAS "}]", BAD, "its header is not valid JSON" },
        { PLAIN, BIAS "}", BIAS "}\xE2\x82", BAD, "its header is not in UTF-8" },
        { PLAIN, "hand-made", "\xE2\x82\xAC\xF0\x9F\x98\x80", FINE, NULL },
        { PLAIN, "hand-made", "hand\\u0000made", BAD, "its header has a NUL in a string" },
        { PLAIN, MEAN, MEAN "," MEAN, BAD, "its header has the key \"mean\" twice" },
        { PLAIN, INFO, INFO ",'\\u0069nfo':'{}'", BAD, "its header has the key \"info\" twice" },
        { PLAIN, "`none`", "`none`,`normalize`:`l2`", BAD,
          "metadata \"parameters\" has the key \"normalize\" twice" },
        { PLAIN, INFO, "'info':'{`a`:[{`b`:1,`b`:2}]}'", BAD,
          "metadata \"info\" has the key \"b\" twice" },
        { PLAIN, INFO, "'info':'{`a`:[{`b`:1},{`b`:2}],`b`:3,`B`:4}'", FINE, NULL },
        { PLAIN, INFO, "'info':'[]'", BAD, "metadata \"info\" must be a JSON object" },
        { PLAIN, INFO, INFO ",'reading':'[1]'", BAD, reading },
        { PLAIN, INFO, INFO ",'reading':'{`drop`:[[1]]}'", BAD, reading },
        { PLAIN, INFO, INFO ",'reading':'{drop}'", BAD, "reading is not valid JSON" },
        { PLAIN, "[`a`]", "[`a\\\\u0000b`]", BAD,
          "metadata \"class_names\" has a NUL in a string" },
        /* a backslash and five characters, not an escape */
        { PLAIN, "[`a`]", "[`a\\\\\\\\u0000b`]", FINE, NULL },
        { PLAIN, "[`a`]", "[`\\\\u00e4\\\\ud83d\\\\ude00`]", FINE, NULL },
        { PLAIN, "[`a`]", "[`\\\\ud800`]", BAD, "metadata \"class_names\" is not valid JSON" },
        { PLAIN, "[`a`]", "[1]|{}", BAD, "must be a list of strings" },
        { PLAIN, "[`a`]", "[]", BAD, "expected a bias for each of 0 classes, got 1" },
        { PLAIN, "[`a`]", "[`a`,`b`]", BAD, "expected a bias for each of 2 classes, got 1" },
        { PLAIN, INFO, INFO ",'column_names':'[`a`]'", BAD, "expected 2 column names, got 1" },
        { PLAIN, INFO, INFO ",'column_names':'[`a`,`b`,`c`]'", BAD,
          "expected 2 column names, got 3" },
        { PLAIN, INFO, INFO ",'column_names':'[`a`,2]'", BAD,
          "metadata \"column_names\" must be a list of strings" },
        { PLAIN, "'method':'hand-made',", "", BAD, "its metadata has no \"method\"" },
        { PLAIN, "'1'", "'0'", BAD, "its format is \"0\"" },
        { PLAIN, "'1'", "'3'", NEWER, "model format 3 is newer than 2" },
        { SHARES, "'2'," NEEDS, "'1'", BAD, others },
        { SHARES, "," NEEDS, "", BAD, "its metadata has no \"needs\"" },
        { SHARES, NEEDS, "'needs':'[2]'", BAD, strings },
        { SHARES, NEEDS, "'needs':'{}'", BAD, strings },
        { SHARES, NEEDS, "'needs':'[]'", BAD, others },
        { SHARES, NEEDS, "'needs':'[`class_mass`,`magic`]'", NEWER,
          "the model needs \"magic\", which this version" },
        /* as version 0.1.0 wrote it for columns of words */
        { SHARES, NEEDS,
          "'needs':'[`one_hot`]','one_hot':'[{`column`:`sky`,`first`:0,`categories`:[`rain`,`sun`]}"
          "]'",
          BAD,
          "the model has columns of words; fit it again to the output of python -m "
          "penumbra.convert FILE --one-hot COLUMNS" },
    };

    check_file_changes(files, COUNT_OF(changes), changes);
}

TEST(tensors)
{
    static const char
        shape[] = "tensor \"projection\"",
        type[] = "tensor \"projection\" must be of dtype F64", overlap[] = "the tensors overlap",
        others[] = "this file has others",
        offsets[] =
            "tensor \"projection\" must have data_offsets that match its shape and the file",
        inconsistent[] = "the shapes of the tensors are inconsistent";
    static const file_change changes[] = {
        { PLAIN, "[2,1]", "[-2,1]|[0,1]|[2,0]|[2.5,1]|[3,2]|[2]|[2,1,1]|[]|2", BAD, shape },
        { PLAIN, "[2,1]", "[null,1]|['2',1]|{'0':2,'1':1}|[true,true]", BAD, shape },
        { PLAIN, "[2,1]", "[4294967296,4294967296]|[1152921504606846976,16]", BAD, shape },
        { PLAIN, "[2,1]", "[9007199254740993,1]|[1e308,1e308]|[1e999,1]", BAD, shape },
        { PLAIN, "[2,1]", "[1,2]", BAD, inconsistent },
        { PLAIN, "[0,16]", "[-16,0]|[16,0]|[0,17]|[0,15]|[0,8]|[40,56]|[-8,8]", BAD, offsets },
        { PLAIN, "[0,16]", "[0.5,16.5]|[0]|[0,16,0]|[0,null]|'0,16'", BAD, offsets },
        { PLAIN, "[0,16]", "[18446744073709551600,18446744073709551616]", BAD, offsets },
        { PLAIN, "[0,16]", "[9223372036854775792,9223372036854775808]", BAD, offsets },
        { PLAIN, "[0,16]", "[1e300,1e300]", BAD, offsets },
        { PLAIN, "[16,32]", "[8,24]|[0,16]", BAD, overlap },
        { PLAIN, "," EIGENVALUES, "", BAD, "expected 40 bytes of tensors, got 48" },
        { PLAIN, "," BIAS, "", BAD, "expected 40 bytes of tensors, got 48" },
        { PLAIN, "," MEAN, "", BAD, "it has no tensor \"mean\"" },
        { PLAIN, "'bias'", "'biases'", BAD, others },
        { PLAIN, BIAS, TENSOR("bias", "[1,1]", "[40,48]"), BAD,
          "tensor \"bias\" must have 1 dimensions" },
        { PLAIN, EIGENVALUES "," BIAS, TENSOR("bias", "[2]", "[32,48]"), BAD, inconsistent },
        { PLAIN, EIGENVALUES "," BIAS, TENSOR("eigenvalues", "[2]", "[32,48]"), BAD, inconsistent },
        /* offsets define the positions, in any order */
        { PLAIN, PROJECTION "," MEAN, MEAN "," PROJECTION, FINE, NULL },
        { PLAIN, "'F64'", "'F32'|'I64'|'f64'|'F64 '|''|64", BAD, type },
        { PLAIN, "'dtype':'F64',", "", BAD, type },
        { SHARES, "," MASSES, "", BAD, "it has no tensor \"class_mass\"" },
        { SHARES, "[2,3],'data_offsets':[104,", "[3,2],'data_offsets':[104,", BAD, inconsistent },
        { SHARES, "[2,3],'data_offsets':[104,", "[6],'data_offsets':[104,", BAD,
          "tensor \"class_mass\" must have 2 dimensions" },
        { SHARES, BIASES, TENSOR("eigenvalues", "[3]", "[80,104]"), BAD, inconsistent },
    };

    check_file_changes(files, COUNT_OF(changes), changes);
}

TEST(numbers)
{
    static const char *const owner[IN_PLAIN] = { "projection", "projection",  "mean",
                                                 "mean",       "eigenvalues", "bias" };
    static const char range[] = "the mass of a class must be in [1e-12, 1e+200], got",
                      no_number[] = "tensor \"class_mass\" has a value that is not finite";
    static const number_change changes[] = {
        { SHARES, 9, -0.5, "a scale must be >= 0, got -0.5" },
        { SHARES, 13, 0, range },
        { SHARES, 14, -3, range },
        { SHARES, 15, 1e201, range },
        { SHARES, 14, NAN, no_number },
        { SHARES, 16, 0, "the prior of a class must be > 0, got 0" },
        { SHARES, 17, 0.4, "the priors of the classes must sum to 1, got 1.1" },
    };
    char phrase[80];

    check_number_changes(files, COUNT_OF(changes), changes);
    for (size_t i = 0; i < IN_PLAIN; i++) {
        snprintf(phrase, sizeof phrase, "tensor \"%s\" has a value that is not finite", owner[i]);
        const number_change odd[] = { { PLAIN, i, NAN, phrase },
                                      { PLAIN, i, INFINITY, phrase },
                                      { PLAIN, i, -INFINITY, phrase } };
        check_number_changes(files, COUNT_OF(odd), odd);
    }
}

TEST(headers_of_wrong_length)
{
    static const uint64_t lengths[] = {
        UINT64_MAX, UINT64_MAX - 7, (uint64_t)1 << 63, ((uint64_t)1 << 63) - 1, (uint64_t)1 << 32,
        100000001,  60000
    };

    for (int64_t i = 0; i < COUNT_OF(lengths); i++) {
        model_file f = model_file_of(headers[PLAIN], IN_PLAIN, in_plain);
        for (int j = 0; j < 8; j++)
            f.bytes[j] = (unsigned char)(lengths[i] >> (8 * j));
        check_file_refused(f, PEN_BAD_FORMAT, "its header does not fit a file of");
    }
    check_file_refused(model_file_of(headers[PLAIN], IN_PLAIN + 1, in_shares), PEN_BAD_FORMAT,
                       "expected 48 bytes of tensors, got 56");
    for (size_t size = 0; size < files[PLAIN].size; size++)
        assert_false(check_file_parses(files[PLAIN].bytes, size));
}

/* The CRC-32 of all bytes, with zeros for its own digits, as computed by Python's zlib. */
TEST(a_written_file_has_its_checksum)
{
    pen_rng rng = check_rng(905);
    sample s = sample_random(&rng, 12, 5, 2, 12);
    const model_file f = model_file_fitted("pca", &s);
    char noted[80], found[80];

    snprintf(noted, sizeof noted, "%.*s", 8 + 27, (const char *)f.bytes + 8);
    memset(f.bytes + 8 + 26, '0', 8);
    snprintf(found, sizeof found, "%s%08lx\"", CRC_START,
             (unsigned long)pen_crc32(0, f.bytes, f.size));
    assert_string_equal(noted, found);
}

/* Files of version 0.1.0 have a checksum of their tensors only. */
TEST(checksums_as_they_may_be_written)
{
    const size_t size = 8 * IN_PLAIN;
    const unsigned long crc = pen_crc32(0, files[PLAIN].bytes + files[PLAIN].size - size, size);
    char right[80], wrong[80];
    const file_change changes[] = {
        { PLAIN, "'info'", right, FINE, NULL },
        { PLAIN, "'info'", wrong, BAD, "damaged: the checksum of the tensors is crc32:" },
        { PLAIN, "'info'",
          "'checksum':'','info'|'checksum':'crc32:1234567','info'|'checksum':'crc32:123456789','"
          "info'",
          BAD, "damaged: the checksum" },
        { PLAIN, "'info'",
          "'checksum':'crc32:1234567G','info'|'checksum':'CRC32:12345678','info'|'checksum':'"
          "sha256:12345678','info'",
          BAD, "damaged: the checksum" },
        { PLAIN, "'info'",
          "'checksum':305419896,'info'|'checksum':null,'info'|'checksum':[],'info'", BAD,
          "damaged: the checksum" },
    };

    snprintf(right, sizeof right, "'checksum':'crc32:%08lx','info'", crc);
    snprintf(wrong, sizeof wrong, "'checksum':'crc32:%08lx','info'", crc ^ 1);
    check_file_changes(files, COUNT_OF(changes), changes);
}

/* A kernel model with row steps, a classifier, means for gaps and an ensemble: predictions depend
 * on its header as much as on its tensors. */
static pen_model *fit_whole(const sample *s)
{
    static const double fill[] = { 1, 2, 3, 4, 5 };
    pen_data data = sample_data(s);
    data.fill = fill;
    pen_model *const parts[] = {
        fit_data("pca kernel=rbf row_steps=total:100,log1p,select:3 kernel_landmarks=4 dim=2 "
                 "classifier=nearest temperature=2",
                 &data),
        fit_data("fda ridge=1 row_steps=idf classifier=lda", &data),
    };
    return joined((const pen_model *const *)parts, 2);
}

/* Embeddings and probabilities of the rows. */
static void predictions_of(const pen_model *model, const sample *s, double out[2][24])
{
    const pen_array x = pen_dense(s->x, PEN_F64, s->n, s->d, s->d);
    pen_error err;

    CHECK_OK(pen_transform(model, &x, NULL, PEN_F64, out[0], 2, &err), &err);
    CHECK_OK(pen_predict(model, &x, NULL, NULL, out[1], NULL, &err), &err);
}

TEST(every_flipped_bit_is_detected)
{
    pen_rng rng = check_rng(907);
    sample s = sample_random(&rng, 12, 5, 2, 12);
    double before[2][24], after[2][24];
    size_t size, accepted = 0;
    pen_error err;

    for (int64_t i = 0; i < s.n * s.d; i++)
        s.x[i] = fabs(s.x[i]);
    pen_model *const model = fit_whole(&s);
    unsigned char *const bytes = model_bytes(model, &size);
    s.x[7] = (double)NAN; /* a mean of the fit replaces it */
    predictions_of(model, &s, before);
    for (size_t bit = 0; bit < 8 * size; bit++) {
        pen_model *changed = NULL;
        bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        if (pen_model_from_bytes(bytes, size, &changed, &err) == PEN_OK) {
            accepted++;
            predictions_of(changed, &s, after);
            CHECK(memcmp(before, after, sizeof before) == 0,
                  "flipping bit %zu of %zu changes predictions", bit, 8 * size);
        }
        pen_model_free(changed);
        bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
    /* the name of the checksum: the file counts as one without */
    CHECK(accepted > 0 && accepted <= 8 * strlen("crc32"), "%zu flipped bits", accepted);
}

/* For every method the file has the bytes of pen_model_to_bytes and gives the same model. */
TEST(models_of_all_methods)
{
    pen_rng rng = check_rng(901);
    sample s = sample_random(&rng, 40, 4, 3, 24);
    const pen_array x = pen_dense(s.x, PEN_F64, s.n, s.d, s.d);
    pen_error err;

    for (int64_t m = 0; pen_method_at(m); m++) {
        const char *const name = pen_method_at(m)->name;
        pen_model *const model = fit_sample(name, &s), *again;
        CHECK_OK(pen_model_save(model, path, &err), &err);
        CHECK_OK(pen_model_load(path, &again, &err), &err);
        check_same_model(model, again, name);
        assert_string_equal(pen_model_info(again), pen_model_info(model));
        double *const before = embedded(model, &x), *const after = embedded(again, &x);
        assert_memory_equal(before, after, (size_t)(s.n * pen_model_dim(model)) * sizeof *before);
        pen_model_free(again);
    }
}

/* Changing the last byte of a file gives an error that names the file. */
TEST(the_message_names_the_file)
{
    pen_rng rng = check_rng(908);
    sample s = sample_random(&rng, 12, 5, 2, 12);
    model_file f = model_file_fitted("pca", &s);
    FILE *const file = fopen(path, "wb");
    pen_model *model;
    pen_error err;

    f.bytes[f.size - 1] ^= 1;
    assert_true(file && fwrite(f.bytes, f.size, 1, file) == 1 && fclose(file) == 0);
    CHECK_STATUS(pen_model_load(path, &model, &err), PEN_BAD_FORMAT, "damaged: the CRC-32 of its ",
                 &err);
    CHECK(strncmp(err.message, path, strlen(path)) == 0, "%s", err.message);
}

/* Files of version 0.1.0, without a checksum of all bytes: a single method; and two methods, the
 * second fitted to the embedding of the first, which give an ordinary projection. */
TEST(old_files)
{
    static const double rows[] = { 1.5, 2, 7, 5.5 }, chained_rows[] = { 1, 2, 6, 2, 3, 8 },
                        z[] = { 0.36374532707520535, -0.3637453270752053, -0.5629927729806725,
                                0.5629927729806723 },
                        chained_z[] = { -5.51882433771235, 6.939341609564489, -3.376592502505894 };
    const struct {
        const char *path;
        pen_array x;
        const double *z;
        int32_t classes[3];
    } cases[] = {
        { TEST_DATA "/model-0.1.0.pen", pen_dense(rows, PEN_F64, 2, 2, 2), z, { 0, 1 } },
        { TEST_DATA "/chain-0.1.0.pen",
          pen_dense(chained_rows, PEN_F64, 3, 2, 2),
          chained_z,
          { 0, 1, 0 } },
    };
    pen_model *model[2];
    int32_t classes[3];
    double p[6];
    pen_error err;

    for (int i = 0; i < 2; i++) {
        CHECK_OK(pen_model_load(cases[i].path, &model[i], &err), &err);
        double *const found = embedded(model[i], &cases[i].x);
        for (int64_t e = 0; e < cases[i].x.rows * pen_model_dim(model[i]); e++)
            CHECK_CLOSE(found[e], cases[i].z[e], 1e-12, 0);
        CHECK_OK(pen_predict(model[i], &cases[i].x, NULL, classes, p, NULL, &err), &err);
        assert_memory_equal(classes, cases[i].classes, (size_t)cases[i].x.rows * sizeof *classes);
    }
    assert_string_equal(pen_model_class_name(model[0], 1), "b");
    assert_string_equal(pen_model_column_name(model[0], 0), "length");
    assert_string_equal(model_text(model[1], "method"), "self:rca");
    assert_true(model_number(model[1], "parameters.self.beta") == 0.5);
    CHECK_CLOSE(p[5], 3.75421788985337e-29, 0, 1e-9);
    pen_model_free(model[0]), pen_model_free(model[1]);
}
