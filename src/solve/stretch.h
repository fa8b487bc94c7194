/* stretch.h - stretching one scatter until it is the same in all directions, or compressing one,
 * and then solving for the other.
 *
 * Of a scatter S with eigenvalues lambda_1 >= lambda_2 >= ... the first i directions are stretched:
 * direction e_j is multiplied by sqrt(c / lambda_j), which makes all of these eigenvalues c. i is
 * the largest number of them whose sum is at most `threshold` of the sum of all, or the dimensions
 * wanted if those are more, or the rank if that is less.
 * Long, Meng, Sioutis: IEEE Access 8 (2020), Algorithms 1 and 2. */
#ifndef PEN_STRETCH_H
#define PEN_STRETCH_H

#include "core/params.h"
#include "linalg/factored.h"
#include "solve/ratio.h"

/* c: lambda_1 to stretch or lambda_i to compress; the mean of lambda_1 .. lambda_i; or the number
 * itself. */
#define PEN_TARGET_NONE 0.0
#define PEN_TARGET_MEAN -1.0
extern const pen_word pen_target_words[];

typedef struct pen_stretch_params {
    double threshold; /* in (0, 1] */
    double target;    /* as above, or > 0 */
} pen_stretch_params;

/* Which columns count, and in what coordinates. */
typedef struct pen_stretch {
    double below; /* their eigenvalues are below this */
    int64_t most; /* there are no more than so many */
    /* [d] what columns are multiplied with to be those of the rows, where the scatters are of
     * scaled rows; or NULL */
    const double *scale;
} pen_stretch;

/* Where B is regular and all of it is stretched, the units of the columns make no difference to the
 * answer, and should make none to what counts as rounding: B to a diagonal of 1, W likewise, scale
 * [d] as above. Where B is singular: nothing, scale 1. */
pen_status pen_stretch_scale(pen_run *run, pen_sym *B, pen_sym *W, double *scale);

/* Columns V u_k, k = 1, 2, ...: V [d x i] are the first i eigenvectors of B, stretched, u_k the
 * eigenvectors of V'WV with the smallest eigenvalues, which are the eigenvalues of the map. Where
 * several of them are 0 the columns are those, of the same span, that multiply coordinates least.
 * All there are: i, or as many as `which` (NULL: all) says. PEN_RANK_TOO_SMALL: more than that are
 * wanted, unless fewer will do; none is. */
pen_status pen_solve_stretch(pen_run *run, const pen_factored *B, const pen_factored *W,
                             const pen_stretch_params *level, const pen_stretch *which,
                             const pen_request *request, pen_map *out);

/* Columns w with w'Bw = 1 that make w'Ww small, `most` of them at most: the eigenvalues theta are
 * the shares of W in B along them, and columns with theta 1 are left out. B and W are of one order
 * and are rescaled. Errors of pen_solve_stretch. */
pen_status pen_solve_shares(pen_run *run, pen_sym *B, pen_sym *W, int64_t most,
                            const pen_request *request, pen_map *out);

/* Columns V u_k: V [d x d] are the eigenvectors of W, the first i of them compressed, u_k the
 * eigenvectors of V'BV with the largest eigenvalues. All there are: those above rounding noise.
 * Both forms are matrices, or both are rows. Errors as above. */
pen_status pen_solve_compress(pen_run *run, const pen_factored *W, const pen_factored *B,
                              const pen_stretch_params *level, const pen_request *request,
                              pen_map *out);

#endif
