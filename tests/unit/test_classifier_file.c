/* test_classifier_file.c - model files with classifiers and kernels that are damaged, inconsistent,
 * or of other versions: refused with a message, or usable. */
#include "kit/model_bytes.h"
#include "kit/voting.h"

#include <stdio.h>

enum { ROWS = 12, D = 3, LABELS = 8, CLASSES = 2, M = 4 };

static const char *const texts[] = {
    "pca dim=2 classifier=nearest",
    "pca dim=2 classifier=neighbors:3",
    "pca dim=2 classifier=means temperature=4",
    "pca dim=2 classifier=lda",
    "pca dim=2 classifier=self-training",
    "pca dim=2 classifier=logistic temperature=0.5",
    "fme classifier=scores temperature=2",
    "pca dim=2 classifier=none", /* by votes */
    "pca dim=2 kernel=rbf kernel_landmarks=4 classifier=neighbors",
    "fme kernel=rbf scale=standard kernel_landmarks=4",
    "self dim=2 kernel=precomputed kernel_landmarks=4", /* of kernel values */
};
enum {
    NEAREST,
    NEIGHBORS,
    MEANS,
    LDA,
    SELF_TRAINING,
    LOGISTIC,
    SCORES,
    VOTES,
    MAPPED,
    KERNEL,
    VALUES,
    FILES
};
static model_file files[FILES];

static int set_up(void **state)
{
    pen_rng rng = check_rng(3601);
    sample s = sample_random(&rng, ROWS, D, CLASSES, LABELS), kernel = sample_new(ROWS, ROWS);

    for (int i = 0; i < ROWS; i++)
        kernel.x[i * (ROWS + 1)] = 1 + (double)i / 8;
    memcpy(kernel.y, s.y, ROWS * sizeof *s.y);
    for (int i = 0; i < FILES; i++)
        if (i != VOTES)
            files[i] = model_file_fitted(texts[i], i == VALUES ? &kernel : &s);
    pen_model *const voting = fit_voting(texts[VOTES], &s, NULL, 3);
    files[VOTES].bytes = model_bytes(voting, &files[VOTES].size);
    return 0;
}

GROUP(set_up, NULL);

TEST(classifiers)
{
    static const char object[] = "metadata \"classifier\" must be an object with a name",
                      newer[] = "which this version", tensors[] = "the tensors of the classifier ",
                      others[] = "this file has others",
                      divisor[] = "divisor must be a number in [",
                      temperature[] = "temperature must be a number in [",
                      neighbors[] = "metadata \"classifier\": neighbors must be a";
    static const file_change changes[] = {
        { LDA, "`name`:`lda`", "`name`:`qda`", NEWER, "the model needs the classifier \"qda\"" },
        { LDA, "`name`:`lda`", "`name`:`auto`|`name`:`none`", NEWER, newer },
        { LDA, "`name`:`lda`", "`name`:4|`title`:`lda`", BAD, object },
        { LDA, "'{`name`:`lda`}'", "'[1]'", BAD, object },
        { LDA, "'{`name`:`lda`}'", "'{'", BAD, "is not valid JSON" },
        { LDA, "'classifier':'{", "'leader':'{", BAD, "has no \"classifier\"" },
        { LDA, "[`classifier`", "[`classifier2`", NEWER, "classifier2" },
        { LDA, "[`classifier`,", "[", BAD, others },
        { LDA, "'format':'2'", "'format':'1'", BAD, others },
        { LDA, "[`classifier`,", "[`classifier`,`class_mass`,", BAD, "no tensor \"class_mass\"" },
        { LDA, "`name`:`lda`", "`name`:`nearest`", BAD, divisor },
        { LDA, "`name`:`lda`", "`name`:`scores`", BAD, tensors },
        { NEAREST, "`name`:`nearest`", "`name`:`lda`", BAD, tensors },
        { NEAREST, "`name`:`nearest`", "`name`:`neighbors`", BAD, neighbors },
        { NEAREST, "`name`:`nearest`", "`name`:`means`", BAD, "width must be a number in [" },
        { MEANS, "`name`:`means`", "`name`:`lda`", BAD, tensors },
        { SCORES, "`name`:`scores`", "`name`:`lda`", BAD, tensors },
        { NEAREST, "`divisor`:", "`divisor`:-|`divisor`:0,`d`:|`multiplier`:", BAD, divisor },
        { MEANS, "`width`:", "`width`:-", BAD, "width must be a number in [" },
        { MEANS, "`temperature`:4}'},", "`temperature`:0}'},|`temperature`:1e999}'},", BAD,
          temperature },
        { MEANS, "`temperature`:4}'},", "`temperature`:`4`}'},", BAD, temperature },
        { NEIGHBORS, "`neighbors`:3}", "`neighbors`:0}|`neighbors`:2.5}|`voters`:3}", BAD,
          neighbors },
        { NEAREST, "'classifier_rows':{'dtype':'F64','shape':[8,2]",
          "'classifier_rows':{'dtype':'F64','shape':[4,4]", BAD, tensors },
        { NEAREST, "'classifier_rows':{'dtype':'F64','shape':[8,2]",
          "'classifier_rows':{'dtype':'F64','shape':[7,2]", BAD, "\"classifier_rows\"" },
        { NEAREST, "'classifier_rows':{'dtype':'F64'", "'classifier_rows':{'dtype':'F32'", BAD,
          "tensor \"classifier_rows\" must be of dtype F64" },
        { LDA, "'classifier_weights':{'dtype':'F64','shape':[2,2]",
          "'classifier_weights':{'dtype':'F64','shape':[4,1]", BAD, tensors },
        { LDA, "'classifier_weights':{", "'classifier_weight':{", BAD, others },
        { LDA, "'classifier_bias':{", "'classifier_center':{", BAD, tensors },
        { VOTES, "`name`:`neighbors`", "`name`:`nearest`", BAD, tensors },
        { VOTES, "`classifier`,`votes`", "`classifier`", BAD,
          "tensor \"classifier_rows\" must be of dtype F64" },
        { VOTES, "`classifier`,`votes`", "`votes`", BAD, others },
        { VOTES, "`classifier`,`votes`", "`classifier`,`vote`", NEWER, "needs \"vote\"" },
        { VOTES, "'classifier_votes':{'dtype':'F32'", "'classifier_votes':{'dtype':'F64'", BAD,
          "tensor \"classifier_votes\" must be of dtype F32" },
        { VOTES, "'classifier_votes':{'dtype':'F32','shape':[12,2]",
          "'classifier_votes':{'dtype':'F32','shape':[8,3]", BAD, tensors },
        { VOTES, "'classifier_votes':{", "'classifier_vote':{", BAD,
          "no tensor \"classifier_votes\"" },
        { NEIGHBORS, "[`classifier`,", "[`classifier`,`votes`,", BAD,
          "tensor \"classifier_rows\" must be of dtype F32" },
        { LDA, "'class_names':'[`0`,`1`]'", "'class_names':'[`0`]'|'class_names':'[`0`,`1`,`2`]'",
          BAD, tensors },
        { MEANS, "'class_names':'[`0`,`1`]'", "'class_names':'[`0`,`1`,`2`]'", BAD, tensors },
        /* affine classifiers have the same tensors, so any of their names is accepted */
        { LDA, "`name`:`lda`", "`name`:`logistic`|`name`:`self-training`", FINE, NULL },
        { NEIGHBORS, "`name`:`neighbors`", "`name`:`nearest`", FINE, NULL },
        /* more votes than rows mean all rows */
        { NEIGHBORS, "`neighbors`:3}", "`neighbors`:1000000}", FINE, NULL },
    };

    check_file_changes(files, COUNT_OF(changes), changes);
}

TEST(kernels)
{
    static const char inconsistent[] = "the shapes of the tensors are inconsistent",
                      columns[] = "metadata \"kernel\": columns must be a number in [1, ",
                      whole[] = "metadata \"kernel\": columns and degree must be whole numbers",
                      gamma[] = "metadata \"kernel\": gamma must be a number in [";
    static const file_change changes[] = {
        { KERNEL, "`name`:`rbf`", "`name`:`matern`", NEWER,
          "the model needs the kernel \"matern\", which this version" },
        { KERNEL, "`name`:`rbf`", "`name`:`none`", NEWER, "the model needs the kernel \"none\"" },
        { KERNEL, "`name`:`rbf`", "`name`:7", BAD,
          "metadata \"kernel\" must be an object with a name" },
        { KERNEL, "`name`:`rbf`", "`name`:`precomputed`", BAD, inconsistent },
        { KERNEL, "`columns`:3", "`columns`:4", BAD, inconsistent },
        { KERNEL, "`columns`:3", "`columns`:0|`columns`:1e300", BAD, columns },
        { KERNEL, "`columns`:3", "`columns`:3.5", BAD, whole },
        { KERNEL, "`columns`:3,", "", BAD, columns },
        { KERNEL, "`degree`:3", "`degree`:-1", BAD,
          "metadata \"kernel\": degree must be a number in [1, " },
        { KERNEL, "`degree`:3", "`degree`:1.5", BAD, whole },
        { KERNEL, "`coef0`:1}", "`coef0`:-1}", BAD,
          "metadata \"kernel\": coef0 must be a number in [0, " },
        { KERNEL, "`coef0`:1}", "`coef0`:1", BAD, "metadata \"kernel\" is not valid JSON" },
        { KERNEL, "`coef0`:1}", "`coef0`:1,`coef0`:1}", BAD,
          "metadata \"kernel\" has the key \"coef0\" twice" },
        { KERNEL, ",`columns`:3,`gamma`:", ",`columns`:3,`gamma`:-|,`columns`:3,`gamma`:0,`g`:",
          BAD, gamma },
        { KERNEL, "'kernel':'{", "'colonel':'{", BAD, "kernel" },
        { KERNEL, ",`kernel`", "", BAD, NULL },
        { KERNEL, ",`kernel`", ",`kernel`,`kernel2`", NEWER, "kernel2" },
        { KERNEL, "'format':'2'", "'format':'1'", BAD, NULL },
        { KERNEL, "'landmark_rows':{'dtype':'F64','shape':[4]",
          "'landmark_rows':{'dtype':'F64','shape':[3]", BAD, "tensor \"landmark_rows\"" },
        { KERNEL, "'landmarks':{'dtype':'F64','shape':[4,3]",
          "'landmarks':{'dtype':'F64','shape':[3,4]|'landmarks':{'dtype':'F64','shape':[12,1]", BAD,
          inconsistent },
        { KERNEL, "'landmarks':{", "'landmark':{", BAD, NULL },
        { KERNEL, "'kernel_origin':{", "'kernel_origins':{", BAD, NULL },
        { KERNEL, "'projection':{'dtype':'F64','shape':[4,2]",
          "'projection':{'dtype':'F64','shape':[2,4]", BAD, inconsistent },
        /* below the smallest normal number, for rows whose squared distances are nearly the
         * largest */
        { KERNEL, ",`columns`:3,`gamma`:", ",`columns`:3,`gamma`:1e-309,`g`:", FINE, NULL },
    };

    check_file_changes(files, COUNT_OF(changes), changes);
}

/* Two votes of a row, in the last eight bytes of the file. */
TEST(odd_votes)
{
    static const struct {
        float votes[2];
        pen_status code;
        const char *phrase;
    } cases[] = {
        { { 1.5F, -0.5F }, PEN_BAD_FORMAT, "a vote must be in [0, 1], got 1.5" },
        { { 0.5F, -0.5F }, PEN_BAD_FORMAT, "a vote must be in [0, 1], got -0.5" },
        { { 0, 0 }, PEN_BAD_FORMAT, "the votes of a row must sum to 1, got 0" },
        { { 1, 0.25F }, PEN_BAD_FORMAT, "the votes of a row must sum to 1, got 1.25" },
        { { NAN, 1 },
          PEN_BAD_FORMAT,
          "tensor \"classifier_votes\" has a value that is not finite" },
        { { 0, 1 }, PEN_OK, NULL },
    };
    const size_t last = (files[VOTES].size - 8 - model_file_header(&files[VOTES])) / 8 - 1;

    for (int64_t i = 0; i < COUNT_OF(cases); i++) {
        double both;
        memcpy(&both, cases[i].votes, sizeof both);
        check_file_refused(model_file_with(&files[VOTES], last, both), cases[i].code,
                           cases[i].phrase);
    }
}

TEST(numbers)
{
    /* after projection, mean, deviation, eigenvalues, center, rows */
    enum { AT = D * 2 + 2 * D + 2 + 2 + LABELS * 2 };
    /* after projection, mean, bias, class_mass; after projection, mean, eigenvalues */
    enum { IN_KERNEL = M * 2 + M + 2 + 4, IN_VALUES = M * 2 + M + 2 };
    static const number_change changes[] = {
        { NEAREST, AT, -1, "a class of the classifier must be in [0, 1], got -1" },
        { NEAREST, AT + 1, CLASSES, "a class of the classifier must be in [0, 1], got 2" },
        { NEAREST, AT + LABELS - 1, 0.5, "a class of the classifier must be in [0, 1], got 0.5" },
        { NEAREST, AT - 1, NAN, "tensor \"classifier_rows\" has a value that is not finite" },
        { KERNEL, IN_KERNEL, -1, "a landmark must be the number of a row, got -1" },
        { KERNEL, IN_KERNEL, 0.5, "a landmark must be the number of a row, got 0.5" },
        { KERNEL, IN_KERNEL, 1e300, "a landmark must be the number of a row, got 1e+300" },
        { KERNEL, IN_KERNEL, NAN, "landmark_rows" },
        { KERNEL, IN_KERNEL + M, INFINITY, "landmarks" },
        { VALUES, IN_VALUES, ROWS, "a landmark must be the number of a row, got 12" },
    };

    check_number_changes(files, COUNT_OF(changes), changes);
    check_file_refused(model_file_with(&files[VALUES], IN_VALUES, ROWS - 1), PEN_OK, NULL);
    for (int i = 0; i < FILES; i++)
        check_odd_numbers(&files[i]);
}

TEST(damage)
{
    for (int i = 0; i < FILES; i++)
        check_file_damaged(&files[i]);
}

/* Models that version 0.1.0 can apply stay in format 1: those without a classifier. */
TEST(formats)
{
    static const struct {
        const char *text, *has;
    } cases[] = {
        { "pca classifier=none", "'format':'1'" },
        { "pca", "'needs':'[`classifier`,`typical`]'" },
        { "fme prior=none", "'needs':'[`typical`]'" },
        { "fme classifier=none", "'format':'1'" },
        { "fme", "'needs':'[`class_mass`,`typical`]'" },
        { "fme temperature=2", "'needs':'[`class_mass`,`classifier`,`typical`]'" },
        { "fme prior=none temperature=2", "'needs':'[`classifier`,`typical`]'" },
        { "fme classifier=lda", "'needs':'[`classifier`,`typical`]'" },
        { "pca kernel=rbf", "'needs':'[`kernel`,`classifier`,`typical`]'" },
    };
    pen_rng rng = check_rng(3601);
    sample s = sample_random(&rng, ROWS, D, CLASSES, LABELS);

    for (int64_t i = 0; i < COUNT_OF(cases); i++) {
        const model_file f = model_file_fitted(cases[i].text, &s);
        model_file_changed(&f, cases[i].has, ""); /* it has that */
    }
}
