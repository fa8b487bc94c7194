/* method_params.h - parameters that several methods share. */
#ifndef PEN_METHOD_PARAMS_H
#define PEN_METHOD_PARAMS_H

#include "classifiers/class_prior.h"
#include "classifiers/classifier.h"
#include "core/params.h"
#include "graph/affinity_graph.h"
#include "core/row_steps.h"
#include "kernels/kernel_map.h"
#include "pairs/pairs.h"
#include "scatter/scatter.h"
#include "solve/ratio.h"

enum pen_pca_scale { PEN_PCA_SCALE_NONE, PEN_PCA_SCALE_UNIT };

/* Parameters common to all methods. */
typedef struct pen_common {
    int64_t dim; /* 0: all */
    int allow_fewer;
    pen_row_params row;
    enum pen_scale scale;
    /* 0: off; (0, 1): fraction of the variance; whole number >= 1: count; infinite: the rank */
    double pca;
    int64_t pca_most; /* 0: no limit */
    enum pen_pca_scale pca_scale;
    pen_kernel_params kernel;
    pen_classifier_params classifier;
    pen_pair_params pairs; /* all zero for other methods */
    int64_t seed;          /* for landmarks, random starts and pairs */
} pen_common;

/* Values of the words cv of a parameter and auto of `dim`, in methods that learn from pairs: choose
 * by held-out labels or pairs (model/held_out_fit.h). */
#define PEN_CV PEN_NO_LIMIT
enum { PEN_DIM_HELD_OUT = -1 };

/* Words for numbers: all stands for 0; auto, found from the rows, for 0, or for -1 where 0 is a
 * value; same for -1, the value of another parameter; multiples of auto; cv. */
extern const pen_word pen_all_words[], pen_all_auto_words[], pen_auto_words[], pen_auto_besides_0[],
    pen_same_words[], pen_gamma_words[], pen_temperature_words[], pen_cv_words[],
    pen_auto_cv_words[];
extern const char *const pen_scale_names[], *const pen_pca_scale_names[],
                                                *const pen_contradictions_names[],
                                                    *const pen_pair_weights_names[];
extern const pen_text_form pen_pca_form; /* of pca and pca_most, bound to pen_common */

/* The parameters of every method with their usual defaults, bound to pen_common. */
extern const pen_param pen_common_params[];

/* ---- parameters of every method ---- */

enum { PEN_MOST_TEMPERATURE = 1000000 };

#define PEN_COMMON_ROW(field, name_, type_, ...)                                                   \
    PEN_ROW(pen_common, field, name_, type_, .common = 1, __VA_ARGS__)

#define PEN_COMMON_TEXT(field, name_, form_, text_, syntax_, ...)                                  \
    PEN_COMMON_ROW(field, name_, PEN_PARAM_TEXT, .form = &(form_), .text = (text_),                \
                   .syntax = (syntax_), __VA_ARGS__)

#define PEN_DIM(words_, what)                                                                      \
    PEN_COMMON_ROW(dim, "dim", PEN_PARAM_INT, .min = 1, .max = PEN_NO_LIMIT, .words = words_,      \
                   .help = "dimensions of the embedding; " what)
#define PEN_DIM_ALL PEN_DIM(pen_all_words, "all: all that exist")

/* `dim`, for methods whose columns depend on the number of them. */
#define PEN_DIM_AUTO(auto_) PEN_DIM(pen_auto_words, "auto: " auto_)

/* `pca`, with its default and grid. */
#define PEN_PCA(text_, grid_)                                                                      \
    PEN_COMMON_TEXT(dim, "pca", pen_pca_form, text_, "off|rank|K|0.99|0.99:100", .grid = (grid_),  \
                    .help =                                                                        \
                        "then, keep principal components: K of them, enough for a fraction of "    \
                        "the variance (0.99), the same but at most 100 (0.99:100), or all (rank)")
#define PEN_PCA_OFF PEN_PCA("off", NULL)

/* The end of the table of a method: the parameters of every method, bound to pen_common, with the
 * usual defaults or with a different `dim` and `pca`. */
#define PEN_COMMON_PARAMS PEN_COMMON_PARAMS_OF(PEN_DIM_ALL, PEN_PCA_OFF)
#define PEN_COMMON_PARAMS_OF(dim_, pca_)                                                           \
    dim_,                                                                                          \
        PEN_COMMON_ROW(allow_fewer, "allow_fewer", PEN_PARAM_FLAG, .max = 1,                       \
                       .help = "take fewer dimensions if dim exceeds their number"),               \
        PEN_COMMON_TEXT(                                                                           \
            row, "row_steps", pen_row_steps_form, "",                                              \
            "total:median|total:T,log1p,idf,snv,derivative:W,select:K,l2",                         \
            .help = "changes to each row before anything else, joined by commas in this order: "   \
                    "divide by its sum and multiply by T (counts); ln(1 + x); weight columns by "  \
                    "inverse document frequency (texts); subtract its mean and divide by its "     \
                    "standard deviation; differentiate in windows of W columns (spectra); keep "   \
                    "the K columns of largest variance; scale to length one"),                     \
        PEN_COMMON_ROW(scale, "scale", PEN_PARAM_CHOICE, .initial = PEN_SCALE_AUTO,                \
                       .choices = pen_scale_names, .grid = "auto none standard",                   \
                       .help =                                                                     \
                           "then, scale columns to standard deviation one (standard), to range "   \
                           "one (minmax), or only if their units differ much (auto)"),             \
        PEN_COMMON_ROW(kernel.kind, "kernel", PEN_PARAM_CHOICE, .initial = PEN_KERNEL_NONE,        \
                       .choices = pen_kernel_names,                                                \
                       .help =                                                                     \
                           "then, replace rows by coordinates whose products are kernel values, "  \
                           "for a nonlinear model; precomputed: the rows are kernel values"),      \
        PEN_COMMON_ROW(kernel.gamma, "kernel_gamma", PEN_PARAM_REAL, .initial = -1,                \
                       .open = PEN_OPEN_MIN, .max = PEN_NO_LIMIT, .words = pen_gamma_words,        \
                       .grid = "auto/4 auto auto*4",                                               \
                       .help = "scale of the rbf, laplacian and polynomial kernels; auto: 1 / "    \
                               "median distance or squared length"),                               \
        PEN_COMMON_ROW(kernel.degree, "kernel_degree", PEN_PARAM_INT, .initial = 3, .min = 1,      \
                       .max = PEN_NO_LIMIT, .help = "degree of the polynomial kernel"),            \
        PEN_COMMON_TEXT(kernel, "kernel_landmarks", pen_landmarks_form, "auto",                    \
                        "auto|all|K|random|random:K",                                              \
                        .help = "rows to compute the kernel with: all, at most 1000 (auto), K "    \
                                "chosen by randomly pivoted Cholesky, or K drawn at random"),      \
        PEN_COMMON_ROW(kernel.ridge, "kernel_ridge", PEN_PARAM_REAL, .initial = 0,                 \
                       .max = PEN_NO_LIMIT,                                                        \
                       .help = "penalty in the denominator on the coefficients of landmarks, in "  \
                               "units of squared kernel values"),                                  \
        pca_,                                                                                      \
        PEN_COMMON_ROW(pca_scale, "pca_scale", PEN_PARAM_CHOICE, .initial = PEN_PCA_SCALE_NONE,    \
                       .choices = pen_pca_scale_names,                                             \
                       .help =                                                                     \
                           "unit: divide all components by one number, their root mean square"),   \
        PEN_COMMON_TEXT(                                                                           \
            classifier, "classifier", pen_classifier_form, "auto",                                 \
            "auto|nearest|neighbors|neighbors:K|means|lda|self-training|logistic|scores|none",     \
            .help =                                                                                \
                "how classes are predicted from the embedding; auto: scores if the method has "    \
                "them, otherwise lda; neighbors: vote of the K nearest rows, 5 by default"),       \
        PEN_COMMON_ROW(classifier.prior, "prior", PEN_PARAM_CHOICE, .initial = PEN_PRIOR_AUTO,     \
                       .choices = pen_prior_names,                                                 \
                       .help = "class frequencies that the classifiers scores, lda, "              \
                               "self-training and logistic expect: estimated from unlabelled "     \
                               "rows (auto), as among the labels, or equal; none: raw scores"),    \
        PEN_COMMON_ROW(classifier.temperature, "temperature", PEN_PARAM_REAL,                      \
                       .initial = PEN_TEMPERATURE_AUTO, .open = PEN_OPEN_MIN,                      \
                       .max = PEN_MOST_TEMPERATURE, .words = pen_temperature_words,                \
                       .help = "replace probabilities p by p^(1/T) divided by their sum; auto: T " \
                               "from held-out labels"),                                            \
        PEN_COMMON_ROW(seed, "seed", PEN_PARAM_INT, .max = PEN_NO_LIMIT,                           \
                       .help = "seed of random numbers: landmarks, starts, samples of pairs"),     \
        PEN_PARAMS_END

/* ---- parameters of every method that learns from pairs; they come before the common ones ---- */

#define PEN_OF_PAIRS_ROW(field, name_, type_, ...)                                                 \
    PEN_ROW(pen_common, pairs.field, name_, type_, .common = 2, __VA_ARGS__)

#define PEN_PAIR_PARAMS                                                                            \
    PEN_OF_PAIRS_ROW(contradictions, "contradictions", PEN_PARAM_CHOICE,                           \
                     .choices = pen_contradictions_names,                                          \
                     .help = "refuse or drop pairs, or chains of must-links, that contradict "     \
                             "labels or other pairs"),                                             \
        PEN_OF_PAIRS_ROW(closure, "closure", PEN_PARAM_FLAG, .max = 1,                             \
                         .help = "also add the must-links that chains of must-links imply"),       \
        PEN_OF_PAIRS_ROW(weights, "pair_weights", PEN_PARAM_CHOICE,                                \
                         .choices = pen_pair_weights_names,                                        \
                         .help = "weights of pairs: as given, or multiplied by how well each "     \
                                 "agrees with the pairs around it, in case some are wrong"),       \
        PEN_OF_PAIRS_ROW(sample, "sample_pairs", PEN_PARAM_TEXT, .form = &pen_pair_sample_form,    \
                         .text = "all", .syntax = "all|P%|N|M+Q",                                  \
                         .help = "a random sample of the pairs of labelled rows: P percent, N "    \
                                 "pairs, or M must-links and Q cannot-links")

/* The end of the table of a method that learns from pairs; `pca_` is its default of `pca`. */
#define PEN_PAIR_COMMON_PARAMS(pca_)                                                               \
    PEN_PAIR_PARAMS,                                                                               \
        PEN_COMMON_PARAMS_OF(                                                                      \
            PEN_DIM(pen_all_auto_words, "all: all that exist; auto: by held-out labels or pairs"), \
            PEN_PCA(pca_, NULL))

/* A weight that such a method can choose, and the end of the help of such weights. */
#define PEN_CV_WEIGHT(record, field, initial_, grid_, help_)                                       \
    PEN_ROW(record, field, #field, PEN_PARAM_REAL, .initial = (initial_), .max = PEN_NO_LIMIT,     \
            .words = pen_cv_words, .grid = (grid_), .help = help_ PEN_CV_HELP)
#define PEN_CV_HELP "; cv: by held-out labels or pairs"

/* ---- columns and ridges ---- */

#define PEN_COLUMN_SCALING(record, initial_)                                                       \
    PEN_ROW(record, column_scaling, "column_scaling", PEN_PARAM_CHOICE, .initial = (initial_),     \
            .choices = pen_column_scaling_names, .help = "length of the columns")

/* In units of the mean of the diagonal. */
#define PEN_RIDGE(record, initial_, grid_, to)                                                     \
    PEN_ROW(record, ridge, "ridge", PEN_PARAM_REAL, .initial = (initial_), .max = PEN_NO_LIMIT,    \
            .grid = (grid_), .help = "added to the diagonal of " to ", in units of its mean")

/* The same with the default auto: the amount of a pen_ridge. */
#define PEN_REGULAR(record, grid_, to) PEN_REGULAR_AT(record, ridge, grid_, to)
#define PEN_REGULAR_AT(record, field, grid_, to)                                                   \
    PEN_REGULAR_BY(record, field, pen_auto_besides_0, grid_, to, "")
#define PEN_REGULAR_BY(record, field, words_, grid_, to, also)                                     \
    PEN_ROW(record, field, "ridge", PEN_PARAM_REAL, .initial = PEN_RIDGE_AUTO,                     \
            .max = PEN_NO_LIMIT, .words = words_, .grid = (grid_),                                 \
            .help = "added to the diagonal of " to                                                 \
                    ", in units of its mean; auto: 0 unless it is singular" also)

/* ---- neighbors and graphs ---- */

/* `neighbors` of local scaling, in the member `field`. */
#define PEN_LOCAL_SCALING(record, field, grid_)                                                    \
    PEN_ROW(record, field, "neighbors", PEN_PARAM_INT, .initial = 7, .min = 1,                     \
            .max = PEN_NO_LIMIT, .grid = (grid_),                                                  \
            .help = "local scaling: width is the distance to this neighbor")

/* The pen_class_affinity in the member `field`. */
#define PEN_CLASS_AFFINITY_PARAMS(record, field, grid_)                                            \
    PEN_LOCAL_SCALING(record, field.neighbors, grid_),                                             \
        PEN_ROW(record, field.kind, "affinity", PEN_PARAM_CHOICE, .initial = PEN_AFFINITY_LOCAL,   \
                .choices = pen_affinity_kind_names,                                                \
                .help = "weight of pairs within a class: heat kernel with local widths or with "   \
                        "one width (heat), 1 for neighbors (knn), or 1 for all (one)"),            \
        PEN_ROW(record, field.heat, "heat", PEN_PARAM_REAL, .open = PEN_OPEN_MIN,                  \
                .max = PEN_NO_LIMIT, .words = pen_auto_words,                                      \
                .help = "width for affinity heat; auto: mean squared distance to that neighbor")

/* The members of a pen_locality `locality` other than its neighbors. */
#define PEN_LOCALITY_PARAMS(record, of)                                                            \
    PEN_ROW(record, locality.graph, "graph", PEN_PARAM_CHOICE, .initial = PEN_AFFINITY_DENSE,      \
            .choices = pen_affinity_graph_names,                                                   \
            .help = of "affinities of all pairs of rows, or of mutual neighbors only"),            \
        PEN_ROW(record, locality.origin, "origin", PEN_PARAM_CHOICE, .initial = PEN_ORIGIN_MEAN,   \
                .choices = pen_origin_names, .help = of "origin of the rows: 0, or their mean")

/* A pen_affinity_rules `affinity`: the graph of nearest neighbors. */
#define PEN_AFFINITY_PARAMS(record, edges, also)                                                   \
    PEN_ROW(record, affinity.neighbors, "neighbors", PEN_PARAM_INT, .initial = 5, .min = 1,        \
            .max = PEN_NO_LIMIT, .help = "number of nearest neighbors joined to each row" also),   \
        PEN_ROW(record, affinity.weights, "graph", PEN_PARAM_CHOICE, .initial = (edges),           \
                .choices = pen_edge_weight_names,                                                  \
                .help = "edge weights: 1, the heat kernel, or weights that fall to 0 at the "      \
                        "farthest neighbor of each row"),                                          \
        PEN_HEAT(record, affinity.heat)

#define PEN_HEAT(record, field)                                                                    \
    PEN_ROW(record, field, "heat", PEN_PARAM_REAL, .open = PEN_OPEN_MIN, .max = PEN_NO_LIMIT,      \
            .words = pen_auto_words,                                                               \
            .help = "width of the heat kernel; auto: mean squared distance of neighbors")

/* The neighbors and the ridge of a pen_reconstruction_rules. */
#define PEN_RECONSTRUCTION_PARAMS(record, field)                                                   \
    PEN_ROW(record, field.neighbors, "neighbors", PEN_PARAM_INT, .initial = 5, .min = 1,           \
            .max = PEN_NO_LIMIT, .help = "number of nearest neighbors that reconstruct each row"), \
        PEN_ROW(record, field.reconstruction_ridge, "reconstruction_ridge", PEN_PARAM_REAL,        \
                .initial = 1e-3, .max = PEN_NO_LIMIT,                                              \
                .help = "ridge of reconstructions, in units of the sum of squared distances")

#define PEN_MAX_PAIRS(record, help_) PEN_INT(record, max_pairs, 50000000, 1, PEN_NO_LIMIT, help_)

/* ---- scores and iterations ---- */

/* A pen_label_weights `weights`. */
#define PEN_LABEL_WEIGHT_PARAMS(record)                                                            \
    PEN_ROW(record, weights.labelled, "label_weight", PEN_PARAM_REAL, .initial = 10,               \
            .open = PEN_OPEN_MIN, .max = PEN_NO_LIMIT,                                             \
            .help = "weight that pulls scores of labelled rows to their labels"),                  \
        PEN_ROW(record, weights.unlabelled, "unlabelled_weight", PEN_PARAM_REAL,                   \
                .max = PEN_NO_LIMIT,                                                               \
                .help = "weight that pulls scores of unlabelled rows to zero")

#define PEN_STOP_PARAMS(record, tol_, most)                                                        \
    PEN_REAL(record, tol, tol_, 0, PEN_NO_LIMIT,                                                   \
             "stop when the objective falls by no more than this fraction of it"),                 \
        PEN_INT(record, max_iter, most, 1, PEN_NO_LIMIT, "maximum number of iterations")

#endif
