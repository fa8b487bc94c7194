/* wine.h - the wines of examples/data in single precision, as used for the published numbers. */
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

/* Rows z [n x WINE_COLUMNS], each column standardized. */
void wine_standardize(int64_t n, double *z);

/* Wine of the examples folder. */
wine *wine_read(void);

/* The same as the set-up of a group. */
extern wine *wines;
int wines_open(void **state);

/* The classes of every step-th row, from row 0; other rows have -1. */
void wine_labels(const wine *w, int64_t step, int32_t *labels);

#endif
