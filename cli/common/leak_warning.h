/* leak_warning.h - warnings of columns and rows that tell too much. */
#ifndef LEAK_WARNING_H
#define LEAK_WARNING_H

#include "base/cli.h"

/* Warn of each column of `data`, read from `rows`, that determines the labels or numbers the rows;
 * and of classes that look alike. Returns CLI_OK or the exit status, with the error printed. */
int leaks_warn(const pen_table *rows, const pen_data *data);

/* Warn of near copies of labelled rows, of which trials hold one out and learn from others. */
void copies_warn(const pen_data *data);

#endif
