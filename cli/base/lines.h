/* lines.h - reports on standard error: lines "word     text" of 80 columns. */
#ifndef LINES_H
#define LINES_H

#include "base/cli.h"

/* A text that grows; what does not fit is cut. */
typedef struct line {
    char text[2000];
} line;

void line_add(line *l, const char *format, ...);

/* Add "a: 5, b: 12 and 57 more", classes with the numbers of their rows, no longer than a line.
 * Returns the number of rows with a class. */
int64_t line_add_classes(line *l, const int32_t *labels, int64_t n, const char *const *names,
                         int64_t count);

/* Print a line, after all of standard output, unless --quiet is given: what does not fit in 80
 * columns goes on below the text. */
void line_print(const char *word, const char *format, ...);

/* Print a warning: a line of `fit`, a message of other commands. */
void line_warn(const char *format, ...);

/* The text in 80 columns, of which `at` are taken: further lines begin there. Lines end at blanks
 * and after '|'. */
void line_wrap(FILE *out, int at, const char *text);

/* Lines of help: a flag with its letter (0: none) and its value (NULL: none) on the left, its help
 * on the right, and a range (NULL: none) below. */
void line_flag(char letter, const char *name, const char *value, const char *help,
               const char *range);

#endif
