/* stretch.h - stretches one scatter until it is equal in all directions, or compresses one, and
 * then solves for the other.
 *
 * Let S have eigenvalues lambda_1 >= lambda_2 >= ... with eigenvectors e_j. Direction e_j, j <= i,
 * is multiplied by sqrt(c / lambda_j), which makes its eigenvalue c. i is the largest number of
 * directions whose eigenvalues sum to at most `threshold` of the sum of all; at least the
 * dimensions wanted, and at most the rank.
 * Long, Meng, Sioutis: IEEE Access 8 (2020), Algorithms 1 and 2. */
#ifndef PEN_STRETCH_H
#define PEN_STRETCH_H

#include "linalg/factored.h"
#include "solve/ratio.h"

/* c: lambda_1 to stretch or lambda_i to compress; the mean of lambda_1 .. lambda_i; or the given
 * number. */
#define PEN_TARGET_NONE 0.0
#define PEN_TARGET_MEAN -1.0
extern const pen_word pen_target_words[];

typedef struct pen_stretch_params {
    double threshold; /* in (0, 1] */
    double target;    /* as above, or > 0 */
} pen_stretch_params;

/* Which columns to keep, and their coordinates. */
typedef struct pen_stretch {
    double below; /* keep columns with smaller eigenvalues */
    int64_t most; /* maximum number to keep */
    /* [d] factors of the columns, if the scatters are those of scaled rows; or NULL */
    const double *scale;
} pen_stretch;

/* Columns V u_k, k = 1, 2, ...: V [d x i] are the first i eigenvectors of B, stretched, and u_k the
 * eigenvectors of V'WV with the smallest eigenvalues, which are those of the projection. If several
 * are 0, it takes the columns of the same span that multiply coordinates least. There are i
 * columns, or those selected by `which` (NULL: all). PEN_RANK_TOO_SMALL: more are wanted, unless
 * fewer are accepted, or there is none. */
pen_status pen_solve_stretch(pen_run *run, const pen_factored *B, const pen_factored *W,
                             const pen_stretch_params *params, const pen_stretch *which,
                             const pen_request *request, pen_projection *out);

/* Columns w with w'Bw = 1 that minimize w'Ww, at most `most` of them. The eigenvalues theta are the
 * fractions of W in B along the columns; columns with theta = 1 are left out. B and W are rescaled.
 * Errors of pen_solve_stretch. */
pen_status pen_solve_shares(pen_run *run, pen_sym *B, pen_sym *W, int64_t most,
                            const pen_request *request, pen_projection *out);

/* Columns V u_k: V [d x d] are the eigenvectors of W, the first i of them compressed, and u_k the
 * eigenvectors of V'BV with the largest eigenvalues, as far as they are above rounding. W and B are
 * both matrices, or both rows. Errors as above. */
pen_status pen_solve_compress(pen_run *run, const pen_factored *W, const pen_factored *B,
                              const pen_stretch_params *params, const pen_request *request,
                              pen_projection *out);

#endif
