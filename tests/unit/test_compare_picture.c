/* test_compare_picture.c - the picture of a comparison against the fit of its first trial by public
 * calls; base64. */
#include "core/json.h"
#include "core/textbuf.h"
#include "kit/compared.h"
#include "kit/held_out.h"

#include <stdio.h>
#include <stdlib.h>

enum { N = 60, D = 5, CLASSES = 3, NONE = 65535 };

/* Labels 3, 5, 7 of three rows in four. */
static sample problem(uint64_t tag, int64_t n, int64_t d, double apart)
{
    pen_rng rng = check_rng(tag);
    sample s = sample_new(n, d);

    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < d; j++)
            s.x[i * d + j] =
                (apart > 0 ? 0.3 : 1) * check_normal(&rng) + (j == i % CLASSES ? 3 + apart : 0);
        s.x[i * d] += apart * (double)(i % CLASSES);
        s.y[i] = i % 4 ? 3 + 2 * (int32_t)(i % CLASSES) : PEN_UNLABELLED;
    }
    return s;
}

/* The fields of a picture, or NULL without one. */
struct picture {
    int64_t rows, of;
    const float *points, *at, *weights[2];
    const uint16_t *class, *probability, *label;
    const uint8_t *known;
    const uint32_t *row;
    char axes[2][128];
};

static const void *bytes_of(const pen_json *text, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned char *const out = check_allocate((int64_t)size + 3, 1);
    size_t count = 0;

    if (!text)
        return NULL;
    assert_int_equal(strlen(text->text), (size + 2) / 3 * 4);
    for (const char *four = text->text; *four; four += 4) {
        uint32_t all = 0;
        for (int i = 0; i < 4; i++)
            all = all << 6 | (four[i] == '=' ? 0 : (uint32_t)(strchr(digits, four[i]) - digits));
        for (int i = 0; i < 3; i++)
            out[count++] = (unsigned char)(all >> (16 - 8 * i));
    }
    return out;
}

/* Returns 0 if the picture is null. d: columns of the data. */
static int read_picture(const pen_comparison *c, int64_t d, struct picture *out)
{
    const char *const text = pen_comparison_json(c);
    pen_json *all;
    pen_error err;

    pen_run *const run = check_run(1, &err);
    CHECK_OK(pen_json_parse(run, "a comparison", "it", text, strlen(text), &all), &err);
    const pen_json *const picture = pen_json_member(all, "picture"),
                          *const of = pen_json_member(picture, "of"),
                          *const curves = pen_json_member(picture, "curves"),
                          *const weights = pen_json_member(curves, "weights");
    assert_non_null(picture);
    *out = (struct picture){ .rows = 0 };
    if (picture->type == PEN_JSON_OBJECT) {
        assert_true(pen_json_member(picture, "dims")->number == 2);
        const int64_t n = (int64_t)pen_json_member(picture, "rows")->number;
        out->rows = n;
        out->of = of ? (int64_t)of->number : n;
        out->points = bytes_of(pen_json_member(picture, "points"), (size_t)(8 * n));
        out->class = bytes_of(pen_json_member(picture, "class"), (size_t)(2 * n));
        out->probability = bytes_of(pen_json_member(picture, "probability"), (size_t)(2 * n));
        out->label = bytes_of(pen_json_member(picture, "label"), (size_t)(2 * n));
        out->known = bytes_of(pen_json_member(picture, "known"), (size_t)n);
        out->row = bytes_of(pen_json_member(picture, "row"), (size_t)(4 * n));
        out->at = bytes_of(pen_json_member(curves, "at"), (size_t)(4 * d));
        for (int a = 0; a < 2; a++) {
            snprintf(out->axes[a], sizeof out->axes[a], "%s",
                     pen_json_item(pen_json_member(picture, "axes"), a)->text);
            out->weights[a] = bytes_of(pen_json_item(weights, a), (size_t)(4 * d));
        }
    }
    pen_run_close(run);
    return out->rows > 0;
}

static pen_comparison *compare_one(const char *text, const pen_data *data, const pen_trials *trials)
{
    pen_spec *const spec = spec_with_defaults(text);
    struct scores scores;
    pen_error err;

    CHECK_OK(evaluate(spec, data, trials, NULL, 0, NULL, &scores, &err), &err);
    return scores.comparison;
}

/* The linear function z A nearest to two coordinates of each row, z [n x k]. */
static const double *nearest_function(int64_t k, const double *z, const double *points)
{
    const double *const t = dense_transpose(N, k, z);
    double *const square = dense_product(k, N, k, t, z);

    for (int64_t c = 0; c < k; c++) /* class scores are dependent */
        square[c * (k + 1)] += 1e-9;
    return dense_product(N, k, 2, z, dense_solve(k, 2, square, dense_product(k, N, 2, t, points)));
}

/* z [n x k] itself, or two directions of more than two columns. */
static void check_points(const struct picture *p, int64_t k, const double *z)
{
    double *const points = zeros(2 * N);
    const double *right = points;

    for (int64_t i = 0; i < 2 * N; i++)
        points[i] = p->points[i];
    if (k > 2)
        right = nearest_function(k, z, points);
    for (int64_t i = 0; i < 2 * N; i++)
        CHECK_CLOSE(points[i],
                    k > 2       ? right[i]
                    : i % 2 < k ? z[i / 2 * k + i % 2]
                                : (double)(i / 2),
                    1e-6, 1e-5);
}

/* The picture shows the literal first trial: the fit, its labels, and its predictions. */
static void check_trial(const pen_comparison *c, const held_out *t, const struct picture *p)
{
    const pen_spec *const spec = pen_comparison_spec(c, 0);
    const pen_array x = pen_dense(t->s->x, PEN_F64, N, t->s->d, t->s->d);
    double shares[N * CLASSES], right = 0, held = 0;
    int32_t told[N];
    pen_error err;

    held_out_predict(t, spec, 0, shares, told);
    pen_model *const model = keep_model(held_out_fit(t, spec));
    const int64_t k = pen_model_dim(model);
    double *const z = zeros(N * k);
    CHECK_OK(pen_transform(model, &x, NULL, PEN_F64, z, k, &err), &err);
    assert_true(p->rows == N && p->of == N && !p->row);
    for (int64_t i = 0; i < N; i++) {
        const int labelled = t->s->y[i] != PEN_UNLABELLED, hidden = t->fold[i] == t->f;
        assert_int_equal(p->label[i], labelled ? (t->s->y[i] - 3) / 2 : NONE);
        assert_int_equal(p->known[i], labelled && !hidden);
        assert_int_equal(p->class[i], told[i]);
        CHECK_CLOSE(p->probability[i], 65535 * shares[i * CLASSES + told[i]], 0, 1);
        held += labelled && hidden;
        right += labelled && hidden && told[i] == p->label[i];
    }
    CHECK_CLOSE(right / held, c->candidates[c->chosen].trials[0], 0, 1e-12);
    check_points(p, k, z);
}

/* Pairs of overlapping classes, where predictions matter, and classes separated by one direction,
 * where no baseline is better. */
TEST(first_trial_by_hand)
{
    static const struct {
        const char *text;
        double apart;
    } cases[] = { { "fda dim=2 classifier=lda temperature=none", 9 },
                  { "self classifier=nearest temperature=0.5", 0 },
                  { "fme classifier=scores temperature=none", 0 },
                  { "soda classifier=scores temperature=none", 9 },
                  { "pca dim=1 classifier=lda temperature=none", 9 },
                  { "pca dim=3 kernel=rbf classifier=lda temperature=none", 9 } };
    int32_t fold[N];

    for (int64_t i = 0; i < COUNT_OF(cases); i++)
        for (int inductive = 0; inductive < (strstr(cases[i].text, "soda") ? 1 : 2); inductive++) {
            const pen_trials trials = { .fold_of = fold, .inductive = inductive, .picture = 1 };
            sample s = problem(9700, N, D, cases[i].apart);
            const pen_data data = sample_data(&s);
            const held_out first = { .s = &s, .fold = fold, .f = 0, .inductive = inductive };
            struct picture p;
            for (int64_t r = 0; r < N; r++)
                fold[r] = s.y[r] == PEN_UNLABELLED ? -1 : (int32_t)(r % 7 % 3);
            pen_comparison *const c = compare_one(cases[i].text, &data, &trials);
            const pen_compared *const taken = &c->candidates[c->chosen];
            assert_true(read_picture(c, D, &p));
            CHECK(!taken->baseline || cases[i].apart == 0, "%s", taken->name);
            if (strstr(cases[i].text, "kernel") || strstr(cases[i].text, "dim=1"))
                assert_string_equal(p.axes[1], strstr(cases[i].text, "kernel") ? "z2" : "row");
            if (!taken->baseline) /* the spec has all columns of the models in trials */
                check_trial(c, &first, &p);
        }
}

/* "#3 +, #1 -": the columns of largest weight times deviation in a dimension. */
static void name_by_hand(const pen_model *model, int64_t d, int64_t dim, const char *const *names,
                         char out[128])
{
    const double *const w = model_columns(model), *const by = model_values(model, "deviation");
    const int64_t k = pen_model_dim(model);
    double *const size = zeros(d);
    int at = 0;

    for (int64_t j = 0; j < d; j++)
        size[j] = w[j * k + dim] * by[j];
    for (int i = 0; i < 3; i++) {
        const double largest = dense_largest(d, size, 1);
        int64_t j = 0;
        while (fabs(size[j]) < largest)
            j++;
        at += names ? snprintf(out + at, (size_t)(128 - at), "%s%s", i ? ", " : "", names[j])
                    : snprintf(out + at, (size_t)(128 - at), "%s#%d", i ? ", " : "", (int)j);
        at += snprintf(out + at, (size_t)(128 - at), " %c", size[j] < 0 ? '-' : '+');
        size[j] = 0;
    }
}

/* Positions along curves: numbers in the names of 30 columns or more, or column indices after steps
 * for spectra. order: of the names; 0: none. */
static void check_axes(int64_t d, int order, const char *steps, int curves)
{
    sample s = problem(9701, N, d, 9);
    pen_data data = sample_data(&s);
    int32_t folds[N];
    char text[96], names[32][8], right[128];
    const char *list[32];
    struct picture p;

    for (int64_t r = 0; r < N; r++)
        folds[r] = s.y[r] == PEN_UNLABELLED ? -1 : (int32_t)(r % 7 % 3);
    for (int64_t j = 0; j < d; j++) {
        snprintf(names[j], sizeof names[j], "%d.5", (int)(900 + order * j));
        list[j] = names[j];
    }
    if (order > 1)
        list[3] = order == 2 ? "x" : "5";
    data.column_names = order ? list : NULL;
    snprintf(text, sizeof text, "fda dim=2 pca=9%s classifier=lda temperature=none", steps);
    const pen_trials trials = { .fold_of = folds, .picture = 1 };
    const held_out first = { .s = &s, .fold = folds, .f = 0 };
    pen_comparison *const c = compare_one(text, &data, &trials);
    CHECK(!c->candidates[c->chosen].baseline, "%s", text);
    assert_true(read_picture(c, d, &p));
    pen_model *const model = keep_model(held_out_fit(&first, pen_comparison_spec(c, 0)));
    CHECK(!p.at == !curves, "%lld columns, names in order %d%s: curves", (long long)d, order,
          steps);
    for (int a = 0; a < 2; a++) {
        name_by_hand(model, d, a, data.column_names, right);
        assert_string_equal(p.axes[a], right);
        for (int64_t j = 0; j < d && curves; j++) {
            const double w = model_columns(model)[2 * j + a];
            CHECK_CLOSE(p.weights[a][j], w, 1e-6, 1e-6);
            CHECK_CLOSE(p.at[j], order == 0 || order == 2 ? (double)j : strtod(names[j], NULL), 0,
                        0);
        }
    }
}

TEST(axes)
{
    check_axes(30, 1, "", 1);
    check_axes(30, -1, "", 1);
    check_axes(30, 2, "", 0); /* a name that is no number, or out of order */
    check_axes(30, 3, "", 0);
    check_axes(30, 0, "", 0);
    check_axes(30, 0, " row_steps=snv", 1);
    check_axes(30, 2, " row_steps=derivative:5", 1);
    check_axes(29, 1, " row_steps=snv", 0);
}

/* Of many rows, 5000 are drawn: labelled ones, including held-out rows, and then others. */
TEST(some_of_many_rows)
{
    enum { MANY = 5300 };
    int32_t fold[MANY];
    const pen_trials trials = { .fold_of = fold, .picture = 1 };

    for (int64_t i = 0; i < MANY; i++)
        fold[i] = i % 5 ? -1 : 0;
    for (int64_t labelled = 300; labelled <= MANY; labelled += MANY - 300) {
        sample s = problem(9703, MANY, 3, 9);
        const pen_data data = sample_data(&s);
        int64_t held = 0, with = 0;
        struct picture p;
        for (int64_t i = 0; i < MANY; i++)
            s.y[i] = i < labelled ? (int32_t)(i % CLASSES) : PEN_UNLABELLED;
        assert_true(read_picture(compare_one("pca dim=2 classifier=lda", &data, &trials), 3, &p));
        assert_true(p.of == MANY && p.rows > 4990 && p.rows <= 5000);
        for (int64_t i = 0; i < p.rows; i++) {
            const int64_t row = p.row[i];
            assert_true(row < MANY && (i == 0 || row > p.row[i - 1]));
            assert_int_equal(p.label[i], row < labelled ? row % CLASSES : NONE);
            with += p.label[i] != NONE;
            held += p.label[i] != NONE && !p.known[i];
        }
        assert_int_equal(with, pen_min(labelled, p.rows));
        CHECK_CLOSE((double)held / (double)with, 0.2, 0.1, 0);
    }
}

/* Labels that trials hide are shown as held out. */
TEST(hidden_labels)
{
    const pen_trials trials = { .keep_labels = "2", .picture = 1 };
    sample s = problem(9704, N, D, 9);
    const pen_data data = sample_data(&s);
    int64_t known = 0;
    struct picture p;

    assert_true(read_picture(compare_one("pca classifier=lda", &data, &trials), D, &p));
    for (int64_t i = 0; i < N; i++) {
        known += p.known[i];
        assert_int_equal(p.label[i], i % 4 ? i % CLASSES : NONE);
    }
    assert_int_equal(known, 2 * CLASSES);
}

/* The JSON without times and, unless with_picture, without the picture. */
static char *text_of(const pen_comparison *c, int with_picture)
{
    const char *from = pen_comparison_json(c);
    char *const out = check_allocate((int64_t)strlen(from) + 1, 1), *to = out;

    while (*from)
        if (strncmp(from, "\"seconds\":", 10) == 0)
            from += strcspn(from, ",}");
        else if (!with_picture && strncmp(from, ",\"picture\":", 11) == 0)
            from += strcspn(from, "}") + 1;
        else
            *to++ = *from++;
    return out;
}

static int stop_at_picture(void *user, const char *phase, int64_t done, int64_t total)
{
    return strcmp(phase, "picture") == 0;
}

TEST(picture_changes_nothing_else)
{
    static const char *const names[] = { "pca", "self", "fme" };
    sample s = problem(9705, N, D, 0);
    const pen_data data = sample_data(&s);
    const pen_trials plain = { .effort = 1e-3, .shuffled = 1 },
                     drawn = { .effort = 1e-3, .shuffled = 1, .picture = 1 };
    const pen_control one = { .threads = 1 }, three = { .threads = 3 },
                      stops = { .progress = stop_at_picture };
    pen_comparison *c;
    struct picture p;
    pen_error err;

    CHECK_OK(compare_named(names, 3, &data, &plain, &one, &c, &err), &err);
    const char *const without = text_of(c, 1);
    assert_null(strstr(without, "picture"));
    CHECK_OK(compare_named(names, 3, &data, &drawn, &one, &c, &err), &err);
    const char *const with = text_of(c, 1);
    assert_string_equal(text_of(c, 0), without);
    CHECK_OK(compare_named(names, 3, &data, &drawn, &three, &c, &err), &err);
    assert_string_equal(text_of(c, 1), with);
    assert_true(read_picture(c, D, &p));
    CHECK_OK(compare_named(names, 3, &data, &drawn, &stops, &c, &err), &err);
    assert_false(read_picture(c, D, &p));
    assert_non_null(strstr(pen_comparison_json(c), "\"interrupted\":false"));
}

TEST(no_picture)
{
    static const double x[] = { 0, 1, 0, 2, 3, 5 };
    static const int32_t y[] = { 0, 0, 1 }, fold[] = { 0, -1, -1 };
    const pen_trials trials = { .fold_of = fold, .picture = 1 };
    const sample s = sample_of(3, 2, x, y);
    const pen_data data = sample_data(&s);
    struct picture p;

    assert_false(read_picture(compare_one("pca classifier=nearest", &data, &trials), 2, &p));
}

/* RFC 4648, section 10. */
TEST(base64)
{
    static const char *const right[] = { "",         "Zg==",     "Zm8=",    "Zm9v",
                                         "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy" };
    char line[32], made[32];

    for (size_t size = 0; size <= 6; size++) {
        pen_string text = { .data = NULL };
        pen_text_add_string(&text, "{");
        pen_text_add_base64(&text, "a", "foobar", size);
        pen_text_give(&text, made, sizeof made);
        snprintf(line, sizeof line, "{\"a\":\"%s\"", right[size]);
        assert_string_equal(made, line);
    }
}
