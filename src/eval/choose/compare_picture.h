/* compare_picture.h - the picture of rows as the recommended candidate embeds them. */
#ifndef PEN_COMPARE_PICTURE_H
#define PEN_COMPARE_PICTURE_H

#include "eval/choose/compare_passes.h"

/* Sets the picture of a ranked result by repeating the first trial with the recommended spec. It
 * stays NULL if that fails, with fewer than 4 rows, or if the caller requests a stop.
 * PEN_NO_MEMORY, PEN_INTERNAL. Cost: a trial, and eval/measures/class_picture.h for at most 5000
 * rows. */
pen_status pen_comparing_draw(pen_run *run, pen_comparing *k);

#endif
