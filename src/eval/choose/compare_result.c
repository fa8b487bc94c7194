/* compare_result.c - the result of a comparison: its memory, and what callers ask of it. */
#include "eval/choose/compare_result.h"

#include "classifiers/classifier.h"
#include "model/spec.h"

#include <math.h>
#include <stdlib.h>

static pen_status new_candidate(pen_run *run, const pen_compared_list *list, int64_t c,
                                int64_t trials, int64_t dim_count, pen_compared *out)
{
    const pen_shared_fit *const fit = &list->fits[list->pairs[c].fit];
    const pen_method *const method = fit->spec->method;

    *out = (pen_compared){ .method = method,
                           .classifier = pen_classifier_names[list->pairs[c].classifier],
                           .baseline = fit->baseline || (method->traits & PEN_BASELINE) != 0,
                           .named = fit->named,
                           .order = c };
    pen_compared_name(list, c, out->name, sizeof out->name);
    PEN_TRY(PEN_KEEP(run, out->trials, trials));
    PEN_TRY(PEN_KEEP(run, out->curve, dim_count));
    PEN_TRY(PEN_KEEP(run, out->curve_trials, pen_times(trials, dim_count)));
    for (int64_t i = 0; i < trials * dim_count; i++)
        out->curve_trials[i] = (double)NAN;
    return PEN_OK;
}

pen_status pen_comparison_new(pen_run *run, const pen_compared_list *list, int64_t trials,
                              int64_t dim_count, pen_comparison **out)
{
    PEN_TRY(PEN_KEEP(run, *out, 1));
    pen_comparison *const c = *out;
    c->trials = trials;
    c->dim_count = dim_count;
    c->shuffled = (double)NAN;
    PEN_TRY(PEN_KEEP(run, c->dims, dim_count));
    PEN_TRY(PEN_KEEP(run, c->candidates, list->count));
    c->count = list->count;
    for (int64_t m = 0; m < list->count; m++)
        PEN_TRY(new_candidate(run, list, m, trials, dim_count, &c->candidates[m]));
    return PEN_OK;
}

int pen_compared_has_curve(const pen_comparison *c, const pen_compared *e)
{
    int any = 0;

    for (int64_t i = 0; i < c->dim_count; i++)
        any |= !isnan(e->curve[i]);
    return any;
}

static void free_candidate(pen_compared *e)
{
    pen_tuning_free(e->found);
    pen_spec_free(e->spec);
    free(e->trials);
    free(e->curve);
    free(e->curve_trials);
}

void pen_comparison_free(pen_comparison *comparison)
{
    if (!comparison)
        return;
    for (int64_t m = 0; comparison->candidates && m < comparison->count; m++)
        free_candidate(&comparison->candidates[m]);
    free(comparison->candidates);
    free(comparison->dims);
    free(comparison->confusion);
    free(comparison->classes);
    free(comparison->calibration);
    free(comparison->json);
    free(comparison->text[0]);
    free(comparison->text[1]);
    free(comparison);
}

int64_t pen_comparison_place(const pen_comparison *c, int64_t m)
{
    const char *const twin = c->candidates[m].same_as;
    int64_t place = 1;

    for (int64_t o = 0; o < m && c->candidates[o].name != twin; o++)
        place += !c->candidates[o].same_as;
    return place;
}

const char *pen_comparison_json(const pen_comparison *comparison)
{
    return comparison ? comparison->json : NULL;
}

const char *pen_comparison_text(const pen_comparison *comparison, int verbose)
{
    return comparison ? comparison->text[verbose != 0] : NULL;
}

const pen_spec *pen_comparison_spec(const pen_comparison *comparison, int64_t index)
{
    if (!comparison || index < 0 || index > comparison->count)
        return NULL;
    return comparison->candidates[index ? index - 1 : comparison->chosen].spec;
}
