/* pairs_fit.c - see pairs_fit.h. */
#include "kit/pairs_fit.h"
#include "kit/pairs_golden.h"

#include <stdio.h>

/* ---- rows and pairs ---- */

void linked_free(linked *l)
{
    sample_free(&l->s);
    free(l->must);
    free(l->cannot);
    free(l->must_weights);
    free(l->cannot_weights);
}

void linked_add(linked *l, int kind, int64_t i, int64_t j)
{
    int64_t **list = kind == PEN_MUST_LINK ? &l->must : &l->cannot,
            *count = kind == PEN_MUST_LINK ? &l->must_count : &l->cannot_count;
    int64_t *longer = check_allocate(2 * (*count + 1), sizeof *longer);

    if (*list)
        memcpy(longer, *list, (size_t)(2 * *count) * sizeof *longer);
    longer[2 * *count] = i;
    longer[2 * *count + 1] = j;
    ++*count;
    free(*list);
    *list = longer;
}

static linked linked_of(sample s, int64_t must_count, const int64_t *must, int64_t cannot_count,
                        const int64_t *cannot)
{
    linked l = { .s = s, .must_count = must_count, .cannot_count = cannot_count };

    l.must = check_allocate(2 * must_count, sizeof *must);
    l.cannot = check_allocate(2 * cannot_count, sizeof *cannot);
    if (must_count > 0)
        memcpy(l.must, must, (size_t)(2 * must_count) * sizeof *must);
    if (cannot_count > 0)
        memcpy(l.cannot, cannot, (size_t)(2 * cannot_count) * sizeof *cannot);
    return l;
}

linked linked_copy(const linked *of)
{
    linked l = linked_of(sample_of(of->s.n, of->s.d, of->s.x, of->s.y), of->must_count, of->must,
                         of->cannot_count, of->cannot);
    l.labels = of->labels;
    return l;
}

linked linked_golden(const char *name)
{
    const golden_set *g = golden_set_named(name);
    sample s = sample_new(g->n, g->d);
    memcpy(s.x, g->x, (size_t)(g->n * g->d) * sizeof *s.x);
    return linked_of(s, g->must_count, g->must, g->cannot_count, g->cannot);
}

pen_data linked_data(const linked *l)
{
    pen_data data = sample_data(&l->s);

    if (!l->labels)
        data.labels = NULL;
    data.must_link = l->must_count > 0 ? l->must : NULL;
    data.must_link_count = l->must_count;
    data.cannot_link = l->cannot_count > 0 ? l->cannot : NULL;
    data.cannot_link_count = l->cannot_count;
    data.must_link_weights = l->must_weights;
    data.cannot_link_weights = l->cannot_weights;
    return data;
}

void linked_draw(pen_rng *rng, linked *l, int64_t must_count, int64_t cannot_count)
{
    free(l->must);
    free(l->cannot);
    l->must = check_allocate(2 * must_count, sizeof *l->must);
    l->cannot = check_allocate(2 * cannot_count, sizeof *l->cannot);
    l->must_count = l->cannot_count = 0;
    while (l->must_count < must_count || l->cannot_count < cannot_count) {
        const int64_t i = pen_rng_below(rng, l->s.n), j = pen_rng_below(rng, l->s.n),
                      same = l->s.y[i] == l->s.y[j];
        int64_t *pair = same ? l->must + 2 * l->must_count : l->cannot + 2 * l->cannot_count;
        if (i == j || (same ? l->must_count == must_count : l->cannot_count == cannot_count))
            continue;
        pair[0] = i;
        pair[1] = j;
        *(same ? &l->must_count : &l->cannot_count) += 1;
    }
}

linked linked_random(pen_rng *rng, int64_t n, int64_t d, int64_t classes, int64_t must_count,
                     int64_t cannot_count)
{
    linked l = { .s = sample_random(rng, n, d, classes, n) };
    linked_draw(rng, &l, must_count, cannot_count);
    return l;
}

void linked_label(pen_rng *rng, linked *l, int64_t labelled)
{
    int64_t *order = check_allocate(l->s.n, sizeof *order);

    pen_rng_permutation(rng, l->s.n, order);
    for (int64_t i = labelled; i < l->s.n; i++)
        l->s.y[order[i]] = PEN_UNLABELLED;
    l->labels = 1;
    free(order);
}

static double *weights_of(uint64_t seed, const linked *l, const int64_t *pairs, int64_t count)
{
    static const double some[] = { 0, 0.25, 0.7, 0.7, 1, 2.5 };
    double *weights = check_allocate(count, sizeof *weights);

    for (int64_t p = 0; p < count; p++) {
        const int64_t i = pairs[2 * p], j = pairs[2 * p + 1];
        const int known = l->labels && l->s.y[i] != PEN_UNLABELLED && l->s.y[j] != PEN_UNLABELLED;
        pen_rng own = { pen_rng_derive(seed,
                                       (uint64_t)((i < j ? i : j) * l->s.n + (i < j ? j : i))) };
        weights[p] = known                         ? 1
                     : pen_rng_below(&own, 3) == 0 ? some[pen_rng_below(&own, COUNT_OF(some))]
                                                   : 0.05 + pen_rng_uniform(&own);
    }
    return weights;
}

void linked_weigh(pen_rng *rng, linked *l)
{
    const uint64_t seed = (uint64_t)pen_rng_below(rng, INT64_C(1) << 40);

    free(l->must_weights), free(l->cannot_weights);
    l->must_weights = weights_of(seed, l, l->must, l->must_count);
    l->cannot_weights = weights_of(seed, l, l->cannot, l->cannot_count);
}

linked linked_expand(const linked *of)
{
    const int64_t n = of->s.n;
    const pen_data data = linked_data(of);
    linked l = { .s = sample_of(n, of->s.d, of->s.x, of->s.y) };
    pen_status status;
    int *table = pair_table((pair_rules){ 0 }, &data, &status, NULL, NULL);

    CHECK(table, "the pairs contradict each other");
    l.must = check_allocate(n * n, sizeof *l.must);
    l.cannot = check_allocate(n * n, sizeof *l.cannot);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = i + 1; j < n; j++) {
            const int kind = table[i * n + j];
            int64_t *pair = kind == 1    ? l.must + 2 * l.must_count++
                            : kind == -1 ? l.cannot + 2 * l.cannot_count++
                                         : NULL;
            if (pair)
                pair[0] = i, pair[1] = j;
        }
    free(table);
    return l;
}

linked linked_times(const linked *of, const double *m)
{
    linked l = linked_copy(of);
    sample_free(&l.s);
    l.s = sample_times(&of->s, m);
    return l;
}

/* All pairs except about every 50th. */
static linked nearly_all(pen_rng *rng, int64_t n, int64_t d, int64_t classes)
{
    linked l = linked_random(rng, n, d, classes, n * n / 2, n * n / 2);

    l.must_count = l.cannot_count = 0;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < i; j++) {
            int64_t *pair = l.s.y[i] == l.s.y[j] ? l.must + 2 * l.must_count++
                                                 : l.cannot + 2 * l.cannot_count++;
            pair[0] = i, pair[1] = j;
            if (pen_rng_below(rng, 50) == 0)
                *(l.s.y[i] == l.s.y[j] ? &l.must_count : &l.cannot_count) -= 1;
        }
    return l;
}

static void copy_column(sample *s, int64_t from, int64_t to)
{
    for (int64_t i = 0; i < s->n; i++)
        s->x[i * s->d + to] = s->x[i * s->d + from];
}

static linked odd_shape(pen_rng *rng, int which)
{
    linked l;
    switch (which) {
    case 8: /* duplicated features */
        l = linked_random(rng, 40, 6, 3, 40, 50);
        copy_column(&l.s, 1, 4);
        copy_column(&l.s, 1, 5);
        return l;
    case 9: /* a feature that does not vary within classes */
        l = linked_random(rng, 40, 6, 3, 60, 60);
        for (int64_t i = 0; i < l.s.n; i++)
            l.s.x[i * l.s.d] = 0.1 * (1 + (double)l.s.y[i]);
        return l;
    case 10: /* whole numbers, with duplicate rows */
        l = linked_random(rng, 60, 5, 4, 70, 80);
        for (int64_t i = 0; i < l.s.n * l.s.d; i++)
            l.s.x[i] = rint(l.s.x[i] / 2);
        return l;
    case 11: /* every row three times: differences of length 0 */
        l = linked_random(rng, 45, 4, 3, 60, 60);
        for (int64_t i = 15; i < 45; i++)
            memcpy(l.s.x + i * l.s.d, l.s.x + i % 15 * l.s.d, (size_t)l.s.d * sizeof *l.s.x);
        return l;
    case 12: /* one feature */
        return linked_random(rng, 80, 1, 2, 20, 30);
    case 13: /* linearly dependent features, labels */
        l = linked_random(rng, 40, 6, 3, 10, 10);
        linked_label(rng, &l, 25);
        for (int64_t i = 0; i < l.s.n; i++)
            l.s.x[i * l.s.d + 5] = l.s.x[i * l.s.d + 1] - 2 * l.s.x[i * l.s.d + 3];
        return l;
    case 14: /* cannot-links only */
        return linked_random(rng, 50, 6, 3, 0, 40);
    case 15: /* labels of a single class, with lists and without */
    case 16:
        l = linked_random(rng, 50, 5, 2, which == 15 ? 20 : 0, which == 15 ? 30 : 0);
        linked_label(rng, &l, 35);
        for (int64_t i = 0; i < l.s.n; i++)
            l.s.y[i] = l.s.y[i] == 0 ? 0 : PEN_UNLABELLED;
        return l;
    default: /* must-links only */
        return linked_random(rng, 50, 6, 3, 40, 0);
    }
}

/* Weights: few pairs and many, long chains, more columns than rows, labels. */
static linked weighted_shape(pen_rng *rng, int which)
{
    linked l = which == 18   ? linked_random(rng, 40, 5, 3, 30, 35)
               : which == 19 ? linked_random(rng, 40, 4, 2, 150, 200)
               : which == 20 ? linked_random(rng, 16, 22, 3, 9, 11)
                             : linked_random(rng, 50, 6, 3, 35, 35);
    if (which == 21)
        linked_label(rng, &l, 15);
    linked_weigh(rng, &l);
    return l;
}

linked linked_shape(pen_rng *rng, int which)
{
    linked l;
    switch (which) {
    case 0: /* about as many pairs as rows */
        return linked_random(rng, 40, 5, 3, 30, 35);
    case 1: /* more columns than rows */
        return linked_random(rng, 14, 22, 3, 9, 11);
    case 2: /* fewer pairs than columns */
        return linked_random(rng, 50, 20, 3, 6, 7);
    case 3: /* more pairs than twice the rows */
        return linked_random(rng, 40, 4, 2, 150, 200);
    case 4: /* nearly all pairs */
        return nearly_all(rng, 200, 6, 4);
    case 5: /* labels only */
        l = linked_random(rng, 50, 5, 3, 0, 0);
        linked_label(rng, &l, 30);
        return l;
    case 6: /* labels and lists, of labelled and other rows */
        l = linked_random(rng, 60, 6, 3, 30, 35);
        linked_label(rng, &l, 20);
        return l;
    case 7: /* more columns than rows, many pairs, labels */
        l = linked_random(rng, 18, 25, 3, 40, 60);
        linked_label(rng, &l, 9);
        return l;
    default:
        return which < 18 ? odd_shape(rng, which) : weighted_shape(rng, which);
    }
}

/* ---- models ---- */

double info_number(const pen_model *model, const char *name)
{
    char key[64];

    snprintf(key, sizeof key, "info.%s", name);
    return model_number(model, key);
}

void check_same_bits(const pen_model *a, const pen_model *b, const char *text)
{
    const int64_t d = pen_model_columns(a), r = pen_model_dim(a);

    CHECK(d == pen_model_columns(b) && r == pen_model_dim(b), "%s: %lld dimensions, and %lld", text,
          (long long)r, (long long)pen_model_dim(b));
    for (int64_t i = 0; i < d * r; i++)
        CHECK(memcmp(pen_model_tensor(a, "projection").values + i,
                     pen_model_tensor(b, "projection").values + i, sizeof(double))
                  == 0,
              "%s: projection[%lld][%lld] is %.17g, and %.17g", text, (long long)(i / r),
              (long long)(i % r), pen_model_tensor(a, "projection").values[i],
              pen_model_tensor(b, "projection").values[i]);
    CHECK(memcmp(pen_model_tensor(a, "eigenvalues").values,
                 pen_model_tensor(b, "eigenvalues").values, (size_t)r * sizeof(double))
              == 0,
          "%s: other eigenvalues", text);
    CHECK(memcmp(pen_model_tensor(a, "mean").values, pen_model_tensor(b, "mean").values,
                 (size_t)d * sizeof(double))
              == 0,
          "%s: another mean", text);
}

/* Do columns j - 1 and j belong to one eigenspace, so that neither is defined? */
static int nearly_equal(const pair_oracle *f, int64_t j, double scale, double tie_scale)
{
    const double near = 1e-4;

    if (fabs(f->values[j] - f->values[j - 1]) > near * scale)
        return 0;
    return f->values[j] != 0 || f->values[j - 1] != 0
           || fabs(f->ties[j] - f->ties[j - 1]) <= near * tie_scale;
}

/* Entry (i, l) of W W' over columns from .. to - 1. */
static double gram(const double *w, int64_t stride, int64_t from, int64_t to, int64_t i, int64_t l)
{
    double sum = 0;
    for (int64_t j = from; j < to; j++)
        sum += w[i * stride + j] * w[l * stride + j];
    return sum;
}

static void check_space(int64_t d, const double *right, int64_t count, const double *w, int64_t r,
                        int64_t from, int64_t to, double tolerance, const char *text)
{
    double most = 0;

    for (int64_t i = 0; i < d; i++)
        most = fmax(most, gram(right, count, from, to, i, i));
    for (int64_t i = 0; i < d; i++)
        for (int64_t l = 0; l < d; l++) {
            const double value = gram(w, r, from, to, i, l),
                         wanted = gram(right, count, from, to, i, l);
            CHECK(fabs(value - wanted) <= tolerance * most,
                  "%s: columns %lld to %lld: (W W')[%lld][%lld] is %.17g, expected %.17g (of %g)",
                  text, (long long)from, (long long)to - 1, (long long)i, (long long)l, value,
                  wanted, most);
        }
}

void check_pair_columns(const pair_oracle *f, const double *right, int64_t r, const double *values,
                        const double *w, double tolerance, const char *text)
{
    double scale = 0, tie_scale = 0;

    CHECK(r >= 1 && r <= f->count, "%s: %lld columns, expected at most %lld", text, (long long)r,
          (long long)f->count);
    for (int64_t j = 0; j < f->count; j++) {
        scale = fmax(scale, fabs(f->values[j]));
        tie_scale = fmax(tie_scale, fabs(f->ties[j]));
    }
    for (int64_t j = 0; j < r; j++)
        CHECK(fabs(values[j] - f->values[j]) <= tolerance * scale,
              "%s: eigenvalue %lld is %.17g, expected %.17g", text, (long long)j, values[j],
              f->values[j]);
    for (int64_t from = 0, to = 1; from < r; from = to++) {
        while (to < f->count && nearly_equal(f, to, scale, tie_scale))
            to++;
        if (to <= r)
            check_space(f->d, right ? right : f->W, f->count, w, r, from, to, tolerance, text);
    }
}

static void check_info(const pen_model *model, const pair_oracle *f, const char *text)
{
    const int stretched = f->lambda != NULL, chunklets = f->chunklets > 0;
    const struct {
        const char *name;
        int there;
        int64_t right;
    } numbers[] = {
        { "must_links", 1, f->must },
        { "cannot_links", 1, f->cannot },
        { "duplicates", 1, f->duplicates },
        { "contradictions", 1, f->contradictions },
        { "rank", stretched, f->rank },
        { "levelled", stretched, f->i },
        { "chunklets", chunklets, f->chunklets },
        { "chunklet_rows", chunklets, f->chunklet_rows },
    };
    if (stretched && f->i > 0)
        CHECK_CLOSE(info_number(model, "spread"), f->lambda[0] / f->lambda[f->i - 1], 1e-7, 0);
    for (int64_t i = 0; i < COUNT_OF(numbers); i++)
        if (numbers[i].there)
            CHECK(info_number(model, numbers[i].name) == (double)numbers[i].right,
                  "%s: %s is %g, expected %lld (%s)", text, numbers[i].name,
                  info_number(model, numbers[i].name), (long long)numbers[i].right,
                  pen_model_info(model));
}

static void check_fit(const char *text, const pair_oracle *f, const pen_data *data,
                      double tolerance)
{
    char label[300];
    pen_model *model = fit_data(text, data);
    const int64_t r = pen_model_dim(model);

    snprintf(label, sizeof label, "%s (%lld rows of %lld)", text, (long long)data->x.rows,
             (long long)data->x.cols);
    CHECK(r == f->gives && pen_model_columns(model) == f->d, "%s: %lld dimensions, expected %lld",
          label, (long long)r, (long long)f->gives);
    check_signs(model, label);
    check_pair_columns(f, NULL, r, pen_model_tensor(model, "eigenvalues").values,
                       pen_model_tensor(model, "projection").values, tolerance, label);
    for (int64_t i = 0; i < f->d; i++)
        CHECK_CLOSE(pen_model_tensor(model, "mean").values[i], f->mean[i], 1e-13, 1e-13);
    check_info(model, f, label);
    pen_model_free(model);
}

void check_like_pair_oracle(const char *text, const pen_data *data, const pen_data *of,
                            double tolerance)
{
    pair_oracle *f = pair_oracle_fit(text, data);
    const pen_data *fitted = of ? of : data;
    char other[300], phrase[32];

    snprintf(phrase, sizeof phrase, "%lld", (long long)f->gives);
    if (f->status == PEN_OK) {
        check_fit(text, f, fitted, tolerance);
    } else if (f->status != PEN_SINGULAR_SCATTER || !columns_depend(&data->x)) {
        CHECK_FIT_FAILS(text, fitted, f->status, f->gives > 0 ? phrase : NULL);
        snprintf(other, sizeof other, "%s allow_fewer=true", text);
        if (f->gives > 0)
            check_fit(other, f, fitted, tolerance);
        else
            CHECK_FIT_FAILS(other, fitted, f->status, NULL);
    }
    pair_oracle_free(f);
}

void check_all_linked_shapes(uint64_t tag, const char *const *texts, int64_t count, int repeats)
{
    pen_rng rng = check_rng(tag);

    for (int repeat = 0; repeat < check_repeats(repeats); repeat++)
        for (int which = 0; which < LINKED_SHAPES; which++) {
            linked l = linked_shape(&rng, which);
            const pen_data data = linked_data(&l);
            for (int64_t i = 0; i < count; i++)
                check_like_pair_oracle(texts[i], &data, NULL, 1e-8);
            linked_free(&l);
        }
}

/* r columns of w, `stride` apart, and their values match the printed ones. */
static void check_printed(const golden_fit *g, int64_t r, const double *values, const double *w,
                          int64_t stride, const char *text)
{
    double scale = 0;

    CHECK(r == g->gives, "set %s, %s: %lld dimensions, expected %lld", g->set->name, text,
          (long long)r, (long long)g->gives);
    for (int64_t j = 0; j < g->listed; j++)
        scale = fmax(scale, fabs(g->values[j]));
    for (int64_t j = 0; j < g->listed; j++) {
        double most = 0;
        for (int64_t i = 0; i < g->set->d; i++)
            most = fmax(most, fabs(g->columns[i * g->listed + j]));
        CHECK(fabs(values[j] - g->values[j]) <= 1e-8 * scale,
              "set %s, %s: eigenvalue %lld is %.17g, expected %.10g", g->set->name, text,
              (long long)j, values[j], g->values[j]);
        const double sign = dense_sign(g->set->d, w, stride, g->columns, g->listed, j);
        for (int64_t i = 0; i < g->set->d; i++)
            CHECK(fabs(sign * w[i * stride + j] - g->columns[i * g->listed + j]) <= 1e-8 * most,
                  "set %s, %s: projection[%lld][%lld] is %.17g, expected %.10g", g->set->name, text,
                  (long long)i, (long long)j, w[i * stride + j], g->columns[i * g->listed + j]);
    }
}

static void check_golden_fit(const golden_fit *g)
{
    char text[128], label[160], phrase[32];
    linked l = linked_golden(g->set->name);
    const pen_data data = linked_data(&l);

    snprintf(text, sizeof text, "%s dim=%lld", g->text, (long long)g->dim);
    snprintf(label, sizeof label, "the oracle's %s", text);
    pair_oracle *f = pair_oracle_fit(text, &data);
    check_printed(g, f->gives, f->values, f->W, f->count, label);
    if (g->gives < g->dim) {
        snprintf(phrase, sizeof phrase, "%lld", (long long)g->gives);
        CHECK_FIT_FAILS(text, &data, PEN_RANK_TOO_SMALL, phrase);
        strcat(text, " allow_fewer=true");
    }
    pen_model *model = fit_data(text, &data);
    check_printed(g, pen_model_dim(model), pen_model_tensor(model, "eigenvalues").values,
                  pen_model_tensor(model, "projection").values, pen_model_dim(model), text);
    if (g->stretched > 0)
        CHECK(info_number(model, "levelled") == (double)g->stretched && f->i == g->stretched,
              "set %s, %s: %s, expected %lld levelled", g->set->name, text, pen_model_info(model),
              (long long)g->stretched);
    pair_oracle_free(f);
    pen_model_free(model);
    linked_free(&l);
}

void check_pair_golden(const char *method)
{
    const size_t length = strlen(method);
    int64_t found = 0;

    for (int64_t i = 0; i < golden_fit_count(); i++) {
        const golden_fit *g = golden_fit_at(i);
        if (strncmp(g->text, method, length) == 0 && (!g->text[length] || g->text[length] == ' ')) {
            check_golden_fit(g);
            found++;
        }
    }
    CHECK(found > 0, "no printed fit of %s", method);
}

/* ---- properties of every pair method ---- */

void check_pair_types(const char *text, uint64_t tag)
{
    pen_rng rng = check_rng(tag);

    for (int which = 0; which < 2; which++) {
        linked l = linked_random(&rng, 60, 7, 3, 40, 45);
        if (which == 1)
            linked_label(&rng, &l, 40);
        sample_to_bytes(&l.s);
        const pen_data data = linked_data(&l);
        for (int kind = 0; kind < 6; kind++) {
            pen_data other = data;
            other.x = recast(&l.s, (pen_dtype)(kind % 3), kind < 3 ? 0 : 3);
            check_like_pair_oracle(text, &data, &other, 1e-8);
            recast_free(&other.x);
        }
        linked_free(&l);
    }
}

void check_pair_nested(const char *text, uint64_t tag, int64_t least)
{
    pen_rng rng = check_rng(tag);
    linked l = linked_random(&rng, 50, 7, 3, 60, 70);
    const pen_data data = linked_data(&l);
    pen_model *whole = fit_data(text, &data);
    const int64_t count = pen_model_dim(whole), d = l.s.d;
    char asked[256];

    CHECK(count >= least, "%s: %lld dimensions", text, (long long)count);
    for (int64_t r = least; r <= count; r++) {
        snprintf(asked, sizeof asked, "%s dim=%lld", text, (long long)r);
        pen_model *model = fit_data(asked, &data);
        CHECK(pen_model_dim(model) == r, "%s: %lld dimensions", asked,
              (long long)pen_model_dim(model));
        for (int64_t j = 0; j < r; j++) {
            double most = 0;
            for (int64_t i = 0; i < d; i++)
                most =
                    fmax(most, fabs(pen_model_tensor(whole, "projection").values[i * count + j]));
            for (int64_t i = 0; i < d; i++)
                CHECK_CLOSE(pen_model_tensor(model, "projection").values[i * r + j],
                            pen_model_tensor(whole, "projection").values[i * count + j], 0,
                            1e-9 * most);
        }
        pen_model_free(model);
    }
    pen_model_free(whole);
    linked_free(&l);
}

/* The model of `other` is that of `l` with columns times `factor` and values times value_factor,
 * and, if q [d x d] is given, rotated: W = q' W. */
static void check_turned(const char *text, const linked *other, const linked *l, const double *q,
                         double factor, double value_factor)
{
    const pen_data data = linked_data(l), other_data = linked_data(other);
    pair_oracle *f = pair_oracle_fit(text, &data);
    pen_model *base = fit_data(text, &data), *model = fit_data(text, &other_data);
    const int64_t r = pen_model_dim(base), d = l->s.d;
    double *right = check_allocate(d * f->count, sizeof *right);

    CHECK(pen_model_dim(model) == r && r <= f->count, "%s: %lld dimensions, expected %lld", text,
          (long long)pen_model_dim(model), (long long)r);
    for (int64_t i = 0; i < d; i++)
        for (int64_t j = 0; j < r; j++)
            for (int64_t c = 0; c < d; c++)
                right[i * f->count + j] += (q        ? q[c * d + i]
                                            : c == i ? 1
                                                     : 0)
                                           * factor
                                           * pen_model_tensor(base, "projection").values[c * r + j];
    for (int64_t j = 0; j < f->count; j++) {
        f->values[j] *= value_factor;
        if (j < r)
            CHECK_CLOSE(pen_model_tensor(base, "eigenvalues").values[j] * value_factor,
                        f->values[j], 1e-8, 1e-8 * fabs(f->values[0]));
    }
    check_pair_columns(f, right, r, pen_model_tensor(model, "eigenvalues").values,
                       pen_model_tensor(model, "projection").values, 1e-8, text);
    pen_model_free(base);
    pen_model_free(model);
    pair_oracle_free(f);
    free(right);
}

/* Lists in another order, with ends swapped, some pairs repeated. */
static linked shuffled(pen_rng *rng, const linked *of)
{
    linked l = linked_copy(of);

    free(l.must);
    free(l.cannot);
    l.must = l.cannot = NULL;
    l.must_count = l.cannot_count = 0;
    for (int kind = -1; kind <= 1; kind += 2) {
        const int64_t count = kind == 1 ? of->must_count : of->cannot_count,
                      *list = kind == 1 ? of->must : of->cannot;
        int64_t *order = check_allocate(count, sizeof *order);
        pen_rng_permutation(rng, count, order);
        for (int64_t p = 0; p < count; p++)
            for (int again = pen_rng_below(rng, 4) == 0; again >= 0; again--) {
                const int64_t *pair = list + 2 * order[p], turned = pen_rng_below(rng, 2);
                linked_add(&l, kind, pair[turned], pair[1 - turned]);
            }
        free(order);
    }
    return l;
}

/* The same rows in another order, with the row indices of the pairs changed to match. */
static linked reordered(pen_rng *rng, const linked *of)
{
    linked l = linked_copy(of);
    const int64_t n = l.s.n, d = l.s.d;
    int64_t *place = check_allocate(n, sizeof *place);

    pen_rng_permutation(rng, n, place);
    for (int64_t i = 0; i < n; i++) {
        memcpy(l.s.x + place[i] * d, of->s.x + i * d, (size_t)d * sizeof *l.s.x);
        l.s.y[place[i]] = of->s.y[i];
    }
    for (int64_t p = 0; p < 2 * l.must_count; p++)
        l.must[p] = place[l.must[p]];
    for (int64_t p = 0; p < 2 * l.cannot_count; p++)
        l.cannot[p] = place[l.cannot[p]];
    free(place);
    return l;
}

static void check_same_whatever_the_order(const char *text, pen_rng *rng, const linked *l)
{
    linked other = shuffled(rng, l);
    const pen_data data = linked_data(l), other_data = linked_data(&other);
    pen_model *model = fit_data(text, &data), *same = fit_data(text, &other_data);

    check_same_bits(model, same, text);
    pen_model_free(model);
    pen_model_free(same);
    linked_free(&other);
}

static void check_moves(const char *text, pen_rng *rng, const linked *l)
{
    static const int32_t names[] = { INT32_MAX, -2, 0, INT32_MIN };
    linked permuted = reordered(rng, l), moved = linked_copy(l), expanded = linked_expand(l);
    double *q = random_rotation(rng, l->s.d);
    linked turned = linked_times(l, q);

    check_turned(text, &permuted, l, NULL, 1, 1);
    for (int64_t i = 0; i < l->s.n; i++)
        moved.s.y[i] = l->s.y[i] == PEN_UNLABELLED ? PEN_UNLABELLED : names[l->s.y[i]];
    for (int64_t i = 0; i < l->s.n * l->s.d; i++)
        moved.s.x[i] += i % l->s.d == 1 ? 1e6 : 1000;
    check_turned(text, &moved, l, NULL, 1, 1);
    check_turned(text, &turned, l, q, 1, 1);
    check_turned(text, &expanded, l, NULL, 1, 1);
    free(q);
    linked_free(&permuted);
    linked_free(&moved);
    linked_free(&turned);
    linked_free(&expanded);
}

void check_pair_invariances(const char *text, uint64_t tag)
{
    pen_rng rng = check_rng(tag);

    for (int which = 0; which < 5; which++) {
        linked l = which == 0   ? linked_random(&rng, 50, 5, 3, 40, 50)
                   : which == 1 ? linked_random(&rng, 60, 6, 3, 30, 30)
                   : which == 2 ? linked_random(&rng, 60, 5, 4, 0, 0)
                   : which == 3 ? linked_random(&rng, 50, 4, 3, 300, 300)
                                : linked_random(&rng, 40, 12, 3, 5, 6);
        if (which == 1 || which == 2)
            linked_label(&rng, &l, 25);
        check_same_whatever_the_order(text, &rng, &l);
        if (which < 4)
            check_moves(text, &rng, &l);
        linked_free(&l);
    }
}

void check_pair_scaled(const char *text, uint64_t tag, double factor, double column_factor,
                       double value_factor)
{
    pen_rng rng = check_rng(tag);
    linked l = linked_random(&rng, 50, 5, 3, 60, 60), scaled = linked_copy(&l);

    for (int64_t i = 0; i < l.s.n * l.s.d; i++)
        scaled.s.x[i] *= factor;
    check_turned(text, &scaled, &l, NULL, column_factor, value_factor);
    linked_free(&l);
    linked_free(&scaled);
}

/* Adds the pairs that are drawn from the labels of l. */
static void add_sample(linked *l, const char *text, uint64_t seed)
{
    pen_pairs *pairs;
    pen_error err;

    CHECK_OK(pen_sample_pairs(l->s.y, l->s.n, text, seed, NULL, &pairs, &err), &err);
    for (int64_t p = 0; p < pairs->must_link_count; p++)
        linked_add(l, PEN_MUST_LINK, pairs->must_link[2 * p], pairs->must_link[2 * p + 1]);
    for (int64_t p = 0; p < pairs->cannot_link_count; p++)
        linked_add(l, PEN_CANNOT_LINK, pairs->cannot_link[2 * p], pairs->cannot_link[2 * p + 1]);
    pen_pairs_free(pairs);
}

static const char *const ways[] = { "", " closure=true", " contradictions=drop",
                                    " contradictions=drop closure=true" };

/* Lists in addition to a sample of label pairs, which equals the lists of `listed`, under every
 * rule. */
static void check_sample_and_lists(const char *text, pen_rng *rng, const linked *l,
                                   const char *drawn, const linked *listed)
{
    linked both = linked_copy(l), other = linked_copy(listed);
    char ruled[256];

    for (int64_t p = 0; p < 20; p++) {
        const int64_t i = pen_rng_below(rng, l->s.n),
                      j = (i + 1 + pen_rng_below(rng, l->s.n - 1)) % l->s.n;
        const int kind = i % 3 == j % 3 ? PEN_MUST_LINK : PEN_CANNOT_LINK;
        linked_add(&both, kind, i, j);
        linked_add(&other, kind, i, j);
    }
    const pen_data data = linked_data(&both), right = linked_data(&other);
    for (int64_t rule = 0; rule < COUNT_OF(ways); rule++) {
        snprintf(ruled, sizeof ruled, "%s%s%s", text, ways[rule], drawn);
        check_like_pair_oracle(ruled, &right, &data, 1e-8);
    }
    linked_free(&both);
    linked_free(&other);
}

/* All pairs from the labels can be drawn, and no more; none without labels. */
static void check_sample_limits(const char *text, const linked *l)
{
    pen_data data = linked_data(l);
    long long kinds[2] = { 0, 0 };
    char sampled[256];

    for (int64_t i = 0; i < l->s.n; i++)
        for (int64_t j = 0; j < i; j++)
            if (l->s.y[i] != PEN_UNLABELLED && l->s.y[j] != PEN_UNLABELLED)
                kinds[l->s.y[i] != l->s.y[j]]++;
    for (int more = 0; more < 5; more++) { /* more of the first kind, of the second, of any */
        if (more < 3)
            snprintf(sampled, sizeof sampled, "%s sample_pairs=%lld+%lld", text,
                     kinds[0] + (more == 1), kinds[1] + (more == 2));
        else
            snprintf(sampled, sizeof sampled, "%s sample_pairs=%lld", text,
                     kinds[0] + kinds[1] + (more == 4));
        if (more % 3 == 0)
            pen_model_free(fit_data(sampled, &data));
        else
            CHECK_FIT_FAILS(sampled, &data, PEN_BAD_ARGUMENT, NULL);
    }
    snprintf(sampled, sizeof sampled, "%s sample_pairs=50%%", text);
    data.labels = NULL;
    CHECK_FIT_FAILS(sampled, &data, PEN_NO_LABELS, "label");
}

void check_pair_sample(const char *text, uint64_t tag)
{
    static const char *const texts[] = { "30%", "120", "40+60", "100%" };
    pen_rng rng = check_rng(tag);
    linked l = linked_random(&rng, 50, 4, 3, 0, 0);
    linked_label(&rng, &l, 35);

    for (int64_t i = 0; i < COUNT_OF(texts); i++) {
        linked listed = linked_copy(&l);
        char drawing[64], label[256];
        listed.labels = 0;
        snprintf(drawing, sizeof drawing, " sample_pairs=%s seed=%lld", texts[i], (long long)i);
        snprintf(label, sizeof label, "%s%s", text, drawing);
        add_sample(&listed, texts[i], (uint64_t)i);
        const pen_data data = linked_data(&l), of_list = linked_data(&listed);
        check_like_pair_oracle(text, &of_list, NULL, 1e-8);
        pair_oracle *f = pair_oracle_fit(text, &of_list);
        pen_model *drawn = fit_data(label, &data), *model = fit_data(text, &of_list);
        CHECK(info_number(drawn, "must_links") == (double)listed.must_count
                  && info_number(drawn, "cannot_links") == (double)listed.cannot_count,
              "%s: %s, expected %lld and %lld", label, pen_model_info(drawn),
              (long long)listed.must_count, (long long)listed.cannot_count);
        CHECK(pen_model_dim(drawn) == f->count && pen_model_dim(model) == f->count,
              "%s: other dimensions", label);
        check_pair_columns(f, pen_model_tensor(model, "projection").values, f->count,
                           pen_model_tensor(drawn, "eigenvalues").values,
                           pen_model_tensor(drawn, "projection").values, 1e-10, label);
        pair_oracle_free(f);
        pen_model_free(drawn);
        pen_model_free(model);
        check_sample_and_lists(text, &rng, &l, drawing, &listed);
        linked_free(&listed);
    }
    check_sample_limits(text, &l);
    linked_free(&l);
}

static const char *without_svd(const char *route)
{
    return strcmp(route, "svd") == 0 ? "differences" : route;
}

static void check_route(const pen_model *model, const char *name, const char *route)
{
    char member[96];
    snprintf(member, sizeof member, "\"%s\":\"%s\"", name, route);
    CHECK(strstr(pen_model_info(model), member), "expected %s: %s", member, pen_model_info(model));
}

/* The same bits for any number of threads. */
static void check_threads(const char *text, const pen_data *data)
{
    pen_model *models[2] = { NULL, NULL };
    pen_spec *spec = spec_of(text);

    for (int i = 0; i < 2; i++) {
        const pen_control control = { .threads = i == 0 ? 1 : 5 };
        pen_error err;
        CHECK_OK(pen_fit(spec, data, &control, &models[i], &err), &err);
    }
    check_same_bits(models[0], models[1], text);
    pen_spec_free(spec);
    pen_model_free(models[0]);
    pen_model_free(models[1]);
}

/* The route by which a scatter is summed makes no difference; every route is tested. */
void check_pair_routes(const char *text, uint64_t tag, int svd)
{
    static const struct {
        int64_t n, d, must, cannot, labelled;
        const char *must_route, *cannot_route;
    } cases[] = {
        { 60, 5, 0, 0, 40, "labels", "labels" },
        { 60, 5, 40, 50, 0, "differences", "differences" },
        { 60, 30, 8, 9, 0, "svd", "svd" },
        { 60, 30, 5, 1500, 0, "differences", "laplacian-dense" },
        { 60, 40, 900, 1000, 0, "laplacian-dense", "laplacian-dense" },
        { 60, 80, 900, 1000, 0, "laplacian-dense", "laplacian-dense" },
        { 1500, 40, 10000, 11000, 0, "laplacian", "laplacian" },
        { 1500, 40, 100, 11000, 200, "labels+differences", "labels+laplacian" },
        { 80, 50, 900, 1000, 30, "labels+laplacian", "labels+laplacian-dense" },
    };
    pen_rng rng = check_rng(tag);

    for (int64_t i = 0; i < COUNT_OF(cases); i++) {
        linked l = linked_random(&rng, cases[i].n, cases[i].d, 3, cases[i].must, cases[i].cannot);
        if (cases[i].labelled > 0)
            linked_label(&rng, &l, cases[i].labelled);
        sample_to_bytes(&l.s);
        const pen_data data = linked_data(&l);
        for (int kind = 0; kind < 3; kind++) {
            pen_data other = data;
            other.x = recast(&l.s, (pen_dtype)kind, kind);
            check_like_pair_oracle(text, &data, &other, 1e-8);
            pen_model *model = fit_data(text, &other);
            check_route(model, "must_route",
                        svd ? cases[i].must_route : without_svd(cases[i].must_route));
            check_route(model, "cannot_route",
                        svd ? cases[i].cannot_route : without_svd(cases[i].cannot_route));
            check_threads(text, &other);
            pen_model_free(model);
            recast_free(&other.x);
        }
        linked_free(&l);
    }
}

/* Adds one pair of the given kind and returns the status. */
static void check_added(const char *text, const linked *l, int kind, int64_t i, int64_t j,
                        pen_status code, const char *phrase)
{
    linked bad = linked_copy(l);
    linked_add(&bad, kind, i, j);
    const pen_data data = linked_data(&bad);
    CHECK_FIT_FAILS(text, &data, code, phrase);
    linked_free(&bad);
}

/* A fit with closure says which must-links it has added: those of a table with it, and not of one
 * without. */
static void check_derived(const char *text, const pen_data *data)
{
    const int64_t n = data->x.rows;
    fit_options o = options_read(text);
    const pair_rules rules = pair_rules_of(o.spec), plain = { .drop = rules.drop };
    pen_model *model = NULL;
    pen_status status;
    pen_error err;

    if (fit_status(text, data, &model, &err) == PEN_OK) {
        int *const all = pair_table(rules, data, &status, NULL, NULL), *const listed = pair_table(
                                                                           plain, data, &status,
                                                                           NULL, NULL);
        double *const weights = pair_weights(rules, data, all, 0);
        const pen_matrix found = pen_model_tensor(model, "derived_pairs");
        int64_t count = 0;
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = i + 1; j < n; j++)
                count += all[i * n + j] == 1 && listed[i * n + j] != 1;
        CHECK(found.rows == count && found.cols == (count > 0 ? 3 : 0),
              "%s: %lld derived, not %lld", text, (long long)found.rows, (long long)count);
        for (int64_t p = 0; p < count; p++) {
            const double *const at = found.values + 3 * p;
            const int64_t entry = (int64_t)at[0] * n + (int64_t)at[1];
            CHECK(at[0] < at[1] && all[entry] == 1 && listed[entry] != 1 && at[2] == weights[entry],
                  "%s: %g and %g with weight %g", text, at[0], at[1], at[2]);
            listed[entry] = 1; /* once */
        }
        free(all), free(listed), free(weights);
    }
    pen_model_free(model);
    options_free(&o);
}

/* The fit of `l` under every rule, which may fail, matches the oracle's. */
static void check_all_rules(const char *text, const linked *l)
{
    const pen_data data = linked_data(l);
    char ruled[256];

    for (int64_t rule = 0; rule < COUNT_OF(ways); rule++) {
        snprintf(ruled, sizeof ruled, "%s%s", text, ways[rule]);
        check_like_pair_oracle(ruled, &data, NULL, 1e-8);
        check_derived(ruled, &data);
    }
}

/* A pair of two labelled rows of one class, or of two. */
static void labelled_pair(const linked *l, int same, int64_t *i, int64_t *j)
{
    for (*i = 0; *i < l->s.n; ++*i)
        for (*j = *i + 1; *j < l->s.n; ++*j)
            if (l->s.y[*i] != PEN_UNLABELLED && l->s.y[*j] != PEN_UNLABELLED
                && (l->s.y[*i] == l->s.y[*j]) == same)
                return;
    abort();
}

static void check_contradictions(const char *text, pen_rng *rng)
{
    linked l = linked_random(rng, 50, 4, 3, 60, 70);
    char phrase[32];
    int64_t i, j;

    check_all_rules(text, &l);
    linked_add(&l, PEN_CANNOT_LINK, l.must[1], l.must[0]); /* in both lists */
    const pen_data data = linked_data(&l);
    for (int end = 0; end < 2; end++) {
        snprintf(phrase, sizeof phrase, "%lld", (long long)l.must[end]);
        CHECK_FIT_FAILS(text, &data, PEN_CONTRADICTION, phrase);
    }
    check_all_rules(text, &l);
    for (int64_t p = 10; p < 13; p++)
        linked_add(&l, PEN_MUST_LINK, l.cannot[2 * p], l.cannot[2 * p + 1]);
    check_all_rules(text, &l);
    linked_free(&l);

    l = nearly_all(rng, 150, 4, 3);
    for (int64_t p = 0; p < 1000; p += 37) {
        linked_add(&l, PEN_CANNOT_LINK, l.must[2 * p], l.must[2 * p + 1]);
        linked_add(&l, PEN_MUST_LINK, l.cannot[2 * p + 1], l.cannot[2 * p]);
    }
    check_all_rules(text, &l);
    linked_free(&l);

    l = linked_random(rng, 50, 4, 3, 30, 30);
    linked_label(rng, &l, 30);
    check_all_rules(text, &l);
    labelled_pair(&l, 1, &i, &j);
    check_added(text, &l, PEN_CANNOT_LINK, j, i, PEN_CONTRADICTION, NULL);
    linked_add(&l, PEN_CANNOT_LINK, j, i); /* against the labels */
    labelled_pair(&l, 0, &i, &j);
    check_added(text, &l, PEN_MUST_LINK, i, j, PEN_CONTRADICTION, NULL);
    linked_add(&l, PEN_MUST_LINK, i, j);
    check_all_rules(text, &l);
    /* repeated: a duplicate, and one contradiction as before */
    linked_add(&l, PEN_MUST_LINK, j, i);
    check_all_rules(text, &l);
    linked_free(&l);
}

/* 20 - 21 - 22 - 23 must, 20 - 23 cannot. */
static void check_chains(const char *text, pen_rng *rng)
{
    linked l = linked_random(rng, 50, 4, 3, 0, 0);
    int64_t kept = 0;

    for (int64_t i = 0; i < 50; i++)
        l.s.y[i] = (int32_t)(i >= 20 && i < 24 ? 0 : 1 + i % 3);
    linked_draw(rng, &l, 25, 40);
    for (int64_t p = 0; p < l.must_count; p++)
        if (l.s.y[l.must[2 * p]] != 0) {
            memcpy(l.must + 2 * kept, l.must + 2 * p, 2 * sizeof *l.must);
            kept++;
        }
    l.must_count = kept;
    for (int64_t i = 20; i < 23; i++)
        linked_add(&l, PEN_MUST_LINK, i, i + 1);
    check_all_rules(text, &l);
    linked_add(&l, PEN_CANNOT_LINK, 20, 23);
    const pen_data data = linked_data(&l);
    CHECK_FIT_FAILS(text, &data, PEN_CONTRADICTION, "20-21-22-23");
    check_all_rules(text, &l);
    /* and through labels: 22 and 30 share a class, 30 - 31 must, 23 - 31 cannot */
    linked_label(rng, &l, 0);
    l.s.y[22] = l.s.y[30] = 7;
    check_all_rules(text, &l);
    linked_add(&l, PEN_MUST_LINK, 31, 30);
    linked_add(&l, PEN_CANNOT_LINK, 23, 31);
    check_all_rules(text, &l);
    linked_free(&l);
}

void check_pair_errors(const char *text, uint64_t tag)
{
    pen_rng rng = check_rng(tag);
    linked l = linked_random(&rng, 50, 4, 3, 30, 30);

    for (int kind = -1; kind <= 1; kind += 2) {
        check_added(text, &l, kind, 3, 50, PEN_BAD_PAIR, "50");
        check_added(text, &l, kind, -1, 4, PEN_BAD_PAIR, "-1");
        check_added(text, &l, kind, INT64_MAX, 4, PEN_BAD_PAIR, "9223372036854775807");
        check_added(text, &l, kind, 4, INT64_MIN, PEN_BAD_PAIR, "-9223372036854775808");
        check_added(text, &l, kind, 17, 17, PEN_BAD_PAIR, "17");
    }
    pen_data data = linked_data(&l);
    data.must_link = NULL;
    CHECK_FIT_FAILS(text, &data, PEN_BAD_ARGUMENT, NULL);
    data = linked_data(&l);
    data.cannot_link_count = -1;
    CHECK_FIT_FAILS(text, &data, PEN_BAD_ARGUMENT, NULL);
    check_contradictions(text, &rng);
    check_chains(text, &rng);
    l.s.x[3 * l.s.d + 1] = NAN;
    data = linked_data(&l);
    CHECK_FIT_FAILS(text, &data, PEN_NOT_FINITE, "row 3, column 1");
    linked_free(&l);
}

void check_pair_extremes(const char *text, uint64_t tag)
{
    static const double factors[] = { 1e-310, 1e-170, 1e-155, 1e-100, 1e100,
                                      1e150,  1e154,  1e155,  1e300,  1e307 };
    pen_rng rng = check_rng(tag);

    check_extreme_values(text);
    for (int64_t i = 0; i < COUNT_OF(factors); i++)
        for (int many = 0; many < 3; many++) {
            linked l = linked_random(&rng, 40, 8, 3, many == 0 ? 3 : 600 * many - 560,
                                     many == 0 ? 3 : 600 * many - 560);
            for (int64_t c = 0; c < 40 * 8; c++)
                l.s.x[c] *= factors[i];
            const pen_data data = linked_data(&l);
            pen_model *model = NULL;
            pen_error err;
            const pen_status status = fit_status(text, &data, &model, &err);
            CHECK(status == PEN_OK || status == PEN_BAD_DATA || status == PEN_SINGULAR_SCATTER
                      || status == PEN_RANK_TOO_SMALL,
                  "%s times %g: %d %s", text, factors[i], (int)status, err.message);
            if (model)
                CHECK(all_finite(8 * pen_model_dim(model),
                                 pen_model_tensor(model, "projection").values)
                          && all_finite(pen_model_dim(model),
                                        pen_model_tensor(model, "eigenvalues").values),
                      "%s times %g: the model is not finite", text, factors[i]);
            pen_model_free(model);
            linked_free(&l);
        }
}

void check_idle_features(const char *text, uint64_t tag)
{
    pen_rng rng = check_rng(tag);

    for (int which = 0; which < 3; which++) {
        linked l = linked_random(&rng, 60, 6, 3, 50, 60);
        if (which == 1)
            linked_label(&rng, &l, 30);
        if (which == 2)
            linked_draw(&rng, &l, 4, 300);
        for (int64_t i = 0; i < l.s.n; i++)
            l.s.x[i * 6] = 0.1, l.s.x[i * 6 + 4] = 1e6 + 0.3, l.s.x[i * 6 + 5] = l.s.x[i * 6 + 2];
        const pen_data data = linked_data(&l);
        pen_model *model = fit_data(text, &data);
        const int64_t r = pen_model_dim(model);
        const double *w = pen_model_tensor(model, "projection").values;
        CHECK(all_finite(6 * r, w) && all_finite(r, pen_model_tensor(model, "eigenvalues").values),
              "%s: not finite", text);
        for (int64_t j = 0; j < r; j++) {
            double most = 0;
            for (int64_t i = 0; i < 6; i++)
                most = fmax(most, fabs(w[i * r + j]));
            CHECK(fabs(w[j]) <= 1e-10 * most && fabs(w[4 * r + j]) <= 1e-10 * most,
                  "%s: a constant feature has the entries %g, %g in column %lld", text, w[j],
                  w[4 * r + j], (long long)j);
            CHECK_CLOSE(w[5 * r + j], w[2 * r + j], 0, 1e-9 * most);
        }
        pen_model_free(model);
        linked_free(&l);
    }
}

/* ---- helpers ---- */

double *random_orthonormal(pen_rng *rng, int64_t d, int64_t k)
{
    double *a = check_allocate(d * k, sizeof *a);
    for (int64_t i = 0; i < d * k; i++)
        a[i] = check_normal(rng);
    double *q = check_basis(d, k, a, k);
    free(a);
    return q;
}

double *random_rotation(pen_rng *rng, int64_t d)
{
    return random_orthonormal(rng, d, d);
}

double trace(int64_t k, const double *s)
{
    double sum = 0;
    for (int64_t i = 0; i < k; i++)
        sum += s[i * k + i];
    return sum;
}

double *embedded_distances(const pen_model *model, const linked *l)
{
    const int64_t n = l->s.n, r = pen_model_dim(model);
    const pen_array x = pen_dense(l->s.x, PEN_F64, n, l->s.d, l->s.d);
    double *z = check_allocate(n * r, sizeof *z), *squares = check_allocate(n * n, sizeof *squares);
    pen_error err;

    CHECK_OK(pen_transform(model, &x, NULL, PEN_F64, z, r, &err), &err);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            for (int64_t c = 0; c < r; c++)
                squares[i * n + j] += (z[i * r + c] - z[j * r + c]) * (z[i * r + c] - z[j * r + c]);
    free(z);
    return squares;
}
