/* readings.c - see readings.h. */
#include "kit/readings.h"

#include "core/array.h"
#include "unit/in_blocks.h"

#include <unistd.h>

void line_add(char *line, const char *format, ...)
{
    const size_t used = strlen(line);
    va_list values;
    va_start(values, format);
    vsnprintf(line + used, LINE_SIZE - used, format, values);
    va_end(values);
}

void line_error(char *line, pen_status status, const pen_error *err)
{
    static const char *const hints[] = { "label-column", "by-position", "header",    "decimal",
                                         "missing",      "comment",     "same-name", "row-names",
                                         "label-file",   "any-link",    "one-link",  "na" };
    CHECK(err->code == status, "the code is %d, the error's %d", (int)status, (int)err->code);
    line_add(line, "%d %s", (int)status, err->message);
    for (size_t h = 0; h < COUNT_OF(hints); h++)
        if (err->hints >> h & 1)
            line_add(line, " +%s", hints[h]);
}

static void line_names(char *line, const char *title, char **names, int64_t count)
{
    if (!names)
        return;
    line_add(line, " %s", title);
    for (int64_t i = 0; i < count; i++)
        line_add(line, "%c%s", i ? ',' : ' ', names[i]);
}

const char *table_line(const pen_table *t, char line[LINE_SIZE])
{
    line[0] = '\0';
    for (int64_t i = 0; i < t->x.rows; i++)
        for (int64_t j = 0; j < t->x.cols; j++)
            line_add(line, "%s%.9g", j ? " " : i ? "/" : "", pen_value_at(&t->x, i, j));
    if (t->x.rows == 0 && t->x.cols > 0)
        line_add(line, " 0 x %d", (int)t->x.cols);
    if (t->labels)
        line_add(line, " labels");
    for (int64_t i = 0; t->labels && i < t->x.rows; i++)
        line_add(line, " %d", t->labels[i]);
    for (int64_t i = 0; i < t->mark_count; i++)
        line_add(line, "%s%s:%d", i ? "," : " marks ", t->marks[i], (int)t->mark_rows[i]);
    line_names(line, "classes", t->class_names, t->class_count);
    line_names(line, "columns", t->column_names, t->x.cols);
    for (int64_t j = 0; t->column_numbers && j < t->x.cols; j++)
        line_add(line, "%s%d", j ? "," : " numbers ", (int)t->column_numbers[j]);
    line_names(line, "rows", t->row_names, t->x.rows);
    if (t->dropped_rows)
        line_add(line, " dropped %d", (int)t->dropped_rows);
    if (t->filled_cells)
        line_add(line, " filled %d", (int)t->filled_cells);
    line_names(line, "kept", t->carried_names, t->carried_count);
    line_names(line, "texts", t->carried, t->x.rows * t->carried_count);
    line_names(line, "left out", t->left_out, t->left_out_count);
    if (t->short_header)
        line_add(line, " short header");
    if (t->decimal_commas)
        line_add(line, " decimal commas");
    return line;
}

enum kind { TEXT, LIST, SIGN, INT, LONG, MISSING };

static const struct word {
    const char *name;
    size_t at;
    enum kind kind;
} words_of[] = {
    { "label", offsetof(pen_read_options, label_column), TEXT },
    { "name", offsetof(pen_read_options, name_column), TEXT },
    { "drop", offsetof(pen_read_options, drop), LIST },
    { "carry", offsetof(pen_read_options, carry), LIST },
    { "select", offsetof(pen_read_options, select), LIST },
    { "unlabelled", offsetof(pen_read_options, unlabelled), LIST },
    { "na", offsetof(pen_read_options, na), LIST },
    { "missing", offsetof(pen_read_options, missing), MISSING },
    { "header", offsetof(pen_read_options, header), INT },
    { "ignore_names", offsetof(pen_read_options, ignore_names), INT },
    { "allow_empty", offsetof(pen_read_options, allow_empty), INT },
    { "delimiter", offsetof(pen_read_options, delimiter), SIGN },
    { "decimal", offsetof(pen_read_options, decimal), SIGN },
    { "comment", offsetof(pen_read_options, comment), SIGN },
    { "columns", offsetof(pen_read_options, columns), LONG },
    { "skip", offsetof(pen_read_options, skip), LONG },
    { "transpose", offsetof(pen_read_options, transpose), LONG },
};

/* Splits a text at commas; the count is stored before the pointers. */
static void set_list(char *value, const char **list, char *member)
{
    int64_t count = 0;

    for (char *comma = value; comma; value = comma + 1) {
        comma = strchr(value, ',');
        if (comma)
            *comma = '\0';
        list[count++] = value;
        if (!comma)
            break;
    }
    memcpy(member, &list, sizeof list);
    memcpy(member + sizeof list, &count, sizeof count);
}

static void set_word(const struct word *word, char *value, read_words *to)
{
    static const char *const missing[] = { "error", "mean", "drop", "keep" };
    char *const member = (char *)&to->options + word->at;
    const int64_t number = strtoll(value, NULL, 10);
    int m = 0, small = (int)number;

    switch (word->kind) {
    case TEXT:
        memcpy(member, &value, sizeof value);
        break;
    case LIST:
        set_list(value, to->lists[word - words_of - 2], member);
        break;
    case SIGN:
        *member = *value;
        break;
    case INT:
        memcpy(member, &small, sizeof small);
        break;
    case LONG:
        memcpy(member, &number, sizeof number);
        break;
    case MISSING:
        while (strcmp(missing[m], value) != 0)
            m++;
        to->options.missing = (pen_missing)m;
    }
}

pen_read_options *read_options(const char *words, read_words *to)
{
    memset(to, 0, sizeof *to);
    snprintf(to->text, sizeof to->text, "%s", words ? words : "");
    for (char *word = strtok(to->text, " "); word; word = strtok(NULL, " ")) {
        char *const equals = strchr(word, '=');
        size_t i = 0;
        CHECK(equals, "\"%s\" is no NAME=VALUE", word);
        *equals = '\0';
        while (i < COUNT_OF(words_of) && strcmp(words_of[i].name, word) != 0)
            i++;
        CHECK(i < COUNT_OF(words_of), "there is no option \"%s\"", word);
        set_word(&words_of[i], equals + 1, to);
    }
    return &to->options;
}

const char *read_line(bytes_reader by, const char *name, const void *bytes, size_t size,
                      const pen_read_options *options, char line[LINE_SIZE])
{
    char *const exact = check_allocate((int64_t)size, 1);
    pen_table *table = NULL;
    pen_error err;

    line[0] = '\0';
    memcpy(exact, bytes, size);
    const pen_status status = by(name, exact, size, options, &table, &err);
    CHECK((status == PEN_OK) == (table != NULL), "a table, or none, with %d", (int)status);
    if (status != PEN_OK)
        line_error(line, status, &err);
    else
        table_line(table, line);
    pen_table_free(table);
    return line;
}

void check_line(bytes_reader by, const char *name, const void *bytes, size_t size,
                const pen_read_options *options, const char *expected)
{
    char line[LINE_SIZE];
    read_line(by, name, bytes, size, options, line);
    CHECK(strcmp(line, expected) == 0, "%s\nis read as\n    %s\nexpected\n    %s",
          (const char *)bytes, line, expected);
}

/* Reads the same text as a file, in blocks. */
static void check_in_blocks(const char *text, const pen_read_options *options)
{
    char path[64];
    snprintf(path, sizeof path, "test_io_blocks_%ld.csv", (long)getpid());
    FILE *const file = fopen(path, "wb");

    CHECK(file && fwrite(text, 1, strlen(text), file) == strlen(text) && fclose(file) == 0,
          "%s cannot be written", path);
    in_blocks_check(path, options);
    remove(path);
}

void check_readings(const char *name, const char *const (*readings)[3], size_t count,
                    bytes_reader by)
{
    read_words words;

    for (size_t i = 0; i < count; i++) {
        const char *const text = readings[i][0];
        const pen_read_options *const options = read_options(readings[i][2], &words);
        check_line(by, name, text, strlen(text), options, readings[i][1]);
        if (by == pen_read_bytes && strcmp(name, "t.csv") == 0)
            check_in_blocks(text, options);
    }
}

size_t npy_bytes(int version, const char *header, const void *values, size_t size, char *file)
{
    const size_t length = strlen(header), prefix = version == 1 ? 10 : 12;

    memcpy(file, "\x93NUMPY", 6);
    file[6] = (char)version;
    file[7] = 0;
    for (size_t i = 8; i < prefix; i++)
        file[i] = (char)(length >> 8 * (i - 8));
    memcpy(file + prefix, header, length);
    if (size > 0)
        memcpy(file + prefix + length, values, size);
    return prefix + length + size;
}
