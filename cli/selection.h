/* selection.h - what fit takes without METHOD: a map with its reader, or several. */
#ifndef SELECTION_H
#define SELECTION_H

#include "learn.h"

/* Are there labels of two classes and no pairs, of which trials of maps and readers choose? */
int selection_applies(const learning *in);

/* Choose. Ctrl-C: CLI_FAILED without a message; ask progress_signal. Free with
 * pen_selection_free. */
int selection_make(const cli_args *args, double effort, const learning *in, pen_selection **out);

/* Print the candidates and what is taken on standard error, unless --quiet is given. together: the
 * members answer. */
void selection_report(const cli_args *args, const pen_selection *found, int together);

/* Fit it, with a bar on the terminal, likewise. */
int selection_fit(const cli_args *args, const pen_selection *found, const pen_wanted *wanted,
                  const learning *in, pen_model **out);

#endif
