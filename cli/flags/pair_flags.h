/* pair_flags.h - the flags that give pairs: files of them, and a sample of those that labels
 * imply. */
#ifndef PAIR_FLAGS_H
#define PAIR_FLAGS_H

#include "flags/args.h"

extern const cli_flag pairs_flags[];

/* Set what the flags say but for the files. A flag given for a method (NULL: any) that does not
 * learn from pairs is an error. Returns CLI_OK or the exit status, with the error printed. */
int pairs_options(const pen_method *method, pen_data *data);

/* Read the files, which name rows of `rows`, read from `data_path`, into `data`. */
int pairs_read(const char *data_path, const pen_table *rows, pen_data *data);

/* Print an error of the library, with a remark on the flags that help. */
int pairs_failed(void);

#endif
