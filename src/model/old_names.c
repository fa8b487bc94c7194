/* old_names.c - names of version 0.1.0. */
#include "model/old_names.h"

#include "core/number.h"
#include "methods/method_params.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *old, *name;
} names[] = {
    { "reader", "classifier" },
    { "reader_center", "classifier_center" },
    { "reader_rows", "classifier_rows" },
    { "reader_classes", "classifier_classes" },
    { "reader_weights", "classifier_weights" },
    { "reader_bias", "classifier_bias" },
    { "reader_votes", "classifier_votes" },
    { "reader_shrinkage", "classifier_shrinkage" },
    { "reader_rounds", "classifier_rounds" },
    { "reader_pseudo", "classifier_pseudo" },
};

const char *pen_name_of_today(const char *name)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i].old) == 0)
            return names[i].name;
    return name;
}

void pen_renew_names(pen_json *object)
{
    for (pen_json *item = (pen_json *)object->first; item; item = (pen_json *)item->next)
        item->name = pen_name_of_today(item->name);
}

void pen_renewed_text(const pen_json *object, pen_string *text)
{
    pen_text_add_string(text, "{");
    for (const pen_json *item = object->first; item; item = item->next) {
        pen_text_add_key(text, pen_name_of_today(item->name));
        pen_text_add(text, item->source, item->source_size);
    }
    pen_text_add_string(text, "}");
}

/* ---- parameters ---- */

/* In the order of look-up. */
static const struct {
    const char *method; /* NULL: every method */
    const char *old;
    const char *name; /* NULL: merged into another, or removed */
    const char *says; /* what to set instead; NULL: the name */
} params[] = {
    { NULL, "normalize", "row_steps", "row_steps l2" },
    { NULL, "row_total", NULL, "row_steps total:median or total:NUMBER" },
    { NULL, "log1p", NULL, "row_steps log1p" },
    { NULL, "idf", NULL, "row_steps idf" },
    { NULL, "snv", NULL, "row_steps snv" },
    { NULL, "derivative", NULL, "row_steps derivative:WINDOW" },
    { NULL, "select", NULL, "row_steps select:COLUMNS" },
    { NULL, "pca_most", NULL, "pca with a fraction and that number, such as 0.99:100" },
    { NULL, "kernel_choice", NULL, "kernel_landmarks random:NUMBER" },
    { NULL, "kernel_coef0", NULL, "always 1" },
    { NULL, "kernel_seed", "seed", NULL },
    { NULL, "reader", "classifier", NULL },
    { NULL, "reader_neighbors", NULL, "classifier neighbors:NUMBER" },
    { NULL, "reader_prior", "prior", NULL },
    { NULL, "reader_temperature", "temperature", NULL },
    { "cfld", "total", "total_rows", NULL },
    { "rca", "total", "total_rows", NULL },
    { "cfld", "columns", "column_scaling", NULL },
    { "rssdr", "columns", "column_scaling", NULL },
    { "lfda", "scaling", "scaling_rows", NULL },
    { "sodrpac", "scaling", "pair_terms", NULL },
    { "sodrpac", "only_if_no_enemy", "derive", "derive unlinked" },
    { "clpp", "propagate", "propagate_pairs", NULL },
    { "npssdr", "lle_ridge", "reconstruction_ridge", NULL },
    { "rssdr", "lle_ridge", "reconstruction_ridge", NULL },
    { "rssdr", "landmarks", "space", "space relative:LANDMARKS" },
    { "rssdr", "landmark_mode", NULL, "space relative:LANDMARKS, which estimates distances" },
    { "rssdr", "space", "space", NULL },
    { "ssdr", "half", NULL, "alpha and beta, each halved" },
    { "saloe", "strict", NULL, "a note, within_neighbors_used" },
    { "salwe", "strict", NULL, "a note, within_neighbors_used" },
    { NULL, "space", NULL, NULL }, /* today only rssdr has it */
    { NULL, "landmarks", NULL, NULL },
    { NULL, "landmark_mode", NULL, NULL },
};
enum { PARAMS = sizeof params / sizeof *params };

/* Texts of today and the separate parameters that they replaced. */
static const struct {
    const char *name;
    const pen_text_form *form;
    const char *parts[7];
} texts[] = {
    { "row_steps",
      &pen_row_steps_form,
      { "row_total", "log1p", "idf", "snv", "derivative", "select" } },
    { "pca", &pen_pca_form, { NULL, "pca_most" } },
    { "kernel_landmarks", &pen_landmarks_form, { "kernel_choice" } },
    { "classifier", &pen_classifier_form, { NULL, "reader_neighbors" } },
    { "space", &pen_space_form, { NULL, "landmarks" } },
};
enum { TEXTS = sizeof texts / sizeof *texts };

/* Its place among the parameters; PARAMS: its name has not changed. */
static size_t place_of(const char *method, size_t length, const char *name)
{
    size_t i = 0;

    while (i < PARAMS
           && (!pen_name_equal(params[i].old, name)
               || (params[i].method
                   && (strlen(params[i].method) != length
                       || strncmp(params[i].method, method, length) != 0))))
        i++;
    return i;
}

const char *pen_param_today(const char *method, const char *name)
{
    const size_t i = place_of(method, strlen(method), name);

    return i == PARAMS ? NULL : params[i].says ? params[i].says : params[i].name;
}

/* ---- in a file ---- */

/* The parameters of one method of a model. */
struct part {
    const pen_json *object;
    const char *prefix; /* "pca." [size], or "" */
    size_t size;
};

static const pen_json *find(const struct part *p, const char *name)
{
    const pen_json *item = name ? p->object->first : NULL;

    while (item
           && (strncmp(item->name, p->prefix, p->size) != 0
               || strcmp(item->name + p->size, name) != 0))
        item = item->next;
    return item;
}

/* Sets the value; an invalid one, such as "off", leaves the default. */
static void set(const pen_param *param, void *record, const pen_json *value)
{
    if (value && value->text)
        pen_param_read(param, record, value->text, NULL);
    else if (value)
        pen_param_set(param, record, value->number, NULL);
}

/* Writes the value of a text that replaced several parameters. 0: it replaced none. */
static int join(const struct part *p, const pen_json *item, const char *today,
                char text[PEN_PARAM_SIZE])
{
    union {
        pen_common common; /* the other records are members of it, except the rules */
        pen_reconstruction_rules rules;
    } record = { .common = { .dim = 0 } };
    int joined = strcmp(item->name + p->size, today) != 0;
    size_t t = 0;

    while (t < TEXTS && strcmp(texts[t].name, today) != 0)
        t++;
    if (t == TEXTS)
        return 0;
    const pen_text_form *const form = texts[t].form;
    const pen_param whole = {
        .name = today, .type = PEN_PARAM_TEXT, .syntax = today, .form = form
    };
    pen_params_reset(form->parts, &record, NULL);
    set(&whole, &record, item);
    for (int i = 0; form->parts[i].name; i++) {
        const pen_json *const part = find(p, texts[t].parts[i]);
        set(&form->parts[i], &record, part);
        joined |= part != NULL;
    }
    pen_text_write(form, &record, text);
    return joined;
}

static void add_value(const struct part *p, const pen_json *item, const char *today,
                      pen_string *text)
{
    const pen_json *const half = find(p, "half");
    char value[PEN_PARAM_SIZE];
    double number;

    if (strcmp(item->name + p->size, "only_if_no_enemy") == 0) {
        pen_text_add_json(text, item->number != 0 ? "unlinked" : "all");
    } else if (join(p, item, today, value)) {
        if (pen_number_is(value, strlen(value), &number))
            pen_text_add_string(text, value);
        else
            pen_text_add_json(text, value);
    } else if (half && half->number != 0
               && (strcmp(today, "alpha") == 0 || strcmp(today, "beta") == 0)) {
        pen_number_write(item->number / 2, value);
        pen_text_add_string(text, value);
    } else {
        pen_text_add(text, item->source, item->source_size);
    }
}

void pen_renew_parameters(const pen_json *object, const char *method, pen_string *text)
{
    char key[160];

    pen_text_add_string(text, "{");
    for (const pen_json *item = object->first; item; item = item->next) {
        const char *const dot = strrchr(item->name, '.'), *const name = dot ? dot + 1 : item->name;
        const struct part p = { object, item->name, (size_t)(name - item->name) };
        const char *const last = strrchr(method, ':'), *const own = last ? last + 1 : method;
        const size_t i =
            dot ? place_of(item->name, p.size - 1, name) : place_of(own, strlen(own), name);
        const char *const today = i < PARAMS ? params[i].name : name;
        if (!today || (today != name && strcmp(today, name) != 0 && find(&p, today)))
            continue; /* merged or removed; or both the method and the classifier had it */
        snprintf(key, sizeof key, "%.*s%s", (int)p.size, p.prefix, today);
        pen_text_add_key(text, key);
        add_value(&p, item, today, text);
    }
    pen_text_add_string(text, "}");
}
