/* gnuplot.h - a picture drawn by gnuplot, which reads a script from a pipe. */
#ifndef GNUPLOT_H
#define GNUPLOT_H

#include "flags/args.h"

#include <sys/types.h>

typedef struct gnuplot {
    const cli_args *args;
    FILE *script;  /* what gnuplot reads */
    FILE *picture; /* what it draws: a temporary file */
    FILE *errors;  /* what it complains about: likewise */
    pid_t process;
} gnuplot;

/* Check that gnuplot is installed. Returns CLI_OK or the exit status, with the error printed. */
int gnuplot_check(const cli_args *args);

/* Start gnuplot. Returns likewise. */
int gnuplot_open(gnuplot *plot, const cli_args *args);

/* Wait for the picture and hand it over in *picture, at its beginning: fclose() it. `path` is what
 * messages call it. After a signal there is no picture and no message: ask progress_signal. */
int gnuplot_close(gnuplot *plot, const char *path, FILE **picture);

/* Write text as a gnuplot string with all of its markup escaped: a blank for control characters,
 * U+FFFD for bytes that are not UTF-8. */
void gnuplot_text(FILE *script, const char *text);

#endif
