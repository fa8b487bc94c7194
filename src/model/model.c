/* model.c - creating, freeing and querying models. */
#include "model/model.h"

#include "graph/graph_set.h"

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
    free_names(model->column_names, pen_model_columns(model));
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
    free(model->pair_weights);
    free(model->derived_pairs);
    free(model->method);
    free(model->parameters);
    free(model->info);
    pen_graphs_free(model->graphs);
    pen_about_free(model);
    pen_model *const alone = atomic_load(&model->alone);
    if (alone)
        pen_about_free(alone);
    free(alone);
    free(model);
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
    return pen_graphs_at(model ? model->graphs : NULL, index, name);
}
