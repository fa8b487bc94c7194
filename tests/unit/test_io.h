/* test_io.h - shared by the tests of files: tables as one line of text, and calls that read bytes
 * in memory. */
#ifndef TEST_IO_H
#define TEST_IO_H

#include "in_blocks.h"

#include "io/read.h"

#include <stdio.h>
#include <unistd.h>

enum { LINE_SIZE = 4096 };

static inline void line_add(char *line, const char *format, ...)
{
    const size_t used = strlen(line);
    va_list values;
    va_start(values, format);
    vsnprintf(line + used, LINE_SIZE - used, format, values);
    va_end(values);
}

static inline double table_value(const pen_array *x, int64_t i)
{
    if (x->dtype == PEN_F64)
        return ((const double *)x->values)[i];
    return x->dtype == PEN_F32 ? (double)((const float *)x->values)[i]
                               : ((const unsigned char *)x->values)[i];
}

static inline void line_names(char *line, const char *title, char **names, int64_t count)
{
    if (!names)
        return;
    line_add(line, " %s", title);
    for (int64_t i = 0; i < count; i++)
        line_add(line, "%c%s", i ? ',' : ' ', names[i]);
}

/* "1 2/3 4 labels 0 -1 classes a columns u,v rows r,s dropped 1 filled 2 kept k texts c,d left
 * out w color at 0 are blue,red", without the parts that the table lacks. */
static inline const char *table_line(const pen_table *t, char line[LINE_SIZE])
{
    line[0] = '\0';
    for (int64_t i = 0; i < t->x.rows * t->x.cols; i++)
        line_add(line, "%s%.9g", i == 0 ? "" : i % t->x.cols ? " " : "/", table_value(&t->x, i));
    if (t->labels)
        line_add(line, " labels");
    for (int64_t i = 0; t->labels && i < t->x.rows; i++)
        line_add(line, " %d", t->labels[i]);
    line_names(line, "classes", t->class_names, t->class_count);
    line_names(line, "columns", t->column_names, t->x.cols);
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

typedef pen_status (*bytes_reader)(const char *, const void *, size_t, const pen_read_options *,
                                   pen_table **, pen_error *);

/* The result of reading the bytes: the line of the table or, if they are rejected, the code and the
 * message. The bytes are read from memory of the exact size. */
static inline const char *read_line(bytes_reader reader, const char *name, const void *bytes,
                                    size_t size, const pen_read_options *options,
                                    char line[LINE_SIZE])
{
    char *const exact = check_allocate((int64_t)size, 1);
    pen_table *table = NULL;
    pen_error err;

    memcpy(exact, bytes, size);
    const pen_status status = reader(name, exact, size, options, &table, &err);
    if (status != PEN_OK) {
        CHECK(table == NULL && err.code == status, "a table or another code is left with %d: %s",
              (int)status, err.message);
        snprintf(line, LINE_SIZE, "%d %s", (int)status, err.message);
    } else {
        table_line(table, line);
    }
    pen_table_free(table);
    free(exact);
    return line;
}

static inline void check_line(bytes_reader reader, const char *name, const void *bytes, size_t size,
                              const pen_read_options *options, const char *expected)
{
    char line[LINE_SIZE];
    read_line(reader, name, bytes, size, options, line);
    CHECK(strcmp(line, expected) == 0, "%s\nis read as\n    %s\nexpected\n    %s",
          (const char *)bytes, line, expected);
}

/* A text, its options, and what it is read as: like table_line, or code and message. */
struct table_reading {
    const char *text;
    const char *expected;
    pen_read_options options;
};

/* The same text as a file, in blocks. */
static inline void check_in_blocks(const char *text, const pen_read_options *options)
{
    char path[64];
    snprintf(path, sizeof path, "test_io_blocks_%ld.csv", (long)getpid());
    FILE *const file = fopen(path, "wb");

    CHECK(file && fwrite(text, 1, strlen(text), file) == strlen(text) && fclose(file) == 0,
          "%s cannot be written", path);
    in_blocks_check(path, options);
    remove(path);
}

static inline void check_table_readings(const struct table_reading *readings, size_t count,
                                        bytes_reader reader)
{
    for (size_t i = 0; i < count; i++) {
        check_line(reader, "t.csv", readings[i].text, strlen(readings[i].text),
                   &readings[i].options, readings[i].expected);
        if (reader == pen_read_bytes)
            check_in_blocks(readings[i].text, &readings[i].options);
    }
}

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

#endif
