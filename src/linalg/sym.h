/* sym.h - symmetric matrices: scatters are added up here. */
#ifndef PEN_SYM_H
#define PEN_SYM_H

#include "core/run.h"

/* A symmetric matrix A [d x d]; the lower triangle (row-major) holds it, the rest is scratch. */
typedef struct pen_sym {
    int64_t d;
    double *a;
    int64_t rank;    /* no more than this, by construction; d: nothing known */
    double epsilon;  /* relative rounding error of what was added up */
    double identity; /* weight of I among what was added */
    /* [d] v'Av below the sum of v_j^2 floor_j is the rounding of the rows themselves */
    double *floor;
    const char *ridge; /* the parameter that adds to the diagonal, for messages */
} pen_sym;

/* A = 0, in scratch memory. */
pen_status pen_sym_zero(pen_run *run, int64_t d, pen_sym *A);

/* A = B, in scratch memory. */
pen_status pen_sym_copy(pen_run *run, const pen_sym *B, pen_sym *A);

/* scale[j] = 1 / root of the diagonal, 1 where that is 0. */
void pen_sym_unit_scale(const pen_sym *A, double *scale);

/* A_ij *= scale_i scale_j. */
void pen_sym_rescale(const double *scale, pen_sym *A);

/* A += B. */
void pen_sym_add(const pen_sym *B, pen_sym *A);

/* A += weight I. */
void pen_sym_add_identity(double weight, pen_sym *A);

/* A += weight v v'. */
void pen_sym_add_outer(double weight, const double *v, pen_sym *A);

/* floor_j += weight * values_j^2: the coordinates of rows are rounded by so much. */
void pen_sym_add_floor(double weight, const double *values, pen_sym *A);

/* Sum of v_j^2 floor_j. */
double pen_sym_floor(const pen_sym *A, const double *v);

/* The rank of what was added is `more` at most, its rounding `epsilon`. */
void pen_sym_note(pen_sym *A, int64_t more, double epsilon);

double pen_sym_trace(const pen_sym *A);
double pen_sym_norm1(const pen_sym *A); /* largest sum of absolute values in a column */
/* largest absolute value of an entry; NaN or infinity if there is one */
double pen_sym_largest(const pen_sym *A);

/* Writes rows first .. first + count - 1 of some Y, in the precision at hand, to block [count x d].
 * Called from several threads. */
typedef void (*pen_fill_fn)(const void *context, int64_t first, int64_t count, void *block);

/* A += weight Y'Y for Y [n x d] given block by block. Blocks of PEN_F32 are multiplied in single
 * precision, 1024 rows at a time, and added up in double. Cost: n d^2 flops; memory: 24 MB of rows
 * and 20 MB of sums, or 128 rows and d^2 numbers where those are more. */
pen_status pen_sym_add_gram(pen_run *run, const char *phase, double weight, pen_dtype type,
                            int64_t n, pen_fill_fn fill, const void *context, pen_sym *A);

/* Rows in groups: group g ends before row ends[g] and has the weights weights[0][g] and
 * weights[1][g]. */
typedef struct pen_groups {
    int64_t count;
    const int64_t *ends;
    const double *weights[2];
} pen_groups;

/* The same to two matrices, from one pass: A += sum_g weights[0][g] Y_g'Y_g, B += sum_g
 * weights[1][g] Y_g'Y_g, Y_g the rows of a group. */
pen_status pen_sym_add_gram_of_groups(pen_run *run, const char *phase, pen_dtype type,
                                      const pen_groups *groups, pen_fill_fn fill,
                                      const void *context, pen_sym *A, pen_sym *B);

/* S = V A V' [k x k] for V [k x d], in scratch memory. */
pen_status pen_sym_project(pen_run *run, const pen_sym *A, const double *V, int64_t k, pen_sym *S);

/* A += weight (X'Y + Y'X) for stored X, Y [n x d] of one type. */
pen_status pen_sym_add_product(pen_run *run, double weight, pen_dtype type, int64_t n,
                               const void *x, const void *y, pen_sym *A);

#endif
