/* summary.c - summaries of the trials of a method. */
#include "eval/measures/summary.h"

#include <math.h>

void pen_summarize(const double *values, int64_t stride, int64_t count, double *mean,
                   double *deviation)
{
    double sum = 0, squares = 0;

    for (int64_t i = 0; i < count; i++)
        sum += values[i * stride];
    *mean = count > 0 ? sum / (double)count : (double)NAN;
    for (int64_t i = 0; i < count; i++)
        squares += (values[i * stride] - *mean) * (values[i * stride] - *mean);
    *deviation = count > 1 ? sqrt(squares / (double)(count - 1)) : (double)NAN;
}

/* The variance of one row is at least that of half an error among all rows. */
double pen_standard_error(double accuracy, int64_t rows)
{
    const double l = (double)rows, variance = accuracy * (1 - accuracy), least = 1 / (4 * l);

    return rows > 0 ? sqrt((variance < least ? least : variance) / l) : (double)NAN;
}
