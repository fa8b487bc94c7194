/* model_save.c - writing models as safetensors files (model_file.c). */
#include "core/arguments.h"
#include "core/textbuf.h"
#include "model/kernel_file.h"
#include "model/reader_file.h"
#include "model/row_file.h"
#include "model/sink.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_names(pen_string *text, const char *key, char *const *names, int64_t count)
{
    pen_string list = { .data = NULL };

    pen_text_add_string(&list, "[");
    for (int64_t i = 0; i < count; i++) {
        if (i > 0)
            pen_text_add_string(&list, ",");
        pen_text_add_json(&list, names[i]);
    }
    pen_text_add_string(&list, "]");
    text->failed |= list.failed;
    if (!list.failed)
        pen_text_add_member(text, key, list.data);
    free(list.data);
}

/* members: what further members are packed to. */
static void parts_of(const pen_model *model, const pen_part *members, pen_part parts[TENSORS])
{
    for (int t = 0; t < TENSORS; t++)
        parts[t] = (pen_part){ .values = NULL };
    parts[PROJECTION] = pen_part_new(model->projection, model->d, model->k);
    parts[MEAN] = pen_part_new(model->mean, model->d, 0);
    parts[SCALE] = pen_part_new(model->scale, model->d, 0);
    parts[DEVIATION] = pen_part_new(model->deviation, model->d, 0);
    parts[EIGENVALUES] = pen_part_new(model->eigenvalues, model->k, 0);
    parts[BIAS] = pen_part_new(model->bias, model->class_count, 0);
    /* only new rows need them */
    parts[CLASS_MASS] = pen_part_new(model->bias ? model->class_mass : NULL, 2, model->class_count);
    pen_kernel_file_parts(model, parts);
    pen_reader_file_parts(model, parts);
    parts[MEMBERS] = *members;
    pen_row_file_parts(model, parts);
    parts[CLASS_SHARES] = pen_part_new(model->class_shares, model->class_count, 0);
}

static int needs_of(const pen_model *model, const pen_part parts[TENSORS])
{
    int needs = (pen_reader_file_needed(model) ? NEEDS_READER : 0)
                | (pen_row_file_needed(model) ? NEEDS_ROW : 0);

    for (int t = 0; t < TENSORS; t++)
        needs |= pen_part_count(&parts[t]) > 0 ? pen_tensor_kinds[t].needs : 0;
    return needs;
}

static void add_needs(pen_string *text, int needs)
{
    char list[128] = "";

    for (int i = 0; pen_need_names[i]; i++)
        if (needs & (1 << i)) {
            const size_t used = strlen(list);
            snprintf(list + used, sizeof list - used, "%s\"%s\"", used ? "," : "[",
                     pen_need_names[i]);
        }
    strcat(list, "]");
    pen_text_add_member(text, "needs", list);
}

/* Writes parts [TENSORS], the context. */
static pen_status put_parts(pen_sink *sink, const void *context)
{
    const pen_part *const parts = context;
    unsigned char bytes[8];

    for (int t = 0; t < TENSORS; t++) {
        const int64_t count = pen_part_count(&parts[t]);
        if (parts[t].bytes)
            PEN_TRY(pen_sink_put(sink, parts[t].bytes, (size_t)parts[t].rows));
        for (int64_t i = 0; !parts[t].bytes && i < count; i++) {
            const size_t size = pen_number_bytes(parts[t].type, parts[t].values[i], bytes);
            PEN_TRY(pen_sink_put(sink, bytes, size));
        }
    }
    return PEN_OK;
}

static pen_status header_of(pen_run *run, const pen_model *model, const pen_part parts[TENSORS],
                            char **out)
{
    pen_string text = { .data = NULL };
    char format[16], checksum[CHECKSUM_SIZE];
    const int needs = needs_of(model, parts);
    int64_t offset = 0;

    snprintf(format, sizeof format, "%d", needs ? 2 : 1);
    pen_checksum_text(pen_sink_checksum(put_parts, parts), checksum);
    pen_text_add_string(&text, "{");
    pen_text_add_key(&text, "__metadata__");
    pen_text_add_string(&text, "{");
    pen_text_add_member(&text, "format", format);
    if (needs)
        add_needs(&text, needs);
    pen_text_add_member(&text, "library", "penumbra " PEN_VERSION);
    pen_text_add_member(&text, "checksum", checksum);
    pen_text_add_member(&text, "method", model->method);
    pen_text_add_member(&text, "parameters", model->parameters);
    pen_text_add_member(&text, "info", model->info);
    add_names(&text, "class_names", model->class_names, model->class_count);
    if (model->feature_names)
        add_names(&text, "feature_names", model->feature_names, pen_model_input_dim(model));
    if (needs & NEEDS_KERNEL)
        pen_kernel_file_add(&text, &model->kernel);
    if (needs & NEEDS_READER)
        pen_reader_file_add(&text, model);
    if (needs & NEEDS_ROW)
        pen_row_file_add(&text, model);
    pen_text_add_string(&text, "}");
    for (int t = 0; t < TENSORS; t++)
        if (pen_part_count(&parts[t]) > 0)
            pen_part_describe(&text, pen_tensor_kinds[t].name, &parts[t], &offset);
    pen_text_add_string(&text, "}");
    return pen_sink_header(run, &text, out);
}

/* Writes to `path`, or to memory if it is NULL. */
static pen_status write_parts(pen_run *run, const pen_model *model, const pen_part parts[TENSORS],
                              const char *path, void **bytes, size_t *size)
{
    int64_t tensors = 0;
    char *header;

    for (int t = 0; t < TENSORS; t++)
        tensors = pen_plus(tensors, pen_part_bytes(&parts[t]));
    PEN_TRY(header_of(run, model, parts, &header));
    const pen_written what = { header, tensors, put_parts, parts };
    const pen_status status =
        path ? pen_sink_save(run, &what, path) : pen_sink_bytes(run, &what, bytes, size);
    free(header);
    return status;
}

/* The files of the further members, each after its length in 8 bytes, in scratch memory. They have
 * no members themselves. */
static pen_status pack_members(pen_run *run, const pen_model *model, pen_part *out)
{
    const pen_part none = { .type = NUMBER_U8 };
    unsigned char *packed = NULL;
    int64_t used = 0;

    *out = none;
    for (int64_t m = 0; m < model->member_count; m++) {
        pen_part parts[TENSORS];
        unsigned char *const before = packed;
        void *bytes;
        size_t size;
        parts_of(model->members[m], &none, parts);
        PEN_TRY(write_parts(run, model->members[m], parts, NULL, &bytes, &size));
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
    out->bytes = packed;
    out->rows = used;
    return PEN_OK;
}

static pen_status save(pen_run *run, const pen_model *model, const char *path)
{
    pen_part members, parts[TENSORS];

    PEN_TRY(pen_check_given(run, model, "model"));
    PEN_TRY(pen_check_given(run, path, "path"));
    PEN_TRY(pack_members(run, model, &members));
    parts_of(model, &members, parts);
    return write_parts(run, model, parts, path, NULL, NULL);
}

pen_status pen_model_save(const pen_model *model, const char *path, pen_error *err)
{
    PEN_CALL(NULL, err, save(run, model, path));
}

static pen_status to_memory(pen_run *run, const pen_model *model, void **bytes, size_t *size)
{
    pen_part members, parts[TENSORS];

    PEN_TRY(pen_check_given(run, model, "model"));
    PEN_TRY(pen_check_given(run, bytes, "bytes"));
    PEN_TRY(pen_check_given(run, size, "size"));
    PEN_TRY(pack_members(run, model, &members));
    parts_of(model, &members, parts);
    return write_parts(run, model, parts, NULL, bytes, size);
}

pen_status pen_model_bytes(const pen_model *model, void **bytes, size_t *size, pen_error *err)
{
    if (bytes)
        *bytes = NULL;
    if (size)
        *size = 0;
    PEN_CALL(NULL, err, to_memory(run, model, bytes, size));
}

void pen_model_bytes_free(void *bytes)
{
    free(bytes);
}
