/* reading.c - how rows are read: a table records it, a model stores it, later files follow it.
 *
 * The record is a JSON object of the pen_read_options that were set: {"columns": 66,
 * "label_column": ["class"], "drop": ["id", 3], "decimal": ","}. A column is its name or, without a
 * unique name, its position in files with as many columns. Options of the call come first, and the
 * look of a file overrides the record. */
#include "io/table/reading.h"

#include "core/json.h"
#include "core/textbuf.h"
#include "io/table/row_table.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Uses of columns other than values. */
enum { LABELS, GROUPS, NAMES, DROP, CARRY, USES };
static const struct {
    const char *key;
    enum pen_role role;
} uses[USES] = { { "label_column", PEN_COLUMN_LABEL },
                 { "group_column", PEN_COLUMN_GROUP },
                 { "name_column", PEN_COLUMN_ROW_NAME },
                 { "drop", PEN_COLUMN_DROPPED },
                 { "carry", PEN_COLUMN_CARRIED } };

/* ---- the record of a table ---- */

/* names [all->count]: the names that only one column has; otherwise NULL. */
static pen_status own_names(pen_run *run, const pen_columns *all, char ***names)
{
    pen_named *sorted = NULL;
    int64_t count = 0;

    PEN_TRY(PEN_NEW(run, *names, all->count));
    for (int64_t j = 0; j < all->count; j++)
        (*names)[j] = NULL;
    if (all->header)
        PEN_TRY(pen_sort_names(run, all, 1, &sorted, &count));
    for (int64_t i = 0; i < count; i++) {
        const pen_text name = all->header[sorted[i].column];
        const int shared = (i > 0 && pen_by_name(&sorted[i - 1], &sorted[i]) == 0)
                           || (i + 1 < count && pen_by_name(&sorted[i], &sorted[i + 1]) == 0);
        char **const own = &(*names)[sorted[i].column];
        const int role = all->roles[sorted[i].column];
        if (shared || name.length == 0 || role == PEN_COLUMN_VALUE || role == PEN_COLUMN_LEFT_OUT)
            continue;
        PEN_TRY(PEN_NEW(run, *own, (int64_t)name.length + 1));
        memcpy(*own, name.start, name.length);
        (*own)[name.length] = '\0';
    }
    return PEN_OK;
}

static void add_columns(pen_string *text, const pen_columns *all, char *const *names)
{
    for (int u = 0; u < USES; u++) {
        int some = 0;
        for (int64_t j = all->indexed; j < all->count; j++) {
            if (all->roles[j] != uses[u].role)
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

    PEN_TRY(own_names(run, all, &names));
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

/* ---- the record in a model ---- */

/* *out NULL: the model has no record. */
static pen_status remembered(pen_run *run, const pen_model *model, const pen_json **out)
{
    const char *text = NULL;
    pen_json *tree = NULL;

    *out = NULL;
    PEN_REQUIRE(run, !model || pen_model_info(model), PEN_NO_MEMORY, "out of memory");
    if (model && pen_model_value(model, "reading", NULL, &text))
        PEN_TRY(pen_json_parse(run, "model", "reading", text, strlen(text), &tree));
    *out = tree;
    return PEN_OK;
}

static const pen_json *first_of(const pen_json *reading, const char *key)
{
    const pen_json *const list = pen_json_member(reading, key);

    return pen_json_is(list, PEN_JSON_ARRAY) ? list->first : NULL;
}

/* "" if the key is absent. */
static const char *text_of(const pen_json *reading, const char *key)
{
    const pen_json *const value = pen_json_member(reading, key);

    return pen_json_is(value, PEN_JSON_STRING) ? value->text : "";
}

/* 0 if the key is absent. */
static int64_t count_of(const pen_json *reading, const char *key)
{
    const pen_json *const value = pen_json_member(reading, key);
    const int fits = pen_json_is(value, PEN_JSON_NUMBER) && value->number > 0
                     && value->number < INT_MAX && value->number == floor(value->number);

    return fits ? (int64_t)value->number : 0;
}

static char sign_of(char given, const pen_json *reading, const char *key, const char *signs)
{
    const char sign = *text_of(reading, key);

    return given || !sign || !strchr(signs, sign) ? given : sign;
}

/* Appends the texts of `key` to *list [*count]. */
static pen_status add_remembered(pen_run *run, const pen_json *reading, const char *key,
                                 const char *const **list, int64_t *count)
{
    const pen_json *const first = first_of(reading, key);
    int64_t all = *count;
    const char **texts;

    for (const pen_json *item = first; item; item = item->next)
        all++;
    PEN_TRY(PEN_NEW(run, texts, pen_max(1, all)));
    for (int64_t i = 0; i < *count; i++)
        texts[i] = (*list)[i];
    for (const pen_json *item = first; item; item = item->next)
        texts[(*count)++] = item->text ? item->text : "";
    *list = texts;
    return PEN_OK;
}

static pen_status recall_marks(pen_run *run, const pen_json *reading, pen_read_options *out)
{
    if (out->unlabelled || !pen_json_member(reading, "unlabelled"))
        return PEN_OK;
    out->unlabelled_count = 0;
    return add_remembered(run, reading, "unlabelled", &out->unlabelled, &out->unlabelled_count);
}

pen_status pen_reading_recall_marks(pen_run *run, const pen_read_options *given,
                                    pen_read_options *out)
{
    const pen_json *reading;

    *out = *given;
    PEN_TRY(remembered(run, given->model, &reading));
    return recall_marks(run, reading, out);
}

/* Missing values are treated as in the fit: by means from the model; or their rows are dropped, or
 * kept without a result. */
static pen_status recall_missing(pen_run *run, pen_read_options *out)
{
    const int keeps = out->missing == PEN_MISSING_KEEP;
    const char *of_fit = "error";

    PEN_REQUIRE(run, out->missing == PEN_MISSING_ERROR || keeps, PEN_BAD_ARGUMENT,
                "missing must be error, to follow the model, or keep");
    pen_model_value(out->model, "missing", NULL, &of_fit);
    out->missing = strcmp(of_fit, "error") == 0            ? PEN_MISSING_ERROR
                   : strcmp(of_fit, "drop") == 0 && !keeps ? PEN_MISSING_DROP
                                                           : PEN_MISSING_KEEP;
    return PEN_OK;
}

/* Selects the columns of the fit, by name if they have names. */
static pen_status select_columns(pen_run *run, pen_read_options *out)
{
    const char **names;

    out->columns = pen_model_columns(out->model);
    out->ignore_names |= !pen_model_column_name(out->model, 0);
    if (out->ignore_names)
        return PEN_OK;
    PEN_TRY(PEN_NEW(run, names, out->columns));
    for (int64_t j = 0; j < out->columns; j++)
        names[j] = pen_model_column_name(out->model, j);
    out->select = names;
    out->select_count = out->columns;
    return PEN_OK;
}

pen_status pen_reading_recall(pen_run *run, const pen_read_options *given, pen_read_options *out)
{
    const pen_json *reading;

    *out = *given;
    if (!given->model)
        return PEN_OK;
    PEN_TRY(remembered(run, given->model, &reading));
    PEN_TRY(recall_marks(run, reading, out));
    out->decimal = sign_of(out->decimal, reading, "decimal", ".,");
    out->comment = sign_of(out->comment, reading, "comment", PEN_COMMENT_SIGNS);
    PEN_TRY(add_remembered(run, reading, "na", &out->na, &out->na_count));
    PEN_TRY(recall_missing(run, out));
    return select_columns(run, out);
}

/* ---- the lines of a text ---- */

pen_status pen_reading_lines(pen_run *run, const pen_model *model, pen_fit_lines *out)
{
    const pen_json *reading;

    PEN_TRY(remembered(run, model, &reading));
    *out = (pen_fit_lines){ .is_known = reading != NULL,
                            .columns = count_of(reading, "columns"),
                            .delimiter = sign_of('\0', reading, "delimiter", PEN_DELIMITERS),
                            .skip = count_of(reading, "skip"),
                            .transpose = pen_json_member(reading, "transpose") != NULL };
    return PEN_OK;
}

/* A header with the names of the model needs no hint. */
pen_status pen_reading_header(pen_run *run, const pen_read_options *options, int *header)
{
    const pen_json *reading;

    PEN_TRY(remembered(run, options->model, &reading));
    const char *const word = text_of(reading, "header");
    *header = strcmp(word, "no") == 0                                  ? -1
              : strcmp(word, "yes") == 0 && options->select_count == 0 ? 1
                                                                       : 0;
    return PEN_OK;
}

/* ---- the columns ---- */

/* The column in this file; -1: absent. */
static int64_t find(const pen_columns *all, const pen_named *sorted, int64_t count,
                    const pen_json *reading, const pen_json *item)
{
    const pen_named *const found = item->text ? pen_find_named(sorted, count, item->text) : NULL;
    const int by_place = pen_json_is(item, PEN_JSON_NUMBER)
                         && count_of(reading, "columns") == all->count && item->number >= 0
                         && item->number < (double)all->count;

    return found ? found->column : by_place ? (int64_t)item->number : -1;
}

/* The role of a column with that use in this file. Columns dropped by position may have moved, so
 * they are left out and reported; arrays have no text cells; and if the options name another
 * column, the column of the fit is still not a value. */
static enum pen_role role_of(int use, const pen_json *item, int given, int is_text)
{
    if (use != DROP && !is_text)
        return PEN_COLUMN_LEFT_OUT;
    if (use == DROP)
        return item->text ? PEN_COLUMN_DROPPED : PEN_COLUMN_LEFT_OUT;
    return given || use == GROUPS ? PEN_COLUMN_DROPPED : uses[use].role;
}

pen_status pen_reading_columns(pen_run *run, const pen_read_options *options, int is_text,
                               pen_columns *all)
{
    const int given[USES] = { options->label_column != NULL, options->group_column != NULL,
                              options->name_column != NULL, 0, options->carry_count > 0 };
    int64_t count = 0, labels = 0;
    const pen_json *reading;
    pen_named *sorted = NULL;

    PEN_TRY(remembered(run, options->model, &reading));
    if (reading && all->header)
        PEN_TRY(pen_sort_names(run, all, 1, &sorted, &count));
    for (int u = 0; reading && u < USES; u++)
        for (const pen_json *item = first_of(reading, uses[u].key); item; item = item->next) {
            const int64_t j = find(all, sorted, count, reading, item);
            const int is_free = j >= 0 && all->roles[j] == PEN_COLUMN_VALUE;
            if (is_free)
                all->roles[j] = (unsigned char)role_of(u, item, given[u], is_text);
            labels += u == LABELS && !is_free;
        }
    for (int64_t j = 0; labels > 0 && !given[LABELS] && j < all->count; j++)
        if (all->roles[j] == PEN_COLUMN_LABEL) /* columns of only some classes give no labels */
            all->roles[j] = PEN_COLUMN_DROPPED;
    return PEN_OK;
}
