/* test_order.c - the names of classes and the order of rows and columns do not matter: every method
 * and classifier, the choice without a method, and trials give each row the same class. */
#include "kit/compared.h"
#include "kit/embedded.h"

#include <math.h>
#include <stdio.h>

/* A change that must not matter. */
struct change {
    const char *name;
    int rows;       /* 1: permuted; 2: reversed */
    int columns;    /* 1: permuted */
    int names;      /* 1: classes get other numbers in another order */
    int last_digit; /* 1: values change */
};

static const struct change changes[] = {
    { "rows permuted", 1, 0, 0, 0 },
    { "rows reversed, other names", 2, 0, 1, 0 },
    { "columns permuted", 0, 1, 0, 0 },
    { "rows permuted, other last digits", 1, 0, 0, 1 },
};
enum { COLUMNS = 2, EXACT }; /* changes that keep the values */

/* A table; each row knows its row in the first table. */
struct rows {
    int64_t n, d;
    double *x;
    int32_t *labels, *truth;
    int64_t *from; /* [n] */
};

static struct rows new_rows(int64_t n, int64_t d)
{
    struct rows r = { .n = n, .d = d };

    r.x = check_allocate(n * d, sizeof *r.x);
    r.labels = check_allocate(n, sizeof *r.labels);
    r.truth = check_allocate(n, sizeof *r.truth);
    r.from = check_allocate(n, sizeof *r.from);
    for (int64_t i = 0; i < n; i++)
        r.from[i] = i;
    return r;
}

/* Every step-th row of a table; all but every `kept`-th of these lose their labels. */
static struct rows read_rows_of(const char *path, int64_t step, int64_t kept)
{
    const pen_read_options options = { .label_column = "class" };
    pen_table *t;
    pen_error err;

    CHECK_OK(pen_read(path, &options, &t, &err), &err);
    struct rows r = new_rows(t->x.rows / step, t->x.cols);
    for (int64_t i = 0; i < r.n; i++) {
        const double *const row = (const double *)t->x.values + i * step * t->x.stride;
        memcpy(r.x + i * r.d, row, (size_t)r.d * sizeof *row);
        r.truth[i] = t->labels[i * step];
        r.labels[i] = i % kept == 0 ? r.truth[i] : -1;
    }
    pen_table_free(t);
    return r;
}

/* Class c of few, renumbered. */
static int32_t renamed(int32_t label)
{
    return label < 0 ? label : (label * 7 + 3) % 10;
}

static struct rows changed(const struct rows *r, const struct change *c)
{
    pen_rng rng = check_rng(3101);
    struct rows out = new_rows(r->n, r->d);
    int64_t *const columns = check_allocate(r->d, sizeof *columns);

    if (c->rows == 1)
        pen_rng_permutation(&rng, r->n, out.from);
    for (int64_t i = 0; c->rows == 2 && i < r->n; i++)
        out.from[i] = r->n - 1 - i;
    pen_rng_permutation(&rng, r->d, columns);
    for (int64_t i = 0; i < r->n; i++) {
        const int32_t label = r->labels[out.from[i]];
        for (int64_t j = 0; j < r->d; j++)
            out.x[i * r->d + j] = r->x[out.from[i] * r->d + (c->columns ? columns[j] : j)];
        out.labels[i] = c->names ? renamed(label) : label;
    }
    for (int64_t i = 0; c->last_digit && i < r->n * r->d; i++)
        out.x[i] *= 1 + (pen_rng_uniform(&rng) < 0.5 ? -1 : 1) * 1e-15;
    return out;
}

static pen_data labelled(const struct rows *r)
{
    return (pen_data){ .x = pen_dense(r->x, PEN_F64, r->n, r->d, r->d), .labels = r->labels };
}

/* The classes of all rows by a spec, with original names, in the order of the first table. */
static void find_classes(const char *text, const struct rows *r, int names, int32_t *out)
{
    const pen_data data = labelled(r);
    pen_model *const model = fit_defaults(text, &data);
    int32_t *const index = check_allocate(r->n, sizeof *index);
    int64_t differ = 0;
    pen_error err;

    CHECK_OK(pen_predict(model, &data.x, NULL, index, NULL, NULL, &err), &err);
    for (int64_t i = 0; i < r->n; i++) {
        const int32_t label = (int32_t)atoi(pen_model_class_name(model, index[i]));
        out[r->from[i]] = names ? (label + 7) * 3 % 10 : label;
        differ += index[i] != index[0];
    }
    CHECK(differ > 0, "'%s': all rows have one class, so the test proves nothing", text);
}

/* The first `count` changes keep the classes of all but `most` rows. */
static void check_classes(const char *text, const struct rows *r, int64_t count, int64_t most)
{
    int32_t *const first = check_allocate(2 * r->n, sizeof *first), *const other = first + r->n;

    find_classes(text, r, 0, first);
    for (int64_t c = 0; c < count; c++) {
        struct rows again = changed(r, &changes[c]);
        int64_t differ = 0;
        find_classes(text, &again, changes[c].names, other);
        for (int64_t i = 0; i < r->n; i++)
            differ += first[i] != other[i];
        CHECK(differ <= most, "'%s', %lld rows, %s: the classes of %lld rows change", text,
              (long long)r->n, changes[c].name, (long long)differ);
    }
}

static struct rows wine, digits;

static int open_rows(void **state)
{
    wine = read_rows_of(EXAMPLE_DATA "/wine.csv", 2, 3);
    digits = read_rows_of(EXAMPLE_DATA "/digits.csv", 18, 2);
    return 0;
}

GROUP(open_rows, NULL);

TEST(all_methods)
{
    static const char *const kernels[] = { "", " kernel=rbf kernel_landmarks=60" };

    for (int64_t m = 0; pen_method_at(m); m++)
        for (int64_t k = 0; k < COUNT_OF(kernels); k++) {
            const char *const name = pen_method_at(m)->name;
            /* with more dimensions than labels, each class is a point up to rounding */
            const int64_t most = strcmp(name, "cfld") == 0 && k > 0 ? 6 : 0;
            char text[96];
            /* does not depend on classes, and takes trials */
            snprintf(text, sizeof text, "%s%s temperature=none", name, kernels[k]);
            if (check_in_turn(m + k, 4))
                check_classes(text, &wine, EXACT, most);
            if (check_in_turn(m + k + 2, 4))
                check_classes(text, &digits, EXACT, most);
        }
}

/* Columns of few integers, like codes, have many equal distances, which differ by rounding once
 * columns are scaled. Neither order nor unit may matter. */
TEST(equal_distances)
{
    static const char *const texts[] = { "sda", "fme", "soge", "saloe", "clpp", "tr-fsda" };
    struct rows r = read_rows_of(EXAMPLE_DATA "/wine.csv", 1, 5);
    int32_t *const a = check_allocate(r.n, sizeof *a), *const b = check_allocate(r.n, sizeof *b);

    for (int64_t j = 0; j < r.d; j++) {
        double low = INFINITY, high = -INFINITY;
        for (int64_t i = 0; i < r.n; i++) {
            low = fmin(low, r.x[i * r.d + j]);
            high = fmax(high, r.x[i * r.d + j]);
        }
        for (int64_t i = 0; i < r.n; i++)
            r.x[i * r.d + j] = rint(2 * (r.x[i * r.d + j] - low) / (high - low));
    }
    struct rows other = changed(&r, &changes[COLUMNS]);
    for (int64_t i = 0; i < r.n * r.d; i++)
        other.x[i] *= 3;
    for (size_t t = 0; t < COUNT_OF(texts); t++) {
        find_classes(texts[t], &r, 0, a);
        find_classes(texts[t], &other, 0, b);
        CHECK(memcmp(a, b, (size_t)r.n * sizeof *a) == 0, "%s: classes differ", texts[t]);
    }
}

static const char *const classifiers[] = { "nearest", "neighbors",     "means",
                                           "lda",     "self-training", "logistic" };

TEST(all_classifiers)
{
    for (int64_t r = 0; r < COUNT_OF(classifiers); r++) {
        char text[96];
        snprintf(text, sizeof text, "self kernel=rbf kernel_landmarks=random:60 classifier=%s",
                 classifiers[r]);
        check_classes(text, &wine, EXACT, 0);
        snprintf(text, sizeof text, "pca pca=0.9 classifier=%s", classifiers[r]);
        check_classes(text, &digits, EXACT, 0);
    }
}

/* Clusters with few labels, also far from the origin: cfld and wbdr map each class to a point. */
TEST(few_labels)
{
    enum { LABELS = 3, KNOWN = 6 };
    static const char *const methods[] = { "cfld", "wbdr", "fda", "none" };

    for (int c = 0; c < 4; c++) {
        pen_rng rng = check_rng(5100 + (uint64_t)c);
        struct rows r = new_rows(40, 8);
        for (int64_t i = 0; i < r.n; i++) {
            r.labels[i] = i < KNOWN ? (int32_t)i % LABELS : -1;
            for (int64_t j = 0; j < r.d; j++)
                r.x[i * r.d + j] =
                    (c % 2 ? 1e4 : 0) + check_normal(&rng) + (i < KNOWN && j == i % LABELS ? 2 : 0);
        }
        for (int t = 0; t < 4 * COUNT_OF(classifiers); t++) {
            char text[64];
            if (!check_in_turn(c + t + t / 4, 4))
                continue;
            snprintf(text, sizeof text, "%s classifier=%s", methods[t % 4], classifiers[t / 4]);
            check_classes(text, &r, COUNT_OF(changes), 0);
        }
    }
}

TEST(no_method)
{
    check_classes("auto ensemble=true", &wine, EXACT, 0);
}

/* With three copies of every row, errors for the choice of beta are about three times as many, not
 * 0: a row and its copies share a fold. */
TEST(copies)
{
    struct rows three = new_rows(3 * wine.n, wine.d);
    double errors[2][5];

    for (int64_t i = 0; i < three.n; i++) {
        memcpy(three.x + i * wine.d, wine.x + i % wine.n * wine.d, (size_t)wine.d * sizeof *wine.x);
        three.labels[i] = wine.labels[i % wine.n];
    }
    for (int t = 0; t < 2; t++) {
        const pen_data data = labelled(t ? &three : &wine);
        pen_model *const model = fit_defaults(t ? "self total=covariance scale=none neighbors=23"
                                                : "self total=covariance scale=none neighbors=7",
                                              &data);
        assert_int_equal(model_list(model, "info.beta_errors", 5, errors[t]), 5);
    }
    for (int b = 0; b < 5; b++)
        CHECK_CLOSE(errors[1][b] / 3, errors[0][b], 0, 3);
}

TEST(trials)
{
    static const pen_trials protocols[] = {
        { .folds = 3, .runs = 2 },
        { .folds = 3, .runs = 1, .shuffled = 1 },
        { .folds = 3, .runs = 1, .keep_labels = "2" },
    };
    const int64_t dims[] = { 2 };
    pen_spec *const spec = spec_with_defaults("lfda classifier=lda");

    for (int64_t p = 0; p < COUNT_OF(protocols); p++)
        for (int64_t c = -1; c < EXACT; c++) {
            static double first[6];
            struct rows again = changed(&wine, c < 0 ? &changes[0] : &changes[c]);
            const pen_data data = labelled(c < 0 ? &wine : &again);
            struct scores scores;
            pen_error err;
            CHECK_OK(evaluate(spec, &data, &protocols[p], dims, 1, NULL, &scores, &err), &err);
            CHECK(scores.trials > 0 && scores.trials <= COUNT_OF(first), "%lld trials",
                  (long long)scores.trials);
            for (int64_t t = 0; t < scores.trials; t++) {
                first[t] = c < 0 ? scores.accuracy[t] : first[t];
                CHECK(scores.accuracy[t] == first[t], "protocol %lld, trial %lld: %g, %s: %g",
                      (long long)p, (long long)t, first[t], c < 0 ? "" : changes[c].name,
                      scores.accuracy[t]);
            }
        }
}

/* Must-links (`same`) or cannot-links of a table, with row numbers of the first table. */
static int64_t list_pairs(const struct rows *first, const struct rows *r, int same, int64_t *out)
{
    int64_t *const place = check_allocate(r->n, sizeof *place), count = 0;

    for (int64_t i = 0; i < r->n; i++)
        place[r->from[i]] = i;
    for (int64_t i = 0; i < r->n / 3; i++) {
        const int64_t a = 3 * i, b = i % 2 ? a + 1 : (a + r->n / 2) % r->n;
        if ((first->truth[a] == first->truth[b]) == same) {
            out[2 * count] = place[a];
            out[2 * count++ + 1] = place[b];
        }
    }
    return count;
}

/* The losses of held-out pairs by which a fit chooses parameters; returns their number. */
static int64_t find_losses(const struct rows *r, double losses[100])
{
    int64_t *const pairs = check_allocate(4 * r->n, sizeof *pairs);
    pen_data data = labelled(r);

    data.labels = NULL;
    data.must_link = pairs;
    data.must_link_count = list_pairs(&wine, r, 1, pairs);
    data.cannot_link = pairs + 2 * r->n;
    data.cannot_link_count = list_pairs(&wine, r, 0, pairs + 2 * r->n);
    pen_model *const model = fit_defaults("sodrpac gamma=cv dim=auto", &data);
    const int64_t count = model_list(model, "info.held_out_loss", 100, losses);
    CHECK(count > 1 && count <= 100, "%lld losses", (long long)count);
    return count;
}

TEST(held_out_pairs)
{
    double losses[100], others[100];
    const int64_t count = find_losses(&wine, losses);

    for (int64_t c = 0; c < EXACT; c++) {
        struct rows again = changed(&wine, &changes[c]);
        assert_int_equal(find_losses(&again, others), count);
        for (int64_t i = 0; i < count; i++)
            CHECK_CLOSE(others[i], losses[i], 0, 1e-9);
    }
}
