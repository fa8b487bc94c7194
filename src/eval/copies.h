/* copies.h - labelled rows with near copies. */
#ifndef PEN_COPIES_H
#define PEN_COPIES_H

#include "core/rows.h"

/* pen_leaks.copies. PEN_NOT_FINITE. */
pen_status pen_copies_find(pen_run *run, const pen_data *data, double *share);

#endif
