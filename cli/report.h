/* report.h - the page of penumbra compare: one HTML file with everything inside, tables and
 * pictures. */
#ifndef REPORT_H
#define REPORT_H

#include "choice.h"

/* What a page tells. */
typedef struct report_source {
    const cli_args *args;
    const choice_rules *rules;
    const learning *in;
    const pen_comparison *found;
} report_source;

/* Fit the pictures and write the page; it appears whole or not at all. After a signal there are no
 * more pictures, and the page says so. Returns CLI_OK or the exit status, with the error
 * printed. */
int report_write(const report_source *source, const char *path);

#endif
