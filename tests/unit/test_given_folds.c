/* test_given_folds.c - trials with published folds: against loops of public calls and dealt folds,
 * refused folds, and files of folds. */
#include "eval/trials/trials.h"
#include "kit/compared.h"
#include "kit/dealt.h"
#include "kit/readings.h"
#include "kit/held_out.h"

#include <stdio.h>

enum { N = 48, D = 4, RUNS = 2 };

static sample problem(uint64_t tag)
{
    pen_rng rng = check_rng(tag);

    return sample_random(&rng, N, D, 3, 40);
}

/* The folds that a comparison deals, renumbered, with arbitrary folds of unlabelled rows. */
TEST(folds_of_the_library)
{
    sample s = problem(1);
    const pen_data data = sample_data(&s);
    const int64_t dims[] = { 1, 2, 3 };
    const pen_trials dealt = { .folds = 4, .runs = RUNS, .seed = 7, .inductive = 1 };
    pen_trials given = { .runs = RUNS, .seed = 7, .inductive = 1 };
    int32_t folds[RUNS * N];
    struct scores a, b;
    pen_spec *spec;

    for (int64_t r = 0; r < RUNS; r++) {
        const pen_array x = pen_dense(s.x, PEN_F64, N, s.d, s.d);
        dealt_folds(&x, 1, s.y, 4, 1, pen_run_seed(7, r), folds + r * N);
        for (int64_t i = 0; i < N; i++)
            folds[r * N + i] = (int32_t)(folds[r * N + i] >= 0 ? 5 * folds[r * N + i] + r
                                         : i % 2               ? -1
                                                               : r);
    }
    given.fold_of = folds;
    assert_int_equal(pen_spec_new("fda", &spec, NULL), PEN_OK);
    assert_int_equal(evaluate(spec, &data, &dealt, dims, 2, NULL, &a, NULL), PEN_OK);
    assert_int_equal(evaluate(spec, &data, &given, dims, 2, NULL, &b, NULL), PEN_OK);
    assert_int_equal(a.trials, b.trials);
    assert_memory_equal(a.accuracy, b.accuracy, (size_t)(a.trials * 2) * sizeof *a.accuracy);
    pen_spec_free(spec);
}

/* The accuracy of the nearest known row, by public calls, with fold f of `fold` held out. */
static double literal(const sample *s, const int32_t *fold, int32_t f)
{
    const held_out t = { .s = s, .fold = fold, .f = f };
    pen_spec *const spec = spec_of("pca dim=2 classifier=nearest");
    double p[N * 3], held = 0, right = 0;
    int32_t told[N];

    held_out_predict(&t, spec, 0, p, told);
    for (int64_t i = 0; i < N; i++) {
        held += fold[i] == f && s->y[i] != PEN_UNLABELLED;
        right += fold[i] == f && s->y[i] != PEN_UNLABELLED && told[i] == s->y[i];
    }
    return right / held;
}

/* Accuracies of the nearest row in two dimensions. */
static struct scores scores_of(const sample *s, const pen_trials *given)
{
    static const int64_t two = 2;
    const pen_data data = sample_data(s);
    pen_spec *const spec = spec_with_defaults("pca classifier=nearest");
    struct scores scores;
    pen_error err;

    CHECK_OK(evaluate(spec, &data, given, &two, 1, NULL, &scores, &err), &err);
    return scores;
}

/* Folds of different size; some labelled rows are never held out, so they are always known. */
TEST(unequal_folds)
{
    static const int32_t numbers[] = { 10, 30, 31, 0, 1, 2 };
    sample s = problem(2);
    int32_t folds[RUNS * N];
    const pen_trials given = { .runs = RUNS, .fold_of = folds };
    int64_t held = 0;

    for (int64_t i = 0; i < N; i++) {
        folds[i] = (int32_t)(i % 7 == 0 ? -1 : i % 7 < 5 ? 10 : i % 7 - 5 + 30);
        folds[N + i] = (int32_t)(i < 30 ? -1 : i % 3);
        held += s.y[i] != PEN_UNLABELLED && (folds[i] >= 0 || folds[N + i] >= 0);
    }
    struct scores scores = scores_of(&s, &given);
    assert_int_equal(scores.trials, 6);
    assert_int_equal(scores.comparison->held_out, held);
    for (int32_t t = 0; t < 6; t++)
        CHECK_CLOSE(scores.accuracy[t], literal(&s, folds + t / 3 * N, numbers[t]), 0, 1e-15);
}

/* Tuning within the trials of a comparison deals folds of the known rows. */
TEST(tuned_and_compared)
{
    const char *const fda = "fda/nearest";
    sample s = problem(3);
    const pen_data data = sample_data(&s);
    int32_t folds[N];
    const pen_trials given = { .fold_of = folds, .effort = 0.01 };
    pen_comparison *found;

    for (int64_t i = 0; i < N; i++)
        folds[i] = (int32_t)(i % 3) + 1;
    assert_int_equal(compare_named(&fda, 1, &data, &given, NULL, &found, NULL), PEN_OK);
    assert_true(found->trials == 3 && found->folds == 3 && found->held_out == 40); /* one run */
    for (int64_t i = 0; i < N; i++) /* a single test set is one trial */
        folds[i] = i < N / 3 ? 7 : -1;
    assert_int_equal(compare_named(&fda, 1, &data, &given, NULL, &found, NULL), PEN_OK);
    assert_int_equal(found->trials, 1);
}

static void check_refused(const sample *s, const pen_trials *given, pen_status code,
                          const char *phrase)
{
    const pen_data data = sample_data(s);
    const int64_t one = 1;
    struct scores scores;
    pen_error err;
    pen_spec *spec;

    spec = spec_with_defaults("pca classifier=nearest");
    assert_int_equal(evaluate(spec, &data, given, &one, 1, NULL, &scores, &err), code);
    CHECK(strstr(err.message, phrase) != NULL, "\"%s\" lacks \"%s\"", err.message, phrase);
    assert_null(scores.comparison);
}

TEST(refused)
{
    sample s = problem(4);
    int32_t folds[RUNS * N];
    pen_trials given = { .runs = RUNS, .fold_of = folds };

    for (int64_t i = 0; i < RUNS * N; i++)
        folds[i] = (int32_t)(i % 2);
    folds[N + 5] = -2;
    check_refused(&s, &given, PEN_BAD_ARGUMENT, "got -2 for row 5 in run 2");
    folds[N + 5] = 9;
    check_refused(&s, &given, s.y[5] == PEN_UNLABELLED ? PEN_NO_LABELS : PEN_BAD_ARGUMENT,
                  s.y[5] == PEN_UNLABELLED ? "fold 9 of run 2" : "2 folds, got 3 in run 2");
    folds[N + 5] = 1;
    given.folds = 3;
    check_refused(&s, &given, PEN_BAD_ARGUMENT, "all runs must have 3 folds, got 2 in run 1");
    given.folds = 0;
    for (int64_t i = 0; i < N; i++)
        folds[i] = -1;
    check_refused(&s, &given, PEN_BAD_ARGUMENT, "run 1 holds out no row");
    for (int64_t i = 0; i < N; i++)
        folds[i] = s.y[i] == PEN_UNLABELLED ? 4 : (int32_t)(i % 2);
    given.runs = 1;
    check_refused(&s, &given, PEN_NO_LABELS, "fold 4 of run 1 has no labelled row");
    for (int64_t i = 0; i < N; i++)
        folds[i] = 2;
    check_refused(&s, &given, PEN_NO_LABELS, "leaves no labelled row to learn from");
}

/* "0 1 -1/2 0 1", the folds of each run, or the code and the message. */
static void check_file(const char *path, int64_t rows, const char *right)
{
    char line[LINE_SIZE] = "";
    pen_folds *table;
    pen_error err;
    const pen_status status = pen_read_folds(path, rows, &table, &err);

    if (status != PEN_OK)
        line_error(line, status, &err);
    for (int64_t i = 0; status == PEN_OK && i < table->rows * table->runs; i++)
        line_add(line, "%s%d", i == 0 ? "" : i % rows ? " " : "/", (int)table->fold_of[i]);
    CHECK(strcmp(line, right) == 0, "the folds are\n    %s\nexpected\n    %s", line, right);
    pen_folds_free(status == PEN_OK ? table : NULL);
    remove(path);
}

TEST(files)
{
    static const struct {
        const char *text;
        int64_t rows;
        const char *right;
    } texts[] = {
        { "0\n1\n\n2\n-1\n", 5, "0 1 -1 2 -1" },
        { "fold\n0\r\n1.0\r\nNA\r\n", 3, "0 1 -1" },
        { "\n\n3\n1\n\n", 5, "-1 -1 3 1 -1" },
        { "\n3\n1\n\n\n", 3, "-1 3 1" },
        { "first,second\n0,1\n1,\n,0\n", 3, "0 1 -1/1 -1 0" },
        { "0\t1\n\n1\t0", 3, "0 -1 1/1 -1 0" },
        { "0\n1\n0\n", 4, "20 test_given_folds.txt: expected folds for all 4 rows, got 3" },
        { "0\n1\n0\n", 2, "20 test_given_folds.txt: expected folds for all 2 rows, got 3" },
        { "0\n1.5\n", 2,
          "51 test_given_folds.txt:2:1: a fold must be a whole number >= 0; -1 or empty: never "
          "held out, got \"1.5\"" },
        { "0\n-2\n", 2,
          "51 test_given_folds.txt:2:1: a fold must be a whole number >= 0; -1 or empty: never "
          "held out, got \"-2\"" },
        { "0\n3000000000\n", 2,
          "51 test_given_folds.txt:2:1: a fold must be a whole number >= 0; -1 or empty: never "
          "held out, got \"3000000000\"" },
        { "0,1\n1\n", 2, "51 test_given_folds.txt:2:2: expected 2 cells, as in line 1, got 1" },
        { "0,1\n1,0,1\n", 2, "51 test_given_folds.txt:2:3: expected 2 cells, as in line 1, got 3" },
        { "0\nb\n", 2,
          "51 test_given_folds.txt:2:1: a fold must be a whole number >= 0; -1 or empty: never "
          "held out, got \"b\"" },
        { "", 2, "20 test_given_folds.txt: expected folds for all 2 rows, got 0" },
    };
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        FILE *const file = fopen("test_given_folds.txt", "wb");
        assert_true(file && fputs(texts[i].text, file) >= 0 && fclose(file) == 0);
        check_file("test_given_folds.txt", texts[i].rows, texts[i].right);
    }
}

/* In an array NaN marks a row that is never held out. */
TEST(arrays)
{
    static const double values[] = { 0, 1, -1, 2, (double)NAN, 0.5 };
    static const char *const right[] = {
        "0 2/1 -1",
        "20 test_given_folds.npy: expected folds for all 3 rows, got 2",
        ("51 test_given_folds.npy: row 1, column 2 (counted from 0): a fold must be a whole number "
         ">= 0; -1 or empty: never held out, got \"0.5\""),
    };
    const char *const path = "test_given_folds.npy";
    pen_error err;
    for (int i = 0; i < 3; i++) {
        const pen_array x = pen_dense(values, PEN_F64, 2, i == 2 ? 3 : 2, 3);
        CHECK_OK(pen_write(path, &x, NULL, &err), &err);
        check_file(path, i == 1 ? 3 : 2, right[i]);
    }
}
