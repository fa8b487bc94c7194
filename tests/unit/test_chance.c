/* test_chance.c - tests whether predictions beat chance: against all permutations of few rows, many
 * rows with few permutations, and several candidates. */
#include "kit/check_fit.h"

#include "eval/measures/chance.h"

#include <math.h>

enum { ALONE, PURE, MIXED }; /* groups */
enum { N = 12, MOST_UNITS = 7, CANDIDATES = 3, RUNS = 2 };

static const double SPREAD = 1.2793;

/* Trials of labelled rows, and random predictions that are right with probability `skill`. */
struct drawn {
    sample rows;
    int32_t groups[N];
    pen_data data;
    pen_run *run;
    pen_trial_set trials;
    const int32_t *predicted[CANDIDATES];
    int64_t held; /* predictions of a candidate */
    int64_t row[RUNS * N];
    int32_t classes[CANDIDATES * RUNS * N];
};

static void draw(struct drawn *s, pen_rng *rng, int64_t labelled, int64_t classes, int grouped,
                 double skill)
{
    const pen_protocol protocol = { .folds = 2, .runs = RUNS, .seed = pen_rng_next(rng) };
    pen_error err;

    s->rows = sample_random(rng, N, 2, classes, labelled);
    s->data = sample_data(&s->rows);
    for (int64_t i = 0; i < N; i++) /* groups of one class, of up to two rows; or of any classes */
        s->groups[i] = s->rows.y[i] < 0  ? -1
                       : grouped == PURE ? (int32_t)(i % 2 ? 10 + i : s->rows.y[i])
                                         : (int32_t)(i / 2);
    s->data.groups = grouped ? s->groups : NULL;
    CHECK_OK(pen_run_open(NULL, &err, &s->run), &err);
    CHECK_OK(pen_trials_open(s->run, &s->data, &protocol, &s->trials), &err);
    s->held = 0;
    for (int64_t t = 0; t < s->trials.count; t++)
        for (int64_t i = 0; i < N; i++)
            if (s->trials.folds[t / 2 * N + i] == t % 2)
                s->row[s->held++] = i;
    for (int64_t i = 0; i < CANDIDATES * s->held; i++)
        s->classes[i] = i / s->held == 1               ? 0 /* a constant prediction */
                        : pen_rng_uniform(rng) < skill ? s->trials.class_of[s->row[i % s->held]]
                                                       : (int32_t)pen_rng_below(rng, classes);
    for (int64_t c = 0; c < CANDIDATES; c++)
        s->predicted[c] = s->classes + c * s->held;
}

struct literal {
    const struct drawn *s;
    int64_t units, unit_of[N];
    int32_t true_class[N]; /* [units] */
    int64_t ways;
    double *hits; /* [ways x candidates] */
};

static void note_way(struct literal *l, const int64_t *place)
{
    for (int64_t c = 0; c < CANDIDATES; c++) {
        double hits = 0;
        for (int64_t e = 0; e < l->s->held; e++)
            hits +=
                l->s->classes[c * l->s->held + e] == l->true_class[place[l->unit_of[l->s->row[e]]]];
        l->hits[l->ways * CANDIDATES + c] = hits;
    }
    l->ways++;
}

/* All orders of place [units], starting with the given one. */
static void permute(struct literal *l, int64_t *place, int64_t at)
{
    if (at == l->units)
        note_way(l, place);
    for (int64_t i = at; i < l->units; i++) {
        int64_t kept = place[at];
        place[at] = place[i];
        place[i] = kept;
        permute(l, place, at + 1);
        kept = place[at];
        place[at] = place[i];
        place[i] = kept;
    }
}

/* The largest (hits - mean) / deviation of a permutation. */
static double largest(const struct literal *l, const double *mean, const double *deviation,
                      int64_t way)
{
    double most = -INFINITY;

    for (int64_t c = 0; c < CANDIDATES; c++)
        if (deviation[c] > 1e-6)
            most = fmax(most, (l->hits[way * CANDIDATES + c] - mean[c]) / deviation[c]);
    return most;
}

static int is_pure(const struct drawn *s)
{
    int pure = s->data.groups != NULL;

    for (int64_t i = 0; i < N; i++)
        for (int64_t o = 0; o < i; o++)
            pure &=
                s->rows.y[i] < 0 || s->groups[i] != s->groups[o] || s->rows.y[i] == s->rows.y[o];
    return pure;
}

static double literal_p(const struct drawn *s)
{
    struct literal l = { .s = s };
    int64_t place[N], as_good = 0;
    double mean[CANDIDATES] = { 0 }, deviation[CANDIDATES] = { 0 };

    for (int64_t i = 0; i < N; i++) {
        int64_t before = 0;
        if (s->rows.y[i] == PEN_UNLABELLED)
            continue;
        while (before < i
               && !(is_pure(s) && s->rows.y[before] >= 0 && s->groups[before] == s->groups[i]))
            before++;
        l.unit_of[i] = before < i ? l.unit_of[before] : l.units++;
        l.true_class[l.unit_of[i]] = s->trials.class_of[i];
    }
    assert_true(l.units <= MOST_UNITS);
    l.hits = check_allocate(5040 * CANDIDATES, sizeof *l.hits);
    for (int64_t u = 0; u < l.units; u++)
        place[u] = u;
    permute(&l, place, 0);
    for (int64_t i = 0; i < l.ways * CANDIDATES; i++)
        mean[i % CANDIDATES] += l.hits[i] / (double)l.ways;
    for (int64_t i = 0; i < l.ways * CANDIDATES; i++)
        deviation[i % CANDIDATES] += pow(l.hits[i] - mean[i % CANDIDATES], 2) / (double)l.ways;
    for (int64_t c = 0; c < CANDIDATES; c++)
        deviation[c] = sqrt(deviation[c]);
    const double observed = largest(&l, mean, deviation, 0);
    for (int64_t w = 0; w < l.ways; w++)
        as_good += SPREAD * largest(&l, mean, deviation, w) >= observed - 1e-9;
    return isinf(observed) ? 1 : (double)as_good / (double)l.ways;
}

TEST(few_rows_have_the_p_of_all_permutations)
{
    pen_rng rng = check_rng(8101);
    int certain = 0, shared = 0, mixed = 0;
    for (int round = 0; round < 60; round++) {
        struct drawn s;
        double p;
        int predicts;
        draw(&s, &rng, 6 + round % 2, 2 + round % 3 / 2,
             round % 4 == 3   ? PURE
             : round % 4 == 1 ? MIXED
                              : ALONE,
             round % 5 / 4.0);
        CHECK(pen_chance_test(s.run, &s.trials, CANDIDATES, s.predicted, &p, &predicts) == PEN_OK,
              "round %d", round);
        CHECK_CLOSE(p, literal_p(&s), 1e-12, 0);
        assert_int_equal(predicts, p <= 0.2);
        certain += p < 0.1;
        shared += is_pure(&s);
        mixed += s.data.groups && !is_pure(&s);
        pen_run_close(s.run);
    }
    assert_true(certain > 5 && certain < 40 && shared > 10 && mixed > 5);
}

/* With random permutations, correct predictions have the smallest possible p; a constant candidate
 * is no evidence, and neither is a failed one. */
TEST(many_rows)
{
    enum { MANY = 300 };
    pen_rng rng = check_rng(8102);
    sample rows = sample_random(&rng, MANY, 2, 3, MANY);
    const pen_data data = sample_data(&rows);
    const pen_protocol protocol = { .folds = 3, .runs = 1 };
    int32_t *const classes = check_allocate(2 * MANY, sizeof *classes);
    int64_t row[MANY], held = 0;
    pen_trial_set trials;
    pen_error err;
    double p;
    int predicts;
    pen_run *const run = check_run(0, &err);
    CHECK_OK(pen_trials_open(run, &data, &protocol, &trials), &err);
    for (int t = 0; t < 3; t++)
        for (int64_t i = 0; i < MANY; i++)
            if (trials.folds[i] == t)
                row[held++] = i;
    const int32_t *const predicted[] = { classes, classes + MANY, NULL };
    for (double skill = 0; skill < 1; skill += 0.5) {
        for (int64_t e = 0; e < MANY; e++) {
            classes[e] = 0;
            classes[MANY + e] = pen_rng_uniform(&rng) < skill ? trials.class_of[row[e]]
                                                              : (int32_t)pen_rng_below(&rng, 3);
        }
        CHECK_OK(pen_chance_test(run, &trials, 3, predicted, &p, &predicts), &err);
        CHECK(skill > 0 ? predicts && p == 0.001 : !predicts && p > 0.05 && p <= 1,
              "skill %g: p %g", skill, p);
    }
    for (int64_t e = 0; e < MANY; e++)
        classes[MANY + e] = 1;
    CHECK_OK(pen_chance_test(run, &trials, 3, predicted, &p, &predicts), &err);
    assert_true(p == 1 && !predicts);
    pen_run_close(run);
}
