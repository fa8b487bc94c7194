/* graph_family.c - see graph_family.h. */
#include "oracle/graph_family.h"
#include "check.h"
#include "kit/literal_scatters.h"

/* The directions in which rows differ: an orthonormal basis [q x r]. */
double *graph_span_of_rows(int64_t n, const pair_oracle *f, int64_t *r)
{
    const int64_t q = f->q;
    double *total = zeros(q * q), *values = zeros(q), *e = zeros(q * q);

    oracle_total(n, q, f->x, total);
    dense_eigen(q, total, values, e);
    for (*r = 0; *r < q && values[*r] > DENSE_NOISE * values[0] && values[*r] > 0; ++*r)
        ;
    double *basis = zeros(q * *r);
    for (int64_t i = 0; i < q; i++)
        for (int64_t j = 0; j < *r; j++)
            basis[i * *r + j] = e[i * q + j];
    free(total), free(values), free(e);
    return basis;
}

/* `count` columns basis t_j [basis q x r, t r x r] with their values, in the order first, first +
 * step ... */
void graph_set_columns(pair_oracle *f, int64_t r, const double *basis, const double *t,
                       const double *values, int64_t count, int64_t first, int64_t step)
{
    double *kept = zeros(r * count), scale = 0;

    f->count = count;
    f->values = zeros(count);
    f->ties = zeros(count);
    for (int64_t j = 0; j < r; j++)
        scale = fmax(scale, fabs(values[j]));
    for (int64_t j = 0; j < count; j++) {
        const int64_t from = first + j * step;
        f->values[j] = fabs(values[from]) > DENSE_NOISE * scale ? values[from] : 0;
        for (int64_t i = 0; i < r; i++)
            kept[i * count + j] = t[i * r + from];
    }
    double *inner = dense_product(f->q, r, count, basis, kept);
    f->W = dense_product(f->d, f->q, count, f->basis, inner);
    free(kept), free(inner);
}

graph_oracle *graph_oracle_fit(const char *text, const pen_data *data)
{
    fit_options o = options_read(text);
    const int sda = options_are_of(&o, "sda"), clpp = options_are_of(&o, "clpp");
    graph_oracle *g = check_allocate(1, sizeof *g);
    pair_oracle *f = g->fit = check_allocate(1, sizeof *f);
    int *table = sda ? NULL
                     : pair_table(pair_rules_of(o.spec), data, &f->status, &f->duplicates,
                                  &f->contradictions);
    const int64_t n = data->x.rows;

    if (!sda && !clpp && !options_are_of(&o, "sodrpac"))
        abort();
    if (f->status == PEN_OK) {
        pair_oracle_place(&o, data, f);
        f->must = table ? pair_count(n, table, 1) : 0;
        f->cannot = table ? pair_count(n, table, -1) : 0;
        f->weights = table ? pair_weights(pair_rules_of(o.spec), data, table, 0) : NULL;
        f->cannot_weight = table ? pair_total(n, table, f->weights, -1) : 0;
        double *distances = table_distances_in(n, f->d, f->q, data->x.values, f->basis);
        if (f->q == 0)
            f->status = PEN_RANK_TOO_SMALL;
        else
            (sda ? sda_oracle : clpp ? clpp_oracle : sodrpac_oracle)(&o, data, table, distances, g);
        free(distances);
    }
    pair_oracle_count(&o, f);
    options_free(&o);
    free(table);
    return g;
}

void graph_oracle_free(graph_oracle *g)
{
    pair_oracle_free(g->fit);
    transformed_free(&g->derived);
    free(g->SC), free(g->SN), free(g->SM), free(g->signed_weights), free(g);
}
