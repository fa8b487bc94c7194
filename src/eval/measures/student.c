/* student.c - tail probabilities of Student's t by the continued fraction of the incomplete beta
 * function. Abramowitz, Stegun 26.5.8, 26.7.1. */
#include "eval/measures/student.h"

#include <float.h>
#include <math.h>

enum { MOST_TERMS = 500 };

static const double ROOT_PI = 1.77245385090551602729816748334;

static double away_from_zero(double value)
{
    return fabs(value) < DBL_MIN ? DBL_MIN : value;
}

/* The continued fraction of I_x(a, b) by the modified Lentz method; it converges fast for
 * x < (a + 1) / (a + b + 2). */
static double fraction(double a, double b, double x)
{
    double c = 1, d = 1 / away_from_zero(1 - (a + b) * x / (a + 1)), value = d;

    for (int m = 1; m <= MOST_TERMS; m++) {
        const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        d = 1 / away_from_zero(1 + even * d);
        c = away_from_zero(1 + even / c);
        value *= c * d;
        const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 / away_from_zero(1 + odd * d);
        c = away_from_zero(1 + odd / c);
        value *= c * d;
        if (fabs(c * d - 1) < DBL_EPSILON)
            break;
    }
    return value;
}

/* Gamma(n / 2 + 1 / 2) / Gamma(n / 2). lgamma of the C library is not thread-safe: it stores the
 * sign in a global variable. */
static double gamma_ratio(double n)
{
    double ratio = fmod(n, 2) == 1 ? 1 / ROOT_PI : ROOT_PI / 2;

    for (double below = 2 - fmod(n, 2); below < n; below += 2)
        ratio *= (below + 1) / below;
    return ratio;
}

double pen_student_two_sided(double t, double freedom)
{
    const double a = freedom / 2, x = freedom / (freedom + t * t);

    if (x <= 0 || x >= 1)
        return x >= 1;
    const double front = gamma_ratio(freedom) / ROOT_PI * exp(a * log(x) + 0.5 * log1p(-x));
    return x < (a + 1) / (a + 2.5) ? front * fraction(a, 0.5, x) / a
                                   : 1 - front * fraction(0.5, a, 1 - x) / 0.5;
}
