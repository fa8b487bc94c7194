/* dual_family.h - SELF and FDA with a kernel as eigenproblems [n x n] for coefficients of rows, as
 * printed in the papers: kernel values only, no coordinates.
 *
 * Nothing here calls the library. */
#ifndef DUAL_FAMILY_H
#define DUAL_FAMILY_H

#include <stdint.h>

typedef struct dual {
    int64_t n, k;   /* k: eigenvalues above noise */
    double *lambda; /* [n] descending */
    double *a;      /* [n x n] columns: sqrt(lambda) times the eigenvectors */
    double *mean;   /* [n] means of the columns of K */
} dual;

/* K L K a = lambda ((1 - beta) K L_lw K + beta K + eps I) a with L = (1 - beta) L_lb + beta L_t,
 * for kernel values K [n x n] and labels y [n], -1: unlabelled. The right matrix must be
 * definite. */
dual kernel_self_oracle(int64_t n, const double *K, const int32_t *y, double beta,
                        int64_t neighbors, double eps);

/* K L_b K a = lambda (K L_w K + ridge tr(S_w) / n K + eps I) a; tr(S_w) is the trace of the within
 * scatter in kernel space. */
dual kernel_fda_oracle(int64_t n, const double *K, const int32_t *y, double ridge, double eps);

/* B a = lambda C a, for the oracles. */
dual dual_solve(int64_t n, const double *K, const double *B, const double *C);

/* (values - mean) a [rows x k] for kernel values [rows x n] of rows with the fitted rows. */
double *dual_embedding(const dual *d, int64_t rows, const double *values, int64_t k);

#endif
