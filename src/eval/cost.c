/* cost.c - reads the formulas of costs: sums of products of numbers and letters with powers. */
#include "eval/cost.h"

#include <math.h>
#include <stddef.h>

/* The size that a letter stands for, or NaN. */
static double size_of(char letter, const pen_sizes *sizes)
{
    const struct {
        char letter;
        double size;
    } letters[] = { { 'n', sizes->n }, { 'l', sizes->l }, { 'd', sizes->d }, { 'k', sizes->k },
                    { 'c', sizes->c }, { 'p', sizes->p }, { 't', sizes->t } };

    for (size_t i = 0; i < sizeof letters / sizeof letters[0]; i++)
        if (letters[i].letter == letter)
            return letters[i].size;
    return (double)NAN;
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* A whole number; *text moves past it. */
static double read_number(const char **text)
{
    double number = 0;

    for (; is_digit(**text); ++*text)
        number = 10 * number + (**text - '0');
    return number;
}

/* "12", "n" or "n^2"; *text moves past it. */
static double read_factor(const char **text, const pen_sizes *sizes)
{
    if (is_digit(**text))
        return read_number(text);
    const double size = size_of(**text, sizes);
    if (isnan(size))
        return (double)NAN;
    if (*++*text != '^')
        return size;
    ++*text;
    return is_digit(**text) ? pow(size, read_number(text)) : (double)NAN;
}

/* Factors with one blank between them, up to the end or to " + ". */
static double read_product(const char **text, const pen_sizes *sizes)
{
    double product = read_factor(text, sizes);

    while (!isnan(product) && **text == ' ' && (*text)[1] != '+') {
        ++*text;
        product *= read_factor(text, sizes);
    }
    return product;
}

double pen_cost_of(const char *formula, const pen_sizes *sizes)
{
    double sum = read_product(&formula, sizes);

    while (!isnan(sum) && formula[0] == ' ' && formula[1] == '+' && formula[2] == ' ') {
        formula += 3;
        sum += read_product(&formula, sizes);
    }
    return *formula ? (double)NAN : sum;
}
