/* plan.c - the cost of trials from sizes, and the trials that fit into a budget. */
#include "eval/plan.h"

#include "linalg/reduce.h"
#include "model/spec.h"

#include <math.h>
#include <stdlib.h>

/* ---- costs ---- */

/* Iterations, where a formula has them, and neighbors of methods without such a parameter. */
static const double ITERATIONS = 50, NEIGHBORS = 5;

/* What every fit takes: allocations, and passes over the values. */
static const double PER_FIT = 1e5, PER_VALUE = 10;

/* Pairs that labels imply are not listed, unless a sample of them is drawn. */
static double count_pairs(const pen_data *data, double l)
{
    const pen_pair_sample *const s = data->sample;
    const double listed = (double)data->must_link_count + (double)data->cannot_link_count;

    return !s ? listed
              : listed + s->percent / 100 * l * (l - 1) / 2 + (double)s->count
                    + (double)s->must_link + (double)s->cannot_link;
}

pen_status pen_costs_open(pen_run *run, const pen_data *data, pen_costs *out)
{
    pen_rows classes = { .n = 0 };

    const pen_mark_t mark = pen_mark(run);

    *out = (pen_costs){ .sizes = { .n = (double)data->x.rows, .d = (double)data->x.cols } };
    if (data->labels)
        PEN_TRY(pen_rows_label(run, data->labels, data->x.rows, &classes));
    out->sizes.l = (double)classes.labelled;
    out->sizes.c = (double)classes.classes;
    out->sizes.p = count_pairs(data, out->sizes.l);
    out->sizes.t = ITERATIONS;
    pen_release(run, mark);
    return PEN_OK;
}

/* The number of coordinates that the method sees. */
static double columns_of(const pen_costs *costs, const pen_spec *spec)
{
    const double rank = fmin(costs->sizes.n, costs->sizes.d), pca = spec->common.pca;

    return pca > 0 && pca < 1 ? ceil(rank / 2) : pca >= 1 ? fmin(pca, rank) : rank;
}

/* Principal components: the scatter of the rows or of the columns, and its eigenvectors. */
static double reduction(const pen_costs *costs, const pen_spec *spec)
{
    const double n = costs->sizes.n, d = costs->sizes.d, few = fmin(n, d);

    return costs->shared || (n >= d && spec->common.pca == 0)
               ? 0
               : fmax(n, d) * few * few + 2 * few * few * few;
}

double pen_costs_fit(const pen_costs *costs, const pen_spec *spec)
{
    pen_sizes sizes = costs->sizes;

    if (pen_spec_get(spec, "neighbors", &sizes.k, NULL) != PEN_OK)
        sizes.k = NEIGHBORS;
    sizes.d = columns_of(costs, spec);
    return PER_FIT + PER_VALUE * costs->sizes.n * costs->sizes.d + reduction(costs, spec)
           + pen_cost_of(spec->method->cost, &sizes);
}

double pen_costs_trial(const pen_costs *costs, const pen_spec *spec, int64_t classified)
{
    const double columns = columns_of(costs, spec), classes = 2 * costs->sizes.c,
                 dims = spec->method->traits & PEN_UNNESTED ? fmin(columns, classes) : columns;

    return pen_costs_fit(costs, spec)
           + (costs->sizes.n * costs->sizes.d + (double)classified * costs->sizes.l) * dims;
}

/* ---- shares of a budget ---- */

/* The part of a budget that the trials of a method may always take, and that the trials of all may
 * take before any is tuned. */
static const double ALWAYS = 0.02, FIRST_PASS = 0.5;

/* Sort the methods: cheapest first, then as they are listed. */
static void sort(int64_t count, const pen_share *shares, int64_t *order)
{
    for (int64_t i = 0; i < count; i++) {
        int64_t at = i;
        for (; at > 0 && shares[i].trial < shares[order[at - 1]].trial; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

/* Set `tried` for that many trials; returns the number of methods tried. */
static int64_t choose(double budget, int64_t trials, int64_t count, const int64_t *order,
                      pen_share *shares)
{
    double spent = 0;
    int64_t tried = 0;

    for (int64_t i = 0; i < count; i++) {
        pen_share *const s = &shares[order[i]];
        const double cost = s->trial * (double)trials;
        s->tried = i == 0 || cost <= ALWAYS * budget || spent + cost <= FIRST_PASS * budget;
        spent += s->tried ? cost : 0;
        tried += s->tried;
    }
    return tried;
}

/* Methods that need the least for all their combinations come first, so that what they leave goes
 * to the others. */
static void share_rest(double rest, int64_t fits, int64_t tried, int64_t count, pen_share *shares)
{
    for (int64_t left = tried; left > 0; left--) {
        pen_share *least = NULL;
        for (int64_t m = 0; m < count; m++)
            if (shares[m].tried && shares[m].combinations < 0
                && (!least
                    || shares[m].trial * (double)shares[m].grid
                           < least->trial * (double)least->grid))
                least = &shares[m];
        const double each = least->trial * (double)fits,
                     most = floor(fmax(rest, 0) / (double)left / each);
        least->combinations = most < (double)least->grid ? (int64_t)most : least->grid;
        rest -= each * (double)least->combinations;
    }
}

void pen_plan_shares(double budget, int64_t inner, int64_t count, pen_share *shares, int64_t *order,
                     int64_t *trials)
{
    double rest = budget;
    int64_t tried;

    sort(count, shares, order);
    while (2 * (tried = choose(budget, *trials, count, order, shares)) < count && *trials > 1)
        --*trials;
    for (int64_t m = 0; m < count; m++) {
        shares[m].combinations = shares[m].tried && inner > 0 ? -1 : 0;
        rest -= shares[m].tried ? shares[m].trial * (double)*trials : 0;
    }
    if (inner > 0)
        share_rest(rest, inner * (*trials + 1), tried, count, shares);
}

/* ---- components ---- */

enum { MANY = 100, SOME_ROWS = 200 };

pen_status pen_plan_components(pen_run *run, const pen_array *x, int64_t fewest, const char **pca)
{
    const int64_t rows = pen_min(SOME_ROWS, fewest), step = x->rows / pen_max(1, rows);
    const pen_common common = { .dim = 0 };
    pen_data some = { .x = *x };
    pen_reduction reduction;
    pen_rows all, reduced;
    pen_run *own;

    *pca = NULL;
    if (x->cols <= MANY)
        return PEN_OK;
    /* rows of as many directions have as many in any larger set */
    some.x.rows = rows;
    some.x.stride *= step;
    const pen_control control = { .threads = 1 };
    PEN_TRY(pen_run_open(&control, NULL, &own));
    pen_status status = pen_rows_open(own, &some, &common, &all);
    if (status == PEN_OK)
        status = pen_rows_reduce(own, &all, MANY, &reduction, &reduced);
    pen_run_close(own);
    PEN_REQUIRE(run, status != PEN_NO_MEMORY, status, "out of memory");
    *pca = status == PEN_OK ? "100" : "0.99";
    return PEN_OK;
}
