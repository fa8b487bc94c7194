/* categorical_file.c - the columns of a model that stand for words, in its file. */
#include "model/categorical_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- in a model ---- */

/* Copy a text to *next, which moves past it. */
static const char *put_text(const char *text, char **next)
{
    char *const copy = *next;

    strcpy(copy, text);
    *next += strlen(text) + 1;
    return copy;
}

/* The list, then the lists of categories, then all texts, in one block of memory. */
pen_status pen_model_keep_categorical(pen_run *run, const pen_categorical *list, int64_t count,
                                      pen_model *model)
{
    int64_t names = 0, characters = 0;

    if (count == 0)
        return PEN_OK;
    for (int64_t i = 0; i < count; i++) {
        names = pen_plus(names, list[i].count);
        if (list[i].column)
            characters = pen_plus(characters, (int64_t)strlen(list[i].column) + 1);
        for (int64_t c = 0; c < list[i].count; c++)
            characters = pen_plus(characters, (int64_t)strlen(list[i].categories[c]) + 1);
    }
    const int64_t head = pen_plus(pen_times(count, (int64_t)sizeof *list),
                                  pen_times(names, (int64_t)sizeof(char *)));
    pen_categorical *const copy = pen_keep(run, pen_plus(head, characters), 1);
    if (!copy)
        return PEN_NO_MEMORY;
    const char **name = (const char **)(void *)(copy + count);
    char *text = (char *)copy + head;
    for (int64_t i = 0; i < count; i++) {
        copy[i] = list[i];
        copy[i].column = list[i].column ? put_text(list[i].column, &text) : NULL;
        copy[i].categories = name;
        for (int64_t c = 0; c < list[i].count; c++)
            *name++ = put_text(list[i].categories[c], &text);
    }
    model->categorical = copy;
    model->categorical_count = count;
    return PEN_OK;
}

/* ---- in a file ---- */

void pen_categorical_file_add(pen_string *text, const pen_model *model)
{
    pen_string list = { .data = NULL };

    pen_text_add_string(&list, "[");
    for (int64_t i = 0; i < model->categorical_count; i++) {
        const pen_categorical *const item = &model->categorical[i];
        pen_text_add_string(&list, i ? ",{" : "{");
        if (item->column)
            pen_text_add_member(&list, "column", item->column);
        pen_text_add_number(&list, "first", (double)item->first);
        pen_text_add_key(&list, "categories");
        for (int64_t c = 0; c < item->count; c++) {
            pen_text_add_string(&list, c ? "," : "[");
            pen_text_add_json(&list, item->categories[c]);
        }
        pen_text_add_string(&list, "]}");
    }
    pen_text_add_string(&list, "]");
    text->failed |= list.failed;
    if (!list.failed)
        pen_text_add_member(text, "one_hot", list.data);
    free(list.data);
}

/* One column: categories [its count], borrowed from the JSON. */
static pen_status read_column(const pen_model_source *s, const pen_json *object, int64_t least,
                              int64_t cols, pen_categorical *out)
{
    const pen_json *const column = pen_json_member(object, "column"), *const list = pen_json_member(
                                                                          object, "categories");
    const char **categories;
    double first;

    REFUSE_UNLESS(s,
                  pen_json_is(object, PEN_JSON_OBJECT) && pen_json_is(list, PEN_JSON_ARRAY)
                      && list->count > 0 && list->count <= cols
                      && (!column || pen_json_is(column, PEN_JSON_STRING)),
                  "%s: metadata \"one_hot\" must be a list of columns with categories", s->name);
    PEN_TRY(pen_source_number(s, "one_hot", object, "first", (double)least,
                              (double)(cols - list->count), &first));
    REFUSE_UNLESS(s, first == floor(first),
                  "%s: metadata \"one_hot\": first must be a whole number", s->name);
    PEN_TRY(PEN_NEW(s->run, categories, list->count));
    int64_t c = 0;
    for (const pen_json *item = list->first; item; item = item->next) {
        REFUSE_UNLESS(s, pen_json_is(item, PEN_JSON_STRING),
                      "%s: metadata \"one_hot\": categories must be strings", s->name);
        categories[c++] = item->text;
    }
    *out = (pen_categorical){ .column = column ? column->text : NULL,
                              .first = (int64_t)first,
                              .count = c,
                              .categories = categories };
    return PEN_OK;
}

static pen_status read_list(const pen_model_source *s, const pen_json *list, pen_model *model)
{
    pen_categorical *columns;
    int64_t count = 0, least = 0;

    REFUSE_UNLESS(s, pen_json_is(list, PEN_JSON_ARRAY) && list->count > 0,
                  "%s: metadata \"one_hot\" must be a list of columns with categories", s->name);
    PEN_TRY(PEN_NEW(s->run, columns, list->count));
    for (const pen_json *item = list->first; item; item = item->next) {
        PEN_TRY(read_column(s, item, least, pen_model_input_dim(model), &columns[count]));
        least = columns[count].first + columns[count].count;
        count++;
    }
    return pen_model_keep_categorical(s->run, columns, count, model);
}

pen_status pen_categorical_file_read(const pen_model_source *s, const pen_json *metadata,
                                     pen_model *model)
{
    const char *text = NULL;
    pen_json *list;

    PEN_TRY(pen_source_text(s, metadata, "one_hot", &text));
    PEN_TRY(pen_source_json(s, "one_hot", text, &list));
    const pen_status status = read_list(s, list, model);
    free(list);
    return status;
}
