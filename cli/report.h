/* report.h - the page of penumbra compare. */
#ifndef REPORT_H
#define REPORT_H

#include "flags/args.h"

/* Write page/report.html with the JSON of a comparison inside, whole or not at all.
 * Returns CLI_OK or the exit status, with the error printed. */
int report_write(const char *path, const char *json);

#endif
