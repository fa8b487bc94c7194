/* readings.h - describes in one line how bytes are read: the table or the error; and parses options
 * of reading from text. */
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

/* Options and the memory they point to. */
typedef struct read_words {
    pen_read_options options;
    char text[128];
    const char *lists[5][5];
} read_words;

/* Options from a text like "label=y drop=a,b missing=mean delimiter=;"; NULL: the defaults. */
pen_read_options *read_options(const char *words, read_words *to);

typedef pen_status (*bytes_reader)(const char *, const void *, size_t, const pen_read_options *,
                                   pen_table **, pen_error *);

/* Reads the bytes from memory of their exact size: the line of the table, or the error. */
const char *read_line(bytes_reader by, const char *name, const void *bytes, size_t size,
                      const pen_read_options *options, char line[LINE_SIZE]);
void check_line(bytes_reader by, const char *name, const void *bytes, size_t size,
                const pen_read_options *options, const char *expected);

/* Each row has a text, the expected line, and options as text or NULL. Inputs that pen_read_bytes
 * reads as t.csv are also read in blocks. */
void check_readings(const char *name, const char *const (*readings)[3], size_t count,
                    bytes_reader by);

/* Writes an npy file of this format version; returns its size. */
size_t npy_bytes(int version, const char *header, const void *values, size_t size, char *file);

#endif
