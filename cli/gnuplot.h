/* gnuplot.h - a picture drawn by gnuplot, which is spoken to over a pipe. */
#ifndef GNUPLOT_H
#define GNUPLOT_H

#include "output.h"

#include <sys/types.h>

typedef struct gnuplot {
    const cli_args *args;
    output_file picture;
    FILE *script; /* what gnuplot is told */
    FILE *errors; /* what it complains about */
    pid_t process;
} gnuplot;

/* Start gnuplot; its output goes to a temporary file beside `path`. Returns CLI_OK or the exit
 * status, the error said. */
int gnuplot_open(gnuplot *plot, const cli_args *args, const char *path);

/* Wait for the picture and put it in its place; if that fails, nothing is left behind. */
int gnuplot_close(gnuplot *plot);

/* Write text as a gnuplot string in which nothing has a meaning: a blank for control characters,
 * U+FFFD for bytes that are no UTF-8. */
void gnuplot_text(FILE *script, const char *text);

#endif
