/* model.c - creating, freeing and querying models. */
#include "model/model.h"

#include "kernels/kernel_gamma.h"

#include <stdlib.h>
#include <string.h>

pen_status pen_model_text(pen_run *run, const char *text, char **out)
{
    const size_t size = strlen(text) + 1;
    PEN_TRY(PEN_KEEP(run, *out, (int64_t)size));
    memcpy(*out, text, size);
    return PEN_OK;
}

pen_status pen_model_new(pen_run *run, int64_t d, int64_t k, pen_model **out)
{
    pen_model *model = pen_keep(run, 1, sizeof *model);

    *out = model;
    if (!model)
        return PEN_NO_MEMORY;
    model->d = d;
    model->k = k;
    model->classifier.kind = PEN_CLASSIFIER_NONE;
    model->projection = pen_keep(run, pen_times(d, k), sizeof *model->projection);
    model->mean = pen_keep(run, d, sizeof *model->mean);
    if (!model->projection || !model->mean) {
        pen_model_free(model);
        *out = NULL;
        return PEN_NO_MEMORY;
    }
    return PEN_OK;
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

void pen_model_show_kernel(pen_model *model)
{
    const pen_model_kernel_map *const kernel = &model->kernel;
    const int polynomial = kernel->form.kind == PEN_KERNEL_POLYNOMIAL;

    model->kernel.view =
        (pen_kernel_view){ .name = pen_kernel_names[kernel->form.kind],
                           .gamma =
                               pen_kernel_has_gamma(kernel->form.kind) ? kernel->form.gamma : 0,
                           .degree = polynomial ? kernel->form.degree : 0,
                           .coef0 = polynomial ? kernel->form.coef0 : 0,
                           .count = model->d };
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

static void free_names(char **names, int64_t count)
{
    for (int64_t i = 0; names && i < count; i++)
        free(names[i]);
    free(names);
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

void pen_model_free(pen_model *model)
{
    if (!model)
        return;
    free_names(model->class_names, model->class_count);
    free_names(model->feature_names, pen_model_input_dim(model));
    free(model->fill);
    free(model->row.idf);
    free(model->row.selected);
    free((void *)(uintptr_t)model->row.steps.selected);
    free(model->kernel.rows);
    free(model->kernel.landmarks);
    free(model->kernel.origin);
    free(model->kernel.scale);
    free(model->projection);
    free(model->mean);
    free(model->scale);
    free(model->deviation);
    free(model->rounding);
    free(model->eigenvalues);
    free(model->picture);
    free(model->bias);
    free(model->class_mass);
    free(model->class_shares);
    for (int64_t i = 0; model->members && i < model->member_count; i++)
        pen_model_free(model->members[i]);
    free(model->members);
    free(model->classifier.center);
    free(model->classifier.rows);
    free(model->classifier.of);
    free(model->classifier_classes);
    free(model->classifier.weights);
    free(model->classifier.bias);
    free(model->classifier.votes);
    pen_model_forget_typical(model);
    free(model->propagated);
    free(model->method);
    free(model->parameters);
    free(model->info);
    pen_facts_free(&model->parameter_facts);
    pen_facts_free(&model->info_facts);
    free(model);
}

const char *pen_model_method(const pen_model *model)
{
    return model ? model->method : NULL;
}

int64_t pen_model_input_dim(const pen_model *model)
{
    return !model                                       ? 0
           : model->row.steps.columns > 0               ? model->row.steps.columns
           : model->kernel.form.kind != PEN_KERNEL_NONE ? model->kernel.inputs
                                                        : model->d;
}

int64_t pen_model_output_dim(const pen_model *model)
{
    return model ? model->k : 0;
}

const double *pen_model_projection(const pen_model *model)
{
    return model ? model->projection : NULL;
}

const double *pen_model_mean(const pen_model *model)
{
    return model ? model->mean : NULL;
}

pen_missing pen_model_missing(const pen_model *model)
{
    return model ? model->missing : PEN_MISSING_ERROR;
}

const pen_kernel_view *pen_model_kernel(const pen_model *model)
{
    return model && model->kernel.form.kind != PEN_KERNEL_NONE ? &model->kernel.view : NULL;
}

const double *pen_model_eigenvalues(const pen_model *model)
{
    return model ? model->eigenvalues : NULL;
}

const double *pen_model_bias(const pen_model *model)
{
    return model ? model->bias : NULL;
}

const double *pen_model_class_mass(const pen_model *model)
{
    return model ? model->class_mass : NULL;
}

const char *pen_model_classifier(const pen_model *model)
{
    return !model ? NULL
           : model->classifier.kind != PEN_CLASSIFIER_NONE
               ? pen_classifier_names[model->classifier.kind]
           : model->member_count > 0 ? "ensemble"
                                     : NULL;
}

int64_t pen_model_fitted_rows(const pen_model *model)
{
    return model ? model->rows : 0;
}

const double *pen_model_propagated(const pen_model *model)
{
    return model ? model->propagated : NULL;
}

int64_t pen_model_class_count(const pen_model *model)
{
    return model ? model->class_count : 0;
}

const char *pen_model_class_name(const pen_model *model, int64_t index)
{
    return model && index >= 0 && index < model->class_count ? model->class_names[index] : NULL;
}

const char *pen_model_feature_name(const pen_model *model, int64_t index)
{
    return model && model->feature_names && index >= 0 && index < pen_model_input_dim(model)
               ? model->feature_names[index]
               : NULL;
}

const char *pen_model_parameters(const pen_model *model)
{
    return model ? model->parameters : NULL;
}

const char *pen_model_info(const pen_model *model)
{
    return model ? model->info : NULL;
}

const pen_facts *pen_model_parameter_facts(const pen_model *model)
{
    return model ? &model->parameter_facts.facts : NULL;
}

const pen_facts *pen_model_info_facts(const pen_model *model)
{
    return model ? &model->info_facts.facts : NULL;
}

const pen_fact *pen_fact_named(const pen_facts *facts, const char *name)
{
    for (int64_t i = 0; facts && name && i < facts->count; i++)
        if (strcmp(facts->list[i].name, name) == 0)
            return &facts->list[i];
    return NULL;
}
