/* loadings.c - finds the columns that contribute most to a dimension of a model. */
#include "common/loadings.h"

#include "core/textbuf.h"

#include <math.h>
#include <string.h>

enum { NAME_SHOWN = 24, NAME_SIZE = 4 * NAME_SHOWN + 8 }; /* letters and bytes of a name */

/* Weights [columns x dim]; NULL: the model has no weights of columns. */
static const double *weights_of(const pen_model *model)
{
    return cli_model_text(model, "kernel") ? NULL : pen_model_tensor(model, "projection").values;
}

static double weight_of(const double *w, int64_t k, const double *mix, int64_t dim)
{
    double sum = mix ? 0 : w[dim];

    for (int64_t i = 0; mix && i < k; i++)
        sum += w[i] * mix[2 * i + dim];
    return sum;
}

/* If contributions are equal, the first column wins. */
int loadings_of(const pen_model *model, const double *mix, int64_t dim, loading out[LOADINGS_MOST])
{
    const int64_t k = pen_model_dim(model), d = pen_model_columns(model);
    const double *const w = weights_of(model);
    const double *const by = pen_model_tensor(model, "deviation").values;
    int found = 0;

    for (int64_t j = 0; w && j < d; j++) {
        const loading one = { j, weight_of(w + j * k, k, mix, dim) * (by ? by[j] : 1) };
        int at = found;
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

float *loadings_spectra(const pen_model *model)
{
    const int64_t d = pen_model_columns(model);
    const char *const steps = cli_model_text(model, "parameters.row_steps");
    const char **const names = cli_alloc(d, sizeof *names);
    float *const at = cli_alloc(d, sizeof *at);

    if (!weights_of(model) || d < PEN_LEAST_SPECTRUM || d > PEN_MOST_SPECTRUM)
        return NULL;
    for (int64_t j = 0; j < d; j++)
        names[j] = pen_model_column_name(model, j);
    const int corrected = steps && (strstr(steps, "snv") || strstr(steps, "derivative"));
    return pen_number_columns(names, d, at) || corrected ? at : NULL;
}

float *loadings_curve(const pen_model *model, const double *mix, int64_t dim)
{
    const int64_t k = pen_model_dim(model), d = pen_model_columns(model);
    const double *const w = weights_of(model);
    float *const curve = cli_alloc(d, sizeof *curve);

    for (int64_t j = 0; j < d; j++)
        curve[j] = (float)weight_of(w + j * k, k, mix, dim);
    return curve;
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
