/* about.c - the description of a model: one JSON object, made at the first request. */
#include "core/textbuf.h"
#include "kernels/kernel_gamma.h"
#include "core/json.h"
#include "model/model.h"
#include "model/model_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the object ---- */

static void add_kernel(pen_string *text, const pen_model *model)
{
    const pen_kernel *const form = &model->kernel.form;

    pen_text_add_plain(text, "kernel", form->kind == PEN_KERNEL_NONE ? "null" : "{");
    if (form->kind == PEN_KERNEL_NONE)
        return;
    pen_text_add_member(text, "name", pen_kernel_names[form->kind]);
    if (pen_kernel_has_gamma(form->kind))
        pen_text_add_number(text, "gamma", form->gamma);
    if (form->kind == PEN_KERNEL_POLYNOMIAL) {
        pen_text_add_count(text, "degree", form->degree);
        pen_text_add_number(text, "coef0", form->coef0);
    }
    pen_text_add_count(text, "landmarks", model->d);
    pen_text_add_string(text, "}");
}

static void add_members(pen_string *text, const pen_model *model)
{
    const pen_model *member;

    pen_text_add_plain(text, "members", "[");
    for (int64_t i = 0; (member = pen_model_member(model, i)); i++) {
        pen_text_add_plain(text, NULL, "{");
        pen_text_add_member(text, "method", member->method);
        pen_text_add_count(text, "dim", member->k);
        pen_text_add_member(text, "classifier", pen_model_classifier(member));
        add_kernel(text, member);
        pen_text_add_string(text, "}");
    }
    pen_text_add_string(text, "]");
}

static pen_status write_about(pen_run *run, const pen_model *model, char **out)
{
    static const char *const missing[] = { "error", "mean", "drop" };
    pen_string text = { .data = NULL };

    pen_text_add_string(&text, "{");
    pen_text_add_member(&text, "method", model->method);
    pen_text_add_count(&text, "columns", pen_model_columns(model));
    pen_text_add_count(&text, "dim", model->k);
    pen_text_add_member(&text, "classifier", pen_model_classifier(model));
    pen_text_add_member(&text, "missing", missing[model->missing]);
    pen_text_add_plain(&text, "reading", model->reading ? model->reading : "null");
    pen_text_add_key(&text, "steps");
    pen_row_file_list(&text, model);
    add_kernel(&text, model);
    pen_text_add_bits(&text, "needs", pen_need_names, pen_model_needs(model));
    add_members(&text, model);
    pen_text_add_plain(&text, "info", model->info);
    pen_text_add_plain(&text, "parameters", model->parameters);
    pen_text_add_names(&text, "class_names", model->class_names, model->class_count);
    pen_text_add_names(&text, "column_names", model->column_names, pen_model_columns(model));
    pen_text_add_string(&text, "}");
    return pen_text_finish(run, &text, out);
}

/* ---- the tree ---- */

/* The number of bytes in a copy of its values. */
static size_t size_of(const pen_json *value)
{
    size_t size = value->type == PEN_JSON_STRING ? 0 : value->source_size + 1;

    for (const pen_json *item = value->first; item; item = item->next)
        size += size_of(item);
    return size;
}

static void copy_values(pen_json *value, char **to)
{
    if (value->type != PEN_JSON_STRING) {
        memcpy(*to, value->source, value->source_size);
        value->text = *to;
        *to += value->source_size + 1;
    }
    for (const pen_json *item = value->first; item; item = item->next)
        copy_values((pen_json *)item, to);
}

static pen_status make(pen_run *run, const pen_model *model, pen_about *out)
{
    char *to;

    PEN_TRY(write_about(run, model, &out->text));
    PEN_TRY(pen_json_parse_kept(run, "model", "info", out->text, strlen(out->text), &out->tree));
    PEN_TRY(PEN_KEEP(run, out->values, (int64_t)size_of(out->tree)));
    to = out->values;
    copy_values(out->tree, &to);
    return PEN_OK;
}

/* NULL: out of memory. Threads that ask at the same time each make the object; one copy is kept. */
static const pen_about *about_of(const pen_model *model)
{
    pen_model *const owner = (pen_model *)(uintptr_t)model;
    pen_about *about = atomic_load(&owner->about), *none = NULL;
    pen_run *run;

    if (about || pen_run_open(NULL, NULL, &run) != PEN_OK)
        return about;
    about = pen_keep(run, 1, sizeof *about);
    if (about && make(run, model, about) != PEN_OK) {
        pen_about_free(about);
        about = NULL;
    }
    pen_run_close(run);
    if (!about || atomic_compare_exchange_strong(&owner->about, &none, about))
        return about;
    pen_about_free(about);
    return none;
}

/* ---- for callers ---- */

const char *pen_model_info(const pen_model *model)
{
    const pen_about *const about = model ? about_of(model) : NULL;

    return about ? about->text : NULL;
}

/* The value at a path. Names in it may contain dots. NULL: no such value. */
static const pen_json *find(const pen_json *in, const char *key)
{
    int64_t index = 0;

    for (const pen_json *item = in->first; item; item = item->next, index++) {
        char *end;
        const size_t length = item->name ? strlen(item->name) : 0;
        const char *rest =
            item->name && strncmp(key, item->name, length) == 0 ? key + length : NULL;
        if (!item->name && *key >= '0' && *key <= '9' && strtoll(key, &end, 10) == index)
            rest = end;
        if (rest && *rest == '\0')
            return item;
        const pen_json *const found = rest && *rest == '.' ? find(item, rest + 1) : NULL;
        if (found)
            return found;
    }
    return NULL;
}

int pen_model_value(const pen_model *model, const char *key, double *number, const char **text)
{
    const pen_about *const about = model && key ? about_of(model) : NULL;
    const pen_json *const value = about ? find(about->tree, key) : NULL;
    const int is_list = pen_json_is(value, PEN_JSON_ARRAY) || pen_json_is(value, PEN_JSON_OBJECT);

    if (!value || value->type == PEN_JSON_NULL)
        return 0;
    if (number)
        *number = value->type == PEN_JSON_STRING ? (double)NAN
                  : is_list                      ? (double)value->count
                                                 : value->number;
    if (text)
        *text = value->text;
    return 1;
}
