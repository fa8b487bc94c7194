/* test_suggest.c - rows to label next: against a literal greedy choice, which follows the library's
 * choices and finds no better one; degenerate data. */
#include "kit/check_fit.h"

#include "core/rng.h"
#include "model/model.h"

enum { SAMPLE = 2048, REFERENCES = 256, EACH = 64 };

/* ---- the literal rule ---- */

/* Rows with equal embeddings form one place, identified by the lowest row. */
typedef struct literal {
    int64_t n, d;
    double *z, *p; /* [n x d], [n x classes] */
    int64_t classes;
    double *weight; /* [n] of places; 0: no place, known, or suggested */
    double *draw;   /* [n] */
    char *known;    /* [n] labelled or suggested places */
    double near2;
} literal;

static double apart2(const literal *s, int64_t i, int64_t j)
{
    double sum = 0;
    for (int64_t r = 0; r < s->d; r++)
        sum +=
            (s->z[i * s->d + r] - s->z[j * s->d + r]) * (s->z[i * s->d + r] - s->z[j * s->d + r]);
    return sum;
}

/* The largest probability of a row and the next one, as classes; -1: none. */
static void two_largest(const literal *s, int64_t i, int64_t two[2], double p[2])
{
    const double *const row = s->p + i * s->classes;
    double sum = 0;

    two[0] = two[1] = -1;
    p[0] = p[1] = 0;
    for (int64_t c = 0; c < s->classes; c++)
        sum += row[c] > 0 ? row[c] : 0;
    for (int which = 0; which < 2; which++)
        for (int64_t c = 0; c < s->classes; c++) {
            const double own = sum > 0 ? (row[c] > 0 ? row[c] : 0) / sum : 1. / (double)s->classes;
            if (c != two[0] && (two[which] < 0 || own > p[which])) {
                two[which] = c;
                p[which] = own;
            }
        }
}

static double weight_of_row(const literal *s, int64_t i)
{
    int64_t two[2];
    double p[2];

    if (s->classes == 0)
        return 1;
    two_largest(s, i, two, p);
    return pow(fmax(1 - p[0] + p[1], 0.01), 2);
}

static literal literal_new(const pen_model *model, const pen_array *x, const int32_t *labels)
{
    literal s = { .n = x->rows,
                  .d = pen_model_dim(model),
                  .classes = pen_model_class_count(model) };
    int32_t *const classes = check_allocate(s.n, sizeof *classes);
    pen_error err;

    s.z = check_allocate(s.n * s.d, sizeof *s.z);
    s.p = check_allocate(s.n * s.classes, sizeof *s.p);
    s.weight = check_allocate(s.n, sizeof *s.weight);
    s.draw = check_allocate(s.n, sizeof *s.draw);
    s.known = check_allocate(s.n, 1);
    CHECK_OK(pen_transform(model, x, NULL, PEN_F64, s.z, s.d, &err), &err);
    if (s.classes)
        CHECK_OK(pen_predict(model, x, NULL, classes, s.p, NULL, &err), &err);
    for (int64_t r = 0; r < s.d; r++) {
        double mean = 0;
        for (int64_t i = 0; i < s.n; i++)
            mean += s.z[i * s.d + r] / (double)s.n;
        for (int64_t i = 0; i < s.n; i++)
            s.near2 += pow(s.z[i * s.d + r] - mean, 2) / (double)s.n * 1e-6;
    }
    for (int64_t i = 0; i < s.n; i++) {
        int64_t first = 0;
        uint64_t state = 0, bits;
        while (apart2(&s, first, i) > 0)
            first++;
        s.weight[first] += weight_of_row(&s, i);
        s.known[first] |= labels && labels[i] != PEN_UNLABELLED;
        for (int64_t r = 0; r < s.d; r++) {
            memcpy(&bits, &s.z[i * s.d + r], sizeof bits);
            state = pen_rng_derive(state, bits);
        }
        s.draw[i] = (double)((state >> 11) + 1) / 9007199254740992.;
    }
    for (int64_t i = 0; i < s.n; i++)
        s.weight[i] = s.known[i] ? 0 : s.weight[i];
    return s;
}

/* A sample of the remaining places: by draw / weight. */
typedef struct place {
    double ratio, weight;
    int64_t row;
} place;

static int by_ratio(const void *a, const void *b)
{
    const place *p = a, *q = b;
    return p->ratio != q->ratio ? (p->ratio > q->ratio) - (p->ratio < q->ratio)
                                : (p->row > q->row) - (p->row < q->row);
}

static int64_t draw_places(const literal *s, place *out)
{
    int64_t count = 0;

    for (int64_t i = 0; i < s->n; i++)
        if (s->weight[i] > 0)
            out[count++] = (place){ s->draw[i] / s->weight[i], s->weight[i], i };
    qsort(out, (size_t)count, sizeof *out, by_ratio);
    if (count <= SAMPLE)
        return count;
    for (int64_t i = 0; i < SAMPLE; i++)
        out[i].weight = fmax(out[i].weight, 1 / out[SAMPLE].ratio);
    return SAMPLE;
}

/* The squared radius about a place that contains `mass` and at least one other place: the smallest
 * such distance to another place. */
static double literal_radius(const literal *s, int64_t count, const place *places, int64_t at,
                             double mass)
{
    double *const apart = check_allocate(count, sizeof *apart), least = count > 1 ? INFINITY : 0;

    for (int64_t i = 0; i < count; i++)
        apart[i] = apart2(s, places[at].row, places[i].row);
    for (int64_t i = 0; i < count; i++) {
        double inside = 0;
        for (int64_t j = 0; i != at && j < count; j++)
            inside += apart[j] <= apart[i] ? places[j].weight : 0;
        if (i != at && inside >= mass && apart[i] < least)
            least = apart[i];
    }
    return least;
}

static int64_t labels_known(const literal *s)
{
    int64_t count = 0;
    for (int64_t i = 0; i < s->n; i++)
        count += s->known[i];
    return count;
}

static double literal_reach(const literal *s, int64_t count, const place *places)
{
    const int64_t references = count < REFERENCES ? count : REFERENCES;
    double radii[REFERENCES], total = 0;

    for (int64_t i = 0; i < count; i++)
        total += places[i].weight;
    for (int64_t i = 0; i < references; i++)
        radii[i] = literal_radius(s, count, places, i,
                                  total / (double)(1 + labels_known(s)) * (1 - 1e-12));
    dense_sort(references, radii);
    return radii[references / 2] > 0 ? radii[references / 2] : 1;
}

static double nearest_label2(const literal *s, int64_t row)
{
    double least = INFINITY;
    for (int64_t i = 0; i < s->n; i++)
        if (s->known[i])
            least = fmin(least, apart2(s, row, i));
    return least;
}

/* The fraction of all weight that a label at each place would add: told [count]; -1 near labels. */
static void literal_told(const literal *s, int64_t count, const place *places, double *told)
{
    const double reach2 = literal_reach(s, count, places);
    double *const there = check_allocate(count, sizeof *there), total = 0;

    for (int64_t i = 0; i < count; i++) {
        const double near2 = nearest_label2(s, places[i].row);
        there[i] = near2 < INFINITY ? 1 / (1 + near2 / reach2) : 0;
        total += places[i].weight;
    }
    for (int64_t j = 0; j < count; j++) {
        told[j] = 0;
        for (int64_t i = 0; i < count; i++)
            told[j] +=
                places[i].weight / total
                * fmax(1 / (1 + apart2(s, places[i].row, places[j].row) / reach2) - there[i], 0);
        if (nearest_label2(s, places[j].row) <= s->near2)
            told[j] = -1;
    }
}

/* The library's suggestion number `at` is the best one after the previous ones. */
static void check_one(literal *s, int64_t count, const place *places, const pen_suggestion *found,
                      const char *what)
{
    double *const told = check_allocate(count, sizeof *told), best = -1, own = -1;
    int64_t two[2];
    double p[2];

    literal_told(s, count, places, told);
    for (int64_t j = 0; j < count; j++) {
        best = fmax(best, told[j]);
        own = places[j].row == found->row ? told[j] : own;
    }
    CHECK(own > 0 && own >= best * (1 - 1e-9), "%s: row %lld adds %.17g, the best one %.17g", what,
          (long long)found->row, own, best);
    CHECK_CLOSE(found->share, own, 1e-9, 0);
    if (s->classes) {
        two_largest(s, found->row, two, p);
        CHECK(found->first == two[0] && found->second == two[1], "%s: classes %d, %d of row %lld",
              what, found->first, found->second, (long long)found->row);
        CHECK_CLOSE(found->p_first, p[0], 1e-12, 0);
        CHECK_CLOSE(found->p_second, p[1], 1e-12, 1e-15);
    } else {
        CHECK(found->first == -1 && found->second == -1 && isnan(found->p_first)
                  && isnan(found->p_second),
              "%s: classes of a model without classes", what);
    }
    s->known[found->row] = 1;
}

/* Places that the library drops at the end of a round. */
static void drop_near(literal *s, int64_t count, const place *places)
{
    for (int64_t i = 0; i < count; i++)
        if (nearest_label2(s, places[i].row) <= s->near2)
            s->weight[places[i].row] = 0;
}

static int64_t suggest(const pen_model *model, const pen_array *x, const int32_t *labels,
                       int64_t most, int threads, pen_suggestion *out)
{
    const pen_control control = { .threads = threads };
    int64_t count = -1;
    pen_error err;

    CHECK_OK(pen_suggest(model, &(pen_data){ .x = *x, .labels = labels }, most, &control, out,
                         &count, &err),
             &err);
    return count;
}

/* `most` suggestions agree with the literal rule; if there are fewer, no place is left. */
static void check_literal(const pen_model *model, const pen_array *x, const int32_t *labels,
                          int64_t most, const char *what)
{
    pen_suggestion *const found = check_allocate(most, sizeof *found);
    literal s = literal_new(model, x, labels);
    place *const places = check_allocate(s.n, sizeof *places);
    const int64_t count = suggest(model, x, labels, most, 2, found);
    int64_t sampled = 0;

    for (int64_t i = 0; i < count; i++) {
        if (i % EACH == 0) {
            drop_near(&s, sampled, places);
            sampled = draw_places(&s, places);
        }
        check_one(&s, sampled, places, &found[i], what);
    }
    for (int64_t i = 0; count < most && i < s.n; i++)
        CHECK(s.weight[i] == 0 || nearest_label2(&s, i) <= s.near2, "%s: row %lld remains", what,
              (long long)i);
}

/* ---- tests of the rule ---- */

TEST(literal_rule)
{
    static const char *const fits[] = { "fme neighbors=3", "fme neighbors=4 prior=none",
                                        "soge neighbors=3", "pca", "pca dim=1" };
    pen_rng rng = check_rng(7301);
    for (int repeat = 0; repeat < check_repeats(15); repeat++) {
        const int64_t classes = 2 + repeat % 3;
        sample s = sample_random(&rng, 40 + 20 * (repeat % 4), 4, classes, 12),
               fresh = sample_random(&rng, 30 + 9 * (repeat % 3), 4, classes, repeat % 2 ? 6 : 1);
        const char *const text = fits[repeat % COUNT_OF(fits)];
        pen_data data = sample_data(&s);
        if (text[0] == 'p')
            data.labels = NULL;
        pen_model *const model = fit_data(text, &data);
        const pen_array rows = pen_dense(fresh.x, PEN_F64, fresh.n, 4, 4);
        check_literal(model, &data.x, s.y, 9, text);
        check_literal(model, &rows, repeat % 3 ? fresh.y : NULL, 5, text);
    }
}

/* Equal rows, some labelled; more suggestions than rows, or than a sample gives; more places than
 * radii are computed for, and more than are sampled. */
TEST(of_any_number)
{
    static const struct {
        int64_t rows, classes, labelled, most;
        int equal, unlabelled;
    } cases[] = { { 90, 2, 8, 90, 1, 0 },
                  { 90, 2, 8, 1000, 1, 1 },
                  { 110, 3, 9, 80, 0, 0 },
                  { 320, 3, 30, 2, 0, 0 },
                  { 2300, 3, 30, 1, 0, 0 } };
    pen_rng rng = check_rng(7303);

    for (int64_t c = 0; c < COUNT_OF(cases); c++) {
        char what[40];
        if (cases[c].rows > 2000 && check_effort() < 0.5)
            continue;
        sample s = sample_random(&rng, cases[c].rows, 3, cases[c].classes, cases[c].labelled);
        const pen_data data = sample_data(&s);
        for (int64_t i = 0; i < s.n * s.d && cases[c].equal; i++)
            s.x[i] = floor(s.x[i]);
        snprintf(what, sizeof what, "%lld of %lld rows", (long long)cases[c].most, (long long)s.n);
        pen_model *const model = fit_data("fme neighbors=3", &data);
        check_literal(model, &data.x, cases[c].unlabelled ? NULL : s.y, cases[c].most, what);
    }
}

/* ---- properties ---- */

/* The same bits for any number of threads; fewer suggestions are the first ones; row order does not
 * matter. */
TEST(invariances)
{
    enum { N = 2500, D = 3, MOST = 70 };
    pen_rng rng = check_rng(7304);
    pen_suggestion one[MOST], other[MOST], few[7];
    int64_t order[N];
    sample s = sample_random(&rng, N, D, 3, 40), turned = sample_new(N, D);
    const pen_data data = sample_data(&s);
    pen_model *const model = fit_data("fme neighbors=3", &data);
    const pen_array rows = pen_dense(turned.x, PEN_F64, N, D, D);

    assert_int_equal(suggest(model, &data.x, s.y, MOST, 1, one), MOST);
    memset(other, 0, sizeof other);
    assert_int_equal(suggest(model, &data.x, s.y, MOST, 3, other), MOST);
    CHECK(memcmp(one, other, sizeof one) == 0, "threads change the bits");
    assert_int_equal(suggest(model, &data.x, s.y, 7, 2, few), 7);
    CHECK(memcmp(one, few, sizeof few) == 0, "7 suggestions are not the first of %d", MOST);
    pen_rng_permutation(&rng, N, order);
    for (int64_t i = 0; i < N; i++) {
        memcpy(turned.x + i * D, s.x + order[i] * D, D * sizeof *s.x);
        turned.y[i] = s.y[order[i]];
    }
    assert_int_equal(suggest(model, &rows, turned.y, MOST, 2, other), MOST);
    for (int i = 0; i < MOST; i++)
        CHECK(order[other[i].row] == one[i].row && other[i].p_first == one[i].p_first,
              "suggestion %d depends on row order", i);
}

/* ---- degenerate data ---- */

/* A model of two classes, z = x, with zero scores everywhere: equal probabilities. */
static pen_model *undecided_model(pen_rng *rng)
{
    sample s = sample_random(rng, 20, 2, 2, 5);
    pen_model *const model = fit_sample("fme neighbors=3 prior=none", &s);

    for (int i = 0; i < 4; i++)
        model->projection[i] = i % 3 == 0;
    for (int j = 0; j < 2; j++) {
        model->mean[j] = 0;
        model->bias[j] = -1e9;
    }
    return model;
}

/* With equal probabilities rows are chosen by place alone; ties go to the lower one. */
TEST(equal_probabilities)
{
    static const double corners[] = { 1, 1, -1, 1, -1, -1, 1, -1 };
    pen_suggestion found[4];
    pen_rng rng = check_rng(7306);
    pen_model *const model = undecided_model(&rng);
    const pen_array four = pen_dense(corners, PEN_F64, 4, 2, 2);
    assert_int_equal(suggest(model, &four, NULL, 4, 1, found), 4);
    CHECK(found[0].row == 0 && found[1].row == 1, "of four equal corners %lld, %lld come first",
          (long long)found[0].row, (long long)found[1].row);
    CHECK(found[0].first == 0 && found[0].second == 1 && found[0].p_first == 0.5
              && found[0].p_second == 0.5,
          "classes %d, %d: %g, %g", found[0].first, found[0].second, found[0].p_first,
          found[0].p_second);
    sample s = sample_random(&rng, 70, 2, 2, 5);
    const pen_data data = sample_data(&s);
    check_literal(model, &data.x, s.y, 6, "equal probabilities");
}

/* All rows equal: one suggestion, or none if one is labelled; one row; all rows labelled; one
 * class. */
TEST(nothing_to_choose)
{
    enum { N = 30, D = 3 };
    pen_rng rng = check_rng(7307);
    pen_suggestion found[N];
    int32_t labels[N];
    sample s = sample_random(&rng, N, D, 2, 10), same = sample_new(N, D);
    pen_data data = sample_data(&s);
    pen_model *const model = fit_data("fme neighbors=3", &data);
    const pen_array equal = pen_dense(same.x, PEN_F64, N, D, D),
                    one = pen_dense(s.x, PEN_F64, 1, D, D);
    for (int i = 0; i < N; i++)
        labels[i] = i == 17 ? 0 : PEN_UNLABELLED;
    assert_int_equal(suggest(model, &equal, NULL, 5, 1, found), 1);
    assert_int_equal(found[0].row, 0);
    CHECK_CLOSE(found[0].share, 1, 1e-14, 0);
    assert_int_equal(suggest(model, &equal, labels, 5, 1, found), 0);
    assert_int_equal(suggest(model, &one, NULL, 5, 1, found), 1);
    for (int i = 0; i < N; i++)
        labels[i] = 3;
    assert_int_equal(suggest(model, &data.x, labels, 5, 1, found), 0);
    for (int i = 0; i < N; i++)
        s.y[i] = i < 4 ? 0 : PEN_UNLABELLED;
    pen_model *const single = fit_data("fme neighbors=3 unlabelled_weight=1", &data);
    assert_int_equal(suggest(single, &data.x, s.y, 3, 1, found), 3);
    CHECK(found[0].first == 0 && found[0].second == -1 && found[0].p_first == 1
              && found[0].p_second == 0,
          "one class: %d, %d", found[0].first, found[0].second);
}

/* ---- errors ---- */

static int stop_now(void *user, const char *phase, int64_t done, int64_t total)
{
    (void)user, (void)done, (void)total;
    return strcmp(phase, "choosing rows") == 0;
}

TEST(refused)
{
    enum { N = 30, D = 3 };
    const pen_control stopping = { .progress = stop_now };
    pen_rng rng = check_rng(7308);
    pen_suggestion found[N];
    int64_t count;
    pen_error err;
    sample s = sample_random(&rng, N, D, 2, 10);
    const pen_data data = { .x = pen_dense(s.x, PEN_F64, N, D, D), .labels = s.y },
                   narrow = { .x = pen_dense(s.x, PEN_F64, N, D - 1, D), .labels = s.y };
    pen_model *const model = fit_data("fme neighbors=3", &data), *const fda = fit_data(
                                                                     "fda classifier=none", &data);
    CHECK_STATUS(pen_suggest(model, &data, 0, NULL, found, &count, &err), PEN_BAD_ARGUMENT,
                 "suggestions must be at least 1, got 0", &err);
    CHECK_STATUS(pen_suggest(fda, &data, 3, NULL, found, &count, &err), PEN_BAD_ARGUMENT,
                 "a model of fda predicts no classes", &err);
    CHECK_STATUS(pen_suggest(model, &narrow, 3, NULL, found, &count, &err), PEN_BAD_DATA,
                 "rows must have 3 columns", &err);
    CHECK_STATUS(pen_suggest(model, &data, 3, &stopping, found, &count, &err), PEN_CANCELLED, NULL,
                 &err);
    s.x[7] = NAN;
    CHECK_STATUS(pen_suggest(model, &data, 3, NULL, found, &count, &err), PEN_NOT_FINITE, "row 2",
                 &err);
}
