/* gnuplot.h - scripts for gnuplot. */
#ifndef GNUPLOT_H
#define GNUPLOT_H

#include <stdio.h>

/* A temporary file, owned; NULL, with errno: there is none. */
FILE *gnuplot_file(void);

/* Write a command and text as a gnuplot string, its middle left out where it has more than `most`
 * letters; '?' for control characters and for bytes that are not UTF-8. */
void gnuplot_text(FILE *script, const char *command, const char *text, int most);

/* Draw what a script says, a temporary file (NULL: there is none, with errno), to `path`. A signal
 * ends the process. Returns CLI_OK or the exit status, with the error printed. */
int gnuplot_draw(const char *path, FILE *script);

#endif
