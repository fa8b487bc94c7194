/* describe.c - parameters and info of a model as JSON objects. */
#include "model/describe.h"

#include "core/number.h"
#include "core/textbuf.h"

#include <stdio.h>
#include <string.h>

/* Parameters of how rows are prepared. */
static const char *const of_rows[] = { "row_steps", "scale", "pca", "pca_scale", NULL };

/* Facts that both methods of a composed model would say of the same rows. */
static const char *const shared[] = { "rows",      "labelled",   "classes", "class_type",
                                      "precision", "classifier", NULL };

static int is_among(const char *const *names, const char *name)
{
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

/* A parameter of a part that the model does not have: without it, any version reads the file. */
static int is_idle(const pen_spec *spec, const pen_model *model, const char *name)
{
    return (spec->common.kernel.kind == PEN_KERNEL_NONE && strncmp(name, "kernel", 6) == 0)
           || (spec->common.pca == 0 && strncmp(name, "pca_", 4) == 0)
           || (!pen_model_classifier(model) && strncmp(name, "classifier", 6) == 0);
}

pen_status pen_describe_parameters(pen_run *run, const pen_spec *spec, const pen_model *model,
                                   char **out)
{
    pen_string text = { .data = NULL };
    char value[PEN_PARAM_SIZE];
    const pen_param *param;

    pen_text_add_string(&text, "{");
    for (param = spec->method->params; param->name; param++) {
        if (is_idle(spec, model, param->name))
            continue;
        double number;
        pen_param_write(param, pen_spec_record(spec, param), value);
        pen_text_add_key(&text, param->name);
        if (param->type == PEN_PARAM_FLAG || pen_number_is(value, strlen(value), &number))
            pen_text_add_string(&text, value);
        else
            pen_text_add_json(&text, value);
    }
    pen_text_add_string(&text, "}");
    return pen_text_finish(run, &text, out);
}

/* ---- composed models ---- */

static void add_fact(pen_string *text, const char *name, const pen_fact *fact)
{
    switch (fact->type) {
    case PEN_FACT_NUMBER:
        pen_text_add_number(text, name, fact->numbers[0]);
        break;
    case PEN_FACT_NUMBERS:
        pen_text_add_numbers(text, name, fact->numbers, fact->count);
        break;
    case PEN_FACT_TEXT:
        pen_text_add_member(text, name, fact->text);
        break;
    case PEN_FACT_FLAG:
        pen_text_add_key(text, name);
        pen_text_add_string(text, fact->numbers[0] != 0 ? "true" : "false");
        break;
    case PEN_FACT_JSON:
        pen_text_add_key(text, name);
        pen_text_add_string(text, fact->text);
        break;
    }
}

pen_status pen_describe_composed_info(pen_run *run, const pen_model *first, const pen_model *last,
                                      char **out)
{
    const pen_facts *const before = &first->info_facts.facts, *const own = &last->info_facts.facts;
    pen_string text = { .data = NULL };
    char full[96];

    pen_text_add_string(&text, "{");
    for (int64_t i = 0; i < own->count; i++)
        add_fact(&text, own->list[i].name, &own->list[i]);
    for (int64_t i = 0; i < before->count; i++) {
        const pen_fact *const fact = &before->list[i];
        if (strchr(fact->name, '.')) /* of a method before that one */
            add_fact(&text, fact->name, fact);
        snprintf(full, sizeof full, "%s.%s", first->method, fact->name);
        if (!strchr(fact->name, '.') && !is_among(shared, fact->name))
            add_fact(&text, full, fact);
    }
    snprintf(full, sizeof full, "%s.dimensions", first->method);
    pen_text_add_number(&text, full, (double)first->k);
    pen_text_add_string(&text, "}");
    return pen_text_finish(run, &text, out);
}

static int concerns_rows(const char *name)
{
    return is_among(of_rows, name) || strncmp(name, "kernel", 6) == 0;
}

pen_status pen_describe_composed(pen_run *run, const pen_model *first, const pen_model *last,
                                 char **out)
{
    const pen_facts *const before = &first->parameter_facts.facts, *const own =
                                                                       &last->parameter_facts.facts;
    pen_string text = { .data = NULL };
    char full[160];

    pen_text_add_string(&text, "{");
    for (int64_t i = 0; i < own->count; i++) {
        const int moved = concerns_rows(own->list[i].name);
        snprintf(full, sizeof full, "%s%s%s", moved ? last->method : "", moved ? "." : "",
                 own->list[i].name);
        add_fact(&text, full, &own->list[i]);
    }
    for (int64_t i = 0; i < before->count; i++) {
        const char *const name = before->list[i].name;
        const int plain = concerns_rows(name) || strchr(name, '.');
        snprintf(full, sizeof full, "%s%s%s", plain ? "" : first->method, plain ? "" : ".", name);
        if (strncmp(name, "classifier", 6) != 0) /* of which there is one */
            add_fact(&text, full, &before->list[i]);
    }
    pen_text_add_string(&text, "}");
    return pen_text_finish(run, &text, out);
}
