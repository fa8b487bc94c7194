/* weigh_pairs.c - pen_weigh_pairs: the weights of listed pairs by agreement. */
#include "core/arguments.h"
#include "graph/pair_agreement.h"

/* The weight of {row, other} among the pairs of one kind; position [n] is -1 for rows in none. */
static double weight_of(const pen_links *links, const int64_t *position, const int64_t *pair)
{
    const int64_t p = position[pair[0]], q = position[pair[1]], i = pen_min(p, q),
                  j = pen_max(p, q);

    for (int64_t k = links->first[i]; k < links->first[i + 1]; k++)
        if ((int64_t)links->keys[k] == j)
            return links->weights[k];
    return 0;
}

static void find_weights(const pen_data *data, const pen_rows *x, int must, const int64_t *position,
                         double *out)
{
    const pen_links *const links = must ? &x->pairs->must : &x->pairs->cannot;
    const int64_t count = must ? data->must_link_count : data->cannot_link_count,
                  *const list = must ? data->must_link : data->cannot_link;
    const double *const given = must ? data->must_link_weights : data->cannot_link_weights;

    for (int64_t k = 0; k < count; k++) {
        const int32_t a = x->pairs->closed ? data->labels[list[2 * k]] : PEN_UNLABELLED,
                      b = x->pairs->closed ? data->labels[list[2 * k + 1]] : PEN_UNLABELLED;
        const int known = a != PEN_UNLABELLED && b != PEN_UNLABELLED;
        out[k] = known                    ? (a == b) == must
                 : given && given[k] == 0 ? 0
                                          : weight_of(links, position, list + 2 * k);
    }
}

static pen_status weigh(pen_run *run, const pen_data *given, double *must_link, double *cannot_link)
{
    const pen_common common = { .dim = 0 };
    pen_data data = *given;
    int64_t *position;
    pen_pair_set pairs;
    pen_rows x;

    data.pair_weights = PEN_PAIR_WEIGHTS_AGREEMENT;
    PEN_TRY(pen_rows_open(run, &data, &common, &x));
    PEN_TRY(pen_rows_need_squares(run, &x, 0));
    PEN_TRY(pen_pairs_open(run, &data, &x, PEN_ORDER_ROWS, &pairs));
    x.pairs = &pairs;
    PEN_TRY(pen_pairs_weigh_by_agreement(run, &x, &pairs));
    PEN_TRY(PEN_NEW(run, position, x.n));
    for (int64_t i = 0; i < pairs.must.n; i++)
        position[pairs.rows[i]] = i;
    find_weights(&data, &x, 1, position, must_link);
    find_weights(&data, &x, 0, position, cannot_link);
    return PEN_OK;
}

static pen_status weigh_checked(pen_run *run, const pen_data *data, double *must_link,
                                double *cannot_link)
{
    PEN_TRY(pen_check_data(run, data));
    if (data->must_link_count > 0)
        PEN_TRY(pen_check_given(run, must_link, "must_link"));
    if (data->cannot_link_count > 0)
        PEN_TRY(pen_check_given(run, cannot_link, "cannot_link"));
    return weigh(run, data, must_link, cannot_link);
}

pen_status pen_weigh_pairs(const pen_data *data, const pen_control *control, double *must_link,
                           double *cannot_link, pen_error *err)
{
    PEN_CALL(control, err, weigh_checked(run, data, must_link, cannot_link));
}
