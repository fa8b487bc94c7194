/* loadings.h - the columns of the rows that contribute most to a dimension of a model. */
#ifndef LOADINGS_H
#define LOADINGS_H

#include "base/lines.h"

enum { LOADINGS_MOST = 5 };

/* A column, and its weight times its deviation: what it contributes, in any units. */
typedef struct loading {
    int64_t column;
    double size;
} loading;

/* The largest of dimension `dim`, or with mix [pen_model_dim x 2] of what its column `dim` makes of
 * all dimensions, in descending order. Returns their number, 0 for a model with a kernel, which has
 * no weights of columns. */
int loadings_of(const pen_model *model, const double *mix, int64_t dim, loading out[LOADINGS_MOST]);

/* What names the columns [pen_model_columns] of a model of spectra, owned: of 30 to 20 000 columns
 * that have weights, and whose names are numbers that rise or fall, which these are; or whose row
 * steps are those of spectra, then the places of the columns. NULL: it is none. */
float *loadings_spectra(const pen_model *model);

/* The weights of all columns of such a model, owned, not times their deviations. */
float *loadings_curve(const pen_model *model, const double *mix, int64_t dim);

/* Add "separates A from B: " of dimension `dim`, if the model knows that. */
void loadings_separates(const pen_model *model, int64_t dim, line *l);

/* Add "height +, width -": their names, or places as #3, with their signs; or with their sizes. */
void loadings_add(const pen_model *model, const loading *list, int count, int sizes, line *l);

#endif
