/* summary.c - what the trials of a method say in a number or two. */
#include "eval/summary.h"

#include <math.h>

/* Means of the same shares added in another order are equal. */
static const double SAME = 1e-12;

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

/* Few rows that are all classified correctly do not make a score certain: the variance of one row
 * is taken to be that of half an error among all rows at least. */
double pen_standard_error(double share, int64_t rows)
{
    const double l = (double)rows;
    return sqrt(fmax(share * (1 - share), 1 / (4 * l)) / l);
}

void pen_scores_summary(const pen_scores *scores, const double *values, int64_t index, double *mean,
                        double *deviation)
{
    const int there = scores && values && index >= 0 && index < scores->dim_count;
    double mean_there = (double)NAN, deviation_there = (double)NAN;

    if (there)
        pen_summarize(values + index, scores->dim_count, scores->done, &mean_there,
                      &deviation_there);
    if (mean)
        *mean = mean_there;
    if (deviation)
        *deviation = deviation_there;
}

static double mean_accuracy(const pen_scores *scores, int64_t index)
{
    double mean;

    pen_scores_summary(scores, scores->accuracy, index, &mean, NULL);
    return mean;
}

int64_t pen_scores_best(const pen_scores *scores)
{
    double best = -1;
    int64_t at = -1;

    for (int64_t i = 0; scores && i < scores->dim_count; i++) {
        const double mean = mean_accuracy(scores, i);
        if (mean > best + SAME) {
            best = mean;
            at = i;
        }
    }
    return at;
}

/* A number of dimensions that the method chose by itself, 0, has no place on the axis. */
double pen_scores_error_area(const pen_scores *scores)
{
    double sum = 0, before = 0;
    int64_t first = -1, last = -1;

    for (int64_t i = 0; scores && i < scores->dim_count; i++) {
        const double mean = mean_accuracy(scores, i);
        if (isnan(mean) || scores->dims[i] == 0)
            continue;
        if (last >= 0)
            sum += (double)(scores->dims[i] - scores->dims[last]) * (2 - before - mean) / 2;
        first = first < 0 ? i : first;
        last = i;
        before = mean;
    }
    return last > first ? sum / (double)(scores->dims[last] - scores->dims[first]) : (double)NAN;
}
