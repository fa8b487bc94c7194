/* pairs_fit.c - see pairs_fit.h. */
#include "kit/pairs_fit.h"
#include "kit/embedded.h"
#include "kit/pairs_golden.h"
#include "kit/tables.h"

#include <stdio.h>

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

void linked_new_weights(linked *l)
{
    l->must_weights = check_allocate(l->must_count, sizeof *l->must_weights);
    l->cannot_weights = check_allocate(l->cannot_count, sizeof *l->cannot_weights);
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
    return l;
}

linked linked_times(const linked *of, const double *m)
{
    linked l = linked_copy(of);
    l.s = sample_times(&of->s, m);
    return l;
}

linked linked_nearly_all(pen_rng *rng, int64_t n, int64_t d, int64_t classes)
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
    case 11: /* every row three times: zero differences */
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
    case 15: /* labels of one class, with and without lists */
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
        return linked_nearly_all(rng, 200, 6, 4);
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

double info_number(const pen_model *model, const char *name)
{
    char key[64];

    snprintf(key, sizeof key, "info.%s", name);
    return model_number(model, key);
}

double *random_rotation(pen_rng *rng, int64_t d)
{
    double *a = check_allocate(d * d, sizeof *a);
    for (int64_t i = 0; i < d * d; i++)
        a[i] = check_normal(rng);
    double *q = check_basis(d, d, a, d);
    return q;
}
