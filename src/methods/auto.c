/* auto.c - the parameters of `auto`: pen_fit tries methods and picks one for the data
 * (eval/choose/). */
#include "methods/auto.h"

static const pen_param params[] = {
    PEN_FLAG(
        pen_auto, ensemble,
        "keep all good candidates and predict with their mean: more accurate, but a larger model"),
    PEN_REAL(pen_auto, effort, 1, 0, 100,
             "how much to try, relative to the default; 0: hold out nothing"),
    PEN_DIM_AUTO("the fewest that separate the classes as well as more do"),
    PEN_COMMON_TEXT(classifier, "classifier", pen_classifier_form, "auto",
                    "auto|nearest|neighbors|neighbors:K|means|lda|logistic",
                    .help = "how classes are predicted from the embedding; auto: vote of the "
                            "nearest fitted rows, with the best number of neighbors"),
    PEN_COMMON_TEXT(row, "row_steps", pen_row_steps_form, "",
                    "total:median|total:T,log1p,idf,snv,derivative:W,select:K,l2",
                    .help = "changes to each row before anything else, joined by commas in this "
                            "order; if empty and the rows are curves, steps for spectra are tried"),
    PEN_PAIR_PARAMS,
    PEN_COMMON_ROW(seed, "seed", PEN_PARAM_INT, .max = PEN_NO_LIMIT,
                   .help = "seed of samples, trials and landmarks"),
    PEN_PARAMS_END,
};

const pen_method pen_method_auto = {
    .name = "auto",
    .title = "One projection, distilled from several models",
    .cite = "",
    .dims = "the fewest that separate the classes, at most 60",
    .cost = "trials of its candidates on at most 5000 rows",
    .traits = PEN_USES_UNLABELLED | PEN_MUST_LINKS | PEN_CANNOT_LINKS | PEN_PROPAGATES,
    PEN_INNER(.size = sizeof(pen_auto)),
};
