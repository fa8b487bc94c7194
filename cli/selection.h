/* selection.h - what fit takes without METHOD: a projection learned from several candidates, or a
 * method. */
#ifndef SELECTION_H
#define SELECTION_H

#include "learn.h"

/* Are there labels of two classes and no pairs, of which a projection is learned? */
int selection_applies(const learning *in);

/* Choose, and print what was tried and what to expect, unless --quiet is given. Ctrl-C: CLI_FAILED
 * without a message; ask progress_signal. Free with pen_selection_free. */
int selection_make(const cli_args *args, double effort, const learning *in, pen_selection **out);

/* Print the accuracy to expect, with its standard error. */
void selection_expect(const learning *in, double accuracy, double error, double chance,
                      int predicts);

/* Learn the projection, with a bar on the terminal, likewise. */
int selection_fit(const cli_args *args, const pen_selection *found, const pen_wanted *wanted,
                  const learning *in, pen_model **out);

#endif
