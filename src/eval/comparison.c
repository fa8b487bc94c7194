/* comparison.c - the memory of the result of a comparison. */
#include "classifiers/classifier.h"
#include "eval/comparing.h"

#include <stdlib.h>

static pen_status new_candidate(pen_run *run, const pen_compared_list *list, int64_t c,
                                int64_t trials, int64_t dim_count, pen_compared *out)
{
    const pen_shared_fit *const fit = &list->fits[list->pairs[c].fit];

    *out = (pen_compared){ .method = fit->method,
                           .classifier = pen_classifier_names[list->pairs[c].classifier],
                           .baseline = fit->baseline || (fit->method->traits & PEN_BASELINE) != 0,
                           .order = c };
    pen_compared_name(list, c, out->name, sizeof out->name);
    PEN_TRY(PEN_KEEP(run, out->trials, trials));
    return PEN_KEEP(run, out->curve, dim_count);
}

pen_status pen_comparison_new(pen_run *run, const pen_compared_list *list, int64_t trials,
                              int64_t dim_count, pen_comparison **out)
{
    PEN_TRY(PEN_KEEP(run, *out, 1));
    pen_comparison *const c = *out;
    c->trials = trials;
    c->dim_count = dim_count;
    PEN_TRY(PEN_KEEP(run, c->dims, dim_count));
    PEN_TRY(PEN_KEEP(run, c->candidates, list->count));
    c->count = list->count;
    for (int64_t i = 0; i < dim_count; i++)
        c->dims[i] = i + 1;
    for (int64_t m = 0; m < list->count; m++)
        PEN_TRY(new_candidate(run, list, m, trials, dim_count, &c->candidates[m]));
    return PEN_OK;
}

void pen_comparison_free(pen_comparison *comparison)
{
    if (!comparison)
        return;
    for (int64_t m = 0; comparison->candidates && m < comparison->count; m++) {
        pen_spec_free(comparison->candidates[m].spec);
        free(comparison->candidates[m].trials);
        free(comparison->candidates[m].curve);
    }
    free(comparison->candidates);
    free(comparison->dims);
    free(comparison->confusion);
    free(comparison->classes);
    free(comparison->calibration);
    free(comparison);
}
