/* compare_picture.h - rows as the recommended candidate embeds them, to be drawn. */
#ifndef PEN_COMPARE_PICTURE_H
#define PEN_COMPARE_PICTURE_H

#include "eval/choose/compare_passes.h"

/* Sets picture of the result, whose candidates are ranked: the first trial anew, fitted with the
 * recommended spec. It stays NULL where that fails, with fewer than 4 rows, or if the caller
 * requests a stop. PEN_NO_MEMORY, PEN_INTERNAL. Cost: a trial, and the two coordinates of at most
 * 5000 rows that show their classes (eval/measures/class_picture.h). */
pen_status pen_comparing_draw(pen_run *run, pen_comparing *k);

#endif
