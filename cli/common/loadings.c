/* loadings.c - the columns of the rows that contribute most to a dimension of a model. */
#include "common/loadings.h"

#include <math.h>
#include <string.h>

enum { NAME_SHOWN = 24, NAME_SIZE = 4 * NAME_SHOWN + 8 }; /* letters of a name, and bytes */

/* Of dimensions from .. from + count - 1, weighed by mix[i * stride]; of equal ones the first. */
static int find(const pen_model *model, int64_t from, int64_t count, const double *mix,
                int64_t stride, loading out[LOADINGS_MOST])
{
    const int64_t k = pen_model_dim(model), d = pen_model_columns(model);
    const double *const w = pen_model_tensor(model, "projection").values;
    const double *const by = pen_model_tensor(model, "deviation").values;
    const int mapped = cli_model_text(model, "kernel") != NULL;
    int found = 0;

    for (int64_t j = 0; w && !mapped && j < d; j++) {
        loading one = { j, 0 };
        int at = found;
        for (int64_t i = 0; i < count; i++)
            one.size += w[j * k + from + i] * mix[i * stride];
        one.size *= by ? by[j] : 1;
        while (at > 0 && fabs(out[at - 1].size) < fabs(one.size))
            at--;
        if (at == LOADINGS_MOST)
            continue;
        found += found < LOADINGS_MOST;
        memmove(out + at + 1, out + at, (size_t)(found - at - 1) * sizeof *out);
        out[at] = one;
    }
    return found;
}

int loadings_of(const pen_model *model, int64_t dim, loading out[LOADINGS_MOST])
{
    static const double one = 1;
    return find(model, dim, 1, &one, 1, out);
}

int loadings_mixed(const pen_model *model, const double *mix, int64_t stride,
                   loading out[LOADINGS_MOST])
{
    return find(model, 0, pen_model_dim(model), mix, stride, out);
}

void loadings_separates(const pen_model *model, int64_t dim, line *l)
{
    static const char key[] = "info.separates.%lld";
    const double from = cli_model_number(model, key, (long long)(2 * dim)),
                 to = cli_model_number(model, key, (long long)(2 * dim + 1));
    char a[NAME_SIZE], b[NAME_SIZE];

    if (from >= 0 && to >= 0)
        line_add(l, "separates %s from %s: ",
                 cli_shorten(pen_model_class_name(model, (int64_t)from), NAME_SHOWN, a, sizeof a),
                 cli_shorten(pen_model_class_name(model, (int64_t)to), NAME_SHOWN, b, sizeof b));
}

void loadings_add(const pen_model *model, const loading *list, int count, int sizes, line *l)
{
    char text[NAME_SIZE];

    for (int i = 0; i < count; i++) {
        const char *const name = pen_model_column_name(model, list[i].column);
        snprintf(text, sizeof text, "#%lld", (long long)list[i].column);
        line_add(l, "%s%s ", i ? ", " : "",
                 name ? cli_shorten(name, NAME_SHOWN, text, sizeof text) : text);
        if (sizes)
            line_add(l, "%.3g", list[i].size);
        else
            line_add(l, "%c", list[i].size < 0 ? '-' : '+');
    }
}
