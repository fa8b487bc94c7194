/* test_params.c - every parameter of every method: its range, its words, and its text form. */
#include "check.h"
#include "core/meant.h"
#include "kit/text_list.h"
#include "model/old_names.h"
#include "model/spec.h"

#include <math.h>
#include <stdio.h>

static pen_error err;

/* The nearest number outside the range at its lower end (side -1) or upper end (1). */
static double outside(const pen_param *param, int side)
{
    const double end = side < 0 ? param->min : param->max;
    const int open = param->open & (side < 0 ? PEN_OPEN_MIN : PEN_OPEN_MAX);

    if (open)
        return end;
    return param->type == PEN_PARAM_REAL ? nextafter(end, side * (double)INFINITY) : end + side;
}

/* The index of the last choice. */
static double last_choice(const pen_param *param)
{
    int count = 0;
    while (param->choices[count])
        count++;
    return count - 1;
}

static void check_text(pen_spec *spec, const char *name, const char *value)
{
    char text[128];

    assert_int_equal(pen_spec_get(spec, name, text, sizeof text), strlen(value));
    CHECK(strcmp(text, value) == 0, "%s is \"%s\", expected \"%s\"", name, text, value);
}

static double value_of(const pen_spec *spec, const char *name)
{
    double value = (double)NAN;
    CHECK_OK(pen_spec_number(spec, name, &value, &err), &err);
    return value;
}

/* A refused number or text changes nothing and does not count as set. */
static void refuse(pen_spec *spec, const pen_param *param, double value)
{
    const double before = value_of(spec, param->name);
    const int was_set = pen_spec_is_set(spec, param->name);
    char text[40];

    CHECK_STATUS(pen_spec_set_number(spec, param->name, value, &err), PEN_BAD_ARGUMENT, param->name,
                 &err);
    snprintf(text, sizeof text, "%.17g", value);
    const pen_status status = pen_spec_set(spec, param->name, text, &err);
    CHECK(status == (param->type == PEN_PARAM_CHOICE ? PEN_UNKNOWN_NAME : PEN_BAD_ARGUMENT),
          "%s %s: %d", param->name, text, status);
    assert_true(value_of(spec, param->name) == before);
    assert_int_equal(pen_spec_is_set(spec, param->name), was_set);
}

static void refuse_beyond(pen_spec *spec, const pen_param *param)
{
    refuse(spec, param, outside(param, -1));
    if (param->type == PEN_PARAM_CHOICE)
        refuse(spec, param, last_choice(param) + 1);
    else if (isfinite(param->max))
        refuse(spec, param, outside(param, 1));
    else
        refuse(spec, param, (double)INFINITY);
    refuse(spec, param, -(double)INFINITY);
    refuse(spec, param, (double)NAN);
    if (param->type != PEN_PARAM_REAL)
        refuse(spec, param, param->min + 0.5);
}

/* The text of a value sets the same value. */
static void round_trip(const pen_spec *spec, const pen_param *param)
{
    const double value = value_of(spec, param->name);
    pen_spec *other = NULL;
    char text[32];

    CHECK_OK(pen_spec_copy(spec, &other, &err), &err);
    pen_param_text(param, value, text, sizeof text);
    CHECK_OK(pen_spec_set(other, param->name, text, &err), &err);
    CHECK(value_of(other, param->name) == value, "%s: %s is not %.17g", param->name, text, value);
    assert_true(pen_spec_is_set(other, param->name));
    pen_spec_free(other);
}

static void take_words(pen_spec *spec, const pen_param *param)
{
    for (const pen_word *word = param->words; word && word->text; word++) {
        CHECK_OK(pen_spec_set(spec, param->name, word->text, &err), &err);
        assert_true(value_of(spec, param->name) == word->value);
        round_trip(spec, param);
        const int in_range = word->value > param->min
                             || (word->value == param->min && !(param->open & PEN_OPEN_MIN));
        if (!in_range || !isfinite(word->value))
            refuse(spec, param, word->value);
    }
}

static void take_numbers(pen_spec *spec, const pen_param *param)
{
    const double low = param->open & PEN_OPEN_MIN ? param->min + 1.0 / 3 : param->min;
    const double high = isfinite(param->max) ? param->max : 1e6 + 1;
    const double numbers[] = { low, param->open & PEN_OPEN_MAX ? low : high,
                               low + (high - low) / 3 };

    for (int i = 0; i < (param->type == PEN_PARAM_REAL ? 3 : 2) && param->type != PEN_PARAM_CHOICE;
         i++) {
        CHECK_OK(pen_spec_set_number(spec, param->name, numbers[i], &err), &err);
        round_trip(spec, param);
    }
    for (int i = 0; param->type == PEN_PARAM_CHOICE && param->choices[i]; i++) {
        CHECK_OK(pen_spec_set_number(spec, param->name, i, &err), &err);
        round_trip(spec, param);
        CHECK_OK(pen_spec_set(spec, param->name, param->choices[i], &err), &err);
        assert_true(value_of(spec, param->name) == i);
    }
}

/* Swapped, changed or missing letters, the end or beginning of a name, an unrelated word, and
 * half of a short name. */
TEST(names_that_are_meant)
{
    static const char *const known[] = { "dim", "neighbors", "classifier-prior", "ridge", "pca" };
    static const char *const typed[][2] = { { "dmi", "dim" },
                                            { "nieghbosr", "neighbors" },
                                            { "Rigde", "ridge" },
                                            { "priors", "classifier-prior" },
                                            { "classifier_prior", "classifier-prior" },
                                            { "dimensions", "dim" },
                                            { "neigh", "neighbors" },
                                            { "xyz", "" },
                                            { "di", "dim" },
                                            { "lda", "" } };

    for (size_t i = 0; i < sizeof typed / sizeof *typed; i++) {
        const char *const near = pen_nearest(typed[i][0], known, 5);
        CHECK(strcmp(near ? near : "", typed[i][1]) == 0, "%s: %s", typed[i][0], near);
    }
}

TEST(ranges_words_and_texts)
{
    const pen_param *param;

    for (int64_t m = 0; pen_method_at(m); m++) {
        pen_spec *spec = NULL;
        CHECK_OK(pen_spec_new(pen_method_at(m)->name, &spec, &err), &err);
        assert_true(*pen_method_at(m)->title && *pen_method_at(m)->cite);
        for (param = pen_method_at(m)->params; param->name; param++) {
            assert_true(*param->help);
            if (param->type == PEN_PARAM_TEXT) {
                assert_true(*param->syntax);
                check_text(spec, param->name, param->text);
                continue;
            }
            assert_true(value_of(spec, param->name) == param->initial);
            round_trip(spec, param);
            refuse_beyond(spec, param);
            assert_false(pen_spec_is_set(spec, param->name));
            take_words(spec, param);
            take_numbers(spec, param);
        }
        /* the list of names, which ends with this one, is complete */
        CHECK_STATUS(pen_spec_set(spec, "no_such_name", "1", &err), PEN_UNKNOWN_NAME,
                     ", temperature, seed", &err);
        pen_spec_free(spec);
    }
}

/* The text of set values, or what follows =; without a value the default. */
TEST(texts)
{
    const text_list good = text_list_of(
        "row_steps =; allow-fewer 0=false; "
        "row_steps total:median,log1p,idf,snv,derivative:11,select:2000,l2; "
        "row_steps total:10000,l2; row_steps total:0.1; row_steps derivative:3; row_steps none=; "
        "pca =0.98; pca off; pca 0=off; pca rank; pca 12; pca 0.99:100; pca rank:7; "
        "kernel_landmarks =auto; kernel_landmarks all; kernel_landmarks 5000; "
        "kernel_landmarks random:30; kernel_landmarks random; classifier =auto; "
        "classifier neighbors; classifier neighbors:5=neighbors; classifier neighbors:3; "
        "classifier self_training=self-training; space =relative; space plain; "
        "space relative:100; sample_pairs =all; sample_pairs 5%; sample_pairs 0.25%; "
        "sample_pairs 200; sample_pairs 50+100; sample_pairs 0+7; sample_pairs all");
    static const struct {
        const char *name, *texts, *message;
    } bad[] = {
        { "neighbors", "2.5", "neighbors must be a whole number >= 1, got 2.5" },
        { "neighbors", "1e300", "neighbors must be at most 2^53, got 1e300" },
        { "ridge", "inf", "ridge must be >= 0, got inf" },
        { "dim", "-1", "dim must be a whole number >= 1 or all or auto, got -1" },
        { "dim", "0", "dim must be a whole number >= 1 or all or auto, got 0" }, /* complete */
        { "dim", "", "dim must be a whole number >= 1 or all or auto, got \"\"" },
        { "dim", "0,5", "dim must be a whole number >= 1 or all or auto, got \"0,5\"" },
        { "column_scaling", "unti",
          "column_scaling must be one of weighted, unit, got \"unti\"; did you mean unit?" },
        { "allow-fewer", "yes", "allow_fewer must be true or false, got \"yes\"" },
        { "gamma", "1", "unknown parameter \"gamma\" for rssdr; did you mean kernel_gamma?" },
        { "xyzzy", "1", "unknown parameter \"xyzzy\" for rssdr; it has: alpha, beta, neighbors, " },
        { "row_steps", "log1p,total:median",
          "row_steps must be in order, each once: set row_steps to total:median,log1p, "
          "got" },
        { "sample_pairs", "0", "sample_pairs must be all|P%|N|M+Q, got \"0\"" },
        { "sample_pairs", "; 0+0; 101%; 9223372036854775808", "sample_pairs must be" },
        { "ALPHA", "1", "unknown parameter \"ALPHA\" for rssdr; did you mean alpha?" },
        { "row_steps", "l2,select:3,idf", "set row_steps to idf,select:3,l2, got" },
        { "row_steps", "log1p,log1p",
          "row_steps must be in order, each once: set row_steps to log1p" },
        { "row_steps", "log1p,", "row_steps must be steps joined by commas, in this order" },
        { "row_steps", "log2; log1p:2; total; total:0; derivative:2; select:1.5",
          "row_steps must be steps" },
        { "pca", "-1", "pca must be off|rank|K|0.99|0.99:100; got" },
        { "pca", "5:3; 0.9:0; all", "pca must be off|" },
        { "kernel_landmarks", "0", "K in [1, 5000]; got \"0\"" },
        { "kernel_landmarks", "random:5001", "K in [1, 5000]" },
        { "kernel_landmarks", "few:9", "kernel_landmarks must be auto" },
        { "classifier", "nearst",
          "classifier must be auto|nearest|neighbors|neighbors:K|means|lda" },
        { "classifier", "neighbors:0; lda:3", "classifier must be" },
        { "space", "relative:0", "space must be plain|relative|relative:K; got" },
        { "space", "far", "space must be plain" },
    };
    pen_spec *spec = NULL;

    CHECK_OK(pen_spec_new("rssdr", &spec, &err), &err);
    for (int64_t i = 0; i < good.count; i++) {
        const char *const says = strchr(good.text[i], '=');
        char name[40], value[80] = "";
        sscanf(good.text[i], "%39s %79[^=]", name, value);
        if (*value)
            CHECK_OK(pen_spec_set(spec, name, value, &err), &err);
        check_text(spec, name, says ? says + 1 : value);
    }
    CHECK_OK(pen_spec_set(spec, "row_steps", "", &err), &err);
    check_text(spec, "row_steps", "");
    CHECK_OK(pen_spec_set(spec, "row_steps", "log1p", &err), &err);
    CHECK_OK(pen_spec_set_number(spec, "pca", 3, &err), &err);
    CHECK_OK(pen_spec_set(spec, "kernel_landmarks", "random:9", &err), &err);
    CHECK_OK(pen_spec_set(spec, "classifier", "neighbors:2", &err), &err);
    CHECK_OK(pen_spec_set(spec, "space", "relative:8", &err), &err);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const text_list texts = text_list_of(bad[i].texts);
        for (int64_t t = 0; t < texts.count; t++) {
            const pen_status status = pen_spec_set(spec, bad[i].name, texts.text[t], &err);
            CHECK(status != PEN_OK && strstr(err.message, bad[i].message), "%s %s: %s", bad[i].name,
                  texts.text[t], err.message);
        }
    }
    check_text(spec, "row_steps", "log1p"); /* the old values stay */
    check_text(spec, "pca", "3");
    check_text(spec, "kernel_landmarks", "random:9");
    check_text(spec, "classifier", "neighbors:2");
    check_text(spec, "space", "relative:8");
    pen_spec_free(spec);
}

/* A name with a kernel and a classifier. */
TEST(names_of_methods)
{
    static const struct {
        const char *name, *kernel, *classifier;
    } named[] = { { "self", "none", "auto" },
                  { "self/lda", "none", "lda" },
                  { "self+rbf", "rbf", "auto" },
                  { "self+linear/neighbors:3", "linear", "neighbors:3" } };
    static const char *const refused[] = { "self/",        "self/ldx",     "self+",
                                           "self+x",       "+rbf",         "/lda",
                                           "self/lda/lda", "self/lda+rbf", "all/lda" };

    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        pen_spec *spec = NULL;
        assert_int_equal(pen_spec_new(named[i].name, &spec, NULL), PEN_OK);
        assert_string_equal(pen_spec_method(spec)->name, "self");
        check_text(spec, "kernel", named[i].kernel);
        check_text(spec, "classifier", named[i].classifier);
        pen_spec_free(spec);
    }
    assert_null(pen_method_at(-1));
    assert_null(pen_method_at(INT64_MAX));
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        pen_spec *spec = (pen_spec *)(uintptr_t)1;
        assert_int_not_equal(pen_spec_new(refused[i], &spec, NULL), PEN_OK);
        assert_null(spec);
    }
}

/* Each parameter of 0.1.0 is refused with its replacement, which can be set. */
TEST(old_names)
{
    static const struct {
        const char *method, *old, *today, *name, *value;
    } table[] = {
        { "pca", "normalize", "row_steps l2", "row_steps", "l2" },
        { "pca", "row_total", "row_steps total:median or total:NUMBER", "row_steps", "total:9" },
        { "pca", "row-total", "row_steps total:median or total:NUMBER", "row_steps", "total:9" },
        { "pca", "log1p", "row_steps log1p", "row_steps", "log1p" },
        { "pca", "idf", "row_steps idf", "row_steps", "idf" },
        { "pca", "snv", "row_steps snv", "row_steps", "snv" },
        { "pca", "derivative", "row_steps derivative:WINDOW", "row_steps", "derivative:11" },
        { "pca", "select", "row_steps select:COLUMNS", "row_steps", "select:5" },
        { "pca", "pca_most", "pca with a fraction and that number, such as 0.99:100", "pca",
          "0.99:100" },
        { "pca", "kernel_choice", "kernel_landmarks random:NUMBER", "kernel_landmarks",
          "random:9" },
        { "pca", "kernel_seed", "seed", "seed", "3" },
        { "pca", "kernel_coef0", "always 1", NULL, NULL },
        { "pca", "reader", "classifier", "classifier", "lda" },
        { "pca", "reader_neighbors", "classifier neighbors:NUMBER", "classifier", "neighbors:3" },
        { "pca", "reader_prior", "prior", "prior", "labels" },
        { "pca", "reader_temperature", "temperature", "temperature", "none" },
        { "cfld", "total", "total_rows", "total_rows", "all" },
        { "rca", "total", "total_rows", "total_rows", "chunk" },
        { "cfld", "columns", "column_scaling", "column_scaling", "unit" },
        { "rssdr", "columns", "column_scaling", "column_scaling", "unit" },
        { "lfda", "scaling", "scaling_rows", "scaling_rows", "all" },
        { "sodrpac", "scaling", "pair_terms", "pair_terms", "sum" },
        { "sodrpac", "only_if_no_enemy", "derive unlinked", "derive", "unlinked" },
        { "clpp", "propagate", "propagate_pairs", "propagate_pairs", "false" },
        { "npssdr", "lle_ridge", "reconstruction_ridge", "reconstruction_ridge", "0.1" },
        { "rssdr", "landmarks", "space relative:LANDMARKS", "space", "relative:9" },
        { "ssdr", "half", "alpha and beta, each halved", NULL, NULL },
        { "saloe", "strict", "a note, within_neighbors_used", NULL, NULL },
    };

    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        pen_spec *spec = NULL;
        char expected[128];
        CHECK_OK(pen_spec_new(table[i].method, &spec, &err), &err);
        snprintf(expected, sizeof expected, "%s is now %s", table[i].old, table[i].today);
        CHECK_STATUS(pen_spec_set(spec, table[i].old, "1", &err), PEN_UNKNOWN_NAME, NULL, &err);
        CHECK_MESSAGE(&err, expected);
        if (table[i].name)
            CHECK_OK(pen_spec_set(spec, table[i].name, table[i].value, &err), &err);
        pen_spec_free(spec);
    }
}

/* Parameters as stored in files of 0.1.0. */
TEST(old_files)
{
    static const struct {
        const char *method, *old, *today;
    } table[] = {
        { "pca",
          "{\"row_total\":\"median\",\"log1p\":true,\"idf\":false,\"select\":8,"
          "\"normalize\":\"l2\",\"pca\":0.99,\"pca_most\":5,\"reader\":\"neighbors\","
          "\"reader_neighbors\":3,\"reader_prior\":\"labels\"}",
          "{\"row_steps\":\"total:median,log1p,select:8,l2\",\"pca\":\"0.99:5\","
          "\"classifier\":\"neighbors:3\",\"prior\":\"labels\"}" },
        { "fme", "{\"prior\":\"uniform\",\"normalize\":\"none\",\"reader_prior\":\"labels\"}",
          "{\"prior\":\"uniform\",\"row_steps\":\"\"}" },
        { "self",
          "{\"total\":\"scatter\",\"space\":\"plain\",\"landmarks\":\"all\","
          "\"normalize\":\"none\",\"kernel\":\"rbf\",\"kernel_coef0\":1,"
          "\"kernel_landmarks\":40,\"kernel_choice\":\"random\",\"kernel_seed\":4,"
          "\"pca\":\"off\",\"pca_most\":\"all\"}",
          "{\"total\":\"scatter\",\"row_steps\":\"\",\"kernel\":\"rbf\","
          "\"kernel_landmarks\":\"random:40\",\"seed\":4,\"pca\":\"off\"}" },
        { "rssdr", "{\"landmarks\":30,\"landmark_mode\":\"corrected\",\"columns\":\"unit\"}",
          "{\"space\":\"relative:30\",\"column_scaling\":\"unit\"}" },
        { "rssdr", "{\"landmarks\":\"all\",\"lle_ridge\":0.1}",
          "{\"space\":\"relative\",\"reconstruction_ridge\":0.1}" },
        { "ssdr", "{\"alpha\":1,\"beta\":20,\"half\":true}", "{\"alpha\":0.5,\"beta\":10}" },
        { "ssdr", "{\"alpha\":1,\"half\":false}", "{\"alpha\":1}" },
        { "sodrpac", "{\"scaling\":\"sum\",\"only_if_no_enemy\":true}",
          "{\"pair_terms\":\"sum\",\"derive\":\"unlinked\"}" },
        { "self:rca", "{\"self.total\":\"scatter\",\"rca.normalize\":\"l2\",\"rca.total\":\"all\"}",
          "{\"self.total\":\"scatter\",\"rca.row_steps\":\"l2\",\"rca.total_rows\":\"all\"}" },
    };

    pen_run *const run = check_run(0, &err);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        for (int again = 0; again < 2; again++) { /* current names stay */
            const char *const from = again ? table[i].today : table[i].old;
            pen_string text = { .data = NULL };
            pen_json *object;
            char *found;
            assert_int_equal(pen_json_parse(run, "file", "what", from, strlen(from), &object),
                             PEN_OK);
            pen_renew_parameters(object, table[i].method, &text);
            assert_int_equal(pen_text_finish(run, &text, &found), PEN_OK);
            assert_string_equal(found, table[i].today);
            free(found);
        }
    pen_run_close(run);
}

/* The parameters of every method, in order: two differ in their defaults. */
TEST(parameters_of_every_method)
{
    static const char *const names[] = { "dim",           "allow_fewer",      "row_steps",
                                         "scale",         "kernel",           "kernel_gamma",
                                         "kernel_degree", "kernel_landmarks", "kernel_ridge",
                                         "pca",           "pca_scale",        "classifier",
                                         "prior",         "temperature",      "seed" };
    enum { COMMON = sizeof names / sizeof *names };

    assert_int_equal(COMMON, 15);
    for (int64_t m = 0; pen_method_at(m); m++) {
        int count = 0;
        for (const pen_param *param = pen_method_at(m)->params; param->name; param++)
            if (param->common == 1)
                assert_string_equal(param->name, names[count++]);
            else
                assert_int_equal(count, 0);
        assert_int_equal(count, COMMON);
    }
}
