/* blas.c - names every function of the BLAS that penumbra calls, so it links only if all are there
 * (FindPenumbraBLAS.cmake reads the names). It does not compile if the int of cblas.h has 64 bits,
 * and returns 64 if that of the library has: then { 1, -1 } is one negative number. */
#include <cblas.h>

typedef void function(void);
function dgelqf_, dgeqrf_, dgesdd_, dgesvj_, dorgqr_, dpocon_, dpotrf_, dsyevd_, dsyevr_, dsygst_;
double ddot_(const int *n, const double *x, const int *x_step, const double *y, const int *y_step);
typedef double dot(int, const double *, int, const double *, int);

const void *functions[] = {
    cblas_dgemm, cblas_sgemm, cblas_dsyrk, cblas_ssyrk, cblas_dsyr2k, cblas_ssyr2k,
    cblas_dsymm, cblas_dtrsm, dgelqf_,     dgeqrf_,     dgesdd_,      dgesvj_,
    dorgqr_,     dpocon_,     dpotrf_,     dsyevd_,     dsyevr_,      dsygst_,
    _Generic(cblas_ddot, dot *: cblas_ddot),
};

int main(void)
{
    const int one[2] = { 1, -1 };
    const double x = 1;

    return ddot_(one, &x, one, &x, one) == 1 ? 0 : 64;
}
