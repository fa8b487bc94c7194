/* mapped.h - large files are mapped, and one that becomes shorter meanwhile ends the command. */
#ifndef MAPPED_H
#define MAPPED_H

#include "flags/args.h"

/* From here the file `path` is read with pen_read_options.map; it may stay mapped until the end. A
 * SIGBUS then reports that the file became shorter, and ends the process with CLI_FAILED. No
 * output is open while rows are read, so none is left incomplete. */
void mapped_begin(const char *path);

/* The file was read; NULL: it was not. */
void mapped_end(const pen_table *table);

/* Check whether a mapped file became shorter without a signal, as one that still ends in the same
 * page, and end the process likewise. Call it before any result of the rows is written. */
void mapped_check(void);

#endif
