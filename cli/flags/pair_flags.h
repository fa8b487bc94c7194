/* pair_flags.h - flags for files of pairs. */
#ifndef PAIR_FLAGS_H
#define PAIR_FLAGS_H

#include "flags/args.h"

extern const cli_flag pairs_flags[];

/* Refuse flags of pairs if the method (NULL: any) does not learn from pairs. Returns CLI_OK, or the
 * exit status after printing the error. */
int pairs_check(const pen_method *method);

/* Refuse a flag of pairs that the method cannot use. */
int pairs_no_use(const char *flag, const pen_method *method);

/* Read the files of pairs into `data`. They number the rows of `rows`, read from `data_path`. */
int pairs_read(const char *data_path, const pen_table *rows, pen_data *data);

/* Print the error of the library with flags that may help. */
int pairs_failed(void);

#endif
