/* copies.c - labelled rows with near copies, by which trials that part them promise too much.
 *
 * A row has near copies if, of its distances to the rows of its class in ascending order, one is
 * more than JUMP times the one before. Of continuous values in m dimensions the k-th is so with
 * probability JUMP^(-k m), so few rows have such a gap by chance; three scans of a sample have one
 * after the second. Gaps after a third of a class are not of copies but of its parts. */
#include "eval/copies.h"

#include "eval/thin.h"
#include "linalg/sparse_rows.h"
#include "neighbors/neighbors.h"

#include <math.h>

enum { MOST_ROWS = 100, LEAST_ROWS = 10, MOST_NEAR = 30 };
static const double JUMP = 5, LEAST_SHARE = 1.0 / 3;

/* Differences of values, beyond which fewer than MOST_ROWS are looked at, or none. */
static const double MOST_WORK = 2e8;

/* Of rows [count] of class c, every n_c / count-th, those with near copies. */
static pen_status count_copied(pen_run *run, const pen_rows *x, int64_t c, int64_t count,
                               int64_t most, int64_t *copied)
{
    const pen_subset class = { x->members + x->starts[c], pen_class_size(x, c) };
    pen_neighbor *near;
    int64_t *rows;

    PEN_TRY(PEN_NEW(run, near, pen_times(count, most)));
    PEN_TRY(PEN_NEW(run, rows, count));
    for (int64_t i = 0; i < count; i++)
        rows[i] = class.rows[i * class.count / count];
    PEN_TRY(pen_neighbors_nearest(run, x, (pen_subset){ rows, count }, class, most, near));
    for (int64_t i = 0; i < count; i++, near += most) {
        int64_t k = 1;
        while (k < most && near[k].distance2 <= JUMP * JUMP * near[k - 1].distance2)
            k++;
        *copied += k < most;
    }
    return PEN_OK;
}

pen_status pen_copies_find(pen_run *run, const pen_data *data, double *share)
{
    const pen_common common = { .scale = PEN_SCALE_STANDARD };
    pen_rows x = { .n = 0 }, classes = { .n = 0 };
    int64_t seen = 0, copied = 0;
    pen_data labelled;

    *share = 0;
    if (!data->labels || data->groups)
        return PEN_OK;
    PEN_TRY(pen_rows_label(run, data->labels, data->x.rows, &classes));
    const int64_t largest = pen_class_largest(&classes);
    const double each = (double)data->x.cols * (double)pen_max(MOST_ROWS, largest);
    const int64_t rows = (int64_t)fmin(MOST_ROWS, MOST_WORK / each);
    if (classes.labelled < 3 || rows < LEAST_ROWS)
        return PEN_OK;
    PEN_TRY(pen_data_pick(run, data, classes.labelled, classes.members, &labelled));
    PEN_TRY(pen_rows_open(run, &labelled, &common, &x));
    PEN_TRY(pen_sparse_rows_attach(run, &x));
    for (int64_t c = 0; c < x.classes; c++) {
        const int64_t n = pen_class_size(&x, c), most = pen_min(MOST_NEAR, (n - 1) / 3) + 1,
                      count = most < 2 ? 0 : pen_min(n, (rows * n - 1) / x.labelled + 1);
        const pen_mark_t mark = pen_mark(run);
        if (count > 0)
            PEN_TRY(count_copied(run, &x, c, count, most, &copied));
        seen += count;
        pen_release(run, mark);
    }
    if ((double)copied >= LEAST_SHARE * (double)seen && seen > 0)
        *share = (double)copied / (double)seen;
    return PEN_OK;
}
