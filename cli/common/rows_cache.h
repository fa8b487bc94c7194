/* rows_cache.h - the file of --cache, which keeps prepared rows for the next command. */
#ifndef ROWS_CACHE_H
#define ROWS_CACHE_H

#include "flags/args.h"

extern const cli_flag rows_cache_flag[];

/* With --cache, open prepares the rows from the file, and save writes them back. A file of other
 * rows is replaced; any other file is an error. */
int rows_cache_open(pen_data *data);
int rows_cache_save(const pen_data *data);

#endif
