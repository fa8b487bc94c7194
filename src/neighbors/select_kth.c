/* select_kth.c - selection by partitioning. */
#include "neighbors/select_kth.h"

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
