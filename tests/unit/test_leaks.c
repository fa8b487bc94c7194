/* test_leaks.c - columns that determine the labels are found; ordinary features are not. */
#include "check.h"

#include "core/rng.h"

#include <stdio.h>

enum { N = 60, D = 9 };

/* Rows of random features; tests overwrite columns. */
static double x[N * D];
static int32_t labels[N];

static pen_data given(int32_t classes)
{
    pen_rng rng = { 7 };

    for (int64_t i = 0; i < N; i++) {
        labels[i] = (int32_t)(i % classes);
        for (int64_t j = 0; j < D; j++)
            x[i * D + j] = pen_rng_uniform(&rng);
    }
    return (pen_data){ .x = pen_dense(x, PEN_F64, N, D, D), .labels = labels };
}

/* Expects columns "first+count ..", or a column "first#" that numbers the rows. */
static const char *leaks_of(const pen_data *data, char text[200])
{
    pen_leaks *leaks;
    pen_error err;

    CHECK_OK(pen_find_leaks(data, &leaks, &err), &err);
    text[0] = '\0';
    for (int64_t k = 0; k < leaks->count; k++) {
        const pen_leak *const leak = &leaks->list[k];
        CHECK(leak->p >= 0 && leak->p < (leak->numbers_rows ? 1e-2 : 1e-3), "p is %g", leak->p);
        snprintf(text + strlen(text), 200 - strlen(text), leak->numbers_rows ? "%s%d#" : "%s%d+%d",
                 k ? " " : "", (int)leak->first, (int)leak->count);
    }
    pen_leaks_free(leaks);
    return text;
}

static void check_leaks(const pen_data *data, const char *expected)
{
    char text[200];

    CHECK(strcmp(leaks_of(data, text), expected) == 0, "found \"%s\", expected \"%s\"", text,
          expected);
}

/* For any labels: row numbers in all forms, and columns that only resemble them. */
TEST(row_numbers_are_reported)
{
    static const struct {
        const char *name, *said;
        double from, step;
        int leave_out; /* every leave_out-th number is missing */
        int shuffled;
    } cases[] = { { NULL, "4#", 0, 1, 0, 0 },     { NULL, "4#", 1, 1, 0, 0 },
                  { NULL, "4#", 60, -1, 0, 0 },   { NULL, "4#", 1.6e9, 60, 0, 0 },
                  { NULL, "4#", -1, 0.1, 0, 0 },  { NULL, "4#", 1, 1, 3, 0 },
                  { NULL, "4#", 5000, -7, 2, 0 }, { NULL, "", 1, 0.1, 3, 0 },
                  { NULL, "", 1, 1, 0, 1 },       { "Unnamed: 0", "4#", 0, 1, 0, 1 },
                  { "INDEX", "4#", 0, 1, 3, 1 },  { "customer_id", "4#", 7e5, 31, 0, 1 },
                  { "X", "4#", 1, 1, 0, 1 },      { "", "4#", 1, 1, 0, 1 },
                  { "x", "", 1, 1, 0, 1 },        { "id", "", 0, 0.1, 0, 1 },
                  { "id", "", 5, 0, 0, 0 },       { "width", "", 1, 1, 0, 1 },
                  { "X", "", 5, 3, 0, 1 } };
    static const int32_t one_class[N] = { 0 };
    const char *names[D] = { "a", "b", "c", "d", NULL, "e", "f", "g", "h" };
    pen_data data = given(3);

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        for (int i = 0; i < N; i++) {
            const int k = cases[c].shuffled ? i * 37 % N : i,
                      at = cases[c].leave_out ? k + k / (cases[c].leave_out - 1) : k;
            x[i * D + 4] = cases[c].from + at * cases[c].step;
        }
        names[4] = cases[c].name;
        data.column_names = cases[c].name ? names : NULL;
        data.labels = c % 3 == 0 ? NULL : c % 3 == 1 ? labels : one_class;
        check_leaks(&data, cases[c].said);
        data.x.rows = 5; /* too few values to tell */
        check_leaks(&data, "");
        data.x.rows = N;
    }
    for (int i = 0; i < N; i++)
        x[i * D + 4] = i * i; /* increases, but n integers among n^2 are often distinct */
    check_leaks(&data, "");
}

TEST(features_do_not_count)
{
    pen_data data = given(3);

    check_leaks(&data, "");
    for (int i = 0; i < N; i++) {
        x[i * D] = i;                                  /* a row number */
        x[i * D + 1] = labels[i] * 100 + i;            /* unique, in class order */
        x[i * D + 2] = 5;                              /* constant */
        x[i * D + 3] = labels[i] == 1;                 /* identifies one of three classes */
        x[i * D + 4] = i < 50 ? labels[i] : labels[0]; /* some values are wrong */
        x[i * D + 5] = labels[i] * 10 + i / 3 % 7;     /* seven values per class */
    }
    check_leaks(&data, "0#");
}

TEST(columns_that_determine_labels_are_found)
{
    pen_data data = given(3);

    for (int i = 0; i < N; i++) {
        x[i * D + 2] = 7 - 2 * labels[i];
        x[i * D + 5] = labels[i] * 2 + i / 3 % 2; /* two values per class */
        x[i * D + 8] = labels[i];
    }
    check_leaks(&data, "2+1 5+1 8+1");
    for (int i = 0; i < N; i++)
        if (i % 2)
            labels[i] = PEN_UNLABELLED;
    check_leaks(&data, "2+1 5+1 8+1");
    x[2 * D + 8] = 1; /* one labelled row with another value */
    check_leaks(&data, "2+1 5+1");
    data.labels = NULL;
    check_leaks(&data, "");
}

TEST(finer_codes_are_found)
{
    for (int classes = 2; classes < 5; classes++) {
        pen_data data = given(classes);
        const int each = N / 5 / classes;
        for (int i = 0; i < N; i++) {
            x[i * D + 2] = labels[i] * 100 + i / classes % each;       /* five rows per value */
            x[i * D + 5] = labels[i] * 100 + i / classes % (each + 1); /* fewer: a feature */
        }
        check_leaks(&data, "2+1");
    }
}

TEST(indicators_are_found_as_a_group)
{
    pen_data data = given(3);

    for (int i = 0; i < N; i++)
        for (int c = 0; c < 3; c++) {
            x[i * D + 4 + c] = labels[i] == c;
            x[i * D + c] = i / 20 == c; /* indicators of another column */
        }
    check_leaks(&data, "4+3");
    labels[0] = PEN_UNLABELLED;
    x[4] = x[5] = 0; /* a row without a value */
    check_leaks(&data, "");
    data = given(2);
    for (int i = 0; i < N; i++)
        for (int c = 0; c < 2; c++)
            x[i * D + 6 + c] = labels[i] == c;
    check_leaks(&data, "6+2");
}

/* Three labels per class: the p decides, which is that of all permutations. */
TEST(few_labels_prove_little)
{
    pen_data data = given(3);

    for (int i = 0; i < N; i++) {
        x[i * D] = labels[i];
        x[i * D + 1] = 7 - 2 * labels[i];
    }
    data.x.rows = 6; /* 6! / 2!^3 = 90 labelings: 1/90 and 6/90 */
    check_leaks(&data, "");
    data.x.rows = 9; /* 1680 labelings, two candidates: 2/1680 and 12/1680 */
    check_leaks(&data, "");
    data.x.rows = 12; /* 34650 labelings: 2/34650 and 12/34650 */
    check_leaks(&data, "0+1 1+1");
    data.x.rows = 9;
    data.x = pen_dense(x, PEN_F64, 9, 1, D); /* alone: 1/1680 */
    check_leaks(&data, "0+1");
}

/* Text numbers that name the classes in another order. */
TEST(names_of_classes_are_numbers)
{
    static const char *const names[] = { "5", "6.0", "7" }, *const words[] = { "a", "b", "c" };
    pen_data data = given(3);

    data.x = pen_dense(x, PEN_F64, 9, 1, D);
    for (int i = 0; i < N; i++)
        x[i * D] = labels[i] + 5;
    check_leaks(&data, "");
    data.class_names = names;
    data.class_count = 3;
    check_leaks(&data, "0+1");
    data.class_names = words;
    check_leaks(&data, "");
}

static double copies_of(const pen_data *data)
{
    pen_leaks *leaks;

    CHECK(pen_find_leaks(data, &leaks, NULL) == PEN_OK, "no share");
    const double share = leaks->copies;
    pen_leaks_free(leaks);
    return share;
}

/* Samples of `each` rows within `noise`; classes of `parts` distant parts. */
static double copies(int each, double noise, int parts, int cols, int32_t *group)
{
    pen_rng rng = { 11 };
    pen_data data = given(2);

    for (int i = 0; i < N; i++) {
        const int sample = i / each;
        labels[i] = (int32_t)(sample % 2);
        for (int j = 0; j < cols; j++)
            x[i * D + j] = i % each ? x[(i - 1) * D + j] + noise * (pen_rng_uniform(&rng) - .5)
                                    : pen_rng_uniform(&rng) + 100 * (sample / 2 % parts);
        if (group)
            group[i] = (int32_t)sample;
    }
    data.x.cols = cols;
    data.groups = group;
    return copies_of(&data);
}

TEST(near_copies_are_reported)
{
    int32_t group[N];

    for (int each = 2; each < 5; each++) {
        CHECK(copies(each, .01, 1, D, NULL) > .9, "%d near copies", each);
        CHECK(copies(each, 0, 1, D, NULL) == 1, "%d copies", each);
        CHECK(copies(each, .01, 1, D, group) == 0, "groups of %d", each);
    }
    for (int cols = 1; cols <= D; cols++) /* no copies, also of a line and of parts of a class */
        for (int parts = 1; parts < 3; parts++)
            CHECK(copies(1, 0, parts, cols, NULL) == 0, "%d columns, %d parts", cols, parts);
    const pen_data none = { .x = pen_dense(x, PEN_F64, N, D, D) };
    CHECK(copies_of(&none) == 0, "no labels");
}

TEST(similar_names_are_found)
{
    static const struct {
        const char *names[4], *alike;
    } cases[] = {
        { { "b", "a", "B" }, "\"b\", \"B\"" },
        { { "caf\xC3\xA9", "cafe", "CAFE\xCC\x81" }, "\"caf\xC3\xA9\", \"CAFE\xCC\x81\"" },
        { { "New York", "New\xC2\xA0York", "Newark" }, "\"New York\", \"New\xC2\xA0York\"" },
        { { "\xD0\x96", "\xD0\xB6", "\xCE\x91", "\xCE\xB1" },
          "\"\xD0\x96\", \"\xD0\xB6\", \"\xCE\x91\", \"\xCE\xB1\"" },
        { { "1", "01", "1e0", "10" }, "\"1\", \"01\", \"1e0\"" },
        { { "a", "\xC3\xA4", "Aa", "b" }, "" },
    };
    static const double rows[] = { 0, 1 };
    pen_leaks *leaks;
    pen_error err;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t count = 0;
        while (count < 4 && cases[i].names[count])
            count++;
        const pen_data data = { .x = pen_dense(rows, PEN_F64, 2, 1, 1),
                                .class_names = cases[i].names,
                                .class_count = count };
        CHECK_OK(pen_find_leaks(&data, &leaks, &err), &err);
        CHECK(strcmp(leaks->alike, cases[i].alike) == 0, "%s, expected %s", leaks->alike,
              cases[i].alike);
        pen_leaks_free(leaks);
    }
}
