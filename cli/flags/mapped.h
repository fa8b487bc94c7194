/* mapped.h - large files are mapped, and one that becomes shorter meanwhile ends the command. */
#ifndef MAPPED_H
#define MAPPED_H

#include <penumbra.h>

/* From here the file `path` is read with pen_read_options.map, and may stay mapped until the end. A
 * SIGBUS then says which file became shorter, and ends the process with CLI_FAILED. */
void mapped_begin(const char *path);

/* What was read of it, or NULL. */
void mapped_end(const pen_table *table);

/* The same if a file became shorter without a signal, as one that still ends in the same page. Call
 * it before any result of the rows is written, so that none is left incomplete. */
void mapped_check(void);

#endif
