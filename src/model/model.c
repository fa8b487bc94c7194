/* model.c - creating, freeing and querying models. */
#include "model/model.h"

#include "core/matrix_set.h"
#include "core/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Tensors have type F64, except: landmarks take the narrowest type that holds them, because they
 * are rows of the fit and may be bytes; members are bytes; selected columns are I64; rows with
 * votes and typical rows are F32. */
#define OF(member) (-(int64_t)offsetof(pen_model, member))
#define TENSOR(name, needs, type, member, rows, cols, optional)                                    \
    PEN_TENSOR(pen_model, name, needs, type, member, rows, cols, optional)

const pen_tensor_kind pen_tensor_kinds[TENSORS] = {
    [PROJECTION] = TENSOR("projection", 0, F64, projection, OF(d), OF(k), 0),
    [MEAN] = TENSOR("mean", 0, F64, mean, OF(d), 0, 0),
    [SCALE] = TENSOR("scale", 0, F64, scale, OF(d), 0, 1),
    [DEVIATION] = TENSOR("deviation", 0, F64, deviation, OF(d), 0, 1),
    [EIGENVALUES] = TENSOR("eigenvalues", 0, F64, eigenvalues, OF(k), 0, 1),
    [BIAS] = TENSOR("bias", 0, F64, bias, OF(class_count), 0, 1),
    [CLASS_MASS] = TENSOR("class_mass", NEEDS_CLASS_MASS, F64, class_mass, 2, OF(class_count), 0),
    [LANDMARK_ROWS] = TENSOR("landmark_rows", NEEDS_KERNEL, F64, kernel.rows, OF(d), 0, 0),
    [LANDMARKS] =
        TENSOR("landmarks", NEEDS_KERNEL, TYPES, kernel.landmarks, OF(d), OF(kernel.inputs), 1),
    [KERNEL_ORIGIN] =
        TENSOR("kernel_origin", NEEDS_KERNEL, F64, kernel.origin, OF(kernel.inputs), 0, 1),
    [KERNEL_SCALE] =
        TENSOR("kernel_scale", NEEDS_KERNEL, F64, kernel.scale, OF(kernel.inputs), 0, 1),
    [CLASSIFIER_CENTER] = TENSOR("classifier_center", NEEDS_CLASSIFIER, F64, classifier.center,
                                 OF(classifier.k), 0, 1),
    [CLASSIFIER_ROWS] = TENSOR("classifier_rows", NEEDS_CLASSIFIER, F64, classifier.rows,
                               OF(classifier.count), OF(classifier.k), 1),
    [CLASSIFIER_CLASSES] = TENSOR("classifier_classes", NEEDS_CLASSIFIER, F64, classifier_classes,
                                  OF(classifier.count), 0, 1),
    [CLASSIFIER_WEIGHTS] = TENSOR("classifier_weights", NEEDS_CLASSIFIER, F64, classifier.weights,
                                  OF(classifier.k), OF(classifier.classes), 1),
    [CLASSIFIER_BIAS] = TENSOR("classifier_bias", NEEDS_CLASSIFIER, F64, classifier.bias,
                               OF(classifier.classes), 0, 1),
    [MEMBERS] = { "members", NEEDS_MEMBERS, NUMBER_U8, 0, { 0, 0 }, 0, 0 },
    [IDF] = TENSOR("idf", NEEDS_ROW, F64, row.idf, OF(row.steps.columns), 0, 1),
    [SELECTED] = TENSOR("selected", NEEDS_ROW, I64, row.selected, OF(row.steps.kept), 0, 1),
    [CLASS_SHARES] = TENSOR("class_shares", NEEDS_KERNEL, F64, class_shares, OF(class_count), 0, 1),
    [FILL] = { "fill", NEEDS_MISSING, NUMBER_F64, offsetof(pen_model, fill), { 0, 0 }, 1, NAN },
    [PICTURE] = TENSOR("picture", 0, F64, picture, OF(k), 2, 1),
    [CLASSIFIER_VOTES] = TENSOR("classifier_votes", NEEDS_CLASSIFIER | NEEDS_VOTES, F32,
                                classifier.votes, OF(classifier.count), OF(classifier.classes), 0),
    [MEAN_TEMPERATURE] = { "mean_temperature",
                           NEEDS_MEMBERS | NEEDS_MEAN,
                           NUMBER_F64,
                           0,
                           { 1, 0 },
                           0,
                           0 },
    [TYPICAL_UNITS] =
        TENSOR("typical_units", NEEDS_TYPICAL, F64, typical.units, 2, OF(typical.k), 0),
    [TYPICAL_ROWS] = TENSOR("typical_rows", NEEDS_TYPICAL, F32, typical.rows, OF(typical.count),
                            OF(typical.k), 0),
    [TYPICAL_DISTANCES] = TENSOR("typical_distances", NEEDS_TYPICAL, F64, typical.distances,
                                 OF(typical.measured), 0, 0),
};

pen_status pen_model_new(pen_run *run, int64_t d, int64_t k, pen_model **out)
{
    PEN_TRY(PEN_KEEP(run, *out, 1));
    (*out)->d = d;
    (*out)->k = k;
    (*out)->classifier.kind = PEN_CLASSIFIER_NONE;
    PEN_TRY(PEN_KEEP(run, (*out)->projection, pen_times(d, k)));
    return PEN_KEEP(run, (*out)->mean, d);
}

pen_status pen_model_numbers(pen_run *run, const double *from, int64_t count, double **out)
{
    *out = NULL;
    if (!from)
        return PEN_OK;
    PEN_TRY(PEN_KEEP(run, *out, count));
    memcpy(*out, from, (size_t)count * sizeof **out);
    return PEN_OK;
}

pen_status pen_model_number_columns(pen_run *run, pen_model *model)
{
    pen_model_row *const row = &model->row;
    int64_t *selected;

    PEN_TRY(PEN_KEEP(run, selected, row->steps.kept));
    for (int64_t c = 0; c < row->steps.kept; c++)
        selected[c] = (int64_t)row->selected[c];
    row->steps.selected = selected;
    return PEN_OK;
}

pen_status pen_model_number_classes(pen_run *run, pen_model *model)
{
    pen_classifier *const r = &model->classifier;

    r->of = pen_keep(run, r->count, sizeof *r->of);
    for (int64_t i = 0; r->of && i < r->count; i++)
        r->of[i] = (int32_t)model->classifier_classes[i];
    return r->of ? PEN_OK : PEN_NO_MEMORY;
}

pen_status pen_model_keep_typical(pen_run *run, const pen_typical *typical, pen_model *model)
{
    pen_typical *const own = &model->typical;

    *own = *typical;
    own->units = own->rows = own->distances = NULL;
    PEN_TRY(pen_model_numbers(run, typical->units, pen_times(2, own->k), &own->units));
    PEN_TRY(pen_model_numbers(run, typical->rows, pen_times(own->count, own->k), &own->rows));
    return pen_model_numbers(run, typical->distances, own->measured, &own->distances);
}

void pen_model_forget_typical(pen_model *model)
{
    free(model->typical.units);
    free(model->typical.rows);
    free(model->typical.distances);
    model->typical = (pen_typical){ .units = NULL };
}

void pen_about_free(pen_about *about)
{
    if (!about)
        return;
    free(about->text);
    free(about->tree);
    free(about->values);
    free(about);
}

void pen_model_free(pen_model *model)
{
    if (!model)
        return;
    pen_free_names(model->class_names, model->class_count);
    pen_free_names(model->column_names, pen_model_columns(model));
    for (int t = 0; t < TENSORS; t++)
        if (pen_tensor_kinds[t].at)
            free(*pen_tensor_at(model, &pen_tensor_kinds[t]));
    free((void *)(uintptr_t)model->row.steps.selected);
    free(model->rounding);
    for (int64_t i = 0; model->members && i < model->member_count; i++)
        pen_model_free(model->members[i]);
    free(model->members);
    free(model->classifier.of);
    free(model->propagated);
    free(model->pair_weights);
    free(model->derived_pairs);
    free(model->method);
    free(model->parameters);
    free(model->info);
    free(model->reading);
    pen_matrix_set_free(model->graphs);
    pen_about_free(atomic_load(&model->about));
    free(model);
}

pen_status pen_model_keep_reading(pen_run *run, const char *name, const char *reading,
                                  pen_model *model)
{
    pen_json *tree;

    if (!reading)
        return PEN_OK;
    PEN_TRY(pen_json_parse(run, name, "reading", reading, strlen(reading), &tree));
    int is_flat = pen_json_is(tree, PEN_JSON_OBJECT);
    for (const pen_json *item = tree->first; item; item = item->next)
        for (const pen_json *one = item->first; one; one = one->next)
            is_flat &= !one->first;
    PEN_REQUIRE(run, is_flat, PEN_BAD_FORMAT,
                "%s: reading must be a JSON object of values and lists of values", name);
    free(model->reading); /* from a fit inside this one */
    model->reading = NULL;
    return pen_keep_text(run, reading, &model->reading);
}

int64_t pen_model_columns(const pen_model *model)
{
    return !model                                       ? 0
           : model->row.steps.columns > 0               ? model->row.steps.columns
           : model->kernel.form.kind != PEN_KERNEL_NONE ? model->kernel.inputs
                                                        : model->d;
}

int64_t pen_model_dim(const pen_model *model)
{
    return model ? model->k : 0;
}

const char *pen_model_classifier(const pen_model *model)
{
    return !model ? NULL
           : model->classifier.kind != PEN_CLASSIFIER_NONE
               ? pen_classifier_names[model->classifier.kind]
           : model->member_count > 0 ? "ensemble"
                                     : NULL;
}

const pen_model *pen_model_member(const pen_model *model, int64_t index)
{
    return model && index >= 0 && index < model->member_count ? model->members[index] : NULL;
}

int64_t pen_model_class_count(const pen_model *model)
{
    return model ? model->class_count : 0;
}

const char *pen_model_class_name(const pen_model *model, int64_t index)
{
    return model && index >= 0 && index < model->class_count ? model->class_names[index] : NULL;
}

const char *pen_model_column_name(const pen_model *model, int64_t index)
{
    return model && model->column_names && index >= 0 && index < pen_model_columns(model)
               ? model->column_names[index]
               : NULL;
}

const pen_sparse *pen_model_graph(const pen_model *model, int64_t index, const char **name)
{
    return pen_matrix_set_at(model ? model->graphs : NULL, index, name);
}
