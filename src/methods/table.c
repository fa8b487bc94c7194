/* table.c - the list of methods, and the parameters of every method. */
#include "methods/auto.h"

/* All methods, one line each, in the order of listings. */
#define PEN_METHODS(X)                                                                             \
    X(none)                                                                                        \
    X(pca)                                                                                         \
    X(fda)                                                                                         \
    X(lfda)                                                                                        \
    X(lol)                                                                                         \
    X(self)                                                                                        \
    X(bwdr)                                                                                        \
    X(wbdr)                                                                                        \
    X(ssdr)                                                                                        \
    X(cmm)                                                                                         \
    X(cfld)                                                                                        \
    X(rca)                                                                                         \
    X(sodrpac)                                                                                     \
    X(clpp)                                                                                        \
    X(sda)                                                                                         \
    X(lpp)                                                                                         \
    X(ilpp)                                                                                        \
    X(self_ilpp)                                                                                   \
    X(self_mix)                                                                                    \
    X(rssdr)                                                                                       \
    X(npssdr)                                                                                      \
    X(saloe)                                                                                       \
    X(salwe)                                                                                       \
    X(tr_fsda)                                                                                     \
    X(soda)                                                                                        \
    X(stsd)                                                                                        \
    X(ssda)                                                                                        \
    X(fme)                                                                                         \
    X(soge)                                                                                        \
    X(asl)

#define DECLARE(name) extern const pen_method pen_method_##name;
#define ADDRESS(name) &pen_method_##name,

PEN_METHODS(DECLARE)

static const pen_method *const table[] = { PEN_METHODS(ADDRESS) };

const char *const pen_scale_names[] = { "none", "standard", "minmax", "auto", NULL };
const char *const pen_pca_scale_names[] = { "none", "unit", NULL };
const char *const pen_contradictions_names[] = { "error", "drop", NULL };
const char *const pen_pair_weights_names[] = { "given", "agreement", NULL };
const pen_word pen_all_words[] = { { "all", 0 }, { NULL, 0 } };
const pen_word pen_auto_besides_0[] = { { "auto", -1 }, { NULL, 0 } };
const pen_word pen_same_words[] = { { "same", -1 }, { NULL, 0 } };
const pen_word pen_auto_words[] = { { "auto", 0 }, { NULL, 0 } };

const pen_word pen_gamma_words[] = {
    { "auto", -1 }, { "auto/4", -0.25 }, { "auto*4", -4 }, { NULL, 0 }
};

const pen_word pen_temperature_words[] = { { "auto", PEN_TEMPERATURE_AUTO },
                                           { "none", 0 },
                                           { NULL, 0 } };
/* Only a fraction and the rank may have a most. */
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

int64_t pen_method_count(void)
{
    return (int64_t)(sizeof table / sizeof table[0]);
}

const pen_method *pen_method_at(int64_t index)
{
    return index >= 0 && index < pen_method_count() ? table[index] : NULL;
}

const pen_method *pen_method_named(const char *name)
{
    const pen_method *method;

    for (int64_t i = 0; name && (method = pen_method_at(i)); i++)
        if (pen_name_equal(method->name, name))
            return method;
    return name && pen_name_equal("auto", name) ? &pen_method_auto : NULL;
}

int pen_method_parts(const pen_method *method)
{
    const int traits = method->traits, labels = traits & PEN_LABELS;

    if (traits & PEN_MERGES)
        return PEN_PART_TOTAL | (labels ? PEN_PART_CLASSES : 0);
    if (traits & PEN_MERGES_ROWS)
        return PEN_PART_TOTAL | PEN_PART_ROWS
               | (labels && method->inner->sought ? PEN_PART_NEAREST : 0);
    return 0;
}
