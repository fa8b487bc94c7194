/* reading.c - how rows are read: told by a table, kept by a model, and followed by later files.
 *
 * What a file is read by is a JSON object in the words of pen_read_options, and holds what was
 * given: {"columns": 66, "label_column": ["class"], "drop": ["id", 3], "decimal": ","}. A column is
 * its name, or its place in files of as many columns. */
#include "io/reading.h"

#include "core/number.h"
#include "core/textbuf.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_SIZE = 48, SHOWN_SIZE = 96 };

/* Columns that are no values. */
enum { LABELS, GROUPS, NAMES, DROP, CARRY, USES };
static const struct {
    const char *key;
    enum pen_role role;
} uses[USES] = { { "label_column", PEN_COLUMN_LABEL },
                 { "group_column", PEN_COLUMN_GROUP },
                 { "name_column", PEN_COLUMN_ROW_NAME },
                 { "drop", PEN_COLUMN_DROPPED },
                 { "carry", PEN_COLUMN_CARRIED } };

/* ---- what a table tells ---- */

/* The only column of that name; NULL: it has none, or shares it. */
static pen_status name_of(pen_run *run, const pen_columns *all, int64_t column, char **out)
{
    const pen_text name = all->header ? all->header[column] : (pen_text){ NULL, 0 };

    *out = NULL;
    for (int64_t j = 0; all->header && j < all->count; j++)
        if (j != column && pen_text_equal(all->header[j], name))
            return PEN_OK;
    if (name.length == 0)
        return PEN_OK;
    PEN_TRY(PEN_NEW(run, *out, (int64_t)name.length + 1));
    memcpy(*out, name.start, name.length);
    (*out)[name.length] = '\0';
    return PEN_OK;
}

/* names [all->count]; NULL: by its place. A first column without a name is none. */
static void add_columns(pen_string *text, const pen_columns *all, char *const *names)
{
    for (int u = 0; u < USES; u++) {
        int some = 0;
        for (int64_t j = 0; j < all->count; j++) {
            if (all->roles[j] != uses[u].role || (j == 0 && all->header && !all->header[0].length))
                continue;
            if (!some++)
                pen_text_add_plain(text, uses[u].key, "[");
            if (names[j])
                pen_text_add_member(text, NULL, names[j]);
            else
                pen_text_add_count(text, NULL, j);
        }
        if (some)
            pen_text_add_string(text, "]");
    }
}

static void add_sign(pen_string *text, const char *key, char sign)
{
    if (sign)
        pen_text_add_member(text, key, (const char[]){ sign, '\0' });
}

static void add_texts(pen_string *text, const char *key, const char *const *texts, int64_t count)
{
    pen_text_add_plain(text, key, "[");
    for (int64_t i = 0; i < count; i++)
        pen_text_add_member(text, NULL, texts[i]);
    pen_text_add_string(text, "]");
}

static void add_options(pen_string *text, const pen_read_options *options)
{
    if (options->header)
        pen_text_add_member(text, "header", options->header > 0 ? "yes" : "no");
    add_sign(text, "decimal", options->decimal);
    add_sign(text, "delimiter", options->delimiter);
    add_sign(text, "comment", options->comment);
    if (options->skip > 0)
        pen_text_add_count(text, "skip", options->skip);
    if (options->transpose)
        pen_text_add_flag(text, "transpose", 1);
    if (options->na_count > 0)
        add_texts(text, "na", options->na, options->na_count);
    if (options->unlabelled)
        add_texts(text, "unlabelled", options->unlabelled, options->unlabelled_count);
}

pen_status pen_reading_tell(pen_run *run, const pen_read_options *options, const pen_columns *all,
                            pen_table *table)
{
    pen_string text = { .data = NULL };
    char **names, **kept, *whole;

    PEN_TRY(PEN_NEW(run, names, all->count));
    for (int64_t j = 0; j < all->count; j++)
        if (all->roles[j] != PEN_COLUMN_VALUE && all->roles[j] != PEN_COLUMN_LEFT_OUT)
            PEN_TRY(name_of(run, all, j, &names[j]));
    pen_text_add_string(&text, "{");
    pen_text_add_count(&text, "columns", all->count);
    const size_t nothing = text.size;
    add_columns(&text, all, names);
    add_options(&text, options);
    if (text.size == nothing && !text.failed) {
        free(text.data);
        return PEN_OK;
    }
    pen_text_add_string(&text, "}");
    PEN_TRY(pen_text_finish(run, &text, &whole));
    const pen_text one = pen_text_of(whole);
    const pen_status status = pen_table_keep_texts(run, table, &one, 1, &kept);
    table->reading = status == PEN_OK ? kept[0] : NULL;
    free(whole);
    return status;
}

/* ---- what a model remembers ---- */

/* Value `index` of a list, or for -1 the value itself: a number, or a text; the other one stays. 0:
 * there is none. */
static int remembered(const pen_model *model, const char *key, int64_t index, double *number,
                      const char **text)
{
    char path[KEY_SIZE];
    const char *kept;
    double value;

    snprintf(path, sizeof path, "reading.%s", key);
    if (index >= 0)
        snprintf(path + strlen(path), sizeof path - strlen(path), ".%lld", (long long)index);
    if (!pen_model_value(model, path, &value, &kept))
        return 0;
    if (isnan(value) && text)
        *text = kept;
    if (!isnan(value) && number)
        *number = value;
    return 1;
}

static int64_t count_of(const pen_model *model, const char *key)
{
    int64_t count = 0;

    while (remembered(model, key, count, NULL, NULL))
        count++;
    return count;
}

static pen_status differs(pen_run *run, const char *key, const char *kept, const char *got)
{
    pen_fail(run, PEN_BAD_ARGUMENT,
             "%s must be \"%s\" as in the fit of the model, got \"%s\": leave it out", key, kept,
             got);
    return pen_hint(run, PEN_BAD_ARGUMENT, PEN_HINT_MODEL);
}

/* *text: what is given, or "". must: it must not differ. */
static pen_status recall_text(pen_run *run, const pen_model *model, const char *key, int must,
                              const char **text)
{
    const char *kept = NULL;

    if (!remembered(model, key, -1, NULL, &kept) || !kept)
        return PEN_OK;
    if (must && **text && strcmp(*text, kept) != 0)
        return differs(run, key, kept, *text);
    *text = **text ? *text : kept;
    return PEN_OK;
}

static pen_status recall_sign(pen_run *run, const pen_model *model, const char *key, int must,
                              char *sign)
{
    const char given[] = { *sign, '\0' }, *text = given;

    PEN_TRY(recall_text(run, model, key, must, &text));
    *sign = *text;
    return PEN_OK;
}

static const char *list_texts(const char *const *texts, int64_t count, char list[SHOWN_SIZE])
{
    list[0] = '\0';
    for (int64_t i = 0; i < count; i++)
        pen_list_add(list, SHOWN_SIZE, pen_text_of(texts[i]));
    return list;
}

/* *list NULL: none is given. */
static pen_status recall_texts(pen_run *run, const pen_model *model, const char *key,
                               const char *const **list, int64_t *count)
{
    char of_fit[SHOWN_SIZE], given[SHOWN_SIZE];
    const int64_t kept = count_of(model, key);
    const char **texts;

    if (!remembered(model, key, -1, NULL, NULL))
        return PEN_OK;
    PEN_TRY(PEN_NEW(run, texts, kept + 1));
    int same = !*list || *count == kept;
    for (int64_t i = 0; i < kept; i++) {
        texts[i] = "";
        remembered(model, key, i, NULL, &texts[i]);
        same = same && (!*list || strcmp((*list)[i], texts[i]) == 0);
    }
    if (!same)
        return differs(run, key, list_texts(texts, kept, of_fit), list_texts(*list, *count, given));
    *list = texts;
    *count = kept;
    return PEN_OK;
}

/* Missing values are treated as in the fit: by its means, which the model has; or their rows are
 * dropped, or kept without a result. */
static pen_status recall_missing(pen_run *run, pen_read_options *out)
{
    const int keeps = out->missing == PEN_MISSING_KEEP;
    const char *of_fit = "error";

    PEN_REQUIRE(run, out->missing == PEN_MISSING_ERROR || keeps, PEN_BAD_ARGUMENT,
                "missing must be error, for what the model says, or keep");
    pen_model_value(out->model, "missing", NULL, &of_fit);
    out->missing = strcmp(of_fit, "error") == 0            ? PEN_MISSING_ERROR
                   : strcmp(of_fit, "drop") == 0 && !keeps ? PEN_MISSING_DROP
                                                           : PEN_MISSING_KEEP;
    return PEN_OK;
}

/* The columns that were learned from, by their names if they have any; or, with those that were
 * dropped by their places, those of a file that has no more. */
static pen_status select_columns(pen_run *run, pen_read_options *out)
{
    const int64_t dropped = out->drop_count > 0 ? 0 : count_of(out->model, "drop");
    const char **names;
    double place = -1, columns = 0;

    out->columns = pen_model_columns(out->model);
    remembered(out->model, "drop", 0, &place, NULL);
    remembered(out->model, "columns", -1, &columns, NULL);
    if (place >= 0 && columns == (double)(out->columns + dropped))
        out->columns += dropped;
    out->ignore_names |= !pen_model_column_name(out->model, 0);
    if (out->ignore_names)
        return PEN_OK;
    const int64_t count = pen_model_columns(out->model);
    PEN_TRY(PEN_NEW(run, names, count));
    for (int64_t j = 0; j < count; j++)
        names[j] = pen_model_column_name(out->model, j);
    out->select = names;
    out->select_count = count;
    return PEN_OK;
}

pen_status pen_reading_recall_marks(pen_run *run, const pen_read_options *given,
                                    pen_read_options *out)
{
    *out = *given;
    return !out->model ? PEN_OK
                       : recall_texts(run, out->model, "unlabelled", &out->unlabelled,
                                      &out->unlabelled_count);
}

pen_status pen_reading_recall(pen_run *run, const pen_read_options *given, pen_read_options *out)
{
    const pen_model *const model = given->model;
    const char *header = given->header < 0 ? "no" : given->header > 0 ? "yes" : "";
    double skip = 0;

    PEN_TRY(pen_reading_recall_marks(run, given, out));
    if (!model)
        return PEN_OK;
    PEN_TRY(recall_text(run, model, "header", 1, &header));
    out->header = (strcmp(header, "yes") == 0) - (strcmp(header, "no") == 0);
    PEN_TRY(recall_sign(run, model, "decimal", 1, &out->decimal));
    PEN_TRY(recall_sign(run, model, "delimiter", 0, &out->delimiter));
    PEN_TRY(recall_sign(run, model, "comment", 0, &out->comment));
    if (remembered(model, "skip", -1, &skip, NULL) && out->skip == 0 && skip > 0 && skip < INT_MAX)
        out->skip = (int64_t)skip;
    out->transpose |= remembered(model, "transpose", -1, NULL, NULL);
    PEN_TRY(recall_texts(run, model, "na", &out->na, &out->na_count));
    PEN_TRY(recall_missing(run, out));
    return select_columns(run, out);
}

/* ---- the columns that it remembers ---- */

int pen_reading_names(const pen_model *model, int (*is_name)(const void *, const char *),
                      const void *context)
{
    const char *name = "";

    for (int u = 0; u < USES; u++)
        for (int64_t i = 0; remembered(model, uses[u].key, i, NULL, &name); i++)
            if (is_name(context, name))
                return 1;
    return 0;
}

/* The column of this file; -1: it has none. A place counts in files of as many columns. */
static int64_t find(const pen_columns *all, const pen_model *model, const char *key, int64_t index)
{
    const char *name = NULL;
    double place = -1, columns = -1;

    remembered(model, key, index, &place, &name);
    remembered(model, "columns", -1, &columns, NULL);
    for (int64_t j = 0; name && all->header && j < all->count; j++)
        if (pen_text_equal(all->header[j], pen_text_of(name)))
            return j;
    return !name && columns == (double)all->count && place >= 0 && place < columns ? (int64_t)place
                                                                                   : -1;
}

/* Those of one use. given [count]: the columns of that use which the options name. Others may be
 * for labels, groups and names: those of the fit are then no values either. */
static pen_status recall_columns(pen_run *run, const pen_read_options *options, int use,
                                 const char *const *given, int64_t count, pen_columns *all)
{
    const int must = use == DROP || use == CARRY;
    const enum pen_role role = uses[use].role,
                        then = (count > 0 && !must) || use == GROUPS ? PEN_COLUMN_DROPPED : role;
    char of_fit[SHOWN_SIZE] = "", got[SHOWN_SIZE], place[PEN_NUMBER_SIZE];
    const int64_t kept = count_of(options->model, uses[use].key);
    int64_t others = count, found = 0;

    for (int64_t i = 0; i < kept; i++) {
        const int64_t j = find(all, options->model, uses[use].key, i);
        const char *name = NULL;
        double number = 0;
        remembered(options->model, uses[use].key, i, &number, &name);
        snprintf(place, sizeof place, "#%.0f", number);
        pen_list_add(of_fit, sizeof of_fit, pen_text_of(name ? name : place));
        others -= j >= 0 && all->roles[j] == role;
        found += j >= 0;
        if (j >= 0 && all->roles[j] == PEN_COLUMN_VALUE) {
            others = count + 1;
            all->roles[j] = (unsigned char)then;
        }
    }
    for (int64_t j = 0; use == LABELS && count == 0 && found < kept && j < all->count; j++)
        if (all->roles[j] == PEN_COLUMN_LABEL) /* of some classes tell no labels */
            all->roles[j] = PEN_COLUMN_DROPPED;
    if (!must || count == 0 || kept == 0 || others == 0)
        return PEN_OK;
    return differs(run, uses[use].key, of_fit, list_texts(given, count, got));
}

pen_status pen_reading_columns(pen_run *run, const pen_read_options *options, pen_columns *all)
{
    const struct {
        const char *const *names;
        int64_t count;
    } given[USES] = { { &options->label_column, options->label_column != NULL },
                      { &options->group_column, options->group_column != NULL },
                      { &options->name_column, options->name_column != NULL },
                      { options->drop, options->drop_count },
                      { options->carry, options->carry_count } };

    for (int use = USES; options->model && use-- > 0;)
        PEN_TRY(recall_columns(run, options, use, given[use].names, given[use].count, all));
    return PEN_OK;
}
