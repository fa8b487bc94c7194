/* kernel_map.h - coordinates phi(x) with phi(x).phi(z) = k(x, z).
 *
 * K_LL = V diag(w) V' are the kernel values between the landmarks. Eigenvalues above 1e-12 of the
 * largest (pen_kernel_noise) are kept, and
 *
 *   T = V diag(w^-1/2)     phi(x) = k(x, landmarks) T
 *
 * If all rows are landmarks, this is the kernel itself; otherwise phi(x).phi(z) is its Nystroem
 * approximation, which is exact for landmarks. With landmarks by Cholesky, K_LL = L L', T is the
 * inverse of L': a rotation of the same coordinates, a by-product of choosing the landmarks. Every
 * method treats phi like any other rows. */
#ifndef PEN_KERNEL_MAP_H
#define PEN_KERNEL_MAP_H

#include "core/params.h"
#include "kernels/kernel.h"
#include "linalg/sym.h"

/* The most landmarks: 5 m^2 doubles are 1 GB, and the eigenproblem takes minutes on one core. */
enum { PEN_MOST_LANDMARKS = 5000 };

enum pen_landmark_choice { PEN_LANDMARKS_CHOLESKY, PEN_LANDMARKS_RANDOM };

/* Values that stand for other numbers of landmarks. */
enum { PEN_LANDMARKS_ALL = -1, PEN_LANDMARKS_AUTO = 0 };

/* The kernel map before a method. */
typedef struct pen_kernel_params {
    enum pen_kernel_kind kind;
    double gamma; /* < 0: this multiple of auto, -1: auto */
    int64_t degree;
    int64_t landmarks; /* or PEN_LANDMARKS_ALL, PEN_LANDMARKS_AUTO */
    enum pen_landmark_choice choice;
    double ridge;
} pen_kernel_params;

/* The choice of landmarks as a text (core/params.h) bound to pen_kernel_params: by pivoted
 * Cholesky, or drawn at random. */
extern const pen_text_form pen_landmarks_form;

/* PEN_BAD_ARGUMENT unless m >= 1 is at most n and PEN_MOST_LANDMARKS. */
pen_status pen_kernel_map_check(pen_run *run, int64_t m, int64_t n);

typedef struct pen_kernel_map {
    pen_kernel_set set;
    int64_t m, q;
    const int64_t *rows; /* [m] landmarks; NULL: all rows */
    double *T;           /* [m x q] */
    double *w;           /* [q] descending; NULL: by Cholesky */
} pen_kernel_map;

/* The map of landmarks rows [m] of x (columns of precomputed rows), or of all rows if `rows` is
 * NULL, in scratch memory. PEN_BAD_ARGUMENT: as above. PEN_BAD_DATA: K_LL is zero, or not positive
 * semidefinite, with an eigenvalue below minus pen_kernel_negative of the largest; errors of
 * pen_kernel_values and pen_kernel_diagonal. Cost: about 9 m^3 + 2 m^2 d flops; memory: m (d + q)
 * doubles, and 5 m^2 temporarily. */
pen_status pen_kernel_map_open(pen_run *run, const pen_kernel *kernel, const pen_view *x, int64_t m,
                               const int64_t *rows, pen_kernel_map *out);

/* phi [n x q] of all rows of x, the rows of the fit; *captured: the sum of |phi|^2 over that of
 * k(x, x), the fraction of the trace that the landmarks explain, in [0, 1]. Errors: those of
 * pen_kernel_values and pen_kernel_diagonal. Cost: 2 n m (d + q) flops; memory: n doubles, and 128
 * (d + m + q) for each thread. */
pen_status pen_kernel_map_rows(pen_run *run, const pen_kernel_map *map, const pen_view *x,
                               double *phi, double *captured);

/* The map of at most `most` landmarks by randomly pivoted Cholesky (landmarks.h), with phi [n x q]
 * of all rows of x, the rows of the fit, in scratch memory; q = m. Errors and cost: those of
 * pen_landmarks_cholesky, and m^3 / 3 flops. */
pen_status pen_kernel_map_cholesky(pen_run *run, const pen_kernel *kernel, const pen_view *x,
                                   const int64_t *order, int64_t most, uint64_t seed,
                                   pen_kernel_map *out, double **phi, double *captured);

/* P += weight T'T [q x q], in scratch memory: for phi.v = sum_l a_l k(x, landmark l) with a = T v,
 * v'Pv = weight a'a. Cost: m q^2 flops. */
pen_status pen_kernel_map_penalty(pen_run *run, const pen_kernel_map *map, double weight,
                                  pen_sym *P);

/* Folds a method's (phi - mean) W, mean [q], W [q x k], into (k(x, landmarks) - origin) P, for
 * pen_kernel_apply: origin [m] = the products of the landmarks' rows of phi with mean, P [m x k] =
 * T W. phi [n x q]: all rows of the fit. Cost: 2 m q k flops. */
pen_status pen_kernel_map_fold(pen_run *run, const pen_kernel_map *map, const double *phi,
                               const double *mean, int64_t k, const double *W, double *origin,
                               double *P);

#endif
