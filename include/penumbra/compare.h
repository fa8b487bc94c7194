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

/* Which labels to keep: a number or a percentage of each class. Exactly one is given. */
typedef struct pen_label_sample {
    int64_t per_class; /* min(per_class, n_c) rows of class c; or */
    double percent;    /* in (0, 100]: floor(percent / 100 n_c + 1/2) rows of it, at least one */
    uint64_t seed;
} pen_label_sample;

/* out [n]: the labels of the rows drawn, PEN_UNLABELLED for all others. `text` says how many: "3"
 * of each class, or all that it has; or "10%" of each class, rounded, at least one. Classes are
 * taken by size, rows by number (docs/sampling.md): their names decide nothing. The same seed draws
 * the same rows on every machine; those of a small number are among those of a larger one.
 * PEN_BAD_ARGUMENT: another text. PEN_NO_LABELS: all rows are unlabelled. */
pen_status pen_sample_labels(const int32_t *labels, int64_t n, const char *text, uint64_t seed,
                             int32_t *out, pen_error *err);

/* Draw pairs of labelled rows, each kind ascending by (i, j), i < j: the same that a fit draws by
 * the same text and seed. `text`: "5%" of all pairs, rounded; "200" of them; or "50+100": so many
 * must-links and cannot-links. `control` may be NULL. Free with pen_pairs_free.
 * PEN_BAD_ARGUMENT: another text, or more pairs than there are.
 * PEN_NO_LABELS: fewer than two labelled rows.
 * PEN_CANCELLED: stopped by `control`.
 * Memory: 16 bytes a pair, and 3 T / 8 bytes, where T is the number of pairs of labelled rows, or
 * about 42 bytes for each pair drawn if that is less. */
pen_status pen_sample_pairs(const int32_t *labels, int64_t n, const char *text, uint64_t seed,
                            const pen_control *control, pen_pairs **out, pen_error *err);

/* ---- evaluation, tuning and comparison -----------------------------------------------------
 * Cross-validation on the labelled rows. A trial holds out one fold, learns from the rest, and
 * classifies each held-out row as pen_predict does, by the classifier of the model. Neither the
 * label of a held-out row nor a pair that contains one is used to learn or to choose anything. */

enum {
    PEN_MOST_RUNS = 100000,         /* the largest number of runs */
    PEN_MOST_TUNED_DIMS = 30,       /* the largest number of dimensions that pen_tune tries */
    PEN_MOST_COMBINATIONS = 100000, /* the most combinations of values that it tries */
    /* those of a method that pen_compare tries, times an effort above 1 */
    PEN_COMPARE_COMBINATIONS = 24,
    /* the defaults of pen_protocol.folds, if the largest class has as many rows, and .runs */
    PEN_DEFAULT_FOLDS = 5,
    PEN_EVALUATE_RUNS = 3,
    PEN_TUNE_RUNS = 1,
    PEN_COMPARE_RUNS = 2
};

/* Multiply-adds that pen_compare may take, roughly, by the costs of the methods (pen_method_cost):
 * about a minute on one core. */
#define PEN_COMPARE_BUDGET 1e11

/* How trials are made. All zero gives the defaults. */
typedef struct pen_protocol {
    /* >= 2; 0: PEN_DEFAULT_FOLDS, or the number of labelled rows of the largest class, or of groups
     * with rows of one class, if that is less */
    int64_t folds;
    int64_t runs; /* repetitions with newly dealt folds, 1 .. PEN_MOST_RUNS; 0: the default */
    int plain;    /* 1: folds are not stratified by class */
    uint64_t seed;
    int inductive; /* 1: held-out rows are left out of the fit; 0: they stay as unlabelled rows */
    /* which of the other labelled rows keep their labels; all zero: all. Its `seed` is not used */
    pen_label_sample labels;
    /* learn from this sample of pairs; NULL: from data->sample. Its `seed` is not used */
    const pen_pair_sample *pairs;
    int shuffle;   /* 1: permute the labels at random first, to measure chance */
    double effort; /* pen_compare: the budget, in units of PEN_COMPARE_BUDGET; 0: 1 */
    /* pen_compare, pen_tune: 1: methods with the rbf kernel, too, besides those that are named, or
     * unless `kernel` is set */
    int kernels;
    /* pen_compare: names, as of the parameter `classifier`; NULL: nearest, lda, scores */
    const char *const *classifiers;
    int64_t classifier_count;
    /* NULL, or the folds instead of dealt ones [runs x rows], run after run: the number of the fold
     * in which a row is held out, or -1: in none of this run. Unlabelled rows may have any of the
     * numbers that labelled rows have, or -1. Each run has the same number of folds, its different
     * numbers in ascending order, one for a single test set; `folds` is 0 or that number, `runs` 0
     * is 1 */
    const int32_t *fold_of;
} pen_protocol;

enum { PEN_CALIBRATION_BINS = 10 };

/* Held-out rows whose predicted class has a probability in [i, i + 1) / PEN_CALIBRATION_BINS. */
typedef struct pen_calibration_bin {
    double predicted; /* mean of these probabilities; NaN without rows, as is the next */
    double right;     /* the fraction of rows that are of that class */
    int64_t rows;
} pen_calibration_bin;

/* The result of pen_evaluate. Scores are NaN for dimensions that the method does not give. Free
 * with pen_scores_free (NULL is fine). */
typedef struct pen_scores {
    const char *classifier; /* which tells the classes: of auto the one that it is, scores or lda */
    int64_t trials;         /* runs x folds, run after run */
    int64_t done;      /* the number of trials finished, from the first; scores of others are NaN */
    int64_t held_out;  /* the number of rows held out at least once in these */
    int64_t dim_count; /* the number of dimensions tried */
    int64_t *dims;     /* [dim_count] */
    double *accuracy;  /* [trials x dim_count] of the held-out rows */
    double *dropped;   /* likewise of the rows whose labels pen_protocol.labels dropped; or NULL */
    /* likewise of the probabilities: means of -ln p of the true class, each p at least 1e-4, and
     * of sum_c (p_c - [c is true])^2 */
    double *log_loss, *brier;
} pen_scores;

/* Evaluate one method in the first dims[0], dims[1], .. dimensions of its embedding; dims NULL: 1
 * to 9, or the value of the parameter `dim`. Held-out rows get the classes that pen_predict gives
 * them with a model that is fitted to the trial. A method with the trait PEN_UNNESTED is fitted
 * anew for each number of dimensions, others have a classifier for each; 0 stands for the number it
 * chooses by default. Trials run in parallel.
 * PEN_NO_LABELS: no row is labelled, or none is left to hold out; or no class has two labelled rows
 * and `folds` is 0.
 * PEN_BAD_ARGUMENT: the protocol; every class has fewer rows than there are folds; classifier none,
 * or scores of a method without them.
 * PEN_RANK_TOO_SMALL: no trial gives these dimensions.
 * PEN_CANCELLED: stopped before the first trial finished; if stopped later, the call succeeds and
 * `done` counts the finished trials.
 * Errors of pen_fit, naming the trial, with PEN_HINT_OTHER_METHOD.
 * Cost: a fit for each trial, or for each trial and number of dimensions (PEN_UNNESTED). */
pen_status pen_evaluate(const pen_spec *spec, const pen_data *data, const pen_protocol *protocol,
                        const int64_t *dims, int64_t dim_count, const pen_control *control,
                        pen_scores **out, pen_error *err);
void pen_scores_free(pen_scores *scores);

/* The same by several classifiers (names [count] as of the parameter `classifier`), which read the
 * same fits: out [count], each to be freed. PEN_UNKNOWN_NAME: no such classifier. Cost: that of
 * one, and reading. */
pen_status pen_evaluate_classifiers(const pen_spec *spec, const char *const *classifiers,
                                    int64_t count, const pen_data *data,
                                    const pen_protocol *protocol, const int64_t *dims,
                                    int64_t dim_count, const pen_control *control, pen_scores **out,
                                    pen_error *err);

/* The number of folds that pen_protocol.folds 0 stands for with labels [n]: PEN_DEFAULT_FOLDS, or
 * the number of labelled rows of the largest class if that is less; with groups [n] (or NULL) of
 * groups with such rows. 0: labels is NULL, or there is no memory. */
int64_t pen_default_folds(const int32_t *labels, const int32_t *groups, int64_t n);

/* The standard error of an accuracy a measured on l rows, sqrt(max(a (1 - a), 1 / (4 l)) / l): few
 * rows that are all classified correctly do not make it certain. NaN unless rows > 0. */
double pen_standard_error(double accuracy, int64_t rows);

/* The mean and standard deviation over the finished trials of `values`, one of the [trials x
 * dim_count] members of `scores`, in dims[index]: NaN unless every such trial has a value; the
 * deviation of a single trial is NaN. `mean` and `deviation` may be NULL. */
void pen_scores_summary(const pen_scores *scores, const double *values, int64_t index, double *mean,
                        double *deviation);

/* The index in dims of the highest mean accuracy, the first of equal ones; -1: there is none. */
int64_t pen_scores_best(const pen_scores *scores);

/* The area under the curve of mean error over dimensions, divided by their range
 * (docs/evaluation.md); NaN for fewer than two numbers of dimensions. */
double pen_scores_error_area(const pen_scores *scores);

/* The error, 1 - accuracy, averaged over the numbers of dimensions of that curve (Sugiyama et al.
 * 2010, Tables 1 and 2): its mean over the finished trials, and its standard deviation over them.
 * NaN for fewer than two numbers of dimensions; the deviation also for a single trial. `mean` and
 * `deviation` may be NULL. */
void pen_scores_mean_error(const pen_scores *scores, double *mean, double *deviation);

/* One combination of parameter values, and its score. */
typedef struct pen_candidate {
    pen_spec *spec; /* with its `dim`: the fewest within one standard error of the best score */
    int64_t dim;    /* that number; where `spec` leaves it to the method, the least of the trials */
    const char *classifier; /* which tells the classes, as in pen_scores */
    double score;           /* accuracy over the held-out rows of all trials, in these dimensions */
    double deviation;       /* standard deviation over the trials; NaN for a single trial */
    int64_t order;          /* position in the grid */
    char failure[160];      /* why there is no score (which is NaN); or "" */
} pen_candidate;

/* The result of pen_tune. Free with pen_tuning_free (NULL is fine). */
typedef struct pen_tuning {
    int64_t planned;  /* the number of candidates in the grid */
    int64_t count;    /* the number of candidates tried */
    int64_t held_out; /* the number of rows held out in the trials */
    /* [count] best first; equal scores: fewer dimensions first, then the order of the grid */
    pen_candidate *candidates;
    int64_t room; /* private */
} pen_tuning;

/* Tune the parameters that have a grid (pen_param.grid) and are not set in `spec`, or values to try
 * (pen_spec_set_grid), and the number of dimensions up to `most_dims` (0: up to
 * PEN_MOST_TUNED_DIMS, and all there are), by trials on the labelled rows. The standard error of a
 * score is pen_standard_error of the labelled rows.
 * PEN_BAD_ARGUMENT: most_dims is not in [0, PEN_MOST_TUNED_DIMS]; more than PEN_MOST_COMBINATIONS;
 * or the protocol, as for pen_evaluate.
 * PEN_CANCELLED: stopped before the first candidate was finished.
 * Other errors as for pen_evaluate. */
pen_status pen_tune(const pen_spec *spec, const pen_data *data, const pen_protocol *protocol,
                    int64_t most_dims, const pen_control *control, pen_tuning **out,
                    pen_error *err);
void pen_tuning_free(pen_tuning *tuning);

/* A map and its classifier. */
typedef struct pen_chosen {
    char name[48];   /* the method, its kernel and its classifier: pca/lda, self+rbf/nearest */
    pen_spec *spec;  /* with the classifier and its temperature */
    double accuracy; /* over the held-out rows of all trials; NaN: not tried, or failed */
    double score;    /* accuracy - 0.001 brier: what decides */
    double brier, log_loss; /* of the probabilities; log_loss: of the tempered ones */
    double temperature;
    int member;        /* 1: part of the average */
    char failure[160]; /* why there is no score, or "" */
} pen_chosen;

/* The result of pen_select. Free with pen_selection_free (NULL is fine). */
typedef struct pen_selection {
    int64_t rows, labelled, classes; /* of the sample, on which everything is learned */
    int64_t *sample;                 /* [rows] its rows of the data, ascending; NULL: all */
    int64_t folds, runs;             /* 0: no trials, as no class has three labels */
    int64_t count; /* 0: no labels alone; no projection is learned, and `spec` tells what is */
    pen_chosen *candidates;  /* [count] */
    int64_t best;            /* the highest score, the first of equal ones */
    double margin;           /* standard error of that score: members are within it of the best */
    double mean_temperature; /* of the mean of the members' tempered probabilities */
    double temperature;      /* of the classifier of the projection that is learned from it */
    /* what to expect of that: the accuracy on rows that trials held out from all that is learned,
     * and an error, 1.645 times which to either side hold the truth in 90 of 100; NaN: no trials */
    double accuracy, error;
    double chance; /* the share of the largest class among the labels */
    /* how often labels that mean nothing are predicted as well by one of the candidates; NaN: no
     * trials. predicts: 0 if that is above 0.05, or 0.2 of few labels (docs/evaluation.md) */
    double p_value;
    int predicts;
    uint64_t seed;
    pen_spec *spec;   /* what is fitted without trials; NULL, with count 0: pen_compare decides */
    char reason[160]; /* why, in a few words, where there are no trials; or "" */
} pen_selection;

/* Choose what to fit where no method is named: to labels of two classes alone by trials of up to
 * eighteen pairs of map and classifier (docs/results.md#fit-auto), on a sample of at most 5000 rows
 * times effort (0: 1): labelled rows, and others drawn by what they contain. If no class has three
 * labels there are no trials, and the class scores of FME are the only member. To other data
 * without trials: wbdr to pairs of both kinds, ssdr to pairs of one kind, fme where pairs are
 * sampled of classes of one label each, and pca to rows alone, or labels of one class: the
 * components with 95 % of the variance, at most 50.
 * PEN_BAD_ARGUMENT: effort is not in [0, 1e6]. Errors of pen_fit if every candidate fails. */
pen_status pen_select(const pen_data *data, uint64_t seed, double effort,
                      const pen_control *control, pen_selection **out, pen_error *err);
void pen_selection_free(pen_selection *selection);

/* What pen_fit_selected is to give. Zeros: the defaults. */
typedef struct pen_wanted {
    int64_t dim;  /* dimensions of the projection, up to the rank of the rows; 0: chosen */
    int ensemble; /* 1: the model keeps the members, whose mean predicts */
    int rows;     /* 1: it has the probabilities of the rows of the data */
    const char
        *classifier; /* NULL: neighbors; or another classifier: nearest, means, lda, logistic */
} pen_wanted;

/* Fit what was selected. Of labels alone: one linear projection, learned from what the mean of the
 * members says of all rows of the sample: first the directions of the classes, then what is left
 * within classes, as many as agree best with that mean on rows left out (docs/evaluation.md). Its
 * classifier, `neighbors`, are the rows of the sample, which vote with their probabilities; another
 * classifier learns from the labels and from the classes that the members give the other rows. The
 * rows of a sample have the probabilities of the members, others those that the model predicts.
 * PEN_NO_LABELS, PEN_ONE_CLASS, PEN_BAD_ARGUMENT: what is wanted needs labels alone, or there is
 * nothing selected, as pen_compare decides. PEN_RANK_TOO_SMALL: dim is above the rank. Errors of
 * pen_fit. Cost: a fit of each member to the sample; with `rows` a pass over all rows. */
pen_status pen_fit_selected(const pen_selection *selection, const pen_data *data,
                            const pen_wanted *wanted, const pen_control *control, pen_model **out,
                            pen_error *err);

/* Whether a method of a comparison was tried. */
typedef enum pen_tried {
    PEN_TRIED = 0,
    PEN_LEFT_OUT,   /* its trials cost more than its part of the budget */
    PEN_NOT_REACHED /* the call was stopped before its first trial */
} pen_tried;

/* A method and a classifier in a comparison. */
typedef struct pen_compared {
    const pen_method *method;
    char name[48]; /* method, its kernel if it has one, and classifier: self/lda, self+rbf/lda */
    const char *classifier;
    int baseline; /* 1: the standardized columns, columns/lda; `method` is pca, of all */
    /* tuned on all labelled rows, or the defaults if they score higher, with its `classifier`;
     * NULL: it failed. With more than 100 columns most methods get principal components first
     * (`pca`) */
    pen_spec *spec;
    int64_t dim; /* of `spec`; where it leaves the number to the method, the least of the trials */
    double untuned; /* mean accuracy with default parameters; NaN: it failed with these */
    /* mean accuracy over the trials, tuned within each trial on the rows not held out; or
     * `untuned`, if that is higher */
    double score;
    double deviation;       /* standard deviation over the trials */
    double log_loss, brier; /* means over the trials, as in pen_scores */
    /* of a paired t-test against the best one, corrected for trials that share rows (Nadeau,
     * Bengio 2003); NaN for the best one itself */
    double p;
    /* mean fraction of unlabelled rows classified alike in two trials; NaN: there are no such rows
     * or only one trial */
    double stability;
    double seconds; /* taken by the trials of its method with default parameters */
    double cost;    /* of these, estimated in units of the budget */
    /* the number of combinations of parameter values, at most PEN_COMPARE_COMBINATIONS x effort */
    int64_t grid;
    int64_t combinations; /* how many of them were tried in each trial; 0: the defaults only */
    pen_tried tried;
    /* name of the best one with the same predictions for all held-out rows; NULL: this is it */
    const char *same_as;
    double *trials; /* [trials] accuracy in each trial */
    double *curve;  /* [dim_count] mean accuracy by dimension, default parameters; NaN: not given */
    char failure[160]; /* why it failed; or "" */
    int64_t order;     /* private */
} pen_compared;

/* The result of pen_compare. Free with pen_comparison_free (NULL is fine). */
typedef struct pen_comparison {
    int64_t trials, held_out; /* the number of trials, and of rows held out at least once */
    int64_t folds;            /* runs x folds trials are planned, fewer if the budget is small */
    int64_t inner_folds;      /* of the tuning within trials; 0: too few labels to tune */
    int64_t dim_count;
    int64_t *dims;            /* [dim_count] dimensions of the curves */
    int64_t count;            /* the number of candidates */
    int64_t tuned;            /* how many were tuned; the others use the defaults */
    pen_compared *candidates; /* [count] best first; of equal ones baselines, then the cheapest */
    double margin;            /* standard error of the best score, as for pen_tune */
    int64_t alike;            /* the first `alike` candidates score within `margin` of the best */
    int64_t chosen; /* the recommended one: the most stable of them; a baseline if all are */
    double chance;  /* accuracy of always predicting the largest class */
    double p_value; /* that labels have nothing to do with rows: see pen_selection */
    int predicts;   /* 0: these labels do not predict classes here */
    /* of the recommended one, over the held-out rows of all trials */
    int64_t class_count, *confusion;  /* [class_count x class_count] true by predicted class */
    int32_t *classes;                 /* [class_count] their labels, ascending */
    pen_calibration_bin *calibration; /* [PEN_CALIBRATION_BINS] */
} pen_comparison;

/* Compare methods (names [count], or NULL: all), each with pen_protocol.classifiers (scores: if its
 * models have them), or one: self/lda. A name such as self+rbf is a method with a kernel (other
 * than precomputed), whose kernel_gamma is tuned; with more than 100 coordinates most get principal
 * components (`pca`) of these first. Baselines come first: the standardized columns, with
 * classifiers lda and, where the budget allows, nearest and logistic. The default is two runs of
 * trials. What is tried follows from the costs of the methods and a budget (pen_protocol.effort),
 * cheapest first, so the result depends on data, seed and settings only. What costs too much is
 * left out. A call stopped by `control` returns what is finished: the trials that every method
 * completed.
 * PEN_CANCELLED: nothing was finished. Other errors as for pen_evaluate. */
pen_status pen_compare(const char *const *names, int64_t count, const pen_data *data,
                       const pen_protocol *protocol, const pen_control *control,
                       pen_comparison **out, pen_error *err);
void pen_comparison_free(pen_comparison *comparison);

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
 * Cost: m x.rows x.cols multiply-adds; without queries half of that, with 32 columns or more of
 * bytes, and about m (k + 5) direct differences, none for whole numbers that span at most 255. With
 * fewer columns, or where bounds by bytes rule out too few pairs, x.rows^2 x.cols flops in single
 * precision or in double.
 * Memory: 16 m k bytes, and x.cols + 8 k + 72 bytes for each row, 24 k + 200 more unless values are
 * such whole numbers; plus a few MB for each thread. */
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

/* The seed by which pen_evaluate, pen_tune and pen_compare deal the folds of run `run`, for
 * pen_protocol.seed `seed` (docs/evaluation.md). */
uint64_t pen_run_seed(uint64_t seed, int64_t run);

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
} pen_leaks;

/* Find columns that determine the labels, such as the classes themselves left among the values:
 * each value occurs in labelled rows of one class only, there are at most two values for each class
 * or one for each five labelled rows, and that is improbable (p < 1e-3) if labels are permuted,
 * given the number of columns with few values. Also, without labels, too, columns that number the
 * rows: in equal steps or in whole numbers with gaps, if that is improbable (p < 0.01) in another
 * order of the rows; or different whole numbers under a name of an index, such as id.
 * PEN_BAD_DATA: as for pen_fit. Values may be NaN, which are all different.
 * And labelled rows with near copies (`copies`).
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
