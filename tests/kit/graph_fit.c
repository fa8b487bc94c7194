/* graph_fit.c - see graph_fit.h. */
#include "kit/graph_fit.h"

#include <stdio.h>

/* ---- models against the oracle ---- */

static void check_info(const pen_model *model, const graph_oracle *g, const char *text)
{
    const pair_oracle *f = g->fit;
    const int sodrpac = g->derived.rules != NULL, pairs = sodrpac || g->signed_weights;
    const struct {
        const char *name;
        int there;
        int64_t right;
    } numbers[] = {
        { "must_links", pairs, f->must },
        { "cannot_links", pairs, f->cannot },
        { "duplicates", pairs, f->duplicates },
        { "contradictions", pairs, f->contradictions },
        { "shared_neighbor_pairs", sodrpac, g->shared },
        { "cannot_links_transformed", sodrpac, g->derived.pairs },
        { "derived_by_a", sodrpac, g->derived.by_rule[0] },
        { "derived_by_b", sodrpac, g->derived.by_rule[1] },
        { "derived_by_c", sodrpac, g->derived.by_rule[2] },
        { "derived_by_d", sodrpac, g->derived.by_rule[3] },
        { "conflicts", sodrpac, g->derived.conflicts },
        { "isolated", sodrpac && !strstr(text, "lambda=0 "), g->isolated },
    };
    for (int64_t i = 0; i < COUNT_OF(numbers); i++)
        if (numbers[i].there)
            CHECK(info_number(model, numbers[i].name) == (double)numbers[i].right,
                  "%s: %s is %g, expected %lld (%s)", text, numbers[i].name,
                  info_number(model, numbers[i].name), (long long)numbers[i].right,
                  pen_model_info(model));
    if (sodrpac)
        CHECK_CLOSE(info_number(model, "gamma"), g->gamma, 1e-12, 0);
    if (g->signed_weights)
        CHECK_CLOSE(info_number(model, "heat"), g->heat, 1e-12, 0);
}

static void check_fit(const char *text, const graph_oracle *g, const pen_data *data,
                      double tolerance)
{
    const pair_oracle *f = g->fit;
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
    check_info(model, g, label);
    pen_model_free(model);
}

void check_like_graph_oracle(const char *text, const pen_data *data, const pen_data *of,
                             double tolerance)
{
    graph_oracle *g = graph_oracle_fit(text, data);
    const pair_oracle *f = g->fit;
    const pen_data *fitted = of ? of : data;
    char other[300], phrase[32];

    snprintf(phrase, sizeof phrase, "%lld", (long long)f->gives);
    if (f->status == PEN_OK) {
        check_fit(text, g, fitted, tolerance);
    } else if (f->status != PEN_SINGULAR_SCATTER || !columns_depend(&data->x)) {
        CHECK_FIT_FAILS(text, fitted, f->status, f->gives > 0 ? phrase : NULL);
        snprintf(other, sizeof other, "%s allow_fewer=true", text);
        if (f->gives > 0)
            check_fit(other, g, fitted, tolerance);
        else
            CHECK_FIT_FAILS(other, fitted, f->status, NULL);
    }
    graph_oracle_free(g);
}

void check_all_graph_shapes(uint64_t tag, const char *const *texts, int64_t count, int repeats,
                            int pairs)
{
    pen_rng rng = check_rng(tag);

    for (int repeat = 0; repeat < check_repeats(repeats); repeat++)
        for (int which = 0; which < (pairs ? LINKED_SHAPES : SHAPES); which++) {
            linked l = { .labels = 1 };
            /* many pairs need fewer rows: the literal rules are slow */
            if (pairs && which == 4)
                l = linked_random(&rng, 45, 6, 4, 200, 200);
            else if (pairs)
                l = linked_shape(&rng, which);
            else
                l.s = sample_shape(&rng, which);
            const pen_data data = linked_data(&l);
            /* grid points: equal distances are no longer equal after scaling or rotation */
            const int lattice = pairs ? which == 10 || which == 12 : which == SHAPES - 1;
            for (int64_t i = 0; i < count; i++)
                if (!lattice || (!strstr(texts[i], "pca=") && !strstr(texts[i], "scale=")))
                    check_like_graph_oracle(texts[i], &data, NULL, 1e-8);
            linked_free(&l);
        }
}

void check_graph_printed(const char *text, const pen_data *data, int64_t k, const double *values,
                         const double *columns, double tolerance)
{
    pen_model *model = fit_data(text, data);
    const int64_t d = pen_model_columns(model);

    CHECK(pen_model_dim(model) == k, "%s: %lld dimensions", text, (long long)pen_model_dim(model));
    for (int64_t j = 0; j < k; j++)
        CHECK_CLOSE(pen_model_tensor(model, "eigenvalues").values[j], values[j], tolerance,
                    tolerance);
    for (int64_t i = 0; i < d * k; i++)
        CHECK_CLOSE(
            dense_sign(d, pen_model_tensor(model, "projection").values, k, columns, k, i % k)
                * pen_model_tensor(model, "projection").values[i],
            columns[i], tolerance, tolerance);
    pen_model_free(model);
}

/* ---- invariances ---- */

/* The model of `other` is that of `l` with columns times `factor` and values times value_factor,
 * and, if q [d x d] is given, rotated. */
static void check_turned(const char *text, const linked *l, const char *other_text,
                         const pen_data *other, const double *q, double factor, double value_factor)
{
    const pen_data data = linked_data(l);
    graph_oracle *g = graph_oracle_fit(text, &data);
    pair_oracle *f = g->fit;
    pen_model *model = fit_data(other_text, other);
    const int64_t d = l->s.d;
    double *right = check_allocate(d * f->count, sizeof *right);

    CHECK(pen_model_dim(model) == f->gives, "%s: %lld dimensions, expected %lld", text,
          (long long)pen_model_dim(model), (long long)f->gives);
    for (int64_t j = 0; j < f->count; j++) {
        f->values[j] *= value_factor;
        for (int64_t i = 0; i < d; i++)
            for (int64_t c = 0; c < d; c++)
                right[i * f->count + j] += (q        ? q[c * d + i]
                                            : c == i ? 1
                                                     : 0)
                                           * factor * f->W[c * f->count + j];
    }
    check_pair_columns(f, right, f->gives, pen_model_tensor(model, "eigenvalues").values,
                       pen_model_tensor(model, "projection").values, 1e-8, text);
    pen_model_free(model);
    graph_oracle_free(g);
    free(right);
}

/* Rows in another order; pairs in another order, with ends swapped, some repeated. */
static linked shuffled(pen_rng *rng, const linked *of)
{
    const int64_t n = of->s.n, d = of->s.d;
    linked l = { .s = sample_new(n, d), .labels = of->labels };
    int64_t *place = check_allocate(n, sizeof *place);

    pen_rng_permutation(rng, n, place);
    for (int64_t i = 0; i < n; i++) {
        memcpy(l.s.x + place[i] * d, of->s.x + i * d, (size_t)d * sizeof *l.s.x);
        l.s.y[place[i]] = of->s.y[i];
    }
    for (int kind = -1; kind <= 1; kind += 2) {
        const int64_t count = kind == 1 ? of->must_count : of->cannot_count,
                      *list = kind == 1 ? of->must : of->cannot;
        int64_t *order = check_allocate(count, sizeof *order);
        pen_rng_permutation(rng, count, order);
        for (int64_t p = 0; p < count; p++)
            for (int again = pen_rng_below(rng, 4) == 0; again >= 0; again--) {
                const int64_t turned = pen_rng_below(rng, 2);
                linked_add(&l, kind, place[list[2 * order[p] + turned]],
                           place[list[2 * order[p] + 1 - turned]]);
            }
        free(order);
    }
    free(place);
    return l;
}

static void check_changed(const char *text, const char *scaled, pen_rng *rng, const linked *l,
                          double column_factor, double value_factor)
{
    const int64_t n = l->s.n, d = l->s.d;
    double *q = random_rotation(rng, d);
    linked other = shuffled(rng, l), turned = linked_times(l, q), shifted = linked_copy(l),
           larger = linked_copy(l);

    for (int64_t i = 0; i < n * d; i++) {
        shifted.s.x[i] += (double)(17 * (i % d) - 40);
        larger.s.x[i] *= 3;
    }
    const pen_data datas[] = { linked_data(&other), linked_data(&turned), linked_data(&shifted),
                               linked_data(&larger) };
    check_turned(text, l, text, &datas[0], NULL, 1, 1);
    check_turned(text, l, text, &datas[1], q, 1, 1);
    check_turned(text, l, text, &datas[2], NULL, 1, 1);
    check_turned(text, l, scaled, &datas[3], NULL, column_factor, value_factor);
    free(q);
    linked_free(&other), linked_free(&turned), linked_free(&shifted), linked_free(&larger);
}

static void check_types_and_threads(const char *text, linked *l)
{
    sample_to_bytes(&l->s);
    const pen_data data = linked_data(l);
    for (int kind = 0; kind < 6; kind++) {
        pen_data other = data;
        pen_model *models[3] = { NULL, NULL, NULL };
        pen_spec *spec = spec_of(text);
        other.x = recast(&l->s, (pen_dtype)(kind % 3), kind < 3 ? 0 : 3);
        check_like_graph_oracle(text, &data, &other, 1e-8);
        for (int i = 0; i < 3; i++) {
            const pen_control control = { .threads = i == 0 ? 1 : 3 * i - 1 };
            pen_error err;
            CHECK_OK(pen_fit(spec, &other, &control, &models[i], &err), &err);
            check_same_bits(models[0], models[i], text);
        }
        for (int i = 0; i < 3; i++)
            pen_model_free(models[i]);
        pen_spec_free(spec);
        recast_free(&other.x);
    }
}

void check_graph_invariances(const char *text, const char *scaled, uint64_t tag,
                             double column_factor, double value_factor, int pairs)
{
    pen_rng rng = check_rng(tag);

    for (int which = 0; which < 3; which++) {
        linked l = linked_random(&rng, which == 1 ? 15 : 60, which == 1 ? 24 : 5, 3, pairs ? 12 : 0,
                                 pairs ? 15 : 0);
        if (which == 2 || !pairs)
            linked_label(&rng, &l, which == 1 ? 9 : 18);
        check_changed(text, scaled, &rng, &l, column_factor, value_factor);
        check_types_and_threads(text, &l);
        linked_free(&l);
    }
}
