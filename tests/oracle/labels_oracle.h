/* labels_oracle.h - the methods that learn from labels and a graph once more, slow and literal: n x
 * n matrices, elimination, Jacobi rotations, loops over pairs of rows.
 *
 * Of the library only the types of penumbra.h are used to compute them. Matrices are row-major and
 * small; there is no error handling beyond abort(). */
#ifndef LABELS_ORACLE_H
#define LABELS_ORACLE_H

#include "oracle/pairs_fit.h"

/* What a fit came to; NULL or 0 where a method has no such thing. */
typedef struct label_oracle {
    pair_oracle *fit; /* of this: status, d, q, mean, basis, x, count, gives, values, W */
    int64_t n, classes, labelled;
    int64_t *class; /* [n] 0 .. classes - 1, -1: unlabelled */
    double *Y;      /* [n x classes] one-hot rows, rows of zeros where there is no label */
    double heat;    /* width used */
    double *L;      /* [n x n] Laplacian of the graph */
    double *span;   /* [q x rank] directions in which rows differ */
    int64_t rank;   /* so many */
    /* [rank x rank] soda: S_b and S_w with its ridge; soge: A. [q x q] stsd: S_b and the Schur
     * complement */
    double *A, *B;
    double *C;    /* [rank x classes] soge */
    double ratio; /* soda, tr-fsda */
    double *bias; /* [classes] mean of F */
    double *F;    /* [n x classes] class scores of the rows; tr-fsda: [n x gives] */
    double *last; /* [n] soda: the column of F that is dropped */
    /* [n] soge: how far the row sums of F are apart between the two columns that are as good */
    double *turn;
    double weight;   /* fme: of all labels together */
    double *history; /* objective after every iteration */
    int64_t iterations;
    int arbitrary; /* stsd: tangents are not defined */
} label_oracle;

/* Fit what `text` says, "METHOD NAME=VALUE ...", with the names and defaults of the library. Rows
 * are doubles with no gap between them. */
label_oracle *label_oracle_fit(const char *text, const pen_data *data);
void label_oracle_free(label_oracle *o);

/* soge: C 1 = 0 (always so with unlabelled_weight 0), so that W and W - 2/c W 1 1' are as good as
 * each other, in every block of c columns. */
int label_oracle_two(const label_oracle *o);

/* soge: take the other one in the block of columns that begins at `from`. */
void label_oracle_turn(label_oracle *o, int64_t from);

/* ---- pieces of it; free() what they return ---- */

/* [n x m] times [m x k] */
double *dense_product(int64_t n, int64_t m, int64_t k, const double *a, const double *b);
/* [m x n] of a [n x m] */
double *dense_transpose(int64_t n, int64_t m, const double *a);
/* a^-1 b, b [n x k]: elimination with pivots */
double *dense_solve(int64_t n, int64_t k, const double *a, const double *b);
/* the orthonormal [d x k] nearest to a */
double *dense_polar(int64_t d, int64_t k, const double *a);

/* max tr(W'AW) / tr(W'BW), W [q x k] orthonormal: the ratio; eigenvalues and eigenvectors of A -
 * ratio B at it. */
double dense_trace_ratio(int64_t q, int64_t k, const double *A, const double *B, double *values,
                         double *vectors);

/* ---- models against it ---- */

/* The ten rows that the printed fits are of. */
sample sample_labels(void);

/* A list of numbers in the info of a model; free() it. */
double *info_list(const pen_model *model, const char *name, int64_t *count);

/* The library's fit is the oracle's, or fails as it does. The oracle fits `data`, the library `of`
 * (NULL: the same). */
void check_like_label_oracle(const char *text, const pen_data *data, const pen_data *of,
                             double tolerance);

/* Every text on every shape of sample with at least `columns` columns. */
void check_all_label_shapes(uint64_t tag, const char *const *texts, int64_t count, int64_t columns,
                            double tolerance);

/* Entries of an array against printed ones. */
#define CHECK_ENTRIES(found, right, tolerance)                                                     \
    check_entries(#found, COUNT_OF(right), (found), (right), (tolerance), __FILE__, __LINE__)
void check_entries(const char *what, int64_t count, const double *found, const double *right,
                   double tolerance, const char *file, int line);

/* The order of rows, names of classes and the place of the origin make no difference; a rotation of
 * the rows rotates the columns unless `turned` is 0, or 2 and there are more columns than rows;
 * rows times 3 fitted by `scaled` (NULL: not asked) give columns times column_factor and values
 * times value_factor; floats, bytes and rows with gaps give what doubles give. */
typedef struct label_changes {
    const char *text, *scaled;
    double column_factor, value_factor;
    int turned;
    double tolerance;
} label_changes;
void check_label_invariances(const label_changes *changes, uint64_t tag);

/* The same bits for any number of threads. */
void check_label_threads(const char *text, uint64_t tag);

/* Whenever the progress function says stop, the fit does. */
void check_label_cancelled(const char *text, uint64_t tag);

/* pen_predict on rows says what the columns, the mean and the bias say, also after saving and
 * loading; a loaded model has no rows of its fit. */
void check_prediction(const char *text, const pen_data *data);

/* Labels, pairs, neighbors that no such method accepts; rows with nothing in them; what extreme
 * values may come to. `graph`: it builds one. */
void check_label_errors(const char *text, int graph);

#endif
