/* loadings.h - finds the columns that contribute most to a dimension of a model. */
#ifndef LOADINGS_H
#define LOADINGS_H

#include "base/lines.h"

enum { LOADINGS_MOST = 5 };

/* A column and its contribution, weight times deviation, which does not depend on units. */
typedef struct loading {
    int64_t column;
    double size;
} loading;

/* Find the largest contributions to dimension `dim` or, with mix [pen_model_dim x 2], to column
 * `dim` of z mix, in descending order. Returns their number; 0 for a model with a kernel, which has
 * no weights of columns. */
int loadings_of(const pen_model *model, const double *mix, int64_t dim, loading out[LOADINGS_MOST]);

/* The positions [pen_model_columns] of the columns of a model of spectra, owned; NULL: another
 * model. It has 30 to 20 000 columns with weights. Positions are their names, if these are
 * increasing or decreasing numbers; or column numbers, if the row steps are for spectra. */
float *loadings_spectra(const pen_model *model);

/* The weights of all columns of a model of spectra, owned, not multiplied by deviations. */
float *loadings_curve(const pen_model *model, const double *mix, int64_t dim);

/* Add "separates A from B: " for dimension `dim`, if the model stores the classes. */
void loadings_separates(const pen_model *model, int64_t dim, line *l);

/* Add "height +, width -": names (or numbers such as #3) with signs or, if `sizes`, with values. */
void loadings_add(const pen_model *model, const loading *list, int count, int sizes, line *l);

#endif
