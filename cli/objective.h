/* objective.h - the objective of an iteration, as a model keeps it, to be drawn. */
#ifndef OBJECTIVE_H
#define OBJECTIVE_H

#include "args.h"
#include "picture.h"

/* Read a model and make a panel of its objective over the iterations: a line. Returns CLI_OK or the
 * exit status, the error said. The caller frees the members of the panel in any case. */
int objective_panel(const cli_args *args, const char *path, picture_panel *panel);

#endif
