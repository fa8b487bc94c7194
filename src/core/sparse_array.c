/* sparse_array.c - sparse rows of a caller. */
#include "core/sparse_array.h"

#include "core/dtype.h"

#include <math.h>
#include <string.h>

enum { LANES = 8 };

/* ---- checks ---- */

static pen_status check_starts(pen_run *run, const pen_array *x, const char *what)
{
    PEN_REQUIRE(run, x->starts[0] == 0, PEN_BAD_DATA, "%s: starts[0] must be 0, got %lld", what,
                (long long)x->starts[0]);
    for (int64_t i = 0; i < x->rows; i++)
        PEN_REQUIRE(run, x->starts[i + 1] >= x->starts[i], PEN_BAD_DATA,
                    "%s: row %lld (counted from 0) ends at entry %lld, before its start %lld", what,
                    (long long)i, (long long)x->starts[i + 1], (long long)x->starts[i]);
    return PEN_OK;
}

static pen_status check_row(pen_run *run, const pen_array *x, int64_t row, const char *what)
{
    int64_t last = -1;

    for (int64_t e = x->starts[row]; e < x->starts[row + 1]; e++) {
        const int64_t column = x->columns[e];
        PEN_REQUIRE(run, column >= 0 && column < x->cols, PEN_BAD_DATA,
                    "%s: row %lld (counted from 0): columns must be in [0, %lld], got %lld", what,
                    (long long)row, (long long)x->cols - 1, (long long)column);
        PEN_REQUIRE(run, column > last, PEN_BAD_DATA,
                    "%s: row %lld (counted from 0): columns must be in strictly ascending order, "
                    "got %lld after %lld",
                    what, (long long)row, (long long)column, (long long)last);
        last = column;
    }
    return PEN_OK;
}

pen_status pen_sparse_check(pen_run *run, const pen_array *x, const char *what)
{
    PEN_REQUIRE(run, x->stride == 0 && x->step == 0, PEN_BAD_ARGUMENT,
                "%s: sparse rows have no stride and no step, got %lld and %lld", what,
                (long long)x->stride, (long long)x->step);
    PEN_REQUIRE(run, x->rows <= INT32_MAX, PEN_BAD_DATA,
                "%s must have at most %ld sparse rows, got %lld", what, (long)INT32_MAX,
                (long long)x->rows);
    PEN_TRY(check_starts(run, x, what));
    const int64_t entries = x->starts[x->rows];
    PEN_REQUIRE(run, x->columns || entries == 0, PEN_BAD_ARGUMENT,
                "%s.columns must not be NULL: there are %lld entries", what, (long long)entries);
    PEN_REQUIRE(run, x->values || entries == 0, PEN_BAD_ARGUMENT,
                "%s.values must not be NULL: there are %lld entries", what, (long long)entries);
    for (int64_t i = 0; i < x->rows; i++)
        PEN_TRY(check_row(run, x, i, what));
    return PEN_OK;
}

/* ---- reading ---- */

int64_t pen_sparse_find(const pen_array *x, int64_t row, int64_t column)
{
    int64_t low = x->starts[row], high = x->starts[row + 1];

    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (x->columns[middle] < column)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

double pen_sparse_value(const pen_array *x, int64_t row, int64_t column)
{
    const int64_t e = pen_sparse_find(x, row, column);
    return e < x->starts[row + 1] && x->columns[e] == column ? pen_entry(x, e) : 0;
}

void pen_sparse_gather(const pen_array *x, int64_t row, int64_t column, int64_t cols,
                       pen_dtype type, void *to)
{
    const int64_t end = x->starts[row + 1];

    memset(to, 0, (size_t)cols * pen_size(type));
    for (int64_t e = column > 0 ? pen_sparse_find(x, row, column) : x->starts[row];
         e < end && x->columns[e] < column + cols; e++) {
        const int64_t at = x->columns[e] - column;
        if (type == PEN_F64)
            ((double *)to)[at] = pen_entry(x, e);
        else if (type == PEN_F32)
            ((float *)to)[at] = (float)pen_entry(x, e);
        else
            ((uint8_t *)to)[at] = ((const uint8_t *)x->values)[e];
    }
}

pen_status pen_sparse_pick(pen_run *run, const pen_array *x, int64_t count, const int64_t *rows,
                           pen_array *out)
{
    const size_t size = pen_size(x->dtype);
    int64_t *starts;
    int32_t *columns;
    char *values;

    PEN_TRY(PEN_NEW(run, starts, pen_plus(count, 1)));
    starts[0] = 0;
    for (int64_t i = 0; i < count; i++)
        starts[i + 1] = pen_plus(starts[i], x->starts[rows[i] + 1] - x->starts[rows[i]]);
    PEN_TRY(PEN_NEW(run, columns, starts[count]));
    PEN_TRY(PEN_NEW(run, values, pen_times(starts[count], (int64_t)size)));
    for (int64_t i = 0; i < count; i++) {
        const size_t some = (size_t)(starts[i + 1] - starts[i]), from = (size_t)x->starts[rows[i]],
                     to = (size_t)starts[i];
        if (some == 0)
            continue;
        memcpy(columns + to, x->columns + from, some * sizeof *columns);
        memcpy(values + to * size, (const char *)x->values + from * size, some * size);
    }
    *out = pen_csr(values, x->dtype, starts, columns, count, x->cols);
    return PEN_OK;
}

/* ---- distances ---- */

void pen_sparse_length(const pen_array *x, int64_t row, double *largest, double *rest)
{
    const int64_t first = x->starts[row], end = x->starts[row + 1];
    double sum = 0;

    *largest = 0;
    for (int64_t e = first; e < end; e++)
        *largest = fmax(*largest, fabs(pen_entry(x, e)));
    for (int64_t e = first; *largest > 0 && e < end; e++) {
        const double v = pen_entry(x, e) / *largest;
        sum += v * v;
    }
    *rest = *largest > 0 ? sqrt(sum) : 1;
    *largest = *largest > 0 ? *largest : 1;
}

/* Sums of squares in the lanes of pen_difference2. Columns in which both rows are 0 add nothing.
 * Most segments of rows with many columns have only one or two other columns, and their sum needs
 * no lanes. */
struct sum {
    double lanes[LANES], rest, all;
    double squares[2]; /* the first of the segment */
    int64_t columns[2], count;
    int64_t segment, d; /* columns of a segment, of all */
    int64_t first, end; /* the columns of this segment */
    int64_t full;       /* earlier columns are in lanes */
};

static inline void begin_segment(struct sum *s, int32_t column)
{
    s->count = 0;
    s->first = column / (int32_t)s->segment * s->segment;
    s->end = pen_min(s->first + s->segment, s->d);
    s->full = s->end - (s->end - s->first) % LANES;
}

static inline void end_segment(struct sum *s)
{
    if (s->count <= 2) {
        s->all += (s->count > 0 ? s->squares[0] : 0) + (s->count > 1 ? s->squares[1] : 0);
        return;
    }
    for (int64_t l = 0; l < LANES; l++)
        s->rest += s->lanes[l];
    s->all += s->rest;
}

static inline void add_square(struct sum *s, int64_t column, double square)
{
    if (column < s->full)
        s->lanes[(column - s->first) % LANES] += square;
    else
        s->rest += square;
}

static inline void add(struct sum *s, int32_t column, double difference)
{
    const double square = difference * difference;

    if (column >= s->end) {
        end_segment(s);
        begin_segment(s, column);
    }
    if (s->count < 2) {
        s->columns[s->count] = column;
        s->squares[s->count++] = square;
        return;
    }
    if (s->count == 2) {
        s->count = 3;
        memset(s->lanes, 0, sizeof s->lanes);
        s->rest = 0;
        for (int64_t i = 0; i < 2; i++)
            add_square(s, s->columns[i], s->squares[i]);
    }
    add_square(s, column, square);
}

static double value_of(const pen_sparse_row *a, int64_t e, int unit)
{
    const double value = pen_entry(a->values, e);
    return unit ? value / a->largest / a->rest : value;
}

/* plain: unscaled doubles, known at compile time. */
static inline double distance2(pen_sparse_row a, pen_sparse_row b, int unit, const double *scale,
                               int64_t segment, int plain)
{
    const int32_t *const of_a = a.values->columns, *const of_b = b.values->columns;
    const double *const plain_a = a.values->values, *const plain_b = b.values->values;
    const int64_t end_a = a.values->starts[a.row + 1], end_b = b.values->starts[b.row + 1];
    int64_t i = a.values->starts[a.row], j = b.values->starts[b.row];
    struct sum s = { .segment = segment, .d = a.values->cols };

    begin_segment(&s, 0);
    while (i < end_a && j < end_b) { /* the next row is unpredictable, so no branch */
        const int32_t p = of_a[i], q = of_b[j], column = p < q ? p : q;
        const double u = plain ? plain_a[i] : value_of(&a, i, unit),
                     v = plain ? plain_b[j] : value_of(&b, j, unit),
                     t = (p <= q ? u : 0) - (q <= p ? v : 0);
        add(&s, column, scale ? t * scale[column] : t);
        i += p <= q;
        j += q <= p;
    }
    for (; i < end_a; i++)
        add(&s, of_a[i], value_of(&a, i, unit) * (scale ? scale[of_a[i]] : 1));
    for (; j < end_b; j++)
        add(&s, of_b[j], value_of(&b, j, unit) * (scale ? scale[of_b[j]] : 1));
    end_segment(&s);
    return s.all;
}

double pen_sparse_distance2(pen_sparse_row a, pen_sparse_row b, int unit, const double *scale,
                            int64_t segment)
{
    if (!unit && !scale && a.values->dtype == PEN_F64 && b.values->dtype == PEN_F64)
        return distance2(a, b, 0, NULL, segment, 1);
    return distance2(a, b, unit, scale, segment, 0);
}
