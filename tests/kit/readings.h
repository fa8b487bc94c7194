/* readings.h - what bytes are read as, in one line of text: tables, or the error; and the options
 * of reading in words. */
#ifndef READINGS_H
#define READINGS_H

#include "check.h"
#include "io/read.h"

enum { LINE_SIZE = 4096 };

#define BYTES(text) text, sizeof(text) - 1

void line_add(char *line, const char *format, ...);

/* "51 t.csv:1:2: value is missing, got "" +missing": the code, the message and its hints. */
void line_error(char *line, pen_status status, const pen_error *err);

/* "1 2/3 4 labels 0 -1 marks ?:1 classes a columns u,v numbers 2,0 rows r,s dropped 1 filled 2 kept
 * k texts c,d left out w", without the parts that the table lacks. */
const char *table_line(const pen_table *t, char line[LINE_SIZE]);

/* Options, and what they point to. */
typedef struct read_words {
    pen_read_options options;
    char text[128];
    const char *lists[5][5];
} read_words;

/* The options in words, as "label=y drop=a,b missing=mean delimiter=;"; NULL: the defaults. */
pen_read_options *read_options(const char *words, read_words *to);

typedef pen_status (*bytes_reader)(const char *, const void *, size_t, const pen_read_options *,
                                   pen_table **, pen_error *);

/* What the bytes are read as: the line of the table, or the error. They are read from memory of the
 * exact size. */
const char *read_line(bytes_reader by, const char *name, const void *bytes, size_t size,
                      const pen_read_options *options, char line[LINE_SIZE]);
void check_line(bytes_reader by, const char *name, const void *bytes, size_t size,
                const pen_read_options *options, const char *expected);

/* Each row is a text, what it is read as, and options in words or NULL. What pen_read_bytes reads
 * as t.csv is read in blocks, too. */
void check_readings(const char *name, const char *const (*readings)[3], size_t count,
                    bytes_reader by);

/* The bytes of an npy file of this version of the format; returns their number. */
size_t npy_bytes(int version, const char *header, const void *values, size_t size, char *file);

#endif
