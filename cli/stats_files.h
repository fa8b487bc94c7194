/* stats_files.h - files of statistics on the command line. */
#ifndef STATS_FILES_H
#define STATS_FILES_H

#include "class_output.h"

/* Whether the file says that it holds statistics. 0 if it cannot be read. */
int stats_are_in(const char *path);

/* Write "178 rows of 13 columns in 10 blocks, 30 labelled in 3 classes" on standard error, with
 * the unit " rows" or without. */
void stats_print(const pen_stats *stats, const char *unit);

/* Report a fit from them that was saved, with its classes or NULL. */
void stats_report(const cli_args *args, const pen_stats *stats, const pen_model *model,
                  const row_classes *all);

/* `penumbra fit METHOD FILE.pens`: `method` NULL is an error, and so are flags of rows. */
int stats_fit_command(const cli_args *args, const char *method, const char *path,
                      const cli_flag *params);

/* `penumbra info FILE.pens`. */
int stats_info_command(const cli_args *args, const char *path);

#endif
