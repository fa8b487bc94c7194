/* copies.c - labelled rows with near copies, by which trials that part them promise too much.
 *
 * A row has near copies if, of its distances to the rows of its class in ascending order, one is
 * more than JUMP times the one before. Of continuous values in m dimensions the k-th is so with
 * probability JUMP^(-k m), so few rows have such a gap by chance; three scans of a sample have one
 * after the second. Gaps after a third of a class are not of copies but of its parts. */
#include "core/arguments.h"
#include "core/rows.h"

#include <math.h>

enum { MOST_ROWS = 100, LEAST_ROWS = 10, MOST_NEAR = 30, BLOCK = 16 };
static const double JUMP = 5, LEAST_SHARE = 1.0 / 3;

/* Differences of values, beyond which fewer than MOST_ROWS are looked at, or none. */
static const double MOST_WORK = 2e8;

/* near [count] ascending: keep the least. */
static void insert(double value, int64_t count, double *near)
{
    int64_t at = count - 1;

    if (!(value < near[at]))
        return;
    for (; at > 0 && near[at - 1] > value; at--)
        near[at] = near[at - 1];
    near[at] = value;
}

/* Squared distances from rows [count x d] of class c, every n_c / count-th of it, to the nearest
 * others: near [count x most]. */
static pen_status find_near(pen_run *run, const pen_rows *x, int64_t c, int64_t count, int64_t most,
                            double *near)
{
    const int64_t n = pen_class_size(x, c), d = x->d;
    double *rows, *block;

    PEN_TRY(PEN_NEW(run, rows, pen_times(count, d)));
    PEN_TRY(PEN_NEW(run, block, pen_times(BLOCK, d)));
    for (int64_t i = 0; i < count; i++)
        pen_rows_centered(x, x->members, x->starts[c] + i * n / count, 1, rows + i * d);
    for (int64_t i = 0; i < count * most; i++)
        near[i] = INFINITY;
    for (int64_t k = 0; k < n; k++) {
        if (k % BLOCK == 0)
            pen_rows_centered(x, x->members, x->starts[c] + k, pen_min(BLOCK, n - k), block);
        for (int64_t i = 0; i < count; i++) {
            const double *const p = rows + i * d, *const q = block + k % BLOCK * d;
            double sum = k == i * n / count ? INFINITY : 0;
            for (int64_t j = 0; j < d && sum < near[(i + 1) * most - 1]; j++)
                sum += (p[j] - q[j]) * (p[j] - q[j]);
            insert(sum, most, near + i * most);
        }
    }
    return PEN_OK;
}

static pen_status find_copies(pen_run *run, const pen_data *data, double *share)
{
    const pen_common common = { .scale = PEN_SCALE_STANDARD };
    int64_t seen = 0, copied = 0;
    double *near;
    pen_rows x;

    PEN_TRY(pen_check_given(run, share, "share"));
    PEN_TRY(pen_check_trial_data(run, data));
    *share = 0;
    if (!data->labels || data->groups)
        return PEN_OK;
    PEN_TRY(pen_rows_open(run, data, &common, &x));
    const double each = (double)x.d * (double)pen_max(MOST_ROWS, pen_class_largest(&x));
    const int64_t rows = (int64_t)fmin(MOST_ROWS, MOST_WORK / each);
    for (int64_t c = 0; c < x.classes && rows >= LEAST_ROWS; c++) {
        const int64_t n = pen_class_size(&x, c), most = pen_min(MOST_NEAR, (n - 1) / 3) + 1,
                      count = most < 2 ? 0 : pen_min(n, (rows * n - 1) / x.labelled + 1);
        const pen_mark_t mark = pen_mark(run);
        PEN_TRY(PEN_NEW(run, near, pen_times(count, most)));
        if (count > 0)
            PEN_TRY(find_near(run, &x, c, count, most, near));
        for (int64_t i = 0; i < count; i++) {
            int64_t k = 1;
            while (k < most && near[i * most + k] <= JUMP * JUMP * near[i * most + k - 1])
                k++;
            copied += k < most;
        }
        seen += count;
        pen_release(run, mark);
    }
    if ((double)copied >= LEAST_SHARE * (double)seen && seen > 0)
        *share = (double)copied / (double)seen;
    return PEN_OK;
}

pen_status pen_find_copies(const pen_data *data, double *share, pen_error *err)
{
    PEN_CALL(NULL, err, find_copies(run, data, share));
}
