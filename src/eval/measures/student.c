/* student.c - tail probabilities of Student's t by the continued fraction of the incomplete beta
 * function. Abramowitz, Stegun 26.5.8, 26.7.1. */
#include "eval/measures/student.h"

#include <float.h>
#include <math.h>

enum { MOST_TERMS = 500, STIRLING_FROM = 16 };

static const double HALF_LOG_TWO_PI = 0.918938533204672741780329736406;

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

/* log Gamma(x), x > 0, by Stirling's series after some steps of the recurrence. lgamma of the C
 * library is not thread-safe: it writes the sign to a global variable. */
static double log_gamma(double x)
{
    double product = 1;

    for (; x < STIRLING_FROM; x++)
        product *= x;
    const double z = 1 / (x * x);
    const double series =
        (1.0 / 12 + z * (-1.0 / 360 + z * (1.0 / 1260 + z * (-1.0 / 1680 + z / 1188)))) / x;
    return (x - 0.5) * log(x) - x + HALF_LOG_TWO_PI + series - log(product);
}

static double incomplete_beta(double a, double b, double x)
{
    if (x <= 0 || x >= 1)
        return x >= 1;
    const double front =
        exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * log(x) + b * log1p(-x));
    if (x < (a + 1) / (a + b + 2))
        return front * fraction(a, b, x) / a;
    return 1 - front * fraction(b, a, 1 - x) / b;
}

double pen_student_two_sided(double t, double freedom)
{
    return incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t));
}
