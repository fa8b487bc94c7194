/* opened.c - runs, their notes, and opened rows. */
#include "kit/opened.h"

double note_of(const pen_run *run, const char *name)
{
    const pen_remark *remark;

    for (int i = 0; (remark = pen_note_at(run, i)); i++)
        if (strcmp(remark->name, name) == 0)
            return remark->number;
    return (double)NAN;
}

void open_rows(const pen_data *data, int threads, opened *o)
{
    *o = (opened){ .run = NULL };
    o->run = check_run(threads, &o->err);
    CHECK_OK(pen_rows_open(o->run, data, 0, PEN_SCALE_NONE, &o->p.rows), &o->err);
}

void open_pairs(const pen_data *data, int threads, const pen_pair_params *how, enum pen_order order,
                opened *o)
{
    open_rows(data, threads, o);
    CHECK_OK(pen_pairs_open(o->run, data, how, 0, &o->p.rows, order, &o->pairs), &o->err);
    o->p.pairs = &o->pairs;
}

pen_graph random_graph(pen_run *run, pen_rng *rng, int64_t n, int64_t each, int hub)
{
    pen_graph g = { .n = n };

    CHECK_CALL(PEN_NEW(run, g.first, n + 1));
    CHECK_CALL(PEN_NEW2(run, g.other, g.weight, (n + 1) * (2 * each + 1) + n));
    for (int64_t i = 0; i < n; i++) {
        g.first[i] = g.edges;
        const int64_t step = hub && i == n / 5 ? 1 : each > 0 ? 1 + (n - i) / each : n;
        for (int64_t j = i + 1 + pen_rng_below(rng, step); j < n;
             j += 1 + pen_rng_below(rng, step)) {
            if (step > 1 && g.edges - g.first[i] == 2 * each)
                break;
            g.other[g.edges] = j;
            g.weight[g.edges++] = check_normal(rng);
        }
    }
    g.first[n] = g.edges;
    return g;
}

void check_scatter_is(const pen_sym *S, const double *right, double factor, double tolerance,
                      const char *what)
{
    const int64_t d = S->d;

    for (int64_t i = 0; i < d; i++)
        for (int64_t j = 0; j <= i; j++)
            CHECK(fabs(S->a[i * d + j] - factor * right[i * d + j])
                      <= fabs(factor) * tolerance * sqrt(right[i * d + i] * right[j * d + j]),
                  "%s: entry %lld, %lld is %.17g, expected %.17g", what, (long long)i, (long long)j,
                  S->a[i * d + j], factor * right[i * d + j]);
}
