/* embedded.h - embeddings of rows, and comparisons of embeddings by different models.
 *
 * Embeddings are compared where projections are not unique, as with coefficients of dependent
 * landmarks. */
#ifndef EMBEDDED_H
#define EMBEDDED_H

#include "kit/check_fit.h"

/* A fit with the defaults of the library, which must succeed. */
pen_model *fit_defaults(const char *text, const pen_data *data);

/* z [x->rows x output_dim] by pen_transform. */
double *embedded(const pen_model *model, const pen_array *x);

/* The same for the doubles x [n x d]. */
double *embedded_rows(const pen_model *model, int64_t n, int64_t d, const double *x);

/* The largest difference of the first k columns of a [n x .] and b, rows a_stride and b_stride
 * apart, each column up to sign, relative to the largest entry of b. */
double columns_apart(int64_t n, int64_t k, const double *a, int64_t a_stride, const double *b,
                     int64_t b_stride);

/* The largest difference of the products a_i.a_j and b_i.b_j of all rows, relative to the largest
 * b_i.b_i. It is 0 for different bases of the same dimensions. */
double products_apart(int64_t n, int64_t k, const double *a, const double *b);

/* Subtracts `mean` [k], or (NULL) the mean of the rows, from rows z [n x k]; returns the mean. */
double *center_rows(int64_t n, int64_t k, double *z, const double *mean);

/* The model read from the file of a model. */
pen_model *through_file(const pen_model *model);

/* The bytes of the file of a model. */
unsigned char *model_bytes(const pen_model *model, size_t *size);

/* Both models have the same bytes. */
void check_same_model(const pen_model *a, const pen_model *b, const char *what);

#endif
