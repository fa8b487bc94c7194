/* method_params.h - rows of parameters that several methods share. */
#ifndef PEN_METHOD_PARAMS_H
#define PEN_METHOD_PARAMS_H

#include "core/params.h"
#include "graph/affinity_graph.h"
#include "solve/ratio.h"
#include "scatter/scatter.h"

/* Words for values of `pca`; and auto, found from the rows: for 0, or for -1 where 0 is a value. */
extern const pen_word pen_pca_words[], pen_auto_words[], pen_auto_besides_0[];

/* same, for -1: the value of another parameter. */
extern const pen_word pen_same_words[];

/* ---- parameters of every method, with other defaults ---- */

/* `dim`, for methods whose columns depend on the number of them. */
#define PEN_DIM_AUTO(auto_)                                                                        \
    PEN_ROW(pen_common, dim, "dim", PEN_PARAM_INT, .min = 1, .max = PEN_NO_LIMIT,                  \
            .words = pen_auto_words, .help = "dimensions of the embedding; auto: " auto_)

/* `pca`, with its default and the values worth trying. */
#define PEN_PCA(initial_, grid_)                                                                   \
    PEN_ROW(pen_common, pca, "pca", PEN_PARAM_REAL, .initial = (initial_), .max = PEN_NO_LIMIT,    \
            .words = pen_pca_words, .grid = (grid_),                                               \
            .help =                                                                                \
                "then, principal components: a fraction of the variance, a number of them, or "    \
                "rank: all")

/* For methods whose first dimensions are the scores of the classes. */
extern const pen_param pen_common_of_scores[];

/* ---- columns and ridges ---- */

#define PEN_COLUMN_SCALING(record, initial_)                                                       \
    PEN_ROW(record, column_scaling, "column_scaling", PEN_PARAM_CHOICE, .initial = (initial_),     \
            .choices = pen_column_scaling_names, .help = "length of the columns")

/* In units of the mean of the diagonal. */
#define PEN_RIDGE(record, initial_, grid_, to)                                                     \
    PEN_ROW(record, ridge, "ridge", PEN_PARAM_REAL, .initial = (initial_), .max = PEN_NO_LIMIT,    \
            .grid = (grid_), .help = "added to the diagonal of " to ", in units of its mean")

/* The same with the default auto: a pen_ridge's amount. */
#define PEN_REGULAR(record, grid_, to) PEN_REGULAR_AT(record, ridge, grid_, to)
#define PEN_REGULAR_AT(record, field, grid_, to)                                                   \
    PEN_ROW(record, field, "ridge", PEN_PARAM_REAL, .initial = PEN_RIDGE_AUTO,                     \
            .max = PEN_NO_LIMIT, .words = pen_auto_besides_0, .grid = (grid_),                     \
            .help = "added to the diagonal of " to ", in units of its mean; auto: 0 unless it is " \
                    "singular")

/* ---- neighbors and graphs ---- */

/* `neighbors` of local scaling, in the member `field`. */
#define PEN_LOCAL_SCALING(record, field, grid_)                                                    \
    PEN_ROW(record, field, "neighbors", PEN_PARAM_INT, .initial = 7, .min = 1,                     \
            .max = PEN_NO_LIMIT, .grid = (grid_),                                                  \
            .help = "local scaling: distance to this neighbor")

/* The pen_class_affinity in the member `field`. */
#define PEN_CLASS_AFFINITY_PARAMS(record, field, grid_)                                            \
    PEN_LOCAL_SCALING(record, field.neighbors, grid_),                                             \
        PEN_ROW(record, field.kind, "affinity", PEN_PARAM_CHOICE, .initial = PEN_AFFINITY_LOCAL,   \
                .choices = pen_affinity_kind_names,                                                \
                .help = "pairs of a class: locally scaled, by one width (heat), 1 for neighbors "  \
                        "(knn), or 1 for all (one)"),                                              \
        PEN_ROW(record, field.heat, "heat", PEN_PARAM_REAL, .open = PEN_OPEN_MIN,                  \
                .max = PEN_NO_LIMIT, .words = pen_auto_words,                                      \
                .help = "affinity heat: its width; auto: mean squared distance to that neighbor")

/* The members of a pen_locality `locality` other than its neighbors. */
#define PEN_LOCALITY_PARAMS(record, of)                                                            \
    PEN_ROW(record, locality.graph, "graph", PEN_PARAM_CHOICE, .initial = PEN_AFFINITY_DENSE,      \
            .choices = pen_affinity_graph_names,                                                   \
            .help = of "affinities of all pairs of rows, or of mutual neighbors only"),            \
        PEN_ROW(record, locality.origin, "origin", PEN_PARAM_CHOICE, .initial = PEN_ORIGIN_MEAN,   \
                .choices = pen_origin_names,                                                       \
                .help = of "rows are measured from 0, or from their mean")

/* A pen_affinity_rules `affinity`: the graph of nearest neighbors. */
#define PEN_AFFINITY_PARAMS(record, edges, also)                                                   \
    PEN_ROW(record, affinity.neighbors, "neighbors", PEN_PARAM_INT, .initial = 5, .min = 1,        \
            .max = PEN_NO_LIMIT, .help = "nearest neighbors that a row is joined to" also),        \
        PEN_ROW(record, affinity.weights, "graph", PEN_PARAM_CHOICE, .initial = (edges),           \
                .choices = pen_edge_weight_names, .help = "edge weights: 1, or the heat kernel"),  \
        PEN_HEAT(record, affinity.heat)

#define PEN_HEAT(record, field)                                                                    \
    PEN_ROW(record, field, "heat", PEN_PARAM_REAL, .open = PEN_OPEN_MIN, .max = PEN_NO_LIMIT,      \
            .words = pen_auto_words,                                                               \
            .help = "width of the heat kernel; auto: mean squared distance of neighbors")

/* Of reconstructions of rows from their neighbors. */
#define PEN_LLE_RIDGE(record, field)                                                               \
    PEN_ROW(record, field, "lle_ridge", PEN_PARAM_REAL, .initial = 1e-3, .max = PEN_NO_LIMIT,      \
            .help = "ridge of reconstructions, in units of the sum of squared distances")

#define PEN_MAX_PAIRS(record, help_) PEN_INT(record, max_pairs, 50000000, 1, PEN_NO_LIMIT, help_)

/* ---- scores and iterations ---- */

/* A pen_label_weights `weights`. */
#define PEN_LABEL_WEIGHT_PARAMS(record)                                                            \
    PEN_ROW(record, weights.labelled, "label_weight", PEN_PARAM_REAL, .initial = 10,               \
            .open = PEN_OPEN_MIN, .max = PEN_NO_LIMIT,                                             \
            .help = "weight that pulls scores of labelled rows to their labels"),                  \
        PEN_ROW(record, weights.unlabelled, "unlabelled_weight", PEN_PARAM_REAL,                   \
                .max = PEN_NO_LIMIT, .help = "weight that pulls scores of other rows to zero")

#define PEN_STOP_PARAMS(record, tol_, most)                                                        \
    PEN_REAL(record, tol, tol_, 0, PEN_NO_LIMIT,                                                   \
             "stop when the objective falls by no more than this fraction of it"),                 \
        PEN_INT(record, max_iter, most, 1, PEN_NO_LIMIT, "maximum number of iterations")

#endif
