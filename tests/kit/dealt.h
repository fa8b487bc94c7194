/* dealt.h - the order of rows and the folds as docs/evaluation.md and docs/sampling.md define them.
 * Rows must differ in their distance to the mean. */
#ifndef DEALT_H
#define DEALT_H

#include <penumbra.h>

/* order [rows] of dense doubles: nearest to the mean first; `standard`: in standardized columns. */
void content_order(const pen_array *x, int standard, int64_t *order);

/* The folds of labels [x->rows] in this order. */
void dealt_folds(const pen_array *x, int standard, const int32_t *labels, int64_t k, int stratified,
                 uint64_t seed, int32_t *fold);

/* Folds of labels [n], at most 8 classes from 0, dealt class by class in ascending order. */
void folds_by_number(const int32_t *labels, int64_t n, int64_t k, uint64_t seed, int32_t *fold);

#endif
