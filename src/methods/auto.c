/* auto.c - the parameters of `auto`, by which pen_fit chooses what suits the data (eval/choose/).
 */
#include "methods/auto.h"

static const pen_param params[] = {
    PEN_FLAG(pen_auto, ensemble,
             "keep all good candidates, whose mean predicts: more accurate, a larger model"),
    PEN_REAL(pen_auto, effort, 1, 0, 100,
             "how much is tried, in units of the default; 0: nothing is held out"),
    PEN_DIM_AUTO("as few as tell the classes as well as more"),
    PEN_COMMON_TEXT(classifier, "classifier", pen_classifier_form, "auto",
                    "auto|nearest|neighbors|neighbors:K|means|lda|logistic",
                    .help =
                        "how classes are told from the projection; auto: as many of the nearest "
                        "rows of the fit vote as tell them best"),
    PEN_COMMON_TEXT(row, "row_steps", pen_row_steps_form, "",
                    "total:median|total:T,log1p,idf,snv,derivative:W,select:K,l2",
                    .help = "what is done to each row first, steps joined by commas in this order; "
                            "without them those of spectra are tried where rows are curves"),
    PEN_PAIR_PARAMS,
    PEN_COMMON_ROW(seed, "seed", PEN_PARAM_INT, .max = PEN_NO_LIMIT,
                   .help = "seed of samples, trials and landmarks"),
    PEN_PARAMS_END,
};

const pen_method pen_method_auto = {
    .name = "auto",
    .title = "One projection, learned from what several models say",
    .cite = "",
    .dims = "as many as tell the classes, at most 60",
    .cost = "of the trials of its candidates on at most 5000 rows",
    .traits = PEN_USES_UNLABELLED | PEN_MUST_LINKS | PEN_CANNOT_LINKS | PEN_PROPAGATES,
    PEN_INNER(.size = sizeof(pen_auto)),
};
