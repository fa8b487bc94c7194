/* sort.c - radix sort, least significant digit first; selection of the k least. */
#include "core/sort.h"

#include <math.h>
#include <string.h>

enum { WORD = 64, DIGIT = 11, DIGITS = 1 << DIGIT };

/* Sorts by one digit; stable. */
static void sort_by_digit(int shift, const uint64_t *restrict from, int64_t count,
                          uint64_t *restrict to)
{
    int64_t places[DIGITS] = { 0 }, sum = 0;

    for (int64_t i = 0; i < count; i++)
        places[from[i] >> shift & (DIGITS - 1)]++;
    for (int digit = 0; digit < DIGITS; digit++) {
        const int64_t here = places[digit];
        places[digit] = sum;
        sum += here;
    }
    for (int64_t i = 0; i < count; i++)
        to[places[from[i] >> shift & (DIGITS - 1)]++] = from[i];
}

pen_status pen_sort_keys(pen_run *run, const char *phase, uint64_t *keys, int64_t count,
                         uint64_t most)
{
    uint64_t *from = keys, *to;

    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, to, count));
    for (int shift = 0; shift < WORD && most >> shift > 0; shift += DIGIT) {
        PEN_TRY(pen_progress(run, phase, shift, WORD));
        sort_by_digit(shift, from, count, to);
        uint64_t *const sorted = to;
        to = from;
        from = sorted;
    }
    if (from != keys)
        memcpy(keys, from, (size_t)count * sizeof *keys);
    pen_release(run, mark);
    return PEN_OK;
}

void pen_sort_groups(int64_t count, const int64_t *of, int64_t groups, int64_t *starts,
                     int64_t *order)
{
    memset(starts, 0, (size_t)(groups + 1) * sizeof *starts);
    for (int64_t i = 0; i < count; i++)
        if (of[i] >= 0)
            starts[of[i] + 1]++;
    for (int64_t g = 0; g < groups; g++)
        starts[g + 1] += starts[g];
    for (int64_t i = 0; i < count; i++) /* starts[g] moves to the end of its group */
        if (of[i] >= 0)
            order[starts[of[i]]++] = i;
    memmove(starts + 1, starts, (size_t)groups * sizeof *starts);
    starts[0] = 0;
}

/* The bits of positive numbers have the same order as the numbers. */
pen_status pen_sort_positive(pen_run *run, const char *phase, int64_t count, const double *values,
                             double **out, int64_t *kept)
{
    uint64_t *keys;

    *kept = 0;
    PEN_TRY(PEN_NEW(run, *out, count));
    for (int64_t i = 0; i < count; i++)
        if (values[i] > 0)
            (*out)[(*kept)++] = values[i];
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(PEN_NEW(run, keys, *kept));
    memcpy(keys, *out, (size_t)*kept * sizeof *keys);
    PEN_TRY(pen_sort_keys(run, phase, keys, *kept, UINT64_MAX));
    memcpy(*out, keys, (size_t)*kept * sizeof *keys);
    pen_release(run, mark);
    return PEN_OK;
}

pen_status pen_mean_of_most(pen_run *run, int64_t count, const double *values, double *mean)
{
    double *sorted;
    int64_t kept;

    *mean = 0;
    const pen_mark_t mark = pen_mark(run);
    PEN_TRY(pen_sort_positive(run, "typical distances", count, values, &sorted, &kept));
    for (int64_t i = 0; kept > 0 && i < count; i++)
        *mean += fmin(values[i], 100 * sorted[(kept - 1) * 9 / 10]) / (double)count;
    pen_release(run, mark);
    return PEN_OK;
}

/* By partitioning. */
double pen_select_kth(double *values, int64_t count, int64_t k)
{
    int64_t low = 0, high = count - 1;

    while (low < high) {
        const double pivot = values[low + (high - low) / 2];
        int64_t i = low, j = high;
        while (i <= j) {
            while (values[i] < pivot)
                i++;
            while (values[j] > pivot)
                j--;
            if (i <= j) {
                const double kept = values[i];
                values[i++] = values[j];
                values[j--] = kept;
            }
        }
        if (k <= j)
            high = j;
        else if (k >= i)
            low = i;
        else
            break;
    }
    return values[k];
}

int pen_by_double(const void *a, const void *b)
{
    const double p = *(const double *)a, q = *(const double *)b;
    return (p > q) - (p < q);
}

int pen_by_int32(const void *a, const void *b)
{
    const int32_t p = *(const int32_t *)a, q = *(const int32_t *)b;
    return (p > q) - (p < q);
}

int pen_by_int64(const void *a, const void *b)
{
    const int64_t p = *(const int64_t *)a, q = *(const int64_t *)b;
    return (p > q) - (p < q);
}

int pen_by_two_int64(const void *a, const void *b)
{
    const int64_t *const p = a, *const q = b;
    return p[0] != q[0] ? pen_by_int64(p, q) : pen_by_int64(p + 1, q + 1);
}
