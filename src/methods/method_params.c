/* method_params.c - names, words and text forms of parameters that several methods share. */
#include "methods/method_params.h"

const char *const pen_scale_names[] = { "none", "standard", "minmax", "auto", NULL };
const char *const pen_pca_scale_names[] = { "none", "unit", NULL };
const char *const pen_contradictions_names[] = { "error", "drop", NULL };
const char *const pen_pair_weights_names[] = { "given", "agreement", NULL };
const pen_word pen_all_words[] = { { "all", 0 }, { NULL, 0 } };
const pen_word pen_all_auto_words[] = { { "all", 0 }, { "auto", PEN_DIM_HELD_OUT }, { NULL, 0 } };
const pen_word pen_cv_words[] = { { "cv", PEN_CV }, { NULL, 0 } };
const pen_word pen_auto_cv_words[] = { { "auto", -1 }, { "cv", PEN_CV }, { NULL, 0 } };
const pen_word pen_auto_besides_0[] = { { "auto", -1 }, { NULL, 0 } };
const pen_word pen_same_words[] = { { "same", -1 }, { NULL, 0 } };
const pen_word pen_auto_words[] = { { "auto", 0 }, { NULL, 0 } };

const pen_word pen_gamma_words[] = {
    { "auto", -1 }, { "auto/4", -0.25 }, { "auto*4", -4 }, { NULL, 0 }
};

const pen_word pen_temperature_words[] = { { "auto", PEN_TEMPERATURE_AUTO },
                                           { "none", 0 },
                                           { NULL, 0 } };

/* Only a fraction and the rank may carry a limit. */
static int is_limited(double pca)
{
    return isinf(pca) || (pca > 0 && pca < 1);
}

static const pen_word pca_words[] = { { "off", 0 }, { "rank", PEN_NO_LIMIT }, { NULL, 0 } };
static const pen_param pca_parts[] = {
    PEN_ROW(pen_common, pca, "pca", PEN_PARAM_REAL, .max = PEN_NO_LIMIT, .words = pca_words),
    PEN_ROW(pen_common, pca_most, "K", PEN_PARAM_INT, .min = 1, .max = PEN_NO_LIMIT),
    PEN_PARAMS_END,
};
const pen_text_form pen_pca_form = { .parts = pca_parts, .takes = is_limited };

const pen_param pen_common_params[] = { PEN_COMMON_PARAMS };
