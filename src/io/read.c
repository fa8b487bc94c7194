/* read.c - the list of formats; finds the format of a file and calls its reader. UTF-16
 * is converted first. */
#include "io/read.h"

#include "core/arguments.h"
#include "core/number.h"
#include "core/utf8.h"
#include "io/numpy/npy.h"
#include "io/numpy/npz.h"
#include "io/sparse/libsvm.h"
#include "io/sparse/matrix_market.h"
#include "io/table/class_labels.h"
#include "io/table/kinds.h"
#include "io/table/reading.h"
#include "io/table/row_table.h"
#include "io/text/text_table.h"

#include <stdio.h>
#include <string.h>

/* Formats in the order of attempts; the last accepts any text. */
static const pen_format formats[] = {
    { .name = "npz",
      .extensions = { ".npz" },
      .recognizes = pen_is_npz,
      .read = pen_read_npz,
      .read_labels = pen_read_npz_labels,
      .is_binary = 1,
      .has_members = 1,
      .is_sure = 1 },
    { .name = "mtx",
      .extensions = { ".mtx" },
      .recognizes = pen_is_matrix_market,
      .read = pen_read_matrix_market,
      .is_sure = 1 },
    { .name = "npy",
      .extensions = { ".npy" },
      .recognizes = pen_npy_is,
      .read = pen_read_npy,
      .read_labels = pen_read_npy_labels,
      .read_block = pen_read_npy_block,
      .is_binary = 1 },
    { .name = "libsvm",
      .extensions = { ".libsvm", ".svm", ".svmlight" },
      .recognizes = pen_is_libsvm,
      .read = pen_read_libsvm },
    { .name = "text",
      .extensions = { ".csv", ".tsv", ".txt", ".dat", ".data", ".asc" },
      .recognizes = pen_is_text,
      .read = pen_read_text,
      .read_labels = pen_read_text_labels,
      .read_block = pen_read_text_block,
      .is_text = 1 },
};

enum { FORMATS = sizeof formats / sizeof *formats, LIST_SIZE = 64 };

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
        if (reader_of(&formats[i], what))
            snprintf(list + used, LIST_SIZE - used, "%s%s", used ? ", " : "", formats[i].name);
    }
    return list;
}

/* Does the name have an extension of the format, .gz aside? */
static int has_extension_of(const char *name, const pen_format *format)
{
    const size_t length = strlen(name) - (pen_has_extension(name, ".gz") ? 3 : 0);

    for (int i = 0; format->extensions[i]; i++) {
        const size_t wanted = strlen(format->extensions[i]);
        if (length >= wanted && pen_is_alike(name + length - wanted, format->extensions[i], wanted))
            return 1;
    }
    return 0;
}

/* Finds the format that matches the content, otherwise the extension. */
static pen_status find_format(pen_run *run, const pen_input *input, enum what what,
                              const pen_format **out)
{
    char list[LIST_SIZE];

    for (int i = 0; i < FORMATS; i++) {
        *out = &formats[i];
        if (reader_of(*out, what) && (*out)->recognizes(input))
            return PEN_OK;
    }
    for (int i = 0; i < FORMATS; i++) {
        *out = &formats[i];
        if (reader_of(*out, what) && has_extension_of(input->name, *out))
            return PEN_OK;
    }
    return pen_fail(
        run, PEN_UNKNOWN_NAME,
        "%s: neither the content nor the extension matches a known format; the formats are %s",
        input->name, list_formats(what, list));
}

/* Checks a list of column names. */
static pen_status check_list(pen_run *run, const char *const *list, int64_t count, const char *what)
{
    PEN_REQUIRE(run, count >= 0, PEN_BAD_ARGUMENT, "%s_count must be >= 0, got %lld", what,
                (long long)count);
    if (count == 0)
        return PEN_OK;
    PEN_TRY(pen_check_given(run, list, what));
    return pen_check_names(run, list, count, what);
}

static pen_status check_signs(pen_run *run, const pen_read_options *options)
{
    const char comment = options->comment;

    PEN_REQUIRE(run, options->delimiter == '\0' || strchr(PEN_DELIMITERS, options->delimiter),
                PEN_BAD_ARGUMENT,
                "delimiter must be a tab, a blank, or a sign other than quotes, point, plus and "
                "minus, got \"%c\"",
                options->delimiter);
    PEN_REQUIRE(run, options->decimal == '\0' || strchr(".,", options->decimal), PEN_BAD_ARGUMENT,
                "decimal must be '.' or ',', got \"%c\"", options->decimal);
    PEN_REQUIRE(run, comment == '\0' || strchr(PEN_COMMENT_SIGNS, comment), PEN_BAD_ARGUMENT,
                "comment must be a sign not used in numbers or as delimiter, such as '#', got "
                "\"%c\"",
                comment);
    PEN_REQUIRE(run, comment == '\0' || comment != options->delimiter, PEN_BAD_ARGUMENT,
                "comment and delimiter must differ, got \"%c\" for both", comment);
    return PEN_OK;
}

static pen_status check_lists(pen_run *run, const pen_read_options *options)
{
    PEN_TRY(check_list(run, options->drop, options->drop_count, "drop"));
    PEN_TRY(check_list(run, options->carry, options->carry_count, "carry"));
    PEN_TRY(check_list(run, options->na, options->na_count, "na"));
    return check_list(run, options->select, options->select_count, "select");
}

static pen_status check_options(pen_run *run, const pen_read_options *options)
{
    PEN_REQUIRE(run, PEN_IS_ZERO(options->reserved), PEN_BAD_ARGUMENT, PEN_NOT_ZERO, "options");
    PEN_REQUIRE(run, options->header >= -1 && options->header <= 1, PEN_BAD_ARGUMENT,
                "header must be -1, 0 or 1, got %d", options->header);
    PEN_REQUIRE(run, options->missing >= PEN_MISSING_ERROR && options->missing <= PEN_MISSING_KEEP,
                PEN_BAD_ARGUMENT, "missing must be one of pen_missing, got %d",
                (int)options->missing);
    PEN_REQUIRE(run, options->skip >= 0, PEN_BAD_ARGUMENT, "skip must be >= 0, got %lld",
                (long long)options->skip);
    PEN_TRY(check_signs(run, options));
    return check_lists(run, options);
}

/* The first column that the options name; formats without columns have none. */
static const char *first_named(const pen_read_options *options)
{
    return options->label_column      ? options->label_column
           : options->group_column    ? options->group_column
           : options->name_column     ? options->name_column
           : options->carry_count > 0 ? options->carry[0]
                                      : NULL;
}

/* Does a reader recognize the file by its first bytes? */
static int is_sure(const pen_input *input, enum what what)
{
    for (int i = 0; i < FORMATS; i++)
        if (formats[i].is_sure && reader_of(&formats[i], what) && formats[i].recognizes(input))
            return 1;
    return 0;
}

/* Chooses the format, which must support the options. */
static pen_status choose_format(pen_run *run, const pen_input *input,
                                const pen_read_options *options, enum what what,
                                const pen_format **out)
{
    if (!is_sure(input, what))
        PEN_TRY(pen_refuse_kind(run, input, options->label_column));
    PEN_TRY(find_format(run, input, what, out));
    PEN_REQUIRE(run, !input->member || (*out)->has_members, PEN_UNKNOWN_NAME,
                "%s: no member \"%s\": it is a %s file, which is one array", input->name,
                input->member, (*out)->name);
    PEN_REQUIRE(run, (*out)->is_text || (!options->skip && !options->transpose), PEN_BAD_ARGUMENT,
                "%s: only text has lines to skip or transpose, and this is a %s file", input->name,
                (*out)->name);
    PEN_REQUIRE(run, what == LABELS || (*out)->is_text || !first_named(options), PEN_UNKNOWN_NAME,
                "%s: no column \"%s\": all columns of a %s file are values", input->name,
                first_named(options), (*out)->name);
    return PEN_OK;
}

pen_status pen_read_find_format(pen_run *run, const pen_input *input,
                                const pen_read_options *options, const pen_format **out)
{
    PEN_TRY(check_options(run, options));
    PEN_REQUIRE(run, input->size > 0, PEN_BAD_DATA, "%s: the file is empty", input->name);
    return choose_format(run, input, options, TABLE, out);
}

/* Rows begin with a number, so "ratio 1:2" is a label. */
static int has_libsvm_rows(const pen_input *input)
{
    double value;

    return pen_is_libsvm(input)
           && pen_number_read((const char *)input->data, input->size, &value) > 0;
}

/* Is it UTF-16 with a byte order mark, like "Unicode text" of spreadsheets? */
static int is_utf16(const pen_input *input)
{
    const unsigned char *const p = input->data;

    if (input->size < 4 || input->size % 2 != 0)
        return 0;
    return (p[0] == 0xFE && p[1] == 0xFF)
           || (p[0] == 0xFF && p[1] == 0xFE && (p[2] != 0 || p[3] != 0)); /* UTF-32 has zeros */
}

/* The same text as UTF-8, in scratch memory, at most 1.5 times the size. PEN_BAD_FORMAT: half a
 * character. */
static pen_status read_utf16(pen_run *run, const pen_input *input, pen_input *out)
{
    const unsigned char *const p = input->data;
    const int high_first = p[0] == 0xFE;
    size_t used = 0;
    char *text;

    PEN_TRY(PEN_NEW(run, text, pen_times(3, (int64_t)(input->size / 2))));
    for (size_t i = 2; i < input->size; i += 2) {
        uint32_t character = (uint32_t)pen_number_at(p + i, 2, high_first);
        const size_t at = i;
        const uint32_t next =
            i + 2 < input->size ? (uint32_t)pen_number_at(p + i + 2, 2, high_first) : 0;
        const uint32_t joined = pen_utf8_join(character, next);
        character = joined ? joined : character;
        i += joined ? 2 : 0;
        const size_t length = pen_utf8_put(character, text + used);
        PEN_REQUIRE(run, length > 0, PEN_BAD_FORMAT,
                    "%s: UTF-16 text has half a character at byte %zu", input->name, at);
        used += length;
    }
    *out = *input;
    out->data = (const unsigned char *)text;
    out->size = used;
    out->owner = NULL;
    return PEN_OK;
}

/* Converts UTF-16 to UTF-8 first. */
static pen_status fill(pen_run *run, const pen_input *input, const pen_read_options *options,
                       enum what what, pen_table *table)
{
    const pen_format *format;
    pen_read_options how = *options;
    pen_input in = *input;

    PEN_TRY(check_options(run, options));
    if (in.size == 0 && what == LABELS && options->allow_empty)
        return pen_table_label(run, table, NULL, 0, options, PEN_LABELS_TEXT);
    PEN_REQUIRE(run, in.size > 0, PEN_BAD_DATA, "%s: the file is empty", in.name);
    if (is_utf16(input))
        PEN_TRY(read_utf16(run, input, &in));
    PEN_TRY(choose_format(run, &in, options, what, &format));
    if (!format->is_binary)
        PEN_TRY(pen_check_letters(run, &in, 1));
    PEN_REQUIRE(run, what == TABLE || format->is_binary || !has_libsvm_rows(&in), PEN_BAD_FORMAT,
                "%s: expected one label per line, got libsvm rows, which include their labels",
                in.name);
    PEN_TRY((what == TABLE ? pen_reading_recall : pen_reading_recall_marks)(run, options, &how));
    return reader_of(format, what)(run, &in, &how, table);
}

static pen_status read_from(pen_run *run, const char *path, const pen_input *given,
                            const pen_read_options *options, enum what what, pen_table **out)
{
    static const pen_read_options usual = { .missing = PEN_MISSING_ERROR };
    const char *file, *member;
    pen_bytes bytes;
    pen_input input;

    PEN_TRY(pen_check_given(run, out, "out"));
    PEN_TRY(pen_check_given(run, path, "path"));
    PEN_TRY(pen_path_split(run, path, &file, &member));
    if (!given && pen_file_kind_of(file) == PEN_FOLDER)
        PEN_TRY(pen_refuse_folder(run, file));
    PEN_TRY(pen_input_read(run, file, given, options && options->map, &bytes, &input));
    input.member = member;
    pen_status status = pen_table_new(run, out);
    if (status == PEN_OK)
        status = fill(run, &input, options ? options : &usual, what, *out);
    pen_bytes_free(&bytes); /* no effect if the table has taken ownership */
    return status;
}

static pen_status read_any(const char *path, const pen_input *input,
                           const pen_read_options *options, enum what what, pen_table **out,
                           pen_error *err)
{
    PEN_MAKE(NULL, err, out, pen_table_free, read_from(run, path, input, options, what, out));
}

pen_status pen_read_bytes(const char *name, const void *data, size_t size,
                          const pen_read_options *options, pen_table **out, pen_error *err)
{
    return read_any(name, &(pen_input){ .name = name, .data = data, .size = size }, options, TABLE,
                    out, err);
}

pen_status pen_read_labels_bytes(const char *name, const void *data, size_t size,
                                 const pen_read_options *options, pen_table **out, pen_error *err)
{
    return read_any(name, &(pen_input){ .name = name, .data = data, .size = size }, options, LABELS,
                    out, err);
}

pen_status pen_read_labels(const char *path, const pen_read_options *options, pen_table **out,
                           pen_error *err)
{
    return read_any(path, NULL, options, LABELS, out, err);
}

pen_status pen_read(const char *path, const pen_read_options *options, pen_table **out,
                    pen_error *err)
{
    const pen_input given = { .name = pen_path_name(path),
                              .data = options ? options->bytes : NULL,
                              .size = options ? options->size : 0 };

    return read_any(path, path && given.data ? &given : NULL, options, TABLE, out, err);
}
