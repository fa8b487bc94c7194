/* cost.h - the cost of a fit, a number computed from the formula of its method (pen_method.cost).
 *
 * A formula is a sum of products of whole numbers and letters, and a letter may have a power:
 * "n l d + n d^2 + 10 d^3". Blanks stand between factors, " + " between products. */
#ifndef PEN_COST_H
#define PEN_COST_H

/* What the letters stand for: rows, labelled rows, columns (or components, where there are fewer),
 * neighbors of a row, classes, pairs that are listed or drawn, iterations. */
typedef struct pen_sizes {
    double n, l, d, k, c, p, t;
} pen_sizes;

/* Multiply-adds, roughly; NaN if the text is no formula. */
double pen_cost_of(const char *formula, const pen_sizes *sizes);

#endif
