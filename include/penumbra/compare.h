/* compare.h - compare methods on held-out labels; samples, folds and neighbors of rows.
 * Conventions: model.h. */
#ifndef PENUMBRA_COMPARE_H
#define PENUMBRA_COMPARE_H

#include <penumbra/files.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__ /* the shared library exports only these declarations */
#pragma GCC visibility push(default)
#endif

/* ---- samples of labels and pairs ----------------------------------------------------------- */

/* Draw labelled rows. out [n]: their labels, PEN_UNLABELLED for all other rows. `text` is "3", the
 * number from each class, or all if it has fewer; or "10%" of each class, rounded, at least one.
 * Classes are taken by size and rows by number (docs/sampling.md); the names of classes have no
 * influence. The same seed draws the same rows on every machine, and a larger number draws the rows
 * of a smaller one and more.
 * PEN_BAD_ARGUMENT: another text. PEN_NO_LABELS: all rows are unlabelled. */
pen_status pen_sample_labels(const int32_t *labels, int64_t n, const char *text, uint64_t seed,
                             int32_t *out, pen_error *err);

/* Draw pairs of labelled rows, each kind ascending by (i, j), i < j. A fit with the same text and
 * seed draws the same pairs. `text`: "5%" of all pairs, rounded; "200" pairs; or "50+100"
 * must-links and cannot-links. `control` may be NULL. Free with pen_pairs_free. PEN_BAD_ARGUMENT:
 * another text, or more pairs than there are.
 * PEN_NO_LABELS: fewer than two labelled rows.
 * PEN_CANCELLED: stopped by `control`.
 * Memory: 16 bytes a pair, and 3 T / 8 bytes, where T is the number of pairs of labelled rows, or
 * about 42 bytes for each pair drawn if that is less. */
pen_status pen_sample_pairs(const int32_t *labels, int64_t n, const char *text, uint64_t seed,
                            const pen_control *control, pen_pairs **out, pen_error *err);

/* ---- comparison -----------------------------------------------------------------------------
 * Cross-validation on the labelled rows. A trial holds out one fold, learns from the rest, and
 * classifies each held-out row as pen_predict does. No fit and no choice uses the label of a
 * held-out row or a pair that contains one. */

enum { PEN_MOST_RUNS = 100000 };

/* The design of the trials. All zero: two runs of five folds, default parameters. */
typedef struct pen_trials {
    /* texts such as "beta=0.1,0.3" [grid_count] or NULL: at most 100 values to try of a parameter,
     * for each method that has it, as pen_spec_set reads them, separated by commas or blanks
     * (row_steps: blanks), the most promising first. They replace all default grids. Not `dim`, of
     * which all values are tried, nor `classifier` */
    const char *const *grid;
    int64_t grid_count;
    const int64_t *dims; /* [dim_count] ascending, >= 1, or NULL: also report accuracy in these */
    int64_t dim_count;
    /* names [classifier_count], values of the parameter `classifier`, for each method that leaves
     * it at `auto`; NULL: nearest, lda, and scores for methods that give them */
    const char *const *classifiers;
    int64_t classifier_count;
    /* in each trial learn from "3" labels of each class, or from "10%", at least one; NULL: from
     * all labels that are not held out */
    const char *keep_labels;
    int shuffled; /* 1: repeat the recommended candidate with permuted labels */
    /* >= 2; 0: 5, or if that is less the number of labelled rows of the largest class, or of groups
     * with rows of one class */
    int64_t folds;
    /* NULL, or folds to use [runs x rows], run after run: the number of the fold that holds out a
     * row; -1: this run never does. Unlabelled rows may have any number that labelled rows have, or
     * -1. All runs have the same number of folds, in ascending order of their numbers; one fold is
     * a single test set. `folds` is 0 or that number; `runs` 0 is 1 */
    const int32_t *fold_of;
    int64_t runs;  /* repetitions with new folds, 1 .. PEN_MOST_RUNS; 0: 2 */
    int inductive; /* 1: fits exclude held-out rows; 0: they stay as unlabelled rows */
    /* 0: default parameters, and the values of `grid`; above: the budget of all trials, where 1 is
     * about a minute of one core */
    double effort;
    uint64_t seed;
    /* 1: the JSON has `picture`: the rows as the recommended candidate, with the parameters of
     * pen_comparison_spec, embeds them in the first trial (docs/evaluation.md) */
    int64_t picture;
    int64_t reserved[7]; /* zero: options to come */
} pen_trials;

/* A comparison of methods, classifiers and baselines. Free with pen_comparison_free (NULL is
 * fine). */
typedef struct pen_comparison pen_comparison;

/* Compare `specs` [count], or NULL: all methods. A candidate is a spec with a classifier; baselines
 * are the standardized columns with a classifier. Each is tuned within each trial on the rows that
 * are not held out, over `grid` or, as far as `effort` allows, over promising values of the
 * parameters that are not set and of the dimensions. It keeps its own values where these do better.
 * With effort above 0, or if all methods are compared, most candidates begin with principal
 * components if there are more than 100 columns, unless `pca` is set. The costs of the methods
 * decide what is tried, cheapest first, so the result depends on data, seed and settings only.
 * Methods that cost too much are left out, except those in `specs` with effort 0. If `control`
 * stops the call, it returns the trials that every method completed. The recommended candidate is
 * the most stable one within a standard error of the best; it is a baseline only if no other
 * candidate is.
 * PEN_NO_LABELS: no row is labelled, or no class has two labelled rows. PEN_ONE_CLASS.
 * PEN_BAD_ARGUMENT: a member of `trials`; a spec that occurs twice or whose method lacks its
 * classifier. PEN_UNKNOWN_NAME: a classifier; a parameter in `grid` that no method has.
 * PEN_BAD_DATA: no method works; a single method gives its own error. PEN_CANCELLED: no trial was
 * completed. Data: as for pen_fit.
 * Cost: a fit for each method, trial and combination of values; with the trait PEN_UNNESTED, also
 * for each number of dimensions. */
pen_status pen_compare(const pen_spec *const *specs, int64_t count, const pen_data *data,
                       const pen_trials *trials, const pen_control *control, pen_comparison **out,
                       pen_error *err);
void pen_comparison_free(pen_comparison *comparison);

/* The results as one JSON object (docs/evaluation.md), and as a table in lines of at most 80
 * columns, with all candidates if `verbose` is not 0. Both texts belong to the comparison. */
const char *pen_comparison_json(const pen_comparison *comparison);
const char *pen_comparison_text(const pen_comparison *comparison, int verbose);

/* The spec of the recommended candidate (0), or of candidate `index` in the JSON, from 1: tuned on
 * all labelled rows, or as it was if that does better, with its classifier. NULL: no such
 * candidate, or it failed. It belongs to the comparison. */
const pen_spec *pen_comparison_spec(const pen_comparison *comparison, int64_t index);

/* ---- nearest neighbors --------------------------------------------------------------------- */

/* The k rows of x nearest to each row of `queries`, which has the same columns, by Euclidean
 * distance; queries NULL: the k nearest other rows of each row of x. With m queries, or rows of x:
 * index [m x k], 0-based row numbers, nearest first, ties in ascending order of row number;
 * distance [m x k], or NULL. A query that equals a row of x finds it at distance 0. The search is
 * exact: distances are direct differences in double precision. The bits are the same for any number
 * of threads and any instruction set. `control` may be NULL.
 * PEN_BAD_ARGUMENT: k is not in [1, x.rows], or without queries [1, x.rows - 1]; the numbers of
 * columns differ; or index is NULL.
 * PEN_BAD_DATA, PEN_NOT_FINITE, PEN_CANCELLED: as for pen_fit. PEN_BAD_DATA also: a query is so far
 * from the rows of x that squares of distances may overflow.
 * Cost: m x.rows x.cols multiply-adds of bytes, half of that without queries, and about m (k + 5)
 * direct differences, none for whole numbers that span at most 255. If bounds from bytes rule out
 * too few pairs: 2 m x.rows x.cols flops in single or double precision.
 * Memory: 16 m k bytes; for each row x.cols + 8 k + 72 bytes, and, unless values are such whole
 * numbers, 24 k + 200 more. Without queries and with many rows, the search may take up to x.cols +
 * 1420 bytes for each row, or floats instead of the bytes of columns unless values are such
 * numbers. If rows of x are equal, 16 k more for each distinct row. Each thread takes a few MB. */
pen_status pen_neighbors(const pen_array *x, const pen_array *queries, int64_t k,
                         const pen_control *control, int64_t *index, double *distance,
                         pen_error *err);

/* Graph `index` that a fit with pen_control.keep_graphs used or learned: a matrix [x.rows x
 * x.rows], and its name (may be NULL), which docs/knn.md lists. It belongs to the model, but is not
 * saved in its file. NULL: no such graph; the method with these parameters may make none. Memory:
 * 16 bytes for each entry. */
const pen_sparse *pen_model_graph(const pen_model *model, int64_t index, const char **name);

/* ---- folds and leaks ------------------------------------------------------------------------ */

/* Deal the labelled rows to k folds for cross-validation: fold [n] is 0 .. k - 1 for labelled rows
 * and -1 for unlabelled rows. Fold sizes differ by at most one; if stratified, also within each
 * class. With groups [n] (pen_data.groups; or NULL) the rows of a group are in one fold, and sizes
 * are as even as whole groups allow; the largest groups are dealt first. Classes are taken by size
 * and rows by number. Trials take rows by their content (docs/sampling.md), so their folds differ.
 * The same seed gives the same folds on every machine.
 * PEN_NO_LABELS: all rows are unlabelled.
 * PEN_BAD_ARGUMENT: k is not in [2, the number of labelled rows, or of groups with labelled
 * rows]. */
pen_status pen_deal_folds(const int32_t *labels, const int32_t *groups, int64_t n, int64_t k,
                          int stratified, uint64_t seed, int32_t *fold, pen_error *err);

/* A column that determines the labels; or adjacent indicator columns of 0 and 1, with exactly one 1
 * in every row; or a column that numbers the rows. */
typedef struct pen_leak {
    int64_t first, count; /* columns first .. first + count - 1; count 1: one column */
    int64_t numbers_rows; /* 1: it numbers the rows, whatever the labels */
    double p;             /* upper bound on the probability that a column does so by chance */
} pen_leak;

/* Free with pen_leaks_free (NULL is fine). */
typedef struct pen_leaks {
    int64_t count;
    pen_leak *list; /* [count] in the order of the columns */
    /* the fraction of the labelled rows (of about 100 of them) that have near copies in their
     * class, if it is a third or more; otherwise 0, also for data with groups or nonfinite values.
     * In trials a copy gives away the class of a held-out row. Near copies of a row are few, and
     * all other rows of its class are more than five times as far from it, in standardized
     * columns */
    double copies;
    /* the first names of classes, quoted, that look alike: they differ only in case, blanks,
     * encoding of accents or notation of a number; "": there are none */
    char alike[160];
} pen_leaks;

/* Find columns that determine the labels, such as the classes themselves among the values. Each
 * value of such a column occurs in labelled rows of one class only, there are at most two values
 * for each class or one for each five labelled rows, and that is improbable (p < 1e-3) if labels
 * are permuted, given the number of columns with few values.
 * Find columns that number the rows, even without labels: in equal steps or in whole numbers with
 * gaps, if that is improbable (p < 0.01) in another order of the rows; or different whole numbers
 * under an index name such as id.
 * Find labelled rows with near copies (`copies`), and names of classes that look alike.
 * PEN_BAD_DATA: as for pen_fit. Values may be NaN; all NaN count as different.
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
