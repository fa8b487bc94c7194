/* summary.c - what the trials of a method say in a number or two. */
#include "eval/summary.h"

#include <math.h>
#include <stdlib.h>

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

int64_t pen_least(const int64_t *values, int64_t count)
{
    int64_t least = INT64_MAX;
    for (int64_t i = 0; i < count; i++)
        least = values[i] < least ? values[i] : least;
    return least;
}

/* The variance of one row is taken to be that of half an error among all rows at least. */
double pen_standard_error(double accuracy, int64_t rows)
{
    const double l = (double)rows;
    return rows > 0 ? sqrt(fmax(accuracy * (1 - accuracy), 1 / (4 * l)) / l) : (double)NAN;
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
        if (mean > best + PEN_SAME_SCORE) {
            best = mean;
            at = i;
        }
    }
    return at;
}

/* A number of dimensions that the method chose by itself, 0, has no place on the axis. */
static int is_on_curve(const pen_scores *scores, int64_t index)
{
    return scores->dims[index] != 0 && !isnan(mean_accuracy(scores, index));
}

double pen_scores_error_area(const pen_scores *scores)
{
    double sum = 0, before = 0;
    int64_t first = -1, last = -1;

    for (int64_t i = 0; scores && i < scores->dim_count; i++) {
        const double mean = mean_accuracy(scores, i);
        if (!is_on_curve(scores, i))
            continue;
        if (last >= 0)
            sum += (double)(scores->dims[i] - scores->dims[last]) * (2 - before - mean) / 2;
        first = first < 0 ? i : first;
        last = i;
        before = mean;
    }
    return last > first ? sum / (double)(scores->dims[last] - scores->dims[first]) : (double)NAN;
}

void pen_scores_mean_error(const pen_scores *scores, double *mean, double *deviation)
{
    const int64_t done = scores ? scores->done : 0;
    double *const errors = done > 0 ? calloc((size_t)done, sizeof *errors) : NULL;
    double average = (double)NAN, spread = (double)NAN;
    int64_t count = 0;

    for (int64_t i = 0; errors && i < scores->dim_count; i++) {
        if (!is_on_curve(scores, i))
            continue;
        count++;
        for (int64_t t = 0; t < done; t++)
            errors[t] += 1 - scores->accuracy[t * scores->dim_count + i];
    }
    for (int64_t t = 0; errors && t < done; t++)
        errors[t] /= (double)count;
    if (errors && count > 1)
        pen_summarize(errors, 1, done, &average, &spread);
    free(errors);
    if (mean)
        *mean = average;
    if (deviation)
        *deviation = spread;
}
