/* bench_defaults.c - every method with its defaults and with each grid value, on few labels.
 *
 *   bench_defaults X.npy Y.npy LABELS ROWS DRAWS THREADS [METHOD...]
 *
 * draws at most ROWS rows of X.npy (the same for every method) and, DRAWS times, LABELS labels per
 * class; with LABELS P% half of the rows of each class have labels, and methods learn from P % of
 * their pairs. Each method is fitted with its defaults and with one parameter at a time set to each
 * other value of its grid, and the unlabelled rows are classified by the nearest labelled row in
 * the embedding. METHOD may name values that replace defaults: "sodrpac pair_terms=sum dim=9".
 * Prints a line of CSV for each fit:
 *
 *   draw, METHOD, parameter (empty: the defaults), value, dimensions, accuracy of the nearest
 *   labelled row, accuracy of the class scores (empty: the method gives none), why it failed
 *
 * bench/defaults_table.py runs it over many data sets. */
#define _POSIX_C_SOURCE 200809L

#include "bench.h"

#include "core/rng.h"
#include "core/rows.h"

#include <math.h>
#include <string.h>

enum { VALUE = 32, TEXT = 200, ROWS_TAG = 1, LABELS_TAG = 2 };

struct trial {
    pen_array x;
    const int32_t *truth; /* [n] */
    int32_t *known;       /* [n] PEN_UNLABELLED where hidden */
    const char *pairs;    /* P%, or NULL */
    int64_t draw;
    int threads;
    double *z; /* [n x cols] */
};

/* ---- one fit ---- */

static double nearest_accuracy(const struct trial *t, int64_t k)
{
    int64_t right = 0, hidden = 0;

    for (int64_t i = 0; i < t->x.rows; i++) {
        double least = INFINITY;
        int32_t guess = PEN_UNLABELLED;
        if (t->known[i] != PEN_UNLABELLED)
            continue;
        for (int64_t j = 0; j < t->x.rows; j++) {
            double far = 0;
            for (int64_t c = 0; t->known[j] != PEN_UNLABELLED && c < k && far < least; c++) {
                const double difference = t->z[i * k + c] - t->z[j * k + c];
                far += difference * difference;
            }
            if (t->known[j] != PEN_UNLABELLED && far < least) {
                least = far;
                guess = t->known[j];
            }
        }
        right += guess == t->truth[i];
        hidden++;
    }
    return (double)right / (double)hidden;
}

/* The accuracy of the largest score; without class names, classes are named by their numbers. */
static double score_accuracy(const struct trial *t, const pen_model *model)
{
    const double *const scores = pen_model_tensor(model, "probabilities").values;
    const int64_t classes = pen_model_class_count(model);
    int64_t right = 0, hidden = 0;

    for (int64_t i = 0; i < t->x.rows; i++) {
        int64_t best = 0;
        if (t->known[i] != PEN_UNLABELLED)
            continue;
        for (int64_t c = 1; c < classes; c++)
            if (scores[i * classes + c] > scores[i * classes + best])
                best = c;
        right += atoi(pen_model_class_name(model, best)) == t->truth[i];
        hidden++;
    }
    return (double)right / (double)hidden;
}

/* Prints a CSV cell: the text in quotation marks, without its own. */
static void print_text(const char *text)
{
    putchar('"');
    for (; *text; text++)
        putchar(*text == '"' ? '\'' : *text);
    putchar('"');
}

/* The spec of METHOD NAME=VALUE... */
static pen_status spec_of(const char *text, pen_spec **spec, pen_error *err)
{
    char words[TEXT], *rest = words;

    snprintf(words, sizeof words, "%s", text);
    pen_status status = pen_spec_new(strtok_r(rest, " ", &rest), spec, err);
    for (char *word; status == PEN_OK && (word = strtok_r(rest, " ", &rest));) {
        char *const value = strchr(word, '=');
        if (value)
            *value = '\0';
        status = pen_spec_set(*spec, word, value ? value + 1 : "", err);
    }
    return status;
}

static void try_fit(const struct trial *t, const char *method, const char *parameter,
                    const char *value)
{
    const pen_data data = { .x = t->x, .labels = t->known };
    const pen_control control = { .threads = t->threads };
    pen_spec *spec = NULL;
    pen_model *model = NULL;
    pen_error err;

    pen_status status = spec_of(method, &spec, &err);
    if (status == PEN_OK && t->pairs)
        status = pen_spec_set(spec, "sample_pairs", t->pairs, &err);
    if (status == PEN_OK && t->pairs)
        status = pen_spec_set_number(spec, "seed", (double)t->draw, &err);
    if (status == PEN_OK && parameter)
        status = pen_spec_set(spec, parameter, value, &err);
    if (status == PEN_OK)
        status = pen_fit(spec, &data, &control, &model, &err);
    const int64_t k = status == PEN_OK ? pen_model_dim(model) : 0;
    if (status == PEN_OK)
        status = pen_transform(model, &t->x, &control, PEN_F64, t->z, k, &err);
    printf("%lld,%s,%s,%s,", (long long)t->draw, method, parameter ? parameter : "",
           parameter ? value : "");
    if (status != PEN_OK) {
        fputs(",,,", stdout);
        print_text(err.message);
    } else {
        printf("%lld,%.6f,", (long long)k, nearest_accuracy(t, k));
        if (pen_model_tensor(model, "probabilities").values)
            printf("%.6f", score_accuracy(t, model));
        putchar(',');
    }
    putchar('\n');
    fflush(stdout);
    pen_model_free(model);
    pen_spec_free(spec);
}

/* ---- the values of a grid ---- */

static void try_grid(const struct trial *t, const char *method, const pen_spec *spec,
                     const pen_param *param)
{
    const char *at = param->grid;
    char value[VALUE], own[VALUE];

    pen_spec_get(spec, param->name, own, sizeof own);
    while (at && *(at += strspn(at, " "))) {
        const size_t length = strcspn(at, " ");
        snprintf(value, sizeof value, "%.*s", (int)length, at);
        if (strcmp(value, own) != 0)
            try_fit(t, method, param->name, value);
        at += length;
    }
}

static void try_method(const struct trial *t, const char *method)
{
    const pen_param *param;
    pen_spec *spec;
    pen_error err;

    check(spec_of(method, &spec, &err), &err);
    try_fit(t, method, NULL, NULL);
    for (param = pen_spec_method(spec)->params; param->name; param++)
        try_grid(t, method, spec, param);
    pen_spec_free(spec);
}

static void try_methods(const struct trial *t, int count, char **names)
{
    for (int i = 0; i < count; i++)
        try_method(t, names[i]);
    for (int64_t m = 0; count == 0 && pen_method_at(m); m++)
        try_method(t, pen_method_at(m)->name);
}

/* ---- rows and labels ---- */

static void *allocate(int64_t count, size_t size)
{
    void *const memory = calloc((size_t)count, size);
    if (!memory)
        exit(1);
    return memory;
}

/* LABELS labels of each class, or half of them and P % of their pairs. */
static void draw_labels(const char *labels, struct trial *t)
{
    const uint64_t draw = (uint64_t)t->draw;
    const int pairs = strchr(labels, '%') != NULL;
    pen_error err;

    t->pairs = pairs ? labels : NULL;
    check(pen_sample_labels(t->truth, t->x.rows, pairs ? "50%" : labels,
                            pen_rng_derive(draw, LABELS_TAG), t->known, &err),
          &err);
}

/* At most `most` rows in random order, widened to double, with their classes. */
static void draw_rows(const pen_table *x, const pen_table *y, int64_t most, struct trial *t)
{
    const int64_t n = x->x.rows < most ? x->x.rows : most, d = x->x.cols;
    int64_t *const order = allocate(x->x.rows, sizeof *order);
    double *const values = allocate(n * d, sizeof *values);
    int32_t *const truth = allocate(n, sizeof *truth);
    pen_rng rng = { pen_rng_derive(0, ROWS_TAG) };

    pen_rng_permutation(&rng, x->x.rows, order);
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < d; j++)
            values[i * d + j] = pen_value_at(&x->x, order[i], j);
        truth[i] = y->labels[order[i]];
    }
    free(order);
    t->x = pen_dense(values, PEN_F64, n, d, d);
    t->truth = truth;
    t->known = allocate(n, sizeof *t->known);
    /* class scores and one more column */
    t->z = allocate(n * (d + y->class_count + 1), sizeof *t->z);
}

int main(int argc, char **argv)
{
    pen_table *x, *y;
    pen_error err;

    if (argc < 7) {
        fprintf(stderr,
                "usage: bench_defaults X.npy Y.npy LABELS ROWS DRAWS THREADS [METHOD...]\n");
        return 2;
    }
    struct trial t = { .threads = atoi(argv[6]) };
    check(pen_read(argv[1], &(pen_read_options){ .map = 1 }, &x, &err), &err);
    check(pen_read_labels(argv[2], NULL, &y, &err), &err);
    draw_rows(x, y, atoll(argv[4]), &t);
    pen_table_free(x);
    for (t.draw = 0; t.draw < atoll(argv[5]); t.draw++) {
        draw_labels(argv[3], &t);
        try_methods(&t, argc - 7, argv + 7);
    }
    free((void *)t.x.values);
    free((void *)t.truth);
    free(t.known);
    free(t.z);
    pen_table_free(y);
    return 0;
}
