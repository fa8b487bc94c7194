/* wine.h - the wines of examples/data, with the values of single precision that published numbers
 * were computed with. */
#ifndef WINE_H
#define WINE_H

#include <stdint.h>

enum { WINES = 178, WINE_COLUMNS = 13, WINE_CLASSES = 3 };

typedef struct wine {
    double x[WINES * WINE_COLUMNS];
    double z[WINES * WINE_COLUMNS]; /* standardized, divisor n */
    double pc[WINES * 2];           /* the first two principal components of z */
    int32_t classes[WINES];
} wine;

/* Rows z [n x WINE_COLUMNS], standardized over them. */
void wine_standardize(int64_t n, double *z);

/* Of the examples. */
wine *wine_read(void);

/* The same for a group of tests: its set-up. */
extern wine *wines;
int wines_open(void **state);

/* The classes of every step-th row, from row 0; -1: the others. */
void wine_labels(const wine *w, int64_t step, int32_t *labels);

#endif
