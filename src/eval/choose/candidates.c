/* candidates.c - the projections and classifiers to try if no method is named. The first eight were
 * found on 51 data sets: together they gain nearly as much as a search of 160 such pairs. The other
 * candidates add all columns of wide data, logistic regression, a kernel that is robust to a few
 * large differences of columns, columns in their own units, and features of spectra that neither
 * scatter nor a baseline changes. */
#include "eval/choose/candidates.h"

#include "classifiers/classifier.h"
#include "core/spectrum.h"
#include "model/spec.h"

#include <stdio.h>
#include <string.h>

/* The input of a method: the columns, or their components if there are many; all columns; unscaled
 * columns; or coordinates of a kernel. */
enum view { SOME, ALL, UNSCALED, RBF, LAPLACIAN };

struct rule {
    const char *name, *method;
    enum view view;
    enum pen_classifier_kind classifier;
    int wide; /* 1: only if there are many columns */
    int many; /* 1: also if there are many classes, with which others are slow */
    enum { NONE, DERIVATIVE, SNV_DERIVATIVE } steps; /* not NONE: only if rows are curves */
};

/* Neighbors in the list with the same method and view share a fit. */
static const struct rule rules[PEN_MOST_CANDIDATES] = {
    { "pca+rbf/self-training", "pca", RBF, PEN_CLASSIFIER_SELF_TRAINING, 0, 0, NONE },
    { "self+rbf/lda", "self", RBF, PEN_CLASSIFIER_LDA, 0, 1, NONE },
    { "self+rbf/nearest", "self", RBF, PEN_CLASSIFIER_NEAREST, 0, 1, NONE },
    { "fme+rbf/scores", "fme", RBF, PEN_CLASSIFIER_SCORES, 0, 0, NONE },
    { "fme/scores", "fme", SOME, PEN_CLASSIFIER_SCORES, 0, 0, NONE },
    { "pca/lda", "pca", SOME, PEN_CLASSIFIER_LDA, 0, 1, NONE },
    { "pca/self-training", "pca", SOME, PEN_CLASSIFIER_SELF_TRAINING, 0, 0, NONE },
    { "pca/nearest", "pca", SOME, PEN_CLASSIFIER_NEAREST, 0, 1, NONE },
    { "pca+laplacian/self-training", "pca", LAPLACIAN, PEN_CLASSIFIER_SELF_TRAINING, 0, 0, NONE },
    { "self+laplacian/lda", "self", LAPLACIAN, PEN_CLASSIFIER_LDA, 0, 0, NONE },
    { "fme+laplacian/scores", "fme", LAPLACIAN, PEN_CLASSIFIER_SCORES, 0, 0, NONE },
    { "pca+all/logistic", "pca", ALL, PEN_CLASSIFIER_LOGISTIC, 0, 0, NONE },
    { "pca+all/lda", "pca", ALL, PEN_CLASSIFIER_LDA, 1, 0, NONE },
    { "fme+unscaled/scores", "fme", UNSCALED, PEN_CLASSIFIER_SCORES, 0, 0, NONE },
    { "fme+rbf+derivative/scores", "fme", RBF, PEN_CLASSIFIER_SCORES, 0, 0, DERIVATIVE },
    { "fme+snv+derivative/scores", "fme", SOME, PEN_CLASSIFIER_SCORES, 0, 0, SNV_DERIVATIVE },
    { "pca+snv+derivative/self-training", "pca", SOME, PEN_CLASSIFIER_SELF_TRAINING, 0, 0,
      SNV_DERIVATIVE },
    { "pca+derivative/self-training", "pca", SOME, PEN_CLASSIFIER_SELF_TRAINING, 0, 0, DERIVATIVE },
};

enum {
    LANDMARKS = 300,
    MANY_COLUMNS = 80,
    MANY_CLASSES = 100,
    VERY_MANY_COLUMNS = 2000 /* absolute differences from landmarks would dominate the time */
};

static const char *const of_steps[] = {
    [SNV_DERIVATIVE] = "snv,derivative:11", [DERIVATIVE] = "derivative:11"
};

/* Seeds are parameters, so whole numbers of at most 53 bits. */
static int64_t short_seed(uint64_t seed)
{
    return (int64_t)((seed ^ seed >> 53) & (((uint64_t)1 << 53) - 1));
}

static pen_status set_kernel(pen_spec *spec, const char *kernel, const pen_data *data,
                             uint64_t seed, pen_error *err)
{
    char landmarks[PEN_PARAM_SIZE];

    PEN_TRY(pen_spec_set(spec, "kernel", kernel, err));
    PEN_TRY(pen_spec_set(spec, "pca", "0.999:80", err));
    PEN_TRY(pen_spec_set(spec, "pca_scale", "unit", err));
    snprintf(landmarks, sizeof landmarks, "random:%lld",
             (long long)pen_min(LANDMARKS, data->x.rows));
    PEN_TRY(pen_spec_set(spec, "kernel_landmarks", landmarks, err));
    return pen_spec_set_number(spec, "seed", (double)short_seed(seed), err);
}

static pen_status set_view(pen_spec *spec, enum view view, const pen_data *data, uint64_t seed,
                           pen_error *err)
{
    if (view == RBF)
        return set_kernel(spec, "rbf", data, seed, err);
    if (view == LAPLACIAN)
        return set_kernel(spec, "laplacian", data, seed, err);
    if (view == UNSCALED)
        PEN_TRY(pen_spec_set(spec, "scale", "none", err));
    if (view != ALL && data->x.cols > MANY_COLUMNS)
        return pen_spec_set(spec, "pca", "0.99:100", err);
    return PEN_OK;
}

static pen_status make_spec(const struct rule *rule, const pen_data *data, uint64_t seed,
                            const char *steps, pen_spec **out, pen_error *err)
{
    PEN_TRY(pen_spec_new(rule->method, out, err));
    PEN_TRY(set_view(*out, rule->view, data, seed, err));
    if (rule->steps != NONE || *steps)
        PEN_TRY(pen_spec_set(*out, "row_steps", rule->steps != NONE ? of_steps[rule->steps] : steps,
                             err));
    if (strcmp(rule->method, "self") == 0) {
        PEN_TRY(pen_spec_set(*out, "beta", "0.5", err));
        PEN_TRY(pen_spec_set(*out, "ridge", "0.01", err));
    }
    return pen_spec_set(*out, "classifier", pen_classifier_names[rule->classifier], err);
}

static int is_same_map(const struct rule *a, const struct rule *b)
{
    return strcmp(a->method, b->method) == 0 && a->view == b->view && a->steps == b->steps;
}

static int is_tried(const struct rule *rule, const pen_data *data, int64_t classes, int curves)
{
    const int64_t columns = data->x.cols;

    return (curves || rule->steps == NONE) && (!rule->wide || columns > MANY_COLUMNS)
           && (rule->view != LAPLACIAN || columns <= VERY_MANY_COLUMNS)
           && (rule->many || classes <= MANY_CLASSES);
}

pen_status pen_candidates_make(pen_run *run, const pen_data *data, int64_t classes,
                               const pen_spec *spec, pen_chosen *list, int *map, int64_t *count)
{
    const struct rule *last = NULL;
    char steps[PEN_PARAM_SIZE];
    int curves;

    pen_spec_get(spec, "row_steps", steps, sizeof steps);
    PEN_TRY(pen_are_curves(run, &data->x, &curves));
    curves = curves && !*steps;
    *count = 0; /* counts the specs to free */
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        const struct rule *const rule = &rules[i];
        if (!is_tried(rule, data, classes, curves))
            continue;
        map[*count] = !last ? 0 : map[*count - 1] + !is_same_map(last, rule);
        pen_chosen *const e = &list[(*count)++];
        snprintf(e->name, sizeof e->name, "%s", rule->name);
        PEN_TRY(make_spec(rule, data, (uint64_t)spec->common.seed, steps, &e->spec,
                          pen_run_error(run)));
        last = rule;
    }
    return PEN_OK;
}
