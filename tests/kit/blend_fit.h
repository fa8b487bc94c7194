/* blend_fit.h - compares models of lpp, ilpp, self-ilpp and self-mix with their expected values. */
#ifndef BLEND_FIT_H
#define BLEND_FIT_H

#include "oracle/blend_family.h"

/* The library's fit matches the oracle's and solves the oracle's problem, or fails with the same
 * status. */
void check_like_lpp_oracle(const char *text, const sample *s, double tolerance);

/* Every text on every shape of sample. */
void check_all_lpp_shapes(uint64_t tag, const char *const *texts, int64_t count, int repeats);

/* Rows of s in another order and with other class names, and rotated: the same fit except for the
 * rotation. */
void check_lpp_invariances(const char *text, uint64_t tag);

/* The two fits are equal: the columns of the first are `factor` times those of the second. */
void check_lpp_same(const char *one, const char *other, const sample *s, const sample *of,
                    double factor, double lambda_factor);

/* The model does not depend on the number of threads, bit for bit. */
void check_lpp_threads(const char *text, const sample *s);

#endif
