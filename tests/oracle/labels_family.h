/* labels_family.h - literal versions of the methods that learn from labels and a graph: soda,
 * tr-fsda, fme, asl, soge, stsd, ssda. They use n x n matrices, elimination, Jacobi rotations,
 * loops over pairs of rows.
 *
 * Only types and parameter tables of the library are used. Errors end in abort(). */
#ifndef LABELS_FAMILY_H
#define LABELS_FAMILY_H

#include "oracle/pairs_family.h"

#include "classifiers/class_mass.h"

/* The result of a fit; fields that a method does not use are NULL or 0. */
typedef struct label_oracle {
    pair_oracle *fit; /* of these: status, d, q, mean, basis, x, count, gives, values, W */
    int64_t n, classes, labelled;
    int64_t *class; /* [n] 0 .. classes - 1, -1: unlabelled */
    double *Y;      /* [n x classes] one-hot rows; unlabelled rows are zero */
    double *L;      /* [n x n] Laplacian of the graph */
    double *span;   /* [q x rank] the span of the centered rows */
    int64_t rank;   /* their number */
    /* [rank x rank] soda: S_b and S_w with its ridge; soge: A. [q x q] stsd: S_b and the Schur
       complement */
    double *A, *B;
    double *C;    /* [rank x classes] soge */
    double ratio; /* soda, tr-fsda */
    double *bias; /* [classes] mean of F */
    double *F;    /* [n x classes] class scores of the rows; tr-fsda: [n x gives] */
    double *last; /* [n] soda: the column of F that is dropped */
    /* [n] soge: the difference of the row sums of F between the two equally good solutions */
    double *turn;
    double weight;   /* fme: over all labels */
    double *history; /* objective after each iteration */
    int64_t iterations;
    enum pen_prior prior; /* none for methods without that parameter */
    int arbitrary;        /* stsd: tangents are undefined */
} label_oracle;

/* Fits `text`, "METHOD NAME=VALUE ...", with the library's names and defaults, on doubles without
 * gaps. */
label_oracle *label_oracle_fit(const char *text, const pen_data *data);

/* The model's output for F [n x classes]: F, or probabilities and class_mass [2 x classes]. */
double *label_oracle_shares(const label_oracle *o, double *class_mass);

/* soge: C 1 = 0 (always with unlabelled_weight 0), so that W and W - 2/c W 1 1' are equally good in
 * every block of c columns. */
int label_oracle_two(const label_oracle *o);

/* soge: switches to the other solution in the block of columns from `from` on. */
void label_oracle_turn(label_oracle *o, int64_t from);

/* ---- shared by the methods ---- */

/* The weights [n x n] of the graph; o->L. */
double *label_graph(const fit_options *opt, const double *distances, label_oracle *o);

/* L_t, L_b [n x n] over the labelled rows. */
void label_laplacians(const label_oracle *o, double *L_t, double *L_b);

/* The number of columns of a fit whose columns depend on it; 0 and the status if too many are
 * requested. */
int64_t label_count_columns(const fit_options *opt, int64_t usual, int64_t there, pair_oracle *f);

/* ---- methods that predict: fme, asl, soge ---- */

/* W [q x c] in the coordinates of the method, stored as columns of the model. */
void label_set_prediction(const double *W, label_oracle *o);

/* o->bias: the mean of F. */
void label_mean_of_F(label_oracle *o);

/* tr((F-Y)'U(F-Y)) + tr(F'LF) */
double label_and_graph_terms(const fit_options *opt, const label_oracle *o);

/* |X W + 1 b' - F|^2 */
double label_fit_term(const label_oracle *o, const double *W);

/* U [n x n], and U Y. */
void label_weigh(const fit_options *opt, const label_oracle *o, double *U, double *UY);

/* ---- the methods ---- */

void soda_oracle(const fit_options *opt, const double *distances, label_oracle *o);
void tr_fsda_oracle(const fit_options *opt, const double *distances, label_oracle *o);
void fme_oracle(const fit_options *opt, const double *distances, label_oracle *o);
void asl_oracle(const fit_options *opt, const double *distances, label_oracle *o);
void soge_oracle(const fit_options *opt, const double *distances, label_oracle *o);
void stsd_oracle(const fit_options *opt, const double *distances, label_oracle *o);
void ssda_oracle(const fit_options *opt, const double *distances, label_oracle *o);

#endif
