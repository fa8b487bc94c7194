/* pair_fit.c - the pairs of a fit, and what the fit reports about them. */
#include "model/pair_fit.h"

#include "graph/pair_agreement.h"

/* Maximum number of must-links that closure may list: long chains add more than anyone reads. */
enum { MOST_DERIVED = 1 << 22 };

/* All pairs of rows within a group are must-links. */
static void count_grouped(const pen_class_moments *groups, pen_pair_set *pairs)
{
    pairs->must_count = 0;
    for (int64_t g = 0; g < groups->count; g++) {
        const int64_t rows = groups->starts[g + 1] - groups->starts[g];
        pairs->must_count = pen_plus(pairs->must_count, pen_times(rows, rows - 1) / 2);
    }
    pairs->must_weight = (double)pairs->must_count;
}

pen_status pen_pair_fit_open(pen_run *run, const pen_spec *spec, const pen_data *data,
                             const pen_moments *moments, pen_problem *problem, pen_pair_set *pairs)
{
    if (!(spec->method->traits & (PEN_MUST_LINKS | PEN_CANNOT_LINKS))) {
        PEN_REQUIRE(run, data->must_link_count == 0 && data->cannot_link_count == 0,
                    PEN_BAD_ARGUMENT,
                    "%s does not learn from pairs, got %lld must-links, %lld cannot-links",
                    spec->method->name, (long long)data->must_link_count,
                    (long long)data->cannot_link_count);
        return PEN_OK;
    }
    PEN_TRY(pen_pairs_open(run, data, &spec->common.pairs, spec->common.seed, &problem->rows,
                           PEN_ORDER_MUST_LINKS, pairs));
    if (spec->common.pairs.weights == PEN_PAIR_WEIGHTS_AGREEMENT)
        PEN_TRY(pen_pairs_weigh_by_agreement(run, &problem->rows, pairs));
    if (moments && moments->chunks)
        count_grouped(moments->chunks, pairs);
    pen_note(run, "must_links", (double)pairs->must_count);
    pen_note(run, "cannot_links", (double)pairs->cannot_count);
    if (pairs->weighted) {
        pen_note(run, "must_link_weight", pairs->must_weight);
        pen_note(run, "cannot_link_weight", pairs->cannot_weight);
    }
    pen_note(run, "duplicates", (double)pairs->duplicates);
    pen_note(run, "contradictions", (double)pairs->contradictions);
    problem->pairs = pairs;
    return PEN_OK;
}

/* ---- the pairs in the model ---- */

/* The weight of {row, other} among pairs of one kind; position [n] is -1 for rows without pairs. */
static double weight_of(const pen_links *links, const int64_t *position, const int64_t *pair)
{
    const int64_t p = position[pair[0]], q = position[pair[1]], i = pen_min(p, q),
                  j = pen_max(p, q);

    for (int64_t k = links->first[i]; k < links->first[i + 1]; k++)
        if ((int64_t)links->keys[k] == j)
            return links->weights[k];
    return 0;
}

static void find_weights(const pen_data *data, const pen_pair_set *pairs, int must,
                         const int64_t *position, double *out)
{
    const pen_links *const links = must ? &pairs->must : &pairs->cannot;
    const int64_t count = must ? data->must_link_count : data->cannot_link_count,
                  *const list = must ? data->must_link : data->cannot_link;
    const double *const given = must ? data->must_link_weights : data->cannot_link_weights;

    for (int64_t k = 0; k < count; k++) {
        const int32_t a = pairs->closed ? data->labels[list[2 * k]] : PEN_UNLABELLED,
                      b = pairs->closed ? data->labels[list[2 * k + 1]] : PEN_UNLABELLED;
        const int known = a != PEN_UNLABELLED && b != PEN_UNLABELLED;
        out[k] = known                    ? (a == b) == must
                 : given && given[k] == 0 ? 0
                                          : weight_of(links, position, list + 2 * k);
    }
}

/* Must-links added by closure: neither listed nor implied by equal labels. */
struct added {
    const pen_problem *problem;
    const int32_t *labels; /* or NULL: no implied pairs */
    const int64_t *position;
    pen_model *model;
};

static void add(void *context, int64_t row, int64_t other, double weight)
{
    const struct added *const a = context;
    const int64_t p = a->position[row], q = a->position[other], i = pen_min(p, q);
    int64_t found;

    if ((a->labels && a->labels[row] != PEN_UNLABELLED && a->labels[row] == a->labels[other])
        || (i >= 0
            && pen_links_of(&a->problem->pairs->listed, i, pen_max(p, q), pen_max(p, q) + 1, &found)
                   > 0))
        return;
    double *const to = a->model->derived_pairs + 3 * a->model->derived_count++;
    to[0] = (double)pen_rows_number(&a->problem->rows, pen_min(row, other));
    to[1] = (double)pen_rows_number(&a->problem->rows, pen_max(row, other));
    to[2] = weight;
}

pen_status pen_pair_fit_keep(pen_run *run, const pen_data *data, const pen_problem *problem,
                             pen_model *model)
{
    const pen_pair_set *const pairs = problem->pairs;
    const pen_view *const x = &problem->rows;
    int64_t *position, *others;

    if (!pairs)
        return PEN_OK;
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_FILLED(run, position, x->n, -1));
    PEN_TRY(PEN_NEW(run, others, pairs->must.n));
    for (int64_t i = 0; i < pairs->must.n; i++)
        position[pairs->rows[i]] = i;
    if (pairs->weighted && !pairs->chain_members) {
        model->pair_count = data->must_link_count + data->cannot_link_count;
        PEN_TRY(PEN_KEEP(run, model->pair_weights, model->pair_count));
        find_weights(data, pairs, 1, position, model->pair_weights);
        find_weights(data, pairs, 0, position, model->pair_weights + data->must_link_count);
    }
    if (pairs->chain_members && pairs->must_count <= MOST_DERIVED) {
        PEN_TRY(PEN_KEEP(run, model->derived_pairs, 3 * pairs->must_count));
        pen_pairs_each(
            x, pairs, 1, others, add,
            &(struct added){ problem, pairs->closed ? data->labels : NULL, position, model });
    }
    pen_release(run, mark);
    return PEN_OK;
}
