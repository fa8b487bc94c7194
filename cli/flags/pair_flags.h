/* pair_flags.h - the flags that give files of pairs. */
#ifndef PAIR_FLAGS_H
#define PAIR_FLAGS_H

#include "flags/args.h"

extern const cli_flag pairs_flags[];

/* A flag of pairs given for a method (NULL: any) that does not learn from pairs is an error.
 * Returns CLI_OK or the exit status, with the error printed. */
int pairs_check(const pen_method *method);

/* Print the error of a flag of pairs that the method cannot use. */
int pairs_no_use(const char *flag, const pen_method *method);

/* Read the files, which name rows of `rows`, read from `data_path`, into `data`. */
int pairs_read(const char *data_path, const pen_table *rows, pen_data *data);

/* Print an error of the library, with a remark on the flags that help. */
int pairs_failed(void);

#endif
