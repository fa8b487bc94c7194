/* select_kth.h - the k-th smallest of some numbers. */
#ifndef PEN_SELECT_KTH_H
#define PEN_SELECT_KTH_H

#include <stdint.h>

/* The k-th smallest (from 0) of values [count], k < count; reorders the values. */
double pen_select_kth(double *values, int64_t count, int64_t k);

#endif
