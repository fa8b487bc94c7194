/* stats_files.h - statistics of blocks of rows on the command line. */
#ifndef STATS_FILES_H
#define STATS_FILES_H

#include "flags/args.h"

/* Whether the file says that it holds statistics. 0 if it cannot be read. */
int stats_are_in(const char *path);

/* `penumbra fit METHOD DATA [FILE.pens...] --block ID -o PART.pens`, or
 * `penumbra fit METHOD FILE.pens... -o MODEL`. operands: those after METHOD, NULL-terminated. */
int stats_fit(const char *method, const char *const *operands);

/* `penumbra info FILE.pens`. */
int stats_info(const char *path);

#endif
