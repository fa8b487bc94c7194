/* old_names.c - names of version 0.1.0. */
#include "model/old_names.h"

#include "core/number.h"

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

/* In the order in which they are looked up; a value of another form is written by a function
 * below. */
static const struct {
    const char *method; /* NULL: every method */
    const char *old;
    const char *name; /* NULL: part of another, or gone */
    const char *says; /* what to set today; NULL: the name */
} params[] = {
    { NULL, "normalize", NULL, "row_steps l2" },
    { NULL, "row_total", NULL, "row_steps total:median or total:NUMBER" },
    { NULL, "log1p", NULL, "row_steps log1p" },
    { NULL, "idf", NULL, "row_steps idf" },
    { NULL, "snv", NULL, "row_steps snv" },
    { NULL, "derivative", NULL, "row_steps derivative:WINDOW" },
    { NULL, "select", NULL, "row_steps select:COLUMNS" },
    { NULL, "pca_most", NULL, "pca with a fraction and that number, as 0.99:100" },
    { NULL, "kernel_choice", NULL, "kernel_landmarks random:NUMBER" },
    { NULL, "kernel_coef0", NULL, "1, always" },
    { NULL, "kernel_seed", "seed", NULL },
    { NULL, "reader", "classifier", NULL },
    { NULL, "reader_neighbors", NULL, "classifier neighbors:NUMBER" },
    { NULL, "classifier_neighbors", NULL, "classifier neighbors:NUMBER" },
    { NULL, "reader_prior", "prior", NULL },
    { NULL, "classifier_prior", "prior", NULL },
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
    { "rssdr", "landmark_mode", NULL,
      "space relative:LANDMARKS, of which distances are estimated" },
    { "ssdr", "half", NULL, "alpha and beta, each halved" },
    { "saloe", "strict", NULL, "a note, within_neighbors_used" },
    { "salwe", "strict", NULL, "a note, within_neighbors_used" },
    { NULL, "landmarks", NULL, NULL }, /* of a space that only rssdr has kept */
    { NULL, "landmark_mode", NULL, NULL },
};
enum { PARAMS = sizeof params / sizeof *params };

/* Its place among those above; PARAMS: it has its name of today. */
static size_t place_of(const char *method, size_t length, const char *name)
{
    size_t i = 0;

    while (i < PARAMS
           && (strcmp(params[i].old, name) != 0
               || (params[i].method
                   && (strlen(params[i].method) != length
                       || strncmp(params[i].method, method, length) != 0))))
        i++;
    return i;
}

const char *pen_param_today(const char *method, const char *name)
{
    char plain[64] = "";

    for (size_t i = 0; name[i] && i + 1 < sizeof plain; i++)
        plain[i] = (char)(name[i] == '-' ? '_' : name[i]);
    const size_t i = place_of(method, strlen(method), plain);
    return i == PARAMS ? NULL : params[i].says ? params[i].says : params[i].name;
}

/* ---- in a file ---- */

/* The parameters of one of the methods of a model. */
struct part {
    const pen_json *object;
    const char *prefix; /* "pca." [size], or "" */
    size_t size;
};

static const pen_json *find(const struct part *p, const char *name)
{
    const pen_json *item = p->object->first;

    while (item
           && (strncmp(item->name, p->prefix, p->size) != 0
               || strcmp(item->name + p->size, name) != 0))
        item = item->next;
    return item;
}

static int is_text(const pen_json *item, const char *text)
{
    return pen_json_is(item, PEN_JSON_STRING) && strcmp(item->text, text) == 0;
}

static int is_on(const struct part *p, const char *name)
{
    const pen_json *const item = find(p, name);

    return pen_json_is(item, PEN_JSON_FLAG) && item->number != 0;
}

/* Appends "name:number" if the parameter has a number, or one of its words. */
static void add_step(const struct part *p, const char *param, const char *step, const char *word,
                     char *list, size_t size)
{
    const pen_json *const item = find(p, param);
    const size_t used = strlen(list);
    char number[PEN_NUMBER_SIZE];

    if (pen_json_is(item, PEN_JSON_NUMBER) && item->number > 0)
        pen_number_write(item->number, number);
    else if (word && is_text(item, word))
        snprintf(number, sizeof number, "%s", word);
    else
        return;
    snprintf(list + used, size - used, "%s%s:%s", used ? "," : "", step, number);
}

static void add_flag(const struct part *p, const char *name, char *list, size_t size)
{
    const size_t used = strlen(list);

    if (is_on(p, name))
        snprintf(list + used, size - used, "%s%s", used ? "," : "", name);
}

static void join_steps(const struct part *p, char *list, size_t size)
{
    add_step(p, "row_total", "total", "median", list, size);
    add_flag(p, "log1p", list, size);
    add_flag(p, "idf", list, size);
    add_flag(p, "snv", list, size);
    add_step(p, "derivative", "derivative", NULL, list, size);
    add_step(p, "select", "select", NULL, list, size);
    if (is_text(find(p, "normalize"), "l2"))
        snprintf(list + strlen(list), size - strlen(list), "%sl2", *list ? "," : "");
}

/* "VALUE:NUMBER" of two parameters, if the second has a number. */
static int join(const pen_json *value, const pen_json *number, char *text, size_t size)
{
    char first[PEN_NUMBER_SIZE], second[PEN_NUMBER_SIZE];

    if (!pen_json_is(number, PEN_JSON_NUMBER) || !value)
        return 0;
    pen_number_write(value->number, first);
    pen_number_write(number->number, second);
    snprintf(text, size, "%.40s:%s", value->text ? value->text : first, second);
    return 1;
}

/* The value of a parameter that took others in, where it is another today. */
static int took_in(const struct part *p, const pen_json *item, const char *name, char *text,
                   size_t size)
{
    static const char random[] = "random:1000"; /* of auto: at most as many rows */
    char number[PEN_NUMBER_SIZE];

    *text = '\0';
    if (strcmp(name, "normalize") == 0) {
        join_steps(p, text, size);
        return 1;
    }
    if (strcmp(name, "pca") == 0)
        return join(item, find(p, "pca_most"), text, size);
    if (strcmp(name, "kernel_landmarks") == 0 && is_text(find(p, "kernel_choice"), "random")) {
        pen_number_write(item->number, number);
        snprintf(text, size, "%s%s", item->text ? random : "random:", item->text ? "" : number);
        return 1;
    }
    if ((strcmp(name, "classifier") == 0 || strcmp(name, "reader") == 0)
        && is_text(item, "neighbors"))
        return join(item,
                    find(p, "reader_neighbors") ? find(p, "reader_neighbors")
                                                : find(p, "classifier_neighbors"),
                    text, size);
    if (strcmp(name, "space") == 0 && is_text(item, "relative"))
        return join(item, find(p, "landmarks"), text, size);
    if (strcmp(name, "landmarks") == 0) {
        add_step(p, name, "relative", NULL, text, size);
        if (!*text)
            snprintf(text, size, "relative");
        return 1;
    }
    if (strcmp(name, "only_if_no_enemy") == 0) {
        snprintf(text, size, "%s", item->number != 0 ? "unlinked" : "all");
        return 1;
    }
    return 0;
}

static void add_value(const struct part *p, const pen_json *item, const char *name,
                      pen_string *text)
{
    const int halved =
        (strcmp(name, "alpha") == 0 || strcmp(name, "beta") == 0) && is_on(p, "half");
    char value[PEN_NUMBER_SIZE * 4];

    if (took_in(p, item, name, value, sizeof value)) {
        pen_text_add_json(text, value);
    } else if (halved) {
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
        const char *const of = dot ? item->name : own;
        const size_t length = dot ? p.size - 1 : strlen(own), i = place_of(of, length, name);
        const int steps = strcmp(name, "normalize") == 0;
        const char *const today = steps ? "row_steps" : i < PARAMS ? params[i].name : name;
        const int space = strcmp(name, "space") == 0 && strncmp(of, "rssdr", length) != 0;
        if (!today || space || (i < PARAMS && find(&p, today)))
            continue; /* it is in another, or gone; or both the method and the classifier had it */
        snprintf(key, sizeof key, "%.*s%s", (int)p.size, p.prefix, today);
        pen_text_add_key(text, key);
        add_value(&p, item, name, text);
    }
    pen_text_add_string(text, "}");
}
