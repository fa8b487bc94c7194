/* graph_family.c - see graph_family.h. */
#include "oracle/graph_family.h"
#include "check.h"

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
    }
    pair_oracle_count(&o, f);
    return g;
}
