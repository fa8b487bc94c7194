/* kernel.h - kernels: values k(x, z) of rows x with landmarks z.
 *
 *   linear       x.z
 *   rbf          exp(-gamma |x - z|^2)
 *   laplacian    exp(-gamma |x - z|_1)
 *   polynomial   (gamma x.z + coef0)^degree
 *   cosine       x.z / (|x| |z|), 0 if x or z is 0
 *   precomputed  the value in row x and in the column of landmark z
 *
 * Rows are a pen_view, of which only values, n, d, unit, mean and scale are read:
 * x = scale (u v - mean), where mean is any origin, 0 for the rows as given. In precomputed rows it
 * is 0, without unit and scale. */
#ifndef PEN_KERNEL_H
#define PEN_KERNEL_H

#include "core/parallel.h"
#include "core/rows.h"

enum pen_kernel_kind {
    PEN_KERNEL_NONE,
    PEN_KERNEL_LINEAR,
    PEN_KERNEL_RBF,
    PEN_KERNEL_LAPLACIAN,
    PEN_KERNEL_POLYNOMIAL,
    PEN_KERNEL_COSINE,
    PEN_KERNEL_PRECOMPUTED
};

extern const char *const pen_kernel_names[]; /* NULL-terminated, in the order of pen_kernel_kind */

typedef struct pen_kernel {
    enum pen_kernel_kind kind; /* not PEN_KERNEL_NONE */
    double gamma;              /* > 0, rbf, laplacian, polynomial */
    int64_t degree;            /* >= 1, polynomial */
    double coef0;              /* polynomial */
} pen_kernel;

/* Landmarks prepared for products with blocks of rows. */
typedef struct pen_kernel_set {
    pen_kernel kernel;
    int64_t m, d;           /* landmarks, columns of a row */
    const double *rows;     /* [m x d] minus `center`, or of length 1 for cosine; or NULL */
    const double *center;   /* [d] the mean of the landmarks, for rbf; NULL: 0 */
    const double *squares;  /* [m] squared lengths of `rows`, for rbf */
    const int64_t *columns; /* [m] of precomputed rows */
} pen_kernel_set;

/* Prepares the landmarks rows [m] of x, or rows 0 .. m - 1 if `rows` is NULL. If the kernel is
 * precomputed, these are columns, within x->d. Memory: m (d + 1) doubles. */
pen_status pen_kernel_open(pen_run *run, const pen_kernel *kernel, const pen_view *x, int64_t m,
                           const int64_t *rows, pen_kernel_set *out);

/* K[i * stride + j] = k(row i, landmark j) for all rows of x, or for members [count] if given.
 * PEN_NOT_FINITE: a value of x; PEN_BAD_DATA: a kernel value overflows; the message names the row
 * and the landmark. A row goes through operations of one fixed shape, so the bits of its values
 * depend only on that row and the landmarks. Distances of rbf and laplacian are exactly 0 for equal
 * rows. Cost: 2 count m d flops, for laplacian without BLAS; memory: 128 (d + m) doubles for each
 * thread. With `distances`, returns the squared distances or L1 distances that rbf and laplacian
 * depend on. */
pen_status pen_kernel_values(pen_run *run, pen_phase phase, const pen_kernel_set *set,
                             int distances, const pen_view *x, const int64_t *members,
                             int64_t count, double *K, int64_t stride);

/* The number of rows of a block. */
enum { PEN_KERNEL_ROWS = 128 };

/* Uses values K [PEN_KERNEL_ROWS x m] of rows first .. first + count - 1; further rows are padding.
 * May change K. Called from several threads. */
typedef void (*pen_kernel_use_fn)(void *context, int64_t first, int64_t count, double *K);

/* Passes on the values of all rows of x block by block, each while it is in cache. Errors, bits,
 * cost and memory as above. */
pen_status pen_kernel_blocks(pen_run *run, pen_phase phase, const pen_kernel_set *set,
                             const pen_view *x, pen_kernel_use_fn use, void *context);

/* z[i] = (k(row i, landmarks) - mean) W for all rows of x, W [m x k], mean [m] or NULL: 0. z has
 * type PEN_F64 or PEN_F32 and rows `stride` elements apart; empty [n] or NULL: 1 if all values of a
 * row are 0. Errors, bits and cost as above, and 2 n m k flops; PEN_BAD_DATA also if a result is
 * too large for its type. */
pen_status pen_kernel_apply(pen_run *run, const char *phase, const pen_kernel_set *set,
                            const pen_view *x, const double *mean, const double *W, int64_t k,
                            pen_dtype type, void *z, int64_t stride, char *empty);

/* diagonal[i] = k(x_i, x_i) for all n rows, which are members[i] of x if `members` is given.
 * PEN_NOT_FINITE: a value of x; PEN_BAD_DATA: a value overflows or is negative. If all of these are
 * finite, no value of a positive semidefinite kernel between the rows overflows. Cost: a pass. */
pen_status pen_kernel_diagonal(pen_run *run, const pen_kernel *kernel, const pen_view *x,
                               const int64_t *members, int64_t n, double *diagonal);

/* The rounding in kernel values between rows of x, relative to the largest eigenvalue, a k(x, x) or
 * their sum: 1e-12, or 1e-6 for precomputed values in single precision. */
double pen_kernel_noise(const pen_kernel *kernel, const pen_view *x);

/* Relative to the same: a value below minus this is not rounding, so there is no kernel. */
double pen_kernel_negative(const pen_kernel *kernel, const pen_view *x);

/* PEN_BAD_DATA unless precomputed rows are square, symmetric to 1e-6 of their largest diagonal
 * value, and, to 1e-3 of it, within the bounds of their diagonal, which distances exceed. Cost: one
 * pass, in tiles. */
pen_status pen_kernel_check_square(pen_run *run, const pen_view *x);

#endif
