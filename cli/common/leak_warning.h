/* leak_warning.h - warns of columns and rows that give labels away. */
#ifndef LEAK_WARNING_H
#define LEAK_WARNING_H

#include "base/cli.h"

/* Warn of each column of `data`, read from `rows`, that determines the labels or numbers the rows,
 * and of classes that look alike. Returns CLI_OK, or the exit status after printing an error. */
int leaks_warn(const pen_table *rows, const pen_data *data);

/* Warn of near copies of labelled rows: trials may hold out one and learn from another. */
void copies_warn(const pen_data *data);

#endif
