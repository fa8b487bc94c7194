/* gnuplot.h - a picture drawn by gnuplot, which reads a script from a file. */
#ifndef GNUPLOT_H
#define GNUPLOT_H

#include "flags/args.h"

/* Check that gnuplot is installed. Returns CLI_OK or the exit status, with the error printed. */
int gnuplot_check(void);

/* A temporary file, owned; NULL, with errno: there is none. */
FILE *gnuplot_file(void);

/* Draw what a script says, a temporary file (NULL: there is none, with errno). *picture: another,
 * owned, at its beginning; messages call it `path`. A signal ends the process. Returns CLI_OK or
 * the exit status, with the error printed. */
int gnuplot_draw(const char *path, FILE *script, FILE **picture);

/* Write text as a gnuplot string with all of its markup escaped: a blank for control characters,
 * U+FFFD for bytes that are not UTF-8. */
void gnuplot_text(FILE *script, const char *text);

#endif
