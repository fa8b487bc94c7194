/* read.c - the entry points for reading: detect the format and call its reader. */
#include "core/arguments.h"
#include "io/io.h"

#include <stdio.h>
#include <string.h>

/* In the order in which they are tried; the last accepts any text. */
static const pen_format *const formats[] = { &pen_format_npy, &pen_format_libsvm,
                                             &pen_format_text };

enum { FORMATS = sizeof formats / sizeof formats[0], LIST_SIZE = 64 };

enum what { TABLE, LABELS };

static pen_reader reader_of(const pen_format *format, enum what what)
{
    return what == TABLE ? format->read : format->read_labels;
}

/* The names of the formats that can be read as `what`. */
static const char *list_formats(enum what what, char list[LIST_SIZE])
{
    list[0] = '\0';
    for (int i = 0; i < FORMATS; i++) {
        const size_t used = strlen(list);
        if (reader_of(formats[i], what))
            snprintf(list + used, LIST_SIZE - used, "%s%s", used ? ", " : "", formats[i]->name);
    }
    return list;
}

static int has_extension_of(const char *name, const pen_format *format)
{
    for (int i = 0; format->extensions[i]; i++)
        if (pen_has_extension(name, format->extensions[i]))
            return 1;
    return 0;
}

/* The format the caller names, else the one that matches the content, else the extension. */
static pen_status find_format(pen_run *run, const pen_input *input, const char *wanted,
                              enum what what, const pen_format **out)
{
    char list[LIST_SIZE];

    for (int i = 0; i < FORMATS; i++) {
        *out = formats[i];
        if (reader_of(*out, what)
            && (wanted ? strcmp((*out)->name, wanted) == 0 : (*out)->recognizes(input)))
            return PEN_OK;
    }
    PEN_REQUIRE(run, !wanted, PEN_UNKNOWN_NAME, "%s: no format \"%s\"; the formats are %s",
                input->name, wanted, list_formats(what, list));
    for (int i = 0; i < FORMATS; i++) {
        *out = formats[i];
        if (reader_of(*out, what) && has_extension_of(input->name, *out))
            return PEN_OK;
    }
    return pen_fail(
        run, PEN_UNKNOWN_NAME,
        "%s: neither the content nor the extension matches a known format; the formats are %s",
        input->name, list_formats(what, list));
}

/* Names of columns. */
static pen_status check_list(pen_run *run, const char *const *list, int64_t count, const char *what)
{
    PEN_REQUIRE(run, count >= 0, PEN_BAD_ARGUMENT, "%s_count must be >= 0, got %lld", what,
                (long long)count);
    if (count == 0)
        return PEN_OK;
    PEN_TRY(pen_check_given(run, list, what));
    return pen_check_names(run, list, count, what);
}

static pen_status check_options(pen_run *run, const pen_read_options *options)
{
    PEN_REQUIRE(run, options->header >= PEN_HEADER_AUTO && options->header <= PEN_HEADER_NO,
                PEN_BAD_ARGUMENT, "header must be one of pen_header, got %d", (int)options->header);
    PEN_REQUIRE(run, options->missing >= PEN_MISSING_ERROR && options->missing <= PEN_MISSING_DROP,
                PEN_BAD_ARGUMENT, "missing must be one of pen_missing, got %d",
                (int)options->missing);
    PEN_REQUIRE(run, options->delimiter == '\0' || strchr(",;\t ", options->delimiter),
                PEN_BAD_ARGUMENT, "delimiter must be ',', ';', a tab or a blank, got \"%c\"",
                options->delimiter);
    PEN_TRY(check_list(run, options->drop, options->drop_count, "drop"));
    PEN_TRY(check_list(run, options->keep, options->keep_count, "keep"));
    return check_list(run, options->select, options->select_count, "select");
}

static pen_status fill_table(pen_run *run, const pen_input *input, const pen_read_options *options,
                             enum what what, pen_table *table)
{
    const pen_format *format;

    PEN_TRY(check_options(run, options));
    PEN_REQUIRE(run, input->size > 0, PEN_BAD_DATA, "%s: the file is empty", input->name);
    PEN_TRY(pen_refuse_kind(run, input));
    PEN_TRY(find_format(run, input, options->format, what, &format));
    PEN_REQUIRE(
        run,
        what == LABELS || format->has_columns
            || !(options->label_column || options->row_name_column || options->keep_count > 0),
        PEN_UNKNOWN_NAME, "%s: no column \"%s\": all columns of a %s file are values", input->name,
        options->label_column      ? options->label_column
        : options->row_name_column ? options->row_name_column
                                   : options->keep[0],
        format->name);
    return reader_of(format, what)(run, input, options, table);
}

static pen_status read_input(pen_run *run, const pen_input *input, const pen_read_options *options,
                             enum what what, pen_table **out)
{
    static const pen_read_options usual = { .format = NULL };
    pen_table *table;

    PEN_TRY(pen_table_new(run, &table));
    const pen_status status = fill_table(run, input, options ? options : &usual, what, table);
    if (status != PEN_OK) {
        pen_table_free(table);
        return status;
    }
    *out = table;
    return PEN_OK;
}

pen_status pen_input_read(pen_run *run, const char *path, int map, pen_bytes *bytes, pen_input *out)
{
    PEN_TRY(map ? pen_bytes_map(run, path, bytes) : pen_bytes_read(run, path, bytes));
    *out = (pen_input){ strcmp(path, "-") == 0 ? PEN_STANDARD_INPUT : path, bytes->data,
                        bytes->size, bytes };
    return PEN_OK;
}

static pen_status read_path(pen_run *run, const char *path, const pen_read_options *options,
                            enum what what, pen_table **out)
{
    pen_bytes bytes;
    pen_input input;

    PEN_TRY(pen_input_read(run, path, options && options->map, &bytes, &input));
    const pen_status status = read_input(run, &input, options, what, out);
    pen_bytes_free(&bytes); /* no effect if the table has taken ownership */
    return status;
}

static pen_status read_any(const char *path, const pen_input *input,
                           const pen_read_options *options, enum what what, pen_table **out,
                           pen_error *err)
{
    pen_run *run;

    if (out)
        *out = NULL;
    PEN_TRY(pen_run_open(NULL, err, &run));
    pen_status status = pen_check_given(run, out, "out");
    if (status == PEN_OK)
        status = input ? PEN_OK : pen_check_given(run, path, "path");
    if (status == PEN_OK)
        status = path ? read_path(run, path, options, what, out)
                      : read_input(run, input, options, what, out);
    pen_run_close(run);
    return status;
}

pen_status pen_read_bytes(const char *name, const void *data, size_t size,
                          const pen_read_options *options, pen_table **out, pen_error *err)
{
    return read_any(NULL, &(pen_input){ name, data, size, NULL }, options, TABLE, out, err);
}

pen_status pen_read_labels_bytes(const char *name, const void *data, size_t size,
                                 const pen_read_options *options, pen_table **out, pen_error *err)
{
    return read_any(NULL, &(pen_input){ name, data, size, NULL }, options, LABELS, out, err);
}

pen_status pen_read_labels(const char *path, const pen_read_options *options, pen_table **out,
                           pen_error *err)
{
    return read_any(path, NULL, options, LABELS, out, err);
}

pen_status pen_read(const char *path, const pen_read_options *options, pen_table **out,
                    pen_error *err)
{
    return read_any(path, NULL, options, TABLE, out, err);
}
