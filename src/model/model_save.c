/* model_save.c - writing models as safetensors files (model_file.c). */
#include "model/model_parts.h"

#include <stdlib.h>
#include <string.h>

const char *const pen_need_names[] = { "class_mass", "kernel",  "classifier", "members",
                                       "row",        "missing", "votes",      "mean_temperature",
                                       "spectra",    "typical", NULL };

/* members: the packed further models of an ensemble. */
static void parts_of(const pen_model *model, const pen_part *members, pen_part parts[TENSORS])
{
    for (int t = 0; t < TENSORS; t++)
        parts[t] = pen_part_of(model, &pen_tensor_kinds[t]);
    if (!model->bias) /* only scores of new rows need them */
        parts[CLASS_MASS].values = NULL;
    if (model->classifier.votes)
        parts[CLASSIFIER_ROWS].type = NUMBER_F32;
    parts[FILL].rows = pen_model_columns(model);
    parts[MEMBERS] = *members;
    if (model->mean_temperature > 0)
        parts[MEAN_TEMPERATURE].values = &model->mean_temperature;
    for (int t = 0; t < TENSORS; t++)
        parts[t].name = pen_part_count(&parts[t]) > 0 ? pen_tensor_kinds[t].name : NULL;
}

/* Matrices that only a freshly fitted model has. */
static pen_matrix of_fit(const pen_model *model, const char *name)
{
    if (model->propagated && strcmp(name, "probabilities") == 0)
        return (pen_matrix){ model->propagated, model->rows, model->class_count };
    if (model->pair_count > 0 && strcmp(name, "pair_weights") == 0)
        return (pen_matrix){ model->pair_weights, model->pair_count, 1 };
    if (model->derived_count > 0 && strcmp(name, "derived_pairs") == 0)
        return (pen_matrix){ model->derived_pairs, model->derived_count, 3 };
    return (pen_matrix){ .values = NULL };
}

pen_matrix pen_model_tensor(const pen_model *model, const char *name)
{
    const pen_part none = { .values = NULL };
    pen_part parts[TENSORS];

    if (model && name)
        parts_of(model, &none, parts);
    for (int t = 0; model && name && t < TENSORS; t++)
        if (parts[t].name && strcmp(parts[t].name, name) == 0)
            return (pen_matrix){ parts[t].values, parts[t].rows, pen_max(1, parts[t].cols) };
    return model && name ? of_fit(model, name) : (pen_matrix){ .values = NULL };
}

static int needs_of(const pen_model *model, const pen_part parts[TENSORS])
{
    int needs = (pen_classifier_file_needed(model) ? NEEDS_CLASSIFIER : 0)
                | pen_row_file_needs(model)
                | (model->missing == PEN_MISSING_DROP ? NEEDS_MISSING : 0);

    for (int t = 0; t < TENSORS; t++)
        needs |= parts[t].name ? pen_tensor_kinds[t].needs : 0;
    return needs;
}

int pen_model_needs(const pen_model *model)
{
    const pen_part none = { .values = NULL };
    pen_part parts[TENSORS];

    parts_of(model, &none, parts);
    return needs_of(model, parts) | (model->member_count > 0 ? NEEDS_MEMBERS : 0);
}

/* Writes to `path`, or to memory if path is NULL. */
static pen_status write_model(pen_run *run, const pen_model *model, const pen_part *members,
                              const char *path, void **bytes, size_t *size)
{
    pen_part parts[TENSORS];

    parts_of(model, members, parts);
    const int needs = needs_of(model, parts);
    pen_written file = pen_written_open(parts, TENSORS);
    pen_string *const text = &file.header;
    pen_text_add_member(text, "format", needs ? "2" : "1");
    if (needs) {
        pen_string list = { .data = NULL };
        pen_text_add_bits(&list, NULL, pen_need_names, needs);
        pen_text_add_text(text, "needs", &list);
    }
    pen_text_add_member(text, "method", model->method);
    pen_text_add_member(text, "parameters", model->parameters);
    pen_text_add_member(text, "info", model->info);
    if (model->reading)
        pen_text_add_member(text, "reading", model->reading);
    pen_written_names(&file, "class_names", model->class_names, model->class_count, 1);
    if (model->column_names)
        pen_written_names(&file, "column_names", model->column_names, pen_model_columns(model), 1);
    if (needs & NEEDS_KERNEL)
        pen_kernel_file_add(text, &model->kernel);
    if (needs & NEEDS_CLASSIFIER)
        pen_classifier_file_add(text, model);
    if (needs & NEEDS_ROW)
        pen_row_file_add(text, model);
    return pen_written_finish(run, &file, path, bytes, size);
}

/* The files of the further models of an ensemble, each after its length in 8 bytes, in scratch
 * memory. These models contain no ensembles. */
static pen_status pack_members(pen_run *run, const pen_model *model, pen_part *out)
{
    const pen_part none = { .type = NUMBER_U8 };
    unsigned char *packed = NULL;
    int64_t used = 0;

    *out = none;
    for (int64_t m = 0; m < model->member_count; m++) {
        unsigned char *const before = packed;
        void *bytes;
        size_t size;
        PEN_TRY(write_model(run, model->members[m], &none, NULL, &bytes, &size));
        const int64_t more = pen_plus(LENGTH_SIZE, (int64_t)size);
        const pen_status status = PEN_NEW(run, packed, pen_plus(used, more));
        if (status == PEN_OK && used > 0)
            memcpy(packed, before, (size_t)used);
        if (status == PEN_OK) {
            pen_put_u64(size, packed + used);
            memcpy(packed + used + LENGTH_SIZE, bytes, size);
        }
        free(bytes);
        PEN_TRY(status);
        used += more;
    }
    out->items = packed;
    out->rows = used;
    return PEN_OK;
}

static pen_status write_all(pen_run *run, const void *model, const char *path, void **bytes,
                            size_t *size)
{
    pen_part members;

    PEN_TRY(pack_members(run, model, &members));
    return write_model(run, model, &members, path, bytes, size);
}

pen_status pen_model_save(const pen_model *model, const char *path, pen_error *err)
{
    return pen_write_file(write_all, model, "model", path, err);
}

pen_status pen_model_to_bytes(const pen_model *model, void **bytes, size_t *size, pen_error *err)
{
    return pen_write_bytes(write_all, model, "model", bytes, size, err);
}

void pen_free(void *bytes)
{
    free(bytes);
}
