/* choose.h - what to fit without trials. */
#ifndef PEN_CHOOSE_H
#define PEN_CHOOSE_H

#include "core/rows.h"

/* What is taken where there are pairs, or no labels of two classes: sets spec and reason; spec
 * stays NULL where trials are possible. classes: of the labels. */
pen_status pen_choose_untried(pen_run *run, const pen_data *data, const pen_rows *classes,
                              pen_selection *out);

#endif
