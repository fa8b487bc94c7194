/* compare_list.c - makes the list of candidates from specs and settings. */
#include "eval/choose/compare_list.h"

#include "classifiers/classifier.h"
#include "core/params.h"
#include "eval/choose/budget.h"
#include "eval/trials/trial_classifier.h"
#include "kernels/kernel.h"
#include "model/classifier_fit.h"
#include "model/spec.h"

#include <stdio.h>
#include <string.h>

/* A kind of classifier as a bit. */
#define BIT(kind) (1u << (kind))

static const unsigned USUAL =
    BIT(PEN_CLASSIFIER_NEAREST) | BIT(PEN_CLASSIFIER_LDA) | BIT(PEN_CLASSIFIER_SCORES);
static const unsigned BASELINE_CLASSIFIERS =
    BIT(PEN_CLASSIFIER_NEAREST) | BIT(PEN_CLASSIFIER_LDA) | BIT(PEN_CLASSIFIER_LOGISTIC);

/* ---- classifiers ---- */

/* *neighbors: the k of the classifier neighbors, unchanged if it is not named. */
static pen_status read_classifiers(pen_run *run, const pen_trials *trials, unsigned *out,
                                   int64_t *neighbors)
{
    pen_common usual;

    pen_params_reset(pen_common_params, NULL, &usual);
    *neighbors = usual.classifier.neighbors;
    *out = trials->classifiers ? 0 : USUAL;
    PEN_REQUIRE(run, !trials->classifiers || trials->classifier_count >= 1, PEN_BAD_ARGUMENT,
                "classifier_count must be >= 1, got %lld", (long long)trials->classifier_count);
    for (int64_t i = 0; trials->classifiers && i < trials->classifier_count; i++) {
        PEN_TRY(pen_trial_classifier_named(run, trials->classifiers[i], &usual.classifier));
        const enum pen_classifier_kind kind = usual.classifier.kind;
        if (kind == PEN_CLASSIFIER_NEIGHBORS)
            *neighbors = usual.classifier.neighbors;
        PEN_REQUIRE(run, kind != PEN_CLASSIFIER_AUTO && kind != PEN_CLASSIFIER_NONE,
                    PEN_BAD_ARGUMENT,
                    "classifiers must be among nearest, neighbors, means, lda, self-training, "
                    "logistic, scores, got %.40s",
                    trials->classifiers[i]);
        PEN_REQUIRE(run, !(*out & BIT(kind)), PEN_BAD_ARGUMENT, "classifier %s is named twice",
                    trials->classifiers[i]);
        *out |= BIT(kind);
    }
    return PEN_OK;
}

/* The classifier of the spec, or for `auto` the usual ones that the method supports: scores need
 * class scores of new rows. */
static pen_status choose_classifiers(pen_run *run, unsigned usual, int64_t neighbors,
                                     pen_shared_fit *fit)
{
    pen_spec *const spec = fit->spec;
    const enum pen_classifier_kind own = spec->common.classifier.kind;

    if (own != PEN_CLASSIFIER_AUTO) {
        fit->classifiers = BIT(own);
        PEN_REQUIRE(run, own != PEN_CLASSIFIER_NONE, PEN_BAD_ARGUMENT,
                    "classifier none predicts no classes of held-out rows; auto and lda do");
        return pen_classifier_params_check(run, spec);
    }
    spec->common.classifier.neighbors = neighbors;
    fit->classifiers =
        spec->method->traits & PEN_PREDICTS ? usual : usual & ~BIT(PEN_CLASSIFIER_SCORES);
    PEN_REQUIRE(
        run, fit->classifiers || !fit->named, PEN_BAD_ARGUMENT,
        "%s: the models of this method have no class scores, and scores is the only classifier",
        spec->method->name);
    return PEN_OK;
}

/* ---- values to try ---- */

/* Sets "NAME=V1,V2" for each method that has the parameter. */
static pen_status set_grid(pen_run *run, const char *text, const pen_compared_list *list)
{
    const char *const values = text ? strchr(text, '=') : NULL;
    const pen_param *param;
    pen_error err, first = { .code = PEN_OK };
    char name[64];
    int64_t index, known = 0;
    void *record;

    PEN_REQUIRE(run, values && values > text && values - text < (int64_t)sizeof name,
                PEN_BAD_ARGUMENT,
                "a grid must be NAME=V1,V2,.., a parameter and its values, got \"%.60s\"",
                text ? text : "");
    snprintf(name, sizeof name, "%.*s", (int)(values - text), text);
    PEN_REQUIRE(run, !pen_name_equal(name, "classifier"), PEN_BAD_ARGUMENT,
                "classifiers are compared side by side: list them as classifiers, not in a grid");
    for (int64_t f = 1; f < list->fit_count; f++) {
        pen_spec *const spec = list->fits[f].spec;
        if (pen_spec_find(spec, name, &param, &index, &record, &err) != PEN_OK) {
            first = first.code == PEN_OK ? err : first;
            continue;
        }
        PEN_REQUIRE(run, !pen_spec_given_grid(spec, name), PEN_BAD_ARGUMENT,
                    "the grid of %s is given twice", param->name);
        PEN_TRY(pen_spec_set_grid(spec, name, values + 1, pen_run_error(run)));
        list->fits[f].has_grid = 1;
        known++;
    }
    return known > 0 ? PEN_OK : pen_fail_as(run, &first);
}

/* ---- the list ---- */

/* Are all parameters except the classifier equal? */
static int is_same(const pen_spec *a, const pen_spec *b)
{
    char own[PEN_PARAM_SIZE], other[PEN_PARAM_SIZE];

    if (a->method != b->method)
        return 0;
    for (const pen_param *param = a->method->params; param->name; param++) {
        pen_param_write(param, pen_spec_record(a, param), own);
        pen_param_write(param, pen_spec_record(b, param), other);
        if (strcmp(own, other) != 0 && !pen_name_equal(param->name, "classifier"))
            return 0;
    }
    return 1;
}

/* Specs with the same method and kernel get numbers; specs that differ only in the classifier share
 * a fit. */
static pen_status join(pen_run *run, const pen_shared_fit *fit, pen_compared_list *list,
                       int *joined)
{
    pen_shared_fit *const last = &list->fits[list->fit_count - 1];

    *joined = 0;
    for (int64_t f = 1; f < list->fit_count - 1; f++) {
        pen_shared_fit *const other = &list->fits[f];
        if (is_same(other->spec, fit->spec)) {
            PEN_REQUIRE(run, !(other->classifiers & fit->classifiers), PEN_BAD_ARGUMENT,
                        "%s is named twice", fit->spec->method->name);
            other->classifiers |= fit->classifiers;
            *joined = 1;
            return PEN_OK;
        }
        if (other->spec->method == fit->spec->method
            && other->spec->common.kernel.kind == fit->spec->common.kernel.kind)
            last->again = other->again + 1 + !other->again;
    }
    return PEN_OK;
}

static pen_status add_given(pen_run *run, const pen_spec *given, unsigned usual, int64_t neighbors,
                            pen_compared_list *list)
{
    pen_shared_fit *const fit = &list->fits[list->fit_count];
    int joined;

    *fit = (pen_shared_fit){ .named = 1 };
    PEN_TRY(pen_spec_copy(given, &fit->spec, pen_run_error(run)));
    list->fit_count++;
    PEN_TRY(choose_classifiers(run, usual, neighbors, fit));
    PEN_TRY(join(run, fit, list, &joined));
    if (joined) {
        pen_spec_free(fit->spec);
        list->fit_count--;
    }
    return PEN_OK;
}

static pen_status add_method(pen_run *run, const pen_method *method, pen_shared_fit fit,
                             pen_compared_list *list)
{

    PEN_TRY(pen_spec_new(method->name, &fit.spec, pen_run_error(run)));
    list->fits[list->fit_count++] = fit;
    return fit.baseline ? pen_spec_set(fit.spec, "scale", "standard", pen_run_error(run)) : PEN_OK;
}

static pen_status add_all_methods(pen_run *run, unsigned usual, int64_t neighbors,
                                  pen_compared_list *list)
{
    const pen_method *method;

    for (int64_t i = 0; (method = pen_method_at(i)); i++) {
        if (method->traits & PEN_BASELINE)
            continue;
        PEN_TRY(add_method(run, method, (pen_shared_fit){ .named = 0 }, list));
        PEN_TRY(choose_classifiers(run, usual, neighbors, &list->fits[list->fit_count - 1]));
    }
    return PEN_OK;
}

static pen_status list_pairs(pen_run *run, pen_compared_list *list)
{
    PEN_TRY(PEN_NEW(run, list->pairs, pen_times(list->fit_count, PEN_CLASSIFIER_SCORES)));
    list->count = 0;
    for (int64_t f = 0; f < list->fit_count; f++) {
        pen_shared_fit *const fit = &list->fits[f];
        fit->first = list->count;
        for (int kind = PEN_CLASSIFIER_NEAREST; kind <= PEN_CLASSIFIER_SCORES; kind++)
            if (fit->classifiers & BIT(kind))
                list->pairs[list->count++] =
                    (pen_compared_pair){ f, (enum pen_classifier_kind)kind };
        fit->count = list->count - fit->first;
    }
    return PEN_OK;
}

/* Drops methods that no classifier reads. */
static void drop_unread(pen_compared_list *list)
{
    int64_t kept = 0;

    for (int64_t f = 0; f < list->fit_count; f++)
        if (list->fits[f].classifiers)
            list->fits[kept++] = list->fits[f];
        else
            pen_spec_free(list->fits[f].spec);
    list->fit_count = kept;
}

pen_status pen_compared_list_make(pen_run *run, const pen_spec *const *specs, int64_t count,
                                  const pen_trials *trials, pen_compared_list *out)
{
    const pen_shared_fit baseline = { .baseline = 1, .classifiers = BASELINE_CLASSIFIERS };
    unsigned usual;
    int64_t neighbors;

    *out = (pen_compared_list){ .count = 0 };
    PEN_TRY(read_classifiers(run, trials, &usual, &neighbors));
    PEN_TRY(PEN_NEW(run, out->fits, 1 + (specs ? count : pen_method_count())));
    PEN_TRY(add_method(run, pen_method_named("pca"), baseline, out));
    for (int64_t i = 0; specs && i < count; i++)
        PEN_TRY(add_given(run, specs[i], usual, neighbors, out));
    if (!specs)
        PEN_TRY(add_all_methods(run, usual, neighbors, out));
    drop_unread(out);
    for (int64_t i = 0; trials->grid && i < trials->grid_count; i++)
        PEN_TRY(set_grid(run, trials->grid[i], out));
    return list_pairs(run, out);
}

void pen_compared_list_free(const pen_compared_list *list)
{
    for (int64_t f = 0; f < list->fit_count; f++)
        pen_spec_free(list->fits[f].spec);
}

pen_status pen_compared_reduce(pen_run *run, const pen_trial_set *trials,
                               const pen_compared_list *list)
{
    const pen_array *const x = &trials->data->x;
    const int64_t fewest = pen_trials_fewest_rows(trials);
    const char *pca;

    PEN_TRY(pen_plan_components(run, x, fewest, NULL, &pca));
    for (int64_t f = 1; f < list->fit_count; f++) {
        pen_spec *const spec = list->fits[f].spec;
        const enum pen_kernel_kind kernel = spec->common.kernel.kind;
        if (kernel == PEN_KERNEL_PRECOMPUTED)
            continue;
        if (kernel != PEN_KERNEL_NONE)
            PEN_TRY(pen_plan_kernel(run, x, fewest, spec));
        else if (pca && !spec->method->inner->wide && !pen_plan_is_asked(spec, "pca"))
            PEN_TRY(pen_spec_set(spec, "pca", pca, pen_run_error(run)));
    }
    return PEN_OK;
}

/* ---- one candidate ---- */

void pen_compared_name(const pen_compared_list *list, int64_t candidate, char *name, size_t size)
{
    const pen_compared_pair *const pair = &list->pairs[candidate];
    const pen_shared_fit *const fit = &list->fits[pair->fit];
    const enum pen_kernel_kind kernel = fit->spec->common.kernel.kind;
    const int plain = kernel == PEN_KERNEL_NONE;
    char again[16] = "";

    if (fit->again)
        snprintf(again, sizeof again, " (%d)", fit->again);
    snprintf(name, size, "%s%s%s%s/%s", fit->baseline ? "columns" : fit->spec->method->name,
             plain ? "" : "+", plain ? "" : pen_kernel_names[kernel], again,
             pen_classifier_names[pair->classifier]);
}

pen_classifier_params pen_compared_classifier(const pen_compared_list *list, int64_t candidate)
{
    const pen_compared_pair *const pair = &list->pairs[candidate];
    pen_classifier_params params = list->fits[pair->fit].spec->common.classifier;

    params.kind = pair->classifier;
    return params;
}

pen_status pen_compared_set_classifier(pen_run *run, const pen_compared_list *list,
                                       int64_t candidate, pen_spec *spec)
{
    const int64_t neighbors = spec->common.classifier.neighbors;

    PEN_TRY(pen_spec_set(spec, "classifier",
                         pen_classifier_names[list->pairs[candidate].classifier],
                         pen_run_error(run)));
    spec->common.classifier.neighbors = neighbors;
    return PEN_OK;
}
