/* columns.c - assigns the columns of a file: values, labels, groups, row names, carried text, or
 * left out. */
#include "io/table/columns.h"

#include "core/meant.h"
#include "core/sort.h"
#include "io/table/cell_value.h"
#include "io/table/reading.h"
#include "io/table/row_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 64 };

/* The columns of one file. */
struct job {
    pen_run *run;
    const char *name;
    const pen_read_options *options;
    int is_text;
    pen_columns *out;
};

/* ---- columns by name or number ---- */

/* The distance from the name of a column to the wanted name. */
struct far {
    int64_t distance, column;
};

/* The message ends with a suggestion, or with as many names as fit, the nearest first. */
static pen_status no_such_column(const struct job *job, const char *what, const char *wanted)
{
    const pen_columns *const all = job->out;
    char list[160] = "";
    struct far *names;
    int64_t near = 0;

    if (!all->header)
        return pen_fail(
            job->run, PEN_UNKNOWN_NAME,
            "%s: no %s \"%s\": the file has no header; columns are numbered from 0 to %lld",
            job->name, what, wanted, (long long)all->count - 1);
    PEN_TRY(PEN_NEW(job->run, names, all->count));
    for (int64_t j = 0; j < all->count; j++) {
        const pen_text name = all->header[j];
        names[j] = (struct far){ pen_name_distance(wanted, name.start, name.length), j };
        near += names[j].distance < PEN_FAR;
    }
    qsort(names, (size_t)all->count, sizeof *names, pen_by_two_int64);
    for (int64_t j = 0; j < (near ? near : all->count); j++)
        pen_list_add(list, sizeof list, all->header[names[j].column]);
    if (near)
        return pen_fail(job->run, PEN_UNKNOWN_NAME, "%s: no %s \"%s\"; did you mean %s?", job->name,
                        what, wanted, list);
    return pen_fail(job->run, PEN_UNKNOWN_NAME,
                    "%s: no %s \"%s\"; columns are 0 to %lld, or by name: %s", job->name, what,
                    wanted, (long long)all->count - 1, list);
}

/* The position of a column from its text: a number, with or without #, from 0 or, if negative, from
 * the end; -1: invalid. */
static int64_t place_of(const pen_columns *all, pen_text text)
{
    const size_t mark = text.length > 0 && *text.start == '#';
    int64_t place;

    if (!pen_is_index((pen_text){ text.start + mark, text.length - mark }, &place))
        return -1;
    place += place < 0 ? all->count : 0;
    return place >= 0 && place < all->count ? place : -1;
}

/* The next column with this name, from `first` on; -1: none. */
static int64_t named_from(const pen_columns *all, pen_text text, int64_t first)
{
    for (int64_t j = first; all->header && j < all->count; j++)
        if (pen_text_equal(all->header[j], text))
            return j;
    return -1;
}

/* Finds a column by position (#0), otherwise by name, or if no column has the name, by position. */
static pen_status find_column(const struct job *job, const char *what, const char *wanted,
                              int64_t *column)
{
    const pen_columns *const all = job->out;
    const pen_text text = pen_text_of(wanted);
    char quoted[PEN_QUOTE_SIZE], name[NAME_SIZE];
    const int64_t place = place_of(all, text),
                  named = *wanted == '#' && place >= 0 ? -1 : named_from(all, text, 0),
                  other = named < 0 ? -1 : named_from(all, text, named + 1);

    *column = named < 0 ? place : named;
    if (*column < 0)
        return no_such_column(job, what, wanted);
    pen_short_name(job->name, name, sizeof name);
    PEN_REQUIRE(job->run, other < 0, PEN_BAD_FORMAT,
                "%s: this %s, %s, may be column %lld or column %lld: say '#%lld' or '#%lld'", name,
                what, pen_quote(text, quoted), (long long)named, (long long)other, (long long)named,
                (long long)other);
    return PEN_OK;
}

/* ---- roles ---- */

static const char *const role_texts[] = { "a value", "the labels", "the groups", "the row names",
                                          "carried", "dropped",    "left out" };

static pen_status assign(const struct job *job, const char *wanted, enum pen_role role)
{
    static const char *const whats[] = { "column",          "label column",    "group column",
                                         "row name column", "column to carry", "column to drop",
                                         "column" };
    int64_t column = 0;

    PEN_TRY(find_column(job, whats[role], wanted, &column));
    const int has = job->out->roles[column];
    PEN_REQUIRE(job->run, has != (int)role, PEN_BAD_ARGUMENT, "%s: column %lld is %s twice",
                job->name, (long long)column, role_texts[role]);
    PEN_REQUIRE(job->run, has == PEN_COLUMN_VALUE, PEN_BAD_ARGUMENT,
                "%s: column %lld cannot be both %s and %s", job->name, (long long)column,
                role_texts[has], role_texts[role]);
    job->out->roles[column] = (unsigned char)role;
    return PEN_OK;
}

/* One column, or several separated by commas. */
static pen_status assign_labels(const struct job *job, const char *wanted)
{
    const char *const comma = strchr(wanted, ',');
    char *name;

    if (!comma || named_from(job->out, pen_text_of(wanted), 0) >= 0)
        return assign(job, wanted, PEN_COLUMN_LABEL);
    PEN_TRY(PEN_NEW(job->run, name, (int64_t)strlen(wanted) + 1));
    for (const char *p = wanted; p; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL) {
        const size_t length = strcspn(p, ",");
        memcpy(name, p, length);
        name[length] = '\0';
        PEN_TRY(assign(job, name, PEN_COLUMN_LABEL));
    }
    return PEN_OK;
}

/* Counts the columns of each role in file order. */
static void number_columns(pen_columns *all)
{
    memset(all->number, 0, sizeof all->number);
    for (int64_t j = 0; j < all->count; j++)
        all->places[j] = all->number[all->roles[j]]++;
}

static pen_status assign_named(const struct job *job)
{
    const pen_read_options *const options = job->options;
    pen_columns *const all = job->out;

    for (int64_t i = 0; i < options->drop_count; i++)
        PEN_TRY(assign(job, options->drop[i], PEN_COLUMN_DROPPED));
    if (options->label_column)
        PEN_TRY(assign_labels(job, options->label_column));
    if (options->group_column)
        PEN_TRY(assign(job, options->group_column, PEN_COLUMN_GROUP));
    if (options->name_column)
        PEN_TRY(assign(job, options->name_column, PEN_COLUMN_ROW_NAME));
    for (int64_t i = 0; i < options->carry_count; i++)
        PEN_TRY(assign(job, options->carry[i], PEN_COLUMN_CARRIED));
    PEN_TRY(pen_reading_columns(job->run, options, job->is_text, all));
    /* A first column without a name is an index: row names, unless another column has them. */
    all->indexed = job->is_text && all->header && all->header[0].length == 0
                   && all->roles[0] == PEN_COLUMN_VALUE;
    all->index_dropped =
        all->indexed && memchr(all->roles, PEN_COLUMN_ROW_NAME, (size_t)all->count);
    if (all->indexed)
        all->roles[0] = all->index_dropped ? PEN_COLUMN_DROPPED : PEN_COLUMN_ROW_NAME;
    return PEN_OK;
}

/* ---- selected values ---- */

/* Are the value columns the selected ones, in the same order? */
static int as_selected(const pen_columns *all, const pen_read_options *options)
{
    if (all->number[PEN_COLUMN_VALUE] != options->select_count)
        return 0;
    for (int64_t j = 0; j < all->count; j++)
        if (all->roles[j] == PEN_COLUMN_VALUE
            && !pen_text_equal(all->header[j], pen_text_of(options->select[all->places[j]])))
            return 0;
    return 1;
}

static pen_status same_name(const struct job *job, const pen_named *one)
{
    pen_columns *const all = job->out;
    char quoted[PEN_QUOTE_SIZE], name[NAME_SIZE];

    pen_short_name(job->name, name, sizeof name);
    all->twice = 1;
    return pen_fail(
        job->run, PEN_BAD_FORMAT, "%s: columns '#%lld' and '#%lld' are both named \"%s\"", name,
        (long long)one[0].column, (long long)one[1].column, pen_quote(one->name, quoted));
}

/* A model finds value columns by name in later files, where no option may exclude another column
 * with the same name. So names must be unique. */
static pen_status check_names(const struct job *job)
{
    pen_named *columns;
    int64_t count;

    PEN_TRY(pen_sort_names(job->run, job->out, 0, &columns, &count));
    for (int64_t i = 1; i < count; i++)
        if (pen_by_name(&columns[i - 1], &columns[i]) == 0
            && (job->out->roles[columns[i - 1].column] == PEN_COLUMN_VALUE
                || job->out->roles[columns[i].column] == PEN_COLUMN_VALUE))
            return same_name(job, &columns[i - 1]);
    return PEN_OK;
}

/* Puts selected columns in the order of their names in the options. */
static pen_status select_values(const struct job *job)
{
    const pen_read_options *const options = job->options;
    pen_columns *const all = job->out;
    pen_named *columns;
    int64_t count;

    if (!all->header || as_selected(all, options))
        return PEN_OK;
    PEN_TRY(pen_sort_names(job->run, job->out, 0, &columns, &count));
    for (int64_t j = 0; j < all->count; j++)
        if (all->roles[j] == PEN_COLUMN_VALUE)
            all->roles[j] = PEN_COLUMN_LEFT_OUT;
    for (int64_t i = 0; i < options->select_count; i++) {
        const pen_named *const found = pen_find_named(columns, count, options->select[i]);
        if (!found || all->roles[found->column] != PEN_COLUMN_LEFT_OUT) {
            pen_fail(job->run, PEN_UNKNOWN_NAME, "%s: no value column \"%s\"", job->name,
                     options->select[i]);
            return pen_hint(job->run, PEN_UNKNOWN_NAME, PEN_HINT_BY_POSITION);
        }
        const int before = found > columns && pen_by_name(found, found - 1) == 0;
        if (before || (found < columns + count - 1 && pen_by_name(found, found + 1) == 0))
            return same_name(job, found - before);
        all->roles[found->column] = PEN_COLUMN_VALUE;
        all->places[found->column] = i;
    }
    all->number[PEN_COLUMN_VALUE] = options->select_count;
    all->number[PEN_COLUMN_LEFT_OUT] = 0;
    for (int64_t j = 0; j < all->count; j++)
        if (all->roles[j] == PEN_COLUMN_LEFT_OUT)
            all->places[j] = all->number[PEN_COLUMN_LEFT_OUT]++;
    return PEN_OK;
}

pen_status pen_columns_assign(pen_run *run, const char *name, const pen_text *header, int64_t count,
                              const pen_read_options *options, int is_text, pen_columns *out)
{
    const struct job job = { run, name, options, is_text, out };

    *out = (pen_columns){ .count = count, .header = header, .unnamed = options->ignore_names };
    PEN_TRY(PEN_NEW(run, out->roles, count));
    PEN_TRY(PEN_NEW(run, out->places, count));
    memset(out->roles, PEN_COLUMN_VALUE, (size_t)count);
    PEN_TRY(assign_named(&job));
    number_columns(out);
    if (options->select_count > 0)
        PEN_TRY(select_values(&job));
    else if (header && !options->ignore_names)
        PEN_TRY(check_names(&job));
    PEN_REQUIRE(run, out->number[PEN_COLUMN_VALUE] > 0, PEN_BAD_DATA,
                "%s: no value columns besides the labels, the row names and columns left out",
                name);
    return PEN_OK;
}

/* ---- in the table ---- */

pen_status pen_columns_names(pen_run *run, const pen_columns *all, enum pen_role role,
                             pen_text **out)
{
    enum { NUMBER_SIZE = 32 };
    char(*numbers)[NUMBER_SIZE];
    pen_text *names;

    PEN_TRY(PEN_NEW(run, names, pen_max(1, all->number[role])));
    PEN_TRY(PEN_NEW(run, numbers, pen_max(1, all->number[role])));
    for (int64_t j = 0; j < all->count; j++) {
        if (all->roles[j] != role)
            continue;
        const int64_t at = all->places[j];
        snprintf(numbers[at], NUMBER_SIZE, "column%lld", (long long)j);
        names[at] = all->header ? all->header[j] : pen_text_of(numbers[at]);
    }
    *out = names;
    return PEN_OK;
}

static pen_status keep_names(pen_run *run, const pen_columns *all, enum pen_role role,
                             pen_table *table, char ***out)
{
    pen_text *names;

    PEN_TRY(pen_columns_names(run, all, role, &names));
    return pen_table_keep_texts(run, table, names, all->number[role], out);
}

pen_status pen_columns_describe(pen_run *run, const pen_read_options *options,
                                const pen_columns *all, pen_table *table)
{
    char **labels;
    int moved = 0;

    PEN_TRY(pen_reading_tell(run, options, all, table));
    if (all->header && all->number[PEN_COLUMN_LABEL] == 1) {
        PEN_TRY(keep_names(run, all, PEN_COLUMN_LABEL, table, &labels));
        table->label_name = labels[0];
    }
    table->carried_count = all->number[PEN_COLUMN_CARRIED];
    table->left_out_count = all->number[PEN_COLUMN_LEFT_OUT];
    if (table->carried_count > 0)
        PEN_TRY(keep_names(run, all, PEN_COLUMN_CARRIED, table, &table->carried_names));
    if (table->left_out_count > 0)
        PEN_TRY(keep_names(run, all, PEN_COLUMN_LEFT_OUT, table, &table->left_out));
    table->index_dropped = all->index_dropped;
    if (all->header && !all->unnamed)
        PEN_TRY(keep_names(run, all, PEN_COLUMN_VALUE, table, &table->column_names));
    for (int64_t j = 0; j < all->count; j++)
        if (all->roles[j] == PEN_COLUMN_VALUE)
            moved |= all->places[j] != j;
    if (!moved)
        return PEN_OK;
    table->column_numbers =
        pen_table_keep(run, table, all->number[PEN_COLUMN_VALUE], sizeof *table->column_numbers);
    if (!table->column_numbers)
        return PEN_NO_MEMORY;
    for (int64_t j = 0; j < all->count; j++)
        if (all->roles[j] == PEN_COLUMN_VALUE)
            table->column_numbers[all->places[j]] = j;
    return PEN_OK;
}
