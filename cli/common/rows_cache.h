/* rows_cache.h - --cache: what a command finds out about rows, for the next one. */
#ifndef ROWS_CACHE_H
#define ROWS_CACHE_H

#include "flags/args.h"

extern const cli_flag rows_cache_flag[];

/* With --cache the rows are prepared ones, with what the file has of them; at the end they are
 * written to it. Files of other rows are replaced, any other file is an error. */
int rows_cache_open(pen_data *data);
int rows_cache_save(const pen_data *data);

#endif
