/* table.c - the list of methods, and the parameters of every method. */
#include "methods/method.h"

/* All methods, one line each, in the order of listings. */
#define PEN_METHODS(X)                                                                             \
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

static const char *const scale_names[] = { "none", "standard", "minmax", NULL };
static const char *const normalize_names[] = { "none", "l2", NULL };
static const pen_word dim_words[] = { { "all", 0 }, { NULL, 0 } };
const pen_word pen_pca_words[] = { { "off", 0 }, { "rank", (double)INFINITY }, { NULL, 0 } };
const pen_word pen_auto_besides_0[] = { { "auto", -1 }, { NULL, 0 } };
const pen_word pen_auto_words[] = { { "auto", 0 }, { NULL, 0 } };

const pen_param pen_common_params[] = {
    PEN_ROW(pen_common, dim, "dim", PEN_PARAM_INT, .min = 1, .max = PEN_NO_LIMIT,
            .words = dim_words, .help = "dimensions of the embedding; all: all the method gives"),
    PEN_FLAG(pen_common, allow_fewer, "take fewer dimensions where dim is more than there are"),
    PEN_CHOICE(pen_common, normalize, normalize_names, PEN_NORMALIZE_NONE,
               "first, scale rows to length one"),
    PEN_ROW(pen_common, scale, "scale", PEN_PARAM_CHOICE, .initial = PEN_SCALE_NONE,
            .choices = scale_names, .grid = "none standard",
            .help = "then, scale columns to standard deviation one, or to range one"),
    PEN_PCA(0, NULL),
    PEN_PARAMS_END,
};

const pen_param pen_common_of_scores[] = { PEN_DIM_AUTO("always the number of classes"),
                                           PEN_PARAMS_END };

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
    for (int64_t i = 0; name && i < pen_method_count(); i++)
        if (pen_name_equal(table[i]->name, name))
            return table[i];
    return NULL;
}

const char *pen_method_name(const pen_method *method)
{
    return method ? method->name : NULL;
}

const char *pen_method_title(const pen_method *method)
{
    return method ? method->title : NULL;
}

const char *pen_method_cite(const pen_method *method)
{
    return method ? method->cite : NULL;
}

const char *pen_method_dims(const pen_method *method)
{
    return method ? method->dims : NULL;
}

const char *pen_method_not_for(const pen_method *method)
{
    return !method ? NULL : method->not_for ? method->not_for : "";
}

const char *pen_method_cost(const pen_method *method)
{
    return method ? method->cost : NULL;
}

pen_source pen_method_source(const pen_method *method)
{
    return method ? method->source : PEN_SOURCE_PAPER;
}

int pen_method_traits(const pen_method *method)
{
    return method ? method->traits : 0;
}

int64_t pen_method_own_params(const pen_method *method)
{
    int64_t count = 0;
    while (method && method->params[count].name)
        count++;
    return count;
}

const pen_param *pen_method_param(const pen_method *method, int64_t index)
{
    const int64_t own = pen_method_own_params(method);
    if (!method || index < 0)
        return NULL;
    if (index < own)
        return &method->params[index];
    for (int64_t i = 0; pen_common_params[i].name; i++)
        if (i == index - own) {
            const pen_param *const mine =
                method->common ? pen_param_find(method->common, pen_common_params[i].name) : NULL;
            return mine ? mine : &pen_common_params[i];
        }
    return NULL;
}
