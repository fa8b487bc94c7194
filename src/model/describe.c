/* describe.c - parameters and info of a model as JSON objects. */
#include "model/describe.h"

#include "core/number.h"
#include "core/textbuf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Parameters that say how rows are prepared. */
static const char *const of_rows[] = { "row_steps", "scale", "pca", "pca_scale", NULL };

/* Facts that both methods of a composed model would state about the same rows. */
static const char *const shared[] = { "rows",      "labelled",   "classes", "class_type",
                                      "precision", "classifier", NULL };

static int is_among(const char *const *names, const char *name)
{
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

/* A parameter of a part that the model lacks? Any version reads a file without it. */
static int is_idle(const pen_spec *spec, const pen_model *model, const char *name)
{
    return (spec->common.kernel.kind == PEN_KERNEL_NONE && strncmp(name, "kernel", 6) == 0)
           || (spec->common.pca == 0 && strncmp(name, "pca_", 4) == 0)
           || (!pen_model_classifier(model) && strncmp(name, "classifier", 6) == 0);
}

void pen_describe_parameter(pen_string *text, const pen_spec *spec, const pen_param *param)
{
    char value[PEN_PARAM_SIZE];
    double number;

    pen_param_write(param, pen_spec_record(spec, param), value);
    if (param->type == PEN_PARAM_FLAG || pen_number_is(value, strlen(value), &number))
        pen_text_add_plain(text, param->name, value);
    else
        pen_text_add_member(text, param->name, value);
}

pen_status pen_describe_parameters(pen_run *run, const pen_spec *spec, const pen_model *model,
                                   char **out)
{
    pen_string text = { .data = NULL };

    pen_text_add_string(&text, "{");
    for (const pen_param *param = spec->method->params; param->name; param++)
        if (!is_idle(spec, model, param->name))
            pen_describe_parameter(&text, spec, param);
    pen_text_add_string(&text, "}");
    return pen_text_finish(run, &text, out);
}

/* ---- composed models ---- */

pen_status pen_describe_parse(pen_run *run, const char *object, pen_json **out)
{
    return pen_json_parse(run, "the model", "a description", object, strlen(object), out);
}

void pen_describe_add(pen_string *text, const char *name, const pen_json *value)
{
    if (!value)
        return;
    pen_text_add_key(text, name);
    pen_text_add(text, value->source, value->source_size);
}

static void add_infos(pen_string *text, const pen_model *first, const pen_json *before,
                      const pen_json *own)
{
    char full[96];

    for (const pen_json *item = own->first; item; item = item->next)
        pen_describe_add(text, item->name, item);
    for (const pen_json *item = before->first; item; item = item->next) {
        if (strchr(item->name, '.')) /* belongs to an earlier method */
            pen_describe_add(text, item->name, item);
        snprintf(full, sizeof full, "%s.%s", first->method, item->name);
        if (!strchr(item->name, '.') && !is_among(shared, item->name))
            pen_describe_add(text, full, item);
    }
    snprintf(full, sizeof full, "%s.dimensions", first->method);
    pen_text_add_count(text, full, first->k);
}

static int concerns_rows(const char *name)
{
    return is_among(of_rows, name) || strncmp(name, "kernel", 6) == 0;
}

static void add_parameters(pen_string *text, const pen_model *first, const pen_model *last,
                           const pen_json *before, const pen_json *own)
{
    char full[160];

    for (const pen_json *item = own->first; item; item = item->next) {
        const int moved = concerns_rows(item->name);
        snprintf(full, sizeof full, "%s%s%s", moved ? last->method : "", moved ? "." : "",
                 item->name);
        pen_describe_add(text, full, item);
    }
    for (const pen_json *item = before->first; item; item = item->next) {
        const int plain = concerns_rows(item->name) || strchr(item->name, '.');
        snprintf(full, sizeof full, "%s%s%s", plain ? "" : first->method, plain ? "" : ".",
                 item->name);
        if (strncmp(item->name, "classifier", 6) != 0) /* there is only one */
            pen_describe_add(text, full, item);
    }
}

/* Facts of the first method get its name as a prefix; refuses a prefix already in use. */
static pen_status check_names(pen_run *run, const pen_model *first, const pen_json *own)
{
    const size_t length = strlen(first->method);

    for (const pen_json *item = own->first; item; item = item->next)
        PEN_REQUIRE(
            run, strncmp(item->name, first->method, length) != 0 || item->name[length] != '.',
            PEN_BAD_ARGUMENT, "the second model is composed of %.60s already", first->method);
    return PEN_OK;
}

pen_status pen_describe_both(pen_run *run, const pen_model *first, const pen_model *last, int infos,
                             char **out)
{
    pen_json *before, *own;
    pen_string text = { .data = NULL };

    PEN_TRY(pen_describe_parse(run, infos ? first->info : first->parameters, &before));
    PEN_TRY(pen_describe_parse(run, infos ? last->info : last->parameters, &own));
    PEN_TRY(check_names(run, first, own));
    pen_text_add_string(&text, "{");
    if (infos)
        add_infos(&text, first, before, own);
    else
        add_parameters(&text, first, last, before, own);
    pen_text_add_string(&text, "}");
    return pen_text_finish(run, &text, out);
}
