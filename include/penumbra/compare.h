/* compare.h - what predicts held-out labels best; samples, folds and neighbors of rows.
 * Conventions: model.h. */
#ifndef PENUMBRA_COMPARE_H
#define PENUMBRA_COMPARE_H

#include <penumbra/files.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__ /* what is declared here is visible in the shared library, and nothing else */
#pragma GCC visibility push(default)
#endif

/* ---- samples of labels and pairs ----------------------------------------------------------- */

/* out [n]: the labels of the rows drawn, PEN_UNLABELLED for all others. `text` says how many: "3"
 * of each class, or all that it has; or "10%" of each class, rounded, at least one. Classes are
 * taken by size, rows by number (docs/sampling.md): their names decide nothing. The same seed draws
 * the same rows on every machine; those of a small number are among those of a larger one.
 * PEN_BAD_ARGUMENT: another text. PEN_NO_LABELS: all rows are unlabelled. */
pen_status pen_sample_labels(const int32_t *labels, int64_t n, const char *text, uint64_t seed,
                             int32_t *out, pen_error *err);

/* Draw pairs of labelled rows, each kind ascending by (i, j), i < j: the same that a fit draws by
 * the same text and seed. `text`: "5%" of all pairs, rounded; "200" of them; or "50+100",
 * numbers of must-links and cannot-links. `control` may be NULL. Free with pen_pairs_free.
 * PEN_BAD_ARGUMENT: another text, or more pairs than there are.
 * PEN_NO_LABELS: fewer than two labelled rows.
 * PEN_CANCELLED: stopped by `control`.
 * Memory: 16 bytes a pair, and 3 T / 8 bytes, where T is the number of pairs of labelled rows, or
 * about 42 bytes for each pair drawn if that is less. */
pen_status pen_sample_pairs(const int32_t *labels, int64_t n, const char *text, uint64_t seed,
                            const pen_control *control, pen_pairs **out, pen_error *err);

/* ---- comparison -----------------------------------------------------------------------------
 * Cross-validation on the labelled rows. A trial holds out one fold, learns from the rest, and
 * classifies each held-out row as pen_predict does. Neither the label of a held-out row nor a pair
 * that contains one is used to learn or to choose anything. */

enum { PEN_MOST_RUNS = 100000 };

/* How trials are made. All zero: two runs of five folds, default parameters. */
typedef struct pen_trials {
    /* texts such as "beta=0.1,0.3" [grid_count] or NULL: the values to try of a parameter, of each
     * method that has it, in place of all that would be tried otherwise: at most 100, as
     * pen_spec_set reads them, separated by commas or blanks (row_steps: blanks), the most
     * promising first. Not `dim`, of which all numbers are tried, nor `classifier` */
    const char *const *grid;
    int64_t grid_count;
    const int64_t *dims; /* [dim_count] ascending, >= 1, or NULL: accuracy in these, too */
    int64_t dim_count;
    /* names [classifier_count], as of the parameter `classifier`, for each method whose own is
     * `auto`; NULL: nearest, lda, and scores of methods whose models have them */
    const char *const *classifiers;
    int64_t classifier_count;
    /* in each trial learn from the labels of "3" of each class, or of "10%", at least one; NULL:
     * from all that are not held out */
    const char *keep_labels;
    int shuffled; /* 1: the recommended candidate once more, with labels permuted at random */
    /* >= 2; 0: 5, or the number of labelled rows of the largest class, or of groups with rows of
     * one class, if that is less */
    int64_t folds;
    /* NULL, or the folds instead of dealt ones [runs x rows], run after run: the number of the fold
     * in which a row is held out, or -1: in none of this run. Unlabelled rows may have any of the
     * numbers that labelled rows have, or -1. Each run has the same number of folds, its different
     * numbers in ascending order, one for a single test set; `folds` is 0 or that number, `runs` 0
     * is 1 */
    const int32_t *fold_of;
    int64_t runs;  /* repetitions with newly dealt folds, 1 .. PEN_MOST_RUNS; 0: 2 */
    int inductive; /* 1: held-out rows are left out of the fits; 0: they stay as unlabelled rows */
    /* 0: default parameters, and those of `grid`; above: what is tried in all, 1 being about a
     * minute of one core */
    double effort;
    uint64_t seed;
    /* 1: the JSON has `picture`: rows as the recommended candidate embeds them in the first trial,
     * its parameters those of pen_comparison_spec (docs/evaluation.md) */
    int64_t picture;
    int64_t reserved[7]; /* zero: options to come */
} pen_trials;

/* Methods and classifiers side by side, with baselines. Free with pen_comparison_free (NULL is
 * fine). */
typedef struct pen_comparison pen_comparison;

/* Compare `specs` [count], or NULL: all methods. Candidates are the pairs of a spec and a
 * classifier, and baselines: the standardized columns. Each is tuned within each trial on the rows
 * that are not held out, over `grid` or what is worth trying of the parameters that are not set and
 * of the dimensions, as far as `effort` goes, and keeps its values where these do better. With
 * effort above 0, and where all methods are compared, most begin with principal components of more
 * than 100 columns, unless `pca` is set. What is tried follows from the costs of the methods,
 * cheapest first, so the result depends on data, seed and settings only; what costs too much is
 * left out, but with effort 0 no method of `specs`. A call that `control` stops returns what is
 * finished: the trials that every method completed. Recommended is the most stable candidate within
 * a standard error of the best, a baseline only where no other is.
 * PEN_NO_LABELS: no row is labelled, or no class has two labelled rows. PEN_ONE_CLASS.
 * PEN_BAD_ARGUMENT: a member of `trials`; a spec that is named twice, or whose classifier the
 * method does not have. PEN_UNKNOWN_NAME: a classifier; a parameter in `grid` that no method has.
 * PEN_BAD_DATA: no method works; of one alone its error. PEN_CANCELLED: nothing was finished. Data:
 * as for pen_fit.
 * Cost: a fit for each method, trial and combination of values; as many for each number of
 * dimensions of a method with the trait PEN_UNNESTED. */
pen_status pen_compare(const pen_spec *const *specs, int64_t count, const pen_data *data,
                       const pen_trials *trials, const pen_control *control, pen_comparison **out,
                       pen_error *err);
void pen_comparison_free(pen_comparison *comparison);

/* All numbers as one JSON object (docs/evaluation.md), and the table in lines of at most 80
 * columns, of all candidates where `verbose` is not 0. They belong to the comparison. */
const char *pen_comparison_json(const pen_comparison *comparison);
const char *pen_comparison_text(const pen_comparison *comparison, int verbose);

/* The recommended candidate (0), or number `index` of those in the JSON, from 1: its spec, tuned on
 * all labelled rows, or as it was if that does better, with its classifier. NULL: there is none, or
 * it failed. It belongs to the comparison. */
const pen_spec *pen_comparison_spec(const pen_comparison *comparison, int64_t index);

/* ---- nearest neighbors --------------------------------------------------------------------- */

/* The k nearest rows of x of each row of `queries`, which has the same columns, by Euclidean
 * distance; queries NULL: the k nearest other rows of each row of x. With m queries, or rows of x:
 * index [m x k], 0-based row numbers, nearest first, equal distances in ascending order of row
 * number; distance [m x k], or NULL if not wanted. A query that is also a row of x finds that row,
 * at distance 0. The search is exact: distances are computed by direct differences in double
 * precision, and an equal row is at distance 0. The same bits for any number of threads and any
 * instruction set. `control` may be NULL.
 * PEN_BAD_ARGUMENT: k is not in [1, x.rows], or without queries [1, x.rows - 1]; the numbers of
 * columns differ; or index is NULL.
 * PEN_BAD_DATA, PEN_NOT_FINITE, PEN_CANCELLED: as for pen_fit. PEN_BAD_DATA also: a query is so far
 * from the rows of x that squares of distances may overflow.
 * Cost: m x.rows x.cols multiply-adds of bytes, without queries half of that, and about m (k + 5)
 * direct differences, none for whole numbers that span at most 255. Where bounds by bytes rule out
 * too few pairs, 2 m x.rows x.cols flops in single precision or in double.
 * Memory: 16 m k bytes, and x.cols + 8 k + 72 bytes for each row, 24 k + 200 more unless values are
 * such whole numbers, or, without queries and with many rows, up to x.cols + 1420 bytes, with
 * floats in place of the bytes of columns unless values are such; and 16 k for each distinct row
 * where rows of x are equal; plus a few MB for each thread. */
pen_status pen_neighbors(const pen_array *x, const pen_array *queries, int64_t k,
                         const pen_control *control, int64_t *index, double *distance,
                         pen_error *err);

/* Graph `index` of those that a fit used or learned, where pen_control.keep_graphs was set: a
 * matrix [x.rows x x.rows], and its name (may be NULL), which docs/knn.md lists. It belongs to the
 * model, whose file does not have it. NULL: there is none of that index, as if the method, or these
 * parameters, made no sparse graph. Memory: 16 bytes for each entry. */
const pen_sparse *pen_model_graph(const pen_model *model, int64_t index, const char **name);

/* ---- folds and leaks ------------------------------------------------------------------------ */

/* Deal the labelled rows to k folds for cross-validation: fold [n] is 0 .. k - 1 for labelled rows
 * and -1 for the others. Fold sizes differ by at most one; if stratified, within each class too.
 * With groups [n] (pen_data.groups; or NULL) rows of a group are in one fold, and sizes are as even
 * as whole groups allow, dealt from the largest one. Classes are taken by size, rows by number;
 * trials take rows by their content (docs/sampling.md), so their folds are others. The same seed
 * gives the same folds on every machine.
 * PEN_NO_LABELS: all rows are unlabelled.
 * PEN_BAD_ARGUMENT: k is not in [2, the number of labelled rows, or of groups that have any]. */
pen_status pen_deal_folds(const int32_t *labels, const int32_t *groups, int64_t n, int64_t k,
                          int stratified, uint64_t seed, int32_t *fold, pen_error *err);

/* A column from which the labels follow, or adjacent indicator columns: 0 or 1, and in every row
 * exactly one of them 1; or a column that numbers the rows. */
typedef struct pen_leak {
    int64_t first, count; /* columns first .. first + count - 1; count 1: one column */
    int64_t numbers_rows; /* 1: it numbers the rows, whatever the labels */
    double p;             /* at least the probability that a column does so by chance */
} pen_leak;

/* Free with pen_leaks_free (NULL is fine). */
typedef struct pen_leaks {
    int64_t count;
    pen_leak *list; /* [count] in the order of the columns */
    /* the share of the labelled rows (of some 100 of them) that have near copies among those of
     * their class, where it is a third or more; otherwise 0, as for data with groups or with values
     * that are not finite. In trials a copy tells the class of a held-out row. A row has near
     * copies if all but a few rows of its class are more than five times as far as these, in
     * standardized columns */
    double copies;
    /* names of classes that people would read as one, the first of them, quoted; "": there are
     * none. Equal but for case, blanks, encoding of accents or notation of a number */
    char alike[160];
} pen_leaks;

/* Find columns that determine the labels, such as the classes themselves left among the values:
 * each value occurs in labelled rows of one class only, there are at most two values for each class
 * or one for each five labelled rows, and that is improbable (p < 1e-3) if labels are permuted,
 * given the number of columns with few values. Also, without labels, too, columns that number the
 * rows: in equal steps or in whole numbers with gaps, if that is improbable (p < 0.01) in another
 * order of the rows; or different whole numbers under a name of an index, such as id.
 * PEN_BAD_DATA: as for pen_fit. Values may be NaN, which are all different.
 * And labelled rows with near copies (`copies`), and names of classes that look alike.
 * Cost: for most columns a few rows; x.rows for an indicator; for copies two passes over labelled
 * rows, and at most 2e8 flops. */
pen_status pen_find_leaks(const pen_data *data, pen_leaks **out, pen_error *err);
void pen_leaks_free(pen_leaks *leaks);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
