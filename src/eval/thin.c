/* thin.c - some of many rows. */
#include "eval/thin.h"

#include "core/array.h"
#include "core/rng.h"
#include "core/row_order.h"

#include <math.h>

enum { THIN_TAG = 5000 };

pen_status pen_data_order(pen_run *run, const pen_data *data, int64_t **order)
{
    const pen_common common = { .scale = PEN_SCALE_STANDARD };
    pen_rows rows;

    PEN_TRY(pen_rows_open(run, data, &common, &rows));
    return pen_rows_order(run, &rows, order);
}

pen_status pen_data_thin(pen_run *run, const pen_data *data, int64_t most, uint64_t seed,
                         int64_t **taken_rows, pen_data *out)
{
    const int64_t n = data->x.rows;
    pen_rng rng = { pen_rng_derive(seed, THIN_TAG) };
    int64_t *order, *turn, *rows, kept = 0, labelled = 0;
    int32_t *labels, *of_rows, *groups;
    char *taken;

    PEN_TRY(PEN_NEW(run, labels, n));
    PEN_TRY(PEN_NEW(run, of_rows, most));
    PEN_TRY(PEN_NEW(run, groups, most));
    PEN_TRY(PEN_NEW(run, turn, n));
    PEN_TRY(PEN_NEW(run, rows, most));
    PEN_TRY(PEN_FILLED(run, taken, n, 0));
    for (int64_t i = 0; i < n; i++)
        labelled += data->labels[i] != PEN_UNLABELLED;
    const pen_label_sample some = { .percent = fmin(100, 50.0 * (double)most / (double)labelled),
                                    .seed = rng.state };
    PEN_TRY(pen_data_order(run, data, &order));
    PEN_TRY(pen_labels_draw(run, data->labels, n, order, &some, labels));
    pen_rng_permutation(&rng, n, turn);
    for (int pass = 0; pass < 2; pass++) /* those with labels, then others, in the order drawn */
        for (int64_t i = 0; i < n && kept < most; i++)
            if ((labels[order[turn[i]]] != PEN_UNLABELLED) == (pass == 0))
                taken[order[turn[i]]] = 1, kept++;
    kept = 0;
    for (int64_t i = 0; i < n; i++)
        if (taken[i]) {
            of_rows[kept] = labels[i];
            groups[kept] = data->groups ? data->groups[i] : PEN_UNLABELLED;
            rows[kept++] = i;
        }
    *taken_rows = rows;
    out->labels = of_rows;
    out->groups = data->groups ? groups : NULL;
    return pen_array_pick(run, &data->x, kept, rows, &out->x);
}
