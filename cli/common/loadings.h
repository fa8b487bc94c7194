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

/* The largest of dimension `dim`, in descending order. Returns their number, 0 for a model with a
 * kernel, which has no weights of columns. */
int loadings_of(const pen_model *model, int64_t dim, loading out[LOADINGS_MOST]);

/* The same for the direction with the coordinates mix[i * stride], i from 0 to the dimensions. */
int loadings_mixed(const pen_model *model, const double *mix, int64_t stride,
                   loading out[LOADINGS_MOST]);

/* Add "separates A from B: " of dimension `dim`, if the model knows that. */
void loadings_separates(const pen_model *model, int64_t dim, line *l);

/* Add "height +, width -": their names, or places as #3, with their signs; or with their sizes. */
void loadings_add(const pen_model *model, const loading *list, int count, int sizes, line *l);

#endif
