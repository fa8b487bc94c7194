/* lines.h - reports on standard error: lines "word     text" of 80 columns. */
#ifndef LINES_H
#define LINES_H

#include "base/cli.h"

/* A text that grows up to its size; the rest is cut. */
typedef struct line {
    char text[2000];
} line;

void line_add(line *l, const char *format, ...);

/* Add classes with their numbers of rows, "a: 5, b: 12 and 57 more", as many as fit in a line.
 * Returns the number of rows with a class. */
int64_t line_add_classes(line *l, const int32_t *labels, int64_t n, const char *const *names,
                         int64_t count);

/* Print a line after flushing standard output, unless --quiet is given. Text beyond 80 columns
 * continues on indented lines. */
void line_print(const char *word, const char *format, ...);

/* Print a warning: as a line in `fit`, as a message in other commands. */
void line_warn(const char *format, ...);

/* Print text wrapped to 80 columns, the first `at` of which are in use; further lines are indented
 * by `at`. Lines break at blanks and after '|'. */
void line_wrap(FILE *out, int at, const char *text);

/* Print the help of a flag: its letter (0: none) and value (NULL: none) on the left, its help on
 * the right, and its range (NULL: none) below. */
void line_flag(char letter, const char *name, const char *value, const char *help,
               const char *range);

#endif
