/* test_classifier_file.c - model files of classifiers that are damaged, inconsistent, or from other
 * versions: refused with a reason, or a model that works. */
#include "kit/model_bytes.h"
#include "kit/voting.h"

#include <stdio.h>

enum { ROWS = 12, D = 3, LABELS = 8, CLASSES = 2 };

static model_file file_of(const char *text)
{
    pen_rng rng = check_rng(3601);
    sample s = sample_random(&rng, ROWS, D, CLASSES, LABELS);
    pen_model *const model = strstr(text, "classifier=none votes") /* which is no parameter */
                                 ? fit_voting("pca dim=2 classifier=none", &s, NULL, 3)
                                 : fit_sample(text, &s);
    model_file f;

    f.bytes = model_bytes(model, &f.size);
    pen_model_free(model);
    sample_free(&s);
    return f;
}

static const char *const texts[] = {
    "pca dim=2 classifier=nearest",
    "pca dim=2 classifier=neighbors:3",
    "pca dim=2 classifier=means temperature=4",
    "pca dim=2 classifier=lda",
    "pca dim=2 classifier=self-training",
    "pca dim=2 classifier=logistic temperature=0.5",
    "fme classifier=scores temperature=2",
    "pca dim=2 classifier=none votes",
    "pca dim=2 kernel=rbf kernel_landmarks=4 classifier=neighbors",
};
enum { NEAREST, NEIGHBORS, MEANS, LDA, SELF_TRAINING, LOGISTIC, SCORES, VOTES };

/* ---- what the header says ---- */

#define NAME(is, to) "\\\"name\\\":\\\"" is "\\\"", "\\\"name\\\":\\\"" to "\\\""

static void metadata(void **state)
{
    static const char object[] = "metadata \"classifier\" must be an object with a name",
                      newer[] = "which this version", tensors[] = "the tensors of the classifier ",
                      others[] = "this file has others",
                      divisor[] = "divisor must be a number in [",
                      temperature[] = "temperature must be a number in [",
                      neighbors[] = "metadata \"classifier\": neighbors must be a";
    static const struct {
        int which;
        const char *from, *to;
        pen_status code;
        const char *phrase;
    } cases[] = {
        { LDA, NAME("lda", "qda"), PEN_NEWER_FORMAT, "the model needs the classifier \"qda\"" },
        { LDA, NAME("lda", "auto"), PEN_NEWER_FORMAT, newer },
        { LDA, NAME("lda", "none"), PEN_NEWER_FORMAT, newer },
        { LDA, "\\\"name\\\":\\\"lda\\\"", "\\\"name\\\":4", PEN_BAD_FORMAT, object },
        { LDA, "\\\"name\\\":\\\"lda\\\"", "\\\"title\\\":\\\"lda\\\"", PEN_BAD_FORMAT, object },
        { LDA, "\"{\\\"name\\\":\\\"lda\\\"}\"", "\"[1]\"", PEN_BAD_FORMAT, object },
        { LDA, "\"{\\\"name\\\":\\\"lda\\\"}\"", "\"{\"", PEN_BAD_FORMAT, "is not valid JSON" },
        { LDA, "\"classifier\":\"{", "\"leader\":\"{", PEN_BAD_FORMAT, "has no \"classifier\"" },
        { LDA, "[\\\"classifier\\\"", "[\\\"classifier2\\\"", PEN_NEWER_FORMAT, "classifier2" },
        { LDA, "[\\\"classifier\\\",", "[", PEN_BAD_FORMAT, others },
        { LDA, "\"format\":\"2\"", "\"format\":\"1\"", PEN_BAD_FORMAT, others },
        { LDA, "[\\\"classifier\\\",", "[\\\"classifier\\\",\\\"class_mass\\\",", PEN_BAD_FORMAT,
          "no tensor \"class_mass\"" },
        { LDA, NAME("lda", "nearest"), PEN_BAD_FORMAT, divisor },
        { LDA, NAME("lda", "scores"), PEN_BAD_FORMAT, tensors },
        { NEAREST, NAME("nearest", "lda"), PEN_BAD_FORMAT, tensors },
        { NEAREST, NAME("nearest", "neighbors"), PEN_BAD_FORMAT, neighbors },
        { NEAREST, NAME("nearest", "means"), PEN_BAD_FORMAT, "width must be a number in [" },
        { MEANS, NAME("means", "lda"), PEN_BAD_FORMAT, tensors },
        { SCORES, NAME("scores", "lda"), PEN_BAD_FORMAT, tensors },
        { NEAREST, "\\\"divisor\\\":", "\\\"divisor\\\":-", PEN_BAD_FORMAT, divisor },
        { NEAREST, "\\\"divisor\\\":", "\\\"divisor\\\":0,\\\"d\\\":", PEN_BAD_FORMAT, divisor },
        { NEAREST, "\\\"divisor\\\":", "\\\"multiplier\\\":", PEN_BAD_FORMAT, divisor },
        { MEANS, "\\\"width\\\":", "\\\"width\\\":-", PEN_BAD_FORMAT,
          "width must be a number in [" },
        { MEANS, "\\\"temperature\\\":4}\"},", "\\\"temperature\\\":0}\"},", PEN_BAD_FORMAT,
          temperature },
        { MEANS, "\\\"temperature\\\":4}\"},", "\\\"temperature\\\":1e999}\"},", PEN_BAD_FORMAT,
          temperature },
        { MEANS, "\\\"temperature\\\":4}\"},", "\\\"temperature\\\":\\\"4\\\"}\"},", PEN_BAD_FORMAT,
          temperature },
        { NEIGHBORS, "\\\"neighbors\\\":3}", "\\\"neighbors\\\":0}", PEN_BAD_FORMAT, neighbors },
        { NEIGHBORS, "\\\"neighbors\\\":3}", "\\\"neighbors\\\":2.5}", PEN_BAD_FORMAT, neighbors },
        { NEIGHBORS, "\\\"neighbors\\\":3}", "\\\"voters\\\":3}", PEN_BAD_FORMAT, neighbors },
        { NEAREST, "\"classifier_rows\":{\"dtype\":\"F64\",\"shape\":[8,2]",
          "\"classifier_rows\":{\"dtype\":\"F64\",\"shape\":[4,4]", PEN_BAD_FORMAT, tensors },
        { NEAREST, "\"classifier_rows\":{\"dtype\":\"F64\",\"shape\":[8,2]",
          "\"classifier_rows\":{\"dtype\":\"F64\",\"shape\":[7,2]", PEN_BAD_FORMAT,
          "\"classifier_rows\"" },
        { NEAREST, "\"classifier_rows\":{\"dtype\":\"F64\"",
          "\"classifier_rows\":{\"dtype\":\"F32\"", PEN_BAD_FORMAT,
          "tensor \"classifier_rows\" must be of dtype F64" },
        { LDA, "\"classifier_weights\":{\"dtype\":\"F64\",\"shape\":[2,2]",
          "\"classifier_weights\":{\"dtype\":\"F64\",\"shape\":[4,1]", PEN_BAD_FORMAT, tensors },
        { LDA, "\"classifier_weights\":{", "\"classifier_weight\":{", PEN_BAD_FORMAT, others },
        { LDA, "\"classifier_bias\":{", "\"classifier_center\":{", PEN_BAD_FORMAT, tensors },
        { VOTES, NAME("neighbors", "nearest"), PEN_BAD_FORMAT, tensors },
        { VOTES, "\\\"classifier\\\",\\\"votes\\\"", "\\\"classifier\\\"", PEN_BAD_FORMAT,
          "tensor \"classifier_rows\" must be of dtype F64" },
        { VOTES, "\\\"classifier\\\",\\\"votes\\\"", "\\\"votes\\\"", PEN_BAD_FORMAT, others },
        { VOTES, "\\\"classifier\\\",\\\"votes\\\"", "\\\"classifier\\\",\\\"vote\\\"",
          PEN_NEWER_FORMAT, "needs \"vote\"" },
        { VOTES, "\"classifier_votes\":{\"dtype\":\"F32\"",
          "\"classifier_votes\":{\"dtype\":\"F64\"", PEN_BAD_FORMAT,
          "tensor \"classifier_votes\" must be of dtype F32" },
        { VOTES, "\"classifier_votes\":{\"dtype\":\"F32\",\"shape\":[12,2]",
          "\"classifier_votes\":{\"dtype\":\"F32\",\"shape\":[8,3]", PEN_BAD_FORMAT, tensors },
        { VOTES, "\"classifier_votes\":{", "\"classifier_vote\":{", PEN_BAD_FORMAT,
          "no tensor \"classifier_votes\"" },
        { NEIGHBORS, "[\\\"classifier\\\",", "[\\\"classifier\\\",\\\"votes\\\",", PEN_BAD_FORMAT,
          "tensor \"classifier_rows\" must be of dtype F32" },
        { LDA, "\"class_names\":\"[\\\"0\\\",\\\"1\\\"]\"", "\"class_names\":\"[\\\"0\\\"]\"",
          PEN_BAD_FORMAT, tensors },
        { LDA, "\"class_names\":\"[\\\"0\\\",\\\"1\\\"]\"",
          "\"class_names\":\"[\\\"0\\\",\\\"1\\\",\\\"2\\\"]\"", PEN_BAD_FORMAT, tensors },
        { MEANS, "\"class_names\":\"[\\\"0\\\",\\\"1\\\"]\"",
          "\"class_names\":\"[\\\"0\\\",\\\"1\\\",\\\"2\\\"]\"", PEN_BAD_FORMAT, tensors },
    };
    (void)state;

    for (int64_t i = 0; i < COUNT_OF(cases); i++) {
        const model_file f = file_of(texts[cases[i].which]);
        assert_true(check_file_parses(f.bytes, f.size));
        check_file_refused(model_file_changed(&f, cases[i].from, cases[i].to), cases[i].code,
                           cases[i].phrase);
        free(f.bytes);
    }
}

/* Affine classifiers have the same tensors: a name is a name. More voters than rows are all of
 * them. */
static void other_names(void **state)
{
    const model_file lda = file_of(texts[LDA]), votes = file_of(texts[NEIGHBORS]);
    const model_file changed[] = {
        model_file_changed(&lda, NAME("lda", "logistic")),
        model_file_changed(&lda, NAME("lda", "self-training")),
        model_file_changed(&votes, "\\\"neighbors\\\":3}", "\\\"neighbors\\\":1000000}"),
        model_file_changed(&votes, NAME("neighbors", "nearest")),
    };
    (void)state;

    for (int64_t i = 0; i < COUNT_OF(changed); i++) {
        assert_true(check_file_parses(changed[i].bytes, changed[i].size));
        free(changed[i].bytes);
    }
    free(lda.bytes), free(votes.bytes);
}

/* ---- the numbers ---- */

/* Two votes of a row, in the last eight bytes of the file. */
static void odd_votes(void)
{
    static const struct {
        float votes[2];
        const char *phrase;
    } cases[] = {
        { { 1.5F, -0.5F }, "a vote must be in [0, 1], got 1.5" },
        { { 0.5F, -0.5F }, "a vote must be in [0, 1], got -0.5" },
        { { 0, 0 }, "the votes of a row must sum to 1, got 0" },
        { { 1, 0.25F }, "the votes of a row must sum to 1, got 1.25" },
        { { NAN, 1 }, "tensor \"classifier_votes\" has a value that is not finite" },
        { { 0, 1 }, NULL },
    };
    const model_file f = file_of(texts[VOTES]);
    const size_t last = (f.size - 8 - model_file_header(&f)) / 8 - 1;

    for (int64_t i = 0; i < COUNT_OF(cases); i++) {
        double both;
        memcpy(&both, cases[i].votes, sizeof both);
        const model_file other = model_file_with(&f, last, both);
        if (cases[i].phrase) {
            check_file_refused(other, PEN_BAD_FORMAT, cases[i].phrase);
        } else {
            assert_true(check_file_parses(other.bytes, other.size));
            free(other.bytes);
        }
    }
    free(f.bytes);
}

static void numbers(void **state)
{
    /* projection, mean, deviation, eigenvalues, center, rows */
    const size_t classes = D * 2 + 2 * D + 2 + 2 + LABELS * 2;
    const model_file f = file_of(texts[NEAREST]);
    (void)state;

    check_file_refused(model_file_with(&f, classes, -1), PEN_BAD_FORMAT,
                       "a class of the classifier must be in [0, 1], got -1");
    check_file_refused(model_file_with(&f, classes + 1, CLASSES), PEN_BAD_FORMAT,
                       "a class of the classifier must be in [0, 1], got 2");
    check_file_refused(model_file_with(&f, classes + LABELS - 1, 0.5), PEN_BAD_FORMAT,
                       "a class of the classifier must be in [0, 1], got 0.5");
    check_file_refused(model_file_with(&f, classes - 1, NAN), PEN_BAD_FORMAT,
                       "tensor \"classifier_rows\" has a value that is not finite");
    free(f.bytes);
    odd_votes();
    for (int64_t t = 0; t < COUNT_OF(texts); t++) {
        const model_file whole = file_of(texts[t]);
        const size_t count = (whole.size - 8 - model_file_header(&whole)) / 8;
        for (size_t at = 0; at < count; at++) {
            static const double odd[] = { 0, -0.0, 1e308, -1e308, 5e-324, NAN };
            for (int64_t i = 0; i < COUNT_OF(odd); i++) {
                const model_file other = model_file_with(&whole, at, odd[i]);
                check_file_parses(other.bytes, other.size);
                free(other.bytes);
            }
        }
        free(whole.bytes);
    }
}

static void damage(void **state)
{
    (void)state;
    for (int64_t t = 0; t < COUNT_OF(texts); t++)
        check_file_damaged(file_of(texts[t]));
}

/* ---- which files say what they need ---- */

/* The text of the header, without NUL in it. */
static int header_has(const model_file *f, const char *text)
{
    const size_t length = model_file_header(f);
    char *const header = check_allocate((int64_t)length + 1, 1);

    memcpy(header, f->bytes + 8, length);
    const int found = strstr(header, text) != NULL;
    free(header);
    return found;
}

/* What version 0.1.0 reads as it is stays a file of format 1: a model without a classifier. */
static void formats(void **state)
{
    static const struct {
        const char *text, *has;
    } cases[] = {
        { "pca classifier=none", "\"format\":\"1\"" },
        { "pca", "\"needs\":\"[\\\"classifier\\\",\\\"typical\\\"]\"" },
        { "fme prior=none", "\"needs\":\"[\\\"typical\\\"]\"" },
        { "fme classifier=none", "\"format\":\"1\"" },
        { "fme", "\"needs\":\"[\\\"class_mass\\\",\\\"typical\\\"]\"" },
        { "fme temperature=2",
          "\"needs\":\"[\\\"class_mass\\\",\\\"classifier\\\",\\\"typical\\\"]\"" },
        { "fme prior=none temperature=2", "\"needs\":\"[\\\"classifier\\\",\\\"typical\\\"]\"" },
        { "fme classifier=lda", "\"needs\":\"[\\\"classifier\\\",\\\"typical\\\"]\"" },
        { "pca kernel=rbf", "\"needs\":\"[\\\"kernel\\\",\\\"classifier\\\",\\\"typical\\\"]\"" },
    };
    (void)state;

    for (int64_t i = 0; i < COUNT_OF(cases); i++) {
        const model_file f = file_of(cases[i].text);
        CHECK(header_has(&f, cases[i].has), "%s: no %s", cases[i].text, cases[i].has);
        free(f.bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(metadata), cmocka_unit_test(other_names), cmocka_unit_test(numbers),
        cmocka_unit_test(damage),   cmocka_unit_test(formats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
