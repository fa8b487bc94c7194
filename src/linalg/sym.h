/* sym.h - symmetric matrices, in which scatters are accumulated. */
#ifndef PEN_SYM_H
#define PEN_SYM_H

#include "core/cache.h"
#include "linalg/operator.h"

/* A symmetric matrix A [d x d], stored in the lower triangle (row-major); the upper triangle is
 * scratch. A matrix with more columns than the run stores is the sum of its terms instead
 * (linalg/implicit.h). */
typedef struct pen_sym {
    int64_t d;
    double *a;           /* NULL: not stored */
    pen_operator *terms; /* NULL: stored */
    int64_t rank;        /* upper bound on the rank by construction; d: no bound known */
    double epsilon;      /* relative rounding error of the accumulated sums */
    double identity;     /* total weight of I added */
    /* [d] v'Av below the sum of v_j^2 floor_j is rounding error of the rows themselves */
    double *floor;
} pen_sym;

/* A = 0, in scratch memory. */
pen_status pen_sym_zero(pen_run *run, int64_t d, pen_sym *A);

/* The same for several matrices, a NULL-terminated list: PEN_ZEROS(run, d, &A, &B). */
pen_status pen_sym_zeros(pen_run *run, int64_t d, pen_sym *const *matrices);
#define PEN_ZEROS(run, d, ...) pen_sym_zeros((run), (d), (pen_sym *const[]){ __VA_ARGS__, NULL })

/* PEN_BAD_ARGUMENT unless A is stored, for code that needs its entries. */
pen_status pen_sym_need_stored(pen_run *run, const pen_sym *A);

/* A = B, in scratch memory. */
pen_status pen_sym_copy(pen_run *run, const pen_sym *B, pen_sym *A);

/* A, which is stored, as a value for a cache. */
pen_made pen_sym_made(const pen_sym *A);

/* scale[j] = 1 / sqrt(A_jj), or 1 if A_jj is 0. */
void pen_sym_unit_scale(const pen_sym *A, double *scale);

/* A_ij *= scale_i scale_j. */
void pen_sym_rescale(const double *scale, pen_sym *A);

/* A += B; A += weight B. */
void pen_sym_add(const pen_sym *B, pen_sym *A);
void pen_sym_add_scaled(double weight, const pen_sym *B, pen_sym *A);

/* A += weight I. */
void pen_sym_add_identity(double weight, pen_sym *A);

/* A += weight v v'. */
void pen_sym_add_outer(double weight, const double *v, pen_sym *A);

/* floor_j += weight * values_j^2, for coordinates with rounding errors of size values_j. */
void pen_sym_add_floor(double weight, const double *values, pen_sym *A);

/* 1 if the diagonal is within the rounding error of the rows. */
int pen_sym_is_rounding(const pen_sym *A);

/* The sum of v_j^2 floor_j. */
double pen_sym_floor(const pen_sym *A, const double *v);

/* Records that the last addition has rank at most `more` and relative rounding error `epsilon`. */
void pen_sym_note(pen_sym *A, int64_t more, double epsilon);

double pen_sym_trace(const pen_sym *A);
double pen_sym_norm1(const pen_sym *A); /* largest column sum of absolute values */
/* largest absolute value of an entry, 0 if none is stored; NaN or infinity if an entry is */
double pen_sym_largest(const pen_sym *A);

/* Writes rows first .. first + count - 1 of a matrix Y, in the working precision, to block
 * [count x d]. Called from several threads. */
typedef void (*pen_fill_fn)(const void *context, int64_t first, int64_t count, void *block);

/* A += weight Y'Y for Y [n x d], given block by block. Blocks of PEN_F32 are multiplied in single
 * precision, 1024 rows at a time, and accumulated in double. Cost: n d^2 flops; memory: 24 MB of
 * rows and 20 MB of partial sums, or 128 rows and d^2 numbers if these are more. */
pen_status pen_sym_add_gram(pen_run *run, const char *phase, double weight, pen_dtype type,
                            int64_t n, pen_fill_fn fill, const void *context, pen_sym *A);

/* The same for an array of rows [n x d]. */
pen_status pen_sym_add_rows(pen_run *run, const char *phase, double weight, int64_t n,
                            const double *rows, pen_sym *A);

/* Groups of consecutive rows: group g ends before row ends[g] and has the weights weights[0][g] and
 * weights[1][g]. */
typedef struct pen_weighted_groups {
    int64_t count;
    const int64_t *ends;
    const double *weights[2];
} pen_weighted_groups;

/* The same for two matrices in one pass, with Y_g the rows of group g:
 *
 *   A += sum_g weights[0][g] Y_g'Y_g
 *   B += sum_g weights[1][g] Y_g'Y_g */
pen_status pen_sym_add_gram_of_groups(pen_run *run, const char *phase, pen_dtype type,
                                      const pen_weighted_groups *groups, pen_fill_fn fill,
                                      const void *context, pen_sym *A, pen_sym *B);

/* S = V A V' [k x k] for V [k x d], in scratch memory. */
pen_status pen_sym_project(pen_run *run, const pen_sym *A, const double *V, int64_t k, pen_sym *S);

/* A += weight (X'Y + Y'X) for stored X, Y [n x d]. */
pen_status pen_sym_add_product(pen_run *run, double weight, int64_t n, const double *x,
                               const double *y, pen_sym *A);

#endif
