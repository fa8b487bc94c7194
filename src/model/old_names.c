/* old_names.c - names of version 0.1.0. */
#include "model/old_names.h"

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
    { "reader_neighbors", "classifier_neighbors" },
    { "reader_prior", "prior" },
    { "reader_temperature", "temperature" },
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
    pen_json *last = NULL;

    for (pen_json *item = (pen_json *)object->first; item; item = (pen_json *)item->next) {
        const char *const name = pen_name_of_today(item->name);
        if (name != item->name && pen_json_member(object, name) && last) {
            last->next = item->next; /* both the method and the classifier had a prior */
            object->count--;
            continue;
        }
        item->name = name;
        last = item;
    }
}

void pen_renewed_text(const pen_json *object, pen_string *text)
{
    pen_text_add_string(text, "{");
    for (const pen_json *item = object->first; item; item = item->next) {
        pen_text_add_key(text, item->name);
        pen_text_add(text, item->source, item->source_size);
    }
    pen_text_add_string(text, "}");
}
