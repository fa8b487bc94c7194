/* objective.h - the objective of an iteration, as kept in a model, as a picture. */
#ifndef OBJECTIVE_H
#define OBJECTIVE_H

#include "args.h"
#include "picture.h"

/* Read a model and make a panel of its objective over the iterations: a line. Returns CLI_OK or the
 * exit status, with the error printed. The caller frees the members of the panel in any case. */
int objective_panel(const cli_args *args, const char *path, picture_panel *panel);

#endif
