/* compared_list.c - the list of what a comparison compares, from names and settings. */
#include "eval/compared_list.h"

#include "classifiers/classifier.h"
#include "core/params.h"
#include "eval/plan.h"
#include "kernels/kernel.h"
#include "model/spec.h"

#include <stdio.h>
#include <string.h>

/* A kind of classifier as a bit. */
#define BIT(kind) (1u << (kind))

static const unsigned BASELINE_CLASSIFIERS =
    BIT(PEN_CLASSIFIER_NEAREST) | BIT(PEN_CLASSIFIER_LDA) | BIT(PEN_CLASSIFIER_LOGISTIC);

/* ---- classifiers ---- */

static pen_status read_classifier(pen_run *run, const char *name, unsigned *bit)
{
    for (int kind = PEN_CLASSIFIER_NEAREST; kind <= PEN_CLASSIFIER_SCORES; kind++)
        if (strcmp(pen_classifier_names[kind], name) == 0) {
            *bit = BIT(kind);
            return PEN_OK;
        }
    return pen_fail(run, PEN_UNKNOWN_NAME,
                    "unknown classifier \"%.40s\"; classifiers: nearest, neighbors, means, lda, "
                    "self-training, logistic, scores",
                    name);
}

/* Those asked for, or the usual ones. */
static pen_status read_classifiers(pen_run *run, const pen_protocol *protocol, unsigned *out)
{
    unsigned bit = 0;

    *out = 0;
    if (!protocol->classifiers) {
        *out = BIT(PEN_CLASSIFIER_NEAREST) | BIT(PEN_CLASSIFIER_LDA) | BIT(PEN_CLASSIFIER_SCORES);
        return PEN_OK;
    }
    PEN_REQUIRE(
        run, protocol->classifier_count >= 1 && protocol->classifier_count <= PEN_CLASSIFIER_SCORES,
        PEN_BAD_ARGUMENT, "classifier_count must be in [1, %d], got %lld", PEN_CLASSIFIER_SCORES,
        (long long)protocol->classifier_count);
    for (int64_t i = 0; i < protocol->classifier_count; i++) {
        PEN_REQUIRE(run, protocol->classifiers[i], PEN_BAD_ARGUMENT,
                    "classifiers[%lld] must be a name", (long long)i);
        PEN_TRY(read_classifier(run, protocol->classifiers[i], &bit));
        PEN_REQUIRE(run, !(*out & bit), PEN_BAD_ARGUMENT, "classifier %s is named twice",
                    protocol->classifiers[i]);
        *out |= bit;
    }
    return PEN_OK;
}

/* Without class scores of new rows a model cannot tell their classes by them. */
static unsigned of_method(const pen_method *method, unsigned classifiers)
{
    return method->traits & PEN_PREDICTS ? classifiers : classifiers & ~BIT(PEN_CLASSIFIER_SCORES);
}

/* ---- names ---- */

/* The part of a name before its kernel and classifier. */
static pen_status read_method(pen_run *run, const char *name, pen_shared_fit *out)
{
    const size_t length = strcspn(name, "+/");
    char method[40] = "";

    if (length < sizeof method)
        snprintf(method, sizeof method, "%.*s", (int)length, name);
    out->method = pen_method_named(method);
    PEN_REQUIRE(run, out->method, PEN_UNKNOWN_NAME, "unknown method \"%.40s\"", name);
    return PEN_OK;
}

/* The part after the plus sign. */
static pen_status read_kernel(pen_run *run, const char *name, pen_shared_fit *out)
{
    const char *const plus = name + strcspn(name, "+/");
    const size_t length = *plus == '+' ? strcspn(plus + 1, "/") : 0;
    int kind = PEN_KERNEL_NONE + (*plus == '+');

    for (; *plus == '+' && kind < PEN_KERNEL_PRECOMPUTED; kind++)
        if (strlen(pen_kernel_names[kind]) == length
            && strncmp(plus + 1, pen_kernel_names[kind], length) == 0)
            break;
    PEN_REQUIRE(run, kind < PEN_KERNEL_PRECOMPUTED, PEN_UNKNOWN_NAME,
                "\"%.40s\": the kernel after + must be one of linear, rbf, laplacian, polynomial, "
                "cosine",
                name);
    out->kernel = (enum pen_kernel_kind)kind;
    return PEN_OK;
}

/* self, self+rbf, self/lda, self+rbf/lda; without a classifier the usual ones. */
static pen_status read_name(pen_run *run, const char *name, unsigned usual, pen_shared_fit *out)
{
    const char *const slash = strchr(name, '/');

    PEN_TRY(read_method(run, name, out));
    PEN_TRY(read_kernel(run, name, out));
    if (slash)
        PEN_TRY(read_classifier(run, slash + 1, &out->classifiers));
    else
        out->classifiers = of_method(out->method, usual);
    PEN_REQUIRE(
        run, out->classifiers, PEN_BAD_ARGUMENT,
        "%s: the models of this method have no class scores, and scores is the only classifier",
        name);
    PEN_REQUIRE(run,
                !(out->classifiers & BIT(PEN_CLASSIFIER_SCORES))
                    || out->method->traits & PEN_PROPAGATES,
                PEN_BAD_ARGUMENT, "%.40s: this method has no class scores", name);
    return PEN_OK;
}

/* ---- the list ---- */

/* The entry of the same method and kernel, or NULL. */
static pen_shared_fit *find(const pen_compared_list *list, const pen_shared_fit *fit)
{
    for (int64_t f = 0; f < list->fit_count; f++)
        if (!list->fits[f].baseline && list->fits[f].method == fit->method
            && list->fits[f].kernel == fit->kernel)
            return &list->fits[f];
    return NULL;
}

static pen_status add_named(pen_run *run, const char *name, unsigned usual, pen_compared_list *list)
{
    pen_shared_fit fit = { .kernel = PEN_KERNEL_NONE };

    PEN_TRY(read_name(run, name, usual, &fit));
    pen_shared_fit *const listed = find(list, &fit);
    PEN_REQUIRE(run, !listed || !(listed->classifiers & fit.classifiers), PEN_BAD_ARGUMENT,
                "%s is named twice", name);
    if (listed)
        listed->classifiers |= fit.classifiers;
    else
        list->fits[list->fit_count++] = fit;
    return PEN_OK;
}

static void add_all_methods(unsigned usual, pen_compared_list *list)
{
    for (int64_t i = 0; pen_method_at(i); i++) {
        const pen_method *const method = pen_method_at(i);
        const unsigned classifiers = of_method(method, usual);
        if (classifiers && !(method->traits & PEN_BASELINE))
            list->fits[list->fit_count++] =
                (pen_shared_fit){ .method = method, .classifiers = classifiers };
    }
}

/* Each with the rbf kernel, too. */
static void add_kernels(pen_compared_list *list)
{
    const int64_t count = list->fit_count;

    for (int64_t f = 0; f < count; f++) {
        pen_shared_fit fit = list->fits[f];
        fit.kernel = PEN_KERNEL_RBF;
        if (!fit.baseline && !find(list, &fit))
            list->fits[list->fit_count++] = fit;
    }
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

pen_status pen_compared_list_make(pen_run *run, const char *const *names, int64_t count,
                                  const pen_protocol *protocol, pen_compared_list *out)
{
    const int64_t most = names ? count : pen_method_count();
    unsigned usual;

    PEN_TRY(read_classifiers(run, protocol, &usual));
    PEN_TRY(PEN_NEW(run, out->fits, 1 + pen_times(2, most)));
    out->fits[0] = (pen_shared_fit){ .method = pen_method_named("pca"),
                                     .baseline = 1,
                                     .classifiers = BASELINE_CLASSIFIERS };
    out->fit_count = 1;
    for (int64_t i = 0; names && i < count; i++)
        PEN_TRY(add_named(run, names[i], usual, out));
    if (!names)
        add_all_methods(usual, out);
    if (protocol->kernels)
        add_kernels(out);
    return list_pairs(run, out);
}

/* ---- one candidate ---- */

void pen_compared_name(const pen_compared_list *list, int64_t candidate, char *name, size_t size)
{
    const pen_compared_pair *const pair = &list->pairs[candidate];
    const pen_shared_fit *const fit = &list->fits[pair->fit];
    const int plain = fit->kernel == PEN_KERNEL_NONE;

    snprintf(name, size, "%s%s%s/%s", fit->baseline ? "columns" : fit->method->name,
             plain ? "" : "+", plain ? "" : pen_kernel_names[fit->kernel],
             pen_classifier_names[pair->classifier]);
}

pen_classifier_params pen_compared_classifier(const pen_compared_list *list, int64_t candidate)
{
    pen_common usual;

    pen_params_reset(pen_common_params, NULL, &usual);
    usual.classifier.kind = list->pairs[candidate].classifier;
    return usual.classifier;
}

pen_status pen_compared_set_classifier(pen_run *run, const pen_compared_list *list,
                                       int64_t candidate, pen_spec *spec)
{
    pen_error err;

    return pen_spec_set(spec, "classifier", pen_classifier_names[list->pairs[candidate].classifier],
                        &err)
                   == PEN_OK
               ? PEN_OK
               : pen_fail_as(run, &err);
}

pen_status pen_compared_defaults(pen_run *run, const pen_shared_fit *fit, const pen_trials *trials,
                                 const char *pca, pen_spec **out)
{
    pen_error err;

    pen_status status = pen_spec_new(fit->method->name, out, &err);
    if (status == PEN_OK && fit->kernel != PEN_KERNEL_NONE)
        return pen_plan_kernel(run, &trials->data->x, pen_trials_fewest_rows(trials), fit->kernel,
                               *out);
    if (status == PEN_OK && fit->baseline)
        status = pen_spec_set(*out, "scale", "standard", &err);
    else if (status == PEN_OK && pca && !fit->method->inner->wide)
        status = pen_spec_set(*out, "pca", pca, &err);
    return status == PEN_OK ? PEN_OK : pen_fail_as(run, &err);
}
