/* table.c - the list of methods. */
#include "methods/auto.h"

/* All methods, one per line, in the order of listings. */
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
