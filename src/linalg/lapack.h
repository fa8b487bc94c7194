/* lapack.h - the routines of LAPACK by their Fortran names. */
#ifndef PEN_LAPACK_H
#define PEN_LAPACK_H

#include <stddef.h>

/* Fortran passes the lengths of character arguments after all other arguments. */
void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info, size_t);
void dpocon_(const char *uplo, const int *n, const double *a, const int *lda, const double *anorm,
             double *rcond, double *work, int *iwork, int *info, size_t);
void dsygst_(const int *itype, const char *uplo, const int *n, double *a, const int *lda,
             const double *b, const int *ldb, int *info, size_t);
void dsyevr_(const char *jobz, const char *range, const char *uplo, const int *n, double *a,
             const int *lda, const double *vl, const double *vu, const int *il, const int *iu,
             const double *abstol, int *m, double *w, double *z, const int *ldz, int *isuppz,
             double *work, const int *lwork, int *iwork, const int *liwork, int *info, size_t,
             size_t, size_t);
void dsyevd_(const char *jobz, const char *uplo, const int *n, double *a, const int *lda, double *w,
             double *work, const int *lwork, int *iwork, const int *liwork, int *info, size_t,
             size_t);
void dgeqrf_(const int *m, const int *n, double *a, const int *lda, double *tau, double *work,
             const int *lwork, int *info);
void dgesdd_(const char *jobz, const int *m, const int *n, double *a, const int *lda, double *s,
             double *u, const int *ldu, double *vt, const int *ldvt, double *work, const int *lwork,
             int *iwork, int *info, size_t);
void dgelqf_(const int *m, const int *n, double *a, const int *lda, double *tau, double *work,
             const int *lwork, int *info);
void dgesvj_(const char *joba, const char *jobu, const char *jobv, const int *m, const int *n,
             double *a, const int *lda, double *sva, const int *mv, double *v, const int *ldv,
             double *work, const int *lwork, int *info, size_t, size_t, size_t);
void dorgqr_(const int *m, const int *n, const int *k, double *a, const int *lda, const double *tau,
             double *work, const int *lwork, int *info);

#endif
